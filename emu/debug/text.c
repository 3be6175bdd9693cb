/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values, words and places of the machine shown, as text. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "emu/debug/show.h"

void show_value(struct debugger *d, bool changed, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fputs(changed && d->color ? "\033[1;33m" : "", d->out);
    vfprintf(d->out, fmt, ap);
    fputs(changed ? d->color ? "\033[0m" : "*" : "", d->out);
    va_end(ap);
}

bool show_changed(struct debugger *d, const struct cop_place *place)
{
    uint64_t now, then;
    return d->base != NULL && cop_peek(d->shown->cop, place, &now) == ST_OK &&
           cop_peek(d->base, place, &then) == ST_OK && now != then;
}

uint64_t show_peek(struct debugger *d, enum bus_address region, unsigned element)
{
    uint64_t v = 0;
    struct cop_place place = {region, element};
    return cop_peek(d->shown->cop, &place, &v) == ST_OK ? v : 0;
}

void show_word_text(struct debugger *d, const struct cop *cop, unsigned word, char text[WORD_TEXT])
{
    (void)cop_print_word(cop, d->image, word, text, WORD_TEXT);
}

void show_word_name(const struct image *im, unsigned word, char *buf, size_t size)
{
    char place[IMAGE_PLACE];
    snprintf(buf, size, "%s", image_print_place(im, word, place) ? place : "no label");
}

void show_integer(FILE *out, struct integer x)
{
    fprintf(out, x.kind == INTEGER_UNSIGNED ? "%llu" : "%lld", (long long)x.bits);
}

void show_place(struct debugger *d, enum slot_print print, uint64_t address)
{
    char *place = d->s.place != NULL && slot_print_is_address(print)
                      ? d->s.place(d->s.ctx, address, print == PRINT_DATA_ADDRESS)
                      : NULL;
    if (place != NULL && strncmp(place, "0x", 2) != 0)
        fprintf(d->out, "  %s", place);
    free(place);
}
