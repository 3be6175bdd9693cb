/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/probe_port.h"

void probe_port_attach(struct probe_port *p, const struct probe_observer *o)
{
    p->open.classes = UINT32_MAX;
    p->cycles_wanted |= o->cycles != 0 ? o->cycles | 1u << PROBE_FETCHED : 0;
    p->stages_wanted |= p->cycles_wanted;
    for (int s = 0; s < PROBE_STAGE_COUNT; s++) {
        struct observer_list *l = &p->stage_list[s];
        if (o->stage[s] == NULL)
            continue;
        if (l->count == CORE_MAX_OBSERVERS)
            BUG("more than %d observers", CORE_MAX_OBSERVERS);
        l->to[l->count].call = o->stage[s];
        l->to[l->count].filter = o->filter[s] != NULL ? o->filter[s] : &p->open;
        l->to[l->count++].ctx = o->ctx;
        p->stages_wanted |= 1u << s;
    }
    if (o->tagger != NULL) {
        if (p->tagging.filter != NULL)
            BUG("two observers tag");
        p->tagging = (struct tagging){.filter = o->tagger->filter, .sink = o->tagger, .tagged = o->tagged, .ctx = o->ctx};
    }
    struct token_list *t = &p->token_list;
    if (o->token == NULL)
        return;
    if (t->count == CORE_MAX_OBSERVERS)
        BUG("more than %d observers", CORE_MAX_OBSERVERS);
    static const uint64_t every_cycle = 0;
    t->to[t->count].call = o->token;
    t->to[t->count].from = o->token_from != NULL ? o->token_from : &every_cycle;
    t->to[t->count].outline = o->token_outline;
    t->to[t->count++].ctx = o->ctx;
    p->token_from = p->banks_from = 0; /* until the first token tells */
}

void probe_port_token(struct probe_port *p, const struct probe_token *t)
{
    uint64_t end = t->cycle + t->repeat, outline = UINT64_MAX, whole = UINT64_MAX;
    for (int n = 0; n < p->token_list.count; n++) {
        const uint64_t *from = p->token_list.to[n].from;
        if (*from < end)
            p->token_list.to[n].call(p->token_list.to[n].ctx, t);
        uint64_t *least = p->token_list.to[n].outline ? &outline : &whole;
        if (*from < *least)
            *least = *from;
    }
    p->token_from = outline < whole ? outline : whole;
    p->banks_from = whole;
}
