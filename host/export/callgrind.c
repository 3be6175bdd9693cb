/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Callgrind's profile format, version 1: the costs of each instruction, all events side by side, and the calls of the
 * call stacks with what they cost, callees included. Names are written once and then by number. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "host/export/calls.h"
#include "host/export/place.h"
#include "host/export/rows.h"
#include "host/export/select.h"

/* A name that has been written, with its kind: 'o' object, 'l' source file, 'n' function. */
struct callgrind_name {
    char *key;
    unsigned number;
    UT_hash_handle hh;
};

struct callgrind {
    const struct profile *p;
    struct export_events events;
    const char *command; /* of the guest; NULL: unknown */
    FILE *out;
    struct callgrind_name *names;
    unsigned numbers[256]; /* names of a kind */
    struct export_calls calls;
    struct names *shown;
};

static void write_name(struct callgrind *c, char kind, const char *prefix, const char *name)
{
    char *key = xasprintf("%c%s", kind, name);
    struct callgrind_name *found;
    HASH_FIND_STR(c->names, key, found);
    if (found != NULL) {
        fprintf(c->out, "%s=(%u)\n", prefix, found->number);
        free(key);
        return;
    }
    found = xmalloc(sizeof *found);
    *found = (struct callgrind_name){.key = key, .number = ++c->numbers[(unsigned char)kind]};
    HASH_ADD_KEYPTR(hh, c->names, found->key, strlen(found->key), found);
    fprintf(c->out, "%s=(%u) %s\n", prefix, found->number, name);
}

static void write_function(struct callgrind *c, const char *prefix, const struct export_place *place)
{
    char *shown = names_show(c->shown, place->shown);
    write_name(c, 'n', prefix, shown);
    free(shown);
}

static void callgrind_free_names(struct callgrind *c)
{
    struct callgrind_name *n, *next;
    HASH_ITER (hh, c->names, n, next) {
        HASH_DEL(c->names, n);
        free(n->key);
        free(n);
    }
}

/* ---- the file ---- */

static const char *or_unknown(const char *file) { return file == NULL ? "???" : file; }

static void write_costs(struct callgrind *c, uint64_t address, uint32_t line, const uint64_t *value)
{
    fprintf(c->out, "0x%" PRIx64 " %" PRIu32, address, line);
    for (size_t e = 0; e < c->events.count; e++)
        fprintf(c->out, " %" PRIu64, value[e]);
    fputc('\n', c->out);
}

/* Writes the call at number `n` of the list, all events of it; returns the number of the next one. */
static size_t write_call(struct callgrind *c, size_t n, uint32_t line)
{
    const struct export_call *call = &c->calls.call[n];
    struct export_place to = export_function_place(c->p, call->to_image, call->to);
    uint64_t *value = xcalloc(c->events.count, sizeof *value);
    for (; n < c->calls.count && export_calls_same(call, &c->calls.call[n]); n++) {
        const struct export_call *of_event = &c->calls.call[n];
        value[of_event->event] = export_number(c->p, c->events.event[of_event->event], of_event->value);
    }
    write_name(c, 'o', "cob", profile_image(c->p, call->to_image)->name);
    write_name(c, 'l', "cfi", or_unknown(to.file));
    write_function(c, "cfn", &to);
    /* callgrind_annotate takes the cost of a call that is executed 0 times for a cost of the caller itself. */
    uint64_t executions = call->executions > 0 ? call->executions : 1;
    fprintf(c->out, "calls=%" PRIu64 " 0x%" PRIx64 " %" PRIu32 "\n", executions, call->to, to.line);
    write_costs(c, call->address, line, value);
    free(value);
    return n;
}

/* Items written last, which need not be repeated. */
struct callgrind_state {
    uint32_t image;
    uint64_t start;
    const char *file; /* of the costs that follow */
};

static void write_heads(struct callgrind *c, struct callgrind_state *s, uint32_t image, uint64_t address,
                        const char *file)
{
    const struct profile_symbol *symbol = profile_find_symbol(profile_image(c->p, image), address);
    uint64_t start = symbol == NULL ? 0 : symbol->start;
    if (s->image != image || s->start != start) {
        struct export_place first = export_function_place(c->p, image, symbol == NULL ? address : start);
        fputc('\n', c->out);
        if (s->image != image)
            write_name(c, 'o', "ob", profile_image(c->p, image)->name);
        s->file = or_unknown(first.file);
        write_name(c, 'l', "fl", s->file);
        write_function(c, "fn", &first);
        s->image = image;
        s->start = start;
    }
    if (strcmp(s->file, file) != 0) {
        s->file = file;
        write_name(c, 'l', "fi", file);
    }
}

/* File and line of costs: of an instruction, or of the function that begins at the address. */
static const char *callgrind_line_of(const struct callgrind *c, uint32_t image, uint64_t address, bool is_function,
                                     uint32_t *line)
{
    if (is_function) {
        struct export_place place = export_function_place(c->p, image, address);
        *line = place.line;
        return or_unknown(place.file);
    }
    const struct profile_line *l = profile_find_line(profile_image(c->p, image), address);
    *line = l == NULL ? 0 : l->line;
    return l == NULL ? "???" : profile_file(c->p, l->file);
}

static bool callgrind_is_before(const struct export_call *call, const struct export_row *row)
{
    return call->image != row->image ? call->image < row->image : call->address < row->address;
}

/* Writes rows and calls in the order of their places. */
static void write_body(struct callgrind *c, const struct export_rows *rows)
{
    struct callgrind_state s = {.image = UINT32_MAX, .file = ""};
    size_t row = 0, call = 0;
    while (row < rows->count || call < c->calls.count) {
        const struct export_row *r = row < rows->count ? &rows->row[row] : NULL;
        const struct export_call *k = call < c->calls.count ? &c->calls.call[call] : NULL;
        uint32_t line;
        if (k != NULL && (r == NULL || callgrind_is_before(k, r))) {
            write_heads(c, &s, k->image, k->address, callgrind_line_of(c, k->image, k->address, k->is_function, &line));
            call = write_call(c, call, line);
        } else if (r != NULL) {
            write_heads(c, &s, r->image, r->address, callgrind_line_of(c, r->image, r->address, r->is_function, &line));
            write_costs(c, r->address, line, r->value);
            row++;
        }
    }
}

/* Name of an event, of letters, digits and '_', at least one. */
static char *callgrind_event_name(const struct profile *p, uint32_t event)
{
    char *name = export_label(p, event);
    size_t length = 0;
    for (const char *in = name; *in != '\0'; in++)
        if (isalnum((unsigned char)*in) || (length > 0 && name[length - 1] != '_'))
            name[length++] = isalnum((unsigned char)*in) ? *in : '_';
    while (length > 0 && name[length - 1] == '_')
        length--;
    name[length] = '\0';
    if (length > 0)
        return name;
    free(name);
    return xstrdup("event");
}

/* Returns whether one of the names is this one. */
static bool is_taken(char *const *names, size_t count, const char *name)
{
    for (size_t n = 0; n < count; n++)
        if (strcmp(names[n], name) == 0)
            return true;
    return false;
}

/* Names of the events. A name that is taken gets a number. */
static void write_event_names(const struct callgrind *c)
{
    char **names = xcalloc(c->events.count, sizeof *names);
    for (size_t e = 0; e < c->events.count; e++) {
        char *name = callgrind_event_name(c->p, c->events.event[e]);
        names[e] = xstrdup(name);
        for (unsigned number = 2; is_taken(names, e, names[e]); number++) {
            free(names[e]);
            names[e] = xasprintf("%s_%u", name, number);
        }
        fprintf(c->out, " %s", names[e]);
        free(name);
    }
    for (size_t e = 0; e < c->events.count; e++)
        free(names[e]);
    free(names);
}

static void write_events(struct callgrind *c, const struct export_rows *rows)
{
    fputs("# callgrind format\nversion: 1\ncreator: pcprof\n", c->out);
    if (c->command != NULL || profile_images(c->p) > 0)
        fprintf(c->out, "cmd: %s\n", c->command != NULL ? c->command : profile_image(c->p, 0)->path);
    fputs("positions: instr line\nevents:", c->out);
    write_event_names(c);
    fputs("\nsummary:", c->out);
    for (size_t e = 0; e < c->events.count; e++) {
        uint64_t sum = 0;
        for (size_t n = 0; n < rows->count; n++)
            sum += rows->row[n].value[e];
        fprintf(c->out, " %" PRIu64, sum);
    }
    fputc('\n', c->out);
}

enum status export_write_callgrind(const struct profile *p, const struct export_options *o, FILE *out,
                                   struct errmsg *err)
{
    struct callgrind c = {.p = p, .command = o->command, .out = out, .shown = export_names(p, o->full_names)};
    enum status st = export_select_one(p, o, EXPORT_SAMPLES | EXPORT_STACKS, &c.events, err);
    if (st == ST_OK) {
        struct export_rows rows;
        export_rows_make(&rows, p, &c.events);
        export_calls_make(&c.calls, p, &c.events);
        write_events(&c, &rows);
        write_body(&c, &rows);
        export_rows_free(&rows);
    }
    callgrind_free_names(&c);
    names_free(c.shown);
    export_calls_free(&c.calls);
    free(c.events.event);
    return st;
}
