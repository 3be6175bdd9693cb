/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The child of a fork has a copy of its parent's session. It keeps the options and the guest, and begins everything
 * else anew: core, co-processor, observers, outputs. It begins once more after each execve, because what precedes that
 * is not the program's. */
#include "tools/pcemu/follow.h"

#include <stdlib.h>
#include <string.h>

#include "tools/pcemu/session.h"
#include "tools/pcemu/start_folder.h"

/* The options of the first process: what a child forks has files named after them too. */
static struct options first_options;

/* The file of the child instead of its parent's. */
static const char *own_file(const char *path, unsigned process)
{
    return path == NULL || strcmp(path, "-") == 0 ? path : xasprintf("%s.%u", path, process);
}

/* Options that concern the parent alone, or name a file. */
static void change_options(struct options *o, unsigned process)
{
    o->report = own_file(o->report, process);
    o->stats = own_file(o->stats, process);
    o->kanata = own_file(o->kanata, process);
    o->perf = own_file(o->perf, process);
    o->timeline = own_file(o->timeline, process);
    o->trace_file = own_file(o->trace_file, process);
    o->record = own_file(o->record, process);
    o->baseline = o->stop_at = NULL;
}

/* Forgets the parent's parts, or those of the program before an execve, without an effect on what they share with the
 * parent, such as files. */
static void follow_forget(struct session *s)
{
    s->profiling = (struct profiling){0};
    s->observers = NULL;
    s->service = (struct service){0};
    s->collecting = (struct collecting){0};
    s->watch = (struct watch){0};
    s->recording = (struct recording){0};
    s->debugging = (struct debugging){0};
    s->baseline = (struct baseline){0};
    s->outcome = (struct pcemu_session_outcome){0};
    s->target.core = NULL;
    s->target.harts = NULL;
}

/* The guest is the program that execve has loaded, in this process or before the fork. */
static void change_program(struct session *s)
{
    char **name = xcalloc(2, sizeof *name);
    (void)target_find_program(&s->target);
    name[0] = s->target.program;
    s->options.guest = name;
}

/* Sets the session up and opens its outputs, unless an earlier program of the process has. */
static void set_up(struct session *s, bool opens)
{
    struct guest_folder guest = start_folder_enter();
    session_set_up(s);
    if (opens)
        outputs_open(&s->outputs, &s->options);
    start_folder_leave(guest);
}

void follow_child(void *ctx, struct guest *g)
{
    struct session *s = ctx;
    bool is_open = false;
    if (s->process == 0)
        first_options = s->options;
    s->process = guest_pid(g);
    do {
        s->options = first_options;
        change_options(&s->options, s->process);
        follow_forget(s);
        if (g->process->programs > 0)
            change_program(s);
        set_up(s, !is_open);
        if (s->target.symbols != NULL)
            symbols_set_bias(s->target.symbols, g->process->bias);
        is_open = true;
        session_run_child(s);
    } while (target_is_replaced(&s->target) && !g->process->exited);
    session_conclude(s);
    signals_release();
    if (signals_ended_by() != 0)
        g->process->exited = true, g->process->fatal_signal = signals_ended_by();
}
