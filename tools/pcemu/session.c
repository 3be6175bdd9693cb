/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Setting up a session, and its end. */
#include "tools/pcemu/session.h"

#include <stdlib.h>

#include "core-model/harts.h"
#include "core-model/prof/stack/call_tracker.h"
#include "tools/pcemu/fatal.h"
#include "tools/pcemu/gains.h"
#include "tools/pcemu/idealise.h"

/* Profilers of a run for a store if the user names none: DCPI's default configuration (paper, sections 4.1 and
 * 4.1.1). */
static const char continuous[] = "counter:event=cycles:period=65536:random:collect,"
                                 "counter:event=icache-miss:period=65536:random:collect";

/* The observers of one hart. */
static struct observers *create_observers(const struct session *s, bool cop, unsigned hart)
{
    const uint64_t seed = s->options.seed + hart;
    const struct options *o = &s->options;
    struct errmsg err;
    struct observers *set = observers_new();
    if (o->harts > 1)
        observers_expect_idle(set);
    if (s->threads != NULL)
        observers_follow_calls(set, s->threads);
    for (unsigned i = 0; i < o->profile.count; i++)
        must(observers_create(set, o->profile.text[i], seed, &err), &err);
    if (o->gain != NULL && !observers_is_listed(set, "oracle"))
        must(observers_create(set, "oracle", seed, &err), &err);
    if (o->gain != NULL && s->machine.config.core == 0 && !observers_has_kind(set, "graph"))
        must(observers_create(set, "graph", seed, &err), &err);
    if (o->collect != NULL && o->profile.count == 0 && !cop && o->core <= CORE_INORDER)
        must(observers_create(set, continuous, seed, &err), &err);
    plugins_observe(&s->plugins, set, o, &s->machine, hart);
    return set;
}

/* The co-processor of hart `n`, which is not the first. */
static void add_program(struct session *s, unsigned n)
{
    struct hart_program *p = s->other_program[n] = xcalloc(1, sizeof *p);
    p->service.profiling = &p->profiling;
    profiling_copy(&p->profiling, &s->profiling);
    profiling_start(&p->profiling, &s->machine, s->other_observers[n], service_interrupt, &p->service);
}

void session_set_up(struct session *s)
{
    bool cop = profiling_is_enabled(&s->options);
    struct errmsg err;
    must(harts_check(&s->machine.config, (unsigned)s->options.harts, &err), &err);
    s->service.profiling = &s->profiling;
    s->watch.outputs = &s->outputs;
    if (s->options.stacks) {
        s->calls = call_tree_new((uint32_t)s->options.stack_depth, (uint32_t)s->options.stack_recursion);
        s->threads = call_threads_new(s->calls);
    }
    s->observers = create_observers(s, cop, 0);
    for (unsigned n = 1; n < s->options.harts; n++)
        s->other_observers[n] = create_observers(s, cop, n);
    watch_choose_trace(&s->watch, &s->options, cop);
    if (s->options.record_samples != NULL && !cop)
        die("--record-samples requires a program for the co-processor");
    if (s->options.guest != NULL)
        target_check(&s->target);
    if (cop)
        profiling_load(&s->profiling, &s->options);
    cop &= s->options.record_samples == NULL;
    if (cop || observers_count(s->observers) > 0)
        target_symbols(&s->target);
    if (cop)
        profiling_start(&s->profiling, &s->machine, s->observers, service_interrupt, &s->service);
    for (unsigned n = 1; cop && s->machine.config.cop_per_hart != 0 && n < s->options.harts; n++)
        add_program(s, n);
    session_check_reports_of_harts(s);
    session_check_sort(s);
    debugging_new(&s->debugging, &s->options, &s->target, &s->profiling);
    remote_new(&s->remote, &s->options, &s->target, &s->debugging);
}

/* Debugger and trace end before the co-processor that they watch. */
void session_release(struct session *s)
{
    signals_forget_guest();
    remote_release(&s->remote);
    debugging_release(&s->debugging);
    watch_release(&s->watch);
    profiling_release(&s->profiling);
    for (unsigned n = 1; n < GUEST_HARTS_MAX; n++) {
        if (s->other_program[n] != NULL)
            profiling_release(&s->other_program[n]->profiling);
        free(s->other_program[n]);
    }
    machine_release(&s->machine);
    observers_free(s->observers);
    for (unsigned n = 1; n < GUEST_HARTS_MAX; n++)
        observers_free(s->other_observers[n]);
    ideal_free(s->ideal);
    gains_free(s->gains);
    call_threads_free(s->threads);
    call_tree_free(s->calls);
    collecting_release(&s->collecting);
    storing_release(&s->storing);
    checkpointing_release(&s->checkpointing);
    block_vectors_release(&s->vectors);
    target_release(&s->target);
    recording_release(&s->recording, &s->target);
    plugins_release(&s->plugins);
    sample_recording_release(&s->samples, &s->target);
}

void session_run(struct session *s)
{
    switch (s->options.core) {
    case CORE_OOO:
    case CORE_INORDER:
        session_run_core(s);
        break;
    case CORE_FUNCTIONAL:
        if (s->checkpointing.folder != NULL)
            session_run_checkpoints(s);
        else
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
