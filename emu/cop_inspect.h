/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inspection for debuggers and tests: every state element by name, and copy, restore and comparison of the whole state.
 * An element belongs to a region of the bus map (isa/bus.def); accesses by these functions are no bus accesses and do
 * not reach the watch port. Names are those of the program's image, the architectural names of isa.def (v0, i3, c1, b2,
 * t0, f5 for a field of the head sample), and the names of the bus regions: lfsr, data[7], cam[7], valid[7],
 * predictor[12], microcode[12], masked[100]. */
#ifndef EMU_COP_INSPECT_H
#define EMU_COP_INSPECT_H

#include "emu/cop.h"
#include "isa/image.h"

struct cop_place {
    enum bus_address region;
    unsigned element;
};

/* Number of elements of a region in this co-processor's geometry. */
unsigned cop_elements(const struct cop *c, enum bus_address region);
/* Resolves a name; the image may be NULL. False if the name is unknown or the element does not exist. */
bool cop_find_place(const struct cop *c, const struct image *im, const char *name, struct cop_place *place);
/* The program's name for a place, or NULL. The image, which may be NULL, owns the name. */
const char *cop_program_name(const struct image *im, const struct cop_place *place);
/* Prints the program's name for a place, else its architectural name. Returns as snprintf does. */
int cop_print_place(char *buf, size_t size_bytes, const struct image *im, const struct cop_place *place);

/* Disassembles a word of the microcode, with the names of the program's image. Returns as snprintf does. */
int cop_print_word(const struct cop *c, const struct image *im, unsigned word, char *buf, size_t size_bytes);

/* ST_RANGE if the element does not exist. */
enum status cop_peek(const struct cop *c, const struct cop_place *place, uint64_t *value) MUST_USE;
/* ST_RANGE if the element does not exist or is read-only, or if the value does not fit. Values are converted as by a
 * bus write: truncated to the width of an index register; 0 becomes 1 in an LFSR. Unlike on the bus, the head sample's
 * fields are writable. */
enum status cop_poke(struct cop *c, const struct cop_place *place, uint64_t value) MUST_USE;

/* Sets the word to execute next for the head sample. False if no sample is in process. A co-processor that had stopped
 * at an illegal word or as a runaway becomes runnable again. */
bool cop_set_pc(struct cop *c, unsigned pc);
/* Core cycle that the simulation has reached. */
uint64_t cop_cycle(const struct cop *c);

/* The samples in the buffer, the head first. */
struct cop_record {
    enum opclass opclass;
    uint64_t delivered, readable; /* core cycles: delivery; arrival of the last beat in the buffer */
    unsigned fields;
    uint64_t field[ISA_FIELDS];
};
unsigned cop_queued(const struct cop *c);
/* Words executed for the head sample. */
uint64_t cop_sample_words(const struct cop *c);
/* Reads record i, counted from the head; false if there are not so many. */
bool cop_record(const struct cop *c, unsigned i, struct cop_record *record);
/* Sets a field of record i; false if it does not exist. */
bool cop_set_record(struct cop *c, unsigned i, unsigned field, uint64_t value);

/* Copies all state except watch, interrupt line and clock observer. The caller frees the copy with cop_free. */
struct cop *cop_clone(const struct cop *c);
/* Restores the state of a clone of the same geometry; keeps watch, interrupt line and clock observer. */
void cop_restore(struct cop *c, const struct cop *saved);
/* Memory of a clone, in bytes. */
size_t cop_bytes(const struct cop *c);
/* Returns whether the filters pass an instruction of this class at this address in the present cycle. Counts nothing.
 */
bool cop_passes(const struct cop *c, enum opclass opclass, uint64_t pc);
/* Sets the filter counters of a copy that replays recorded samples, because the core does not query its filters. */
void cop_set_offered(struct cop *c, uint64_t offered, uint64_t filtered, uint64_t eligible);

#endif
