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

/* Starts on the head sample, which is there: its fields are copied to the DFE, and its class gives the first word. */
INLINE void dispatch(struct cop *c)
{
    enum { AT_ONCE = 4 };
    const struct record *r = buffer_head(&c->buffer);
    uint8_t entry = c->dispatch[r->opclass];
    for (unsigned i = 0; i < c->buffer.fields; i += AT_ONCE)
        memcpy(&c->operand[BSRC_FIELD + i], &r->field[i], AT_ONCE * sizeof r->field[0]);
    c->pc = entry & (ISA_WORDS - 1);
    c->state = BUS_RUNNING;
    COP_TELL(c, dispatched, cop_cycle(c), (enum opclass)r->opclass);
    if (entry == NO_DISPATCH) {
        c->state = BUS_ILLEGAL;
        COP_TELL(c, stopped, cop_cycle(c));
    }
}

/* The word executed in cycle `now` ended in done or interrupt; c->time is the cycle after it. */
INLINE void finish_sample(struct cop *c, bool interrupt, uint64_t now)
{
    use_finished(&c->use, (enum opclass)buffer_head(&c->buffer)->opclass, c->sample_words);
    c->use.occupancy += c->time << c->clock_shift;
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
    if (next != NULL && next->readable <= now << c->clock_shift)
        dispatch(c);
}

/* How the last word executed left things. */
struct outcome {
    enum { PAUSE_LIMIT, PAUSE_DONE, PAUSE_INTERRUPT } pause;
    uint64_t now;   /* the co-processor cycle it executed in */
    bool taken, right;
};

/* Is the word at pc one that can be executed? If not, the state says why. */
INLINE bool can_execute(struct cop *c)
{
    if (!c->word[c->pc].legal)
        c->state = BUS_ILLEGAL;
    else if (c->sample_words >= c->config.runaway_words)
        c->state = BUS_RUNAWAY;
    return c->state == BUS_RUNNING;
}

/* Executes words from pc on, up to the cycle `limit`, or until a sample is finished or perhaps cannot be. With `y`, by looking at each word and
 * what its units compute is left there; without, by the function that was chosen for it. Compiled twice. */
INLINE struct outcome execute_words(struct cop *c, uint64_t limit, struct cop_units *y)
{
    uint64_t start = c->time, time = start, budget = c->config.runaway_words - c->sample_words, bubbles = 0;
    struct ready_word *w;
    const struct ready_word *next = &c->word[c->pc];
    unsigned taken, wrong;
    if (limit - start > budget) /* a word takes a cycle or two */
        limit = start + budget;
    do {
        w = (struct ready_word *)next;
        w->executed++;
        taken = y == NULL ? w->run(c, w) : datapath_execute(c, w, y, kind_of(&w->u));
        c->operand[SLOT_LFSR] = lfsr_step((uint16_t)c->operand[SLOT_LFSR]);
        w->predictor = w->predict[w->predictor][taken];
        wrong = w->predictor / PREDICTOR_WRONG;
        bubbles += wrong;
        time += 1 + wrong;
        next = w->next[0];
        if (__builtin_expect(taken, 0)) { /* a jump that the host can predict: a table look-up would make each word wait for the last one */
            __asm__ volatile("");
            next = w->next[1];
        }
    } while (time < limit && next->legal);
    c->time = time;
    c->bubbles += bubbles;
    c->sample_words += time - start - bubbles;
    struct outcome o = {.pause = PAUSE_LIMIT, .taken = taken, .right = !wrong, .now = time - 1 - wrong};
    if (next >= &c->word[NEXT_DONE]) {
        o.pause = next == &c->word[NEXT_DONE] ? PAUSE_DONE : PAUSE_INTERRUPT;
        next = w;
    }
    c->pc = (unsigned)(next - c->word);
    return o;
}

INLINE void after_words(struct cop *c, const struct outcome *o)
{
    if (o->pause != PAUSE_LIMIT)
        finish_sample(c, o->pause == PAUSE_INTERRUPT, o->now);
}

static void add_write(struct cop_step *s, enum bus_address region, unsigned element)
{
    s->write[s->writes++] = (struct cop_write){.region = region, .element = element};
}

/* The cells that the next word can write; those of an index register that a miss leaves alone included. */
static void list_writes(const struct cop *c, struct cop_step *s)
{
    const struct uop *u = s->uop;
    unsigned address = c->base[u->base] | (unsigned)c->operand[SLOT_INDEX + u->ir];
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
static __attribute__((noinline)) void watch_word(struct cop *c)
{
    COP_TELL(c, before, cop_cycle(c));
    if (c->state != BUS_RUNNING)
        return;
    if (!can_execute(c)) { /* now, after a change */
        COP_TELL(c, stopped, cop_cycle(c));
        return;
    }
    struct cop_step s = {.pc = c->pc, .cycle = cop_cycle(c), .uop = &c->word[c->pc].u};
    list_writes(c, &s);
    for (unsigned i = 0; i < s.writes; i++)
        s.write[i].before = cell(c, &s.write[i]);
    struct outcome o = execute_words(c, c->time + 1, &s.units);
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
    after_words(c, &o);
}

/* Executes words up to the cycle `limit`, or fewer. */
INLINE void run_words(struct cop *c, uint64_t limit)
{
    if (!can_execute(c)) {
        COP_TELL(c, stopped, cop_cycle(c));
    } else if (c->watched) {
        watch_word(c);
    } else {
        struct outcome o = execute_words(c, limit, NULL);
        after_words(c, &o);
    }
}

/* Waits for the head sample, no longer than to `limit`. It is fetched in the cycle in which it is readable, and executed in the next. */
INLINE void wait_for_sample(struct cop *c, uint64_t limit)
{
    const struct record *r = buffer_head(&c->buffer);
    uint64_t until = limit;
    bool there = false;
    if (r != NULL) {
        uint64_t start = own_cycle(c, r->readable + c->config.clock_divide - 1) + 1;
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

/* Until nothing is left to do but to wait for a sample or the host. */
void sequencer_drain(struct cop *c)
{
    while (c->state == BUS_RUNNING || (c->state == BUS_WAITING_SAMPLE && c->buffer.count > 0)) {
        if (c->state == BUS_RUNNING)
            run_words(c, UINT64_MAX);
        else
            wait_for_sample(c, UINT64_MAX);
    }
}

/* A word takes a cycle at least, and a sample waiting at the head begins when it can be read. */
void sequencer_foresee(struct cop *c)
{
    if (!c->quiet_known)
        ready_quiet(c);
    const struct record *r = buffer_head(&c->buffer);
    unsigned quiet = QUIET_FOR_EVER;
    uint64_t from = c->time;
    if (c->state == BUS_RUNNING) {
        quiet = c->word[c->pc].quiet;
    } else if (c->state == BUS_WAITING_SAMPLE && r != NULL) {
        quiet = c->word[NEXT_DONE].quiet;
        if (own_cycle(c, r->readable) > from)
            from = own_cycle(c, r->readable);
    }
    c->quiet_until = quiet == QUIET_FOR_EVER ? UINT64_MAX : (from + quiet) << c->clock_shift;
}
