/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instruction fetch port: current page and cache line of fetch, and stalls for the next ones. */
#ifndef CORE_MODEL_FRONT_FETCH_PORT_H
#define CORE_MODEL_FRONT_FETCH_PORT_H

#include "core-model/mem/hierarchy.h"

/* Cause of the stall until fetch_port.resume. */
enum fetch_wait { FETCH_WAIT_REDIRECT, FETCH_WAIT_BTB, FETCH_WAIT_ITLB, FETCH_WAIT_ICACHE, FETCH_WAIT_HANDLER };

struct fetch_port {
    uint64_t resume;     /* first cycle in which fetch can continue */
    uint64_t line, page; /* line and page number; UINT64_MAX: none yet */
    uint32_t events;     /* enum probe_event: events of the stalled fetch packet */
    uint32_t found;      /* enum probe_event: events of the last miss only */
    uint8_t wait;        /* enum fetch_wait */
};

/* Redirects fetch, which continues in cycle `resume`. */
void fetch_port_redirect(struct fetch_port *p, uint64_t resume);
/* Returns whether translation and line of pc are available. If not, sets p->found to the events of the miss and stalls
 * fetch until p->resume. */
bool fetch_port_check(struct fetch_port *p, struct hierarchy *mem, uint64_t pc, uint64_t now);
/* Whether pc is in the current page and line. */
static inline bool fetch_port_is_at(const struct fetch_port *p, const struct hierarchy *mem, uint64_t pc)
{
    return pc >> TLB_PAGE_BITS == p->page && pc >> mem->l1i.line_bits == p->line;
}
static inline bool fetch_port_ready(struct fetch_port *p, struct hierarchy *mem, uint64_t pc, uint64_t now)
{
    return fetch_port_is_at(p, mem, pc) || fetch_port_check(p, mem, pc, now);
}

#endif
