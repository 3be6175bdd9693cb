/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symbol table: .equ constants and labels. */
#ifndef ASM_SYMTAB_H
#define ASM_SYMTAB_H

#include "asm/ast.h"

struct symbol {
    struct name name;
    struct integer value;
    bool is_bad;         /* its definition has an error: uses are not reported */
    struct symbol *next; /* next symbol in definition order */
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
struct symbol *symtab_add(struct symtab *t, struct name name, struct integer value);
/* The nearest name, for suggestions, or NULL. */
const char *symtab_nearest(const struct symtab *t, const char *name);

#endif
