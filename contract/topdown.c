/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contract/topdown.h"

#include <string.h>

static const struct topdown_node nodes[TOPDOWN_NODES] = {
#define TOPDOWN_GROUP(path, event, meaning) {path, event, meaning},
#define TOPDOWN_LEAF(sym, path, event, statistic, meaning) {path, event, meaning},
#include "contract/topdown.def"
};

static const char *const leaf_path[TOPDOWN_LEAVES] = {
#define TOPDOWN_LEAF(sym, path, event, statistic, meaning) path,
#include "contract/topdown.def"
};

const struct topdown_node *topdown_node(unsigned number) { return &nodes[number]; }

unsigned topdown_level(const struct topdown_node *node)
{
    unsigned level = 1;
    for (const char *dot = node->path; (dot = strchr(dot, '.')) != NULL; dot++)
        level++;
    return level;
}

const char *topdown_leaf_path(enum topdown_leaf leaf) { return leaf_path[leaf]; }

uint64_t topdown_node_slots(const struct topdown_node *node, const uint64_t slots[TOPDOWN_LEAVES])
{
    const size_t length = strlen(node->path);
    uint64_t sum = 0;
    for (int l = 0; l < TOPDOWN_LEAVES; l++)
        if (strncmp(leaf_path[l], node->path, length) == 0 &&
            (leaf_path[l][length] == '\0' || leaf_path[l][length] == '.'))
            sum += slots[l];
    return sum;
}
