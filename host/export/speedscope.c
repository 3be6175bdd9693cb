/* SPDX-License-Identifier: GPL-3.0-or-later */
/* speedscope's file format: a table of frames, and for each event a profile of type "sampled" whose samples are lists
 * of frame numbers from the outermost. Weights have no unit but counts: "none". */
#include <jansson.h>
#include <stdlib.h>
#include <uthash.h>

#include "host/export/place.h"
#include "host/export/select.h"

/* A frame of the table, by name, file and line. */
struct speedscope_frame {
    char *key;
    json_int_t number;
    UT_hash_handle hh;
};

struct speedscope {
    const struct profile *p;
    struct speedscope_frame *frames;
    json_t *table;
};

static void set(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        BUG("json_object_set_new");
}

static void append(json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0)
        BUG("json_array_append_new");
}

/* A text, whose bytes that are not UTF-8 become '?'. */
static json_t *text(const char *bytes)
{
    json_t *value = json_string(bytes);
    if (value != NULL)
        return value;
    char *copy = xstrdup(bytes);
    for (char *c = copy; *c != '\0'; c++)
        *c = (*c & 0x80) != 0 ? '?' : *c;
    value = json_string(copy);
    free(copy);
    return value;
}

static json_int_t frame_number(struct speedscope *s, const struct export_place *place)
{
    char *key = xasprintf("%s\n%s\n%u", place->shown, place->file == NULL ? "" : place->file, place->line);
    struct speedscope_frame *f;
    HASH_FIND_STR(s->frames, key, f);
    if (f != NULL) {
        free(key);
        return f->number;
    }
    f = xmalloc(sizeof *f);
    *f = (struct speedscope_frame){.key = key, .number = (json_int_t)json_array_size(s->table)};
    HASH_ADD_KEYPTR(hh, s->frames, f->key, strlen(f->key), f);
    json_t *row = json_object();
    set(row, "name", text(place->shown));
    if (place->file != NULL) {
        set(row, "file", text(place->file));
        set(row, "line", json_integer(place->line));
    }
    append(s->table, row);
    return f->number;
}

static json_t *sample(struct speedscope *s, const struct profile_stack *stack)
{
    json_t *numbers = json_array();
    for (size_t n = stack->depth; n-- > 0;) {
        struct export_place place[EXPORT_PLACES];
        for (size_t i = export_places(s->p, stack->frame[n].image, stack->frame[n].address, place); i-- > 0;)
            append(numbers, json_integer(frame_number(s, &place[i])));
    }
    return numbers;
}

static json_t *profile_of(struct speedscope *s, uint32_t event)
{
    size_t count;
    uint64_t total = 0;
    const struct profile_stack *stack = profile_stacks(s->p, event, &count);
    json_t *profile = json_object(), *samples = json_array(), *weights = json_array();
    char *label = export_label(s->p, event);
    for (size_t n = 0; n < count; n++) {
        uint64_t number = export_number(s->p, event, stack[n].value);
        append(samples, sample(s, &stack[n]));
        append(weights, json_integer((json_int_t)number));
        total += number;
    }
    set(profile, "type", json_string("sampled"));
    set(profile, "name", text(label));
    set(profile, "unit", json_string("none"));
    set(profile, "startValue", json_integer(0));
    set(profile, "endValue", json_integer((json_int_t)total));
    set(profile, "samples", samples);
    set(profile, "weights", weights);
    free(label);
    return profile;
}

static void free_frames(struct speedscope *s)
{
    struct speedscope_frame *f, *next;
    HASH_ITER (hh, s->frames, f, next) {
        HASH_DEL(s->frames, f);
        free(f->key);
        free(f);
    }
}

enum status export_write_speedscope(const struct profile *p, const struct export_options *o, FILE *out,
                                    struct errmsg *err)
{
    struct export_events events;
    enum status st = export_select(p, o, EXPORT_STACKS, &events, err);
    if (st == ST_OK) {
        struct speedscope s = {.p = p, .table = json_array()};
        json_t *file = json_object(), *shared = json_object(), *profiles = json_array();
        for (size_t n = 0; n < events.count; n++)
            append(profiles, profile_of(&s, events.event[n]));
        set(file, "$schema", json_string("https://www.speedscope.app/file-format-schema.json"));
        set(file, "exporter", json_string("pcprof"));
        set(file, "shared", shared);
        set(shared, "frames", s.table);
        set(file, "profiles", profiles);
        if (json_dumpf(file, out, JSON_COMPACT) != 0)
            st = fail(err, ST_IO, "cannot write the profile");
        fputc('\n', out);
        json_decref(file);
        free_frames(&s);
    }
    free(events.event);
    return st;
}
