/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcemu's command line. */
#ifndef TOOLS_PCEMU_OPTIONS_H
#define TOOLS_PCEMU_OPTIONS_H

#include "base/colour.h"
#include "base/options.h"
#include "contract/call_tree.h"
#include "core-model/prof/log/kanata.h"
#include "host/report/render.h"

enum core_kind {
#define CORE(symbol, name) CORE_##symbol,
#include "tools/pcemu/options.def"
};

struct options {
#define OPTION(...) OPTION_MEMBER(__VA_ARGS__)
#include "tools/pcemu/options.def"
    bool core_named;        /* set by --core; otherwise the configuration selects out-of-order or in-order */
    const char *core_input; /* CORE_SAMPLES, CORE_REPLAY: path of the file */
};

/* Parses the command line. Help and usage errors are printed and end pcemu with status 0 or 2. */
void options_parse(struct options *o, int argc, char **argv);
/* option_check_output for these options. */
enum status options_check_output(const struct options *o, const char *command, const char *path,
                                 struct errmsg *err) MUST_USE;

/* The options that write a file, except -o and that to the file `except` (NULL: none): those of which a run without
 * profile has none. Finds the first that is
 * given; false: none is, and the label is empty. */
bool options_find_output(const struct options *o, const char *except, struct option_label *label);
/* Takes them back. */
void options_drop_outputs(struct options *o);

/* options_check.c: the function `check` of struct option_syntax. `options` is a struct options. */
enum status options_check(const struct option_syntax *syntax, const void *options, struct errmsg *err) MUST_USE;
/* Returns whether the last --profile is "help". */
bool options_ask_profilers(const struct options *o);

#endif
