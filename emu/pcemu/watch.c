/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Those who look at a run, but do not profile: the place to stop at, the lock-step check, the pipeline log, the traces. */
#include <stdlib.h>
#include <string.h>

#include "emu/pcemu/lab.h"

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

void lab_choose_trace(struct lab *lab, bool cop)
{
    const char *list = lab->options.trace;
    if (list == NULL)
        return;
    if (strcmp(list, "help") == 0)
        print_trace_help();
    for (;;) {
        size_t length = strcspn(list, ",");
        lab->trace_kinds |= trace_kind(list, length);
        if (list[length] == '\0')
            break;
        list += length + 1;
    }
    if ((lab->trace_kinds & TRACE_ALL) && (lab->options.core == CORE_FUNCTIONAL || lab->options.core == CORE_SAMPLES))
        die("--trace: only a core with a pipeline has stages to show");
    if ((lab->trace_kinds & TRACE_COP) && !cop)
        die("--trace cop: there is no co-processor in this run");
    const char *window = lab->options.trace_window;
    if (window != NULL && lab->trace_kinds == TRACE_COP && strncmp(window, "cycles:", strlen("cycles:")) != 0) {
        fprintf(stderr, "pcemu: --trace-window: for the co-processor alone expected cycles:FROM-TO, found '%s'\n", window);
        exit(EXIT_BAD_INPUT);
    }
}

static void stop_at_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct lab *lab = ctx;
    (void)cycle;
    if (in->pc == lab->stop_pc) {
        lab->stopped = true;
        lab->guest.hart.stop = 1;
    }
}

/* The window that the option's text describes, else the whole run. */
static void set_window(struct lab *lab, struct window *w, const char *option, const char *text)
{
    struct errmsg err;
    *w = (struct window){.kind = WINDOW_ALL};
    if (text == NULL || window_parse(w, text, lab_resolve_place, lab, &err) == ST_OK)
        return;
    fprintf(stderr, "pcemu: %s: %s\n", option, err.text);
    exit(EXIT_BAD_INPUT);
}

static void attach_kanata(struct lab *lab)
{
    set_window(lab, &lab->kanata_window, "--kanata-window", lab->options.kanata_window);
    lab->kanata = kanata_new(lab->kanata_file.stream, &lab->kanata_window);
    struct probe_observer o = kanata_observer(lab->kanata);
    core_attach(lab->core, &o);
}

static FILE *trace_stream(const struct lab *lab) { return lab->trace_file.stream != NULL ? lab->trace_file.stream : stderr; }

static void attach_trace(struct lab *lab)
{
    struct trace_config config = {
        .out = trace_stream(lab),
        .kinds = lab->trace_kinds & TRACE_ALL,
        .window = &lab->trace_window,
        .has_llc = lab->config.llc_bytes != 0,
    };
    lab->trace = trace_new(&config);
    struct probe_observer o = trace_observer(lab->trace);
    core_attach(lab->core, &o);
}

/* A window of cycles is one for the co-processor too; of the core's instructions it knows nothing. */
static void attach_cop_trace(struct lab *lab)
{
    const struct window *w = &lab->trace_window;
    bool cycles = w->kind == WINDOW_CYCLES;
    struct cop_trace_config config = {.out = trace_stream(lab), .cop = lab->cop, .image = &lab->image, .from = cycles ? w->from : 0,
                                      .to = cycles ? w->to : UINT64_MAX};
    lab->cop_trace = cop_trace_new(&config);
}

void lab_attach_traces(struct lab *lab)
{
    if (lab->trace_kinds == 0)
        return;
    set_window(lab, &lab->trace_window, "--trace-window", lab->options.trace_window);
    if (lab->trace_kinds & TRACE_ALL)
        attach_trace(lab);
    if (lab->trace_kinds & TRACE_COP)
        attach_cop_trace(lab);
}

void lab_attach_watchers(struct lab *lab)
{
    const struct options *o = &lab->options;
    struct probe_observer watcher;
    if (o->stop_at != NULL) {
        lab->stop_pc = lab_place(lab, "--stop-at", o->stop_at);
        watcher = (struct probe_observer){.ctx = lab, .stage = {[PROBE_RETIRED] = stop_at_retired}};
        core_attach(lab->core, &watcher);
    }
    if (o->check) {
        lab->lockstep = lockstep_new(lab->core, &lab->guest);
        watcher = lockstep_observer(lab->lockstep);
        core_attach(lab->core, &watcher);
    }
    if (o->kanata != NULL)
        attach_kanata(lab);
    lab_attach_traces(lab);
}

/* A window that nothing is seen through was not what the user meant. */
static void tell_empty(const struct lab *lab, const struct window *w, const char *option, const char *text)
{
    uint64_t end = core_clock(lab->core);
    bool tokens = (lab->trace_kinds & TRACE_COMMIT) && w == &lab->trace_window && w->kind == WINDOW_CYCLES && end > w->from;
    if (text != NULL && w->taken == 0 && !tokens)
        fprintf(stderr, "pcemu: %s: no instruction was fetched in '%s': the run ended in cycle %llu, with %llu instructions retired\n",
                option, text, (unsigned long long)end, (unsigned long long)w->retired);
}

void lab_conclude_watchers(struct lab *lab)
{
    struct errmsg err;
    if (lab->kanata != NULL) {
        kanata_finish(lab->kanata);
        must(outfile_commit(&lab->kanata_file, &err), &err);
        tell_empty(lab, &lab->kanata_window, "--kanata-window", lab->options.kanata_window);
    }
    if (lab->trace != NULL)
        tell_empty(lab, &lab->trace_window, "--trace-window", lab->options.trace_window);
    if (lab->trace_file.stream != NULL)
        must(outfile_commit(&lab->trace_file, &err), &err);
    if (lab->lockstep != NULL)
        fprintf(stderr, "pcemu: checked %llu instructions\n", (unsigned long long)lockstep_compared(lab->lockstep));
}

void lab_release_watchers(struct lab *lab)
{
    kanata_free(lab->kanata);
    trace_free(lab->trace);
    cop_trace_free(lab->cop_trace);
    lockstep_free(lab->lockstep);
}
