/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pprof's profile.proto, compressed by zlib: a sample type for each event; the samples are the call stacks of events
 * that have them, each with the values of all, and single addresses of the others. Each image is a mapping at its
 * link-time addresses. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "host/export/frame.h"
#include "host/export/gzip.h"
#include "host/export/pprof.pb-c.h"
#include "host/export/program.h"
#include "host/export/rows.h"
#include "host/export/select.h"
#include "host/export/unknown.h"

/* The number of a text, function or location, by its key. */
struct pprof_number {
    char *key;
    uint64_t number;
    UT_hash_handle hh;
};

struct pprof {
    const struct profile *p;
    struct export_events events;
    int64_t run; /* the label of samples; 0: none */
    Pprof__Profile *profile;
    Pprof__Sample **stack[2]; /* by frame: samples of stacks whose innermost frame is an instruction; a function */
    struct pprof_number *texts, *functions, *locations;
    struct names *names;
};

/* Appends an item to a list of pointers; rooms are powers of two. */
static void pprof_append(void *list, size_t *count, void *item)
{
    void **items;
    memcpy(&items, list, sizeof items);
    if ((*count & (*count - 1)) == 0)
        items = xrealloc(items, (*count == 0 ? 1 : 2 * *count) * sizeof *items);
    items[(*count)++] = item;
    memcpy(list, &items, sizeof items);
}

/* Looks a key up, which it takes. Returns true if it is new: its number is then `next`. */
static bool pprof_is_new(struct pprof_number **table, char *key, uint64_t next, uint64_t *number)
{
    struct pprof_number *n;
    HASH_FIND_STR(*table, key, n);
    if (n != NULL) {
        free(key);
        *number = n->number;
        return false;
    }
    n = xmalloc(sizeof *n);
    *n = (struct pprof_number){.key = key, .number = *number = next};
    HASH_ADD_KEYPTR(hh, *table, n->key, strlen(n->key), n);
    return true;
}

static void pprof_free_numbers(struct pprof_number *table)
{
    struct pprof_number *n, *next;
    HASH_ITER (hh, table, n, next) {
        HASH_DEL(table, n);
        free(n->key);
        free(n);
    }
}

/* A text's number. Bytes that are not ASCII remain: pprof reads UTF-8. */
static int64_t pprof_text(struct pprof *f, const char *bytes)
{
    Pprof__Profile *m = f->profile;
    uint64_t number;
    if (pprof_is_new(&f->texts, xstrdup(bytes), m->n_string_table, &number))
        pprof_append(&m->string_table, &m->n_string_table, xstrdup(bytes));
    return (int64_t)number;
}

static uint64_t function(struct pprof *f, const struct export_place *place)
{
    Pprof__Profile *m = f->profile;
    const char *file = place->file == NULL ? "" : place->file;
    uint64_t number;
    if (pprof_is_new(&f->functions, xasprintf("%s\n%s\n%s", place->name, place->shown, file), m->n_function + 1,
                     &number)) {
        Pprof__Function *x = xmalloc(sizeof *x);
        pprof__function__init(x);
        x->id = number;
        char *shown = names_show(f->names, place->shown);
        x->name = pprof_text(f, shown);
        free(shown);
        x->system_name = pprof_text(f, place->name);
        x->filename = pprof_text(f, file);
        x->start_line = place->first_line;
        pprof_append(&m->function, &m->n_function, x);
    }
    return number;
}

/* The number of the location of a frame. That of a function differs from that of its first instruction. */
static uint64_t location(struct pprof *f, struct export_frame frame)
{
    Pprof__Profile *m = f->profile;
    const uint32_t image = frame.at.image;
    const uint64_t address = frame.at.address;
    const char *kind = frame.is_function ? " function" : "";
    uint64_t number;
    if (!pprof_is_new(&f->locations, xasprintf("%u %llx%s", image, (unsigned long long)address, kind),
                      m->n_location + 1, &number))
        return number;
    struct export_place place[EXPORT_PLACES];
    size_t places = export_frame_places(f->p, frame, place);
    Pprof__Location *x = xmalloc(sizeof *x);
    pprof__location__init(x);
    x->id = number;
    x->mapping_id = image + 1;
    x->address = address;
    for (size_t n = 0; n < places; n++) {
        Pprof__Line *line = xmalloc(sizeof *line);
        pprof__line__init(line);
        line->function_id = function(f, &place[n]);
        line->line = place[n].line;
        pprof_append(&x->line, &x->n_line, line);
    }
    pprof_append(&m->location, &m->n_location, x);
    return number;
}

/* Labels a sample by its run, because pprof can merge profiles. */
static void pprof_add_run(struct pprof *f, Pprof__Sample *x)
{
    Pprof__Label *label = xmalloc(sizeof *label);
    pprof__label__init(label);
    label->key = pprof_text(f, "run");
    label->num = f->run;
    pprof_append(&x->label, &x->n_label, label);
}

/* Adds a sample of `depth` locations and zeros; returns it. */
static Pprof__Sample *add_sample(struct pprof *f, size_t depth)
{
    Pprof__Sample *x = xmalloc(sizeof *x);
    pprof__sample__init(x);
    x->n_location_id = depth;
    x->location_id = xcalloc(depth + 1, sizeof *x->location_id);
    x->n_value = f->events.count;
    x->value = xcalloc(f->events.count, sizeof *x->value);
    if (f->run > 0)
        pprof_add_run(f, x);
    pprof_append(&f->profile->sample, &f->profile->n_sample, x);
    return x;
}

/* The sample of a stack. */
static Pprof__Sample *pprof_stack(struct pprof *f, struct profile_path *path, uint32_t frame, bool by_function)
{
    Pprof__Sample **x = &f->stack[by_function][frame];
    if (*x != NULL)
        return *x;
    profile_path_read(path, f->p, frame);
    *x = add_sample(f, path->depth > 0 ? path->depth : 1);
    if (path->depth == 0)
        (*x)->location_id[0] = location(f, (struct export_frame){export_unknown_place(f->p), false});
    for (size_t i = 0; i < path->depth; i++)
        (*x)->location_id[i] = location(f, export_frame_of_path(f->p, path, i, by_function));
    return *x;
}

static void pprof_add_stacks(struct pprof *f, size_t event)
{
    size_t count;
    const struct profile_stack *stack = profile_stacks(f->p, f->events.event[event], &count);
    bool by_function = export_is_by_function(f->p, f->events.event[event]);
    struct export_rounding rounding = {0};
    struct profile_path path = {.frame = NULL};
    for (size_t n = 0; n < count; n++) {
        const int64_t value = (int64_t)export_round(&rounding, f->p, f->events.event[event], stack[n].value);
        if (value > 0)
            pprof_stack(f, &path, stack[n].frame, by_function)->value[event] = value;
    }
    free(path.frame);
}

/* Adds the samples of events without stacks: one for each address. */
static void add_addresses(struct pprof *f)
{
    struct export_rows rows;
    export_rows_make(&rows, f->p, &f->events);
    for (size_t n = 0; n < rows.count; n++) {
        const struct export_row *r = &rows.row[n];
        const struct export_frame frame = {{r->image, r->address}, r->is_function};
        Pprof__Sample *x = NULL;
        for (size_t e = 0; e < f->events.count; e++) {
            if (r->value[e] == 0 || (export_kinds(f->p, f->events.event[e]) & EXPORT_STACKS) != 0)
                continue;
            if (x == NULL) {
                x = add_sample(f, 1);
                x->location_id[0] = location(f, frame);
            }
            x->value[e] = (int64_t)r->value[e];
        }
    }
    export_rows_free(&rows);
}

/* pprof prints other units than this one behind each value. */
static const char *pprof_unit(const struct profile_event *e)
{
    return export_is_time(e) || strcmp(e->unit, "events") != 0 ? e->unit : "count";
}

static void add_types(struct pprof *f)
{
    Pprof__Profile *m = f->profile;
    for (size_t n = 0; n < f->events.count; n++) {
        Pprof__ValueType *x = xmalloc(sizeof *x);
        char *label = export_label(f->p, f->events.event[n]);
        pprof__value_type__init(x);
        x->type = pprof_text(f, label);
        x->unit = pprof_text(f, pprof_unit(profile_event(f->p, f->events.event[n])));
        pprof_append(&m->sample_type, &m->n_sample_type, x);
        free(label);
    }
    m->default_sample_type = m->sample_type[0]->type;
    const struct profile_event *e = profile_event(f->p, f->events.event[0]);
    if (e->period > 0) {
        m->period_type = xmalloc(sizeof *m->period_type);
        *m->period_type = *m->sample_type[0];
        m->period = e->period < 0x1p63 ? (int64_t)e->period : INT64_MAX;
    }
}

/* Adds the mappings, that of the program first: pprof takes the first one for the program. */
static void add_mappings(struct pprof *f, uint32_t program)
{
    Pprof__Profile *m = f->profile;
    for (uint32_t k = 0; k < profile_images(f->p); k++) {
        const uint32_t n = k == 0 ? program : k <= program ? k - 1 : k;
        const struct profile_image *i = profile_image(f->p, n);
        const struct profile_code *last = i->codes == 0 ? NULL : &i->code[i->codes - 1];
        Pprof__Mapping *x = xmalloc(sizeof *x);
        pprof__mapping__init(x);
        x->id = n + 1;
        x->memory_start = i->codes == 0 ? 0 : i->code[0].start;
        x->memory_limit = last == NULL ? UINT64_MAX : last->start + last->size_bytes;
        x->file_offset = i->codes == 0 ? 0 : i->code[0].file_offset;
        x->filename = pprof_text(f, i->path);
        x->build_id = pprof_text(f, i->build_id);
        x->has_functions = x->has_filenames = x->has_line_numbers = x->has_inline_frames = 1;
        pprof_append(&m->mapping, &m->n_mapping, x);
    }
}

static void pprof_add_comment(struct pprof *f, const char *command)
{
    if (command == NULL)
        return;
    f->profile->comment = xcalloc(1, sizeof *f->profile->comment);
    f->profile->comment[f->profile->n_comment++] = pprof_text(f, command);
}

static void pprof_add_samples(struct pprof *f)
{
    for (int n = 0; n < 2; n++)
        f->stack[n] = xcalloc(profile_frames_end(f->p) + (size_t)1, sizeof *f->stack[n]);
    for (size_t e = 0; e < f->events.count; e++)
        pprof_add_stacks(f, e);
    add_addresses(f);
    for (int n = 0; n < 2; n++)
        free(f->stack[n]);
}

static enum status pprof_write_profile(struct pprof *f, const char *command, FILE *out, struct errmsg *err)
{
    enum { COMPRESSION = 6 };
    f->profile = xmalloc(sizeof *f->profile);
    pprof__profile__init(f->profile);
    pprof_text(f, "");
    add_types(f);
    add_mappings(f, export_program_image(f->p, command));
    pprof_add_comment(f, command);
    pprof_add_samples(f);
    size_t size_bytes = pprof__profile__get_packed_size(f->profile);
    uint8_t *bytes = xmalloc(size_bytes + 1);
    pprof__profile__pack(f->profile, bytes);
    enum status st = gzip_write(bytes, size_bytes, COMPRESSION, out, err);
    free(bytes);
    pprof__profile__free_unpacked(f->profile, NULL); /* its parts are allocated as if it had been read */
    return st;
}

enum status export_write_pprof(const struct profile *p, const struct export_options *o, FILE *out, struct errmsg *err)
{
    struct pprof f = {.p = p, .run = o->run, .names = export_names(p, o->full_names)};
    enum status st = export_select(p, o, EXPORT_SAMPLES | EXPORT_STACKS, &f.events, err);
    if (st == ST_OK)
        st = pprof_write_profile(&f, o->command, out, err);
    names_free(f.names);
    pprof_free_numbers(f.texts);
    pprof_free_numbers(f.functions);
    pprof_free_numbers(f.locations);
    free(f.events.event);
    return st;
}
