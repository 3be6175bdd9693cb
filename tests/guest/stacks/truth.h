/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The calls of an instrumented program (gcc -finstrument-functions), by the program itself: how often each function was
 * entered in each calling context. Written at the end, a line for each context: the addresses of its functions in
 * hexadecimal digits, from the outermost, separated by ';', and the number. To be included by one file of a program. */
#ifndef TRUTH_H
#define TRUTH_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define HIDDEN __attribute__((no_instrument_function))

#ifdef __cplusplus
extern "C" {
#endif

struct context {
    struct context *caller, *first, *next; /* its caller, first callee and next callee of the caller */
    void *function;
    unsigned long entries;
};

static struct context truth_root;
static pthread_mutex_t truth_lock = PTHREAD_MUTEX_INITIALIZER;
/* The context of the running function. A program that changes stacks changes it, too. */
static __thread struct context *truth_at;

HIDDEN void __cyg_profile_func_enter(void *function, void *site)
{
    struct context *at = truth_at != NULL ? truth_at : &truth_root, *c;
    (void)site;
    pthread_mutex_lock(&truth_lock);
    for (c = at->first; c != NULL && c->function != function; c = c->next)
        ;
    if (c == NULL) {
        c = (struct context *)calloc(1, sizeof *c);
        c->caller = at;
        c->function = function;
        c->next = at->first;
        at->first = c;
    }
    c->entries++;
    pthread_mutex_unlock(&truth_lock);
    truth_at = c;
}

HIDDEN void __cyg_profile_func_exit(void *function, void *site)
{
    (void)function, (void)site;
    truth_at = truth_at->caller;
}

/* The next context of the tree, callers before their callees; NULL after the last one. Without recursion here and in
 * truth_print_path, as each depth of it would be calling contexts of the C library's output in the profile. */
HIDDEN static const struct context *truth_after(const struct context *c)
{
    if (c->first != NULL)
        return c->first;
    while (c != &truth_root && c->next == NULL)
        c = c->caller;
    return c != &truth_root ? c->next : NULL;
}

enum { TRUTH_DEPTH = 64 };

HIDDEN static void truth_print_path(const struct context *c)
{
    unsigned long path[TRUTH_DEPTH];
    int depth = 0;
    for (; c != &truth_root; c = c->caller) {
        if (depth == TRUTH_DEPTH)
            abort();
        path[depth++] = (unsigned long)c->function;
    }
    while (--depth >= 0)
        printf("%lx%s", path[depth], depth > 0 ? ";" : "");
}

HIDDEN static void truth_end(void)
{
    for (const struct context *c = truth_after(&truth_root); c != NULL; c = truth_after(c)) {
        truth_print_path(c);
        printf(" %lu\n", c->entries);
    }
}
HIDDEN __attribute__((constructor)) static void truth_begin(void) { atexit(truth_end); }

#ifdef __cplusplus
}
#endif

#endif
