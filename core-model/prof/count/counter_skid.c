/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The skid of a counter's samples. Entry points: counter_skid.h. */
#include "core-model/prof/count/counter_skid.h"

#include "base/status.h"
#include "core-model/prof/count/count_table.h"

enum { MOST = COUNTER_SKID_MOST, WAITS = 64 };

/* Samples whose instruction has retired but whose next instruction with the event has not. */
struct wait {
    unsigned event;
    uint64_t number; /* number of the sampled instruction */
    uint64_t last;   /* number of the nearest instruction at or before it with the event; 0: none */
    uint64_t samples;
};

struct skid {
    unsigned events;
    enum count_kind kind[COUNT_KINDS];
    uint64_t last[COUNT_KINDS]; /* number of the last instruction with the event; 0: none */
    uint64_t number;            /* instructions retired */
    unsigned event;             /* event of the samples whose instruction has not retired */
    uint64_t pc, samples;       /* their address and number */
    struct wait wait[WAITS];    /* the oldest first */
    unsigned waits;
    uint64_t unplaced;
    uint64_t at[][2 * MOST + 1]; /* samples by event and distance + MOST */
};

struct skid *skid_new(const enum count_kind *kinds, unsigned count)
{
    struct skid *s = xcalloc(1, sizeof *s + count * sizeof s->at[0]);
    s->events = count;
    for (unsigned e = 0; e < count; e++)
        s->kind[e] = kinds[e];
    return s;
}

void skid_sample(struct skid *s, unsigned event, uint64_t pc)
{
    if (s->samples != 0 && (s->pc != pc || s->event != event)) {
        s->unplaced += s->samples;
        s->samples = 0;
    }
    s->event = event;
    s->pc = pc;
    s->samples++;
}

/* Adds samples to the histogram. `next`: number of the next instruction with the event; 0: unknown. */
static void counter_skid_place(struct skid *s, const struct wait *w, uint64_t next)
{
    uint64_t behind = w->last != 0 ? w->number - w->last : UINT64_MAX;
    uint64_t ahead = next != 0 ? next - w->number : UINT64_MAX, least = behind <= ahead ? behind : ahead;
    if (least == UINT64_MAX) {
        s->unplaced += w->samples;
        return;
    }
    least = least < MOST ? least : MOST;
    s->at[w->event][behind <= ahead ? MOST + least : MOST - least] += w->samples;
}

/* The retired instruction had the event. */
static void found(struct skid *s, unsigned event)
{
    unsigned kept = 0;
    s->last[event] = s->number;
    for (unsigned n = 0; n < s->waits; n++)
        if (s->wait[n].event == event)
            counter_skid_place(s, &s->wait[n], s->number);
        else
            s->wait[kept++] = s->wait[n];
    s->waits = kept;
}

static void drop_oldest(struct skid *s)
{
    counter_skid_place(s, &s->wait[0], 0);
    s->waits--;
    for (unsigned n = 0; n < s->waits; n++)
        s->wait[n] = s->wait[n + 1];
}

void skid_retire(struct skid *s, const struct probe_insn *in)
{
    s->number++;
    for (unsigned e = 0; e < s->events; e++)
        if (count_adds(s->kind[e], in))
            found(s, e);
    while (s->waits > 0 && s->number - s->wait[0].number >= MOST)
        drop_oldest(s);
    if (s->samples == 0 || in->pc != s->pc)
        return;
    if (s->waits == WAITS)
        drop_oldest(s);
    s->wait[s->waits++] = (struct wait){
        .event = s->event, .number = s->number, .last = s->last[s->event], .samples = s->samples};
    s->samples = 0;
}

struct counter_skid *skid_finish(struct skid *s, size_t *count, uint64_t *unplaced)
{
    struct counter_skid *out = xcalloc((size_t)s->events * (2 * MOST + 1), sizeof *out);
    while (s->waits > 0)
        drop_oldest(s);
    *unplaced = s->unplaced + s->samples;
    *count = 0;
    for (unsigned e = 0; e < s->events; e++)
        for (int d = -MOST; d <= MOST; d++)
            if (s->at[e][d + MOST] != 0)
                out[(*count)++] = (struct counter_skid){.event = e, .distance = d, .samples = s->at[e][d + MOST]};
    return out;
}
