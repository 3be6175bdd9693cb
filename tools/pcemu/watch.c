/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/watch.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "core-model/prof/log/kanata.h"
#include "core-model/prof/log/o3_view.h"
#include "core-model/prof/log/trace.h"
#include "host/report/words.h"
#include "host/symbols/meant.h"
#include "tools/pcemu/fatal.h"
#include "tools/pcemu/message.h"
#include "tools/pcemu/storing.h"

/* Traces of the co-processor, in addition to the kinds of the core's trace. */
enum { TRACE_COP = TRACE_ALL + 1, TRACE_COP_SAMPLES = TRACE_COP << 1, TRACE_COP_ANY = TRACE_COP | TRACE_COP_SAMPLES };

/* Names of --trace. */
static const struct {
    const char *name, *meaning;
    uint32_t kinds;
} traceable[] = {
#define STAGE(sym, name, meaning) {name, meaning, 1u << PROBE_##sym},
#include "core-model/probe/probe.def"
    {"commit", "the commit side of each cycle", TRACE_COMMIT},
    {"all", "all of these", TRACE_ALL},
    {"cop", "the co-processor, apart from the pipeline: its words, samples, bubbles and bus accesses", TRACE_COP},
    {"cop-samples", "of these the samples alone: those admitted, with their fields, and those dropped",
     TRACE_COP_SAMPLES},
};
enum { TRACEABLE = sizeof traceable / sizeof traceable[0] };

static void print_trace_help(void)
{
    for (size_t i = 0; i < TRACEABLE; i++)
        printf("%-11s %s\n", traceable[i].name, traceable[i].meaning);
    exit(0);
}

void watch_print_words(FILE *out)
{
    for (size_t i = 0; i < TRACEABLE; i++)
        fprintf(out, "%s\t%s\n", traceable[i].name, traceable[i].meaning);
}

static uint32_t trace_kind(const char *name, size_t length)
{
    for (size_t i = 0; i < TRACEABLE; i++)
        if (strlen(traceable[i].name) == length && strncmp(traceable[i].name, name, length) == 0)
            return traceable[i].kinds;
    char *names = NULL;
    size_t size_bytes;
    FILE *out = xopen_text(&names, &size_bytes);
    for (size_t i = 0; i < TRACEABLE; i++)
        fprintf(out, "%s %s", i == 0 ? "" : i + 1 == TRACEABLE ? " or" : ",", traceable[i].name);
    xclose_text(out);
    const char *known[TRACEABLE];
    for (size_t i = 0; i < TRACEABLE; i++)
        known[i] = traceable[i].name;
    char *found = xasprintf("%.*s", (int)length, name);
    die("--trace: expected a list of%s, found '%s'%s", names, found,
        diag_hint(diag_nearest(found, known, TRACEABLE)).text);
}

void watch_choose_trace(struct watch *w, const struct options *o, bool cop)
{
    const char *list = o->trace, *window = o->trace_window;
    if (list == NULL)
        return;
    if (strcmp(list, "help") == 0)
        print_trace_help();
    for (;;) {
        size_t length = strcspn(list, ",");
        w->trace_kinds |= trace_kind(list, length);
        if (list[length] == '\0')
            break;
        list += length + 1;
    }
    if ((w->trace_kinds & TRACE_ALL) && (o->core == CORE_FUNCTIONAL || o->core == CORE_SAMPLES))
        die("--trace: only a core with a pipeline has stages to show");
    if ((w->trace_kinds & TRACE_COP_ANY) && !cop)
        die("--trace cop: there is no co-processor in this run");
    if (window != NULL && (w->trace_kinds & TRACE_COP_ANY) && strncmp(window, "cycles:", strlen("cycles:")) != 0)
        die("--trace-window: with the co-processor, which retires no instructions, expected cycles:FROM-TO, found '%s'",
            window);
}

/* ---- --stop-at ---- */

struct stop_at {
    struct observer base;
    struct watch *watch;
};

static void stop_at_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct watch *w = ((struct stop_at *)ctx)->watch;
    (void)cycle;
    if (in->pc != w->stop_pc)
        return;
    w->stopped = true;
    *w->stop_core = 1;
}

static struct observer *stop_at_new(struct watch *w)
{
    static const struct observer_kind kind = {.name = "stop-at", .help = "ends the run at a place"};
    struct stop_at *s = xcalloc(1, sizeof *s);
    s->base.kind = &kind;
    s->base.probe.ctx = s;
    s->base.probe.stage[PROBE_RETIRED] = stop_at_retired;
    s->watch = w;
    return &s->base;
}

/* ---- windows and traces ---- */

/* Parses the option's window; without the option, the whole run. */
static void set_window(struct window *w, struct target *t, const char *option, const char *text)
{
    struct errmsg err;
    *w = (struct window){.kind = WINDOW_ALL};
    if (text == NULL || window_parse(w, text, target_resolve, t, &err) == ST_OK)
        return;
    const char *colon = strrchr(text, ':');
    char *name = xasprintf("%.*s", colon != NULL ? (int)(colon - text) : (int)strlen(text), text);
    char *meant = meant_symbols(t->symbols, name);
    free(name);
    die("%s: %s%s", option, err.text, meant);
}

void watch_open_windows(struct watch *w, const struct options *o, struct target *t)
{
    if (o->kanata != NULL)
        set_window(&w->kanata_window, t, "--kanata-window", o->kanata_window);
    if (w->trace_kinds != 0)
        set_window(&w->trace_window, t, "--trace-window", o->trace_window);
}

static struct observer *core_trace(struct watch *w, const struct machine_config *m)
{
    struct trace_config config = {
        .out = w->outputs->trace.stream,
        .kinds = w->trace_kinds & TRACE_ALL,
        .window = &w->trace_window,
        .has_llc = m->config.llc_bytes != 0,
    };
    return trace_new(&config);
}

/* With the co-processor a window is one of cycles (watch_choose_trace). */
void watch_trace_cop(struct watch *w, struct cop *cop, const struct image *image)
{
    const struct window *window = &w->trace_window;
    bool cycles = window->kind == WINDOW_CYCLES;
    struct cop_trace_config config = {.out = w->outputs->trace.stream,
                                      .cop = cop,
                                      .image = image,
                                      .samples_only = (w->trace_kinds & TRACE_COP) == 0,
                                      .from = cycles ? window->from : 0,
                                      .to = cycles ? window->to : UINT64_MAX};
    if (w->trace_kinds & TRACE_COP_ANY)
        w->cop_trace = cop_trace_new(&config);
    else if (w->timeline.step != 0 && cop != NULL)
        pcemu_timeline_watch(&w->timeline, cop);
}

static struct observer *watch_kanata_new(FILE *out, struct window *window, enum kanata_form form)
{
    return form == KANATA_FORM_O3PIPEVIEW ? o3_view_new(out, window) : kanata_new(out, window);
}

void watch_add(struct watch *w, const struct options *o, const struct machine_config *m, struct target *t,
               struct observers *set)
{
    if (o->stop_at != NULL) {
        w->stop_pc = target_place(t, "--stop-at", o->stop_at);
        w->stop_core = &t->guest.hart.stop;
        observers_add(set, stop_at_new(w));
    }
    if (o->check) {
        w->lockstep = lockstep_new(t->core, &t->guest);
        observers_add(set, lockstep_observer(w->lockstep));
    }
    if (o->kanata != NULL)
        observers_add(set, watch_kanata_new(w->outputs->kanata.stream, &w->kanata_window, o->kanata_format));
    if (w->trace_kinds & TRACE_ALL)
        observers_add(set, core_trace(w, m));
    if (o->perf != NULL) {
        w->perf = (struct perf_recording){
            .period = o->perf_period, .seed = o->seed, .has_llc = m->config.llc_bytes != 0};
        perf_recording_add_hart(&w->perf, set);
    }
    if (o->timeline != NULL) {
        w->timeline.step = o->timeline_step;
        pcemu_timeline_add_hart(&w->timeline, set);
    }
}

/* Warns of a window in which nothing occurred. */
static void warn_empty_window(const struct watch *w, const struct window *window, const struct core *core,
                              const char *option, const char *text)
{
    char cycle[REPORT_NUMBER], retired[REPORT_NUMBER];
    uint64_t end = core_clock(core);
    bool tokens = (w->trace_kinds & TRACE_COMMIT) && window == &w->trace_window && window->kind == WINDOW_CYCLES &&
                  end > window->from;
    if (text == NULL || window->taken != 0 || tokens)
        return;
    if (window->kind == WINDOW_INSTS && window->retired >= window->to)
        print_message(
            "%s: no instruction was fetched while %s to %s instructions had retired: expected a longer window", option,
            report_number(cycle, window->from), report_number(retired, window->to));
    else
        print_message(
            "%s: no instruction was fetched in '%s': the run ended in cycle %s, with %s instruction%s retired", option,
            text, report_number(cycle, end), report_number(retired, window->retired), window->retired == 1 ? "" : "s");
}

/* The symbols of the program and of its libraries, where they were; NULL: none. */
static const struct symbols *watch_symbols(struct target *t)
{
    struct symbols *symbols = target_symbols(t);
    if (symbols != NULL)
        symbols_set_bias(symbols, t->guest.process->bias);
    target_find_libraries(t);
    return symbols;
}

static void watch_write_perf(const struct watch *w, const struct options *o, struct target *t, const char *guest)
{
    char *command = o->guest != NULL ? storing_guest(o->guest) : NULL;
    perf_recording_write(&w->perf, watch_symbols(t), guest, command, w->outputs->perf.stream);
    free(command);
}

void watch_conclude(struct watch *w, const struct options *o, struct target *t, const char *guest)
{
    const struct core *core = t->core;
    char compared[REPORT_NUMBER];
    if (w->timeline.step != 0) {
        pcemu_timeline_write(&w->timeline, watch_symbols(t), guest, w->outputs->timeline.stream);
    }
    if (w->perf.period != 0)
        watch_write_perf(w, o, t, guest);
    outputs_commit(&w->outputs->perf);
    outputs_commit(&w->outputs->timeline);
    outputs_commit(&w->outputs->kanata);
    if (core != NULL && o->kanata != NULL)
        warn_empty_window(w, &w->kanata_window, core, "--kanata-window", o->kanata_window);
    if (core != NULL && (w->trace_kinds & TRACE_ALL))
        warn_empty_window(w, &w->trace_window, core, "--trace-window", o->trace_window);
    watch_release(w); /* statistics read the co-processor's bus, and are no part of the run */
    outputs_commit(&w->outputs->trace);
    if (w->lockstep != NULL)
        print_message("checked %s instruction%s", report_number(compared, lockstep_compared(w->lockstep)),
                      lockstep_compared(w->lockstep) == 1 ? "" : "s");
}

void watch_release(struct watch *w)
{
    cop_trace_free(w->cop_trace);
    w->cop_trace = NULL;
    pcemu_timeline_release(&w->timeline);
}
