/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions and lines of an address. */
#include "host/export/place.h"

static const char *export_place_file_of(const struct profile *p, uint32_t file)
{
    return file == PROFILE_NO_FILE ? NULL : profile_file(p, file);
}

const char *export_place_file(const struct export_place *place)
{
    return place->declared != NULL ? place->declared : place->file;
}

size_t export_places(const struct profile *p, uint32_t image, uint64_t address, struct export_place out[EXPORT_PLACES])
{
    const struct profile_image *i = profile_image(p, image);
    const struct profile_symbol *symbol = profile_find_symbol(i, address);
    const struct profile_line *line = profile_find_line(i, address);
    const struct profile_scope *scope = profile_find_scope(i, address);
    struct export_place at = {.file = line == NULL ? NULL : export_place_file_of(p, line->file),
                              .line = line == NULL ? 0 : line->line,
                              .discriminator = line == NULL ? 0 : line->discriminator};
    size_t n = 0;
    for (; scope != NULL && scope->caller != PROFILE_NO_SCOPE && n < EXPORT_PLACES - 1; n++) {
        out[n] = at;
        out[n].name = out[n].source = scope->name;
        out[n].shown = scope->shown;
        out[n].declared = export_place_file_of(p, scope->file);
        out[n].first_line = scope->line;
        at.file = export_place_file_of(p, scope->call_file);
        at.line = scope->call_line;
        at.discriminator = scope->call_discriminator;
        scope = &i->scope[scope->caller];
    }
    const char *whole = i->path[0] == '[' ? i->path : i->name;
    at.name = symbol != NULL ? symbol->name : scope != NULL ? scope->name : whole;
    at.shown = symbol != NULL ? symbol->unique : scope != NULL ? scope->shown : whole;
    at.source = scope != NULL ? scope->name : at.name;
    at.declared = scope == NULL ? NULL : export_place_file_of(p, scope->file);
    at.first_line = scope == NULL ? 0 : scope->line;
    out[n] = at;
    return n + 1;
}

struct export_place export_function_place(const struct profile *p, uint32_t image, uint64_t address)
{
    struct export_place place[EXPORT_PLACES];
    size_t count = export_places(p, image, address, place);
    struct export_place function = place[count - 1];
    if (count > 1) {
        function.file = function.declared;
        function.line = function.first_line;
        function.discriminator = 0;
    }
    return function;
}

static void add_place_names(struct names *n, const struct profile *p, uint32_t image, uint64_t address)
{
    struct export_place place[EXPORT_PLACES];
    size_t count = export_places(p, image, address, place);
    for (size_t i = 0; i < count; i++)
        names_add(n, place[i].shown);
}

struct names *export_names(const struct profile *p, bool full)
{
    struct names *n = names_new(full);
    size_t count;
    for (uint32_t e = 0; !full && e < profile_events(p); e++) {
        const struct profile_sample *sample = profile_samples(p, e, &count);
        for (size_t i = 0; i < count; i++)
            add_place_names(n, p, sample[i].image, sample[i].address);
    }
    for (uint32_t f = 1; !full && f < profile_frames_end(p); f++)
        add_place_names(n, p, profile_frame(p, f)->at.image, profile_frame(p, f)->at.address);
    return n;
}

uint64_t export_start(const struct profile *p, uint32_t image, uint64_t address)
{
    const struct profile_symbol *symbol = profile_find_symbol(profile_image(p, image), address);
    return symbol == NULL ? address : symbol->start;
}

uint64_t export_image_base(const struct profile_image *image)
{
    const struct profile_code *first = image->codes > 0 ? &image->code[0] : NULL;
    return first != NULL && first->start >= first->file_offset ? first->start - first->file_offset : 0;
}
