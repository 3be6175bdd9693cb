/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcprof/summary_culprits.h"

#include <stdlib.h>

#include "base/order.h"
#include "base/status.h"
#include "contract/report.h"

static const char *const summary_stall_keys[] = {
#define STATIC_STALL(sym, key, ...) key,
#define DYNAMIC_STALL(sym, key, ...) key,
#include "contract/stall.def"
};

ORDER(summary_culprits_by_place, struct summary_culprit,
      RISING(procedure.image) RISING(address) RISING(stall) RISING(procedure.start))
ORDER(summary_culprits_by_samples, struct summary_culprit,
      FALLING(samples) RISING(procedure.image) RISING(address) RISING(stall))

static void summary_add_culprit(struct summary_culprits *c, const struct analysed_procedure *p, uint64_t address,
                                unsigned stall, double samples)
{
    if (samples <= 0)
        return;
    if ((c->count & (c->count - 1)) == 0)
        c->of = xrealloc(c->of, (c->count != 0 ? 2 * c->count : 1) * sizeof *c->of);
    c->of[c->count++] = (struct summary_culprit){*p, address, stall, samples};
}

void summary_culprits_add(struct summary_culprits *c, const struct analysed_procedure *p, const struct analysis *one,
                          double width)
{
    for (uint32_t i = 0; i < one->insns; i++) {
        const struct analysis_insn *in = &one->insn[i];
        const struct frequency f = one->block[in->block].frequency;
        if (in->static_culprit != 0 && in->schedule.cause != STATIC_SLOTTING && f.confidence != CONFIDENCE_NONE)
            summary_add_culprit(c, p, in->static_culprit, in->schedule.cause,
                                f.value * in->schedule.lost[in->schedule.cause] / width);
        for (unsigned s = 0; in->is_stall && s < DYNAMIC_STALLS; s++)
            if (in->cause[s].possible)
                summary_add_culprit(c, p, in->cause[s].culprit != 0 ? in->cause[s].culprit : in->pc, STATIC_STALLS + s,
                                    in->cause[s].most);
    }
}

/* Adds the rows of equal instruction and cause, of which the first keeps the sum. */
static void summary_culprits_sum(struct summary_culprits *c)
{
    size_t n = 0;
    qsort(c->of, c->count, sizeof *c->of, summary_culprits_by_place);
    for (size_t k = 0; k < c->count; k++) {
        struct summary_culprit *last = n > 0 ? &c->of[n - 1] : NULL;
        if (last != NULL && last->procedure.image == c->of[k].procedure.image && last->address == c->of[k].address &&
            last->stall == c->of[k].stall)
            last->samples += c->of[k].samples;
        else
            c->of[n++] = c->of[k];
    }
    c->count = n;
    qsort(c->of, c->count, sizeof *c->of, summary_culprits_by_samples);
}

static void summary_culprit_columns(struct report_table *t, const struct analysed *a, const struct summary_culprit *c,
                                    double all)
{
    char *name = report_declares(t) ? NULL : analysed_name(a, &c->procedure);
    REPORT_COLUMN(t, REAL, c->samples, .member = "samples", .title = "at most", .unit = "samples");
    REPORT_COLUMN(t, SHARE, c->samples / all, .member = "share", .title = "%", .decimals = 2, .heat = true);
    REPORT_COLUMN(t, TEXT, summary_stall_keys[c->stall], .member = "cause", .title = "cause");
    REPORT_COLUMN(t, HEX, c->address, .member = "culprit", .title = "culprit");
    REPORT_COLUMN(t, TEXT, name, .member = "procedure", .title = "procedure", .function = true);
    REPORT_COLUMN(t, TEXT, profile_image(a->profile, c->procedure.image)->name, .member = "image", .title = "image");
    free(name);
}

void summary_culprits_report(struct summary_culprits *c, const struct analysed *a, double all, struct report *r)
{
    struct report_table *t = report_table(r, "culprits", "Culprits by {order}, {shown} of {rows}");
    report_order(t, "samples that their stalls can have");
    summary_culprits_sum(c);
    summary_culprit_columns(t, a, &(struct summary_culprit){.samples = 0}, 1);
    for (size_t n = 0; n < c->count; n++) {
        report_row(t);
        summary_culprit_columns(t, a, &c->of[n], all);
    }
}

void summary_culprits_free(struct summary_culprits *c) { free(c->of); }
