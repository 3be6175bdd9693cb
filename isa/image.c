/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program image: one description of its layout for writing and reading, and one set of validity rules. */
#include "isa/image.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/file_form.h"
#include "base/little_endian.h"
#include "isa/pchash.h"

static const uint8_t magic[8] = {0x7f, 'P', 'C', 'O', 'U', 'T', '\r', '\n'};

/* The header: magic, version, total size in bytes, checksum of the body. All numbers are little-endian. */
enum { AT_VERSION = 8, AT_SIZE = 12, AT_SUM = 16, AT_BODY = 20 };

void image_init(struct image *im)
{
    memset(im, 0, sizeof *im);
    memset(im->entry, IMAGE_NO_ENTRY, sizeof im->entry);
    memset(im->index_width, 16, sizeof im->index_width);
    memset(im->word_file, IMAGE_NO_FILE, sizeof im->word_file);
    memset(im->sampler_param, IMAGE_NO_PARAM, sizeof im->sampler_param);
    im->gate = im->window = IMAGE_NO_INDEX;
}

/* Position in an image that is written or read. After the first error, which is kept, reads return zero. */
struct cursor {
    uint8_t *out;
    const uint8_t *in;
    size_t at, size;
    bool writing, bad;
    size_t bad_at, found, most;
    const char *bad_what;
};

/* Records the error that a count exceeds its maximum. */
static void image_refuse(struct cursor *c, size_t at, const char *what, size_t found, size_t most)
{
    if (c->bad)
        return;
    c->bad = true;
    c->bad_at = at;
    c->bad_what = what;
    c->found = found;
    c->most = most;
}

static void move_bytes(struct cursor *c, uint8_t *bytes, size_t n)
{
    if (c->size - c->at < n)
        image_refuse(c, c->at, "more bytes of the body", n, c->size - c->at);
    if (c->bad) {
        memset(bytes, 0, n);
        return;
    }
    if (c->writing)
        memcpy(c->out + c->at, bytes, n);
    else
        memcpy(bytes, c->in + c->at, n);
    c->at += n;
}

/* Reads or writes an unsigned number of n bytes. */
static uint64_t move_number(struct cursor *c, uint64_t v, unsigned n)
{
    uint8_t bytes[8];
    little_endian_put(bytes, v, n);
    move_bytes(c, bytes, n);
    return little_endian_get(bytes, n);
}

static void move8(struct cursor *c, uint8_t *v) { *v = (uint8_t)move_number(c, *v, 1); }
static void move16(struct cursor *c, uint16_t *v) { *v = (uint16_t)move_number(c, *v, 2); }
static void move32(struct cursor *c, uint32_t *v) { *v = (uint32_t)move_number(c, *v, 4); }

/* Reads or writes a string: 2 bytes of length, then the characters. */
static void move_string(struct cursor *c, char *s, size_t room)
{
    uint16_t n = c->writing ? (uint16_t)strnlen(s, room - 1) : 0;
    move16(c, &n);
    if (n >= room) {
        image_refuse(c, c->at - 2, "characters of a string", n, room - 1);
        n = 0;
    }
    move_bytes(c, (uint8_t *)s, n);
    if (!c->writing)
        s[n] = '\0';
}

/* Reads or writes the number of elements of the table that follows. */
static void move_count(struct cursor *c, uint8_t *n, unsigned room)
{
    move8(c, n);
    if (*n > room) {
        image_refuse(c, c->at - 1, "elements of a table", *n, room);
        *n = 0;
    }
}

static void move_layout(struct cursor *c, struct image_layout *l)
{
    move_string(c, l->name, sizeof l->name);
    move8(c, &l->base);
    move16(c, &l->count);
    move8(c, &l->key);
    move8(c, &l->exact);
    move8(c, &l->key_exact);
    move32(c, &l->parts);
    move_count(c, &l->members, IMAGE_MEMBERS);
    for (unsigned i = 0; i < l->members; i++) {
        move_string(c, l->member[i].name, sizeof l->member[i].name);
        move8(c, &l->member[i].lane);
        move8(c, &l->member[i].format);
        move8(c, &l->member[i].exact);
    }
}

static void move_registers(struct cursor *c, struct image *im)
{
    for (unsigned i = 0; i < ISA_VALUES; i++)
        move_string(c, im->value_name[i], IMAGE_NAME);
    for (unsigned i = 0; i < ISA_INDEXES; i++) {
        move8(c, &im->index_width[i]);
        move8(c, &im->index_saturates[i]);
        move_string(c, im->index_name[i], IMAGE_NAME);
    }
    move8(c, &im->gate);
    move8(c, &im->window);
    for (unsigned i = 0; i < ISA_CONSTS; i++) {
        im->constant[i] = move_number(c, im->constant[i], 8);
        move_string(c, im->const_name[i], IMAGE_NAME);
    }
    for (unsigned i = 0; i < ISA_BASES; i++) {
        move16(c, &im->base[i]);
        move_string(c, im->base_name[i], IMAGE_NAME);
    }
    move8(c, &im->wide);
    for (unsigned i = 0; i < ISA_TARGETS; i++)
        move8(c, &im->target[i]);
}

static void move_params(struct cursor *c, struct image *im)
{
    move_count(c, &im->params, IMAGE_PARAMS);
    for (unsigned i = 0; i < im->params; i++) {
        struct image_param *p = &im->param[i];
        move_string(c, p->name, sizeof p->name);
        p->value = move_number(c, p->value, 8);
        move_string(c, p->help, sizeof p->help);
    }
}

/* Reads or writes the sampler and its given options. */
static void move_sampler(struct cursor *c, struct image *im)
{
    uint8_t given = (uint8_t)im->sampler.given;
    _Static_assert((int)SAMPLER_OPTIONS == 8, "a bit of a byte for each option");
    move8(c, &im->sampler.sampler);
    move8(c, &given);
    im->sampler.given = given;
    for (unsigned i = 0; i < SAMPLER_OPTIONS; i++) {
        if ((given >> i & 1) == 0)
            continue;
        im->sampler.option[i] = move_number(c, im->sampler.option[i], 8);
        move8(c, &im->sampler_param[i]);
    }
}

/* Reads or writes the body in file order. */
static void move_image(struct cursor *c, struct image *im)
{
    move_string(c, im->name, sizeof im->name);
    move16(c, &im->cam_entries);
    move16(c, &im->data_rows);
    move_count(c, &im->fields, ISA_FIELDS);
    move_bytes(c, im->field, im->fields);
    move_bytes(c, im->entry, sizeof im->entry);
    move_registers(c, im);
    move32(c, &im->filter_classes);
    move32(c, &im->kept_classes);
    move16(c, &im->filter1_mask);
    move16(c, &im->filter1_match);
    move8(c, &im->filter1_hash);
    move8(c, &im->filter2_hash);
    move_sampler(c, im);
    move_params(c, im);
    move_count(c, &im->layouts, IMAGE_LAYOUTS);
    for (unsigned i = 0; i < im->layouts; i++)
        move_layout(c, &im->layout[i]);
    move_count(c, &im->files, IMAGE_FILES);
    for (unsigned i = 0; i < im->files; i++)
        move_string(c, im->file[i], IMAGE_PATH);
    move_count(c, &im->words, ISA_WORDS);
    for (unsigned i = 0; i < im->words; i++) {
        im->word[i] = move_number(c, im->word[i], ISA_WORD_BITS / 8);
        move_string(c, im->label[i], IMAGE_NAME);
        move8(c, &im->word_file[i]);
        move32(c, &im->word_line[i]);
    }
}

/* CRC-32 (IEEE 802.3, reflected), bitwise, because an image has only a few kilobytes. */
static uint32_t checksum(const uint8_t *bytes, size_t n)
{
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

static uint32_t get32(const uint8_t *at) { return (uint32_t)little_endian_get(at, 4); }

void image_save(const struct image *im, uint8_t **bytes, size_t *size_bytes)
{
    struct image copy = *im;
    uint8_t *out = xcalloc(1, IMAGE_MAX_BYTES);
    struct cursor c = {.out = out, .at = AT_BODY, .size = IMAGE_MAX_BYTES, .writing = true};
    move_image(&c, &copy);
    if (c.bad)
        BUG("an image of more than %d bytes", IMAGE_MAX_BYTES);
    memcpy(out, magic, sizeof magic);
    little_endian_put(out + AT_VERSION, IMAGE_VERSION, 4);
    little_endian_put(out + AT_SIZE, (uint32_t)c.at, 4);
    little_endian_put(out + AT_SUM, checksum(out + AT_BODY, c.at - AT_BODY), 4);
    *bytes = out;
    *size_bytes = c.at;
}

static const char expected_image[] = "a program image, which pcasm makes";

enum status image_parse(struct image *im, const uint8_t *bytes, size_t size_bytes, const char *name, struct errmsg *err)
{
    if (size_bytes < AT_BODY || memcmp(bytes, magic, sizeof magic) != 0)
        return file_form_refuse(name, bytes, size_bytes, expected_image, ST_FORMAT, err);
    uint32_t version = get32(bytes + AT_VERSION), size = get32(bytes + AT_SIZE);
    if (version > IMAGE_VERSION)
        return fail(err, ST_VERSION, "%s: offset %d: image version %u is newer than this tool, which reads version %d",
                    name, AT_VERSION, version, IMAGE_VERSION);
    if (version == 0)
        return fail(err, ST_FORMAT, "%s: offset %d: image version 0 does not exist", name, AT_VERSION);
    if (version < IMAGE_VERSION)
        return fail(err, ST_VERSION,
                    "%s: offset %d: image version %u is older than this tool, which reads version %d: "
                    "assemble the program again",
                    name, AT_VERSION, version, IMAGE_VERSION);
    if (size != size_bytes)
        return fail(err, ST_FORMAT, "%s: offset %d: expected %u bytes in all, found %zu", name, AT_SIZE, size,
                    size_bytes);
    uint32_t sum = checksum(bytes + AT_BODY, size_bytes - AT_BODY);
    if (sum != get32(bytes + AT_SUM))
        return fail(err, ST_FORMAT, "%s: offset %d: checksum is %08x, the contents give %08x: the file is damaged",
                    name, AT_SUM, get32(bytes + AT_SUM), sum);
    image_init(im);
    struct cursor c = {.in = bytes, .at = AT_BODY, .size = size_bytes};
    move_image(&c, im);
    if (c.bad)
        return fail(err, ST_FORMAT, "%s: offset %zu: expected at most %zu %s, found %zu", name, c.bad_at, c.most,
                    c.bad_what, c.found);
    if (c.at != size_bytes)
        return fail(err, ST_FORMAT, "%s: offset %zu: expected the end after the last word, found %zu bytes", name, c.at,
                    size_bytes - c.at);
    struct errmsg why;
    if (image_check(im, &why) != ST_OK)
        return fail(err, ST_FORMAT, "%s: %.400s", name, why.text);
    return ST_OK;
}

enum status image_load(struct image *im, const char *path, struct errmsg *err)
{
    char *data;
    size_t size_bytes;
    enum status st = strcmp(path, "-") != 0 ? file_form_check(path, FILE_FORM_IMAGE, expected_image, ST_FORMAT, err)
                                            : ST_OK;
    if (st == ST_OK)
        st = file_read(path, IMAGE_MAX_BYTES, &data, &size_bytes, err);
    if (st != ST_OK)
        return st;
    st = image_parse(im, (const uint8_t *)data, size_bytes, strcmp(path, "-") == 0 ? "standard input" : path, err);
    free(data);
    return st;
}

unsigned image_window(const struct image *im)
{
    return im->window == IMAGE_NO_INDEX ? 0 : 1u << im->index_width[im->window];
}

static bool image_is_power_of_two(unsigned n) { return n != 0 && (n & (n - 1)) == 0; }

/* Returns whether the string is empty or an identifier of the assembly language. */
static bool image_is_name(const char *s)
{
    if (s[0] != '\0' && !isalpha((unsigned char)s[0]) && s[0] != '_')
        return false;
    for (; *s != '\0'; s++)
        if (!isalnum((unsigned char)*s) && *s != '_')
            return false;
    return true;
}

static const char *check_branch(const struct image *im, const struct uop *u, unsigned at)
{
    bool branch = u->cond != COND_NEVER || u->invert, always = u->cond == COND_NEVER && u->invert;
    if (!always && at == im->words - 1u)
        return "runs past the last word";
    if (branch && u->target < TARGET_DONE && im->target[u->target] >= im->words)
        return "branches to a target register that holds no address of the program";
    if (branch && u->target >= TARGET_BACK) {
        int to = (int)at + isa_target_offset(u->target);
        if (to < 0 || to >= im->words)
            return "branches out of the program";
    }
    return NULL;
}

static enum status check_words(const struct image *im, struct errmsg *err)
{
    if (im->words == 0)
        return fail(err, ST_FORMAT, "the program has no words");
    for (unsigned i = 0; i < im->words; i++) {
        struct uop u;
        isa_decode(im->word[i], &u);
        const char *why = isa_check(&u, im->wide);
        if (why == NULL)
            why = check_branch(im, &u, i);
        if (why == NULL && u.b >= BSRC_FIELD && u.b - BSRC_FIELD >= im->fields)
            why = "reads a sample field that the program does not collect";
        if (why != NULL)
            return fail(err, ST_FORMAT, "word %u (%012llx): %s", i, (unsigned long long)im->word[i], why);
        if (im->word_file[i] != IMAGE_NO_FILE && im->word_file[i] >= im->files)
            return fail(err, ST_FORMAT, "word %u: its source file number %u does not exist", i, im->word_file[i]);
        if (!image_is_name(im->label[i]))
            return fail(err, ST_FORMAT, "word %u: its label is not a name", i);
    }
    return ST_OK;
}

static enum status image_check_name(const char *name, const char *what, unsigned i, struct errmsg *err)
{
    return image_is_name(name)
               ? ST_OK
               : fail(err, ST_FORMAT, "%s %u: '%s' is not a name; expected letters, digits and _, and no digit first",
                      what, i, name);
}

static enum status image_check_names(const struct image *im, struct errmsg *err)
{
    enum status st = image_is_name(im->name) ? ST_OK
                                             : fail(err, ST_FORMAT, "the program's name '%s' is not a name", im->name);
    for (unsigned i = 0; st == ST_OK && i < ISA_VALUES; i++)
        st = image_check_name(im->value_name[i], "value register", i, err);
    for (unsigned i = 0; st == ST_OK && i < ISA_INDEXES; i++)
        st = image_check_name(im->index_name[i], "index register", i, err);
    for (unsigned i = 0; st == ST_OK && i < ISA_CONSTS; i++)
        st = image_check_name(im->const_name[i], "constant register", i, err);
    for (unsigned i = 0; st == ST_OK && i < ISA_BASES; i++)
        st = image_check_name(im->base_name[i], "base register", i, err);
    return st;
}

static enum status image_check_registers(const struct image *im, struct errmsg *err)
{
    for (unsigned i = 0; i < ISA_INDEXES; i++) {
        if (im->index_width[i] < 1 || im->index_width[i] > 16)
            return fail(err, ST_FORMAT, "index register %u: a width of %u bits, expected 1 to 16", i,
                        im->index_width[i]);
        if (im->index_saturates[i] > 1)
            return fail(err, ST_FORMAT, "index register %u: mode %u, expected 0 (wraps) or 1 (saturates)", i,
                        im->index_saturates[i]);
    }
    if ((im->gate != IMAGE_NO_INDEX && im->gate >= ISA_INDEXES) ||
        (im->window != IMAGE_NO_INDEX && im->window >= ISA_INDEXES))
        return fail(err, ST_FORMAT, "gate and window: index registers %u and %u, expected less than %d, or %d for none",
                    im->gate, im->window, ISA_INDEXES, IMAGE_NO_INDEX);
    for (unsigned i = 0; i < ISA_TARGETS; i++)
        if (im->target[i] >= ISA_WORDS)
            return fail(err, ST_FORMAT, "target register %u: address %u, expected less than %d", i, im->target[i],
                        ISA_WORDS);
    return image_check_names(im, err);
}

static enum status check_front_end(const struct image *im, struct errmsg *err)
{
    for (unsigned c = 0; c < OPCLASS_COUNT; c++) {
        bool passes = im->filter_classes >> c & 1;
        if (im->entry[c] != IMAGE_NO_ENTRY && im->entry[c] >= im->words)
            return fail(err, ST_FORMAT, "class %s enters at word %u of a program of %u", opclass_name(c), im->entry[c],
                        im->words);
        if (passes && im->entry[c] == IMAGE_NO_ENTRY)
            return fail(err, ST_FORMAT, "the opcode filter passes class %s, which has no entry", opclass_name(c));
    }
    if (im->filter_classes >> OPCLASS_COUNT != 0)
        return fail(err, ST_FORMAT, "the opcode filter names classes above %d", OPCLASS_COUNT - 1);
    if ((im->kept_classes & ~im->filter_classes) != 0)
        return fail(err, ST_FORMAT, "classes 0x%x are to be kept, and the opcode filter passes 0x%x", im->kept_classes,
                    im->filter_classes);
    if (im->filter1_hash >= PCHASH_COUNT || im->filter2_hash >= PCHASH_COUNT)
        return fail(err, ST_FORMAT, "the PC filters name hash functions %u and %u, expected less than %d",
                    im->filter1_hash, im->filter2_hash, PCHASH_COUNT);
    for (unsigned i = 0; i < im->fields; i++)
        for (unsigned k = 0; k <= i; k++)
            if (im->field[i] >= FIELD_COUNT || (k < i && im->field[k] == im->field[i]))
                return fail(err, ST_FORMAT, "position %u of the record: field number %u is unknown or occurs twice", i,
                            im->field[i]);
    return ST_OK;
}

/* Records that the slot's identity includes a key of the reference, in format `format`. */
static enum status note_key(const struct image_layout *l, const char *name, unsigned key, unsigned format,
                            unsigned *keys, struct errmsg *err)
{
    const struct exact_kind *kind = &exact_kinds[l->exact];
    if (key >= exact_key_count((enum exact_reference)l->exact))
        return fail(err, ST_FORMAT,
                    "'%s' is part of the slot's identity, but no key of the exact reference '%s', which has %u: "
                    "expected 'exact KEY' for it, or another reference",
                    name, kind->name, exact_key_count((enum exact_reference)l->exact));
    if (kind->key[key].format != slot_format_of_key(format))
        return fail(err, ST_FORMAT, "'%s' has the format %s: expected %s for '%s' of the exact reference '%s'", name,
                    slot_formats[format].name, slot_formats[kind->key[key].format].name, kind->key[key].name,
                    kind->name);
    if ((*keys >> key & 1) != 0)
        return fail(err, ST_FORMAT, "a second member holds '%s' of the exact reference '%s'", kind->key[key].name,
                    kind->name);
    *keys |= 1u << key;
    return ST_OK;
}

/* Records which key or count of the reference a member holds. */
static enum status note_member(const struct image_layout *l, unsigned m, unsigned *keys, unsigned *counts,
                               struct errmsg *err)
{
    const char *name = l->member[m].name;
    unsigned exact = l->member[m].exact, format = l->member[m].format;
    if (slot_format_is_identity(format))
        return note_key(l, name, exact, format, keys, err);
    if (exact == EXACT_NONE)
        return ST_OK;
    if (!slot_format_is_counter(format))
        return fail(err, ST_FORMAT, "'%s' has the format %s: expected count for a count of the exact reference '%s'",
                    name, slot_formats[slot_format_row_of(format)].name, exact_kinds[l->exact].name);
    if (exact >= exact_count_count((enum exact_reference)l->exact))
        return fail(err, ST_FORMAT, "'%s' is count %u of the exact reference '%s', which has fewer", name, exact,
                    exact_kinds[l->exact].name);
    if ((*counts >> exact & 1) != 0)
        return fail(err, ST_FORMAT, "'%s' is a second member for '%s' of the exact reference '%s'", name,
                    exact_kinds[l->exact].count[exact].name, exact_kinds[l->exact].name);
    *counts |= 1u << exact;
    return ST_OK;
}

/* Checks that a layout without a reference names no key or count of one. */
static enum status check_no_exact(const struct image_layout *l, struct errmsg *err)
{
    bool names = l->key_exact != EXACT_NONE || l->parts != 1;
    for (unsigned m = 0; m < l->members; m++)
        names = names || l->member[m].exact != EXACT_NONE;
    return names ? fail(err, ST_FORMAT, "it has parts, keys or counts of an exact reference, and names none") : ST_OK;
}

/* Checks that no signed member has 64 bits: reports have signed numbers of up to 32 bits. */
static enum status check_signed(const struct image_layout *l, struct errmsg *err)
{
    for (unsigned m = 0; m < l->members; m++)
        if (slot_format_print(l->member[m].format) == PRINT_SIGNED && isa_lanes[l->member[m].lane].width == 64)
            return fail(err, ST_FORMAT, "'%s' has 64 bits: expected 8, 16 or 32 with the format signed",
                        l->member[m].name);
    return ST_OK;
}

/* Checks that only a key has format pcx, and that the slot's first member is suitable for it. */
static enum status check_pcx(const struct image_layout *l, struct errmsg *err)
{
    char list[SLOT_FORMAT_LIST];
    for (unsigned m = 0; m < l->members; m++)
        if (slot_format_row_of(l->member[m].format) == FORMAT_PCX)
            return fail(err, ST_FORMAT, "'%s' has the format pcx: expected it of the key alone", l->member[m].name);
    if (l->key == FORMAT_PCX &&
        (l->members == 0 || isa_lanes[l->member[0].lane].width > 32 || !slot_format_is_identity(l->member[0].format)))
        return fail(err, ST_FORMAT, "a key of the format pcx: expected a first member of up to 32 bits that is %s",
                    slot_format_list(false, list));
    return ST_OK;
}

enum status image_check_identity(const struct image_layout *l, struct errmsg *err)
{
    unsigned keys = 0, counts = 0;
    char list[EXACT_NAME_LIST];
    enum status st = check_pcx(l, err);
    if (st == ST_OK)
        st = check_signed(l, err);
    if (st != ST_OK)
        return st;
    if (l->parts == 0)
        return fail(err, ST_FORMAT, "a sample of 0 parts: expected 1 or more");
    if (l->exact == EXACT_NONE)
        return check_no_exact(l, err);
    if (l->exact >= EXACT_REFERENCES)
        return fail(err, ST_FORMAT, "exact reference number %u is unknown", l->exact);
    if (l->key != FORMAT_NONE)
        st = note_key(l, "key", l->key_exact, l->key, &keys, err);
    for (unsigned m = 0; m < l->members && st == ST_OK; m++)
        st = note_member(l, m, &keys, &counts, err);
    for (unsigned k = 0; k < exact_key_count((enum exact_reference)l->exact) && st == ST_OK; k++)
        if ((keys >> k & 1) == 0)
            st = fail(err, ST_FORMAT, "no member holds '%s' of the exact reference '%s'",
                      exact_kinds[l->exact].key[k].name, exact_kinds[l->exact].name);
    if (st == ST_OK && counts == 0)
        st = fail(err, ST_FORMAT,
                  "no member is a count of the exact reference '%s': expected 'exact NAME' in one; it has %s",
                  exact_kinds[l->exact].name, exact_name_list((enum exact_reference)l->exact, false, list));
    return st;
}

static enum status check_layout(const struct image *im, const struct image_layout *l, struct errmsg *err)
{
    if (l->base >= ISA_BASES || !image_is_power_of_two(l->count) || l->count > im->data_rows || !image_is_name(l->name))
        return fail(err, ST_FORMAT, "slot layout: %u slots at base register %u do not fit the machine", l->count,
                    l->base);
    if ((im->base[l->base] & (l->count - 1)) != 0 || im->base[l->base] + l->count > im->data_rows)
        return fail(err, ST_FORMAT,
                    "slot layout %s: base %u is not aligned to its %u slots, or they end after the data array", l->name,
                    im->base[l->base], l->count);
    if (l->key != FORMAT_NONE && (!slot_format_is_identity(l->key) || im->base[l->base] + l->count > im->cam_entries))
        return fail(err, ST_FORMAT, "slot layout %s: its keys do not fit the associative array", l->name);
    for (unsigned i = 0; i < l->members; i++)
        if (l->member[i].lane >= LANE_COUNT || !slot_format_is_sound(l->member[i].format) ||
            !image_is_name(l->member[i].name))
            return fail(err, ST_FORMAT, "slot layout %s: member %u is not one", l->name, i);
    struct errmsg why;
    if (image_check_identity(l, &why) != ST_OK)
        return fail(err, ST_FORMAT, "slot layout %s: %.400s", l->name, why.text);
    return ST_OK;
}

static enum status check_params(const struct image *im, struct errmsg *err)
{
    if (im->params > IMAGE_PARAMS)
        return fail(err, ST_FORMAT, "%u parameters: expected at most %d", im->params, IMAGE_PARAMS);
    for (unsigned i = 0; i < im->params; i++) {
        const struct image_param *p = &im->param[i];
        enum status st = p->name[0] != '\0' ? image_check_name(p->name, "parameter", i, err)
                                            : fail(err, ST_FORMAT, "parameter %u has no name", i);
        if (st != ST_OK)
            return st;
        if (image_find_param(im, p->name) != (int)i)
            return fail(err, ST_FORMAT, "parameter %u: the name '%s' occurs twice", i, p->name);
        if (!image_is_help(p->help))
            return fail(err, ST_FORMAT, "parameter %u, %s: its help is not one line of printable ASCII", i, p->name);
    }
    return ST_OK;
}

static enum status check_sampler(const struct image *im, struct errmsg *err)
{
    struct errmsg why;
    if (im->sampler.sampler >= SAMPLER_COUNT)
        return fail(err, ST_FORMAT, "sampler number %u is unknown", im->sampler.sampler);
    for (unsigned i = 0; i < SAMPLER_OPTIONS; i++)
        if ((im->sampler.given >> i & 1) != 0 && im->sampler_param[i] != IMAGE_NO_PARAM &&
            (im->sampler_param[i] >= im->params || samplers[im->sampler.sampler].option[i].unit == NULL))
            return fail(err, ST_FORMAT, "the sampler's option %u: it takes no number, or there is no parameter %u", i,
                        im->sampler_param[i]);
    struct sampler_setup setup = image_sampler(im);
    enum status st = sampler_check(&setup, &why);
    for (unsigned i = 0; st == ST_OK && i < im->fields; i++)
        st = sampler_check_field(&setup, (enum sample_field)im->field[i], &why);
    return st == ST_OK ? ST_OK : fail(err, ST_FORMAT, "%.400s", why.text);
}

enum status image_check(const struct image *im, struct errmsg *err)
{
    enum status st = check_words(im, err);
    if (st == ST_OK)
        st = image_check_registers(im, err);
    if (st == ST_OK)
        st = check_params(im, err);
    if (st == ST_OK)
        st = check_front_end(im, err);
    if (st == ST_OK)
        st = check_sampler(im, err);
    if (st == ST_OK && (!image_is_power_of_two(im->cam_entries) || !image_is_power_of_two(im->data_rows) ||
                        im->cam_entries > 4 * ISA_CAM_ENTRIES || im->data_rows > 4 * ISA_DATA_ROWS))
        st = fail(err, ST_FORMAT, "arrays of %u entries and %u rows: expected powers of two up to %d and %d",
                  im->cam_entries, im->data_rows, 4 * ISA_CAM_ENTRIES, 4 * ISA_DATA_ROWS);
    for (unsigned i = 0; st == ST_OK && i < im->layouts; i++)
        st = check_layout(im, &im->layout[i], err);
    return st;
}

int image_find_label(const struct image *im, const char *label)
{
    for (int i = 0; i < im->words; i++)
        if (strcmp(im->label[i], label) == 0)
            return i;
    return -1;
}

bool image_print_place(const struct image *im, unsigned word, char text[IMAGE_PLACE])
{
    unsigned at = word < im->words ? word : 0;
    while (at > 0 && im->label[at][0] == '\0')
        at--;
    text[0] = '\0';
    if (word >= im->words || im->label[at][0] == '\0')
        return false;
    snprintf(text, IMAGE_PLACE, at == word ? "%s" : "%s+%u", im->label[at], word - at);
    return true;
}

static void image_print_classes(uint32_t classes, const char *lead, FILE *out)
{
    for (int c = 0; c < OPCLASS_COUNT; c++)
        if (classes >> c & 1) {
            fprintf(out, "%s%s", lead, opclass_name((enum opclass)c));
            lead = ", ";
        }
}

bool image_print_filters(const struct image *im, const char *between, FILE *out)
{
    image_print_classes(im->filter_classes, ".filter class ", out);
    bool any = im->filter_classes != 0;
    if (im->kept_classes != 0) {
        fputs(between, out);
        image_print_classes(im->kept_classes, ".filter keep ", out);
    }
    if (im->filter1_mask != 0 || im->filter1_match != 0 || im->filter1_hash != 0) {
        fprintf(out, "%s.filter pc mask 0x%x match 0x%x hash %u", any ? between : "", im->filter1_mask,
                im->filter1_match, im->filter1_hash);
        any = true;
    }
    if (im->filter2_hash != 0) {
        fprintf(out, "%s.filter ignore hash %u", any ? between : "", im->filter2_hash);
        any = true;
    }
    return any;
}

unsigned image_record_bytes(const struct image *im)
{
    unsigned bits = 8;
    for (unsigned i = 0; i < im->fields; i++)
        bits += sample_fields[im->field[i]].width_bits;
    return (bits / 8 + 3) & ~3u;
}

static const char *image_lane_name(const void *ctx, unsigned base, unsigned lane)
{
    const struct image *im = ctx;
    for (unsigned i = 0; i < im->layouts; i++)
        for (unsigned k = 0; im->layout[i].base == base && k < im->layout[i].members; k++)
            if (im->layout[i].member[k].lane == lane)
                return im->layout[i].member[k].name;
    return NULL;
}

/* An empty name means no name. */
static void point_at(const char **to, const char (*names)[IMAGE_NAME], unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        to[i] = names[i][0] != '\0' ? names[i] : NULL;
}

struct isa_names image_names(const struct image *im, struct image_names *store)
{
    point_at(store->values, im->value_name, ISA_VALUES);
    point_at(store->indexes, im->index_name, ISA_INDEXES);
    point_at(store->consts, im->const_name, ISA_CONSTS);
    point_at(store->bases, im->base_name, ISA_BASES);
    point_at(store->labels, im->label, ISA_WORDS);
    for (unsigned i = 0; i < ISA_FIELDS; i++)
        store->fields[i] = i < im->fields ? sample_fields[im->field[i]].name : NULL;
    return (struct isa_names){
        .values = store->values,
        .indexes = store->indexes,
        .consts = store->consts,
        .bases = store->bases,
        .fields = store->fields,
        .labels = store->labels,
        .lane = image_lane_name,
        .ctx = im,
        .wide = im->wide,
    };
}
