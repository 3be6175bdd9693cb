/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "tools/pcprof/whatif.h"

/* Programs that are linked to addresses begin behind the first pages; others are mapped where there is room. */
enum { WHATIF_LOWEST = 0x10000 };

/* Whether a line of questions can have the name: it ends at '#', and blanks around it are no part of it. */
static bool whatif_is_printable(const char *name)
{
    if (*name == '\0' || isdigit((unsigned char)*name))
        return false;
    for (; *name != '\0'; name++)
        if (!isgraph((unsigned char)*name) || *name == '#')
            return false;
    return true;
}

/* Number of functions of the name in all images. */
static size_t whatif_count_named(const struct profile *p, const char *name)
{
    size_t count = 0;
    for (uint32_t image = 0; image < profile_images(p); image++) {
        const struct profile_image *i = profile_image(p, image);
        for (size_t n = 0; n < i->symbols; n++)
            count += strcmp(i->symbol[n].name, name) == 0;
    }
    return count;
}

/* The name by which pcemu finds the function; NULL: there is none. */
static const char *whatif_name(const struct profile *p, const struct profile_symbol *s)
{
    if (whatif_is_printable(s->name) && whatif_count_named(p, s->name) == 1)
        return s->name;
    return strstr(s->unique, "@0x") != NULL && whatif_is_printable(s->unique) ? s->unique : NULL;
}

char *whatif_place(const struct profile *p, uint32_t image, uint64_t address, bool is_program)
{
    const struct profile_image *i = profile_image(p, image);
    const struct profile_symbol *s = profile_find_symbol(i, address);
    const char *name = s != NULL ? whatif_name(p, s) : NULL;
    if (name != NULL)
        return xasprintf("%s+0x%" PRIx64, name, address - s->start);
    if (is_program && i->codes > 0 && i->code[0].start >= WHATIF_LOWEST)
        return xasprintf("0x%" PRIx64, address);
    return NULL;
}
