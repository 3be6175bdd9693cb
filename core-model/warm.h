/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functional warming of caches, TLBs and branch predictors. Private to core-model. */
#ifndef CORE_MODEL_WARM_H
#define CORE_MODEL_WARM_H

#include "core-model/engine.h"

/* See core_warm in core.h. */
enum rv_trap warm_run(const struct engine_parts *parts, uint64_t max_insts, const uint64_t *stop_pc);

#endif
