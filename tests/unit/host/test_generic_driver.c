/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The generic driver against a fake bus: which slots are read, how they merge, how tables are sorted, how it starts
 * anew. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "host/driver/driver.h"
#include "tests/unit/fake_host.h"
#include "tests/unit/rendered.h"

/* Last: it defines the word fail. */
#include "tests/unit/suite.h"

static struct fake *fake;
static struct image image;
static struct driver *driver;

/* edges[8] at row 8 with a pc key {to: pc, taken: count, worst: max, best: min}, and bins[4] at row 0 without key or
 * identity. */
static void make_image(void)
{
    image_init(&image);
    snprintf(image.name, IMAGE_NAME, "edge");
    image.cam_entries = image.data_rows = 16;
    image.words = 4;
    image.base[1] = 8;
    image.layouts = 2;
    struct image_layout *l = &image.layout[0];
    fake_init_layout(l, "edges", 8);
    l->base = 1;
    l->key = FORMAT_PC;
    fake_add_member(l, "to", LANE_W0, FORMAT_PC);
    fake_add_member(l, "taken", LANE_H2, FORMAT_COUNT);
    fake_add_member(l, "worst", LANE_B6, FORMAT_MAX);
    fake_add_member(l, "best", LANE_B7, FORMAT_MIN);
    l = &image.layout[1];
    fake_init_layout(l, "bins", 4);
    fake_add_member(l, "n", LANE_D, FORMAT_COUNT);
}

static void setup(void)
{
    fake = fake_new(16, 16);
    make_image();
    const struct driver_env env = {.bus = &fake->bus, .image = &image};
    ck_assert_int_eq(driver_new(&driver, &env, NULL), ST_OK);
    fake_mark(fake);
}

static void teardown(void)
{
    driver_free(driver);
    free(fake);
}

static void put_edge(unsigned i, uint32_t from, uint32_t to, unsigned taken, unsigned worst, unsigned best, bool valid)
{
    fake_put_slot(fake, 8 + i, from, to | (uint64_t)taken << 32 | (uint64_t)worst << 48 | (uint64_t)best << 56, valid);
}

static void fill_and_stop(void)
{
    put_edge(0, 0x100, 0x200, 10, 5, 3, true);
    put_edge(1, 0x100, 0x200, 20, 2, 2, false); /* the same edge, turned off since */
    put_edge(2, 0x100, 0x300, 50, 9, 9, true);  /* another one: to differs */
    put_edge(7, 0x500, 0, 0, 0, 0, true);       /* no row, but valid */
    *fake_at(fake, BUS_DATA + 8 * 2) = 1000;    /* a bin */
    *fake_at(fake, BUS_INDEXES) = 99;
    fake_stop(fake, 3, 100);
    driver_interrupt(driver, 1000, 1000);
}

static struct report *new_report(void)
{
    struct report *r = report_new();
    struct program_profile *p = driver_profile(driver);
    driver_report(driver, p, &(struct run_facts){.guest = "guest"}, r);
    program_profile_free(p);
    return r;
}

static json_t *report_json(void) { return rendered_json(new_report()); }

static char *text_form(unsigned top)
{
    struct report *r = new_report();
    char *text = rendered(r, REPORT_AS_text, &(struct report_view){.top = top});
    report_free(r);
    return text;
}

static const json_t *row_of(const json_t *j, unsigned layout, unsigned row)
{
    return json_array_get(json_object_get(json_array_get(json_object_get(j, "layouts"), layout), "rows"), row);
}

static json_int_t member(const json_t *row, const char *name)
{
    const json_t *n = json_object_get(json_object_get(row, "members"), name);
    ck_assert_msg(json_is_integer(n), "%s", name);
    return json_integer_value(n);
}

START_TEST(starts_anew)
{
    fill_and_stop();
    uint64_t command = 0;
    ck_assert_uint_eq(fake_written(fake, BUS_COMMAND, 8, &command), 1);
    ck_assert_uint_eq(command, BUS_INVALIDATE_ALL | BUS_CLEAR_ALL | BUS_RESTART);
    ck_assert_uint_eq(fake->writes, 3);
    ck_assert_uint_eq(*fake_at(fake, BUS_INDEXES), 0);
    /* status; samples processed and dropped; 8 rows, 3 words of keys, 1 word of valid bits; 4 bins, whose entries are
     * not used */
    ck_assert_uint_eq(fake->reads, 1 + 2 + 8 + 3 + 1 + 4);
}
END_TEST

START_TEST(merges_by_identity)
{
    fill_and_stop();
    put_edge(5, 0x100, 0x200, 4, 1, 1, true);
    *fake_at(fake, BUS_DATA + 8 * 2) = 1;
    *fake_at(fake, BUS_DATA + 8 * 3) = 2;
    driver_finish(driver, 2000);
    json_t *j = report_json();
    ck_assert_str_eq(json_string_value(json_object_get(json_array_get(json_object_get(j, "layouts"), 0), "name")),
                     "edges");
    const json_t *first = row_of(j, 0, 0), *second = row_of(j, 0, 1), *third = row_of(j, 0, 2);
    ck_assert_int_eq(member(first, "taken"), 50);
    ck_assert_int_eq(member(second, "taken"), 34);
    ck_assert_int_eq(member(second, "worst"), 5);
    ck_assert_int_eq(member(second, "best"), 1);
    ck_assert_str_eq(json_string_value(json_object_get(json_object_get(second, "key"), "pc")), "0x200");
    ck_assert_str_eq(
        json_string_value(json_object_get(json_object_get(json_object_get(second, "members"), "to"), "pc")), "0x400");
    ck_assert_int_eq(member(third, "taken"), 0);
    ck_assert_ptr_null(row_of(j, 0, 3));
    ck_assert_int_eq(json_integer_value(json_object_get(row_of(j, 1, 0), "slot")), 2);
    ck_assert_int_eq(member(row_of(j, 1, 0), "n"), 1001);
    ck_assert_int_eq(member(row_of(j, 1, 1), "n"), 2);
    json_decref(j);
}
END_TEST

START_TEST(prints_tables)
{
    fill_and_stop();
    char *text = text_form(2);
    ck_assert_msg(strstr(text, "exact counts             not known: no .slot") != NULL, "%s", text);
    ck_assert_msg(strstr(text, "edges: by the largest count, 2 of 3\n"
                               "key    to     taken  worst  best\n"
                               "0x200  0x600     50      9     9\n"
                               "0x200  0x400     30      5     2\n") != NULL,
                  "%s", text);
    ck_assert_msg(strstr(text, "bins: by the largest count, 1 of 1\n"
                               "slot      n\n"
                               "   2  1,000\n") != NULL,
                  "%s", text);
    free(text);
}
END_TEST

static size_t copy_rows(const struct exact_row *rows, size_t n, struct exact_row **copy)
{
    *copy = xmalloc(n * sizeof **copy);
    memcpy(*copy, rows, n * sizeof **copy);
    return n;
}

/* {pc}, {taken, untaken}: of the branch at 0x200 the profile has a row, of that at 0x400 it has none, and 0xa00
 * never retired. */
static size_t branch_rows(void *ctx, struct exact_row **rows)
{
    static const struct exact_row branches[] = {{{0x200}, {30, 10}}, {{0x400}, {0, 10}}};
    (void)ctx;
    return copy_rows(branches, sizeof branches / sizeof branches[0], rows);
}

/* The slots are those of the reference `branches`. */
static struct image_layout *lay_out_branches(void)
{
    struct image_layout *l = &image.layout[0];
    driver_free(driver);
    image.layouts = 1;
    fake_init_layout(l, "edges", 8);
    l->base = 1;
    l->key = FORMAT_PC;
    l->exact = EXACT_BRANCHES;
    l->key_exact = EXACT_KEY_BRANCHES_PC;
    return l;
}

static void add_exact_member(struct image_layout *l, const char *name, unsigned lane, unsigned count)
{
    fake_add_member(l, name, lane, FORMAT_COUNT);
    l->member[l->members - 1].exact = (uint8_t)count;
}

static void make_exact_driver(size_t (*rows)(void *ctx, struct exact_row **rows))
{
    struct driver_env env = {.bus = &fake->bus, .image = &image};
    env.exact[EXACT_BRANCHES] = (struct exact_source){.reference = EXACT_BRANCHES, .rows = rows};
    ck_assert_int_eq(driver_new(&driver, &env, NULL), ST_OK);
}

/* Samples so far, none in the buffer. */
static void put_samples(uint64_t processed, uint64_t dropped)
{
    *fake_at(fake, BUS_PROCESSED) = processed;
    *fake_at(fake, BUS_DROPPED) = dropped;
    *fake_at(fake, BUS_DELIVERED) = processed + dropped;
}

/* edges {yes: taken, no: untaken}, of whose samples one in three was dropped. */
static void count_events(void)
{
    struct image_layout *l = lay_out_branches();
    add_exact_member(l, "yes", LANE_W0, EXACT_BRANCHES_TAKEN);
    add_exact_member(l, "no", LANE_H2, EXACT_BRANCHES_UNTAKEN);
    make_exact_driver(branch_rows);
    put_samples(40, 20);
    put_edge(0, 0x100, 15, 20, 0, 0, true);
    put_edge(1, 0x500, 0, 1, 0, 0, true);
    driver_finish(driver, 2000);
}

/* {pc}, {retired, l1miss}: of two loads that miss, the profile has one. */
static size_t load_rows(void *ctx, struct exact_row **rows)
{
    static const struct exact_row loads[] = {{{0x200}, {100, 30}}, {{0x400}, {50, 10}}, {{0xa00}, {9, 0}}};
    (void)ctx;
    return copy_rows(loads, sizeof loads / sizeof loads[0], rows);
}

/* edges {missed: l1miss}: no member counts in the unit of the reference's first count. */
static void count_misses(uint8_t exact)
{
    struct image_layout *l = lay_out_branches();
    struct driver_env env = {.bus = &fake->bus, .image = &image};
    l->exact = EXACT_INSTRUCTIONS;
    l->key_exact = EXACT_KEY_INSTRUCTIONS_PC;
    add_exact_member(l, "missed", LANE_W0, exact);
    env.exact[EXACT_INSTRUCTIONS] = (struct exact_source){.reference = EXACT_INSTRUCTIONS, .rows = load_rows};
    ck_assert_int_eq(driver_new(&driver, &env, NULL), ST_OK);
    put_samples(40, 0);
    put_edge(0, 0x100, 24, 0, 0, 0, true);
    put_edge(1, 0x500, 6, 0, 0, 0, true);
    driver_finish(driver, 2000);
}

static double real_of(const json_t *j, const char *name) { return json_number_value(json_object_get(j, name)); }

START_TEST(beside_the_exact_counts)
{
    count_events();
    json_t *j = report_json();
    const json_t *score = json_object_get(json_array_get(json_object_get(j, "layouts"), 0), "score"),
                 *row = row_of(j, 0, 0);
    ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(row, "exact"), "yes")), 30);
    ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(row, "exact"), "no")), 10);
    ck_assert_double_eq(real_of(json_object_get(row, "estimated"), "yes"), 22.5);
    ck_assert_double_eq(real_of(json_object_get(row, "estimated"), "no"), 30);
    ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(row_of(j, 0, 1), "exact"), "no")), 0);
    ck_assert_int_eq(json_integer_value(json_object_get(score, "exact_rows")), 2);
    ck_assert_int_eq(json_integer_value(json_object_get(score, "rows_profiled")), 1);
    ck_assert_int_eq(json_integer_value(json_object_get(score, "rows_false")), 1);
    ck_assert_int_eq(json_integer_value(json_object_get(score, "exact_events")), 50);
    ck_assert_double_eq(real_of(score, "profiled_share"), 40. / 50);
    ck_assert_double_eq(real_of(json_array_get(json_object_get(j, "layouts"), 0), "scale"), 1.5);
    /* of 36 counted and 50 exact: 15 / 36 and 30 / 50 taken, 20 / 36 and 10 / 50 not */
    ck_assert_double_eq_tol(real_of(score, "error"), 1 - 15. / 36 - 10. / 50, 1e-12);
    /* All that is taken stands at the first branch, as it should; of what is not, 20 of 21, and 10 of 20 should. */
    const json_t *counts = json_object_get(score, "counts");
    ck_assert_double_eq_tol(real_of(json_array_get(counts, 0), "error"), 0, 1e-12);
    ck_assert_double_eq_tol(real_of(json_array_get(counts, 1), "error"), 1 - 10. / 20, 1e-12);
    ck_assert_double_eq_tol(real_of(json_array_get(counts, 1), "estimated"), 31.5, 1e-12);
    json_decref(j);
}
END_TEST

/* The same as data; the report has what the profile has. */
START_TEST(profile_is_what_is_reported)
{
    count_events();
    struct program_profile *p = driver_profile(driver);
    struct program_table *t = &p->table[0];
    ck_assert(p->tables == 1 && t->rows == 2 && t->members == 2 && t->is_scaled && !p->has_paths);
    ck_assert(program_table_is_by_pc(t) && t->row[0].key == 0x200 && t->row[1].key == 0xa00);
    ck_assert(t->row[0].number[0].held == 15 && t->row[0].number[0].exact == 30);
    ck_assert_double_eq(t->row[0].number[0].estimate, 22.5);
    ck_assert(t->member[1].exact == 20 && t->row[0].number[1].exact == 10 && t->row[1].number[1].exact == 0);
    ck_assert_double_eq_tol(t->member[1].estimated, 31.5, 1e-12);
    ck_assert_double_eq_tol(t->row[0].error, (22.5 + 30 - 40) / 40, 1e-12);
    ck_assert(isnan(t->row[1].error) && t->score.rows == 2 && t->score.events == 50);
    t->row[0].number[0].estimate = 77;
    struct report *r = report_new();
    driver_report(driver, p, &(struct run_facts){.guest = "guest"}, r);
    program_profile_free(p);
    json_t *j = rendered_json(r);
    ck_assert_double_eq(real_of(json_object_get(row_of(j, 0, 0), "estimated"), "yes"), 77);
    json_decref(j);
}
END_TEST

/* Windows of 8 samples: events at a mean distance of 2 are inside with probability 6 / 8, of neighbours 7 / 8. */
static void count_in_windows(unsigned span_format)
{
    struct image_layout *l = lay_out_branches();
    image.gate = 2;
    image.window = 1;
    image.index_width[1] = 3;
    add_exact_member(l, "yes", LANE_W0, EXACT_BRANCHES_TAKEN);
    fake_add_member(l, "apart", LANE_H2, span_format);
    make_exact_driver(branch_rows);
    put_samples(40, 40);
    put_edge(0, 0x100, 15, 30, 0, 0, true);
    driver_finish(driver, 2000);
}

START_TEST(corrected_for_windows)
{
    count_in_windows(FORMAT_SPAN);
    json_t *j = report_json(), *layout = json_array_get(json_object_get(j, "layouts"), 0);
    ck_assert_double_eq_tol(real_of(json_object_get(row_of(j, 0, 0), "estimated"), "yes"), 15 * 2 * 8. / 6, 1e-12);
    ck_assert_double_eq_tol(real_of(json_object_get(row_of(j, 0, 0), "estimated"), "apart"), 30 * 2 * 8. / 6, 1e-12);
    ck_assert_int_eq(json_integer_value(json_object_get(layout, "window")), 8);
    const json_t *score = json_object_get(layout, "score");
    ck_assert_int_eq(json_integer_value(json_object_get(score, "events_seen")), 15);
    ck_assert_double_eq_tol(real_of(score, "seen_share"), 15. / 30, 1e-12);
    json_decref(j);
}
END_TEST

START_TEST(windows_of_neighbours)
{
    count_in_windows(FORMAT_COUNT);
    json_t *j = report_json();
    ck_assert_double_eq_tol(real_of(json_object_get(row_of(j, 0, 0), "estimated"), "yes"), 15 * 2 * 8. / 7, 1e-12);
    ck_assert(json_is_null(json_object_get(row_of(j, 0, 0), "interval")) ||
              json_object_get(row_of(j, 0, 0), "interval") == NULL);
    json_decref(j);
}
END_TEST

/* Between the reads a sample stands for 2 and for 4 events: 10 counts of either are 60. The variance is that of one
 * event selected of 10 / 3: the squares, 10 * 4 + 10 * 16, divided by 60. */
START_TEST(intervals_of_single_samples)
{
    struct image_layout *l = lay_out_branches();
    image.gate = 2;
    add_exact_member(l, "yes", LANE_W0, EXACT_BRANCHES_TAKEN);
    make_exact_driver(branch_rows);
    put_samples(40, 40);
    put_edge(0, 0x100, 10, 0, 0, 0, true);
    fake_stop(fake, 3, 40);
    driver_interrupt(driver, 1000, 1000);
    put_samples(50, 70);
    put_edge(0, 0x100, 10, 0, 0, 0, true);
    driver_finish(driver, 2000);
    struct program_profile *p = driver_profile(driver);
    const struct interval expected = interval_of_thinned_found(60 / (200. / 60), 200. / 60);
    const struct program_number *n = &p->table[0].row[0].number[0];
    ck_assert_double_eq_tol(n->estimate, 60, 1e-12);
    ck_assert(n->interval.is_known);
    ck_assert_double_eq_tol(n->interval.low, expected.low, 1e-9);
    ck_assert_double_eq_tol(n->interval.high, expected.high, 1e-9);
    program_profile_free(p);
}
END_TEST

START_TEST(scored_without_the_first_count)
{
    count_misses(EXACT_INSTRUCTIONS_L1MISS);
    json_t *j = report_json();
    const json_t *score = json_object_get(json_array_get(json_object_get(j, "layouts"), 0), "score");
    ck_assert_int_eq(json_integer_value(json_object_get(score, "exact_rows")), 2);
    ck_assert_int_eq(json_integer_value(json_object_get(score, "rows_profiled")), 1);
    ck_assert_int_eq(json_integer_value(json_object_get(score, "rows_false")), 1);
    ck_assert_int_eq(json_integer_value(json_object_get(score, "exact_events")), 40);
    ck_assert_double_eq(real_of(score, "profiled_share"), 30. / 40);
    ck_assert_double_eq_tol(real_of(score, "error"), 1 - 30. / 40, 1e-12);
    ck_assert_double_eq_tol(real_of(row_of(j, 0, 0), "error"), -6. / 30, 1e-12);
    json_decref(j);
    char *text = text_form(0);
    ck_assert_msg(strstr(text, "exact events                          40\n") != NULL, "%s", text);
    free(text);
}
END_TEST

/* A reference of which no count is named scores nothing. */
START_TEST(no_score_without_a_count)
{
    count_misses(EXACT_NONE);
    json_t *j = report_json();
    ck_assert(json_is_null(json_object_get(json_array_get(json_object_get(j, "layouts"), 0), "score")));
    json_decref(j);
    char *text = text_form(0);
    ck_assert_ptr_null(strstr(text, "exact rows"));
    free(text);
}
END_TEST

/* The full counts of a program that increments `taken`, of 16 bits, with this condition. Twice one slot is full; the 8
 * bits of `worst`, of another format, do not count. */
static json_int_t saturated_with(uint8_t cond, char **text)
{
    driver_free(driver);
    image.word[1] = isa_encode(&(struct uop){.data = DATA_INC, .base = 1, .lane = LANE_H2, .cond = cond});
    const struct driver_env env = {.bus = &fake->bus, .image = &image};
    ck_assert_int_eq(driver_new(&driver, &env, NULL), ST_OK);
    put_edge(0, 0x100, 0x200, UINT16_MAX, UINT8_MAX, 3, true);
    put_edge(1, 0x100, 0x300, UINT16_MAX - 1, 2, 2, true);
    fake_stop(fake, 3, 100);
    driver_interrupt(driver, 1000, 1000);
    put_edge(0, 0x100, 0x200, UINT16_MAX, 0, 3, true);
    driver_finish(driver, 2000);
    json_t *j = report_json();
    const json_t *layouts = json_object_get(j, "layouts");
    const json_int_t edges = json_integer_value(json_object_get(json_array_get(layouts, 0), "saturated"));
    ck_assert_int_eq(json_integer_value(json_object_get(json_array_get(layouts, 1), "saturated")), 0);
    json_decref(j);
    *text = text_form(0);
    return edges;
}

START_TEST(saturated_counts_are_named)
{
    static const char note[] = "Counts as large as their members can hold, which may be too low: 2.";
    char *text;
    ck_assert_int_eq(saturated_with(COND_EMPTY, &text), 2);
    ck_assert_ptr_nonnull(strstr(text, note));
    free(text);
}
END_TEST

START_TEST(program_that_tests_its_counts)
{
    char *text;
    ck_assert_int_eq(saturated_with(COND_FULL, &text), 0);
    ck_assert_ptr_null(strstr(text, "may be too low"));
    free(text);
}
END_TEST

/* A program with a word that reads the field counts the dropped samples itself: its counts are the estimates. */
START_TEST(program_that_counts_dropped)
{
    image.field[image.fields++] = FIELD_WEIGHT;
    image.word[1] = isa_encode(&(struct uop){.alu = ALU_MOV, .b = BSRC_FIELD, .vsrc = VSRC_ALU});
    count_events();
    json_t *j = report_json();
    const json_t *layout = json_array_get(json_object_get(j, "layouts"), 0), *row = row_of(j, 0, 0);
    ck_assert_double_eq(real_of(layout, "scale"), 1);
    ck_assert(json_is_true(json_object_get(layout, "counts_dropped")));
    ck_assert_double_eq(real_of(json_object_get(row, "estimated"), "yes"), 15);
    /* 2 in 3 samples were kept, so the sum of the weights of N events has the variance N (2 * 3 / 2 - 2) = N */
    const json_t *bounds = json_object_get(json_object_get(row, "interval"), "yes");
    double low = json_number_value(json_array_get(bounds, 0)), high = json_number_value(json_array_get(bounds, 1));
    ck_assert_double_eq_tol(low + 1.959963984540054 * sqrt(low), 15, 1e-9);
    ck_assert_double_eq_tol(high - 1.959963984540054 * sqrt(high), 15, 1e-9);
    json_decref(j);
}
END_TEST

/* A record can have the field although no word reads it: the counts are then those of samples, and are scaled. */
START_TEST(program_with_weight_unread)
{
    image.field[image.fields++] = FIELD_WEIGHT;
    count_events();
    json_t *j = report_json();
    const json_t *layout = json_array_get(json_object_get(j, "layouts"), 0);
    ck_assert_double_ne(real_of(layout, "scale"), 1);
    ck_assert(json_is_false(json_object_get(layout, "counts_dropped")));
    json_decref(j);
}
END_TEST

static void read_slots(uint64_t processed, uint64_t dropped)
{
    put_samples(processed, dropped);
    fake_stop(fake, 3, processed);
    driver_interrupt(driver, 1000, 1000);
}

static double estimated(const json_t *j, unsigned row, const char *name)
{
    return real_of(json_object_get(row_of(j, 0, row), "estimated"), name);
}

/* {pc}, {taken}: by branch, what came in each of the three intervals of `scales_each_interval` */
static size_t burst_rows(void *ctx, struct exact_row **rows)
{
    static const struct exact_row branches[] = {{{0x200}, {30 + 90 + 10}}, {{0x400}, {0 + 0 + 390}}};
    (void)ctx;
    return copy_rows(branches, sizeof branches / sizeof branches[0], rows);
}

/* Of the 30 samples of the first interval none is dropped, of the 90 of the second two in three, of the 400 of the
 * third none. The true counts are 130 and 390. One factor for the run, 520 / 460, would give 79 and 441. */
START_TEST(scales_each_interval)
{
    add_exact_member(lay_out_branches(), "all", LANE_W0, EXACT_BRANCHES_TAKEN);
    make_exact_driver(burst_rows);
    put_edge(0, 0x100, 30, 0, 0, 0, true);
    read_slots(30, 0);
    put_edge(0, 0x100, 30, 0, 0, 0, true);
    read_slots(60, 60);
    put_edge(0, 0x100, 10, 0, 0, 0, true);
    put_edge(1, 0x200, 390, 0, 0, 0, true);
    put_samples(460, 60);
    driver_finish(driver, 2000);
    json_t *j = report_json();
    ck_assert_double_eq_tol(estimated(j, 0, "all"), 390, 1e-9);
    ck_assert_double_eq_tol(estimated(j, 1, "all"), 130, 1e-9);
    ck_assert_int_eq(member(row_of(j, 0, 0), "all"), 390);
    ck_assert_int_eq(member(row_of(j, 0, 1), "all"), 70);
    const json_t *layout = json_array_get(json_object_get(j, "layouts"), 0);
    ck_assert_double_eq_tol(real_of(layout, "scale"), 520. / 460, 1e-9);
    ck_assert(json_is_false(json_object_get(layout, "counts_dropped")));
    /* Where in an interval samples were dropped is not known, so there is no interval of confidence. */
    ck_assert_ptr_null(json_object_get(row_of(j, 0, 0), "interval"));
    json_decref(j);
}
END_TEST

/* A row with the lower raw count and the higher estimate comes first. */
START_TEST(sorted_by_estimate)
{
    add_exact_member(lay_out_branches(), "all", LANE_W0, EXACT_BRANCHES_TAKEN);
    make_exact_driver(burst_rows);
    put_edge(0, 0x100, 40, 0, 0, 0, true);
    read_slots(40, 0);
    put_edge(0, 0x200, 30, 0, 0, 0, true);
    put_samples(70, 60);
    driver_finish(driver, 2000);
    json_t *j = report_json();
    ck_assert_int_eq(member(row_of(j, 0, 0), "all"), 30);
    ck_assert_double_eq_tol(estimated(j, 0, "all"), 90, 1e-9);
    ck_assert_int_eq(member(row_of(j, 0, 1), "all"), 40);
    ck_assert_double_eq_tol(estimated(j, 1, "all"), 40, 1e-9);
    json_decref(j);
}
END_TEST

/* A member's name means the column that the text form shows: the estimates, not the raw counts. */
START_TEST(sorted_by_what_is_shown)
{
    struct errmsg err;
    add_exact_member(lay_out_branches(), "all", LANE_W0, EXACT_BRANCHES_TAKEN);
    make_exact_driver(burst_rows);
    put_edge(0, 0x100, 40, 0, 0, 0, true);
    read_slots(40, 0);
    put_edge(0, 0x200, 30, 0, 0, 0, true);
    put_samples(70, 60);
    driver_finish(driver, 2000);
    static const struct {
        const char *sort;
        int first; /* raw count of the first row */
    } sorts[] = {{"all", 30}, {"estimated.all", 30}, {"members.all", 40}, {"all:up", 40}};
    for (unsigned i = 0; i < sizeof sorts / sizeof sorts[0]; i++) {
        struct report *r = new_report();
        ck_assert_int_eq(report_sort(r, sorts[i].sort, &err), ST_OK);
        json_t *j = rendered_json(r);
        ck_assert_msg(member(row_of(j, 0, 0), "all") == sorts[i].first, "%s", sorts[i].sort);
        json_decref(j);
    }
}
END_TEST

/* Selections that found no free registers are in the scale, and a warning names the remedy. */
START_TEST(lost_selections)
{
    static const struct sampler_selections counted = {.selected = 80, .lost = 20};
    image.sampler = (struct sampler_setup){.sampler = SAMPLER_PROFILEME, .given = 1, .option = {30}};
    add_exact_member(lay_out_branches(), "all", LANE_W0, EXACT_BRANCHES_TAKEN);
    struct driver_env env = {.bus = &fake->bus, .image = &image, .selections = &counted};
    env.exact[EXACT_BRANCHES] = (struct exact_source){.reference = EXACT_BRANCHES, .rows = branch_rows};
    ck_assert_int_eq(driver_new(&driver, &env, NULL), ST_OK);
    put_samples(60, 0);
    put_edge(0, 0x100, 60, 0, 0, 0, true);
    driver_finish(driver, 2000);
    json_t *j = report_json();
    ck_assert_double_eq_tol(estimated(j, 0, "all"), 60. * 30 * 80 / 60, 1e-9);
    json_decref(j);
    char *text = text_form(0);
    ck_assert_msg(strstr(text, "Warning: 25.0 % of the selections") != NULL, "%s", text);
    ck_assert_ptr_nonnull(strstr(text, "--sampler NAME:period=N"));
    free(text);
}
END_TEST

/* Samples dropped while none is processed count with the next that are. */
START_TEST(nothing_processed_between_reads)
{
    add_exact_member(lay_out_branches(), "all", LANE_W0, EXACT_BRANCHES_TAKEN);
    make_exact_driver(burst_rows);
    read_slots(0, 50);
    put_edge(0, 0x100, 25, 0, 0, 0, true);
    put_samples(25, 50);
    driver_finish(driver, 2000);
    json_t *j = report_json();
    ck_assert_double_eq_tol(estimated(j, 0, "all"), 75, 1e-9);
    json_decref(j);
}
END_TEST

/* The report of a row with so many samples, taken every 10th cycle, and of so many that were dropped. */
static json_t *sampled_report(unsigned samples, unsigned dropped)
{
    struct sampler_setup setup = {.sampler = SAMPLER_TIP, .given = 1u << SAMPLER_TIP_PERIOD};
    setup.option[SAMPLER_TIP_PERIOD] = 10;
    image_set_sampler(&image, &setup);
    add_exact_member(lay_out_branches(), "all", LANE_W0, EXACT_BRANCHES_TAKEN);
    make_exact_driver(burst_rows);
    put_edge(0, 0x100, samples, 0, 0, 0, true);
    put_samples(samples, dropped);
    driver_finish(driver, 2000);
    return report_json();
}

/* Each of 64 samples taken every 10th cycle, of which as many again were dropped, stands for 20 cycles. */
START_TEST(sampled_and_dropped)
{
    json_t *j = sampled_report(64, 64);
    ck_assert_double_eq_tol(estimated(j, 0, "all"), 1280, 1e-9);
    const json_t *bounds = json_object_get(json_object_get(row_of(j, 0, 0), "interval"), "all");
    double low = json_number_value(json_array_get(bounds, 0));
    /* N events, each counted as 20 with the probability 1 / 20: the variance N (20 - 1) */
    ck_assert_double_eq_tol(low + 1.959963984540054 * sqrt(low * 19), 1280, 1e-9);
    json_decref(j);
}
END_TEST

/* A row with one such sample is reported because of it, which says nothing of its number of events. */
START_TEST(sampled_once)
{
    json_t *j = sampled_report(1, 0);
    ck_assert_double_eq_tol(estimated(j, 0, "all"), 10, 1e-9);
    ck_assert_ptr_null(json_object_get(json_object_get(row_of(j, 0, 0), "interval"), "all"));
    json_decref(j);
}
END_TEST

static const struct exact_row four[] = {{{0x200}, {13}}, {{0x400}, {21}}, {{0x600}, {21}}, {{0x800}, {21}}};

static size_t four_rows(void *ctx, struct exact_row **rows)
{
    (void)ctx;
    return copy_rows(four, sizeof four / sizeof four[0], rows);
}

/* 13/76 + 3 * 21/76 is above 1 by a rounding error. */
START_TEST(no_error_is_below_0)
{
    add_exact_member(lay_out_branches(), "all", LANE_W0, EXACT_BRANCHES_TAKEN);
    make_exact_driver(four_rows);
    *fake_at(fake, BUS_DELIVERED) = 76;
    for (unsigned i = 0; i < 4; i++)
        put_edge(i, (uint32_t)four[i].key[0] / 2, (uint32_t)four[i].count[0], 0, 0, 0, true);
    driver_finish(driver, 2000);
    json_t *j = report_json();
    double error = real_of(json_object_get(json_array_get(json_object_get(j, "layouts"), 0), "score"), "error");
    ck_assert_msg(error == 0 && !signbit(error), "%g", error);
    json_decref(j);
}
END_TEST

START_TEST(prints_exact_counts)
{
    count_events();
    char *text = text_form(0);
    ck_assert_msg(strstr(text, "exact rows                             2\n"
                               "  profiled                             1\n"
                               "  false positives                      1\n"
                               "exact events                          50\n"
                               "  of profiled rows                 80.00 %\n"
                               "events misplaced                   38.33 %\n") != NULL,
                  "%s", text);
    ck_assert_msg(strstr(text, "key    yes  exact  no  exact  error %\n"
                               "0x200   23     30  30     10    +31.2\n"
                               "0xa00    0      0   2      0        -\n") != NULL,
                  "%s", text);
    ck_assert_ptr_null(strstr(text, "not known"));
    free(text);
}
END_TEST

/* A key of the format pcx is taken apart: pc32 0x100 with 0x200 in the first member. */
START_TEST(key_with_a_member)
{
    driver_free(driver);
    image.layouts = 1;
    image.layout[0].key = FORMAT_PCX;
    const struct driver_env env = {.bus = &fake->bus, .image = &image};
    ck_assert_int_eq(driver_new(&driver, &env, NULL), ST_OK);
    put_edge(0, 0x100 ^ 0x200, 0x200, 7, 0, 0, true);
    put_edge(1, 0x100 ^ 0x300, 0x300, 9, 0, 0, true);
    driver_finish(driver, 2000);
    char *text = text_form(0);
    ck_assert_msg(strstr(text, "0x200  0x600      9") != NULL && strstr(text, "0x200  0x400      7") != NULL, "%s",
                  text);
    free(text);
}
END_TEST

/* A first member of 8 bits stands in bits 31:24 of the key: pc32 0x100 with 0x12 in it. */
START_TEST(key_with_a_narrow_member)
{
    driver_free(driver);
    image.layouts = 1;
    image.layout[0].key = FORMAT_PCX;
    image.layout[0].member[0].lane = LANE_B0;
    const struct driver_env env = {.bus = &fake->bus, .image = &image};
    ck_assert_int_eq(driver_new(&driver, &env, NULL), ST_OK);
    put_edge(0, 0x12000100, 0x12, 7, 0, 0, true);
    driver_finish(driver, 2000);
    char *text = text_form(0);
    ck_assert_msg(strstr(text, "0x200") != NULL, "%s", text);
    free(text);
}
END_TEST

/* edges[8] with a key and one member of a format. */
static void one_member(unsigned key, enum isa_lane lane, unsigned format)
{
    driver_free(driver);
    image.layouts = 1;
    image.layout[0].members = 0;
    image.layout[0].key = (uint8_t)key;
    fake_add_member(&image.layout[0], "held", lane, (uint8_t)format);
    const struct driver_env env = {.bus = &fake->bus, .image = &image};
    ck_assert_int_eq(driver_new(&driver, &env, NULL), ST_OK);
}

/* The text form of the rows, with the key 0x81 and that row. */
static void expect_shown(unsigned key, enum isa_lane lane, unsigned format, uint64_t row, const char *expected)
{
    one_member(key, lane, format);
    fake_put_slot(fake, 8, 0x81, row, true);
    driver_finish(driver, 2000);
    char *text = text_form(0);
    ck_assert_msg(strstr(text, expected) != NULL, "expected %s in %s", expected, text);
    free(text);
}

START_TEST(formats)
{
    expect_shown(FORMAT_PC, LANE_W0, FORMAT_PC, 0x80000001, "0x102  0x100000002\n");
    expect_shown(FORMAT_PC, LANE_D, FORMAT_PC, 0x123456789abc, "0x102  0x123456789abc\n");
    expect_shown(FORMAT_EA, LANE_W1, FORMAT_EA, UINT64_C(0x80000001) << 32, "0x408  0x400000008\n");
    expect_shown(FORMAT_EA, LANE_D, FORMAT_EA, 0x3fffffeb41, "0x408  0x3fffffeb41\n");
    expect_shown(FORMAT_LINE, LANE_W0, FORMAT_LINE, 0xffffffad, "0x2040  0x3fffffeb40\n");
    expect_shown(FORMAT_HEX, LANE_B1, FORMAT_SIGNED, 0xf800, "0x81    -8\n");
    expect_shown(FORMAT_HEX, LANE_W1, FORMAT_DEC, UINT64_C(1234567) << 32, "0x81  1,234,567\n");
    expect_shown(FORMAT_DEC, LANE_H0, FORMAT_SIGNED, 0x7fff, "129  32,767\n");
    expect_shown(FORMAT_DEC, LANE_W0, FORMAT_SIGNED, 0x80000000, "129  -2,147,483,648\n");
}
END_TEST

/* The value read last is shown, in one row. */
START_TEST(last_is_kept)
{
    one_member(FORMAT_PC, LANE_W0, FORMAT_EA | FORMAT_LAST);
    fake_put_slot(fake, 8, 0x81, 9, true);
    fake_stop(fake, 3, 100);
    driver_interrupt(driver, 1000, 1000);
    fake_put_slot(fake, 9, 0x81, 2, true);
    driver_finish(driver, 2000);
    char *text = text_form(0);
    ck_assert_msg(strstr(text, "1 of 1\nkey    held\n0x102  0x10\n") != NULL, "%s", text);
    free(text);
}
END_TEST

START_TEST(nothing_declared)
{
    driver_free(driver);
    image.layouts = 0;
    const struct driver_env env = {.bus = &fake->bus, .image = &image};
    ck_assert_int_eq(driver_new(&driver, &env, NULL), ST_OK);
    fake_stop(fake, 3, 100);
    driver_interrupt(driver, 1000, 1000);
    driver_finish(driver, 2000);
    json_t *j = report_json();
    ck_assert_uint_eq(json_array_size(json_object_get(j, "layouts")), 0);
    json_decref(j);
}
END_TEST

START_TEST(spurious_interrupt)
{
    driver_interrupt(driver, 10, 10); /* it is running */
    ck_assert_uint_eq(fake->writes, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("host generic driver");
    TCase *t = tcase_create("driver");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, starts_anew);
    tcase_add_test(t, merges_by_identity);
    tcase_add_test(t, prints_tables);
    tcase_add_test(t, beside_the_exact_counts);
    tcase_add_test(t, profile_is_what_is_reported);
    tcase_add_test(t, corrected_for_windows);
    tcase_add_test(t, windows_of_neighbours);
    tcase_add_test(t, intervals_of_single_samples);
    tcase_add_test(t, scored_without_the_first_count);
    tcase_add_test(t, no_score_without_a_count);
    tcase_add_test(t, saturated_counts_are_named);
    tcase_add_test(t, program_that_tests_its_counts);
    tcase_add_test(t, program_that_counts_dropped);
    tcase_add_test(t, program_with_weight_unread);
    tcase_add_test(t, scales_each_interval);
    tcase_add_test(t, sorted_by_estimate);
    tcase_add_test(t, sorted_by_what_is_shown);
    tcase_add_test(t, lost_selections);
    tcase_add_test(t, nothing_processed_between_reads);
    tcase_add_test(t, sampled_and_dropped);
    tcase_add_test(t, sampled_once);
    tcase_add_test(t, no_error_is_below_0);
    tcase_add_test(t, prints_exact_counts);
    tcase_add_test(t, key_with_a_member);
    tcase_add_test(t, key_with_a_narrow_member);
    tcase_add_test(t, formats);
    tcase_add_test(t, last_is_kept);
    tcase_add_test(t, nothing_declared);
    tcase_add_test(t, spurious_interrupt);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
