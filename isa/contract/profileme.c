/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "isa/contract/profileme.h"

static const struct {
    const char *name, *draft, *meaning;
} latencies[] = {
#define LATENCY(from, to, name, draft, meaning) {name, draft, meaning},
#include "isa/contract/profileme.def"
#undef LATENCY
};

const char *profileme_latency_name(enum profileme_latency l) { return latencies[l].name; }
const char *profileme_latency_draft(enum profileme_latency l) { return latencies[l].draft; }
const char *profileme_latency_meaning(enum profileme_latency l) { return latencies[l].meaning; }
