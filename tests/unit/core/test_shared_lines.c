/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The observer of shared lines, over instructions written here: which of them it counts, how rows are told apart, and
 * the lines of two harts' profiles. */
#include "contract/families.h"
#include "core-model/prof/observers.h"
#include "tests/unit/guest_mix.h"
#include "tests/unit/pipe_guest.h"

#include "tests/unit/suite.h" /* after ours: Check has a macro `fail` */

enum { LINE_BYTES = 64 };

/* An access as the port sends it. */
struct access {
    enum opclass opclass;
    uint64_t pc, address;
    unsigned bytes;
    uint32_t events;
};

static bool writes(enum opclass c) { return c == OPCLASS_STORE || c == OPCLASS_FSTORE || c == OPCLASS_ATOMIC; }

/* Sends an access as a core does: loads and atomics at retirement, stores when the cache has accepted them. */
static void send(const struct probe_listener *l, const struct access *a)
{
    const struct rv_outcome outcome = {
        .ea = a->address, .mem_bytes = (uint8_t)a->bytes, .wrote_mem = writes(a->opclass)};
    const struct probe_insn in = {.pc = a->pc, .outcome = &outcome, .events = a->events};
    const uint32_t class = 1u << a->opclass;
    if (l->filter[PROBE_RETIRED]->classes & class)
        l->stage[PROBE_RETIRED](l->ctx, &in, 1);
    if (l->tagger.filter->classes & class)
        l->tagger.tagged(l->ctx, &in, l->tagger.tag(l->ctx, 1, a->pc, a->opclass, 1), 1);
}

struct shared {
    struct bench bench;
    struct observers *set;
};

static void shared_open(struct shared *s)
{
    struct errmsg err;
    struct core_config cfg = config_of(0);
    ck_assert_uint_eq(cfg.line_bytes, LINE_BYTES);
    bench_open(&s->bench, loop_of_everything(1), &cfg);
    s->set = observers_new();
    ck_assert_msg(observers_create(s->set, "sharing", 1, &err) == ST_OK, "%s", err.text);
    observers_attach(s->set, s->bench.core);
}

static void shared_send(struct shared *s, const struct access *a, size_t count)
{
    for (size_t n = 0; n < count; n++)
        send(&observers_at(s->set, 0)->probe, &a[n]);
}

static const struct sharing_profile *shared_finish(struct shared *s)
{
    observers_finish(s->set, 1, NULL);
    ck_assert_uint_eq(observers_sharing(s->set)->profiles, 1);
    return observers_sharing(s->set)->profile;
}

static void shared_close(struct shared *s)
{
    observers_free(s->set);
    bench_close(&s->bench);
}

#define SEND(shared, ...)                                      \
    do {                                                       \
        const struct access sent[] = {__VA_ARGS__};            \
        shared_send(shared, sent, sizeof sent / sizeof *sent); \
    } while (0)

/* Only accesses whose line another hart had modified count: loads, atomics and stores, each once. */
START_TEST(modified_lines_alone)
{
    struct shared s;
    shared_open(&s);
    SEND(&s, {OPCLASS_LOAD, 0x100, 0x2000, 8, PROBE_HITM}, {OPCLASS_LOAD, 0x100, 0x2000, 8, 0},
         {OPCLASS_LOAD, 0x100, 0x2000, 8, PROBE_HITM | PROBE_DCACHE_MISS},
         {OPCLASS_STORE, 0x104, 0x2008, 4, PROBE_HITM}, {OPCLASS_STORE, 0x104, 0x2008, 4, PROBE_DCACHE_MISS},
         {OPCLASS_ATOMIC, 0x108, 0x2010, 4, PROBE_HITM}, {OPCLASS_FLOAD, 0x10c, 0x2018, 8, PROBE_HITM},
         {OPCLASS_FSTORE, 0x110, 0x2020, 8, PROBE_HITM}, {OPCLASS_INT, 0x114, 0x2028, 0, PROBE_HITM});
    const struct sharing_profile *p = shared_finish(&s);
    const struct sharing_row expected[] = {
        {.address = 0x2000, .bytes = 8, .pc = 0x100, .accesses = 2},
        {.address = 0x2008, .bytes = 4, .pc = 0x104, .accesses = 1, .writes = true},
        {.address = 0x2010, .bytes = 4, .pc = 0x108, .accesses = 1, .writes = true},
        {.address = 0x2018, .bytes = 8, .pc = 0x10c, .accesses = 1},
        {.address = 0x2020, .bytes = 8, .pc = 0x110, .accesses = 1, .writes = true},
    };
    ck_assert_uint_eq(p->line_bytes, LINE_BYTES);
    ck_assert_uint_eq(p->rows, sizeof expected / sizeof *expected);
    for (size_t n = 0; n < p->rows; n++) {
        ck_assert_uint_eq(p->row[n].address, expected[n].address);
        ck_assert_uint_eq(p->row[n].bytes, expected[n].bytes);
        ck_assert_uint_eq(p->row[n].pc, expected[n].pc);
        ck_assert_uint_eq(p->row[n].accesses, expected[n].accesses);
        ck_assert_int_eq(p->row[n].writes, expected[n].writes);
    }
    shared_close(&s);
}
END_TEST

/* Rows are told apart by address, instruction and size. */
START_TEST(one_row_for_each_datum)
{
    struct shared s;
    shared_open(&s);
    SEND(&s, {OPCLASS_LOAD, 0x100, 0x2000, 8, PROBE_HITM}, {OPCLASS_LOAD, 0x104, 0x2000, 8, PROBE_HITM},
         {OPCLASS_LOAD, 0x100, 0x2008, 8, PROBE_HITM}, {OPCLASS_LOAD, 0x100, 0x2000, 4, PROBE_HITM},
         {OPCLASS_LOAD, 0x100, 0x2000, 8, PROBE_HITM});
    const struct sharing_profile *p = shared_finish(&s);
    uint64_t accesses = 0;
    ck_assert_uint_eq(p->rows, 4);
    for (size_t n = 0; n < p->rows; n++)
        accesses += p->row[n].accesses;
    ck_assert_uint_eq(accesses, 5);
    shared_close(&s);
}
END_TEST

/* Two harts: a line that they access at different bytes is shared falsely, one with a common byte is not. */
START_TEST(lines_of_two_harts)
{
    struct shared first, second;
    struct sharing_line *line;
    shared_open(&first);
    shared_open(&second);
    SEND(&first, {OPCLASS_STORE, 0x100, 0x2000, 8, PROBE_HITM}, {OPCLASS_STORE, 0x100, 0x3000, 8, PROBE_HITM},
         {OPCLASS_STORE, 0x100, 0x3000, 8, PROBE_HITM});
    SEND(&second, {OPCLASS_LOAD, 0x100, 0x2008, 8, PROBE_HITM}, {OPCLASS_LOAD, 0x100, 0x3004, 8, PROBE_HITM});
    (void)shared_finish(&first);
    (void)shared_finish(&second);
    observers_sum(first.set, second.set);
    const struct sharing_profile *p = observers_sharing(first.set)->profile;
    ck_assert_uint_eq(p->harts, 2);
    ck_assert_uint_eq(p->rows, 4);
    ck_assert_uint_eq(sharing_lines(p, &line), 2);
    ck_assert_uint_eq(line[0].address, 0x3000);
    ck_assert_uint_eq(line[0].accesses, 3);
    ck_assert(!line[0].is_false);
    ck_assert_uint_eq(line[1].address, 0x2000);
    ck_assert_uint_eq(line[1].accesses, 2);
    ck_assert(line[1].is_false);
    free(line);
    shared_close(&second);
    shared_close(&first);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("shared lines");
    TCase *t = tcase_create("sharing");
    tcase_add_test(t, modified_lines_alone);
    tcase_add_test(t, one_row_for_each_datum);
    tcase_add_test(t, lines_of_two_harts);
    suite_add_tcase(s, t);
    return run_suite(s);
}
