/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slot layouts, and the resulting sizes of the arrays. Entry point: program_lay_out. */
#include "asm/program.h"

enum { MOST_ROWS = 4 * ISA_DATA_ROWS, MOST_ENTRIES = 4 * ISA_CAM_ENTRIES };

/* Error recovery: declares an undeclared name as a base register, so that its uses are not reported, too; -1 if no
 * register is free. */
static int invent_base(struct program *p, const struct name *name)
{
    for (int i = 0; i < ISA_BASES; i++)
        if (p->regs[REG_BASE][i].text == NULL) {
            p->regs[REG_BASE][i] = *name;
            return i;
        }
    return -1;
}

static int find_base(struct program *p, const struct name *name)
{
    const char *names[ISA_BASES];
    unsigned n;
    if (name_is_plain('b', name->text, &n) && n < ISA_BASES)
        return (int)n;
    for (unsigned i = 0; i < ISA_BASES; i++) {
        names[i] = p->regs[REG_BASE][i].text;
        if (names[i] != NULL && strcmp(names[i], name->text) == 0)
            return (int)i;
    }
    diag_error(p->diag, name->loc, "'%.64s' is no base register%s", name->text,
               name_hint(p, diag_nearest(name->text, names, ISA_BASES)));
    return invent_base(p, name);
}

static int find_lane_at(unsigned low, unsigned width)
{
    for (int i = 0; i < LANE_COUNT; i++)
        if (isa_lanes[i].low == low && isa_lanes[i].width == width)
            return i;
    return -1;
}

/* The name of a lane or format in place of a number; else NULL. */
static const char *bare_name(const struct expr *e) { return e->kind == EXPR_SYMBOL ? e->name : NULL; }

static int unknown_format(struct program *p, const struct member *m)
{
    const char *names[FORMAT_KINDS];
    char list[SLOT_FORMAT_LIST];
    for (unsigned f = 0; f < FORMAT_KINDS; f++)
        names[f] = slot_formats[f].name;
    if (strcmp(m->format.text, "last") == 0)
        diag_error(p->diag, m->format.loc, "a format is missing behind 'last': expected %s",
                   slot_format_list(false, list));
    else
        diag_error(p->diag, m->format.loc, "unknown format '%.64s'%s; expected %s", m->format.text,
                   name_hint(p, diag_nearest(m->format.text, names, FORMAT_KINDS)), slot_format_list(true, list));
    return -1;
}

static int member_format(struct program *p, const struct member *m)
{
    char list[SLOT_FORMAT_LIST];
    if (m->format.text == NULL)
        return FORMAT_COUNT;
    int format = name_find_format(m->format.text);
    if (format < 0)
        return unknown_format(p, m);
    if (!m->is_last)
        return format;
    if (!slot_format_is_sound((unsigned)format | FORMAT_LAST))
        diag_error(p->diag, m->format.loc, "'last %s': expected last with %s", m->format.text,
                   slot_format_list(false, list));
    return format | FORMAT_LAST;
}

/* The lane of a member: the named lane, or the next one of its width. `low`: end of the previous member. */
static int member_lane(struct program *p, const struct member *m, unsigned low)
{
    struct integer given;
    const char *bare = bare_name(m->width);
    if (bare != NULL && name_find_lane(bare) >= 0)
        return name_find_lane(bare);
    if (bare != NULL && name_find_format(bare) >= 0) {
        diag_error(p->diag, m->width->loc, "the width of '%.64s' is missing: 8, 16, 32 or 64, before the format",
                   m->name.text);
        return -1;
    }
    if (!expr_eval(p, m->width, &given))
        return -1;
    const uint64_t width = given.bits;
    if (width != 8 && width != 16 && width != 32 && width != 64) {
        char found[INTEGER_SHOWN];
        diag_error(p->diag, m->width->loc, "a member of %s bits: lanes have 8, 16, 32 or 64",
                   integer_show(found, given));
        return -1;
    }
    int lane = find_lane_at(low, (unsigned)width);
    if (lane < 0 && low + width > 64)
        diag_error(
            p->diag, m->name.loc,
            "'%.64s' does not fit: its %u bits would begin at bit %u, behind the member before it, and a row has 64",
            m->name.text, (unsigned)width, low);
    else if (lane < 0)
        diag_error(p->diag, m->name.loc,
                   "'%.64s' would begin at bit %u, but a lane of %u bits begins at a multiple of %u: put the wide "
                   "members first",
                   m->name.text, low, (unsigned)width, (unsigned)width);
    return lane;
}

static bool name_is_new(struct program *p, unsigned base, const struct member *m)
{
    const char *why_not = name_why_not(NAME_MEMBER, m->name.text);
    if (why_not != NULL) {
        diag_error(p->diag, m->name.loc, "a member cannot be called '%.64s': %s", m->name.text, why_not);
        return false;
    }
    for (unsigned i = 0; i < p->image->layouts; i++)
        for (unsigned k = 0; p->image->layout[i].base == base && k < p->image->layout[i].members; k++)
            if (strcmp(p->image->layout[i].member[k].name, m->name.text) == 0) {
                diag_error(p->diag, m->name.loc, "a second member '%s'", m->name.text);
                return false;
            }
    return true;
}

static bool is_key(const struct member *m)
{
    const char *bare = bare_name(m->width);
    return strcmp(m->name.text, "key") == 0 && m->format.text == NULL && bare != NULL && name_find_format(bare) >= 0;
}

/* Looks up a key or count of the layout's exact reference; EXACT_NONE and an error if it does not exist. */
static uint8_t asm_slot_find_exact(struct program *p, const struct image_layout *l, const struct name *name,
                                   bool is_key)
{
    const char *names[EXACT_KEYS > EXACT_COUNTS ? EXACT_KEYS : EXACT_COUNTS];
    unsigned n;
    if (name->text == NULL || p->exact_is_bad)
        return EXACT_NONE;
    if (l->exact == EXACT_NONE) {
        diag_error(p->diag, name->loc, "the .slot names no exact reference: expected '.slot %s[%u] exact NAME { ... }'",
                   l->name, l->count);
        return EXACT_NONE;
    }
    const struct exact_kind *kind = &exact_kinds[l->exact];
    for (n = 0; is_key ? kind->key[n].name != NULL : kind->count[n].name != NULL; n++) {
        names[n] = is_key ? kind->key[n].name : kind->count[n].name;
        if (strcmp(names[n], name->text) == 0)
            return (uint8_t)n;
    }
    char list[EXACT_NAME_LIST];
    diag_error(p->diag, name->loc, "the exact reference '%s' has no %s '%.64s'%s; it has %s", kind->name,
               is_key ? "key" : "count", name->text, name_hint(p, diag_nearest(name->text, names, n)),
               exact_name_list((enum exact_reference)l->exact, is_key, list));
    return EXACT_NONE;
}

/* Sets the exact reference of a .slot and the counts per sample. */
static void lay_out_reference(struct program *p, struct image_layout *l, const struct stmt *s)
{
    const char *names[EXACT_REFERENCES];
    uint64_t parts;
    p->exact_is_bad = false;
    if (s->other.text == NULL)
        return;
    int e = exact_find(s->other.text);
    for (unsigned i = 0; i < EXACT_REFERENCES; i++)
        names[i] = exact_kinds[i].name;
    if (e < 0)
        diag_error(p->diag, s->other.loc, "unknown exact reference '%.64s'%s", s->other.text,
                   name_hint(p, diag_nearest(s->other.text, names, EXACT_REFERENCES)));
    p->exact_is_bad = e < 0;
    l->exact = e >= 0 ? (uint8_t)e : EXACT_NONE;
    if (s->parts != NULL && expr_eval_range(p, s->parts, 1, UINT32_MAX, "the number of parts of a sample", &parts))
        l->parts = (uint32_t)parts;
}

static void check_identity(struct program *p, const struct image_layout *l, const struct stmt *s)
{
    struct errmsg why;
    if (image_check_identity(l, &why) != ST_OK)
        diag_error(p->diag, s->name.loc, "%.400s", why.text);
}

static void lay_out_key(struct program *p, struct image_layout *l, const struct member *m)
{
    char list[SLOT_FORMAT_LIST];
    int format = name_find_format(bare_name(m->width));
    if (l->key != FORMAT_NONE)
        diag_error(p->diag, m->name.loc, "a second key");
    else if (!slot_format_is_identity((unsigned)format))
        diag_error(p->diag, m->width->loc, "a key of the format %s: expected %s, or pcx", bare_name(m->width),
                   slot_format_list(false, list));
    l->key = (uint8_t)format;
    l->key_exact = asm_slot_find_exact(p, l, &m->exact, true);
}

static void lay_out_members(struct program *p, struct image_layout *l, const struct stmt *s)
{
    unsigned low = 0;
    for (const struct member *m = s->members; m != NULL; m = m->next) {
        if (is_key(m)) {
            lay_out_key(p, l, m);
            continue;
        }
        int format = member_format(p, m), lane = member_lane(p, m, low);
        if (l->members == IMAGE_MEMBERS) {
            diag_error(p->diag, m->name.loc, "too many: a slot has at most %d members", IMAGE_MEMBERS);
            return;
        }
        if (format < 0 || lane < 0 || !name_is_new(p, l->base, m))
            continue;
        low = isa_lanes[lane].low + isa_lanes[lane].width;
        strcpy(l->member[l->members].name, m->name.text);
        l->member[l->members].lane = (uint8_t)lane;
        l->member[l->members].format = (uint8_t)format;
        l->member[l->members].exact = asm_slot_find_exact(p, l, &m->exact, slot_format_is_identity((unsigned)format));
        l->members++;
    }
}

static void check_place(struct program *p, const struct stmt *s, const struct image_layout *l)
{
    unsigned base = p->image->base[l->base], most = l->key == FORMAT_NONE ? MOST_ROWS : MOST_ENTRIES;
    if (base % l->count != 0)
        diag_error(p->diag, s->name.loc, "base %u is no multiple of the %u slots: addresses are formed without adding",
                   base, l->count);
    else if (base + l->count > most)
        diag_error(p->diag, s->name.loc, "%u slots at base %u end after the largest arrays, of %u", l->count, base,
                   most);
}

static void lay_out_slot(struct program *p, const struct stmt *s)
{
    uint64_t count;
    if (s->name.text == NULL) {
        p->layout_is_unknown = true;
        return;
    }
    int base = find_base(p, &s->name);
    bool good = expr_eval_range(p, s->expr, 1, MOST_ROWS, "the number of slots", &count);
    if (good && (count & (count - 1)) != 0) {
        diag_error(p->diag, s->expr->loc, "%llu slots: a power of two is needed", (unsigned long long)count);
        good = false;
    }
    if (base < 0)
        return;
    /* A layout with errors is still laid out, so that words that name its members are not reported, too. */
    struct image_layout *l = &p->image->layout[p->image->layouts++];
    *l = (struct image_layout){.base = (uint8_t)base,
                               .count = good ? (uint16_t)count : 1,
                               .key = FORMAT_NONE,
                               .exact = EXACT_NONE,
                               .key_exact = EXACT_NONE,
                               .parts = 1};
    strcpy(l->name, strlen(s->name.text) < IMAGE_NAME ? s->name.text : "");
    int errors = p->diag->errors;
    lay_out_reference(p, l, s);
    lay_out_members(p, l, s);
    if (!s->is_bad && p->diag->errors == errors)
        check_identity(p, l, s);
    p->layout_is_bad[p->image->layouts - 1] = s->is_bad || p->diag->errors != errors;
    if (good)
        check_place(p, s, l);
}

static uint16_t round_up(unsigned n)
{
    unsigned size = 1;
    while (size < n)
        size *= 2;
    return (uint16_t)size;
}

static void declare_size(struct program *p, const struct setting *set, unsigned least, unsigned most, uint16_t *size)
{
    uint64_t v;
    if (!expr_eval_range(p, set->expr, 1, most, "the size of an array", &v))
        return;
    if ((v & (v - 1)) != 0)
        diag_error(p->diag, set->expr->loc, "an array of %llu: a power of two is needed", (unsigned long long)v);
    else if (v < least)
        diag_error(p->diag, set->expr->loc,
                   "%s %llu does not hold the slots, which end at %u (base and number of .slot)", set->name.text,
                   (unsigned long long)v, least);
    else
        *size = (uint16_t)v;
}

static void size_arrays(struct program *p)
{
    unsigned entries = 1, rows = 1;
    struct image *im = p->image;
    for (unsigned i = 0; i < im->layouts; i++) {
        unsigned end = im->base[im->layout[i].base] + im->layout[i].count;
        rows = end > rows ? end : rows;
        if (im->layout[i].key != FORMAT_NONE)
            entries = end > entries ? end : entries;
    }
    /* Slots beyond the largest arrays were reported. */
    im->cam_entries = round_up(entries <= MOST_ENTRIES ? entries : 1);
    im->data_rows = round_up(rows <= MOST_ROWS ? rows : 1);
    for (const struct setting *set = p->geometry == NULL ? NULL : p->geometry->settings; set != NULL; set = set->next) {
        if (strcmp(set->name.text, "cam") == 0)
            declare_size(p, set, entries, MOST_ENTRIES, &im->cam_entries);
        else if (strcmp(set->name.text, "data") == 0)
            declare_size(p, set, rows, MOST_ROWS, &im->data_rows);
        else
            diag_error(p->diag, set->name.loc, "the arrays are 'cam ENTRIES' and 'data ROWS'");
    }
}

void program_lay_out(struct program *p)
{
    for (unsigned i = 0; i < p->slot_count; i++)
        lay_out_slot(p, p->slots[i]);
    size_arrays(p);
}
