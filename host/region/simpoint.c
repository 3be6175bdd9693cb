/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/region/simpoint.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Weights are written with 6 digits or more. */
static const double weight_tolerance = 1e-3;

/* ---- of clusters ---- */

static int by_unit(const void *a, const void *b)
{
    const struct simpoint *x = a, *y = b;
    return x->unit < y->unit ? -1 : x->unit > y->unit;
}

struct simpoints simpoints_of(const struct region_vectors *v, const struct region_clusters *c)
{
    struct simpoints s = {.count = c->k, .point = xcalloc(c->k, sizeof *s.point)};
    double *nearest = xcalloc(c->k, sizeof *nearest);
    for (size_t k = 0; k < c->k; k++) {
        s.point[k].cluster = k;
        nearest[k] = INFINITY;
    }
    for (size_t i = 0; i < v->count; i++) {
        const uint32_t k = c->of[i];
        const double distance = region_distance(v->unit[i].point, c->centre[k]);
        s.point[k].weight += (double)v->unit[i].insns / (double)v->instructions;
        if (distance < nearest[k]) {
            nearest[k] = distance;
            s.point[k].unit = i;
        }
    }
    free(nearest);
    qsort(s.point, s.count, sizeof *s.point, by_unit);
    return s;
}

void simpoints_release(struct simpoints *s)
{
    free(s->point);
    *s = (struct simpoints){0};
}

/* ---- files ---- */

void simpoints_write_points(const struct simpoints *s, FILE *out)
{
    for (size_t i = 0; i < s->count; i++)
        fprintf(out, "%" PRIu64 " %" PRIu64 "\n", s->point[i].unit, s->point[i].cluster);
}

void simpoints_write_weights(const struct simpoints *s, FILE *out)
{
    for (size_t i = 0; i < s->count; i++)
        fprintf(out, "%.9g %" PRIu64 "\n", s->point[i].weight, s->point[i].cluster);
}

/* A file while it is read, line by line: two words on each. */
struct pair_reader {
    const char *name, *at;
    size_t line;
    char word[2][32];
    struct errmsg *err;
};

static enum status simpoint_read_word(struct pair_reader *r, char word[32])
{
    r->at += strspn(r->at, " \t\r");
    const size_t n = strcspn(r->at, " \t\r\n");
    if (n == 0 || n >= sizeof r->word[0])
        return fail(r->err, ST_FORMAT, "%s:%zu: expected two numbers, found %s", r->name, r->line,
                    n == 0 ? "the end of the line" : "a longer word");
    memcpy(word, r->at, n);
    word[n] = '\0';
    r->at += n;
    return ST_OK;
}

/* Reads the next line that is not blank; *found false: there is none. */
static enum status simpoint_read_pair(struct pair_reader *r, bool *found)
{
    for (;; r->at++) {
        r->line++;
        r->at += strspn(r->at, " \t\r");
        if (*r->at != '\n')
            break;
    }
    *found = *r->at != '\0';
    enum status st = *found ? simpoint_read_word(r, r->word[0]) : ST_OK;
    if (st == ST_OK && *found)
        st = simpoint_read_word(r, r->word[1]);
    if (st != ST_OK || !*found)
        return st;
    r->at += strspn(r->at, " \t\r");
    if (*r->at != '\n' && *r->at != '\0')
        return fail(r->err, ST_FORMAT, "%s:%zu: expected the end of the line behind two numbers", r->name, r->line);
    r->at += *r->at == '\n';
    return ST_OK;
}

static enum status simpoint_read_number(const struct pair_reader *r, const char *what, const char *word,
                                        uint64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoull(word, &end, 10);
    if (!isdigit((unsigned char)*word) || *end != '\0' || errno != 0)
        return fail(r->err, ST_FORMAT, "%s:%zu: expected the number of a %s, found '%s'", r->name, r->line, what, word);
    return ST_OK;
}

static struct simpoint *find_cluster(const struct simpoints *s, uint64_t cluster)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->point[i].cluster == cluster)
            return &s->point[i];
    return NULL;
}

static enum status simpoint_read_points(struct simpoints *s, struct pair_reader *r)
{
    for (bool found;;) {
        struct simpoint p = {.weight = NAN};
        enum status st = simpoint_read_pair(r, &found);
        if (st != ST_OK || !found)
            return st;
        st = simpoint_read_number(r, "unit", r->word[0], &p.unit);
        if (st == ST_OK)
            st = simpoint_read_number(r, "cluster", r->word[1], &p.cluster);
        if (st == ST_OK && find_cluster(s, p.cluster) != NULL)
            st = fail(r->err, ST_FORMAT, "%s:%zu: expected a unit of another cluster: cluster %" PRIu64 " has one",
                      r->name, r->line, p.cluster);
        if (st != ST_OK)
            return st;
        s->point = xgrow(s->point, s->count, sizeof *s->point);
        s->point[s->count++] = p;
    }
}

static enum status simpoint_read_weights(struct simpoints *s, struct pair_reader *r, double *sum)
{
    for (bool found;;) {
        uint64_t cluster;
        char *end;
        enum status st = simpoint_read_pair(r, &found);
        if (st != ST_OK || !found)
            return st;
        const double weight = strtod(r->word[0], &end);
        if (end == r->word[0] || *end != '\0' || !(weight >= 0 && weight <= 1))
            return fail(r->err, ST_FORMAT, "%s:%zu: expected a weight from 0 to 1, found '%s'", r->name, r->line,
                        r->word[0]);
        st = simpoint_read_number(r, "cluster", r->word[1], &cluster);
        if (st != ST_OK)
            return st;
        struct simpoint *p = find_cluster(s, cluster);
        if (p == NULL || !isnan(p->weight))
            return fail(r->err, ST_FORMAT, "%s:%zu: expected the weight of a cluster with %s, found cluster %" PRIu64,
                        r->name, r->line, p == NULL ? "a unit" : "no weight so far", cluster);
        p->weight = weight;
        *sum += weight;
    }
}

enum status simpoints_read(struct simpoints *s, const char *points_name, const char *points, const char *weights_name,
                           const char *weights, struct errmsg *err)
{
    struct pair_reader p = {.name = points_name, .at = points, .err = err},
                       w = {.name = weights_name, .at = weights, .err = err};
    double sum = 0;
    *s = (struct simpoints){0};
    enum status st = simpoint_read_points(s, &p);
    if (st == ST_OK)
        st = simpoint_read_weights(s, &w, &sum);
    for (size_t i = 0; st == ST_OK && i < s->count; i++)
        if (isnan(s->point[i].weight))
            st = fail(err, ST_FORMAT, "%s: expected the weight of each cluster, found none of cluster %" PRIu64,
                      weights_name, s->point[i].cluster);
    if (st == ST_OK && fabs(sum - 1) > weight_tolerance)
        st = fail(err, ST_FORMAT, "%s: expected weights with a sum of 1, found %g", weights_name, sum);
    if (st == ST_OK)
        qsort(s->point, s->count, sizeof *s->point, by_unit);
    else
        simpoints_release(s);
    return st;
}
