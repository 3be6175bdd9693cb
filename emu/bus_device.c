/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Co-processor side of the host access bus: maps the regions of bus.def to its state (co-processor paper, section 3.5).
 *
 * READ(SYMBOL) and WRITE(SYMBOL) define the functions that read and write one word of a region, as its access mode in
 * bus.def requires. Word indices start at 0 in each region and are within the configured geometry. A write returns
 * ST_RANGE for a value that the register cannot have. */
#include "emu/bus_device.h"

#include <string.h>

#include "emu/admission.h"
#include "emu/cop_state.h"

#define READ(sym) static uint64_t read_##sym(const struct cop *c, __attribute__((unused)) unsigned word)
#define WRITE(sym) static enum status write_##sym(struct cop *c, __attribute__((unused)) unsigned word, uint64_t value)

/* ---- packing ---- */

static uint64_t bus_device_pack(const uint8_t *bytes, unsigned n, uint8_t fill)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < 8; i++)
        v |= (uint64_t)(i < n ? bytes[i] : fill) << (8 * i);
    return v;
}

static void bus_device_unpack(uint8_t *bytes, unsigned n, uint64_t v)
{
    for (unsigned i = 0; i < n; i++)
        bytes[i] = (uint8_t)(v >> (8 * i));
}

static uint64_t pack16(const uint16_t *v)
{
    return (uint64_t)v[0] | (uint64_t)v[1] << 16 | (uint64_t)v[2] << 32 | (uint64_t)v[3] << 48;
}

static void unpack16(uint16_t *to, uint64_t v)
{
    for (unsigned i = 0; i < 4; i++)
        to[i] = (uint16_t)(v >> (16 * i));
}

/* Number of bytes that word `word` holds of a table of `n` bytes. */
static unsigned part(unsigned n, unsigned word) { return n - 8 * word < 8 ? n - 8 * word : 8; }

/* ---- commands and status ---- */

static void clear_statistics(struct cop *c)
{
    c->counts = (struct cop_counts){.first_cycle = c->time, .first_word = c->words};
    c->filters.opcode.rejected = c->filters.opcode.accepted = c->filters.opcode.refused = 0;
    use_clear(&c->use);
    c->use.occupancy -= c->buffer.count * cop_cycle(c);
    for (unsigned i = 0; i < ISA_WORDS; i++)
        c->word[i].executed = 0;
}

/* Empties the buffer. The sample in process is at its head, so it is dropped too. */
static void drop_samples(struct cop *c)
{
    unsigned discarded = c->buffer.count + c->admission.queued;
    c->use = cop_get_use(c);
    buffer_clear(&c->buffer);
    admission_clear(&c->admission);
    c->admission.lost += discarded;
    if (c->state == BUS_RUNNING) {
        c->state = BUS_WAITING_SAMPLE;
        c->sample_start = c->words;
    }
}

/* The commands take effect in the order of their bits, so that one store can clear and restart. */
WRITE(COMMAND)
{
    if (value & BUS_INVALIDATE_ALL)
        for (unsigned i = 0; i < c->config.cam_entries; i++)
            cam_set_valid(&c->cam, i, false);
    if (value & BUS_CLEAR_ALL)
        memset(c->data, 0, sizeof c->data);
    if (value & BUS_DROP_SAMPLES)
        drop_samples(c);
    if (value & BUS_RESTART) {
        c->state = BUS_WAITING_SAMPLE;
        c->sample_start = c->words;
    }
    if (value & BUS_HALT)
        c->state = BUS_HALTED;
    if (value & BUS_CLEAR_STATISTICS)
        clear_statistics(c);
    return ST_OK;
}

READ(STATUS) { return (uint64_t)c->state | (uint64_t)c->pc << 8; }

READ(GEOMETRY)
{
    const struct bus_geometry g = cop_geometry(c);
    return bus_pack_geometry(&g);
}

/* ---- statistics ---- */

READ(WORDS) { return c->words - c->counts.first_word; }
READ(CYCLES) { return c->time - c->counts.first_cycle; }
READ(BUBBLES) { return c->counts.bubbles; }
READ(WAITING) { return c->counts.waiting; }
/* Instructions of which the core knew that the filters accept or refuse them. */
static uint64_t known_eligible(const struct cop *c) { return c->filters.opcode.accepted + c->filters.opcode.refused; }

READ(OFFERED) { return c->counts.offered + known_eligible(c) + c->filters.opcode.rejected; }
READ(ELIGIBLE) { return c->counts.eligible + known_eligible(c); }
READ(FILTERED) { return c->counts.filtered + c->filters.opcode.refused + c->filters.opcode.rejected; }
READ(DELIVERED) { return c->counts.delivered; }
READ(PROCESSED) { return c->counts.processed; }

READ(DROPPED)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < COP_DROP_KINDS; i++)
        sum += c->counts.dropped[i];
    return sum;
}

#define DROP(sym, label, note, text) \
    READ(DROPPED_##sym) { return c->counts.dropped[COP_DROP_##sym]; }
#include "isa/drop.def"

/* ---- registers ---- */

READ(LFSR) { return cop_lfsr(c, c->words); }

WRITE(LFSR)
{
    c->lfsr = (uint16_t)value != 0 ? (uint16_t)value : 1;
    c->lfsr_words = c->words;
    return ST_OK;
}

READ(VALUES) { return c->operand[BSRC_VALUE + word]; }

WRITE(VALUES)
{
    c->operand[BSRC_VALUE + word] = value;
    return ST_OK;
}

READ(CONSTS) { return c->operand[BSRC_CONST + word]; }

WRITE(CONSTS)
{
    c->operand[BSRC_CONST + word] = value;
    return ST_OK;
}

READ(INDEXES)
{
    uint16_t v[4];
    for (unsigned i = 0; i < 4; i++)
        v[i] = (uint16_t)c->operand[SLOT_INDEX + 4 * word + i];
    return pack16(v);
}

WRITE(INDEXES)
{
    uint16_t v[4];
    unpack16(v, value);
    for (unsigned i = 0; i < 4; i++)
        c->operand[SLOT_INDEX + 4 * word + i] = v[i] & index_limit(c, 4 * word + i);
    return ST_OK;
}

READ(BASES) { return pack16(&c->base[4 * word]); }

WRITE(BASES)
{
    unpack16(&c->base[4 * word], value);
    predecode_all(c);
    return ST_OK;
}

READ(WIDE) { return c->wide; }

/* The legality of a word depends on this register, so all words are decoded again. */
WRITE(WIDE)
{
    value &= (1u << ISA_BASES) - 1;
    if (c->wide == value)
        return ST_OK;
    c->wide = (uint8_t)value;
    for (unsigned i = 0; i < ISA_WORDS; i++)
        predecode_word(c, i);
    return ST_OK;
}

READ(WIDTHS)
{
    uint8_t bytes[ISA_INDEXES];
    for (unsigned i = 0; i < ISA_INDEXES; i++)
        bytes[i] = (uint8_t)(c->index_width[i] | (c->index_saturates[i] ? 0x80 : 0) | (i == c->gate ? 0x40 : 0));
    return bus_device_pack(bytes, ISA_INDEXES, 0);
}

/* The first register whose byte has the bit becomes the gate. */
static void set_gate(struct cop *c, const uint8_t bytes[ISA_INDEXES])
{
    unsigned gate = 0;
    while (gate < ISA_INDEXES && (bytes[gate] & 0x40) == 0)
        gate++;
    if (c->gate == gate)
        return;
    c->gate = (uint8_t)gate;
    c->admission.gated = gate < ISA_INDEXES && !c->config.ideal;
    drop_samples(c);
    admission_fit(&c->admission, c->buffer.slots);
}

WRITE(WIDTHS)
{
    uint8_t bytes[ISA_INDEXES];
    bus_device_unpack(bytes, ISA_INDEXES, value);
    for (unsigned i = 0; i < ISA_INDEXES; i++)
        if ((bytes[i] & 0x1f) < 1 || (bytes[i] & 0x1f) > 16)
            return ST_RANGE;
    for (unsigned i = 0; i < ISA_INDEXES; i++) {
        c->index_width[i] = bytes[i] & 0x1f;
        c->index_saturates[i] = bytes[i] >> 7;
        c->operand[SLOT_INDEX + i] &= index_limit(c, i);
    }
    set_gate(c, bytes);
    predecode_all(c);
    return ST_OK;
}

READ(TARGETS) { return bus_device_pack(c->target, ISA_TARGETS, 0); }

WRITE(TARGETS)
{
    bus_device_unpack(c->target, ISA_TARGETS, value);
    for (unsigned i = 0; i < ISA_TARGETS; i++)
        c->target[i] &= ISA_WORDS - 1;
    predecode_all(c);
    return ST_OK;
}

/* ---- decoder and field extractor, filters ---- */

READ(DISPATCH) { return bus_device_pack(&c->dispatch[8 * word], part(OPCLASS_COUNT, word), NO_DISPATCH); }

WRITE(DISPATCH)
{
    bus_device_unpack(&c->dispatch[8 * word], part(OPCLASS_COUNT, word), value);
    c->lookahead.known = false;
    return ST_OK;
}

READ(FORMAT) { return bus_device_pack(&c->format[8 * word], 8, NO_FIELD); }

WRITE(FORMAT)
{
    uint8_t bytes[8];
    bus_device_unpack(bytes, 8, value);
    for (unsigned i = 0; i < 8; i++)
        if (bytes[i] >= FIELD_COUNT && bytes[i] != NO_FIELD)
            return ST_RANGE;
    memcpy(&c->format[8 * word], bytes, 8);
    drop_samples(c);
    buffer_set_format(&c->buffer, c->format);
    admission_fit(&c->admission, c->buffer.slots);
    return ST_OK;
}

READ(CLASSES) { return c->filters.opcode.classes; }

WRITE(CLASSES)
{
    c->filters.opcode.classes = (uint32_t)(value & ((1u << OPCLASS_COUNT) - 1));
    c->admission.kept = 0;
    return ST_OK;
}

READ(KEPT) { return c->admission.kept; }

WRITE(KEPT)
{
    c->admission.kept = (uint32_t)(value & ((1u << OPCLASS_COUNT) - 1));
    return ST_OK;
}

READ(FILTER1)
{
    return c->filters.pc.mask1 | (uint64_t)c->filters.pc.match1 << 16 | (uint64_t)c->filters.pc.hash1 << 32;
}

WRITE(FILTER1)
{
    c->filters.pc.mask1 = (uint16_t)value;
    c->filters.pc.match1 = (uint16_t)(value >> 16);
    c->filters.pc.hash1 = value >> 32 & 3;
    return ST_OK;
}

READ(FILTER2) { return c->filters.pc.hash2; }

WRITE(FILTER2)
{
    c->filters.pc.hash2 = value & 3;
    return ST_OK;
}

READ(MASKED) { return c->filters.pc.masked[word]; }

WRITE(MASKED)
{
    pc_filters_set_masked(&c->filters.pc, word, value);
    return ST_OK;
}

/* The head sample's fields by position, then its opcode class; all ones if the buffer is empty. */
READ(HEAD)
{
    const struct record *r = buffer_head(&c->buffer);
    if (r == NULL)
        return UINT64_MAX;
    return word < ISA_FIELDS ? r->field[word] : r->opclass;
}

/* ---- arrays ---- */

READ(MICROCODE) { return c->microcode[word]; }

WRITE(MICROCODE)
{
    value &= (UINT64_C(1) << ISA_WORD_BITS) - 1;
    if (c->microcode[word] == value) /* it is decoded */
        return ST_OK;
    c->microcode[word] = value;
    predecode_word(c, word);
    return ST_OK;
}

READ(PREDICTOR)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < 32; i++)
        v |= (uint64_t)c->word[32 * word + i].predictor << (2 * i);
    return v;
}

WRITE(PREDICTOR)
{
    for (unsigned i = 0; i < 32; i++)
        c->word[32 * word + i].predictor = value >> (2 * i) & 3;
    return ST_OK;
}

READ(VALID)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < 64 && 64 * word + i < c->config.cam_entries; i++)
        v |= (uint64_t)c->cam.valid[64 * word + i] << i;
    return v;
}

WRITE(VALID)
{
    for (unsigned i = 0; i < 64 && 64 * word + i < c->config.cam_entries; i++)
        cam_set_valid(&c->cam, 64 * word + i, value >> i & 1);
    return ST_OK;
}

READ(CAM) { return (uint32_t)c->cam.tag[2 * word] | c->cam.tag[2 * word + 1] << 32; }

WRITE(CAM)
{
    for (unsigned i = 2 * word; i < 2 * word + 2; i++, value >>= 32)
        cam_set_tag(&c->cam, i, (c->cam.tag[i] >> 32) << 32 | (uint32_t)value);
    return ST_OK;
}

READ(CAM_HIGH) { return c->cam.tag[2 * word] >> 32 | (c->cam.tag[2 * word + 1] >> 32) << 32; }

WRITE(CAM_HIGH)
{
    for (unsigned i = 2 * word; i < 2 * word + 2; i++, value >>= 32)
        cam_set_tag(&c->cam, i, value << 32 | (uint32_t)c->cam.tag[i]);
    return ST_OK;
}

READ(DATA) { return c->data[word]; }

WRITE(DATA)
{
    c->data[word] = value;
    return ST_OK;
}

/* ---- the map ---- */

/* The functions of each region, in the order of bus_regions. */
static const struct {
    uint64_t (*read)(const struct cop *c, unsigned word);
    enum status (*write)(struct cop *c, unsigned word, uint64_t value);
} functions[] = {
#define FUNCTIONS_R(sym) {.read = read_##sym},
#define FUNCTIONS_W(sym) {.write = write_##sym},
#define FUNCTIONS_RW(sym) {.read = read_##sym, .write = write_##sym},
#define BUS(sym, name, address, elements, scale, bits, access, ...) FUNCTIONS_##access(sym)
#include "isa/bus.def"
};

/* Address space of regions that scale with the geometry is sized for the maxima of cop_config.def. */
#define LARGEST_FIXED(elements) (elements)
#define LARGEST_CAM_ENTRIES(elements) COP_MAX_cam_entries
#define LARGEST_DATA_ROWS(elements) COP_MAX_data_rows
#define LARGEST_FILTER2_BITS(elements) COP_MAX_filter2_bits
#define BUS(sym, name, address, elements, scale, ...) \
    _Static_assert((elements) == LARGEST_##scale(elements), name ": the elements at the largest geometry");
#include "isa/bus.def"

static bool bus_device_locate(const struct cop *c, uint32_t address, bool write, size_t *region, unsigned *word)
{
    const struct bus_region *r;
    const struct bus_geometry g = cop_geometry(c);
    if (bus_locate(address, write, &g, &r, word) != BUS_TAKEN)
        return false;
    *region = (size_t)(r - bus_regions);
    return true;
}

enum status bus_device_read(const struct cop *c, uint32_t address, uint64_t *value)
{
    size_t region;
    unsigned word;
    if (!bus_device_locate(c, address, false, &region, &word))
        return ST_RANGE;
    *value = functions[region].read(c, word);
    return ST_OK;
}

enum status bus_device_write(struct cop *c, uint32_t address, uint64_t value)
{
    size_t region;
    unsigned word;
    if (!bus_device_locate(c, address, true, &region, &word))
        return ST_RANGE;
    lookahead_invalidate(c);
    enum status st = functions[region].write(c, word, value);
    if (c->state != BUS_RUNNING)
        admission_follow_gate(c);
    return st;
}
