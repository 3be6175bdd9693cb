/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profile that gcc -fauto-profile reads, version 2, with gcc 12's strings: a table of names, the functions, and an
 * empty table of modules. Words have 32 bits in the order of the build machine, counts two words, the low one first. A
 * place is a line's offset in the upper 16 bits of a word. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "host/export/autofdo.h"

enum {
    AFDO_MAGIC = 0x67636461, /* "gcda" */
    AFDO_VERSION = 2
};
#define AFDO_NAMES UINT32_C(0xaa000000)
#define AFDO_FUNCTIONS UINT32_C(0xac000000)
#define AFDO_MODULES UINT32_C(0xae000000)

/* A name's number, in the order of first use. */
struct afdo_name {
    const char *name;
    uint32_t number;
    UT_hash_handle hh;
};

struct afdo_names {
    struct afdo_name *table;
    uint32_t count;
};

static uint32_t autofdo_gcc_number_of(struct afdo_names *names, const char *name)
{
    struct afdo_name *n;
    HASH_FIND_STR(names->table, name, n);
    if (n == NULL) {
        n = xmalloc(sizeof *n);
        *n = (struct afdo_name){.name = name, .number = names->count++};
        HASH_ADD_KEYPTR(hh, names->table, n->name, strlen(n->name), n);
    }
    return n->number;
}

static void autofdo_gcc_put(FILE *out, uint64_t word)
{
    uint32_t w = (uint32_t)word;
    fwrite(&w, sizeof w, 1, out);
}

static void put_count(FILE *out, uint64_t count)
{
    autofdo_gcc_put(out, count & UINT32_MAX);
    autofdo_gcc_put(out, count >> 32);
}

static void put_line(FILE *out, struct afdo_names *names, const struct autofdo_line *l)
{
    enum { INDIRECT_CALL = 7 }; /* a kind of histogram, which gcc reads past */
    autofdo_gcc_put(out, (uint64_t)l->offset << 16);
    autofdo_gcc_put(out, l->targets);
    put_count(out, l->count);
    for (size_t n = 0; n < l->targets; n++) {
        autofdo_gcc_put(out, INDIRECT_CALL);
        put_count(out, autofdo_gcc_number_of(names, l->target[n].name));
        put_count(out, l->target[n].count);
    }
}

/* A function behind its head or, inlined, behind its place. */
static void put_function(FILE *out, struct afdo_names *names, const struct autofdo_function *f)
{
    autofdo_gcc_put(out, autofdo_gcc_number_of(names, f->name));
    autofdo_gcc_put(out, f->lines);
    autofdo_gcc_put(out, f->calls);
    for (size_t n = 0; n < f->lines; n++)
        put_line(out, names, &f->line[n]);
    for (size_t n = 0; n < f->calls; n++) {
        autofdo_gcc_put(out, (uint64_t)f->call[n]->offset << 16);
        put_function(out, names, f->call[n]);
    }
}

/* A section: its tag, the length of its body in words, which gcc reads past, and the body. */
static void autofdo_gcc_write_section(FILE *out, uint32_t tag, const char *body, size_t size_bytes)
{
    autofdo_gcc_put(out, tag);
    autofdo_gcc_put(out, size_bytes / 4);
    fwrite(body, 1, size_bytes, out);
}

static void autofdo_gcc_write_names(FILE *out, const struct afdo_names *names)
{
    char *body;
    size_t size_bytes;
    FILE *memory = xopen_text(&body, &size_bytes);
    autofdo_gcc_put(memory, names->count);
    for (const struct afdo_name *n = names->table; n != NULL; n = n->hh.next) { /* uthash keeps the order of addition */
        autofdo_gcc_put(memory, strlen(n->name) + 1);
        fwrite(n->name, 1, strlen(n->name) + 1, memory);
    }
    xclose_text(memory);
    autofdo_gcc_write_section(out, AFDO_NAMES, body, size_bytes);
    free(body);
}

static void autofdo_gcc_write_profile(FILE *out, const struct autofdo *a)
{
    struct afdo_names names = {0};
    char *body;
    size_t size_bytes;
    FILE *memory = xopen_text(&body, &size_bytes);
    autofdo_gcc_put(memory, a->functions);
    for (size_t n = 0; n < a->functions; n++) {
        put_count(memory, a->function[n]->head);
        put_function(memory, &names, a->function[n]);
    }
    xclose_text(memory);
    autofdo_gcc_put(out, AFDO_MAGIC);
    autofdo_gcc_put(out, AFDO_VERSION);
    autofdo_gcc_put(out, 0);
    autofdo_gcc_write_names(out, &names);
    autofdo_gcc_write_section(out, AFDO_FUNCTIONS, body, size_bytes);
    autofdo_gcc_write_section(out, AFDO_MODULES, (const char[4]){0}, 4); /* no modules */
    free(body);
    struct afdo_name *n, *next;
    HASH_ITER (hh, names.table, n, next) {
        HASH_DEL(names.table, n);
        free(n);
    }
}

enum status export_write_autofdo_gcc(const struct profile *p, const struct export_options *o, FILE *out,
                                     struct errmsg *err)
{
    struct autofdo a;
    enum status st = autofdo_make(&a, p, o, AUTOFDO_NONE, err);
    if (st == ST_OK)
        autofdo_gcc_write_profile(out, &a);
    autofdo_free(&a);
    return st;
}
