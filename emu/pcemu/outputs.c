/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "emu/pcemu/outputs.h"

#include <stdlib.h>
#include <unistd.h>

#include "emu/pcemu/fatal.h"

/* For drop_all, which runs at exit. `owner` is the original process: a fork by the guest forks pcemu, and the child
 * owns no output files. */
static struct outputs *opened;
static pid_t owner;

static void drop(struct outfile *file)
{
    if (file->stream != NULL)
        outfile_abort(file);
}

static void drop_all(void)
{
    if (getpid() != owner)
        return;
    drop(&opened->report);
    drop(&opened->stats);
    drop(&opened->kanata);
    drop(&opened->trace);
    drop(&opened->record);
}

static void open_one(struct outfile *file, const char *path)
{
    struct errmsg err;
    if (path != NULL)
        must(outfile_open(file, path, &err), &err);
}

static void open_all(struct outputs *outputs, const struct options *o)
{
    opened = outputs;
    owner = getpid();
    open_one(&outputs->report, o->report);
    open_one(&outputs->stats, o->stats);
    open_one(&outputs->kanata, o->kanata);
    open_one(&outputs->trace, o->trace_file);
    open_one(&outputs->record, o->record);
}

void outputs_open(struct outputs *outputs, const struct options *o)
{
    atexit(drop_all);
    open_all(outputs, o);
}

void outputs_forked(struct outputs *outputs, const struct options *o)
{
    *outputs = (struct outputs){0};
    open_all(outputs, o);
}

void outputs_commit(struct outfile *file)
{
    struct errmsg err;
    if (file->stream != NULL)
        must(outfile_commit(file, &err), &err);
}
