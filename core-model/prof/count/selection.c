/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ProfileMe's selection of instructions. Entry points: selection.h. */
#include "core-model/prof/count/selection.h"

static void load_counter(struct selection *s) { s->next += geometric_draw(&s->intervals, &s->random); }

/* Sets the event filters of the core for the next selection. */
static void wait_for_next(struct selection *s)
{
    if (s->opportunity)
        s->from_cycle.from = s->first_cycle + s->next / s->width;
    else
        s->from_seq = s->next < s->second ? s->next : s->second;
}

void selection_init(struct selection *s, const struct profileme_choice *choice, uint64_t seed)
{
    *s = (struct selection){.window = profileme_window(choice),
                            .opportunity = choice->opportunity,
                            .by_iid = choice->by_iid,
                            .iid = choice->iid,
                            .entries = 1,
                            .random = {.state = seed},
                            .second = UINT64_MAX,
                            .cycle = UINT64_MAX,
                            .width = 1};
    geometric_init(&s->intervals, choice->period);
}

void selection_subscribe(struct selection *s, struct probe_tagger *t)
{
    t->at = s->by_iid ? PROBE_MAPPED : PROBE_FETCHED;
    t->filter = s->opportunity ? &s->from_cycle : NULL;
    t->from_seq = s->opportunity || s->by_iid ? NULL : &s->from_seq;
}

void selection_attach(struct selection *s, struct core *core)
{
    s->width = core_configuration(core)->fetch_width;
    s->entries = core_configuration(core)->rob_entries;
    s->iid %= s->entries;
    s->first_cycle = core_clock(core);
    if (!s->opportunity)
        return;
    s->next = geometric_draw(&s->intervals, &s->random) - 1;
    wait_for_next(s);
}

/* Skips opportunities before `cycle`, which had no instruction. */
static void skip_useless(struct selection *s, uint64_t cycle)
{
    while (s->first_cycle + s->next / s->width < cycle) {
        s->useless++;
        load_counter(s);
    }
}

static bool is_opportunity(struct selection *s, uint64_t cycle)
{
    s->place = cycle == s->cycle ? s->place + 1 : 0;
    s->cycle = cycle;
    skip_useless(s, cycle);
    return s->next == (cycle - s->first_cycle) * s->width + s->place;
}

/* Returns whether the instruction, which enters the ROB, is the first one with the IID since the counter reached
 * zero. */
static bool has_iid(struct selection *s, uint64_t seq)
{
    if (s->entered++ % s->entries != s->iid || seq < s->next)
        return false;
    s->next = seq;
    return true;
}

struct selected selection_look(struct selection *s, uint64_t seq, uint64_t cycle)
{
    if (s->opportunity)
        return (struct selected){.counter = is_opportunity(s, cycle)};
    if (!s->begun) {
        s->begun = true;
        s->next = seq - 1;
        load_counter(s);
    }
    if (s->by_iid)
        return (struct selected){.counter = has_iid(s, seq)};
    struct selected selected = {.counter = seq == s->next, .second = seq == s->second};
    if (selected.second)
        s->second = UINT64_MAX;
    return selected;
}

void selection_squash(struct selection *s, const struct probe_insn *in)
{
    s->entered -= in->stage_cycle[PROBE_MAPPED] != 0;
}

uint64_t selection_begin_pair(struct selection *s, uint64_t seq)
{
    uint64_t distance = 1 + random_bits(&s->random) % s->window;
    s->second = seq + distance;
    return distance;
}

void selection_go_on(struct selection *s, struct selected selected)
{
    if (selected.counter)
        load_counter(s);
    wait_for_next(s);
}

void selection_finish(struct selection *s, uint64_t cycle)
{
    if (s->opportunity)
        skip_useless(s, cycle);
}
