/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Callgrind's profile format, version 1: the costs of each instruction, all events side by side, and the calls of the
 * call stacks with what they cost, callees included. Names are written once and then by number. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host/export/place.h"
#include "host/export/rows.h"
#include "host/export/select.h"
#include "isa/support/hash.h"

/* A name that has been written, with its kind: 'o' object, 'l' source file, 'n' function. */
struct callgrind_name {
    char *key;
    unsigned number;
    UT_hash_handle hh;
};

/* A call: an instruction and the function that it calls. Its cost is that of the stacks that pass through it. */
struct callgrind_call {
    uint32_t image, to_image;
    uint64_t address, to;
    size_t event; /* of the selection */
    size_t stack; /* number of the stack, from 0 */
    double value;
};

/* Executions of a control transfer. */
struct callgrind_transfer {
    uint32_t image, to_image;
    uint64_t address, to, executions;
};

struct callgrind {
    const struct profile *p;
    struct export_events events;
    FILE *out;
    struct callgrind_name *names;
    unsigned numbers[256]; /* names of a kind */
    struct callgrind_call *call;
    size_t calls, stacks;
    struct callgrind_transfer *transfer; /* in ascending order of their places */
    size_t transfers;
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

static void free_names(struct callgrind *c)
{
    struct callgrind_name *n, *next;
    HASH_ITER (hh, c->names, n, next) {
        HASH_DEL(c->names, n);
        free(n->key);
        free(n);
    }
}

/* ---- calls, from stacks ---- */

static int compare_keys(const uint64_t *k, const uint64_t *l, size_t count)
{
    for (size_t n = 0; n < count; n++)
        if (k[n] != l[n])
            return k[n] < l[n] ? -1 : 1;
    return 0;
}

/* By place and event. */
static int compare_costs(const struct callgrind_call *x, const struct callgrind_call *y)
{
    const uint64_t k[] = {x->image, x->address, x->to_image, x->to, x->event},
                   l[] = {y->image, y->address, y->to_image, y->to, y->event};
    return compare_keys(k, l, sizeof k / sizeof k[0]);
}

static int compare_calls(const void *a, const void *b)
{
    const struct callgrind_call *x = a, *y = b;
    int order = compare_costs(x, y);
    return order != 0 ? order : x->stack < y->stack ? -1 : x->stack > y->stack;
}

static void add_stack(struct callgrind *c, size_t event, const struct profile_stack *s)
{
    for (size_t n = 1; n < s->depth; n++) {
        const struct profile_frame *caller = &s->frame[n], *callee = &s->frame[n - 1];
        const struct callgrind_call call = {.image = caller->image,
                                            .address = caller->address,
                                            .to_image = callee->image,
                                            .to = export_start(c->p, callee->image, callee->address),
                                            .event = event,
                                            .stack = c->stacks,
                                            .value = s->value};
        c->call = xgrow(c->call, c->calls, sizeof *c->call);
        c->call[c->calls++] = call;
    }
    c->stacks++;
}

/* Sums the calls of a place. One that occurs again in its stack, by recursion, counts once. */
static void sum_calls(struct callgrind *c)
{
    size_t kept = 0;
    for (size_t n = 1; n < c->calls; n++) {
        struct callgrind_call *last = &c->call[kept];
        const struct callgrind_call *next = &c->call[n];
        if (compare_costs(last, next) != 0) {
            c->call[++kept] = *next;
        } else if (last->stack != next->stack) {
            last->value += next->value;
            last->stack = next->stack;
        }
    }
    c->calls = c->calls == 0 ? 0 : kept + 1;
}

static void collect_calls(struct callgrind *c)
{
    for (size_t e = 0; e < c->events.count; e++) {
        size_t count;
        const struct profile_stack *stack = profile_stacks(c->p, c->events.event[e], &count);
        for (size_t n = 0; n < count; n++)
            add_stack(c, e, &stack[n]);
    }
    if (c->calls > 0)
        qsort(c->call, c->calls, sizeof *c->call, compare_calls);
    sum_calls(c);
}

/* ---- executions, from control transfers ---- */

/* By place, and the most executions first. */
static int compare_transfers(const void *a, const void *b)
{
    const struct callgrind_transfer *x = a, *y = b;
    const uint64_t k[] = {x->image, x->address, x->to_image, x->to, y->executions},
                   l[] = {y->image, y->address, y->to_image, y->to, x->executions};
    return compare_keys(k, l, sizeof k / sizeof k[0]);
}

static void collect_transfers(struct callgrind *c)
{
    for (uint32_t e = 0; e < profile_events(c->p); e++) {
        size_t count;
        const struct profile_edge *edge = profile_edges(c->p, e, &count);
        for (size_t n = 0; n < count; n++) {
            c->transfer = xgrow(c->transfer, c->transfers, sizeof *c->transfer);
            c->transfer[c->transfers++] = (struct callgrind_transfer){
                .image = edge[n].from_image,
                .address = edge[n].from,
                .to_image = edge[n].to_image,
                .to = edge[n].to,
                .executions = export_number(c->p, e, edge[n].value)};
        }
    }
    if (c->transfers > 0)
        qsort(c->transfer, c->transfers, sizeof *c->transfer, compare_transfers);
}

/* Executions of a call: the largest value of a control transfer from there to the function; 1 if none is known. */
static uint64_t executions(const struct callgrind *c, const struct callgrind_call *call)
{
    const struct callgrind_transfer key = {call->image, call->to_image, call->address, call->to, UINT64_MAX};
    size_t low = 0, high = c->transfers;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_transfers(&c->transfer[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    const struct callgrind_transfer *t = low < c->transfers ? &c->transfer[low] : NULL;
    bool is_found = t != NULL && t->image == key.image && t->address == key.address && t->to_image == key.to_image &&
                    t->to == key.to && t->executions > 0;
    return is_found ? t->executions : 1;
}

/* ---- the file ---- */

static const char *or_unknown(const char *file) { return file == NULL ? "???" : file; }

/* The place that a row of costs is shown at: the line of the instruction, in the function with the symbol. */
static struct export_place outermost(const struct callgrind *c, uint32_t image, uint64_t address)
{
    struct export_place place[EXPORT_PLACES];
    size_t count = export_places(c->p, image, address, place);
    return place[count - 1];
}

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
    const struct callgrind_call *call = &c->call[n];
    struct export_place to = outermost(c, call->to_image, call->to);
    uint64_t *value = xcalloc(c->events.count, sizeof *value);
    for (; n < c->calls && c->call[n].image == call->image && c->call[n].address == call->address &&
           c->call[n].to_image == call->to_image && c->call[n].to == call->to;
         n++)
        value[c->call[n].event] = export_number(c->p, c->events.event[c->call[n].event], c->call[n].value);
    write_name(c, 'o', "cob", profile_image(c->p, call->to_image)->name);
    write_name(c, 'l', "cfi", or_unknown(to.file));
    write_name(c, 'n', "cfn", to.shown);
    fprintf(c->out, "calls=%" PRIu64 " 0x%" PRIx64 " %" PRIu32 "\n", executions(c, call), call->to, to.line);
    write_costs(c, call->address, line, value);
    free(value);
    return n;
}

/* What was written last. */
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
        struct export_place first = outermost(c, image, symbol == NULL ? address : start);
        fputc('\n', c->out);
        if (s->image != image)
            write_name(c, 'o', "ob", profile_image(c->p, image)->name);
        s->file = or_unknown(first.file);
        write_name(c, 'l', "fl", s->file);
        write_name(c, 'n', "fn", first.shown);
        s->image = image;
        s->start = start;
    }
    if (strcmp(s->file, file) != 0) {
        s->file = file;
        write_name(c, 'l', "fi", file);
    }
}

static const char *line_of(const struct callgrind *c, uint32_t image, uint64_t address, uint32_t *line)
{
    const struct profile_line *l = profile_find_line(profile_image(c->p, image), address);
    *line = l == NULL ? 0 : l->line;
    return l == NULL ? "???" : profile_file(c->p, l->file);
}

static bool is_before(const struct callgrind_call *call, const struct export_row *row)
{
    return call->image != row->image ? call->image < row->image : call->address < row->address;
}

/* Writes rows and calls in the order of their places. */
static void write_body(struct callgrind *c, const struct export_rows *rows)
{
    struct callgrind_state s = {.image = UINT32_MAX, .file = ""};
    size_t row = 0, call = 0;
    while (row < rows->count || call < c->calls) {
        const struct export_row *r = row < rows->count ? &rows->row[row] : NULL;
        const struct callgrind_call *k = call < c->calls ? &c->call[call] : NULL;
        uint32_t line;
        if (k != NULL && (r == NULL || is_before(k, r))) {
            write_heads(c, &s, k->image, k->address, line_of(c, k->image, k->address, &line));
            call = write_call(c, call, line);
        } else if (r != NULL) {
            write_heads(c, &s, r->image, r->address, line_of(c, r->image, r->address, &line));
            write_costs(c, r->address, line, r->value);
            row++;
        }
    }
}

/* Name of an event, of letters, digits and '_', at least one. */
static char *short_name(const struct profile *p, uint32_t event)
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
        char *name = short_name(c->p, c->events.event[e]);
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
    if (profile_images(c->p) > 0)
        fprintf(c->out, "cmd: %s\n", profile_image(c->p, 0)->path);
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
    struct callgrind c = {.p = p, .out = out};
    enum status st = export_select(p, o, EXPORT_SAMPLES | EXPORT_STACKS, &c.events, err);
    if (st == ST_OK) {
        struct export_rows rows;
        export_rows_make(&rows, p, &c.events);
        collect_calls(&c);
        collect_transfers(&c);
        write_events(&c, &rows);
        write_body(&c, &rows);
        export_rows_free(&rows);
    }
    free_names(&c);
    free(c.call);
    free(c.transfer);
    free(c.events.event);
    return st;
}
