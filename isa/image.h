/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program image, pc.out: what the assembler writes and everybody else loads. Versioned, checksummed, and trusted by
 * no loader: image_load accepts only what image_check finds sound. The byte format is in docs/formats.md. */
#ifndef ISA_IMAGE_H
#define ISA_IMAGE_H

#include <stdio.h>

#include "isa/contract/exact.h"
#include "isa/contract/sampler.h"
#include "isa/isa.h"
#include "isa/opclass.h"
#include "isa/support/status.h"

enum { IMAGE_VERSION = 5, IMAGE_NAME = 32, IMAGE_PATH = 256, IMAGE_FILES = 8, IMAGE_LAYOUTS = 4, IMAGE_MEMBERS = 8 };
/* The body of version 5 has an entry for each of so many opcode classes. */
enum { IMAGE_CLASSES = 21 };
_Static_assert((int)IMAGE_CLASSES == (int)OPCLASS_COUNT, "IMAGE_VERSION: images have an entry for each opcode class");
enum { IMAGE_PARAMS = 16, IMAGE_HELP = 100, IMAGE_MAX_BYTES = 1 << 16 };
enum { IMAGE_NO_ENTRY = 0xff, IMAGE_NO_FILE = 0xff, IMAGE_NO_PARAM = 0xff };

/* How a member of a slot is printed and merged: the rows of format.def. A member's format has FORMAT_LAST added if it
 * is no part of the slot's identity and the value read last is kept. */
enum image_format {
#define FORMAT(sym, name, merge, print, shift, text) FORMAT_##sym,
#include "isa/format.def"
    FORMAT_KINDS,
    FORMAT_LAST = 0x80,
    FORMAT_NONE = 0xff,
};
enum image_merge { MERGE_ADD, MERGE_LARGER, MERGE_SMALLER, MERGE_IDENTITY, MERGE_LAST };
enum image_print { PRINT_NUMBER, PRINT_SIGNED, PRINT_HEX, PRINT_ADDRESS };
struct image_format_row {
    const char *name, *text;
    enum image_merge merge;
    enum image_print print;
    unsigned shift; /* of an address in up to 32 bits */
};
extern const struct image_format_row image_formats[FORMAT_KINDS];
/* The row of a format, without FORMAT_LAST. */
static inline unsigned image_format_row_of(unsigned f) { return f & (FORMAT_LAST - 1u); }
/* Is it a format of a member, FORMAT_LAST included? */
bool image_format_is_sound(unsigned f);
enum image_merge image_format_merge(unsigned f);
static inline bool image_format_is_identity(unsigned f) { return image_format_merge(f) == MERGE_IDENTITY; }
static inline enum image_print image_format_print(unsigned f) { return image_formats[image_format_row_of(f)].print; }
/* What `bits` bits of the format stand for: an address, a number with its sign extended; else the same. */
uint64_t image_format_value(unsigned f, uint64_t held, unsigned bits);
/* What `bits` bits of the format hold of that value. */
uint64_t image_format_held(unsigned f, uint64_t value, unsigned bits);
/* The formats that are part of a slot's identity, or all, as "pc, hex and dec". */
enum { IMAGE_FORMAT_LIST = 128 };
const char *image_format_list(bool all, char text[IMAGE_FORMAT_LIST]);
/* The pc32 of a key of the format pcx, without the first member, of `width_bits` up to 32: its top bit was in bit 31.
 */
static inline uint32_t image_pcx_apart(uint32_t key, uint64_t first, unsigned width_bits)
{
    return key ^ (uint32_t)(first << (32 - width_bits));
}
/* The format of what a key stands for. */
static inline unsigned image_format_of_key(unsigned f) { return f == FORMAT_PCX ? FORMAT_PC : f; }
enum { IMAGE_KEY_BITS = 32 }; /* of an associative entry, those that the host reads */

/* A record that the arrays form: row i of the sub-array at a base register, with associative entry i as its key. */
struct image_layout {
    char name[IMAGE_NAME]; /* the base register's name */
    uint8_t base;
    uint16_t count;    /* slots: a power of two */
    uint8_t key;       /* enum image_format of the associative entry; FORMAT_NONE: the slots have no key */
    uint8_t exact;     /* enum exact_reference, or EXACT_NONE */
    uint8_t key_exact; /* the key of the reference that the associative entry holds, or EXACT_NONE */
    uint32_t parts;    /* a count of so many is one sample; 1 or more */
    uint8_t members;
    struct {
        char name[IMAGE_NAME];
        uint8_t lane;   /* enum isa_lane */
        uint8_t format; /* enum image_format, perhaps with FORMAT_LAST */
        uint8_t
            exact; /* its key of the reference if it is part of the slot's identity, else its count; or EXACT_NONE */
    } member[IMAGE_MEMBERS];
};

/* Do the parts of the slot's identity go together, and with its exact reference? If it has one, the identity holds each
 * of the reference's keys once, in the key's format, and nothing else, and one member or more of the format `count`
 * holds one of its counts. The error has no beginning. */
enum status image_check_identity(const struct image_layout *l, struct errmsg *err) MUST_USE;

/* A named number for the program's driver. The co-processor does not have it. */
struct image_param {
    char name[IMAGE_NAME];
    uint64_t value;
    char help[IMAGE_HELP]; /* one line of printable ASCII; empty: none */
};

struct image {
    char name[IMAGE_NAME];           /* the program's */
    uint16_t cam_entries, data_rows; /* the smallest machine it runs on */
    uint8_t words;
    uint64_t word[ISA_WORDS];
    uint8_t fields;
    uint8_t field[ISA_FIELDS];    /* enum sample_field, by position in the record */
    uint8_t entry[OPCLASS_COUNT]; /* start address per class, or IMAGE_NO_ENTRY */
    uint64_t constant[ISA_CONSTS];
    uint16_t base[ISA_BASES];
    uint8_t wide; /* a bit for each base register: keys of its sub-array take operand A */
    uint8_t target[ISA_TARGETS];
    uint8_t index_width[ISA_INDEXES];     /* bits: 1..16 */
    uint8_t index_saturates[ISA_INDEXES]; /* 0: wraps */
    uint32_t filter_classes;              /* bit set of enum opclass that the opcode filter passes */
    uint16_t filter1_mask, filter1_match;
    uint8_t filter1_hash, filter2_hash;
    struct sampler_setup sampler;           /* what feeds the program */
    uint8_t sampler_param[SAMPLER_OPTIONS]; /* the parameter that gives an option's value, or IMAGE_NO_PARAM */
    /* names, empty where there is none */
    char value_name[ISA_VALUES][IMAGE_NAME], index_name[ISA_INDEXES][IMAGE_NAME];
    char const_name[ISA_CONSTS][IMAGE_NAME], base_name[ISA_BASES][IMAGE_NAME];
    char label[ISA_WORDS][IMAGE_NAME];
    uint8_t params;
    struct image_param param[IMAGE_PARAMS]; /* names are unique */
    uint8_t layouts;
    struct image_layout layout[IMAGE_LAYOUTS];
    /* where each word comes from */
    uint8_t files;
    char file[IMAGE_FILES][IMAGE_PATH];
    uint8_t word_file[ISA_WORDS]; /* index into file, or IMAGE_NO_FILE */
    uint32_t word_line[ISA_WORDS];
};

/* An image that holds nothing: no entries, one-to-one index widths of 16 bits. */
void image_init(struct image *im);
/* Fills `err` with what is unsound, naming the word, register or table entry. */
enum status image_check(const struct image *im, struct errmsg *err) MUST_USE;

/* Writes the image's bytes into a fresh buffer, the caller's to free. */
void image_save(const struct image *im, uint8_t **bytes, size_t *size_bytes);
/* Reads and checks an image; `name` is for messages. */
enum status image_parse(struct image *im, const uint8_t *bytes, size_t size_bytes, const char *name,
                        struct errmsg *err) MUST_USE;
/* The same from a file; "-" is standard input. */
enum status image_load(struct image *im, const char *path, struct errmsg *err) MUST_USE;

/* Whether a text may be a parameter's help: printable ASCII. */
bool image_is_help(const char *s);
/* The index of a parameter, or -1. */
int image_find_param(const struct image *im, const char *name);
/* The value of a parameter; `otherwise` where the image has none of that name. */
uint64_t image_param_value(const struct image *im, const char *name, uint64_t otherwise);
/* Sets a parameter from "NAME=NUMBER": a C literal from -2^63 to 2^64 - 1. Else ST_INPUT, and no change: `err` names
 * what was expected; an unknown name is answered with the nearest one and the list. */
enum status image_set_param(struct image *im, const char *setting, struct errmsg *err) MUST_USE;

/* The program's sampler, with the values of the parameters that give options. Of a sound image it is one that the
 * sampler can have, until a parameter is set: then sampler_check says. */
struct sampler_setup image_sampler(const struct image *im);
/* Another sampler for the program; no parameter gives its options. */
void image_set_sampler(struct image *im, const struct sampler_setup *setup);
/* Prints the sampler as `.sampler` takes it, with the names of parameters. */
void image_print_sampler(const struct image *im, FILE *out);

/* The address of a label, or -1. */
int image_find_label(const struct image *im, const char *label);
/* Where a word is, by the last label up to it: "label" or "label+2". False, and an empty text, where there is none, or
 * no such word. */
enum { IMAGE_PLACE = IMAGE_NAME + 8 };
bool image_print_place(const struct image *im, unsigned word, char text[IMAGE_PLACE]);
/* Its filters as the assembler reads them; PC filters that let everything through are left out. False where there was
 * none to print. */
bool image_print_filters(const struct image *im, const char *between, FILE *out);
/* Bytes a sample takes in the buffer: its class and its fields, rounded up to 4. */
unsigned image_record_bytes(const struct image *im);
/* The names for isa_print. `store` holds the pointers and must live as long as the result is used. */
struct image_names {
    const char *values[ISA_VALUES], *indexes[ISA_INDEXES], *consts[ISA_CONSTS], *bases[ISA_BASES], *fields[ISA_FIELDS];
    const char *labels[ISA_WORDS];
};
struct isa_names image_names(const struct image *im, struct image_names *store);

#endif
