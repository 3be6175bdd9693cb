/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The culprits of a summary: what each instruction costs others, or itself, by cause. */
#ifndef TOOLS_PCPROF_SUMMARY_CULPRITS_H
#define TOOLS_PCPROF_SUMMARY_CULPRITS_H

#include "tools/pcprof/analysed.h"

/* An instruction and a cause of the stalls that it is guilty of. */
struct summary_culprit {
    struct analysed_procedure procedure;
    uint64_t address;
    unsigned stall; /* a static cause, then the dynamic ones, in the order of stall.def */
    double samples; /* the time that the cause can have at most */
};

struct summary_culprits {
    struct summary_culprit *of; /* owned */
    size_t count;
};

/* Adds the culprits of a procedure. A stall by a cause whose instruction is not known is its own culprit. */
void summary_culprits_add(struct summary_culprits *c, const struct analysed_procedure *p, const struct analysis *one,
                          double width);
/* Adds their table, of samples of `all`. */
void summary_culprits_report(struct summary_culprits *c, const struct analysed *a, double all, struct report *r);
void summary_culprits_free(struct summary_culprits *c);

#endif
