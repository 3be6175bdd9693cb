/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small guests for the pipeline's tests: an assembler of C functions, an ELF file around its words, and an observer that keeps
 * the stage cycles of every instruction and checks the core's invariants and the stream's own rules as it goes. */
#ifndef TESTS_UNIT_TEST_PIPE_GUEST_H
#define TESTS_UNIT_TEST_PIPE_GUEST_H

#include "core-model/core.h"
#include "tests/plain_memory.h"

#include <check.h> /* after ours: it has a macro `fail` */
#include <elf.h>
#include <stdlib.h>
#include <unistd.h>

enum { CODE_START = 0x10000, DATA_START = 0x100000, DATA_BYTES = 0x100000, PROGRAM_MAX = 8192 };
enum { ZERO, RA, SP, GP, TP, T0, T1, T2, S0, S1, A0, A1, A2, A3, A4, A5, A6, A7, S2, S3, S4, T3 = 28, T4, T5, T6 };

struct program {
    uint32_t word[PROGRAM_MAX];
    uint32_t count;
};

static inline void emit(struct program *p, uint32_t w)
{
    if (p->count == PROGRAM_MAX)
        ck_abort_msg("program too long");
    p->word[p->count++] = w;
}
static inline void emit_i(struct program *p, uint32_t op, uint32_t f3, int rd, int rs1, int imm)
{
    emit(p, op | (uint32_t)rd << 7 | f3 << 12 | (uint32_t)rs1 << 15 | (uint32_t)imm << 20);
}
static inline void emit_r(struct program *p, uint32_t f7, uint32_t f3, int rd, int rs1, int rs2)
{
    emit(p, 0x33 | (uint32_t)rd << 7 | f3 << 12 | (uint32_t)rs1 << 15 | (uint32_t)rs2 << 20 | f7 << 25);
}
static inline void addi(struct program *p, int rd, int rs1, int imm) { emit_i(p, 0x13, 0, rd, rs1, imm); }
static inline void andi(struct program *p, int rd, int rs1, int imm) { emit_i(p, 0x13, 7, rd, rs1, imm); }
static inline void srli(struct program *p, int rd, int rs1, int n) { emit_i(p, 0x13, 5, rd, rs1, n); }
static inline void slli(struct program *p, int rd, int rs1, int n) { emit_i(p, 0x13, 1, rd, rs1, n); }
static inline void add(struct program *p, int rd, int a, int b) { emit_r(p, 0, 0, rd, a, b); }
static inline void sub(struct program *p, int rd, int a, int b) { emit_r(p, 32, 0, rd, a, b); }
static inline void xor_(struct program *p, int rd, int a, int b) { emit_r(p, 0, 4, rd, a, b); }
static inline void mul(struct program *p, int rd, int a, int b) { emit_r(p, 1, 0, rd, a, b); }
static inline void div_(struct program *p, int rd, int a, int b) { emit_r(p, 1, 4, rd, a, b); }
static inline void ld(struct program *p, int rd, int base, int imm) { emit_i(p, 0x03, 3, rd, base, imm); }
static inline void lbu(struct program *p, int rd, int base, int imm) { emit_i(p, 0x03, 4, rd, base, imm); }
static inline void store(struct program *p, uint32_t f3, int src, int base, int imm)
{
    emit(p, 0x23 | ((uint32_t)imm & 31) << 7 | f3 << 12 | (uint32_t)base << 15 | (uint32_t)src << 20 | (uint32_t)imm >> 5 << 25);
}
static inline void sd(struct program *p, int src, int base, int imm) { store(p, 3, src, base, imm); }
static inline void sb(struct program *p, int src, int base, int imm) { store(p, 0, src, base, imm); }
static inline void lui(struct program *p, int rd, uint32_t value) { emit(p, 0x37 | (uint32_t)rd << 7 | (value & 0xfffff000)); }
static inline void jalr(struct program *p, int rd, int rs1) { emit_i(p, 0x67, 0, rd, rs1, 0); }
static inline void rdcycle(struct program *p, int rd) { emit_i(p, 0x73, 2, rd, ZERO, 0xc00); }
static inline void amoadd(struct program *p, int rd, int src, int base)
{
    emit(p, 0x302f | (uint32_t)rd << 7 | (uint32_t)base << 15 | (uint32_t)src << 20);
}
static inline void fsflags(struct program *p, int rs1) { emit_i(p, 0x73, 1, ZERO, rs1, 1); }

/* Branches and jumps to word `target` (an index); f3: 0 beq, 1 bne, 4 blt, 5 bge. */
static inline uint32_t branch_word(uint32_t f3, int a, int b, int32_t offset)
{
    uint32_t o = (uint32_t)offset;
    return 0x63 | (o >> 11 & 1) << 7 | (o >> 1 & 15) << 8 | f3 << 12 | (uint32_t)a << 15 | (uint32_t)b << 20 | (o >> 5 & 63) << 25 |
           (o >> 12 & 1) << 31;
}
static inline void branch(struct program *p, uint32_t f3, int a, int b, uint32_t target)
{
    emit(p, branch_word(f3, a, b, ((int32_t)target - (int32_t)p->count) * 4));
}
static inline void jal(struct program *p, int rd, uint32_t target)
{
    uint32_t o = (target - p->count) * 4;
    emit(p, 0x6f | (uint32_t)rd << 7 | (o >> 12 & 255) << 12 | (o >> 11 & 1) << 20 | (o >> 1 & 1023) << 21 | (o >> 20 & 1) << 31);
}
static inline void exit_with(struct program *p, int reg)
{
    addi(p, A0, reg, 0);
    addi(p, A7, ZERO, 93);
    emit(p, 0x73);
}

/* An ELF file of the words at CODE_START, with empty writable memory at DATA_START; loaded as a guest. */
static inline void guest_of(struct guest *g, const struct program *p)
{
    struct {
        Elf64_Ehdr e;
        Elf64_Phdr ph[2];
    } h = {0};
    uint64_t bytes = p->count * 4;
    memcpy(h.e.e_ident, ELFMAG, SELFMAG);
    h.e.e_ident[EI_CLASS] = ELFCLASS64;
    h.e.e_ident[EI_DATA] = ELFDATA2LSB;
    h.e.e_ident[EI_VERSION] = EV_CURRENT;
    h.e.e_type = ET_EXEC;
    h.e.e_machine = 243; /* EM_RISCV */
    h.e.e_version = EV_CURRENT;
    h.e.e_entry = CODE_START;
    h.e.e_phoff = sizeof h.e;
    h.e.e_ehsize = sizeof h.e;
    h.e.e_phentsize = sizeof h.ph[0];
    h.e.e_phnum = 2;
    h.e.e_flags = 5; /* RVC, double-float ABI */
    h.ph[0] = (Elf64_Phdr){.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_offset = 0x1000, .p_vaddr = CODE_START,
                           .p_paddr = CODE_START, .p_filesz = bytes, .p_memsz = bytes, .p_align = 0x1000};
    h.ph[1] = (Elf64_Phdr){.p_type = PT_LOAD, .p_flags = PF_R | PF_W, .p_offset = 0, .p_vaddr = DATA_START,
                           .p_paddr = DATA_START, .p_filesz = 0, .p_memsz = DATA_BYTES, .p_align = 0x1000};
    char path[] = "/tmp/test_pipe_XXXXXX";
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(pwrite(fd, &h, sizeof h, 0), sizeof h);
    ck_assert_int_eq(pwrite(fd, p->word, bytes, 0x1000), (ssize_t)bytes);
    close(fd);
    char *argv[] = {path, NULL}, *envp[] = {NULL};
    struct guest_config gc = {.path = path, .argv = argv, .envp = envp, .seed = 1, .clock_hz = 1000000000};
    struct errmsg err = {{0}};
    enum status st = guest_init(g, &gc, &err);
    unlink(path);
    ck_assert_msg(st == ST_OK, "%s", err.text);
}

/* ck_assert notes each assertion in a file, which is too slow for what is checked every cycle. */
#define MUST(condition) ((condition) ? (void)0 : ck_abort_msg("not %s", #condition))

enum { TRACE_MIN = 1 << 10, TRACE_MAX = 1 << 19 };

/* What became of one fetched instruction. */
struct life {
    uint64_t pc, at[PROBE_STAGE_COUNT], ea;
    uint32_t events;
    uint8_t cause, endings;
};

struct trace {
    struct core *core;
    struct life *life; /* by seq; grows with them */
    uint64_t lives;
    uint64_t last_seq, cycles, commits, empty_cycles, exceptions, max_in_flight, in_flight;
    uint64_t last_retired_seq, next_cycle;
    bool check;
};

static inline void trace_stage(struct trace *t, const struct probe_insn *in, enum probe_stage stage, uint64_t cycle)
{
    if (in->seq >= TRACE_MAX)
        return;
    struct life *l = &t->life[in->seq];
    l->pc = in->pc;
    l->ea = in->outcome->ea;
    l->events = in->events;
    l->cause = in->cause;
    MUST(l->at[stage] == 0);
    MUST(in->stage_cycle[stage] == cycle);
    l->at[stage] = cycle;
    /* Stages come in their order; who skips one was squashed before it. */
    for (int s = 0; s < (int)stage; s++)
        MUST(l->at[s] <= cycle);
}
#define TRACE_STAGE(name, stage) \
    static inline void trace_##name(void *ctx, const struct probe_insn *in, uint64_t cycle) { trace_stage(ctx, in, stage, cycle); }
TRACE_STAGE(ready, PROBE_DATA_READY)
TRACE_STAGE(issued, PROBE_ISSUED)
TRACE_STAGE(loaded, PROBE_LOAD_COMPLETED)
TRACE_STAGE(done, PROBE_READY_TO_RETIRE)

static inline void trace_fetched(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct trace *t = ctx;
    MUST(in->seq == t->last_seq + 1);
    t->last_seq = in->seq;
    while (in->seq >= t->lives && t->lives < TRACE_MAX) {
        t->life = xrealloc(t->life, 2 * t->lives * sizeof *t->life);
        memset(t->life + t->lives, 0, t->lives * sizeof *t->life);
        t->lives *= 2;
    }
    trace_stage(t, in, PROBE_FETCHED, cycle);
}
static inline void trace_mapped(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct trace *t = ctx;
    if (++t->in_flight > t->max_in_flight)
        t->max_in_flight = t->in_flight;
    trace_stage(t, in, PROBE_MAPPED, cycle);
}
static inline void trace_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct trace *t = ctx;
    MUST(in->seq > t->last_retired_seq);
    MUST((in->events & PROBE_WRONG_PATH) == 0);
    t->last_retired_seq = in->seq;
    t->in_flight--;
    trace_stage(t, in, PROBE_RETIRED, cycle);
    if (in->seq < TRACE_MAX)
        t->life[in->seq].endings++;
}
static inline void trace_squashed(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct trace *t = ctx;
    MUST(in->cause != PROBE_CAUSE_NONE);
    if (in->stage_cycle[PROBE_MAPPED] != 0)
        t->in_flight--;
    trace_stage(t, in, PROBE_SQUASHED, cycle);
    if (in->seq < TRACE_MAX)
        t->life[in->seq].endings++;
}
static inline void trace_token(void *ctx, const struct probe_token *k)
{
    struct trace *t = ctx;
    unsigned commits = 0, valid = 0;
    MUST(k->cycle == t->next_cycle);
    MUST(k->repeat >= 1);
    t->next_cycle = k->cycle + k->repeat;
    for (unsigned b = 0; b < k->banks; b++) {
        commits += k->bank[b].commits;
        valid += k->bank[b].valid;
        MUST(k->bank[b].valid || !k->bank[b].commits);
    }
    MUST(commits == k->committing);
    MUST(k->rob_empty == (valid == 0) && k->rob_empty == !k->bank[k->head].valid);
    MUST(k->repeat == 1 || (commits == 0 && !k->exception && !k->dispatching));
    MUST(!k->exception || commits == 0);
    MUST(!k->ordering || k->exception);
    MUST(!k->dispatching || k->rob_empty);
    MUST(!k->blocked || (k->rob_empty && !k->dispatching && !k->handler));
    t->cycles += k->repeat;
    t->commits += commits;
    t->empty_cycles += k->rob_empty ? k->repeat : 0;
    t->exceptions += k->exception;
    if (t->check)
        core_check(t->core);
}

/* One finished run under observation. */
struct run {
    struct guest guest;
    struct core *core;
    struct trace trace;
};

static inline struct run *run_program(const struct program *p, const struct core_config *cfg, bool check)
{
    struct run *r = calloc(1, sizeof *r);
    ck_assert_ptr_nonnull(r);
    guest_of(&r->guest, p);
    r->core = core_new(cfg, &r->guest);
    r->trace = (struct trace){.core = r->core, .check = check, .life = xcalloc(TRACE_MIN, sizeof *r->trace.life), .lives = TRACE_MIN};
    struct probe_observer o = {.ctx = &r->trace, .token = trace_token,
                               .stage = {trace_fetched, trace_mapped, trace_ready, trace_issued, trace_loaded, trace_done,
                                         trace_retired, trace_squashed}};
    core_attach(r->core, &o);
    ck_assert_int_eq(core_run(r->core, 10000000), RV_TRAP_NONE);
    ck_assert(r->guest.exited);
    ck_assert_uint_eq(r->trace.cycles, core_cycle(r->core));
    ck_assert_uint_eq(r->trace.commits, core_retired(r->core));
    ck_assert_uint_eq(r->trace.in_flight, 0);
    for (uint64_t s = 1; s <= r->trace.last_seq && s < TRACE_MAX; s++)
        MUST(r->trace.life[s].endings == 1);
    return r;
}

static inline void run_free(struct run *r)
{
    core_free(r->core);
    guest_fini(&r->guest);
    free(r->trace.life);
    free(r);
}

/* A statistic as the JSON output has it. */
static inline double stat_of(const struct core *c, const char *name)
{
    char *text = NULL, key[64];
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(f);
    core_print_stats(c, f, true);
    fclose(f);
    snprintf(key, sizeof key, "\"%s\": ", name);
    const char *at = strstr(text, key);
    ck_assert_msg(at != NULL, "no statistic %s", name);
    double value = strtod(at + strlen(key), NULL);
    free(text);
    return value;
}

/* The n-th retired instruction (from 0) that stood at word `index`, or NULL. */
static inline const struct life *life_at(const struct run *r, uint32_t index, unsigned n)
{
    for (uint64_t s = 1; s <= r->trace.last_seq && s < TRACE_MAX; s++)
        if (r->trace.life[s].pc == CODE_START + index * 4 && r->trace.life[s].at[PROBE_RETIRED] != 0 && n-- == 0)
            return &r->trace.life[s];
    return NULL;
}

#endif
