/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcprof/input.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "contract/event_alias.h"

enum status pcprof_open(struct pcprof_input *in, const char *text, struct errmsg *err)
{
    *in = (struct pcprof_input){.text = text};
    enum status st = store_select(&in->selection, text, err);
    if (st == ST_OK)
        st = store_open(&in->store, in->selection.path, STORE_READ, STORE_WAIT_MS, err);
    if (st == ST_OK)
        st = store_resolve(in->store, &in->selection, err);
    if (st == ST_OK)
        st = store_list(in->store, &in->selection, &in->contents, err);
    return st;
}

void pcprof_close(struct pcprof_input *in)
{
    store_contents_release(&in->contents);
    store_close(in->store);
    store_selection_release(&in->selection);
}

void pcprof_report_input(const struct pcprof_input *in, struct report *r)
{
    uint64_t partial = 0;
    report_text(r, "store", "store", in->selection.path);
    report_text(r, "epoch", in->selection.epoch != NULL ? "epoch" : NULL, in->selection.epoch);
    report_count(r, "runs", "runs", in->contents.runs, NULL);
    for (size_t n = 0; n < in->contents.runs; n++)
        partial += in->contents.run[n].partial;
    report_count(r, "partial", partial != 0 ? "  partial" : NULL, partial, NULL);
}

/* ---- events ---- */

struct pcprof_events pcprof_events_of(const struct option_list *asked)
{
    static const struct option_list cycles = {.count = 1, .text = {"cycles"}};
    return (struct pcprof_events){.asked = asked->count > 0 ? asked : &cycles, .is_default = asked->count == 0};
}

void pcprof_events_release(struct pcprof_events *e)
{
    for (size_t n = 0; n < e->names; n++)
        free(e->name[n]);
    free(e->name);
}

/* Returns whether both have one name, of whatever profiler. */
static bool is_same_event(const char *text, const struct profile_event *e)
{
    size_t length = strlen(e->name);
    return strncmp(text, e->name, length) == 0 && (text[length] == '\0' || text[length] == '@');
}

/* Keeps each name once, for errors. */
static void pcprof_input_keep_name(struct pcprof_events *r, const char *name)
{
    for (size_t n = 0; n < r->names; n++)
        if (strcmp(r->name[n], name) == 0)
            return;
    r->name = xrealloc(r->name, (r->names + 1) * sizeof *r->name);
    r->name[r->names++] = xstrdup(name);
}

static bool wanted(const void *ctx, const struct profile_event *e)
{
    struct pcprof_events *r = *(struct pcprof_events *const *)ctx;
    pcprof_input_keep_name(r, e->name);
    if (r->without_exact && e->source == PROFILE_EXACT)
        return false;
    for (unsigned n = 0; n < r->asked->count; n++)
        if (is_same_event(r->asked->text[n], e))
            return true;
    return false;
}

uint32_t pcprof_find_event(const struct profile *p, const char *text)
{
    static const unsigned preference[] = {
        [PROFILE_TIME] = 5, [PROFILE_COUNTER] = 4, [PROFILE_COUNTS] = 3, [PROFILE_PROGRAM] = 2, [PROFILE_EXACT] = 1};
    uint32_t best = PROFILE_NO_EVENT;
    for (uint32_t n = 0; n < profile_events(p); n++) {
        const struct profile_event *e = profile_event(p, n);
        if (profile_event_is_named(e, text) &&
            (best == PROFILE_NO_EVENT || preference[e->source] > preference[profile_event(p, best)->source]))
            best = n;
    }
    return best;
}

uint32_t pcprof_find_exact(const struct profile *p, uint32_t event)
{
    const struct profile_event *e = profile_event(p, event);
    uint32_t found = PROFILE_NO_EVENT;
    for (uint32_t n = 0; n < profile_events(p) && e->source != PROFILE_EXACT; n++) {
        const struct profile_event *x = profile_event(p, n);
        size_t count;
        if (x->source != PROFILE_EXACT || strcmp(x->name, e->name) != 0 || !profile_same_runs(p, n, event))
            continue; /* an exact answer of other runs is none */
        profile_samples(p, n, &count);
        if (count > 0 && (found == PROFILE_NO_EVENT || strcmp(x->by, e->by) == 0))
            found = n;
    }
    return found;
}

/* The event that was probably meant: a column of a program, whose table was left out, or the nearest name; or NULL. */
static const char *find_meant(const struct pcprof_events *e, const char *text)
{
    size_t length = strlen(text);
    for (size_t n = 0; n < e->names; n++) {
        const char *member = strrchr(e->name[n], '.');
        if (member != NULL && strlen(member + 1) == length && strcmp(member + 1, text) == 0)
            return e->name[n];
    }
    return event_meant(text, (const char *const *)e->name, e->names);
}

enum status pcprof_no_event(const struct pcprof_events *e, const char *text, struct errmsg *err)
{
    if (e->is_default)
        return fail(err, ST_INPUT, "%s has no %s; --event names another event%s%s, and pcprof list names all", e->of,
                    text, e->names > 0 ? ", such as " : "", e->names > 0 ? e->name[0] : "");
    return fail(err, ST_INPUT, "--event: %s has no event '%s'%s; pcprof list names the store's events", e->of, text,
                diag_aside(find_meant(e, text)).text);
}

enum status pcprof_load(const struct pcprof_input *in, const struct store_selection *selection, struct pcprof_events *e,
                        unsigned parts, struct profile **profile, struct errmsg *err)
{
    e->of = in->text;
    return store_load(in->store, selection, parts, wanted, &e, profile, err);
}

struct store_reader *pcprof_reader(const struct pcprof_input *in, struct pcprof_events *const *e, unsigned parts)
{
    (*e)->of = in->text;
    return store_reader_new(in->store, parts, wanted, e);
}

bool pcprof_is_program(const struct store_run_info *run, const struct profile_image *image)
{
    return strcmp(basename(run->guest), image->name) == 0;
}

bool pcprof_find_image(const struct profile *p, const struct profile_image *image, uint32_t *number)
{
    for (*number = 0; *number < profile_images(p); ++*number) {
        const struct profile_image *i = profile_image(p, *number);
        if (strcmp(i->build_id, image->build_id) == 0 && strcmp(i->name, image->name) == 0)
            return true;
    }
    return false;
}
