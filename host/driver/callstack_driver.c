/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The driver of programs/callstack.pasm (co-processor paper, section 4, call stack monitoring). At an interrupt it
 * copies the slots of the contexts and frees them. The stack, which is in the same array, and the index registers are
 * kept: the program continues in the interrupted context. */
#include <stdlib.h>
#include <string.h>

#include "host/driver/callstack_paths.h"
#include "host/driver/driver_ops.h"
#include "host/driver/generic_profile.h"
#include "host/driver/generic_report.h"

struct callstack_driver {
    const struct driver_env *env;
    const struct image_layout *contexts, *marks;
    unsigned parent;            /* member of `contexts`: number of the caller's context */
    unsigned repaired, doubted; /* members of `marks` */
    struct generic_rows rows;
    struct slot_copy *slots; /* room for all contexts */
    uint64_t records;        /* slots copied */
    /* How often the stack pointer recovered the context after lost samples, and how often the context was marked
     * unknown. */
    uint64_t repairs, doubts;
};

static enum status callstack_driver_find_layout(const struct image *im, const char *name,
                                                const struct image_layout **found, struct errmsg *err)
{
    *found = NULL;
    for (unsigned i = 0; i < im->layouts && *found == NULL; i++)
        if (strcmp(im->layout[i].name, name) == 0)
            *found = &im->layout[i];
    if (*found == NULL)
        return fail(err, ST_FORMAT, "program %s: expected a layout '%s', found none", im->name, name);
    return ST_OK;
}

static enum status callstack_driver_find_member(const struct image *im, const struct image_layout *l, const char *name,
                                                unsigned *found, struct errmsg *err)
{
    for (*found = 0; *found < l->members; (*found)++)
        if (strcmp(l->member[*found].name, name) == 0)
            return ST_OK;
    return fail(err, ST_FORMAT, "program %s: expected member '%s' in layout %s, found none", im->name, name, l->name);
}

static enum status callstack_driver_find_places(struct callstack_driver *d, struct errmsg *err)
{
    const struct image *im = d->env->image;
    enum status st = callstack_driver_find_layout(im, "contexts", &d->contexts, err);
    if (st == ST_OK && d->contexts->key != FORMAT_HEX)
        st = fail(err, ST_FORMAT, "program %s: expected a key of format hex in layout contexts, found none", im->name);
    if (st == ST_OK)
        st = callstack_driver_find_layout(im, "marks", &d->marks, err);
    if (st == ST_OK)
        st = callstack_driver_find_member(im, d->contexts, "parent", &d->parent, err);
    if (st == ST_OK)
        st = callstack_driver_find_member(im, d->marks, "repaired", &d->repaired, err);
    if (st == ST_OK)
        st = callstack_driver_find_member(im, d->marks, "doubted", &d->doubted, err);
    return st;
}

static enum status callstack_create(void **self, const struct driver_env *env, struct errmsg *err)
{
    struct callstack_driver d = {.env = env};
    enum status st = callstack_driver_find_places(&d, err);
    if (st != ST_OK)
        return st;
    generic_rows_init(&d.rows, env->image, d.contexts);
    d.slots = xcalloc(d.contexts->count, sizeof *d.slots);
    struct callstack_driver *kept = xcalloc(1, sizeof *kept);
    *kept = d;
    *self = kept;
    return ST_OK;
}

static void callstack_destroy(void *self)
{
    struct callstack_driver *d = self;
    generic_rows_fini(&d->rows);
    free(d->slots);
    free(d);
}

static uint32_t marks_address(const struct callstack_driver *d)
{
    return BUS_DATA + 8u * d->env->image->base[d->marks->base];
}

static void callstack_driver_copy_slots(struct callstack_driver *d)
{
    unsigned n = slots_read(d->env->bus, d->env->image, d->contexts, SLOT_USED_BY_VALID, d->slots);
    unsigned known = generic_rows_count(&d->rows);
    for (unsigned s = 0; s < n; s++)
        generic_rows_add(&d->rows, &d->slots[s], 1);
    d->records += n;
    uint64_t marks = bus_get(d->env->bus, marks_address(d));
    d->repairs += isa_lane_of(marks, d->marks->member[d->repaired].lane);
    d->doubts += isa_lane_of(marks, d->marks->member[d->doubted].lane);
    host_clock_merge(d->env->clock, n, n, generic_rows_count(&d->rows) - known);
}

/* The program clears a row when it allocates it. The associative array has only entries of contexts. */
static void callstack_interrupt(void *self, unsigned word, uint64_t cycle)
{
    struct callstack_driver *d = self;
    (void)word, (void)cycle;
    callstack_driver_copy_slots(d);
    bus_put(d->env->bus, marks_address(d), 0);
    bus_put(d->env->bus, BUS_COMMAND, BUS_INVALIDATE_ALL | BUS_RESTART);
}

static void callstack_finish(void *self, uint64_t cycle)
{
    (void)cycle;
    callstack_driver_copy_slots(self);
}

/* Reports the shares of the events whose complete context RISC-V's control transfer records would contain. */
static void report_records(struct report *r, const struct callstack_driver *d, const struct exact_source *exact)
{
    struct exact_row *rows;
    uint64_t events = 0, ctr16 = 0, ctr32 = 0;
    unsigned counted = d->contexts->member[d->contexts->members - 1].exact;
    if (exact->reference != EXACT_CONTEXTS || counted == EXACT_NONE)
        return;
    size_t n = exact->rows(exact->ctx, &rows);
    for (size_t i = 0; i < n; i++) {
        events += rows[i].count[counted];
        ctr16 += rows[i].count[EXACT_CONTEXTS_CTR16];
        ctr32 += rows[i].count[EXACT_CONTEXTS_CTR32];
    }
    free(rows);
    if (events == 0)
        return;
    report_share(r, "ctr16_share", "16 CTR have the context", (double)ctr16 / (double)events, 2);
    report_remark(r, "(of an event; RISC-V's control transfer records as a call stack)");
    report_share(r, "ctr32_share", "32 CTR", (double)ctr32 / (double)events, 2);
}

/* Each event counts once: how many of the dropped samples were events is unknown. */
static void callstack_profile(void *self, struct program_profile *p)
{
    struct callstack_driver *d = self;
    generic_profile_fill(
        &p->table[p->tables++], &d->rows, driver_exact(d->env, d->contexts),
        (struct program_scale){.period = 1, .thinned = 1, .selects = d->env->image->kept_classes != 0});
    callstack_paths_fill(p, &d->rows, d->parent);
}

static void callstack_report(void *self, const struct program_profile *p, struct report *r)
{
    const struct callstack_driver *d = self;
    const struct exact_source *exact = driver_exact(d->env, d->contexts);
    generic_report(r, p);
    callstack_paths_report(r, p);
    if (exact != NULL)
        report_records(r, d, exact);
    struct report *details = report_details(r);
    report_note(details, "The driver:");
    report_tally(details, "records", "slots copied", d->records, "slots");
    report_tally(details, "contexts_repaired", "contexts repaired", d->repairs, "times");
    report_remark(details, "(found again by the stack pointer)");
    report_tally(details, "contexts_doubted", "contexts marked unknown", d->doubts, "times");
    report_remark(details, "(behind lost samples)");
}

const struct driver_ops callstack_driver_ops = {
    .program = "callstack",
    .create = callstack_create,
    .destroy = callstack_destroy,
    .interrupt = callstack_interrupt,
    .finish = callstack_finish,
    .profile = callstack_profile,
    .report = callstack_report,
};
