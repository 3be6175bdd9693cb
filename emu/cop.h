/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cycle-accurate model of the programmable profiling co-processor of Zilles and Sohi (HPCA 2001, section 3): filters,
 * sample buffer, decoder and field extractor, a two-stage sequencer with a 2-bit predictor per word, the register files
 * and the two arrays.
 *
 * Interfaces: to the core, a sample_sink (isa/sample.h); to the host, the bus (isa/bus.h) and an interrupt
 * line; to the owner of the model, inspection functions that hardware does not have (cop_inspect.h). */
#ifndef EMU_COP_H
#define EMU_COP_H

#include "isa/bus.h"
#include "isa/isa.h"
#include "isa/sample.h"

struct cop;

/* The hardware's configuration: the rows of cop_config.def, in the units given there. cop_new does not check the
 * ranges. */
struct cop_config {
#define COP_PARAM(key, def, min, max, unit, help) uint32_t key;
#include "isa/cop_config.def"
};
/* COP_MAX_key: the largest value of each key. */
enum {
#define COP_PARAM(key, def, min, max, unit, help) COP_MAX_##key = (max),
#include "isa/cop_config.def"
};
extern const struct cop_config cop_default_config; /* Table 1 of the paper, at the core's clock */

struct cop *cop_new(const struct cop_config *config);
void cop_free(struct cop *c);

struct bus cop_bus(struct cop *c);
/* Seeds the LFSR of the program and that of early drop. A new co-processor has seed 1. */
void cop_seed(struct cop *c, uint64_t seed);
/* The sink for the loaded program; it requests the fields of the program's record format. */
struct sample_sink cop_sink(struct cop *c);
/* Sets the clock observer: `fn` is called at the first instruction for which the core queries the sink, and then at the
 * first one at or after the core cycle that the last call returned. NULL removes it. */
void cop_on_clock(struct cop *c, uint64_t (*fn)(void *ctx, uint64_t cycle), void *ctx);
/* Calls `fn` at the core cycle of each interrupt; the co-processor is halted until it is restarted over the bus. */
void cop_on_interrupt(struct cop *c, void (*fn)(void *ctx, uint64_t cycle), void *ctx);

/* Simulates up to core cycle `cycle`. Interrupts on the way are raised at their own cycles. */
void cop_advance(struct cop *c, uint64_t cycle);
/* Simulates until the buffer is empty or the co-processor is halted; returns the core cycle of that. */
uint64_t cop_drain(struct cop *c);

struct cop_config cop_get_config(const struct cop *c);
enum bus_state cop_state(const struct cop *c);
unsigned cop_pc(const struct cop *c); /* address of the next word, or of the word that halted it */
uint64_t cop_word_count(const struct cop *c, unsigned word); /* executions of a word since the program was loaded */

#endif
