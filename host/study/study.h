/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A study: programs, configurations and profiles, which are combined into jobs, one run of pcemu each. The file has the
 * syntax of core configurations (libconfuse); study.def has its keys. */
#ifndef HOST_STUDY_STUDY_H
#define HOST_STUDY_STUDY_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum study_kind {
#define SECTION(symbol, name) STUDY_##symbol,
#include "host/study/study.def"
    STUDY_KINDS
};

enum study_key {
#define KEY(section, symbol, name, form) STUDY_##section##_##symbol,
#include "host/study/study.def"
    STUDY_KEYS
};

/* A value and its place, for errors. */
struct study_value {
    char *text;
    int line;
};

/* The values of a key, none if the section does not have it. */
struct study_values {
    size_t count;
    struct study_value *item;
};

struct study_section {
    char *name; /* the title */
    int line;   /* of its end */
    struct study_values key[STUDY_KEYS];
};

struct study {
    char *path;
    struct study_list {
        size_t count;
        struct study_section *item;
    } list[STUDY_KINDS]; /* ROOT has one item */
};

/* Reads a study. Errors read FILE:LINE: what was found and expected: unknown keys and names, names that are given
 * twice, values that are no numbers. Files that the study names are not opened. The caller frees it. */
enum status study_load(const char *path, struct study **study, struct errmsg *err) MUST_USE;
/* study_load of a text that errors call `path`. */
enum status study_parse(const char *path, const char *text, struct study **study, struct errmsg *err) MUST_USE;
/* NULL is allowed. */
void study_free(struct study *s);

/* The value of a key of ONE value; NULL: none. */
const struct study_value *study_one(const struct study_section *s, enum study_key key);
/* The section of a name; NULL: none. */
const struct study_section *study_find(const struct study *s, enum study_kind kind, const char *name);
/* What is outside sections. */
const struct study_section *study_root(const struct study *s);
/* The number that study_load has checked. */
uint64_t study_number(const struct study_value *v);

/* The error about a value: FILE:LINE: WHAT: expected EXPECTED, found 'TEXT'. With `names`, it lists the nearest. */
enum status study_refuse(const struct study *s, const struct study_value *v, const char *what, const char *expected,
                         const char *const *names, size_t count, struct errmsg *err) MUST_USE;

#endif
