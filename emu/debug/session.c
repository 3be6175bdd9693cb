/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The session's log: the commands that save-session writes. */
#include <stdlib.h>

#include "emu/debug/debugger.h"
#include "isa/support/outfile.h"

void session_log(struct debugger *d, const char *line)
{
    d->log = xgrow(d->log, d->logged, sizeof *d->log);
    d->log[d->logged++] = xstrdup(line);
}

void session_free_log(struct debugger *d)
{
    for (size_t i = 0; i < d->logged; i++)
        free(d->log[i]);
    free(d->log);
}

enum status cmd_save_session(struct debugger *d, const char *args, struct errmsg *err)
{
    struct outfile f;
    if (*args == '\0')
        return fail(err, ST_INPUT, "save to what? expected a file");
    enum status st = outfile_open(&f, args, err);
    if (st != ST_OK)
        return st;
    for (size_t i = 0; i + 1 < d->logged; i++) /* except this command */
        fprintf(f.stream, "%s\n", d->log[i]);
    return outfile_commit(&f, err);
}
