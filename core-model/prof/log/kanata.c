/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the Kanata log. The instructions in flight form a deque in fetch order: a squash removes from the young end,
 * retirement from the old end. A stage is written at the end of its cycle, so stages of zero duration do not appear.
 * Entry point: kanata_new. */
#include "core-model/prof/log/kanata.h"

#include <inttypes.h>
#include <stdlib.h>

const char *const kanata_form_names[KANATA_FORMS] = {"kanata", "o3pipeview"};

enum {
    LIVES = 2048,
    REGISTERS = 64
}; /* LIVES: exceeds the number of instructions in flight in any core; a power of two */

enum kanata_view { VIEW_NONE, VIEW_F, VIEW_RN, VIEW_IQ, VIEW_IS, VIEW_X, VIEW_XM, VIEW_CM };
static const char *const view_names[] = {"", "F", "Rn", "Iq", "Is", "X", "Xm", "Cm"};

struct life {
    uint64_t seq, id;
    uint64_t old_writer;   /* seq of the previous writer of its destination; 0: none in the window */
    uint8_t shown, wanted; /* enum view */
    uint8_t dst;
    bool mapped;  /* stage Rn has not been written */
    bool touched; /* in the list of changed instructions */
};

struct kanata {
    struct observer base;
    FILE *out;
    struct window *window;
    bool begun;
    uint64_t cycle; /* cycle of the last line written */
    uint64_t next_id, logged_retired;
    uint64_t head, tail; /* positions in life[] */
    uint64_t writer[REGISTERS];
    uint32_t touched_count;
    uint64_t touched[LIVES]; /* seq */
    struct life life[LIVES];
};

static struct life *life_find(struct kanata *k, uint64_t seq)
{
    uint64_t low = k->head, high = k->tail;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        struct life *l = &k->life[middle % LIVES];
        if (l->seq == seq)
            return l;
        if (l->seq < seq)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static void touch(struct kanata *k, struct life *l)
{
    if (l->touched)
        return;
    l->touched = true;
    k->touched[k->touched_count++] = l->seq;
}

static void kanata_show(struct kanata *k, struct life *l, enum kanata_view view)
{
    if (l->shown == view)
        return;
    if (l->shown != VIEW_NONE)
        fprintf(k->out, "E\t%" PRIu64 "\t0\t%s\n", l->id, view_names[l->shown]);
    if (view != VIEW_NONE)
        fprintf(k->out, "S\t%" PRIu64 "\t0\t%s\n", l->id, view_names[view]);
    l->shown = (uint8_t)view;
}

/* Writes the changes of the last line's cycle. For an instruction renamed in this cycle it writes Rn, and the next
 * stage one cycle later. */
static void write_changes(struct kanata *k)
{
    uint32_t kept = 0;
    for (uint32_t n = 0; n < k->touched_count; n++) {
        struct life *l = life_find(k, k->touched[n]);
        if (l == NULL)
            continue;
        if (l->mapped) {
            l->mapped = false;
            kanata_show(k, l, VIEW_RN);
            k->touched[kept++] = l->seq;
        } else {
            kanata_show(k, l, (enum kanata_view)l->wanted);
            l->touched = false;
        }
    }
    k->touched_count = kept;
}

static void kanata_advance(struct kanata *k, uint64_t cycle)
{
    while (k->begun && k->cycle < cycle) {
        write_changes(k);
        uint64_t step = k->touched_count > 0 ? 1 : cycle - k->cycle;
        fprintf(k->out, "C\t%" PRIu64 "\n", step);
        k->cycle += step;
    }
    if (!k->begun)
        fprintf(k->out, "C=\t%" PRIu64 "\n", cycle);
    k->begun = true;
    k->cycle = cycle;
}

static void write_label(struct kanata *k, const struct life *l, const struct probe_insn *in)
{
    char text[96];
    rv_print_flat(text, sizeof text, in->insn, in->pc);
    fprintf(k->out, "I\t%" PRIu64 "\t%" PRIu64 "\t0\nL\t%" PRIu64 "\t0\t%" PRIx64 ": %s\n", l->id, in->seq, l->id,
            in->pc, text);
}

static void kanata_fetched(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct kanata *k = ctx;
    if (!window_takes(k->window, in, cycle))
        return;
    kanata_advance(k, cycle);
    if (k->tail - k->head == LIVES)
        BUG("more than %d instructions in flight", LIVES);
    struct life *l = &k->life[k->tail++ % LIVES];
    uint8_t dst = in->insn->dst;
    *l = (struct life){.seq = in->seq, .id = k->next_id++, .wanted = VIEW_F, .dst = dst, .old_writer = k->writer[dst]};
    write_label(k, l, in);
    for (int n = 0; n < 3; n++) {
        uint8_t r = in->insn->src[n];
        const struct life *producer = r != 0 && k->writer[r] != 0 ? life_find(k, k->writer[r]) : NULL;
        if (producer != NULL)
            fprintf(k->out, "W\t%" PRIu64 "\t%" PRIu64 "\t0\n", l->id, producer->id);
    }
    k->writer[dst] = in->seq;
    touch(k, l);
}

static void move_to(struct kanata *k, const struct probe_insn *in, uint64_t cycle, enum kanata_view view)
{
    struct life *l = k->head != k->tail ? life_find(k, in->seq) : NULL;
    if (l == NULL)
        return;
    kanata_advance(k, cycle);
    l->mapped |= view == VIEW_RN;
    l->wanted = (uint8_t)(view == VIEW_RN ? VIEW_IQ : view);
    touch(k, l);
}

static void kanata_mapped(void *ctx, const struct probe_insn *in, uint64_t cycle) { move_to(ctx, in, cycle, VIEW_RN); }
static void data_ready(void *ctx, const struct probe_insn *in, uint64_t cycle) { move_to(ctx, in, cycle, VIEW_IS); }
static void kanata_ready_to_retire(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    move_to(ctx, in, cycle, VIEW_CM);
}

static void issued(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    move_to(ctx, in, cycle, in->insn->flags & (RV_LOAD | RV_STORE) ? VIEW_XM : VIEW_X);
}

static void write_tooltip(struct kanata *k, uint64_t id, const struct probe_insn *in)
{
    const struct rv_outcome *o = in->outcome;
    fprintf(k->out, "L\t%" PRIu64 "\t1\tvalue 0x%" PRIx64 ", operands 0x%" PRIx64 " 0x%" PRIx64 ", next pc 0x%" PRIx64,
            id, o->value, o->operand[0], o->operand[1], o->next_pc);
    if (o->mem_bytes != 0)
        fprintf(k->out, ", %s %u byte%s at 0x%" PRIx64, o->wrote_mem ? "writes" : "reads", o->mem_bytes,
                o->mem_bytes == 1 ? "" : "s", o->ea);
    for (unsigned e = 0; e < PROBE_EVENT_COUNT; e++)
        if (in->events >> e & 1)
            fprintf(k->out, ", %s", probe_event_names[e]);
    fputc('\n', k->out);
}

static void end_life(struct kanata *k, struct life *l, bool flushed)
{
    kanata_show(k, l, VIEW_NONE);
    fprintf(k->out, "R\t%" PRIu64 "\t%" PRIu64 "\t%d\n", l->id, k->logged_retired, flushed);
    k->logged_retired += !flushed;
}

static void kanata_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct kanata *k = ctx;
    window_retires(k->window);
    struct life *l = k->head != k->tail ? &k->life[k->head % LIVES] : NULL;
    if (l == NULL || l->seq != in->seq)
        return;
    kanata_advance(k, cycle);
    write_tooltip(k, l->id, in);
    end_life(k, l, false);
    k->head++;
}

static void kanata_squashed(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct kanata *k = ctx;
    struct life *l = k->head != k->tail ? &k->life[(k->tail - 1) % LIVES] : NULL;
    if (l == NULL || l->seq != in->seq)
        return;
    kanata_advance(k, cycle);
    write_tooltip(k, l->id, in);
    end_life(k, l, true);
    k->writer[l->dst] = l->old_writer;
    k->tail--;
}

static void kanata_finish(struct observer *o, uint64_t cycles, struct hart *hart)
{
    struct kanata *k = (struct kanata *)o;
    (void)cycles, (void)hart;
    if (k->begun)
        kanata_advance(k, k->cycle + 1);
    while (k->tail != k->head)
        end_life(k, &k->life[--k->tail % LIVES], true);
}

const struct observer_kind observer_kanata = {
    .name = "kanata",
    .help = "the pipeline as a picture, for the viewer Konata",
    .finish = kanata_finish,
};

struct observer *kanata_new(FILE *out, struct window *window)
{
    struct kanata *k = xcalloc(1, sizeof *k);
    struct probe_listener *o = &k->base.probe;
    k->base.kind = &observer_kanata;
    k->out = out;
    k->window = window;
    fputs("Kanata\t0004\n", out);
    o->ctx = k;
    o->values = true;
    o->stage[PROBE_FETCHED] = kanata_fetched;
    o->stage[PROBE_MAPPED] = kanata_mapped;
    o->stage[PROBE_DATA_READY] = data_ready;
    o->stage[PROBE_ISSUED] = issued;
    o->stage[PROBE_READY_TO_RETIRE] = kanata_ready_to_retire;
    o->stage[PROBE_RETIRED] = kanata_retired;
    o->stage[PROBE_SQUASHED] = kanata_squashed;
    return &k->base;
}
