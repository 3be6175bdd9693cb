/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hand-written streams of the probe port for tests of observers: commit tokens as a core sends them, and what a
 * profiler of time made of them. A program that includes this header includes the headers of its observers first. */
#ifndef TESTS_UNIT_TOKEN_STREAM_H
#define TESTS_UNIT_TOKEN_STREAM_H

#include "contract/timeprof.h"
#include "core-model/probe/probe_port.h"
#include "core-model/prof/observers.h"

#include "tests/unit/suite.h" /* after ours: Check has a macro `fail` */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { I1 = 0x1000, I2 = 0x1004, I3 = 0x1008, I4 = 0x100c, I5 = 0x2000 };

/* A core as its observers see it: the probe port. */
struct stream {
    struct observers *set;
    struct probe_port *port; /* its stages and tags */
    const struct time_result *result;
    uint64_t cycle;
    uint8_t banks, head;
    struct probe_token last;
};

static inline struct stream watch(const char *profilers, uint8_t banks)
{
    struct stream s = {.banks = banks};
    struct errmsg err;
    s.set = observers_new();
    ck_assert_msg(observers_create(s.set, profilers, 1, &err) == ST_OK, "%s", err.text);
    s.port = xcalloc(1, sizeof *s.port);
    probe_port_init(s.port);
    for (unsigned i = 0; i < observers_count(s.set); i++)
        probe_port_subscribe(s.port, &observers_at(s.set, i)->probe);
    return s;
}

static inline void send(struct stream *s, struct probe_token *t)
{
    t->cycle = s->cycle;
    t->banks = s->banks;
    t->head = s->head;
    if (t->repeat == 0)
        t->repeat = 1;
    t->oir = s->last.oir;
    t->last_commit = s->last.last_commit;
    t->last_handler = s->last.last_handler;
    unsigned youngest = (t->head + t->committing - 1u) % s->banks;
    if (t->committing > 0)
        probe_note_commit(t, t->bank[youngest].pc, t->bank[youngest].events, t->bank[youngest].mispredicted,
                          t->bank[youngest].flushes);
    else
        probe_note_no_commit(t, t->bank[t->head].events);
    s->last = *t;
    for (unsigned i = 0; i < observers_count(s->set); i++) {
        const struct probe_listener *o = &observers_at(s->set, i)->probe;
        if (o->token != NULL && (o->token_from == NULL || *o->token_from < t->cycle + t->repeat))
            o->token(o->ctx, t);
    }
    s->cycle += t->repeat;
    s->head = (uint8_t)((s->head + t->committing) % s->banks);
}

/* The n instructions of `pc` commit; of the youngest, these flags. */
static inline void commit(struct stream *s, unsigned n, const uint64_t *pc, bool mispredicted, bool flushes)
{
    struct probe_token t = {.committing = (uint8_t)n};
    for (unsigned i = 0; i < n; i++) {
        unsigned b = (s->head + i) % s->banks;
        t.bank[b].pc = pc[i];
        t.bank[b].valid = t.bank[b].commits = true;
        t.bank[b].mispredicted = mispredicted && i + 1 == n;
        t.bank[b].flushes = flushes && i + 1 == n;
    }
    send(s, &t);
}

static inline void commit2(struct stream *s, uint64_t a, uint64_t b) { commit(s, 2, (uint64_t[]){a, b}, false, false); }

/* The oldest instruction, at `pc`, does not commit; the next one in the ROB is at pc + 4. */
static inline void stall(struct stream *s, uint64_t pc, uint64_t cycles)
{
    struct probe_token t = {.repeat = cycles};
    for (unsigned i = 0; i < 2; i++) {
        unsigned b = (s->head + i) % s->banks;
        t.bank[b].pc = pc + 4 * i;
        t.bank[b].valid = true;
    }
    send(s, &t);
}

static inline void empty(struct stream *s, uint64_t cycles)
{
    struct probe_token t = {.repeat = cycles, .rob_empty = true};
    send(s, &t);
}

static inline void enter(struct stream *s, uint64_t pc)
{
    struct probe_token t = {.rob_empty = true, .dispatching = true, .dispatch_pc = pc};
    send(s, &t);
}

/* `pc` would enter the empty ROB, but for the store queue. */
static inline void block(struct stream *s, uint64_t pc, uint64_t cycles)
{
    struct probe_token t = {.repeat = cycles, .rob_empty = true, .blocked = true, .dispatch_pc = pc};
    send(s, &t);
}

static inline void exception(struct stream *s, uint64_t pc)
{
    struct probe_token t = {.exception = true, .exception_pc = pc};
    t.bank[s->head].pc = pc;
    t.bank[s->head].valid = true;
    send(s, &t);
}

static inline void handler(struct stream *s, uint64_t cycles)
{
    struct probe_token t = {.repeat = cycles, .rob_empty = true, .handler = true};
    send(s, &t);
}

static inline void finish(struct stream *s)
{
    observers_finish(s->set, s->cycle, NULL);
    s->result = observers_time(s->set);
}

/* Time of one category that profiler i gave pc, in cycles. */
static inline double time_in(const struct stream *s, unsigned i, uint64_t pc, enum time_category c)
{
    const struct time_profile *p = &s->result->profile[i];
    for (size_t r = 0; r < p->rows; r++)
        if (p->row[r].pc == pc)
            return (double)p->row[r].time[c] / TIME_PER_CYCLE;
    return 0;
}

static inline double time_of(const struct stream *s, unsigned i, uint64_t pc)
{
    double sum = 0;
    for (int c = 0; c < TIME_CATEGORY_COUNT; c++)
        sum += time_in(s, i, pc, (enum time_category)c);
    return sum;
}

#define EXPECT(s, i, pc, cycles) ck_assert_double_eq(time_of(s, i, pc), cycles)
#define EXPECT_IN(s, i, pc, category, cycles) ck_assert_double_eq(time_in(s, i, pc, category), cycles)

static inline void done(struct stream *s)
{
    for (unsigned i = 0; i < s->result->profiles; i++)
        ck_assert_uint_eq(s->result->profile[i].time, s->cycle * TIME_PER_CYCLE);
    observers_free(s->set);
    free(s->port);
}

/* Every cycle sampled: what remains is the policy. */
enum { ORACLE, TIP, TIP_ILP, NCI, NCI_ILP, LCI };
__attribute__((unused)) static const char all[] =
    "oracle,tip:period=1,tip-ilp:period=1,nci:period=1,nci+ilp:period=1,lci:period=1";

#endif
