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
    c->state = BUS_RUNNING;
    COP_TELL(c, dispatched, cop_cycle(c), (enum opclass)r->opclass);
    if (entry == NO_DISPATCH) {
        c->state = BUS_ILLEGAL;
        COP_TELL(c, stopped, cop_cycle(c));
    }
}

/* The word executed in cycle `now` ended in done or interrupt; c->time is the cycle after it. */
static void finish_sample(struct cop *c, bool interrupt, uint64_t now)
{
    buffer_pop(&c->buffer);
    c->processed++;
    c->sample_words = 0;
    c->state = interrupt ? BUS_INTERRUPT : BUS_WAITING_SAMPLE;
    if (interrupt) {
        COP_TELL(c, interrupt, cop_cycle(c));
        if (c->interrupt != NULL)
            c->interrupt(c->interrupt_ctx, cop_cycle(c));
        return;
    }
    COP_TELL(c, done, cop_cycle(c));
    const struct record *next = buffer_head(&c->buffer);
    if (next != NULL && next->readable <= now * c->config.clock_divide)
        dispatch(c);
}

/* Updates a word's counter; true if it had predicted right. */
static inline bool predict(uint8_t *counter, bool taken)
{
    static const uint8_t after[2][4] = {{0, 0, 1, 2}, {1, 2, 3, 3}};
    bool right = (*counter >= 2) == taken;
    *counter = after[taken][*counter];
    return right;
}

/* How the last word executed left things. */
struct outcome {
    enum { PAUSE_LIMIT, PAUSE_DONE, PAUSE_INTERRUPT, PAUSE_STOPPED } pause;
    uint64_t now;   /* the co-processor cycle it executed in */
    bool taken, right;
};

/* Executes words from pc on, up to the cycle `limit` or until a sample is finished or cannot be. Compiled twice: nobody sees the units of a
 * co-processor that is not watched, and they stay in registers. */
static inline __attribute__((always_inline)) struct outcome execute_words(struct cop *c, uint64_t limit, struct cop_units *y)
{
    uint64_t budget = c->config.runaway_words - c->sample_words;
    unsigned pc = c->pc;
    uint64_t time = c->time, bubbles = 0, words = 0;
    struct outcome o = {.pause = PAUSE_LIMIT};
    do {
        const struct ready_word *w = &c->word[pc];
        if (!w->legal || words == budget) {
            c->state = w->legal ? BUS_RUNAWAY : BUS_ILLEGAL;
            o.pause = PAUSE_STOPPED;
            break;
        }
        words++;
        c->word_count[pc]++;
        o.taken = datapath_execute(c, w, y);
        o.now = time++;
        o.right = w->always || predict(&c->predictor[pc], o.taken);
        if (!o.right) {
            bubbles++;
            time++;
        }
        if (o.taken && (w->u.target == TARGET_DONE || w->u.target == TARGET_INTERRUPT)) {
            o.pause = w->u.target == TARGET_DONE ? PAUSE_DONE : PAUSE_INTERRUPT;
            break;
        }
        pc = o.taken ? w->target : (pc + 1) & (ISA_WORDS - 1);
    } while (time < limit);
    c->time = time;
    c->bubbles += bubbles;
    c->pc = pc;
    c->sample_words += words;
    return o;
}

static inline void after_words(struct cop *c, const struct outcome *o)
{
    if (o->pause == PAUSE_DONE || o->pause == PAUSE_INTERRUPT)
        finish_sample(c, o->pause == PAUSE_INTERRUPT, o->now);
    else if (o->pause == PAUSE_STOPPED)
        COP_TELL(c, stopped, cop_cycle(c));
}

static void add_write(struct cop_step *s, enum bus_address region, unsigned element)
{
    s->write[s->writes++] = (struct cop_write){.region = region, .element = element};
}

/* The cells that the next word can write; those of an index register that a miss leaves alone included. */
static void list_writes(const struct cop *c, struct cop_step *s)
{
    const struct uop *u = s->uop;
    unsigned address = c->base[u->base] | c->index[u->ir];
    if (u->vsrc != VSRC_NONE)
        add_write(s, BUS_VALUES, u->vdst);
    if (u->data != DATA_NONE && u->data != DATA_LD)
        add_write(s, BUS_DATA, address & (c->config.data_rows - 1));
    if (u->cam == CAM_WRITE)
        add_write(s, BUS_CAM, address & (c->config.cam_entries - 1));
    if (u->cam == CAM_WRITE || u->cam == CAM_DROP)
        add_write(s, BUS_VALID, address & (c->config.cam_entries - 1));
    if (u->idx != IDX_NONE && u->idx != IDX_TEST)
        add_write(s, BUS_INDEXES, u->iw);
}

static uint64_t cell(const struct cop *c, const struct cop_write *w)
{
    uint64_t value = 0;
    const struct cop_place place = {w->region, w->element};
    if (cop_peek(c, &place, &value) != ST_OK)
        BUG("a word wrote element %u of 0x%04x", w->element, (unsigned)w->region);
    return value;
}

/* One word of a co-processor that is watched: the same as others', with nothing held back while the watcher looks. */
static void watch_word(struct cop *c)
{
    if (c->word[c->pc].legal && c->sample_words < c->config.runaway_words)
        COP_TELL(c, before, cop_cycle(c));
    if (c->state != BUS_RUNNING)
        return;
    struct cop_step s = {.pc = c->pc, .cycle = cop_cycle(c), .uop = &c->word[c->pc].u};
    list_writes(c, &s);
    for (unsigned i = 0; i < s.writes; i++)
        s.write[i].before = cell(c, &s.write[i]);
    struct outcome o = execute_words(c, c->time + 1, &s.units);
    if (o.pause != PAUSE_STOPPED) {
        for (unsigned i = 0; i < s.writes; i++)
            s.write[i].after = cell(c, &s.write[i]);
        if (s.uop->idx == IDX_MATCH && s.units.entry < 0) /* a miss leaves the register alone: it is the last that was listed */
            s.writes--;
        s.branch = s.uop->cond != COND_NEVER;
        s.taken = o.taken;
        s.predicted_right = o.right;
        s.next = c->pc;
        COP_TELL(c, after, &s);
        if (!o.right)
            COP_TELL(c, bubble, s.cycle + c->config.clock_divide);
    }
    after_words(c, &o);
}

/* Executes words up to the cycle `limit`, or fewer. */
static void run_words(struct cop *c, uint64_t limit)
{
    if (c->watched) {
        watch_word(c);
        return;
    }
    struct cop_units y;
    struct outcome o = execute_words(c, limit, &y);
    after_words(c, &o);
}

/* Waits for the head sample, no longer than to `limit`. It is fetched in the cycle in which it is readable, and executed in the next. */
static void wait_for_sample(struct cop *c, uint64_t limit)
{
    const struct record *r = buffer_head(&c->buffer);
    uint64_t divide = c->config.clock_divide, until = limit;
    bool there = false;
    if (r != NULL) {
        uint64_t start = (r->readable + divide - 1) / divide + 1;
        if (start < until)
            until = start > c->time ? start : c->time;
        there = start <= until;
    }
    c->waiting += until - c->time;
    c->time = until;
    if (there)
        dispatch(c);
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
