/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Translation of blocks: stencils are copied one behind the other, and their holes filled. */
#include "core-model/riscv/blocks.h"
#include "core-model/riscv/format.h"
#include "core-model/riscv/fp.h"
#include "core-model/riscv/translate/host.h"
#include "core-model/riscv/translate/stencil.h"
#include "core-model/riscv/translate/translation.h"

enum {
    BLOCK_INSNS = RV_BLOCK_INSNS,
    BRANCHES = 512,    /* of blocks that are translated at once, at most */
    TRACE_INSNS = 200, /* translated at once, at most, without those of the last block */
    NO_REGISTER = 0,   /* x0 is never in the accumulator */
    NOWHERE = 0,       /* no way out has its jump there */
};

/* What fills the holes of a stencil. */
struct filling {
    int64_t value[HOLES];
};

/* A conditional branch of observed code: it is taken to an entry of the log, and from there to its target.
 */
struct branch_taken {
    uint64_t target;
    uint32_t hole; /* offset of the hole for the target */
    int32_t entry; /* of the log */
};

/* Blocks while they are translated. */
struct block_writer {
    struct hart *hart;
    struct code_translation *t;
    uint64_t pc, last;    /* of the instruction, and of the one before it in the block */
    unsigned insns;       /* of the block so far */
    uint32_t first_way;   /* number of the block's first way out */
    unsigned acc;         /* the register that the accumulator has the value of */
    uint32_t taken, head; /* offsets of the last hole for a target, and of the hole for the block's instructions */
    unsigned branches;
    uint32_t number; /* of the block, if blocks are counted */
    uint64_t counted_insns;
    struct branch_taken branch[BRANCHES];
};

/* ---- stencils ---- */

static uint32_t add_way(struct block_writer *w, enum way_kind kind, uint64_t pc, uint32_t at, uint32_t link)
{
    return translation_add_way(
        w->t, (struct way_out){.pc = pc, .at = at, .link = link, .insns = (uint16_t)w->insns, .kind = (uint8_t)kind});
}

/* Copies the stencil of a number. Its way out, if it has one, is of the given kind. */
static void copy_as(struct block_writer *w, unsigned number, const struct filling *f, enum way_kind kind)
{
    const struct stencil *s = &stencils[number];
    struct code_translation *t = w->t;
    const uint32_t start = t->code_used;
    uint8_t *to = t->code + t->writable + start;
    uint32_t stub = NOWHERE;
    w->taken = NOWHERE;
    memcpy(to, &stencil_code[s->code], s->bytes);
    t->code_used += s->bytes;
    for (const struct stencil_place *p = &stencil_places[s->place], *end = p + s->places; p < end; p++) {
        uint8_t *at = to + p->offset;
        const uint32_t place = start + p->offset;
        switch ((enum stencil_hole)p->hole) {
        case HOLE_NEXT:
            host_write_distance(at, (int64_t)t->code_used - place);
            break;
        case HOLE_TAKEN:
            w->taken = place;
            break;
        case HOLE_OUT:
            if (stub == NOWHERE)
                stub = add_way(w, kind, w->pc, start, NOWHERE);
            host_write_distance(at, (int64_t)stub - place);
            break;
        case HOLE_INDIRECT:
            host_write_distance(at, (int64_t)t->indirect - place);
            break;
        case HOLE_INSNS:
            w->head = place;
            break;
        case HOLE_CHECK:
            host_write_distance(at, (int64_t)t->checks + f->value[HOLE_CHECK] * HOST_ROUTINE_BYTES - place);
            break;
        default: {
            const int64_t value = f->value[p->hole] + p->addend;
            memcpy(at, &value, p->fill == FILL_64 ? sizeof value : sizeof(int32_t));
        }
        }
    }
}

static void copy(struct block_writer *w, unsigned number, const struct filling *f) { copy_as(w, number, f, WAY_INSN); }

static void copy_special(struct block_writer *w, enum stencil_special which, const struct filling *f)
{
    copy(w, stencil_special[which], f);
}

/* ---- instructions ---- */

static int64_t place_in_hart(unsigned reg) { return (int64_t)(offsetof(struct hart, reg) + reg * sizeof(uint64_t)); }

static struct filling filling_of(const struct rv_insn *in)
{
    struct filling f = {{0}};
    f.value[HOLE_A] = place_in_hart(in->src[0]);
    f.value[HOLE_B] = place_in_hart(in->src[1]);
    f.value[HOLE_C] = place_in_hart(in->src[2]);
    f.value[HOLE_IMM] = in->imm;
    return f;
}

static bool is_watched(const struct block_writer *w) { return w->t->line_bits != 0; }

/* The number of the host register of a guest register; 0: it is in the hart. */
static unsigned pin_of(const struct block_writer *w, unsigned reg)
{
    return is_watched(w) ? stencil_watched_pin_of(reg) : stencil_pin_of(reg);
}

static unsigned operand_of(const struct block_writer *w, unsigned reg)
{
    return reg != 0 && w->acc == reg ? OPERAND_ACC : pin_of(w, reg);
}

/* Has the hart's memory hold the register. */
static void block_spill(struct block_writer *w, unsigned reg)
{
    const struct filling f = {.value = {[HOLE_A] = place_in_hart(reg)}};
    const unsigned pin = pin_of(w, reg);
    if (pin != 0)
        copy(w, stencil_spill[pin], &f);
}

/* The accumulator becomes the register's value. */
static void block_get(struct block_writer *w, unsigned reg)
{
    const struct filling f = {.value = {[HOLE_A] = place_in_hart(reg)}};
    const unsigned operand = operand_of(w, reg);
    if (operand != OPERAND_ACC)
        copy(w, stencil_get[operand], &f);
}

/* The register becomes the accumulator's value. */
static void block_put(struct block_writer *w, unsigned reg)
{
    const struct filling f = {.value = {[HOLE_D] = place_in_hart(reg)}};
    if (reg != 0)
        copy(w, stencil_put[pin_of(w, reg)], &f);
    w->acc = reg;
}

/* The stencil for where the operands are; or, behind others that bring them there, the one for those in the hart. */
static unsigned by_operands(struct block_writer *w, const uint16_t row[OPERANDS][OPERANDS], unsigned a, unsigned b)
{
    const unsigned number = row[operand_of(w, a)][operand_of(w, b)];
    if (number != 0)
        return number;
    block_spill(w, a);
    block_spill(w, b);
    return row[OPERAND_HART][OPERAND_HART];
}

static unsigned in_hart(struct block_writer *w, const struct rv_insn *in, unsigned number)
{
    block_spill(w, in->src[0]);
    block_spill(w, in->src[1]);
    return number;
}

static unsigned operands(struct block_writer *w, const struct rv_insn *in)
{
    if (in->src[1] == 0 && stencil_zero[in->op][0][0] != 0)
        return by_operands(w, stencil_zero[in->op], in->src[0], 0);
    return by_operands(w, stencil_row[in->op], in->src[0], in->src[1]);
}

/* The table of shifts by a constant, or NULL. */
static const uint16_t *shifts_of(enum rv_op op)
{
    static const uint8_t shifts[RV_OP_COUNT] = {
        [RV_SLLI] = SHIFT_SLLI + 1,   [RV_SRLI] = SHIFT_SRLI + 1,   [RV_SRAI] = SHIFT_SRAI + 1,
        [RV_SLLIW] = SHIFT_SLLIW + 1, [RV_SRLIW] = SHIFT_SRLIW + 1, [RV_SRAIW] = SHIFT_SRAIW + 1,
    };
    return shifts[op] != 0 ? stencil_shift[shifts[op] - 1] : NULL;
}

static void copy_constant(struct block_writer *w, int64_t value)
{
    const struct filling f = {.value = {[HOLE_IMM] = value, [HOLE_WIDE] = value}};
    copy_special(w, value == (int32_t)value ? SPECIAL_CONSTANT : SPECIAL_WIDE, &f);
}

/* Whether the instruction only moves, shifts by a constant or makes a constant; then its result is in the accumulator.
 */
static bool copy_simple(struct block_writer *w, const struct rv_insn *in)
{
    static const struct filling nothing;
    const uint16_t *shifts = shifts_of((enum rv_op)in->op);
    if (in->op == RV_LUI) {
        copy_constant(w, in->imm);
    } else if (in->op == RV_AUIPC) {
        copy_constant(w, (int64_t)(w->pc + (uint64_t)(int64_t)in->imm));
    } else if (in->op == RV_ADDI && in->src[0] == 0) {
        copy_constant(w, in->imm);
    } else if (in->op == RV_ADDI && in->imm == 0) {
        block_get(w, in->src[0]);
    } else if (in->op == RV_ADD && (in->src[0] == 0 || in->src[1] == 0)) {
        block_get(w, in->src[0] | in->src[1]);
    } else if (shifts != NULL) {
        block_get(w, in->src[0]);
        copy(w, shifts[in->imm & (SHIFT_AMOUNTS - 1)], &nothing);
    } else {
        return false;
    }
    return true;
}

/* The stencil of a row with a rounding mode; 0: rv_exec executes it. */
static unsigned by_rounding(struct block_writer *w, const struct rv_insn *in, enum rv_kind kind, struct filling *f)
{
    if (in->rm == FP_DYN)
        return operands(w, in);
    f->value[HOLE_IMM] = in->rm << FCSR_FRM_SHIFT;
    const bool is_known = kind == RV_KIND_FCI ? in->rm == FP_RTZ : in->rm < FP_RMM;
    return is_known ? in_hart(w, in, stencil_static[in->op]) : 0;
}

/* The stencil of an instruction that goes straight on; 0: rv_exec executes it. */
static unsigned stencil_of(struct block_writer *w, const struct rv_insn *in, struct filling *f)
{
    const enum rv_kind kind = (enum rv_kind)rv_rows[in->op].kind;
    if (kind == RV_KIND_F3R && !host_has_fused())
        return 0;
    if (kind == RV_KIND_F1R || kind == RV_KIND_F2R || kind == RV_KIND_F3R || kind == RV_KIND_FCI)
        return by_rounding(w, in, kind, f);
    return operands(w, in);
}

/* Copies an observed load or store. False: it is an atomic one, which rv_exec executes. If the
 * observer refuses the access, the way out is that of its own address. */
static bool copy_observed(struct block_writer *w, const struct rv_insn *in)
{
    const enum rv_kind kind = (enum rv_kind)rv_rows[in->op].kind;
    struct filling f = filling_of(in);
    if (kind != RV_KIND_LOAD && kind != RV_KIND_STORE)
        return false;
    f.value[HOLE_CHECK] = __builtin_ctz(rv_rows[in->op].mem_bytes) + (kind == RV_KIND_STORE ? WATCH_WRITE : WATCH_READ);
    (void)add_way(w, WAY_INSN, w->pc, w->t->code_used, NOWHERE);
    copy(w, stencil_address[operand_of(w, in->src[0])], &f);
    copy(w, stencil_through[in->op][kind == RV_KIND_STORE ? operand_of(w, in->src[1]) : OPERAND_HART], &f);
    return true;
}

/* Copies an instruction that goes straight on. False: it leaves the translated code. */
static bool copy_straight(struct block_writer *w, const struct rv_insn *in)
{
    struct filling f = filling_of(in);
    if (in->op == RV_FENCE)
        return true;
    if (is_watched(w) && (in->flags & (RV_LOAD | RV_STORE))) {
        if (!copy_observed(w, in))
            return false;
    } else if (!copy_simple(w, in)) {
        const unsigned number = stencil_of(w, in, &f);
        if (number == 0)
            return false;
        copy(w, number, &f);
    }
    if (!(in->flags & RV_STORE) || (in->flags & RV_SERIAL))
        block_put(w, in->dst);
    return true;
}

/* ---- transfers of control ---- */

/* Fills the last hole for a target. */
static void go_to(struct block_writer *w, uint64_t pc)
{
    struct code_translation *t = w->t;
    const uint8_t *code = translation_find(w->hart, pc);
    if (w->taken == NOWHERE) /* the branch is never taken */
        return;
    const uint32_t to = code != NULL ? (uint32_t)(code - t->code) : add_way(w, WAY_LINK, pc, t->code_used, w->taken);
    host_write_distance(t->code + t->writable + w->taken, (int64_t)to - w->taken);
}

static void jump_to(struct block_writer *w, uint64_t pc)
{
    static const struct filling nothing;
    copy_special(w, SPECIAL_JUMP, &nothing);
    go_to(w, pc);
}

/* rv_exec is to execute the instruction. */
static void leave_to_exec(struct block_writer *w)
{
    static const struct filling nothing;
    const uint32_t start = w->t->code_used;
    copy_special(w, SPECIAL_JUMP, &nothing);
    const uint32_t stub = add_way(w, WAY_INSN, w->pc, start, NOWHERE);
    host_write_distance(w->t->code + w->t->writable + w->taken, (int64_t)stub - w->taken);
}

/* The entry of the log for a branch or jump; a taken branch has the next one. */
static int32_t log_entry(struct block_writer *w, const struct rv_insn *in)
{
    return (int32_t)(translation_add_site(w->hart, in, w->pc) * 2);
}

static void copy_log(struct block_writer *w, enum stencil_special which, int32_t entry)
{
    const struct filling f = {.value = {[HOLE_IMM] = entry}};
    copy_special(w, which, &f);
}

static void copy_link(struct block_writer *w, const struct rv_insn *in)
{
    const struct filling f = {
        .value = {[HOLE_D] = place_in_hart(in->dst), [HOLE_WIDE] = (int64_t)(w->pc + in->length_bytes)}};
    if (in->dst != 0)
        copy(w, stencil_link[pin_of(w, in->dst)], &f);
}

/* The target is computed before its register may become the address behind the call. */
static void copy_indirect(struct block_writer *w, const struct rv_insn *in)
{
    const struct filling f = filling_of(in);
    copy(w, stencil_target[operand_of(w, in->src[0])], &f);
    copy_link(w, in);
    if (is_watched(w))
        copy_log(w, SPECIAL_TARGET, log_entry(w, in));
    copy_special(w, SPECIAL_GO, &f);
}

static void copy_direct(struct block_writer *w, const struct rv_insn *in)
{
    copy_link(w, in);
    if (is_watched(w))
        copy_log(w, SPECIAL_LOG, log_entry(w, in));
}

static void copy_branch(struct block_writer *w, const struct rv_insn *in, uint64_t target)
{
    const struct filling f = filling_of(in);
    copy(w, operands(w, in), &f);
    w->insns++;
    if (!is_watched(w)) {
        go_to(w, target);
        return;
    }
    const int32_t entry = log_entry(w, in);
    if (w->taken != NOWHERE)
        w->branch[w->branches++] = (struct branch_taken){.target = target, .hole = w->taken, .entry = entry + 1};
    copy_log(w, SPECIAL_LOG, entry);
}

/* The entries of the log for branches that are taken, behind the blocks. */
static void copy_taken(struct block_writer *w)
{
    w->insns = 0;
    for (const struct branch_taken *b = w->branch; b < &w->branch[w->branches]; b++) {
        host_write_distance(w->t->code + w->t->writable + b->hole, (int64_t)w->t->code_used - b->hole);
        copy_log(w, SPECIAL_LOG, b->entry);
        jump_to(w, b->target);
    }
}

/* ---- blocks ---- */

static void begin_block(struct block_writer *w, struct rv_page *page)
{
    static const struct filling nothing;
    w->insns = 0;
    w->acc = NO_REGISTER;
    w->first_way = w->t->ways;
    page->block[w->pc >> 1 & (CODE_SLOTS - 1)] = w->t->code_used;
    copy_as(w, stencil_special[SPECIAL_HEAD], &nothing, WAY_BUDGET);
    if (w->hart->blocks == NULL)
        return;
    w->number = blocks_number_at(w->hart, w->pc, &w->counted_insns);
    const struct filling f = {.value = {[HOLE_WIDE] = (int64_t)(uintptr_t)blocks_counter(w->hart, w->number)}};
    copy_special(w, SPECIAL_COUNT, &f);
}

/* What of the counted block is to come where its code is left, except for lack of budget, at its head. */
static void set_rest(const struct block_writer *w, struct way_out *way)
{
    if (w->hart->blocks == NULL || way->kind == WAY_BUDGET)
        return;
    way->number = w->number;
    way->rest = (uint8_t)(w->counted_insns - way->insns);
}

/* The number of instructions is known now. */
static void end_block(const struct block_writer *w)
{
    const int32_t insns = (int32_t)w->insns;
    memcpy(w->t->code + w->t->writable + w->head, &insns, sizeof insns);
    for (uint32_t i = w->first_way; i < w->t->ways; i++) {
        set_rest(w, &w->t->way[i]);
        w->t->way[i].insns = (uint16_t)(w->insns - w->t->way[i].insns);
    }
}

/* For an observer: the fetch of the first instruction of the block, or of a line. Whatever is in the accumulator stays
 * there. */
static void copy_fetch(struct block_writer *w, bool is_first)
{
    const uint32_t bits = w->t->line_bits;
    const struct filling f = {.value = {[HOLE_WIDE] = (int64_t)(w->pc >> bits << bits), [HOLE_CHECK] = WATCH_FETCH}};
    if (bits != 0 && (is_first || w->pc >> bits != w->last >> bits))
        copy_special(w, SPECIAL_FETCH, &f);
    w->last = w->pc;
}

/* Translates the instruction at w->pc, which becomes the address of what is to follow. False: nothing follows in this
 * block; *goes_on: a block at w->pc does. */
static bool translate_insn(struct block_writer *w, bool *goes_on)
{
    enum rv_trap trap;
    *goes_on = false;
    copy_fetch(w, w->insns == 0);
    const struct rv_insn *in = w->pc != w->hart->stop_pc ? code_fetch(w->hart, w->pc, &trap) : NULL;
    if (in == NULL) {
        leave_to_exec(w);
        return false;
    }
    const uint64_t next = w->pc + in->length_bytes, target = w->pc + (uint64_t)(int64_t)in->imm;
    if (in->flags & RV_BRANCH) {
        copy_branch(w, in, target);
        w->pc = next;
        *goes_on = true;
        return false;
    }
    if (in->flags & RV_JUMP) {
        w->insns++;
        if (in->flags & RV_INDIRECT) {
            copy_indirect(w, in);
        } else {
            copy_direct(w, in);
            w->pc = target;
            *goes_on = true;
        }
        return false;
    }
    if (!copy_straight(w, in)) {
        leave_to_exec(w);
        return false;
    }
    w->insns++;
    w->pc = next;
    *goes_on = true;
    return true;
}

/* Whether the code goes on in a block that is translated. Blocks that are counted overlap instead. */
static bool joins_block(const struct block_writer *w)
{
    return w->hart->blocks == NULL && translation_find(w->hart, w->pc) != NULL;
}

/* Translates the block at w->pc. Returns whether another one is to follow, at the new w->pc. */
static bool translate_block(struct block_writer *w, struct rv_page *page)
{
    const uint64_t number = w->pc >> MEM_PAGE_BITS;
    bool goes_on;
    begin_block(w, page);
    while (translate_insn(w, &goes_on))
        if (w->insns == BLOCK_INSNS || w->pc >> MEM_PAGE_BITS != number || joins_block(w))
            break;
    return goes_on;
}

/* Whether the block at w->pc is translated next; `insns` have been already. It is not if it has not been executed. Code
 * goes on there all the same. */
static bool is_to_follow(struct block_writer *w, unsigned insns)
{
    const bool executable = code_page(w->hart, w->pc) != NULL;
    if (insns <= TRACE_INSNS && translation_is_cold(w->hart, w->pc))
        return true;
    w->insns = 0;
    if (executable)
        jump_to(w, w->pc);
    else
        leave_to_exec(w);
    return false;
}

void translate_from(struct hart *h, uint64_t pc)
{
    struct block_writer w;
    w.hart = h;
    w.t = h->code->translation;
    w.pc = pc;
    w.branches = 0;
    unsigned insns = 0;
    bool goes_on = true;
    while (goes_on && is_to_follow(&w, insns)) {
        goes_on = translate_block(&w, code_page(h, w.pc));
        end_block(&w);
        insns += w.insns;
    }
    copy_taken(&w);
}
