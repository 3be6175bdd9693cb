/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "emu/cop_inspect.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/cop_state.h"

unsigned cop_elements(const struct cop *c, enum bus_address region)
{
    const struct bus_geometry g = cop_geometry(c);
    return bus_elements(bus_find(region), &g);
}

/* The program's name for element `n` of a region, or NULL. `im` may be NULL and owns the name. */
static const char *program_name(const struct image *im, const struct bus_region *r, unsigned n)
{
    if (im == NULL || r->names == BUS_NAMES_NONE)
        return NULL;
    struct image_names store;
    struct isa_names names = image_names(im, &store);
    const struct {
        const char *const *name;
        unsigned count;
    } lists[BUS_NAMES_NONE] = {
        [BUS_NAMES_VALUE] = {names.values, ISA_VALUES}, [BUS_NAMES_INDEX] = {names.indexes, ISA_INDEXES},
        [BUS_NAMES_CONST] = {names.consts, ISA_CONSTS}, [BUS_NAMES_BASE] = {names.bases, ISA_BASES},
        [BUS_NAMES_FIELD] = {names.fields, ISA_FIELDS},
    };
    return n < lists[r->names].count ? lists[r->names].name[n] : NULL;
}

/* First letter of the architectural names of a region's elements (isa.def), or NUL. */
static char plain_letter(const struct bus_region *r)
{
    if (r->names == BUS_NAMES_FIELD)
        return isa_find_bsrc(BSRC_FIELD)->name[0];
    return r->names != BUS_NAMES_NONE ? isa_regfiles[r->names].letter : '\0';
}

/* Parses decimal digits up to the end of the text or up to the character `end`. */
static bool cop_inspect_parse_element(const char *text, char end, unsigned *element)
{
    char *rest;
    if (!isdigit((unsigned char)text[0]))
        return false;
    unsigned long n = strtoul(text, &rest, 0);
    *element = n < UINT32_MAX ? (unsigned)n : UINT32_MAX;
    return rest[0] == end && (end == '\0' || rest[1] == '\0');
}

static bool names_element(const struct cop *c, const struct bus_region *r, const char *name, unsigned *element)
{
    size_t length = strlen(r->name);
    unsigned elements = cop_elements(c, r->address);
    if (name[0] != '\0' && plain_letter(r) == name[0] && cop_inspect_parse_element(name + 1, '\0', element))
        return *element < elements;
    if (strncmp(name, r->name, length) != 0)
        return false;
    *element = 0;
    if (name[length] == '\0')
        return elements == 1;
    return name[length] == '[' && cop_inspect_parse_element(name + length + 1, ']', element) && *element < elements;
}

bool cop_find_place(const struct cop *c, const struct image *im, const char *name, struct cop_place *place)
{
    for (const struct bus_region *r = bus_regions; r < bus_regions + bus_region_count; r++) {
        place->region = (enum bus_address)r->address;
        for (place->element = 0; r->names != BUS_NAMES_NONE && place->element < r->elements; place->element++) {
            const char *own = program_name(im, r, place->element);
            if (own != NULL && strcmp(own, name) == 0)
                return true;
        }
    }
    for (const struct bus_region *r = bus_regions; r < bus_regions + bus_region_count; r++) {
        place->region = (enum bus_address)r->address;
        if (bus_is_readable(r) && names_element(c, r, name, &place->element))
            return true;
    }
    return false;
}

const char *cop_program_name(const struct image *im, const struct cop_place *place)
{
    return program_name(im, bus_find(place->region), place->element);
}

int cop_print_place(char *buf, size_t size_bytes, const struct image *im, const struct cop_place *place)
{
    const struct bus_region *r = bus_find(place->region);
    const char *own = program_name(im, r, place->element);
    char letter = plain_letter(r);
    if (own != NULL)
        return snprintf(buf, size_bytes, "%s", own);
    if (letter != '\0')
        return snprintf(buf, size_bytes, "%c%u", letter, place->element);
    if (r->elements == 1)
        return snprintf(buf, size_bytes, "%s", r->name);
    return snprintf(buf, size_bytes, "%s[%u]", r->name, place->element);
}

int cop_print_word(const struct cop *c, const struct image *im, unsigned word, char *buf, size_t size_bytes)
{
    struct image_names store;
    struct isa_names names = image_names(im, &store);
    struct uop u;
    isa_decode(c->microcode[word], &u);
    if (isa_check(&u, c->wide) != NULL)
        return snprintf(buf, size_bytes, "illegal: %012llx", (unsigned long long)c->microcode[word]);
    return isa_print(buf, size_bytes, &u, word, &names);
}

/* Returns whether a sample is in process: dispatched to the DFE and not completed. */
static bool sample_in_process(const struct cop *c)
{
    bool dispatched = c->state == BUS_RUNNING || c->state == BUS_ILLEGAL || c->state == BUS_RUNAWAY;
    return dispatched && buffer_head(&c->buffer) != NULL;
}

/* Position of an element in the bus words of its region. */
struct packing {
    uint32_t address;
    unsigned shift;
    uint64_t ones;
};

static bool find_packing(const struct cop *c, const struct cop_place *place, struct packing *p)
{
    const struct bus_region *r = bus_find(place->region);
    if (r == NULL || place->element >= cop_elements(c, place->region))
        return false;
    unsigned per_word = 64 / r->bits;
    p->address = r->address + 8 * (place->element / per_word);
    p->shift = r->bits * (place->element % per_word);
    p->ones = UINT64_MAX >> (64 - r->bits);
    return true;
}

enum status cop_peek(const struct cop *c, const struct cop_place *place, uint64_t *value)
{
    struct packing p;
    if (!find_packing(c, place, &p) || bus_device_read(c, p.address, value) != ST_OK)
        return ST_RANGE;
    *value = *value >> p.shift & p.ones;
    return ST_OK;
}

enum status cop_poke(struct cop *c, const struct cop_place *place, uint64_t value)
{
    struct packing p;
    uint64_t word;
    if (place->region == BUS_HEAD)
        return cop_set_record(c, 0, place->element, value) ? ST_OK : ST_RANGE;
    if (!find_packing(c, place, &p) || value > p.ones || bus_device_read(c, p.address, &word) != ST_OK)
        return ST_RANGE;
    return bus_device_write(c, p.address, (word & ~(p.ones << p.shift)) | value << p.shift);
}

bool cop_set_pc(struct cop *c, unsigned pc)
{
    if (!sample_in_process(c) || pc >= ISA_WORDS)
        return false;
    if (c->state == BUS_RUNAWAY)
        c->sample_start = c->words;
    c->state = BUS_RUNNING;
    c->pc = pc;
    lookahead_invalidate(c);
    return true;
}

uint64_t cop_cycle(const struct cop *c) { return c->time << c->clock_shift; }

unsigned cop_queued(const struct cop *c) { return c->buffer.count; }
uint64_t cop_sample_words(const struct cop *c) { return sample_words(c); }

bool cop_record(const struct cop *c, unsigned i, struct cop_record *record)
{
    if (i >= c->buffer.count)
        return false;
    const struct record *r = buffer_at(&c->buffer, i);
    *record = (struct cop_record){.opclass = (enum opclass)r->opclass,
                                  .delivered = r->delivered,
                                  .readable = r->readable,
                                  .fields = c->buffer.fields};
    memcpy(record->field, r->field, c->buffer.fields * sizeof r->field[0]);
    return true;
}

bool cop_set_record(struct cop *c, unsigned i, unsigned field, uint64_t value)
{
    if (i >= c->buffer.count || field >= c->buffer.fields)
        return false;
    buffer_at(&c->buffer, i)->field[field] = value;
    if (i == 0 && sample_in_process(c))
        c->operand[BSRC_FIELD + field] = value;
    return true;
}

static void cop_inspect_copy_state(struct cop *to, const struct cop *from)
{
    memcpy(to, from, sizeof *to);
    buffer_copy(&to->buffer, &from->buffer, admission_records(&from->buffer, &from->admission));
    predecode_relocate(to); /* branch targets are pointers into the copy */
}

struct cop *cop_clone(const struct cop *c)
{
    struct cop *clone = xmalloc(sizeof *clone);
    cop_inspect_copy_state(clone, c);
    clone->owner = (struct cop_owner){.next_clock = UINT64_MAX};
    lookahead_invalidate(clone);
    return clone;
}

void cop_restore(struct cop *c, const struct cop *saved)
{
    struct cop_owner owner = c->owner;
    buffer_fini(&c->buffer);
    cop_inspect_copy_state(c, saved);
    c->owner = owner;
    lookahead_invalidate(c);
}

size_t cop_bytes(const struct cop *c) { return sizeof *c + buffer_ring(&c->buffer) * sizeof *c->buffer.ring; }

bool cop_passes(const struct cop *c, enum opclass opclass, uint64_t pc)
{
    return c->state != BUS_HALTED && filters_pass(&c->filters, opclass, pc);
}

void cop_set_offered(struct cop *c, uint64_t offered, uint64_t filtered, uint64_t eligible)
{
    c->counts.offered = offered;
    c->counts.filtered = filtered;
    c->counts.eligible = eligible;
    c->filters.opcode.rejected = c->filters.opcode.accepted = c->filters.opcode.refused = 0;
}
