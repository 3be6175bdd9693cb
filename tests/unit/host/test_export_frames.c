/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames that are functions, as those of callstack.pc: what is inlined at their first instructions has no part of their
 * values. Frames that are instructions have it. */
#include <jansson.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/export/frame.h"
#include "tests/unit/exported.h"

/* In both functions a call of an iterator's operator is inlined at the first instruction, and its code ends 8 bytes
 * behind it. */
static const struct profile_symbol symbols[] = {{.start = 0x100, .size_bytes = 0x20, .name = "main", .shown = "main"},
                                                {.start = 0x120, .size_bytes = 0x20, .name = "loop", .shown = "loop"}};
static const struct profile_line lines[] = {{.start = 0x100, .file = 1, .line = 5},
                                            {.start = 0x108, .file = 0, .line = 12},
                                            {.start = 0x120, .file = 1, .line = 5},
                                            {.start = 0x128, .file = 0, .line = 23}};
static const struct profile_scope scopes[] = {
    {.name = "main", .shown = "main", .file = 0, .line = 10, .caller = PROFILE_NO_SCOPE},
    {.name = "next", .shown = "next", .file = 1, .line = 4, .caller = 0, .call_file = 0, .call_line = 11},
    {.name = "loop", .shown = "loop", .file = 0, .line = 20, .caller = PROFILE_NO_SCOPE},
    {.name = "next", .shown = "next", .file = 1, .line = 4, .caller = 2, .call_file = 0, .call_line = 21}};
static const struct profile_scope_range ranges[] = {{0x100, 1}, {0x108, 0}, {0x120, 3}, {0x128, 2}};

static struct profile *p;

static void setup(void)
{
    p = profile_new();
    profile_add_file(p, "main.c");
    profile_add_file(p, "next.h");
    profile_add_image(p, &(struct profile_image){.build_id = "aa",
                                                 .path = "/bin/x",
                                                 .name = "x",
                                                 .symbol = symbols,
                                                 .symbols = 2,
                                                 .line = lines,
                                                 .lines = 4,
                                                 .code = code,
                                                 .codes = 1,
                                                 .scope = scopes,
                                                 .scopes = 4,
                                                 .scope_range = ranges,
                                                 .scope_ranges = 4});
}

static void teardown(void) { profile_free(p); }

static uint32_t add_event(const char *name)
{
    const struct profile_event e = {
        .name = name, .by = "x", .unit = "events", .source = PROFILE_PROGRAM, .scale = 1, .total = NAN};
    return profile_add_event(p, &e);
}

/* 7 events in `loop`, called by main, and 2 in main: functions, as of callstack.pc. */
static uint32_t add_functions(void)
{
    static const struct profile_place loop[] = {{0, 0x120}, {0, 0x100}};
    uint32_t e = add_event("call_paths.events");
    profile_add_stack(p, e, (struct profile_stack){profile_add_path(p, loop, 2), 7});
    profile_add_stack(p, e, (struct profile_stack){profile_add_path(p, loop + 1, 1), 2});
    profile_add_sample(p, e, (struct profile_sample){0, 0x120, 7});
    profile_add_sample(p, e, (struct profile_sample){0, 0x100, 2});
    return e;
}

/* Instructions: 3 events at the inlined call of `loop`, one behind it. The call is at 0x110. */
static uint32_t add_instructions(void)
{
    static const struct profile_place inlined[] = {{0, 0x120}, {0, 0x110}}, own[] = {{0, 0x12c}, {0, 0x110}};
    uint32_t e = add_event("dcache-miss");
    profile_add_stack(p, e, (struct profile_stack){profile_add_path(p, inlined, 2), 3});
    profile_add_stack(p, e, (struct profile_stack){profile_add_path(p, own, 2), 1});
    return e;
}

START_TEST(folded_functions)
{
    add_functions();
    expect_text(p, EXPORT_folded, NULL, "main 2\nmain;loop 7\n");
}
END_TEST

START_TEST(folded_instructions)
{
    add_instructions();
    expect_text(p, EXPORT_folded, NULL, "main;loop 1\nmain;loop;next 3\n");
}
END_TEST

/* The address of an event is known, but not that of its call, as of a counter with the callers' functions. */
START_TEST(folded_instructions_with_functions_as_callers)
{
    static const struct profile_place frame[] = {{0, 0x124}, {0, 0x100}};
    profile_add_stack(p, add_event("mixed"), (struct profile_stack){profile_add_path(p, frame, 2), 4});
    expect_text(p, EXPORT_folded, NULL, "main;loop;next 4\n");
}
END_TEST

START_TEST(callgrind_has_the_line_of_the_function)
{
    uint32_t retired = add_event("retired");
    add_functions();
    profile_add_sample(p, retired, (struct profile_sample){0, 0x120, 50});
    expect_text(p, EXPORT_callgrind, "all",
                "# callgrind format\nversion: 1\ncreator: pcprof\ncmd: /bin/x\npositions: instr line\n"
                "events: retired call_paths_events\nsummary: 50 9\n"
                "\nob=(1) x\nfl=(1) main.c\nfn=(1) main\n0x100 10 0 2\n"
                "cob=(1)\ncfi=(1)\ncfn=(2) loop\ncalls=1 0x120 20\n0x100 10 0 7\n"
                "\nfl=(1)\nfn=(2)\nfi=(2) next.h\n0x120 5 50 0\nfi=(1)\n0x120 20 0 7\n");
}
END_TEST

START_TEST(speedscope_frames)
{
    add_functions();
    size_t size_bytes, n;
    char *text = exported(p, EXPORT_speedscope, NULL, &size_bytes);
    json_t *file = json_loads(text, 0, NULL), *frames, *frame;
    ck_assert_int_eq(json_unpack(file, "{s{so}}", "shared", "frames", &frames), 0);
    ck_assert_uint_eq(json_array_size(frames), 2);
    json_array_foreach(frames, n, frame) ck_assert_str_eq(json_string_value(json_object_get(frame, "file")), "main.c");
    json_decref(file);
    free(text);
}
END_TEST

/* A function and its first instruction are two locations. */
START_TEST(pprof_locations)
{
    add_functions();
    profile_add_sample(p, add_event("retired"), (struct profile_sample){0, 0x120, 50});
    size_t size_bytes;
    char *text = exported(p, EXPORT_pprof, NULL, &size_bytes);
    Pprof__Profile *m = unpacked(text, size_bytes);
    ck_assert_ptr_nonnull(m);
    for (size_t n = 0; n < m->n_sample; n++) {
        const Pprof__Sample *s = m->sample[n];
        const Pprof__Location *l = m->location[s->location_id[0] - 1];
        ck_assert_uint_eq(l->n_line, s->value[0] == 50 || s->value[1] == 50 ? 2 : 1);
        if (s->value[0] == 7 || s->value[1] == 7)
            ck_assert_int_eq(l->line[0]->line, 20);
    }
    ck_assert_uint_eq(m->n_sample, 3);
    ck_assert_uint_eq(m->n_location, 3);
    pprof__profile__free_unpacked(m, NULL);
    free(text);
}
END_TEST

/* perf finds inlined calls by address, so the address of a function is one outside them. */
START_TEST(perf_addresses)
{
    add_functions();
    size_t size_bytes, samples = 0;
    char *text = exported(p, EXPORT_perf, NULL, &size_bytes);
    uint64_t place[2], word;
    memcpy(place, text + 40, sizeof place);
    for (uint64_t at = place[0]; at < place[0] + place[1];) {
        struct perf_event_header h;
        memcpy(&h, text + at, sizeof h);
        ck_assert_uint_gt(h.size, 0);
        if (h.type == PERF_RECORD_SAMPLE) {
            memcpy(&word, text + at + sizeof h + 8, sizeof word);
            ck_assert(word == 0x108 || word == 0x128);
            samples++;
        }
        at += h.size;
    }
    ck_assert_uint_eq(samples, 2);
    free(text);
}
END_TEST

START_TEST(compilers_get_counts_of_instructions_alone)
{
    add_functions();
    const struct errmsg err = refusal(p, EXPORT_autofdo_clang, "call_paths.events");
    ck_assert_ptr_nonnull(strstr(err.text, "event 'call_paths.events' counts by function"));
}
END_TEST

START_TEST(frames_are_functions_or_instructions)
{
    uint32_t functions = add_functions(), instructions = add_instructions();
    size_t count;
    const struct profile_stack *s = profile_stacks(p, instructions, &count);
    ck_assert(export_is_by_function(p, functions));
    ck_assert(!export_is_by_function(p, instructions));
    ck_assert(!export_is_by_function(p, add_event("none")));
    struct profile_path path = {.frame = NULL};
    profile_path_read(&path, p, s->frame);
    for (size_t n = 0; n < path.depth; n++) {
        const struct export_frame f = export_frame_of_path(p, &path, n, false);
        ck_assert(!f.is_function);
        ck_assert_uint_eq(export_frame_address(p, f), profile_frame(p, path.frame[n])->at.address);
    }
    free(path.frame);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("export_frames");
    TCase *t = tcase_create("export_frames");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, folded_functions);
    tcase_add_test(t, folded_instructions);
    tcase_add_test(t, folded_instructions_with_functions_as_callers);
    tcase_add_test(t, callgrind_has_the_line_of_the_function);
    tcase_add_test(t, speedscope_frames);
    tcase_add_test(t, pprof_locations);
    tcase_add_test(t, perf_addresses);
    tcase_add_test(t, compilers_get_counts_of_instructions_alone);
    tcase_add_test(t, frames_are_functions_or_instructions);
    suite_add_tcase(s, t);
    return run_suite(s);
}
