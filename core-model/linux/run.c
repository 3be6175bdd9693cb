/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functional core, and the faults of instructions. Entry points: guest_run, guest_fault. */
#include <inttypes.h>
#include <stdio.h>

#include "core-model/linux/signals.h"
#include "core-model/linux/tracing.h"
#include "core-model/riscv/unmodelled.h"

enum { LOOK_INTERVAL = 1 << 23 /* interval between polls for external signals, in instructions */ };

static int fault_signal(enum rv_trap trap)
{
    switch (trap) {
    case RV_TRAP_ILLEGAL:
        return LINUX_SIGILL;
    case RV_TRAP_BREAKPOINT:
        return LINUX_SIGTRAP;
    case RV_TRAP_MISALIGNED:
    case RV_TRAP_BUS:
    case RV_TRAP_FETCH_BUS:
        return LINUX_SIGBUS;
    default:
        return LINUX_SIGSEGV;
    }
}

static bool has_address(enum rv_trap trap)
{
    return trap == RV_TRAP_LOAD || trap == RV_TRAP_STORE || trap == RV_TRAP_MISALIGNED || trap == RV_TRAP_BUS;
}

/* Kind of the instruction's access to the address. */
static const char *access_words(enum rv_trap trap)
{
    switch (trap) {
    case RV_TRAP_LOAD:
        return "load from";
    case RV_TRAP_STORE:
        return "store to";
    case RV_TRAP_BUS:
        return "access behind the end of a mapped file, to";
    default:
        return "misaligned atomic access to";
    }
}

/* Names the extension of an illegal instruction; without a known one, nothing. */
static void append_extension(char *text, size_t size_bytes, uint32_t word)
{
    const char *extension = rv_unmodelled(word);
    const size_t n = strlen(text);
    if (extension != NULL)
        snprintf(text + n, size_bytes - n, ", of %s, which is not modelled", extension);
}

/* Formats the fault in one line. */
static void describe_fault(const struct guest *g, enum rv_trap trap, char *buf, size_t size_bytes)
{
    const struct hart *h = &g->hart;
    const char *signal = linux_signal_name(fault_signal(trap));
    char text[160] = "not mapped as code";
    if (trap == RV_TRAP_FETCH_BUS)
        strcpy(text, "behind the end of a mapped file");
    uint32_t word = 0;
    struct rv_insn in;
    bool whole = memory_allows(&h->mem, h->pc, 4, MEM_MAPPED);
    if ((whole || memory_allows(&h->mem, h->pc, 2, MEM_MAPPED)) && memory_read(&h->mem, h->pc, &word, whole ? 4 : 2)) {
        if (rv_decode(word, &in))
            rv_print_flat(text, sizeof text, &in, h->pc);
        else
            snprintf(text, sizeof text, ".word 0x%08" PRIx32, word);
        if (trap == RV_TRAP_ILLEGAL)
            append_extension(text, sizeof text, word);
    }
    if (has_address(trap))
        snprintf(buf, size_bytes, "%s at pc 0x%" PRIx64 ": %s 0x%" PRIx64 " (%s)", signal, h->pc, access_words(trap),
                 h->fault_addr, text);
    else
        snprintf(buf, size_bytes, "%s at pc 0x%" PRIx64 " (%s)", signal, h->pc, text);
}

/* The address that siginfo tells: of an access that extends into the next page and only fails there, that page's. */
static uint64_t fault_address(const struct guest *g, enum rv_trap trap)
{
    uint64_t addr = has_address(trap) ? g->hart.fault_addr : g->hart.pc, page = MEM_PAGE_BYTES;
    uint16_t low;
    if (trap == RV_TRAP_FETCH_BUS && memory_read(&g->hart.mem, addr, &low, sizeof low))
        return addr + sizeof low; /* the instruction's second half is missing */
    unsigned need = trap == RV_TRAP_LOAD ? MEM_R : trap == RV_TRAP_STORE ? MEM_W : MEM_X;
    bool in_second = fault_signal(trap) == LINUX_SIGSEGV && memory_allows(&g->hart.mem, addr, 1, need);
    return in_second ? (addr + page) & ~(page - 1) : addr;
}

/* siginfo's code: SEGV_MAPERR or SEGV_ACCERR, ILL_ILLOPC, TRAP_BRKPT, BUS_ADRALN or BUS_ADRERR. */
static int fault_code(const struct guest *g, enum rv_trap trap, uint64_t addr)
{
    enum { FIRST = 1, SEGV_ACCERR = 2, BUS_ADRERR = 2 };
    if (trap == RV_TRAP_BUS || trap == RV_TRAP_FETCH_BUS)
        return BUS_ADRERR;
    return fault_signal(trap) == LINUX_SIGSEGV && memory_allows(&g->hart.mem, addr, 1, MEM_MAPPED) ? SEGV_ACCERR
                                                                                                   : FIRST;
}

void guest_fault(struct guest *g, enum rv_trap trap)
{
    uint64_t addr = fault_address(g, trap);
    if (linux_withholds(g, GUEST_STOP_FAULT, fault_signal(trap)))
        return;
    describe_fault(g, trap, g->process->fault, sizeof g->process->fault);
    linux_fault(g, fault_signal(trap), fault_code(g, trap, addr), addr);
    if (!g->process->exited)
        g->process->fault[0] = '\0'; /* a handler of the guest handles it */
}

static enum rv_trap leave_or_fault(struct guest *g, enum rv_trap trap)
{
    if (trap == RV_TRAP_LIMIT || trap == RV_TRAP_STOP)
        return trap;
    guest_fault(g, trap);
    return RV_TRAP_NONE;
}

enum rv_trap guest_run(struct guest *g, uint64_t max_insts) { return guest_run_to(g, max_insts, UINT64_MAX); }

enum rv_trap guest_run_to(struct guest *g, uint64_t max_insts, uint64_t stop_pc)
{
    struct hart *h = &g->hart;
    rv_stop_at(h, stop_pc);
    uint64_t end = max_insts > UINT64_MAX - h->instret ? UINT64_MAX : h->instret + max_insts;
    while (!g->process->exited) {
        if (h->pc == stop_pc)
            return RV_TRAP_LIMIT;
        uint64_t budget = end - h->instret, until_alarm = g->alarm_cycle > h->cycle ? g->alarm_cycle - h->cycle : 0;
        bool looks = budget > LOOK_INTERVAL && linux_signals_caught(g);
        uint64_t slice = looks ? LOOK_INTERVAL : budget;
        enum rv_trap trap = RV_TRAP_LIMIT;
        if (until_alarm > 0)
            trap = rv_run(h, slice < until_alarm ? slice : until_alarm);
        if (trap == RV_TRAP_ECALL) {
            guest_syscall(g);
            h->instret++;
            h->cycle++;
        } else if (trap == RV_TRAP_LIMIT && (h->cycle >= g->alarm_cycle || looks)) {
            guest_alarm(g);
        } else {
            trap = leave_or_fault(g, trap);
            if (trap != RV_TRAP_NONE)
                return trap;
        }
    }
    return RV_TRAP_NONE;
}
