/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/progress.h"

#include <stdlib.h>

#include "base/status.h"

static void progress_print_count(FILE *out, double n)
{
    if (n >= 1e9)
        fprintf(out, "%.2f G", n / 1e9);
    else if (n >= 1e6)
        fprintf(out, "%.1f M", n / 1e6);
    else if (n >= 1e3)
        fprintf(out, "%.1f k", n / 1e3);
    else
        fprintf(out, "%.0f", n);
}

static void print_duration(FILE *out, double seconds)
{
    if (seconds >= 3600)
        fprintf(out, "%.0f h %02.0f min", (double)(long)(seconds / 3600),
                (seconds - 3600.0 * (double)(long)(seconds / 3600)) / 60);
    else if (seconds >= 60)
        fprintf(out, "%.1f min", seconds / 60);
    else
        fprintf(out, "%.0f s", seconds);
}

static void progress_print_line(FILE *out, const struct progress *p)
{
    double rate = p->seconds > 0 ? (double)p->done / p->seconds : 0;
    fprintf(out, "pcemu: %s: ", p->what);
    progress_print_count(out, (double)p->done);
    if (p->goal != UINT64_MAX) {
        fputs(" of ", out);
        progress_print_count(out, (double)p->goal);
    }
    fprintf(out, " %s", p->unit);
    if (p->goal != UINT64_MAX && p->goal > 0)
        fprintf(out, " (%.0f %%)", 100.0 * (double)p->done / (double)p->goal);
    if (p->cycles != 0) {
        fputs(", ", out);
        progress_print_count(out, (double)p->cycles);
        fputs(" cycles", out);
    }
    fputs(", ", out);
    progress_print_count(out, rate);
    fputs("/s", out);
    if (p->goal != UINT64_MAX && rate > 0 && p->goal >= p->done) {
        fputs(", ", out);
        print_duration(out, (double)(p->goal - p->done) / rate);
        fputs(" left", out);
    }
}

void progress_print(FILE *out, const struct progress *p, unsigned width)
{
    char *line = NULL;
    size_t length;
    FILE *text = xopen_text(&line, &length);
    progress_print_line(text, p);
    xclose_text(text);
    fwrite(line, 1, width != 0 && length >= width ? width - 1 : length, out);
    free(line);
}
