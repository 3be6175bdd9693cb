/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scopes of images that are added to a store. */
#include <string.h>

#include "host/store/write.h"

/* Binds a number; NULL if there is none. */
static void bind_optional(struct statement *q, int column, bool is, int64_t number)
{
    if (is)
        statement_bind_int(q, column, number);
    else
        statement_bind_text(q, column, NULL);
}

static void store_write_scopes_add_scope(struct writer *w, struct statement *q, int64_t image,
                                         const struct profile_scope *s, const struct profile *p)
{
    int64_t file = writer_file(w, p, s->file), call_file = writer_file(w, p, s->call_file);
    statement_bind_int(q, 1, image);
    statement_bind_text(q, 3, s->name);
    statement_bind_text(q, 4, strcmp(s->name, s->shown) != 0 ? s->shown : NULL);
    bind_optional(q, 5, file != 0, file);
    statement_bind_int(q, 6, s->line);
    bind_optional(q, 7, s->caller != PROFILE_NO_SCOPE, s->caller);
    bind_optional(q, 8, call_file != 0, call_file);
    statement_bind_int(q, 9, s->call_line);
    statement_bind_int(q, 10, s->call_discriminator);
    statement_run(q);
}

void writer_add_scopes(struct writer *w, int64_t image, const struct profile_image *i, const struct profile *p)
{
    struct statement q = writer_statement(
        w, "INSERT INTO scope (image, number, name, shown, file, line, caller, call_file, call_line, "
           "call_discriminator) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)");
    for (size_t n = 0; n < i->scopes; n++) {
        statement_bind_int(&q, 2, (int64_t)n);
        store_write_scopes_add_scope(w, &q, image, &i->scope[n], p);
    }
    writer_end(w, &q);
    q = writer_statement(w, "INSERT OR IGNORE INTO scope_range (image, start, scope) VALUES (?1, ?2, ?3)");
    for (size_t n = 0; n < i->scope_ranges; n++) {
        const struct profile_scope_range *r = &i->scope_range[n];
        statement_bind_int(&q, 1, image);
        statement_bind_int(&q, 2, (int64_t)r->start);
        bind_optional(&q, 3, r->scope != PROFILE_NO_SCOPE, r->scope);
        statement_run(&q);
    }
    writer_end(w, &q);
}

static size_t more_files(size_t files, uint32_t file)
{
    return file != PROFILE_NO_FILE && file >= files ? (size_t)file + 1 : files;
}

size_t writer_files(const struct profile_image *i)
{
    size_t files = 0;
    for (size_t n = 0; n < i->lines; n++)
        files = more_files(files, i->line[n].file);
    for (size_t n = 0; n < i->scopes; n++)
        files = more_files(more_files(files, i->scope[n].file), i->scope[n].call_file);
    return files;
}
