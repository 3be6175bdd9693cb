/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Branch prediction: what each predictor must learn, targets, and a return stack that can be taken back. */
#include "base/random.h"
#include "core-model/bpred/steer.h"
#include "core-model/bpred/tage.h"

#include "tests/unit/suite.h" /* after ours: Check has a macro `fail` */
#include <stdlib.h>

enum { ROUNDS = 4000, LAST = 1000, PC = 0x10400 };

static struct bpred *predictor(uint32_t kind)
{
    struct core_config cfg;
    struct bpred *b = calloc(1, sizeof *b);
    core_config_default(&cfg);
    cfg.predictor = kind;
    cfg.ras_entries = 4;
    bpred_init(b, &cfg);
    return b;
}

static void predictor_free(struct bpred *b)
{
    bpred_fini(b);
    free(b);
}

/* Mispredictions of one branch in the last of the rounds; `outcome` gives its direction in each. */
static int mispredictions(struct bpred *b, bool (*outcome)(int round))
{
    uint64_t history = 0;
    int wrong = 0;
    for (int i = 0; i < ROUNDS; i++) {
        struct bpred_info info;
        bool taken = outcome(i), predicted = bpred_direction(b, PC, history, &info);
        bpred_train_direction(b, PC, history, &info, taken);
        history = history << 1 | taken;
        wrong += i >= ROUNDS - LAST && predicted != taken;
    }
    return wrong;
}

static bool always(int i) { return i >= 0; }
static bool alternating(int i) { return i & 1; }
static bool every_seventh(int i) { return i % 7 == 0; }
static bool every_fortieth(int i) { return i % 40 == 0; }

START_TEST(patterns)
{
    struct bpred *b = predictor((uint32_t)_i);
    ck_assert_int_eq(mispredictions(b, always), 0);
    ck_assert_int_eq(mispredictions(b, alternating), 0);
    ck_assert_int_eq(mispredictions(b, every_seventh), 0);
    int rare = mispredictions(b, every_fortieth);
    /* 40 branches back is in TAGE's history, and beyond the tournament's 12 and 10 bits. */
    if (_i == 0)
        ck_assert_int_le(rare, 2);
    else
        ck_assert_int_eq(rare, LAST / 40);
    predictor_free(b);
}
END_TEST

/* A branch that repeats what another did three branches ago. */
START_TEST(correlation)
{
    struct bpred *b = predictor((uint32_t)_i);
    uint64_t history = 0, random = 1;
    int wrong = 0;
    for (int i = 0; i < 4 * ROUNDS; i++) {
        bool direction[4];
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        direction[0] = random >> 60 & 1;
        direction[1] = true;
        direction[2] = false;
        direction[3] = direction[0];
        for (int n = 0; n < 4; n++) {
            struct bpred_info info;
            bool predicted = bpred_direction(b, PC + (uint64_t)n * 20, history, &info);
            bpred_train_direction(b, PC + (uint64_t)n * 20, history, &info, direction[n]);
            history = history << 1 | direction[n];
            wrong += n == 3 && i >= 4 * ROUNDS - LAST && predicted != direction[3];
        }
    }
    ck_assert_int_le(wrong, LAST / 50);
    predictor_free(b);
}
END_TEST

START_TEST(tage_is_28_kilobytes)
{
    struct core_config cfg;
    core_config_default(&cfg);
    uint64_t bits = cfg.tage_base_entries * 2 + TAGE_TABLES * cfg.tage_entries * (TAGE_TAG_BITS + 3 + 2);
    ck_assert_uint_eq(bits / 8, 28 * 1024);
}
END_TEST

/* The indices and tags of a history are the same whether it comes after the history one outcome shorter, as on a
 * predicted path, or after any other, as behind a squash. */
START_TEST(histories_fold_alike)
{
    struct random r = {.state = 1};
    for (unsigned bits = 6; bits <= 14; bits++) { /* from the least size on that the configuration takes */
        struct tage on;
        uint64_t history = 0;
        tage_init(&on, 16, 1u << bits);
        for (int i = 0; i < 400; i++) {
            struct tage alone;
            struct tage_info a, b;
            history = random_chance(&r, 5) ? random_bits(&r) : history << 1 | random_below(&r, 2);
            tage_init(&alone, 16, 1u << bits);
            tage_predict(&on, PC, history, &a);
            tage_predict(&alone, PC, ~history, &b);
            tage_predict(&alone, PC, history, &b);
            for (int n = 0; n < TAGE_TABLES; n++)
                ck_assert_msg(a.index[n] == b.index[n] && a.tag[n] == b.tag[n], "%u bits, history %d, table %d", bits,
                              i, n);
            tage_fini(&alone);
        }
        tage_fini(&on);
    }
}
END_TEST

START_TEST(perfect_follows_the_outcome)
{
    struct bpred *b = predictor(3);
    struct bpred_info info;
    const struct rv_insn branch = {.flags = RV_BRANCH, .imm = 64, .length_bytes = 4},
                         jump = {.flags = RV_JUMP | RV_INDIRECT, .length_bytes = 4};
    struct bpred_history history = {.branches = 1};
    bool ras = true;
    for (int i = 0; i < 4; i++) {
        struct rv_outcome o = {.next_pc = i & 1 ? PC + 64 : PC + 4, .taken = i & 1};
        ck_assert_uint_eq(steer_predict(b, &branch, PC, &o, &history, &info, &ras), o.next_pc);
        steer_train(b, &branch, PC, &history, &info, &o);
    }
    ck_assert_uint_eq(history.branches, 0x15);
    struct rv_outcome o = {.next_pc = 0x123456, .taken = true};
    ck_assert_uint_eq(steer_predict(b, &jump, PC, &o, &history, &info, &ras), 0x123456);
    ck_assert(!ras && steer_knows_target(b, PC));
    predictor_free(b);
}
END_TEST

START_TEST(targets)
{
    struct bpred *b = predictor(0);
    ck_assert_uint_eq(bpred_target(b, PC), 0);
    bpred_train_target(b, PC, 0x2000);
    ck_assert_uint_eq(bpred_target(b, PC), 0x2000);
    bpred_train_target(b, PC, 0x3000);
    ck_assert_uint_eq(bpred_target(b, PC), 0x3000);
    /* The prediction of an indirect jump is selected by its path; without an entry for the path the BTB predicts it. */
    struct bpred_info info;
    ck_assert_uint_eq(bpred_indirect(b, PC, 5, &info), 0x3000);
    for (int i = 0; i < 2 * 3; i++) {
        bpred_indirect(b, PC, i & 1 ? 6 : 5, &info);
        bpred_train_indirect(b, &info, i & 1 ? 0x5000 : 0x4000);
    }
    ck_assert_uint_eq(bpred_indirect(b, PC, 5, &info), 0x4000);
    ck_assert_uint_eq(bpred_indirect(b, PC, 6, &info), 0x5000);
    predictor_free(b);
}
END_TEST

/* Mispredictions of an indirect jump in a loop that goes to `other` once in each period and to the same place
 * otherwise, in the last of the rounds. `every` branches that are taken are in the loop. */
static int wrong_targets(struct bpred *b, int period, uint64_t other, int every)
{
    const struct rv_insn branch = {.flags = RV_BRANCH, .imm = 64, .length_bytes = 4};
    const struct rv_insn jump = {.flags = RV_JUMP | RV_INDIRECT, .opclass = OPCLASS_IJUMP, .length_bytes = 4};
    struct bpred_history history = {0};
    int wrong = 0;
    for (int i = 0; i < ROUNDS; i++) {
        struct bpred_info info;
        bool ras;
        struct bpred_history before = history;
        struct rv_outcome o = {.next_pc = i % period == 0 ? other : 0x20000, .taken = true};
        bool right = steer_predict(b, &jump, PC, &o, &history, &info, &ras) == o.next_pc;
        wrong += i >= ROUNDS - LAST && !right;
        steer_train(b, &jump, PC, &before, &info, &o);
        history = before;
        steer_note(b, &jump, true, o.next_pc, &history);
        for (int n = 0; n < every; n++) {
            struct rv_outcome taken = {.next_pc = PC + 100 + 64, .taken = true};
            before = history;
            steer_predict(b, &branch, PC + 100, &taken, &history, &info, &ras);
            steer_train(b, &branch, PC + 100, &before, &info, &taken);
            history = before;
            steer_note(b, &branch, true, taken.next_pc, &history);
        }
    }
    return wrong;
}

/* Two targets in each of the periods 1 to 8, near and far from each other, with none to three branches in the loop:
 * more than 95 % right. Without tables the target is that of the time before: wrong twice in a period. */
START_TEST(alternating_targets)
{
    static const uint64_t others[] = {0x20002, 0x20040, 0x20100, 0x21000, 0x30000, 0x4000000000};
    for (unsigned n = 0; n < sizeof others / sizeof others[0]; n++)
        for (int every = 0; every < 4; every++) {
            struct bpred *b = predictor(0);
            ck_assert_int_le(wrong_targets(b, _i, others[n], every), LAST / 20);
            predictor_free(b);
        }
    struct core_config cfg;
    struct bpred last;
    core_config_default(&cfg);
    cfg.indirect_entries = 0;
    bpred_init(&last, &cfg);
    ck_assert_int_ge(wrong_targets(&last, _i, 0x30000, 1), _i == 1 ? 0 : 2 * LAST / _i);
    bpred_fini(&last);
}
END_TEST

START_TEST(return_stack_rolls_back)
{
    struct bpred *b = predictor(0);
    struct bpred_info first, second, wrong[6];
    bpred_ras_push(b, 0x100, &first);
    bpred_ras_push(b, 0x200, &second);
    ck_assert_uint_eq(bpred_ras_pop(b, &wrong[0]), 0x200);
    bpred_ras_push(b, 0x300, &wrong[1]);
    ck_assert_uint_eq(bpred_ras_swap(b, 0x400, &wrong[2]), 0x300);
    for (int i = 3; i < 6; i++) /* over the end of its four entries */
        bpred_ras_push(b, 0x500, &wrong[i]);
    for (int i = 5; i >= 0; i--)
        bpred_ras_undo(b, &wrong[i]);
    ck_assert_uint_eq(bpred_ras_pop(b, &wrong[0]), 0x200);
    ck_assert_uint_eq(bpred_ras_pop(b, &wrong[0]), 0x100);
    predictor_free(b);
}
END_TEST

/* The TIP paper's Table 1: a 28 kB TAGE. */
START_TEST(storage_is_the_papers)
{
    struct core_config cfg;
    core_config_default(&cfg);
    ck_assert_uint_eq(tage_storage_bits(cfg.tage_base_entries, cfg.tage_entries), UINT64_C(28) * 1024 * 8);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("bpred");
    TCase *t = tcase_create("bpred");
    tcase_add_loop_test(t, patterns, 0, 2);
    tcase_add_loop_test(t, correlation, 0, 2);
    tcase_add_test(t, histories_fold_alike);
    tcase_add_test(t, perfect_follows_the_outcome);
    tcase_add_test(t, storage_is_the_papers);
    tcase_add_test(t, tage_is_28_kilobytes);
    tcase_add_test(t, targets);
    tcase_add_loop_test(t, alternating_targets, 1, 9);
    tcase_add_test(t, return_stack_rolls_back);
    suite_add_tcase(s, t);
    return run_suite(s);
}
