/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact profile of values beside a count made by looking at all that came, at every size that its tables and logs
 * have on the way. */
#include "base/status.h"
#include "core-model/prof/exact/exact_values.h"
#include "core-model/prof/pc_index.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/suite.h"

enum { PLACES = 40, VALUES = 400, EVENTS = 60000 };

struct expected {
    uint64_t count[PLACES][VALUES];
    uint64_t stretches[PLACES];
    unsigned latest[PLACES];
    uint64_t seen, last_pc;
    unsigned places;
};

static uint64_t draw(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* The places are on pages that have one element in the cache of the index. */
enum { PAGES = 4, APART = PC_PAGE_BYTES * PC_PAGE_CACHE, FIRST_PC = 0x10000 };
static uint64_t pc_of(unsigned place) { return FIRST_PC + place % PAGES * (uint64_t)APART + 2 * (place / PAGES); }
static unsigned place_of(uint64_t pc)
{
    return (unsigned)((pc - FIRST_PC) % APART / 2 * PAGES + (pc - FIRST_PC) / APART);
}
static uint64_t value_of(unsigned v) { return v % 3 == 0 ? v : ~(uint64_t)v << 30; }

static unsigned find_value(uint64_t value)
{
    unsigned v = 0;
    while (v < VALUES && value_of(v) != value)
        v++;
    ck_assert_uint_lt(v, VALUES);
    return v;
}

static void compare(void *arg, const struct truth_load *load)
{
    struct expected *e = arg;
    unsigned place = place_of(load->pc);
    uint64_t sum = 0;
    bool has[VALUES] = {false};
    ck_assert_uint_gt(load->pc, e->last_pc);
    e->last_pc = load->pc;
    e->places++;
    for (uint32_t i = 0; i < load->value_count; i++) {
        const struct truth_value *v = &load->values[i];
        const unsigned found = find_value(v->value);
        ck_assert_uint_eq(v->count, e->count[place][found]);
        ck_assert(i == 0 || v[-1].count > v->count ||
                  (v[-1].count == v->count && (v->count == 1 || v[-1].value < v->value)));
        ck_assert(!has[found]);
        has[found] = true;
        sum += v->count;
    }
    ck_assert_uint_eq(sum, load->count);
    ck_assert_uint_eq(load->stretches, e->stretches[place]);
    e->seen += sum;
}

/* Few values are frequent, many are rare. Some places have so few that they fit a table, or just do not. */
static unsigned draw_value(unsigned place, uint64_t *state)
{
    const unsigned values = place < 10 ? 10 + place : VALUES;
    return (unsigned)(draw(state) % 4 == 0 ? draw(state) % values : draw(state) % 3);
}

/* All is counted anew after a third of the events in the second case; the last places have none. */
START_TEST(counts_what_came)
{
    const unsigned restart = _i == 0 ? 0 : EVENTS / 3;
    struct expected *e = xcalloc(1, sizeof *e);
    struct exact_values *x = exact_values_new(1u << OPCLASS_LOAD);
    struct truth truth = exact_values_truth(x);
    uint64_t state = 1;
    for (unsigned n = 1; n <= EVENTS; n++) {
        unsigned place = (unsigned)(draw(&state) % (PLACES - 5));
        unsigned v = draw_value(place, &state);
        exact_values_add(x, OPCLASS_LOAD, pc_of(place), value_of(v));
        exact_values_add(x, OPCLASS_STORE, pc_of(place), value_of(v)); /* is not asked for */
        e->count[place][v]++;
        e->stretches[place] += e->stretches[place] == 0 || e->latest[place] != v;
        e->latest[place] = v;
        if (n != 1 && n != 15 && n != 17 && n % 20000 != 0)
            continue;
        e->seen = e->last_pc = e->places = 0;
        truth.loads(truth.ctx, compare, e);
        ck_assert_uint_eq(e->seen, n > restart ? n - restart : n);
        if (n == restart) {
            exact_values_restart(x);
            memset(e, 0, sizeof *e);
        }
    }
    ck_assert_uint_eq(e->places, PLACES - 5);
    observer_release(exact_values_observer(x));
    free(e);
}
END_TEST

/* The n-th of MANY distinct values: the factor is odd. */
enum { MANY = 300000 };
static uint64_t nth(uint64_t n) { return n * UINT64_C(0x9e3779b97f4a7c15); }

static void has_all(void *arg, const struct truth_load *load)
{
    unsigned *loads = arg;
    ++*loads;
    ck_assert_uint_eq(load->value_count, MANY);
    for (uint64_t n = 0; n < MANY; n++) {
        const struct truth_value *v = &load->values[n];
        const uint64_t number = v->value * UINT64_C(0xf1de83e19937733d); /* the inverse of the factor */
        ck_assert_uint_lt(number, MANY);
        ck_assert_uint_eq(v->count, 2 + number % 2);
    }
}

/* So many values that their memory is in pages of its own. */
START_TEST(counts_many)
{
    struct exact_values *x = exact_values_new(1u << OPCLASS_LOAD);
    struct truth truth = exact_values_truth(x);
    unsigned loads = 0;
    for (uint64_t n = 0; n < 3 * MANY; n++)
        if (n < 2 * MANY || n % MANY % 2 == 1)
            exact_values_add(x, OPCLASS_LOAD, pc_of(0), nth(n % MANY));
    truth.loads(truth.ctx, has_all, &loads);
    ck_assert_uint_eq(loads, 1);
    observer_release(exact_values_observer(x));
}
END_TEST

START_TEST(nothing_came)
{
    struct expected e = {.seen = 0};
    struct exact_values *x = exact_values_new(1u << OPCLASS_LOAD);
    struct truth truth = exact_values_truth(x);
    truth.loads(truth.ctx, compare, &e);
    ck_assert_uint_eq(e.places, 0);
    observer_release(exact_values_observer(x));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("exact values");
    TCase *t = tcase_create("values");
    tcase_add_loop_test(t, counts_what_came, 0, 2);
    tcase_add_test(t, counts_many);
    tcase_add_test(t, nothing_came);
    suite_add_tcase(s, t);
    return run_suite(s);
}
