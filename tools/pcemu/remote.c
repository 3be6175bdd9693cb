/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/remote.h"

#include <signal.h>
#include <stdlib.h>

#include "tools/pcemu/fatal.h"
#include "tools/pcemu/message.h"
#include "tools/pcemu/signals.h"

void remote_new(struct remote *r, const struct options *o, struct target *t, struct debugging *d)
{
    struct errmsg err;
    if (o->gdb == NULL)
        return;
    r->target = t;
    r->debugging = d;
    must(gdb_server_new(&r->server, o->gdb, &err), &err);
}

/* ---- the cores ---- */

/* Observer of what retires on a hart. */
struct retirements {
    struct observer base;
    struct gdb_server *server;
    unsigned hart;
};

static void remote_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    const struct retirements *o = ctx;
    (void)cycle;
    gdb_server_retired(o->server, o->hart, in->insn, in->outcome);
}

void remote_add(struct remote *r, struct observers *set, unsigned n)
{
    static const struct observer_kind kind = {.name = "gdb", .help = "what retires, for gdb"};
    if (r->server == NULL)
        return;
    struct retirements *o = xcalloc(1, sizeof *o);
    o->base.kind = &kind;
    o->base.probe.ctx = o;
    o->base.probe.stage[PROBE_RETIRED] = remote_retired;
    o->server = r->server;
    o->hart = n;
    observers_add(set, &o->base);
}

static void empty_cores(struct remote *r)
{
    if (r->target->harts != NULL)
        harts_empty(r->target->harts);
    else if (r->target->core != NULL)
        core_empty(r->target->core);
}

/* ---- the run ---- */

/* gdb has killed the guest, or has gone, or Ctrl-C while the guest did not run: no report is written, as after `quit`
 * of the debugger. */
static void leave_if_over(struct remote *r)
{
    if (!gdb_server_is_over(r->server))
        return;
    const bool is_interrupted = gdb_server_is_interrupted(r->server);
    gdb_server_free(r->server);
    if (is_interrupted)
        print_message("interrupted");
    exit(is_interrupted ? 128 + SIGINT : 0);
}

void remote_begin(struct remote *r)
{
    struct errmsg err;
    if (r->server == NULL || signals_ended_by() != 0)
        return;
    const struct gdb_services services = {.ctx = r->debugging, .monitor = debugging_monitor};
    if (gdb_server_place(r->server) != NULL)
        print_message("waiting for gdb: target remote %s", gdb_server_place(r->server));
    must(gdb_server_begin(r->server, &r->target->guest, r->target->core == NULL, &services, &err), &err);
    r->began = true;
    r->debugging->gdb = r->server;
    leave_if_over(r);
}

uint64_t remote_limit(struct remote *r, uint64_t insts)
{
    return r->began && gdb_server_is_active(r->server) ? gdb_server_limit(r->server, insts) : insts;
}

bool remote_records(struct remote *r, uint64_t insts, uint64_t stop_pc, enum rv_trap *trap)
{
    return r->began && gdb_server_records(r->server, insts, stop_pc, trap);
}

bool remote_pause(struct remote *r, bool at_limit)
{
    if (!r->began || !gdb_server_is_active(r->server))
        return false;
    const bool stepped = at_limit && gdb_server_steps(r->server);
    if (!gdb_server_ran(r->server))
        return stepped;
    empty_cores(r);
    gdb_server_stop(r->server);
    leave_if_over(r);
    return true;
}

void remote_end(struct remote *r)
{
    if (r->began)
        gdb_server_end(r->server);
}

void remote_release(struct remote *r) { gdb_server_free(r->server); }
