/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/probe_port.h"

void probe_port_attach(struct probe_port *p, const struct probe_observer *o)
{
    for (int s = 0; s < PROBE_STAGE_COUNT; s++) {
        struct observer_list *l = &p->stage_list[s];
        if (o->stage[s] == NULL)
            continue;
        if (l->count == CORE_MAX_OBSERVERS)
            BUG("more than %d observers", CORE_MAX_OBSERVERS);
        l->to[l->count].call = o->stage[s];
        l->to[l->count++].ctx = o->ctx;
        p->stages_wanted |= 1u << s;
    }
    struct token_list *t = &p->token_list;
    if (o->token == NULL)
        return;
    if (t->count == CORE_MAX_OBSERVERS)
        BUG("more than %d observers", CORE_MAX_OBSERVERS);
    t->to[t->count].call = o->token;
    t->to[t->count++].ctx = o->ctx;
}

void probe_port_stage(const struct probe_port *p, const struct probe_insn *in, enum probe_stage stage, uint64_t cycle)
{
    const struct observer_list *l = &p->stage_list[stage];
    for (int n = 0; n < l->count; n++)
        l->to[n].call(l->to[n].ctx, in, cycle);
}

void probe_port_token(const struct probe_port *p, const struct probe_token *t)
{
    for (int n = 0; n < p->token_list.count; n++)
        p->token_list.to[n].call(p->token_list.to[n].ctx, t);
}
