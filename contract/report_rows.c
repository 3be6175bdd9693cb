/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of a table, packed: a report of a million instructions has tens of millions of cells, most of which are
 * small numbers or absent. The last row is unpacked, so that it can be filled; others are unpacked when they are read.
 *
 * A row has a bit for each column, whether its cell is there; then the content of the cells that are:
 *   texts              the bytes and a NUL
 *   counts, rows       varints
 *   flags              a byte
 *   real numbers       as base/varint.h has them
 *   addresses          varints: pc, address, offset, numbers of the names, line, whether it is of data
 * Names of functions, libraries and files are kept once for each table. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/status.h"
#include "base/varint.h"
#include "contract/report_parts.h"

enum { SEGMENT_BYTES = 1 << 16 };

struct row_name {
    char *text, *shown; /* as it was given, and printable */
    uint32_t number;    /* from 1 on; 0: no name */
    UT_hash_handle hh;
};

/* A row that has been unpacked. */
struct unpacked_row {
    size_t row;
    bool used;
    struct report_cell *cell; /* texts are in the packed row */
    struct report_place *place;
    double (*interval)[2];
};

struct report_rows {
    uint8_t **row; /* packed; not of the last row */
    size_t packed, room;
    uint8_t **segment;
    size_t segments;
    uint8_t *at; /* where the last segment is free, with `left` bytes */
    size_t left;
    struct row_name *names;
    const char **name; /* by number */
    uint32_t name_count;
    struct report_cell *last; /* cells of the last row */
    struct unpacked_row unpacked[REPORT_ROWS_HELD];
    bool *has_absent; /* by column, of the packed rows */
    uint8_t *buffer;
    size_t used, buffer_room;
};

struct report_rows *report_rows_new(void) { return xcalloc(1, sizeof(struct report_rows)); }

/* Frees the rows that have been unpacked. */
static void free_unpacked(struct report_rows *r)
{
    for (unsigned n = 0; n < REPORT_ROWS_HELD; n++) {
        free(r->unpacked[n].cell);
        free(r->unpacked[n].place);
        free(r->unpacked[n].interval);
        r->unpacked[n] = (struct unpacked_row){0};
    }
}

void report_rows_free(struct report_rows *r, size_t rows, unsigned columns)
{
    for (unsigned c = 0; rows > 0 && c < columns; c++)
        report_clear_cell(&r->last[c]);
    for (size_t n = 0; n < r->segments; n++)
        free(r->segment[n]);
    struct row_name *name, *next;
    HASH_ITER (hh, r->names, name, next) {
        HASH_DEL(r->names, name);
        free(name->text);
        free(name->shown);
        free(name);
    }
    free_unpacked(r);
    free(r->row);
    free(r->segment);
    free(r->name);
    free(r->last);
    free(r->has_absent);
    free(r->buffer);
    free(r);
}

/* ---- packing ---- */

static uint8_t *reserve(struct report_rows *r, size_t bytes)
{
    if (r->used + bytes > r->buffer_room) {
        r->buffer_room = 2 * (r->used + bytes);
        r->buffer = xrealloc(r->buffer, r->buffer_room);
    }
    return r->buffer + r->used;
}

static void put_number(struct report_rows *r, uint64_t n) { r->used += varint_put(reserve(r, VARINT_MOST), n); }

static void report_rows_put_bytes(struct report_rows *r, const void *bytes, size_t count)
{
    memcpy(reserve(r, count), bytes, count);
    r->used += count;
}

static void report_rows_put_real(struct report_rows *r, double x)
{
    r->used += varint_put_real(reserve(r, VARINT_REAL_MOST), x);
}

static uint32_t report_rows_name_number(struct report_rows *r, const char *text)
{
    struct row_name *found;
    if (text == NULL)
        return 0;
    HASH_FIND_STR(r->names, text, found);
    if (found != NULL)
        return found->number;
    found = xmalloc(sizeof *found);
    *found = (struct row_name){.text = xstrdup(text), .shown = report_copy_text(text), .number = ++r->name_count};
    HASH_ADD_KEYPTR(hh, r->names, found->text, strlen(found->text), found);
    r->name = xgrow(r->name, r->name_count - 1, sizeof *r->name);
    r->name[r->name_count - 1] = found->shown;
    return found->number;
}

static void report_rows_put_place(struct report_rows *r, const struct report_place *p)
{
    put_number(r, p->pc);
    put_number(r, zigzag(p->address - p->pc));
    put_number(r, p->offset);
    put_number(r, report_rows_name_number(r, p->function));
    put_number(r, report_rows_name_number(r, p->library));
    put_number(r, report_rows_name_number(r, p->file));
    put_number(r, zigzag((uint64_t)(int64_t)p->line) << 1 | p->is_data);
}

static void report_rows_put_cell(struct report_rows *r, const struct report_cell *c)
{
    switch (c->type) {
    case REPORT_TEXT:
        report_rows_put_bytes(r, c->text, strlen(c->text) + 1);
        break;
    case REPORT_COUNT:
    case REPORT_HEX:
        put_number(r, c->count);
        break;
    case REPORT_REAL:
    case REPORT_SHARE:
        report_rows_put_real(r, c->real);
        break;
    case REPORT_FLAG:
        put_number(r, c->flag);
        break;
    case REPORT_ADDRESS:
        report_rows_put_place(r, c->place);
        break;
    case REPORT_INTERVAL:
        report_rows_put_real(r, c->interval[0]);
        report_rows_put_real(r, c->interval[1]);
        break;
    case REPORT_ROWS:
        put_number(r, c->rows.first);
        put_number(r, c->rows.count);
        break;
    default:
        break;
    }
}

/* Packs the cells into the buffer. */
static void report_rows_pack(struct report_rows *r, const struct report_cell *cells, unsigned columns)
{
    size_t bits = (columns + 7) / 8;
    r->used = 0;
    if (bits > 0) /* a table may have no columns */
        memset(reserve(r, bits), 0, bits);
    r->used = bits;
    for (unsigned c = 0; c < columns; c++) {
        if (cells[c].type == REPORT_ABSENT) {
            r->has_absent[c] = true;
            continue;
        }
        r->buffer[c / 8] |= (uint8_t)(1U << c % 8);
        report_rows_put_cell(r, &cells[c]);
    }
}

/* Copies the buffer to the segments. */
static uint8_t *report_rows_keep(struct report_rows *r)
{
    if (r->used > r->left) {
        size_t most = r->segments < 6 ? (size_t)1024 << r->segments : SEGMENT_BYTES;
        r->left = r->used > most ? r->used : most;
        r->segment = xgrow(r->segment, r->segments, sizeof *r->segment);
        r->segment[r->segments++] = r->at = xmalloc(r->left);
    }
    uint8_t *to = r->at;
    if (r->used > 0) /* a table may have no columns */
        memcpy(to, r->buffer, r->used);
    r->at += r->used;
    r->left -= r->used;
    return to;
}

static void pack_last(struct report_rows *r, unsigned columns)
{
    report_rows_pack(r, r->last, columns);
    if (r->packed == r->room) {
        r->room = r->room + r->room / 2 + 16;
        r->row = xrealloc(r->row, r->room * sizeof *r->row);
    }
    r->row[r->packed++] = report_rows_keep(r);
    for (unsigned c = 0; c < columns; c++)
        report_clear_cell(&r->last[c]);
}

struct report_cell *report_rows_add(struct report_rows *r, size_t rows, unsigned columns)
{
    if (r->last == NULL) {
        r->last = xcalloc(columns + 1, sizeof *r->last);
        r->has_absent = xcalloc(columns + 1, sizeof *r->has_absent);
    }
    if (rows > r->packed)
        pack_last(r, columns);
    return r->last;
}

struct report_cell *report_rows_last(const struct report_rows *r) { return r->last; }

/* ---- reading ---- */

struct row_reader {
    const struct report_rows *rows;
    const uint8_t *at;
};

static const char *report_rows_take_name(struct row_reader *in)
{
    uint64_t number = varint_take(&in->at);
    return number == 0 ? NULL : in->rows->name[number - 1];
}

static void take_place(struct row_reader *in, struct report_place *p)
{
    *p = (struct report_place){.pc = varint_take(&in->at)};
    p->address = p->pc + zigzag_difference(varint_take(&in->at));
    p->offset = varint_take(&in->at);
    p->function = report_rows_take_name(in);
    p->library = report_rows_take_name(in);
    p->file = report_rows_take_name(in);
    uint64_t line = varint_take(&in->at);
    p->line = (int)(int64_t)zigzag_difference(line >> 1);
    p->is_data = (line & 1) != 0;
}

static void take_cell(struct row_reader *in, struct unpacked_row *u, unsigned column, enum report_type type)
{
    struct report_cell *c = &u->cell[column];
    *c = (struct report_cell){.type = type};
    switch (type) {
    case REPORT_TEXT:
        c->text = (char *)(uintptr_t)in->at;
        in->at += strlen(c->text) + 1;
        break;
    case REPORT_COUNT:
    case REPORT_HEX:
        c->count = varint_take(&in->at);
        break;
    case REPORT_REAL:
    case REPORT_SHARE:
        c->real = varint_take_real(&in->at);
        break;
    case REPORT_FLAG:
        c->flag = varint_take(&in->at) != 0;
        break;
    case REPORT_ADDRESS:
        c->place = &u->place[column];
        take_place(in, c->place);
        break;
    case REPORT_INTERVAL:
        c->interval = u->interval[column];
        c->interval[0] = varint_take_real(&in->at);
        c->interval[1] = varint_take_real(&in->at);
        break;
    case REPORT_ROWS:
        c->rows.first = (uint32_t)varint_take(&in->at);
        c->rows.count = (uint32_t)varint_take(&in->at);
        break;
    default:
        break;
    }
}

static void report_rows_unpack(const struct report_table *t, const uint8_t *packed, struct unpacked_row *u)
{
    struct row_reader in = {t->store, packed + (t->columns + 7) / 8};
    if (u->cell == NULL) {
        u->cell = xcalloc(t->columns + 1, sizeof *u->cell);
        u->place = xcalloc(t->columns + 1, sizeof *u->place);
        u->interval = xcalloc(t->columns + 1, sizeof *u->interval);
    }
    for (unsigned c = 0; c < t->columns; c++) {
        u->cell[c] = (struct report_cell){.type = REPORT_ABSENT};
        if ((packed[c / 8] >> c % 8 & 1) != 0)
            take_cell(&in, u, c, t->column[c].type);
    }
}

const struct report_cell *report_cell_at(const struct report_table *t, size_t row, unsigned column)
{
    struct report_rows *r = t->store;
    if (row >= r->packed)
        return &r->last[column];
    struct unpacked_row *u = &r->unpacked[row % REPORT_ROWS_HELD];
    if (!u->used || u->row != row) {
        report_rows_unpack(t, r->row[row], u);
        u->row = row;
        u->used = true;
    }
    return &u->cell[column];
}

bool report_has_absent(const struct report_table *t, unsigned column)
{
    const struct report_rows *r = t->store;
    if (t->rows == 0)
        return false;
    return r->has_absent[column] || (r->packed < t->rows && r->last[column].type == REPORT_ABSENT);
}

/* ---- changes of all rows ---- */

void report_rows_resolve(struct report_table *t, void (*find)(void *ctx, struct report_place *p), void *ctx)
{
    struct report_rows *r = t->store;
    bool has_places = false;
    for (unsigned c = 0; c < t->columns; c++)
        has_places |= t->column[c].type == REPORT_ADDRESS;
    if (!has_places || t->rows == 0)
        return;
    uint8_t **old = r->segment;
    size_t count = r->segments;
    struct unpacked_row *u = &r->unpacked[0];
    free_unpacked(r);
    r->segment = NULL;
    r->segments = r->left = 0;
    for (size_t n = 0; n < r->packed; n++) {
        report_rows_unpack(t, r->row[n], u);
        for (unsigned c = 0; c < t->columns; c++)
            if (u->cell[c].type == REPORT_ADDRESS)
                report_find_place(u->cell[c].place, find, ctx);
        report_rows_pack(r, u->cell, t->columns);
        r->row[n] = report_rows_keep(r);
    }
    for (size_t n = 0; n < count; n++) /* only now: rows that have been sorted are not in the order of the segments */
        free(old[n]);
    free(old);
    free_unpacked(r);
    for (unsigned c = 0; c < t->columns; c++)
        report_resolve_cell(&r->last[c], find, ctx);
}

void report_rows_order(struct report_table *t, const size_t *order)
{
    struct report_rows *r = t->store;
    if (t->rows < 2)
        return;
    if (r->packed < t->rows)
        pack_last(r, t->columns);
    uint8_t **row = xcalloc(r->packed, sizeof *row);
    for (size_t n = 0; n < r->packed; n++)
        row[n] = r->row[order[n]];
    free(r->row);
    r->row = row;
    r->room = r->packed;
    free_unpacked(r);
}
