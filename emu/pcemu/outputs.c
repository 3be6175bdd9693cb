/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "emu/pcemu/outputs.h"

#include <unistd.h>

#include "emu/pcemu/fatal.h"

static void open_one(struct outfile *file, const char *path)
{
    struct errmsg err;
    if (path != NULL)
        must(outfile_open(file, path, &err), &err);
}

void outputs_open(struct outputs *outputs, const struct options *o)
{
    *outputs = (struct outputs){0};
    open_one(&outputs->report, o->report);
    open_one(&outputs->stats, o->stats);
    open_one(&outputs->kanata, o->kanata);
    open_one(&outputs->trace, o->trace_file);
    open_one(&outputs->record, o->record);
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
