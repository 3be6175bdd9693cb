/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcsweep/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/pcsweep/folders.h"

/* A process that is just being ended can still create files: so many times the removal is tried again. */
enum { TEMPORARY_TRIES = 100 };

/* Waits for the end of the pipe, which has a writer while the other process runs, and removes the folder. */
static _Noreturn void watch_folder(const char *path, int pipe_end)
{
    char nothing;
    struct errmsg err;
    sigset_t all;
    sigfillset(&all);
    (void)sigprocmask(SIG_SETMASK, &all, NULL); /* those of the terminal are for the other process */
    while (read(pipe_end, &nothing, 1) < 0 && errno == EINTR)
        ;
    for (int n = 0; n < TEMPORARY_TRIES && folder_remove(path, &err) != ST_OK; n++)
        ;
    _exit(0);
}

/* Starts it as an orphan, so that this process does not wait for it with its other children. */
static bool start_watcher(const char *path, const int end[2])
{
    const pid_t between = fork();
    if (between == 0) {
        close(end[1]);
        const pid_t watcher = fork();
        if (watcher == 0)
            watch_folder(path, end[0]);
        _exit(watcher < 0);
    }
    int status = 1;
    return between > 0 && waitpid(between, &status, 0) == between && status == 0;
}

enum status temporary_folder(char **path, int *watched, struct errmsg *err)
{
    const char *place = getenv("TMPDIR");
    int end[2];
    char *made = xasprintf("%s/pcsweep.XXXXXX", place != NULL ? place : "/tmp");
    *watched = -1;
    *path = mkdtemp(made) != NULL ? realpath(made, NULL) : NULL; /* the program's folder may be another one */
    enum status st = *path != NULL && pipe2(end, O_CLOEXEC) == 0
                         ? ST_OK
                         : fail(err, ST_IO, "%s: cannot make the folder: %s", made, strerror(errno));
    if (st == ST_OK) {
        if (!start_watcher(*path, end))
            st = fail(err, ST_IO, "%s: no process removes it: %s", made, strerror(errno));
        close(end[0]);
        *watched = end[1];
    }
    free(made);
    return st;
}
