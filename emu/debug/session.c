/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The session's log: the commands that save-session writes. Those that were refused are not among them. Nor are source,
 * whose script's commands are, and save-session. */
#include <stdlib.h>

#include "base/file.h"
#include "base/outfile.h"
#include "emu/debug/debugger.h"

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

enum status session_check_local(const struct debugger *d, const char *command, struct errmsg *err)
{
    return !d->options.is_remote
               ? ST_OK
               : fail(err, ST_INPUT, "%s is refused: over gdb no command uses files or the shell of this machine",
                      command);
}

/* Refuses to replace what the run reads or writes, or a script that is executed. */
static enum status session_check_output(struct debugger *d, const char *command, const char *path, struct errmsg *err)
{
    for (unsigned i = 0; i < d->sources; i++)
        if (d->source[i].file != stdin && file_is_same(path, d->source[i].name))
            return fail(err, ST_INPUT, "%s %s would replace the debugger's script", command, path);
    return d->s.check_output != NULL ? d->s.check_output(d->s.ctx, command, path, err) : ST_OK;
}

enum status cmd_save_session(struct debugger *d, const char *args, struct errmsg *err)
{
    struct outfile f;
    if (*args == '\0')
        return fail(err, ST_INPUT, "save to what? expected a file");
    enum status st = session_check_output(d, "save-session", args, err);
    if (st == ST_OK)
        st = outfile_open(&f, args, err);
    if (st != ST_OK)
        return st;
    for (size_t i = 0; i < d->logged; i++)
        fprintf(f.stream, "%s\n", d->log[i]);
    return outfile_commit(&f, err);
}
