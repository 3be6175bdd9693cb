/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts of source lines. The count of a line is the largest of its instructions. Where the compiler has made copies of
 * the line, as the discriminator tells (a loop that is unrolled), it is the sum over the copies. A copy is a stretch of
 * code whose instructions have one count: copies in one block cannot be told apart, and have the block's count each.
 *
 * Every row of the line table of an executed function gives a line, so that lines that did not
 * execute have the count 0; the compiler takes a line without a count for an unknown one. */
#include "host/export/autofdo.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "host/export/frame.h"
#include "host/export/select.h"

struct autofdo_work {
    struct autofdo *a;
    const struct profile *p;
    enum autofdo_discriminators use;
    uint32_t event;
    uint32_t stretch; /* number of the current one */
};

/* Instructions of a line in a stretch of code. */
struct autofdo_copy {
    uint32_t factor; /* by which the compiler has multiplied the line */
    uint32_t stretch;
    uint64_t count;
};

/* ---- discriminators (LLVM, DebugInfoMetadata.h: base, duplication factor and copy, each with a prefix code) ---- */

/* The first component. */
static uint32_t autofdo_component(uint32_t d)
{
    if ((d & 1) != 0)
        return 0;
    d >>= 1;
    return (d & 0x20) != 0 ? ((d >> 1) & 0xfe0) | (d & 0x1f) : d & 0x1f;
}

/* Components after the first one. */
static uint32_t next_component(uint32_t d)
{
    if ((d & 1) != 0)
        return d >> 1;
    return d >> ((d & 0x40) != 0 ? 14 : 7);
}

/* By how much the count of an instruction is multiplied, because the compiler has made that many copies of it. */
static uint32_t duplication(uint32_t d)
{
    uint32_t factor = autofdo_component(next_component(d));
    return factor == 0 ? 1 : factor;
}

/* ---- functions and lines ---- */

static struct autofdo_function *new_function(const char *name)
{
    struct autofdo_function *f = xmalloc(sizeof *f);
    *f = (struct autofdo_function){.name = name};
    return f;
}

/* The function of a place. Static functions of several files can have one name. */
static struct autofdo_function *function_at(struct autofdo *a, const struct export_place *place)
{
    for (size_t n = a->functions; n-- > 0;) {
        struct autofdo_function *f = a->function[n];
        bool is_known = f->declared != NULL && place->declared != NULL;
        if (strcmp(f->name, place->source) == 0 && (!is_known || strcmp(f->declared, place->declared) == 0))
            return f;
    }
    struct autofdo_function *f = new_function(place->source);
    f->declared = place->declared;
    f->first_line = place->first_line;
    a->function = xgrow(a->function, a->functions, sizeof *a->function);
    return a->function[a->functions++] = f;
}

static struct autofdo_function *call_at(struct autofdo_function *f, uint32_t offset, uint32_t discriminator,
                                        const char *name)
{
    for (size_t n = 0; n < f->calls; n++)
        if (f->call[n]->offset == offset && f->call[n]->discriminator == discriminator &&
            strcmp(f->call[n]->name, name) == 0)
            return f->call[n];
    struct autofdo_function *call = new_function(name);
    call->offset = offset;
    call->discriminator = discriminator;
    f->call = xgrow(f->call, f->calls, sizeof *f->call);
    return f->call[f->calls++] = call;
}

static struct autofdo_line *autofdo_line_at(struct autofdo_function *f, uint32_t offset, uint32_t discriminator)
{
    for (size_t n = 0; n < f->lines; n++)
        if (f->line[n].offset == offset && f->line[n].discriminator == discriminator)
            return &f->line[n];
    f->line = xgrow(f->line, f->lines, sizeof *f->line);
    f->line[f->lines] = (struct autofdo_line){.offset = offset, .discriminator = discriminator};
    return &f->line[f->lines++];
}

static uint32_t offset_of(const struct export_place *place) { return (place->line - place->first_line) & 0xffff; }

static uint32_t discriminator_of(const struct autofdo_work *w, const struct export_place *place)
{
    return w->use == AUTOFDO_BASE ? autofdo_component(place->discriminator) : 0;
}

/* The line of an instruction in its function, below the inlined calls around it; NULL if a line or a declaration is
 * unknown. Sets the factor of its count. */
static struct autofdo_line *autofdo_line_of(struct autofdo_work *w, uint32_t image, uint64_t address, uint32_t *factor)
{
    struct export_place place[EXPORT_PLACES];
    size_t n = export_places(w->p, image, address, place);
    for (size_t i = 0; i < n; i++)
        if (place[i].line == 0 || place[i].first_line == 0)
            return NULL;
    struct autofdo_function *f = function_at(w->a, &place[n - 1]);
    for (; n > 1; n--)
        f = call_at(f, offset_of(&place[n - 1]), discriminator_of(w, &place[n - 1]), place[n - 2].source);
    *factor = w->use == AUTOFDO_BASE ? duplication(place[0].discriminator) : 1;
    return autofdo_line_at(f, offset_of(&place[0]), discriminator_of(w, &place[0]));
}

static void sort(void *items, size_t count, size_t item_bytes, int (*compare)(const void *, const void *))
{
    if (count > 0)
        qsort(items, count, item_bytes, compare);
}

static void add_copy(struct autofdo_line *l, struct autofdo_copy copy)
{
    for (size_t n = l->copies; n-- > 0;)
        if (l->copy[n].factor == copy.factor && l->copy[n].stretch == copy.stretch)
            return; /* a stretch has one count */
    l->copy = xgrow(l->copy, l->copies, sizeof *l->copy);
    l->copy[l->copies++] = copy;
}

static void autofdo_add_count(struct autofdo_work *w, uint32_t image, uint64_t address, uint64_t count)
{
    uint32_t factor;
    struct autofdo_line *l = autofdo_line_of(w, image, address, &factor);
    if (l == NULL)
        return;
    if (factor > 1)
        add_copy(l, (struct autofdo_copy){factor, w->stretch, count});
    else if (count > l->count)
        l->count = count;
}

/* By factor, then in descending order of count. */
ORDER(compare_copies, struct autofdo_copy, RISING(factor) FALLING(count))

/* Adds the copies to the count of what was not copied, such as a loop's remainder. A line has at most `factor` copies;
 * further stretches are other parts of them. */
static void add_copies(struct autofdo_line *l)
{
    sort(l->copy, l->copies, sizeof *l->copy, compare_copies);
    for (size_t n = 0, end; n < l->copies; n = end) {
        uint32_t factor = l->copy[n].factor;
        for (end = n; end < l->copies && l->copy[end].factor == factor; end++)
            l->count += end - n < factor ? l->copy[end].count : 0;
        if (end == n + 1)
            l->count += (factor - 1) * l->copy[n].count;
    }
    free(l->copy);
    l->copy = NULL;
    l->copies = 0;
}

/* Adds the lines of a function that was executed, and its head. */
static void autofdo_add_symbol(struct autofdo_work *w, uint32_t image, const struct profile_symbol *s)
{
    struct export_place place[EXPORT_PLACES];
    const struct profile_image *i = profile_image(w->p, image);
    uint64_t entries = export_number(w->p, w->event, profile_value(w->p, w->event, image, s->start));
    for (size_t n = 0; n < i->lines; n++)
        if (i->line[n].start >= s->start && i->line[n].start - s->start < s->size_bytes &&
            profile_value(w->p, w->event, image, i->line[n].start) == 0) {
            w->stretch++;
            autofdo_add_count(w, image, i->line[n].start, 0);
        }
    size_t places = export_places(w->p, image, s->start, place);
    /* Parts that the compiler has split off have the name of the whole, but are not its entry. Clones (.constprop,
     * .isra) are. */
    if (strstr(s->name, ".part.") == NULL && strstr(s->name, ".cold") == NULL)
        function_at(w->a, &place[places - 1])->head += entries;
}

/* Returns whether an instruction follows the other one in its stretch. */
static bool is_next(const struct profile_sample *before, const struct profile_sample *s)
{
    const uint64_t longest = 4;
    return before->image == s->image && s->address - before->address <= longest && before->value == s->value;
}

static void autofdo_add_samples(struct autofdo_work *w)
{
    size_t count;
    const struct profile_sample *s = profile_samples(w->p, w->event, &count);
    const struct profile_symbol *last = NULL;
    for (size_t n = 0; n < count; n++) {
        const struct profile_symbol *in = profile_find_symbol(profile_image(w->p, s[n].image), s[n].address);
        if (in != NULL && in != last)
            autofdo_add_symbol(w, s[n].image, last = in);
        if (n == 0 || !is_next(&s[n - 1], &s[n]))
            w->stretch++;
        autofdo_add_count(w, s[n].image, s[n].address, export_number(w->p, w->event, s[n].value));
    }
}

/* ---- calls ---- */

static void add_target(struct autofdo_line *l, const char *name, uint64_t count)
{
    for (size_t n = 0; n < l->targets; n++)
        if (strcmp(l->target[n].name, name) == 0) {
            l->target[n].count += count;
            return;
        }
    l->target = xgrow(l->target, l->targets, sizeof *l->target);
    l->target[l->targets++] = (struct autofdo_target){name, count};
}

/* Adds a control transfer to the start of another function: a call. */
static void autofdo_add_edge(struct autofdo_work *w, const struct profile_edge *e, uint64_t count)
{
    const struct profile_symbol *to = profile_find_symbol(profile_image(w->p, e->to_image), e->to);
    const struct profile_symbol *from = profile_find_symbol(profile_image(w->p, e->from_image), e->from);
    uint32_t factor;
    if (to == NULL || to->start != e->to || to == from || count == 0)
        return;
    struct autofdo_line *l = autofdo_line_of(w, e->from_image, e->from, &factor);
    if (l == NULL)
        return;
    struct export_place place[EXPORT_PLACES];
    size_t places = export_places(w->p, e->to_image, e->to, place);
    add_target(l, place[places - 1].source, count);
}

/* Adds the calls of the first event with control transfers. */
static void autofdo_add_edges(struct autofdo_work *w)
{
    for (uint32_t event = 0; event < profile_events(w->p); event++) {
        size_t count;
        const struct profile_edge *e = profile_edges(w->p, event, &count);
        for (size_t n = 0; n < count; n++)
            autofdo_add_edge(w, &e[n], export_number(w->p, event, e[n].value));
        if (count > 0)
            return;
    }
}

/* ---- order ---- */

static int autofdo_compare_places(uint32_t offset, uint32_t discriminator, uint32_t other_offset,
                                  uint32_t other_discriminator)
{
    if (offset != other_offset)
        return offset < other_offset ? -1 : 1;
    return discriminator < other_discriminator ? -1 : discriminator > other_discriminator;
}

static int autofdo_compare_lines(const void *a, const void *b)
{
    const struct autofdo_line *x = a, *y = b;
    return autofdo_compare_places(x->offset, x->discriminator, y->offset, y->discriminator);
}

static int compare_calls(const void *a, const void *b)
{
    const struct autofdo_function *x = *(struct autofdo_function *const *)a, *y = *(struct autofdo_function *const *)b;
    int order = autofdo_compare_places(x->offset, x->discriminator, y->offset, y->discriminator);
    return order != 0 ? order : strcmp(x->name, y->name);
}

static int compare_functions(const void *a, const void *b)
{
    const struct autofdo_function *x = *(struct autofdo_function *const *)a, *y = *(struct autofdo_function *const *)b;
    if (x->total != y->total)
        return x->total > y->total ? -1 : 1;
    int order = strcmp(x->name, y->name);
    if (order != 0 || x->declared == NULL || y->declared == NULL)
        return order;
    return strcmp(x->declared, y->declared);
}

ORDER(compare_targets, struct autofdo_target, FALLING(count) ALPHABETIC(name))

/* Sorts, and adds up the totals. */
static void autofdo_complete(struct autofdo_function *f)
{
    for (size_t n = 0; n < f->lines; n++)
        add_copies(&f->line[n]);
    sort(f->line, f->lines, sizeof *f->line, autofdo_compare_lines);
    sort(f->call, f->calls, sizeof *f->call, compare_calls);
    for (size_t n = 0; n < f->lines; n++) {
        sort(f->line[n].target, f->line[n].targets, sizeof *f->line[n].target, compare_targets);
        f->total += f->line[n].count;
    }
    for (size_t n = 0; n < f->calls; n++) {
        autofdo_complete(f->call[n]);
        f->total += f->call[n]->total;
    }
}

/* ---- the whole ---- */

/* The event that counts executions: exact, else sampled. */
static enum status choose_event(struct autofdo_work *w, const struct export_options *o, struct errmsg *err)
{
    struct export_events events;
    enum status st = export_select(w->p, o, EXPORT_SAMPLES, &events, err);
    w->event = st == ST_OK ? events.event[0] : PROFILE_NO_EVENT;
    free(events.event);
    if (st == ST_OK && o->events > 0 && export_is_by_function(w->p, w->event))
        return fail(err, ST_INPUT,
                    "event '%s' counts by function, but the format needs counts of instructions: name another event, "
                    "as --event retired, of pcemu --profile counts",
                    profile_event(w->p, w->event)->name);
    if (st != ST_OK || o->events > 0)
        return st;
    static const enum profile_source preferred[] = {PROFILE_EXACT, PROFILE_COUNTS, PROFILE_COUNTER};
    for (size_t n = 0; n < sizeof preferred / sizeof preferred[0]; n++) {
        w->event = profile_find_event(w->p, "retired", preferred[n]);
        if (w->event != PROFILE_NO_EVENT && (export_kinds(w->p, w->event) & EXPORT_SAMPLES) != 0)
            return ST_OK;
    }
    return fail(err, ST_INPUT,
                "the profile has no numbers of executions (event 'retired'): collect them with pcemu --profile counts, "
                "or estimates with --profile profileme");
}

static void free_function(struct autofdo_function *f)
{
    for (size_t n = 0; n < f->lines; n++)
        free(f->line[n].target);
    for (size_t n = 0; n < f->calls; n++)
        free_function(f->call[n]);
    free(f->line);
    free(f->call);
    free(f);
}

static void warn_of_twin(const struct export_options *o, const struct autofdo_function *kept,
                         const struct autofdo_function *twin)
{
    if (o->warn == NULL)
        return;
    char *text = xasprintf(
        "%s is declared in %s:%" PRIu32 " and in %s:%" PRIu32 ": compilers find profiles by name, so "
        "that of %s, with fewer executions, is left out; give the functions names of their own, or "
        "compile with clang's -funique-internal-linkage-names",
        kept->name, kept->declared, kept->first_line, twin->declared, twin->first_line, twin->declared);
    o->warn(text);
    free(text);
}

/* Of the sorted functions keeps those with lines, and of several with one name the first. */
static void keep_functions(struct autofdo *a, const struct export_options *o)
{
    size_t kept = 0;
    for (size_t n = 0; n < a->functions; n++) {
        struct autofdo_function *f = a->function[n];
        const struct autofdo_function *same = NULL;
        for (size_t k = 0; k < kept && same == NULL; k++)
            if (strcmp(a->function[k]->name, f->name) == 0)
                same = a->function[k];
        bool is_empty = f->lines + f->calls == 0;
        if (same != NULL && !is_empty)
            warn_of_twin(o, same, f);
        if (same != NULL || is_empty)
            free_function(f);
        else
            a->function[kept++] = f;
    }
    a->functions = kept;
}

/* Returns whether an image has lines, but no functions in its debugging information. */
static bool lacks_declarations(const struct profile *p)
{
    for (uint32_t n = 0; n < profile_images(p); n++)
        if (profile_image(p, n)->lines > 0 && profile_image(p, n)->scopes == 0)
            return true;
    return false;
}

enum status autofdo_make(struct autofdo *a, const struct profile *p, const struct export_options *o,
                         enum autofdo_discriminators use, struct errmsg *err)
{
    struct autofdo_work w = {.a = a, .p = p, .use = use};
    *a = (struct autofdo){0};
    enum status st = choose_event(&w, o, err);
    if (st != ST_OK)
        return st;
    autofdo_add_samples(&w);
    autofdo_add_edges(&w);
    for (size_t n = 0; n < a->functions; n++)
        autofdo_complete(a->function[n]);
    sort(a->function, a->functions, sizeof *a->function, compare_functions);
    keep_functions(a, o);
    if (a->functions == 0 && lacks_declarations(p))
        return fail(err, ST_INPUT,
                    "no function with samples has a declaration, from which its lines are counted: if the program was "
                    "compiled with -gsplit-dwarf, put its .dwo files where they were or beside it, and collect its "
                    "profile again");
    return a->functions > 0
               ? ST_OK
               : fail(err, ST_INPUT,
                      "no function with samples has source lines: compile the program with -g, or for clang with "
                      "-gmlt -fdebug-info-for-profiling, and collect its profile again");
}

void autofdo_free(struct autofdo *a)
{
    for (size_t n = 0; n < a->functions; n++)
        free_function(a->function[n]);
    free(a->function);
    *a = (struct autofdo){0};
}
