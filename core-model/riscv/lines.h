/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines that are remembered for an observer of accesses: a further access to one needs no permission and no call, and
 * only sets the time of use. Translated code compares addresses with them inline. */
#ifndef CORE_MODEL_RISCV_LINES_H
#define CORE_MODEL_RISCV_LINES_H

#include <stdbool.h>
#include <stdint.h>

enum { LINES_PLACES = 64 };
#define LINES_NO_ADDRESS UINT64_MAX

struct lines_place {
    uint64_t address[2]; /* of the line, if it is remembered for reads, for writes; else LINES_NO_ADDRESS */
    uint64_t *used;      /* the time of use: a value of the clock. Borrowed. */
    uint64_t unused;     /* makes the size a power of two */
};

struct lines {
    uint64_t *clock;          /* borrowed */
    uint32_t line_bits, mask; /* mask: of the low bits of a line's number, which choose its place */
    struct lines_place place[LINES_PLACES];
};

/* The only place in which the line of addr can be. */
static inline struct lines_place *lines_place_of(struct lines *l, uint64_t addr)
{
    return &l->place[addr >> l->line_bits & l->mask];
}

/* An access to a line that is remembered. Otherwise returns false and changes nothing. `line_bits` and `mask` are those
 * of the lines, `size_bytes` is a power of two. */
static inline __attribute__((always_inline)) bool lines_again(struct lines *l, uint64_t line_bits, uint64_t mask,
                                                              uint64_t addr, uint64_t size_bytes, bool is_write)
{
    const uint64_t within = (UINT64_C(1) << line_bits) - size_bytes; /* of a line and an aligned access */
    const struct lines_place *p = &l->place[addr >> line_bits & mask];
    if (p->address[is_write] != (addr & ~within))
        return false;
    *p->used = ++*l->clock;
    return true;
}

#endif
