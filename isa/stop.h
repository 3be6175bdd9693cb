/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fatal stop of a profiling program: the word and the head sample. The emulator fills it in and the report prints it.
 * Hardware would not expose all of it on the bus. */
#ifndef ISA_STOP_H
#define ISA_STOP_H

#include "isa/bus.h"
#include "isa/image.h"

struct program_stop {
    enum bus_state state;  /* BUS_ILLEGAL or BUS_RUNAWAY */
    bool no_entry;         /* illegal because the sample's class has no start address */
    unsigned word;         /* address of the illegal word, or of the word that would have been next */
    char text[256];        /* "label+1: mov pc32 -> v0"; for an illegal word its encoding */
    uint64_t words, limit; /* words executed for the sample; limit per sample */
    bool has_sample;       /* the members below are valid; otherwise the buffer has been emptied */
    uint64_t sample;       /* number of the sample from 1, without dropped ones */
    enum opclass opclass;
    uint64_t cycle;  /* core cycle of its delivery */
    unsigned fields; /* fields of the record by position */
    const char *name[ISA_FIELDS];
    uint64_t field[ISA_FIELDS];
};

#endif
