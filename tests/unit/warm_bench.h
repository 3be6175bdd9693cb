/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A random loop on a core, for functional warming. */
#ifndef TESTS_UNIT_WARM_BENCH_H
#define TESTS_UNIT_WARM_BENCH_H

#include "core-model/riscv/translate/translation.h"

#include "tests/unit/guest_core.h"
#include "tests/unit/random_loop.h"

enum {
    WARM_BENCH_PASSES = 1 << 20, /* more than are executed */
    WARM_BENCH_MEMORY = RV_TRANSLATE_LEAST_MIB << 20,
};

/* `translates`: the code is translated, or else interpreted. */
static inline void warm_bench_open(struct bench *b, uint64_t seed, const struct core_config *config, bool translates)
{
    struct random state = {.state = seed};
    struct program *p = program_begin();
    random_loop(p->word, &state);
    p->count = LOOP_WORDS;
    bench_open(b, p, config);
    struct hart *h = &b->guest.hart;
    loop_registers(h, &state, DATA_START, WARM_BENCH_PASSES);
    h->fcsr = seed % 4 == 0 ? FP_RUP << FCSR_FRM_SHIFT : 0;
    rv_translate(h, translates ? WARM_BENCH_MEMORY : 0, false);
}

#endif
