/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations shared by the files of pcprof calc. */
#ifndef TOOLS_PCPROF_CALC_H
#define TOOLS_PCPROF_CALC_H

#include "tools/pcprof/analysed.h"

/* Kinds of stalls in one sequence: the static ones, the dynamic ones, and those that nothing explains. */
enum { CALC_UNEXPLAINED = (int)STATIC_STALLS + (int)DYNAMIC_STALLS };

struct calc {
    struct analysed *from;
    struct analysed_procedure procedure;
    const struct analysis *analysis;
    const struct analysed_image *image;
    uint32_t event[16]; /* further columns */
    unsigned events;
    bool is_seen[CALC_UNEXPLAINED + 1]; /* letters that the listing has, for their legend */
};

/* calc_report.c: adds the head, the blocks and the notes to a report. */
void calc_report(struct calc *c, struct report *r);
/* calc_listing.c: adds the table of instructions, and the legend of its letters. */
void calc_report_listing(struct calc *c, struct report *r);

#endif
