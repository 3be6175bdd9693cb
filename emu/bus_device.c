/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The co-processor's end of the host access bus: bus.def's map onto its state (co-processor paper, section 3.5). */
#include <string.h>

#include "emu/cop_state.h"

static bool locate(const struct cop *c, uint32_t address, bool write, const struct bus_region **region, unsigned *word)
{
    return bus_locate(address, write, c->config.cam_entries, c->config.data_rows, region, word) == BUS_TAKEN;
}

static uint64_t pack(const uint8_t *bytes, unsigned n, uint8_t fill)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < 8; i++)
        v |= (uint64_t)(i < n ? bytes[i] : fill) << (8 * i);
    return v;
}

static uint64_t pack16(const uint16_t *v)
{
    return (uint64_t)v[0] | (uint64_t)v[1] << 16 | (uint64_t)v[2] << 32 | (uint64_t)v[3] << 48;
}

/* How many bytes of a table of n a word holds. */
static unsigned part(unsigned n, unsigned word) { return n - 8 * word < 8 ? n - 8 * word : 8; }

static uint64_t pack_indexes(const struct cop *c, unsigned word)
{
    uint16_t v[4];
    for (unsigned i = 0; i < 4; i++)
        v[i] = (uint16_t)c->operand[SLOT_INDEX + 4 * word + i];
    return pack16(v);
}

static uint64_t read_head(const struct cop *c, unsigned word)
{
    const struct record *r = buffer_head(&c->buffer);
    if (r == NULL)
        return UINT64_MAX;
    return word < ISA_FIELDS ? r->field[word] : r->opclass;
}

static uint64_t read_valid(const struct cop *c, unsigned word)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < 64 && 64 * word + i < c->config.cam_entries; i++)
        v |= (uint64_t)c->cam.valid[64 * word + i] << i;
    return v;
}

static uint64_t read_predictor(const struct cop *c, unsigned word)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < 32; i++)
        v |= (uint64_t)c->word[32 * word + i].predictor << (2 * i);
    return v;
}

static uint64_t read_widths(const struct cop *c)
{
    uint8_t bytes[ISA_INDEXES];
    for (unsigned i = 0; i < ISA_INDEXES; i++)
        bytes[i] = (uint8_t)(c->index_width[i] | (c->index_saturates[i] ? 0x80 : 0));
    return pack(bytes, ISA_INDEXES, 0);
}

static uint64_t read_filter1(const struct cop *c)
{
    const struct filters *f = &c->filters;
    return f->mask1 | (uint64_t)f->match1 << 16 | (uint64_t)f->hash1 << 32;
}

enum status bus_device_read(const struct cop *c, uint32_t address, uint64_t *value)
{
    const struct bus_region *region;
    unsigned w;
    if (!locate(c, address, false, &region, &w))
        return ST_RANGE;
    switch ((enum bus_address)region->address) {
    case BUS_COMMAND:
        return ST_RANGE;
    case BUS_STATUS:
        *value = (uint64_t)c->state | (uint64_t)c->pc << 8;
        break;
    case BUS_GEOMETRY:
        *value = c->config.cam_entries | (uint64_t)c->config.data_rows << 16 | (uint64_t)c->config.buffer_bytes << 32;
        break;
    case BUS_LFSR:
        *value = cop_lfsr(c, c->words);
        break;
    case BUS_WORDS:
        *value = c->words - c->first_word;
        break;
    case BUS_CYCLES:
        *value = c->time - c->first_cycle;
        break;
    case BUS_BUBBLES:
        *value = c->bubbles;
        break;
    case BUS_WAITING:
        *value = c->waiting;
        break;
    case BUS_OFFERED:
        *value = c->offered + c->filters.opcode.rejected;
        break;
    case BUS_FILTERED:
        *value = c->filtered + c->filters.opcode.rejected;
        break;
    case BUS_DELIVERED:
        *value = c->delivered;
        break;
    case BUS_DROPPED:
        *value = c->dropped[COP_DROP_FULL] + c->dropped[COP_DROP_EARLY] + c->dropped[COP_DROP_HALTED];
        break;
    case BUS_DROPPED_FULL:
        *value = c->dropped[COP_DROP_FULL];
        break;
    case BUS_DROPPED_EARLY:
        *value = c->dropped[COP_DROP_EARLY];
        break;
    case BUS_DROPPED_HALTED:
        *value = c->dropped[COP_DROP_HALTED];
        break;
    case BUS_PROCESSED:
        *value = c->processed;
        break;
    case BUS_VALUES:
        *value = c->operand[BSRC_VALUE + w];
        break;
    case BUS_CONSTS:
        *value = c->operand[BSRC_CONST + w];
        break;
    case BUS_INDEXES:
        *value = pack_indexes(c, w);
        break;
    case BUS_BASES:
        *value = pack16(&c->base[4 * w]);
        break;
    case BUS_WIDTHS:
        *value = read_widths(c);
        break;
    case BUS_TARGETS:
        *value = pack(c->target, ISA_TARGETS, 0);
        break;
    case BUS_DISPATCH:
        *value = pack(&c->dispatch[8 * w], part(OPCLASS_COUNT, w), NO_DISPATCH);
        break;
    case BUS_FORMAT:
        *value = pack(&c->format[8 * w], 8, NO_FIELD);
        break;
    case BUS_CLASSES:
        *value = c->filters.opcode.classes;
        break;
    case BUS_FILTER1:
        *value = read_filter1(c);
        break;
    case BUS_FILTER2:
        *value = c->filters.hash2;
        break;
    case BUS_MASKED:
        *value = c->filters.masked[w];
        break;
    case BUS_MICROCODE:
        *value = c->microcode[w];
        break;
    case BUS_PREDICTOR:
        *value = read_predictor(c, w);
        break;
    case BUS_VALID:
        *value = read_valid(c, w);
        break;
    case BUS_CAM:
        *value = c->cam.tag[2 * w] | (uint64_t)c->cam.tag[2 * w + 1] << 32;
        break;
    case BUS_DATA:
        *value = c->data[w];
        break;
    case BUS_HEAD:
        *value = read_head(c, w);
        break;
    }
    return ST_OK;
}

static void clear_statistics(struct cop *c)
{
    c->bubbles = c->waiting = c->offered = c->filtered = c->delivered = c->processed = 0;
    memset(c->dropped, 0, sizeof c->dropped);
    c->filters.opcode.rejected = 0;
    c->first_cycle = c->time;
    c->first_word = c->words;
    use_clear(&c->use);
    c->use.occupancy -= c->buffer.count * cop_cycle(c);
    for (unsigned i = 0; i < ISA_WORDS; i++)
        c->word[i].executed = 0;
}

/* The one it works on is the head sample: it is gone too. */
static void drop_samples(struct cop *c)
{
    c->use = cop_get_use(c);
    buffer_clear(&c->buffer);
    if (c->state == BUS_RUNNING) {
        c->state = BUS_WAITING_SAMPLE;
        c->sample_start = c->words;
    }
}

/* In the order of the bits, so that one store can clear and restart. */
static void command(struct cop *c, uint64_t bits)
{
    if (bits & BUS_INVALIDATE_ALL)
        for (unsigned i = 0; i < c->config.cam_entries; i++)
            cam_set_valid(&c->cam, i, false);
    if (bits & BUS_CLEAR_ALL)
        memset(c->data, 0, sizeof c->data);
    if (bits & BUS_DROP_SAMPLES)
        drop_samples(c);
    if (bits & BUS_RESTART) {
        c->state = BUS_WAITING_SAMPLE;
        c->sample_start = c->words;
    }
    if (bits & BUS_HALT)
        c->state = BUS_HALTED;
    if (bits & BUS_CLEAR_STATISTICS)
        clear_statistics(c);
}

static void unpack(uint8_t *bytes, unsigned n, uint64_t v)
{
    for (unsigned i = 0; i < n; i++)
        bytes[i] = (uint8_t)(v >> (8 * i));
}

static void unpack16(uint16_t *to, uint64_t v)
{
    for (unsigned i = 0; i < 4; i++)
        to[i] = (uint16_t)(v >> (16 * i));
}

static void write_word(struct cop *c, unsigned i, uint64_t value)
{
    c->microcode[i] = value & ((UINT64_C(1) << ISA_WORD_BITS) - 1);
    ready_word(c, i);
}

static void write_indexes(struct cop *c, unsigned w, uint64_t value)
{
    uint16_t v[4];
    unpack16(v, value);
    for (unsigned i = 0; i < 4; i++)
        c->operand[SLOT_INDEX + 4 * w + i] = v[i] & index_limit(c, 4 * w + i);
}

static enum status write_widths(struct cop *c, uint64_t value)
{
    uint8_t bytes[ISA_INDEXES];
    unpack(bytes, ISA_INDEXES, value);
    for (unsigned i = 0; i < ISA_INDEXES; i++)
        if ((bytes[i] & 0x1f) < 1 || (bytes[i] & 0x1f) > 16)
            return ST_RANGE;
    for (unsigned i = 0; i < ISA_INDEXES; i++) {
        c->index_width[i] = bytes[i] & 0x1f;
        c->index_saturates[i] = bytes[i] >> 7;
        c->operand[SLOT_INDEX + i] &= index_limit(c, i);
    }
    ready_all(c);
    return ST_OK;
}

static enum status write_format(struct cop *c, unsigned w, uint64_t value)
{
    uint8_t bytes[8];
    unpack(bytes, 8, value);
    for (unsigned i = 0; i < 8; i++)
        if (bytes[i] >= FIELD_COUNT && bytes[i] != NO_FIELD)
            return ST_RANGE;
    memcpy(&c->format[8 * w], bytes, 8);
    drop_samples(c);
    buffer_set_format(&c->buffer, c->format);
    return ST_OK;
}

static void write_filter1(struct cop *c, uint64_t value)
{
    c->filters.mask1 = (uint16_t)value;
    c->filters.match1 = (uint16_t)(value >> 16);
    c->filters.hash1 = value >> 32 & 3;
}

static void write_masked(struct filters *f, unsigned word, uint64_t value)
{
    f->masked[word] = value;
    f->any_masked = false;
    for (unsigned i = 0; i < sizeof f->masked / sizeof f->masked[0]; i++)
        f->any_masked |= f->masked[i] != 0;
}

static void write_valid(struct cop *c, unsigned word, uint64_t value)
{
    for (unsigned i = 0; i < 64 && 64 * word + i < c->config.cam_entries; i++)
        cam_set_valid(&c->cam, 64 * word + i, value >> i & 1);
}

static void write_predictor(struct cop *c, unsigned word, uint64_t value)
{
    for (unsigned i = 0; i < 32; i++)
        c->word[32 * word + i].predictor = value >> (2 * i) & 3;
}

static void write_targets(struct cop *c, uint64_t value)
{
    unpack(c->target, ISA_TARGETS, value);
    for (unsigned i = 0; i < ISA_TARGETS; i++)
        c->target[i] &= ISA_WORDS - 1;
    ready_all(c);
}

enum status bus_device_write(struct cop *c, uint32_t address, uint64_t value)
{
    const struct bus_region *region;
    unsigned w;
    if (!locate(c, address, true, &region, &w))
        return ST_RANGE;
    lookahead_invalidate(c);
    switch ((enum bus_address)region->address) {
    case BUS_COMMAND:
        command(c, value);
        break;
    case BUS_LFSR:
        c->lfsr = (uint16_t)value != 0 ? (uint16_t)value : 1;
        c->lfsr_words = c->words;
        break;
    case BUS_VALUES:
        c->operand[BSRC_VALUE + w] = value;
        break;
    case BUS_CONSTS:
        c->operand[BSRC_CONST + w] = value;
        break;
    case BUS_INDEXES:
        write_indexes(c, w, value);
        break;
    case BUS_BASES:
        unpack16(&c->base[4 * w], value);
        ready_all(c);
        break;
    case BUS_WIDTHS:
        return write_widths(c, value);
    case BUS_TARGETS:
        write_targets(c, value);
        break;
    case BUS_DISPATCH:
        unpack(&c->dispatch[8 * w], part(OPCLASS_COUNT, w), value);
        c->lookahead.known = false;
        break;
    case BUS_FORMAT:
        return write_format(c, w, value);
    case BUS_CLASSES:
        c->filters.opcode.classes = (uint32_t)(value & ((1u << OPCLASS_COUNT) - 1));
        break;
    case BUS_FILTER1:
        write_filter1(c, value);
        break;
    case BUS_FILTER2:
        c->filters.hash2 = value & 3;
        break;
    case BUS_MASKED:
        write_masked(&c->filters, w, value);
        break;
    case BUS_MICROCODE:
        write_word(c, w, value);
        break;
    case BUS_PREDICTOR:
        write_predictor(c, w, value);
        break;
    case BUS_VALID:
        write_valid(c, w, value);
        break;
    case BUS_CAM:
        cam_set_tag(&c->cam, 2 * w, (uint32_t)value);
        cam_set_tag(&c->cam, 2 * w + 1, (uint32_t)(value >> 32));
        break;
    case BUS_DATA:
        c->data[w] = value;
        break;
    default:
        return ST_RANGE; /* read-only: locate has refused it already */
    }
    return ST_OK;
}
