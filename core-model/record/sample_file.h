/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording of samples: what the sampler of a profiling program delivered, so that programs and drivers can be tried
 * over the same samples without the core. It has the parts of format.h, with SAMPLES instead of BLOCK and without CODE.
 *
 * A recording has the fields that the program has named, each as the field from which it derives (sample_field_follow),
 * and the samples of the program's opcode classes. A program that asks for others is refused. */
#ifndef CORE_MODEL_RECORD_SAMPLE_FILE_H
#define CORE_MODEL_RECORD_SAMPLE_FILE_H

#include "core-model/record/facts.h"
#include "core-model/record/part.h"
#include "isa/sample.h"

/* Which samples, by which sampler, and what of each. */
struct sample_contents {
    uint32_t classes;        /* bit mask of enum opclass */
    const char *sampler;     /* sampler_print of its setup; borrowed */
    struct field_set fields; /* recorded fields, besides the address, which every recording has */
};

/* The contents that a recording for these fields must have. */
struct sample_contents sample_contents_of(uint32_t classes, const char *sampler, const struct field_set *wanted);

/* ---- writing ---- */

struct sample_writer;
/* `out` is borrowed; `clock`: core cycle in which the recording begins. */
struct sample_writer *sample_writer_new(FILE *out, const struct record_head *head, const struct sample_contents *what,
                                        uint64_t clock);
/* The sink that records all samples of these classes; it lives as long as the writer. */
struct sample_sink sample_writer_sink(struct sample_writer *w);
void sample_writer_conclude(struct sample_writer *w, const struct record_tail *tail);
void sample_writer_free(struct sample_writer *w);

/* ---- reading ---- */

struct sample_file;
/* Reads the part HEAD. `in` and `name`, which is for messages, are borrowed. */
enum status sample_file_open(struct sample_file **f, FILE *in, const char *name, struct errmsg *err) MUST_USE;
void sample_file_close(struct sample_file *f);
/* These are valid until the file is closed. */
const struct record_head *sample_file_head(const struct sample_file *f);
const struct sample_contents *sample_file_contents(const struct sample_file *f);
uint64_t sample_file_clock(const struct sample_file *f);
/* Available when sample_file_next has returned false without an error. */
const struct record_tail *sample_file_tail(const struct sample_file *f);
/* The length of the run in core cycles: as TAIL has it or, before that has been read, up to the last sample read. */
uint64_t sample_file_cycles(const struct sample_file *f);
/* The next sample: its class, cycle, address and recorded fields, and those of `wanted` that derive from them. The
 * other fields of *s are not written. Returns false at the end, and for a damaged file. */
bool sample_file_next(struct sample_file *f, struct sample *s);
/* To be called once, before sample_file_next: ST_INPUT if the recording lacks fields, classes or the sampler. */
enum status sample_file_want(struct sample_file *f, const struct sample_contents *what, const struct field_set *wanted,
                             struct errmsg *err) MUST_USE;
/* The error that ended the reading; ST_OK: none. */
enum status sample_file_error(const struct sample_file *f, struct errmsg *err) MUST_USE;

#endif
