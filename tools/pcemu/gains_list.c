/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/gains_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/list_text.h"
#include "base/number.h"
#include "base/order.h"
#include "base/status.h"
#include "core-model/ideal.h"
#include "tools/pcemu/fatal.h"
#include "tools/pcemu/gains_sources.h"
#include "tools/pcemu/idealise.h"

enum { GAINS_LIST_BYTES = 1 << 20, GAINS_MOST = 1000, GAINS_LEAST = 1000 };

/* ---- the file ---- */

static struct gains_asked *gains_list_add(struct gains_list *l)
{
    l->asked = xrealloc(l->asked, (l->count + 1) * sizeof *l->asked);
    l->asked[l->count] = (struct gains_asked){0};
    return &l->asked[l->count++];
}

/* Parses the parts of the question, which blanks separate; finds their places, unless `t` is NULL. */
static void gains_list_parse(const struct gains_list *l, struct gains_asked *a, struct target *t)
{
    char *where = xasprintf("%s:%u", l->path, a->line), *copy = xstrdup(a->places), *rest = copy, *part;
    unsigned parts = 0;
    while ((part = strsep(&rest, " \t")) != NULL) {
        if (part[0] == '\0')
            continue;
        a->causes |= idealise_parse(where, part);
        const uint64_t pc = t != NULL ? idealise_add(a->code, t, where, part) : 0;
        a->pc = parts++ == 0 ? pc : a->pc;
    }
    a->is_one = t != NULL && parts == 1 && ideal_causes(a->code, a->pc + 1) == 0;
    free(copy);
    free(where);
}

static void gains_list_read_line(struct gains_list *l, const char *question, unsigned number)
{
    if (l->count == GAINS_MOST)
        die("%s:%u: expected at most %d questions", l->path, number, GAINS_MOST);
    struct gains_asked *a = gains_list_add(l);
    *a = (struct gains_asked){.code = ideal_new(), .places = question, .line = number};
    gains_list_parse(l, a, NULL);
}

static void gains_list_read_file(struct gains_list *l)
{
    struct errmsg why;
    size_t bytes;
    unsigned number = 0;
    if (file_read(l->path, GAINS_LIST_BYTES, &l->text, &bytes, &why) != ST_OK)
        die("--gain: expected a number, or a file with a line PLACE:CAUSE for each question: %s", why.text);
    for (char *rest = l->text, *question; (question = list_text_next(&rest, &number)) != NULL;)
        gains_list_read_line(l, question, number);
    if (l->count == 0)
        die("%s: expected a line PLACE:CAUSE[+CAUSE...] for each question, found none", l->path);
}

void gains_list_read(struct gains_list *l, const char *argument)
{
    *l = (struct gains_list){0};
    const enum status st = number_parse(argument, &l->most);
    if (st == ST_RANGE || (st == ST_OK && (l->most == 0 || l->most > GAINS_MOST)))
        die("--gain: expected a number from 1 to %d, or a file, found '%s'", GAINS_MOST, argument);
    if (st == ST_OK)
        return;
    l->path = argument;
    gains_list_read_file(l);
}

void gains_list_free(struct gains_list *l)
{
    for (size_t n = 0; n < l->count; n++)
        ideal_free(l->asked[n].code);
    free(l->text);
    free(l->asked);
}

void gains_list_place(struct gains_list *l, struct target *t)
{
    if (l->path != NULL)
        idealise_prepare(t);
    for (size_t n = 0; l->path != NULL && n < l->count; n++)
        gains_list_parse(l, &l->asked[n], t);
}

/* ---- the choice ---- */

uint64_t gains_stalled(const struct time_row *r)
{
    return time_row_total(r) - r->time[TIME_EXECUTE] - r->time[TIME_HANDLER];
}

const struct time_profile *gains_exact(const struct time_result *time)
{
    for (unsigned n = 0; n < time->profiles; n++)
        if (time->profile[n].exact && time->profile[n].by_category)
            return &time->profile[n];
    return NULL;
}

/* What can delay an instruction of its kind: one whose stall is in the front end is fetched late, and a load after
 * which the pipeline was empty had overtaken a store. Waits for operands and units are not among it: their causes are
 * in the instructions waited for. 0: nothing that can be removed. */
static uint32_t gains_causes(const struct code *code, const struct time_row *r)
{
    struct code_insn in;
    if (code->describe == NULL || !code->describe(code->ctx, r->pc, &in))
        return 0;
    const bool waits = r->time[TIME_FRONTEND] > gains_stalled(r) / 2,
               replays = (in.flags & CODE_LOADS) != 0 && (in.flags & CODE_SERIAL) == 0 && r->time[TIME_FLUSH] != 0;
    return ideal_causes_of_kind(&in) | (waits ? IDEAL_ICACHE : 0) | (replays ? IDEAL_ORDERING : 0);
}

struct gains_candidate {
    uint64_t pc;
    uint32_t causes;
    double value; /* by which it is chosen */
};

ORDER(gains_by_value, struct gains_candidate, FALLING(value) RISING(pc))

/* Adds the first candidates by value, except those that overlap with a question. */
static void gains_list_take(struct gains_list *l, struct gains_candidate *c, size_t count)
{
    qsort(c, count, sizeof *c, gains_by_value);
    for (size_t n = 0; n < count && l->count < l->most; n++) {
        bool is_new = true;
        for (size_t k = 0; k < l->count; k++)
            is_new &= l->asked[k].pc != c[n].pc || (l->asked[k].causes & c[n].causes) == 0;
        if (!is_new)
            continue;
        struct gains_asked *a = gains_list_add(l);
        *a = (struct gains_asked){.pc = c[n].pc, .causes = c[n].causes, .code = ideal_new(), .is_one = true};
        ideal_add(a->code, a->pc, a->pc + 1, a->causes);
    }
}

static void gains_list_take_graph(struct gains_list *l, const struct graph_result *graph)
{
    const struct graph_profile *p = graph_profile_main(graph);
    struct gains_candidate *c = xcalloc(p->rows + 1, sizeof *c);
    size_t count = 0;
    for (size_t n = 0; n < p->rows; n++)
        if (p->row[n].gain >= (double)graph->cycles / GAINS_LEAST)
            c[count++] = (struct gains_candidate){p->row[n].pc, p->row[n].causes, p->row[n].gain};
    gains_list_take(l, c, count);
    free(c);
}

/* The time for which an instruction of the in-order core waits to issue. */
static uint64_t gains_waiting(const struct time_row *r)
{
    return r->time[TIME_STALL_ALU] + r->time[TIME_STALL_LOAD] + r->time[TIME_STALL_STORE];
}

/* The in-order core stalls at the instruction that waits for a result: adds the causes of those that compute its
 * operands. Returns the new number of candidates. */
static size_t gains_add_sources(struct gains_candidate *c, size_t count, const struct time_result *time)
{
    const struct time_profile *p = gains_exact(time);
    struct gains_sources *sources = gains_sources_new(&time->code, p);
    for (size_t n = 0; n < p->rows; n++) {
        const struct time_row *source[GAINS_SOURCES_MOST];
        const uint64_t waiting = gains_waiting(&p->row[n]);
        const bool matters = p->row[n].pc != 0 && waiting >= p->time / GAINS_LEAST;
        const size_t found = matters ? gains_sources_find(sources, &p->row[n], source) : 0;
        for (size_t k = 0; k < found; k++) {
            const uint32_t causes = gains_causes(&time->code, source[k]);
            if (causes != 0)
                c[count++] = (struct gains_candidate){source[k]->pc, causes, (double)waiting};
        }
    }
    gains_sources_free(sources);
    return count;
}

static void gains_list_take_stalls(struct gains_list *l, const struct time_result *time, bool in_order)
{
    const struct time_profile *p = gains_exact(time);
    struct gains_candidate *c = xcalloc((1 + GAINS_SOURCES_MOST) * p->rows + 1, sizeof *c);
    size_t count = 0;
    for (size_t n = 0; n < p->rows; n++) {
        const uint64_t stalled = gains_stalled(&p->row[n]);
        const uint32_t causes = p->row[n].pc != 0 && stalled >= p->time / GAINS_LEAST
                                    ? gains_causes(&time->code, &p->row[n])
                                    : 0;
        if (causes != 0)
            c[count++] = (struct gains_candidate){p->row[n].pc, causes, (double)stalled};
    }
    if (in_order)
        count = gains_add_sources(c, count, time);
    gains_list_take(l, c, count);
    free(c);
}

void gains_list_choose(struct gains_list *l, const struct time_result *time, const struct graph_result *graph,
                       bool in_order)
{
    if (l->path != NULL)
        return;
    if (graph != NULL)
        gains_list_take_graph(l, graph);
    gains_list_take_stalls(l, time, in_order);
}
