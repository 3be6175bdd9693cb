/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/plugin/plugin_prefetcher.h"

_Static_assert((int)PCEMU_PREFETCHES == (int)PREFETCH_MOST, "the lines of one access");

static unsigned plugin_access(void *ctx, const struct prefetch_access *a, uint64_t *lines)
{
    const struct plugin_prefetcher *p = ctx;
    const struct pcemu_access access = {.version = PCEMU_ABI,
                                        .size = sizeof access,
                                        .address = a->addr,
                                        .pc = a->pc,
                                        .cycle = a->now,
                                        .bytes = a->bytes,
                                        .writes = a->is_write,
                                        .hit = a->level == MEM_LEVEL_L1 && !a->merged,
                                        .late = a->merged,
                                        .prefetched = a->prefetched,
                                        .level = (uint32_t)a->level + 1};
    plugin_enter(p->of.plugin, "access");
    const unsigned count = p->functions->access(p->of.state, &access, lines, PREFETCH_MOST);
    plugin_leave();
    if (count <= PREFETCH_MOST)
        return count;
    plugin_complain(p->of.plugin, "access: expected at most %d lines for one access, found %u", PREFETCH_MOST, count);
    return 0;
}

enum status plugin_prefetcher_init(struct plugin_prefetcher *p, struct plugin *plugin, const struct plugin_place *at,
                                   struct errmsg *err)
{
    p->functions = plugin->symbol->functions;
    p->prefetcher = (struct prefetcher){.access = plugin_access, .ctx = p};
    return plugin_state_init(&p->of, plugin, at, err);
}
