/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcsweep/table_values.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- members of reports ---- */

/* The element of an array that a word names: its number, or MEMBER=TEXT. */
static const json_t *table_element(const json_t *array, const char *word)
{
    const char *equals = strchr(word, '=');
    char *end;
    if (equals == NULL) {
        const unsigned long n = strtoul(word, &end, 10);
        return *end == '\0' && end != word ? json_array_get(array, n) : NULL;
    }
    char *key = xasprintf("%.*s", (int)(equals - word), word);
    const json_t *found = NULL;
    for (size_t i = 0; i < json_array_size(array) && found == NULL; i++) {
        const char *text = json_string_value(json_object_get(json_array_get(array, i), key));
        if (text != NULL && strcmp(text, equals + 1) == 0)
            found = json_array_get(array, i);
    }
    free(key);
    return found;
}

double table_member(const json_t *report, const char *path)
{
    if (strcmp(path, "cpi") == 0)
        return table_member(report, "cycles") / table_member(report, "instructions");
    char *copy = xstrdup(path), *rest = copy, *word;
    const json_t *at = report;
    while (at != NULL && (word = strsep(&rest, ".")) != NULL)
        at = json_is_array(at) ? table_element(at, word) : json_object_get(at, word);
    free(copy);
    return json_is_number(at) ? json_number_value(at) : NAN;
}

/* ---- rows ---- */

static bool table_is_row(const struct table_row *r, const struct job_names *n)
{
    return strcmp(r->names->program, n->program) == 0 && strcmp(r->names->configuration, n->configuration) == 0 &&
           strcmp(r->names->profile, n->profile) == 0;
}

static struct table_row *table_row_of(struct table_values *v, const struct job_names *n)
{
    for (size_t i = 0; i < v->rows; i++)
        if (table_is_row(&v->row[i], n))
            return &v->row[i];
    v->row = xgrow(v->row, v->rows, sizeof *v->row);
    v->row[v->rows] = (struct table_row){.names = n, .cell = xcalloc(v->columns, sizeof(struct table_cell))};
    return &v->row[v->rows++];
}

static void table_add_report(struct table_values *v, const struct job *j, const json_t *report)
{
    for (size_t n = 0; n < j->name_count; n++) {
        struct table_row *r = table_row_of(v, &j->names[n]);
        r->seeds += report != NULL;
        for (size_t i = 0; i < v->columns && report != NULL; i++) {
            struct table_cell *c = &r->cell[i];
            const double x = table_member(report, v->column[i]);
            if (isnan(x))
                continue;
            c->value = xgrow(c->value, c->count, sizeof *c->value);
            c->value[c->count++] = x;
        }
    }
}

static void table_cell_sum(struct table_cell *c)
{
    c->mean = (struct spread_mean){.mean = NAN, .variance = NAN, .freedom = NAN};
    if (c->count == 0)
        return;
    const struct value_spread s = spread_of(c->value, c->count);
    if (c->count > 1)
        c->mean = spread_mean_of(&s);
    else
        c->mean.mean = s.mean;
}

static enum status table_check_column(const struct table_values *v, size_t column, struct errmsg *err)
{
    bool is_found = false;
    for (size_t i = 0; i < v->rows; i++)
        is_found = is_found || v->row[i].cell[column].count > 0;
    if (!is_found)
        return fail(
            err, ST_INPUT,
            "--column %s: expected a number of the reports (docs/json.md), or, with outputs = {statistics} in the "
            "study, statistics.core.NAME; found none",
            v->column[column]);
    return ST_OK;
}

/* ---- files of results ---- */

/* The member of a job's report in which its statistics are. */
static const char statistics_member[] = "statistics";

static bool table_has_statistics(const struct job *j)
{
    bool is_there = false;
    size_t i;
    json_t *output;
    json_array_foreach(j->outputs, i, output) is_there |= strcmp(json_string_value(output), statistics_member) == 0;
    return is_there;
}

/* An object of a file of a job's result; the caller releases it. */
static enum status table_load_object(const struct manifest *m, const struct job *j, const char *name, json_t **object,
                                     struct errmsg *err)
{
    char *path = xasprintf("%s/results/%s/%s", m->folder, j->id, name);
    json_error_t e;
    *object = json_load_file(path, 0, &e);
    const enum status st = *object != NULL
                               ? ST_OK
                               : fail(err, ST_FORMAT, "%s: expected JSON of pcemu, found: %s", path, e.text);
    free(path);
    return st;
}

/* The report of a job, with its statistics if it has any; the caller releases it. */
static enum status table_load_report(const struct manifest *m, const struct job *j, json_t **report, struct errmsg *err)
{
    json_t *statistics = NULL;
    enum status st = table_load_object(m, j, "report.json", report, err);
    if (st == ST_OK && table_has_statistics(j)) {
        st = table_load_object(m, j, "statistics.json", &statistics, err);
        json_object_set_new(*report, statistics_member, statistics);
    }
    return st;
}

enum status table_values_load(const struct manifest *m, const bool *is_done, const char *const *column, size_t columns,
                              struct table_values *v, struct errmsg *err)
{
    enum status st = ST_OK;
    *v = (struct table_values){.column = column, .columns = columns};
    for (size_t i = 0; i < m->jobs && st == ST_OK; i++) {
        json_t *report = NULL;
        if (is_done[i])
            st = table_load_report(m, &m->job[i], &report, err);
        if (st == ST_OK)
            table_add_report(v, &m->job[i], report);
        json_decref(report);
    }
    for (size_t i = 0; i < v->rows; i++)
        for (size_t c = 0; c < columns; c++)
            table_cell_sum(&v->row[i].cell[c]);
    for (size_t c = 0; c < columns && st == ST_OK; c++)
        st = table_check_column(v, c, err);
    return st;
}

void table_values_release(struct table_values *v)
{
    for (size_t i = 0; i < v->rows; i++) {
        for (size_t c = 0; c < v->columns; c++)
            free(v->row[i].cell[c].value);
        free(v->row[i].cell);
    }
    free(v->row);
}

const struct table_row *table_values_find(const struct table_values *v, const struct table_row *like,
                                          const char *configuration)
{
    const struct job_names n = {like->names->program, configuration, like->names->profile};
    for (size_t i = 0; i < v->rows; i++)
        if (table_is_row(&v->row[i], &n))
            return &v->row[i];
    return NULL;
}

/* ---- ratios ---- */

/* The variance of a mean's logarithm, by the delta method. */
static double table_log_variance(const struct table_cell *c)
{
    return c->mean.variance / (c->mean.mean * c->mean.mean);
}

/* Degrees of freedom of a sum of two variances (Satterthwaite); a variance of 0 does not count. */
static double table_freedom(double a, double a_freedom, double b, double b_freedom)
{
    const double each = (a > 0 ? a * a / a_freedom : 0) + (b > 0 ? b * b / b_freedom : 0);
    return each > 0 ? (a + b) * (a + b) / each : INFINITY;
}

struct table_ratio table_ratio_of(const struct table_cell *cell, const struct table_cell *baseline)
{
    struct table_ratio r = {NAN, NAN, NAN};
    if (!(cell->mean.mean > 0) || !(baseline->mean.mean > 0))
        return r;
    r.log = log(cell->mean.mean / baseline->mean.mean);
    if (cell == baseline)
        return (struct table_ratio){0, 0, INFINITY};
    const double a = table_log_variance(cell), b = table_log_variance(baseline);
    r.variance = a + b;
    r.freedom = table_freedom(a, cell->mean.freedom, b, baseline->mean.freedom);
    return r;
}

struct table_ratio table_ratio_mean(const struct table_ratio *ratio, size_t count)
{
    struct table_ratio mean = {0, 0, INFINITY};
    for (size_t i = 0; i < count; i++) {
        mean.freedom = table_freedom(mean.variance, mean.freedom, ratio[i].variance, ratio[i].freedom);
        mean.log += ratio[i].log;
        mean.variance += ratio[i].variance;
    }
    mean.log /= (double)count;
    mean.variance /= (double)count * (double)count;
    return mean;
}

struct spread_difference table_ratio_interval(const struct table_ratio *r)
{
    struct spread_difference d = {.difference = exp(r->log), .low = NAN, .high = NAN, .probability = NAN};
    if (isnan(r->variance))
        return d;
    const double half = r->variance > 0 ? spread_student_quantile(0.05, r->freedom) * sqrt(r->variance) : 0;
    d.low = exp(r->log - half);
    d.high = exp(r->log + half);
    return d;
}
