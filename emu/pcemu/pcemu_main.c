/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcemu's main function: parses the command line, sets up the session, runs and concludes it. */
#include <argp.h>
#include <stdlib.h>
#include <string.h>

#include "emu/pcemu/fatal.h"
#include "emu/pcemu/message.h"
#include "emu/pcemu/session.h"
#include "isa/support/version.h"

const char *argp_program_version = "pcemu " TOOLS_VERSION;

void die(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    print_message_arguments(fmt, ap);
    va_end(ap);
    exit(EXIT_BAD_INPUT);
}

void must(enum status st, const struct errmsg *err)
{
    if (st != ST_OK)
        die("%s", err->text);
}

/* What a run for a store profiles if the user names nothing: DCPI's default configuration (paper, sections 4.1 and
 * 4.1.1). */
static const char continuous[] = "counter:event=cycles:period=65536:random:collect,"
                                 "counter:event=icache-miss:period=65536:random:collect";

static void create_observers(struct session *s, bool cop)
{
    struct errmsg err;
    const struct options *o = &s->options;
    s->observers = observers_new();
    for (unsigned i = 0; i < o->profile.count; i++)
        must(observers_create(s->observers, o->profile.text[i], o->seed, &err), &err);
    if (o->collect != NULL && o->profile.count == 0 && !cop && o->core <= CORE_INORDER)
        must(observers_create(s->observers, continuous, o->seed, &err), &err);
}

/* Creates the co-processor with its program, if the run has one, and the observers. */
static void set_up(struct session *s)
{
    bool cop = profiling_is_enabled(&s->options);
    create_observers(s, cop);
    watch_choose_trace(&s->watch, &s->options, cop);
    if (cop)
        profiling_load(&s->profiling, &s->options);
    if (cop || observers_count(s->observers) > 0)
        target_symbols(&s->target);
    if (cop)
        profiling_start(&s->profiling, &s->machine, s->observers, service_interrupt, &s->service);
    session_check_sort(s);
    debugging_new(&s->debugging, &s->options, &s->target, &s->profiling);
}

/* Debugger and trace end before the co-processor that they watch. */
static void release(struct session *s)
{
    debugging_release(&s->debugging);
    watch_release(&s->watch);
    profiling_release(&s->profiling);
    machine_release(&s->machine);
    observers_free(s->observers);
    collecting_release(&s->collecting);
    storing_release(&s->storing);
    target_release(&s->target);
    recording_release(&s->recording, &s->target);
}

/* The session; one per process. */
static struct session session;

static void run(struct session *s)
{
    switch (s->options.core) {
    case CORE_OOO:
    case CORE_INORDER:
        session_run_core(s);
        break;
    case CORE_FUNCTIONAL:
        session_run_functional(s);
        break;
    case CORE_SAMPLES:
        session_run_samples(s);
        break;
    case CORE_REPLAY:
        session_run_replay(s);
        break;
    }
}

int main(int argc, char **argv)
{
    struct session *s = &session;
    file_check_standard_output("pcemu");
    s->storing.command = storing_command(argc, argv);
    options_parse(&s->options, argc, argv);
    if (s->options.core == CORE_REPLAY)
        recording_open(&s->recording, &s->options, &s->machine, &s->target);
    else
        machine_load(&s->machine, &s->options);
    baseline_load(&s->baseline, s->options.baseline, &s->machine);
    if (s->options.dump_config) {
        core_config_dump(&s->machine.config, stdout);
        return 0;
    }
    if (options_ask_profilers(&s->options)) {
        observers_print_help(stdout);
        return 0;
    }
    if (s->options.sampler != NULL && strcmp(s->options.sampler, "help") == 0) {
        sampler_print_help(stdout);
        return 0;
    }
    if (s->options.guest != NULL)
        s->target.path = s->options.guest[0];
    target_set_debug_folders(&s->target, &s->options);
    s->service.profiling = &s->profiling;
    s->watch.outputs = &s->outputs;
    set_up(s);
    outputs_open(&s->outputs, &s->options);
    storing_open(&s->storing, s->options.collect);
    run(s);
    session_conclude(s);
    release(s);
    return s->outcome.exit_status;
}
