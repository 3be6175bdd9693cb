/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the time goes, for the overview, which is shown before the code is read:
 *   waits[]           by category and mnemonic, the largest first: component, mnemonic, cycles; and of the instruction
 *                     with most of them procedure, address, file (-1: unknown), line
 *   lines[]           source lines with most of the first column: file, line, procedure, value
 *   instructions[]    instructions with most of it: procedure, address, text, value */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/order.h"
#include "host/report/json_value.h"
#include "tools/pcprof/page.h"

enum { MNEMONIC_BYTES = 24, HOTTEST = 10 };

/* Cycles of a category at instructions of a mnemonic. */
struct hot_wait {
    struct hot_wait_key {
        uint32_t component;
        char mnemonic[MNEMONIC_BYTES];
    } key;
    double cycles, most;     /* most: of one instruction, */
    struct page_place place; /* this one */
    UT_hash_handle hh;
};

/* The value of an instruction. */
struct hot_value {
    struct page_place place;
    double value;
};

struct page_hot {
    struct hot_wait *waits;
    struct hot_value *value;
    size_t values, room;
};

static void hot_add_wait(struct page_hot *h, const struct page_place *place, uint32_t component, double cycles)
{
    struct hot_wait_key key;
    struct hot_wait *wait;
    memset(&key, 0, sizeof key);
    key.component = component;
    size_t length = strcspn(place->text, " \t");
    memcpy(key.mnemonic, place->text, length < MNEMONIC_BYTES ? length : MNEMONIC_BYTES - 1);
    HASH_FIND(hh, h->waits, &key, sizeof key, wait);
    if (wait == NULL) {
        wait = xcalloc(1, sizeof *wait);
        wait->key = key;
        HASH_ADD(hh, h->waits, key, sizeof key, wait);
    }
    wait->cycles += cycles;
    if (cycles > wait->most) {
        wait->most = cycles;
        wait->place = *place;
    }
}

void page_hot_add(struct page *p, const struct page_place *place, const struct page_value *v)
{
    struct page_hot *h = p->hot != NULL ? p->hot : (p->hot = xcalloc(1, sizeof *p->hot));
    if (v->kind == PAGE_CATEGORY)
        hot_add_wait(h, place, v->which, v->estimate);
    if (v->kind != PAGE_COLUMN || v->which != 0)
        return;
    if (h->values == h->room) {
        h->room = 2 * h->room + 1024;
        h->value = xrealloc(h->value, h->room * sizeof *h->value);
    }
    h->value[h->values++] = (struct hot_value){*place, isfinite(v->exact) ? v->exact : v->estimate};
}

/* ---- the hottest ---- */

ORDER(hot_by_value, struct hot_value,
      FALLING(value) RISING(place.procedure) RISING(place.address) RISING(place.file) RISING(place.line))
ORDER(hot_by_line, struct hot_value,
      RISING(place.image) RISING(place.file) RISING(place.line) RISING(place.procedure) FALLING(value))

/* Sums the values of each line of an image; the procedure is that of the largest part. Returns their number. */
static size_t hot_sum_lines(struct hot_value *value, size_t count)
{
    size_t lines = 0;
    if (count > 0)
        qsort(value, count, sizeof *value, hot_by_line);
    for (size_t n = 0, end; n < count; n = end) {
        struct hot_value sum = {.place = value[n].place};
        double most = -1, part = 0;
        for (end = n; end < count && value[end].place.image == sum.place.image &&
                      value[end].place.file == sum.place.file && value[end].place.line == sum.place.line;
             end++) {
            bool is_same = end > n && value[end].place.procedure == value[end - 1].place.procedure;
            part = (is_same ? part : 0) + value[end].value;
            if (part > most) {
                most = part;
                sum.place.procedure = value[end].place.procedure;
            }
            sum.value += value[end].value;
        }
        if (sum.place.file >= 0)
            value[lines++] = sum;
    }
    return lines;
}

static void hot_push(json_t *row, const struct page_place *place, bool with_address)
{
    if (with_address) {
        char hex[24];
        snprintf(hex, sizeof hex, "%" PRIx64, place->address);
        json_put(row, "address", json_string(hex));
        json_put(row, "text", json_text(place->text));
    }
    json_put(row, "procedure", json_integer(place->procedure));
    json_put(row, "image", json_integer(place->image));
    json_put(row, "file", json_integer(place->file));
    json_put(row, "line", json_integer(place->line));
}

static json_t *hot_first(struct hot_value *value, size_t count, bool with_address)
{
    json_t *list = json_array();
    if (count > 0)
        qsort(value, count, sizeof *value, hot_by_value);
    for (size_t n = 0; n < count && n < HOTTEST && value[n].value > 0; n++) {
        json_t *row = json_push(list, json_object());
        hot_push(row, &value[n].place, with_address);
        json_put(row, "value", json_number(value[n].value));
    }
    return list;
}

/* By cycles; equal ones by their place. */
static int hot_by_cycles(const struct hot_wait *x, const struct hot_wait *y)
{
    if (x->cycles != y->cycles)
        return x->cycles > y->cycles ? -1 : 1;
    return memcmp(&x->key, &y->key, sizeof x->key);
}

json_t *page_hot(struct page *p)
{
    struct page_hot none = {0}, *h = p->hot != NULL ? p->hot : &none;
    json_t *o = json_object(), *waits = json_put(o, "waits", json_array());
    struct hot_wait *wait, *next;
    HASH_SORT(h->waits, hot_by_cycles);
    HASH_ITER (hh, h->waits, wait, next) {
        json_t *row = json_push(waits, json_object());
        json_put(row, "component", json_integer(wait->key.component));
        json_put(row, "mnemonic", json_text(wait->key.mnemonic));
        json_put(row, "cycles", json_number(wait->cycles));
        json_put(row, "most", json_number(wait->most));
        hot_push(row, &wait->place, true);
        HASH_DEL(h->waits, wait);
        free(wait);
    }
    json_put(o, "instructions", hot_first(h->value, h->values, true));
    json_put(o, "lines", hot_first(h->value, hot_sum_lines(h->value, h->values), false));
    free(h->value);
    free(p->hot);
    p->hot = NULL;
    return o;
}
