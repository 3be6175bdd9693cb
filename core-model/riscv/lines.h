/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines that are remembered for an observer of accesses: a further access to one needs no permission and no call, and
 * only sets its times of use. Translated code compares addresses with them in assembler (translate/enter.S). */
#ifndef CORE_MODEL_RISCV_LINES_H
#define CORE_MODEL_RISCV_LINES_H

#include <stdbool.h>
#include <stdint.h>

#define LINES_NO_ADDRESS UINT64_MAX

struct lines_place {
    uint64_t address[2]; /* of the line, if it is remembered for reads, for writes; else LINES_NO_ADDRESS */
    uint64_t *used[2];   /* the times of use of the line and of its page's translation. Borrowed. */
};

/* Places for a line of code and for one of data share a cache line of the host, which is indexed without a shift. */
struct lines_pair {
    struct lines_place data, code;
};

/* More places than L1 caches have lines, so that few lines share one. */
enum { LINES_PAIRS = 2048, LINES_SIZES = 4 };

struct lines {
    uint64_t clock;               /* the time of the last use */
    uint64_t place_mask;          /* bits of an address that are the offset of its pair */
    uint64_t within[LINES_SIZES]; /* bits of the address of an access of 1, 2, 4 or 8 bytes: of its line, and what is 0
                                   * if it is aligned */
    uint32_t line_bits;
};

static inline struct lines_pair *lines_pair_of(const struct lines *l, struct lines_pair *pairs, uint64_t addr)
{
    return (struct lines_pair *)((char *)pairs + (addr & l->place_mask));
}

/* An access to a line that is remembered in that place. Otherwise returns false and changes nothing. `log2_bytes`: of
 * the size. */
static inline bool lines_again(struct lines *l, const struct lines_place *p, uint64_t addr, unsigned log2_bytes,
                               bool is_write)
{
    if (p->address[is_write] != (addr & l->within[log2_bytes]))
        return false;
    *p->used[0] = *p->used[1] = ++l->clock;
    return true;
}

#endif
