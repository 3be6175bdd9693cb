/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Host side of the bus: the address map, checked accesses, and program loading. */
#include "isa/bus.h"

#include "isa/image.h"

const struct bus_region bus_regions[] = {
#define BUS(sym, name_, address_, elements_, scale_, bits_, access_, kind_, names_, contents_) \
    {.name = name_,                                                                            \
     .address = address_,                                                                      \
     .words = ((elements_) * (bits_) + 63) / 64,                                               \
     .elements = elements_,                                                                    \
     .bits = bits_,                                                                            \
     .scale = BUS_SCALE_##scale_,                                                              \
     .kind = BUS_KIND_##kind_,                                                                 \
     .names = BUS_NAMES_##names_,                                                              \
     .access = #access_,                                                                       \
     .contents = contents_},
#include "isa/bus.def"
};
const size_t bus_region_count = sizeof bus_regions / sizeof bus_regions[0];

enum isa_bus_region {
#define BUS(sym, ...) REGION_##sym,
#include "isa/bus.def"
};

/* For each word of the map, 1 + the index in bus_regions, or 0 without a region. Overlapping regions are a compile
 * error. */
__extension__ static const uint8_t region_of_word[] = {
#define BUS(sym, name, address, elements, scale, bits, access, kind, names, contents) \
    [(address) / 8 ...(address) / 8 + ((elements) * (bits) + 63) / 64 - 1] = 1 + REGION_##sym,
#include "isa/bus.def"
};

const struct bus_region *bus_find(uint32_t address)
{
    unsigned n = address / 8 < sizeof region_of_word ? region_of_word[address / 8] : 0;
    return n != 0 ? &bus_regions[n - 1] : NULL;
}

const struct bus_region *bus_next(const struct bus_region *r)
{
    for (uint32_t word = r != NULL ? r->address / 8 + r->words : 0; word < sizeof region_of_word; word++)
        if (region_of_word[word] != 0)
            return bus_find(8 * word);
    return NULL;
}

const struct bus_region *bus_find_names(enum bus_names names)
{
    for (size_t i = 0; i < bus_region_count; i++)
        if (bus_regions[i].names == names)
            return &bus_regions[i];
    BUG("no region has names of kind %d", (int)names);
}

struct bus_geometry bus_unpack_geometry(uint64_t word)
{
    return (struct bus_geometry){.cam_entries = word & 0xffff,
                                 .data_rows = word >> 16 & 0xffff,
                                 .buffer_bytes = word >> 32 & 0xffff,
                                 .filter2_bits = 1u << (word >> 48 & 31)};
}

uint64_t bus_pack_geometry(const struct bus_geometry *g)
{
    return g->cam_entries | (uint64_t)g->data_rows << 16 | (uint64_t)g->buffer_bytes << 32 |
           (uint64_t)__builtin_ctz(g->filter2_bits) << 48;
}

unsigned bus_elements(const struct bus_region *r, const struct bus_geometry *g)
{
    const unsigned elements[] = {[BUS_SCALE_FIXED] = r->elements,
                                 [BUS_SCALE_CAM_ENTRIES] = g->cam_entries,
                                 [BUS_SCALE_DATA_ROWS] = g->data_rows,
                                 [BUS_SCALE_FILTER2_BITS] = g->filter2_bits};
    return elements[r->scale];
}

enum bus_answer bus_locate(uint32_t address, bool write, const struct bus_geometry *g, const struct bus_region **region,
                           unsigned *word)
{
    const struct bus_region *r = bus_find(address);
    if (address % 8 != 0)
        return BUS_UNALIGNED;
    if (r == NULL)
        return BUS_UNMAPPED;
    if (write ? !bus_is_writable(r) : !bus_is_readable(r))
        return write ? BUS_NOT_WRITABLE : BUS_NOT_READABLE;
    *region = r;
    *word = (address - r->address) / 8;
    return *word < (bus_elements(r, g) * r->bits + 63) / 64 ? BUS_TAKEN : BUS_OUTSIDE;
}

const char *bus_refusal(const struct bus *bus, uint32_t address, bool write)
{
    static const char *const reasons[] = {
        [BUS_TAKEN] = "the register cannot have this value", [BUS_UNALIGNED] = "the address is no multiple of 8",
        [BUS_UNMAPPED] = "there is nothing at this address", [BUS_NOT_READABLE] = "it can only be written",
        [BUS_NOT_WRITABLE] = "it can only be read",          [BUS_OUTSIDE] = "it is outside the configured arrays",
    };
    const struct bus_region *region;
    unsigned word;
    uint64_t packed;
    if (bus->read(bus->ctx, BUS_GEOMETRY, &packed) != ST_OK)
        packed = 0;
    const struct bus_geometry g = bus_unpack_geometry(packed);
    return reasons[bus_locate(address, write, &g, &region, &word)];
}

uint64_t bus_get(const struct bus *bus, uint32_t address)
{
    uint64_t value;
    if (bus->read(bus->ctx, address, &value) != ST_OK)
        BUG("bus read at 0x%04x refused: %s", address, bus_refusal(bus, address, false));
    return value;
}

void bus_put(const struct bus *bus, uint32_t address, uint64_t value)
{
    if (bus->write(bus->ctx, address, value) != ST_OK)
        BUG("bus write of 0x%llx at 0x%04x refused: %s", (unsigned long long)value, address,
            bus_refusal(bus, address, true));
}

/* Writes n bytes as little-endian words; pads the last word with `fill`. */
static void bus_put_bytes(const struct bus *bus, uint32_t address, const uint8_t *bytes, unsigned n, uint8_t fill)
{
    for (unsigned at = 0; at < n; at += 8) {
        uint64_t word = 0;
        for (unsigned i = 0; i < 8; i++)
            word |= (uint64_t)(at + i < n ? bytes[at + i] : fill) << (8 * i);
        bus_put(bus, address + at, word);
    }
}

uint64_t bus_pack_widths(const uint8_t *width, const uint8_t *saturates, unsigned gate)
{
    uint64_t word = 0;
    for (unsigned i = 0; i < ISA_INDEXES; i++)
        word |= (uint64_t)(width[i] | (saturates[i] != 0 ? 0x80u : 0) | (i == gate ? 0x40u : 0)) << (8 * i);
    return word;
}

static void put_registers(const struct bus *bus, const struct image *im)
{
    bus_put(bus, BUS_WIDTHS, bus_pack_widths(im->index_width, im->index_saturates, im->gate));
    bus_put(bus, BUS_WIDE, im->wide);
    bus_put_bytes(bus, BUS_TARGETS, im->target, ISA_TARGETS, 0);
    for (unsigned i = 0; i < ISA_VALUES; i++)
        bus_put(bus, BUS_VALUES + 8 * i, 0);
    for (unsigned i = 0; i < ISA_CONSTS; i++)
        bus_put(bus, BUS_CONSTS + 8 * i, im->constant[i]);
    for (unsigned i = 0; i < ISA_INDEXES; i += 4)
        bus_put(bus, BUS_INDEXES + 2 * i, 0);
    for (unsigned i = 0; i < ISA_BASES; i += 4)
        bus_put(bus, BUS_BASES + 2 * i,
                (uint64_t)im->base[i] | (uint64_t)im->base[i + 1] << 16 | (uint64_t)im->base[i + 2] << 32 |
                    (uint64_t)im->base[i + 3] << 48);
}

enum status bus_load_program(const struct bus *bus, const struct image *im, struct errmsg *err)
{
    const struct bus_geometry g = bus_unpack_geometry(bus_get(bus, BUS_GEOMETRY));
    unsigned entries = g.cam_entries, rows = g.data_rows, buffer_bytes = g.buffer_bytes;
    const char *blank = im->name[0] != '\0' ? " " : "";
    if (im->cam_entries > entries || im->data_rows > rows)
        return fail(
            err, ST_RANGE,
            "the program%s%s needs %u associative entries and %u data rows; the co-processor has %u and %u: "
            "give it more (pcemu --set cop_cam_entries=%u --set cop_data_rows=%u), or the program fewer (.geometry)",
            blank, im->name, im->cam_entries, im->data_rows, entries, rows,
            im->cam_entries > entries ? im->cam_entries : entries, im->data_rows > rows ? im->data_rows : rows);
    if (image_record_bytes(im) > buffer_bytes)
        return fail(
            err, ST_RANGE,
            "the program%s%s collects %u bytes for each sample; the sample buffer has %u: give it more (pcemu --set "
            "cop_buffer_bytes=N), or have the program read fewer fields",
            blank, im->name, image_record_bytes(im), buffer_bytes);
    bus_put(bus, BUS_COMMAND, BUS_HALT | BUS_INVALIDATE_ALL | BUS_CLEAR_ALL | BUS_DROP_SAMPLES | BUS_CLEAR_STATISTICS);
    for (unsigned i = 0; i < ISA_WORDS; i++)
        bus_put(bus, BUS_MICROCODE + 8 * i, i < im->words ? im->word[i] : 0);
    for (unsigned i = 0; i < ISA_WORDS / 32; i++)
        bus_put(bus, BUS_PREDICTOR + 8 * i, BUS_WEAKLY_NOT_TAKEN);
    put_registers(bus, im);
    bus_put_bytes(bus, BUS_DISPATCH, im->entry, OPCLASS_COUNT, IMAGE_NO_ENTRY);
    uint8_t format[ISA_FIELDS];
    for (unsigned i = 0; i < ISA_FIELDS; i++)
        format[i] = i < im->fields ? im->field[i] : 0xff;
    bus_put_bytes(bus, BUS_FORMAT, format, ISA_FIELDS, 0xff);
    bus_put(bus, BUS_CLASSES, im->filter_classes);
    if (im->kept_classes != 0)
        bus_put(bus, BUS_KEPT, im->kept_classes);
    bus_put(bus, BUS_FILTER1, im->filter1_mask | (uint64_t)im->filter1_match << 16 | (uint64_t)im->filter1_hash << 32);
    bus_put(bus, BUS_FILTER2, im->filter2_hash);
    for (unsigned i = 0; i < g.filter2_bits / 64; i++)
        bus_put(bus, BUS_MASKED + 8 * i, 0);
    return ST_OK;
}
