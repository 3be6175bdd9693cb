/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report's tree, its formats, reading it back, sorting, intervals. */
#include <math.h>
#include <string.h>

#include "base/interval.h"
#include "base/text_width.h"
#include "host/report/json_value.h"
#include "host/report/words.h"
#include "tests/unit/random_report.h"
#include "tests/unit/rendered.h"

/* Last: it defines the word fail. */
#include "tests/unit/suite.h"

/* A value of each type, a note, a list, a table with nested rows. */
static struct report *sample_report(void)
{
    struct report *r = report_new();
    report_text(r, "guest", "guest", "a, \"b\"");
    report_count(r, "cycles", "core", 1234567, "cycles");
    report_remark(r, "({busy} of them, {busy_not})");
    report_share(r, "busy", NULL, 0.25, 1);
    report_interval(r, 0.2, 0.3);
    report_exact(r, 0.24);
    report_real(r, "mean", "mean", 2.5, 2, NULL);
    report_flag(r, "partial", NULL, true);
    report_hex(report_section(r, "fields"), "pc", "  pc", 0x8000);
    report_absent(r, "score", NULL);
    report_text(r, NULL, "PARTIAL", "cut short");
    report_count(report_details(r), "detail", "detail", UINT64_MAX, NULL);
    report_note(r, "A paragraph of {guest}");
    report_note_line(r, "and its second line.");
    struct report *e = report_element(report_list(r, "layouts"), "edges");
    report_text(e, "name", NULL, "edges");
    struct report_table *t = report_table(e, "rows", "{name} by {order}: {shown} of {rows}");
    report_order(t, "place");
    report_column(t, &(struct report_column){.type = REPORT_ADDRESS, .title = "place", .at = 2});
    report_column(t, &(struct report_column){
                         .type = REPORT_COUNT, .member = "count", .group = "members", .title = "count", .absent = "-"});
    struct report_table *n = report_nested(t, "values", 2, "share", 0.1);
    report_column(
        n, &(struct report_column){.type = REPORT_SHARE, .member = "share", .title = "%", .decimals = 1, .at = 1});
    report_column(n, &(struct report_column){.type = REPORT_INTERVAL, .member = "interval"});
    static const double shares[] = {0.5, 0.2, 0.15};
    for (unsigned i = 0; i < 3; i++) {
        report_row(t);
        report_cell_address(t, 0x100 + 0x10 * i);
        if (i != 1)
            report_cell_count(t, 1000 * i);
        for (unsigned v = 0; v < 3 && i == 2; v++) {
            report_row(n);
            report_cell_share(n, shares[v]);
            report_cell_interval(n, 0, 0.75);
        }
    }
    return r;
}

static void expect(struct report *r, enum report_form form, const struct report_view *view, const char *text)
{
    char *found = rendered(r, form, view);
    ck_assert_str_eq(found, text);
    free(found);
}

START_TEST(text_form)
{
    struct report *r = sample_report();
    expect(r, REPORT_AS_text, &(struct report_view){0},
           "guest                    a, \"b\"\n"
           "core                           1,234,567 cycles (25.0 % of them, {busy_not})\n"
           "mean                                2.50\n"
           "  pc                              0x8000\n"
           "PARTIAL                  cut short\n"
           "\nA paragraph of a, \"b\"\nand its second line.\n"
           "\nedges by place: 3 of 3\n"
           "count     %  place\n"
           "    0        0x100\n"
           "    -        0x110\n"
           "2,000  50.0  0x120\n"
           "       20.0\n");
    report_free(r);
}
END_TEST

/* A unit is in the singular behind 1, and a number that is rounded to zero has no sign. */
START_TEST(text_of_numbers)
{
    struct report *r = report_new();
    report_count(r, NULL, "core", 1, "cycles");
    report_count(r, NULL, "bus", 1, "bus accesses");
    report_count(r, NULL, "words", 0, "words");
    report_count(r, NULL, "tagged", 1, "of these");
    report_real(r, NULL, "mean", -0.001, 2, NULL);
    report_share(r, NULL, "share", -0.00001, 2);
    report_share(r, NULL, "less", -0.001, 1);
    expect(r, REPORT_AS_text, &(struct report_view){0},
           "core                                   1 cycle\n"
           "bus                                    1 bus access\n"
           "words                                  0 words\n"
           "tagged                                 1 of these\n"
           "mean                                0.00\n"
           "share                               0.00 %\n"
           "less                                -0.1 %\n");
    report_free(r);
}
END_TEST

START_TEST(csv_form)
{
    struct report *r = sample_report();
    expect(r, REPORT_AS_csv, &(struct report_view){.top = 1},
           "summary,key,value,unit,exact,low,high\n"
           "summary,guest,\"a, \"\"b\"\"\",,,,\n"
           "summary,cycles,1234567,cycles,,,\n"
           "summary,busy,0.25,share,0.24,0.2,0.3\n"
           "summary,mean,2.5,,,,\n"
           "summary,partial,true,,,,\n"
           "summary,fields.pc,0x8000,,,,\n"
           "summary,score,,,,,\n"
           "summary,detail,18446744073709551615,,,,\n"
           "summary,layouts.edges.name,edges,,,,\n"
           "layouts.edges.rows,pc,function,offset,address,library,file,line,members.count\n"
           "layouts.edges.rows,0x100,,,0x100,,,,0\n"
           "layouts.edges.rows,0x110,,,0x110,,,,\n"
           "layouts.edges.rows,0x120,,,0x120,,,,2000\n"
           "layouts.edges.rows.values,rows,share,interval.low,interval.high\n"
           "layouts.edges.rows.values,2,0.5,0,0.75\n"
           "layouts.edges.rows.values,2,0.2,0,0.75\n"
           "layouts.edges.rows.values,2,0.15,0,0.75\n");
    report_free(r);
}
END_TEST

START_TEST(json_form)
{
    json_t *j = rendered_json(sample_report());
    ck_assert_str_eq(json_string_value(json_object_get(j, "format")), "pcemu report");
    ck_assert_int_eq(json_integer_value(json_object_get(j, "version")), REPORT_VERSION);
    ck_assert_int_eq(json_integer_value(json_object_get(j, "cycles")), 1234567);
    ck_assert_double_eq(json_real_value(json_object_get(j, "busy_exact")), 0.24);
    ck_assert_uint_eq(json_array_size(json_object_get(j, "busy_interval")), 2);
    ck_assert_str_eq(json_string_value(json_object_get(j, "detail")), "0xffffffffffffffff");
    ck_assert(json_is_null(json_object_get(j, "score")));
    const json_t *rows = json_object_get(json_array_get(json_object_get(j, "layouts"), 0), "rows"),
                 *last = json_array_get(rows, 2);
    ck_assert_uint_eq(json_array_size(rows), 3);
    ck_assert_str_eq(json_string_value(json_object_get(last, "pc")), "0x120");
    ck_assert_int_eq(json_integer_value(json_object_get(json_object_get(last, "members"), "count")), 2000);
    ck_assert_uint_eq(json_array_size(json_object_get(last, "values")), 3);
    ck_assert_ptr_null(json_object_get(json_array_get(rows, 1), "members"));
    json_decref(j);
}
END_TEST

/* A report written as JSON and read back is the same in every format. */
static void expect_round_trip(const struct report *r)
{
    struct errmsg err;
    struct report *again;
    char *json = rendered(r, REPORT_AS_json, &(struct report_view){0});
    ck_assert_msg(report_read(&again, "written", json, strlen(json), &err) == ST_OK, "%s", err.text);
    for (size_t f = 0; f < 3; f++) {
        const struct report_view view = {.top = f == 0 ? 3 : 0, .width = f == 0 ? 60 : 0};
        char *first = rendered(r, (enum report_form)f, &view), *second = rendered(again, (enum report_form)f, &view);
        size_t same = 0;
        while (first[same] != '\0' && first[same] == second[same])
            same++;
        ck_assert_msg(first[same] == second[same], "%s: from byte %zu on '%.200s', read again '%.200s'",
                      report_form_names[f], same, first + same, second + same);
        free(first);
        free(second);
    }
    report_free(again);
    free(json);
}

START_TEST(round_trip)
{
    struct report *r = sample_report();
    expect_round_trip(r);
    report_free(r);
    for (unsigned i = 0; i < REPETITIONS(100); i++) {
        r = random_report(100 * (unsigned)_i + i, true);
        expect_round_trip(r);
        report_free(r);
    }
}
END_TEST

static void know(void *ctx, struct report_place *p)
{
    (void)ctx;
    *p = (struct report_place){.pc = p->pc, .address = p->pc - 0x100, .library = "lib.so"};
    if (p->pc == 0x100)
        p->function = "main";
    if (p->pc == 0x120) {
        p->file = "main.c";
        p->line = 7;
    }
}

START_TEST(places)
{
    struct report *r = sample_report();
    report_address(r, "entry", "entry", 0x100);
    report_resolve(r, know, NULL);
    char *text = rendered(r, REPORT_AS_text, &(struct report_view){0});
    ck_assert_ptr_nonnull(strstr(text, "\nentry                    main+0x0 in lib.so\n"));
    ck_assert_ptr_nonnull(strstr(text, "main+0x0 in lib.so\n"));
    ck_assert_ptr_nonnull(strstr(text, "[lib.so]+0x10\n"));
    ck_assert_ptr_nonnull(strstr(text, "[lib.so]+0x20 main.c:7\n"));
    free(text);
    expect_round_trip(r);
    report_free(r);
}
END_TEST

START_TEST(sorting)
{
    struct errmsg err;
    struct report *r = sample_report();
    ck_assert_int_eq(report_sort(r, "count", &err), ST_OK);
    char *text = rendered(r, REPORT_AS_text, &(struct report_view){.top = 1});
    ck_assert_ptr_nonnull(strstr(text, "edges by count: 1 of 3\ncount     %  place\n"
                                       "2,000  50.0  0x120\n       20.0\n"));
    free(text);
    ck_assert_int_eq(report_sort(r, "members.count:up", &err), ST_OK);
    text = rendered(r, REPORT_AS_text, &(struct report_view){0}); /* what is absent comes last */
    ck_assert_ptr_nonnull(strstr(text, "edges by members.count (smallest first): 3 of 3\ncount     %  place\n"
                                       "    0        0x100\n2,000  50.0  0x120\n       20.0\n    -        0x110\n"));
    free(text);
    ck_assert_int_eq(report_sort(r, "pc", &err), ST_OK);
    ck_assert_int_eq(report_sort(r, "share", &err), ST_OK);
    text = rendered(r, REPORT_AS_text, &(struct report_view){0}); /* by the first nested row */
    ck_assert_ptr_nonnull(strstr(text, "2,000  50.0  0x120\n       20.0\n    -        0x110\n    0        0x100\n"));
    free(text);
    struct report *empty = report_new();
    ck_assert_int_eq(report_sort(empty, "count", &err), ST_INPUT);
    ck_assert_str_eq(err.text, "no table has the member 'count': the report has no tables");
    report_free(empty);
    ck_assert_int_eq(report_sort(r, "cuont", &err), ST_INPUT);
    ck_assert_str_eq(err.text, "no table has the member 'cuont' (did you mean 'count'?); there are pc, count, share");
    ck_assert_int_eq(report_sort(r, "count:down", &err), ST_INPUT);
    ck_assert_str_eq(err.text, "expected MEMBER or MEMBER:up, found 'count:down'");
    expect_round_trip(r);
    report_free(r);
}
END_TEST

/* A histogram, of which the text form shows the peaks in their order; sorted, or read back, as any other table. */
START_TEST(peaks)
{
    static const uint64_t bins[] = {1, 7, 2, 9, 2};
    struct errmsg err;
    struct report *r = report_new();
    struct report_table *t = report_table(r, "bins", "{shown} of {rows}");
    report_column(t, &(struct report_column){.type = REPORT_REAL, .member = "at", .title = "at"});
    report_column(t, &(struct report_column){.type = REPORT_COUNT, .member = "n", .title = "n"});
    report_peaks(t, "n");
    for (unsigned i = 0; i < sizeof bins / sizeof bins[0]; i++) {
        report_row(t);
        report_cell_real(t, i);
        report_cell_count(t, bins[i]);
    }
    expect(r, REPORT_AS_text, &(struct report_view){.top = 3}, "\n3 of 5\nat  n\n 1  7\n 2  2\n 3  9\n");
    expect(r, REPORT_AS_text, &(struct report_view){.top = 1}, "\n1 of 5\nat  n\n 3  9\n");
    expect(r, REPORT_AS_text, &(struct report_view){0}, "\n5 of 5\nat  n\n 0  1\n 1  7\n 2  2\n 3  9\n 4  2\n");
    expect_round_trip(r);
    ck_assert_int_eq(report_sort(r, "at", &err), ST_OK);
    expect(r, REPORT_AS_text, &(struct report_view){.top = 2}, "\n2 of 5\nat  n\n 4  2\n 3  9\n");
    report_free(r);
}
END_TEST

START_TEST(many_members)
{
    struct errmsg err;
    struct report *r = report_new();
    struct report_table *t = report_table(r, "t", NULL);
    report_column(t, &(struct report_column){.type = REPORT_COUNT, .member = "tip:period=101"});
    for (unsigned i = 0; i < 99; i++) {
        char member[16];
        snprintf(member, sizeof member, "member_%02u", i);
        report_column(t, &(struct report_column){.type = REPORT_COUNT, .member = member});
    }
    ck_assert_int_eq(report_sort(r, "tip", &err), ST_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "'tip' (did you mean 'tip:period=101'?); there are tip:period=101, member"));
    ck_assert_ptr_nonnull(strstr(err.text, "member_25 and 73 more"));
    report_free(r);
}
END_TEST

START_TEST(width)
{
    struct report *r = report_new();
    struct report_table *t = report_table(r, "t", NULL);
    report_column(t, &(struct report_column){.type = REPORT_TEXT, .member = "a", .title = "a"});
    report_column(t, &(struct report_column){.type = REPORT_COUNT, .member = "n", .title = "n"});
    report_row(t);
    report_cell_text(t, "a text of 24 characters.");
    report_cell_count(t, 1000000);
    report_row(t);
    report_cell_text(t, "\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac");
    report_cell_count(t, 1);
    expect(r, REPORT_AS_text, &(struct report_view){.width = 24},
           "\na                      n\na text of ...  "
           "1,000,000\n\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac            "
           "    1\n");
    report_free(r);
}
END_TEST

/* Texts that begin alike keep their ends; headings have several lines. */
START_TEST(width_of_similar_texts)
{
    struct report *r = report_new();
    struct report_table *t = report_table(r, "t", NULL);
    report_column(t, &(struct report_column){.type = REPORT_TEXT, .member = "a", .title = "place"});
    report_column(t, &(struct report_column){.type = REPORT_COUNT, .member = "n", .title = "tip:period=101:random"});
    for (unsigned i = 1; i <= 2; i++) {
        report_row(t);
        report_cell_text(t, i == 1 ? "a_function_of_many_letters+0x10" : "a_function_of_many_letters+0x12");
        report_cell_count(t, i);
    }
    expect(r, REPORT_AS_text, &(struct report_view){.width = 30},
           "\n                          tip:\n                   period=101:\nplace                   random\n"
           "a_funct...rs+0x10            1\na_funct...rs+0x12            2\n");
    report_free(r);
}
END_TEST

/* A table that is too wide is printed in parts, each with the texts. */
START_TEST(width_of_many_numbers)
{
    static const char *const member[] = {"first", "second", "third"};
    struct report *r = report_new();
    struct report_table *t = report_table(r, "t", NULL);
    for (unsigned c = 0; c < 3; c++)
        report_column(t, &(struct report_column){.type = REPORT_COUNT, .member = member[c], .title = member[c]});
    report_column(t, &(struct report_column){.type = REPORT_TEXT, .member = "a", .title = "text"});
    report_row(t);
    for (unsigned c = 0; c < 3; c++)
        report_cell_count(t, c + 1);
    report_cell_text(t, "abc");
    expect(r, REPORT_AS_text, &(struct report_view){.width = 19},
           "\nfirst  second  text\n    1       2  abc\n\nthird  text\n    3  abc\n");
    expect(r, REPORT_AS_text, &(struct report_view){.width = 26},
           "\nfirst  second  third  text\n    1       2      3  abc\n");
    report_free(r);
}
END_TEST

static size_t longest_line(const char *text)
{
    size_t longest = 0;
    for (; *text != '\0'; text += strcspn(text, "\n") + 1) {
        size_t columns = text_columns(text, strcspn(text, "\n"));
        longest = columns > longest ? columns : longest;
    }
    return longest;
}

/* No line is longer, whatever the report has but commands: at a legible width and at an absurd one. */
START_TEST(width_of_any_report)
{
    static const unsigned widths[] = {120, 80, 40, 17, 3, 1};
    struct report *r = random_report((uint64_t)_i, false);
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        char *text = rendered(r, REPORT_AS_text, &(struct report_view){.width = widths[i], .verbose = true});
        ck_assert_uint_le(longest_line(text), widths[i]);
        free(text);
    }
    report_free(r);
}
END_TEST

/* Values, notes and titles: words move to further lines, and a word that is too long is broken. */
START_TEST(width_of_prose)
{
    struct report *r = report_new();
    report_text(r, "guest", "guest", "/a/path/that/is/longer/than/the/line");
    report_count(r, "cycles", "core", 1234567, "cycles");
    report_remark(r, "(a remark of some words behind a number)");
    report_real(r, "estimate", "estimate", 1000, 0, "events");
    report_interval(r, 900, 1100);
    report_exact(r, 1012);
    report_note(r, "A note whose words need more lines than a single one of them has room for.");
    report_note_line(r, "  1.5 %  a line of a list, which is indented, with its continuation");
    report_table(r, "t", "a title, which is broken between words like any other text");
    expect(r, REPORT_AS_text, &(struct report_view){.width = 56},
           "guest                    /a/path/that/is/longer/than/the\n"
           "                         /line\n"
           "core                           1,234,567 cycles (a\n"
           "  remark of some words behind a number)\n"
           "estimate                           1,000 events,\n"
           "  95 %: 900..1,100, exact: 1,012\n"
           "\nA note whose words need more lines than a single one of\nthem has room for.\n"
           "  1.5 %  a line of a list, which is indented, with its\n  continuation\n"
           "\na title, which is broken between words like any other\ntext\n");
    report_free(r);
}
END_TEST

/* Prose alone has a limit where none is asked for. */
START_TEST(width_without_limit)
{
    struct report *r = report_new();
    char word[] = "word word word word word word word word word word word word word word word word word word word word "
                  "word";
    report_note(r, word);
    report_text(r, "guest", "guest", word);
    expect(r, REPORT_AS_text, &(struct report_view){0},
           "\nword word word word word word word word word word word word word word word word word word word word\n"
           "word\n"
           "guest                    word word word word word word word word word word word word word word word word "
           "word word word word word\n");
    report_free(r);
}
END_TEST

/* A column of numbers without a number is not shown; without a row all are. */
START_TEST(blank_columns)
{
    struct report *r = report_new();
    struct report_table *t = report_table(r, "t", NULL);
    report_column(t, &(struct report_column){.type = REPORT_TEXT, .member = "a", .title = "a"});
    report_column(t, &(struct report_column){.type = REPORT_COUNT, .member = "m", .title = "m"});
    report_column(t, &(struct report_column){.type = REPORT_COUNT, .member = "n", .title = "n"});
    expect(r, REPORT_AS_text, &(struct report_view){0}, "\na  m  n\n");
    report_row(t);
    report_cell_text(t, "x");
    report_cell_absent(t);
    report_cell_count(t, 7);
    expect(r, REPORT_AS_text, &(struct report_view){0}, "\na  n\nx  7\n");
    expect(r, REPORT_AS_text, &(struct report_view){.width = 3}, "\na\n  n\nx\n  7\n");
    report_free(r);
}
END_TEST

/* Thousands are separated, decimals or not; what is rounded to zero has no sign. */
START_TEST(numbers)
{
    struct report *r = report_new();
    struct report_table *t = report_table(r, "t", NULL);
    report_column(t, &(struct report_column){.type = REPORT_REAL, .member = "x", .title = "x", .decimals = 1});
    report_column(t, &(struct report_column){.type = REPORT_REAL, .member = "n", .title = "n"});
    report_column(
        t, &(struct report_column){.type = REPORT_SHARE, .member = "s", .title = "s", .decimals = 1, .sign = true});
    report_column(t, &(struct report_column){.type = REPORT_INTERVAL, .member = "i", .title = "i"});
    static const double x[] = {1234567.25, -1234.5, 999.9, -0.04, 0.04, 0};
    for (unsigned i = 0; i < 6; i++) {
        report_row(t);
        report_cell_real(t, x[i]);
        report_cell_real(t, -10 * x[i]);
        report_cell_share(t, x[i] / 100);
        report_cell_interval(t, -x[i], 1e6);
    }
    expect(r, REPORT_AS_text, &(struct report_view){0},
           "\n          x            n             s  i\n"
           "1,234,567.2  -12,345,673  +1,234,567.2  -1,234,567..1,000,000\n"
           "   -1,234.5       12,345      -1,234.5  1,235..1,000,000\n"
           "      999.9       -9,999        +999.9  -1,000..1,000,000\n"
           "        0.0            0           0.0  0..1,000,000\n"
           "        0.0            0           0.0  0..1,000,000\n"
           "        0.0            0             0  0..1,000,000\n");
    report_free(r);
}
END_TEST

/* A file that others have made: each '@' in its texts is a control character. */
START_TEST(a_report_that_is_read_is_printable)
{
    struct errmsg err;
    struct report *r = report_new();
    report_count(r, "a", "label@", 3, "unit@s");
    report_remark(r, "remark@");
    report_text(r, "b", "b", "text@");
    report_note(r, "note@");
    char *json = rendered(r, REPORT_AS_json, &(struct report_view){0});
    report_free(r);
    char *hostile = xcalloc(strlen(json) + 1, 6), *to = hostile;
    for (const char *c = json; *c != '\0'; c++)
        to += sprintf(to, *c == '@' ? "\\u%04x" : "%c", *c == '@' ? 0x9b : *c);
    ck_assert_msg(report_read(&r, "f", hostile, strlen(hostile), &err) == ST_OK, "%s", err.text);
    char *text = rendered(r, REPORT_AS_text, &(struct report_view){0});
    ck_assert_ptr_null(strstr(text, "\xc2\x9b"));
    ck_assert_msg(strstr(text, "label?") != NULL && strstr(text, "unit?s") != NULL, "%s", text);
    ck_assert_msg(strstr(text, "remark?") != NULL && strstr(text, "note?") != NULL, "%s", text);
    report_free(r);
    free(text);
    free(hostile);
    free(json);
}
END_TEST

/* A message that names the place, what was expected and what was found. */
static void refused(const char *json, const char *message)
{
    struct errmsg err = {""};
    struct report *r;
    ck_assert_int_ne(report_read(&r, "f", json, strlen(json), &err), ST_OK);
    ck_assert_ptr_null(r);
    ck_assert_str_eq(err.text, message);
}

#define HEAD "{\"format\": \"pcemu report\", \"version\": 1, "

START_TEST(refusals)
{
    refused("", "f: expected a report of pcemu, found an empty file");
    refused("\x1b[31m", "f:1:1: this is not JSON: '[' or '{' expected near '?'");
    refused("{\n \"a\": 1", "f:2:7: the file is truncated: '}' expected near end of file");
    refused("{]", "f:1:2: this is not JSON: string or '}' expected near ']'");
    refused("[]", "f: expected a report of pcemu (.format \"pcemu report\"), found no object");
    refused("{\"cycles\": 1}",
            "f: expected a report of pcemu (.format \"pcemu report\"), found an object without .format");
    refused("{\"core\": {}}",
            "f: expected a report of pcemu (.format \"pcemu report\"), found statistics, as pcemu --stats writes them");
    refused("{\"format\": \"other\"}",
            "f: expected a report of pcemu (.format \"pcemu report\"), found the format 'other'");
    refused("{\"format\": \"pcemu report\"}", "f: .version: expected a whole number from 1 on, found no such member");
    refused("{\"format\": \"pcemu report\", \"version\": 0}",
            "f: .version: expected a whole number from 1 on, found 0");
    refused("{\"format\": \"pcemu report\", \"version\": 2}",
            "f: the report is of version 2, expected at most 1: a newer pcemu has written it");
    refused("{\"format\": \"pcemu report\", \"version\": 1}",
            "f: .presentation: expected an array, found no such member");
    refused(HEAD "\"presentation\": [{\"value\": \"a\", \"type\": \"count\"}]}",
            "f: .a: expected a member that the presentation names, found no such member");
    refused(HEAD "\"a\": \"x\", \"presentation\": [{\"value\": \"a\", \"type\": \"count\"}]}",
            "f: .a: expected a whole number, not negative, found a string");
    refused(HEAD "\"presentation\": [{\"value\": \"version\", \"type\": \"count\"}]}",
            "f: .version: expected a member that the presentation names once, found it twice");
    refused(HEAD "\"presentation\": [{\"type\": \"rows\"}]}",
            "f: .presentation[0]: expected a type of values, found rows");
    refused(
        HEAD "\"presentation\": [{}]}",
        "f: .presentation[0]: expected an object with a member note, section, list, table or type, found an object");
    refused(
        HEAD
        "\"t\": [{}], \"presentation\": [{\"table\": \"t\", \"columns\": [{\"type\": \"count\", \"member\": \"n\"}]}]}",
        "f: .t[0].n: expected a whole number, not negative, found no such member");
    refused(HEAD "\"t\": [{\"g\": {\"n n\": -1}}], \"presentation\": [{\"table\": \"t\", \"columns\": [{\"type\": "
                 "\"count\", \"member\": \"n n\", "
                 "\"group\": \"g\"}]}]}",
            "f: .t[0].g.\"n n\": expected a whole number, not negative, found a negative number");
    refused(HEAD "\"t\": {}, \"presentation\": [{\"table\": \"t\", \"columns\": []}]}",
            "f: .t: expected an array, found an object");
    refused(HEAD "\"l\": [], \"presentation\": [{\"list\": \"l\", \"parts\": [{\"element\": \"e\", \"parts\": []}]}]}",
            "f: .l: expected as many elements as the presentation has, found fewer");
    refused(HEAD "\"presentation\": [{\"type\": \"real\", \"is\": 1.5, \"decimals\": 18}]}",
            "f: .presentation[0].decimals: expected at most 17, found more");
}
END_TEST

#define TABLE(columns, rows) HEAD "\"t\": " rows ", \"presentation\": [{\"table\": \"t\", \"columns\": " columns "}]}"
#define PLACE(members) TABLE("[{\"type\": \"address\"}]", "[{\"pc\": \"0x1\", " members "}]")
#define LIST(parts, elements) HEAD "\"l\": " elements ", \"presentation\": [{\"list\": \"l\", \"parts\": " parts "}]}"

/* The first error of several members. */
static const char *const refused_members[][2] = {
    {PLACE("\"address\": 5"),
     "f: .t[0].address: expected a string of hexadecimal digits behind 0x, found a whole number"},
    {PLACE("\"function\": 7"), "f: .t[0].function: expected a string, found a whole number"},
    {PLACE("\"offset\": \"x\""), "f: .t[0].offset: expected a whole number, not negative, found a string"},
    {PLACE("\"library\": 7"), "f: .t[0].library: expected a string, found a whole number"},
    {PLACE("\"file\": 7"), "f: .t[0].file: expected a string, found a whole number"},
    {PLACE("\"line\": -7"), "f: .t[0].line: expected a whole number, not negative, found a negative number"},
    {TABLE("[{\"type\": \"address\", \"member\": \"a\"}]", "[{\"a\": \"x\"}]"),
     "f: .t[0].a: expected an object with pc, a string of hexadecimal digits behind 0x, found a string"},
    {TABLE("[{\"type\": \"address\", \"member\": \"_a\"}]", "[{\"_a\": \"x\"}]"),
     "f: .t[0]._a: expected an object with pc, a string of hexadecimal digits behind 0x, found a string"},
    {TABLE("[{\"type\": \"hexadecimal\", \"member\": \"h\"}]", "[{\"h\": \"0x12345678901234567\"}]"),
     "f: .t[0].h: expected a string of hexadecimal digits behind 0x, found a string"},
    {TABLE("[{\"type\": \"count\", \"member\": \"n\", \"decimals\": \"x\"}]", "[]"),
     "f: .presentation[0].columns[0].decimals: expected a whole number, not negative, found a string"},
    {TABLE("[{\"type\": \"count\", \"member\": \"n\", \"suffix_of\": 5}]", "[]"),
     "f: .presentation[0].columns[0].suffix_of: expected a string, found a whole number"},
    {TABLE("[{\"type\": \"rows\", \"member\": \"n\", \"limit\": \"x\"}]", "[]"),
     "f: .presentation[0].columns[0].limit: expected a whole number, not negative, found a string"},
    {TABLE("[], \"title\": 5", "[]"), "f: .presentation[0].title: expected a string, found a whole number"},
    {TABLE("[], \"order\": 5", "[]"), "f: .presentation[0].order: expected a string, found a whole number"},
    {TABLE("[], \"peaks\": 5", "[]"), "f: .presentation[0].peaks: expected a string, found a whole number"},
    {TABLE("[], \"whole\": 5", "[]"), "f: .presentation[0].whole: expected true or false, found a whole number"},
    {TABLE("[{\"type\": \"rows\", \"member\": \"n\", \"above\": 5}]", "[]"),
     "f: .presentation[0].columns[0].above: expected true or false, found a whole number"},
    {TABLE("[{\"type\": \"address\", \"member\": \"a\"}]", "[{}]"),
     "f: .t[0].a: expected an object with pc, a string of hexadecimal digits behind 0x, found no such member"},
    {TABLE("7", "[]"), "f: .presentation[0].columns: expected an array, found a whole number"},
    {TABLE("[7]", "[]"), "f: .presentation[0].columns[0]: expected an object, found a whole number"},
    {TABLE("[]", "[7]"), "f: .t[0]: expected an object, found a whole number"},
    {LIST("[{}, {}]", "[{}, {}]"), "f: .presentation[0].parts[0].element: expected a string, found no such member"},
    {LIST("[]", "{}"), "f: .l: expected an array, found an object"},
    {HEAD "\"s\": 7, \"presentation\": [{\"section\": \"s\", \"parts\": []}]}",
     "f: .s: expected an object, found a whole number"},
    {HEAD "\"a\": 1, \"presentation\": [{\"value\": \"a\", \"type\": \"count\", \"exact\": true}]}",
     "f: .a_exact: expected a member that the presentation names, found no such member"},
    {HEAD "\"a\": 1, \"a_exact\": \"x\", \"presentation\": [{\"value\": \"a\", \"type\": \"count\", \"exact\": true}]}",
     "f: .a_exact: expected a number, found a string"},
    {HEAD "\"a\": 1, \"presentation\": [{\"value\": \"a\", \"type\": \"count\", \"interval\": true}]}",
     "f: .a_interval: expected a member that the presentation names, found no such member"},
    {HEAD "\"a\": 7, \"presentation\": [{\"value\": \"a\", \"type\": \"absent\"}]}",
     "f: .a: expected null, found a whole number"},
};
enum { REFUSED_MEMBERS = sizeof refused_members / sizeof refused_members[0] };

START_TEST(refusals_of_members) { refused(refused_members[_i][0], refused_members[_i][1]); }
END_TEST

/* Cells of a column without values are null. */
START_TEST(absent_cells)
{
    static const char json[] = TABLE("[{\"type\": \"absent\", \"member\": \"n\"}]", "[{\"n\": null}]");
    struct errmsg err = {""};
    struct report *r;
    ck_assert_msg(report_read(&r, "f", json, strlen(json), &err) == ST_OK, "%s", err.text);
    report_free(r);
}
END_TEST

START_TEST(columns_are_limited)
{
    enum { COLUMNS = 1025 };
    static const char column[] = "{\"type\": \"count\", \"member\": \"n\"}";
    char *text = xmalloc(COLUMNS * sizeof column + 200);
    strcpy(text, HEAD "\"t\": [], \"presentation\": [{\"table\": \"t\", \"columns\": [");
    char *at = text + strlen(text);
    for (unsigned n = 0; n < COLUMNS; n++)
        at += sprintf(at, "%s%s", n > 0 ? "," : "", column);
    strcpy(at, "]}]}");
    refused(text, "f: .presentation[0].columns: expected at most 1024 columns, found more");
    free(text);
}
END_TEST

/* Whole numbers beyond those that every reader of JSON keeps are real numbers. */
START_TEST(large_numbers)
{
    json_t *large = json_number(1e300), *whole = json_number(3), *real = json_number(0.5);
    ck_assert(json_is_real(large) && json_is_integer(whole) && json_is_real(real));
    json_decref(large);
    json_decref(whole);
    json_decref(real);
}
END_TEST

/* A value of another type in each place of a report: it is read, or refused with the place and what was expected. */
static unsigned refused_changes, read_changes;

static void expect_read_or_refused(const json_t *root)
{
    struct errmsg err = {""};
    struct report *r = NULL;
    char *json = json_dumps(root, JSON_COMPACT);
    if (report_read(&r, "f", json, strlen(json), &err) == ST_OK) {
        read_changes++;
        report_free(r);
    } else {
        refused_changes++;
        ck_assert_ptr_null(r);
        ck_assert_msg(strncmp(err.text, "f", 1) == 0 && strstr(err.text, "expected ") != NULL, "%s: %s", err.text,
                      json);
    }
    free(json);
}

static void change_each(json_t *root, json_t *part);

/* Puts another value in the place of a member or element, whose present value is `old`. */
static void change(json_t *root, json_t *part, const char *key, size_t index, json_t *old)
{
    static const char *const others[] = {"null",    "true", "-1",         "0",       "7",      "4294967296",
                                         "1.5",     "-0.5", "\"\"",       "\"x y\"", "\"0x\"", "\"0xg\"",
                                         "\"0x5\"", "[]",   "[1, \"a\"]", "{}"};
    json_incref(old);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        json_t *other = json_loads(others[i], JSON_DECODE_ANY, NULL);
        ck_assert_ptr_nonnull(other);
        (void)(key != NULL ? json_object_set_new(part, key, other) : json_array_set_new(part, index, other));
        expect_read_or_refused(root);
    }
    if (key != NULL) {
        json_object_del(part, key);
        expect_read_or_refused(root);
        json_object_set(part, key, old);
    } else {
        json_array_set(part, index, old);
    }
    change_each(root, old);
    json_decref(old);
}

static void change_each(json_t *root, json_t *part)
{
    enum { MEMBERS = 64 };
    char *keys[MEMBERS];
    size_t n = 0, index;
    const char *key;
    json_t *value;
    json_object_foreach(part, key, value)
    {
        ck_assert_uint_lt(n, MEMBERS);
        keys[n++] = xstrdup(key);
    }
    for (size_t i = 0; i < n; i++) {
        change(root, part, keys[i], 0, json_object_get(part, keys[i]));
        free(keys[i]);
    }
    json_array_foreach(part, index, value) change(root, part, NULL, index, value);
}

START_TEST(changed_reports)
{
    struct report *r = sample_report();
    char *json = rendered(r, REPORT_AS_json, &(struct report_view){0});
    json_t *root = json_loads(json, 0, NULL);
    refused_changes = read_changes = 0;
    change_each(root, root);
    ck_assert_uint_gt(read_changes, 300);
    ck_assert_uint_gt(refused_changes, 500);
    json_decref(root);
    free(json);
    report_free(r);
}
END_TEST

START_TEST(intervals)
{
    struct interval i = interval_of_share(0.5, 100);
    ck_assert(i.is_known);
    ck_assert_double_eq_tol(i.low, 0.4038, 0.0001); /* 0.5 +- 0.0962 */
    ck_assert_double_eq_tol(i.high, 0.5962, 0.0001);
    i = interval_of_share(0, 100);
    ck_assert_double_eq(i.low, 0);
    ck_assert_double_eq_tol(i.high, 0.0370, 0.0001); /* 3.8415 / 103.8415 */
    ck_assert(!interval_of_share(0.5, 0).is_known);
    i = interval_of_thinned(100, 2); /* N / 2 +- 1.96 sqrt(N / 4) = 100 */
    ck_assert_double_eq_tol(i.low / 2 + 1.959963984540054 * sqrt(i.low) / 2, 100, 1e-9);
    ck_assert_double_eq_tol(i.high / 2 - 1.959963984540054 * sqrt(i.high) / 2, 100, 1e-9);
    ck_assert_double_eq(interval_of_thinned(3, 1.0001).low, 3); /* no less than what was counted */
    ck_assert(!interval_of_thinned(100, 1).is_known);
    i = interval_of_mean(5, 2, 4); /* 3.1824 * 2 / sqrt(4) */
    ck_assert_double_eq_tol(i.low, 5 - 3.1824, 1e-4);
    ck_assert_double_eq_tol(i.high, 5 + 3.1824, 1e-4);
    i = interval_of_mean(0, 1, 31); /* 30 degrees of freedom: 2.0423 */
    ck_assert_double_eq_tol(i.high * sqrt(31), 2.0423, 5e-4);
    ck_assert(!interval_of_mean(5, 0, 1).is_known);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("report");
    TCase *t = tcase_create("tree");
    tcase_add_test(t, text_form);
    tcase_add_test(t, text_of_numbers);
    tcase_add_test(t, csv_form);
    tcase_add_test(t, json_form);
    tcase_add_loop_test(t, round_trip, 0, 10);
    tcase_add_test(t, places);
    tcase_add_test(t, sorting);
    tcase_add_test(t, peaks);
    tcase_add_test(t, many_members);
    tcase_add_test(t, width);
    tcase_add_test(t, width_of_similar_texts);
    tcase_add_test(t, width_of_many_numbers);
    tcase_add_loop_test(t, width_of_any_report, 0, 200);
    tcase_add_test(t, width_of_prose);
    tcase_add_test(t, width_without_limit);
    tcase_add_test(t, blank_columns);
    tcase_add_test(t, numbers);
    tcase_add_test(t, a_report_that_is_read_is_printable);
    tcase_add_test(t, refusals);
    tcase_add_loop_test(t, refusals_of_members, 0, REFUSED_MEMBERS);
    tcase_add_test(t, absent_cells);
    tcase_add_test(t, columns_are_limited);
    tcase_add_test(t, large_numbers);
    tcase_add_test(t, changed_reports);
    tcase_add_test(t, intervals);
    suite_add_tcase(s, t);
    return run_suite(s);
}
