/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reverse execution. Source: the manual of gdb, "Packets", bs and bc, and "Stop Reply Packets", replaylog. */
#include "core-model/gdb/server.h"

bool gdb_server_records(struct gdb_server *s, uint64_t max_insts, uint64_t stop_pc, enum rv_trap *trap)
{
    if (!gdb_server_is_active(s) || s->history.moment == NULL)
        return false;
    *trap = gdb_history_run(&s->history, s->guest, max_insts, stop_pc);
    return true;
}

static void reverse_arrive(struct gdb_server *s, enum gdb_event_kind kind)
{
    s->event = (struct gdb_event){.kind = kind, .tid = guest_thread_on(s->guest, 0)};
    s->general_thread = s->event.tid;
}

/* Takes one instruction back; false: there is none, which is the event. */
static bool go_back(struct gdb_server *s, const struct gdb_moment **m)
{
    *m = gdb_history_undo(&s->history, s->guest);
    if (*m == NULL)
        reverse_arrive(s, GDB_EVENT_BEGIN);
    return *m != NULL;
}

void gdb_reverse_step(struct gdb_server *s)
{
    const struct gdb_moment *m;
    if (go_back(s, &m))
        reverse_arrive(s, GDB_EVENT_STEP);
    gdb_resume_tell_stop(s);
}

/* The watchpoint that the instruction meets which has been taken back. */
static const struct gdb_point *point_met(const struct gdb_server *s, const struct gdb_moment *m)
{
    const struct gdb_access a = {.address = m->outcome.ea,
                                 .size_bytes = m->outcome.mem_bytes,
                                 .reads = (m->insn.flags & RV_LOAD) != 0,
                                 .writes = (m->insn.flags & RV_STORE) != 0};
    return a.size_bytes != 0 ? gdb_breaks_met(&s->breaks, &a) : NULL;
}

void gdb_reverse_continue(struct gdb_server *s)
{
    const struct gdb_moment *m;
    while (go_back(s, &m)) {
        const struct gdb_point *met = point_met(s, m), *at = gdb_breaks_at(&s->breaks, s->guest->hart.pc);
        if (met == NULL && at == NULL)
            continue;
        reverse_arrive(s, met != NULL ? GDB_EVENT_WATCH : GDB_EVENT_BREAK);
        s->event.watch = met != NULL ? met->kind : at->kind;
        s->event.address = met != NULL ? met->address : at->address;
        break;
    }
    gdb_resume_tell_stop(s);
}

bool gdb_reverse_command(struct gdb_server *s, const char *command, FILE *out)
{
    const bool begins = strcmp(command, "record") == 0;
    if (!begins && strcmp(command, "record stop") != 0)
        return false;
    if (!s->is_functional)
        fprintf(out, "record requires --core functional: other cores cannot take instructions back\n");
    else if (begins)
        gdb_history_begin(&s->history);
    else
        gdb_history_free(&s->history);
    return true;
}
