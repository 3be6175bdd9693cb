/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact references dependences, stability, dead-stores and conflicts, which relate accesses to memory, over
 * hand-written streams of the probe port. */
#include <stdlib.h>

#include "core-model/prof/exact/exact.h"

#include "tests/unit/suite.h"

enum { LOAD1 = 0x1000, LOAD2 = 0x1004, LOAD3 = 0x1008 };
enum { STORE1 = 0x2000, STORE2 = 0x2004, STORE3 = 0x2008 };
enum { DATA = 0x10000 };

static enum exact_reference reference;
static struct observer *observer;
static struct exact_row *rows;
static size_t row_count;
static uint64_t clock_cycle;

static void begin(enum exact_reference e)
{
    const struct exact_setup setup = {.classes = 1u << OPCLASS_LOAD | 1u << OPCLASS_STORE};
    reference = e;
    clock_cycle = 10;
    observer = exact_new(e, &setup);
}

static void teardown(void)
{
    observer_release(observer);
    free(rows);
    observer = NULL;
    rows = NULL;
}

/* Report of a core about an instruction in a stage, a cycle after the last one, if the observer's filter passes its
 * class. It has issued in the same cycle where `in` does not say another. */
static void report(enum probe_stage stage, struct probe_insn in, enum opclass c, struct rv_outcome outcome)
{
    const struct rv_insn insn = {.opclass = (uint8_t)c};
    in.insn = &insn;
    in.outcome = &outcome;
    clock_cycle++;
    if (in.stage_cycle[PROBE_ISSUED] == 0)
        in.stage_cycle[PROBE_ISSUED] = clock_cycle;
    if (event_filter_passes(observer->probe.filter[stage], c, clock_cycle))
        observer->probe.stage[stage](observer->probe.ctx, &in, clock_cycle);
}

static void load_of(uint64_t pc, uint64_t ea, uint8_t bytes, uint64_t value, uint32_t events, uint64_t evicted)
{
    report(PROBE_RETIRED, (struct probe_insn){.pc = pc, .events = events, .evicted = evicted}, OPCLASS_LOAD,
           (struct rv_outcome){.ea = ea, .mem_bytes = bytes, .value = value});
}

/* A load that issued in a cycle before, and missed. */
static void missed_at(uint64_t cycle, uint64_t pc, uint64_t ea, uint64_t evicted)
{
    report(PROBE_RETIRED,
           (struct probe_insn){
               .pc = pc, .stage_cycle = {[PROBE_ISSUED] = cycle}, .events = PROBE_DCACHE_MISS, .evicted = evicted},
           OPCLASS_LOAD, (struct rv_outcome){.ea = ea, .mem_bytes = 8});
}

static void load(uint64_t pc, uint64_t ea, uint8_t bytes) { load_of(pc, ea, bytes, 0, 0, 0); }

static void store(uint64_t pc, uint64_t ea, uint8_t bytes)
{
    report(PROBE_RETIRED, (struct probe_insn){.pc = pc}, OPCLASS_STORE,
           (struct rv_outcome){.ea = ea, .mem_bytes = bytes, .wrote_mem = 1});
}

static void finish(size_t expected)
{
    struct exact_source s = exact_source(reference, observer);
    row_count = s.rows(s.ctx, &rows);
    ck_assert_uint_eq(row_count, expected);
}

/* The row of these keys has these counts. */
static void expect(uint64_t key0, uint64_t key1, const uint64_t count[4])
{
    for (size_t i = 0; i < row_count; i++)
        if (rows[i].key[0] == key0 && rows[i].key[1] == key1) {
            for (unsigned c = 0; c < 4; c++)
                ck_assert_msg(rows[i].count[c] == count[c], "%#llx, %#llx: count %u is %llu", (unsigned long long)key0,
                              (unsigned long long)key1, c, (unsigned long long)rows[i].count[c]);
            return;
        }
    ck_abort_msg("no row has the keys %#llx, %#llx", (unsigned long long)key0, (unsigned long long)key1);
}
#define EXPECT(key0, key1, ...) expect(key0, key1, (const uint64_t[4]){__VA_ARGS__})

/* Counts: loads, distance, forwarded, violations. */
START_TEST(dependences)
{
    begin(EXACT_DEPENDENCES);
    store(STORE1, DATA, 8);
    load_of(LOAD1, DATA, 8, 0, PROBE_FORWARDED, 0); /* on store 1, 1 before */
    load(LOAD2, DATA + 5, 1);                       /* on store 1, 2 before */
    store(STORE2, DATA + 4, 4);
    report(PROBE_RETIRED, (struct probe_insn){.pc = 0x3000}, OPCLASS_BRANCH, (struct rv_outcome){0}); /* not counted */
    load(LOAD1, DATA, 8);     /* the younger one wrote a half of it: store 2, 1 before */
    load(LOAD2, DATA + 3, 1); /* store 1, 5 before */
    load(LOAD3, DATA - 4, 8); /* across a doubleword, into store 1: 6 before */
    load(LOAD3, DATA + 8, 8); /* none */
    load(LOAD3, DATA - 8, 8); /* none */
    report(PROBE_SQUASHED, (struct probe_insn){.pc = LOAD2, .cause = PROBE_CAUSE_ORDERING}, OPCLASS_LOAD,
           (struct rv_outcome){0}); /* behind the one that overtook */
    report(PROBE_SQUASHED, (struct probe_insn){.pc = LOAD1, .cause = PROBE_CAUSE_ORDERING, .events = PROBE_REPLAYED},
           OPCLASS_LOAD, (struct rv_outcome){0});
    load(LOAD1, DATA + 4, 4); /* store 2, 6 before; fetched again */
    load(LOAD1, DATA + 4, 4); /* 7 */
    finish(4);
    EXPECT(LOAD1, STORE1, 1, 1, 1, 0);
    EXPECT(LOAD1, STORE2, 3, 14, 0, 1);
    EXPECT(LOAD2, STORE1, 2, 7, 0, 0);
    EXPECT(LOAD3, STORE1, 1, 6, 0, 0);
}
END_TEST

/* 63 instructions are not too far, 64 are. */
START_TEST(distant_stores)
{
    begin(EXACT_DEPENDENCES);
    store(STORE1, DATA, 8);
    for (unsigned i = 1; i < 63; i++)
        store(STORE2, DATA + 0x100 + 8 * i, 8);
    load(LOAD1, DATA, 8);
    load(LOAD1, DATA, 8);
    finish(1);
    EXPECT(LOAD1, STORE1, 1, 63, 0, 0);
}
END_TEST

/* Counts: same, changed, strided, other. */
START_TEST(stability)
{
    begin(EXACT_STABILITY);
    load_of(LOAD1, DATA, 8, 7, 0, 0);
    load_of(LOAD2, DATA, 8, 1, 0, 0);
    load_of(LOAD1, DATA, 8, 7, 0, 0);      /* same */
    load_of(LOAD1, DATA, 8, 8, 0, 0);      /* changed */
    load_of(LOAD1, DATA + 16, 8, 8, 0, 0); /* other: the first step */
    load_of(LOAD1, DATA + 32, 8, 8, 0, 0); /* strided */
    load_of(LOAD1, DATA + 32, 8, 8, 0, 0); /* same */
    load_of(LOAD1, DATA + 48, 8, 9, 0, 0); /* strided: the last step was 16 */
    load_of(LOAD1, DATA + 40, 8, 9, 0, 0); /* other */
    load_of(LOAD1, DATA + 32, 8, 9, 0, 0); /* strided */
    store(STORE1, DATA, 8);
    finish(1);
    EXPECT(LOAD1, 0, 2, 1, 3, 2);
}
END_TEST

/* Count: dead. */
START_TEST(dead_stores)
{
    begin(EXACT_DEAD_STORES);
    store(STORE1, DATA, 8);
    store(STORE2, DATA, 8);   /* kills store 1 */
    load(LOAD1, DATA + 7, 1); /* store 2 has been read */
    store(STORE2, DATA, 8);   /* so this kills nothing */
    store(STORE1, DATA, 4);
    store(STORE3, DATA + 4, 4); /* overwrites the rest of store 2 and kills it */
    load(LOAD1, DATA, 4);
    store(STORE2, DATA + 4, 8); /* kills store 3 */
    load(LOAD1, DATA + 16, 8);
    finish(3);
    EXPECT(STORE1, STORE2, 1);
    EXPECT(STORE2, STORE3, 1);
    EXPECT(STORE3, STORE2, 1);
}
END_TEST

/* Counts: conflicts, others. The cache has 512 lines of 64 bytes, 8 ways: the default. */
START_TEST(conflicts)
{
    enum { FAR = 64 * 64, OTHER = 0x100000 };
    begin(EXACT_CONFLICTS);
    ck_assert_uint_eq(observer->probe.extras, PROBE_EXTRA_evicted);
    load_of(LOAD1, DATA, 8, 0, PROBE_DCACHE_MISS, 0);          /* into an empty way: not counted */
    load_of(LOAD2, DATA + FAR, 8, 0, PROBE_DCACHE_MISS, DATA); /* other: never fetched before */
    missed_at(9, LOAD3, DATA, DATA + FAR); /* other: it issued before load 1, and brought the line for it */
    load_of(LOAD1, DATA, 8, 0, PROBE_DCACHE_MISS, DATA + FAR + 56); /* a conflict; store or prefetcher evicted it */
    load_of(LOAD2, DATA + FAR, 8, 0, PROBE_DCACHE_MISS, 0);         /* merged with another: not counted */
    load_of(LOAD2, DATA + FAR, 8, 0, PROBE_DCACHE_MISS, DATA);      /* a conflict: load 1 evicted it */
    for (unsigned i = 0; i < 512; i++)
        store(STORE1, OTHER + 64 * i, 8);                 /* fills the fully associative cache */
    load_of(LOAD3, DATA, 8, 0, PROBE_DCACHE_MISS, OTHER); /* no conflict; load 2 evicted it */
    finish(4);
    EXPECT(LOAD2, 0, 0, 1);
    EXPECT(LOAD3, LOAD2, 0, 2);
    EXPECT(LOAD1, 0, 1, 0);
    EXPECT(LOAD2, LOAD1, 1, 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("exact references of memory");
    TCase *t = tcase_create("references");
    tcase_add_checked_fixture(t, NULL, teardown);
    tcase_add_test(t, dependences);
    tcase_add_test(t, distant_stores);
    tcase_add_test(t, stability);
    tcase_add_test(t, dead_stores);
    tcase_add_test(t, conflicts);
    suite_add_tcase(s, t);
    return run_suite(s);
}
