/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The host access bus as its two ends see it: the address map of bus.def and a pair of functions. Addresses are
 * bytes, accesses are of 64 bits and aligned. */
#ifndef ISA_BUS_H
#define ISA_BUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "isa/support/status.h"

enum bus_address {
#define BUS(sym, name, address, ...) BUS_##sym = address,
#include "isa/bus.def"
#undef BUS
};

enum bus_command {
    BUS_INVALIDATE_ALL = 1,
    BUS_CLEAR_ALL = 2,
    BUS_DROP_SAMPLES = 4,
    BUS_RESTART = 8,
    BUS_HALT = 16,
    BUS_CLEAR_STATISTICS = 32
};
enum bus_state { BUS_HALTED, BUS_RUNNING, BUS_WAITING_SAMPLE, BUS_INTERRUPT, BUS_ILLEGAL, BUS_RUNAWAY };

/* A word of the predictor array with all of its 2-bit counters at 1. */
#define BUS_WEAKLY_NOT_TAKEN UINT64_C(0x5555555555555555)

/* The columns of bus.def. */
enum bus_scale { BUS_SCALE_FIXED, BUS_SCALE_CAM_ENTRIES, BUS_SCALE_DATA_ROWS };
enum bus_kind { BUS_KIND_CONTROL, BUS_KIND_STATISTIC, BUS_KIND_STATE, BUS_KIND_VOLATILE };
/* The register files have the numbers of enum isa_regfile. */
enum bus_names {
#define REGFILE(sym, ...) BUS_NAMES_##sym,
#include "isa/isa.def"
    BUS_NAMES_FIELD,
    BUS_NAMES_NONE,
};

struct bus_region {
    const char *name;
    uint32_t address, words; /* in bytes; at the largest geometry */
    uint16_t elements;       /* at the largest geometry */
    uint8_t bits;            /* of an element */
    enum bus_scale scale;
    enum bus_kind kind;
    enum bus_names names;
    const char *access; /* "R", "W" or "RW" */
    const char *contents;
};
/* The rows of bus.def, in their order. */
extern const struct bus_region bus_regions[];
extern const size_t bus_region_count;
/* The region that a byte address is in, or NULL. */
const struct bus_region *bus_find(uint32_t address);
/* The region at the next higher address; that at the lowest for NULL; NULL after the highest. */
const struct bus_region *bus_next(const struct bus_region *r);
/* The region whose elements have names of that kind. Not for BUS_NAMES_NONE. */
const struct bus_region *bus_find_names(enum bus_names names);
bool bus_is_readable(const struct bus_region *r);

/* Elements of a region in a co-processor of that geometry. */
unsigned bus_elements(const struct bus_region *r, unsigned cam_entries, unsigned data_rows);

/* What a device says to an access by its address and direction: the word of the region that it is to, or why it is
 * refused. */
enum bus_answer { BUS_TAKEN, BUS_UNALIGNED, BUS_UNMAPPED, BUS_NOT_READABLE, BUS_NOT_WRITABLE, BUS_OUTSIDE };
enum bus_answer bus_locate(uint32_t address, bool write, unsigned cam_entries, unsigned data_rows,
                           const struct bus_region **region, unsigned *word);

/* The driver's end. Both functions return ST_RANGE for an access that bus_locate refuses, and a write also for a
 * value that the register cannot have. */
struct bus {
    void *ctx;
    enum status (*read)(void *ctx, uint32_t address, uint64_t *value);
    enum status (*write)(void *ctx, uint32_t address, uint64_t value);
    /* Lets the device get to a cycle of the core's, at which the next access takes effect. NULL where the device
     * knows no time. */
    void (*advance)(void *ctx, uint64_t cycle);
};

/* Why the bus has refused an access, for people. */
const char *bus_refusal(const struct bus *bus, uint32_t address, bool write);

/* For drivers: accesses to addresses that are known to be right; anything else is a fault of ours. */
uint64_t bus_get(const struct bus *bus, uint32_t address);
void bus_put(const struct bus *bus, uint32_t address, uint64_t value);

struct image;
/* Loads a program: microcode, registers, dispatch, record format, filters. ST_RANGE and a message where the machine
 * is too small for it. The arrays are cleared; the co-processor is left halted. */
enum status bus_load_program(const struct bus *bus, const struct image *im, struct errmsg *err) MUST_USE;

#endif
