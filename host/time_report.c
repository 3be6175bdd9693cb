/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of the profilers of time. In JSON all times are whole numbers of 1/TIME_PER_CYCLE cycles, so that sums are exact. */
#include "host/time_report.h"

#include <stdlib.h>
#include <string.h>

#include "host/table.h"
#include "host/time_score.h"

enum { MAX_PROFILES = 32, MAX_COLUMNS = MAX_PROFILES + 3 };

/* What the parts of a report share. */
struct view {
    struct report *r;
    const struct time_report *in;
    const struct time_profile *profile, *main;
    unsigned profiles;
    struct time_blocks blocks;
};

static const char *const level_name[] = {"instruction", "block", "function"};

static double share(uint64_t time, uint64_t total) { return total != 0 ? (double)time / (double)total : 0; }

static json_t *time_json(uint64_t time) { return json_integer((json_int_t)time); }

static uint64_t category_time(const struct time_profile *p, enum time_category c)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < p->rows; i++)
        sum += p->row[i].time[c];
    return sum;
}

static const struct time_row *find_row(const struct time_profile *p, uint64_t pc)
{
    size_t low = 0, high = p->rows;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (p->row[mid].pc == pc)
            return &p->row[mid];
        if (p->row[mid].pc < pc)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

static uint64_t sum_at(const struct time_sum *sums, size_t count, uint64_t key)
{
    for (size_t i = 0; i < count; i++)
        if (sums[i].key == key)
            return sums[i].time;
    return 0;
}

/* The stack of categories. */

static void print_stack(const struct view *v)
{
    struct table_column columns[MAX_COLUMNS] = {{"commit cycle stack", false}, {"cycles", true}};
    unsigned n = 2;
    for (unsigned i = 0; i < v->profiles; i++)
        if (v->profile[i].by_category)
            columns[n++] = (struct table_column){v->profile[i].label, true}; /* in % */
    if (n == 2)
        return;
    struct table *t = table_new(columns, n);
    char number[REPORT_NUMBER];
    for (int c = 0; c < TIME_CATEGORY_COUNT; c++) {
        table_add(t, "%s", time_category_name((enum time_category)c));
        /* Whole ones: only commits share a cycle, and all parts of it are in one category. */
        bool known = v->main->by_category;
        table_add(t, "%s", known ? report_number(number, category_time(v->main, (enum time_category)c) / TIME_PER_CYCLE) : "");
        for (unsigned i = 0; i < v->profiles; i++)
            if (v->profile[i].by_category)
                table_add(t, "%.2f", 100 * share(category_time(&v->profile[i], (enum time_category)c), v->profile[i].time));
    }
    report_line(v->r, "%s", "");
    table_print(t, v->r->out);
    table_free(t);
}

static json_t *stack_json(const struct time_profile *p)
{
    json_t *j = json_object();
    for (int c = 0; c < TIME_CATEGORY_COUNT; c++)
        json_object_set_new(j, time_category_name((enum time_category)c), time_json(category_time(p, (enum time_category)c)));
    return j;
}

/* The profilers and their errors. */

static double error_of(const struct view *v, const struct time_profile *p, enum time_level level)
{
    return time_error(p, v->main, level, &v->blocks, v->in->symbols);
}

static void print_profilers(const struct view *v)
{
    static const struct table_column columns[] = {{"profiler", false},      {"samples", true}, {"lost", true},      {"error %: instruction", true},
                                                  {"basic block", true}, {"function", true}};
    struct table *t = table_new(columns, sizeof columns / sizeof columns[0]);
    for (unsigned i = 0; i < v->profiles; i++) {
        const struct time_profile *p = &v->profile[i];
        char number[2][REPORT_NUMBER];
        table_add(t, "%s", p->label);
        table_add(t, "%s", p->exact ? "all" : report_number(number[0], p->samples));
        table_add(t, "%s", p->exact ? "" : report_number(number[1], p->lost));
        for (int l = 0; l < TIME_LEVEL_COUNT; l++) {
            if (p->exact || !v->main->exact)
                table_add(t, "%s", p->exact ? "exact" : "-");
            else
                table_add(t, "%.2f", 100 * error_of(v, p, (enum time_level)l));
        }
    }
    report_line(v->r, "%s", "");
    table_print(t, v->r->out);
    table_free(t);
}

static json_t *profilers_json(const struct view *v)
{
    json_t *list = json_array();
    for (unsigned i = 0; i < v->profiles; i++) {
        const struct time_profile *p = &v->profile[i];
        json_t *j = json_object();
        json_object_set_new(j, "profiler", report_text_json(p->label));
        json_object_set_new(j, "exact", json_boolean(p->exact));
        json_object_set_new(j, "time", time_json(p->time));
        json_object_set_new(j, "samples", time_json(p->samples));
        json_object_set_new(j, "lost", time_json(p->lost));
        if (p->by_category)
            json_object_set_new(j, "categories", stack_json(p));
        if (v->main->exact && !p->exact) {
            json_t *errors = json_object();
            for (int l = 0; l < TIME_LEVEL_COUNT; l++)
                json_object_set_new(errors, level_name[l], json_real(error_of(v, p, (enum time_level)l)));
            json_object_set_new(j, "error", errors);
        }
        json_array_append_new(list, j);
    }
    return list;
}

/* Functions. */

static int by_time(const void *left, const void *right)
{
    const struct time_sum *a = left, *b = right;
    if (a->time != b->time)
        return a->time > b->time ? -1 : 1;
    return (a->key > b->key) - (a->key < b->key);
}

/* The main profile's sums, largest first; those of the others are looked up in `sums`. */
struct ranking {
    struct time_sum *order, *sums[MAX_PROFILES];
    size_t count, counts[MAX_PROFILES];
    unsigned profiles;
};

static void rank(struct ranking *k, const struct view *v, enum time_level level)
{
    k->order = time_sums(v->main, level, &v->blocks, v->in->symbols, &k->count);
    qsort(k->order, k->count, sizeof *k->order, by_time);
    k->profiles = v->profiles;
    for (unsigned i = 0; i < v->profiles; i++)
        k->sums[i] = time_sums(&v->profile[i], level, &v->blocks, v->in->symbols, &k->counts[i]);
}

static void rank_fini(struct ranking *k)
{
    free(k->order);
    for (unsigned i = 0; i < k->profiles; i++)
        free(k->sums[i]);
}

static struct place function_at(const struct view *v, uint64_t start)
{
    struct place p = {0};
    if (start != 0 && v->in->symbols != NULL)
        p = symbols_find(v->in->symbols, start);
    if (p.function == NULL)
        p.function = "(unknown)";
    return p;
}

static size_t rows_shown(const struct view *v, size_t count)
{
    unsigned top = v->r->options->top;
    return top != 0 && top < count ? top : count;
}

/* A column of shares for each profile, then the further ones. */
static struct table *shares_table(const struct view *v, const struct table_column *more, unsigned count)
{
    struct table_column columns[MAX_COLUMNS];
    for (unsigned i = 0; i < v->profiles; i++)
        columns[i] = (struct table_column){v->profile[i].label, true};
    memcpy(columns + v->profiles, more, count * sizeof *more);
    return table_new(columns, v->profiles + count);
}

static void print_functions(const struct view *v, const struct ranking *k)
{
    static const struct table_column more[] = {{"function", false}};
    size_t shown = rows_shown(v, k->count);
    struct table *t = shares_table(v, more, 1);
    for (size_t i = 0; i < shown; i++) {
        for (unsigned n = 0; n < v->profiles; n++)
            table_add(t, "%.2f", 100 * share(sum_at(k->sums[n], k->counts[n], k->order[i].key), v->profile[n].time));
        struct place p = function_at(v, k->order[i].key);
        table_add(t, "%s%s%s", p.function, p.library != NULL ? " in " : "", p.library != NULL ? p.library : "");
    }
    report_line(v->r, "\nFunctions by time, %zu of %zu; %% of the cycles", shown, k->count);
    table_print(t, v->r->out);
    table_free(t);
}

static json_t *functions_json(const struct view *v, const struct ranking *k)
{
    json_t *list = json_array();
    for (size_t i = 0; i < k->count; i++) {
        json_t *j = json_object(), *times = json_object();
        struct place p = function_at(v, k->order[i].key);
        json_object_set_new(j, "function", report_text_json(p.function));
        if (p.library != NULL)
            json_object_set_new(j, "library", report_text_json(p.library));
        json_object_set_new(j, "start", report_hex_json(k->order[i].key));
        for (unsigned n = 0; n < v->profiles; n++)
            json_object_set_new(times, v->profile[n].label, time_json(sum_at(k->sums[n], k->counts[n], k->order[i].key)));
        json_object_set_new(j, "time", times);
        json_array_append_new(list, j);
    }
    return list;
}

/* Instructions. */

static uint64_t time_at(const struct time_profile *p, uint64_t pc)
{
    const struct time_row *row = find_row(p, pc);
    return row != NULL ? time_row_total(row) : 0;
}

/* The category that most of the row's time is of. */
static enum time_category largest(const struct time_row *row)
{
    int best = 0;
    for (int c = 1; c < TIME_CATEGORY_COUNT; c++)
        if (row->time[c] > row->time[best])
            best = c;
    return (enum time_category)best;
}

static bool describe(const struct view *v, uint64_t pc, struct time_insn *out)
{
    const struct time_code *code = &v->in->result->code;
    return code->describe != NULL && code->describe(code->ctx, pc, out);
}

static void print_instructions(const struct view *v, const struct ranking *k)
{
    static const struct table_column more[] = {{"mostly", false}, {"instruction", false}, {"place", false}};
    size_t shown = rows_shown(v, k->count);
    struct table *t = shares_table(v, more, 3);
    for (size_t i = 0; i < shown; i++) {
        uint64_t pc = k->order[i].key;
        const struct time_row *row = find_row(v->main, pc);
        struct time_insn in;
        for (unsigned n = 0; n < v->profiles; n++)
            table_add(t, "%.2f", 100 * share(time_at(&v->profile[n], pc), v->profile[n].time));
        table_add(t, "%s", v->main->by_category && row != NULL ? time_category_name(largest(row)) : "");
        if (!describe(v, pc, &in))
            in.text[0] = '\0';
        table_add(t, "%s", in.text);
        char *place = report_place(v->in->symbols, pc);
        table_add(t, "%s", pc != 0 ? place : "(none)");
        free(place);
    }
    report_line(v->r, "\nInstructions by time, %zu of %zu; %% of the cycles", shown, k->count);
    table_print(t, v->r->out);
    table_free(t);
}

static json_t *instructions_json(const struct view *v, const struct ranking *k)
{
    json_t *list = json_array();
    for (size_t i = 0; i < k->count; i++) {
        uint64_t pc = k->order[i].key;
        json_t *j = report_place_json(v->in->symbols, pc), *times = json_object();
        const struct time_row *row = find_row(v->main, pc);
        struct time_insn in;
        if (describe(v, pc, &in))
            json_object_set_new(j, "assembly", report_text_json(in.text));
        for (unsigned n = 0; n < v->profiles; n++)
            json_object_set_new(times, v->profile[n].label, time_json(time_at(&v->profile[n], pc)));
        json_object_set_new(j, "time", times);
        if (v->main->by_category && row != NULL) {
            json_t *categories = json_object();
            for (int c = 0; c < TIME_CATEGORY_COUNT; c++)
                if (row->time[c] != 0)
                    json_object_set_new(categories, time_category_name((enum time_category)c), time_json(row->time[c]));
            json_object_set_new(j, "categories", categories);
        }
        json_array_append_new(list, j);
    }
    return list;
}

/* All of it. */

static void write_text(const struct view *v, const struct ranking *functions, const struct ranking *instructions)
{
    report_line(v->r, "\nProfiles of time");
    print_profilers(v);
    print_stack(v);
    print_functions(v, functions);
    print_instructions(v, instructions);
}

static void write_json(const struct view *v, const struct ranking *functions, const struct ranking *instructions)
{
    json_t *j = json_object();
    json_object_set_new(j, "per_cycle", json_integer(TIME_PER_CYCLE));
    json_object_set_new(j, "cycles", time_json(v->in->result->cycles));
    json_object_set_new(j, "profilers", profilers_json(v));
    json_object_set_new(j, "functions", functions_json(v, functions));
    json_object_set_new(j, "instructions", instructions_json(v, instructions));
    json_object_set_new(v->r->root, "time", j);
}

void time_report_section(void *ctx, struct report *r)
{
    const struct time_report *in = ctx;
    const struct time_result *result = in->result;
    struct view v = {.r = r, .in = in, .profile = result->profile, .main = result->profile, .profiles = result->profiles};
    if (v.profiles > MAX_PROFILES)
        BUG("%u profiles in one report", v.profiles);
    struct ranking functions, instructions;
    for (unsigned i = 0; i < v.profiles && !v.main->exact; i++)
        if (v.profile[i].exact)
            v.main = &v.profile[i];
    time_blocks_init(&v.blocks, v.main, &result->code, in->symbols);
    rank(&functions, &v, LEVEL_FUNCTION);
    rank(&instructions, &v, LEVEL_INSTRUCTION);
    if (r->root != NULL)
        write_json(&v, &functions, &instructions);
    else
        write_text(&v, &functions, &instructions);
    rank_fini(&functions);
    rank_fini(&instructions);
    time_blocks_fini(&v.blocks);
}

void time_report_write(const struct time_report *t, const struct report_options *o, FILE *out)
{
    struct report r;
    struct time_report copy = *t;
    report_begin(&r, o, out);
    report_head(&r);
    report_partial(&r, true);
    time_report_section(&copy, &r);
    report_end(&r);
}
