/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profile Registers, their buffer, and the software that reads it. Entry points: profile_registers.h. */
#include "core-model/prof/count/profile_registers.h"

#include <stdlib.h>

#include "base/status.h"

void profile_registers_init(struct profile_registers *r, unsigned capacity)
{
    *r = (struct profile_registers){.capacity = capacity};
    r->buffer = xcalloc(capacity, sizeof *r->buffer);
    count_table_init(&r->table);
}

void profile_registers_fini(struct profile_registers *r)
{
    free(r->buffer);
    count_table_fini(&r->table);
}

static uint32_t profile_registers_between(const struct probe_insn *in, enum probe_stage from, enum probe_stage to)
{
    uint64_t a = in->stage_cycle[from], b = in->stage_cycle[to];
    return a != 0 && b > a ? (uint32_t)(b - a) : 0;
}

static uint64_t profile_registers_address_of(const struct probe_insn *in)
{
    if (in->outcome->mem_bytes != 0)
        return in->outcome->ea;
    return (in->events & PROBE_TAKEN) != 0 ? in->outcome->next_pc : 0;
}

/* Sets the members that only retired instructions have. */
static void record_retirement(struct profileme_record *r, const struct probe_insn *in)
{
    uint64_t retired = in->stage_cycle[PROBE_RETIRED], before = in->retired_before;
    uint64_t oldest_from = before > r->time ? before : r->time;
    r->flags |= PROFILEME_RETIRED;
    r->flags |= in->before.mispredicted ? PROFILEME_BEHIND_MISPREDICTED : 0;
    r->flags |= in->before.flush ? PROFILEME_BEHIND_FLUSH : 0;
    r->flags |= in->before.exception ? PROFILEME_BEHIND_EXCEPTION : 0;
    r->offender = in->before.pc;
    r->retire_delay = (uint32_t)(retired - before);
    r->oldest = (uint32_t)(retired - oldest_from);
}

struct profileme_record profile_registers_record(const struct probe_insn *in)
{
    struct profileme_record r = {
        .pc = in->pc,
        .address = profile_registers_address_of(in),
        .time = in->stage_cycle[PROBE_FETCHED],
        .path = in->history,
        .events = in->events,
        .opclass = in->insn->opclass,
        .cause = in->cause,
    };
    r.flags |= (in->insn->flags & RV_LOAD) != 0 ? PROFILEME_READS : 0;
    r.flags |= (in->insn->flags & RV_STORE) != 0 ? PROFILEME_WRITES : 0;
    for (unsigned s = 0; s < PROBE_STAGE_COUNT; s++)
        r.passed |= (uint32_t)(in->stage_cycle[s] != 0) << s;
#define LATENCY(from, to, name, draft, meaning) \
    r.latency[LATENCY_##from##_##to] = profile_registers_between(in, PROBE_##from, PROBE_##to);
#include "contract/profileme.def"
    if (in->cause == PROBE_CAUSE_NONE)
        record_retirement(&r, in);
    return r;
}

static struct buffered_sample *next_free(struct profile_registers *r) { return &r->buffer[r->buffered]; }

static void deliver_if_full(struct profile_registers *r)
{
    if (++r->buffered < r->capacity)
        return;
    r->interrupts++;
    profile_registers_read(r);
}

void profile_registers_finish_one(struct profile_registers *r, const struct profileme_record *record)
{
    *next_free(r) = (struct buffered_sample){.record = {*record}};
    deliver_if_full(r);
}

void profile_registers_finish_pair(struct profile_registers *r, const struct profileme_record record[2])
{
    uint64_t latency = record[1].time - record[0].time;
    *next_free(r) = (struct buffered_sample){
        .record = {record[0], record[1]}, .is_pair = true, .fetch_latency = latency};
    deliver_if_full(r);
}

static void profile_registers_add_record(struct profile_registers *r, const struct profileme_record *record)
{
    struct count_row *row = count_table_at(&r->table, record->pc);
    row->samples++;
    r->samples++;
    count_row_add_record(row, record);
}

/* Adds the relations of a pair to the counts of `i`; `other` was fetched `later` cycles later (negative: earlier). */
static void add_relations(struct profile_registers *r, const struct profileme_record *i,
                          const struct profileme_record *other, int64_t later)
{
    struct count_found found = {
        .USEFUL_OVERLAP = profileme_useful_overlap(i, other, later),
        .RETIRES_BESIDE = profileme_retires_beside(i, other, later),
        .RETIRES_NEAR = profileme_retires_near(i, other, later, COUNT_NEAR_CYCLES),
    };
    for (int own = 0; own < PHASES; own++)
        for (int others = 0; others < PHASES; others++)
            found.together[own][others] = profileme_together(i, (enum profileme_phase)own, other,
                                                             (enum profileme_phase)others, later);
    count_row_add_found(count_table_at(&r->table, i->pc), &found);
}

void profile_registers_read(struct profile_registers *r)
{
    for (unsigned n = 0; n < r->buffered; n++) {
        const struct buffered_sample *s = &r->buffer[n];
        profile_registers_add_record(r, &s->record[0]);
        if (!s->is_pair)
            continue;
        profile_registers_add_record(r, &s->record[1]);
        add_relations(r, &s->record[0], &s->record[1], (int64_t)s->fetch_latency);
        add_relations(r, &s->record[1], &s->record[0], -(int64_t)s->fetch_latency);
    }
    r->buffered = 0;
}
