/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the commands of tools: their reports are written by the same options (output_options.def). */
#ifndef TOOLS_COMMAND_OUTPUT_H
#define TOOLS_COMMAND_OUTPUT_H

#include "base/colour.h"
#include "host/report/render.h"

struct command_output {
    const char *output, *sort; /* sort NULL: not given */
    enum report_form form;
    enum colour_choice color;
    bool no_pager;
    struct report_view view;
};

/* The output of a command's options, a pointer to a structure with the members of output_options.def. */
#define COMMAND_OUTPUT(o) COMMAND_OUTPUT_ROWS(o, (unsigned)(o)->top)
/* COMMAND_OUTPUT of a command without --top (WHOLE_TABLES). */
#define COMMAND_WHOLE_OUTPUT(o) COMMAND_OUTPUT_ROWS(o, 0)
#define COMMAND_OUTPUT_ROWS(o, most)           \
    ((struct command_output){                  \
        .output = (o)->output,                 \
        .sort = (o)->sort,                     \
        .form = (enum report_form)(o)->format, \
        .color = (o)->color,                   \
        .no_pager = (o)->no_pager,             \
        .view = {.top = (most), .width = (unsigned)(o)->width, .full_names = (o)->full_names, .legend = (o)->legend}})

/* Sorts and writes the report. An error of --sort names the option. */
enum status command_write(const struct command_output *o, struct report *r, struct errmsg *err) MUST_USE;

/* Prints an error of a command of the tool; returns the exit status. */
int command_fail(const char *tool, enum status st, const struct errmsg *err);

#endif
