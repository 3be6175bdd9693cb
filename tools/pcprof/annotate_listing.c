/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instructions of a procedure, with the values of events. */
#include <stdlib.h>

#include "tools/pcprof/annotate.h"
#include "tools/pcprof/listing.h"

void annotate_add_values(const struct annotate *a, struct prof_row *row, uint64_t start, uint64_t end)
{
    const struct prof *p = &a->prof;
    for (unsigned c = 0; c < p->columns; c++) {
        const uint32_t exact = p->column[c].exact;
        prof_join(&p->column[c], &row->value[c], prof_sum(p, c, row->image, start, end));
        if (exact != PROFILE_NO_EVENT)
            row->exact[c] += profile_sum(p->profile, exact, row->image, start, end);
    }
}

/* The first address from `pc` up to `end` with code or a value. A symbol of a damaged file has any size. */
static uint64_t next_row(const struct annotate *a, uint32_t image, uint64_t pc, uint64_t end)
{
    const struct profile_image *i = profile_image(a->prof.profile, image);
    uint64_t next = end;
    for (size_t n = 0; n < i->codes; n++) {
        const struct profile_code *c = &i->code[n];
        if (pc >= c->start && pc - c->start < c->size_bytes)
            return pc;
        if (c->start > pc && c->start < next)
            next = c->start;
    }
    for (unsigned c = 0; c < a->prof.columns; c++) {
        const struct prof_column *column = &a->prof.column[c];
        next = profile_next_address(a->prof.profile, column->event, image, pc, next);
        if (column->exact != PROFILE_NO_EVENT)
            next = profile_next_address(a->prof.profile, column->exact, image, pc, next);
    }
    return next;
}

static void listing_columns(const struct annotate *a, struct report_table *t, const struct prof_row *row,
                            const char *text, const char *line)
{
    prof_value_columns(&a->prof, t, row, 0);
    REPORT_COLUMN(t, HEX, row->address, .member = "address", .title = "address");
    REPORT_COLUMN(t, TEXT, text, .member = "instruction", .title = "instruction", .absent = "(no code)");
    REPORT_COLUMN(t, TEXT, line, .member = "line", .title = "line", .kept = true);
}

void annotate_listing(const struct annotate *a, const struct annotate_procedure *p, struct report *r)
{
    struct report_table *t = report_table(r, "instructions", "Instructions of {procedure}");
    report_whole(t);
    listing_columns(a, t, &(struct prof_row){0}, NULL, NULL);
    uint64_t end = p->symbol->start + p->symbol->size_bytes;
    unsigned length_bytes;
    for (uint64_t pc = next_row(a, p->image, p->symbol->start, end); pc < end;
         pc = next_row(a, p->image, pc + length_bytes, end)) {
        struct prof_row row = {.image = p->image, .address = pc};
        const struct profile_image *i = profile_image(a->prof.profile, p->image);
        struct code_insn in;
        char *text = listing_decode(i, pc, &in) ? listing_with_target(i, &in) : NULL;
        length_bytes = text != NULL ? in.length_bytes : 2;
        char *line = prof_name_line(&a->prof, &row);
        annotate_add_values(a, &row, pc, pc + length_bytes);
        report_row(t);
        listing_columns(a, t, &row, text, line);
        free(text);
        free(line);
    }
}
