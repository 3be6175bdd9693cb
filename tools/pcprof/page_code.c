/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Procedures with their values, and their instructions, decoded from the code that the profile has. Instructions far
 * from any with a value are left out. Code is in columns, which take a third of the bytes of rows. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "host/report/json_value.h"
#include "tools/pcprof/listing.h"
#include "tools/pcprof/page.h"

/* Instructions that are shown on each side of one with a value. */
enum { NEIGHBOURS = 8 };

ORDER(by_place, struct page_value, RISING(image) RISING(key) RISING(address) RISING(kind) RISING(which))

ORDER(by_component, struct page_value, RISING(kind) RISING(which) RISING(address))

/* Values of one place or procedure. */
struct span {
    const struct page_value *value;
    size_t count;
};

/* Pushes the sums of the values of a kind, which are sorted by kind and column or component. */
static json_t *page_code_sums(struct span s, enum page_kind kind)
{
    json_t *list = json_array();
    for (size_t n = 0; n < s.count;) {
        struct page_value sum = s.value[n];
        for (n++; n < s.count && s.value[n].kind == sum.kind && s.value[n].which == sum.which; n++) {
            sum.estimate += s.value[n].estimate;
            sum.exact += s.value[n].exact;
        }
        if (sum.kind != kind || (sum.estimate == 0 && !(sum.exact > 0)))
            continue;
        json_push(list, json_integer(sum.which));
        json_push(list, json_number(sum.estimate));
        if (kind == PAGE_COLUMN)
            json_push(list, json_number(sum.exact));
    }
    return list;
}

/* ---- rows of instructions ---- */

/* The instructions that are shown of a procedure, in columns. */
struct code_rows {
    struct page_place *place_of; /* by row */
    size_t count, room;
    int64_t procedure, image;
    json_t *text;
    json_t *left_out; /* row, number of instructions left out before it, and so on */
    json_t *place;    /* where the line changes: rows since the last change, file or -1, line, and so on */
    size_t placed;    /* row of the last change */
    int64_t file, line;
};

static void page_code_add_row(struct page *p, struct code_rows *r, const struct profile_image *i, uint64_t address,
                              const char *text, bool has_values)
{
    const struct profile_line *l = i != NULL ? profile_find_line(i, address) : NULL;
    if (l != NULL && l->file == PROFILE_NO_FILE)
        l = NULL;
    int64_t file = l != NULL ? page_sources_number(p, l->file) : -1, line = l != NULL ? l->line : 0;
    if (r->count == r->room) {
        r->room = 2 * r->room + 64;
        r->place_of = xrealloc(r->place_of, r->room * sizeof *r->place_of);
    }
    if (r->count == 0 || file != r->file || line != r->line) {
        json_push(r->place, json_integer((json_int_t)(r->count - r->placed)));
        json_push(r->place, json_integer(file));
        json_push(r->place, json_integer(line));
        r->placed = r->count;
        r->file = file;
        r->line = line;
    }
    if (has_values && l != NULL)
        page_sources_want(p, (uint32_t)file, l->line);
    r->place_of[r->count++] = (struct page_place){.procedure = r->procedure,
                                                  .image = r->image,
                                                  .address = address,
                                                  .file = file,
                                                  .line = line,
                                                  .text = json_string_value(json_push(r->text, json_text(text)))};
}

/* The values at the first address of a span. */
static struct span at_first(struct span s)
{
    size_t n = 0;
    while (n < s.count && s.value[n].address == s.value[0].address)
        n++;
    return (struct span){s.value, n};
}

/* Instructions without values that follow each other: the first and the last are shown, between them a number. */
struct gap {
    uint64_t first[NEIGHBOURS], last[NEIGHBOURS]; /* addresses; of the last a ring */
    size_t count;
};

static void push_plain(struct page *p, struct code_rows *r, const struct profile_image *i, uint64_t address)
{
    struct code_insn in;
    page_code_add_row(p, r, i, address, listing_decode(i, address, &in) ? in.text : "", false);
}

/* Ends a gap. Neighbours are those after a value, unless the gap is the first, and those before one, unless it is the
 * last. */
static void push_gap(struct page *p, struct code_rows *r, const struct profile_image *i, struct gap *g, bool is_last)
{
    bool is_first = r->count == 0;
    size_t before = is_first ? 0 : g->count < NEIGHBOURS ? g->count : NEIGHBOURS;
    size_t after = is_last ? 0 : g->count - before < NEIGHBOURS ? g->count - before : NEIGHBOURS;
    for (size_t n = 0; n < before; n++)
        push_plain(p, r, i, g->first[n]);
    if (g->count > before + after) {
        json_push(r->left_out, json_integer((json_int_t)r->count));
        json_push(r->left_out, json_integer((json_int_t)(g->count - before - after)));
    }
    for (size_t n = g->count - after; n < g->count; n++)
        push_plain(p, r, i, g->last[n % NEIGHBOURS]);
    *g = (struct gap){.count = 0};
}

static void add_to_gap(struct gap *g, uint64_t address)
{
    if (g->count < NEIGHBOURS)
        g->first[g->count] = address;
    g->last[g->count++ % NEIGHBOURS] = address;
}

/* Adds the instructions of a symbol, or without one those with values. */
static void page_code_add_rows(struct page *p, struct code_rows *r, struct span s, const struct profile_image *i,
                               uint64_t start, uint64_t end)
{
    struct gap g = {.count = 0};
    struct code_insn in;
    uint64_t address = start;
    while (s.count > 0 || address < end) {
        if (s.count == 0 || (address < s.value[0].address && address < end)) {
            if (listing_decode(i, address, &in))
                add_to_gap(&g, address), address += in.length_bytes;
            else
                address = s.count > 0 ? s.value[0].address : end;
            continue;
        }
        struct span here = at_first(s);
        push_gap(p, r, i, &g, false);
        bool known = i != NULL && listing_decode(i, here.value->address, &in);
        page_code_add_row(p, r, i, here.value->address, known ? in.text : "", true);
        address = here.value->address + (known ? in.length_bytes : 0);
        s = (struct span){s.value + here.count, s.count - here.count};
    }
    push_gap(p, r, i, &g, true);
}

/* ---- values of instructions ---- */

/* A number of the page: whole ones exactly, others with 6 digits, because there are many. */
static json_t *short_number(double x)
{
    if (!isfinite(x) || x == rint(x))
        return json_number(x);
    double unit = pow(10, floor(log10(fabs(x))) - 5);
    return json_number(round(x / unit) * unit);
}

/* One column or component: its number, rows since the one before, values, and exact values or the widths below and
 * above of an interval. The span has equal kind and number, in ascending order of addresses. */
static json_t *page_code_column(struct page *p, const struct code_rows *r, struct span s)
{
    json_t *column = json_array(), *at, *value, *other;
    bool has_other = false;
    size_t row = 0, last = 0;
    json_push(column, json_integer(s.value->which));
    at = json_push(column, json_array());
    value = json_push(column, json_array());
    other = json_array();
    for (size_t n = 0; n < s.count;) {
        struct page_value sum = s.value[n];
        for (n++; n < s.count && s.value[n].address == sum.address; n++) {
            sum.estimate += s.value[n].estimate;
            sum.exact += s.value[n].exact;
        }
        while (r->place_of[row].address != sum.address)
            row++;
        page_hot_add(p, &r->place_of[row], &sum);
        bool is_interval = sum.kind == PAGE_INTERVAL;
        json_push(at, json_integer((json_int_t)(row - last)));
        json_push(value, short_number(is_interval ? sqrt(sum.estimate) : sum.estimate));
        json_push(other, short_number(is_interval ? sqrt(sum.exact) : sum.exact));
        has_other |= isfinite(sum.exact);
        last = row;
    }
    if (has_other)
        json_push(column, json_incref(other));
    json_decref(other);
    return column;
}

/* The columns of a kind; the span is sorted by kind, column and address. */
static json_t *page_code_columns(struct page *p, const struct code_rows *r, struct span s, enum page_kind kind)
{
    json_t *columns = json_array();
    for (size_t n = 0, end; n < s.count; n = end) {
        for (end = n; end < s.count && s.value[end].kind == s.value[n].kind && s.value[end].which == s.value[n].which;)
            end++;
        if (s.value[n].kind == kind)
            json_push(columns, page_code_column(p, r, (struct span){s.value + n, end - n}));
    }
    return columns;
}

static const char *const page_code_keys[] = {
    [PAGE_COLUMN] = "v", [PAGE_CATEGORY] = "s", [PAGE_SIGNATURE] = "p", [PAGE_INTERVAL] = "i"};

/* The places of the gains, which are behind the other kinds of values. */
static void page_code_place_gains(struct page *p, const struct code_rows *r, struct span sorted)
{
    for (size_t n = sorted.count; n > 0 && sorted.value[n - 1].kind == PAGE_GAIN; n--) {
        const struct page_value *v = &sorted.value[n - 1];
        size_t row = 0, end = r->count;
        SEARCH(row, end, middle, r->place_of[middle].address < v->address);
        page_gains_place(p, v->which, &r->place_of[row]);
    }
}

/* The code of a procedure by its number: `sorted` has its values by kind, column and address. */
static json_t *page_code_describe(struct page *p, int64_t number, struct span s, struct span sorted,
                                  const struct profile_image *i, const struct profile_symbol *symbol)
{
    struct code_rows r = {.procedure = number,
                          .image = i != NULL ? (int64_t)s.value->image : -1,
                          .text = json_array(),
                          .left_out = json_array(),
                          .place = json_array()};
    uint64_t start = symbol != NULL ? symbol->start : UINT64_MAX;
    page_code_add_rows(p, &r, s, i, start, symbol != NULL ? start + symbol->size_bytes : 0);
    char hex[24];
    snprintf(hex, sizeof hex, "%" PRIx64, r.count > 0 ? r.place_of[0].address : 0);
    json_t *code = json_object(), *step = json_array();
    for (size_t n = 1; n < r.count; n++)
        json_push(step, json_integer((json_int_t)(r.place_of[n].address - r.place_of[n - 1].address)));
    json_put(code, "first", json_string(hex));
    json_put(code, "step", step);
    json_put(code, "text", r.text);
    json_put(code, "out", r.left_out);
    json_put(code, "line", r.place);
    for (enum page_kind kind = PAGE_COLUMN; kind <= PAGE_INTERVAL; kind++)
        json_put(code, page_code_keys[kind], page_code_columns(p, &r, sorted, kind));
    page_code_place_gains(p, &r, sorted);
    free(r.place_of);
    return code;
}

/* ---- procedures ---- */

static json_t *procedure(struct page *p, struct span s, json_t *code)
{
    const struct page_value *v = s.value;
    const struct profile_image *i = v->image != PROF_UNKNOWN ? profile_image(p->profile, v->image) : NULL;
    const struct profile_symbol *symbol = i != NULL && v->key != UINT64_MAX ? profile_find_symbol(i, v->address) : NULL;
    char hex[24], *name = i == NULL        ? xstrdup(p->no_place)
                          : symbol != NULL ? names_show(p->names, symbol->unique)
                                           : xasprintf("[%s]", i->name);
    uint64_t start = symbol != NULL ? symbol->start : 0, size_bytes = symbol != NULL ? symbol->size_bytes : 0;
    json_t *row = json_object();
    snprintf(hex, sizeof hex, "%" PRIx64, start);
    json_put(row, "procedure", json_text(name));
    if (symbol != NULL && strcmp(name, symbol->unique) != 0)
        json_put(row, "full", json_text(symbol->unique));
    json_put(row, "image", json_integer(i != NULL ? (json_int_t)v->image : -1));
    json_put(row, "start", json_string(hex));
    json_put(row, "size", json_integer((json_int_t)size_bytes));
    struct page_value *sorted = xcalloc(s.count, sizeof *sorted);
    memcpy(sorted, s.value, s.count * sizeof *sorted);
    qsort(sorted, s.count, sizeof *sorted, by_component);
    for (enum page_kind kind = PAGE_COLUMN; kind < PAGE_INTERVAL; kind++)
        json_put(row, page_code_keys[kind], page_code_sums((struct span){sorted, s.count}, kind));
    json_push(code,
              page_code_describe(p, (int64_t)json_array_size(code), s, (struct span){sorted, s.count}, i, symbol));
    free(sorted);
    free(name);
    return row;
}

struct ranked_span {
    struct span span;
    double value; /* of the first column */
};

/* By value; equal ones by their place. */
static int by_rank(const void *a, const void *b)
{
    const struct ranked_span *x = a, *y = b;
    if (x->value != y->value)
        return x->value > y->value ? -1 : 1;
    return by_place(x->span.value, y->span.value);
}

json_t *page_procedures(struct page *p, json_t *code)
{
    json_t *procedures = json_array();
    struct ranked_span *rank = xcalloc(p->values, sizeof *rank);
    size_t count = 0;
    if (p->values > 0)
        qsort(p->value, p->values, sizeof *p->value, by_place);
    for (size_t n = 0; n < p->values; n++) {
        struct page_value *v = &p->value[n];
        if (n == 0 || v->image != v[-1].image || v->key != v[-1].key)
            rank[count++] = (struct ranked_span){.span = {v, 0}};
        rank[count - 1].span.count++;
        rank[count - 1].value += v->kind == PAGE_COLUMN && v->which == 0 ? v->estimate : 0;
    }
    if (count > 0)
        qsort(rank, count, sizeof *rank, by_rank);
    for (size_t n = 0; n < count; n++)
        json_push(procedures, procedure(p, rank[n].span, code));
    free(rank);
    return procedures;
}
