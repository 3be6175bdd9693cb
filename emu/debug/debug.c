/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The debugger's public interface: creation and release, and the live co-processor. A stop of the live co-processor
 * runs the prompt inside the watch callback. */
#include <stdlib.h>

#include "emu/debug/debugger.h"

static void stop_live(struct debugger *d, const struct reason *why)
{
    d->why = *why;
    d->goal = (struct goal){.kind = GOAL_NONE};
    d->shown = &d->live;
    show_stop(d, why);
    command_prompt(d);
    stops_sample_values(&d->live);
}

static void live_event(struct machine *m, enum event e)
{
    struct reason why = {.kind = REASON_KEY, .event = e};
    bool key = e == EVENT_WORD && key_was_pressed();
    if (m->d->prompting || (!key && !stops_reason(m, e, &why)) || !key_is_ours())
        return;
    if (key)
        (void)key_take();
    stop_live(m->d, &why);
}

enum status debug_new(struct debugger **out, struct cop *cop, const struct image *image,
                      const struct debug_options *options, const struct debug_services *services, struct errmsg *err)
{
    struct debugger *d = xcalloc(1, sizeof *d);
    d->s = *services;
    d->options = *options;
    d->image = image;
    d->live.cop = cop;
    d->out = options->out != NULL ? options->out : stderr;
    history_init(&d->history, HISTORY_DEFAULT_BYTES, cop);
    enum status st = command_open(d, err);
    if (st != ST_OK) {
        debug_free(d);
        return st;
    }
    show_load_source(d);
    *out = d;
    return ST_OK;
}

void debug_free(struct debugger *d)
{
    if (d == NULL)
        return;
    if (d->live.d != NULL) {
        past_free(d);
        cop_watch(d->live.cop, NULL);
        key_end();
    }
    command_close(d);
    stops_free(d);
    history_fini(&d->history);
    cop_free(d->here);
    cop_free(d->base);
    for (int i = 0; i < MAX_MARKS; i++) {
        free(d->mark[i].name);
        cop_free(d->mark[i].at.cop);
    }
    for (unsigned i = 0; i < d->displays; i++)
        free(d->display[i]);
    free(d->source_text);
    free(d);
}

void debug_begin(struct debugger *d)
{
    struct reason why = {.kind = REASON_PAUSE};
    key_begin(d->s.stop_core);
    d->live.live = true;
    d->live.d = d;
    d->live.see = live_event;
    d->live.phase = PHASE_BETWEEN;
    d->shown = &d->live;
    machine_watch(&d->live);
    machine_keep(&d->live);
    stop_live(d, &why);
    d->running = true;
}

void debug_interrupt(struct debugger *d) { machine_event(&d->live, EVENT_INTERRUPT, PHASE_HALT); }

static void pause_live(struct debugger *d, const struct reason *why)
{
    d->live.phase = PHASE_BETWEEN;
    d->live.event = EVENT_INPUT;
    stop_live(d, why);
}

bool debug_retired(struct debugger *d, uint64_t pc)
{
    return d->guest_stops != 0 && key_is_ours() && stops_on_guest(d, pc, &d->guest_why);
}

void debug_executed(struct debugger *d, const char *path)
{
    if (!key_is_ours())
        return;
    fprintf(d->out, "the guest now executes %s\n", path);
    breakpoints_renew(d);
}

bool debug_pause_requested(const struct debugger *d) { return d->guest_why.kind == REASON_STOP || key_was_pressed(); }

void debug_pause(struct debugger *d)
{
    struct reason why = {.kind = key_take() ? REASON_KEY : REASON_PAUSE};
    if (d->guest_why.kind == REASON_STOP)
        why = d->guest_why;
    d->guest_why.kind = REASON_GOAL;
    pause_live(d, &why);
}

void debug_end(struct debugger *d, const char *how)
{
    struct reason why = {.kind = REASON_END};
    d->ended = true;
    fprintf(d->out, "%s\n", how);
    pause_live(d, &why);
}

bool debug_failed(const struct debugger *d) { return d->failed && !d->options.interactive; }
