/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The procedure of an address, for SQL. Neighbours are in the same one, so most calls compare it with the last. */
#include "host/store/parts.h"

/* Reads the procedure of an address, and what else belongs to it. */
static int store_procedures_read(const struct profile_store *s, struct procedure_range *p, int64_t image,
                                 int64_t address)
{
    struct statement q = statement_new(
        s, "SELECT start, size, coalesce((SELECT min(start) FROM symbol WHERE image = ?1 AND start > ?2) - 1, "
           "9223372036854775807) FROM symbol WHERE image = ?1 AND start <= ?2 ORDER BY start DESC LIMIT 1");
    *p = (struct procedure_range){.image = image, .first = address, .last = address, .start = -1};
    statement_bind_int(&q, 1, image);
    statement_bind_int(&q, 2, address);
    if (statement_row(&q)) {
        const int64_t start = statement_int(&q, 0), size = statement_int(&q, 1), last = statement_int(&q, 2);
        const bool is_inside = size > 0 && (uint64_t)address - (uint64_t)start < (uint64_t)size;
        p->last = last;
        if (is_inside) {
            const int64_t end = start <= INT64_MAX - size ? start + size - 1 : INT64_MAX;
            *p = (struct procedure_range){image, start, end < last ? end : last, start};
        }
        sqlite3_reset(q.stmt);
    }
    const int code = q.code;
    statement_free(&q);
    return code;
}

/* procedure_at(image, address): the start of the procedure; -1: none. */
static void store_procedures_find(sqlite3_context *ctx, int count, sqlite3_value **value)
{
    struct profile_store *s = sqlite3_user_data(ctx);
    struct procedure_range *p = &s->procedure;
    const int64_t image = sqlite3_value_int64(value[0]), address = sqlite3_value_int64(value[1]);
    (void)count;
    const bool is_same = image == p->image && address >= p->first && address <= p->last;
    const int code = is_same ? SQLITE_OK : store_procedures_read(s, p, image, address);
    if (code == SQLITE_OK) {
        sqlite3_result_int64(ctx, p->start);
        return;
    }
    store_forget_procedure(s);
    sqlite3_result_error_code(ctx, code);
}

void store_add_functions(struct profile_store *s)
{
    (void)sqlite3_create_function_v2(s->db, "procedure_at", 2, SQLITE_UTF8 | SQLITE_DIRECTONLY, s,
                                     store_procedures_find, NULL, NULL, NULL);
    store_forget_procedure(s);
}

void store_forget_procedure(struct profile_store *s) { s->procedure = (struct procedure_range){.first = 1, .last = 0}; }
