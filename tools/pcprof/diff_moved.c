/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Procedures that a change elsewhere has moved. */
#include <math.h>
#include <stdlib.h>

#include "host/report/names.h"
#include "tools/pcprof/diff.h"

enum { DIFF_MOVED = 4 };
/* The increase from which a procedure is named, as a share of what it had before. */
#define DIFF_MOVED_LEAST 0.01
/* The procedure's least share of the whole. */
#define DIFF_MOVED_SHARE 0.005

static bool diff_has_moved(const struct run_place *p)
{
    const struct run_code *a = &p->code[0], *b = &p->code[1];
    return !a->several && !b->several && a->size_bytes != 0 && a->size_bytes == b->size_bytes && a->start != b->start;
}

/* Whether the procedure takes more without a change of its size. */
static bool diff_is_moved_loss(const struct diff_row *row, double whole)
{
    return row->place != NULL && diff_has_moved(row->place) && row->mean[0] >= DIFF_MOVED_SHARE * whole &&
           row->absolute.difference >= DIFF_MOVED_LEAST * row->mean[0] &&
           (diff_is_significant(row) || isnan(row->absolute.probability));
}

static void diff_add_moved(FILE *out, struct names *names, const struct run_place *p, bool first)
{
    char *name = names_show(names, p->procedure);
    fprintf(out, "%s%s (0x%llx, now 0x%llx)", first ? "Code has moved: " : ", ", name,
            (unsigned long long)p->code[0].start, (unsigned long long)p->code[1].start);
    free(name);
}

char *diff_tell_moved(const struct diff *d, const struct diff_row *row, size_t count, bool full_names)
{
    char *text = NULL;
    size_t size, moved = 0;
    const double whole = diff_total(d).mean[0];
    struct names *names = names_new(full_names);
    FILE *out = xopen_text(&text, &size);
    for (size_t n = 0; n < count; n++)
        if (row[n].place != NULL && row[n].place->procedure != NULL)
            names_add(names, row[n].place->procedure);
    for (size_t n = 0; n < count; n++)
        if (diff_is_moved_loss(&row[n], whole) && ++moved <= DIFF_MOVED)
            diff_add_moved(out, names, row[n].place, moved == 1);
    names_free(names);
    if (moved > DIFF_MOVED)
        fprintf(out, " and %zu other%s", moved - DIFF_MOVED, moved - DIFF_MOVED == 1 ? "" : "s");
    fputs(moved == 1 ? " takes more and has" : " take more and have", out);
    fputs(" the same size at another address. The address decides which instructions are fetched together and which "
          "lines and predictor entries they share, so such a difference need not come from the procedure itself.",
          out);
    xclose_text(out);
    if (moved > 0)
        return text;
    free(text);
    return NULL;
}
