/* SPDX-License-Identifier: GPL-3.0-or-later */
/* speedscope's file format: a table of frames, and for each event a profile of type "sampled" whose samples are lists
 * of frame numbers from the outermost. Weights have no unit but counts: "none". */
#include <stdlib.h>

#include "base/hash.h"
#include "host/export/frame.h"
#include "host/export/select.h"
#include "host/report/json_value.h"

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
    struct names *names;
};

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
    char *shown = names_show(s->names, place->shown);
    json_put(row, "name", json_text(shown));
    free(shown);
    if (place->file != NULL) {
        json_put(row, "file", json_text(place->file));
        json_put(row, "line", json_integer(place->line));
    }
    json_push(s->table, row);
    return f->number;
}

static json_t *speedscope_sample(struct speedscope *s, const struct profile_path *path, bool by_function)
{
    json_t *numbers = json_array();
    for (size_t n = path->depth; n-- > 0;) {
        struct export_place place[EXPORT_PLACES];
        for (size_t i = export_frame_places(s->p, export_frame_of_path(s->p, path, n, by_function), place); i-- > 0;)
            json_push(numbers, json_integer(frame_number(s, &place[i])));
    }
    if (path->depth == 0)
        json_push(numbers, json_integer(frame_number(s, &(struct export_place){.shown = EXPORT_UNKNOWN})));
    return numbers;
}

static json_t *profile_of(struct speedscope *s, uint32_t event)
{
    size_t count;
    uint64_t total = 0;
    const struct profile_stack *stack = profile_stacks(s->p, event, &count);
    json_t *profile = json_object(), *samples = json_array(), *weights = json_array();
    char *label = export_label(s->p, event);
    bool by_function = export_is_by_function(s->p, event);
    struct profile_path path = {.frame = NULL};
    for (size_t n = 0; n < count; n++) {
        uint64_t number = export_number(s->p, event, stack[n].value);
        profile_path_read(&path, s->p, stack[n].frame);
        json_push(samples, speedscope_sample(s, &path, by_function));
        json_push(weights, json_integer((json_int_t)number));
        total += number;
    }
    free(path.frame);
    json_put(profile, "type", json_string("sampled"));
    json_put(profile, "name", json_text(label));
    json_put(profile, "unit", json_string("none"));
    json_put(profile, "startValue", json_integer(0));
    json_put(profile, "endValue", json_integer((json_int_t)total));
    json_put(profile, "samples", samples);
    json_put(profile, "weights", weights);
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
        struct speedscope s = {.p = p, .table = json_array(), .names = export_names(p, o->full_names)};
        json_t *file = json_object(), *shared = json_object(), *profiles = json_array();
        for (size_t n = 0; n < events.count; n++)
            json_push(profiles, profile_of(&s, events.event[n]));
        json_put(file, "$schema", json_string("https://www.speedscope.app/file-format-schema.json"));
        json_put(file, "exporter", json_string("pcprof"));
        json_put(file, "shared", shared);
        json_put(shared, "frames", s.table);
        json_put(file, "profiles", profiles);
        if (json_dumpf(file, out, JSON_COMPACT) != 0)
            st = fail(err, ST_IO, "cannot write the profile");
        fputc('\n', out);
        json_decref(file);
        free_frames(&s);
        names_free(s.names);
    }
    free(events.event);
    return st;
}
