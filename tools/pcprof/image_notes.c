/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcprof/image_notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "host/symbols/image_identity.h"

/* Code that no file is mapped to, and images that stand for other places, as that of handlers. */
static bool is_anonymous(const struct profile_image *i) { return i->path[0] == '\0' || i->path[0] == '['; }

static bool image_notes_has_values(const struct profile *p, uint32_t event, uint32_t image)
{
    return event == PROFILE_NO_EVENT || profile_next_address(p, event, image, 0, UINT64_MAX) != UINT64_MAX;
}

/* Functions of call frame information are called "[IMAGE]@0xSTART". */
static bool lacks_symbols(const struct profile_image *i)
{
    size_t n = 0;
    while (n < i->symbols && i->symbol[n].name[0] == '[')
        n++;
    return n == i->symbols;
}

static bool lacks_lines(const struct profile_image *i) { return i->lines == 0; }

/* The names of the images that lack something, separated by commas; NULL: none. */
static char *image_notes_names_of(const struct profile *p, uint32_t event, bool (*lacks)(const struct profile_image *))
{
    char *list = NULL;
    for (uint32_t n = 0; n < profile_images(p); n++) {
        const struct profile_image *i = profile_image(p, n);
        if (is_anonymous(i) || !lacks(i) || !image_notes_has_values(p, event, n))
            continue;
        char *longer = list != NULL ? xasprintf("%s, %s", list, i->name) : xstrdup(i->name);
        free(list);
        list = longer;
    }
    return list;
}

char *images_without_symbols(const struct profile *p, uint32_t event)
{
    char *list = image_notes_names_of(p, event, lacks_symbols);
    if (list == NULL)
        return NULL;
    char *text = xasprintf("%s: the file had no symbols when it was profiled, so procedures have no names: profile a "
                           "file that has not been stripped.",
                           list);
    free(list);
    return text;
}

static char *without_lines(const char *names)
{
    return xasprintf(
        "%s: the file had no line numbers when it was profiled: compile it with -g, and collect its profile "
        "again.",
        names);
}

char *images_without_lines(const struct profile *p, uint32_t event)
{
    char *list = image_notes_names_of(p, event, lacks_lines);
    if (list == NULL)
        return NULL;
    char *text = without_lines(list);
    free(list);
    return text;
}

/* An image whose file on the disk is another version now; with `needs_file`, or is gone. */
static char *image_changed(const struct profile_image *i, bool needs_file)
{
    static const char kept[] = "the profile is that of the file before, of which the store has symbols, lines and code",
                      needed[] = "the other tool reads this file: put the one that was profiled there, or collect the "
                                 "profile again";
    const char *advice = needs_file ? needed : kept;
    if (is_anonymous(i) || i->build_id[0] == '\0' || (!needs_file && access(i->path, F_OK) != 0))
        return NULL;
    char *found = image_identity_of_file(i->path), *text = NULL;
    if (*found == '\0')
        text = xasprintf("%s: %s cannot be read any more: %s.", i->name, i->path, advice);
    else if (strcmp(found, i->build_id) != 0)
        text = xasprintf("%s: %s is not the file that was profiled: expected %s%s, found %s%s: %s.", i->name, i->path,
                         strchr(i->build_id, ':') != NULL ? "" : "build ID ", i->build_id,
                         strchr(found, ':') != NULL ? "" : "build ID ", found, advice);
    free(found);
    return text;
}

void note_of(struct report *r, char *text)
{
    if (text != NULL)
        report_note(r, text);
    free(text);
}

void note_image(struct report *r, const struct profile_image *i)
{
    note_of(r, lacks_lines(i) && !is_anonymous(i) ? without_lines(i->name) : NULL);
    note_of(r, image_changed(i, false));
}

static void warn_of(char *text)
{
    if (text != NULL)
        fprintf(stderr, "pcprof: warning: %s\n", text);
    free(text);
}

void warn_of_images(const struct profile *p, bool has_lines, bool needs_file)
{
    size_t lines = 0;
    for (uint32_t n = 0; n < profile_images(p); n++)
        lines += profile_image(p, n)->lines;
    warn_of(images_without_symbols(p, PROFILE_NO_EVENT));
    warn_of(has_lines && lines == 0 ? images_without_lines(p, PROFILE_NO_EVENT) : NULL);
    for (uint32_t n = 0; n < profile_images(p); n++)
        warn_of(image_changed(profile_image(p, n), needs_file));
}
