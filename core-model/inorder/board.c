/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/inorder/board.h"

void in_board_init(struct in_board *b, const struct core_config *cfg)
{
    *b = (struct in_board){.mem_ports = cfg->mem_ports};
#define PARAM(key, def, min, max, u, help)
#define UNIT(key, kind, n, lat, pipe, help)     \
    b->unit[RV_UNIT_##kind] = (struct in_unit){ \
        .count = cfg->key##_units, .latency = cfg->key##_cycles, .pipelined = cfg->key##_pipelined};
#include "core-model/config/config.def"
}

void in_board_begin_cycle(struct in_board *b)
{
    for (int u = 0; u < RV_UNIT_COUNT; u++)
        b->unit[u].used = 0;
}
