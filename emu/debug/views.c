/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views of the co-processor's state: registers, arrays, slots, samples, filters, the bus. */
#include <string.h>

#include "emu/cop_stats.h"
#include "emu/debug/show.h"

/* ---- registers ---- */

/* Prints additional information after a register's value: width of an index register, word addressed by a target
 * register. */
static void print_meaning(struct debugger *d, enum isa_regfile file, unsigned n)
{
    char name[WORD_TEXT];
    if (file == REG_INDEX) {
        uint64_t width = show_peek(d, BUS_WIDTHS, n);
        fprintf(d->out, "  (%llu bits, %s)", (unsigned long long)(width & 0x1f), width & 0x80 ? "saturates" : "wraps");
    } else if (file == REG_TARGET) {
        show_word_name(d->image, (unsigned)show_peek(d, BUS_TARGETS, n), name, sizeof name);
        fprintf(d->out, "  (%s)", name);
    }
}

static void print_register(struct debugger *d, enum isa_regfile file, unsigned n)
{
    struct cop_place place = {(enum bus_address)bus_find_names((enum bus_names)file)->address, n};
    uint64_t v = show_peek(d, place.region, n);
    const char *own = cop_program_name(d->image, &place);
    fprintf(d->out, "  %c%u %-16s ", isa_regfiles[file].letter, n, own != NULL ? own : "");
    show_value(d, show_changed(d, &place), "0x%llx", (unsigned long long)v);
    fprintf(d->out, "  %llu", (unsigned long long)v);
    print_meaning(d, file, n);
    fputc('\n', d->out);
}

/* Prints all registers, or only those named by the program. */
static void views_print_registers(struct debugger *d, bool named)
{
    for (unsigned file = 0; file < REG_FILES; file++)
        for (unsigned n = 0; n < isa_regfiles[file].count; n++) {
            struct cop_place place = {(enum bus_address)bus_find_names((enum bus_names)file)->address, n};
            if (!named || cop_program_name(d->image, &place) != NULL)
                print_register(d, (enum isa_regfile)file, n);
        }
}

enum status cmd_regs(struct debugger *d, const char *args, struct errmsg *err)
{
    (void)args;
    (void)err;
    views_print_registers(d, false);
    struct cop_place lfsr = {BUS_LFSR, 0};
    fputs("  lfsr                ", d->out);
    show_value(d, show_changed(d, &lfsr), "0x%04llx", (unsigned long long)show_peek(d, BUS_LFSR, 0));
    fputc('\n', d->out);
    return ST_OK;
}

enum status cmd_info_registers(struct debugger *d, const char *args, struct errmsg *err)
{
    enum status st = ST_OK;
    if (*args == '\0')
        return cmd_regs(d, args, err);
    for (const char *at = args; *at != '\0' && st == ST_OK; at += strspn(at, " ")) {
        char name[WORD_TEXT];
        size_t n = strcspn(at, " ");
        snprintf(name, sizeof name - 1, "%.*s", (int)(n < sizeof name ? n : sizeof name - 1), at);
        st = cmd_print(d, name, err);
        if (st != ST_OK && d->s.guest_register != NULL && d->s.guest_register(d->s.ctx, name, &(uint64_t){0})) {
            memmove(name + 1, name, sizeof name - 2);
            name[0] = '$';
            st = cmd_print(d, name, err);
        }
        at += n;
    }
    return st;
}

enum status cmd_info_locals(struct debugger *d, const char *args, struct errmsg *err)
{
    (void)args;
    (void)err;
    views_print_registers(d, true);
    return ST_OK;
}

/* ---- arrays ---- */

struct range {
    bool all;
    unsigned first, count;
};

/* Parses [FIRST [N]], a range of the array `name`, of `size` elements. */
static enum status parse_range(struct debugger *d, const char *args, const char *name, unsigned size,
                               unsigned otherwise, struct range *r, struct errmsg *err)
{
    uint64_t first = 0, n = otherwise;
    const char *rest;
    *r = (struct range){.all = *args == '\0', .count = size};
    if (r->all)
        return ST_OK;
    enum status st = arg_value(d, args, &rest, &first, err);
    if (st == ST_OK)
        st = arg_count(d, rest, otherwise, &n, err);
    if (st == ST_OK && first >= size)
        return fail(err, ST_RANGE, "%s has elements 0 to %u, no %lld", name, size - 1, (long long)first);
    r->first = (unsigned)first;
    r->count = n < size - first ? (unsigned)n : size - (unsigned)first;
    return st;
}

enum status cmd_data(struct debugger *d, const char *args, struct errmsg *err)
{
    struct range r;
    bool any = false;
    enum status st = parse_range(d, args, "data", cop_elements(d->shown->cop, BUS_DATA), 8, &r, err);
    for (unsigned i = r.first; st == ST_OK && i < r.first + r.count; i++) {
        struct cop_place place = {BUS_DATA, i};
        uint64_t v = show_peek(d, BUS_DATA, i);
        if (r.all && v == 0 && !show_changed(d, &place))
            continue;
        any = true;
        fprintf(d->out, "  data[%u] ", i);
        show_value(d, show_changed(d, &place), "0x%016llx", (unsigned long long)v);
        fputc('\n', d->out);
    }
    if (st == ST_OK && !any)
        fprintf(d->out, "all rows are 0\n");
    return st;
}

/* Prints a key or member in its format, as the report does. */
static void print_formatted(struct debugger *d, bool changed, unsigned format, uint64_t held, unsigned bits,
                            const char *behind)
{
    uint64_t v = slot_format_value(format, held, bits);
    switch (slot_format_print(format)) {
    case PRINT_NUMBER:
        show_value(d, changed, "%llu%s", (unsigned long long)v, behind);
        break;
    case PRINT_SIGNED:
        show_value(d, changed, "%lld%s", (long long)v, behind);
        break;
    case PRINT_HEX:
    case PRINT_CODE_ADDRESS:
    case PRINT_DATA_ADDRESS:
        show_value(d, changed, "0x%llx%s", (unsigned long long)v, behind);
        break;
    }
    show_place(d, slot_format_print(format), v);
}

static uint64_t entry_key(struct debugger *d, unsigned i)
{
    return show_peek(d, BUS_CAM_HIGH, i) << 32 | show_peek(d, BUS_CAM, i);
}

static bool entry_changed(struct debugger *d, unsigned i)
{
    static const enum bus_address parts[] = {BUS_CAM, BUS_CAM_HIGH, BUS_VALID};
    bool changed = false;
    for (unsigned k = 0; k < sizeof parts / sizeof parts[0]; k++)
        changed = show_changed(d, &(struct cop_place){parts[k], i}) || changed;
    return changed;
}

enum status cmd_cam(struct debugger *d, const char *args, struct errmsg *err)
{
    struct range r;
    bool any = false;
    enum status st = parse_range(d, args, "cam", cop_elements(d->shown->cop, BUS_CAM), 8, &r, err);
    for (unsigned i = r.first; st == ST_OK && i < r.first + r.count; i++) {
        bool changed = entry_changed(d, i);
        if (r.all && show_peek(d, BUS_VALID, i) == 0 && !changed)
            continue;
        any = true;
        fprintf(d->out, "  cam[%u] ", i);
        show_value(d, changed, "0x%0*llx %s", show_peek(d, BUS_CAM_HIGH, i) != 0 ? 16 : 8,
                   (unsigned long long)entry_key(d, i), show_peek(d, BUS_VALID, i) ? "valid" : "not valid");
        fputc('\n', d->out);
    }
    if (st == ST_OK && !any)
        fprintf(d->out, "no entry is valid\n");
    return st;
}

/* ---- slots ---- */

static void print_member(struct debugger *d, const struct image_layout *l, unsigned member, unsigned at)
{
    struct cop_place place = {BUS_DATA, at};
    uint64_t now = isa_lane_of(show_peek(d, BUS_DATA, at), l->member[member].lane), then = now, row;
    if (d->base != NULL && cop_peek(d->base, &place, &row) == ST_OK)
        then = isa_lane_of(row, l->member[member].lane);
    fprintf(d->out, "  %s ", l->member[member].name);
    print_formatted(d, now != then, l->member[member].format, now, isa_lanes[l->member[member].lane].width, "");
}

/* The key of a slot; a key of format pcx is XORed with the slot's first member. */
static uint64_t views_key_of(struct debugger *d, const struct image_layout *l, unsigned at)
{
    uint64_t key = show_peek(d, BUS_CAM, at);
    unsigned lane = l->member[0].lane;
    if (l->key != FORMAT_PCX)
        return key;
    return slot_pcx_apart((uint32_t)key, isa_lane_of(show_peek(d, BUS_DATA, at), lane), isa_lanes[lane].width);
}

static void views_print_slot(struct debugger *d, const struct image_layout *l, unsigned i)
{
    unsigned at = d->image->base[l->base] | i;
    fprintf(d->out, "  %s[%u]", l->name, i);
    if (l->key != FORMAT_NONE) {
        fputs("  key ", d->out);
        print_formatted(d, entry_changed(d, at), l->key, views_key_of(d, l, at), IMAGE_KEY_BITS,
                        show_peek(d, BUS_VALID, at) ? "" : " (off)");
    }
    for (unsigned m = 0; m < l->members; m++)
        print_member(d, l, m, at);
    fputc('\n', d->out);
}

/* The layout that the first word names, which *args is then behind; NULL: none. */
static const struct image_layout *named_layout(const struct image *im, const char **args)
{
    size_t length = strcspn(*args, " \t");
    for (unsigned k = 0; k < im->layouts; k++) {
        const char *name = im->layout[k].name;
        if (length > 0 && strlen(name) == length && strncmp(name, *args, length) == 0) {
            *args += length + strspn(*args + length, " \t");
            return &im->layout[k];
        }
    }
    return NULL;
}

static enum status show_slots(struct debugger *d, const struct image_layout *l, const char *args, struct errmsg *err)
{
    struct range r;
    unsigned in_use = 0;
    enum status st = parse_range(d, args, l->name, l->count, 1, &r, err);
    for (unsigned i = r.first; st == ST_OK && i < r.first + r.count; i++) {
        unsigned at = d->image->base[l->base] | i;
        struct cop_place row = {BUS_DATA, at};
        const bool is_in_use = show_peek(d, BUS_DATA, at) != 0 || show_peek(d, BUS_VALID, at) != 0;
        in_use += is_in_use;
        if (!r.all || is_in_use || show_changed(d, &row))
            views_print_slot(d, l, i);
    }
    if (st == ST_OK && r.all)
        fprintf(d->out, "%s: %u of %u slots in use\n", l->name, in_use, l->count);
    return st;
}

/* A number that only some of the layouts have is shown of these. */
enum status cmd_slots(struct debugger *d, const char *args, struct errmsg *err)
{
    const struct image *im = d->image;
    const struct image_layout *only = named_layout(im, &args);
    enum status st = ST_OK;
    bool any = false;
    if (im->layouts == 0)
        return fail(err, ST_INPUT, "the program declares no .slot: data and cam show the arrays");
    if (only != NULL)
        return show_slots(d, only, args, err);
    for (unsigned k = 0; k < im->layouts && (st == ST_OK || st == ST_RANGE); k++) {
        st = show_slots(d, &im->layout[k], args, err);
        any |= st == ST_OK;
    }
    return any && st == ST_RANGE ? ST_OK : st;
}

/* ---- samples ---- */

static void print_field(struct debugger *d, unsigned position, uint64_t value)
{
    uint64_t f = show_peek(d, BUS_FORMAT, position);
    bool known = f < FIELD_COUNT;
    fprintf(d->out, "  %-10s 0x%llx  %llu", known ? sample_fields[f].name : "?", (unsigned long long)value,
            (unsigned long long)value);
    if (f == FIELD_PC32)
        fprintf(d->out, "  at 0x%llx", (unsigned long long)sample_pc_of((uint32_t)value));
    if (known && (f == FIELD_PC || f == FIELD_PC32))
        show_place(d, PRINT_CODE_ADDRESS, f == FIELD_PC ? value : sample_pc_of((uint32_t)value));
    fputc('\n', d->out);
}

enum status cmd_sample(struct debugger *d, const char *args, struct errmsg *err)
{
    struct cop_record r;
    (void)args;
    if (!cop_record(d->shown->cop, 0, &r))
        return fail(err, ST_INPUT, "the buffer is empty: there is no sample");
    fprintf(d->out, "class %s, %s\n", opclass_name(r.opclass),
            cop_state(d->shown->cop) == BUS_RUNNING ? "being worked on" : "waiting");
    for (unsigned i = 0; i < r.fields; i++)
        print_field(d, i, r.field[i]);
    return ST_OK;
}

enum status cmd_buffer(struct debugger *d, const char *args, struct errmsg *err)
{
    unsigned queued = cop_queued(d->shown->cop);
    struct cop_record r;
    (void)args;
    (void)err;
    fprintf(d->out, "%u sample%s of %u bytes each, in %llu bytes\n", queued, queued == 1 ? "" : "s",
            image_record_bytes(d->image), (unsigned long long)(show_peek(d, BUS_GEOMETRY, 0) >> 32 & 0xffff));
    for (unsigned i = 0; cop_record(d->shown->cop, i, &r); i++) {
        fprintf(d->out, "  %u %s, readable at cycle %llu:", i, opclass_name(r.opclass), (unsigned long long)r.readable);
        for (unsigned k = 0; k < r.fields; k++) {
            uint64_t f = show_peek(d, BUS_FORMAT, k);
            fprintf(d->out, " %s=0x%llx", f < FIELD_COUNT ? sample_fields[f].name : "?",
                    (unsigned long long)r.field[k]);
        }
        fputc('\n', d->out);
    }
    return ST_OK;
}

/* ---- filters, statistics, bus ---- */

enum status cmd_filters(struct debugger *d, const char *args, struct errmsg *err)
{
    uint64_t one = show_peek(d, BUS_FILTER1, 0);
    unsigned masked = 0, classes = 0;
    (void)args;
    (void)err;
    fputs("classes that pass:", d->out);
    for (int c = 0; c < OPCLASS_COUNT; c++)
        if (show_peek(d, BUS_CLASSES, (unsigned)c)) {
            fprintf(d->out, " %s", opclass_name((enum opclass)c));
            classes++;
        }
    fprintf(d->out, "%s\nPC filter 1: hash %llu of the PC, and 0x%04llx, must be 0x%04llx\n",
            classes == 0 ? " none" : "", (unsigned long long)(one >> 32 & 3), (unsigned long long)(one & 0xffff),
            (unsigned long long)(one >> 16 & 0xffff));
    for (unsigned i = 0; i < cop_elements(d->shown->cop, BUS_MASKED); i++)
        masked += show_peek(d, BUS_MASKED, i) != 0;
    fprintf(d->out, "PC filter 2: hash %llu; %u of its %u bits are set, for instructions to be ignored\n",
            (unsigned long long)show_peek(d, BUS_FILTER2, 0), masked, cop_elements(d->shown->cop, BUS_MASKED));
    return ST_OK;
}

enum status cmd_stats(struct debugger *d, const char *args, struct errmsg *err)
{
    (void)args;
    (void)err;
    cop_print_stats(d->shown->cop, d->image, d->out);
    return ST_OK;
}

static void print_bus_word(struct debugger *d, const struct bus *bus, uint32_t address)
{
    uint64_t v;
    if (bus->read(bus->ctx, address, &v) == ST_OK)
        fprintf(d->out, "  0x%04x 0x%016llx\n", address, (unsigned long long)v);
}

enum status cmd_bus(struct debugger *d, const char *args, struct errmsg *err)
{
    struct bus bus = cop_bus(d->shown->cop);
    uint64_t address = 0, v;
    for (const struct bus_region *r = bus_next(NULL); r != NULL; r = bus_next(r)) {
        if (*args == '\0') {
            fprintf(d->out, "  0x%04x %-10s %-2s ", r->address, r->name, r->access);
            if (r->words == 1 && bus.read(bus.ctx, r->address, &v) == ST_OK)
                fprintf(d->out, "0x%016llx\n", (unsigned long long)v);
            else
                fprintf(d->out, "%u word%s\n", r->words, r->words == 1 ? "" : "s");
        } else if (strcmp(args, r->name) == 0) {
            for (uint32_t w = 0; w < r->words; w++)
                print_bus_word(d, &bus, r->address + 8 * w);
            return ST_OK;
        }
    }
    if (*args == '\0')
        return ST_OK;
    enum status st = arg_count(d, args, 0, &address, err);
    uint32_t at = address > UINT32_MAX ? UINT32_MAX - 7 : (uint32_t)address; /* neither address is mapped */
    if (st == ST_OK && bus.read(bus.ctx, at, &v) != ST_OK)
        return fail(err, ST_RANGE, "0x%llx cannot be read: %s", (unsigned long long)address,
                    bus_refusal(&bus, at, false));
    if (st == ST_OK)
        print_bus_word(d, &bus, at);
    return st;
}

/* ---- changes ---- */

/* Prints the elements of a region that differ from the previous stop; true if there are any. */
static bool print_changes(struct debugger *d, const struct bus_region *r)
{
    bool any = false;
    struct cop_place place = {.region = (enum bus_address)r->address};
    for (; place.element < cop_elements(d->shown->cop, place.region); place.element++) {
        char name[WORD_TEXT];
        uint64_t then = 0;
        if (!show_changed(d, &place) || cop_peek(d->base, &place, &then) != ST_OK)
            continue;
        any = true;
        (void)cop_print_place(name, sizeof name, d->image, &place);
        fprintf(d->out, "  %-16s 0x%llx -> 0x%llx\n", name, (unsigned long long)then,
                (unsigned long long)show_peek(d, place.region, place.element));
    }
    return any;
}

enum status cmd_changes(struct debugger *d, const char *args, struct errmsg *err)
{
    bool any = false;
    (void)args;
    if (d->base == NULL)
        return fail(err, ST_INPUT, "there was no stop before this one");
    for (const struct bus_region *r = bus_next(NULL); r != NULL; r = bus_next(r))
        if (r->kind == BUS_KIND_STATE)
            any |= print_changes(d, r);
    if (!any)
        fprintf(d->out, "nothing\n");
    return ST_OK;
}

/* ---- the core ---- */

static enum status core_view(struct debugger *d, enum debug_view view, const char *args, struct errmsg *err)
{
    uint64_t n;
    enum status st = arg_count(d, args, 0, &n, err);
    if (st == ST_OK && d->s.view == NULL)
        return fail(err, ST_INPUT, "there is no core and no guest");
    if (st == ST_OK && d->shown != &d->live)
        fprintf(d->out, "the core and the guest are in the present, position %llu\n",
                (unsigned long long)d->live.words);
    return st == ST_OK ? d->s.view(d->s.ctx, view, n, d->out, err) : st;
}

enum status cmd_core(struct debugger *d, const char *args, struct errmsg *err)
{
    return core_view(d, DEBUG_VIEW_CORE, args, err);
}
enum status cmd_pipe(struct debugger *d, const char *args, struct errmsg *err)
{
    return core_view(d, DEBUG_VIEW_PIPE, args, err);
}
enum status cmd_guest(struct debugger *d, const char *args, struct errmsg *err)
{
    return core_view(d, DEBUG_VIEW_GUEST, args, err);
}
