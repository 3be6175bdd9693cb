/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The way of instructions into a core: the page and the line that fetch stands in, and the wait for the next ones. */
#ifndef CORE_MODEL_FRONT_FETCH_PORT_H
#define CORE_MODEL_FRONT_FETCH_PORT_H

#include "core-model/mem/hierarchy.h"

/* What the wait until fetch_port.resume is for. */
enum fetch_wait { FETCH_WAIT_REDIRECT, FETCH_WAIT_BTB, FETCH_WAIT_ITLB, FETCH_WAIT_ICACHE, FETCH_WAIT_HANDLER };

struct fetch_port {
    uint64_t resume;     /* cycle from which fetch can go on */
    uint64_t line, page; /* numbers; UINT64_MAX: none yet */
    uint32_t events;     /* enum probe_event: what the group that waits has met */
    uint32_t found;      /* the same, of the last look alone that made it wait */
    uint8_t wait;        /* enum fetch_wait */
};

/* Fetch starts anew elsewhere, in the cycle `resume`. */
void fetch_port_redirect(struct fetch_port *p, uint64_t resume);
/* Are the translation and the line of pc there? If not, p->found are the events of the miss, and fetch waits until
 * p->resume. */
bool fetch_port_look(struct fetch_port *p, struct hierarchy *mem, uint64_t pc, uint64_t now);
static inline bool fetch_port_ready(struct fetch_port *p, struct hierarchy *mem, uint64_t pc, uint64_t now)
{
    if (pc >> TLB_PAGE_BITS == p->page && pc >> mem->l1i.line_bits == p->line)
        return true;
    return fetch_port_look(p, mem, pc, now);
}

#endif
