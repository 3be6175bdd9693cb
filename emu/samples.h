/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples as text, for running a profiling program without a core. A line is a sample:
 *
 *     # class, then fields of isa/contract/sample.def by name
 *     load   pc=0x10400 result=7
 *     load   pc=0x10400 result=7  x100     # a hundred of them
 *     @5000  branch pc=0x10408 taken=1     # delivered at core cycle 5000
 *     +3     branch pc=0x10408 taken=0     # 3 cycles after the sample before it
 *
 * Times are those of a run without interrupts: each handler delays the samples behind it. They never go back, and are
 * at most 2^53. Where the co-processor took longer than to cycle N over samples without a time, @N is as soon as it is
 * done. Without a time a sample is delivered when the co-processor is done with all before it, so that none is dropped.
 * Fields that follow from others (sample_field_follow), class and cycle are derived where they are not given; all other
 * fields are 0. */
#ifndef EMU_SAMPLES_H
#define EMU_SAMPLES_H

#include "isa/contract/sample.h"
#include "isa/support/diag.h"

struct timed_sample {
    struct sample sample;
    uint64_t repeat; /* how many of them */
    enum { WHEN_IDLE, WHEN_AT, WHEN_AFTER } when;
    uint64_t cycles; /* WHEN_AT: the cycle; WHEN_AFTER: the distance */
};

/* Where the reading has got to in a text. */
struct sample_reader {
    const struct diag_source *source;
    size_t at;
    int line;
    uint64_t cycle; /* that of the sample before, as far as times say it: samples without one can be later */
};

/* Reads the next sample. False at the end of the text, and for a bad line, which is reported; go on while the reader is
 * not at the end to find all errors. */
bool sample_read(struct sample_reader *r, struct diag *d, struct timed_sample *out);
bool sample_reader_at_end(const struct sample_reader *r);

#endif
