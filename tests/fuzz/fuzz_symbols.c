/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the names of an ELF file: its symbols, those of its .gnu_debugdata, its call frame information, stubs and
 * sections, and the demangled names; its source lines, inlined calls and variables. */
#include "host/symbols/symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/symbols/line_code.h"
#include "host/symbols/short_name.h"
#include "host/symbols/source_lines.h"
#include "host/symbols/variables.h"
#include "tests/fuzz/fuzzed_file.h"
#include "tests/fuzz/fuzzed_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void see_name(void *ctx, const char *name) { *(size_t *)ctx += strlen(name); }

/* What is at the start of each function, and around it. */
static void see_entry(void *ctx, uint64_t start)
{
    const struct symbols *s = ctx;
    for (int i = -1; i <= 1; i++) {
        struct symbols_place p = symbols_find(s, start + (uint64_t)(int64_t)i);
        const char *library;
        free(symbols_function(s, p.start, &library));
        for (const char *c = p.function; c != NULL && *c != '\0'; c++)
            if ((unsigned char)*c < ' ' || *c == 0x7f)
                BUG("a control character is in the name at 0x%llx", (unsigned long long)start);
    }
}

/* The source at an address, and the place of its line. */
static void see_source(const struct symbols *s, uint64_t pc)
{
    struct source_inlined call[4];
    struct source_place *place;
    struct line_code code;
    struct errmsg err;
    char *path;
    int line;
    size_t count = source_lines_inlined(s, pc, call, 4);
    if (!source_lines_at(s, pc, &path, &line))
        return;
    if (source_lines_find(s, path, line, &place, &count, &err) != ST_OK)
        check_refusal(&err);
    free(place);
    if (line_code_find(s, path, line, LINE_CODE_EXACT, &code, &err) != ST_OK)
        check_refusal(&err);
    line_code_free(&code);
    free(path);
}

static bool read_made_up(void *ctx, uint64_t address, void *to, size_t size_bytes)
{
    (void)ctx;
    memset(to, (int)address, size_bytes);
    return address % 3 != 0;
}

static void see_variables(const struct symbols *s)
{
    static const char *const names[] = {"data", "data[1]@2", "matrix[1]", "big", "*big.next", "big.in.s[1]"};
    const struct variables_memory memory = {read_made_up, NULL};
    struct errmsg err;
    char *text;
    size_t bytes;
    FILE *out = xopen_text(&text, &bytes);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (variables_print(s, names[i], &memory, out, &err) != ST_OK)
            check_refusal(&err);
    xclose_text(out);
    free(text);
}

static void see_range(void *ctx, uint64_t start, uint64_t end)
{
    for (uint64_t i = 0; i < 16; i++)
        see_entry(ctx, start + i * ((end - start) / 16));
    see_source(ctx, start + (end - start) / 2);
    free(symbols_frame(ctx, start));
}

/* Functions do not overlap. */
static void see_fuzzed_function(void *ctx, const struct symbols_function *f)
{
    uint64_t *end = ctx;
    if (f->start < *end || f->start >= f->end || f->shown[0] == '\0')
        BUG("the function '%s' is from 0x%llx to 0x%llx", f->shown, (unsigned long long)f->start,
            (unsigned long long)f->end);
    *end = f->end;
    for (enum short_form form = SHORT_NAME; form < SHORT_FORMS; form++)
        free(short_name(f->shown, form));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path, *remark;
    uint64_t end = 0;
    struct symbols *s;
    struct errmsg err = {{0}};
    size_t bytes = 0;
    uint64_t pc;
    write_fuzzed_file(data, size);
    if (symbols_new(&s, fuzzed_path, ":.debug", &err) != ST_OK) {
        check_refusal(&err);
        return 0;
    }
    symbols_each(s, see_name, &bytes);
    symbols_each_function(s, see_fuzzed_function, &end);
    while (symbols_next_remark(s, &path, &remark))
        bytes += strlen(remark);
    symbols_each_entry(s, see_entry, s);
    symbols_each_range(s, see_range, s);
    symbols_address(s, "main", &pc);
    see_variables(s);
    symbols_free(s);
    return 0;
}
