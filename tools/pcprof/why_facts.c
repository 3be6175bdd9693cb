/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a store knows of a function. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "core-model/riscv/insn.h"
#include "host/export/place.h"
#include "tools/pcprof/why.h"

const struct why_cause_kind why_cause_kinds[] = {
#define CAUSE(path, what, of, advice) {path, what, of, advice},
#include "tools/pcprof/why_causes.def"
};
enum { WHY_KINDS = sizeof why_cause_kinds / sizeof why_cause_kinds[0] };

static double why_sum(const struct why *w, uint32_t event)
{
    const struct profile_symbol *s = w->function.symbol;
    return event == PROFILE_NO_EVENT
               ? (double)NAN
               : profile_sum(w->profile, event, w->function.image, s->start, s->start + s->size_bytes) *
                     profile_event(w->profile, event)->scale;
}

/* The sum of an event in the function, exact or estimated; NAN: the store does not have it. */
static double why_sum_of(const struct why *w, const char *name)
{
    const uint32_t exact = profile_find_event(w->profile, name, PROFILE_EXACT);
    return why_sum(w, exact != PROFILE_NO_EVENT ? exact : pcprof_find_event(w->profile, name));
}

static bool why_is_in(const struct why *w, struct profile_place at)
{
    const struct profile_symbol *s = w->function.symbol;
    return at.image == w->function.image && at.address >= s->start && at.address < s->start + s->size_bytes;
}

/* ---- causes ---- */

static const struct why_cause_kind *why_kind_of(const char *path)
{
    for (int k = 0; k < WHY_KINDS; k++)
        if (strncmp(path, why_cause_kinds[k].path, strlen(why_cause_kinds[k].path)) == 0)
            return &why_cause_kinds[k];
    return NULL;
}

/* Slots of an instruction, and their event. */
struct why_slots {
    uint64_t address;
    int kind;
    bool is_full; /* because a queue is full behind the instruction, for whatever reason that waits */
    double slots;
    const char *event;
};

ORDER(why_compare_slots, struct why_slots, RISING(address) FALLING(slots))

static bool why_is_full(const char *path)
{
    static const char *const full[] = {"ftq", "rob", "issue_queue", "registers", "branches", "load_queue"};
    const char *leaf = strrchr(path, '.');
    for (size_t n = 0; leaf != NULL && n < sizeof full / sizeof full[0]; n++)
        if (strcmp(leaf + 1, full[n]) == 0)
            return true;
    return false;
}

/* The slots of the function's instructions in all events of top-down analysis. The caller frees them. */
static struct why_slots *why_collect_slots(const struct why *w, size_t *count)
{
    static const char prefix[] = "topdown.";
    struct why_slots *list = NULL;
    *count = 0;
    for (uint32_t e = 0; e < profile_events(w->profile); e++) {
        const char *name = profile_event(w->profile, e)->name;
        const bool is_leaf = strncmp(name, prefix, strlen(prefix)) == 0;
        const struct why_cause_kind *kind = is_leaf ? why_kind_of(name + strlen(prefix)) : NULL;
        size_t samples;
        const struct profile_sample *s = kind != NULL ? profile_samples(w->profile, e, &samples) : NULL;
        for (size_t n = 0; s != NULL && n < samples; n++) {
            if (!why_is_in(w, (struct profile_place){s[n].image, s[n].address}) || !(s[n].value > 0))
                continue;
            list = xgrow(list, *count, sizeof *list);
            list[(*count)++] = (struct why_slots){s[n].address, (int)(kind - why_cause_kinds), why_is_full(name),
                                                  s[n].value, name};
        }
    }
    if (*count > 0)
        qsort(list, *count, sizeof *list, why_compare_slots);
    return list;
}

/* The cause of an instruction's unit; -1: a unit of one cycle, a load or a store. */
static int why_kind_of_unit(const struct why *w, uint64_t address)
{
    const struct profile_image *i = profile_image(w->profile, w->function.image);
    struct rv_insn in = {.unit = RV_UNIT_ALU};
    for (size_t n = 0; n < i->codes; n++) {
        const struct profile_code *c = &i->code[n];
        uint32_t word = 0;
        if (address < c->start || address - c->start >= c->size_bytes)
            continue;
        const size_t left = c->size_bytes - (size_t)(address - c->start);
        memcpy(&word, c->bytes + (address - c->start), left < sizeof word ? left : sizeof word);
        (void)rv_decode(word, &in);
    }
    const bool divides = in.unit == RV_UNIT_DIV || in.unit == RV_UNIT_FDIV || in.unit == RV_UNIT_FSQRT;
    const char *path = divides ? "backend_bound.core.divider" : rv_unit_is_fp(in.unit) ? "backend_bound.core.fp" : NULL;
    return path != NULL ? (int)(why_kind_of(path) - why_cause_kinds) : -1;
}

/* A queue is full because the oldest instruction waits: its slots are of what that mostly waits for else, or of its
 * unit. `list` has the slots of one instruction, the largest first. */
static void why_explain_full(const struct why *w, struct why_slots *list, size_t count)
{
    static const char back_end[] = "backend_bound.";
    int kind = -1;
    for (size_t n = 0; n < count && kind < 0; n++)
        if (!list[n].is_full && strncmp(why_cause_kinds[list[n].kind].path, back_end, strlen(back_end)) == 0)
            kind = list[n].kind;
    if (kind < 0)
        kind = why_kind_of_unit(w, list->address);
    for (size_t n = 0; n < count && kind >= 0; n++)
        if (list[n].is_full)
            list[n].kind = kind;
}

/* Sums while they are made: of each cause the largest instruction and event. */
struct why_sums {
    struct why_cause cause[WHY_KINDS];
    double of_address[WHY_KINDS], of_event[WHY_KINDS];
};

static void why_add_instruction(struct why_sums *sums, const struct why_slots *list, size_t count)
{
    double of_kind[WHY_KINDS] = {0};
    for (size_t n = 0; n < count; n++) {
        struct why_cause *c = &sums->cause[list[n].kind];
        c->kind = &why_cause_kinds[list[n].kind];
        c->share += list[n].slots;
        of_kind[list[n].kind] += list[n].slots;
        if (list[n].slots > sums->of_event[list[n].kind]) {
            sums->of_event[list[n].kind] = list[n].slots;
            c->event = list[n].event;
        }
        if (of_kind[list[n].kind] > sums->of_address[list[n].kind]) {
            sums->of_address[list[n].kind] = of_kind[list[n].kind];
            c->address = list[n].address;
        }
    }
}

ORDER(why_compare_causes, struct why_cause, FALLING(share) RISING(address))

static void why_find_causes(struct why *w)
{
    struct why_sums sums = {.cause = {{.kind = NULL}}};
    double all = 0;
    size_t count;
    struct why_slots *list = why_collect_slots(w, &count);
    for (size_t n = 0, end; n < count; n = end) {
        for (end = n; end < count && list[end].address == list[n].address; end++)
            all += list[end].slots;
        why_explain_full(w, &list[n], end - n);
        why_add_instruction(&sums, &list[n], end - n);
    }
    for (int k = 0; k < WHY_KINDS; k++) {
        struct why_cause *c = &sums.cause[k];
        c->share_of_address = c->share > 0 ? sums.of_address[k] / c->share : 0;
        c->share = all > 0 ? c->share / all : 0;
    }
    qsort(sums.cause, WHY_KINDS, sizeof sums.cause[0], why_compare_causes);
    for (int n = 0; n < WHY_CAUSES; n++)
        w->function.cause[n] = sums.cause[n];
    free(list);
}

/* ---- lines ---- */

/* Files have one path each, so pointers tell them apart; their order is by path. */
static int why_compare_by_line(const void *a, const void *b)
{
    const struct why_line *x = a, *y = b;
    const int order = x->file != y->file ? strcmp(x->file, y->file) : 0;
    return order != 0 ? order : x->line < y->line ? -1 : x->line > y->line;
}

static int why_compare_lines(const void *a, const void *b)
{
    const struct why_line *x = a, *y = b;
    return x->share != y->share ? (x->share < y->share ? 1 : -1) : why_compare_by_line(a, b);
}

/* The lines of the function's own samples, those of inlined code included. */
static void why_find_lines(struct why *w)
{
    size_t count, lines = 0, kept = 0;
    struct why_function *f = &w->function;
    const struct profile_sample *s = profile_samples(w->profile, w->time, &count);
    struct why_line *line = xcalloc(count + 1, sizeof *line);
    for (size_t n = 0; n < count; n++) {
        if (!why_is_in(w, (struct profile_place){s[n].image, s[n].address}))
            continue;
        const struct profile_line *l = profile_find_line(profile_image(w->profile, f->image), s[n].address);
        if (l != NULL && l->file != PROFILE_NO_FILE)
            line[lines++] = (struct why_line){profile_file(w->profile, l->file), l->line, s[n].value};
    }
    qsort(line, lines, sizeof *line, why_compare_by_line);
    for (size_t n = 0; n < lines; n++) {
        if (kept > 0 && why_compare_by_line(&line[kept - 1], &line[n]) == 0)
            line[kept - 1].share += line[n].share;
        else
            line[kept++] = line[n];
    }
    qsort(line, kept, sizeof *line, why_compare_lines);
    const double all = why_sum(w, w->time) / profile_event(w->profile, w->time)->scale;
    for (size_t n = 0; n < kept && n < WHY_LINES; n++) {
        f->line[n] = line[n];
        f->line[n].share /= all;
    }
    free(line);
}

/* ---- callers ---- */

/* A call into the function from another one. */
struct why_call {
    uint32_t image;
    uint64_t caller, address; /* start of the calling function, and the call */
    double value;
};

ORDER(why_compare_calls, struct why_call, RISING(image) RISING(caller) RISING(address))

/* The caller's frame, past recursion; 0: unknown. */
static uint32_t why_caller_of(const struct why *w, uint32_t frame)
{
    while (frame != 0 && why_is_in(w, profile_frame(w->profile, frame)->at))
        frame = profile_frame(w->profile, frame)->caller;
    return frame;
}

static size_t why_collect_calls(const struct why *w, struct why_call *call, double *all)
{
    size_t count, calls = 0;
    const struct profile_stack *s = profile_stacks(w->profile, w->time, &count);
    for (size_t n = 0; n < count; n++) {
        if (s[n].frame == 0 || !why_is_in(w, profile_frame(w->profile, s[n].frame)->at))
            continue;
        const uint32_t caller = why_caller_of(w, s[n].frame);
        *all += s[n].value;
        if (caller == 0)
            continue;
        const struct profile_place at = profile_frame(w->profile, caller)->at;
        const struct profile_symbol *of = profile_find_symbol(profile_image(w->profile, at.image), at.address);
        if (of != NULL)
            call[calls++] = (struct why_call){at.image, of->start, at.address, s[n].value};
    }
    return calls;
}

static bool why_is_same_caller(const struct why_call *x, const struct why_call *y)
{
    return x->image == y->image && x->caller == y->caller;
}

/* Sums the calls from one instruction. Returns the number of different ones. */
static size_t why_sum_calls(struct why_call *call, size_t count)
{
    size_t kept = 0;
    qsort(call, count, sizeof *call, why_compare_calls);
    for (size_t n = 0; n < count; n++) {
        if (kept > 0 && why_compare_calls(&call[kept - 1], &call[n]) == 0)
            call[kept - 1].value += call[n].value;
        else
            call[kept++] = call[n];
    }
    return kept;
}

/* The caller with most of the function's time, and its call with most of that. */
static void why_find_caller(struct why *w)
{
    size_t count;
    struct why_function *f = &w->function;
    const struct why_call *largest = NULL;
    double all = 0, best = 0;
    (void)profile_stacks(w->profile, w->time, &count);
    struct why_call *call = xcalloc(count + 1, sizeof *call);
    const size_t calls = why_sum_calls(call, why_collect_calls(w, call, &all));
    for (size_t n = 0, end; n < calls; n = end) {
        const struct why_call *most = &call[n];
        double of_caller = 0;
        for (end = n; end < calls && why_is_same_caller(&call[n], &call[end]); end++) {
            of_caller += call[end].value;
            most = call[end].value > most->value ? &call[end] : most;
        }
        if (of_caller > best) {
            best = of_caller;
            largest = most;
        }
    }
    if (largest != NULL) {
        const struct profile_image *i = profile_image(w->profile, largest->image);
        const struct profile_line *l = profile_find_line(i, largest->address);
        f->caller = profile_find_symbol(i, largest->address);
        f->call = (struct why_line){.share = best / all};
        if (l != NULL && l->file != PROFILE_NO_FILE)
            f->call = (struct why_line){profile_file(w->profile, l->file), l->line, best / all};
    }
    free(call);
}

/* ---- the whole ---- */

void why_find(struct why *w)
{
    struct why_function *f = &w->function;
    const struct profile_event *e = profile_event(w->profile, w->time);
    const double cycles = why_sum(w, w->time), retired = why_sum_of(w, "retired");
    f->share = w->all > 0 ? cycles / w->all : 0;
    f->samples = e->source != PROFILE_EXACT && e->period > 0 ? cycles / e->period : 0;
    f->retired = cycles > 0 ? retired / cycles : (double)NAN;
    f->mispredicted = retired > 0 ? why_sum_of(w, "retired-mispredicted") / retired : (double)NAN;
    f->missed = retired > 0 ? why_sum_of(w, "retired-dcache-miss") / retired : (double)NAN;
    why_find_causes(w);
    why_find_lines(w);
    why_find_caller(w);
}
