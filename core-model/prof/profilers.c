/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The set of profilers of a run. Entry points: profilers.h. */
#include "core-model/prof/profilers.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core-model/prof/profiler.h"
#include "isa/support/diag.h"

/* A prime, so that loops do not fall into step with it. */
enum { DEFAULT_PERIOD = 10007, MAX_PROFILERS = 24 };

struct kind {
    const char *name;
    bool sampled, by_category;
    const char *help;
    void (*start)(struct profiler *p);
};

static const struct kind kinds[] = {
#define PROFILER(sym, name, sampled, by_category, help) {name, sampled, by_category, help, profiler_start_##sym},
#include "core-model/prof/profilers.def"
#undef PROFILER
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

struct profilers {
    struct profiler *member[MAX_PROFILERS];
    unsigned count;
    struct time_profile profile[MAX_PROFILERS];
    struct time_result result;
};

struct settings {
    uint64_t period, seed;
    bool random;
};

static const struct kind *find_kind(const char *name, struct errmsg *err)
{
    const char *names[KINDS];
    char list[256];
    int length = 0;
    for (unsigned i = 0; i < KINDS; i++) {
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
        names[i] = kinds[i].name;
        length += snprintf(list + length, sizeof list - (size_t)length, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    const char *near = diag_nearest(name, names, KINDS);
    (void)fail(err, ST_INPUT, "--profile: there is no profiler '%s'%s%s%s; there are %s", name, near != NULL ? " (did you mean '" : "",
               near != NULL ? near : "", near != NULL ? "'?)" : "", list);
    return NULL;
}

static enum status parse_number(const char *option, const char *digits, uint64_t *out, struct errmsg *err)
{
    char *end;
    errno = 0;
    unsigned long long v = strtoull(digits, &end, 0);
    if (!isdigit((unsigned char)digits[0]) || *end != '\0' || errno != 0)
        return fail(err, ST_INPUT, "--profile: expected a number after '%.*s', found '%s'", (int)(digits - option), option, digits);
    *out = v;
    return ST_OK;
}

static enum status parse_option(const char *option, struct settings *s, struct errmsg *err)
{
    enum { MAX_PERIOD_BITS = 40 }; /* sums of triggers stay far from overflow */
    if (strcmp(option, "random") == 0) {
        s->random = true;
        return ST_OK;
    }
    if (strncmp(option, "seed=", 5) == 0)
        return parse_number(option, option + 5, &s->seed, err);
    if (strncmp(option, "period=", 7) != 0)
        return fail(err, ST_INPUT, "--profile: unknown option '%s'; there are period=N, random and seed=N", option);
    enum status st = parse_number(option, option + 7, &s->period, err);
    if (st == ST_OK && (s->period == 0 || s->period >> MAX_PERIOD_BITS != 0))
        return fail(err, ST_RANGE, "--profile: the period is a number of cycles from 1 to 2^40 - 1, found '%s'", option + 7);
    return st;
}

static struct profiler *start(const struct kind *k, const struct settings *s, const char *label)
{
    struct profiler *p = xcalloc(1, sizeof *p);
    p->label = xstrdup(label);
    p->exact = !k->sampled;
    p->by_category = k->by_category;
    p->observer.ctx = p;
    time_map_init(&p->map);
    schedule_init(&p->schedule, s->period, s->random, s->seed);
    k->start(p);
    return p;
}

static bool is_listed(const struct profilers *set, const char *label)
{
    for (unsigned i = 0; i < set->count; i++)
        if (strcmp(set->member[i]->label, label) == 0)
            return true;
    return false;
}

/* One member of the list; `item` is taken apart. */
static enum status add(struct profilers *set, char *item, uint64_t seed, struct errmsg *err)
{
    struct settings settings = {.period = DEFAULT_PERIOD, .seed = seed};
    char *label = xstrdup(item), *next = strchr(item, ':');
    enum status st = ST_OK;
    if (next != NULL)
        *next++ = '\0';
    const struct kind *kind = find_kind(item, err);
    if (kind == NULL)
        st = ST_INPUT;
    else if (next != NULL && !kind->sampled)
        st = fail(err, ST_INPUT, "--profile: '%s' looks at every cycle and takes no options, found '%s'", kind->name, next);
    else if (is_listed(set, label))
        st = fail(err, ST_INPUT, "--profile: '%s' is listed twice", label);
    else if (set->count == MAX_PROFILERS)
        st = fail(err, ST_RANGE, "--profile: more than %d profilers", MAX_PROFILERS);
    for (char *option; st == ST_OK && (option = next) != NULL;) {
        next = strchr(option, ':');
        if (next != NULL)
            *next++ = '\0';
        st = parse_option(option, &settings, err);
    }
    if (st == ST_OK)
        set->member[set->count++] = start(kind, &settings, label);
    free(label);
    return st;
}

enum status profilers_new(struct profilers **out, const char *text, uint64_t seed, struct errmsg *err)
{
    struct profilers *s = xcalloc(1, sizeof *s);
    char *copy = xstrdup(text);
    enum status st = ST_OK;
    for (char *item = copy, *next; st == ST_OK && item != NULL; item = next) {
        next = strchr(item, ',');
        if (next != NULL)
            *next++ = '\0';
        st = add(s, item, seed, err);
    }
    free(copy);
    if (st != ST_OK) {
        profilers_free(s);
        s = NULL;
    }
    *out = s;
    return st;
}

void profilers_free(struct profilers *s)
{
    if (s == NULL)
        return;
    for (unsigned i = 0; i < s->count; i++) {
        free((void *)s->profile[i].row);
        time_map_fini(&s->member[i]->map);
        free(s->member[i]->state);
        free(s->member[i]->label);
        free(s->member[i]);
    }
    free(s);
}

void profilers_print_help(FILE *out)
{
    for (unsigned i = 0; i < KINDS; i++)
        fprintf(out, "  %-10s %s\n", kinds[i].name, kinds[i].help);
}

unsigned profilers_count(const struct profilers *s) { return s->count; }

const struct probe_observer *profilers_observer(const struct profilers *s, unsigned i) { return &s->member[i]->observer; }

void profilers_attach(struct profilers *s, struct core *c)
{
    for (unsigned i = 0; i < s->count; i++) {
        schedule_start_at(&s->member[i]->schedule, core_clock(c)); /* there may have been a warm-up */
        s->member[i]->token_from = s->member[i]->schedule.next;
        core_attach(c, &s->member[i]->observer);
    }
}

static const struct rv_insn *find_insn(void *hart, uint64_t pc)
{
    enum rv_trap trap;
    return hart != NULL ? rv_fetch(hart, pc, &trap) : NULL;
}

static bool describe(void *hart, uint64_t pc, struct time_insn *out)
{
    const struct rv_insn *in = find_insn(hart, pc);
    if (in == NULL)
        return false;
    *out = (struct time_insn){.length_bytes = in->length_bytes};
    out->ends_block = (in->flags & (RV_BRANCH | RV_JUMP | RV_ECALL)) != 0;
    if ((in->flags & (RV_BRANCH | RV_JUMP)) && !(in->flags & RV_INDIRECT))
        out->target = pc + (uint64_t)(int64_t)in->imm;
    rv_print_flat(out->text, sizeof out->text, in, pc);
    return true;
}

const struct time_result *profilers_finish(struct profilers *s, uint64_t cycles, struct hart *hart)
{
    for (unsigned i = 0; i < s->count; i++) {
        struct profiler *p = s->member[i];
        struct time_profile *out = &s->profile[i];
        if (p->finish != NULL)
            p->finish(p);
        free((void *)out->row);
        *out = (struct time_profile){.label = p->label, .exact = p->exact, .by_category = p->by_category, .samples = p->samples,
                                     .lost = p->lost};
        out->row = time_map_rows(&p->map, find_insn, hart, &out->rows);
        for (size_t r = 0; r < out->rows; r++)
            out->time += time_row_total(&out->row[r]);
    }
    s->result = (struct time_result){.profile = s->profile, .profiles = s->count, .cycles = cycles, .code = {hart, describe}};
    return &s->result;
}
