/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The column `signal` of contract/countprof.def. Entry points: counter_signal.h. */
#include "core-model/prof/count/counter_signal.h"

#include "contract/opclass.h"

/* Opcode classes and sets of classes under the names used in the rows, and the classes that can have each event. */
enum {
#define OPCLASS(sym, name, what) sym = 1 << OPCLASS_##sym,
#include "contract/opclass.def"
#define CLASS_SET(name, members) name = (members),
#include "contract/opclass.def"
    OF_TAKEN = CONTROL,
    OF_MISPREDICTED = CONTROL,
    OF_DCACHE_MISS = MEMORY,
};

#define SIGNAL_AT(stage) SOURCE_STAGE, PROBE_##stage
#define SIGNAL_HAPPENS(event) SOURCE_EVENT, PROBE_BIT_##event
#define SIGNAL_EACH_CYCLE SOURCE_CYCLES, 0
#define SIGNAL_NEVER SOURCE_NEVER, 0

/* Property derived from of_record: SECOND(NAME_##of_record) is the text after the comma in the macro of this name, or 0
 * without such a macro. */
#define SECOND(...) SECOND_OF(__VA_ARGS__, 0, )
#define SECOND_OF(first, second, ...) second
#define ALL_ALWAYS , true
#define ALL_RETIRES , true
#define ALL_SQUASHES , true
#define ALL_PASSED(stage) , true
#define CLASSES_READS , LOADS
#define CLASSES_WRITES , STORES | ATOMIC
#define CLASSES_OF_CLASS(classes) , classes
#define CLASSES_ISSUED_OF(classes) , classes
#define CLASSES_RETIRED_EVENT(event) , OF_##event

const struct counter_signal counter_signals[COUNT_KINDS] = {
#define COUNT(sym, name, event, unit, of_record, signal, meaning) \
    [COUNT_##sym] = {SIGNAL_##signal, SECOND(ALL_##of_record), SECOND(CLASSES_##of_record)},
#include "contract/countprof.def"
};

#define CHOICE_AT(stage) true
#define CHOICE_HAPPENS(event) true
#define CHOICE_EACH_CYCLE true
#define CHOICE_NEVER false

const struct text_choice counter_choices[] = {
#define COUNT(sym, name, event, unit, of_record, signal, meaning) \
    {CHOICE_##signal ? name : "", UINT64_C(1) << COUNT_##sym},
#include "contract/countprof.def"
#define COUNT(sym, name, event, unit, of_record, signal, meaning) \
    {CHOICE_##signal ? event : "", UINT64_C(1) << COUNT_##sym},
#include "contract/countprof.def"
    {.name = NULL},
};

bool counter_has_instruction(enum count_kind kind)
{
    const struct counter_signal *s = &counter_signals[kind];
    return s->source == SOURCE_EVENT || (s->source == SOURCE_STAGE && s->of != PROBE_SQUASHED && !s->all);
}
