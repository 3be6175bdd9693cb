/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs of the micro-tests. See micro.h. */
#include "tests/micro/micro.h"

enum { GATE_STRIDE = 8192, NEXT_REG = A0, NEXT_FP = 12, REGS = 8, S5 = 21 };

struct micro_unit micro_unit_of(const struct core_config *cfg, unsigned kind)
{
    switch (kind) {
#define PARAM(key, def, min, max, unit, help)
#define UNIT(key, suffix, count, latency, pipe, help) \
    case RV_UNIT_##suffix:                            \
        return (struct micro_unit){cfg->key##_units, cfg->key##_cycles, cfg->key##_pipelined};
#include "core-model/config/config.def"
    }
    ck_abort_msg("no unit %u", kind);
}

static void nop(struct program *p) { addi(p, ZERO, ZERO, 0); }

static void fp_op(struct program *p, uint32_t f7, int rd, int a, int b)
{
    emit(p, 0x53 | (uint32_t)rd << 7 | (uint32_t)a << 15 | (uint32_t)b << 20 | f7 << 25);
}

/* One operation of a kind, from `src` to `dst`, which are of the register file that the kind works on; src is a pointer
 * where it is an integer register. */
static void operation(struct program *p, unsigned kind, int dst, int src)
{
    switch ((enum rv_unit)kind) {
    case RV_UNIT_ALU:
        add(p, dst, src, ZERO);
        break;
    case RV_UNIT_MUL:
        mul(p, dst, src, S3);
        break;
    case RV_UNIT_DIV:
        div_(p, dst, src, S3);
        break;
    case RV_UNIT_BRANCH:
        branch(p, 0, src, ZERO, p->count + 1);
        break; /* to where it goes anyway: never mispredicted */
    case RV_UNIT_LOAD:
        ld(p, dst, src, 0);
        break;
    case RV_UNIT_STORE:
        sd(p, ZERO, src, 8);
        break;
    case RV_UNIT_AMO:
        amoadd(p, dst, ZERO, src);
        break;
    case RV_UNIT_FADD:
        fp_op(p, 0x01, dst, src, READY_FP);
        break;
    case RV_UNIT_FMUL:
        fp_op(p, 0x09, dst, src, READY_FP);
        break;
    case RV_UNIT_FMA:
        emit(p, 0x43 | (uint32_t)dst << 7 | (uint32_t)src << 15 | READY_FP << 20 | 1 << 25 | (uint32_t)READY_FP << 27);
        break;
    case RV_UNIT_FDIV:
        fp_op(p, 0x0d, dst, src, READY_FP);
        break;
    case RV_UNIT_FSQRT:
        fp_op(p, 0x2d, dst, src, 0);
        break;
    case RV_UNIT_FMISC:
        fp_op(p, 0x11, dst, src, src);
        break; /* fmv.d */
    case RV_UNIT_SYSTEM:
        emit(p, 0x0ff0000f);
        break; /* fence */
    case RV_UNIT_COUNT:
        ck_abort_msg("no kind of unit");
    }
}

static void operations(struct scene *s, uint32_t n, int src)
{
    bool fp = rv_unit_is_fp(s->m->kind);
    s->ops = s->p.count;
    s->count = n;
    for (uint32_t i = 0; i < n; i++)
        operation(&s->p, s->m->kind, (fp ? NEXT_FP : NEXT_REG) + (int)(i % REGS), src);
}

void scene_dependent(struct scene *s, uint32_t n) { operations(s, n, rv_unit_is_fp(s->m->kind) ? GATE_FP : T1); }
void scene_independent(struct scene *s, uint32_t n) { operations(s, n, rv_unit_is_fp(s->m->kind) ? READY_FP : S2); }

void scene_chain(struct scene *s, uint32_t n)
{
    int r = rv_unit_is_fp(s->m->kind) ? GATE_FP : T1;
    s->ops = s->p.count;
    s->count = n;
    for (uint32_t i = 0; i < n; i++)
        operation(&s->p, s->m->kind, r, r);
}

void scene_nops(struct scene *s, uint32_t n)
{
    s->ops = s->p.count;
    s->count = n;
    for (uint32_t i = 0; i < n; i++)
        nop(&s->p);
}

void scene_gate(struct scene *s)
{
    struct program *p = &s->p;
    add(p, S4, S4, S5);
    s->gate = p->count;
    ld(p, T1, S4, 0);
    s->opened = p->count;
    add(p, T1, T1, S2);
    if (rv_unit_is_fp(s->m->kind))
        fp_op(p, 0x79, GATE_FP, T1, 0); /* fmv.d.x */
}

struct scene *scene_run(const struct micro *m, void (*body)(struct scene *s))
{
    struct scene *s = calloc(1, sizeof *s);
    struct program *p = &s->p;
    s->m = m;
    lui(p, S2, DATA_START);
    addi(p, S3, ZERO, 1);
    sd(p, S2, S2, 0); /* a pointer to itself */
    lui(p, S4, DATA_START);
    lui(p, S5, GATE_STRIDE);
    addi(p, T0, ZERO, MICRO_ROUNDS);
    uint32_t top = p->count;
    rdcycle(p, ZERO);
    do
        nop(p);
    while (p->count % MICRO_BLOCK_WORDS != 0);
    s->body = p->count;
    body(s);
    addi(p, T0, T0, -1);
    branch(p, 0, T0, ZERO, p->count + 2);
    jal(p, ZERO, top);
    exit_with(p, ZERO);
    s->run = run_program(p, &m->cfg);
    return s;
}

void scene_free(struct scene *s)
{
    run_free(s->run);
    free(s);
}

uint64_t scene_at(const struct scene *s, uint32_t word, enum probe_stage stage)
{
    const struct life *l = life_at(s->run, word, MICRO_ROUNDS - 1);
    ck_assert_ptr_nonnull(l);
    ck_assert_uint_ne(l->at[stage], 0);
    return l->at[stage];
}

uint64_t scene_before_gate(const struct scene *s, enum probe_stage stage)
{
    uint64_t opens = scene_at(s, s->gate, PROBE_LOAD_COMPLETED), n = 0;
    for (uint32_t i = 0; i < s->count; i++)
        n += scene_at(s, s->ops + i, stage) < opens;
    return n;
}
