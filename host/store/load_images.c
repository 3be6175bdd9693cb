/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Images of the store as images of a profile. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "host/store/load.h"

/* Data read for one image; it owns all texts and bytes. */
struct read_image {
    struct profile_image image;
    struct profile_symbol *symbol;
    struct profile_line *line;
    struct profile_code *code, *data;
    struct profile_scope *scope;
    struct profile_scope_range *scope_range;
};

const struct store_loader_number *loader_find_number(struct store_loader_number *table, int64_t row)
{
    struct store_loader_number *n;
    HASH_FIND(hh, table, &row, sizeof row, n);
    return n;
}

uint32_t loader_add_number(struct store_loader_number **table, int64_t row, uint32_t number)
{
    struct store_loader_number *n = xcalloc(1, sizeof *n);
    n->row = row;
    n->number = number;
    HASH_ADD(hh, *table, row, sizeof n->row, n);
    return number;
}

static void store_load_images_free_numbers(struct store_loader_number *table)
{
    struct store_loader_number *n, *next;
    HASH_ITER (hh, table, n, next) {
        HASH_DEL(table, n);
        free(n);
    }
}

void loader_free_numbers(struct store_loader *l)
{
    store_load_images_free_numbers(l->image);
    store_load_images_free_numbers(l->file);
    store_load_images_free_numbers(l->frame);
}

/* Items begin with their start, which SQLite orders as a signed number: those from 2^63 on, which come first, are moved
 * to the end. */
static void order(void *items, size_t count, size_t item_bytes)
{
    char *item = items, *copy;
    size_t high = 0;
    for (int64_t start; high < count && (memcpy(&start, item + high * item_bytes, sizeof start), start < 0);)
        high++;
    if (high == 0 || high == count)
        return;
    copy = xmalloc(high * item_bytes);
    memcpy(copy, item, high * item_bytes);
    memmove(item, item + high * item_bytes, (count - high) * item_bytes);
    memcpy(item + (count - high) * item_bytes, copy, high * item_bytes);
    free(copy);
}

static struct statement of_image(struct store_loader *l, const char *sql, int64_t image)
{
    struct statement q = loader_statement(l, sql);
    statement_bind_int(&q, 1, image);
    return q;
}

static void read_symbols(struct store_loader *l, struct read_image *r, int64_t image)
{
    struct statement q = of_image(
        l, "SELECT start, size, name, coalesce(shown, name) FROM symbol WHERE image = ?1 ORDER BY start", image);
    while (loader_row(l, &q)) {
        r->symbol = xgrow(r->symbol, r->image.symbols, sizeof *r->symbol);
        r->symbol[r->image.symbols++] = (struct profile_symbol){.start = (uint64_t)statement_int(&q, 0),
                                                                .size_bytes = (uint64_t)statement_int(&q, 1),
                                                                .name = statement_text(&q, 2),
                                                                .shown = statement_text(&q, 3)};
    }
    order(r->symbol, r->image.symbols, sizeof *r->symbol);
    loader_end(l, &q);
}

/* The number of a file in the profile; after an error any. */
static uint32_t store_load_images_add_file(struct store_loader *l, int64_t file)
{
    const struct store_loader_number *known = loader_find_number(l->file, file);
    if (known != NULL)
        return known->number;
    struct statement q = of_image(l, "SELECT path FROM file WHERE id = ?1", file);
    char *path = loader_row(l, &q) ? statement_text(&q, 0) : NULL;
    loader_end(l, &q);
    if (path == NULL)
        loader_refuse(l, "%s: expected source files of table file, found file %" PRId64, l->store->path, file);
    uint32_t number = path != NULL ? loader_add_number(&l->file, file, profile_add_file(l->profile, path)) : 0;
    free(path);
    return number;
}

static void read_lines(struct store_loader *l, struct read_image *r, int64_t image)
{
    struct statement q = of_image(
        l, "SELECT start, coalesce(file, 0), line, discriminator FROM line WHERE image = ?1 ORDER BY start", image);
    while (loader_row(l, &q)) {
        int64_t file = statement_int(&q, 1);
        r->line = xgrow(r->line, r->image.lines, sizeof *r->line);
        r->line[r->image.lines++] = (struct profile_line){.start = (uint64_t)statement_int(&q, 0),
                                                          .file = file == 0 ? PROFILE_NO_FILE
                                                                            : store_load_images_add_file(l, file),
                                                          .line = (uint32_t)statement_int(&q, 2),
                                                          .discriminator = (uint32_t)statement_int(&q, 3)};
    }
    order(r->line, r->image.lines, sizeof *r->line);
    loader_end(l, &q);
}

static void read_sections(struct store_loader *l, int64_t image, bool executable, struct profile_code **section,
                          size_t *count)
{
    struct statement q = of_image(
        l, "SELECT start, bytes, file_offset FROM code WHERE image = ?1 AND executable = ?2 ORDER BY start", image);
    statement_bind_int(&q, 2, executable);
    while (loader_row(l, &q)) {
        const void *bytes = sqlite3_column_blob(q.stmt, 1);
        size_t size_bytes = (size_t)sqlite3_column_bytes(q.stmt, 1);
        uint8_t *copy = xmalloc(size_bytes + 1);
        if (size_bytes != 0)
            memcpy(copy, bytes, size_bytes);
        *section = xgrow(*section, *count, sizeof **section);
        (*section)[(*count)++] = (struct profile_code){.start = (uint64_t)statement_int(&q, 0),
                                                       .size_bytes = size_bytes,
                                                       .bytes = copy,
                                                       .file_offset = (uint64_t)statement_int(&q, 2)};
    }
    order(*section, *count, sizeof **section);
    loader_end(l, &q);
}

/* Scopes, numbered from 0 without gaps; a damaged store's are left out from the first gap on. */
static void read_scopes(struct store_loader *l, struct read_image *r, int64_t image)
{
    struct statement q = of_image(
        l,
        "SELECT number, name, coalesce(shown, name), coalesce(file, 0), line, coalesce(caller, -1), "
        "coalesce(call_file, 0), call_line, call_discriminator FROM scope WHERE image = ?1 ORDER BY number",
        image);
    while (loader_row(l, &q) && statement_int(&q, 0) == (int64_t)r->image.scopes) {
        int64_t file = statement_int(&q, 3), caller = statement_int(&q, 5), call_file = statement_int(&q, 6);
        bool is_inlined = caller >= 0 && caller < (int64_t)r->image.scopes;
        r->scope = xgrow(r->scope, r->image.scopes, sizeof *r->scope);
        r->scope[r->image.scopes++] = (struct profile_scope){
            .name = statement_text(&q, 1),
            .shown = statement_text(&q, 2),
            .file = file == 0 ? PROFILE_NO_FILE : store_load_images_add_file(l, file),
            .line = (uint32_t)statement_int(&q, 4),
            .caller = is_inlined ? (uint32_t)caller : PROFILE_NO_SCOPE,
            .call_file = call_file == 0 ? PROFILE_NO_FILE : store_load_images_add_file(l, call_file),
            .call_line = (uint32_t)statement_int(&q, 7),
            .call_discriminator = (uint32_t)statement_int(&q, 8)};
    }
    loader_end(l, &q);
}

static void read_scope_ranges(struct store_loader *l, struct read_image *r, int64_t image)
{
    struct statement q = of_image(
        l, "SELECT start, coalesce(scope, -1) FROM scope_range WHERE image = ?1 ORDER BY start", image);
    while (loader_row(l, &q)) {
        int64_t scope = statement_int(&q, 1);
        bool is_known = scope >= 0 && scope < (int64_t)r->image.scopes;
        r->scope_range = xgrow(r->scope_range, r->image.scope_ranges, sizeof *r->scope_range);
        r->scope_range[r->image.scope_ranges++] = (struct profile_scope_range){
            .start = (uint64_t)statement_int(&q, 0), .scope = is_known ? (uint32_t)scope : PROFILE_NO_SCOPE};
    }
    order(r->scope_range, r->image.scope_ranges, sizeof *r->scope_range);
    loader_end(l, &q);
}

static void release_sections(struct profile_code *section, size_t count)
{
    for (size_t n = 0; n < count; n++)
        free((uint8_t *)(uintptr_t)section[n].bytes);
    free(section);
}

static void store_load_images_release(struct read_image *r)
{
    for (size_t n = 0; n < r->image.scopes; n++) {
        free((char *)(uintptr_t)r->scope[n].name);
        free((char *)(uintptr_t)r->scope[n].shown);
    }
    free(r->scope);
    free(r->scope_range);
    for (size_t n = 0; n < r->image.symbols; n++) {
        free((char *)(uintptr_t)r->symbol[n].name);
        free((char *)(uintptr_t)r->symbol[n].shown);
    }
    release_sections(r->code, r->image.codes);
    release_sections(r->data, r->image.datas);
    free(r->symbol);
    free(r->line);
}

static uint32_t store_load_images_add_image(struct store_loader *l, int64_t image)
{
    struct read_image r = {0};
    struct statement q = of_image(l, "SELECT build_id, path, name FROM image WHERE id = ?1", image);
    char *text[3] = {NULL};
    bool found = loader_row(l, &q);
    for (int i = 0; i < 3; i++)
        text[i] = found ? statement_text(&q, i) : xstrdup("");
    loader_end(l, &q);
    if (!found)
        loader_refuse(l, "%s: expected images of table image, found image %" PRId64, l->store->path, image);
    if (l->parts & STORE_SYMBOLS)
        read_symbols(l, &r, image);
    if (l->parts & STORE_LINES)
        read_lines(l, &r, image);
    if (l->parts & STORE_SCOPES) {
        read_scopes(l, &r, image);
        read_scope_ranges(l, &r, image);
    }
    if (l->parts & STORE_CODE) {
        read_sections(l, image, true, &r.code, &r.image.codes);
        read_sections(l, image, false, &r.data, &r.image.datas);
    }
    r.image.build_id = text[0];
    r.image.path = text[1];
    r.image.name = text[2];
    r.image.symbol = r.symbol;
    r.image.line = r.line;
    r.image.code = r.code;
    r.image.data = r.data;
    r.image.scope = r.scope;
    r.image.scope_range = r.scope_range;
    uint32_t number = profile_add_image(l->profile, &r.image);
    store_load_images_release(&r);
    for (int i = 0; i < 3; i++)
        free(text[i]);
    return number;
}

uint32_t loader_image(struct store_loader *l, int64_t image)
{
    if (l->last_image != NULL && l->last_image->row == image)
        return l->last_image->number;
    l->last_image = loader_find_number(l->image, image);
    return l->last_image != NULL ? l->last_image->number
                                 : loader_add_number(&l->image, image, store_load_images_add_image(l, image));
}
