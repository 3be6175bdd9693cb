/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regions files: writer and reader. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/json_stream.h"
#include "host/region/plan.h"

enum { PLAN_VERSION = 1 };

static const char *const method_names[] = {[REGION_STRATIFIED] = "stratified", [REGION_SIMPOINT] = "simpoint"};

/* ---- writing ---- */

static void write_candidates(struct json_stream *j, const struct region_stratum *s)
{
    json_stream_begin(j, "candidates", '[');
    for (size_t i = 0; i < s->candidates; i++) {
        json_stream_begin(j, NULL, '[');
        json_stream_count(j, NULL, s->candidate[i].first);
        json_stream_count(j, NULL, s->candidate[i].insns);
        json_stream_end(j, ']');
    }
    json_stream_end(j, ']');
}

static void write_stratum(struct json_stream *j, const struct region_stratum *s)
{
    json_stream_line(j, 2);
    json_stream_begin(j, NULL, '{');
    json_stream_count(j, "units", s->units);
    json_stream_count(j, "instructions", s->insns);
    json_stream_count(j, "chosen", s->chosen);
    json_stream_line(j, 3);
    write_candidates(j, s);
    json_stream_end(j, '}');
}

/* The chosen units, for those who simulate them; the reader takes them from the strata. */
static void write_units(struct json_stream *j, const struct region_plan *p)
{
    json_stream_begin(j, "regions", '[');
    for (size_t k = 0; k < p->strata; k++)
        for (size_t i = 0; i < p->stratum[k].chosen; i++) {
            const struct region_candidate *c = &p->stratum[k].candidate[i];
            json_stream_line(j, 2);
            json_stream_begin(j, NULL, '{');
            json_stream_count(j, "first", c->first);
            json_stream_count(j, "instructions", c->insns);
            json_stream_count(j, "stratum", k);
            json_stream_real(j, "weight", region_plan_weight(p, k));
            json_stream_end(j, '}');
        }
    json_stream_line(j, 1);
    json_stream_end(j, ']');
}

void region_plan_write(const struct region_plan *p, FILE *out)
{
    struct json_stream j = {.out = out};
    json_stream_begin(&j, NULL, '{');
    json_stream_line(&j, 1);
    json_stream_count(&j, "regions_version", PLAN_VERSION);
    json_stream_line(&j, 1);
    json_stream_text(&j, "method", method_names[p->method]);
    json_stream_line(&j, 1);
    json_stream_count(&j, "unit", p->unit);
    json_stream_line(&j, 1);
    json_stream_count(&j, "units", p->units);
    json_stream_line(&j, 1);
    json_stream_count(&j, "instructions", p->insns);
    json_stream_line(&j, 1);
    json_stream_count(&j, "seed", p->seed);
    json_stream_line(&j, 1);
    json_stream_begin(&j, "strata", '[');
    for (size_t k = 0; k < p->strata; k++)
        write_stratum(&j, &p->stratum[k]);
    json_stream_line(&j, 1);
    json_stream_end(&j, ']');
    json_stream_line(&j, 1);
    write_units(&j, p);
    json_stream_line(&j, 0);
    json_stream_end(&j, '}');
    fputc('\n', out);
}

/* ---- reading ---- */

struct plan_reader {
    const char *name;
    struct errmsg *err;
};

static enum status plan_read_member(const struct plan_reader *r, const json_t *object, const char *place,
                                    const char *key, uint64_t *number)
{
    const json_t *value = json_object_get(object, key);
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return fail(r->err, ST_FORMAT, "%s: %s.%s: expected a whole number, not negative", r->name, place, key);
    *number = (uint64_t)json_integer_value(value);
    return ST_OK;
}

/* Reads a candidate, which lies within the run. */
static enum status plan_read_candidate(const struct plan_reader *r, const struct region_plan *p, const char *place,
                                       const json_t *value, struct region_candidate *c)
{
    const json_t *first = json_array_get(value, 0), *insns = json_array_get(value, 1);
    const bool is_pair = json_array_size(value) == 2 && json_is_integer(first) && json_is_integer(insns) &&
                         json_integer_value(first) >= 0 && json_integer_value(insns) > 0;
    if (is_pair)
        *c = (struct region_candidate){(uint64_t)json_integer_value(first), (uint64_t)json_integer_value(insns)};
    if (!is_pair || c->first > p->insns || c->insns > p->insns - c->first)
        return fail(r->err, ST_FORMAT,
                    "%s: %s: expected the number of a first instruction and a number of instructions, within the "
                    "%" PRIu64 " of the run",
                    r->name, place, p->insns);
    return ST_OK;
}

static enum status plan_read_stratum(const struct plan_reader *r, const struct region_plan *p, size_t number,
                                     const json_t *value, struct region_stratum *s)
{
    char place[64];
    uint64_t chosen = 0;
    snprintf(place, sizeof place, "strata[%zu]", number);
    const json_t *list = json_object_get(value, "candidates");
    enum status st = plan_read_member(r, value, place, "units", &s->units);
    if (st == ST_OK)
        st = plan_read_member(r, value, place, "instructions", &s->insns);
    if (st == ST_OK)
        st = plan_read_member(r, value, place, "chosen", &chosen);
    if (st != ST_OK)
        return st;
    const size_t candidates = json_array_size(list);
    if (candidates == 0 || candidates > s->units || chosen > candidates)
        return fail(r->err, ST_FORMAT,
                    "%s: %s: expected candidates, no more than units, and no more chosen than candidates, found "
                    "%" PRIu64 ", %zu and %" PRIu64,
                    r->name, place, s->units, candidates, chosen);
    s->chosen = chosen;
    s->candidate = xcalloc(candidates, sizeof *s->candidate);
    for (size_t i = 0; i < candidates; i++) {
        snprintf(place, sizeof place, "strata[%zu].candidates[%zu]", number, i);
        st = plan_read_candidate(r, p, place, json_array_get(list, i), &s->candidate[i]);
        if (st != ST_OK)
            return st;
        s->candidates++;
    }
    return ST_OK;
}

/* The strata are the run's: units and instructions are those of all. */
static enum status check_sums(const struct plan_reader *r, const struct region_plan *p)
{
    uint64_t units = 0, insns = 0;
    bool fits = true;
    for (size_t k = 0; k < p->strata; k++) {
        fits &= p->stratum[k].units <= p->units - units && p->stratum[k].insns <= p->insns - insns;
        if (!fits)
            break;
        units += p->stratum[k].units;
        insns += p->stratum[k].insns;
    }
    if (!fits || units != p->units || insns != p->insns || insns == 0)
        return fail(r->err, ST_FORMAT,
                    "%s: expected strata that have the %" PRIu64 " units and %" PRIu64
                    " instructions of the run, found others",
                    r->name, p->units, p->insns);
    return ST_OK;
}

static enum status plan_read_method(const struct plan_reader *r, const json_t *root, enum region_method *method)
{
    const char *name = json_string_value(json_object_get(root, "method"));
    for (size_t i = 0; name != NULL && i < sizeof method_names / sizeof method_names[0]; i++)
        if (strcmp(name, method_names[i]) == 0) {
            *method = (enum region_method)i;
            return ST_OK;
        }
    return fail(r->err, ST_FORMAT, "%s: method: expected \"stratified\" or \"simpoint\"", r->name);
}

static enum status plan_read_root(const struct plan_reader *r, const json_t *root, struct region_plan *p)
{
    uint64_t version = 0;
    enum status st = plan_read_member(r, root, "file", "regions_version", &version);
    if (st == ST_OK && version != PLAN_VERSION)
        st = fail(r->err, ST_VERSION, "%s: expected version %d of a regions file, found %" PRIu64, r->name,
                  PLAN_VERSION, version);
    if (st == ST_OK)
        st = plan_read_method(r, root, &p->method);
    if (st == ST_OK)
        st = plan_read_member(r, root, "file", "unit", &p->unit);
    if (st == ST_OK)
        st = plan_read_member(r, root, "file", "units", &p->units);
    if (st == ST_OK)
        st = plan_read_member(r, root, "file", "instructions", &p->insns);
    if (st == ST_OK)
        st = plan_read_member(r, root, "file", "seed", &p->seed);
    if (st != ST_OK)
        return st;
    const json_t *strata = json_object_get(root, "strata");
    p->stratum = xcalloc(json_array_size(strata) + 1, sizeof *p->stratum);
    for (; st == ST_OK && p->strata < json_array_size(strata); p->strata++)
        st = plan_read_stratum(r, p, p->strata, json_array_get(strata, p->strata), &p->stratum[p->strata]);
    return st == ST_OK ? check_sums(r, p) : st;
}

enum status region_plan_read(struct region_plan *p, const char *name, const char *text, size_t size_bytes,
                             struct errmsg *err)
{
    const struct plan_reader r = {name, err};
    json_error_t error;
    *p = (struct region_plan){0};
    json_t *root = json_loadb(text, size_bytes, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL)
        return fail(err, ST_FORMAT, "%s:%d:%d: expected JSON: %s", name, error.line, error.column, error.text);
    enum status st = plan_read_root(&r, root, p);
    json_decref(root);
    if (st != ST_OK)
        region_plan_release(p);
    return st;
}
