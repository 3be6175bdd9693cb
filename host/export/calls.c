/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls from the stacks of a profile, and their executions from its control transfers. */
#include "host/export/calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "host/export/frame.h"

static int export_calls_compare_keys(const uint64_t *k, const uint64_t *l, size_t count)
{
    for (size_t n = 0; n < count; n++)
        if (k[n] != l[n])
            return k[n] < l[n] ? -1 : 1;
    return 0;
}

/* ---- costs, from stacks ---- */

static int export_calls_compare_places(const struct export_call *x, const struct export_call *y)
{
    const uint64_t k[] = {x->image, x->address, x->to_image, x->to}, l[] = {y->image, y->address, y->to_image, y->to};
    return export_calls_compare_keys(k, l, sizeof k / sizeof k[0]);
}

static int compare_costs(const void *a, const void *b)
{
    const struct export_call *x = a, *y = b;
    int order = export_calls_compare_places(x, y);
    return order != 0 ? order : x->event < y->event ? -1 : x->event > y->event;
}

/* The values of an event by frame, those of what the frame has called included. */
static double *export_calls_inclusive(const struct profile *p, uint32_t event)
{
    size_t count;
    const struct profile_stack *stack = profile_stacks(p, event, &count);
    double *value = xcalloc(profile_frames_end(p), sizeof *value);
    for (size_t n = 0; n < count; n++)
        value[stack[n].frame] += stack[n].value;
    for (uint32_t f = profile_frames_end(p) - 1; f > 0; f--)
        value[profile_frame(p, f)->caller] += value[f];
    return value;
}

/* The call by which a frame's function is active; false: its caller is not known. */
static bool export_calls_of_frame(const struct profile *p, uint32_t frame, struct export_call *call)
{
    const struct profile_frame *f = profile_frame(p, frame);
    if (f->caller == 0)
        return false;
    const struct export_frame caller = export_frame_caller(p, f->caller);
    *call = (struct export_call){.image = caller.at.image,
                                 .address = caller.at.address,
                                 .is_function = caller.is_function,
                                 .to_image = f->at.image,
                                 .to = export_start(p, f->at.image, f->at.address)};
    return true;
}

/* A frame's call among those of all frames. */
struct frame_call {
    struct export_call call;
    uint32_t frame;
};

static int export_calls_compare_frames(const void *a, const void *b)
{
    const struct frame_call *x = a, *y = b;
    const int order = export_calls_compare_places(&x->call, &y->call);
    return order != 0 ? order : x->frame < y->frame ? -1 : x->frame > y->frame;
}

/* The functions of frames. */
struct frame_calls {
    uint32_t *number; /* by frame: frames of one function have one number, from 1 */
    bool *nested;     /* by frame: its function is active further out, by recursion */
};

static void export_calls_number(struct frame_calls *c, const struct profile *p)
{
    const uint32_t end = profile_frames_end(p);
    struct frame_call *list = xcalloc(end, sizeof *list);
    uint32_t count = 0, number = 0;
    for (uint32_t f = 1; f < end; f++) {
        const struct profile_place at = profile_frame(p, f)->at;
        const struct export_call function = {.to_image = at.image, .to = export_start(p, at.image, at.address)};
        list[count++] = (struct frame_call){function, f};
    }
    qsort(list, count, sizeof *list, export_calls_compare_frames);
    for (uint32_t n = 0; n < count; n++) {
        number += n == 0 || export_calls_compare_places(&list[n - 1].call, &list[n].call) != 0;
        c->number[list[n].frame] = number;
    }
    free(list);
}

/* Walks from callers to callees; `active` has, by function, the number of its frames on the path. */
static void export_calls_find_nested(struct frame_calls *c, const struct profile *p)
{
    const uint32_t end = profile_frames_end(p);
    uint32_t *order = profile_frames_in_order(p), *active = xcalloc(end + 1, sizeof *active),
             *path = xcalloc(end, sizeof *path), depth = 0;
    for (uint32_t n = 1; n < end; n++) {
        const uint32_t f = order[n];
        while (depth >= profile_frame(p, f)->depth)
            active[c->number[path[--depth]]]--;
        c->nested[f] = active[c->number[f]]++ != 0;
        path[depth++] = f;
    }
    free(order);
    free(active);
    free(path);
}

/* Sums the calls of a place and event. */
static void sum_calls(struct export_calls *calls)
{
    size_t kept = 0;
    if (calls->count > 0)
        qsort(calls->call, calls->count, sizeof *calls->call, compare_costs);
    for (size_t n = 0; n < calls->count; n++) {
        if (kept > 0 && compare_costs(&calls->call[kept - 1], &calls->call[n]) == 0)
            calls->call[kept - 1].value += calls->call[n].value;
        else
            calls->call[kept++] = calls->call[n];
    }
    calls->count = kept;
}

/* Adds the calls of an event. The cost of a function with its callees is the sum of the calls of it, as the tools
 * compute it: a call of a function that is active already costs nothing, because the outer call has its cost. */
static void export_calls_add_event(struct export_calls *calls, const struct profile *p, size_t event,
                                   const double *inclusive, const struct frame_calls *c)
{
    for (uint32_t f = 1; f < profile_frames_end(p); f++) {
        struct export_call call;
        if (inclusive[f] == 0 || !export_calls_of_frame(p, f, &call))
            continue;
        call.event = event;
        call.value = c->nested[f] ? 0 : inclusive[f];
        calls->call = xgrow(calls->call, calls->count, sizeof *calls->call);
        calls->call[calls->count++] = call;
    }
}

static void collect_calls(struct export_calls *calls, const struct profile *p, const struct export_events *events)
{
    const size_t frames = profile_frames_end(p);
    struct frame_calls c = {.number = xcalloc(frames, sizeof *c.number), .nested = xcalloc(frames, sizeof *c.nested)};
    export_calls_number(&c, p);
    export_calls_find_nested(&c, p);
    for (size_t e = 0; e < events->count; e++) {
        double *inclusive = export_calls_inclusive(p, events->event[e]);
        export_calls_add_event(calls, p, e, inclusive, &c);
        free(inclusive);
    }
    free(c.number);
    free(c.nested);
    sum_calls(calls);
}

/* ---- executions, from control transfers ---- */

/* The transfers to starts of functions, of the first event with control transfers. */
struct transfers {
    const struct profile *p;
    struct profile_edge *edge; /* in ascending order of destination, then origin */
    size_t count;
    uint32_t event;
};

/* Code of an image from `start` up to `end`, which is not included. */
struct code_range {
    uint32_t image;
    uint64_t start, end;
};

static int compare_transfers(const void *a, const void *b)
{
    const struct profile_edge *x = a, *y = b;
    const uint64_t k[] = {x->to_image, x->to, x->from_image, x->from},
                   l[] = {y->to_image, y->to, y->from_image, y->from};
    return export_calls_compare_keys(k, l, sizeof k / sizeof k[0]);
}

/* Returns whether the instruction at an address writes a link register: `jal`, `jalr` and `c.jalr`. */
static bool is_linking(const struct profile_image *i, uint64_t address)
{
    for (size_t n = 0; n < i->codes; n++) {
        const struct profile_code *c = &i->code[n];
        uint64_t offset = address - c->start;
        if (address < c->start || c->size_bytes < 2 || offset > c->size_bytes - 2)
            continue;
        unsigned low = c->bytes[offset] | (unsigned)c->bytes[offset + 1] << 8, opcode = low & 0x7f, rd = low >> 7 & 31;
        return opcode == 0x6f || opcode == 0x67 ? rd == 1 || rd == 5 : (low & 0xf07f) == 0x9002 && rd != 0;
    }
    return false;
}

bool export_calls_is_call(const struct profile *p, const struct profile_edge *e)
{
    bool is_within = e->from_image == e->to_image && export_start(p, e->from_image, e->from) == e->to;
    return export_start(p, e->to_image, e->to) == e->to &&
           (!is_within || is_linking(profile_image(p, e->from_image), e->from));
}

static void collect_transfers(struct transfers *t)
{
    size_t count = 0;
    const struct profile_edge *edge = NULL;
    for (uint32_t e = 0; e < profile_events(t->p) && count == 0; e++) {
        edge = profile_edges(t->p, e, &count);
        t->event = e;
    }
    t->edge = xcalloc(count + 1, sizeof *t->edge);
    for (size_t n = 0; n < count; n++)
        if (export_calls_is_call(t->p, &edge[n]))
            t->edge[t->count++] = edge[n];
    qsort(t->edge, t->count, sizeof *t->edge, compare_transfers);
}

/* The number of the first transfer to a function from an address or a higher one. */
static size_t first_transfer(const struct transfers *t, const struct profile_edge *key)
{
    size_t low = 0, high = t->count;
    SEARCH(low, high, middle, compare_transfers(&t->edge[middle], key) < 0);
    return low;
}

static bool is_to(const struct transfers *t, size_t n, uint32_t image, uint64_t address)
{
    return n < t->count && t->edge[n].to_image == image && t->edge[n].to == address;
}

/* Sum of the transfers from a range of code to the start of a function. */
static double sum_transfers(const struct transfers *t, struct code_range from, uint32_t image, uint64_t address)
{
    const struct profile_edge key = {.from_image = from.image, .from = from.start, .to_image = image, .to = address};
    double sum = 0;
    for (size_t n = first_transfer(t, &key); is_to(t, n, image, address); n++)
        if (t->edge[n].from_image == from.image && t->edge[n].from < from.end)
            sum += t->edge[n].value;
    return sum;
}

/* The code of a caller: its function, or the instruction. */
static struct code_range caller_code(const struct profile *p, const struct export_call *call)
{
    const struct profile_symbol *s = profile_find_symbol(profile_image(p, call->image), call->address);
    uint64_t size_bytes = call->is_function ? s->size_bytes : 1;
    return (struct code_range){call->image, call->address, call->address + size_bytes};
}

/* Returns whether an instruction is in a stub of a procedure linkage table, and sets the stub's start. */
static bool is_in_stub(const struct profile *p, uint32_t image, uint64_t address, uint64_t *start)
{
    static const char suffix[] = "@plt";
    const struct profile_symbol *s = profile_find_symbol(profile_image(p, image), address);
    size_t length = s == NULL ? 0 : strlen(s->name);
    *start = s == NULL ? 0 : s->start;
    return length >= sizeof suffix && strcmp(s->name + length - (sizeof suffix - 1), suffix) == 0;
}

/* The transfers from the caller to the function, and those to a stub that jumps to it, because call stacks have no
 * stubs. A stub's first jump is to the dynamic linker: no more transfers are from the stub than it has to the function.
 */
static uint64_t export_calls_executions(const struct transfers *t, const struct export_call *call)
{
    struct code_range from = caller_code(t->p, call);
    const struct profile_edge key = {.to_image = call->to_image, .to = call->to};
    double sum = sum_transfers(t, from, call->to_image, call->to);
    for (size_t n = first_transfer(t, &key); is_to(t, n, call->to_image, call->to); n++) {
        uint64_t stub;
        if (is_in_stub(t->p, t->edge[n].from_image, t->edge[n].from, &stub))
            sum += fmin(t->edge[n].value, sum_transfers(t, from, t->edge[n].from_image, stub));
    }
    return sum > 0 ? export_number(t->p, t->event, sum) : 0;
}

/* ---- the whole ---- */

void export_calls_make(struct export_calls *calls, const struct profile *p, const struct export_events *events)
{
    struct transfers t = {.p = p};
    *calls = (struct export_calls){0};
    collect_calls(calls, p, events);
    collect_transfers(&t);
    for (size_t n = 0; n < calls->count; n++)
        calls->call[n].executions = export_calls_executions(&t, &calls->call[n]);
    free(t.edge);
}

void export_calls_free(struct export_calls *calls) { free(calls->call); }

bool export_calls_same(const struct export_call *x, const struct export_call *y)
{
    return export_calls_compare_places(x, y) == 0;
}
