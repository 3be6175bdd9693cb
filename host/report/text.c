/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text form: a line for each value, paragraphs, tables. Entry point: report_write_text. */
#include "host/report/text.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "host/report/fold.h"
#include "host/report/formats.h"
#include "host/report/legend.h"
#include "host/report/template.h"
#include "host/report/words.h"

/* Prose is broken at PROSE_WIDTH columns, however wide the lines may be. */
enum { LABEL_WIDTH = 24, NUMBER_WIDTH = 15, PROSE_WIDTH = 100, SMALL_INDENT = 2 };

static bool is_words(const struct report_cell *c) { return c->type == REPORT_TEXT || c->type == REPORT_ADDRESS; }

static void print_content(const struct report_value *v, FILE *out)
{
    char *text = cell_text(&v->cell, &(struct number_style){.decimals = v->decimals});
    if (v->cell.type == REPORT_ABSENT)
        fprintf(out, "%*s", NUMBER_WIDTH, "-");
    else if (is_words(&v->cell))
        fputs(text, out);
    else
        fprintf(out, "%*s%s", NUMBER_WIDTH, text, v->cell.type == REPORT_SHARE ? " %" : "");
    free(text);
}

/* An interval, and the exact answer beside an estimate. */
static void print_truth(const struct report_value *v, FILE *out)
{
    const bool is_share = v->cell.type == REPORT_SHARE;
    struct report_cell exact = {.type = is_share ? REPORT_SHARE : REPORT_REAL, .real = v->exact};
    double bounds[] = {v->low, v->high};
    struct report_cell interval = {.type = REPORT_INTERVAL, .interval = bounds};
    const struct number_style style = {.decimals = v->decimals, .percent = is_share};
    if (v->has_interval) {
        char *text = cell_text(&interval, &style);
        fprintf(out, ", 95 %%: %s", text);
        free(text);
    }
    if (v->has_exact) {
        char *text = cell_text(&exact, &style);
        fprintf(out, ", exact: %s", text);
        free(text);
    }
}

/* Units are plurals: "accesses", "cycles". */
static void print_unit(const struct report_value *v, FILE *out)
{
    if (v->unit == NULL || v->unit[0] == '\0' || v->implied)
        return;
    size_t length = strlen(v->unit);
    bool one = v->cell.type == REPORT_COUNT && v->cell.count == 1;
    if (one && length > 4 && strcmp(v->unit + length - 4, "sses") == 0)
        length -= 2;
    else if (one && v->unit[length - 1] == 's')
        length--;
    fprintf(out, " %.*s", (int)length, v->unit);
}

/* Text behind the label; the caller frees it. */
static char *value_line(const struct report_value *v, const struct report *r)
{
    char *line = NULL;
    size_t size;
    FILE *out = xopen_text(&line, &size);
    print_content(v, out);
    print_unit(v, out);
    print_truth(v, out);
    if (v->remark != NULL && v->remark[0] != '\0') {
        char *remark = template_expand(v->remark, r, NULL);
        fprintf(out, "%s%s", remark[0] != ':' ? " " : "", remark);
        free(remark);
    }
    xclose_text(out);
    return line;
}

static void report_text_print_value(const struct report_value *v, const struct report *r, unsigned width, FILE *out)
{
    if (v->label == NULL)
        return;
    char *line = value_line(v, r), *label = xasprintf("%-*s ", LABEL_WIDTH, v->label);
    unsigned label_bytes = (unsigned)strlen(label),
             column = LABEL_WIDTH + 1 + (is_words(&v->cell) ? 0 : NUMBER_WIDTH + 1);
    if (width == 0 || label_bytes + NUMBER_WIDTH < width) {
        fputs(label, out);
        fold_print(line, width, label_bytes, column, out);
    } else { /* without columns */
        char *both = xasprintf("%s %s", v->label, line + strspn(line, " "));
        fold_print(both, width, 0, SMALL_INDENT, out);
        free(both);
    }
    free(label);
    free(line);
    fputc('\n', out);
}

void text_print_prose(const char *words, unsigned width, FILE *out)
{
    fold_print(words, width != 0 && width < PROSE_WIDTH ? width : PROSE_WIDTH, 0, (unsigned)strspn(words, " "), out);
    fputc('\n', out);
}

static void print_note(const struct report_note *n, const struct report *r, unsigned width, FILE *out)
{
    if (n->is_command) {
        fprintf(out, "    %s\n", n->words);
        return;
    }
    char *text = template_expand(n->words, r, NULL);
    if (!n->joined)
        fputc('\n', out);
    text_print_prose(text, width, out);
    free(text);
}

static void report_text_write_section(const struct report *r, const struct report_view *v, FILE *out)
{
    for (const struct report_node *n = r->first; n != NULL && (v->verbose || !r->details); n = n->next) {
        switch (n->kind) {
        case REPORT_VALUE:
            report_text_print_value(&n->value, r, v->width, out);
            break;
        case REPORT_NOTE:
            print_note(&n->note, r, v->width, out);
            break;
        case REPORT_SECTION:
            report_text_write_section(n->section, v, out);
            break;
        case REPORT_TABLE:
            text_print_table(n->table, r, v, out);
            break;
        }
    }
}

void report_write_text(const struct report *r, const struct report_view *v, FILE *out)
{
    report_text_write_section(r, v, out);
    if (v->legend)
        legend_print(r, v, out);
}
