/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The estimated run in a profile store, for pcprof. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_stream.h"
#include "host/report/render.h"
#include "tools/pcsweep/unit_profile.h"

static const char default_epoch[] = "estimate";

/* An event as one of the run: exact counts of a part of the run are samples of it. */
static struct profile_event estimated_event(const struct unit_event *e)
{
    struct profile_event event = e->event;
    event.total = (double)NAN;
    event.lost = 0;
    event.unplaced = 0;
    event.runs = 1;
    if (event.source == PROFILE_EXACT)
        event.source = strcmp(event.name, "cycles") == 0 ? PROFILE_TIME : PROFILE_COUNTS;
    return event;
}

static void add_estimates(struct unit_profile *u)
{
    profile_remove_events(u->profile);
    for (size_t n = 0; n < u->events; n++) {
        const struct unit_event *e = &u->event[n];
        const struct profile_event event = estimated_event(e);
        const uint32_t number = profile_add_event(u->profile, &event);
        const double total = region_shares_total(&e->shares) / event.scale;
        for (size_t row = 0; row < e->shares.rows; row++)
            profile_add_sample(u->profile, number,
                               (struct profile_sample){e->place[row]->image, e->place[row]->address,
                                                       total * region_shares_estimate(&e->shares, row).share});
    }
}

/* The statistics that are estimated: the cycles, and their causes. The caller frees the text. */
static char *estimated_statistics(const struct unit_profile *u, const struct unit_collect *c, const char *configuration)
{
    char *text = NULL;
    size_t size_bytes;
    FILE *out = xopen_text(&text, &size_bytes);
    struct json_stream s = {.out = out};
    json_stream_begin(&s, NULL, '{');
    json_stream_text(&s, "configuration", configuration);
    json_stream_flag(&s, "partial", false);
    json_stream_begin(&s, "core", '{');
    json_stream_count(&s, "cycles", (uint64_t)llround(c->cycles));
    json_stream_count(&s, "retired", c->instructions);
    for (size_t row = 0; row < u->stack.shares.rows; row++) {
        char *key = xasprintf("stack_%s", u->stack.name[row]);
        json_stream_count(&s, key, (uint64_t)llround(c->cycles * region_shares_estimate(&u->stack.shares, row).share));
        free(key);
    }
    json_stream_end(&s, '}');
    json_stream_end(&s, '}');
    xclose_text(out);
    return text;
}

static char *report_text_of(const struct report *r)
{
    static const struct report_view all;
    char *text = NULL;
    size_t size_bytes;
    FILE *out = xopen_text(&text, &size_bytes);
    report_formats[REPORT_AS_json].write(r, &all, out);
    xclose_text(out);
    return text;
}

static enum status unit_collect_add_run(struct unit_profile *u, const struct unit_collect *c,
                                        const struct store_selection *to, struct errmsg *err)
{
    struct profile_store *s = NULL;
    char *name = NULL, *configuration = NULL;
    int64_t number;
    /* All units have one configuration. */
    const struct store_selection first = {.range = &(struct store_range){1, 1}, .ranges = 1};
    enum status st = store_configuration(u->store, &first, &name, &configuration, err);
    if (st != ST_OK)
        return st;
    char *statistics = estimated_statistics(u, c, name), *report = report_text_of(c->report);
    const struct store_run run = {.epoch = to->epoch != NULL ? to->epoch : default_epoch,
                                  .command = c->command,
                                  .guest = c->guest,
                                  .configuration = name,
                                  .configuration_text = configuration,
                                  .time = store_now(),
                                  .seed = c->seed,
                                  .cycles = (uint64_t)llround(c->cycles),
                                  .instructions = c->instructions,
                                  .statistics = statistics,
                                  .report = report,
                                  .profile = u->profile};
    st = store_open(&s, to->path, STORE_CREATE, STORE_WAIT_MS, err);
    if (st == ST_OK)
        st = store_add_run(s, &run, &number, err);
    store_close(s);
    free(name);
    free(configuration);
    free(statistics);
    free(report);
    return st;
}

enum status unit_profile_collect(struct unit_profile *u, const struct unit_collect *c, struct errmsg *err)
{
    struct store_selection to;
    enum status st = store_select(&to, c->to, err);
    if (st == ST_OK) {
        add_estimates(u);
        st = unit_collect_add_run(u, c, &to, err);
    }
    store_selection_release(&to);
    return st;
}
