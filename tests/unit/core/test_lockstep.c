/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lock-step check: it agrees with a sound core, through stores, wrong paths, atomics, counters and system calls,
 * and it ends the process where memory or a register is not what it should be. */
#include "base/status.h"
#include "core-model/prof/log/lockstep.h"
#include "tests/unit/fault.h"
#include "tests/unit/guest_mix.h"
#include "tests/unit/suite.h"

enum { ROUNDS = 300, NOP = 0x13 };

/* Effect of a faulty core: an observer damages the guest when that many instructions have retired. */
enum harm { REGISTER, MEMORY, CODE };
struct vandal {
    struct guest *guest;
    unsigned left;
    enum harm harm;
};

/* After fence.i the core has a decoded instruction that memory does not hold. */
static void keep_code(struct hart *h, uint64_t pc)
{
    rv_follow_code(h, pc, rv_last_code_serial(h) + 1);
    ck_assert_ptr_nonnull(rv_enter_code(h, pc, NOP));
}

static void vandalise(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct vandal *v = ctx;
    (void)cycle;
    if (v->harm == CODE && in->insn->op != RV_FENCE_I)
        return;
    if (--v->left != 0)
        return;
    if (v->harm == REGISTER)
        v->guest->hart.reg[S2] ^= 1;
    else if (v->harm == MEMORY)
        *memory_at(&v->guest->hart.mem, DATA_START + 0x200) ^= 1;
    else
        keep_code(&v->guest->hart, in->pc + in->insn->length_bytes);
}

static uint64_t checked_run(struct vandal *v)
{
    struct core_config cfg = config_of(OOO);
    struct bench b;
    bench_open(&b, loop_of_everything(ROUNDS), &cfg);
    struct lockstep *k = lockstep_new(b.core, &b.guest);
    struct probe_listener bad = {.ctx = v, .stage = {[PROBE_RETIRED] = vandalise}};
    observer_attach(lockstep_observer(k), b.core);
    if (v != NULL) {
        v->guest = &b.guest;
        core_subscribe(b.core, &bad);
    }
    bench_finish(&b);
    uint64_t compared = lockstep_compared(k);
    ck_assert_uint_eq(compared, core_retired(b.core));
    observer_release(lockstep_observer(k));
    bench_close(&b);
    return compared;
}

START_TEST(sound_core_passes) { ck_assert_uint_gt(checked_run(NULL), ROUNDS * 12); }
END_TEST

START_TEST(register_damage_is_found)
{
    struct vandal v = {.left = 1000, .harm = REGISTER};
    expect_fault();
    checked_run(&v);
}
END_TEST

/* The byte is not read: the comparison of whole pages at the next system call finds it. */
START_TEST(memory_damage_is_found)
{
    struct vandal v = {.left = 1000, .harm = MEMORY};
    expect_fault();
    checked_run(&v);
}
END_TEST

START_TEST(code_damage_is_found)
{
    struct vandal v = {.left = 10, .harm = CODE};
    expect_fault();
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
    tcase_add_exit_test(t, code_damage_is_found, EXIT_OUR_FAULT);
    suite_add_tcase(s, t);
    return run_suite(s);
}
