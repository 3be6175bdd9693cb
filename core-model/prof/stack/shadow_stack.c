/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which stack an instruction is on follows from its stack pointer: a thread has several if it runs co-routines, or
 * handlers on an alternate signal stack. A stack pointer that is on no known stack is on the current one if it is near,
 * else on a new one. */
#include "core-model/prof/stack/shadow_stack.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/status.h"

/* Stacks grow down. */
struct shadow_stack {
    struct shadow_call *active; /* youngest last */
    size_t depth, capacity;
    uint64_t high;                   /* greatest stack pointer of a call */
    uint32_t base;                   /* node without a call */
    struct shadow_stack *returns_to; /* of a signal handler on a stack of its own; NULL: not one */
    struct shadow_stack *next;       /* of the thread */
};

struct call_thread {
    uint64_t number, handlers;
    bool is_known;                        /* the kernel has let it run: `handlers` is the number that it has entered */
    struct shadow_stack *stack, *current; /* all in a list, the latest used first; the one in use */
    unsigned stacks;
    UT_hash_handle hh;
};

struct call_threads {
    struct call_tree *tree;
    struct call_thread *thread;
    uint64_t calls; /* number of activations until now */
};

/* A frame is not larger, and co-routines on stacks nearer than that are frames of one stack: Linux's default limit of a
 * stack. */
#define STACK_NEAR (UINT64_C(8) << 20)
enum { FRAME_USUAL = 1 << 12 };
/* A guest can make calls that never return, and use any number of stacks: beyond these the oldest are forgotten. */
enum { CALLS_MOST = 1 << 20, STACKS_MOST = 1024 };

/* ---- life ---- */

struct call_threads *call_threads_new(struct call_tree *tree)
{
    struct call_threads *s = xcalloc(1, sizeof *s);
    s->tree = tree;
    return s;
}

static void shadow_stack_free(struct shadow_stack *k)
{
    free(k->active);
    free(k);
}

void call_threads_free(struct call_threads *s)
{
    struct call_thread *t, *next;
    if (s == NULL)
        return;
    HASH_ITER (hh, s->thread, t, next) {
        HASH_DEL(s->thread, t);
        for (struct shadow_stack *k = t->stack, *after; k != NULL; k = after) {
            after = k->next;
            shadow_stack_free(k);
        }
        free(t);
    }
    free(s);
}

/* Takes the stack off the thread's list. */
static void shadow_stack_unlink(struct call_thread *t, const struct shadow_stack *k)
{
    struct shadow_stack **at = &t->stack;
    while (*at != k)
        at = &(*at)->next;
    *at = k->next;
    t->stacks--;
}

static void shadow_stack_link(struct call_thread *t, struct shadow_stack *k)
{
    k->next = t->stack;
    t->stack = k;
    t->stacks++;
}

/* Forgets the stack that was used longest ago, and that no handler returns to. */
static void shadow_stack_forget(struct call_thread *t)
{
    struct shadow_stack *oldest = NULL;
    for (struct shadow_stack *k = t->stack; k != NULL; k = k->next) {
        bool is_interrupted = false;
        for (const struct shadow_stack *h = t->current; h != NULL && !is_interrupted; h = h->returns_to)
            is_interrupted = h == k;
        oldest = is_interrupted || k->returns_to != NULL ? oldest : k;
    }
    if (oldest == NULL)
        return;
    shadow_stack_unlink(t, oldest);
    shadow_stack_free(oldest);
}

/* Makes a new stack the current one. */
static struct shadow_stack *shadow_stack_begin(struct call_thread *t, uint32_t base, uint64_t high)
{
    struct shadow_stack *k = xcalloc(1, sizeof *k);
    k->base = base;
    k->high = high;
    if (t->stacks == STACKS_MOST)
        shadow_stack_forget(t);
    shadow_stack_link(t, k);
    return t->current = k;
}

struct call_thread *shadow_stack_thread(struct call_threads *s, uint64_t number)
{
    struct call_thread *t;
    HASH_FIND(hh, s->thread, &number, sizeof number, t);
    if (t == NULL) {
        t = xcalloc(1, sizeof *t);
        t->number = number;
        shadow_stack_begin(t, 0, 0);
        HASH_ADD(hh, s->thread, number, sizeof t->number, t);
    }
    return t;
}

/* ---- which stack ---- */

static const struct shadow_call *shadow_stack_youngest(const struct shadow_stack *k)
{
    return k->depth != 0 ? &k->active[k->depth - 1] : NULL;
}

uint32_t shadow_stack_node(const struct call_thread *t)
{
    const struct shadow_call *a = shadow_stack_youngest(t->current);
    return a != NULL ? a->node : t->current->base;
}

struct shadow_call *shadow_stack_calls(const struct call_thread *t, size_t *count)
{
    *count = t->current->depth;
    return t->current->active;
}

/* Whether a suspended function of the stack has this stack pointer, or could have it. */
static bool shadow_stack_contains(const struct shadow_stack *k, uint64_t sp)
{
    return k->depth != 0 && sp >= k->active[k->depth - 1].sp && sp <= k->high;
}

static bool shadow_stack_is_near(const struct shadow_stack *k, uint64_t sp)
{
    const uint64_t low = k->depth != 0 ? k->active[k->depth - 1].sp : k->high;
    return k->high == 0 || (sp < low ? low - sp : sp > k->high ? sp - k->high : 0) < STACK_NEAR;
}

/* Makes the stack current; a handler that is left by a jump has ended. */
static void shadow_stack_switch(struct call_thread *t, struct shadow_stack *to)
{
    struct shadow_stack *from = t->current;
    t->current = to;
    shadow_stack_unlink(t, to);
    shadow_stack_link(t, to);
    if (from->returns_to == NULL || from == to)
        return;
    for (struct shadow_stack *k = t->stack; k != NULL; k = k->next)
        if (k->returns_to == from)
            k->returns_to = from->returns_to;
    shadow_stack_unlink(t, from);
    shadow_stack_free(from);
}

/* Makes the stack current that has this stack pointer. */
static void shadow_stack_select(struct call_thread *t, uint64_t sp)
{
    if (shadow_stack_contains(t->current, sp))
        return;
    for (struct shadow_stack *k = t->stack; k != NULL; k = k->next)
        if (k != t->current && shadow_stack_contains(k, sp)) {
            shadow_stack_switch(t, k);
            return;
        }
    if (!shadow_stack_is_near(t->current, sp))
        shadow_stack_begin(t, 0, sp);
}

/* ---- calls and returns ---- */

static void shadow_stack_push(struct call_threads *s, struct shadow_stack *k, struct shadow_call a)
{
    a.number = ++s->calls;
    if (k->depth == CALLS_MOST) {
        k->depth /= 2;
        memmove(k->active, k->active + k->depth, k->depth * sizeof *k->active);
    }
    if (k->depth == k->capacity) {
        k->capacity = k->capacity != 0 ? 2 * k->capacity : 64;
        k->active = xrealloc(k->active, k->capacity * sizeof *k->active);
    }
    k->active[k->depth++] = a;
    k->high = a.sp > k->high ? a.sp : k->high;
}

/* A call with a stack pointer above that of active calls: they have been left without a return. */
static void shadow_stack_call(struct call_threads *s, struct call_thread *t, const struct probe_transfer *r)
{
    const struct shadow_call *a = shadow_stack_youngest(t->current);
    if (a == NULL || a->sp - r->sp > FRAME_USUAL)
        shadow_stack_select(t, r->sp);
    struct shadow_stack *k = t->current;
    while (k->depth != 0 && k->active[k->depth - 1].sp < r->sp)
        k->depth--;
    a = shadow_stack_youngest(k);
    if (a != NULL && a->sp == r->sp && a->return_address == r->return_address)
        k->depth--; /* the same call again: it has been left by a jump, or is none */
    const uint32_t node = call_tree_enter(s->tree, shadow_stack_node(t), r->pc, r->next_pc);
    shadow_stack_push(
        s, k,
        (struct shadow_call){
            .sp = r->sp, .return_address = r->return_address, .entry = r->next_pc, .fp = r->fp, .node = node});
}

void call_threads_add(struct call_threads *s, uint64_t thread, uint64_t call, uint64_t entry, uint64_t return_address,
                      uint64_t sp)
{
    struct call_thread *t = shadow_stack_thread(s, thread);
    const uint32_t node = call_tree_enter(s->tree, shadow_stack_node(t), call, entry);
    shadow_stack_push(s, t->current,
                      (struct shadow_call){.sp = sp, .return_address = return_address, .entry = entry, .node = node});
}

static bool shadow_stack_is_return(const struct shadow_call *a, const struct probe_transfer *r)
{
    return a->return_address == r->next_pc && a->sp == r->sp;
}

/* A routine that saves or restores registers for its caller returns with another stack pointer (gcc, -msave-restore).
 */
static bool shadow_stack_is_near_return(const struct shadow_call *a, const struct probe_transfer *r)
{
    const uint64_t moved = a->sp > r->sp ? a->sp - r->sp : r->sp - a->sp;
    return a->return_address == r->next_pc && moved <= FRAME_USUAL;
}

/* Removes the youngest activation, and with its last one the stack of a signal handler. */
static void shadow_stack_pop(struct call_thread *t)
{
    struct shadow_stack *k = t->current;
    if (--k->depth == 0 && k->returns_to != NULL)
        shadow_stack_switch(t, k->returns_to);
}

/* Number of the stack's activations up to the youngest one from which this is a return; 0: none. */
static size_t shadow_stack_depth_of(const struct shadow_stack *k, const struct probe_transfer *r)
{
    size_t depth = k->depth;
    while (depth != 0 && k->active[depth - 1].sp <= r->sp && !shadow_stack_is_return(&k->active[depth - 1], r))
        depth--;
    return depth != 0 && shadow_stack_is_return(&k->active[depth - 1], r) ? depth : 0;
}

/* Whether this is a return from an older call, or from one of another stack, which is then the current one. */
static bool shadow_stack_returns_from_older(struct call_thread *t, const struct probe_transfer *r)
{
    for (struct shadow_stack *k = t->stack; k != NULL; k = k->next) {
        const size_t depth = shadow_stack_depth_of(k, r);
        if (depth == 0)
            continue;
        if (k != t->current)
            shadow_stack_switch(t, k);
        k->depth = depth;
        shadow_stack_pop(t);
        return true;
    }
    return false;
}

/* A return that is none of those from a call is a jump out of functions (longjmp), or to another stack. */
static void shadow_stack_return_elsewhere(struct call_thread *t, const struct probe_transfer *r)
{
    if (shadow_stack_returns_from_older(t, r))
        return;
    shadow_stack_select(t, r->sp);
    struct shadow_stack *k = t->current;
    while (k->depth != 0 && k->active[k->depth - 1].sp <= r->sp)
        k->depth--;
}

static void shadow_stack_return(struct call_thread *t, const struct probe_transfer *r)
{
    const struct shadow_call *a = shadow_stack_youngest(t->current);
    if (a != NULL && shadow_stack_is_near_return(a, r))
        shadow_stack_pop(t);
    else
        shadow_stack_return_elsewhere(t, r);
}

/* An indirect jump within a function (switch) or to another one (tail call) has the stack pointer of the function,
 * which is not above that of its call; one that leaves functions or switches stacks has that of an older function. */
static void shadow_stack_jump(struct call_thread *t, const struct probe_transfer *r)
{
    const struct shadow_call *a = shadow_stack_youngest(t->current);
    if (a != NULL && shadow_stack_is_return(a, r))
        shadow_stack_pop(t);
    else if (a == NULL || r->sp > a->sp)
        shadow_stack_return_elsewhere(t, r);
    else if (a->sp - r->sp > FRAME_USUAL)
        (void)shadow_stack_returns_from_older(t, r);
}

/* A swap is a return and a call if it goes to the return address of the youngest call, else a call. */
void shadow_stack_transfer(struct call_threads *s, struct call_thread *t, const struct probe_transfer *r)
{
    const struct shadow_call *a = shadow_stack_youngest(t->current);
    const bool swaps = r->opclass == OPCLASS_SWAP;
    if (r->opclass == OPCLASS_IJUMP)
        shadow_stack_jump(t, r);
    else if (r->opclass == OPCLASS_RET || (swaps && a != NULL && a->return_address == r->next_pc))
        shadow_stack_return(t, r);
    if (swaps || r->opclass == OPCLASS_CALL || r->opclass == OPCLASS_ICALL)
        shadow_stack_call(s, t, r);
}

/* The handler's return goes to the code that calls rt_sigreturn, with the stack pointer of the handler's entry. */
void shadow_stack_enter_handlers(struct call_threads *s, struct call_thread *t, const struct probe_kernel *k)
{
    if (!t->is_known) {
        t->is_known = true;
        t->handlers = k->handlers;
    }
    for (; t->handlers != k->handlers; t->handlers++) {
        const uint32_t node = call_tree_enter(s->tree, shadow_stack_node(t), k->interrupted_pc, 0);
        if (!shadow_stack_is_near(t->current, k->sp)) {
            struct shadow_stack *interrupted = t->current;
            shadow_stack_begin(t, node, k->sp)->returns_to = interrupted;
        }
        shadow_stack_push(s, t->current,
                          (struct shadow_call){.sp = k->sp, .return_address = k->return_address, .node = node});
    }
}
