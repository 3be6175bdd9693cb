/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Definition of the sources of isa/sample.def in the core: each is an expression of the sample's inputs,
 * `from`, with its instruction in flight, `in`, and of the maximum value of the field, `ones`. Entry points:
 * sample_format_init, sample_format_fill. */
#include "core-model/prof/sampler/sample_fields.h"

#include "contract/pics.h"

#define INSN(member) in->insn->member
#define OUTCOME(member) in->outcome->member
#define PROBE(member) in->member
#define EXTRA(member) in->member
#define PART(field, bit) raw_##field(from) >> (bit)
#define LOW(field, n) sample_low(raw_##field(from), n)
#define HASH(field) sample_hash16(raw_##field(from))
#define BEHIND(field, n) sample_path_key((uint32_t)raw_PC32(from), raw_##field(from), n)
#define EVENT(event) (in->events & PROBE_##event) != 0
#define ALL_EVENTS all_events(in->events)
#define BETWEEN(from, to) sample_fields_between(in, PROBE_##from, PROBE_##to, ones)
#define RETIRE_DELAY retire_delay(in, ones)
#define HAS_RETIRED in->cause == PROBE_CAUSE_NONE
#define SAMPLE_CYCLE from->cycle
#define SAMPLE_HART from->hart
#define SAMPLE_NUMBER from->number
#define BUFFER 0
#define OF_SECOND(field) raw_##field(&(struct sample_source){.in = from->second})
#define BETWEEN_SECOND(earlier, later) sample_fields_between(from->second, PROBE_##earlier, PROBE_##later, ones)
#define FROM_FIRST(stage) from_first(from, PROBE_##stage, ones)
#define PAIR_DISTANCE at_most(from->distance, ones)
#define TIP_ADDRESS(n) tip_address(from, n)
#define TIP_VALID tip_valid(from)
#define TIP_FLAGS tip_flags(from->tip)
#define TIP_CYCLES at_most(from->tip->cycles, ones)
#define TIP_EVENTS tip_events(from)

/* Additional property of a source: SECOND(NAME_##source). NAME_##source is a macro, with the property after a comma,
 * for sources that have one; for all others SECOND yields 0. */
#define SECOND(...) SECOND_OF(__VA_ARGS__, 0, )
#define SECOND_OF(first, second, ...) second
#define COUNT_EVENT(event) , 1
#define HAPPENED_EVENT(event) , (events >> PROBE_BIT_##event & 1)
#define STAGES_BETWEEN(from, to) , 1u << PROBE_##from | 1u << PROBE_##to
#define STAGES_BETWEEN_SECOND(from, to) , 1u << PROBE_##from | 1u << PROBE_##to
#define STAGES_FROM_FIRST(stage) , 1u << PROBE_##stage
#define STAGES_RETIRE_DELAY , 1u << PROBE_RETIRED
#define EXTRAS_EXTRA(member) , PROBE_EXTRA_##member
#define EXTRAS_PART(field, bit) , EXTRAS_OF_##field

/* POSITION_##sym: the number of EVENT rows above the row. EVENT_FIELDS: the number of all. Each enumerator is one
 * more than the last. */
enum {
#define FIELD(sym, name, width, group, source, ...) \
    POSITION_##sym, BELOW_##sym = POSITION_##sym + SECOND(COUNT_##source) - 1,
#include "isa/sample.def"
    EVENT_FIELDS
};

/* EXTRAS_OF_##sym: probe members that the core must keep for the row's field; for a part, those of the whole field. */
enum {
#define FIELD(sym, name, width, group, source, ...) EXTRAS_OF_##sym = SECOND(EXTRAS_##source),
#include "isa/sample.def"
};

enum {
#define FIELD(sym, name, width, ...) WIDTH_##sym = (width),
#include "isa/sample.def"
};
_Static_assert((int)EVENT_FIELDS <= (int)WIDTH_EVENTS, "sample.def: more EVENT rows than the field EVENTS has bits");
_Static_assert((int)WIDTH_PAIREVENTS == (int)WIDTH_EVENTS, "sample.def: the events of both instructions of a pair");

/* The probe events that have a field, moved to their positions. */
static inline uint64_t all_events(uint64_t events)
{
    return 0
#define FIELD(sym, name, width, group, source, ...) | SECOND(HAPPENED_##source) << POSITION_##sym
#include "isa/sample.def"
        ;
}

static inline uint64_t at_most(uint64_t value, uint64_t ones) { return value < ones ? value : ones; }

/* Cycles from one stage to the other, at most `ones`; 0 if the instruction has not passed both. */
static inline uint64_t sample_fields_between(const struct probe_insn *in, enum probe_stage from, enum probe_stage to,
                                             uint64_t ones)
{
    uint64_t a = in->stage_cycle[from], b = in->stage_cycle[to];
    return a == 0 || b <= a ? 0 : at_most(b - a, ones);
}

static inline uint64_t retire_delay(const struct probe_insn *in, uint64_t ones)
{
    uint64_t retired = in->stage_cycle[PROBE_RETIRED], before = in->retired_before;
    return in->cause != PROBE_CAUSE_NONE || retired <= before ? 0 : at_most(retired - before, ones);
}

/* Cycles from the fetch of a pair's first instruction to a stage of the second; 0 if not passed. */
static inline uint64_t from_first(const struct sample_source *from, enum probe_stage stage, uint64_t ones)
{
    uint64_t cycle = from->second->stage_cycle[stage];
    return cycle <= from->first_fetched ? 0 : at_most(cycle - from->first_fetched, ones);
}

/* The bank of the n-th oldest instruction. */
static inline unsigned tip_bank(const struct sample_source *from, unsigned n)
{
    unsigned oldest = from->tip->flags >> TIP_OLDEST_SHIFT & (PROBE_MAX_BANKS - 1);
    return (oldest + n) % from->banks;
}

static inline uint64_t tip_valid(const struct sample_source *from)
{
    uint64_t valid = 0;
    for (unsigned n = 0; n < from->banks; n++)
        valid |= (from->tip->flags >> (TIP_VALID_SHIFT + tip_bank(from, n)) & 1) << n;
    return valid;
}

static inline uint64_t tip_address(const struct sample_source *from, unsigned n)
{
    return n < from->banks && (tip_valid(from) >> n & 1) != 0 ? sample_pc32(from->tip->address[tip_bank(from, n)]) : 0;
}

static inline uint64_t tip_events(const struct sample_source *from)
{
    enum { INSNS = 4, BITS = 16 };
    uint64_t events = 0;
    for (unsigned n = 0; n < INSNS && n < from->banks; n++)
        if ((tip_valid(from) >> n & 1) != 0)
            events |= (uint64_t)pics_signature16(from->signature[tip_bank(from, n)]) << BITS * n;
    return events;
}

static inline uint64_t tip_flags(const struct tip_csr *tip)
{
    enum { FLAGS = TIP_STALLED | TIP_EXCEPTION | TIP_FLUSH | TIP_MISPREDICTED | TIP_FRONTEND, OLDEST_SHIFT = 5 };
    return (tip->flags & FLAGS) | (tip->flags >> TIP_OLDEST_SHIFT & (PROBE_MAX_BANKS - 1)) << OLDEST_SHIFT;
}

/* raw_##sym: the field's source before truncation to its width. */
#define FIELD(sym, name, width, group, source, ...)                    \
    static inline uint64_t raw_##sym(const struct sample_source *from) \
    {                                                                  \
        const uint64_t ones = UINT64_MAX >> (64 - (width));            \
        const struct probe_insn *const in = from->in;                  \
        (void)in, (void)ones;                                          \
        return (uint64_t)(source);                                     \
    }
#include "isa/sample.def"

/* The part to which a group belongs. */
#define PART_OF(group)                                                                        \
    ((group) == SAMPLE_GROUP_PAIR                                        ? SAMPLE_OF_PAIR     \
     : (group) == SAMPLE_GROUP_TIP || (group) == SAMPLE_GROUP_SIGNATURES ? SAMPLE_OF_TIP      \
     : (group) == SAMPLE_GROUP_CONTEXT                                   ? SAMPLE_OF_DELIVERY \
                                                                         : SAMPLE_OF_INSN)

void sample_format_init(struct sample_format *f, const struct field_set *wanted)
{
    static const struct {
        uint32_t stages, extras;
    } needs[FIELD_COUNT] = {
#define FIELD(sym, name, width, group, source, ...) {SECOND(STAGES_##source), EXTRAS_OF_##sym},
#include "isa/sample.def"
    };
    *f = (struct sample_format){0};
    for (unsigned i = 0; i < FIELD_COUNT; i++) {
        if (!field_set_has(wanted, i))
            continue;
        const enum sample_part part = PART_OF(sample_fields[i].group);
        f->stages |= needs[i].stages;
        f->extras |= needs[i].extras;
        f->field[part][f->fields[part]++] = (uint8_t)i;
    }
}

/* The fields of one part, which is a constant: the others have no code here. */
static inline __attribute__((always_inline)) void sample_fields_fill(const struct sample_format *f,
                                                                     enum sample_part part,
                                                                     const struct sample_source *from, struct sample *s)
{
    for (unsigned i = 0; i < f->fields[part]; i++)
        switch ((enum sample_field)f->field[part][i]) {
#define FIELD(sym, name, width, group, ...)                                     \
    case FIELD_##sym:                                                           \
        if (PART_OF(SAMPLE_GROUP_##group) != part)                              \
            __builtin_unreachable();                                            \
        s->field[FIELD_##sym] = raw_##sym(from) & UINT64_MAX >> (64 - (width)); \
        break;
#include "isa/sample.def"
        default: /* each row has a case */
            __builtin_unreachable();
        }
}

void sample_format_fill_insn(const struct sample_format *f, const struct sample_source *from, struct sample *s)
{
    sample_fields_fill(f, SAMPLE_OF_INSN, from, s);
}

void sample_format_fill_other(const struct sample_format *f, enum sample_part part, const struct sample_source *from,
                              struct sample *s)
{
    if (part == SAMPLE_OF_PAIR)
        sample_fields_fill(f, SAMPLE_OF_PAIR, from, s);
    else if (part == SAMPLE_OF_TIP)
        sample_fields_fill(f, SAMPLE_OF_TIP, from, s);
    else
        sample_fields_fill(f, SAMPLE_OF_DELIVERY, from, s);
}
