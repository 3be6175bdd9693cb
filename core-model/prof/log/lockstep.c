/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lock-step check, described in lockstep.h. Entry point: lockstep_new. */
#include "core-model/prof/log/lockstep.h"

#include <stdlib.h>

#include "contract/opclass.h"

enum {
    IN_FLIGHT = 2048,
    REGISTERS = 64
}; /* IN_FLIGHT: exceeds the number of stores in flight in any core; a power of two */

/* Undo information of a store that has executed but not retired. */
struct undone {
    uint64_t seq, ea, old_mem;
    uint8_t bytes;
};

struct lockstep {
    struct observer base;
    const struct core *core;
    const struct guest *guest;
    struct hart shadow;
    uint64_t compared, start_cycle, start_instret;
    uint64_t first_serial; /* of decoded pages: the last one before the check began */
    bool faulted;          /* an exception squashed instructions in this cycle */
    bool interrupted;
    uint64_t interruptions; /* of the guest, when the shadow had its registers */
    uint64_t head, tail;
    struct undone store[IN_FLIGHT];
    uint64_t *page; /* numbers of the shadow's pages */
    size_t pages, capacity;
};

static void lockstep_copy_state(struct hart *to, const struct hart *from)
{
    memcpy(to->reg, from->reg, REGISTERS * sizeof *to->reg);
    to->pc = from->pc;
    to->fcsr = from->fcsr;
    to->reservation = from->reservation;
    to->reserved_value = from->reserved_value;
    to->time_per_1000_cycles = from->time_per_1000_cycles;
    to->slept_cycles = from->slept_cycles;
}

uint64_t lockstep_compared(const struct lockstep *k) { return k->compared; }

/* Undoes the stores in flight in the shadow's new copy of a page, youngest first. */
static void rewind_page(struct lockstep *k, uint64_t number)
{
    for (uint64_t p = k->tail; p-- > k->head;) {
        const struct undone *u = &k->store[p % IN_FLIGHT];
        for (unsigned b = 0; b < u->bytes; b++)
            if ((u->ea + b) >> MEM_PAGE_BITS == number)
                *memory_at(&k->shadow.mem, u->ea + b) = (uint8_t)(u->old_mem >> 8 * b);
    }
}

static void lockstep_forget_page(struct lockstep *k, uint64_t number)
{
    if (!memory_unmap(&k->shadow.mem, number << MEM_PAGE_BITS, MEM_PAGE_BYTES))
        memory_set_page(&k->shadow.mem, number, 0); /* the host has no room to remove it */
}

/* Copies the page of addr to the shadow, if the guest has it. */
static void take_page(struct lockstep *k, uint64_t addr)
{
    uint64_t number = addr >> MEM_PAGE_BITS, start = number << MEM_PAGE_BITS;
    const struct memory *m = &k->guest->hart.mem;
    if (addr >> MEM_ADDRESS_BITS != 0 || k->shadow.mem.perm[number] != 0 || m->perm[number] == 0)
        return;
    if (memory_map(&k->shadow.mem, start, MEM_PAGE_BYTES, MEM_R | MEM_W) != ST_OK)
        BUG("cannot map a page of the check's memory");
    if (!memory_read(m, start, memory_at(&k->shadow.mem, start), MEM_PAGE_BYTES)) {
        lockstep_forget_page(k, number); /* behind the end of its file: both fault */
        return;
    }
    rewind_page(k, number);
    memory_set_page(&k->shadow.mem, number, m->perm[number] & ~(unsigned)MEM_TOUCHED);
    if (k->pages == k->capacity) {
        k->capacity = k->capacity != 0 ? 2 * k->capacity : 64;
        k->page = xrealloc(k->page, k->capacity * sizeof *k->page);
    }
    k->page[k->pages++] = number;
}

static void take_range(struct lockstep *k, uint64_t addr, unsigned bytes)
{
    take_page(k, addr);
    take_page(k, addr + bytes - 1);
}

/* ---- pages that others may write: processes, or the guest itself through another mapping of the file ---- */

static bool lockstep_is_shared(const struct lockstep *k, uint64_t number)
{
    return (k->guest->hart.mem.perm[number] & (MEM_SHARED | MEM_NOWRITE)) != 0;
}

/* Puts what the core has read from a shared page into the shadow's, before the shadow reads there. A store-conditional
 * that has failed may have found another value. */
static void take_value(struct lockstep *k, const struct probe_insn *in)
{
    const struct rv_outcome *o = in->outcome;
    const bool loads = (in->insn->flags & RV_LOAD) != 0;
    if (o->mem_bytes == 0 || !(loads || in->insn->opclass == OPCLASS_ATOMIC))
        return;
    const uint64_t failed = ~k->shadow.reserved_value, value = o->wrote_mem ? o->old_mem : loads ? o->value : failed;
    take_range(k, o->ea, o->mem_bytes);
    for (unsigned b = 0; b < o->mem_bytes; b++) {
        const uint64_t number = (o->ea + b) >> MEM_PAGE_BITS;
        if (k->shadow.mem.perm[number] != 0 && lockstep_is_shared(k, number))
            *memory_at(&k->shadow.mem, o->ea + b) = (uint8_t)(value >> 8 * b);
    }
}

static _Noreturn void lockstep_differ(const struct lockstep *k, const struct probe_insn *in, const char *what,
                                      uint64_t core, uint64_t check)
{
    char text[96];
    rv_print_flat(text, sizeof text, in->insn, in->pc);
    BUG("instruction %llu at pc 0x%llx (%s): the core's %s is 0x%llx, the check's 0x%llx",
        (unsigned long long)k->compared, (unsigned long long)in->pc, text, what, (unsigned long long)core,
        (unsigned long long)check);
}

#define COMPARE(what, core_value, check_value) \
    ((core_value) == (check_value) ? (void)0   \
                                   : lockstep_differ(k, in, what, (uint64_t)(core_value), (uint64_t)(check_value)))

/* ---- code: decoded when the core fetches it, and discarded when the core discards it, or must discard it ---- */

/* The halfword at addr when the instruction was fetched, before it wrote to memory itself. */
static uint32_t half_at_fetch(const struct lockstep *k, const struct probe_insn *in, uint64_t addr)
{
    const struct rv_outcome *o = in->outcome;
    uint8_t half[2] = {0};
    if (!memory_allows(&k->guest->hart.mem, addr, sizeof half, MEM_X) ||
        !memory_read(&k->guest->hart.mem, addr, half, sizeof half))
        return 0; /* no instruction */
    for (unsigned b = 0; b < sizeof half; b++)
        if (o->wrote_mem == RV_WRITE_DONE && addr + b - o->ea < o->mem_bytes)
            half[b] = (uint8_t)(o->old_mem >> 8 * (addr + b - o->ea));
    return half[0] | (uint32_t)half[1] << 8;
}

static uint32_t word_at_fetch(const struct lockstep *k, const struct probe_insn *in)
{
    const uint32_t low = half_at_fetch(k, in, in->pc);
    return (low & 3) == 3 ? low | half_at_fetch(k, in, in->pc + 2) << 16 : low;
}

/* Whether other processes may change the instruction at any time. */
static bool is_shared_code(const struct lockstep *k, uint64_t pc)
{
    const uint64_t last = pc + 2;
    return ((pc | last) >> MEM_ADDRESS_BITS) == 0 &&
           (lockstep_is_shared(k, pc >> MEM_PAGE_BITS) || lockstep_is_shared(k, last >> MEM_PAGE_BITS));
}

/* The core has fetched an instruction, which it may have decoded at an earlier fetch. What it decoded before the check
 * began, or from shared memory, is taken from it. */
static void follow_fetch(struct lockstep *k, const struct probe_insn *in)
{
    struct hart *s = &k->shadow;
    const uint64_t serial = rv_code_serial(&k->guest->hart, in->pc);
    if (in->insn->word == 0) /* its fetch has raised a trap */
        return;
    rv_follow_code(s, in->pc, serial);
    const struct rv_insn *mine = rv_decoded(s, in->pc);
    const bool is_taken = serial <= k->first_serial || is_shared_code(k, in->pc);
    if (mine == NULL)
        mine = rv_enter_code(s, in->pc, is_taken ? in->insn->word : word_at_fetch(k, in));
    COMPARE("fetched word", in->insn->word, mine != NULL ? mine->word : 0);
}

enum page_match { PAGE_EQUAL, PAGE_DIFFERS, PAGE_MISSING /* in the guest, behind the end of its file */ };

static enum page_match compare_page(const struct lockstep *k, uint64_t number)
{
    uint8_t contents[MEM_PAGE_BYTES];
    uint64_t start = number << MEM_PAGE_BITS;
    const struct memory *m = &k->guest->hart.mem;
    const uint8_t *of_guest = memory_at(m, start);
    if (!memory_is_plain(m, start, MEM_PAGE_BYTES)) {
        if (!memory_read(m, start, contents, sizeof contents))
            return PAGE_MISSING;
        of_guest = contents;
    }
    return memcmp(of_guest, memory_at(&k->shadow.mem, start), MEM_PAGE_BYTES) == 0 ? PAGE_EQUAL : PAGE_DIFFERS;
}

/* Compares all state. With no instruction in flight, the guest's state is the retired state. */
static void compare_all(const struct lockstep *k)
{
    const struct hart *g = &k->guest->hart, *s = &k->shadow;
    for (int r = 0; r < REGISTERS; r++)
        if (g->reg[r] != s->reg[r])
            BUG("register %d: the core has 0x%llx, the check 0x%llx", r, (unsigned long long)g->reg[r],
                (unsigned long long)s->reg[r]);
    if (g->fcsr != s->fcsr || g->pc != s->pc || g->reservation != s->reservation)
        BUG("pc, fcsr or reservation: the core's differ from the check's");
    for (size_t n = 0; n < k->pages; n++)
        if (!lockstep_is_shared(k, k->page[n]) && compare_page(k, k->page[n]) == PAGE_DIFFERS)
            BUG("page 0x%llx: the core's memory differs from the check's",
                (unsigned long long)(k->page[n] << MEM_PAGE_BITS));
}

/* Makes the shadow's page equal to the guest's again; returns false if the page must be dropped. No instruction is in
 * flight. */
static bool follow_page(struct lockstep *k, uint64_t number)
{
    const struct memory *m = &k->guest->hart.mem;
    struct memory *s = &k->shadow.mem;
    uint64_t start = number << MEM_PAGE_BITS;
    if ((m->perm[number] & ~MEM_TOUCHED) != s->perm[number])
        return false;
    enum page_match match = compare_page(k, number);
    if (match == PAGE_DIFFERS)
        return memory_read(m, start, memory_at(s, start), MEM_PAGE_BYTES);
    return match == PAGE_EQUAL;
}

/* Copies pages that differ from the guest's, and drops those that the guest has no more. */
static void follow_pages(struct lockstep *k)
{
    size_t kept = 0;
    for (size_t n = 0; n < k->pages; n++) {
        const uint64_t number = k->page[n];
        if (follow_page(k, number))
            k->page[kept++] = number;
        else
            lockstep_forget_page(k, number);
    }
    k->pages = kept;
}

/* After a system call the registers and any page may have changed. */
static void follow_system(struct lockstep *k)
{
    lockstep_copy_state(&k->shadow, &k->guest->hart);
    follow_pages(k);
}

/* The entry `number`, by which the list has just grown at one end. */
static struct undone *room_for_store(struct lockstep *k, uint64_t number)
{
    if (k->tail - k->head > IN_FLIGHT)
        BUG("more than %d stores in flight", IN_FLIGHT);
    return &k->store[number % IN_FLIGHT];
}

static void lockstep_fetched(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct lockstep *k = ctx;
    const struct rv_outcome *o = in->outcome;
    (void)cycle;
    follow_fetch(k, in);
    if (!o->wrote_mem)
        return;
    *room_for_store(k, k->tail++) = (struct undone){in->seq, o->ea, o->old_mem, o->mem_bytes};
}

static void lockstep_squashed(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct lockstep *k = ctx;
    (void)cycle;
    if (k->tail != k->head && k->store[(k->tail - 1) % IN_FLIGHT].seq == in->seq)
        k->tail--;
    /* The instruction that caused the squash comes last. The first access to a page is not a fault of the program. */
    if (in->cause == PROBE_CAUSE_EXCEPTION)
        k->faulted = !(in->events & PROBE_PAGE_FAULT);
    else if (in->cause == PROBE_CAUSE_INTERRUPT)
        k->interrupted = true;
}

/* Before a system call, which is alone in the pipeline. */
static void lockstep_ready_to_retire(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    (void)cycle;
    if (in->insn->flags & RV_ECALL)
        compare_all(ctx);
}

/* The shadow executes one instruction. */
static enum rv_trap lockstep_step(struct lockstep *k, struct rv_outcome *out, const struct rv_insn **insn)
{
    struct hart *s = &k->shadow;
    enum rv_trap trap = RV_TRAP_NONE;
    take_range(k, s->pc, 4);
    const struct rv_insn *in = *insn = rv_fetch(s, s->pc, &trap);
    if (in == NULL)
        return trap;
    if (in->flags & (RV_LOAD | RV_STORE))
        take_range(k, s->reg[in->src[0]] + (in->opclass == OPCLASS_ATOMIC ? 0 : (uint64_t)(int64_t)in->imm), 8);
    rv_exec(s, in, out);
    return (enum rv_trap)out->trap;
}

static void compare_outcome(const struct lockstep *k, const struct probe_insn *in, const struct rv_outcome *mine)
{
    const struct rv_outcome *o = in->outcome;
    COMPARE("next pc", o->next_pc, mine->next_pc);
    COMPARE("operand 1", o->operand[0], mine->operand[0]);
    COMPARE("operand 2", o->operand[1], mine->operand[1]);
    COMPARE("value", o->value, mine->value);
    COMPARE("access size", o->mem_bytes, mine->mem_bytes);
    if (o->mem_bytes != 0)
        COMPARE("effective address", o->ea, mine->ea);
    COMPARE("write", o->wrote_mem, mine->wrote_mem);
    COMPARE("direction", o->taken, mine->taken);
}

/* An instruction that is deferred writes behind its fetch, and is the oldest when it does. */
static void note_deferred_store(struct lockstep *k, const struct probe_insn *in)
{
    const struct rv_outcome *o = in->outcome;
    if (!o->wrote_mem || (k->head != k->tail && k->store[k->head % IN_FLIGHT].seq == in->seq))
        return;
    *room_for_store(k, --k->head) = (struct undone){in->seq, o->ea, o->old_mem, o->mem_bytes};
}

static void lockstep_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct lockstep *k = ctx;
    struct rv_outcome mine;
    const struct rv_insn *insn;
    (void)cycle;
    note_deferred_store(k, in);
    COMPARE("pc", in->pc, k->shadow.pc);
    /* Instructions that read counters execute alone, when their operands are ready. */
    k->shadow.cycle = k->start_cycle + in->stage_cycle[PROBE_DATA_READY];
    k->shadow.instret = k->start_instret + k->compared;
    take_value(k, in);
    enum rv_trap trap = lockstep_step(k, &mine, &insn);
    if (insn == NULL)
        BUG("pc 0x%llx: the core retires what the check cannot fetch", (unsigned long long)in->pc);
    COMPARE("word", in->insn->word, insn->word);
    if (insn->flags & RV_ECALL) {
        COMPARE("trap", RV_TRAP_ECALL, trap);
        if (guest_flushes_code(&k->shadow))
            rv_discard_code(&k->shadow, 0, UINT64_MAX);
        follow_system(k);
    } else {
        COMPARE("trap", RV_TRAP_NONE, trap);
        compare_outcome(k, in, &mine);
    }
    if (k->head != k->tail && k->store[k->head % IN_FLIGHT].seq == in->seq)
        k->head++;
    k->compared++;
}

/* End of a cycle. After an exception the pipeline is empty: a program fault, or a load that will be refetched. */
static void lockstep_token(void *ctx, const struct probe_token *t)
{
    struct lockstep *k = ctx;
    core_check(k->core);
    if (k->faulted) {
        struct rv_outcome mine;
        const struct rv_insn *insn;
        if (!t->exception || t->exception_pc != k->shadow.pc)
            BUG("an exception at pc 0x%llx, where the check is at 0x%llx", (unsigned long long)t->exception_pc,
                (unsigned long long)k->shadow.pc);
        follow_pages(k); /* another process may have cut a file */
        rv_follow_code(&k->shadow, k->shadow.pc, rv_code_serial(&k->guest->hart, k->shadow.pc));
        enum rv_trap trap = lockstep_step(k, &mine, &insn);
        if ((trap == RV_TRAP_NONE || trap == RV_TRAP_ECALL) && !is_shared_code(k, t->exception_pc))
            BUG("pc 0x%llx: the core has a fault, the check has none", (unsigned long long)t->exception_pc);
        follow_system(k);
        k->faulted = false;
    } else if (k->guest->interruptions != k->interruptions) {
        follow_system(k); /* the registers may be those of another thread or of a signal handler */
    } else if (t->exception || k->interrupted) {
        compare_all(k);
    }
    k->interrupted = false;
    k->interruptions = k->guest->interruptions;
}

static void lockstep_release(struct observer *o)
{
    struct lockstep *k = (struct lockstep *)o;
    hart_fini(&k->shadow);
    free(k->page);
    free(k);
}

const struct observer_kind observer_lockstep = {
    .name = "lockstep",
    .help = "each retired instruction against a second execution, and the core's invariants in each cycle",
    .release = lockstep_release,
};

struct observer *lockstep_observer(struct lockstep *k) { return &k->base; }

static void lockstep_subscribe(struct lockstep *k)
{
    struct probe_listener *o = &k->base.probe;
    *o = (struct probe_listener){.ctx = k, .values = true, .token = lockstep_token, .cycles = 1u << PROBE_DATA_READY};
    o->stage[PROBE_FETCHED] = lockstep_fetched;
    o->stage[PROBE_SQUASHED] = lockstep_squashed;
    o->stage[PROBE_READY_TO_RETIRE] = lockstep_ready_to_retire;
    o->stage[PROBE_RETIRED] = lockstep_retired;
}

struct lockstep *lockstep_new(const struct core *core, const struct guest *guest)
{
    struct lockstep *k = xcalloc(1, sizeof *k);
    struct errmsg err;
    k->base.kind = &observer_lockstep;
    k->head = k->tail = 1; /* there is room for one before the first */
    k->core = core;
    k->guest = guest;
    if (hart_init(&k->shadow, &err) != ST_OK)
        BUG("%s", err.text);
    lockstep_copy_state(&k->shadow, &guest->hart);
    k->start_cycle = guest->hart.cycle - core_clock(core);
    k->start_instret = guest->hart.instret;
    k->interruptions = guest->interruptions;
    k->first_serial = rv_last_code_serial(&guest->hart);
    lockstep_subscribe(k);
    return k;
}
