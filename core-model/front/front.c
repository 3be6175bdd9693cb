/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/front/front.h"

#include "core-model/probe/probe_port.h"

const struct rv_insn front_fault = {.op = RV_ADDI, .opclass = OPCLASS_INT, .unit = RV_UNIT_ALU, .length_bytes = 4};

void front_init(struct front *f, struct guest *guest, const struct core_config *cfg, struct bpred *bpred,
                struct core_stats *stats, struct interrupt *interrupt, struct probe_port *probes, core_handler *handler,
                void *core)
{
    *f = (struct front){.hart = &guest->hart,
                        .guest = guest,
                        .cfg = cfg,
                        .bpred = bpred,
                        .stats = stats,
                        .outside = stats,
                        .interrupt = interrupt,
                        .probes = probes,
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

/* Returns whether the data of an atomic are in an absent page, whose address it sets. An atomic that has executed must
 * not fault: another hart may have seen its store. */
static bool is_absent(const struct front *f, const struct rv_insn *in, struct rv_outcome *o)
{
    if (f->cfg->page_fault_cycles == 0 || in->opclass != OPCLASS_ATOMIC)
        return false;
    o->ea = f->hart->reg[in->src[0]];
    o->mem_bytes = 1;
    return memory_allows(&f->hart->mem, o->ea, o->mem_bytes, MEM_R) &&
           !memory_touched(&f->hart->mem, o->ea, o->mem_bytes);
}

enum front_execution front_execute_deferred(struct front *f, const struct rv_insn *in, struct rv_outcome *o,
                                            uint64_t now, uint64_t retired)
{
    front_update_counters(f, now, retired);
    if (is_absent(f, in, o))
        return FRONT_ABSENT;
    rv_exec(f->hart, in, o);
    if (o->wrote_mem && f->performed != NULL)
        f->performed(f->performed_ctx, f->hart, o->ea, o->mem_bytes);
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

void front_perform(struct front *f)
{
    unsigned size_bytes;
    uint64_t addr = stores_perform(f->hart->stores, &f->hart->mem, &size_bytes);
    f->performed(f->performed_ctx, f->hart, addr, size_bytes);
}

/* Sets the line of the guest's alarm to g->alarm_cycle. */
static void set_alarm(struct front *f)
{
    uint64_t at = f->alarm_cycle = f->guest->alarm_cycle, cycle = at > f->cycle_base ? at - f->cycle_base : 0;
    interrupt_set(f->interrupt, f->alarm_line, at == UINT64_MAX ? at : cycle);
}

unsigned front_follow_right(struct front *f, const struct rv_insn *in, uint64_t pc, const struct rv_outcome *o,
                            struct bpred_info *predict, uint64_t position, uint64_t now)
{
    const struct bpred_history before = f->history;
    bool ras;
    (void)position;
    (void)steer_predict(f->bpred, in, pc, o, &f->history, predict, &ras);
    f->history = front_history_after(f, in, o, before);
    if (o->next_pc == pc + in->length_bytes)
        return ras ? FRONT_RAS : 0;
    front_end_packet(f, false, now);
    return FRONT_ENDS | (ras ? FRONT_RAS : 0);
}

static void notify_kernel(struct front *f, uint64_t retired)
{
    const struct probe_kernel k = {.thread = f->seen.number,
                                   .handlers = f->seen.handlers,
                                   .interrupted_pc = f->seen.interrupted_pc,
                                   .pc = f->hart->pc,
                                   .sp = f->hart->reg[RV_REG_SP],
                                   .return_address = f->hart->reg[1],
                                   .seq = f->next_seq - 1,
                                   .retired = retired};
    probe_port_notify_kernel(f->probes, &k);
}

void front_begin_thread(struct front *f, uint64_t retired)
{
    f->seen = guest_has_linux(f->guest) ? guest_running_thread(f->guest) : (struct guest_thread){0};
    notify_kernel(f, retired);
}

static void follow_thread(struct front *f, uint64_t now, uint64_t retired)
{
    bool halts = guest_has_linux(f->guest) && guest_is_idle(f->guest);
    if (halts && !f->halted)
        f->halted_at = now;
    else if (!halts && f->halted)
        f->stats->idle += now - f->halted_at;
    f->halted = halts;
    const struct guest_thread thread = guest_has_linux(f->guest) ? guest_running_thread(f->guest) : f->seen;
    if (thread.number == f->seen.number && thread.handlers == f->seen.handlers)
        return;
    f->seen = thread;
    notify_kernel(f, retired);
}

void front_follow_kernel(struct front *f, uint64_t now, uint64_t retired)
{
    follow_thread(f, now, retired);
    if (f->alarm_cycle != f->guest->alarm_cycle)
        set_alarm(f);
}

void front_count_idle(const struct front *f, struct core_stats *s, uint64_t now)
{
    s->idle += f->halted ? now - f->halted_at : 0;
}

/* After the kernel has acted. Returns whether the guest has exited. */
static bool leave_kernel(struct front *f, uint64_t now, uint64_t retired)
{
    follow_thread(f, now, retired);
    set_alarm(f);
    return f->guest->process->exited;
}

void front_take_over(struct front *f, uint64_t now, uint64_t retired)
{
    f->halted = guest_has_linux(f->guest) && guest_is_idle(f->guest);
    f->halted_at = now;
    f->cycle_base = f->hart->cycle - now;
    f->instret_base = f->hart->instret - retired;
    set_alarm(f);
}

bool front_system_call(struct front *f, uint64_t now, uint64_t retired)
{
    front_update_counters(f, now, retired);
    rv_free_code(f->hart);
    guest_syscall(f->guest);
    return leave_kernel(f, now, retired);
}

bool front_program_fault(struct front *f, enum rv_trap trap, uint64_t now, uint64_t retired)
{
    front_update_counters(f, now, retired);
    guest_fault(f->guest, trap);
    return leave_kernel(f, now, retired);
}

bool front_alarm(struct front *f, uint64_t now, uint64_t retired)
{
    front_update_counters(f, now, retired);
    guest_alarm(f->guest);
    return leave_kernel(f, now, retired);
}
