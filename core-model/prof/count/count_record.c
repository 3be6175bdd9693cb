/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contribution of an instruction to the counts of its address: the sources of contract/countprof.def, as
 * expressions of the instruction in flight, `in`, and of its Profile Registers, also `in`. Entry points:
 * count_table.h. */
#include "core-model/prof/count/count_table.h"

#include "contract/opclass.h"

/* Opcode classes and sets of classes under the names used in the rows. */
enum {
#define OPCLASS(sym, name, what) sym = 1 << OPCLASS_##sym,
#include "contract/opclass.def"
#define CLASS_SET(name, members) name = (members),
#include "contract/opclass.def"
};

/* Additional property of a source: SECOND(NAME_##source). NAME_##source is a macro, with the property after a comma,
 * for sources that have one; for all others SECOND yields 0. */
#define SECOND(...) SECOND_OF(__VA_ARGS__, 0, )
#define SECOND_OF(first, second, ...) second
#define STAGES_PASSED(stage) , 1u << PROBE_##stage
#define STAGES_ISSUED_OF(classes) , 1u << PROBE_ISSUED
#define STAGES_BETWEEN(from, to) , 1u << PROBE_##from | 1u << PROBE_##to
#define STAGES_RETIRED_BETWEEN(event, from, to) , 1u << PROBE_##from | 1u << PROBE_##to
#define NOT_OF_RECORD_NOTHING , 1
#define NOT_OF_RECORD_PAIR(relation) , 1
#define NOT_OF_RECORD_TOGETHER(own, others) , 1
#define OF_PAIRS_PAIR(relation) , 1
#define OF_PAIRS_TOGETHER(own, others) , 1
#define FOUND_PAIR(relation) , found->relation
#define OF_EVENTS_EVENT(event) , 1
#define OF_EVENTS_RETIRED_EVENT(event) , 1
#define OF_EVENTS_RETIRED_BETWEEN(event, from, to) , 1
#define FOUND_TOGETHER(own, others) , found->together[PHASE_##own][PHASE_##others]

uint32_t count_row_stages(void)
{
    return 0
#define COUNT(sym, name, event, unit, of_record, signal, meaning) | SECOND(STAGES_##of_record)
#include "contract/countprof.def"
        ;
}

uint64_t count_kinds_of_record(void)
{
    return 0
#define COUNT(sym, name, event, unit, of_record, signal, meaning) \
    | (uint64_t) !(SECOND(NOT_OF_RECORD_##of_record)) << COUNT_##sym
#include "contract/countprof.def"
        ;
}

uint64_t count_kinds_of_pairs(void)
{
    return 0
#define COUNT(sym, name, event, unit, of_record, signal, meaning) \
    | (uint64_t)(SECOND(OF_PAIRS_##of_record)) << COUNT_##sym
#include "contract/countprof.def"
        ;
}

static inline bool is_of(unsigned opclass, uint32_t classes) { return (classes >> opclass & 1) != 0; }

#define ALWAYS 1
#define NOTHING 0
#define PAIR(relation) 0
#define TOGETHER(own, others) 0
#define RETIRES retired
#define SQUASHES !retired
#define SQUASHED_BY(reason) (in->cause == PROBE_CAUSE_##reason)
#define EVENT(event) ((in->events & PROBE_##event) != 0)
#define RETIRED_EVENT(event) (retired && (in->events & PROBE_##event) != 0)
#define RETIRED_BETWEEN(event, from, to) (RETIRED_EVENT(event) ? BETWEEN(from, to) : 0)
#define ISSUED_OF(classes) (PASSED(ISSUED) && is_of(opclass, classes))
#define OF_CLASS(classes) (retired && is_of(opclass, classes))

static inline uint64_t count_record_between(const struct probe_insn *in, enum probe_stage from, enum probe_stage to)
{
    uint64_t a = in->stage_cycle[from], b = in->stage_cycle[to];
    return a != 0 && b > a ? b - a : 0;
}

/* Adds either the sources that are events or all others. Few instructions have events, and one test costs less than
 * additions of 0. */
static inline __attribute__((always_inline)) void count_record_add(struct count_row *r, const struct probe_insn *in,
                                                                   bool retired, bool of_events)
{
    const unsigned opclass = in->insn->opclass;
#define READS (retired && (in->insn->flags & RV_LOAD) != 0)
#define WRITES (retired && (in->insn->flags & RV_STORE) != 0)
#define PASSED(stage) (in->stage_cycle[PROBE_##stage] != 0)
#define BETWEEN(from, to) count_record_between(in, PROBE_##from, PROBE_##to)
#define COUNT(sym, name, event, unit, of_record, signal, meaning)       \
    if (SECOND(OF_EVENTS_##of_record) == of_events && (of_record) != 0) \
        r->count[COUNT_##sym] += (uint64_t)(of_record);
#include "contract/countprof.def"
#undef BETWEEN
#undef PASSED
#undef WRITES
#undef READS
}

void count_row_add(struct count_row *r, const struct probe_insn *in)
{
    const bool retired = in->cause == PROBE_CAUSE_NONE;
    if (retired)
        count_record_add(r, in, true, false);
    else
        count_record_add(r, in, false, false);
    if (in->events != 0)
        count_record_add(r, in, retired, true);
}

bool count_adds(enum count_kind kind, const struct probe_insn *in)
{
    const bool retired = in->cause == PROBE_CAUSE_NONE;
    const unsigned opclass = in->insn->opclass;
#define READS (retired && (in->insn->flags & RV_LOAD) != 0)
#define WRITES (retired && (in->insn->flags & RV_STORE) != 0)
#define PASSED(stage) true
#define BETWEEN(from, to) 0
    switch (kind) {
#define COUNT(sym, name, event, unit, of_record, signal, meaning) \
    case COUNT_##sym:                                             \
        return of_record;
#include "contract/countprof.def"
    case COUNT_KINDS:
        break;
    }
    return false;
#undef BETWEEN
#undef PASSED
#undef WRITES
#undef READS
}

void count_row_add_record(struct count_row *r, const struct profileme_record *in)
{
    const bool retired = profileme_retired(in);
    const unsigned opclass = in->opclass;
#define READS (retired && (in->flags & PROFILEME_READS) != 0)
#define WRITES (retired && (in->flags & PROFILEME_WRITES) != 0)
#define PASSED(stage) (in->passed >> PROBE_##stage & 1)
#define BETWEEN(from, to) in->latency[LATENCY_##from##_##to]
#define COUNT(sym, name, event, unit, of_record, signal, meaning) r->count[COUNT_##sym] += (uint64_t)(of_record);
#include "contract/countprof.def"
#undef BETWEEN
#undef PASSED
#undef WRITES
#undef READS
}

void count_row_add_found(struct count_row *r, const struct count_found *found)
{
#define COUNT(sym, name, event, unit, of_record, signal, meaning) r->count[COUNT_##sym] += SECOND(FOUND_##of_record);
#include "contract/countprof.def"
}
