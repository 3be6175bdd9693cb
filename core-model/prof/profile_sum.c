/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/prof/profile_sum.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/status.h"
#include "contract/call_tree.h"

struct profile_sums {
    void **array; /* owned, as are its elements */
    size_t arrays;
};

struct profile_sums *profile_sums_new(void) { return xcalloc(1, sizeof(struct profile_sums)); }

void profile_sums_free(struct profile_sums *s)
{
    if (s == NULL)
        return;
    for (size_t i = 0; i < s->arrays; i++)
        free(s->array[i]);
    free(s->array);
    free(s);
}

static void *profile_sum_allocate(struct profile_sums *s, size_t count, size_t size_bytes)
{
    s->array = xgrow(s->array, s->arrays, sizeof *s->array);
    return s->array[s->arrays++] = xcalloc(count != 0 ? count : 1, size_bytes);
}

/* A kind of row: its size in bytes, its order, and how one is added to another of the same place. */
struct row_kind {
    size_t size_bytes;
    int (*compare)(const void *a, const void *b);
    void (*add)(void *sum, const void *row);
};

/* Merges two sorted arrays of rows; *rows is the number in `a`, and becomes that of the result, which `s` owns. */
static const void *profile_sum_merge(struct profile_sums *s, const struct row_kind *k, const void *a, size_t *rows,
                                     const void *b, size_t others)
{
    const size_t n = k->size_bytes;
    const char *x = a, *y = b, *x_end = x + *rows * n, *y_end = y + others * n;
    char *result = profile_sum_allocate(s, *rows + others, n), *to = result;
    while (x != x_end || y != y_end) {
        int order = x == x_end ? 1 : y == y_end ? -1 : k->compare(x, y);
        memcpy(to, order <= 0 ? x : y, n);
        if (order == 0)
            k->add(to, y);
        x += order <= 0 ? n : 0;
        y += order >= 0 ? n : 0;
        to += n;
    }
    *rows = (size_t)(to - result) / n;
    return result;
}

/* Sorted in place of the rows, which are larger. */
struct profile_sum_key {
    uint64_t pc;
    size_t row;
};

ORDER(profile_sum_compare_keys, struct profile_sum_key, RISING(pc) RISING(row))

/* Adds the row to one of the same place among those of its address, which are the last before `end`. */
static bool profile_sum_add_to(const struct row_kind *k, char *rows, char *end, const char *row)
{
    for (char *at = end; at != rows && memcmp(at - k->size_bytes, row, sizeof(uint64_t)) == 0; at -= k->size_bytes)
        if (k->compare(at - k->size_bytes, row) == 0) {
            k->add(at - k->size_bytes, row);
            return true;
        }
    return false;
}

/* A copy of rows by place in which these are addresses, sorted and summed. The address is the first member of a row. */
static const void *profile_sum_by_address(struct profile_sums *s, const struct row_kind *k, const void *place,
                                          size_t places, size_t *rows)
{
    const size_t n = k->size_bytes;
    struct profile_sum_key *key = xcalloc(places + 1, sizeof *key);
    char *result = profile_sum_allocate(s, places, n), *to = result, *row = xmalloc(n);
    for (size_t i = 0; i < places; i++) {
        memcpy(&key[i].pc, (const char *)place + i * n, sizeof key->pc);
        key[i] = (struct profile_sum_key){call_place_pc(key[i].pc), i};
    }
    qsort(key, places, sizeof *key, profile_sum_compare_keys);
    for (size_t i = 0; i < places; i++) {
        memcpy(row, (const char *)place + key[i].row * n, n);
        memcpy(row, &key[i].pc, sizeof key->pc);
        if (!profile_sum_add_to(k, result, to, row)) {
            memcpy(to, row, n);
            to += n;
        }
    }
    free(key);
    free(row);
    *rows = (size_t)(to - result) / n;
    if (*rows != 0)
        qsort(result, *rows, n, k->compare); /* by what else their order depends on */
    return result;
}

/* ---- time ---- */

ORDER(compare_times, struct time_row, RISING(pc))

static void profile_sum_add_time(void *sum, const void *row)
{
    for (int c = 0; c < TIME_CATEGORY_COUNT; c++)
        ((struct time_row *)sum)->time[c] += ((const struct time_row *)row)->time[c];
}

static const struct row_kind time_rows = {sizeof(struct time_row), compare_times, profile_sum_add_time};
_Static_assert(offsetof(struct time_row, pc) == 0, "profile_sum_by_address");

void profile_split_time(struct profile_sums *s, struct time_profile *p)
{
    p->place = p->row;
    p->places = p->rows;
    p->row = profile_sum_by_address(s, &time_rows, p->place, p->places, &p->rows);
}

void profile_sum_time(struct profile_sums *s, struct time_profile *sum, const struct time_profile *other)
{
    sum->samples += other->samples;
    sum->lost += other->lost;
    sum->time += other->time;
    sum->row = profile_sum_merge(s, &time_rows, sum->row, &sum->rows, other->row, other->rows);
    sum->place = profile_sum_merge(s, &time_rows, sum->place, &sum->places, other->place, other->places);
}

/* ---- per-instruction cycle stacks ---- */

ORDER(compare_pics, struct pics_row, RISING(pc) RISING(signature))

static void add_pics(void *sum, const void *row)
{
    for (int c = 0; c < TIME_CATEGORY_COUNT; c++)
        ((struct pics_row *)sum)->time[c] += ((const struct pics_row *)row)->time[c];
}

static const struct row_kind pics_rows = {sizeof(struct pics_row), compare_pics, add_pics};
_Static_assert(offsetof(struct pics_row, pc) == 0, "profile_sum_by_address");

void profile_split_pics(struct profile_sums *s, struct pics_profile *p)
{
    p->place = p->row;
    p->places = p->rows;
    p->row = profile_sum_by_address(s, &pics_rows, p->place, p->places, &p->rows);
}

void profile_sum_pics(struct profile_sums *s, struct pics_profile *sum, const struct pics_profile *other)
{
    sum->samples += other->samples;
    sum->squashed += other->squashed;
    sum->time += other->time;
    sum->row = profile_sum_merge(s, &pics_rows, sum->row, &sum->rows, other->row, other->rows);
    sum->place = profile_sum_merge(s, &pics_rows, sum->place, &sum->places, other->place, other->places);
}

/* ---- top-down analysis ---- */

ORDER(compare_topdown, struct topdown_row, RISING(pc))

static void profile_sum_add_topdown(void *sum, const void *row)
{
    for (int l = 0; l < TOPDOWN_LEAVES; l++)
        ((struct topdown_row *)sum)->slots[l] += ((const struct topdown_row *)row)->slots[l];
}

void profile_sum_topdown(struct profile_sums *s, struct topdown_profile *sum, const struct topdown_profile *other)
{
    static const struct row_kind kind = {sizeof(struct topdown_row), compare_topdown, profile_sum_add_topdown};
    sum->slots += other->slots;
    sum->row = profile_sum_merge(s, &kind, sum->row, &sum->rows, other->row, other->rows);
}

/* ---- time lines ---- */

/* Harts have time lines of their own, whose rows stay with their observers. */
void profile_sum_phases(struct profile_sums *s, struct phase_profile *sum, const struct phase_profile *other)
{
    const size_t all = sum->intervals + other->intervals;
    struct phase_interval *interval = profile_sum_allocate(s, all, sizeof *interval);
    if (sum->intervals > 0)
        memcpy(interval, sum->interval, sum->intervals * sizeof *interval);
    if (other->intervals > 0)
        memcpy(interval + sum->intervals, other->interval, other->intervals * sizeof *interval);
    for (size_t n = sum->intervals; n < all; n++)
        interval[n].hart += sum->harts;
    sum->interval = interval;
    sum->intervals = all;
    sum->harts += other->harts;
}

/* ---- graphs of dependences ---- */

static void profile_sum_add_graphs(void *sum, const void *row)
{
    struct graph_row *to = sum;
    const struct graph_row *from = row;
    to->events += from->events;
    to->gaining += from->gaining;
    to->critical += from->critical;
    to->slack += from->slack;
    to->delay += from->delay;
    to->gain += from->gain;
    to->variance += from->variance;
}

void profile_sum_graphs(struct profile_sums *s, struct graph_profile *sum, const struct graph_profile *other)
{
    static const struct row_kind kind = {sizeof(struct graph_row), graph_row_compare, profile_sum_add_graphs};
    sum->windows += other->windows;
    sum->covered += other->covered;
    sum->retired += other->retired;
    sum->together += other->together;
    sum->row = profile_sum_merge(s, &kind, sum->row, &sum->rows, other->row, other->rows);
}

/* ---- shared lines ---- */

/* The other hart's rows stay apart from those of the first ones. */
void profile_sum_sharing(struct profile_sums *s, struct sharing_profile *sum, const struct sharing_profile *other)
{
    const size_t all = sum->rows + other->rows;
    struct sharing_row *row = profile_sum_allocate(s, all, sizeof *row);
    if (sum->rows > 0)
        memcpy(row, sum->row, sum->rows * sizeof *row);
    if (other->rows > 0)
        memcpy(row + sum->rows, other->row, other->rows * sizeof *row);
    for (size_t n = sum->rows; n < all; n++)
        row[n].hart += sum->harts;
    if (all > 0)
        qsort(row, all, sizeof *row, sharing_row_compare);
    sum->row = row;
    sum->rows = all;
    sum->harts += other->harts;
}

/* ---- counts ---- */

ORDER(compare_counts, struct count_row, RISING(pc))

static void profile_sum_add_counts(void *sum, const void *row)
{
    struct count_row *to = sum;
    const struct count_row *from = row;
    to->samples += from->samples;
    for (int k = 0; k < COUNT_KINDS; k++)
        to->count[k] += from->count[k];
}

static const struct row_kind count_rows = {sizeof(struct count_row), compare_counts, profile_sum_add_counts};
_Static_assert(offsetof(struct count_row, pc) == 0, "profile_sum_by_address");

void profile_split_counts(struct profile_sums *s, struct count_profile *p)
{
    p->place = p->row;
    p->places = p->rows;
    p->row = profile_sum_by_address(s, &count_rows, p->place, p->places, &p->rows);
}

/* The scale of samples of which some have one scale, the others another. */
static double mean_scale(double a, uint64_t of_a, double b, uint64_t of_b)
{
    return of_a + of_b != 0 ? (a * (double)of_a + b * (double)of_b) / (double)(of_a + of_b) : a;
}

void profile_sum_counts(struct profile_sums *s, struct count_profile *sum, const struct count_profile *other)
{
    sum->scale = mean_scale(sum->scale, sum->samples, other->scale, other->samples);
    sum->pair_scale = mean_scale(sum->pair_scale, sum->samples, other->pair_scale, other->samples);
    sum->samples += other->samples;
    sum->lost += other->lost;
    sum->useless += other->useless;
    sum->interrupts += other->interrupts;
    sum->row = profile_sum_merge(s, &count_rows, sum->row, &sum->rows, other->row, other->rows);
    sum->place = profile_sum_merge(s, &count_rows, sum->place, &sum->places, other->place, other->places);
}

/* ---- event counters ---- */

ORDER(compare_skids, struct counter_skid, RISING(event) RISING(distance))

static void add_skids(void *sum, const void *row)
{
    ((struct counter_skid *)sum)->samples += ((const struct counter_skid *)row)->samples;
}

static const struct counter_event *sum_events(struct profile_sums *s, const struct counter_profile *a,
                                              const struct counter_profile *b)
{
    struct counter_event *sum = profile_sum_allocate(s, a->events, sizeof *sum);
    for (unsigned i = 0; i < a->events; i++) {
        sum[i] = a->event[i];
        sum[i].total += b->event[i].total;
        sum[i].cycles += b->event[i].cycles;
        sum[i].counted += b->event[i].counted;
        sum[i].overflows += b->event[i].overflows;
        sum[i].samples += b->event[i].samples;
        sum[i].lost += b->event[i].lost;
        sum[i].estimate += b->event[i].estimate;
    }
    return sum;
}

void profile_split_counters(struct profile_sums *s, struct counter_profile *p)
{
    p->place = p->row;
    p->places = p->rows;
    p->row = profile_sum_by_address(s, &count_rows, p->place, p->places, &p->rows);
}

void profile_sum_counters(struct profile_sums *s, struct counter_profile *sum, const struct counter_profile *other)
{
    static const struct row_kind kind = {sizeof(struct counter_skid), compare_skids, add_skids};
    sum->cycles += other->cycles;
    sum->event = sum_events(s, sum, other);
    sum->row = profile_sum_merge(s, &count_rows, sum->row, &sum->rows, other->row, other->rows);
    sum->place = profile_sum_merge(s, &count_rows, sum->place, &sum->places, other->place, other->places);
    sum->skid = profile_sum_merge(s, &kind, sum->skid, &sum->skids, other->skid, other->skids);
    sum->unplaced += other->unplaced;
}

/* ---- paths ---- */

ORDER(profile_sum_compare_edges, struct path_edge, RISING(pc) RISING(next))

static void profile_sum_add_edges(void *sum, const void *row)
{
    ((struct path_edge *)sum)->count += ((const struct path_edge *)row)->count;
}

/* Number of transfers to which the samples refer. */
static size_t transfers_of(const struct path_profile *p)
{
    size_t end = 0;
    for (size_t i = 0; i < p->samples; i++)
        if (p->sample[i].first + p->sample[i].transfers > end)
            end = p->sample[i].first + p->sample[i].transfers;
    return end;
}

/* Appends the samples, with their transfers. */
static void append_samples(struct profile_sums *s, struct path_profile *sum, const struct path_profile *other)
{
    size_t own = transfers_of(sum), more = transfers_of(other);
    struct path_sample *sample = profile_sum_allocate(s, sum->samples + other->samples, sizeof *sample);
    struct path_transfer *transfer = profile_sum_allocate(s, own + more, sizeof *transfer);
    if (sum->samples != 0)
        memcpy(sample, sum->sample, sum->samples * sizeof *sample);
    if (own != 0)
        memcpy(transfer, sum->transfer, own * sizeof *transfer);
    if (more != 0)
        memcpy(transfer + own, other->transfer, more * sizeof *transfer);
    for (size_t i = 0; i < other->samples; i++) {
        sample[sum->samples + i] = other->sample[i];
        sample[sum->samples + i].first += own;
    }
    sum->sample = sample;
    sum->transfer = transfer;
    sum->samples += other->samples;
}

void profile_sum_paths(struct profile_sums *s, struct path_profile *sum, const struct path_profile *other)
{
    static const struct row_kind kind = {sizeof(struct path_edge), profile_sum_compare_edges, profile_sum_add_edges};
    sum->selected += other->selected;
    sum->squashed += other->squashed;
    sum->cut += other->cut;
    sum->thinned += other->thinned;
    append_samples(s, sum, other);
    sum->edge = profile_sum_merge(s, &kind, sum->edge, &sum->edges, other->edge, other->edges);
}
