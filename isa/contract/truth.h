/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the model knows exactly about a run, and a report sets beside a profile. The core side fills it from the probe
 * port; the host side reads it. It is not hardware. */
#ifndef ISA_CONTRACT_TRUTH_H
#define ISA_CONTRACT_TRUTH_H

#include <stdint.h>

struct truth_value {
    uint64_t value, count;
};

/* One static instruction's exact value profile: how often it retired, and its values by falling count (equal counts by
 * value). */
struct truth_load {
    uint64_t pc, count;
    const struct truth_value *values;
    uint32_t value_count;
    uint64_t stretches; /* of instances with one value: 1 where it never changes */
};

struct truth {
    void *ctx;
    /* Calls `each` for every static load that retired, by rising pc. The pointers are good during the call. */
    void (*loads)(void *ctx, void (*each)(void *arg, const struct truth_load *load), void *arg);
};

#endif
