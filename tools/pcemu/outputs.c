/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/outputs.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "tools/pcemu/fatal.h"

static void open_one(struct outfile *file, const char *path)
{
    struct errmsg err;
    if (path != NULL)
        must(outfile_open(file, path, &err), &err);
}

/* Whether files can be made beside it: not beside standard output, nor a device or a FIFO. */
static bool pcemu_outputs_is_plain(const char *path)
{
    struct stat sb;
    return !file_is_standard_output(path) && (stat(path, &sb) != 0 || S_ISREG(sb.st_mode));
}

static void open_of_harts(struct outputs *outputs, const struct options *o)
{
    if (!o->by_hart || o->report == NULL || !pcemu_outputs_is_plain(o->report))
        return;
    for (unsigned n = 0; n < o->harts; n++) {
        char *path = xasprintf("%s.hart%u", o->report, n);
        open_one(&outputs->of_hart[n], path);
        free(path);
    }
}

void outputs_open(struct outputs *outputs, const struct options *o)
{
    *outputs = (struct outputs){0};
    open_one(&outputs->report, o->report);
    open_one(&outputs->stats, o->stats);
    open_one(&outputs->kanata, o->kanata);
    open_one(&outputs->perf, o->perf);
    open_one(&outputs->timeline, o->timeline);
    open_one(&outputs->trace, o->trace_file);
    open_one(&outputs->record, o->record);
    open_one(&outputs->samples, o->record_samples);
    open_one(&outputs->bbv, o->bbv);
    open_of_harts(outputs, o);
    if (o->trace == NULL || o->trace_file != NULL)
        return;
    outfile_open_standard(&outputs->trace, STDERR_FILENO);
    setvbuf(outputs->trace.stream, NULL, _IONBF, 0); /* its lines keep their place among those of the guest */
}

void outputs_commit(struct outfile *file)
{
    struct errmsg err;
    if (file->stream != NULL)
        must(outfile_commit(file, &err), &err);
}

void outputs_abort(struct outfile *file)
{
    if (file->stream != NULL)
        outfile_abort(file);
}
