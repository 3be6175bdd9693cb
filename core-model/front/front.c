/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/front/front.h"

const struct rv_insn front_fault = {.op = RV_ADDI, .opclass = OPCLASS_INT, .unit = RV_UNIT_ALU, .length_bytes = 4};

void front_init(struct front *f, struct guest *guest, const struct core_config *cfg, struct bpred *bpred,
                struct core_stats *stats, struct interrupt *interrupt, core_handler *handler, void *core)
{
    *f = (struct front){.hart = &guest->hart,
                        .guest = guest,
                        .cfg = cfg,
                        .bpred = bpred,
                        .stats = stats,
                        .interrupt = interrupt,
                        .alarm_line = interrupt_connect(interrupt, handler, core),
                        .next_seq = 1,
                        .wrong = UINT64_MAX};
    front_take_over(f, 0, 0);
    fetch_port_redirect(&f->port, 0);
}

void front_touch(struct front *f, uint64_t pc, const struct rv_outcome *o)
{
    enum rv_trap trap;
    struct hart *h = f->hart;
    if (o->trap == RV_TRAP_NONE)
        memory_touch(&h->mem, o->ea, o->mem_bytes);
    else
        memory_touch(&h->mem, pc, rv_fetch(h, pc, &trap)->length_bytes);
}

void front_defer(struct front *f, const struct rv_insn **in, uint64_t pc, enum rv_trap trap, struct rv_outcome *o)
{
    *o = (struct rv_outcome){.next_pc = pc, .trap = (uint8_t)trap};
    if (trap != RV_TRAP_NONE)
        return;
    f->deferred = **in;
    *in = &f->deferred;
}

enum front_execution front_execute_deferred(struct front *f, const struct rv_insn *in, struct rv_outcome *o,
                                            uint64_t now, uint64_t retired)
{
    front_update_counters(f, now, retired);
    rv_exec(f->hart, in, o);
    if (o->trap == RV_TRAP_NONE)
        return FRONT_EXECUTED;
    return o->trap == RV_TRAP_ECALL ? FRONT_SYSTEM_CALL : FRONT_TRAPPED;
}

void front_redirect(struct front *f, uint64_t pc, struct bpred_history history, uint64_t now)
{
    f->hart->pc = pc;
    f->history = history;
    fetch_port_redirect(&f->port, now + f->cfg->redirect_cycles);
    f->waits = f->ahead = false;
}

void front_occupy(struct front *f, uint64_t from, uint64_t cycles)
{
    interrupt_occupy(f->interrupt, from, cycles);
    f->port.resume = f->interrupt->until - 1 + f->cfg->redirect_cycles;
    f->port.wait = FETCH_WAIT_HANDLER;
}

/* Sets the line of the guest's alarm to g->alarm_cycle. */
static void set_alarm(struct front *f)
{
    uint64_t at = f->guest->alarm_cycle, cycle = at > f->cycle_base ? at - f->cycle_base : 0;
    interrupt_set(f->interrupt, f->alarm_line, at == UINT64_MAX ? at : cycle);
}

void front_take_over(struct front *f, uint64_t now, uint64_t retired)
{
    f->cycle_base = f->hart->cycle - now;
    f->instret_base = f->hart->instret - retired;
    set_alarm(f);
}

bool front_system_call(struct front *f, uint64_t now, uint64_t retired)
{
    front_update_counters(f, now, retired);
    guest_syscall(f->guest);
    set_alarm(f);
    return f->guest->exited;
}

bool front_program_fault(struct front *f, enum rv_trap trap, uint64_t now, uint64_t retired)
{
    front_update_counters(f, now, retired);
    guest_fault(f->guest, trap);
    set_alarm(f);
    return f->guest->exited;
}

bool front_alarm(struct front *f, uint64_t now, uint64_t retired)
{
    front_update_counters(f, now, retired);
    guest_alarm(f->guest);
    set_alarm(f);
    return f->guest->exited;
}
