/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the commands of pcprof: their reports are written by the same options (output_options.def). */
#ifndef TOOLS_PCPROF_OUTPUT_H
#define TOOLS_PCPROF_OUTPUT_H

#include "base/colour.h"
#include "host/report/render.h"

struct pcprof_output {
    const char *output, *sort; /* sort NULL: not given */
    enum report_form form;
    enum colour_choice color;
    bool no_pager;
    struct report_view view;
};

/* The output of a command's options, a pointer to a structure with the members of output_options.def. */
#define PCPROF_OUTPUT(o) PCPROF_OUTPUT_ROWS(o, (unsigned)(o)->top)
/* PCPROF_OUTPUT of a command without --top (WHOLE_TABLES). */
#define PCPROF_WHOLE_OUTPUT(o) PCPROF_OUTPUT_ROWS(o, 0)
#define PCPROF_OUTPUT_ROWS(o, most)            \
    ((struct pcprof_output){                   \
        .output = (o)->output,                 \
        .sort = (o)->sort,                     \
        .form = (enum report_form)(o)->format, \
        .color = (o)->color,                   \
        .no_pager = (o)->no_pager,             \
        .view = {.top = (most), .width = (unsigned)(o)->width, .full_names = (o)->full_names, .legend = (o)->legend}})

/* Sorts and writes the report. An error of --sort names the option. */
enum status pcprof_write(const struct pcprof_output *o, struct report *r, struct errmsg *err) MUST_USE;

/* Prints an error of a command; returns the exit status. */
int pcprof_fail(enum status st, const struct errmsg *err);

#endif
