/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Basic-block vectors, their clusters and the files of regions. Clusters are compared with R's kmeans. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "host/region/plan.h"
#include "host/region/results.h"
#include "tests/unit/suite.h"

static enum status read_text(struct region_vectors *v, const char *text, uint64_t unit, struct errmsg *err)
{
    FILE *in = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    enum status st = region_vectors_read(v, in, "a.bb", unit, 7, err);
    fclose(in);
    return st;
}

/* ---- vectors ---- */

START_TEST(vectors_are_normalised_sums)
{
    struct region_vectors v, w;
    struct errmsg err;
    ck_assert_int_eq(read_text(&v, "# comment\nT:1:30 :2:70\n\nT:2:70:1:30 \nT:1:3 :2:7\n", 0, &err), ST_OK);
    ck_assert_uint_eq(v.count, 3);
    ck_assert_uint_eq(v.instructions, 210);
    ck_assert_uint_eq(v.unit[1].first, 100);
    ck_assert_uint_eq(v.unit[2].insns, 10);
    for (size_t d = 0; d < REGION_DIMENSIONS; d++) {
        ck_assert_double_eq_tol(v.unit[0].point[d], v.unit[1].point[d], 1e-12);
        ck_assert_double_eq_tol(v.unit[0].point[d], v.unit[2].point[d], 1e-12);
        ck_assert_double_le(fabs(v.unit[0].point[d]), 1);
    }
    /* The point of a vector is the mean of the points of its blocks, by their instructions. */
    ck_assert_int_eq(read_text(&w, "T:1:5\nT:2:5", 0, &err), ST_OK);
    for (size_t d = 0; d < REGION_DIMENSIONS; d++)
        ck_assert_double_eq_tol(v.unit[0].point[d], 0.3 * w.unit[0].point[d] + 0.7 * w.unit[1].point[d], 1e-12);
    region_vectors_release(&v);
    region_vectors_release(&w);
}
END_TEST

START_TEST(vectors_are_joined)
{
    struct region_vectors v, w;
    struct errmsg err;
    ck_assert_int_eq(read_text(&v, "T:1:10\nT:2:10\nT:1:10\nT:3:10\nT:3:4\n", 20, &err), ST_OK);
    ck_assert_int_eq(read_text(&w, "T:1:10 :2:10\nT:1:10 :3:10\nT:3:4\n", 0, &err), ST_OK);
    ck_assert_uint_eq(v.count, 3);
    for (size_t i = 0; i < v.count; i++) {
        ck_assert_uint_eq(v.unit[i].first, w.unit[i].first);
        ck_assert_uint_eq(v.unit[i].insns, w.unit[i].insns);
        ck_assert_double_lt(region_distance(v.unit[i].point, w.unit[i].point), 1e-20);
    }
    region_vectors_release(&v);
    region_vectors_release(&w);
}
END_TEST

static const struct {
    const char *text, *message;
    uint64_t unit;
} bad_vectors[] = {
    {"", "a.bb: expected vectors, 'T:BLOCK:COUNT ...', found none", 0},
    {"T:1:2\nX\n", "a.bb:2:1: expected a vector, 'T:BLOCK:COUNT ...', or a comment, '#...', found 'X'", 0},
    {"T:1:2 1:3\n", "a.bb:1:7: expected ':BLOCK:COUNT', found '1:3'", 0},
    {"T:0:2\n", "a.bb:1:4: expected the number of a block, from 1 to 4294967295, found ':2'", 0},
    {"T:4294967296:2\n", "a.bb:1:3: expected the number of a block, from 1 to 4294967295, found '4294967296:2'", 0},
    {"T:1\n", "a.bb:1:4: expected ':' and the block's instructions, found the end of the word", 0},
    {"T:1:x\n", "a.bb:1:5: expected a number of instructions, of which all together fit into 63 bits, found 'x'", 0},
    {"T:1:9223372036854775807\nT:1:1\n",
     "a.bb:2:5: expected a number of instructions, of which all together fit into 63 bits, found '1'", 0},
    {"T:1:0\n", "a.bb:1: expected a vector of instructions, found one without any", 0},
    {"T\n", "a.bb:1: expected a vector of instructions, found one without any", 0},
    {"T:1:10\nT:1:10\n",
     "a.bb:2: expected vectors that make units of 15 instructions, found one of 10 up to instruction 20", 15},
};

START_TEST(refused_vectors)
{
    struct region_vectors v;
    struct errmsg err;
    ck_assert_int_ne(read_text(&v, bad_vectors[_i].text, bad_vectors[_i].unit, &err), ST_OK);
    ck_assert_str_eq(err.text, bad_vectors[_i].message);
}
END_TEST

/* ---- clusters ---- */

/* Speeds and stopping distances of M. Ezekiel, Methods of Correlation Analysis (1930): `cars` of R. */
static const unsigned char cars[][2] = {
    {4, 2},   {4, 10},  {7, 4},   {7, 22},  {8, 16},  {9, 10},  {10, 18}, {10, 26}, {10, 34},  {11, 17},
    {11, 28}, {12, 14}, {12, 20}, {12, 24}, {12, 28}, {13, 26}, {13, 34}, {13, 34}, {13, 46},  {14, 26},
    {14, 36}, {14, 60}, {14, 80}, {15, 20}, {15, 26}, {15, 54}, {16, 32}, {16, 40}, {17, 32},  {17, 40},
    {17, 50}, {18, 42}, {18, 56}, {18, 76}, {18, 84}, {19, 36}, {19, 46}, {19, 68}, {20, 32},  {20, 48},
    {20, 52}, {20, 56}, {20, 64}, {22, 66}, {23, 54}, {24, 70}, {24, 92}, {24, 93}, {24, 120}, {25, 85},
};
enum { CARS = sizeof cars / sizeof cars[0] };

/* kmeans(cars, k, nstart = 200)$tot.withinss of R 4.2.2. */
static const struct {
    size_t k;
    double error;
} cars_clusters[] = {{2, 11071.1597222222}, {3, 5761.38687782805}, {4, 3580.49639249639}};

static struct region_vectors units_of_cars(void)
{
    struct region_vectors v = {.count = CARS, .unit = xcalloc(CARS, sizeof *v.unit), .instructions = 10 * CARS};
    for (size_t i = 0; i < CARS; i++)
        v.unit[i] = (struct region_unit){.first = 10 * i, .insns = 10, .point = {cars[i][0], cars[i][1]}};
    return v;
}

START_TEST(clusters_of_cars)
{
    struct region_vectors v = units_of_cars();
    struct region_clusters c = region_cluster(&v, cars_clusters[_i].k, 50, 1);
    ck_assert_uint_eq(c.k, cars_clusters[_i].k);
    ck_assert_double_eq_tol(c.error, cars_clusters[_i].error, 1e-8);
    size_t units = 0;
    for (size_t k = 0; k < c.k; k++)
        units += c.size[k];
    ck_assert_uint_eq(units, CARS);
    region_clusters_release(&c);
    region_vectors_release(&v);
}
END_TEST

/* `count` units around `centres` points that are far from each other. */
static struct region_vectors units_around(size_t count, size_t centres)
{
    struct region_vectors v = {.count = count, .unit = xcalloc(count, sizeof *v.unit), .instructions = count};
    struct random r = {.state = centres};
    for (size_t i = 0; i < count; i++) {
        v.unit[i] = (struct region_unit){.first = i, .insns = 1};
        for (size_t d = 0; d < REGION_DIMENSIONS; d++)
            v.unit[i].point[d] = 1e-4 * (double)random_below(&r, 1000);
        v.unit[i].point[i % centres] += 1;
    }
    return v;
}

START_TEST(number_of_clusters)
{
    struct region_vectors v = units_around(200, (size_t)_i);
    struct region_clusters c = region_cluster_choose(&v, 12, 5, 3);
    ck_assert_uint_eq(c.k, (size_t)_i);
    for (size_t i = 0; i < v.count; i++)
        ck_assert_uint_eq(c.of[i], c.of[i % (size_t)_i]);
    region_clusters_release(&c);
    region_vectors_release(&v);
}
END_TEST

START_TEST(equal_units_are_one_cluster)
{
    struct region_vectors v = {.count = 5, .unit = xcalloc(5, sizeof *v.unit), .instructions = 5};
    for (size_t i = 0; i < v.count; i++)
        v.unit[i] = (struct region_unit){.first = i, .insns = 1, .point = {1, 2, 3}};
    struct region_clusters c = region_cluster(&v, 4, 3, 1);
    ck_assert_uint_eq(c.k, 1);
    ck_assert_double_eq(c.error, 0);
    region_clusters_release(&c);
    c = region_cluster_choose(&v, 9, 3, 1);
    ck_assert_uint_eq(c.k, 1);
    region_clusters_release(&c);
    region_vectors_release(&v);
}
END_TEST

/* ---- files ---- */

static char *text_of(void (*write)(const struct simpoints *s, FILE *out), const struct simpoints *s)
{
    char *text;
    size_t size_bytes;
    FILE *out = xopen_text(&text, &size_bytes);
    write(s, out);
    xclose_text(out);
    return text;
}

START_TEST(simulation_points)
{
    struct region_vectors v = units_around(90, 3);
    struct region_clusters c = region_cluster(&v, 3, 5, 1);
    struct simpoints s = simpoints_of(&v, &c), again;
    struct errmsg err;
    ck_assert_uint_eq(s.count, 3);
    for (size_t i = 0; i < s.count; i++) {
        ck_assert_double_eq_tol(s.point[i].weight, 1.0 / 3, 1e-12);
        ck_assert_uint_eq(c.of[s.point[i].unit], s.point[i].cluster);
    }
    char *points = text_of(simpoints_write_points, &s), *weights = text_of(simpoints_write_weights, &s);
    ck_assert_int_eq(simpoints_read(&again, "p", points, "w", weights, &err), ST_OK);
    for (size_t i = 0; i < s.count; i++) {
        ck_assert_uint_eq(again.point[i].unit, s.point[i].unit);
        ck_assert_uint_eq(again.point[i].cluster, s.point[i].cluster);
        ck_assert_double_eq_tol(again.point[i].weight, s.point[i].weight, 1e-8);
    }
    free(points);
    free(weights);
    simpoints_release(&s);
    simpoints_release(&again);
    region_clusters_release(&c);
    region_vectors_release(&v);
}
END_TEST

static const struct {
    const char *points, *weights, *message;
} bad_points[] = {
    {"5\n", "", "p:1: expected two numbers, found the end of the line"},
    {"5 0 1\n", "", "p:1: expected the end of the line behind two numbers"},
    {"\n-5 0\n", "", "p:2: expected the number of a unit, found '-5'"},
    {"5 0\n6 0\n", "", "p:2: expected a unit of another cluster: cluster 0 has one"},
    {"5 0\n", "2 0\n", "w:1: expected a weight from 0 to 1, found '2'"},
    {"5 0\n", "nan 0\n", "w:1: expected a weight from 0 to 1, found 'nan'"},
    {"5 0\n", "0.5 1\n", "w:1: expected the weight of a cluster with a unit, found cluster 1"},
    {"5 0\n", "0.5 0\n0.5 0\n", "w:2: expected the weight of a cluster with no weight so far, found cluster 0"},
    {"5 0\n6 1\n", "1 0\n", "w: expected the weight of each cluster, found none of cluster 1"},
    {"5 0\n", "0.5 0\n", "w: expected weights with a sum of 1, found 0.5"},
};

START_TEST(refused_points)
{
    struct simpoints s;
    struct errmsg err;
    ck_assert_int_ne(simpoints_read(&s, "p", bad_points[_i].points, "w", bad_points[_i].weights, &err), ST_OK);
    ck_assert_str_eq(err.text, bad_points[_i].message);
}
END_TEST

static char *plan_text(const struct region_plan *p, size_t *size_bytes)
{
    char *text;
    FILE *out = xopen_text(&text, size_bytes);
    region_plan_write(p, out);
    xclose_text(out);
    return text;
}

START_TEST(plans)
{
    struct region_vectors v = units_around(90, 3);
    struct region_clusters c = region_cluster(&v, 3, 5, 1);
    struct region_plan p = region_plan_strata(&v, &c, 5), again;
    struct errmsg err;
    size_t size_bytes, size_again;
    region_plan_choose(&p, NULL, 12, 2);
    ck_assert_uint_eq(region_plan_chosen(&p), 12);
    double weights = 0;
    for (size_t k = 0; k < p.strata; k++)
        weights += (double)p.stratum[k].chosen * region_plan_weight(&p, k);
    ck_assert_double_eq_tol(weights, 1, 1e-12);
    /* Each unit is a candidate once, of its cluster. */
    bool seen[90] = {false};
    for (size_t k = 0; k < p.strata; k++)
        for (size_t i = 0; i < p.stratum[k].candidates; i++) {
            const uint64_t unit = p.stratum[k].candidate[i].first;
            ck_assert(!seen[unit]);
            seen[unit] = true;
            ck_assert_uint_eq(c.of[unit], k);
        }
    char *text = plan_text(&p, &size_bytes);
    ck_assert_int_eq(region_plan_read(&again, "f", text, size_bytes, &err), ST_OK);
    char *text_again = plan_text(&again, &size_again);
    ck_assert_str_eq(text, text_again);
    /* More units keep those that are chosen. */
    const uint64_t first = again.stratum[0].candidate[0].first;
    region_plan_choose(&again, (const double[]){1, 1, 8}, 30, 2);
    ck_assert_uint_eq(region_plan_chosen(&again), 30);
    ck_assert_uint_eq(again.stratum[0].candidate[0].first, first);
    ck_assert_uint_ge(again.stratum[0].chosen, p.stratum[0].chosen);
    free(text);
    free(text_again);
    region_plan_release(&p);
    region_plan_release(&again);
    region_clusters_release(&c);
    region_vectors_release(&v);
}
END_TEST

#define HEAD "{\"regions_version\": 1, \"method\": \"stratified\", \"unit\": 10, \"units\": 2, \"instructions\": 20, "
static const struct {
    const char *text, *message;
} bad_plans[] = {
    {"{", "f:1:1: expected JSON: string or '}' expected near end of file"},
    {"[]", "f: file.regions_version: expected a whole number, not negative"},
    {"{\"regions_version\": 2}", "f: expected version 1 of a regions file, found 2"},
    {"{\"regions_version\": 1, \"method\": \"x\"}", "f: method: expected \"stratified\" or \"simpoint\""},
    {HEAD "\"seed\": -1}", "f: file.seed: expected a whole number, not negative"},
    {HEAD "\"seed\": 1, \"strata\": [{\"units\": 2}]}",
     "f: strata[0].instructions: expected a whole number, not negative"},
    {HEAD "\"seed\": 1, \"strata\": [{\"units\": 2, \"instructions\": 20, \"chosen\": 2, \"candidates\": [[0, 10]]}]}",
     "f: strata[0]: expected candidates, no more than units, and no more chosen than candidates, found 2, 1 and 2"},
    {HEAD "\"seed\": 1, \"strata\": [{\"units\": 2, \"instructions\": 20, \"chosen\": 1, \"candidates\": [[15, 10]]}]}",
     "f: strata[0].candidates[0]: expected the number of a first instruction and a number of instructions, within the "
     "20 of the run"},
    {HEAD "\"seed\": 1, \"strata\": [{\"units\": 1, \"instructions\": 20, \"chosen\": 1, \"candidates\": [[0, 10]]}]}",
     "f: expected strata that have the 2 units and 20 instructions of the run, found others"},
};

START_TEST(refused_plans)
{
    struct region_plan p;
    struct errmsg err;
    const char *text = bad_plans[_i].text;
    ck_assert_int_ne(region_plan_read(&p, "f", text, strlen(text), &err), ST_OK);
    ck_assert_str_eq(err.text, bad_plans[_i].message);
}
END_TEST

START_TEST(results)
{
    struct region_results r;
    struct errmsg err;
    ck_assert_int_eq(region_results_read(&r, "r", "# first cycles instructions\n20 7 5\n\n10\t9.5 5 \n", &err), ST_OK);
    ck_assert_uint_eq(r.count, 2);
    ck_assert(r.has_counts);
    ck_assert_uint_eq(r.result[0].first, 10);
    ck_assert_double_eq(region_results_find(&r, 20)->value, 7);
    ck_assert_ptr_null(region_results_find(&r, 15));
    region_results_release(&r);
}
END_TEST

static const struct {
    const char *text, *message;
} bad_results[] = {
    {"x 1\n", "r:1: expected the number of a unit's first instruction, and its value"},
    {"5\n", "r:1: expected the number of a unit's first instruction, and its value"},
    {"5 -1\n", "r:1: expected a number, not negative, found '-1'"},
    {"5 \n6 1\n", "r:1: expected a number, not negative, found ''"},
    {"5 inf\n", "r:1: expected a number, not negative, found 'inf'"},
    {"5 1 0\n", "r:1: expected FIRST MEAN, or FIRST COUNT INSTRUCTIONS"},
    {"5 1 2 3\n", "r:1: expected FIRST MEAN, or FIRST COUNT INSTRUCTIONS"},
    {"5 1\n6 1 2\n", "r:2: expected a mean alone, as on the lines before"},
    {"5 1\n5 2\n", "r: expected one result of each unit, found two of that at 5"},
};

START_TEST(refused_results)
{
    struct region_results r;
    struct errmsg err;
    ck_assert_int_ne(region_results_read(&r, "r", bad_results[_i].text, &err), ST_OK);
    ck_assert_str_eq(err.text, bad_results[_i].message);
}
END_TEST

#define ROWS(table) (int)(sizeof(table) / sizeof(table)[0])

int main(void)
{
    Suite *s = suite_create("region");
    TCase *t = tcase_create("vectors");
    tcase_add_test(t, vectors_are_normalised_sums);
    tcase_add_test(t, vectors_are_joined);
    tcase_add_loop_test(t, refused_vectors, 0, ROWS(bad_vectors));
    suite_add_tcase(s, t);
    t = tcase_create("clusters");
    tcase_add_loop_test(t, clusters_of_cars, 0, ROWS(cars_clusters));
    tcase_add_loop_test(t, number_of_clusters, 1, 7);
    tcase_add_test(t, equal_units_are_one_cluster);
    suite_add_tcase(s, t);
    t = tcase_create("files");
    tcase_add_test(t, simulation_points);
    tcase_add_loop_test(t, refused_points, 0, ROWS(bad_points));
    tcase_add_test(t, plans);
    tcase_add_loop_test(t, refused_plans, 0, ROWS(bad_plans));
    tcase_add_test(t, results);
    tcase_add_loop_test(t, refused_results, 0, ROWS(bad_results));
    suite_add_tcase(s, t);
    return run_suite(s);
}
