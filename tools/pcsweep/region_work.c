/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcsweep/region_work.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum { MOST_STRATA = 50, MOST_POINTS = 30, UNITS_OF_STRATUM = 10 };
static const size_t most_bytes = (size_t)1 << 30;

size_t region_most_clusters(uint64_t option, bool is_simpoint, size_t units)
{
    const size_t most = units / UNITS_OF_STRATUM;
    if (option != 0 || is_simpoint)
        return option != 0 ? option : MOST_POINTS;
    return most < 1 ? 1 : most < MOST_STRATA ? most : MOST_STRATA;
}

enum status region_load_vectors(struct region_vectors *v, const char *path, uint64_t unit, uint64_t seed,
                                struct errmsg *err)
{
    const bool is_input = strcmp(path, "-") == 0;
    FILE *in = is_input ? stdin : fopen(path, "re");
    if (in == NULL)
        return fail(err, ST_IO, "%s: %s", path, strerror(errno));
    enum status st = region_vectors_read(v, in, is_input ? "standard input" : path, unit, seed, err);
    if (!is_input)
        fclose(in);
    return st;
}

enum status region_load_plan(struct region_plan *p, const char *path, struct errmsg *err)
{
    char *text;
    size_t size_bytes;
    enum status st = file_read(path, most_bytes, &text, &size_bytes, err);
    if (st != ST_OK)
        return st;
    st = region_plan_read(p, path, text, size_bytes, err);
    free(text);
    return st;
}

enum status region_load_results(struct region_results *r, const char *path, struct errmsg *err)
{
    char *text;
    size_t size_bytes;
    enum status st = file_read(path, most_bytes, &text, &size_bytes, err);
    if (st != ST_OK)
        return st;
    if (strlen(text) != size_bytes)
        st = fail(err, ST_FORMAT, "%s: expected text, found a NUL byte at %zu", path, strlen(text));
    else
        st = region_results_read(r, path, text, err);
    free(text);
    return st;
}

uint64_t region_place(uint64_t first, uint64_t warmup) { return first > warmup ? first - warmup : 0; }

static int compare_places(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

void region_write_places(const struct region_plan *p, uint64_t warmup, FILE *out)
{
    uint64_t *place = xcalloc(region_plan_chosen(p) + 1, sizeof *place);
    size_t count = 0;
    for (size_t k = 0; k < p->strata; k++)
        for (size_t i = 0; i < p->stratum[k].chosen; i++)
            place[count++] = region_place(p->stratum[k].candidate[i].first, warmup);
    qsort(place, count, sizeof *place, compare_places);
    for (size_t i = 0; i < count; i++)
        if (place[i] != 0 && (i == 0 || place[i] != place[i - 1]))
            fprintf(out, "%" PRIu64 "\n", place[i]);
    free(place);
}
