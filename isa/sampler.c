/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of sampler.def as data; parsing, checking and printing of sampler setups. Entry points: sampler.h. */
#include "isa/sampler.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Groups under the names used in the rows. */
enum {
#define GROUP(sym, name, meaning) sym = 1 << SAMPLE_GROUP_##sym,
#include "isa/sample.def"
};

#define SAMPLER_OPTION(sampler, sym, ...)                                                                       \
    _Static_assert((int)SAMPLER_##sampler##_##sym < (int)SAMPLER_OPTIONS, "sampler.def: too many options of a " \
                                                                          "sampler");
#include "isa/sampler.def"

const struct sampler_row samplers[SAMPLER_COUNT] = {
#define SAMPLER(sym, text, supplies, help) \
    [SAMPLER_##sym].name = #text, [SAMPLER_##sym].meaning = help, [SAMPLER_##sym].groups = supplies,
#define SAMPLER_OPTION(of, sym, text, per, low, high, value, supplies, help) \
    [SAMPLER_##of].option[SAMPLER_##of##_##sym] = {.name = text,             \
                                                   .unit = per,              \
                                                   .least = low,             \
                                                   .most = high,             \
                                                   .otherwise = value},      \
    [SAMPLER_##of].more[SAMPLER_##of##_##sym] = {.groups = supplies, .meaning = help},
#include "isa/sampler.def"
};

int sampler_find(const char *name)
{
    for (int s = 0; s < SAMPLER_COUNT; s++)
        if (strcasecmp(samplers[s].name, name) == 0)
            return s;
    return -1;
}

unsigned sampler_option_count(unsigned sampler)
{
    unsigned n = 0;
    while (samplers[sampler].option[n].name != NULL)
        n++;
    return n;
}

int sampler_find_option(unsigned sampler, const char *name)
{
    for (int i = 0; samplers[sampler].option[i].name != NULL; i++)
        if (strcmp(samplers[sampler].option[i].name, name) == 0)
            return i;
    return -1;
}

uint64_t sampler_option(const struct sampler_setup *s, unsigned option, uint64_t seed)
{
    if ((s->given >> option & 1) != 0)
        return s->option[option];
    return option_text_otherwise(&samplers[s->sampler].option[option], seed);
}

uint64_t sampler_period(const struct sampler_setup *s)
{
    int period = sampler_find_option(s->sampler, "period");
    return period >= 0 ? sampler_option(s, (unsigned)period, 0) : 1;
}

struct profileme_choice sampler_profileme(const struct sampler_setup *s)
{
    bool has_window = (s->given >> SAMPLER_PROFILEME_WINDOW & 1) != 0;
    return (struct profileme_choice){
        .period = sampler_option(s, SAMPLER_PROFILEME_PERIOD, 0),
        .window = has_window ? s->option[SAMPLER_PROFILEME_WINDOW] : 0,
        .pair = (s->given >> SAMPLER_PROFILEME_PAIR & 1) != 0,
        .opportunity = (s->given >> SAMPLER_PROFILEME_OPPORTUNITY & 1) != 0,
    };
}

enum status sampler_parse(const char *who, const char *text, struct sampler_setup *out, struct errmsg *err)
{
    const char *names[SAMPLER_COUNT];
    char *copy = xstrdup(text), *options = strchr(copy, ':');
    struct errmsg why;
    if (options != NULL)
        *options++ = '\0';
    for (unsigned i = 0; i < SAMPLER_COUNT; i++)
        names[i] = samplers[i].name;
    int found = sampler_find(copy);
    *out = (struct sampler_setup){.sampler = (uint8_t)(found >= 0 ? found : 0)};
    enum status st = found >= 0 ? ST_OK : option_text_unknown(who, "sampler", copy, names, SAMPLER_COUNT, err);
    if (st == ST_OK && options != NULL && sampler_option_count(out->sampler) == 0)
        st = fail(err, ST_INPUT, "%s: the sampler %s takes no options, found '%s'", who, samplers[found].name, options);
    else if (st == ST_OK)
        st = option_text_parse(who, samplers[found].name, options, samplers[found].option, out->option, &out->given,
                               err);
    if (st == ST_OK && sampler_check(out, &why) != ST_OK)
        st = fail(err, ST_RANGE, "%s: %.400s", who, why.text);
    free(copy);
    return st;
}

/* Describes an inconsistency of options that are each in range; NULL: none. */
static const char *sampler_objection(const struct sampler_setup *s)
{
    if (s->sampler != SAMPLER_PROFILEME)
        return NULL;
    struct profileme_choice choice = sampler_profileme(s);
    return profileme_objection(&choice);
}

enum status sampler_check(const struct sampler_setup *s, struct errmsg *err)
{
    if (s->sampler >= SAMPLER_COUNT)
        return fail(err, ST_RANGE, "sampler %u: expected less than %d", s->sampler, SAMPLER_COUNT);
    const struct sampler_row *row = &samplers[s->sampler];
    unsigned count = sampler_option_count(s->sampler);
    if (s->given >> count != 0)
        return fail(err, ST_RANGE, "the sampler %s has %u options", row->name, count);
    for (unsigned i = 0; i < count; i++) {
        const struct text_option *o = &row->option[i];
        bool negative = s->option[i] > INT64_MAX; /* numbers below 0 are in two's complement */
        if ((s->given >> i & 1) != 0 && (s->option[i] < o->least || s->option[i] > o->most))
            return fail(err, ST_RANGE,
                        "the sampler %s: expected from %" PRIu64 " to %" PRIu64 "%s%s for '%s', found %s%" PRIu64,
                        row->name, o->least, o->most, o->unit != NULL ? " " : "", o->unit != NULL ? o->unit : "",
                        o->name, negative ? "-" : "", negative ? -s->option[i] : s->option[i]);
    }
    const char *why = sampler_objection(s);
    return why != NULL ? fail(err, ST_RANGE, "the sampler %s: %s", row->name, why) : ST_OK;
}

uint32_t sampler_groups(const struct sampler_setup *s)
{
    uint32_t groups = samplers[s->sampler].groups;
    for (unsigned i = 0; samplers[s->sampler].option[i].name != NULL; i++)
        if ((s->given >> i & 1) != 0)
            groups |= samplers[s->sampler].more[i].groups;
    return groups;
}

enum status sampler_check_field(const struct sampler_setup *s, enum sample_field f, struct errmsg *err)
{
    enum sample_group group = sample_fields[f].group;
    if ((sampler_groups(s) >> group & 1) != 0)
        return ST_OK;
    return fail(err, ST_INPUT, "the sampler %s does not supply the field '%s', of the group %s",
                samplers[s->sampler].name, sample_fields[f].name, sample_groups[group].name);
}

/* Returns whether the sampler supplies all groups with its options. */
static bool supplies(const struct sampler_setup *s, uint32_t groups) { return (groups & ~sampler_groups(s)) == 0; }

/* Finds the first sampler that supplies all groups, with at most one option; false: none. */
static bool find_supplier(uint32_t groups, struct sampler_setup *s)
{
    for (unsigned i = 0; i < SAMPLER_COUNT; i++) {
        *s = (struct sampler_setup){.sampler = (uint8_t)i};
        if (supplies(s, groups))
            return true;
        for (unsigned k = 0; k < sampler_option_count(i); k++) {
            s->given = UINT32_C(1) << k;
            if (supplies(s, groups))
                return true;
        }
    }
    return false;
}

char *sampler_suggest(const uint8_t *field, unsigned fields, const char *directive, const char *between)
{
    struct sampler_setup s;
    uint32_t groups = 0;
    char *text = NULL;
    size_t size_bytes;
    for (unsigned i = 0; i < fields; i++)
        groups |= UINT32_C(1) << sample_fields[field[i]].group;
    if (!find_supplier(groups, &s))
        return xstrdup("no sampler supplies all fields of the program");
    FILE *out = xopen_text(&text, &size_bytes);
    fprintf(out, "expected one that does, such as '%s ", directive);
    sampler_print(&s, between, NULL, out);
    fputc('\'', out);
    xclose_text(out);
    return text;
}

void sampler_print(const struct sampler_setup *s, const char *between, const char *const value[SAMPLER_OPTIONS],
                   FILE *out)
{
    fputs(samplers[s->sampler].name, out);
    for (unsigned i = 0; samplers[s->sampler].option[i].name != NULL; i++) {
        const struct text_option *o = &samplers[s->sampler].option[i];
        if ((s->given >> i & 1) == 0)
            continue;
        fprintf(out, "%s%s", between, o->name);
        if (value != NULL && value[i] != NULL)
            fprintf(out, "=%s", value[i]);
        else if (o->unit != NULL)
            fprintf(out, "=%" PRIu64, s->option[i]);
    }
}

char *sampler_text(const struct sampler_setup *s)
{
    char *text = NULL;
    size_t size_bytes;
    FILE *out = xopen_text(&text, &size_bytes);
    sampler_print(s, ", ", NULL, out);
    xclose_text(out);
    return text;
}

void sampler_print_help(FILE *out)
{
    for (unsigned s = 0; s < SAMPLER_COUNT; s++) {
        fprintf(out, "  %-10s %s", samplers[s].name, samplers[s].meaning);
        option_text_print(samplers[s].option, out);
    }
}

void sampler_print_words(FILE *out)
{
    for (unsigned s = 0; s < SAMPLER_COUNT; s++)
        option_text_print_words(samplers[s].name, samplers[s].meaning, samplers[s].option, out);
}
