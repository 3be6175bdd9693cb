/* SPDX-License-Identifier: GPL-3.0-or-later */
/* speedscope's file format: a table of frames, and for each event a profile of type "sampled" whose samples are lists
 * of frame numbers from the outermost. Weights have no unit but counts: "none". */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "host/export/frame.h"
#include "host/export/select.h"
#include "host/export/unknown.h"
#include "host/report/json_value.h"

/* A stack of a profile, by the numbers of its frames. */
struct speedscope_stack {
    char *key;
    json_t *frames;
    double value;
    UT_hash_handle hh;
};

/* A frame of the table: a function, as speedscope shows frames that differ in their lines as different functions. Its
 * line is that of its declaration. */
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
    json_t **numbers[3]; /* by frame: numbers of its functions; as a caller, as the innermost instruction or function */
};

static json_int_t frame_number(struct speedscope *s, const struct export_place *place)
{
    const char *file = export_place_file(place);
    char *key = xasprintf("%s\n%s", place->shown, file == NULL ? "" : file);
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
    if (file != NULL)
        json_put(row, "file", json_text(file));
    if (place->declared != NULL && place->first_line > 0)
        json_put(row, "line", json_integer(place->first_line));
    json_push(s->table, row);
    return f->number;
}

/* The numbers of the functions of the n-th frame of a path, from the outermost. */
static json_t *speedscope_numbers(struct speedscope *s, const struct profile_path *path, size_t n, bool by_function)
{
    json_t **numbers = &s->numbers[n > 0 ? 0 : by_function ? 2 : 1][path->frame[n]];
    if (*numbers != NULL)
        return *numbers;
    struct export_place place[EXPORT_PLACES];
    *numbers = json_array();
    for (size_t i = export_frame_places(s->p, export_frame_of_path(s->p, path, n, by_function), place); i-- > 0;)
        json_push(*numbers, json_integer(frame_number(s, &place[i])));
    return *numbers;
}

static json_t *speedscope_sample(struct speedscope *s, const struct profile_path *path, bool by_function)
{
    json_t *numbers = json_array();
    for (size_t n = path->depth; n-- > 0;)
        json_array_extend(numbers, speedscope_numbers(s, path, n, by_function));
    if (path->depth == 0)
        json_push(numbers, json_integer(frame_number(s, &(struct export_place){.shown = EXPORT_UNKNOWN})));
    return numbers;
}

/* The caller of a stack's innermost frame, and the functions of this frame: all instructions of one line have them. */
static char *speedscope_key(struct speedscope *s, const struct profile_stack *stack, bool by_function)
{
    uint32_t innermost = stack->frame;
    if (innermost == 0)
        return xstrdup("");
    const struct profile_path alone = {&innermost, 1, 1};
    char *numbers = json_dumps(speedscope_numbers(s, &alone, 0, by_function), JSON_COMPACT);
    char *key = xasprintf("%u %s", profile_frame(s->p, innermost)->caller, numbers);
    free(numbers);
    return key;
}

/* The entry of a stack. */
static struct speedscope_stack *speedscope_find(struct speedscope *s, struct speedscope_stack **stacks,
                                                struct profile_path *path, const struct profile_stack *stack,
                                                bool by_function)
{
    struct speedscope_stack *x;
    char *key = speedscope_key(s, stack, by_function);
    HASH_FIND_STR(*stacks, key, x);
    if (x != NULL) {
        free(key);
        return x;
    }
    profile_path_read(path, s->p, stack->frame);
    x = xmalloc(sizeof *x);
    *x = (struct speedscope_stack){.key = key, .frames = speedscope_sample(s, path, by_function)};
    HASH_ADD_KEYPTR(hh, *stacks, x->key, strlen(x->key), x);
    return x;
}

static struct speedscope_stack *speedscope_stacks(struct speedscope *s, uint32_t event)
{
    size_t count;
    struct speedscope_stack *stacks = NULL;
    const struct profile_stack *stack = profile_stacks(s->p, event, &count);
    bool by_function = export_is_by_function(s->p, event);
    struct profile_path path = {.frame = NULL};
    for (size_t n = 0; n < count; n++)
        speedscope_find(s, &stacks, &path, &stack[n], by_function)->value += stack[n].value;
    free(path.frame);
    return stacks;
}

/* Writes the stacks and their values, and frees them. Returns the sum of the values. */
static uint64_t speedscope_put_stacks(const struct profile *p, uint32_t event, struct speedscope_stack *stacks,
                                      json_t *samples, json_t *weights)
{
    struct export_rounding rounding = {0};
    struct speedscope_stack *x, *next;
    HASH_ITER (hh, stacks, x, next) {
        const uint64_t number = export_round(&rounding, p, event, x->value);
        if (number > 0) {
            json_push(samples, json_incref(x->frames));
            json_push(weights, json_integer((json_int_t)number));
        }
        HASH_DEL(stacks, x);
        json_decref(x->frames);
        free(x->key);
        free(x);
    }
    return rounding.given;
}

static json_t *profile_of(struct speedscope *s, uint32_t event)
{
    json_t *profile = json_object(), *samples = json_array(), *weights = json_array();
    char *label = export_label(s->p, event);
    const uint64_t total = speedscope_put_stacks(s->p, event, speedscope_stacks(s, event), samples, weights);
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

static void speedscope_begin_numbers(struct speedscope *s)
{
    for (int n = 0; n < 3; n++)
        s->numbers[n] = xcalloc(profile_frames_end(s->p) + (size_t)1, sizeof(json_t *));
}

static void free_frames(struct speedscope *s)
{
    for (int n = 0; n < 3; n++) {
        for (uint32_t f = 0; f < profile_frames_end(s->p); f++)
            json_decref(s->numbers[n][f]);
        free(s->numbers[n]);
    }
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
        speedscope_begin_numbers(&s);
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
