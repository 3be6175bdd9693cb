/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Extraction of the sample record's fields from an instruction in flight, by the source column of
 * isa/contract/sample.def (co-processor paper, section 3.2). */
#ifndef CORE_MODEL_PROF_SAMPLE_FIELDS_H
#define CORE_MODEL_PROF_SAMPLE_FIELDS_H

#include "core-model/probe.h"

/* The fields to extract, prepared once for a set of them. */
struct sample_format {
    uint32_t stages;            /* a bit for each enum probe_stage whose cycle a field reads */
    unsigned fields;            /* number of fields */
    uint8_t field[FIELD_COUNT]; /* enum sample_field, ascending */
};

/* `wanted` has a bit for each enum sample_field to extract. */
void sample_format_init(struct sample_format *f, uint64_t wanted);

/* A bit for each enum probe_stage whose cycle a field reads: what the observer asks of the probe port (struct
 * probe_observer, `cycles`). */
static inline uint32_t sample_format_stages(const struct sample_format *f) { return f->stages; }

/* Sets the class, the cycle and the wanted fields of the sample of an instruction that retires in that core cycle;
 * leaves other fields alone. Each field is within its width. */
void sample_format_fill(const struct sample_format *f, const struct probe_insn *in, uint64_t cycle, struct sample *s);

#endif
