/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symbols by name: the .equ constants, and the labels. */
#ifndef ASM_SYMTAB_H
#define ASM_SYMTAB_H

#include "asm/ast.h"

struct symbol {
    struct name name;
    uint64_t value;
    bool is_bad;         /* its definition is in error: what uses it need not be told of */
    struct symbol *next; /* in the order of definition */
};

struct symtab {
    struct arena *arena; /* borrowed */
    struct symbol **slots;
    size_t size, count;
    struct symbol *first, *last;
};

void symtab_init(struct symtab *t, struct arena *arena);
struct symbol *symtab_find(const struct symtab *t, const char *name);
/* The name must be new. */
struct symbol *symtab_add(struct symtab *t, struct name name, uint64_t value);
/* The name that is most like this one, or NULL. */
const char *symtab_nearest(const struct symtab *t, const char *name);

#endif
