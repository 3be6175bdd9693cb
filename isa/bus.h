/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interface of the host access bus: the address map of bus.def and a read and a write function. Addresses are in bytes;
 * accesses are aligned 64-bit words. */
#ifndef ISA_BUS_H
#define ISA_BUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum bus_address {
#define BUS(sym, name, address, ...) BUS_##sym = address,
#include "isa/bus.def"
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

/* Word of the predictor array with all 2-bit counters at 1 (weakly not taken). */
#define BUS_WEAKLY_NOT_TAKEN UINT64_C(0x5555555555555555)

/* The columns of bus.def. */
enum bus_scale { BUS_SCALE_FIXED, BUS_SCALE_CAM_ENTRIES, BUS_SCALE_DATA_ROWS, BUS_SCALE_FILTER2_BITS };
enum bus_kind { BUS_KIND_CONTROL, BUS_KIND_STATISTIC, BUS_KIND_STATE, BUS_KIND_VOLATILE };
/* Register files have the same values as in enum isa_regfile. */
enum bus_names {
#define REGFILE(sym, ...) BUS_NAMES_##sym,
#include "isa/isa.def"
    BUS_NAMES_FIELD,
    BUS_NAMES_NONE,
};

struct bus_region {
    const char *name;
    uint32_t address, words; /* byte address; number of words at the largest geometry */
    uint32_t elements;       /* at the largest geometry */
    uint8_t bits;            /* width of an element */
    enum bus_scale scale;
    enum bus_kind kind;
    enum bus_names names;
    const char *access; /* "R", "W" or "RW" */
    const char *contents;
};
/* The rows of bus.def, in their order. */
extern const struct bus_region bus_regions[];
extern const size_t bus_region_count;
/* The region that contains a byte address, or NULL. */
const struct bus_region *bus_find(uint32_t address);
/* The region at the next higher address; for NULL, the first; after the last, NULL. */
const struct bus_region *bus_next(const struct bus_region *r);
/* The region whose elements have names of kind `names`, which is not BUS_NAMES_NONE. */
const struct bus_region *bus_find_names(enum bus_names names);

static inline bool bus_is_readable(const struct bus_region *r) { return r->access[0] == 'R'; }
static inline bool bus_is_writable(const struct bus_region *r) { return r->access[r->access[0] == 'R'] == 'W'; }

/* The configured sizes, as the word BUS_GEOMETRY has them. */
struct bus_geometry {
    unsigned cam_entries, data_rows, buffer_bytes;
    unsigned filter2_bits; /* a power of two */
};
struct bus_geometry bus_unpack_geometry(uint64_t word);
uint64_t bus_pack_geometry(const struct bus_geometry *g);

/* The word BUS_WIDTHS of all index registers: widths in bits, whether each saturates, and the number of the one that is
 * the gate; ISA_INDEXES and above: none. */
uint64_t bus_pack_widths(const uint8_t *width, const uint8_t *saturates, unsigned gate);

/* Number of elements of a region for the given geometry. */
unsigned bus_elements(const struct bus_region *r, const struct bus_geometry *g);

/* Address decoding: an access is accepted, with its word index in the region, or refused with a reason. */
enum bus_answer { BUS_TAKEN, BUS_UNALIGNED, BUS_UNMAPPED, BUS_NOT_READABLE, BUS_NOT_WRITABLE, BUS_OUTSIDE };
enum bus_answer bus_locate(uint32_t address, bool write, const struct bus_geometry *g, const struct bus_region **region,
                           unsigned *word);

/* The bus as used by drivers. Both functions return ST_RANGE for an access that bus_locate refuses; a write also for a
 * value that the register cannot hold. */
struct bus {
    void *ctx;
    enum status (*read)(void *ctx, uint32_t address, uint64_t *value);
    enum status (*write)(void *ctx, uint32_t address, uint64_t value);
    /* Advances the device to a core cycle, at which the next access takes effect. NULL: the device has no clock. */
    void (*advance)(void *ctx, uint64_t cycle);
};

/* Text of the reason why the bus refused an access. */
const char *bus_refusal(const struct bus *bus, uint32_t address, bool write);

/* Accesses by drivers to valid addresses; a refused access is a BUG. */
uint64_t bus_get(const struct bus *bus, uint32_t address);
void bus_put(const struct bus *bus, uint32_t address, uint64_t value);

struct image;
/* Loads a program: microcode, registers, dispatch, record format, filters. ST_RANGE and a message if the machine's
 * arrays are too small. Clears the arrays and leaves the co-processor halted. */
enum status bus_load_program(const struct bus *bus, const struct image *im, struct errmsg *err) MUST_USE;

#endif
