/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcsweep/table_plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/interval.h"
#include "base/outfile.h"

/* A series of bars is a configuration, with a profile if there are several. */
static bool table_is_series(const struct job_names *a, const struct job_names *b)
{
    return strcmp(a->configuration, b->configuration) == 0 && strcmp(a->profile, b->profile) == 0;
}

/* The first row of a series, or of a program, stands for it. */
static bool table_is_first(const struct table_values *v, size_t row, bool of_series)
{
    const struct job_names *n = v->row[row].names;
    for (size_t i = 0; i < row; i++)
        if (of_series ? table_is_series(v->row[i].names, n) : strcmp(v->row[i].names->program, n->program) == 0)
            return false;
    return true;
}

/* A text in gnuplot's double quotes; names have no characters that need them. */
static void table_plot_title(FILE *out, const struct job_names *n)
{
    fprintf(out, "\"%s%s%s\"", n->configuration, n->profile[0] != '\0' ? " " : "", n->profile);
}

static void table_plot_bar(FILE *out, const struct table_values *v, const char *program, const struct job_names *series)
{
    for (size_t i = 0; i < v->rows; i++) {
        const struct table_row *r = &v->row[i];
        if (strcmp(r->names->program, program) != 0 || !table_is_series(r->names, series))
            continue;
        const struct table_cell *c = &r->cell[v->columns - 1];
        struct interval x = {false, 0, 0};
        if (c->count > 1) {
            const struct value_spread s = spread_of(c->value, c->count);
            x = interval_of_mean(s.mean, s.deviation, (unsigned)c->count);
        }
        fprintf(out, " %.17g %.17g %.17g", c->mean.mean, x.is_known ? x.low : c->mean.mean,
                x.is_known ? x.high : c->mean.mean);
        return;
    }
    fputs(" NaN NaN NaN", out);
}

static void table_plot_data(FILE *out, const struct table_values *v)
{
    fputs("$values << END\n", out);
    for (size_t p = 0; p < v->rows; p++) {
        if (!table_is_first(v, p, false))
            continue;
        fprintf(out, "%s", v->row[p].names->program);
        for (size_t s = 0; s < v->rows; s++)
            if (table_is_first(v, s, true))
                table_plot_bar(out, v, v->row[p].names->program, v->row[s].names);
        fputc('\n', out);
    }
    fputs("END\n", out);
}

/* The picture's file: that of the script, with the ending .svg; the caller frees it. */
static char *table_plot_picture(const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path, *dot = strrchr(base, '.');
    return xasprintf("%.*s.svg", dot != NULL ? (int)(dot - base) : (int)strlen(base), base);
}

static void table_plot_script(FILE *out, const struct table_values *v, const char *path)
{
    char *picture = table_plot_picture(path);
    unsigned column = 2;
    fprintf(out, "set terminal svg size 900,480 dynamic\nset output \"%s\"\n", picture);
    fprintf(out, "set style data histograms\nset style histogram errorbars gap 2 lw 1\nset style fill solid 0.7\n");
    fprintf(out, "set ylabel \"%s\" noenhanced\nset yrange [0:*]\nset grid ytics\nset xtics rotate by -30 noenhanced\n",
            v->column[v->columns - 1]);
    fputs("set key outside top center horizontal noenhanced\n", out);
    table_plot_data(out, v);
    fputs("plot", out);
    for (size_t s = 0; s < v->rows; s++)
        if (table_is_first(v, s, true)) {
            fprintf(out, "%s $values using %u:%u:%u:xtic(1) title ", column > 2 ? ", \\\n    " : "", column, column + 1,
                    column + 2);
            table_plot_title(out, v->row[s].names);
            column += 3;
        }
    fputc('\n', out);
    free(picture);
}

enum status table_plot_write(const struct table_values *v, const char *path, struct errmsg *err)
{
    struct outfile f;
    enum status st = outfile_open(&f, path, err);
    if (st != ST_OK)
        return st;
    table_plot_script(f.stream, v, path);
    return outfile_commit(&f, err);
}
