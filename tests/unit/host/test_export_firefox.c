/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Firefox Profiler's format: time of two stacks by category, inlined calls, values of no file, identifiers. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contract/timeprof.h"
#include "tests/unit/exported.h"

static const struct profile_symbol symbols[] = {{.start = 0x100, .size_bytes = 0x20, .name = "main", .shown = "main"},
                                                {.start = 0x120, .size_bytes = 0x20, .name = "leaf", .shown = "leaf"}};
static const struct profile_line lines[] = {{.start = 0x100, .file = 0, .line = 11},
                                            {.start = 0x108, .file = 1, .line = 4},
                                            {.start = 0x110, .file = 0, .line = 13},
                                            {.start = 0x120, .file = 0, .line = 21}};
static const struct profile_scope scopes[] = {
    {.name = "main", .shown = "main", .file = 0, .line = 10, .caller = PROFILE_NO_SCOPE},
    {.name = "inner", .shown = "inner", .file = 1, .line = 3, .caller = 0, .call_file = 0, .call_line = 12},
    {.name = "leaf", .shown = "leaf", .file = 0, .line = 20, .caller = PROFILE_NO_SCOPE}};
static const struct profile_scope_range ranges[] = {{0x100, 0}, {0x108, 1}, {0x110, 0}, {0x120, 2}};

static struct profile *p;
static json_t *file;

static void setup(void)
{
    p = profile_new();
    profile_add_file(p, "main.c");
    profile_add_file(p, "inner.h");
    profile_add_image(p, &(struct profile_image){.build_id = "0123456789abcdef0123456789abcdef01234567",
                                                 .path = "/bin/prog",
                                                 .name = "prog",
                                                 .symbol = symbols,
                                                 .symbols = 2,
                                                 .line = lines,
                                                 .lines = 4,
                                                 .code = code,
                                                 .codes = 1,
                                                 .scope = scopes,
                                                 .scopes = 3,
                                                 .scope_range = ranges,
                                                 .scope_ranges = 4});
}

static void teardown(void)
{
    json_decref(file);
    profile_free(p);
}

static uint32_t add_event(const char *name, const char *by)
{
    return profile_add_event(p, &(struct profile_event){.name = name, .by = by, .source = PROFILE_EXACT, .scale = 1});
}

/* 30 cycles of leaf, called by main, 10 of what is inlined into main, and 5 of no file. */
static void add_stacks(uint32_t event)
{
    const struct profile_place leaf[] = {{0, 0x120}, {0, 0x110}}, inner[] = {{0, 0x108}};
    profile_add_stack(p, event, (struct profile_stack){profile_add_path(p, leaf, 2), 30});
    profile_add_stack(p, event, (struct profile_stack){profile_add_path(p, inner, 1), 10});
    profile_add_stack(p, event, (struct profile_stack){0, 5});
}

/* Reads the export with these categories. */
static void write_and_read(const struct export_causes *causes)
{
    char *text;
    size_t size_bytes;
    struct errmsg err = {""};
    FILE *out = open_memstream(&text, &size_bytes);
    const struct export_options o = {.causes = causes};
    ck_assert_msg(export_write(EXPORT_firefox, p, &o, out, &err) == ST_OK, "%s", err.text);
    fclose(out);
    file = json_loads(text, 0, NULL);
    ck_assert_ptr_nonnull(file);
    free(text);
}

static const json_t *get(const json_t *from, const char *key)
{
    const json_t *value = json_object_get(from, key);
    ck_assert_msg(value != NULL, "no member %s", key);
    return value;
}

static json_int_t number(const json_t *table, const char *column, json_int_t row)
{
    const json_t *value = json_array_get(get(table, column), (size_t)row);
    ck_assert_msg(json_is_integer(value), "%s[%d]: not a number", column, (int)row);
    return json_integer_value(value);
}

static const json_t *shared(const char *table) { return get(get(file, "shared"), table); }

static const char *string(json_int_t n) { return json_string_value(json_array_get(shared("stringArray"), (size_t)n)); }

/* A stack as "outer:LINE CATEGORY;inner:LINE CATEGORY"; the caller frees it. */
static char *describe(json_int_t stack)
{
    const json_t *frames = shared("frameTable");
    const json_int_t frame = number(shared("stackTable"), "frame", stack);
    const json_t *prefix = json_array_get(get(shared("stackTable"), "prefix"), (size_t)stack),
                 *line = json_array_get(get(frames, "line"), (size_t)frame),
                 *category = json_array_get(get(frames, "category"), (size_t)frame);
    char *outer = json_is_null(prefix) ? xstrdup("") : describe(json_integer_value(prefix));
    const char *name = string(number(shared("funcTable"), "name", number(frames, "func", frame)));
    char *text = xasprintf("%s%s%s:%d %d", outer, *outer == '\0' ? "" : ";", name, (int)json_integer_value(line),
                           (int)json_integer_value(category));
    free(outer);
    return text;
}

static void expect_samples(size_t thread, const char *const *want, size_t count)
{
    const json_t *samples = get(json_array_get(get(file, "threads"), thread), "samples");
    ck_assert_int_eq(json_integer_value(get(samples, "length")), (int)count);
    double begin = 0;
    for (size_t n = 0; n < count; n++) {
        const json_int_t weight = number(samples, "weight", (json_int_t)n);
        char *stack = describe(number(samples, "stack", (json_int_t)n)),
             *sample = xasprintf("%s = %d", stack, (int)weight);
        ck_assert_str_eq(sample, want[n]);
        ck_assert_double_eq_tol(json_real_value(json_array_get(get(samples, "time"), n)), begin * 1e-6, 1e-9);
        begin += (double)weight;
        free(stack);
        free(sample);
    }
}

/* Category 0 is "Other"; 1 + TIME_STALL_LOAD is 3. leaf's instruction: 20 executing, 10 waiting for a load. */
START_TEST(time_by_category)
{
    struct export_cause cause[] = {
        {0, TIME_STALL_LOAD, 0x108, 10}, {0, TIME_EXECUTE, 0x120, 20}, {0, TIME_STALL_LOAD, 0x120, 10}};
    add_stacks(add_event("cycles", "oracle"));
    add_stacks(add_event("retired", "counts"));
    write_and_read(&(struct export_causes){.by = "oracle", .cause = cause, .count = 3});
    expect_samples(0,
                   (const char *const[]){"[unknown]:0 0 = 5", "main:13 0;leaf:21 1 = 20", "main:12 0;inner:4 3 = 10",
                                         "main:13 0;leaf:21 3 = 10"},
                   4);
    /* Another event has no categories. */
    expect_samples(
        1, (const char *const[]){"[unknown]:0 0 = 5", "main:12 0;inner:4 0 = 10", "main:13 0;leaf:21 0 = 30"}, 3);
    ck_assert_str_eq(json_string_value(get(json_array_get(get(get(file, "meta"), "categories"), 3), "name")),
                     "load stall");
}
END_TEST

START_TEST(tables)
{
    add_stacks(add_event("cycles", "oracle"));
    write_and_read(NULL);
    const json_t *lib = json_array_get(get(file, "libs"), 0);
    ck_assert_uint_eq(json_array_size(get(file, "libs")), 1);
    ck_assert_str_eq(json_string_value(get(lib, "codeId")), "0123456789abcdef0123456789abcdef01234567");
    ck_assert_str_eq(json_string_value(get(lib, "breakpadId")), "67452301AB89EFCD0123456789ABCDEF0");
    /* main, inner at 0x108, and leaf: relative to the mapping, in which the code of 0x100 is at 0x80. */
    bool has_inlined = false;
    for (json_int_t n = 0; n < json_integer_value(get(shared("frameTable"), "length")); n++)
        if (number(shared("frameTable"), "inlineDepth", n) == 1) {
            has_inlined = true;
            ck_assert_int_eq(number(shared("frameTable"), "address", n), 0x88);
            ck_assert_str_eq(
                string(number(shared("nativeSymbols"), "name", number(shared("frameTable"), "nativeSymbol", n))),
                "main");
        }
    ck_assert(has_inlined);
    /* Each column of a table has as many elements as it has rows. */
    const char *name, *column;
    json_t *table, *values;
    json_object_foreach((json_t *)(uintptr_t)get(file, "shared"), name, table)
    {
        json_object_foreach(table, column, values)
        {
            if (json_is_array(values))
                ck_assert_msg((json_int_t)json_array_size(values) == json_integer_value(get(table, "length")), "%s.%s",
                              name, column);
        }
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("export_firefox");
    TCase *t = tcase_create("export_firefox");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, time_by_category);
    tcase_add_test(t, tables);
    suite_add_tcase(s, t);
    return run_suite(s);
}
