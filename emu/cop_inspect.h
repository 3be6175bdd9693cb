/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All state of the co-processor by name, for debuggers and tests, and whole states: copies, going back to one,
 * comparison. Cells are those of the bus map (isa/bus.def), one element at a time; looking at them is no bus access
 * and is not watched. Names are those of the program's image, the plain ones of isa.def (v0, i3, c1, b2, t0, f5 for
 * a field of the head sample), and those of the bus's regions: lfsr, data[7], cam[7], valid[7], predictor[12],
 * microcode[12], masked[100]. */
#ifndef EMU_COP_INSPECT_H
#define EMU_COP_INSPECT_H

#include "emu/cop.h"
#include "isa/image.h"

struct cop_place {
    enum bus_address region;
    unsigned element;
};

/* Elements of a region in this co-processor's geometry. */
unsigned cop_elements(const struct cop *c, enum bus_address region);
/* What a name stands for; the image may be NULL. False where it is no name, or its element does not exist. */
bool cop_find_place(const struct cop *c, const struct image *im, const char *name, struct cop_place *place);
/* The program's own name of a place, or NULL where it has none. It lives as long as the image, which may be NULL. */
const char *cop_program_name(const struct image *im, const struct cop_place *place);
/* The name as a program's author knows it; snprintf's count. */
int cop_print_place(char *buf, size_t size_bytes, const struct image *im, const struct cop_place *place);

/* A word of the microcode as the assembler reads it, with the names of the program's image; snprintf's count. */
int cop_print_word(const struct cop *c, const struct image *im, unsigned word, char *buf, size_t size_bytes);

/* ST_RANGE where there is no such cell. */
enum status cop_peek(const struct cop *c, const struct cop_place *place, uint64_t *value) MUST_USE;
/* ST_RANGE also for what is read-only or does not fit. What the bus does to a value written, this does too: an index
 * register cuts it to its width, an LFSR of 0 becomes 1. The head sample's fields can be written, though not over
 * the bus. */
enum status cop_poke(struct cop *c, const struct cop_place *place, uint64_t value) MUST_USE;

/* The word to execute next for the head sample. False where none is being worked on. One that had stopped at an
 * illegal word or as a runaway runs again. */
bool cop_set_pc(struct cop *c, unsigned pc);
/* The core cycle up to which time has passed. */
uint64_t cop_cycle(const struct cop *c);

/* The samples in the buffer, the head first. */
struct cop_record {
    enum opclass opclass;
    uint64_t delivered, readable; /* core cycles: it set out; its last beat is in the buffer */
    unsigned fields;
    uint64_t field[ISA_FIELDS];
};
unsigned cop_queued(const struct cop *c);
/* Words executed for the head. */
uint64_t cop_sample_words(const struct cop *c);
/* Record i of those; false where there are fewer. */
bool cop_record(const struct cop *c, unsigned i, struct cop_record *record);
/* Changes a field of record i; false where there is none. */
bool cop_set_record(struct cop *c, unsigned i, unsigned field, uint64_t value);

/* A copy of all state, without watch, interrupt line and clock observer. The caller frees it by cop_free. */
struct cop *cop_clone(const struct cop *c);
/* Back to the state of a clone, of the same geometry; watch, interrupt line and clock stay. */
void cop_restore(struct cop *c, const struct cop *saved);
/* Bytes of memory that a clone of it takes. */
size_t cop_bytes(const struct cop *c);
/* What the filters have counted, for a copy whose filters are not asked again. */
void cop_set_offered(struct cop *c, uint64_t offered, uint64_t filtered);
/* The same hardware state, time and statistics. */
bool cop_equal(const struct cop *x, const struct cop *y);

#endif
