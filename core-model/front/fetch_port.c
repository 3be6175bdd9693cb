/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/front/fetch_port.h"

#include "core-model/front/miss_events.h"

void fetch_port_redirect(struct fetch_port *p, uint64_t resume)
{
    *p = (struct fetch_port){.resume = resume, .line = UINT64_MAX, .page = UINT64_MAX};
}

/* Stalls fetch until cycle `resume` for a miss with these events. */
static bool wait(struct fetch_port *p, uint32_t events, enum fetch_wait kind, uint64_t resume)
{
    p->found = events;
    p->events |= events;
    p->wait = (uint8_t)kind;
    p->resume = resume;
    return false;
}

bool fetch_port_check(struct fetch_port *p, struct hierarchy *mem, uint64_t pc, uint64_t now)
{
    uint64_t page = pc >> TLB_PAGE_BITS, line = pc >> mem->l1i.line_bits;
    if (page != p->page) {
        enum tlb_miss miss;
        uint64_t ready = tlb_access(&mem->itlb, pc, now, &miss);
        p->page = page;
        if (miss)
            return wait(p, itlb_miss_events(miss), FETCH_WAIT_ITLB, ready);
    }
    if (line != p->line) {
        struct cache_result r = hierarchy_fetch(mem, pc, now);
        p->line = line;
        if (r.level != MEM_LEVEL_L1)
            return wait(p, PROBE_ICACHE_MISS, FETCH_WAIT_ICACHE, r.done);
    }
    return true;
}
