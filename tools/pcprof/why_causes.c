/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The causes of a function's time, from the slots of top-down analysis. */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "core-model/ideal.h"
#include "tools/pcprof/why.h"

const struct why_cause_kind why_cause_kinds[] = {
#define CAUSE(path, what, of, removed, advice) {path, what, of, removed, advice},
#define ALSO(path) {path, NULL, NULL, 0, NULL},
#include "tools/pcprof/why_causes.def"
};
enum { WHY_ROWS = sizeof why_cause_kinds / sizeof why_cause_kinds[0] };
/* The cause with parts, and the share of it from which one of them is named instead. */
#define WHY_SUM "backend_bound.memory"
#define WHY_NEARLY_ALL 0.9
static const struct {
    const char *path, *words;
} why_parts[] = {
#define PART(path, words) {path, words},
#include "tools/pcprof/why_causes.def"
};
_Static_assert(sizeof why_parts / sizeof why_parts[0] == WHY_PARTS, "rows PART");

static const char why_topdown[] = "topdown.";

/* The index of the cause of a leaf; -1: it has none. */
static int why_cause_of(const char *path)
{
    for (int k = 0; k < WHY_ROWS; k++) {
        if (strncmp(path, why_cause_kinds[k].path, strlen(why_cause_kinds[k].path)) != 0)
            continue;
        while (why_cause_kinds[k].what == NULL) /* ALSO */
            k--;
        return k;
    }
    return -1;
}

/* The cause of a path of this file. */
static int why_cause_named(const char *path)
{
    const int k = why_cause_of(path);
    if (k < 0)
        BUG("no row of why_causes.def has the path");
    return k;
}

/* Adds slots of an event to a cause, whose events are sorted by their slots. */
static void why_add_event(struct why_cause *c, const char *name, double slots)
{
    int n = WHY_EVENTS;
    c->share += slots;
    while (n > 0 && slots > c->event[n - 1].share)
        n--;
    if (n == WHY_EVENTS)
        return;
    memmove(&c->event[n + 1], &c->event[n], (size_t)(WHY_EVENTS - 1 - n) * sizeof c->event[0]);
    c->event[n] = (struct why_event){name, slots};
}

/* Slots of an instruction. */
struct why_slots {
    int cause;
    uint64_t address;
    double slots;
};

ORDER(why_compare_slots, struct why_slots, RISING(cause) RISING(address))

/* The slots of the function's instructions in all events of top-down analysis, which the caller frees; adds each event
 * to its cause. */
static struct why_slots *why_collect_slots(const struct why *w, struct why_cause *cause, size_t *count)
{
    struct why_slots *list = NULL;
    *count = 0;
    for (uint32_t e = 0; e < profile_events(w->profile); e++) {
        const char *name = profile_event(w->profile, e)->name;
        const bool is_leaf = strncmp(name, why_topdown, strlen(why_topdown)) == 0;
        const int k = is_leaf ? why_cause_of(name + strlen(why_topdown)) : -1;
        double slots = 0;
        size_t samples;
        const struct profile_sample *s = k >= 0 ? profile_samples(w->profile, e, &samples) : NULL;
        for (size_t n = 0; s != NULL && n < samples; n++) {
            if (!why_is_in(w, (struct profile_place){s[n].image, s[n].address}) || !(s[n].value > 0))
                continue;
            list = xgrow(list, *count, sizeof *list);
            list[(*count)++] = (struct why_slots){k, s[n].address, s[n].value};
            slots += s[n].value;
        }
        if (slots > 0)
            why_add_event(&cause[k], name, slots);
    }
    return list;
}

ORDER(why_compare_parts, struct why_part, FALLING(share) RISING(words))

/* Makes the parts of WHY_SUM one cause: its advice is that of the largest one. */
static void why_join_parts(struct why_cause *cause, struct why_slots *list, size_t count)
{
    const int sum = why_cause_named(WHY_SUM);
    struct why_cause joined = cause[sum];
    double most = 0;
    for (int n = 0; n < WHY_PARTS; n++) {
        const int k = why_cause_named(why_parts[n].path);
        joined.part[n] = (struct why_part){why_parts[n].words, cause[k].share};
        for (int e = 0; e < WHY_EVENTS && cause[k].event[e].name != NULL; e++)
            why_add_event(&joined, cause[k].event[e].name, cause[k].event[e].share);
        if (cause[k].share > most) {
            most = cause[k].share;
            joined.advice = why_cause_kinds[k].advice;
        }
    }
    if (most >= WHY_NEARLY_ALL * joined.share)
        return;
    qsort(joined.part, WHY_PARTS, sizeof joined.part[0], why_compare_parts);
    cause[sum] = joined;
    for (int n = 0; n < WHY_PARTS; n++) {
        const int k = why_cause_named(why_parts[n].path);
        cause[k] = (struct why_cause){.kind = NULL};
        for (size_t s = 0; s < count; s++)
            list[s].cause = list[s].cause == k ? sum : list[s].cause;
    }
}

/* Sets the instruction of each cause that has most of its slots. */
static void why_find_addresses(struct why_cause *cause, struct why_slots *list, size_t count)
{
    if (count > 0)
        qsort(list, count, sizeof *list, why_compare_slots);
    for (size_t n = 0, end; n < count; n = end) {
        struct why_cause *c = &cause[list[n].cause];
        double slots = 0;
        for (end = n; end < count && why_compare_slots(&list[n], &list[end]) == 0; end++)
            slots += list[end].slots;
        if (slots > c->share_of_address) {
            c->share_of_address = slots;
            c->address = list[n].address;
        }
    }
}

ORDER(why_compare_causes, struct why_cause, FALLING(share) RISING(address))

void why_find_causes(struct why *w)
{
    struct why_cause cause[WHY_ROWS] = {{.kind = NULL}};
    double all = 0;
    size_t count;
    struct why_slots *list = why_collect_slots(w, cause, &count);
    why_join_parts(cause, list, count);
    why_find_addresses(cause, list, count);
    for (int k = 0; k < WHY_ROWS; k++)
        all += cause[k].share;
    for (int k = 0; k < WHY_ROWS; k++) {
        struct why_cause *c = &cause[k];
        if (!(c->share > 0))
            continue;
        c->kind = &why_cause_kinds[k];
        c->advice = c->advice != NULL ? c->advice : c->kind->advice;
        for (int n = 0; n < WHY_PARTS; n++)
            c->part[n].share /= all;
        c->share_of_address /= c->share;
        for (int n = 0; n < WHY_EVENTS; n++)
            c->event[n].share /= c->share;
        c->share /= all;
    }
    qsort(cause, WHY_ROWS, sizeof cause[0], why_compare_causes);
    memcpy(w->function.cause, cause, sizeof w->function.cause);
    free(list);
}

/* The slots of a function in all events of top-down analysis but those that retire instructions. */
static double why_lost_slots(const struct why *w, uint32_t image, const struct profile_symbol *s)
{
    double slots = 0;
    for (uint32_t e = 0; e < profile_events(w->profile); e++) {
        const char *name = profile_event(w->profile, e)->name;
        if (strncmp(name, why_topdown, strlen(why_topdown)) == 0 && strcmp(name, "topdown.retiring") != 0)
            slots += profile_sum(w->profile, e, image, s->start, s->start + s->size_bytes);
    }
    return slots;
}

const struct profile_symbol *why_find_lost(const struct why *w, double *share)
{
    const struct profile_symbol *most = NULL;
    double best = 0, all = 0;
    for (size_t n = 0; n < w->rows; n++) {
        const uint32_t image = w->row[n].image;
        const struct profile_symbol *s = image == PROF_UNKNOWN
                                             ? NULL
                                             : profile_find_symbol(profile_image(w->profile, image), w->row[n].address);
        const double slots = s != NULL ? why_lost_slots(w, image, s) : 0;
        all += slots;
        if (slots > best) {
            best = slots;
            most = s;
        }
    }
    *share = all > 0 ? best / all : 0;
    return most;
}
