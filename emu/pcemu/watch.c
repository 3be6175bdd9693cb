/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Those who look at a run, but do not profile: the place to stop at, the lock-step check, the pipeline log, the traces. */
#include <stdlib.h>
#include <string.h>

#include "emu/pcemu/session.h"

/* A kind of lines beside those of the core's trace. */
enum { TRACE_COP = TRACE_ALL + 1 };

/* What --trace can show, by name. */
static const struct {
    const char *name, *meaning;
    uint32_t kinds;
} traceable[] = {
#define STAGE(sym, name, meaning) {name, meaning, 1u << PROBE_##sym},
#include "core-model/probe.def"
    {"commit", "the commit side of each cycle", TRACE_COMMIT},
    {"all", "all of these", TRACE_ALL},
    {"cop", "the co-processor, apart from the pipeline: its words, samples, bubbles and bus accesses", TRACE_COP},
};
enum { TRACEABLE = sizeof traceable / sizeof traceable[0] };

static void print_trace_help(void)
{
    for (size_t i = 0; i < TRACEABLE; i++)
        printf("%-8s %s\n", traceable[i].name, traceable[i].meaning);
    exit(0);
}

static uint32_t trace_kind(const char *name, size_t length)
{
    for (size_t i = 0; i < TRACEABLE; i++)
        if (strlen(traceable[i].name) == length && strncmp(traceable[i].name, name, length) == 0)
            return traceable[i].kinds;
    fputs("pcemu: --trace: expected a list of", stderr);
    for (size_t i = 0; i < TRACEABLE; i++)
        fprintf(stderr, "%s %s", i == 0 ? "" : i + 1 == TRACEABLE ? " or" : ",", traceable[i].name);
    fprintf(stderr, ", found '%.*s'\n", (int)length, name);
    exit(EXIT_BAD_INPUT);
}

void session_choose_trace(struct session *session, bool cop)
{
    const char *list = session->options.trace;
    if (list == NULL)
        return;
    if (strcmp(list, "help") == 0)
        print_trace_help();
    for (;;) {
        size_t length = strcspn(list, ",");
        session->trace_kinds |= trace_kind(list, length);
        if (list[length] == '\0')
            break;
        list += length + 1;
    }
    if ((session->trace_kinds & TRACE_ALL) && (session->options.core == CORE_FUNCTIONAL || session->options.core == CORE_SAMPLES))
        die("--trace: only a core with a pipeline has stages to show");
    if ((session->trace_kinds & TRACE_COP) && !cop)
        die("--trace cop: there is no co-processor in this run");
    const char *window = session->options.trace_window;
    if (window != NULL && session->trace_kinds == TRACE_COP && strncmp(window, "cycles:", strlen("cycles:")) != 0) {
        fprintf(stderr, "pcemu: --trace-window: for the co-processor alone expected cycles:FROM-TO, found '%s'\n", window);
        exit(EXIT_BAD_INPUT);
    }
}

static void stop_at_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct session *session = ctx;
    (void)cycle;
    if (in->pc == session->stop_pc) {
        session->stopped = true;
        session->guest.hart.stop = 1;
    }
}

/* The window that the option's text describes, else the whole run. */
static void set_window(struct session *session, struct window *w, const char *option, const char *text)
{
    struct errmsg err;
    *w = (struct window){.kind = WINDOW_ALL};
    if (text == NULL || window_parse(w, text, session_resolve_place, session, &err) == ST_OK)
        return;
    fprintf(stderr, "pcemu: %s: %s\n", option, err.text);
    exit(EXIT_BAD_INPUT);
}

static void attach_kanata(struct session *session)
{
    set_window(session, &session->kanata_window, "--kanata-window", session->options.kanata_window);
    session->kanata = kanata_new(session->kanata_file.stream, &session->kanata_window);
    struct probe_observer o = kanata_observer(session->kanata);
    core_attach(session->core, &o);
}

static FILE *trace_stream(const struct session *session) { return session->trace_file.stream != NULL ? session->trace_file.stream : stderr; }

static void attach_trace(struct session *session)
{
    struct trace_config config = {
        .out = trace_stream(session),
        .kinds = session->trace_kinds & TRACE_ALL,
        .window = &session->trace_window,
        .has_llc = session->config.llc_bytes != 0,
    };
    session->trace = trace_new(&config);
    struct probe_observer o = trace_observer(session->trace);
    core_attach(session->core, &o);
}

/* A window of cycles is one for the co-processor too; of the core's instructions it knows nothing. */
static void attach_cop_trace(struct session *session)
{
    const struct window *w = &session->trace_window;
    bool cycles = w->kind == WINDOW_CYCLES;
    struct cop_trace_config config = {.out = trace_stream(session), .cop = session->cop, .image = &session->image, .from = cycles ? w->from : 0,
                                      .to = cycles ? w->to : UINT64_MAX};
    session->cop_trace = cop_trace_new(&config);
}

void session_attach_traces(struct session *session)
{
    if (session->trace_kinds == 0)
        return;
    set_window(session, &session->trace_window, "--trace-window", session->options.trace_window);
    if (session->trace_kinds & TRACE_ALL)
        attach_trace(session);
    if (session->trace_kinds & TRACE_COP)
        attach_cop_trace(session);
}

void session_attach_watchers(struct session *session)
{
    const struct options *o = &session->options;
    struct probe_observer watcher;
    if (o->stop_at != NULL) {
        session->stop_pc = session_place(session, "--stop-at", o->stop_at);
        watcher = (struct probe_observer){.ctx = session, .stage = {[PROBE_RETIRED] = stop_at_retired}};
        core_attach(session->core, &watcher);
    }
    if (o->check) {
        session->lockstep = lockstep_new(session->core, &session->guest);
        watcher = lockstep_observer(session->lockstep);
        core_attach(session->core, &watcher);
    }
    if (o->kanata != NULL)
        attach_kanata(session);
    session_attach_traces(session);
}

/* A window that nothing is seen through was not what the user meant. */
static void tell_empty(const struct session *session, const struct window *w, const char *option, const char *text)
{
    uint64_t end = core_clock(session->core);
    bool tokens = (session->trace_kinds & TRACE_COMMIT) && w == &session->trace_window && w->kind == WINDOW_CYCLES && end > w->from;
    if (text != NULL && w->taken == 0 && !tokens)
        fprintf(stderr, "pcemu: %s: no instruction was fetched in '%s': the run ended in cycle %llu, with %llu instructions retired\n",
                option, text, (unsigned long long)end, (unsigned long long)w->retired);
}

void session_conclude_watchers(struct session *session)
{
    struct errmsg err;
    if (session->kanata != NULL) {
        kanata_finish(session->kanata);
        must(outfile_commit(&session->kanata_file, &err), &err);
        tell_empty(session, &session->kanata_window, "--kanata-window", session->options.kanata_window);
    }
    if (session->trace != NULL)
        tell_empty(session, &session->trace_window, "--trace-window", session->options.trace_window);
    if (session->trace_file.stream != NULL)
        must(outfile_commit(&session->trace_file, &err), &err);
    if (session->lockstep != NULL)
        fprintf(stderr, "pcemu: checked %llu instructions\n", (unsigned long long)lockstep_compared(session->lockstep));
}

void session_release_watchers(struct session *session)
{
    kanata_free(session->kanata);
    trace_free(session->trace);
    cop_trace_free(session->cop_trace);
    lockstep_free(session->lockstep);
}
