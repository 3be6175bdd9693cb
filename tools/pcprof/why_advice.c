/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What to try about the causes of a function's time: the largest ones, and those whose removal gains much. */

#include "tools/pcprof/why.h"

/* Shares from which a cause has advice: of the function's slots; of the run's cycles that its removal gains. */
#define WHY_ADVICE_SLOTS 0.2
#define WHY_ADVICE_GAIN 0.05

/* The largest gain of what the advice removes, in the function; NULL: none is known. */
static const struct pcprof_gain *why_gain_of(const struct why *w, const struct why_cause *c)
{
    for (size_t n = 0; n < w->gains.count; n++) {
        const struct pcprof_gain *g = &w->gains.gain[n];
        if ((g->removed & c->kind->removed) != 0 && why_is_in(w, (struct profile_place){g->image, g->address}))
            return g;
    }
    return NULL;
}

/* Whether the gain of the instruction with most of the cause's slots was measured. */
static bool why_is_measured_at(const struct why *w, const struct why_cause *c)
{
    for (size_t n = 0; n < w->gains.count; n++) {
        const struct pcprof_gain *g = &w->gains.gain[n];
        if ((g->removed & c->kind->removed) != 0 && g->image == w->function.image && g->address == c->address &&
            pcprof_gain_is_measured(g))
            return true;
    }
    return false;
}

/* A share of slots that retire is lost time only if it is nearly all. */
static bool why_has_advice(const struct why *w, const struct why_advice *a)
{
    const double gain = a->gain != NULL ? pcprof_gain_share(a->gain) : 0;
    if (gain < WHY_NO_GAIN && why_is_measured_at(w, a->cause))
        return false;
    return gain >= WHY_ADVICE_GAIN || a->cause->share >= (a->cause->kind->of == NULL ? WHY_BUSY : WHY_ADVICE_SLOTS);
}

/* Adds advice behind what gains more; without known gains the order is that of the causes. */
static void why_insert_advice(struct why_advice *advice, unsigned count, const struct why_advice *a)
{
    const double gain = a->gain != NULL ? pcprof_gain_share(a->gain) : -1;
    for (; count > 0; count--) {
        const struct why_advice *before = &advice[count - 1];
        if (gain <= (before->gain != NULL ? pcprof_gain_share(before->gain) : -1))
            break;
        advice[count] = *before;
    }
    advice[count] = *a;
}

unsigned why_find_advice(const struct why *w, struct why_advice advice[WHY_CAUSES])
{
    unsigned count = 0;
    for (unsigned n = 0; n < WHY_CAUSES && w->function.cause[n].kind != NULL; n++) {
        const struct why_cause *c = &w->function.cause[n];
        const struct why_advice a = {c, why_gain_of(w, c)};
        if (why_has_advice(w, &a))
            why_insert_advice(advice, count++, &a);
    }
    return count;
}
