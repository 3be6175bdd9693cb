/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samplers, by which the core delivers samples to a profiling program, and their options: the rows of sampler.def. */
#ifndef ISA_SAMPLER_H
#define ISA_SAMPLER_H

#include <stdbool.h>
#include <stdio.h>

#include "base/option_text.h"
#include "contract/profileme.h"
#include "isa/sample.h"

enum sampler_kind {
#define SAMPLER(sym, ...) SAMPLER_##sym,
#include "isa/sampler.def"
    SAMPLER_COUNT
};

/* Options of each sampler, numbered from 0, e.g. SAMPLER_TIP_PERIOD. The enumerators SAMPLER_AT_... are row numbers. */
enum {
#define SAMPLER(sym, ...) SAMPLER_AT_##sym, SAMPLER_BELOW_##sym = SAMPLER_AT_##sym - 1,
#define SAMPLER_OPTION(sampler, sym, ...) SAMPLER_AT_##sampler##_##sym,
#include "isa/sampler.def"
    SAMPLER_ROWS
};
enum {
#define SAMPLER_OPTION(sampler, sym, ...) \
    SAMPLER_##sampler##_##sym = (int)SAMPLER_AT_##sampler##_##sym - (int)SAMPLER_AT_##sampler,
#include "isa/sampler.def"
};
enum { SAMPLER_OPTIONS = 8 }; /* maximum per sampler */

/* The members of a row SAMPLER_OPTION that are not in struct text_option. All strings are static. */
struct sampler_option_row {
    uint32_t groups; /* a bit for each enum sample_group */
    const char *meaning;
};

/* A row SAMPLER. All strings are static. */
struct sampler_row {
    const char *name, *meaning;
    uint32_t groups;                                /* a bit for each enum sample_group */
    struct text_option option[SAMPLER_OPTIONS + 1]; /* the list ends with a name of NULL */
    struct sampler_option_row more[SAMPLER_OPTIONS];
};
extern const struct sampler_row samplers[SAMPLER_COUNT];

/* A sampler and its options. */
struct sampler_setup {
    uint8_t sampler;                  /* enum sampler_kind */
    uint32_t given;                   /* bit mask of options with a given value */
    uint64_t option[SAMPLER_OPTIONS]; /* values, in the order of the rows */
};

/* Selections of a sampler that selects before it delivers. Zero for other samplers. */
struct sampler_selections {
    uint64_t selected; /* instructions, or first instructions of pairs, whatever the filters say of them */
    uint64_t lost; /* of these, those that found no free registers, so neither tested by the filters nor delivered */
};

/* The sampler of this name, case-insensitive, or -1. */
int sampler_find(const char *name);
/* Number of options of a sampler. */
unsigned sampler_option_count(unsigned sampler);
/* The option of this name, or -1. */
int sampler_find_option(unsigned sampler, const char *name);
/* The option's value: as given, else the row's default; the default seed is that of the run. */
uint64_t sampler_option(const struct sampler_setup *s, unsigned option, uint64_t seed);

/* Mean number of instructions or cycles (the unit of the period) per sample. 1 if the sampler has no period. */
uint64_t sampler_period(const struct sampler_setup *s);

/* The selection of a setup of the sampler profileme. */
struct profileme_choice sampler_profileme(const struct sampler_setup *s);

/* Parses NAME[:OPTION...], the argument of --sampler; `who` is the prefix of error messages. */
enum status sampler_parse(const char *who, const char *text, struct sampler_setup *out, struct errmsg *err) MUST_USE;
/* Checks that the setup's values are in range and consistent. The error message has no prefix. */
enum status sampler_check(const struct sampler_setup *s, struct errmsg *err) MUST_USE;
/* Bit mask of enum sample_group: groups that the sampler supplies with these options. */
uint32_t sampler_groups(const struct sampler_setup *s);
/* Checks that the sampler supplies the field; the error message names both. */
enum status sampler_check_field(const struct sampler_setup *s, enum sample_field f, struct errmsg *err) MUST_USE;
/* The continuation of that message: "expected '.sampler profileme, pair'", a sampler that supplies all fields of a
 * program, with `between` before each option, or that no sampler does. The caller frees the text. */
char *sampler_suggest(const uint8_t *field, unsigned fields, const char *directive, const char *between);

/* Prints "NAME, OPTION=VALUE, FLAG" with the separator `between`. `value`, if not NULL, has for each option a text to
 * print instead of its number, or NULL. */
void sampler_print(const struct sampler_setup *s, const char *between, const char *const value[SAMPLER_OPTIONS],
                   FILE *out);
/* "NAME, OPTION=VALUE, FLAG"; the caller frees it. */
char *sampler_text(const struct sampler_setup *s);
/* Prints the samplers with their options and descriptions, one per line. */
void sampler_print_help(FILE *out);
/* Prints the words of --sampler, by option_text_print_words. */
void sampler_print_words(FILE *out);

#endif
