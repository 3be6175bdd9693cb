/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcemu's command line, from the table options.def. */
#include "tools/pcemu/options.h"

#include <limits.h>
#include <string.h>

#include "host/store/store.h"
#include "isa/sampler.h"
#include "tools/pcemu/machine.h"
#include "tools/pcemu/plugins.h"
#include "tools/pcemu/watch.h"

static const char *const core_names[] = {
#define CORE(symbol, name) [CORE_##symbol] = name,
#include "tools/pcemu/options.def"
};

/* The kinds of --core that read a file, whose name follows the kind. */
static const struct {
    const char *prefix, *file;
    enum core_kind kind;
} core_inputs[] = {{"samples:", "the samples", CORE_SAMPLES}, {"replay:", "a recording", CORE_REPLAY}};

static enum status parse_core(const struct option_row *row, void *options, const char *argument, struct errmsg *err)
{
    struct options *o = options;
    unsigned core;
    o->core_named = true;
    o->core_input = NULL; /* overrides an earlier --core */
    for (size_t i = 0; i < sizeof core_inputs / sizeof core_inputs[0]; i++) {
        size_t length = strlen(core_inputs[i].prefix);
        if (strcmp(argument, core_inputs[i].prefix) == 0)
            return fail(err, ST_INPUT, "--core %s expected the name of %s after it, or - for standard input", argument,
                        core_inputs[i].file);
        if (strncmp(argument, core_inputs[i].prefix, length) == 0) {
            o->core_input = argument + length;
            o->core = core_inputs[i].kind;
            return ST_OK;
        }
    }
    if (option_choose(row, argument, &core, err) != ST_OK)
        return ST_INPUT;
    o->core = core;
    return ST_OK;
}

static bool is_assignment(const char *argument) { return strchr(argument, '=') != NULL && argument[0] != '='; }

static const char *core_input_path(const struct option_row *row, const void *options)
{
    (void)row;
    return ((const struct options *)options)->core_input;
}

static const char *program_path(const struct option_row *row, const void *options)
{
    (void)row;
    const struct options *o = options;
    return o->no_program || o->core == CORE_REPLAY ? NULL : o->program != NULL ? o->program : "pc.out";
}

static const struct option_row rows[] = {
#define GROUP(heading) OPTION_GROUP(heading)
#define OPTION(...) OPTION_ROW(struct options, __VA_ARGS__)
#include "tools/pcemu/options.def"
};

static const char doc[] =
    "Runs a riscv64 Linux program on a core model, and profiles it."
    "\vOptions of pcemu precede the guest: all words after its name are its own arguments, even those that look like "
    "options.\n\n"
    "The guest uses the standard input, output and error of pcemu.\n\n"
    "Numbers, including those in --profile, --sampler and --param, may be hexadecimal (0x) and may end in k, M or G: "
    "thousands, millions or billions.";

static const char examples[] = "pcasm value.pasm && pcemu bench.elf                # run a profiling program\n"
                               "pcemu --no-program --profile oracle,tip bench.elf  # show where the time goes\n"
                               "pcemu --no-program --profile tip,topdown,counts --collect runs.db bench.elf\n";

static const char exit_status[] =
    "that of the guest; 128 + N if signal N ended the guest or pcemu; 2 for bad usage or input, and where the guest's "
    "is 0 but its profiling program was stopped (an illegal word, or a sample that it does not finish), or a command "
    "of the debugger's script was refused (without -i); 70 for a fault of pcemu's own.";

static const struct option_syntax syntax = {
    rows, sizeof rows / sizeof rows[0], "ELF [ARG...]", doc, exit_status, options_check, examples};

void options_parse(struct options *o, int argc, char **argv)
{
    *o = (struct options){0};
    option_parse(&syntax, o, argc, argv);
}

/* The member of the row, if it is an output other than the report; NULL: it is none. */
static const char **find_output_member(struct options *o, const struct option_row *row)
{
    if (row->writes == OPTION_NO_OUTPUT || row->offset == offsetof(struct options, report))
        return NULL;
    if (row->kind != OPTION_TEXT)
        BUG("--%s writes a file and is no TEXT", row->name);
    return (const char **)(void *)((char *)o + row->offset);
}

bool options_find_output(const struct options *o, const char *except, struct option_label *label)
{
    *label = (struct option_label){0};
    for (const struct option_row *row = rows; row < rows + syntax.rows; row++) {
        const char **path = find_output_member((struct options *)(uintptr_t)o, row);
        if (path != NULL && *path != NULL && *path != except) {
            *label = option_label(row);
            return true;
        }
    }
    return false;
}

void options_drop_outputs(struct options *o)
{
    for (const struct option_row *row = rows; row < rows + syntax.rows; row++) {
        const char **path = find_output_member(o, row);
        if (path != NULL)
            *path = NULL;
    }
}

enum status options_check_output(const struct options *o, const char *command, const char *path, struct errmsg *err)
{
    return option_check_output(&syntax, o, command, path, err);
}
