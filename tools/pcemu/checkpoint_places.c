/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/checkpoint_places.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/list_text.h"
#include "base/number.h"
#include "base/order.h"
#include "base/text.h"

enum { PLACES_BYTES = 1 << 24 };

/* False: it is no number from 1 on. */
static bool add_place(struct checkpoint_places *p, const char *text, unsigned line)
{
    struct checkpoint_place place = {.line = line};
    if (number_parse(text, &place.at) != ST_OK || place.at == 0)
        return false;
    p->place = xgrow(p->place, p->count, sizeof *p->place);
    p->place[p->count++] = place;
    return true;
}

static enum status read_places_of_argument(struct checkpoint_places *p, const char *argument, struct errmsg *err)
{
    char *copy = xstrdup(argument), *rest = copy;
    enum status st = ST_OK;
    for (char *item; st == ST_OK && (item = strsep(&rest, ",")) != NULL;)
        if (!add_place(p, item, 0))
            st = fail(err, ST_INPUT,
                      "--checkpoint-at: expected numbers of instructions from 1 on, separated by commas, or @FILE, "
                      "found '%.200s'",
                      argument);
    free(copy);
    return st;
}

static enum status read_places_of_file(struct checkpoint_places *p, const char *path, struct errmsg *err)
{
    char *text, *rest;
    size_t size_bytes;
    unsigned line = 0;
    enum status st = file_read(path, PLACES_BYTES, &text, &size_bytes, err);
    if (st != ST_OK)
        return st;
    rest = text;
    for (char *item; st == ST_OK && (item = list_text_next(&rest, &line)) != NULL;)
        if (!add_place(p, item, line))
            st = fail(err, ST_INPUT, "%s:%u: expected a number of instructions from 1 on, found '%.200s'", path, line,
                      text_make_printable(item));
    if (st == ST_OK && p->count == 0)
        st = fail(err, ST_INPUT, "%s: expected a line with a number of instructions for each checkpoint, found none",
                  path);
    free(text);
    return st;
}

ORDER(by_instructions, struct checkpoint_place, RISING(at) RISING(line))

/* Sorts the places, and removes those that are there already. */
static void sort_places(struct checkpoint_places *p)
{
    size_t count = 0;
    qsort(p->place, p->count, sizeof *p->place, by_instructions);
    for (size_t i = 0; i < p->count; i++)
        if (count == 0 || p->place[count - 1].at != p->place[i].at)
            p->place[count++] = p->place[i];
    p->count = count;
}

enum status checkpoint_places_read(struct checkpoint_places *p, const char *argument, struct errmsg *err)
{
    *p = (struct checkpoint_places){0};
    if (strcmp(argument, "@") == 0)
        return fail(err, ST_INPUT, "--checkpoint-at: expected the name of a file after @");
    enum status st = argument[0] == '@' ? read_places_of_file(p, argument + 1, err)
                                        : read_places_of_argument(p, argument, err);
    if (st == ST_OK)
        sort_places(p);
    else
        checkpoint_places_free(p);
    return st;
}

void checkpoint_places_free(struct checkpoint_places *p)
{
    free(p->place);
    *p = (struct checkpoint_places){0};
}

uint64_t checkpoint_places_next(const struct checkpoint_places *p, uint64_t instructions)
{
    size_t low = 0, high = p->count;
    SEARCH(low, high, i, p->place[i].at <= instructions);
    return low < p->count ? p->place[low].at : UINT64_MAX;
}
