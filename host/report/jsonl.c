/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The form of JSON Lines: an object on each line, with the name of a table and a row of it. The first line has the
 * values of the report, as the only row of the table `report`. A program reads it row by row, without the whole in
 * memory. Entry point: report_write_jsonl. */
#include <stdlib.h>

#include "contract/report_tree.h"
#include "host/report/formats.h"
#include "host/report/json.h"

static void jsonl_put_row(const struct report_table *t, size_t row, const char *path, FILE *out)
{
    struct json_stream s = {.out = out};
    json_stream_begin(&s, NULL, '{');
    json_stream_text(&s, "table", path);
    report_json_row(&s, "row", t, row);
    json_stream_end(&s, '}');
    fputc('\n', out);
}

/* The tables of a section, whose names are as in CSV. */
static void jsonl_put_tables(const struct report *r, const char *path, FILE *out)
{
    for (const struct report_node *n = r->first; n != NULL; n = n->next) {
        if (n->kind != REPORT_TABLE && n->kind != REPORT_SECTION)
            continue;
        const char *key = n->kind == REPORT_TABLE ? n->table->key : n->section->key;
        char *below = key == NULL ? xstrdup(path) : path[0] != '\0' ? xasprintf("%s.%s", path, key) : xstrdup(key);
        if (n->kind == REPORT_SECTION)
            jsonl_put_tables(n->section, below, out);
        else
            for (size_t row = 0; row < n->table->rows; row++)
                jsonl_put_row(n->table, row, below, out);
        free(below);
    }
}

void report_write_jsonl(const struct report *r, const struct report_view *v, FILE *out)
{
    struct json_stream s = {.out = out};
    (void)v;
    json_stream_begin(&s, NULL, '{');
    json_stream_text(&s, "table", "report");
    report_json_values(&s, "row", r);
    json_stream_end(&s, '}');
    fputc('\n', out);
    jsonl_put_tables(r, "", out);
}
