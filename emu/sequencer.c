/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sequencer (co-processor paper, section 3.4).
 *
 * Two stages, fetch/decode and execute, complete one word per cycle. A 2-bit counter per word predicts its branch. A
 * correctly predicted branch costs no cycle: the target is in the word, in a target register or, for done, in the
 * dispatch table. A misprediction costs one bubble; unconditional branches are always predicted correctly. done frees
 * the head of the buffer. If the next sample is present, its first word executes in the next cycle; otherwise the
 * co-processor waits, and the first word executes in the cycle after the arrival of the sample's last beat. interrupt
 * acts as done and halts, so a restart continues with the next sample. */
#include "emu/sequencer.h"

#include <string.h>

#include "emu/admission.h"
#include "emu/cop_state.h"
#include "emu/datapath.h"

#if defined(__clang__) || defined(__SANITIZE_ADDRESS__)
/* clang and sanitized builds: compilers need a minute for one function with all words and their checks. */
#define COP_SWITCH_DISPATCH
#define WORD_FUNCTION static __attribute__((noinline))
#else
#define WORD_FUNCTION INLINE
#pragma GCC diagnostic ignored "-Wpedantic" /* labels as values are a GNU C extension */
#endif

/* Copies the fields of a sample to the DFE. */
INLINE void extract(struct cop *c, const struct record *r)
{
    enum { AT_ONCE = 4 };
    memcpy(&c->operand[BSRC_FIELD], r->field, AT_ONCE * sizeof r->field[0]);
    for (unsigned i = AT_ONCE; i < c->buffer.fields; i += AT_ONCE)
        memcpy(&c->operand[BSRC_FIELD + i], &r->field[i], AT_ONCE * sizeof r->field[0]);
}

/* Dispatches the head sample, and looks up the first word by its opcode class. */
INLINE void sequencer_dispatch(struct cop *c, const struct record *r)
{
    uint8_t entry = c->dispatch[r->opclass];
    extract(c, r);
    c->pc = entry & (ISA_WORDS - 1);
    c->state = BUS_RUNNING;
    COP_NOTIFY(c, dispatched, cop_cycle(c), (enum opclass)r->opclass);
    if (entry == NO_DISPATCH) {
        c->state = BUS_ILLEGAL;
        COP_NOTIFY(c, stopped, cop_cycle(c));
    }
}

/* The first word of a sample is fetched when the sample is readable, and executes in the next cycle, which this
 * returns, but not before `time`. */
INLINE uint64_t first_cycle(const struct cop *c, const struct record *r, uint64_t time)
{
    const uint64_t fetched = own_cycle(c, r->readable + c->config.clock_divide - 1);
    return fetched < time ? time : fetched + 1;
}

/* Steps of the word's index register before the one that reaches the limit. */
INLINE uint64_t steps_left(const struct cop *c, const struct decoded_word *w)
{
    const uint64_t at = c->operand[w->iw], steps = w->u.idx == IDX_DEC ? at : at < w->index_max ? w->index_max - at : 0;
    return w->saturates && steps > 0 ? steps - 1 : steps;
}

/* The last word of the head sample executed in cycle `now`; c->time is the cycle after it. Frees the slot. */
INLINE void free_head(struct cop *c, uint64_t now)
{
    c->use.occupancy += c->time << c->clock_shift;
    admission_settle(c, now); /* before the slot is freed */
    buffer_pop(&c->buffer);
    c->counts.processed++;
    if (c->admission.gated)
        admission_follow_gate(c);
}

/* Copy of what changes with each sample that only counts. */
struct counting {
    uint64_t time, waiting, occupancy, peak;
    unsigned head, count, present;
};

INLINE const struct record *record_at(const struct cop *c, unsigned number)
{
    return &c->buffer.ring[number & c->buffer.ring_mask];
}

/* The word of the head sample executes in cycle `start`, and frees its slot: as free_head, with an empty admission
 * queue. */
INLINE void count_head(const struct cop *c, struct counting *k, uint64_t start)
{
    k->waiting += start - k->time;
    k->time = start + 1;
    k->occupancy += k->time << c->clock_shift;
    while (k->present < k->count && own_cycle(c, record_at(c, k->head + k->present)->delivered) <= start)
        k->present++;
    if (k->present > k->peak)
        k->peak = k->present;
    k->head++;
    k->count--;
    k->present--;
}

/* Counts up to `most` samples of the class that are at the head and whose words execute before cycle `limit`. Returns
 * their number. */
INLINE uint64_t count_heads(struct cop *c, uint8_t opclass, uint64_t most, uint64_t limit)
{
    struct buffer *b = &c->buffer;
    struct counting k = {c->time, 0, 0, c->use.peak, b->head, b->count, b->present};
    uint64_t n = 0;
    for (; n < most && k.count > 0; n++) {
        const struct record *r = record_at(c, k.head);
        const uint64_t start = first_cycle(c, r, k.time);
        if (r->opclass != opclass || start >= limit)
            break;
        count_head(c, &k, start);
    }
    c->time = k.time;
    c->counts.waiting += k.waiting;
    c->counts.processed += n;
    c->use.occupancy += k.occupancy;
    c->use.peak = k.peak;
    b->head = k.head;
    b->count = k.count;
    b->present = k.present;
    return n;
}

/* Samples of the head's class whose only word is `w`: it counts, and ends the sample. Processes them as run_words does,
 * without a dispatch of each, as long as their words execute before cycle `limit`. The admission queue is empty. */
static __attribute__((noinline)) void sequencer_count_samples(struct cop *c, struct decoded_word *w, uint64_t limit)
{
    const uint8_t opclass = buffer_at(&c->buffer, 0)->opclass;
    const uint64_t n = count_heads(c, opclass, steps_left(c, w), limit);
    if (n == 0)
        return;
    extract(c, record_at(c, c->buffer.head - 1));
    c->pc = (unsigned)(w - c->word);
    c->operand[w->iw] += w->u.idx == IDX_DEC ? -n : n;
    w->executed += n;
    c->words += n;
    c->sample_start = c->words;
    use_finished(&c->use, (enum opclass)opclass, n, n);
}

/* The first word of the head sample if it counts, as predicted, and the admission queue is empty; else NULL. */
INLINE struct decoded_word *counting_word(struct cop *c, const struct record *r)
{
    const uint8_t entry = c->dispatch[r->opclass];
    struct decoded_word *w = &c->word[entry & (ISA_WORDS - 1)];
    const bool repeats = w->counts && w->predictor == 3 && !c->owner.watched && !c->admission.gated;
    return entry != NO_DISPATCH && repeats && c->admission.queued == 0 ? w : NULL;
}

/* Waits at most until `limit` for the head sample, which exists, to become readable, and dispatches it. */
INLINE void wait_for_head(struct cop *c, uint64_t limit)
{
    const struct record *r = buffer_at(&c->buffer, 0);
    struct decoded_word *w = counting_word(c, r);
    if (w != NULL) {
        sequencer_count_samples(c, w, limit);
        if (c->buffer.count == 0)
            return;
        r = buffer_at(&c->buffer, 0);
    }
    uint64_t start = first_cycle(c, r, c->time);
    uint64_t until = start < limit ? start : limit > c->time ? limit : c->time;
    c->counts.waiting += until - c->time;
    c->time = until;
    if (start == until)
        sequencer_dispatch(c, r);
}

/* The word executed in cycle `now` ended in done or interrupt; c->time is the cycle after it. */
INLINE void finish_sample(struct cop *c, bool interrupt, uint64_t now)
{
    use_finished(&c->use, (enum opclass)buffer_at(&c->buffer, 0)->opclass, 1, sample_words(c));
    free_head(c, now);
    c->sample_start = c->words;
    c->state = interrupt ? BUS_INTERRUPT : BUS_WAITING_SAMPLE;
    if (!interrupt) {
        COP_NOTIFY(c, done, cop_cycle(c));
        return;
    }
    COP_NOTIFY(c, interrupt, cop_cycle(c));
    if (c->owner.interrupt != NULL)
        c->owner.interrupt(c->owner.interrupt_ctx, cop_cycle(c));
}

/* Returns whether the word at pc can execute; if not, sets the state to the reason. */
INLINE bool can_execute(struct cop *c)
{
    if (!c->word[c->pc].legal)
        c->state = BUS_ILLEGAL;
    else if (sample_words(c) >= c->config.runaway_words)
        c->state = BUS_RUNAWAY;
    return c->state == BUS_RUNNING;
}

/* Sets the operand slots of bus B's random codes for the word with sequence number `words`. */
static void draw_random(struct cop *c, uint64_t words)
{
    c->lfsr = cop_lfsr(c, words);
    c->lfsr_words = words;
#define BSRC(sym, code, count, lfsr_bits, ...) \
    if ((lfsr_bits) > 0)                       \
        c->operand[code] = c->lfsr & ((1u << (lfsr_bits)) - 1);
#include "isa/isa.def"
}

/* Generic code for any word, with sequence number `words`. Leaves the results of the units in `y`. */
INLINE bool sequencer_execute_any(struct cop *c, const struct decoded_word *w, struct cop_units *y, uint64_t words)
{
    if (isa_is_random(w->u.b))
        draw_random(c, words);
    return datapath_execute(c, w, y, datapath_kind_of(&w->u));
}

/* Updates the word's predictor with the branch outcome; returns whether it mispredicted. */
INLINE bool update_predictor(struct decoded_word *w, bool taken)
{
    bool expected = w->predictor >= 2;
    if (w->predictor != (taken ? 3 : 0))
        w->predictor = (uint8_t)(taken ? w->predictor + 1 : w->predictor - 1);
    return taken != expected;
}

/* Advances time by `spent` cycles, `bubbles` of them without a word. */
INLINE void pass_cycles(struct cop *c, uint64_t spent, uint64_t bubbles)
{
    c->time += spent;
    c->counts.bubbles += bubbles;
    c->words += spent - bubbles;
}

INLINE bool ends_sample(const struct cop *c, const struct decoded_word *next) { return next >= &c->word[NEXT_DONE]; }

/* Sets pc to the next word; at the end of a sample pc stays at its last word. */
INLINE void set_pc(struct cop *c, const struct decoded_word *last, const struct decoded_word *next)
{
    c->pc = ends_sample(c, next) ? (unsigned)(last - c->word) : (unsigned)(next - c->word) & (ISA_WORDS - 1);
}

/* Completes a sample after its last word and starts the next one, no later than `limit`. Returns whether a sample is at
 * its first word. */
INLINE bool start_next_sample(struct cop *c, const struct decoded_word *next, bool wrong, uint64_t limit)
{
    finish_sample(c, next == &c->word[NEXT_INTERRUPT], c->time - 1 - wrong);
    if (c->state == BUS_WAITING_SAMPLE && c->buffer.count == 0 && c->admission.queued > 0)
        admission_decide_oldest(c);
    if (c->state != BUS_WAITING_SAMPLE || c->buffer.count == 0)
        return false;
    wait_for_head(c, limit);
    return c->state == BUS_RUNNING;
}

/* Specialised code for the kinds of emu/words.def: datapath_execute with the operations as constants. Each function
 * returns whether the branch is taken. */
#define WORD(name, when, ...)                                                               \
    WORD_FUNCTION bool name##_##when(struct cop *c, const struct decoded_word *w)           \
    {                                                                                       \
        struct cop_units y;                                                                 \
        return datapath_execute(c, w, &y, (struct kind){.cond = COND_##when, __VA_ARGS__}); \
    }
#include "emu/words.def"

#ifdef COP_SWITCH_DISPATCH
#define CODE(name) case KIND_##name
#define GO() goto dispatch
#else
#define CODE(name) at_##name
#define GO() goto *code[w->kind]
#endif

/* Executes words from pc on, including those of following samples, up to cycle `limit` or until no sample is present or
 * a word may not be executable. Threaded code: each word ends in a computed goto to the code of the next; with
 * COP_SWITCH_DISPATCH one switch selects it. */
static void run_words(struct cop *c, uint64_t limit)
{
    uint64_t budget, bubbles;
    int64_t total, left, bubbled;
    struct decoded_word *last, *w;
start:
    budget = c->config.runaway_words - sample_words(c);
    left = total = (int64_t)(limit - c->time < budget ? limit - c->time : budget);
    bubbled = INT64_MAX;
    bubbles = 0;
    last = w = &c->word[c->pc];
#ifdef COP_SWITCH_DISPATCH
dispatch:
    switch (w->kind) {
#else
    static const void *const code[KINDS] = {
#define WORD(name, when, ...) &&at_##name##_##when,
#include "emu/words.def"
        &&at_ANY,
        &&at_FIRST,
        &&at_STOP,
    };
    GO();
    {
#endif
#define WORD(name, when, ...)                                      \
    CODE(name##_##when) :                                          \
    {                                                              \
        bool taken = name##_##when(c, w);                          \
        last = w;                                                  \
        w->executed++;                                             \
        left--;                                                    \
        if (taken) {                                               \
            w = w->target;                                         \
            if (COND_##when != COND_NEVER && last->predictor != 3) \
                goto update_taken;                                 \
        } else {                                                   \
            w++;                                                   \
            if (COND_##when != COND_NEVER && last->predictor != 0) \
                goto update_not_taken;                             \
        }                                                          \
        if (left <= 0)                                             \
            goto stop;                                             \
        GO();                                                      \
    }
#include "emu/words.def"
        CODE(ANY) :
        {
            struct cop_units y;
            bool taken = sequencer_execute_any(c, w, &y, c->words + (uint64_t)(total - left) - bubbles);
            last = w;
            w->executed++;
            left--;
            w = taken ? w->target : w + 1;
            if (last->u.cond == COND_NEVER)
                goto next;
            if (taken)
                goto update_taken;
            goto update_not_taken;
        }
        CODE(FIRST) : w = &c->word[0];
        GO();
        CODE(STOP) : goto stop;
    }
update_taken:
    if (update_predictor(last, true))
        goto bubble;
    goto next;
update_not_taken:
    if (!update_predictor(last, false))
        goto next;
bubble:
    bubbles++;
    bubbled = --left;
next:
    if (left > 0)
        GO();
stop:
    pass_cycles(c, (uint64_t)(total - left), bubbles);
    set_pc(c, last, w);
    if (ends_sample(c, w) && start_next_sample(c, w, left == bubbled, limit) && c->time < limit && !c->owner.watched)
        goto start;
}

static void add_write(struct cop_step *s, enum bus_address region, unsigned element)
{
    s->write[s->writes++] = (struct cop_write){.region = region, .element = element};
}

/* Lists the state elements that the next word can write, including an index register that keeps its value on a CAM
 * miss. */
static void list_writes(const struct cop *c, struct cop_step *s)
{
    const struct uop *u = s->uop;
    struct isa_use use = isa_uses(u, c->wide);
    unsigned address = c->base[u->base] | (unsigned)c->operand[SLOT_INDEX + u->ir];
    if (u->vsrc != VSRC_NONE)
        add_write(s, BUS_VALUES, u->vdst);
    if (use.row_write)
        add_write(s, BUS_DATA, address & (c->config.data_rows - 1));
    if (use.key_write)
        add_write(s, BUS_CAM, address & (c->config.cam_entries - 1));
    if (use.key_write && isa_has_wide_key(u, c->wide))
        add_write(s, BUS_CAM_HIGH, address & (c->config.cam_entries - 1));
    if (use.entry_write)
        add_write(s, BUS_VALID, address & (c->config.cam_entries - 1));
    if (use.index_write)
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

/* Executes one word under a watch: as in run_words, but the complete state is stored before each callback. */
static __attribute__((noinline)) void watch_word(struct cop *c)
{
    COP_NOTIFY(c, before, cop_cycle(c));
    if (c->state != BUS_RUNNING)
        return;
    if (!can_execute(c)) { /* the callback may have changed the word */
        COP_NOTIFY(c, stopped, cop_cycle(c));
        return;
    }
    struct cop_step s = {.pc = c->pc, .cycle = cop_cycle(c), .uop = &c->word[c->pc].u};
    list_writes(c, &s);
    for (unsigned i = 0; i < s.writes; i++)
        s.write[i].before = cell(c, &s.write[i]);
    struct decoded_word *w = &c->word[c->pc];
    s.taken = sequencer_execute_any(c, w, &s.units, c->words);
    bool wrong = s.uop->cond != COND_NEVER && update_predictor(w, s.taken);
    const struct decoded_word *next = s.taken ? w->target : w + 1;
    w->executed++;
    pass_cycles(c, 1 + wrong, wrong);
    set_pc(c, w, next);
    for (unsigned i = 0; i < s.writes; i++)
        s.write[i].after = cell(c, &s.write[i]);
    if (s.uop->idx == IDX_MATCH &&
        s.units.entry < 0) /* a miss keeps the index register, which is the last element listed */
        s.writes--;
    s.branch = s.uop->cond != COND_NEVER;
    s.predicted_right = !wrong;
    s.next = c->pc;
    COP_NOTIFY(c, after, &s);
    if (wrong)
        COP_NOTIFY(c, bubble, s.cycle + c->config.clock_divide);
    if (ends_sample(c, next))
        start_next_sample(c, next, wrong, c->time);
}

/* Executes words up to cycle `limit` at the latest. */
INLINE void run_or_stop(struct cop *c, uint64_t limit)
{
    if (!can_execute(c))
        COP_NOTIFY(c, stopped, cop_cycle(c));
    else if (c->owner.watched)
        watch_word(c);
    else
        run_words(c, limit);
}

/* The admission of a queued sample depends on the samples completed before its cycle, so queued samples are decided at
 * the end of each sample. */
void sequencer_advance(struct cop *c, uint64_t limit)
{
    while (c->time < limit) {
        if (c->state == BUS_RUNNING) {
            run_or_stop(c, limit);
        } else if (c->state == BUS_WAITING_SAMPLE && c->buffer.count > 0) {
            wait_for_head(c, limit);
        } else if (c->state == BUS_WAITING_SAMPLE && c->admission.queued > 0) {
            admission_decide_oldest(c);
        } else {
            c->counts.waiting += c->state == BUS_WAITING_SAMPLE ? limit - c->time : 0;
            c->time = limit;
        }
    }
    admission_settle(c, UINT64_MAX);
    if (c->buffer.count == 0)
        c->buffer.head = 0; /* reuses the first records, which stay in the host's cache */
}

void sequencer_drain(struct cop *c)
{
    while (c->state == BUS_RUNNING || (c->state == BUS_WAITING_SAMPLE && c->buffer.count + c->admission.queued > 0)) {
        if (c->state == BUS_RUNNING)
            run_or_stop(c, UINT64_MAX);
        else if (c->buffer.count > 0)
            wait_for_head(c, UINT64_MAX);
        else
            admission_decide_oldest(c);
    }
    admission_settle(c, UINT64_MAX);
}
