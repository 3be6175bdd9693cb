/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/symbols/demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

/* A mangled name refers back to its own parts, so that one of a few hundred bytes can stand for terabytes. */
enum { MAX_NAME_BYTES = 1 << 16 };

struct output {
    char *text; /* MAX_NAME_BYTES and the NUL */
    size_t length;
    jmp_buf too_long;
};

/* The library has no other way to be stopped. It keeps its state on the stack while it prints; of a Rust identifier
 * with letters beyond ASCII it can leak the letters. */
static void demangle_append(const char *part, size_t bytes, void *ctx)
{
    struct output *o = ctx;
    if (bytes > MAX_NAME_BYTES - o->length)
        longjmp(o->too_long, 1);
    if (bytes > 0) /* the library passes NULL for nothing */
        memcpy(o->text + o->length, part, bytes);
    o->length += bytes;
    o->text[o->length] = '\0';
}

/* `mangled` is the symbol without what follows its '@'. The recursion limit of the library is on. */
static bool demangle_print(struct output *o, const char *mangled, int options)
{
    if (setjmp(o->too_long) != 0)
        return false;
    if (rust_demangle_callback(mangled, options, demangle_append, o) != 0)
        return true;
    o->length = 0;
    return cplus_demangle_v3_callback(mangled, options, demangle_append, o) != 0;
}

char *demangle(const char *symbol, enum demangle_form form)
{
    if (symbol[0] != '_') /* that of neither language; most are such */
        return NULL;
    size_t length = strcspn(symbol, "@");
    struct output o = {.text = xmalloc(MAX_NAME_BYTES + 1)};
    char *mangled = xasprintf("%.*s", (int)length, symbol), *name = NULL;
    if (length < MAX_NAME_BYTES &&
        demangle_print(&o, mangled, form == DEMANGLE_FULL ? DMGL_PARAMS | DMGL_ANSI : DMGL_NO_OPTS))
        name = xasprintf("%s%s", o.text, symbol + length);
    free(mangled);
    free(o.text);
    return name;
}
