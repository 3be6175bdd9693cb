/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lock-step check: it agrees with a sound core, through stores, wrong paths, atomics, counters and system calls, and it ends
 * the process where memory or a register is not what it should be. */
#include "core-model/prof/lockstep.h"
#include "isa/support/status.h"
#include "tests/unit/test_pipe_guest.h"
#include "tests/unit/suite.h"

static void loop_of_everything(struct program *p)
{
    *p = (struct program){0};
    lui(p, S2, DATA_START);
    addi(p, T0, ZERO, 300);
    addi(p, T1, ZERO, 77);
    uint32_t top = p->count;
    mul(p, T1, T1, T1);
    addi(p, T1, T1, 13);
    sd(p, T1, S2, 4);
    div_(p, T3, T1, T0);
    sb(p, T3, S2, 7);
    ld(p, T2, S2, 0);
    amoadd(p, T4, T1, S2);
    rdcycle(p, T5);
    andi(p, T2, T2, 16);
    branch(p, 1, T2, ZERO, p->count + 2);
    addi(p, T3, T3, 1);
    addi(p, T0, T0, -1);
    branch(p, 1, T0, ZERO, top);
    addi(p, A7, ZERO, 172); /* getpid */
    emit(p, 0x73);
    add(p, T1, A0, ZERO);
    exit_with(p, ZERO);
}

/* What a careless core would do: an observer damages the guest when that many instructions have retired. */
struct vandal {
    struct guest *guest;
    unsigned left;
    int reg; /* or memory, where it is 0 */
};

static void vandalise(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct vandal *v = ctx;
    (void)in, (void)cycle;
    if (--v->left != 0)
        return;
    if (v->reg != 0)
        v->guest->hart.reg[v->reg] ^= 1;
    else
        *memory_at(&v->guest->hart.mem, DATA_START + 0x200) ^= 1;
}

static uint64_t checked_run(struct vandal *v)
{
    struct core_config cfg;
    struct guest g;
    struct program *p = calloc(1, sizeof *p);
    core_config_default(&cfg);
    loop_of_everything(p);
    guest_of(&g, p);
    struct core *c = core_new(&cfg, &g);
    struct lockstep *k = lockstep_new(c, &g);
    struct probe_observer o = lockstep_observer(k), bad = {.ctx = v, .stage = {[PROBE_RETIRED] = vandalise}};
    core_attach(c, &o);
    if (v != NULL) {
        v->guest = &g;
        core_attach(c, &bad);
    }
    ck_assert_int_eq(core_run(c, UINT64_MAX), RV_TRAP_NONE);
    uint64_t compared = lockstep_compared(k);
    ck_assert_uint_eq(compared, core_retired(c));
    lockstep_free(k);
    core_free(c);
    guest_fini(&g);
    free(p);
    return compared;
}

START_TEST(sound_core_passes) { ck_assert_uint_gt(checked_run(NULL), 300 * 12); }
END_TEST

START_TEST(register_damage_is_found)
{
    struct vandal v = {.left = 1000, .reg = S2};
    checked_run(&v);
}
END_TEST

/* Nobody reads the byte: the comparison of whole pages at the next system call finds it. */
START_TEST(memory_damage_is_found)
{
    struct vandal v = {.left = 1000};
    checked_run(&v);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("lockstep");
    TCase *t = tcase_create("check");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, sound_core_passes);
    tcase_add_exit_test(t, register_damage_is_found, EXIT_OUR_FAULT);
    tcase_add_exit_test(t, memory_damage_is_found, EXIT_OUR_FAULT);
    suite_add_tcase(s, t);
    return run_suite(s);
}
