/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/region/results.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A line of results. */
struct results_line {
    const char *name, *at;
    size_t line;
    struct errmsg *err;
};

/* Reads a number that is not negative, and the blanks behind it. */
static enum status results_read_value(struct results_line *l, double *value)
{
    char *end;
    *value = strtod(l->at, &end); /* which also skips the ends of lines */
    if (end == l->at || isspace((unsigned char)*l->at) || !isfinite(*value) || *value < 0 ||
        strchr(" \t\r\n", *end) == NULL) {
        const size_t n = strcspn(l->at, " \t\r\n");
        return fail(l->err, ST_FORMAT, "%s:%zu: expected a number, not negative, found '%.*s'", l->name, l->line,
                    (int)(n < 32 ? n : 32), l->at);
    }
    l->at = end + strspn(end, " \t\r");
    return ST_OK;
}

static enum status results_read_first(struct results_line *l, uint64_t *first)
{
    char *end;
    errno = 0;
    *first = strtoull(l->at, &end, 10);
    if (!isdigit((unsigned char)*l->at) || errno != 0 || (*end != ' ' && *end != '\t'))
        return fail(l->err, ST_FORMAT, "%s:%zu: expected the number of a unit's first instruction, and its value",
                    l->name, l->line);
    l->at = end + strspn(end, " \t\r");
    return ST_OK;
}

static bool is_at_end(const struct results_line *l) { return *l->at == '\n' || *l->at == '\0'; }

static enum status results_read_result(struct results_line *l, struct region_results *r)
{
    struct region_result result = {0};
    enum status st = results_read_first(l, &result.first);
    if (st == ST_OK)
        st = results_read_value(l, &result.value);
    const bool has_count = st == ST_OK && !is_at_end(l);
    if (has_count)
        st = results_read_value(l, &result.insns);
    if (st != ST_OK)
        return st;
    if (!is_at_end(l) || (has_count && result.insns == 0))
        return fail(l->err, ST_FORMAT, "%s:%zu: expected FIRST MEAN, or FIRST COUNT INSTRUCTIONS", l->name, l->line);
    if (r->count != 0 && has_count != r->has_counts)
        return fail(l->err, ST_FORMAT, "%s:%zu: expected %s, as on the lines before", l->name, l->line,
                    r->has_counts ? "a count and instructions" : "a mean alone");
    r->has_counts = has_count;
    r->result = xgrow(r->result, r->count, sizeof *r->result);
    r->result[r->count++] = result;
    return ST_OK;
}

static int by_first(const void *a, const void *b)
{
    const struct region_result *x = a, *y = b;
    return x->first < y->first ? -1 : x->first > y->first;
}

enum status region_results_read(struct region_results *r, const char *name, const char *text, struct errmsg *err)
{
    struct results_line l = {.name = name, .at = text, .err = err};
    enum status st = ST_OK;
    *r = (struct region_results){0};
    while (st == ST_OK && *l.at != '\0') {
        const char *next = strchr(l.at, '\n');
        l.line++;
        l.at += strspn(l.at, " \t\r");
        if (*l.at != '#' && !is_at_end(&l))
            st = results_read_result(&l, r);
        l.at = next != NULL ? next + 1 : "";
    }
    if (r->count != 0)
        qsort(r->result, r->count, sizeof *r->result, by_first);
    for (size_t i = 1; st == ST_OK && i < r->count; i++)
        if (r->result[i].first == r->result[i - 1].first)
            st = fail(err, ST_FORMAT, "%s: expected one result of each unit, found two of that at %" PRIu64, name,
                      r->result[i].first);
    if (st != ST_OK)
        region_results_release(r);
    return st;
}

void region_results_release(struct region_results *r)
{
    free(r->result);
    *r = (struct region_results){0};
}

const struct region_result *region_results_find(const struct region_results *r, uint64_t first)
{
    const struct region_result key = {.first = first};
    return r->count != 0 ? bsearch(&key, r->result, r->count, sizeof key, by_first) : NULL;
}

enum status region_samples_of(struct region_samples *s, const struct region_plan *p, const struct region_results *r,
                              const char *name, struct errmsg *err)
{
    const size_t all = region_plan_chosen(p);
    *s = (struct region_samples){.strata = p->strata,
                                 .sample = xcalloc(p->strata, sizeof *s->sample),
                                 .values = xcalloc(2 * all + 1, sizeof *s->values)};
    double *y = s->values, *x = y + all;
    for (size_t k = 0; k < p->strata; k++) {
        const struct region_stratum *stratum = &p->stratum[k];
        s->sample[k] = (struct region_sample){
            .units = (double)stratum->units, .count = stratum->chosen, .y = y, .x = r->has_counts ? x : NULL};
        if (stratum->chosen == 0) {
            region_samples_release(s);
            return fail(err, ST_INPUT, "stratum %zu: expected a chosen unit, found none", k);
        }
        for (size_t i = 0; i < stratum->chosen; i++) {
            const struct region_result *result = region_results_find(r, stratum->candidate[i].first);
            if (result == NULL) {
                region_samples_release(s);
                return fail(err, ST_INPUT, "%s: expected a result of each unit, found none of that at %" PRIu64, name,
                            stratum->candidate[i].first);
            }
            *y++ = result->value;
            *x++ = result->insns;
        }
    }
    return ST_OK;
}

void region_samples_release(struct region_samples *s)
{
    free(s->sample);
    free(s->values);
    *s = (struct region_samples){0};
}
