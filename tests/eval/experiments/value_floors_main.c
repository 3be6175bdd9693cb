/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes from recorded samples which error a value profile with SLOTS slots has at least, under two models of its
 * time (docs/results/coprocessor.md).
 *
 * usage: value_floors FILE [SLOTS]
 *   FILE: a recording of loads with their results (pcemu --record-samples). SLOTS: 256 by default.
 *
 * The run is divided into WINDOWS windows of equal time. A slot that has one load for a window has all of its values
 * there. A load seen in k of the n windows in which it executes has the estimate of these windows. They are spread
 * evenly over the n, and the squared error is the mean over all positions of the first. The error is the paper's: over
 * pairs of a load and a value (host/driver/value/value_score.h), weighted by occurrences.
 *
 * Prints, separated by tabs: loads, loads with scored values, the error with the slots' time, then those with each load
 * seen in 1, 2, 4 and 8 windows, in per cent.
 *   The slots' time is SLOTS * WINDOWS windows. Each load takes as many as lower the weighted squared error most, which
 *   is known beforehand; in one window more than SLOTS loads may take one. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "core-model/record/sample_file.h"
#include "host/driver/value/value_score.h"

/* CANDIDATES counters find every value with more than 1 / (CANDIDATES + 1) of a load's executions. */
enum { WINDOWS = 80, CANDIDATES = 4 };

struct candidate {
    uint64_t value;
    uint64_t votes, count;
    uint32_t seen[WINDOWS];
};

struct load {
    uint64_t pc, executions;
    struct candidate candidate[CANDIDATES];
    uint32_t executed[WINDOWS];
    UT_hash_handle hh;
};

/* Some more windows for a load: what they lower the squared error by. */
struct step {
    double windows, gain;
};

struct floors {
    struct load *loads;
    struct step *step;
    size_t steps;
    double weight, unseen; /* occurrences of scored values; squared error of loads without a window */
};

static _Noreturn void die(const char *text)
{
    fprintf(stderr, "value_floors: %s\n", text);
    exit(2);
}

/* ---- the recording ---- */

typedef void visitor(struct load *l, uint64_t value, unsigned window);

/* Finds candidates: each counter is the excess of its value over the values without a counter (Misra and Gries). */
static void vote(struct load *l, uint64_t value, unsigned window)
{
    struct candidate *none = NULL;
    (void)window;
    l->executions++;
    for (unsigned i = 0; i < CANDIDATES; i++) {
        struct candidate *c = &l->candidate[i];
        if (c->votes != 0 && c->value == value) {
            c->votes++;
            return;
        }
        if (c->votes == 0)
            none = c;
    }
    if (none != NULL)
        *none = (struct candidate){.value = value, .votes = 1};
    for (unsigned i = 0; none == NULL && i < CANDIDATES; i++)
        l->candidate[i].votes--;
}

static void count(struct load *l, uint64_t value, unsigned window)
{
    l->executed[window]++;
    for (unsigned i = 0; i < CANDIDATES; i++)
        if (l->candidate[i].votes != 0 && l->candidate[i].value == value) {
            l->candidate[i].count++;
            l->candidate[i].seen[window]++;
        }
}

static struct load *find(struct floors *t, uint64_t pc)
{
    struct load *l;
    HASH_FIND(hh, t->loads, &pc, sizeof pc, l);
    if (l == NULL) {
        l = xcalloc(1, sizeof *l);
        l->pc = pc;
        HASH_ADD(hh, t->loads, pc, sizeof l->pc, l);
    }
    return l;
}

/* Visits all loads of the recording. `cycles`: of the run; 0: not known, all are in the first window. Returns it. */
static uint64_t read_samples(struct floors *t, const char *name, uint64_t cycles, visitor *visit)
{
    static struct sample s;
    struct errmsg err;
    struct sample_file *f;
    FILE *in = fopen(name, "rb");
    if (in == NULL)
        die("the recording cannot be opened");
    if (sample_file_open(&f, in, name, &err) != ST_OK)
        die(err.text);
    struct sample_contents what = *sample_file_contents(f);
    what.fields = (struct field_set){0};
    field_set_add(&what.fields, FIELD_RESULT);
    const struct field_set wanted = what.fields;
    if (sample_file_want(f, &what, &wanted, &err) != ST_OK)
        die(err.text);
    while (sample_file_next(f, &s)) {
        uint64_t window = cycles != 0 ? (s.cycle - sample_file_clock(f)) * WINDOWS / cycles : 0;
        if (s.opclass == OPCLASS_LOAD)
            visit(find(t, s.field[FIELD_PC]), s.field[FIELD_RESULT], window < WINDOWS ? (unsigned)window : WINDOWS - 1);
    }
    if (sample_file_error(f, &err) != ST_OK)
        die(err.text);
    cycles = sample_file_cycles(f);
    sample_file_close(f);
    fclose(in);
    return cycles;
}

/* ---- errors ---- */

static bool is_scored(const struct load *l, const struct candidate *c)
{
    return c->votes != 0 && c->count >= SCORE_MIN_COUNT && (double)c->count >= SCORE_MIN_SHARE * (double)l->executions;
}

/* The windows in which the load executes. */
static unsigned active_windows(const struct load *l, unsigned active[])
{
    unsigned n = 0;
    for (unsigned w = 0; w < WINDOWS; w++)
        if (l->executed[w] != 0)
            active[n++] = w;
    return n;
}

/* Weighted squared error of the load's values when it is seen in k windows. */
static double squared_error(const struct load *l, unsigned k)
{
    unsigned active[WINDOWS], n = active_windows(l, active);
    double sum = 0;
    for (unsigned i = 0; i < CANDIDATES && k < n; i++) {
        const struct candidate *c = &l->candidate[i];
        double share = (double)c->count / (double)l->executions, squares = 0;
        if (!is_scored(l, c))
            continue;
        for (unsigned first = 0; first < n; first++) {
            uint64_t hits = 0, all = 0;
            for (unsigned j = 0; j < k; j++) {
                unsigned w = active[(first + j * n / k) % n];
                hits += c->seen[w];
                all += l->executed[w];
            }
            double error = (all != 0 ? (double)hits / (double)all : 0) - share;
            squares += error * error;
        }
        sum += (double)c->count * squares / n;
    }
    return sum;
}

/* Adds the steps of the load, each the one with the highest gain for a window after the last. */
static void add_steps(struct floors *t, const struct load *l)
{
    unsigned active[WINDOWS], n = active_windows(l, active), at = 0;
    double error[WINDOWS + 1];
    for (unsigned k = 0; k <= n; k++)
        error[k] = squared_error(l, k);
    while (at < n) {
        unsigned best = at + 1;
        for (unsigned k = at + 2; k <= n; k++)
            if ((error[at] - error[k]) / (k - at) > (error[at] - error[best]) / (best - at))
                best = k;
        t->step = xgrow(t->step, t->steps, sizeof *t->step);
        t->step[t->steps++] = (struct step){.windows = best - at, .gain = error[at] - error[best]};
        at = best;
    }
}

static int by_gain(const void *a, const void *b)
{
    const struct step *x = a, *y = b;
    double left = x->gain / x->windows, right = y->gain / y->windows;
    return (left < right) - (left > right);
}

static double slot_time(struct floors *t, double slots)
{
    double left = slots * WINDOWS, squares = t->unseen;
    qsort(t->step, t->steps, sizeof *t->step, by_gain);
    for (size_t i = 0; i < t->steps && left > 0; i++) {
        double part = t->step[i].windows < left ? 1 : left / t->step[i].windows;
        squares -= part * t->step[i].gain;
        left -= t->step[i].windows;
    }
    return t->weight > 0 && squares > 0 ? 100 * sqrt(squares / t->weight) : 0;
}

int main(int argc, char **argv)
{
    struct floors t = {0};
    if (argc < 2 || argc > 3)
        die("usage: value_floors FILE [SLOTS]");
    double slots = argc > 2 ? strtod(argv[2], NULL) : 256;
    (void)read_samples(&t, argv[1], read_samples(&t, argv[1], 0, vote), count);
    static const unsigned seen[] = {1, 2, 4, 8};
    enum { KINDS = sizeof seen / sizeof seen[0] };
    double squares[KINDS] = {0};
    unsigned scored = 0;
    for (struct load *l = t.loads; l != NULL; l = l->hh.next) {
        double weight = 0;
        for (unsigned i = 0; i < CANDIDATES; i++)
            weight += is_scored(l, &l->candidate[i]) ? (double)l->candidate[i].count : 0;
        if (weight == 0)
            continue;
        scored++;
        t.weight += weight;
        t.unseen += squared_error(l, 0);
        for (unsigned i = 0; i < KINDS; i++)
            squares[i] += squared_error(l, seen[i]);
        add_steps(&t, l);
    }
    printf("%u\t%u\t%.4f", HASH_COUNT(t.loads), scored, slot_time(&t, slots));
    for (unsigned i = 0; i < KINDS; i++)
        printf("\t%.4f", t.weight > 0 ? 100 * sqrt(squares[i] / t.weight) : 0);
    putchar('\n');
    struct load *l, *next;
    HASH_ITER (hh, t.loads, l, next) {
        HASH_DEL(t.loads, l);
        free(l);
    }
    free(t.step);
    return 0;
}
