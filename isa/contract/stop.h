/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of a program that has stopped the co-processor for good: the word and the head sample. The emulator
 * fills it in, and a report prints it. A real host could not read all of it over the bus. */
#ifndef ISA_CONTRACT_STOP_H
#define ISA_CONTRACT_STOP_H

#include "isa/bus.h"
#include "isa/image.h"

struct program_stop {
    enum bus_state state;  /* BUS_ILLEGAL or BUS_RUNAWAY */
    bool no_entry;         /* illegal, as the sample's class has no first word */
    unsigned word;         /* its address: the word that is illegal, or would have been next */
    char text[256];        /* "label+1: mov pc32 -> v0"; of an illegal word its digits */
    uint64_t words, limit; /* executed for the sample; the most there may be */
    bool has_sample;       /* the rest holds; otherwise the buffer has been emptied meanwhile */
    uint64_t sample;       /* which, from 1 on; dropped ones are not counted */
    enum opclass opclass;
    uint64_t cycle;  /* the core's, of its delivery */
    unsigned fields; /* of the record, by position */
    const char *name[ISA_FIELDS];
    uint64_t field[ISA_FIELDS];
};

#endif
