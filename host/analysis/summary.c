/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a procedure spends its cycles (DCPI paper, Figure 4). Of each instruction
 *
 *     samples = execution + static stalls + (dynamic stall or gain, or sampling error)
 *
 * where execution is one issue slot per execution, and static stalls are the other slots of its static cycles. */
#include <math.h>
#include <string.h>

#include "host/analysis/analysis_parts.h"
#include "host/analysis/constants.h"

enum { WHOLE = 1000, LEAVES = STATIC_STALLS + 3 };

static void summary_add_stall(struct analysis_summary *s, const struct analysis_insn *in)
{
    double all = 0;
    for (int c = 0; c < DYNAMIC_STALLS; c++)
        all += in->cause[c].possible ? in->cause[c].most : 0;
    for (int c = 0; c < DYNAMIC_STALLS; c++) {
        if (!in->cause[c].possible)
            continue;
        double others = all - in->cause[c].most;
        s->most[c] += in->cause[c].most;
        s->least[c] += others < in->dynamic ? fmin(in->cause[c].most, in->dynamic - others) : 0;
    }
    s->unexplained_stall += all < in->dynamic ? in->dynamic - all : 0;
}

/* Slots that the schedule does not place, at the end of a block, belong to slotting. If M is a mean over paths, causes
 * have the shares of the schedule's path. */
static void summary_add_static(struct analysis_summary *s, const struct analysis_insn *in, double frequency,
                               double width)
{
    double rest = frequency * (in->minimum - 1 / width);
    double cycles = in->schedule.cycles > 0 ? frequency * in->minimum / in->schedule.cycles : 0;
    for (int c = 0; c < STATIC_STALLS; c++) {
        double lost = cycles * in->schedule.lost[c] / width;
        s->by_static[c] += lost;
        rest -= lost;
    }
    s->by_static[STATIC_SLOTTING] += rest;
}

static void summary_add_insn(struct analysis_summary *s, const struct analysis_insn *in, double frequency, double width)
{
    s->tallied += in->samples;
    s->instructions += frequency;
    s->best += frequency * in->minimum;
    s->execution += frequency / width;
    summary_add_static(s, in, frequency, width);
    if (in->is_stall) {
        s->dynamic += in->dynamic;
        summary_add_stall(s, in);
    } else if (in->dynamic < -analysis_NOISE * sqrt(frequency * in->minimum)) {
        s->dynamic += in->dynamic;
        s->unexplained_gain += in->dynamic;
    } else {
        s->error += in->dynamic;
    }
}

void analysis_summarise(struct analysis *a, const struct schedule_machine *machine)
{
    memset(&a->summary, 0, sizeof a->summary);
    for (uint32_t i = 0; i < a->insns; i++) {
        const struct analysis_insn *in = &a->insn[i];
        a->summary.samples += in->samples;
        if (!isnan(in->cpi))
            summary_add_insn(&a->summary, in, a->block[in->block].frequency.value, machine->width);
    }
}

void analysis_summary_add(struct analysis_summary *to, const struct analysis_summary *one)
{
    double *sum = (double *)to;
    const double *add = (const double *)one;
    _Static_assert(sizeof *to % sizeof *sum == 0, "a summary consists of numbers of samples");
    for (size_t i = 0; i < sizeof *to / sizeof *sum; i++)
        sum[i] += add[i];
}

void analysis_summary_bound(struct analysis_summary *s)
{
    double shared = -s->by_static[STATIC_SLOTTING];
    if (shared <= 0)
        return;
    s->by_static[STATIC_SLOTTING] = 0;
    s->best += shared;
    s->dynamic -= shared;
    s->unexplained_gain -= shared;
}

/* Rounds parts of a whole down or up so that they add up to it: those with the largest remainders are rounded up. */
static void round_parts(const double *part, int *out)
{
    double rest[LEAVES];
    int left = WHOLE;
    for (int i = 0; i < LEAVES; i++) {
        out[i] = (int)floor(part[i]);
        rest[i] = part[i] - out[i];
        left -= out[i];
    }
    for (; left > 0; left--) {
        int largest = 0;
        for (int i = 1; i < LEAVES; i++)
            if (rest[i] > rest[largest])
                largest = i;
        out[largest]++;
        rest[largest] = -1;
    }
}

static int tenths(double part, double whole) { return whole > 0 ? (int)lround(WHOLE * part / whole) : 0; }

struct analysis_shares analysis_shares(const struct analysis_summary *s)
{
    struct analysis_shares out = {0};
    double part[LEAVES];
    int rounded[LEAVES];
    if (s->tallied <= 0)
        return out;
    for (int c = 0; c < DYNAMIC_STALLS; c++) {
        out.least[c] = tenths(s->least[c], s->tallied);
        out.most[c] = tenths(s->most[c], s->tallied);
    }
    out.unexplained_stall = tenths(s->unexplained_stall, s->tallied);
    out.unexplained_gain = tenths(s->unexplained_gain, s->tallied);
    for (int c = 0; c < STATIC_STALLS; c++)
        part[c] = WHOLE * s->by_static[c] / s->tallied;
    part[STATIC_STALLS] = WHOLE * s->dynamic / s->tallied;
    part[STATIC_STALLS + 1] = WHOLE * s->execution / s->tallied;
    part[STATIC_STALLS + 2] = WHOLE * s->error / s->tallied;
    round_parts(part, rounded);
    for (int c = 0; c < STATIC_STALLS; c++) {
        out.by_static[c] = rounded[c];
        out.all_static += rounded[c];
    }
    out.dynamic = rounded[STATIC_STALLS];
    out.execution = rounded[STATIC_STALLS + 1];
    out.error = rounded[STATIC_STALLS + 2];
    out.stall = out.dynamic + out.all_static;
    return out;
}
