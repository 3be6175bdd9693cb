/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Callers and paths of calls, from the call stacks of the profile of time. */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "tools/pcprof/why.h"

static const struct profile_symbol *why_function_at(const struct why *w, struct profile_place at)
{
    return profile_find_symbol(profile_image(w->profile, at.image), at.address);
}

static struct why_line why_line_at(const struct why *w, struct profile_place at)
{
    const struct profile_line *l = profile_find_line(profile_image(w->profile, at.image), at.address);
    return l != NULL && l->file != PROFILE_NO_FILE ? (struct why_line){profile_file(w->profile, l->file), l->line, 0}
                                                   : (struct why_line){.file = NULL};
}

/* ---- callers ---- */

/* A call, by one of its two functions. */
struct why_call {
    uint32_t image;
    uint64_t function, address; /* start of the function, and the call */
    double value;
};

ORDER(why_compare_calls, struct why_call, RISING(image) RISING(function) RISING(address))

/* The caller's frame, past recursion; 0: unknown. */
static uint32_t why_caller_of(const struct why *w, uint32_t frame)
{
    while (frame != 0 && why_is_in(w, profile_frame(w->profile, frame)->at))
        frame = profile_frame(w->profile, frame)->caller;
    return frame;
}

static size_t why_collect_calls(const struct why *w, struct why_call *call, double *all)
{
    size_t count, calls = 0;
    const struct profile_stack *s = profile_stacks(w->profile, w->time, &count);
    for (size_t n = 0; n < count; n++) {
        if (s[n].frame == 0 || !why_is_in(w, profile_frame(w->profile, s[n].frame)->at))
            continue;
        const uint32_t caller = why_caller_of(w, s[n].frame);
        *all += s[n].value;
        if (caller == 0)
            continue;
        const struct profile_place at = profile_frame(w->profile, caller)->at;
        const struct profile_symbol *of = why_function_at(w, at);
        if (of != NULL)
            call[calls++] = (struct why_call){at.image, of->start, at.address, s[n].value};
    }
    return calls;
}

static bool why_is_same_function(const struct why_call *x, const struct why_call *y)
{
    return x->image == y->image && x->function == y->function;
}

/* Sums the calls from one instruction. Returns the number of different ones. */
static size_t why_sum_calls(struct why_call *call, size_t count)
{
    size_t kept = 0;
    qsort(call, count, sizeof *call, why_compare_calls);
    for (size_t n = 0; n < count; n++) {
        if (kept > 0 && why_compare_calls(&call[kept - 1], &call[n]) == 0)
            call[kept - 1].value += call[n].value;
        else
            call[kept++] = call[n];
    }
    return kept;
}

/* The caller with most of the function's time, and its call with most of that. */
void why_find_caller(struct why *w)
{
    size_t count;
    struct why_function *f = &w->function;
    const struct why_call *largest = NULL;
    double all = 0, best = 0;
    (void)profile_stacks(w->profile, w->time, &count);
    struct why_call *call = xcalloc(count + 1, sizeof *call);
    const size_t calls = why_sum_calls(call, why_collect_calls(w, call, &all));
    for (size_t n = 0, end; n < calls; n = end) {
        const struct why_call *most = &call[n];
        double of_caller = 0;
        for (end = n; end < calls && why_is_same_function(&call[n], &call[end]); end++) {
            of_caller += call[end].value;
            most = call[end].value > most->value ? &call[end] : most;
        }
        if (of_caller > best) {
            best = of_caller;
            largest = most;
        }
    }
    if (largest != NULL) {
        const struct profile_place at = {largest->image, largest->address};
        f->caller = why_function_at(w, at);
        f->call = why_line_at(w, at);
        f->call.share = best / all;
    }
    free(call);
}

/* ---- paths ---- */

/* A stack, of which the outermost frames are on the path. */
struct why_walk {
    size_t first, left; /* its frames in the pool, the innermost first; number of those that are not on the path */
    struct profile_place call; /* of the innermost frame on the path */
    double value;
};

/* The stacks of the time, or those of the function alone. */
struct why_walks {
    struct why_walk *walk;
    size_t walks, pooled, room;
    uint32_t *pool; /* frames */
    double all;
};

static void why_add_walk(const struct why *w, struct why_walks *all, const struct profile_path *path, double value)
{
    if (all->pooled + path->depth > all->room) {
        all->room = 2 * (all->pooled + path->depth);
        all->pool = xrealloc(all->pool, all->room * sizeof *all->pool);
    }
    struct why_walk *walk = &all->walk[all->walks++];
    *walk = (struct why_walk){.first = all->pooled, .value = value};
    for (size_t n = 0; n < path->depth; n++)
        if (why_function_at(w, profile_frame(w->profile, path->frame[n])->at) != NULL)
            all->pool[walk->first + walk->left++] = path->frame[n];
    all->pooled += walk->left;
    all->all += value;
}

static struct why_walks why_collect_walks(const struct why *w, bool of_function)
{
    size_t count;
    struct why_walks all = {.walk = NULL};
    struct profile_path path = {.frame = NULL};
    const struct profile_stack *s = profile_stacks(w->profile, w->time, &count);
    all.walk = xcalloc(count + 1, sizeof *all.walk);
    for (size_t n = 0; n < count; n++) {
        if (s[n].frame == 0 || (of_function && !why_is_in(w, profile_frame(w->profile, s[n].frame)->at)))
            continue;
        profile_path_read(&path, w->profile, s[n].frame);
        why_add_walk(w, &all, &path, s[n].value);
    }
    free(path.frame);
    return all;
}

/* The outermost frame that is not on the path. */
static struct profile_place why_next_frame(const struct why *w, const struct why_walks *all,
                                           const struct why_walk *walk)
{
    return profile_frame(w->profile, all->pool[walk->first + walk->left - 1])->at;
}

/* The functions that the path can continue in, by the calls, in `call`. Returns their number; sets the value of the
 * stacks that end on the path. */
static size_t why_collect_steps(const struct why *w, const struct why_walks *all, struct why_call *call, double *own)
{
    size_t calls = 0;
    *own = 0;
    for (size_t n = 0; n < all->walks; n++) {
        const struct why_walk *walk = &all->walk[n];
        if (walk->left == 0) {
            *own += walk->value;
            continue;
        }
        const struct profile_place at = why_next_frame(w, all, walk);
        call[calls++] = (struct why_call){at.image, why_function_at(w, at)->start, walk->call.address, walk->value};
    }
    return why_sum_calls(call, calls);
}

/* Adds a function to the largest ones. */
static void why_keep_branch(struct why_path *p, struct why_step step)
{
    for (int n = 0; n < WHY_BRANCHES; n++)
        if (step.share > p->branch[n].share) {
            const struct why_step smaller = p->branch[n];
            p->branch[n] = step;
            step = smaller;
        }
}

/* Sets p->branch to the largest functions that the path can continue in, and `line` of each to its largest call. */
static void why_find_branches(const struct why *w, const struct why_walks *all, struct why_path *p)
{
    double own;
    struct why_call *call = xcalloc(all->walks + 1, sizeof *call);
    const size_t calls = why_collect_steps(w, all, call, &own);
    memset(p->branch, 0, sizeof p->branch);
    for (size_t n = 0, end; n < calls; n = end) {
        const struct why_call *most = &call[n];
        double value = 0;
        for (end = n; end < calls && why_is_same_function(&call[n], &call[end]); end++) {
            value += call[end].value;
            most = call[end].value > most->value ? &call[end] : most;
        }
        why_keep_branch(
            p, (struct why_step){.image = most->image,
                                 .symbol = why_function_at(w, (struct profile_place){most->image, most->function}),
                                 .call = most->address,
                                 .share = value / all->all});
    }
    p->own = own / all->all;
    free(call);
}

/* Keeps the stacks that continue in the function, which is the next on the path. */
static void why_follow(const struct why *w, struct why_walks *all, const struct why_step *step)
{
    size_t kept = 0;
    for (size_t n = 0; n < all->walks; n++) {
        struct why_walk walk = all->walk[n];
        bool is_on = false;
        while (walk.left > 0 && why_function_at(w, why_next_frame(w, all, &walk)) == step->symbol) {
            walk.call = why_next_frame(w, all, &walk);
            walk.left--;
            is_on = true;
        }
        if (is_on)
            all->walk[kept++] = walk;
    }
    all->walks = kept;
}

void why_find_path(const struct why *w, bool of_function, struct why_path *p)
{
    struct why_walks all = why_collect_walks(w, of_function);
    *p = (struct why_path){.steps = 0};
    for (;;) {
        why_find_branches(w, &all, p);
        const struct why_step *next = &p->branch[0], *last = p->steps > 0 ? &p->step[p->steps - 1] : NULL;
        if (next->symbol == NULL || p->steps == WHY_STEPS || next->share < WHY_PATH_LEAST ||
            (last != NULL && next->share < last->share / 2))
            break;
        if (last != NULL)
            p->step[p->steps - 1].line = why_line_at(w, (struct profile_place){last->image, next->call});
        p->step[p->steps++] = *next;
        why_follow(w, &all, next);
    }
    free(all.walk);
    free(all.pool);
}
