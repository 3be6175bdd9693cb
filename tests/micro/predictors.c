/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The predictors: what each kind can learn, and how much each table holds. */
#include "core-model/bpred/bpred.h"
#include "tests/micro/micro.h"

enum { PC = 0x10000, TRAIN = 4000, COUNTED = 1000, MANY = 4096 };

static struct bpred *predictor(const struct micro *m)
{
    struct bpred *b = calloc(1, sizeof *b);
    bpred_init(b, &m->cfg);
    return b;
}
static void predictor_free(struct bpred *b)
{
    bpred_fini(b);
    free(b);
}

/* Mispredictions in the last rounds of a branch that is taken in every `period`th. */
static uint64_t missed(const struct micro *m, int period)
{
    struct bpred *b = predictor(m);
    uint64_t history = 0, n = 0;
    for (int i = 1; i <= TRAIN; i++) {
        struct bpred_info info;
        bool taken = i % period == 0, predicted = bpred_direction(b, PC, history, &info);
        bpred_train_direction(b, PC, history, &info, taken);
        history = history << 1 | taken;
        n += i > TRAIN - COUNTED && predicted != taken;
    }
    predictor_free(b);
    return n;
}
static uint64_t two_patterns(const struct micro *m) { return missed(m, 2) + missed(m, 40); }
/* TAGE's history of 64 branches knows both; the tournament's of 12 does not reach over 40; bimodal's counter, weakly
 * not-taken at first, goes to strongly not-taken and back. */
static uint64_t two_patterns_expected(const struct micro *m)
{
    return m->cfg.predictor == 0 ? 0 : m->cfg.predictor == 1 ? COUNTED / 40 : COUNTED / 2 + COUNTED / 40;
}

/* Two branches 64 bytes apart, one taken, one not: wherever they share a counter of two bits, both go wrong for ever.
 */
enum { APART = 64 };
static uint64_t opposite_branches(const struct micro *m)
{
    struct bpred *b = predictor(m);
    uint64_t n = 0;
    for (int i = 0; i < TRAIN; i++)
        for (int second = 0; second < 2; second++) {
            struct bpred_info info;
            bool predicted = bpred_direction(b, PC + (uint64_t)second * APART, 0, &info);
            bpred_train_direction(b, PC + (uint64_t)second * APART, 0, &info, !second);
            n += i >= TRAIN - COUNTED && predicted != !second;
        }
    predictor_free(b);
    return n;
}
static bool alias(uint32_t entries) { return (APART >> 1 & (entries - 1)) == 0; }
static uint64_t opposite_expected(const struct micro *m) { return alias(m->cfg.tage_base_entries) ? 2 * COUNTED : 0; }
static void bimodal(struct micro *m) { m->cfg.predictor = 2; }
static void tournament(struct micro *m) { m->cfg.predictor = 1; }

/* Different entries of a tagged table that many branches find. */
static uint64_t tage_indices(const struct micro *m)
{
    struct bpred *b = predictor(m);
    uint8_t *seen = calloc(m->cfg.tage_entries, 1);
    uint64_t n = 0;
    for (uint64_t i = 0; i < 2 * (uint64_t)m->cfg.tage_entries; i++) {
        struct bpred_info info;
        bpred_direction(b, i * 2, 0, &info);
        n += !seen[info.tage.index[0]];
        seen[info.tage.index[0]] = 1;
    }
    free(seen);
    predictor_free(b);
    return n;
}
static uint64_t tage_indices_expected(const struct micro *m) { return m->cfg.tage_entries; }

/* The local history that a branch finds when one 64 bytes before it has been taken ten times. */
static uint64_t neighbours_history(const struct micro *m)
{
    struct bpred *b = predictor(m);
    struct bpred_info info;
    for (int i = 0; i < 10; i++) {
        bpred_direction(b, PC, 0, &info);
        bpred_train_direction(b, PC, 0, &info, true);
    }
    bpred_direction(b, PC + APART, 0, &info);
    predictor_free(b);
    return info.tour.local_history;
}
static uint64_t neighbours_history_expected(const struct micro *m) { return alias(m->cfg.local_histories) ? 0x3ff : 0; }

/* Does the global table tell two histories apart that differ in the sixth branch? */
static uint64_t other_history(const struct micro *m)
{
    struct bpred *b = predictor(m);
    struct bpred_info info;
    for (int i = 0; i < 4; i++) {
        bpred_direction(b, PC, 0, &info);
        bpred_train_direction(b, PC, 0, &info, true);
    }
    bpred_direction(b, PC, 1 << 5, &info);
    predictor_free(b);
    return info.tour.global_taken;
}
static uint64_t other_history_expected(const struct micro *m) { return m->cfg.global_entries <= 32; }

/* Targets still known after jumps `apart` bytes from each other have all been trained once. */
static uint64_t targets_kept(const struct micro *m, uint64_t jumps, uint64_t apart)
{
    struct bpred *b = predictor(m);
    uint64_t n = 0;
    for (uint64_t i = 0; i < jumps; i++)
        bpred_train_target(b, PC + i * apart, 8 + i);
    for (uint64_t i = 0; i < jumps; i++)
        n += bpred_target(b, PC + i * apart) == 8 + i;
    predictor_free(b);
    return n;
}
static uint64_t btb_kept(const struct micro *m) { return targets_kept(m, MANY, 2); }
static uint64_t btb_kept_expected(const struct micro *m) { return m->cfg.btb_entries; }
/* All in one set: as far apart as there are sets, within 4 kB, beyond which higher bits of the pc come in. */
static uint64_t btb_set_kept(const struct micro *m)
{
    return targets_kept(m, 32, 2 * m->cfg.btb_entries / m->cfg.btb_ways);
}
static uint64_t btb_set_kept_expected(const struct micro *m) { return m->cfg.btb_ways; }
static void small_btb(struct micro *m) { m->cfg.btb_entries = 16; }

/* Different entries of a table of targets that many jumps find. */
static uint64_t indirect_indices(const struct micro *m)
{
    struct bpred *b = predictor(m);
    uint8_t *seen = calloc(MANY, 1);
    uint64_t n = 0;
    for (uint64_t i = 0; m->cfg.indirect_entries != 0 && i < MANY; i++) {
        struct bpred_info info;
        bpred_indirect(b, i * 2, 0, &info);
        n += !seen[info.ittage.index[0]];
        seen[info.ittage.index[0]] = 1;
    }
    free(seen);
    predictor_free(b);
    return n;
}
static uint64_t indirect_indices_expected(const struct micro *m) { return m->cfg.indirect_entries; }

/* How many jumps back the path reaches: a jump whose target's lowest bits differ changes it for as long. */
static uint64_t path_jumps(const struct micro *m)
{
    struct bpred *b = predictor(m);
    struct bpred_history one = {.path = 0}, other = {.path = 0};
    uint64_t n = 0;
    for (bpred_history_jump(b, &one, 2); one.path != other.path; n++) {
        bpred_history_jump(b, &one, 0);
        bpred_history_jump(b, &other, 0);
    }
    predictor_free(b);
    return n;
}
static uint64_t path_jumps_expected(const struct micro *m)
{
    return (64 + m->cfg.indirect_target_bits - 1) / m->cfg.indirect_target_bits;
}

/* Returns predicted right after calls that went deeper than the stack. */
static uint64_t returns_kept(const struct micro *m)
{
    struct bpred *b = predictor(m);
    struct bpred_info info;
    uint64_t n = 0;
    for (uint64_t i = 1; i <= 512; i++)
        bpred_ras_push(b, i, &info);
    for (uint64_t i = 512; i > 0; i--)
        n += bpred_ras_pop(b, &info) == i;
    predictor_free(b);
    return n;
}
static uint64_t returns_kept_expected(const struct micro *m) { return m->cfg.ras_entries; }

static const struct micro_row rows[] = {
    {"predictor", MICRO_SHARED, VALUES(0, 1, 2), .measure = two_patterns, .expect = two_patterns_expected},
    {"tage_base_entries", MICRO_SHARED, VALUES(2, 32, 64, 16384), .set = bimodal, .measure = opposite_branches,
     .expect = opposite_expected},
    {"tage_entries", MICRO_SHARED, VALUES(64, 2048, 65536), .measure = tage_indices, .expect = tage_indices_expected},
    {"local_histories", MICRO_SHARED, VALUES(2, 32, 64, 1024), .set = tournament, .measure = neighbours_history,
     .expect = neighbours_history_expected},
    {"global_entries", MICRO_SHARED, VALUES(2, 32, 64, 4096), .set = tournament, .measure = other_history,
     .expect = other_history_expected},
    {"btb_entries", MICRO_SHARED, VALUES(16, 512, 2048), .measure = btb_kept, .expect = btb_kept_expected},
    {"btb_ways", MICRO_SHARED, VALUES(1, 2, 4, 16), .set = small_btb, .measure = btb_set_kept,
     .expect = btb_set_kept_expected},
    {"indirect_entries", MICRO_SHARED, VALUES(0, 2, 64, 1024), .measure = indirect_indices,
     .expect = indirect_indices_expected},
    {"indirect_target_bits", MICRO_SHARED, VALUES(1, 3, 4, 16), .measure = path_jumps, .expect = path_jumps_expected},
    {"ras_entries", MICRO_SHARED, VALUES(1, 2, 32, 256), .measure = returns_kept, .expect = returns_kept_expected},
};
MICRO_TABLE(predictors, rows);
