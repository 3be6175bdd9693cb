/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Setting up a session, and its end. */
#include "emu/pcemu/session.h"

#include "emu/pcemu/fatal.h"

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

void session_set_up(struct session *s)
{
    bool cop = profiling_is_enabled(&s->options);
    s->service.profiling = &s->profiling;
    s->watch.outputs = &s->outputs;
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
void session_release(struct session *s)
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

void session_run(struct session *s)
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
