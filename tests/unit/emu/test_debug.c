/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The debugger: what is passed going forward is found again going back, in the same state; expressions; the history's
 * bounds. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "asm/asm.h"
#include "emu/debug/debugger.h"
#include "tests/unit/cop_equal.h"

#include "tests/unit/suite.h" /* after ours: Check has a macro `fail` */

enum { MANY = SANITIZED ? 500000 : 1100000, MOST_STOPS = 400 };

/* A program of the kinds of words there are: match, counters, random replacement, an interrupt now and then. */
static const char text[] =
    ".program test\n.base t = 0\n.index i, width 4\n.index n, width 4\n.index often, width 2\n"
    ".filter class load\n.entry load look\n.slot t[16] { key : pc, value : 32 hex, hit : 16, seen : 16 }\n"
    "look: match t, pc32 -> i | if miss goto new\n"
    "      ld t[i].value -> v0\n"
    "      cmp.32 v0, result32 | if ne goto other\n"
    "      inc t[i].hit | done\n" /* no word writes `seen` */
    "other: mov rnd4 -> v1\n"
    "      st t[i].value, result32 | done\n"
    "new:  write t[n], pc32\n"
    "      st t[n].value, result32\n"
    "      inc n\n"
    "      inc often | if nolimit done\n"
    "full: interrupt\n";

static struct image image;
static struct cop *cop;
static struct bus bus;
static struct debugger *debugger;
static FILE *out;
static char *printed;
static size_t printed_bytes;

/* State of the live machine where it stopped. */
static struct stopped {
    struct cop *cop;
    struct moment at;
} stops[MOST_STOPS];
static unsigned stop_count;

/* A prompt whose script is at its end: the test has the word. */
static void at_prompt(void *ctx)
{
    (void)ctx;
    if (debugger == NULL || debugger->ended || stop_count == MOST_STOPS || !debugger->running)
        return;
    stops[stop_count++] = (struct stopped){cop_clone(cop), machine_at(&debugger->live)};
}

static void serve(void *ctx, uint64_t cycle)
{
    (void)ctx;
    (void)cycle;
    debug_interrupt(debugger);
    bus_put(&bus, BUS_COMMAND, BUS_INVALIDATE_ALL | BUS_CLEAR_ALL | BUS_RESTART);
}

static void assemble(void)
{
    struct pasm_options opts = {.name = "test.pasm", .text = text, .size_bytes = sizeof text - 1};
    struct diag diag;
    char *said;
    size_t said_bytes;
    diag_init(&diag, open_memstream(&said, &said_bytes));
    ck_assert_int_eq(pasm_assemble(&opts, &diag, &image), ST_OK);
    fclose(diag.out);
    free(said);
}

static void setup(void)
{
    struct debug_options options = {.script = "/dev/null"};
    struct debug_services services = {.quit = at_prompt};
    struct errmsg err;
    assemble();
    cop = cop_new(&cop_default_config);
    bus = cop_bus(cop);
    ck_assert_int_eq(bus_load_program(&bus, &image, &err), ST_OK);
    bus_put(&bus, BUS_COMMAND, BUS_RESTART);
    cop_on_interrupt(cop, serve, NULL);
    options.out = out = open_memstream(&printed, &printed_bytes);
    debugger = NULL;
    stop_count = 0;
    struct debugger *d;
    ck_assert_msg(debug_new(&d, cop, &image, &options, &services, &err) == ST_OK, "%s", err.text);
    debugger = d;
    debug_begin(debugger);
}

static void teardown(void)
{
    debug_free(debugger);
    for (unsigned i = 0; i < stop_count; i++)
        cop_free(stops[i].cop);
    cop_free(cop);
    fclose(out);
    free(printed);
}

/* Offers samples until so many words have been executed: bursts that fill the buffer, and pauses. */
static void run_words(uint64_t words)
{
    struct sample_sink sink = cop_sink(cop);
    uint64_t cycle = cop_cycle(cop), seed = 1;
    while (debugger->live.words < words) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        struct sample s = {.opclass = OPCLASS_LOAD, .cycle = cycle};
        s.field[FIELD_PC] = 0x10000 + (seed >> 60) * 8;
        s.field[FIELD_PC32] = sample_pc32(s.field[FIELD_PC]);
        s.field[FIELD_RESULT32] = seed >> 40 & 3;
        if (sink.accept(sink.ctx, s.opclass, s.field[FIELD_PC], cycle))
            sink.deliver(sink.ctx, &s);
        cycle += (seed >> 32 & 0xff) < 4 ? 2000 : seed >> 50 & 7;
    }
}

static void finish(void)
{
    cop_drain(cop);
    debug_end(debugger, "over");
}

static void command(const char *line) { command_execute(debugger, line); }

/* Back over all stops, the last first, then forward over them again. */
static void there_and_back(void)
{
    struct goal none = {.kind = GOAL_NONE, .count = 1};
    for (unsigned i = stop_count; i-- > 0;) {
        travel_backward(debugger, &none);
        struct moment at = machine_at(debugger->shown);
        ck_assert_msg(moment_compare(&at, &stops[i].at) == 0, "stop %u: back at %llu/%llu/%d, was %llu/%llu/%d", i,
                      (unsigned long long)at.words, (unsigned long long)at.inputs, at.phase,
                      (unsigned long long)stops[i].at.words, (unsigned long long)stops[i].at.inputs, stops[i].at.phase);
        ck_assert_msg(cop_equal(debugger->shown->cop, stops[i].cop), "stop %u: another state", i);
    }
    travel_backward(debugger, &none);
    ck_assert_int_eq(debugger->why.kind, REASON_BEGIN);
    for (unsigned i = 0; i < stop_count; i++) {
        travel_forward(debugger, &none);
        struct moment at = machine_at(debugger->shown);
        ck_assert_int_eq(moment_compare(&at, &stops[i].at), 0);
        ck_assert(cop_equal(debugger->shown->cop, stops[i].cop));
    }
}

START_TEST(test_there_and_back)
{
    static const char *const sets[][3] = {
        {"break look if position % 97 == 0"},
        {"break interrupt", "break drop if position % 31 == 0"},
        {"watch t[3].key", "watch if t[5].hit > 3"},
        {"watch v1 if v1 == 7", "break class load if sample % 50 == 0", "break full"},
    };
    for (int i = 0; i < 3 && sets[_i][i] != NULL; i++)
        command(sets[_i][i]);
    run_words(6000);
    finish();
    ck_assert_uint_gt(stop_count, 5);
    ck_assert_uint_lt(stop_count, MOST_STOPS);
    there_and_back();
}
END_TEST

static size_t resident_bytes(void)
{
    long pages = 0, skipped;
    FILE *f = fopen("/proc/self/statm", "r");
    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(fscanf(f, "%ld %ld", &skipped, &pages), 2);
    fclose(f);
    return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* Many words, passed over by one step back to each stop; history and all stays below 64 MB. */
START_TEST(test_million)
{
    size_t before = resident_bytes();
    command("break look if position % 50021 == 0");
    command("tbreak look if position > 3");
    run_words(MANY);
    finish();
    size_t used = history_bytes(&debugger->history);
    ck_assert_uint_le(used, HISTORY_DEFAULT_BYTES);
    ck_assert_uint_lt(stop_count, MOST_STOPS);
    ck_assert_uint_gt(stop_count, 2);
    command("delete 1");
    struct goal none = {.kind = GOAL_NONE, .count = 1};
    travel_backward(debugger, &none); /* over all of it: nothing is left to stop at */
    ck_assert_int_eq(debugger->why.kind, REASON_BEGIN);
    ck_assert_uint_eq(debugger->shown->words, 0);
    travel_go(debugger, &(struct goal){.kind = GOAL_POSITION, .count = stops[0].at.words});
    ck_assert(cop_equal(debugger->shown->cop, stops[0].cop));
    past_leave(debugger);
    char line[64];
    snprintf(line, sizeof line, "break look if position == %llu", (unsigned long long)stops[0].at.words);
    command(line);
    travel_backward(debugger, &none); /* past nearly all words */
    ck_assert_uint_eq(debugger->shown->words, stops[0].at.words);
    ck_assert_uint_gt(debugger->live.words - debugger->shown->words, MANY - 100000);
    ck_assert(cop_equal(debugger->shown->cop, stops[0].cop));
#ifndef __SANITIZE_ADDRESS__
    ck_assert_uint_lt(resident_bytes() - before, 64 << 20);
#else
    (void)before;
#endif
}
END_TEST

/* With little memory the history begins later, and what it still has is right. */
START_TEST(test_bounded)
{
    command("settings history-limit 4");
    command("break look if position % 5003 == 0");
    run_words(1000000);
    finish();
    const struct history *h = &debugger->history;
    ck_assert(h->forgot);
    ck_assert_uint_le(history_bytes(h), (4 << 20) + (1 << 19));
    struct goal none = {.kind = GOAL_NONE, .count = 1};
    unsigned i = stop_count, seen = 0;
    for (travel_backward(debugger, &none); debugger->why.kind == REASON_STOP; travel_backward(debugger, &none)) {
        ck_assert(cop_equal(debugger->shown->cop, stops[--i].cop));
        seen++;
    }
    ck_assert_uint_gt(seen, 5);
    ck_assert_int_eq(debugger->why.kind, REASON_BEGIN);
    ck_assert_uint_eq(debugger->shown->words, h->snapshot[0].at.words);
}
END_TEST

/* Each step back from a place, and forward again, is the same. */
START_TEST(test_steps)
{
    run_words(3000);
    finish();
    struct goal step = {.kind = GOAL_STEP, .count = 1};
    struct cop *seen[200];
    for (int i = 0; i < 200; i++) {
        travel_backward(debugger, &step);
        seen[i] = cop_clone(debugger->shown->cop);
    }
    for (int i = 199; i-- > 0;) {
        travel_forward(debugger, &step);
        ck_assert_msg(cop_equal(debugger->shown->cop, seen[i]), "step %d", i);
    }
    step.count = 100;
    travel_backward(debugger, &step);
    ck_assert(cop_equal(debugger->shown->cop, seen[100]));
    for (int i = 0; i < 200; i++)
        cop_free(seen[i]);
}
END_TEST

/* A change in the past, made again in each what-if, and one in the present, which stays in the history. */
START_TEST(test_changes)
{
    run_words(2000);
    debug_pause(debugger);
    command("set v3 = 77");
    command("set t[4].hit = 9");
    uint64_t at = debugger->live.words;
    run_words(4000);
    finish();
    travel_go(debugger, &(struct goal){.kind = GOAL_POSITION, .count = at + 1});
    struct cop_place v3 = {BUS_VALUES, 3};
    uint64_t v;
    ck_assert_int_eq(cop_peek(debugger->shown->cop, &v3, &v), ST_OK);
    ck_assert_uint_eq(v, 77);
    command("set v3 = 5");
    ck_assert(debugger->what_if);
    struct goal many = {.kind = GOAL_STEP, .count = 500};
    travel_forward(debugger, &many);
    struct cop *first = cop_clone(debugger->shown->cop);
    travel_backward(debugger, &many);
    travel_forward(debugger, &many);
    ck_assert(cop_equal(debugger->shown->cop, first));
    ck_assert_int_eq(cop_peek(first, &v3, &v), ST_OK);
    ck_assert_uint_eq(v, 5);
    cop_free(first);
    past_leave(debugger);
    ck_assert(debugger->shown == &debugger->live && !debugger->what_if);
    ck_assert_int_eq(cop_peek(debugger->shown->cop, &v3, &v), ST_OK);
    ck_assert_uint_eq(v, 77);
}
END_TEST

static const struct {
    const char *text;
    uint64_t value;
} formulas[] = {
    {"1 + 2 * 3", 7},
    {"(1 + 2) * 3", 9},
    {"7 - 2 - 1", 4},
    {"1 << 4 >> 2", 4},
    {"1 | 6 & 3 ^ 1", 3},
    {"5 > 3 == 1", 1},
    {"2 >= 2 && 2 <= 2 && 2 != 3", 1},
    {"0 && 1 / 0", 0},
    {"1 || 1 / 0", 1},
    {"-1 / 2", 0},
    {"-6 / 2 == -3", 1},
    {"-1 > 0", 0},
    {"-8 >> 1", (uint64_t)-4},
    {"-9223372036854775808", UINT64_C(1) << 63},
    {"0x8000000000000000 > 0", 1},
    {"0xffffffffffffffff == -1", 1},
    {"~0", UINT64_MAX},
    {"!5 + !0", 1},
    {"0x10 % 7", 2},
    {"look + 3", 3},
    {"load", OPCLASS_LOAD},
    {"t[1].valid", 0},
    {"t[1].seen + v0 + often", 0},
    {"often", 0},
    {"count[look]", 0},
};

START_TEST(test_formula)
{
    struct formula_scope scope = machine_scope(&debugger->live);
    struct errmsg err = {""};
    struct formula *f = formula_parse(formulas[_i].text, NULL, &scope, &err);
    struct integer v;
    ck_assert_msg(f != NULL, "%s", err.text);
    ck_assert_msg(formula_value(f, &scope, &v, &err) == ST_OK, "%s", err.text);
    ck_assert_uint_eq(v.bits, formulas[_i].value);
    formula_free(f);
}
END_TEST

/* Expressions without a value, with a part of the message; the first column is 1. */
static const struct {
    const char *text, *message;
} undefined[] = {
    {"1 << 64", "column 6, '64': a shift by 64 bits, expected 0 to 63"},
    {"5 >> -1", "column 6, '-1': a shift by -1 bits"},
    {"2 + 1 / (v3 - v3)", "column 9, '(v3 - v3)': division by zero"},
    {"-9223372036854775808 / -1", "column 1, '-9223372036854775808 / -1': overflow"},
    {"1 + 9223372036854775807 * 2", "column 5, '9223372036854775807 * 2': overflow"},
    {"0xffffffffffffffff > -1", "column 1, '0xffffffffffffffff > -1': 0xffffffffffffffff > -1 is ambiguous"},
    {"-0x8000000000000000", "is ambiguous"},
    {"9223372036854775808", "is above 9223372036854775807"},
    {"010", "leading 0"},
    {"12z", "not a number of base 10"},
};

START_TEST(test_undefined)
{
    struct formula_scope scope = machine_scope(&debugger->live);
    struct errmsg err = {""};
    struct integer v;
    struct formula *f = formula_parse(undefined[_i].text, NULL, &scope, &err);
    if (f != NULL)
        ck_assert_int_eq(formula_value(f, &scope, &v, &err), ST_INPUT);
    ck_assert_msg(strstr(err.text, undefined[_i].message) != NULL, "%s", err.text);
    formula_free(f);
}
END_TEST

/* Numbers that are not kept would show: all kinds of input, with large and falling values. */
START_TEST(test_log)
{
    struct history h;
    struct history_cursor at = {0};
    struct history_input in, back;
    history_init(&h, HISTORY_DEFAULT_BYTES, cop);
    for (unsigned i = 0; i < 20000; i++) {
        in = (struct history_input){.kind = i % 4,
                                    .cycle = i % 5 == 0 ? i : UINT64_MAX - i,
                                    .offered = i * 3,
                                    .filtered = i % 7,
                                    .eligible = i / 3};
        if (in.kind == INPUT_SAMPLE) {
            in.fields = i % 17 < ISA_FIELDS ? i % 17 : 0;
            in.opclass = OPCLASS_FENCE;
            for (unsigned k = 0; k < in.fields; k++)
                in.field[k] = UINT64_MAX >> (i + k) % 64;
        } else {
            in.place = (struct cop_place){BUS_DATA, i};
            in.value = UINT64_MAX - i;
        }
        history_add(&h, &in);
        memset(&back, 0, sizeof back);
        ck_assert(history_read(&h, &at, &back));
        ck_assert_mem_eq(&in.field, &back.field, sizeof in.field);
        ck_assert(in.kind == back.kind && in.cycle == back.cycle && in.offered == back.offered &&
                  in.filtered == back.filtered && in.eligible == back.eligible && in.fields == back.fields &&
                  in.opclass == back.opclass && in.place.region == back.place.region &&
                  in.place.element == back.place.element && in.value == back.value);
    }
    ck_assert(!history_read(&h, &at, &back));
    history_fini(&h);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("debug");
    TCase *t = tcase_create("all");
    tcase_set_timeout(t, 300);
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_loop_test(t, test_there_and_back, 0, 4);
    tcase_add_test(t, test_million);
    tcase_add_test(t, test_bounded);
    tcase_add_test(t, test_steps);
    tcase_add_test(t, test_changes);
    tcase_add_loop_test(t, test_formula, 0, sizeof formulas / sizeof formulas[0]);
    tcase_add_loop_test(t, test_undefined, 0, sizeof undefined / sizeof undefined[0]);
    tcase_add_test(t, test_log);
    suite_add_tcase(s, t);
    return run_suite(s);
}
