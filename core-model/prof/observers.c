/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The set of observers of a run, from their registry. Entry points: observers.h. */
#include "core-model/prof/observers.h"

#include <stdlib.h>
#include <string.h>

#include "core-model/prof/observer_text.h"

static const struct observer_kind *const kinds[] = {
#define OBSERVER(symbol) &observer_##symbol,
#include "core-model/prof/observers.def"
#undef OBSERVER
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

struct observers {
    struct observer *member[CORE_MAX_OBSERVERS];
    unsigned count;
    struct time_profile time_profile[CORE_MAX_OBSERVERS];
    struct time_result time;
    struct count_profile count_profile[CORE_MAX_OBSERVERS];
    struct count_result counts;
};

void observer_attach(struct observer *o, struct core *core)
{
    if (o->kind->attach != NULL)
        o->kind->attach(o, core);
    core_attach(core, &o->probe);
}

void observer_release(struct observer *o)
{
    if (o == NULL)
        return;
    char *label = o->label;
    o->kind->release(o);
    free(label);
}

struct observers *observers_new(void) { return xcalloc(1, sizeof(struct observers)); }

void observers_free(struct observers *set)
{
    if (set == NULL)
        return;
    for (unsigned i = 0; i < set->count; i++)
        observer_release(set->member[i]);
    free(set);
}

void observers_add(struct observers *set, struct observer *o)
{
    if (set->count == CORE_MAX_OBSERVERS)
        BUG("more than %d observers", CORE_MAX_OBSERVERS);
    set->member[set->count++] = o;
}

static bool is_listed(const struct observers *set, const char *label)
{
    for (unsigned i = 0; i < set->count; i++)
        if (set->member[i]->label != NULL && strcmp(set->member[i]->label, label) == 0)
            return true;
    return false;
}

static unsigned tag_bits(const struct observers *set)
{
    unsigned bits = 0;
    for (unsigned i = 0; i < set->count; i++)
        bits += set->member[i]->probe.tagger.tag != NULL ? set->member[i]->probe.tagger.bits : 0;
    return bits;
}

/* Creates the observer of `item`, which is modified. */
static enum status create(struct observers *set, char *item, uint64_t seed, struct errmsg *err)
{
    enum { RESERVED = 8, RESERVED_BITS = 2 }; /* for observers that --profile does not create, and for their tags */
    struct observer_setup setup;
    const struct observer_kind *kind;
    char *label = xstrdup(item);
    enum status st = observer_text_parse(item, kinds, KINDS, seed, &kind, &setup, err);
    if (st == ST_OK && is_listed(set, label))
        st = fail(err, ST_INPUT, "--profile: '%s' is listed twice", label);
    else if (st == ST_OK && set->count == CORE_MAX_OBSERVERS - RESERVED)
        st = fail(err, ST_RANGE, "--profile: more than %d profilers", CORE_MAX_OBSERVERS - RESERVED);
    if (st != ST_OK) {
        free(label);
        return st;
    }
    struct observer *o = kind->create(kind, &setup);
    o->label = label;
    observers_add(set, o);
    if (tag_bits(set) > PROBE_TAG_BITS - RESERVED_BITS)
        return fail(err, ST_RANGE, "--profile: the tags of all profilers have %u bits: expected at most %d", tag_bits(set),
                    PROBE_TAG_BITS - RESERVED_BITS);
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
        st = create(set, item, seed, err);
    }
    free(copy);
    return st;
}

void observers_print_help(FILE *out)
{
    for (unsigned i = 0; i < KINDS; i++) {
        if (kinds[i]->create == NULL)
            continue;
        fprintf(out, "  %-10s %s", kinds[i]->name, kinds[i]->help);
        for (const struct observer_option *o = kinds[i]->options; o != NULL && o->name != NULL; o++)
            fprintf(out, "%s:%s%s", o == kinds[i]->options ? "; " : " ", o->name, o->unit != NULL ? "=N" : "");
        fputc('\n', out);
    }
}

unsigned observers_count(const struct observers *set) { return set->count; }

struct observer *observers_at(const struct observers *set, unsigned i) { return set->member[i]; }

void observers_attach(struct observers *set, struct core *core)
{
    for (unsigned i = 0; i < set->count; i++)
        observer_attach(set->member[i], core);
}

static bool describe(void *hart, uint64_t pc, struct time_insn *out)
{
    enum rv_trap trap;
    const struct rv_insn *in = hart != NULL ? rv_fetch(hart, pc, &trap) : NULL;
    if (in == NULL)
        return false;
    *out = (struct time_insn){.length_bytes = in->length_bytes};
    out->ends_block = (in->flags & (RV_BRANCH | RV_JUMP | RV_ECALL)) != 0;
    if ((in->flags & (RV_BRANCH | RV_JUMP)) && !(in->flags & RV_INDIRECT))
        out->target = pc + (uint64_t)(int64_t)in->imm;
    rv_print_flat(out->text, sizeof out->text, in, pc);
    return true;
}

void observers_finish(struct observers *set, uint64_t cycles, struct hart *hart)
{
    set->time = (struct time_result){.profile = set->time_profile, .cycles = cycles, .code = {hart, describe}};
    set->counts = (struct count_result){.profile = set->count_profile, .code = {hart, describe}};
    for (unsigned i = 0; i < set->count; i++) {
        struct observer *o = set->member[i];
        if (o->kind->finish != NULL)
            o->kind->finish(o, cycles, hart);
        if (o->kind->time != NULL)
            set->time_profile[set->time.profiles++] = *o->kind->time(o);
        if (o->kind->counts != NULL)
            set->count_profile[set->counts.profiles++] = *o->kind->counts(o);
    }
}

const struct time_result *observers_time(const struct observers *set)
{
    return set->time.profiles != 0 ? &set->time : NULL;
}

const struct count_result *observers_counts(const struct observers *set)
{
    return set->counts.profiles != 0 ? &set->counts : NULL;
}

static bool has_results(const struct observer_kind *k) { return k->time != NULL || k->counts != NULL || k->report != NULL; }

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
