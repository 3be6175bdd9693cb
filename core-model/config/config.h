/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The configuration of a core: one unsigned number per row of config.def. A configuration begins as
 * core_config_default, is modified by files and by --set, and is validated as a whole last. */
#ifndef CORE_MODEL_CONFIG_CONFIG_H
#define CORE_MODEL_CONFIG_CONFIG_H

#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "isa/isa.h"

struct core_config {
#define PARAM(key, def, min, max, unit, help) uint32_t key;
#define UNIT(key, kind, n, lat, pipe, help) uint32_t key##_units, key##_cycles, key##_pipelined;
#include "core-model/config/config.def"
};

/* The core of the TIP paper's Table 1. */
void core_config_default(struct core_config *cfg);
/* Applies the file's `key = value` lines to cfg and checks the result. Errors read FILE:LINE: key KEY: expected ...,
 * found ... */
enum status core_config_load(const char *path, struct core_config *cfg, struct errmsg *err) MUST_USE;
/* core_config_load for the lines of a text, which errors call `name`. */
enum status core_config_parse(const char *name, const char *text, struct core_config *cfg, struct errmsg *err) MUST_USE;
/* Applies one "key=value". The caller calls core_config_check after the last assignment. */
enum status core_config_set(struct core_config *cfg, const char *assignment, struct errmsg *err) MUST_USE;
/* Checks the constraints between parameters. */
enum status core_config_check(const struct core_config *cfg, struct errmsg *err) MUST_USE;
/* The value of a key, in words if it has them; to be freed. */
char *core_config_value(const struct core_config *cfg, const char *key);
/* Prints the words for shell completion: a line "KEY=" for each parameter, or "KEY=NAME" for each name of a choice. */
void core_config_print_words(FILE *out);
/* Writes all parameters with unit, range and help, in the form core_config_load reads. */
void core_config_dump(const struct core_config *cfg, FILE *out);

/* Sustained issue width (ProfileMe paper, section 5.2.3: 4 on the 21264): the number of instructions that can enter
 * the back end per cycle, which bounds the mean issue rate. */
static inline unsigned core_config_issue_width(const struct core_config *cfg)
{
    return cfg->core == 0 ? cfg->decode_width : cfg->commit_width;
}

#endif
