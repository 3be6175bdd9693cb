/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the readers of files of regions, by the first byte of the input: vectors, SimPoint's two files, regions files,
 * results. What is accepted is read again as it was written, vectors have clusters, and results with a regions file
 * have an estimate. A NUL ends the first of two texts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/region/results.h"
#include "tests/fuzz/fuzzed_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_FUZZED_UNITS = 64, FUZZED_SEED = 7 };

static char *plan_written(const struct region_plan *p, size_t *size_bytes)
{
    char *text;
    FILE *out = xopen_text(&text, size_bytes);
    region_plan_write(p, out);
    xclose_text(out);
    return text;
}

static void check_plan(const struct region_plan *p)
{
    struct region_plan again;
    struct errmsg err;
    size_t size_bytes, size_again;
    char *text = plan_written(p, &size_bytes);
    if (region_plan_read(&again, "written", text, size_bytes, &err) != ST_OK)
        BUG("written and read: %s", err.text);
    char *text_again = plan_written(&again, &size_again);
    if (strcmp(text, text_again) != 0)
        BUG("written and read, and other regions");
    region_plan_release(&again);
    free(text);
    free(text_again);
}

static void fuzz_vectors(const char *text, size_t size)
{
    struct region_vectors v;
    struct errmsg err;
    FILE *in = fmemopen((void *)(uintptr_t)text, size, "r");
    if (in == NULL)
        return;
    enum status st = region_vectors_read(&v, in, "input", 0, FUZZED_SEED, &err);
    fclose(in);
    if (st != ST_OK) {
        check_refusal(&err);
        return;
    }
    if (v.count <= MOST_FUZZED_UNITS) {
        struct region_clusters c = region_cluster_choose(&v, 4, 2, FUZZED_SEED);
        struct region_plan p = region_plan_strata(&v, &c, FUZZED_SEED);
        region_plan_choose(&p, NULL, 8, 2);
        check_plan(&p);
        region_plan_release(&p);
        region_clusters_release(&c);
    }
    region_vectors_release(&v);
}

static void fuzz_points(const char *points, const char *weights)
{
    struct simpoints s;
    struct errmsg err;
    if (simpoints_read(&s, "points", points, "weights", weights, &err) != ST_OK)
        check_refusal(&err);
    else
        simpoints_release(&s);
}

static void fuzz_results(const char *plan, const char *text)
{
    struct region_plan p;
    struct region_results r;
    struct region_samples s;
    struct errmsg err;
    if (region_plan_read(&p, "regions", plan, strlen(plan), &err) != ST_OK) {
        check_refusal(&err);
        return;
    }
    check_plan(&p);
    if (region_results_read(&r, "results", text, &err) != ST_OK) {
        check_refusal(&err);
    } else {
        if (region_samples_of(&s, &p, &r, "results", &err) == ST_OK) {
            const struct region_estimate e = region_estimate(s.sample, s.strata, 1, NULL);
            if (e.has_interval && e.half < 0)
                BUG("an interval of a negative width");
            region_samples_release(&s);
        } else {
            check_refusal(&err);
        }
        region_results_release(&r);
    }
    region_plan_release(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    char *text = xcalloc(size + 1, 1);
    memcpy(text, data + 1, size - 1);
    const char *second = strlen(text) < size - 1 ? text + strlen(text) + 1 : "";
    switch (data[0] % 3) {
    case 0:
        fuzz_vectors(text, size - 1);
        break;
    case 1:
        fuzz_points(text, second);
        break;
    default:
        fuzz_results(text, second);
    }
    free(text);
    return 0;
}
