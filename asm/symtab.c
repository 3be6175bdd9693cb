/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hash table with open addressing; outgrown tables remain in the arena. */
#include "asm/symtab.h"

#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"

enum { FIRST_SIZE = 64 };

static size_t hash(const char *s)
{
    const uint64_t h = fnv_extend(FNV_NONE, s, strlen(s));
    return (size_t)(h ^ (h >> 32));
}

void symtab_init(struct symtab *t, struct arena *arena)
{
    *t = (struct symtab){.arena = arena, .size = FIRST_SIZE};
    t->slots = arena_alloc(arena, t->size * sizeof *t->slots);
}

static struct symbol **find_slot(const struct symtab *t, const char *name)
{
    size_t at = hash(name) & (t->size - 1);
    while (t->slots[at] != NULL && strcmp(t->slots[at]->name.text, name) != 0)
        at = (at + 1) & (t->size - 1);
    return &t->slots[at];
}

struct symbol *symtab_find(const struct symtab *t, const char *name) { return *find_slot(t, name); }

static void symtab_grow(struct symtab *t)
{
    t->size *= 2;
    t->slots = arena_alloc(t->arena, t->size * sizeof *t->slots);
    for (struct symbol *s = t->first; s != NULL; s = s->next)
        *find_slot(t, s->name.text) = s;
}

struct symbol *symtab_add(struct symtab *t, struct name name, struct integer value)
{
    if (2 * ++t->count > t->size)
        symtab_grow(t);
    struct symbol *s = arena_alloc(t->arena, sizeof *s);
    s->name = name;
    s->value = value;
    *find_slot(t, name.text) = s;
    if (t->last != NULL)
        t->last->next = s;
    else
        t->first = s;
    t->last = s;
    return s;
}

const char *symtab_nearest(const struct symtab *t, const char *name)
{
    size_t n = 0;
    const char **names = xcalloc(t->count, sizeof *names);
    for (const struct symbol *s = t->first; s != NULL; s = s->next)
        names[n++] = s->name.text;
    const char *nearest = diag_nearest(name, names, n);
    free(names);
    return nearest;
}
