/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/eval/experiments/dcpi_run.h"

#include <stdlib.h>

#include "core-model/riscv/describe.h"

static struct dcpi_count *find(const struct dcpi_counts *c, uint64_t pc, uint64_t next)
{
    uint64_t hash = (pc * UINT64_C(0x9e3779b97f4a7c15)) ^ (next * UINT64_C(0xc2b2ae3d27d4eb4f));
    size_t at = (size_t)(hash >> 20) & (c->rows - 1);
    while (c->row[at].count != 0 && (c->row[at].pc != pc || c->row[at].next != next))
        at = (at + 1) & (c->rows - 1);
    return &c->row[at];
}

static void grow(struct dcpi_counts *c)
{
    struct dcpi_counts larger = {.rows = c->rows != 0 ? 2 * c->rows : 1024};
    larger.row = xcalloc(larger.rows, sizeof *larger.row);
    for (size_t i = 0; i < c->rows; i++)
        if (c->row[i].count != 0)
            dcpi_counts_add(&larger, c->row[i].pc, c->row[i].next, c->row[i].count);
    free(c->row);
    *c = larger;
}

void dcpi_counts_add(struct dcpi_counts *c, uint64_t pc, uint64_t next, uint64_t count)
{
    if (2 * (c->used + 1) > c->rows)
        grow(c);
    struct dcpi_count *row = find(c, pc, next);
    c->used += row->count == 0;
    row->pc = pc;
    row->next = next;
    row->count += count;
}

uint64_t dcpi_counts_get(const struct dcpi_counts *c, uint64_t pc, uint64_t next)
{
    return c->rows != 0 ? find(c, pc, next)->count : 0;
}

static void retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct dcpi_run *r = ctx;
    (void)cycle;
    dcpi_counts_add(&r->insn, in->pc, 0, 1);
    if (in->insn->flags & (RV_BRANCH | RV_JUMP))
        dcpi_counts_add(&r->transfer, in->pc, in->outcome->next_pc, 1);
}

/* All instructions of a fetch group have the event, so the first one of a line counts. */
static void fetched(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct dcpi_run *r = ctx;
    (void)cycle;
    if ((in->events & PROBE_ICACHE_MISS) == 0)
        r->missed = 0;
    else if (r->missed != 1 + in->pc / r->cfg.line_bytes) {
        dcpi_counts_add(&r->imiss, in->pc, 0, 1);
        r->missed = 1 + in->pc / r->cfg.line_bytes;
    }
}

static void must(enum status st, const struct errmsg *err)
{
    if (st == ST_OK)
        return;
    fprintf(stderr, "%s\n", err->text);
    exit(2);
}

struct dcpi_run *dcpi_run(char *const *argv, const struct core_config *cfg, const char *profile, uint64_t most)
{
    struct dcpi_run *r = xcalloc(1, sizeof *r);
    char *envp[] = {NULL};
    struct guest_config gc = {
        .path = argv[0], .argv = argv, .envp = envp, .seed = 1, .clock_hz = (uint64_t)cfg->clock_mhz * 1000000};
    struct errmsg err = {{0}};
    must(guest_init(&r->guest, &gc, &err), &err);
    must(symbols_new(&r->symbols, argv[0], "", &err), &err);
    r->cfg = *cfg;
    r->core = core_new(cfg, &r->guest);
    r->set = observers_new();
    must(*profile != '\0' ? observers_create(r->set, profile, 1, &err) : ST_OK, &err);
    observers_attach(r->set, r->core);
    struct probe_listener o = {.ctx = r};
    o.stage[PROBE_RETIRED] = retired;
    o.stage[PROBE_FETCHED] = fetched;
    core_subscribe(r->core, &o);
    (void)core_run(r->core, most);
    core_end(r->core);
    r->cycles = core_cycle(r->core);
    r->retired = core_retired(r->core);
    observers_finish(r->set, r->cycles, &r->guest.hart);
    return r;
}

void dcpi_run_free(struct dcpi_run *r)
{
    observers_free(r->set);
    symbols_free(r->symbols);
    core_free(r->core);
    guest_fini(&r->guest);
    free(r->insn.row);
    free(r->transfer.row);
    free(r->imiss.row);
    free(r);
}

static void see_range(void *ctx, uint64_t start, uint64_t end) { code_graph_add_range(ctx, start, end); }
static void see_entry(void *ctx, uint64_t start) { code_graph_add_entry(ctx, start); }

struct code_graph *dcpi_graph(struct dcpi_run *r)
{
    struct code code = rv_code(&r->guest.hart);
    struct code_graph *g = code_graph_new(&code);
    symbols_each_range(r->symbols, see_range, g);
    symbols_each_entry(r->symbols, see_entry, g);
    code_graph_resolve(g);
    code_graph_build(g);
    return g;
}
