/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A co-processor for driver tests: the memory behind the bus, the commands, and a log of what was written since the
 * last mark. Samples are not processed; tests put slots and status there by hand. */
#ifndef TESTS_UNIT_FAKE_HOST_H
#define TESTS_UNIT_FAKE_HOST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/bus.h"
#include "isa/image.h"
#include "isa/pchash.h"

enum { FAKE_BYTES = 0xc000, FAKE_LOG = 4096 };

struct fake {
    struct bus bus;
    uint64_t memory[FAKE_BYTES / 8];
    struct {
        uint32_t address;
        uint64_t value;
    } log[FAKE_LOG];
    unsigned writes, reads; /* since fake_mark */
    unsigned entries, rows;
};

static inline uint64_t *fake_at(struct fake *f, uint32_t address) { return &f->memory[address / 8]; }

static inline void fake_command(struct fake *f, uint64_t command)
{
    if (command & BUS_INVALIDATE_ALL)
        memset(fake_at(f, BUS_VALID), 0, f->entries / 8);
    if (command & BUS_CLEAR_ALL)
        memset(fake_at(f, BUS_DATA), 0, 8 * f->rows);
    if (command & BUS_RESTART)
        *fake_at(f, BUS_STATUS) = BUS_RUNNING;
    if (command & BUS_HALT)
        *fake_at(f, BUS_STATUS) = BUS_HALTED;
}

static inline enum status fake_check(const struct fake *f, uint32_t address, bool write)
{
    const struct bus_region *r;
    unsigned word;
    const struct bus_geometry g = bus_unpack_geometry(*fake_at((struct fake *)(uintptr_t)f, BUS_GEOMETRY));
    return bus_locate(address, write, &g, &r, &word) == BUS_TAKEN ? ST_OK : ST_RANGE;
}

static inline enum status fake_read(void *ctx, uint32_t address, uint64_t *value)
{
    struct fake *f = ctx;
    f->reads++;
    *value = *fake_at(f, address);
    return fake_check(f, address, false);
}

static inline enum status fake_write(void *ctx, uint32_t address, uint64_t value)
{
    struct fake *f = ctx;
    if (f->writes < FAKE_LOG) {
        f->log[f->writes].address = address;
        f->log[f->writes].value = value;
    }
    f->writes++;
    if (address == BUS_COMMAND)
        fake_command(f, value);
    else
        *fake_at(f, address) = value;
    return fake_check(f, address, true);
}

static inline struct fake *fake_new(unsigned entries, unsigned rows)
{
    struct fake *f = calloc(1, sizeof *f);
    f->bus = (struct bus){.ctx = f, .read = fake_read, .write = fake_write};
    f->entries = entries;
    f->rows = rows;
    const struct bus_geometry g = {entries, rows, 1024, FILTER2_BITS};
    *fake_at(f, BUS_GEOMETRY) = bus_pack_geometry(&g);
    return f;
}

/* Starts counting and logging anew. */
static inline void fake_mark(struct fake *f) { f->reads = f->writes = 0; }

/* Writes to [address, address + size) since the mark; the last value goes to *last, if it is given. */
static inline unsigned fake_written(const struct fake *f, uint32_t address, uint32_t size, uint64_t *last)
{
    unsigned n = 0;
    for (unsigned i = 0; i < f->writes && i < FAKE_LOG; i++)
        if (f->log[i].address >= address && f->log[i].address < address + size) {
            n++;
            if (last != NULL)
                *last = f->log[i].value;
        }
    return n;
}

static inline void fake_put_slot(struct fake *f, unsigned i, uint32_t key, uint64_t row, bool valid)
{
    uint64_t *pair = fake_at(f, BUS_CAM + 8 * (i / 2)), *bits = fake_at(f, BUS_VALID + 8 * (i / 64));
    *pair = i % 2 ? (*pair & 0xffffffff) | (uint64_t)key << 32 : (*pair & ~0xffffffffull) | key;
    *fake_at(f, BUS_DATA + 8 * i) = row;
    *bits = (*bits & ~(1ull << (i % 64))) | (uint64_t)valid << (i % 64);
}

/* The co-processor has stopped at the word, having processed that many samples in all. */
static inline void fake_stop(struct fake *f, unsigned word, uint64_t processed)
{
    *fake_at(f, BUS_STATUS) = BUS_INTERRUPT | word << 8;
    *fake_at(f, BUS_PROCESSED) = processed;
}

/* A layout without members, key and exact reference. */
static inline void fake_init_layout(struct image_layout *l, const char *name, unsigned count)
{
    *l = (struct image_layout){
        .count = (uint16_t)count, .key = FORMAT_NONE, .exact = EXACT_NONE, .key_exact = EXACT_NONE, .parts = 1};
    snprintf(l->name, IMAGE_NAME, "%s", name);
}

static inline void fake_add_member(struct image_layout *l, const char *name, unsigned lane, unsigned format)
{
    snprintf(l->member[l->members].name, IMAGE_NAME, "%s", name);
    l->member[l->members].lane = (uint8_t)lane;
    l->member[l->members].format = (uint8_t)format;
    l->member[l->members].exact = EXACT_NONE;
    l->members++;
}

#endif
