/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program image (pc.out), written by the assembler and loaded by all other tools. It has a version and a checksum;
 * image_load accepts only images that pass image_check. docs/formats.md describes the byte format. */
#ifndef ISA_IMAGE_H
#define ISA_IMAGE_H

#include <stdio.h>

#include "base/status.h"
#include "contract/exact.h"
#include "contract/opclass.h"
#include "contract/slot_format.h"
#include "isa/isa.h"
#include "isa/sampler.h"

enum { IMAGE_VERSION = 6, IMAGE_NAME = 32, IMAGE_PATH = 256, IMAGE_FILES = 8, IMAGE_LAYOUTS = 4, IMAGE_MEMBERS = 8 };
/* Number of opcode classes in the body of format version 6. */
enum { IMAGE_CLASSES = 21 };
_Static_assert((int)IMAGE_CLASSES == (int)OPCLASS_COUNT, "IMAGE_VERSION: images have an entry for each opcode class");
enum { IMAGE_PARAMS = 16, IMAGE_HELP = 100, IMAGE_MAX_BYTES = 1 << 16 };
enum { IMAGE_NO_ENTRY = 0xff, IMAGE_NO_FILE = 0xff, IMAGE_NO_PARAM = 0xff, IMAGE_NO_INDEX = 0xff };

enum { IMAGE_KEY_BITS = 32 }; /* of an associative entry, those that the host reads */

/* Slot layout: slot i consists of row i of the sub-array at a base register, with associative entry i as its key. */
struct image_layout {
    char name[IMAGE_NAME]; /* the base register's name */
    uint8_t base;
    uint16_t count;    /* number of slots, a power of two */
    uint8_t key;       /* enum slot_format of the associative entry; FORMAT_NONE: the slots have no key */
    uint8_t exact;     /* enum exact_reference, or EXACT_NONE */
    uint8_t key_exact; /* the key of the reference that the associative entry holds, or EXACT_NONE */
    uint32_t parts;    /* counts per sample; at least 1 */
    uint8_t members;
    struct {
        char name[IMAGE_NAME];
        uint8_t lane;   /* enum isa_lane */
        uint8_t format; /* enum slot_format, with or without FORMAT_LAST */
        uint8_t exact;  /* key of the reference if part of the slot's identity, else count; or EXACT_NONE */
    } member[IMAGE_MEMBERS];
};

/* Checks the slot's identity against its exact reference. With a reference, the identity must hold each key of the
 * reference once, in that key's format, and nothing else, and at least one member of format `count` must hold one of
 * its counts. The error message has no prefix. */
enum status image_check_identity(const struct image_layout *l, struct errmsg *err) MUST_USE;

/* A named number for the program's driver; it is not stored in the co-processor. */
struct image_param {
    char name[IMAGE_NAME];
    uint64_t value;
    char help[IMAGE_HELP]; /* one line of printable ASCII; "": none */
};

struct image {
    char name[IMAGE_NAME];           /* name of the program */
    uint16_t cam_entries, data_rows; /* minimum array sizes of the machine */
    uint8_t words;
    uint64_t word[ISA_WORDS];
    uint8_t fields;
    uint8_t field[ISA_FIELDS];    /* enum sample_field, by position in the record */
    uint8_t entry[OPCLASS_COUNT]; /* start address per class, or IMAGE_NO_ENTRY */
    uint64_t constant[ISA_CONSTS];
    uint16_t base[ISA_BASES];
    uint8_t wide; /* bit mask of base registers whose sub-arrays have keys that include operand A */
    uint8_t target[ISA_TARGETS];
    uint8_t index_width[ISA_INDEXES];     /* bits: 1..16 */
    uint8_t index_saturates[ISA_INDEXES]; /* 0: wraps */
    uint8_t gate;                         /* index register that is the gate of the sample buffer, or IMAGE_NO_INDEX */
    uint8_t window;          /* index register whose values number the samples of a window, or IMAGE_NO_INDEX */
    uint32_t filter_classes; /* bit set of enum opclass that the opcode filter passes */
    uint32_t kept_classes;   /* of these, those of which no sample is dropped early; 0: no class is */
    uint16_t filter1_mask, filter1_match;
    uint8_t filter1_hash, filter2_hash;
    struct sampler_setup sampler;           /* the program's sampler */
    uint8_t sampler_param[SAMPLER_OPTIONS]; /* for each option, the parameter that sets its value, or IMAGE_NO_PARAM */
    /* names; "": none */
    char value_name[ISA_VALUES][IMAGE_NAME], index_name[ISA_INDEXES][IMAGE_NAME];
    char const_name[ISA_CONSTS][IMAGE_NAME], base_name[ISA_BASES][IMAGE_NAME];
    char label[ISA_WORDS][IMAGE_NAME];
    uint8_t params;
    struct image_param param[IMAGE_PARAMS]; /* names are unique */
    uint8_t layouts;
    struct image_layout layout[IMAGE_LAYOUTS];
    /* source position of each word */
    uint8_t files;
    char file[IMAGE_FILES][IMAGE_PATH];
    uint8_t word_file[ISA_WORDS]; /* index into file, or IMAGE_NO_FILE */
    uint32_t word_line[ISA_WORDS];
};

/* An empty image: no entries, all index registers 16 bits wide. */
void image_init(struct image *im);
/* Checks the image; an error message names the word, register or table entry. */
enum status image_check(const struct image *im, struct errmsg *err) MUST_USE;

/* Encodes the image into a new buffer, which the caller frees. */
void image_save(const struct image *im, uint8_t **bytes, size_t *size_bytes);
/* Reads and checks an image; `name` is for messages. */
enum status image_parse(struct image *im, const uint8_t *bytes, size_t size_bytes, const char *name,
                        struct errmsg *err) MUST_USE;
/* image_parse of a file; "-" is standard input. */
enum status image_load(struct image *im, const char *path, struct errmsg *err) MUST_USE;

/* Returns whether a string is valid as a parameter's help: printable ASCII. */
bool image_is_help(const char *s);
/* The index of a parameter, or -1. */
int image_find_param(const struct image *im, const char *name);
/* The value of a parameter, or `otherwise` if the image has no parameter of this name. */
uint64_t image_param_value(const struct image *im, const char *name, uint64_t otherwise);
/* Sets a parameter from "NAME=NUMBER": a C literal from -2^63 to 2^64 - 1. On error returns ST_INPUT and changes
 * nothing; the message states what was expected, for an unknown name the nearest name and the list. */
enum status image_set_param(struct image *im, const char *setting, struct errmsg *err) MUST_USE;

/* The program's sampler with its options, including those set by parameters. It is valid for a checked image; after
 * image_set_param call sampler_check. */
struct sampler_setup image_sampler(const struct image *im);
/* Replaces the program's sampler; no parameter sets options of the new one. */
void image_set_sampler(struct image *im, const struct sampler_setup *setup);
/* Prints the sampler in the syntax of .sampler, with names of parameters. */
void image_print_sampler(const struct image *im, FILE *out);

/* The address of a label, or -1. */
int image_find_label(const struct image *im, const char *label);
/* Position of a word relative to the last label at or before it: "label" or "label+2". Returns false and "" if there is
 * no label or no such word. */
enum { IMAGE_PLACE = IMAGE_NAME + 8 };
bool image_print_place(const struct image *im, unsigned word, char text[IMAGE_PLACE]);
/* Prints the filters in assembly syntax, without PC filters that pass all instructions. Returns false if nothing was
 * printed. */
bool image_print_filters(const struct image *im, const char *between, FILE *out);
/* Number of consecutive samples in which the program looks for events of two samples; 0: the program has no windows. */
unsigned image_window(const struct image *im);
/* Size of a sample in the buffer in bytes: class and fields, rounded up to a multiple of 4. */
unsigned image_record_bytes(const struct image *im);
/* The names for isa_print. `store` holds the pointers and must live as long as the result is used. */
struct image_names {
    const char *values[ISA_VALUES], *indexes[ISA_INDEXES], *consts[ISA_CONSTS], *bases[ISA_BASES], *fields[ISA_FIELDS];
    const char *labels[ISA_WORDS];
};
struct isa_names image_names(const struct image *im, struct image_names *store);

#endif
