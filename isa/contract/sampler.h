/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which sampler of the core feeds a profiling program, and how it is set: the rows of sampler.def. */
#ifndef ISA_CONTRACT_SAMPLER_H
#define ISA_CONTRACT_SAMPLER_H

#include <stdbool.h>
#include <stdio.h>

#include "isa/contract/profileme.h"
#include "isa/contract/sample.h"
#include "isa/support/option_text.h"

enum sampler_kind {
#define SAMPLER(sym, ...) SAMPLER_##sym,
#include "isa/contract/sampler.def"
    SAMPLER_COUNT
};

/* The options of each sampler, numbered from 0: SAMPLER_TIP_PERIOD. Enumerators SAMPLER_AT_... are their rows. */
enum {
#define SAMPLER(sym, ...) SAMPLER_AT_##sym, SAMPLER_BELOW_##sym = SAMPLER_AT_##sym - 1,
#define SAMPLER_OPTION(sampler, sym, ...) SAMPLER_AT_##sampler##_##sym,
#include "isa/contract/sampler.def"
    SAMPLER_ROWS
};
enum {
#define SAMPLER_OPTION(sampler, sym, ...) \
    SAMPLER_##sampler##_##sym = (int)SAMPLER_AT_##sampler##_##sym - (int)SAMPLER_AT_##sampler,
#include "isa/contract/sampler.def"
};
enum { SAMPLER_OPTIONS = 8 }; /* of one sampler, at most */

/* A row SAMPLER_OPTION, without what struct text_option has of it. All strings are static. */
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
    uint32_t given;                   /* a bit for each option that has a value */
    uint64_t option[SAMPLER_OPTIONS]; /* in the order of its rows */
};

/* The sampler of that name, in any case, or -1. */
int sampler_find(const char *name);
/* The number of its options. */
unsigned sampler_option_count(unsigned sampler);
/* The option of that name, or -1. */
int sampler_find_option(unsigned sampler, const char *name);
/* The option's value: as given, else as the row says; the seed is that of the run unless it is given. */
uint64_t sampler_option(const struct sampler_setup *s, unsigned option, uint64_t seed);

/* What a sample stands for on average, in the unit of the sampler's period: instructions or cycles. 1 if it has no
 * period. */
uint64_t sampler_period(const struct sampler_setup *s);

/* Of a setup of profileme: how it selects. */
struct profileme_choice sampler_profileme(const struct sampler_setup *s);

/* Parses NAME[:OPTION...] as --sampler takes it; `who` is the beginning of an error. */
enum status sampler_parse(const char *who, const char *text, struct sampler_setup *out, struct errmsg *err) MUST_USE;
/* Is the setup one that the sampler can have? Its values are in their ranges and go together. The error has no
 * beginning. */
enum status sampler_check(const struct sampler_setup *s, struct errmsg *err) MUST_USE;
/* What the sampler supplies with these options: a bit for each enum sample_group. */
uint32_t sampler_groups(const struct sampler_setup *s);
/* Does it supply the field? If not, the error names the field and the sampler. */
enum status sampler_check_field(const struct sampler_setup *s, enum sample_field f, struct errmsg *err) MUST_USE;
/* What an error says behind that: "expected '.sampler profileme, pair'", a sampler that supplies all fields of a
 * program, with `between` before each option; or that there is none. The caller's to free. */
char *sampler_suggest(const uint8_t *field, unsigned fields, const char *directive, const char *between);

/* Prints "NAME, OPTION=VALUE, FLAG" with `between` in place of ", ". `value`, unless NULL, has for each option a text
 * to print in place of its number, or NULL. */
void sampler_print(const struct sampler_setup *s, const char *between, const char *const value[SAMPLER_OPTIONS],
                   FILE *out);
/* Prints the samplers with their options and meanings, one a line. */
void sampler_print_help(FILE *out);
/* Prints the words of --sampler, by option_text_print_words. */
void sampler_print_words(FILE *out);

#endif
