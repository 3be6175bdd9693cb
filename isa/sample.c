/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of sample.def as data. Of a field's source only the kind is evaluated: event, clipped number, or
 * derived from another field. */
#include "isa/sample.h"

#include <string.h>

/* Opcode classes and sets of classes under the names used in the rows. */
enum {
#define OPCLASS(sym, name, what) sym = 1 << OPCLASS_##sym,
#include "contract/opclass.def"
#define CLASS_SET(name, members) name = (members),
#include "contract/opclass.def"
    ALL = (1 << OPCLASS_COUNT) - 1,
};

_Static_assert(FIELD_COUNT < UINT8_MAX, "an image has the numbers of fields in 8 bits, and all ones for none");

/* Members derived from a source: KIND_##source is a macro for special sources; for all others it is not, and MEMBERS
 * drops it. */
#define KIND_EVENT(event) , .flag = true
#define KIND_BETWEEN(from, to) , .clips = true
#define KIND_RETIRE_DELAY , .clips = true
#define KIND_BETWEEN_SECOND(from, to) , .clips = true
#define KIND_FROM_FIRST(stage) , .clips = true
#define KIND_PAIR_DISTANCE , .clips = true
#define KIND_TIP_CYCLES , .clips = true
#define KIND_PART(field, bit) , .rule = SAMPLE_RULE_PART, .whole = FIELD_##field, .number = (bit)
#define KIND_LOW(field, n) , .rule = SAMPLE_RULE_LOW, .whole = FIELD_##field, .number = (n)
#define KIND_HASH(field) , .rule = SAMPLE_RULE_HASH, .whole = FIELD_##field
#define KIND_BEHIND(field, n) , .rule = SAMPLE_RULE_BEHIND, .whole = FIELD_##field, .number = (n)
#define MEMBERS(...) MEMBERS_BUT_FIRST(__VA_ARGS__, )
#define MEMBERS_BUT_FIRST(first, ...) __VA_ARGS__

const struct sample_group_row sample_groups[SAMPLE_GROUP_COUNT] = {
#define GROUP(sym, name, meaning) [SAMPLE_GROUP_##sym] = {name, meaning},
#include "isa/sample.def"
};

const struct sample_field_row sample_fields[FIELD_COUNT] = {
#define FIELD(sym, name, width, group, source, class_set, meaning) \
    [FIELD_##sym] = {name, width, SAMPLE_GROUP_##group, meaning, .classes = class_set, MEMBERS(KIND_##source)},
#include "isa/sample.def"
};

uint64_t sample_field_follow(enum sample_field f, const uint64_t field[])
{
    const struct sample_field_row *row = &sample_fields[f];
    uint64_t whole = field[row->whole];
    switch (row->rule) {
    case SAMPLE_RULE_NONE:
        break;
    case SAMPLE_RULE_PART:
        return whole >> row->number & sample_field_ones(f);
    case SAMPLE_RULE_LOW:
        return sample_low(whole, row->number);
    case SAMPLE_RULE_HASH:
        return sample_hash16(whole);
    case SAMPLE_RULE_BEHIND:
        return sample_path_key((uint32_t)field[FIELD_PC32], whole, row->number);
    }
    return field[f];
}

int sample_find_field(const char *name)
{
    for (int f = 0; f < FIELD_COUNT; f++)
        if (strcmp(sample_fields[f].name, name) == 0)
            return f;
    return -1;
}
