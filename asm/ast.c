/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arena, and constructors of statements and expressions. */
#include "asm/ast.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 1 << 13, ALIGNMENT = 16 };

struct arena_chunk {
    struct arena_chunk *next;
    size_t used, size;
    _Alignas(ALIGNMENT) unsigned char bytes[];
};

void *arena_alloc(struct arena *a, size_t size_bytes)
{
    size_bytes = (size_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    struct arena_chunk *c = a->chunks;
    if (c == NULL || c->size - c->used < size_bytes) {
        size_t size = size_bytes > CHUNK_BYTES ? size_bytes : CHUNK_BYTES;
        c = xcalloc(1, sizeof *c + size);
        c->size = size;
        c->next = a->chunks;
        a->chunks = c;
    }
    void *p = c->bytes + c->used;
    c->used += size_bytes;
    return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
    char *copy = arena_alloc(a, n + 1);
    memcpy(copy, s, n);
    return copy;
}

static char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    char *s = arena_alloc(a, (size_t)n + 1);
    vsnprintf(s, (size_t)n + 1, fmt, ap);
    return s;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *s = arena_vprintf(a, fmt, ap);
    va_end(ap);
    return s;
}

void arena_fini(struct arena *a)
{
    while (a->chunks != NULL) {
        struct arena_chunk *next = a->chunks->next;
        free(a->chunks);
        a->chunks = next;
    }
}

struct stmt *parse_add(struct parse *p, enum stmt_kind kind, struct diag_loc loc)
{
    struct stmt *s = arena_alloc(p->arena, sizeof *s);
    s->kind = kind;
    s->loc = loc;
    *p->end = s;
    p->end = &s->next;
    return s;
}

void parse_complain(struct parse *p, struct diag_loc loc, const char *fmt, ...)
{
    va_list ap;
    if (p->bad_line == loc.line)
        return;
    p->bad_line = loc.line;
    struct stmt *s = parse_add(p, STMT_BAD, loc);
    va_start(ap, fmt);
    s->name = (struct name){arena_vprintf(p->arena, fmt, ap), loc};
    va_end(ap);
}

struct expr *expr_new(struct arena *a, enum expr_kind kind, struct diag_loc loc, const struct expr *x,
                      const struct expr *y, const struct expr *z)
{
    struct expr *e = arena_alloc(a, sizeof *e);
    e->kind = kind;
    e->loc = loc;
    e->arg[0] = x;
    e->arg[1] = y;
    e->arg[2] = z;
    e->depth = 1;
    for (int i = 0; i < 3; i++)
        if (e->arg[i] != NULL && e->arg[i]->depth >= e->depth)
            e->depth = e->arg[i]->depth + 1;
    return e;
}
