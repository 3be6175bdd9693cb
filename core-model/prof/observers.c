/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The set of observers of a run, created from their registry. Entry points: observers.h. */
#include "core-model/prof/observers.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core-model/prof/graph/graph_observer.h"
#include "core-model/prof/observer.h"
#include "core-model/prof/profile_sum.h"
#include "core-model/prof/stack/call_view.h"
#include "core-model/riscv/describe.h"

static const struct observer_kind *const kinds[] = {
#define OBSERVER(symbol) &observer_##symbol,
#include "core-model/prof/observers.def"
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* Reserved for observers created neither by --profile nor by --plugin. */
enum { OBSERVERS_RESERVED = 8 };

struct observers {
    struct observer *member[CORE_MAX_LISTENERS];
    unsigned count;
#define FAMILY(name, type)                                    \
    struct type##_profile type##_profile[CORE_MAX_LISTENERS]; \
    struct type##_result name;
#include "contract/families.def"
    struct profile_sums *sums;                  /* owned; NULL: none */
    const struct call_tracker *calls;           /* a member; NULL: none */
    struct call_view *view[CORE_MAX_LISTENERS]; /* owned; NULL: the member gets addresses */
    bool has_idle;
};

void observer_attach(struct observer *o, struct core *core)
{
    if (o->kind->attach != NULL)
        o->kind->attach(o, core);
    core_subscribe(core, &o->probe);
}

void observer_release(struct observer *o)
{
    if (o == NULL)
        return;
    char *label = o->label;
    if (o->kind->release != NULL)
        o->kind->release(o);
    else
        free(o);
    free(label);
}

struct observers *observers_new(void) { return xcalloc(1, sizeof(struct observers)); }

void observers_free(struct observers *set)
{
    if (set == NULL)
        return;
    for (unsigned i = 0; i < set->count; i++)
        observer_release(set->member[i]);
    for (unsigned i = 0; i < set->count; i++)
        call_view_free(set->view[i]);
    profile_sums_free(set->sums);
    free(set);
}

bool observers_has_room(const struct observers *set) { return set->count < CORE_MAX_LISTENERS - OBSERVERS_RESERVED; }

void observers_add(struct observers *set, struct observer *o)
{
    if (set->count == CORE_MAX_LISTENERS)
        BUG("more than %d observers", CORE_MAX_LISTENERS);
    set->member[set->count++] = o;
}

bool observers_is_listed(const struct observers *set, const char *label)
{
    for (unsigned i = 0; i < set->count; i++)
        if (set->member[i]->label != NULL && strcasecmp(set->member[i]->label, label) == 0)
            return true;
    return false;
}

/* The kind of this name, case-insensitive, among those available in --profile; NULL if there is none. */
static const struct observer_kind *observers_find_kind(const char *name)
{
    for (unsigned i = 0; i < KINDS; i++)
        if (kinds[i]->create != NULL && strcasecmp(kinds[i]->name, name) == 0)
            return kinds[i];
    return NULL;
}

static enum status unknown_kind(const char *name, struct errmsg *err)
{
    const char *names[KINDS];
    unsigned count = 0;
    for (unsigned i = 0; i < KINDS; i++)
        if (kinds[i]->create != NULL)
            names[count++] = kinds[i]->name;
    return option_text_unknown("--profile", "profiler", name, names, count, err);
}

/* Parses NAME[:OPTION...] into the kind and the values of its options; modifies the text. */
static enum status observers_parse(char *item, uint64_t seed, const struct observer_kind **kind,
                                   struct observer_setup *setup, struct errmsg *err)
{
    char *text = strchr(item, ':');
    if (text != NULL)
        *text++ = '\0';
    const struct observer_kind *k = *kind = observers_find_kind(item);
    *setup = (struct observer_setup){.option = {0}};
    if (k == NULL)
        return unknown_kind(item, err);
    if (k->options == NULL && text == NULL)
        return ST_OK;
    if (k->options == NULL)
        return fail(err, ST_INPUT, "--profile: '%s' observes every cycle and takes no options, found '%s'", k->name,
                    text);
    for (unsigned i = 0; k->options[i].name != NULL; i++)
        setup->option[i] = option_text_otherwise(&k->options[i], seed);
    enum status st = option_text_parse("--profile", k->name, text, k->options, setup->option, &setup->given, err);
    const char *objection = st == ST_OK && k->objection != NULL ? k->objection(setup) : NULL;
    return objection != NULL ? fail(err, ST_RANGE, "--profile: %s: %s", k->name, objection) : st;
}

/* Number of tag bits of the observers of a kind; NULL: of all. */
static unsigned tag_bits(const struct observers *set, const struct observer_kind *kind)
{
    unsigned bits = 0;
    for (unsigned i = 0; i < set->count; i++)
        if (kind == NULL || set->member[i]->kind == kind)
            bits += set->member[i]->probe.tagger.bits;
    return bits;
}

/* ST_RANGE if the observers need more tag bits than available; the message lists the profilers with tags. */
static enum status check_tags(const struct observers *set, unsigned most_bits, struct errmsg *err)
{
    char list[256] = "";
    if (tag_bits(set, NULL) <= most_bits)
        return ST_OK;
    for (unsigned i = 0; i < KINDS; i++) {
        unsigned bits = tag_bits(set, kinds[i]);
        size_t used = strlen(list);
        if (bits != 0)
            snprintf(list + used, sizeof list - used, "%s%s %u", used != 0 ? ", " : "", kinds[i]->name, bits);
    }
    return fail(
        err, ST_RANGE,
        "--profile: the profilers' tags have %u bits (%s): expected at most %u, of %u that a core has; leave out "
        "some of these profilers, or use fewer register sets (n=N of profileme)",
        tag_bits(set, NULL), list, most_bits, PROBE_TAG_BITS);
}

static unsigned interrupt_lines(const struct observers *set)
{
    unsigned lines = 0;
    for (unsigned i = 0; i < set->count; i++)
        lines += set->member[i]->lines;
    return lines;
}

/* Creates the observer described by `item`; modifies the text. */
static enum status prof_observers_create(struct observers *set, char *item, uint64_t seed, struct errmsg *err)
{
    /* Reserved for the tags of a pair sampler, the recorder and the exact reference of pairs; for the co-processor's
     * interrupts. */
    enum { RESERVED_BITS = 4, RESERVED_LINES = 2 };
    struct observer_setup setup;
    const struct observer_kind *kind = NULL;
    char *label = xstrdup(item);
    enum status st = observers_parse(item, seed, &kind, &setup, err);
    if (st == ST_OK && observers_is_listed(set, label))
        st = fail(err, ST_INPUT, "--profile: '%s' is listed twice", label);
    else if (st == ST_OK && !observers_has_room(set))
        st = fail(err, ST_RANGE, "--profile: more than %d profilers", CORE_MAX_LISTENERS - OBSERVERS_RESERVED);
    if (st != ST_OK) {
        free(label);
        return st;
    }
    memcpy(label, kind->name, strlen(kind->name)); /* in the kind's own spelling */
    struct observer *o = kind->create(kind, &setup);
    o->label = label;
    observers_add(set, o);
    st = check_tags(set, PROBE_TAG_BITS - RESERVED_BITS, err);
    if (st != ST_OK)
        return st;
    if (interrupt_lines(set) > CORE_INTERRUPT_LINES - RESERVED_LINES)
        return fail(err, ST_RANGE, "--profile: more than %d profilers whose interrupts cost time",
                    CORE_INTERRUPT_LINES - RESERVED_LINES);
    return ST_OK;
}

enum status observers_create(struct observers *set, const char *text, uint64_t seed, struct errmsg *err)
{
    char *copy = xstrdup(text);
    enum status st = ST_OK;
    for (char *item = copy, *next; st == ST_OK && item != NULL; item = next) {
        next = strchr(item, ',');
        if (next != NULL)
            *next++ = '\0';
        st = prof_observers_create(set, item, seed, err);
    }
    free(copy);
    return st;
}

void observers_print_help(FILE *out)
{
    for (unsigned i = 0; i < KINDS; i++) {
        if (kinds[i]->create == NULL)
            continue;
        fprintf(out, "  %-12s %s", kinds[i]->name, kinds[i]->help);
        option_text_print(kinds[i]->options, out);
    }
}

void observers_print_words(FILE *out)
{
    for (unsigned i = 0; i < KINDS; i++)
        if (kinds[i]->create != NULL)
            option_text_print_words(kinds[i]->name, kinds[i]->help, kinds[i]->options, out);
}

unsigned observers_count(const struct observers *set) { return set->count; }

struct observer *observers_at(const struct observers *set, unsigned i) { return set->member[i]; }

bool observers_collect(const struct observers *set)
{
    for (unsigned i = 0; i < set->count; i++)
        if (set->member[i]->collects)
            return true;
    return false;
}

void observers_set_handler(struct observers *set, const struct counter_handler *handler)
{
    unsigned number = 0;
    for (unsigned i = 0; i < set->count; i++) {
        struct observer *o = set->member[i];
        if (!o->collects)
            continue;
        o->handler = handler;
        o->number = number++;
    }
}

void observers_expect_idle(struct observers *set) { set->has_idle = true; }

void observers_follow_calls(struct observers *set, struct call_threads *threads)
{
    struct call_tracker *t = call_tracker_new(threads);
    set->calls = t;
    observers_add(set, &t->base);
}

/* Whether the observer's rows have addresses as keys alone, so they can have places. */
static bool observers_has_places(const struct observer_kind *k)
{
    return k->time != NULL || k->pics != NULL || k->counts != NULL || k->counters != NULL;
}

enum status observers_check_core(const struct observers *set, const struct core *core, struct errmsg *err)
{
    for (unsigned i = 0; i < set->count; i++)
        if (set->member[i]->kind->out_of_order && core_configuration(core)->core != 0)
            return fail(err, ST_INPUT, "--profile: %s needs the out-of-order core", set->member[i]->kind->name);
    return ST_OK;
}

bool observers_has_kind(const struct observers *set, const char *name)
{
    for (unsigned i = 0; i < set->count; i++)
        if (set->member[i]->kind == observers_find_kind(name))
            return true;
    return false;
}

void observers_ask_graph(struct observers *set, const struct ideal *const *asked, size_t count)
{
    for (unsigned i = 0; i < set->count; i++)
        graph_observer_ask(set->member[i], asked, count);
}

void observers_attach(struct observers *set, struct core *core)
{
    for (unsigned i = 0; i < set->count; i++) {
        if (set->calls != NULL && observers_has_places(set->member[i]->kind))
            set->view[i] = call_view_attach(set->member[i], set->calls, core);
        else
            observer_attach(set->member[i], core);
    }
}

/* The rows of the observer's profiles, which have been added last, are by place: makes those by address. */
static void observers_split(struct observers *set, const struct observer_kind *k)
{
    if (set->sums == NULL)
        set->sums = profile_sums_new();
    if (k->time != NULL)
        profile_split_time(set->sums, &set->time_profile[set->time.profiles - 1]);
    if (k->pics != NULL)
        profile_split_pics(set->sums, &set->pics_profile[set->pics.profiles - 1]);
    if (k->counts != NULL)
        profile_split_counts(set->sums, &set->count_profile[set->counts.profiles - 1]);
    if (k->counters != NULL)
        profile_split_counters(set->sums, &set->counter_profile[set->counters.profiles - 1]);
}

void observers_finish(struct observers *set, uint64_t cycles, struct hart *hart)
{
#define FAMILY(name, type) \
    set->name = (struct type##_result){.profile = set->type##_profile, .cycles = cycles, .code = rv_code(hart)};
#include "contract/families.def"
    set->time.has_idle = set->pics.has_idle = set->topdown.has_idle = set->phases.has_idle = set->has_idle;
    for (unsigned i = 0; i < set->count; i++) {
        struct observer *o = set->member[i];
        if (o->kind->finish != NULL)
            o->kind->finish(o, cycles, hart);
#define FAMILY(name, type)     \
    if (o->kind->name != NULL) \
        set->type##_profile[set->name.profiles++] = *o->kind->name(o);
#include "contract/families.def"
        if (set->view[i] != NULL)
            observers_split(set, o->kind);
    }
    for (unsigned i = 0; i < set->counts.profiles; i++) /* the counters' ground truth */
        if (set->count_profile[i].exact)
            set->counters.exact = &set->count_profile[i];
}

void observers_sum(struct observers *set, const struct observers *other)
{
    if (set->sums == NULL)
        set->sums = profile_sums_new();
#define FAMILY(name, type)                                                                 \
    for (unsigned i = 0; i < set->name.profiles; i++)                                      \
        profile_sum_##name(set->sums, &set->type##_profile[i], &other->type##_profile[i]); \
    set->name.cycles += other->name.cycles;
#include "contract/families.def"
}

#define FAMILY(name, type)                                                    \
    const struct type##_result *observers_##name(const struct observers *set) \
    {                                                                         \
        return set->name.profiles != 0 ? &set->name : NULL;                   \
    }
#include "contract/families.def"

static bool has_results(const struct observer_kind *k)
{
    return k->report != NULL
#define FAMILY(name, type) || k->name != NULL
#include "contract/families.def"
        ;
}

bool observers_have_report(const struct observers *set)
{
    for (unsigned i = 0; i < set->count; i++)
        if (has_results(set->member[i]->kind))
            return true;
    return false;
}

void observers_report(const struct observers *set, struct report *r)
{
    for (unsigned i = 0; i < set->count; i++)
        if (set->member[i]->kind->report != NULL)
            set->member[i]->kind->report(set->member[i], r);
}

void observers_report_each(const struct observers *set, struct report *r)
{
    for (unsigned i = 0; i < set->count; i++)
        if (set->member[i]->kind->of_each_hart)
            set->member[i]->kind->report(set->member[i], r);
}
