/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Control transfers and runs of instructions of the program, which tools make of a processor's branch records:
 *
 * - the pre-aggregated profile of perf2bolt (llvm/bolt), with link-time addresses, lines
 *     B FROM TO COUNT MISPREDICTIONS   a control transfer
 *     F FROM TO COUNT                  instructions that were executed one after the other, from the first to the last
 * - the text profile of AutoFDO's tools (--profiler=text), with addresses relative to the start of the file's mapping:
 *   the number of runs and lines FROM-TO:COUNT; the number of single addresses, 0; the number of transfers and lines
 *   FROM->TO:COUNT.
 *
 * Branch records give traces from one taken branch to the next. Here the counts of the instructions give runs of
 * instructions that go on equally often; the sums over the traces are the same. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/order.h"
#include "contract/countprof.h"
#include "host/export/insns.h"
#include "host/export/place.h"
#include "host/export/program.h"
#include "host/export/select.h"

/* Instructions that are executed one after the other, from `first` to `last`. */
struct traces_run {
    uint64_t first, last, count;
};

struct traces {
    const struct profile *p;
    uint32_t image;
    uint32_t transfers, retired, mispredicted; /* events; PROFILE_NO_EVENT: none */
    const struct profile_edge *edge;           /* of `transfers` */
    size_t edges;
    struct traces_run *run;
    size_t runs;
};

static uint32_t traces_event(const struct profile *p, enum count_kind kind)
{
    return profile_find_event(p, count_name(kind), PROFILE_EXACT);
}

static uint64_t traces_count(const struct traces *t, uint32_t event, uint64_t address)
{
    return event == PROFILE_NO_EVENT ? 0 : export_number(t->p, event, profile_value(t->p, event, t->image, address));
}

/* Sum of the transfers from an instruction. */
static uint64_t traces_taken(const struct traces *t, uint64_t address)
{
    size_t low = 0, high = t->edges;
    uint64_t sum = 0;
    SEARCH(low, high, n,
           t->edge[n].from_image < t->image || (t->edge[n].from_image == t->image && t->edge[n].from < address));
    for (size_t n = low; n < t->edges && t->edge[n].from_image == t->image && t->edge[n].from == address; n++)
        sum += export_number(t->p, t->transfers, t->edge[n].value);
    return sum;
}

/* Mispredictions are known by instruction: each of its ways has a share by its executions. */
static uint64_t traces_mispredictions(const struct traces *t, const struct profile_edge *e, uint64_t count)
{
    const uint64_t all = traces_count(t, t->mispredicted, e->from), executed = traces_count(t, t->retired, e->from);
    const double share = executed > 0 ? (double)all * (double)count / (double)executed : 0;
    return share < (double)count ? (uint64_t)(share + 0.5) : count;
}

/* Sets `n` to the next transfer within the program, from itself on, and its executions; false: there is none. */
static bool traces_transfer(const struct traces *t, size_t *n, uint64_t *count)
{
    for (; *n < t->edges; ++*n) {
        const struct profile_edge *e = &t->edge[*n];
        *count = export_number(t->p, t->transfers, e->value);
        if (e->from_image == t->image && e->to_image == t->image && *count > 0)
            return true;
    }
    return false;
}

/* How often the next instruction follows at once. */
static uint64_t traces_flow(const struct traces *t, const struct export_insn *at)
{
    const uint64_t count = traces_count(t, t->retired, at->address);
    if (export_insns_is_jump(at))
        return 0;
    const uint64_t taken = export_insns_is_branch(at) ? traces_taken(t, at->address) : 0;
    return count > taken ? count - taken : 0;
}

static void traces_add_run(struct traces *t, uint64_t first, uint64_t last, uint64_t count)
{
    t->run = xgrow(t->run, t->runs, sizeof *t->run);
    t->run[t->runs++] = (struct traces_run){first, last, count};
}

/* Adds the runs of a function. */
static void traces_add_runs(struct traces *t, const struct profile_code *code, const struct profile_symbol *symbol)
{
    struct export_insn at = {0};
    uint64_t first = 0, flow = 0;
    while (export_insns_next(&at, code, symbol)) {
        const uint64_t next = traces_flow(t, &at);
        if (next == flow)
            continue;
        if (flow > 0)
            traces_add_run(t, first, at.address, flow);
        first = at.address;
        flow = next;
    }
    if (flow > 0 && at.address > first) /* the code behind the function follows */
        traces_add_run(t, first, at.address, flow);
}

/* Both have the runs of all functions; without numbers of executions none. The caller frees t->run. */
static enum status traces_make(struct traces *t, const struct profile *p, const struct export_options *o,
                               struct errmsg *err)
{
    struct export_events events;
    *t = (struct traces){.p = p,
                         .image = export_program_image(p, o->command),
                         .retired = traces_event(p, COUNT_RETIRED),
                         .mispredicted = traces_event(p, COUNT_RETIRED_MISPREDICTED)};
    enum status st = export_select_one(p, o, EXPORT_EDGES, &events, err);
    if (st == ST_OK && t->retired == PROFILE_NO_EVENT)
        st = fail(err, ST_INPUT,
                  "the profile has no exact numbers of executions: collect them with pcemu --profile "
                  "counts");
    if (st == ST_OK) {
        const struct profile_image *i = profile_image(p, t->image);
        t->transfers = events.event[0];
        t->edge = profile_edges(p, t->transfers, &t->edges);
        for (size_t s = 0; s < i->symbols; s++)
            for (size_t c = 0; c < i->codes; c++)
                traces_add_runs(t, &i->code[c], &i->symbol[s]);
    }
    free(events.event);
    return st;
}

enum status export_write_bolt(const struct profile *p, const struct export_options *o, FILE *out, struct errmsg *err)
{
    struct traces t;
    uint64_t count;
    enum status st = traces_make(&t, p, o, err);
    for (size_t n = 0; st == ST_OK && traces_transfer(&t, &n, &count); n++)
        fprintf(out, "B %" PRIx64 " %" PRIx64 " %" PRIu64 " %" PRIu64 "\n", t.edge[n].from, t.edge[n].to, count,
                traces_mispredictions(&t, &t.edge[n], count));
    for (size_t n = 0; st == ST_OK && n < t.runs; n++)
        fprintf(out, "F %" PRIx64 " %" PRIx64 " %" PRIu64 "\n", t.run[n].first, t.run[n].last, t.run[n].count);
    free(t.run);
    return st;
}

enum status export_write_autofdo_text(const struct profile *p, const struct export_options *o, FILE *out,
                                      struct errmsg *err)
{
    struct traces t;
    uint64_t count, transfers = 0;
    enum status st = traces_make(&t, p, o, err);
    const uint64_t base = st == ST_OK ? export_image_base(profile_image(p, t.image)) : 0;
    for (size_t n = 0; st == ST_OK && traces_transfer(&t, &n, &count); n++)
        transfers++;
    if (st == ST_OK)
        fprintf(out, "%zu\n", t.runs);
    for (size_t n = 0; st == ST_OK && n < t.runs; n++)
        fprintf(out, "%" PRIx64 "-%" PRIx64 ":%" PRIu64 "\n", t.run[n].first - base, t.run[n].last - base,
                t.run[n].count);
    if (st == ST_OK)
        fprintf(out, "0\n%" PRIu64 "\n", transfers);
    for (size_t n = 0; st == ST_OK && traces_transfer(&t, &n, &count); n++)
        fprintf(out, "%" PRIx64 "->%" PRIx64 ":%" PRIu64 "\n", t.edge[n].from - base, t.edge[n].to - base, count);
    free(t.run);
    return st;
}
