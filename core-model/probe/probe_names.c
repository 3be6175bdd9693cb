/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/probe/probe.h"

const char *const probe_stage_names[PROBE_STAGE_COUNT] = {
#define STAGE(sym, name, meaning) name,
#include "core-model/probe/probe.def"
};

const char *const probe_event_names[PROBE_EVENT_COUNT] = {
#define EVENT(sym, name, meaning) name,
#include "core-model/probe/probe.def"
};

const char *const probe_cause_names[PROBE_CAUSE_COUNT] = {
#define CAUSE(sym, name, meaning) name,
#include "core-model/probe/probe.def"
};
