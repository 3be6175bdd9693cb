/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles in memory: sums, order, look-ups. */
#include "host/profile/profile.h"

#include "tests/unit/suite.h"

static struct profile *p;

static void setup(void) { p = profile_new(); }
static void teardown(void) { profile_free(p); }

static const struct profile_symbol symbols[] = {
    {.start = 0x100, .size_bytes = 0x10, .name = "first", .shown = "first"},
    {.start = 0x110, .size_bytes = 0x20, .name = "_Z4nextv", .shown = "next()"},
};
static const struct profile_line lines[] = {
    {.start = 0x100, .file = 0, .line = 7},
    {.start = 0x108, .file = 0, .line = 8, .discriminator = 2},
    {.start = 0x120, .file = PROFILE_NO_FILE},
};
static const uint8_t bytes[] = {0x13, 0, 0, 0};
static const struct profile_code code[] = {{.start = 0x100, .size_bytes = sizeof bytes, .bytes = bytes}};

static struct profile_image image_named(const char *build_id, const char *name)
{
    return (struct profile_image){.build_id = build_id,
                                  .path = "/bin/x",
                                  .name = name,
                                  .symbol = symbols,
                                  .symbols = 2,
                                  .line = lines,
                                  .lines = 3,
                                  .code = code,
                                  .codes = 1};
}

static uint32_t add_image(const char *build_id, const char *name)
{
    struct profile_image i = image_named(build_id, name);
    return profile_add_image(p, &i);
}

static uint32_t add_event(const char *name, const char *by, double total)
{
    const struct profile_event e = {
        .name = name, .by = by, .unit = "events", .source = PROFILE_COUNTER, .scale = 10, .total = total, .lost = 1};
    return profile_add_event(p, &e);
}

START_TEST(images_are_told_apart_by_build_id_and_name)
{
    ck_assert_uint_eq(add_image("aa", "x"), 0);
    ck_assert_uint_eq(add_image("bb", "x"), 1);
    ck_assert_uint_eq(add_image("aa", "y"), 2);
    ck_assert_uint_eq(add_image("aa", "x"), 0);
    ck_assert_uint_eq(profile_images(p), 3);
    const struct profile_image *i = profile_image(p, 1);
    ck_assert_str_eq(i->build_id, "bb");
    ck_assert_ptr_ne(i->symbol, symbols);
    ck_assert_ptr_eq(i->symbol[0].shown, i->symbol[0].name);
    ck_assert_str_eq(i->symbol[1].shown, "next()");
    ck_assert_mem_eq(i->code[0].bytes, bytes, sizeof bytes);
}
END_TEST

/* Functions of one printed name are told apart by their starts. */
START_TEST(unique_names)
{
    static const struct profile_symbol twins[] = {
        {.start = 0x100, .size_bytes = 0x10, .name = "_ZN1AC1Ev", .shown = "A::A()"},
        {.start = 0x110, .size_bytes = 0x10, .name = "f", .shown = "f"},
        {.start = 0x120, .size_bytes = 0x10, .name = "_ZN1AC2Ev", .shown = "A::A()"},
    };
    struct profile_image image = image_named("aa", "x");
    image.symbol = twins;
    image.symbols = 3;
    const struct profile_image *i = profile_image(p, profile_add_image(p, &image));
    ck_assert_str_eq(i->symbol[0].unique, "A::A()@0x100");
    ck_assert_str_eq(i->symbol[1].unique, "f");
    ck_assert_str_eq(i->symbol[2].unique, "A::A()@0x120");
    ck_assert_str_eq(i->symbol[2].shown, "A::A()");
}
END_TEST

START_TEST(an_event_added_again_adds_its_totals)
{
    ck_assert_uint_eq(add_event("cycles", "counter", 100), 0);
    ck_assert_uint_eq(add_event("cycles", "counter:random", 5), 1);
    ck_assert_uint_eq(add_event("cycles", "counter", 50), 0);
    ck_assert(profile_event(p, 0)->total == 150);
    ck_assert_uint_eq(profile_event(p, 0)->lost, 2);
    ck_assert(profile_event(p, 1)->total == 5);
    ck_assert_uint_eq(profile_find_event(p, "cycles", PROFILE_COUNTER), 0);
    ck_assert_uint_eq(profile_find_event(p, "cycles", PROFILE_EXACT), PROFILE_NO_EVENT);
}
END_TEST

START_TEST(samples_of_an_address_are_summed_and_sorted)
{
    uint32_t e = add_event("cycles", "counter", 0), other = add_event("imiss", "counter", 0);
    const struct profile_sample in[] = {{1, 8, 2}, {0, 12, 1}, {1, 4, 1}, {1, 8, 3}, {0, 4, 5}};
    for (int n = 0; n < 5; n++)
        profile_add_sample(p, e, in[n]);
    profile_add_sample(p, other, (struct profile_sample){0, 4, 100});
    size_t count;
    const struct profile_sample *s = profile_samples(p, e, &count);
    const struct profile_sample want[] = {{0, 4, 5}, {0, 12, 1}, {1, 4, 1}, {1, 8, 5}};
    ck_assert_uint_eq(count, 4);
    for (int n = 0; n < 4; n++) {
        ck_assert_uint_eq(s[n].image, want[n].image);
        ck_assert_uint_eq(s[n].address, want[n].address);
        ck_assert(s[n].value == want[n].value);
    }
    ck_assert(profile_value(p, e, 1, 8) == 5);
    ck_assert(profile_value(p, e, 1, 9) == 0);
    ck_assert(profile_sum(p, e, 0, 4, 12) == 5);
    ck_assert(profile_sum(p, e, 0, 0, UINT64_MAX) == 6);
    profile_add_sample(p, e, (struct profile_sample){0, 4, 1}); /* after a look-up */
    ck_assert(profile_value(p, e, 0, 4) == 6);
}
END_TEST

/* An equal number of runs are not the same runs. */
START_TEST(runs_are_compared_by_number)
{
    uint32_t time = add_event("cycles", "tip", 1), counts = add_event("retired", "counts", 1);
    ck_assert(profile_same_runs(p, time, counts));
    profile_add_run(p, time, 1);
    ck_assert(!profile_same_runs(p, time, counts));
    profile_add_run(p, counts, 2);
    ck_assert(!profile_same_runs(p, time, counts));
    profile_add_run(p, time, 3);
    profile_remove_events(p);
    time = add_event("cycles", "tip", 1);
    counts = add_event("retired", "counts", 1);
    for (int64_t run = 1; run < 100; run++) {
        profile_add_run(p, time, run);
        profile_add_run(p, counts, run);
        ck_assert(profile_same_runs(p, time, counts));
    }
}
END_TEST

START_TEST(the_next_address_with_a_value)
{
    uint32_t e = add_event("cycles", "tip", 1), other = add_event("retired", "counts", 1);
    profile_add_sample(p, e, (struct profile_sample){1, 0x120, 1});
    profile_add_sample(p, e, (struct profile_sample){1, 0x100, 1});
    profile_add_sample(p, e, (struct profile_sample){2, 0x108, 1});
    profile_add_sample(p, other, (struct profile_sample){1, 0x110, 1});
    ck_assert_uint_eq(profile_next_address(p, e, 1, 0, UINT64_MAX), 0x100);
    ck_assert_uint_eq(profile_next_address(p, e, 1, 0x100, 0x200), 0x100);
    ck_assert_uint_eq(profile_next_address(p, e, 1, 0x102, 0x200), 0x120);
    ck_assert_uint_eq(profile_next_address(p, e, 1, 0x102, 0x120), 0x120);
    ck_assert_uint_eq(profile_next_address(p, e, 1, 0x122, 0x200), 0x200);
    ck_assert_uint_eq(profile_next_address(p, e, 0, 0, 0x200), 0x200);
    ck_assert_uint_eq(profile_next_address(p, other, 1, 0, 0x200), 0x110);
}
END_TEST

START_TEST(edges_and_stacks_are_summed_and_sorted)
{
    uint32_t e = add_event("taken", "counter", 0);
    profile_add_edge(p, e, (struct profile_edge){0, 0, 8, 4, 1});
    profile_add_edge(p, e, (struct profile_edge){0, 1, 8, 2, 1});
    profile_add_edge(p, e, (struct profile_edge){0, 0, 8, 4, 2});
    size_t count;
    const struct profile_edge *edge = profile_edges(p, e, &count);
    ck_assert_uint_eq(count, 2);
    ck_assert(edge[0].to_image == 0 && edge[0].value == 3);
    ck_assert(edge[1].to_image == 1 && edge[1].value == 1);

    const struct profile_place inner[] = {{0, 9}, {0, 5}, {0, 1}}, outer[] = {{0, 5}, {0, 1}};
    profile_add_stack(p, e, (struct profile_stack){profile_add_path(p, inner, 3), 1});
    profile_add_stack(p, e, (struct profile_stack){profile_add_path(p, outer, 2), 4});
    profile_add_stack(p, e, (struct profile_stack){profile_add_path(p, inner, 3), 2});
    const struct profile_stack *stack = profile_stacks(p, e, &count);
    ck_assert_uint_eq(count, 2);
    ck_assert(profile_frame(p, stack[0].frame)->depth == 2 && stack[0].value == 4);
    ck_assert(profile_frame(p, stack[1].frame)->depth == 3 && stack[1].value == 3);
}
END_TEST

START_TEST(symbols_and_lines_cover_ranges)
{
    uint32_t n = add_image("aa", "x");
    ck_assert_uint_eq(profile_add_file(p, "x.c"), 0);
    ck_assert_uint_eq(profile_add_file(p, "y.c"), 1);
    ck_assert_uint_eq(profile_add_file(p, "x.c"), 0);
    const struct profile_image *i = profile_image(p, n);
    ck_assert_ptr_null(profile_find_symbol(i, 0xff));
    ck_assert_str_eq(profile_find_symbol(i, 0x10f)->name, "first");
    ck_assert_str_eq(profile_find_symbol(i, 0x12f)->shown, "next()");
    ck_assert_ptr_null(profile_find_symbol(i, 0x130));
    ck_assert_ptr_null(profile_find_line(i, 0xff));
    ck_assert_uint_eq(profile_find_line(i, 0x107)->line, 7);
    ck_assert_uint_eq(profile_find_line(i, 0x11f)->discriminator, 2);
    ck_assert_ptr_null(profile_find_line(i, 0x120));
}
END_TEST

/* Names that differ in what no text shows are one name: the store has a row for each name that is shown. */
START_TEST(printed_names_tell_apart)
{
    uint32_t image = add_image("aa", "x\x1b"), event = add_event("e\n", "by\x9b", 1);
    ck_assert_uint_eq(add_image("aa", "x\x02"), image);
    ck_assert_uint_eq(add_image("aa", "x?"), image);
    ck_assert_str_eq(profile_image(p, image)->name, "x?");
    ck_assert_uint_eq(add_event("e\t", "by\x9f", 2), event);
    ck_assert_double_eq(profile_event(p, event)->total, 3);
    ck_assert_str_eq(profile_event(p, event)->by, "by?");
    uint32_t file = profile_add_file(p, "a\xff.c");
    ck_assert_uint_eq(profile_add_file(p, "a\xfe.c"), file);
    ck_assert_str_eq(profile_file(p, file), "a?.c");
}
END_TEST

/* Packed samples are the same ones, and more can be added. */
START_TEST(packed_samples)
{
    static const double values[] = {1, 0.5, 3e300, 0x1p53, 840};
    uint32_t e = profile_add_event(p, &(struct profile_event){.name = "cycles", .by = "x", .scale = 1});
    for (uint64_t n = 0; n < 1000; n++)
        profile_add_sample(p, e, (struct profile_sample){(uint32_t)(n % 3), UINT64_MAX - 8 - 7 * n, values[n % 5]});
    profile_pack(p, e);
    profile_add_sample(p, e, (struct profile_sample){1, 16, 2});
    profile_pack(p, e);
    profile_pack(p, e);
    size_t count;
    const struct profile_sample *s = profile_samples(p, e, &count);
    ck_assert_uint_eq(count, 1001);
    for (size_t n = 1; n < count; n++)
        ck_assert(s[n - 1].image < s[n].image || s[n - 1].address < s[n].address);
    for (uint64_t n = 0; n < 1000; n++)
        ck_assert(profile_value(p, e, (uint32_t)(n % 3), UINT64_MAX - 8 - 7 * n) == values[n % 5]);
    ck_assert(profile_value(p, e, 1, 16) == 2);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("profile");
    TCase *t = tcase_create("profile");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, images_are_told_apart_by_build_id_and_name);
    tcase_add_test(t, unique_names);
    tcase_add_test(t, an_event_added_again_adds_its_totals);
    tcase_add_test(t, samples_of_an_address_are_summed_and_sorted);
    tcase_add_test(t, runs_are_compared_by_number);
    tcase_add_test(t, the_next_address_with_a_value);
    tcase_add_test(t, edges_and_stacks_are_summed_and_sorted);
    tcase_add_test(t, symbols_and_lines_cover_ranges);
    tcase_add_test(t, printed_names_tell_apart);
    tcase_add_test(t, packed_samples);
    suite_add_tcase(s, t);
    return run_suite(s);
}
