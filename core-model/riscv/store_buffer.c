/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/riscv/store_buffer.h"

static uint16_t *granule(struct store_buffer *b, uint64_t addr) { return &b->filter[(addr >> 3) % STORES_FILTER]; }

/* Adds the store's granules to the filter or removes them. */
static void store_buffer_count(struct store_buffer *b, uint64_t addr, unsigned size_bytes, int by)
{
    uint16_t *first = granule(b, addr), *last = granule(b, addr + size_bytes - 1);
    *first = (uint16_t)(*first + by);
    if (last != first)
        *last = (uint16_t)(*last + by);
}

/* Copies the bytes of the store that the load reads. */
static void overlay(uint8_t *to, uint64_t addr, unsigned size_bytes, uint64_t stored_at, unsigned stored,
                    uint64_t value)
{
    for (unsigned n = 0; n < size_bytes; n++)
        if (addr + n - stored_at < stored)
            to[n] = (uint8_t)(value >> 8 * (addr + n - stored_at));
}

bool stores_load(const struct store_buffer *b, const struct memory *m, uint64_t addr, unsigned size_bytes,
                 uint64_t *raw)
{
    uint8_t bytes[sizeof *raw] = {0};
    if (!memory_read(m, addr, bytes, size_bytes))
        return false;
    if (b->filter[(addr >> 3) % STORES_FILTER] | b->filter[((addr + size_bytes - 1) >> 3) % STORES_FILTER])
        for (uint32_t n = b->first; n != b->end; n++)
            overlay(bytes, addr, size_bytes, b->at[n % STORES_MAX].addr, b->at[n % STORES_MAX].bytes,
                    b->at[n % STORES_MAX].value);
    memcpy(raw, bytes, sizeof *raw);
    return true;
}

void stores_add(struct store_buffer *b, uint64_t addr, unsigned size_bytes, uint64_t value)
{
    if (b->end - b->first == STORES_MAX)
        BUG("more than %d stores in flight", STORES_MAX);
    uint32_t n = b->end++ % STORES_MAX;
    b->at[n].addr = addr;
    b->at[n].value = value;
    b->at[n].bytes = (uint8_t)size_bytes;
    store_buffer_count(b, addr, size_bytes, 1);
}

void stores_undo(struct store_buffer *b)
{
    if (stores_is_empty(b))
        BUG("no store to take back");
    uint32_t n = --b->end % STORES_MAX;
    store_buffer_count(b, b->at[n].addr, b->at[n].bytes, -1);
}

uint64_t stores_perform(struct store_buffer *b, struct memory *m, unsigned *size_bytes)
{
    if (stores_is_empty(b))
        BUG("no store to perform");
    uint32_t n = b->first++ % STORES_MAX;
    uint64_t addr = b->at[n].addr;
    *size_bytes = b->at[n].bytes;
    store_buffer_count(b, addr, *size_bytes, -1);
    (void)memory_write(m, addr, &b->at[n].value, *size_bytes);
    return addr;
}
