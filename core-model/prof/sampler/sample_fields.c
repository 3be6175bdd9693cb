/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the sources of isa/contract/sample.def stand for in the core: each is an expression of the instruction in
 * flight, `in`, of the core cycle in which it retires, `cycle`, and of the largest value that fits the field,
 * `ones`. Entry points: sample_format_init, _fill. */
#include "core-model/prof/sampler/sample_fields.h"

#define INSN(member) in->insn->member
#define OUTCOME(member) in->outcome->member
#define PROBE(member) in->member
#define PART(field, bit) raw_##field(in, cycle) >> (bit)
#define EVENT(event) (in->events & PROBE_##event) != 0
#define ALL_EVENTS all_events(in->events)
#define BETWEEN(from, to) between(in, PROBE_##from, PROBE_##to, ones)
#define RETIRE_CYCLE cycle

/* What else follows from a source, as SECOND(NAME_##source). The name so made is a macro for the sources that have a
 * second meaning, which stands behind a comma; for the others SECOND gives 0. */
#define SECOND(...) SECOND_OF(__VA_ARGS__, 0, )
#define SECOND_OF(first, second, ...) second
#define COUNT_EVENT(event) , 1
#define HAPPENED_EVENT(event) , (events >> PROBE_BIT_##event & 1)
#define STAGES_BETWEEN(from, to) , 1u << PROBE_##from | 1u << PROBE_##to

/* POSITION_##sym: the number of EVENT rows above the row. EVENT_FIELDS: the number of all. Each enumerator is one
 * more than the last. */
enum {
#define FIELD(sym, name, width, group, source, ...) \
    POSITION_##sym, BELOW_##sym = POSITION_##sym + SECOND(COUNT_##source) - 1,
#include "isa/contract/sample.def"
#undef FIELD
    EVENT_FIELDS
};

enum {
#define FIELD(sym, name, width, ...) WIDTH_##sym = (width),
#include "isa/contract/sample.def"
#undef FIELD
};
_Static_assert((int)EVENT_FIELDS <= (int)WIDTH_EVENTS, "sample.def: more EVENT rows than the field EVENTS has bits");

/* Of a probe's event bits those that have a field, moved to their positions. */
static inline uint64_t all_events(uint64_t events)
{
    return 0
#define FIELD(sym, name, width, group, source, ...) | SECOND(HAPPENED_##source) << POSITION_##sym
#include "isa/contract/sample.def"
#undef FIELD
        ;
}

/* Cycles from one stage to the other, at most `ones`; 0 where the instruction has not passed both. */
static inline uint64_t between(const struct probe_insn *in, enum probe_stage from, enum probe_stage to, uint64_t ones)
{
    uint64_t a = in->stage_cycle[from], b = in->stage_cycle[to];
    if (a == 0 || b <= a)
        return 0;
    return b - a < ones ? b - a : ones;
}

/* raw_##sym: the field's source, not yet cut to its width. */
#define FIELD(sym, name, width, group, source, ...) \
    static inline uint64_t raw_##sym(const struct probe_insn *in, uint64_t cycle) \
    { \
        const uint64_t ones = UINT64_MAX >> (64 - (width)); \
        (void)in, (void)cycle, (void)ones; \
        return (uint64_t)(source); \
    }
#include "isa/contract/sample.def"
#undef FIELD

void sample_format_init(struct sample_format *f, uint64_t wanted)
{
    static const uint32_t stages[FIELD_COUNT] = {
#define FIELD(sym, name, width, group, source, ...) SECOND(STAGES_##source),
#include "isa/contract/sample.def"
#undef FIELD
    };
    *f = (struct sample_format){0};
    for (unsigned i = 0; i < FIELD_COUNT; i++) {
        if ((wanted >> i & 1) == 0)
            continue;
        f->stages |= stages[i];
        f->field[f->fields++] = (uint8_t)i;
    }
}

void sample_format_fill(const struct sample_format *f, const struct probe_insn *in, uint64_t cycle, struct sample *s)
{
    s->opclass = (enum opclass)in->insn->opclass;
    s->cycle = cycle;
    for (unsigned i = 0; i < f->fields; i++)
        switch ((enum sample_field)f->field[i]) {
#define FIELD(sym, name, width, ...) \
        case FIELD_##sym: \
            s->field[FIELD_##sym] = raw_##sym(in, cycle) & UINT64_MAX >> (64 - (width)); \
            break;
#include "isa/contract/sample.def"
#undef FIELD
        default: /* each row has a case */
            __builtin_unreachable();
        }
}
