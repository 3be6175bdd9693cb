/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Extraction of the sample record's fields, by the source column of isa/sample.def (co-processor paper,
 * section 3.2). */
#ifndef CORE_MODEL_PROF_SAMPLE_FIELDS_H
#define CORE_MODEL_PROF_SAMPLE_FIELDS_H

#include "core-model/probe/probe.h"
#include "core-model/prof/time/tip.h"

/* Groups of fields whose sources become available at the same time. */
enum sample_part {
    SAMPLE_OF_INSN,     /* the groups of one instruction */
    SAMPLE_OF_PAIR,     /* the group pair */
    SAMPLE_OF_TIP,      /* the groups tip and signatures */
    SAMPLE_OF_DELIVERY, /* the group context */
    SAMPLE_PARTS
};

/* Inputs of the sources. All pointers are borrowed; each part needs the members marked with it. */
struct sample_source {
    const struct probe_insn *in;     /* OF_INSN: the instruction, or the first one of a pair */
    const struct probe_insn *second; /* OF_PAIR: the second */
    uint64_t first_fetched;          /* OF_PAIR: fetch cycle of the first */
    uint64_t distance;               /* OF_PAIR: fetch distance in instructions */
    const struct tip_csr *tip;       /* OF_TIP */
    unsigned banks;                  /* OF_TIP: number of ROB banks */
    const uint32_t *signature; /* OF_TIP, if signatures are requested: signature of the instruction in each bank */
    uint64_t cycle;            /* OF_DELIVERY: cycle in which the sample is complete */
    unsigned hart;             /* OF_DELIVERY: number of the hart */
    uint64_t number;           /* OF_DELIVERY: samples delivered before */
};

/* Precomputed description of a set of fields to extract. */
struct sample_format {
    uint32_t stages;                          /* bit mask of enum probe_stage whose cycle a field reads */
    uint32_t extras;                          /* bit mask of enum probe_extra that a field reads */
    unsigned fields[SAMPLE_PARTS];            /* number of fields */
    uint8_t field[SAMPLE_PARTS][FIELD_COUNT]; /* enum sample_field, ascending */
};

void sample_format_init(struct sample_format *f, const struct field_set *wanted);

/* Requirements on the probe port: members `cycles` and `extras` of struct probe_listener. */
static inline uint32_t sample_format_stages(const struct sample_format *f) { return f->stages; }
static inline uint32_t sample_format_extras(const struct sample_format *f) { return f->extras; }

/* Sets the requested fields of this part, each within its width; keeps all other fields. `part` is a constant. */
void sample_format_fill_insn(const struct sample_format *f, const struct sample_source *from, struct sample *s);
void sample_format_fill_other(const struct sample_format *f, enum sample_part part, const struct sample_source *from,
                              struct sample *s);
static inline void sample_format_fill(const struct sample_format *f, enum sample_part part,
                                      const struct sample_source *from, struct sample *s)
{
    if (part == SAMPLE_OF_INSN)
        sample_format_fill_insn(f, from, s);
    else
        sample_format_fill_other(f, part, from, s);
}

#endif
