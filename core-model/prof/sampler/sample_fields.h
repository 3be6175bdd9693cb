/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Extraction of the sample record's fields, by the source column of isa/contract/sample.def (co-processor paper,
 * section 3.2). */
#ifndef CORE_MODEL_PROF_SAMPLE_FIELDS_H
#define CORE_MODEL_PROF_SAMPLE_FIELDS_H

#include "core-model/probe.h"
#include "core-model/prof/time/tip.h"

/* Fields whose sources are known at the same time. */
enum sample_part {
    SAMPLE_OF_INSN,     /* the groups that are about one instruction */
    SAMPLE_OF_PAIR,     /* the group pair */
    SAMPLE_OF_TIP,      /* the groups tip and signatures */
    SAMPLE_OF_DELIVERY, /* the group context */
    SAMPLE_PARTS
};

/* What the sources stand for. All pointers are borrowed; each part needs those that are named there. */
struct sample_source {
    const struct probe_insn *in;     /* OF_INSN: the instruction; of a pair the first */
    const struct probe_insn *second; /* OF_PAIR: the second */
    uint64_t first_fetched;          /* OF_PAIR: cycle of the first one's fetch */
    uint64_t distance;               /* OF_PAIR: instructions from the first one's fetch to the second one's */
    const struct tip_csr *tip;       /* OF_TIP */
    unsigned banks;                  /* OF_TIP: of the ROB */
    const uint32_t *signature;       /* OF_TIP, if the signatures are wanted: of the instruction in each bank */
    uint64_t cycle;                  /* OF_DELIVERY: in which the sample is complete */
    uint64_t number;                 /* OF_DELIVERY: samples delivered before */
};

/* The fields to extract, prepared once for a set of them. */
struct sample_format {
    uint32_t stages;                          /* a bit for each enum probe_stage whose cycle a field reads */
    uint32_t extras;                          /* a bit set of enum probe_extra: what a field reads */
    unsigned fields[SAMPLE_PARTS];            /* number of fields */
    uint8_t field[SAMPLE_PARTS][FIELD_COUNT]; /* enum sample_field, ascending */
};

void sample_format_init(struct sample_format *f, const struct field_set *wanted);

/* What the observer asks of the probe port: the members `cycles` and `extras` of struct probe_observer. */
static inline uint32_t sample_format_stages(const struct sample_format *f) { return f->stages; }
static inline uint32_t sample_format_extras(const struct sample_format *f) { return f->extras; }

/* Sets the wanted fields of that part; leaves other fields alone. Each field is within its width. */
void sample_format_fill(const struct sample_format *f, enum sample_part part, const struct sample_source *from,
                        struct sample *s);

#endif
