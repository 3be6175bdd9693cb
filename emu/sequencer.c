/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sequencer (co-processor paper, section 3.4).
 *
 * Two stages, fetch/decode and execute: one word a cycle. A branch that its word's 2-bit counter has predicted right costs nothing: targets
 * are in the word, in a target register or, for done, in the dispatch table. One that was predicted wrong costs one bubble. A
 * branch without a condition is never predicted wrong.
 * done frees the head of the buffer; if the next sample is there, its first word executes in the next cycle, else the co-processor
 * waits, and the first word executes in the cycle after the sample's last beat has come.
 * interrupt does what done does and halts, so a restart goes on with the next sample. */
#include <string.h>

#include "emu/cop_state.h"
#include "emu/datapath.h"

void sequencer_ready_word(struct cop *c, unsigned i)
{
    struct ready_word *w = &c->word[i];
    isa_decode(c->microcode[i], &w->u);
    w->legal = isa_check(&w->u) == NULL;
    if (!w->legal)
        return;
    unsigned to = w->u.target < TARGET_DONE ? c->target[w->u.target] : i + (unsigned)isa_target_offset(w->u.target);
    unsigned width = isa_lanes[w->u.lane].width;
    w->target = to & (ISA_WORDS - 1);
    w->always = w->u.cond == COND_NEVER;
    w->lane_low = isa_lanes[w->u.lane].low;
    w->lane_ones = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
    w->alu_ones = w->u.narrow ? UINT32_MAX : UINT64_MAX;
}

/* Starts on the head sample, which is there: its fields are copied to the DFE, and its class gives the first word. */
static void dispatch(struct cop *c)
{
    const struct record *r = buffer_head(&c->buffer);
    uint8_t entry = c->dispatch[r->opclass];
    memcpy(&c->operand[BSRC_FIELD], r->field, c->buffer.fields * sizeof r->field[0]);
    c->pc = entry & (ISA_WORDS - 1);
    c->state = entry == NO_DISPATCH ? BUS_ILLEGAL : BUS_RUNNING;
}

static void leave_sample(struct cop *c)
{
    buffer_pop(&c->buffer);
    c->processed++;
    c->sample_words = 0;
}

/* The word executed in cycle `now` ended in done or interrupt; c->time is the cycle after it. */
static void finish_sample(struct cop *c, unsigned target, uint64_t now)
{
    leave_sample(c);
    if (target == TARGET_INTERRUPT) {
        c->state = BUS_INTERRUPT;
        if (c->interrupt != NULL)
            c->interrupt(c->interrupt_ctx, c->time * c->config.clock_divide);
        return;
    }
    const struct record *next = buffer_head(&c->buffer);
    if (next != NULL && next->readable <= now * c->config.clock_divide)
        dispatch(c);
    else
        c->state = BUS_WAITING_SAMPLE;
}

/* Updates a word's counter; true if it had predicted right. */
static inline bool predict(uint8_t *counter, bool taken)
{
    static const uint8_t after[2][4] = {{0, 0, 1, 2}, {1, 2, 3, 3}};
    bool right = (*counter >= 2) == taken;
    *counter = after[taken][*counter];
    return right;
}

/* Executes words from pc on, up to the cycle `limit` or until a sample is finished. */
static void run_words(struct cop *c, uint64_t limit)
{
    uint64_t now, budget = c->config.runaway_words - c->sample_words;
    unsigned pc = c->pc;
    uint64_t time = c->time, bubbles = 0, words = 0;
    const struct ready_word *w;
    bool taken;
    do {
        w = &c->word[pc];
        if (!w->legal || words == budget)
            break;
        words++;
        c->word_count[pc]++;
        taken = datapath_execute(c, w);
        now = time++;
        if (!w->always && !predict(&c->predictor[pc], taken)) {
            bubbles++;
            time++;
        }
        if (taken && (w->u.target == TARGET_DONE || w->u.target == TARGET_INTERRUPT)) {
            c->time = time;
            c->bubbles += bubbles;
            c->pc = pc;
            finish_sample(c, w->u.target, now);
            return;
        }
        pc = taken ? w->target : (pc + 1) & (ISA_WORDS - 1);
    } while (time < limit);
    c->time = time;
    c->bubbles += bubbles;
    c->pc = pc;
    c->sample_words += words;
    if (time < limit)
        c->state = w->legal ? BUS_RUNAWAY : BUS_ILLEGAL;
}

/* Waits for the head sample, no longer than to `limit`. It is fetched in the cycle in which it is readable, and executed in the next. */
static void wait_for_sample(struct cop *c, uint64_t limit)
{
    const struct record *r = buffer_head(&c->buffer);
    uint64_t divide = c->config.clock_divide, until = limit;
    if (r != NULL) {
        uint64_t start = (r->readable + divide - 1) / divide + 1;
        if (start < until)
            until = start > c->time ? start : c->time;
        if (start <= until)
            dispatch(c);
    }
    c->waiting += until - c->time;
    c->time = until;
}

void sequencer_advance(struct cop *c, uint64_t limit)
{
    while (c->time < limit) {
        if (c->state == BUS_RUNNING)
            run_words(c, limit);
        else if (c->state == BUS_WAITING_SAMPLE)
            wait_for_sample(c, limit);
        else
            c->time = limit;
    }
}

bool sequencer_busy(const struct cop *c)
{
    return c->state == BUS_RUNNING || (c->state == BUS_WAITING_SAMPLE && buffer_head(&c->buffer) != NULL);
}

void sequencer_drain(struct cop *c)
{
    while (sequencer_busy(c)) {
        if (c->state == BUS_RUNNING)
            run_words(c, UINT64_MAX);
        else
            wait_for_sample(c, UINT64_MAX);
    }
}
