/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Executes single instructions and records undo information: rv_exec, rv_undo. Wrong paths are executed, too, with
 * arbitrary addresses, so every memory access is checked against the guest's permissions. */
#include "core-model/riscv/csr.h"
#include "core-model/riscv/sem_fp.h"

#include "core-model/riscv/hart.h"

/* Access to a plain page. */
static inline uint64_t load_plain(const struct memory *m, uint64_t addr, unsigned size_bytes)
{
    uint64_t raw = 0;
    memcpy(&raw, memory_at(m, addr), size_bytes);
    return raw;
}

static inline void store_plain(struct memory *m, uint64_t addr, unsigned size_bytes, uint64_t value)
{
    memcpy(memory_at(m, addr), &value, size_bytes);
}

/* Access to any page; false: it is behind the end of its file. */
static inline bool load_raw(const struct memory *m, uint64_t addr, unsigned size_bytes, uint64_t *raw)
{
    *raw = 0;
    return memory_read(m, addr, raw, size_bytes);
}

static inline bool store_raw(struct memory *m, uint64_t addr, unsigned size_bytes, uint64_t value)
{
    return memory_write(m, addr, &value, size_bytes);
}

static inline uint64_t low_bytes(uint64_t value, unsigned size_bytes)
{
    return value & (UINT64_MAX >> (64 - 8 * size_bytes));
}

static inline uint64_t sign_extend_bytes(uint64_t value, unsigned size_bytes)
{
    return size_bytes == 4 ? sext32(value) : value;
}

static bool exec_refuse(struct hart *h, struct rv_outcome *out, enum rv_trap trap, uint64_t addr)
{
    h->fault_addr = addr;
    out->trap = (uint8_t)trap;
    return false;
}

/* The page is behind the end of its file. */
static bool refuse_missing(struct hart *h, struct rv_outcome *out, uint64_t addr)
{
    out->mem_bytes = 0;
    out->wrote_mem = RV_WRITE_NONE;
    return exec_refuse(h, out, RV_TRAP_BUS, memory_missing(&h->mem, addr));
}

/* Checks an atomic access for alignment and permissions. */
static bool allow_atomic(struct hart *h, struct rv_outcome *out, uint64_t addr, unsigned size_bytes, unsigned need)
{
    out->ea = addr;
    if ((addr & (size_bytes - 1)) != 0)
        return exec_refuse(h, out, RV_TRAP_MISALIGNED, addr);
    if (!memory_allows(&h->mem, addr, size_bytes, need))
        return exec_refuse(h, out, need & MEM_W ? RV_TRAP_STORE : RV_TRAP_LOAD, addr);
    out->mem_bytes = (uint8_t)size_bytes;
    return true;
}

/* Memory as the hart sees it. */
static inline bool load_seen(const struct hart *h, uint64_t addr, unsigned size_bytes, uint64_t *raw)
{
    return h->stores != NULL ? stores_load(h->stores, &h->mem, addr, size_bytes, raw)
                             : load_raw(&h->mem, addr, size_bytes, raw);
}

static bool is_on_wrong_path(const struct hart *h) { return h->wrong != NULL && *h->wrong != UINT64_MAX; }

/* A write on a wrong path must not be noticed. */
static inline bool is_left_out(const struct hart *h, uint64_t addr, unsigned size_bytes)
{
    return memory_is_observed(&h->mem, addr, size_bytes) && is_on_wrong_path(h);
}

/* A store that may still be undone: with other harts, it is kept from them. */
static inline bool store_first(struct hart *h, struct rv_outcome *out, uint64_t addr, unsigned size_bytes,
                               uint64_t value)
{
    if (!load_seen(h, addr, size_bytes, &out->old_mem))
        return false;
    out->wrote_mem = RV_WRITE_DONE;
    if (h->stores != NULL) {
        stores_add(h->stores, addr, size_bytes, value);
        return true;
    }
    if (!is_left_out(h, addr, size_bytes))
        return store_raw(&h->mem, addr, size_bytes, value);
    out->wrote_mem = RV_WRITE_LEFT_OUT;
    return true;
}

/* The store of an atomic instruction, in place of *raw, which becomes what another process has written meanwhile. With
 * other harts, all earlier stores have been performed. */
static inline bool replace_memory(struct hart *h, struct rv_outcome *out, uint64_t addr, unsigned size_bytes,
                                  uint64_t *raw, uint64_t value)
{
    out->old_mem = *raw;
    out->wrote_mem = RV_WRITE_LEFT_OUT;
    if (is_left_out(h, addr, size_bytes)) /* code: atomics on shared memory are deferred */
        return true;
    out->wrote_mem = RV_WRITE_DONE;
    return memory_replace(&h->mem, addr, size_bytes, raw, value);
}

/* Store-conditional: also fails if memory no longer holds the value of the load-reserved, because stores of other
 * processes are not observed. *failed is its result; false: the page is missing. */
static bool store_conditional(struct hart *h, struct rv_outcome *out, uint64_t addr, unsigned size_bytes,
                              uint64_t value, uint64_t *failed)
{
    uint64_t raw;
    if (!load_raw(&h->mem, addr, size_bytes, &raw))
        return false;
    *failed = h->reservation != addr || sign_extend_bytes(raw, size_bytes) != h->reserved_value;
    if (*failed == 0 && !replace_memory(h, out, addr, size_bytes, &raw, value))
        return false;
    if (*failed == 0 && raw != out->old_mem) {
        out->wrote_mem = RV_WRITE_NONE;
        *failed = 1;
    }
    h->reservation = UINT64_MAX;
    return true;
}

/* Whether the instruction rounds, or sets floating-point flags. */
static inline bool is_float(const struct rv_insn *in) { return (in->flags & (RV_FP | RV_LOAD | RV_STORE)) == RV_FP; }

/* To nearest even, the host's flags are cleared only if they matter (float_flags_are_known). */
static bool begin_float(struct hart *h, const struct rv_insn *in, unsigned *mode)
{
    *mode = fp_effective_mode(in->rm, h->fcsr);
    if (*mode >= FP_MODES)
        return false;
    if (*mode != FP_RNE)
        fp_host_clear();
    if (*mode != FP_RNE && *mode != FP_RMM)
        fp_host_set_mode((enum fp_mode)(*mode));
    return true;
}

/* Whether the host's flags are known to be those of the instruction, or those that fcsr has anyway. If not, they may be
 * of earlier arithmetic: they are cleared, and the instruction must be executed again. */
static inline bool float_flags_are_known(const struct hart *h, unsigned mode, bool *cleared)
{
    if (mode != FP_RNE || *cleared || (fp_host_flags() & ~h->fcsr) == 0)
        return true;
    fp_host_clear();
    *cleared = true;
    return false;
}

static uint64_t end_float(struct hart *h, const struct rv_insn *in, unsigned mode, uint64_t value)
{
    uint32_t flags = fp_host_flags();
    if (mode == FP_RMM)
        value = fp_round_rmm((enum rv_op)in->op, h->reg[in->src[0]], h->reg[in->src[1]], h->reg[in->src[2]], value,
                             &flags);
    else if (mode != FP_RNE)
        fp_host_set_mode(FP_RNE);
    h->fcsr |= flags;
    return value;
}

/* Whether the instruction has side effects beyond memory and a register: floating-point flags, CSRs, reservations. */
static inline bool changes_more(const struct rv_insn *in) { return (in->flags & RV_SERIAL) != 0 || is_float(in); }

/* Sets all but the value and, of an instruction that changes more, the rest of the undo information. */
static void begin_outcome(const struct hart *h, const struct rv_insn *in, struct rv_outcome *out)
{
    out->next_pc = h->pc + in->length_bytes;
    out->ea = 0;
    out->operand[0] = h->reg[in->src[0]];
    out->operand[1] = h->reg[in->src[1]];
    out->old_dst = h->reg[in->dst];
    out->old_mem = 0;
    out->mem_bytes = 0;
    out->wrote_mem = 0;
    out->taken = 0;
    out->trap = RV_TRAP_NONE;
}

/* Execution by kind of row; `value` is the result for dst. */
#define EXEC_OPR(sym, bytes) value = exec_##sym(a, b);
#define EXEC_OPI(sym, bytes) value = exec_##sym(a, imm);
#define EXEC_LUI(sym, bytes) value = imm;
#define EXEC_AUIPC(sym, bytes) value = h->pc + imm;
#define EXEC_BR(sym, bytes)        \
    out->taken = exec_##sym(a, b); \
    if (out->taken)                \
        out->next_pc = h->pc + imm;
#define EXEC_JAL(sym, bytes) \
    value = out->next_pc;    \
    out->taken = 1;          \
    out->next_pc = h->pc + imm;
#define EXEC_JALR(sym, bytes) \
    value = out->next_pc;     \
    out->taken = 1;           \
    out->next_pc = (a + imm) & ~UINT64_C(1);
#define EXEC_LOAD(sym, bytes)                              \
    out->ea = a + imm;                                     \
    if (!memory_allows(&h->mem, out->ea, bytes, MEM_R))    \
        return exec_refuse(h, out, RV_TRAP_LOAD, out->ea); \
    out->mem_bytes = bytes;                                \
    if (!load_seen(h, out->ea, bytes, &raw))               \
        return refuse_missing(h, out, out->ea);            \
    value = exec_##sym(raw);
#define EXEC_STORE(sym, bytes)                              \
    out->ea = a + imm;                                      \
    if (!memory_allows(&h->mem, out->ea, bytes, MEM_W))     \
        return exec_refuse(h, out, RV_TRAP_STORE, out->ea); \
    out->mem_bytes = bytes;                                 \
    if (!store_first(h, out, out->ea, bytes, b))            \
        return refuse_missing(h, out, out->ea);             \
    out->value = low_bytes(b, bytes);                       \
    return true;
#define EXEC_LR(sym, bytes)                     \
    if (!allow_atomic(h, out, a, bytes, MEM_R)) \
        return false;                           \
    if (!load_raw(&h->mem, a, bytes, &raw))     \
        return refuse_missing(h, out, a);       \
    value = sign_extend_bytes(raw, bytes);      \
    h->reservation = a;                         \
    h->reserved_value = value;
#define EXEC_SC(sym, bytes)                              \
    if (!allow_atomic(h, out, a, bytes, MEM_W))          \
        return false;                                    \
    if (!store_conditional(h, out, a, bytes, b, &value)) \
        return refuse_missing(h, out, a);
#define EXEC_AMO(sym, bytes)                                                                         \
    if (!allow_atomic(h, out, a, bytes, MEM_R | MEM_W))                                              \
        return false;                                                                                \
    if (!load_raw(&h->mem, a, bytes, &raw))                                                          \
        return refuse_missing(h, out, a);                                                            \
    do {                                                                                             \
        value = sign_extend_bytes(raw, bytes);                                                       \
        if (!replace_memory(h, out, a, bytes, &raw, exec_##sym(value, sign_extend_bytes(b, bytes)))) \
            return refuse_missing(h, out, a);                                                        \
    } while (raw != out->old_mem);
#define EXEC_FENCE(sym, bytes)
#define EXEC_FENCE_I(sym, bytes) rv_discard_code(h, 0, UINT64_MAX);
#define EXEC_ECALL(sym, bytes) return exec_refuse(h, out, RV_TRAP_ECALL, h->pc);
#define EXEC_EBREAK(sym, bytes) return exec_refuse(h, out, RV_TRAP_BREAKPOINT, h->pc);
#define EXEC_CSR(sym, bytes)           \
    if (!csr_access(h, in, a, &value)) \
        return exec_refuse(h, out, RV_TRAP_ILLEGAL, h->pc);
#define EXEC_F1R(sym, bytes) value = exec_##sym(a);
#define EXEC_F2R(sym, bytes) value = exec_##sym(a, b);
#define EXEC_F3R(sym, bytes) value = exec_##sym(a, b, h->reg[in->src[2]], &h->fcsr);
#define EXEC_F1X(sym, bytes) value = exec_##sym(a, &h->fcsr);
#define EXEC_F2X(sym, bytes) value = exec_##sym(a, b, &h->fcsr);
#define EXEC_FCI(sym, bytes) value = exec_##sym(a, mode, &h->fcsr);

/* Executes everything but the update of the pc. Returns false on a trap. */
static __attribute__((noinline)) bool riscv_exec_execute(struct hart *h, const struct rv_insn *in,
                                                         struct rv_outcome *out)
{
    unsigned mode = FP_RNE;
    const bool rounds = is_float(in);
    bool cleared = false;
    if (rounds && !begin_float(h, in, &mode))
        return exec_refuse(h, out, RV_TRAP_ILLEGAL, h->pc);
    uint64_t value, raw;
    const uint64_t imm = (uint64_t)(int64_t)in->imm;
    do {
        fp_barrier(); /* the operands are read behind it, so that no arithmetic is moved before it */
        const uint64_t a = h->reg[in->src[0]], b = h->reg[in->src[1]];
        value = 0;
        switch ((enum rv_op)in->op) {
#define RV(sym, name, match, mask, format, kind, bytes, ...) \
    case RV_##sym:                                           \
        EXEC_##kind(sym, bytes) break;
#include "core-model/riscv/rv.def"
#undef RV
        case RV_OP_COUNT:
            return exec_refuse(h, out, RV_TRAP_ILLEGAL, h->pc);
        }
        out->value = value;
        fp_barrier(); /* the result is written before it */
    } while (rounds && !float_flags_are_known(h, mode, &cleared));
    if (rounds && (mode != FP_RNE || cleared))
        out->value = end_float(h, in, mode, value);
    if (in->dst != 0)
        h->reg[in->dst] = out->value;
    return true;
}

static inline void keep_more(const struct hart *h, struct rv_outcome *out)
{
    out->old_reservation = h->reservation;
    out->old_reserved_value = h->reserved_value;
    out->old_fcsr = h->fcsr;
}

static __attribute__((noinline)) void exec_execute_any(struct hart *h, const struct rv_insn *in, struct rv_outcome *out)
{
    out->value = 0;
    if (changes_more(in))
        keep_more(h, out);
    if (riscv_exec_execute(h, in, out))
        h->pc = out->next_pc;
    else
        out->next_pc = h->pc;
}

/* Fast path for the common instruction kinds; its only call is a tail call, so the compiler needs no stack frame. The
 * immediate operand is read where it is needed, because registers are few. */
#define SIMPLE_OPR(sym, bytes) EXEC_OPR(sym, bytes) break;
#define SIMPLE_OPI(sym, bytes) EXEC_OPI(sym, bytes) break;
#define SIMPLE_LUI(sym, bytes) EXEC_LUI(sym, bytes) break;
#define SIMPLE_AUIPC(sym, bytes) EXEC_AUIPC(sym, bytes) break;
#define SIMPLE_BR(sym, bytes) EXEC_BR(sym, bytes) break;
#define SIMPLE_JAL(sym, bytes) EXEC_JAL(sym, bytes) break;
#define SIMPLE_JALR(sym, bytes) EXEC_JALR(sym, bytes) break;
#define SIMPLE_LOAD(sym, bytes)                                                              \
    if (h->stores != NULL || !memory_allows_inside(&h->mem, a + imm, bytes, MEM_DIRECT_R)) { \
        exec_execute_any(h, in, out);                                                        \
        return;                                                                              \
    }                                                                                        \
    out->ea = a + imm;                                                                       \
    out->mem_bytes = bytes;                                                                  \
    value = exec_##sym(load_plain(&h->mem, out->ea, bytes));                                 \
    break;
#define SIMPLE_STORE(sym, bytes)                                             \
    if (h->stores != NULL || !memory_takes_store(&h->mem, a + imm, bytes)) { \
        exec_execute_any(h, in, out);                                        \
        return;                                                              \
    }                                                                        \
    out->ea = a + imm;                                                       \
    out->mem_bytes = bytes;                                                  \
    out->wrote_mem = RV_WRITE_DONE;                                          \
    out->old_mem = load_plain(&h->mem, out->ea, bytes);                      \
    store_plain(&h->mem, out->ea, bytes, b);                                 \
    value = low_bytes(b, bytes);                                             \
    break;
/* To nearest even, and with no host flag but those that fcsr has: see float_flags_are_known. */
#define SIMPLE_FLOAT(sym, ...)                                  \
    if (fp_effective_mode(in->rm, h->fcsr) != FP_RNE) {         \
        exec_execute_any(h, in, out);                           \
        return;                                                 \
    }                                                           \
    keep_more(h, out);                                          \
    value = exec_##sym(__VA_ARGS__);                            \
    out->value = value;                                         \
    fp_barrier(); /* the result is written before it */         \
    if (__builtin_expect(fp_host_flags() & ~h->fcsr, 0) != 0) { \
        h->fcsr = out->old_fcsr;                                \
        exec_execute_any(h, in, out);                           \
        return;                                                 \
    }                                                           \
    break;
#define SIMPLE_F2R(sym, bytes) SIMPLE_FLOAT(sym, a, b)
#define SIMPLE_F2X(sym, bytes) SIMPLE_FLOAT(sym, a, b, &h->fcsr)
#define SIMPLE_ANY(sym, bytes)    \
    exec_execute_any(h, in, out); \
    return;
#define SIMPLE_LR SIMPLE_ANY
#define SIMPLE_SC SIMPLE_ANY
#define SIMPLE_AMO SIMPLE_ANY
#define SIMPLE_FENCE SIMPLE_ANY
#define SIMPLE_FENCE_I SIMPLE_ANY
#define SIMPLE_ECALL SIMPLE_ANY
#define SIMPLE_EBREAK SIMPLE_ANY
#define SIMPLE_CSR SIMPLE_ANY
#define SIMPLE_F1R SIMPLE_ANY
#define SIMPLE_F3R SIMPLE_ANY
#define SIMPLE_F1X SIMPLE_ANY
#define SIMPLE_FCI SIMPLE_ANY

void rv_exec(struct hart *h, const struct rv_insn *in, struct rv_outcome *out)
{
    begin_outcome(h, in, out);
    uint64_t a = out->operand[0], b = out->operand[1], value = 0;
#define imm ((uint64_t)(int64_t)in->imm)
    switch ((enum rv_op)in->op) {
#define RV(sym, name, match, mask, format, kind, bytes, ...) \
    case RV_##sym:                                           \
        SIMPLE_##kind(sym, bytes)
#include "core-model/riscv/rv.def"
#undef RV
    case RV_OP_COUNT:
        exec_execute_any(h, in, out);
        return;
    default:
        __builtin_unreachable();
    }
#undef imm
    out->value = value;
    if (in->dst != 0)
        h->reg[in->dst] = value;
    h->pc = out->next_pc;
}

void rv_undo_any(struct hart *h, const struct rv_insn *in, uint64_t pc, const struct rv_outcome *out)
{
    h->pc = pc;
    if (out->trap != RV_TRAP_NONE)
        return;
    if (in->dst != 0)
        h->reg[in->dst] = out->old_dst;
    if (changes_more(in)) {
        h->fcsr = out->old_fcsr;
        h->reservation = out->old_reservation;
        h->reserved_value = out->old_reserved_value;
    }
    if (out->wrote_mem != RV_WRITE_DONE)
        return;
    if (h->stores != NULL && in->unit == RV_UNIT_STORE) {
        stores_undo(h->stores);
        return;
    }
    if (!memory_is_plain(&h->mem, out->ea, out->mem_bytes)) {
        (void)store_raw(&h->mem, out->ea, out->mem_bytes, out->old_mem); /* a missing page has nothing to restore */
        return;
    }
    switch (out->mem_bytes) { /* copies of constant length */
    case 1:
        store_plain(&h->mem, out->ea, 1, out->old_mem);
        break;
    case 2:
        store_plain(&h->mem, out->ea, 2, out->old_mem);
        break;
    case 4:
        store_plain(&h->mem, out->ea, 4, out->old_mem);
        break;
    default:
        store_plain(&h->mem, out->ea, 8, out->old_mem);
    }
}
