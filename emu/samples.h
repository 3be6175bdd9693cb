/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples as text, for running a profiling program without a core. A line is a sample:
 *
 *     # class, then fields of isa/sample.def by name
 *     load   pc=0x10400 result=7
 *     load   pc=0x10400 result=7  x100     # a hundred of them
 *     @5000  branch pc=0x10408 taken=1     # delivered at core cycle 5000
 *     +3     branch pc=0x10408 taken=0     # 3 cycles after the sample before it
 *
 * Times refer to a run without interrupts: each handler delays all later samples by its duration. Times do not decrease
 * and are at most 2^53. A sample without a time is delivered when the co-processor has completed all earlier samples,
 * so none is dropped. If that is after cycle N, a sample with time @N is delivered as soon as the co-processor is idle.
 * Omitted fields are derived where a rule exists (sample_field_follow, class, cycle, seq), else 0. */
#ifndef EMU_SAMPLES_H
#define EMU_SAMPLES_H

#include "base/diag.h"
#include "isa/sample.h"

struct timed_sample {
    struct sample sample;
    bool numbered;   /* the line has a `seq` */
    uint64_t repeat; /* number of identical samples */
    enum { WHEN_IDLE, WHEN_AT, WHEN_AFTER } when;
    uint64_t cycles; /* WHEN_AT: the cycle; WHEN_AFTER: the distance */
};

/* State of the reader. */
struct sample_reader {
    const struct diag_source *source;
    size_t at;
    int line;
    uint64_t cycle; /* lower bound of the previous sample's cycle: samples without a time can be later */
};

/* Reads the next sample. Returns false at the end of the text and for a bad line, which is reported. To report all
 * errors, callers continue until sample_reader_at_end. */
bool sample_read(struct sample_reader *r, struct diag *d, struct timed_sample *out);
bool sample_reader_at_end(const struct sample_reader *r);

#endif
