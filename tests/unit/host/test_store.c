/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profile store: what is added is loaded again, sums of epochs, images, reports, views, selections. */
#include "tests/unit/store_fixture.h"

START_TEST(what_is_added_is_loaded)
{
    struct profile_store *s = open_store(STORE_CREATE);
    struct profile *p = random_profile(10), *q;
    ck_assert_int_eq(add(s, p), 1);
    store_close(s);
    s = open_store(STORE_READ);
    q = load(s, "one");
    check_same(p, q);
    const struct profile_image *x = profile_image(p, 0), *y = profile_image(q, image_in(q, p, 0));
    ck_assert_str_eq(y->build_id, "aa");
    ck_assert_str_eq(y->path, "/bin/x");
    ck_assert_uint_eq(y->symbols, 2);
    ck_assert_str_eq(y->symbol[1].name, "_Z4nextv");
    ck_assert_str_eq(y->symbol[1].shown, "next()");
    ck_assert_str_eq(y->symbol[0].shown, "first");
    ck_assert_uint_eq(y->symbol[1].size_bytes, 0x40);
    ck_assert_uint_eq(y->lines, 3);
    ck_assert_str_eq(profile_file(q, y->line[1].file), profile_file(p, x->line[1].file));
    ck_assert_uint_eq(y->line[1].line, 9);
    ck_assert_uint_eq(y->line[1].discriminator, 3);
    ck_assert_uint_eq(y->line[2].file, PROFILE_NO_FILE);
    ck_assert_uint_eq(y->codes, 1);
    ck_assert_mem_eq(y->code[0].bytes, bytes, sizeof bytes);
    ck_assert_uint_eq(y->code[0].file_offset, 0x80);
    ck_assert_uint_eq(y->datas, 1);
    ck_assert_uint_eq(y->data[0].start, 0x300);
    ck_assert_mem_eq(y->data[0].bytes, "table", 5);
    ck_assert_uint_eq(y->scopes, 2);
    ck_assert_uint_eq(y->scope[0].caller, PROFILE_NO_SCOPE);
    ck_assert_uint_eq(y->scope[0].call_file, PROFILE_NO_FILE);
    const struct profile_scope *g = profile_find_scope(y, 0x13f);
    ck_assert_ptr_eq(g, &y->scope[1]);
    ck_assert_str_eq(g->name, "_Z1gv");
    ck_assert_str_eq(g->shown, "g()");
    ck_assert_str_eq(profile_file(q, g->file), "g.h");
    ck_assert_str_eq(profile_file(q, g->call_file), "a.c");
    ck_assert(g->line == 2 && g->caller == 0 && g->call_line == 8 && g->call_discriminator == 6);
    ck_assert_ptr_null(profile_find_scope(y, 0x140));
    profile_free(p);
    profile_free(q);
    store_close(s);
}
END_TEST

/* A reader sees the runs of the moment of its first read, in all parts, while another process adds some. */
START_TEST(a_reader_stays_at_one_moment)
{
    struct profile_store *writer = open_store(STORE_CREATE), *s = open_store(STORE_READ);
    const struct store_selection all = {0};
    struct store_contents before, after;
    struct profile *p = random_profile(10), *q;
    add(writer, p);
    ck_assert_int_eq(store_list(s, &all, &before, &err), ST_OK);
    add(writer, p);
    ck_assert_int_eq(store_list(s, &all, &after, &err), ST_OK);
    q = load(s, "one");
    check_same(p, q);
    ck_assert_uint_eq(before.runs, 1);
    ck_assert_uint_eq(after.runs, 1);
    store_contents_release(&before);
    store_contents_release(&after);
    store_close(s);
    s = open_store(STORE_READ);
    ck_assert_int_eq(store_list(s, &all, &after, &err), ST_OK);
    ck_assert_uint_eq(after.runs, 2);
    store_contents_release(&after);
    profile_free(p);
    profile_free(q);
    store_close(s);
    store_close(writer);
}
END_TEST

/* Both ways to load several runs, from the sums of the epoch and from the runs, against a sum in memory. */
START_TEST(an_epoch_is_the_sum_of_its_runs)
{
    struct profile_store *s = open_store(STORE_CREATE);
    struct profile *sum = NULL;
    for (int n = 0; n < 5; n++) {
        struct profile *p = random_profile(10);
        add(s, p);
        if (sum == NULL)
            sum = p;
        else {
            add_up(sum, p);
            profile_free(p);
        }
    }
    struct profile *epoch = load(s, "one"), *runs = load(s, "1-2,3-5");
    check_same(sum, epoch);
    check_same(sum, runs);
    profile_free(sum);
    profile_free(epoch);
    profile_free(runs);
    store_close(s);
}
END_TEST

/* A profile with one event. */
static struct profile *profile_of(const char *name)
{
    struct profile *p = profile_new();
    const struct profile_event e = {
        .name = name, .by = "tip", .unit = "cycles", .source = PROFILE_TIME, .scale = 1, .period = 1, .runs = 1};
    add_image(p, "x", false);
    profile_add_sample(p, profile_add_event(p, &e), (struct profile_sample){0, 0x100, 1});
    return p;
}

static void check_runs(const struct profile_store *s, const char *selection, bool same)
{
    struct profile *p = load(s, selection);
    ck_assert_uint_eq(profile_events(p), 2);
    ck_assert_uint_eq(profile_event(p, 0)->runs, profile_event(p, 1)->runs);
    ck_assert_int_eq(profile_same_runs(p, 0, 1), same);
    profile_free(p);
}

/* Two events that have as many runs, but others. */
START_TEST(events_of_other_runs_are_told_apart)
{
    struct profile_store *s = open_store(STORE_CREATE);
    struct profile *one = profile_of("cycles"), *other = profile_of("ticks"), *both = random_profile(10);
    add(s, one);
    add(s, other);
    check_runs(s, "one", false);
    check_runs(s, "1,2", false);
    check_runs(s, "1-2", false);
    add(s, both);
    add(s, both);
    check_runs(s, "3", true);
    check_runs(s, "3-4", true);
    profile_free(one);
    profile_free(other);
    profile_free(both);
    store_close(s);
}
END_TEST

/* Values times the scale are the sum of the runs' estimates, and values add up to the number of samples. */
START_TEST(runs_of_different_scales_keep_their_estimates)
{
    struct profile_store *s = open_store(STORE_CREATE);
    struct profile *p = random_profile(10), *q = random_profile(30);
    add(s, p);
    add(s, q);
    static const char *const what[] = {"one", "1,2"};
    for (int i = 0; i < 2; i++) {
        struct profile *both = load(s, what[i]);
        size_t count;
        double samples = profile_sum(p, 1, 0, 0, UINT64_MAX) + profile_sum(p, 1, 1, 0, UINT64_MAX) +
                         profile_sum(q, 1, 0, 0, UINT64_MAX) + profile_sum(q, 1, 1, 0, UINT64_MAX),
               loaded = 0, scale = profile_event(both, 1)->scale;
        const struct profile_sample *v = profile_samples(both, 1, &count);
        for (size_t n = 0; n < count; n++) {
            uint32_t image = image_in(p, both, v[n].image);
            double estimate = 10 * profile_value(p, 1, image, v[n].address) +
                              30 * profile_value(q, 1, image, v[n].address);
            ck_assert(fabs(v[n].value * scale - estimate) < 1e-6 * estimate);
            loaded += v[n].value;
        }
        ck_assert(fabs(loaded - samples) < 1e-6 * samples);
        profile_free(both);
    }
    profile_free(p);
    profile_free(q);
    store_close(s);
}
END_TEST

START_TEST(an_image_is_stored_once_and_completed)
{
    struct profile_store *s = open_store(STORE_CREATE);
    for (int n = 0; n < 3; n++) {
        struct profile *p = profile_new();
        add_image(p, "x", n > 0);
        add(s, p);
        profile_free(p);
        store_close(s);
        ck_assert_str_eq(ask("SELECT count(*) FROM image"), "1");
        ck_assert_str_eq(ask("SELECT count(*) FROM symbol"), "2");
        ck_assert_str_eq(ask("SELECT count(*) FROM line"), n == 0 ? "0" : "3");
        ck_assert_str_eq(ask("SELECT count(*) FROM code"), "2");
        s = open_store(STORE_CREATE);
    }
    store_close(s);
}
END_TEST

/* Compares an event's sums by procedure with its samples by address; from 0x180 on code has no symbol. */
static void check_procedures(const struct profile *sums, const struct profile *p, uint32_t event)
{
    size_t count, without = 0;
    double all = 0;
    const struct profile_sample *s = profile_samples(sums, event, &count);
    for (size_t n = 0; n < count; n++) {
        uint32_t image = image_in(p, sums, s[n].image);
        bool named = s[n].address != UINT64_MAX;
        ck_assert(!named || s[n].address == 0x100 || s[n].address == 0x140);
        ck_assert_double_eq(s[n].value, named ? profile_sum(p, event, image, s[n].address, s[n].address + 0x40)
                                              : profile_sum(p, event, image, 0x180, UINT64_MAX));
        all += s[n].value;
        without += !named;
    }
    ck_assert_uint_eq(without, 1);
    ck_assert_double_eq(all, profile_sum(p, event, 0, 0, UINT64_MAX) + profile_sum(p, event, 1, 0, UINT64_MAX));
}

/* A reader returns the runs that store_load returns, with sums by procedure if these are asked for. */
START_TEST(runs_are_read_one_after_the_other)
{
    struct profile_store *s = open_store(STORE_CREATE);
    struct store_reader *whole = store_reader_new(s, STORE_ALL, NULL, NULL),
                        *sums = store_reader_new(s, STORE_SYMBOLS | STORE_PROCEDURES, NULL, NULL);
    for (int n = 0; n < 3; n++) {
        struct profile *p = random_profile(1 + n), *q;
        for (uint32_t e = 0; e < 2; e++)
            profile_add_sample(p, e, (struct profile_sample){(uint32_t)n % 2, 0x180 + 2 * below(8), 5 + n});
        int64_t run = add(s, p);
        ck_assert_msg(store_reader_load(whole, run, &q, &err) == ST_OK, "%s", err.text);
        check_same(p, q);
        ck_assert_uint_eq(profile_images(q), 2);
        ck_assert_msg(store_reader_load(sums, run, &q, &err) == ST_OK, "%s", err.text);
        for (uint32_t e = 0; e < 2; e++)
            check_procedures(q, p, e);
        profile_free(p);
    }
    store_reader_free(whole);
    store_reader_free(sums);
    store_close(s);
    check_sound();
}
END_TEST

/* Symbols that come with a later run are those of the earlier ones too. */
START_TEST(late_symbols_sum_anew)
{
    static const char starts[] = "SELECT group_concat(start) FROM procedure_sample WHERE series = 1";
    struct profile_store *s = open_store(STORE_CREATE);
    for (int n = 0; n < 2; n++) {
        struct profile *p = profile_new();
        profile_add_image(
            p, &(struct profile_image){
                   .build_id = "aa", .path = "/bin/x", .name = "x", .symbol = symbols, .symbols = n == 0 ? 0 : 2});
        profile_add_event(p,
                          &(struct profile_event){
                              .name = "cycles", .by = "oracle", .unit = "cycles", .source = PROFILE_EXACT, .scale = 1});
        for (uint64_t address = 0x104; address < 0x200; address += 0x40)
            profile_add_sample(p, 0, (struct profile_sample){0, address, 1});
        add(s, p);
        profile_free(p);
        ck_assert_str_eq(ask(starts), n == 0 ? "-1" : "-1,256,320");
        ck_assert_str_eq(ask("SELECT total(value) FROM procedure_sample WHERE series = 1"), "4.0");
    }
    store_close(s);
}
END_TEST

START_TEST(a_report_is_read_back)
{
    struct profile_store *s = open_store(STORE_CREATE);
    struct profile *p = random_profile(1);
    char *json;
    size_t size_bytes;
    add(s, p);
    ck_assert_int_eq(store_report(s, 1, &json, &size_bytes, &err), ST_OK);
    ck_assert_str_eq(json, run_of(p).report);
    ck_assert_uint_eq(size_bytes, strlen(json));
    free(json);
    ck_assert_int_eq(store_report(s, 2, &json, &size_bytes, &err), ST_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "there is no run 2"));
    profile_free(p);
    store_close(s);
}
END_TEST

/* The views against sums of the tables; the seed is that of the run. */
START_TEST(views_can_be_queried)
{
    struct profile_store *s = open_store(STORE_CREATE);
    struct profile *p = random_profile(10);
    add(s, p);
    struct store_run run = run_of(p);
    int64_t number;
    run.epoch = "two";
    ck_assert_int_eq(store_add_run(s, &run, &number, &err), ST_OK);
    store_close(s);
    ck_assert_str_eq(ask("SELECT seed = -1 AND time = '1970-01-01 00:00:07' FROM runs"), "1");
    ck_assert_str_eq(ask("SELECT sum(value) = (SELECT sum(value) FROM sample) FROM samples"), "1");
    ck_assert_str_eq(ask("SELECT sum(estimate) = (SELECT sum(value * scale) FROM sample JOIN series ON id = series) "
                         "FROM procedures"),
                     "1");
    ck_assert_str_eq(ask("SELECT count(*) FROM samples WHERE procedure IS NOT CASE WHEN address < 0x140 THEN 'first' "
                         "ELSE 'next()' END"),
                     "0");
    ck_assert_str_eq(ask("SELECT count(*) FROM samples WHERE line IS NOT CASE WHEN address < 0x150 THEN 7 "
                         "WHEN address < 0x170 THEN 9 ELSE 0 END"),
                     "0");
    ck_assert_str_eq(ask("SELECT max(abs(difference)) FROM differences WHERE before = 'one' AND after = 'two'"), "0.0");
    profile_free(p);
}
END_TEST

START_TEST(stores_are_merged)
{
    struct profile_store *s = open_store(STORE_CREATE);
    struct profile *p = random_profile(10), *q = random_profile(10);
    char *other = xasprintf("%s.other", path);
    size_t runs;
    add(s, p);
    struct profile_store *t;
    ck_assert_int_eq(store_open(&t, other, STORE_CREATE, 0, &err), ST_OK);
    add(t, q);
    store_close(t);
    ck_assert_msg(store_merge(s, other, NULL, &runs, &err) == ST_OK, "%s", err.text);
    ck_assert_uint_eq(runs, 1);
    add_up(p, q);
    struct profile *both = load(s, "one");
    check_same(p, both);
    ck_assert_int_eq(store_merge(s, path, NULL, &runs, &err), ST_INPUT);
    profile_free(p);
    profile_free(q);
    profile_free(both);
    store_close(s);
    free(other);
}
END_TEST

START_TEST(selections_are_parsed)
{
    struct store_selection x;
    ck_assert_int_eq(store_select(&x, "a:b:c_1.2-3", &err), ST_OK);
    ck_assert_str_eq(x.path, "a:b");
    ck_assert_str_eq(x.epoch, "c_1.2-3");
    store_selection_release(&x);
    ck_assert_int_eq(store_select(&x, "a:3-5,7", &err), ST_OK);
    ck_assert_uint_eq(x.ranges, 2);
    ck_assert(x.range[0].first == 3 && x.range[0].last == 5 && x.range[1].first == 7 && x.range[1].last == 7);
    store_selection_release(&x);
    static const char *const bad[] = {"a:", "a:3x", "a:5-3", "a:3,", "a:-3", "a:99999999999999999999", "a:b/c"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_int_eq(store_select(&x, bad[i], &err), ST_INPUT);
        store_selection_release(&x);
    }
}
END_TEST

/* A range may have gaps, but begins and ends with a run. */
START_TEST(runs_that_are_not_there_are_refused)
{
    static const char *const bad[] = {"0", "0-1", "1-3", "3", "1,0", "9223372036854775807"};
    struct profile_store *s = open_store(STORE_CREATE);
    struct profile *p = random_profile(10);
    struct store_selection x;
    add(s, p);
    add(s, p);
    profile_free(p);
    for (size_t n = 0; n < sizeof bad / sizeof bad[0] + 1; n++) {
        bool is_bad = n < sizeof bad / sizeof bad[0];
        char *text = xasprintf("%s:%s", folder, is_bad ? bad[n] : "1-2,1");
        ck_assert_int_eq(store_select(&x, text, &err), ST_OK);
        ck_assert_msg(store_resolve(s, &x, &err) == (is_bad ? ST_INPUT : ST_OK), "%s", text);
        ck_assert(!is_bad || strstr(err.text, "there is no run ") != NULL);
        store_selection_release(&x);
        free(text);
    }
    store_close(s);
}
END_TEST

/* The configuration of a selection's runs: the name and the text, or the error. */
static void check_configuration(const struct profile_store *s, const char *what, const char *expected)
{
    struct store_selection selection;
    char *name = NULL, *text = NULL, *selected = xasprintf("%s:%s", folder, what);
    ck_assert_int_eq(store_select(&selection, selected, &err), ST_OK);
    if (store_configuration(s, &selection, &name, &text, &err) == ST_OK) {
        char *both = xasprintf("%s %s", name, text);
        ck_assert_str_eq(both, expected);
        free(both);
    } else {
        ck_assert_msg(strstr(err.text, expected) != NULL, "%s", err.text);
        ck_assert_ptr_null(name);
        ck_assert_ptr_null(text);
    }
    free(name);
    free(text);
    free(selected);
    store_selection_release(&selection);
}

START_TEST(runs_of_one_configuration_have_it)
{
    struct profile *p = profile_new();
    struct profile_store *s = open_store(STORE_CREATE);
    static const char *const texts[] = {"a = 1\n", "a = 1\n", "a = 2\n"};
    for (size_t n = 0; n < 3; n++) {
        struct store_run run = run_of(p);
        int64_t number;
        run.configuration_text = texts[n];
        run.epoch = n < 2 ? "one" : "two";
        ck_assert_int_eq(store_add_run(s, &run, &number, &err), ST_OK);
    }
    check_configuration(s, "one", "boom a = 1\n");
    check_configuration(s, "two", "boom a = 2\n");
    check_configuration(s, "1-2", "boom a = 1\n");
    check_configuration(s, "1,3", "expected runs of one configuration, found 2: boom, boom");
    check_configuration(s, "7", "expected runs of one configuration, found 0: none");
    store_close(s);
    profile_free(p);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("store");
    TCase *t = tcase_create("contents");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, what_is_added_is_loaded);
    tcase_add_test(t, a_reader_stays_at_one_moment);
    tcase_add_test(t, an_epoch_is_the_sum_of_its_runs);
    tcase_add_test(t, events_of_other_runs_are_told_apart);
    tcase_add_test(t, runs_of_different_scales_keep_their_estimates);
    tcase_add_test(t, an_image_is_stored_once_and_completed);
    tcase_add_test(t, runs_are_read_one_after_the_other);
    tcase_add_test(t, late_symbols_sum_anew);
    tcase_add_test(t, a_report_is_read_back);
    tcase_add_test(t, views_can_be_queried);
    tcase_add_test(t, stores_are_merged);
    tcase_add_test(t, selections_are_parsed);
    tcase_add_test(t, runs_that_are_not_there_are_refused);
    tcase_add_test(t, runs_of_one_configuration_have_it);
    suite_add_tcase(s, t);
    return run_suite(s);
}
