/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sequencer and the passing of time (co-processor paper, section 3.4).
 *
 * Two stages, fetch/decode and execute: one word a cycle. A branch that its word's 2-bit counter has predicted right costs nothing: targets
 * are in the word, in a target register or, for done, in the dispatch table. One that was predicted wrong costs one bubble. A
 * branch without a condition is never predicted wrong.
 * done frees the head of the buffer; if the next sample is there, its first word executes in the next cycle, else the co-processor
 * waits, and the first word executes in the cycle after the sample's last beat has come.
 * interrupt does what done does and halts, so a restart goes on with the next sample.
 *
 * The co-processor is advanced lazily: the core's calls carry its cycle, and all that had happened by then happens first. */
#include "emu/cop.h"

#include <stdlib.h>
#include <string.h>

#include "emu/cop_state.h"

const struct cop_config cop_default_config = {
    .cam_entries = ISA_CAM_ENTRIES,
    .data_rows = ISA_DATA_ROWS,
    .buffer_bytes = 1024,
    .clock_divide = 1,
    .path_cycles = 4,
    .runaway_words = 1 << 20,
};

struct cop *cop_new(const struct cop_config *config)
{
    struct cop *c = xcalloc(1, sizeof *c);
    c->config = *config;
    c->state = BUS_HALTED;
    c->lfsr = 1;
    for (unsigned i = 0; i < ISA_WORDS; i++)
        c->legal[i] = true; /* the zero word: a nop */
    memset(c->dispatch, NO_DISPATCH, sizeof c->dispatch);
    memset(c->format, NO_FIELD, sizeof c->format);
    memset(c->index_width, 16, sizeof c->index_width);
    cam_init(&c->cam, config->cam_entries);
    buffer_init(&c->buffer, config->buffer_bytes);
    return c;
}

void cop_free(struct cop *c)
{
    if (c == NULL)
        return;
    buffer_fini(&c->buffer);
    free(c);
}

void cop_on_interrupt(struct cop *c, void (*fn)(void *ctx, uint64_t cycle), void *ctx)
{
    c->interrupt = fn;
    c->interrupt_ctx = ctx;
}

struct bus cop_bus(struct cop *c) { return (struct bus){.ctx = c, .read = bus_device_read, .write = bus_device_write}; }

static void leave_sample(struct cop *c)
{
    buffer_pop(&c->buffer);
    c->processed++;
    c->sample_words = 0;
}

static bool readable_by(const struct cop *c, const struct record *r, uint64_t cop_cycle)
{
    return r->readable <= cop_cycle * c->config.clock_divide;
}

/* Starts on the head sample, which is there. */
static void dispatch(struct cop *c)
{
    uint8_t entry = c->dispatch[buffer_head(&c->buffer)->opclass];
    c->pc = entry & (ISA_WORDS - 1);
    c->state = entry == NO_DISPATCH ? BUS_ILLEGAL : BUS_RUNNING;
}

static unsigned target_address(const struct cop *c, const struct uop *u)
{
    unsigned to = u->target < TARGET_DONE ? c->target[u->target] : c->pc + (unsigned)isa_target_offset(u->target);
    return to & (ISA_WORDS - 1);
}

/* Updates the word's counter and says whether it had predicted right. */
static bool predict(struct cop *c, const struct uop *u, bool taken)
{
    if (u->cond == COND_NEVER)
        return true;
    uint8_t *counter = &c->predictor[c->pc];
    bool right = (*counter >= 2) == taken;
    if (taken && *counter < 3)
        (*counter)++;
    else if (!taken && *counter > 0)
        (*counter)--;
    return right;
}

/* Executes the word at pc in cycle c->time and moves on. */
static void step_word(struct cop *c)
{
    const struct uop *u = &c->word[c->pc];
    if (!c->legal[c->pc]) {
        c->state = BUS_ILLEGAL;
        return;
    }
    if (++c->sample_words > c->config.runaway_words) {
        c->state = BUS_RUNAWAY;
        return;
    }
    c->words++;
    c->word_count[c->pc]++;
    bool taken = datapath_execute(c).branches;
    uint64_t now = c->time++;
    if (!predict(c, u, taken)) {
        c->bubbles++;
        c->time++;
    }
    if (!taken) {
        c->pc = (c->pc + 1) & (ISA_WORDS - 1);
    } else if (u->target == TARGET_INTERRUPT) {
        leave_sample(c);
        c->state = BUS_INTERRUPT;
        if (c->interrupt != NULL)
            c->interrupt(c->interrupt_ctx, c->time * c->config.clock_divide);
    } else if (u->target == TARGET_DONE) {
        leave_sample(c);
        const struct record *next = buffer_head(&c->buffer);
        if (next != NULL && readable_by(c, next, now))
            dispatch(c);
        else
            c->state = BUS_WAITING_SAMPLE;
    } else {
        c->pc = target_address(c, u);
    }
}

/* Waits for the head sample, no longer than to `limit`. */
static void step_waiting(struct cop *c, uint64_t limit)
{
    const struct record *r = buffer_head(&c->buffer);
    uint64_t divide = c->config.clock_divide, until = limit;
    if (r != NULL) {
        uint64_t start = (r->readable + divide - 1) / divide + 1; /* fetched in the cycle it is readable, executed in the next */
        if (start < until)
            until = start > c->time ? start : c->time;
        if (start <= until)
            dispatch(c);
    }
    c->waiting += until - c->time;
    c->time = until;
}

static void advance_to(struct cop *c, uint64_t limit)
{
    while (c->time < limit) {
        if (c->state == BUS_RUNNING)
            step_word(c);
        else if (c->state == BUS_WAITING_SAMPLE)
            step_waiting(c, limit);
        else
            c->time = limit;
    }
}

void cop_advance(struct cop *c, uint64_t cycle) { advance_to(c, cycle / c->config.clock_divide); }

/* Is there anything left to do without another sample or a command? */
static bool busy(const struct cop *c)
{
    return c->state == BUS_RUNNING || (c->state == BUS_WAITING_SAMPLE && buffer_head(&c->buffer) != NULL);
}

uint64_t cop_drain(struct cop *c)
{
    while (busy(c)) {
        if (c->state == BUS_RUNNING)
            step_word(c);
        else
            step_waiting(c, UINT64_MAX);
    }
    return c->time * c->config.clock_divide;
}

static bool sink_accept(void *ctx, enum opclass opclass, uint64_t pc, uint64_t cycle)
{
    struct cop *c = ctx;
    if (busy(c))
        cop_advance(c, cycle);
    c->offered++;
    if (c->state != BUS_HALTED && filters_pass(&c->filters, opclass, pc))
        return true;
    c->filtered++;
    return false;
}

static void sink_deliver(void *ctx, const struct sample *s)
{
    struct cop *c = ctx;
    cop_advance(c, s->cycle);
    c->delivered++;
    if (c->state == BUS_HALTED || !buffer_push(&c->buffer, c->format, c->config.path_cycles, s))
        c->dropped++;
}

struct sample_sink cop_sink(struct cop *c)
{
    struct sample_sink sink = {.ctx = c, .accept = sink_accept, .deliver = sink_deliver};
    for (unsigned i = 0; i < ISA_FIELDS; i++)
        if (c->format[i] != NO_FIELD)
            sink.wanted |= UINT64_C(1) << c->format[i];
    return sink;
}

enum bus_state cop_state(const struct cop *c) { return c->state; }
unsigned cop_pc(const struct cop *c) { return c->pc; }
uint64_t cop_word_count(const struct cop *c, unsigned word) { return c->word_count[word]; }
