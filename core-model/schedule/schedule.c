/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The static schedule (DCPI paper, section 6.1.3) by the rules of board.h: instructions issue in order, each in the
 * first cycle in which it has no hazard; loads hit the cache. */
#include "core-model/schedule/schedule.h"

#include <stdlib.h>

#include "core-model/inorder/board.h"

struct core_schedule {
    struct core_config cfg;
    rv_decode_at *decode;
    void *ctx;
};

/* A schedule under construction. */
struct run {
    struct in_board board;
    uint32_t width, hit_cycles;
    uint64_t now;
    uint32_t used;                /* slots of this cycle that are taken */
    uint64_t all_done;            /* cycle in which all instructions issued so far are complete */
    uint64_t serial_until;        /* nothing issues before: an instruction that is alone has issued */
    int64_t writer[IN_REGISTERS]; /* by register: position of its last producer */
    int64_t last_of_unit[RV_UNIT_COUNT], last_store, last_serial, last;
};

struct wait_reason {
    bool waits;
    uint64_t until;
    enum static_stall cause;
    int64_t culprit; /* position */
};

static struct wait_reason no_reason(void) { return (struct wait_reason){.waits = false}; }

static struct wait_reason of_registers(const struct run *r, const struct rv_insn *in)
{
    struct in_wait w = in_board_registers(&r->board, in, r->board.unit[in->unit].latency, r->now);
    switch (w.hazard) {
    case IN_CLEAR:
        return no_reason();
    case IN_SOURCE:
        return (struct wait_reason){true, w.until, STATIC_OPERAND_A, r->writer[in->src[0]]};
    case IN_RESULT:
        return (struct wait_reason){true, w.until, STATIC_RESULT, r->writer[in->dst]};
    default:
        return (struct wait_reason){true, w.until, STATIC_OPERAND_B, r->writer[in->src[w.hazard - IN_SOURCE]]};
    }
}

static struct wait_reason of_slots(const struct run *r, const struct rv_insn *in)
{
    struct in_wait w = in_board_slots(&r->board, in, r->now);
    if (w.hazard != IN_CLEAR)
        return (struct wait_reason){true, w.until, STATIC_SLOTTING, r->last};
    w = in_board_units(&r->board, in, r->now);
    if (w.hazard == IN_AFTER_STORE)
        return (struct wait_reason){true, w.until, STATIC_SLOTTING, r->last_store};
    if (w.hazard == IN_BUSY)
        return (struct wait_reason){true, w.until, STATIC_UNIT, r->last_of_unit[in->unit]};
    return no_reason();
}

/* Why the instruction cannot issue in this cycle, by the order of the core's own tests. */
static struct wait_reason look(const struct run *r, const struct rv_insn *in)
{
    if (r->now < r->serial_until)
        return (struct wait_reason){true, r->serial_until, STATIC_UNIT, r->last_serial};
    if ((in->flags & RV_SERIAL) && r->now <= r->all_done && r->last >= 0)
        return (struct wait_reason){true, r->all_done + 1, STATIC_UNIT, r->last};
    struct wait_reason why = of_registers(r, in);
    return why.waits ? why : of_slots(r, in);
}

static void schedule_issue(struct run *r, const struct rv_insn *in, int64_t at)
{
    uint64_t done = r->now + r->board.unit[in->unit].latency;
    if (in->flags & RV_LOAD)
        done += r->hit_cycles;
    in_board_issue(&r->board, in, r->now);
    in_board_result(&r->board, in, done);
    if (in->unit == RV_UNIT_STORE) {
        r->board.last_store = r->now;
        r->last_store = at;
    }
    if (in->flags & RV_SERIAL) {
        r->serial_until = done + 1;
        r->last_serial = at;
    }
    if (done > r->all_done)
        r->all_done = done;
    r->writer[in->dst] = at;
    r->last_of_unit[in->unit] = at;
    r->last = at;
    r->used++;
}

static void next_cycle(struct run *r)
{
    r->now++;
    r->used = 0;
    in_board_begin_cycle(&r->board);
}

static void schedule_one(struct run *r, const struct rv_insn *in, int64_t at, struct schedule_row *row)
{
    uint64_t before = r->now;
    *row = (struct schedule_row){.cause = STATIC_SLOTTING};
    for (;;) {
        struct wait_reason why = r->used < r->width ? look(r, in) : no_reason();
        if (r->used < r->width && !why.waits)
            break;
        if (why.waits) {
            row->lost[why.cause] += r->width - r->used;
            row->cause = why.cause;
            row->culprit = why.culprit >= 0 ? (int32_t)(why.culprit - at) : 0;
        }
        next_cycle(r);
    }
    row->cycles = (double)(r->now - before);
    row->slot = r->used;
    schedule_issue(r, in, at);
}

static bool schedule_in_order(void *ctx, const uint64_t *pc, uint32_t count, struct schedule_row *out)
{
    struct core_schedule *s = ctx;
    /* The cycle before the first is full. */
    struct run r = {.width = s->cfg.commit_width,
                    .hit_cycles = s->cfg.l1d_cycles,
                    .now = IN_LOAD_AFTER_STORE + 1,
                    .used = s->cfg.commit_width,
                    .last = -1};
    in_board_init(&r.board, &s->cfg);
    for (uint32_t i = 0; i < count; i++) {
        struct rv_insn in;
        if (!s->decode(s->ctx, pc[i], &in))
            return false;
        schedule_one(&r, &in, i, &out[i]);
    }
    return true;
}

static uint32_t schedule_min_of(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* Only the narrowest stage bounds an out-of-order core: dataflow of other blocks overlaps. Where a group begins depends
 * on all instructions before, so each has the same part of a cycle. */
static bool schedule_by_width(void *ctx, const uint64_t *pc, uint32_t count, struct schedule_row *out)
{
    struct core_schedule *s = ctx;
    double cycles = 1.0 /
                    schedule_min_of(s->cfg.commit_width, schedule_min_of(s->cfg.decode_width, s->cfg.fetch_width));
    for (uint32_t i = 0; i < count; i++) {
        struct rv_insn in;
        if (!s->decode(s->ctx, pc[i], &in))
            return false;
        out[i] = (struct schedule_row){.cycles = cycles, .cause = STATIC_SLOTTING};
    }
    return true;
}

struct core_schedule *core_schedule_new(const struct core_config *cfg, rv_decode_at *decode, void *ctx)
{
    struct core_schedule *s = xcalloc(1, sizeof *s);
    *s = (struct core_schedule){.cfg = *cfg, .decode = decode, .ctx = ctx};
    return s;
}

void core_schedule_free(struct core_schedule *s) { free(s); }

static uint32_t schedule_max_of(uint32_t a, uint32_t b) { return a > b ? a : b; }

static uint32_t longest_latency(const struct core_config *cfg)
{
    uint32_t longest = schedule_max_of(cfg->alu_cycles, cfg->branch_cycles);
    longest = schedule_max_of(longest, schedule_max_of(cfg->fadd_cycles, cfg->fmul_cycles));
    return schedule_max_of(longest, schedule_max_of(cfg->fma_cycles, cfg->fmisc_cycles));
}

struct code_schedule core_schedule_interface(struct core_schedule *s)
{
    const struct core_config *cfg = &s->cfg;
    bool in_order = cfg->core != 0;
    uint32_t fill = cfg->l2_cycles + (cfg->llc_bytes != 0 ? cfg->llc_cycles : 0) + cfg->dram_cycles +
                    cfg->dram_line_cycles + (cfg->dram_row_bytes != 0 ? cfg->dram_precharge_cycles : 0);
    return (struct code_schedule){
        .ctx = s,
        .machine = {.width = cfg->commit_width,
                    .at_commit = !in_order,
                    .line_bytes = cfg->line_bytes,
                    .fetch_bytes = cfg->fetch_block_bytes,
                    .fill_cycles = fill + schedule_max_of(cfg->l1d_cycles, cfg->l1i_cycles),
                    .tlb_cycles = cfg->l2tlb_cycles +
                                  (cfg->walk_levels != 0 ? cfg->walk_levels * fill : cfg->walk_cycles),
                    .mispredict_cycles = cfg->branch_cycles + cfg->redirect_cycles + cfg->frontend_cycles,
                    .bubble_cycles = cfg->btb_miss_cycles + 1,
                    .load_cycles = cfg->load_cycles + cfg->l1d_cycles,
                    .mul_cycles = cfg->mul_cycles,
                    .div_cycles = cfg->div_cycles,
                    .fdiv_cycles = schedule_max_of(cfg->fdiv_cycles, cfg->fsqrt_cycles),
                    .longest_cycles = longest_latency(cfg),
                    .store_entries = cfg->store_queue},
        .code = in_order ? schedule_in_order : schedule_by_width};
}
