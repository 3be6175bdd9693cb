/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The out-of-order core's configuration: one unsigned number per row of config.def.
 * A configuration starts as core_config_default, is changed by files and by --set, and is checked as a whole last. */
#ifndef CORE_MODEL_CONFIG_H
#define CORE_MODEL_CONFIG_H

#include <stdint.h>
#include <stdio.h>

#include "isa/isa.h"
#include "isa/support/status.h"

struct core_config {
#define PARAM(key, def, min, max, unit, help) uint32_t key;
#define UNIT(key, kind, n, lat, pipe, help) uint32_t key##_units, key##_cycles, key##_pipelined;
#include "core-model/config.def"
#undef UNIT
#undef PARAM
};

/* The core of the TIP paper's Table 1. */
void core_config_default(struct core_config *cfg);
/* Applies the file's `key = value` lines to cfg and checks the result. Errors read FILE:LINE: key KEY: expected ...,
 * found ... */
enum status core_config_load(const char *path, struct core_config *cfg, struct errmsg *err) MUST_USE;
/* Applies one "key=value". The caller runs core_config_check after the last. */
enum status core_config_set(struct core_config *cfg, const char *assignment, struct errmsg *err) MUST_USE;
/* Do the parameters fit each other? */
enum status core_config_check(const struct core_config *cfg, struct errmsg *err) MUST_USE;
/* Prints a line "KEY=" for each parameter, and "KEY=NAME" for each name of a choice: words for completion. */
void core_config_print_words(FILE *out);
/* Writes all parameters with unit, range and help, in the form core_config_load reads. */
void core_config_dump(const struct core_config *cfg, FILE *out);

/* Instructions that can enter the back end in a cycle, which bounds what can issue on average (ProfileMe paper, section
 * 5.2.3: the sustained issue width, 4 on the 21264). */
static inline unsigned core_config_issue_width(const struct core_config *cfg)
{
    return cfg->core == 0 ? cfg->decode_width : cfg->commit_width;
}

#endif
