/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Procedures with their values, and their instructions, decoded from the code that the profile has. Instructions far
 * from any with a value are left out. */
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

/* Pushes the values of a kind, which are sorted by kind and column or component, with the sums of equal ones. */
static json_t *values(struct span s, enum page_kind kind)
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

/* ---- instructions ---- */

/* The number of a source file on the page. */
static int64_t page_file(struct page *p, uint32_t file)
{
    if (file >= p->profile_files) {
        p->file = xrealloc(p->file, (file + 1u) * sizeof *p->file);
        memset(p->file + p->profile_files, 0, (file + 1u - p->profile_files) * sizeof *p->file);
        p->profile_files = file + 1u;
    }
    if (p->file[file] == 0) {
        json_push(p->files, json_text(profile_file(p->profile, file)));
        p->file[file] = (int64_t)json_array_size(p->files);
    }
    return p->file[file] - 1;
}

static void push_instruction(struct page *p, json_t *code, const struct profile_image *i, uint64_t address,
                             const char *text, struct span s)
{
    const struct profile_line *l = i != NULL ? profile_find_line(i, address) : NULL;
    char hex[24];
    snprintf(hex, sizeof hex, "%" PRIx64, address);
    json_t *row = json_push(code, json_array());
    json_push(row, json_string(hex));
    json_push(row, json_text(text));
    json_push(row, l != NULL ? json_integer(page_file(p, l->file)) : json_null());
    json_push(row, l != NULL ? json_integer(l->line) : json_null());
    for (enum page_kind kind = PAGE_COLUMN; s.count > 0 && kind <= PAGE_SIGNATURE; kind++)
        json_push(row, values(s, kind));
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

static void push_plain(struct page *p, json_t *code, const struct profile_image *i, uint64_t address)
{
    struct code_insn in;
    push_instruction(p, code, i, address, listing_decode(i, address, &in) ? in.text : "", (struct span){0});
}

/* Ends a gap. Neighbours are those after a value, unless the gap is the first, and those before one, unless it is the
 * last. */
static void push_gap(struct page *p, json_t *code, const struct profile_image *i, struct gap *g, bool is_last)
{
    bool is_first = json_array_size(code) == 0;
    size_t before = is_first ? 0 : g->count < NEIGHBOURS ? g->count : NEIGHBOURS;
    size_t after = is_last ? 0 : g->count - before < NEIGHBOURS ? g->count - before : NEIGHBOURS;
    for (size_t n = 0; n < before; n++)
        push_plain(p, code, i, g->first[n]);
    if (g->count > before + after)
        json_push(code, json_integer((json_int_t)(g->count - before - after)));
    for (size_t n = g->count - after; n < g->count; n++)
        push_plain(p, code, i, g->last[n % NEIGHBOURS]);
    *g = (struct gap){.count = 0};
}

static void add_to_gap(struct gap *g, uint64_t address)
{
    if (g->count < NEIGHBOURS)
        g->first[g->count] = address;
    g->last[g->count++ % NEIGHBOURS] = address;
}

/* The instructions of a symbol, or without one those with values. */
static json_t *instructions(struct page *p, struct span s, const struct profile_image *i, uint64_t start, uint64_t end)
{
    json_t *code = json_array();
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
        push_gap(p, code, i, &g, false);
        bool known = i != NULL && listing_decode(i, here.value->address, &in);
        push_instruction(p, code, i, here.value->address, known ? in.text : "", here);
        address = here.value->address + (known ? in.length_bytes : 0);
        s = (struct span){s.value + here.count, s.count - here.count};
    }
    push_gap(p, code, i, &g, true);
    return code;
}

/* ---- procedures ---- */

static json_t *procedure(struct page *p, struct span s)
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
    json_t *code = instructions(p, s, i, symbol != NULL ? start : UINT64_MAX, start + size_bytes);
    struct page_value *sorted = xcalloc(s.count, sizeof *sorted);
    memcpy(sorted, s.value, s.count * sizeof *sorted);
    qsort(sorted, s.count, sizeof *sorted, by_component);
    static const char *const keys[] = {[PAGE_COLUMN] = "v", [PAGE_CATEGORY] = "s", [PAGE_SIGNATURE] = "p"};
    for (enum page_kind kind = PAGE_COLUMN; kind <= PAGE_SIGNATURE; kind++)
        json_put(row, keys[kind], values((struct span){sorted, s.count}, kind));
    json_put(row, "code", code);
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

json_t *page_procedures(struct page *p)
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
        json_push(procedures, procedure(p, rank[n].span));
    free(rank);
    return procedures;
}
