/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the dictionary of a fuzzer in libFuzzer's form, which AFL++ reads too: the words of the input's language, each
 * from the table that defines it.
 *   dictionary TARGET
 * A target without words of its own has an empty dictionary. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "asm/ast.h"
#include "core-model/prof/observer.h"

static void word_of(const char *text, size_t length)
{
    if (length == 0)
        return;
    putchar('"');
    for (const char *c = text; c < text + length; c++)
        printf(*c == '"' || *c == '\\' ? "\\%c" : *c == '\n' ? "\\x%02x" : "%c", *c);
    puts("\"");
}

static void word(const char *text) { word_of(text, strlen(text)); }

/* Words separated by '|'. */
static void choices(const char *text)
{
    for (; strchr(text, '|') != NULL; text = strchr(text, '|') + 1)
        word_of(text, strcspn(text, "|"));
    word(text);
}

#define ROW_2(symbol, name, ...) word(name);
#define ROW_1(name, ...) word(name);

static void write_pasm(void)
{
    for (size_t i = 0; pasm_directive(i) != NULL; i++)
        word(pasm_directive(i));
#define COND(symbol, code, name, inverted, ...) word(name), word(inverted);
#define ALU(symbol, code, name, ...) word(name);
#define BSRC(symbol, first, count, bits, name, ...) word(name);
#define IDX(symbol, code, name, ...) word(name);
#define DATA(symbol, code, name, ...) word(name);
#define LANE(symbol, code, name, ...) word(name);
#define CAM(symbol, code, name, ...) word(name);
#include "isa/isa.def"
#define OPCLASS ROW_2
#include "contract/opclass.def"
#define FORMAT ROW_2
#include "contract/slot_format.def"
#define FIELD ROW_2
#include "isa/sample.def"
#define SAMPLER(symbol, name, ...) word(#name);
#define SAMPLER_OPTION(of, symbol, name, ...) word(name);
#include "isa/sampler.def"
    static const char *const others[] = {"done",    "if ", "goto ", "interrupt", " -> ",  " | ", "[",
                                         "]",       "{",   "}",     "width ",    "class", "key", "saturate",
                                         "default", "<<",  ">>",    "==",        "\\"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        word(others[i]);
}

static void write_config(void)
{
#define PARAM(key, otherwise, low, high, unit, help) word(#key "="), choices(unit);
#define UNIT(key, ...) word(#key "_units="), word(#key "_cycles="), word(#key "_pipelined=");
#include "core-model/config/config.def"
}

static void write_debug(void)
{
#define COMMAND ROW_1
#define ALIAS ROW_1
#define INFO ROW_1
#include "emu/debug/commands.def"
    static const char *const others[] = {"class ", "guest ", "cycle ", "sample ", "if ", "\n"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        word(others[i]);
}

/* Names of the co-processor and of the harness's program (fuzzed_debugger.h), and operators. */
static void write_formula(void)
{
#define BUS ROW_2
#include "isa/bus.def"
#define OPCLASS ROW_2
#include "contract/opclass.def"
#define FIELD ROW_2
#include "isa/sample.def"
    static const char *const others[] = {
        "v0",   "i3",  "c1", "b2",    "t0",   "f5",  "word", "position", "sample", "now",  "class ", "count[",
        "mem[", "$mm", "&m", "&'m m", ".key", ".w1", ".d0",  "t[2].hit", ".seen",  "look", "new",    "full",
        "n",    "||",  "&&", "==",    "!=",   "<=",  ">=",   "<<",       ">>",     "0x",   "(",      ")"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        word(others[i]);
}

/* The facts of recordings. */
static void write_record(void)
{
#define PARAM(key, ...) word("config." #key);
#define UNIT(key, ...) word("config." #key "_units");
#include "core-model/config/config.def"
#define STAT(key, ...) word("stat." #key);
#include "core-model/stats.def"
#define FIELD ROW_2
#include "isa/sample.def"
}

static void write_report(void)
{
#define REPORT_TYPE ROW_2
#include "contract/report.def"
#define FIELD(kind, name) word("\"" #name "\":");
#include "contract/report_column.def"
}

static void write_sample_text(void)
{
#define OPCLASS ROW_2
#include "contract/opclass.def"
#define FIELD(symbol, name, ...) word(name "=");
#include "isa/sample.def"
    static const char *const others[] = {"@", "+", " x2", "0x", "\n", "9007199254740992"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        word(others[i]);
}

/* Samplers, profilers and their options. */
static void write_options(void)
{
#define OBSERVER(symbol) word(observer_##symbol.name);
#include "core-model/prof/observers.def"
#define SAMPLER(symbol, name, ...) word(#name);
#define SAMPLER_OPTION(of, symbol, name, ...) word(name);
#include "isa/sampler.def"
    static const char *const others[] = {"sampler ", "profile ", "period=", "window=", "least=", "\n", "0x", "-"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        word(others[i]);
}

/* Names of the tables and columns of a store, and statements that change them. */
static void write_store(void)
{
#define TABLE(name, ...) word(#name);
#define COLUMN(name, ...) word(#name);
#define CONSTRAINT(...)
#define TABLE_END(...)
#define INDEX(...)
#define VIEW(name, ...) word(#name);
#include "host/store/schema.def"
    static const char *const others[] = {"UPDATE ",   " SET ", "DELETE FROM ", "INSERT INTO ",
                                         " VALUES (", "NULL",  " WHERE ",      "zeroblob(9)",
                                         "x'00'",     "-1",    "1e308",        "9223372036854775807"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        word(others[i]);
}

/* Requests, and what follows them. */
static void write_gdb(void)
{
#define REQUEST(name, ...) word(name);
#include "core-model/gdb/requests.def"
    static const char *const others[] = {"$",
                                         "#",
                                         "\n",
                                         "10000,4",
                                         "20000,8",
                                         ":3e8",
                                         "-1",
                                         ";c",
                                         ";s",
                                         ";r",
                                         "features:read:target.xml:0,ff",
                                         "open:",
                                         "pread:",
                                         "fstat:",
                                         "close:",
                                         "auxv:read::0,ff"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        word(others[i]);
}

static void write_study(void)
{
#define SECTION(symbol, name) word(name " x {}");
#define KEY(section, symbol, name, form) word(name "="), word(name "={");
#include "host/study/study.def"
    static const char *const others[] = {"{", "}", "\"", "#", "/*", "*/", "${", "+=", "\n", "store", "statistics"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        word(others[i]);
}

static const struct {
    const char *target;
    void (*write)(void);
} dictionaries[] = {{"pasm", write_pasm},       {"config", write_config},
                    {"debug", write_debug},     {"formula", write_formula},
                    {"record", write_record},   {"samples", write_record},
                    {"report", write_report},   {"store", write_store},
                    {"options", write_options}, {"sample_text", write_sample_text},
                    {"gdb", write_gdb},         {"study", write_study}};

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: dictionary TARGET\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < sizeof dictionaries / sizeof dictionaries[0]; i++)
        if (strcmp(argv[1], dictionaries[i].target) == 0)
            dictionaries[i].write();
    return 0;
}
