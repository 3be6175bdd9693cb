/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcsweep/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

enum { CHILD_NOT_STARTED = 127, CHILD_TEXT_BYTES = 1 << 26 };

/* In the child: only system calls, as the parent may have threads. */
static _Noreturn void child_execute(const struct child *c, pid_t parent)
{
    sigset_t none;
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    const int input = open(c->input != NULL ? c->input : "/dev/null", O_RDONLY);
    bool is_ready = input >= 0 && dup2(input, STDIN_FILENO) >= 0;
    if (input > STDERR_FILENO)
        close(input);
    is_ready = is_ready && (c->output < 0 || dup2(c->output, STDOUT_FILENO) >= 0);
    is_ready = is_ready && (c->error < 0 || dup2(c->error, STDERR_FILENO) >= 0);
    is_ready = is_ready && (c->folder == NULL || chdir(c->folder) == 0);
    /* A parent that has ended before this call sends no signal. */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent && is_ready)
        execvp(c->argv[0], c->argv);
    _exit(CHILD_NOT_STARTED);
}

enum status child_start(const struct child *c, pid_t *process, struct errmsg *err)
{
    const pid_t parent = getpid();
    fflush(NULL);
    *process = fork();
    if (*process == 0)
        child_execute(c, parent);
    return *process < 0 ? fail(err, ST_IO, "%s: cannot be started: %s", c->argv[0], strerror(errno)) : ST_OK;
}

static enum status child_wait(const struct child *c, pid_t process, struct errmsg *err)
{
    int status = 0;
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            return fail(err, ST_IO, "%s: %s", c->argv[0], strerror(errno));
    if (WIFSIGNALED(status))
        return fail(err, ST_INPUT, "%s: ended by signal %d", c->argv[0], WTERMSIG(status));
    if (WEXITSTATUS(status) == CHILD_NOT_STARTED)
        return fail(err, ST_IO, "%s: cannot be executed", c->argv[0]);
    if (WEXITSTATUS(status) != 0)
        return fail(err, ST_INPUT, "%s: exit status %d", c->argv[0], WEXITSTATUS(status));
    return ST_OK;
}

enum status child_run(const struct child *c, struct errmsg *err)
{
    pid_t process;
    enum status st = child_start(c, &process, err);
    return st == ST_OK ? child_wait(c, process, err) : st;
}

enum status child_text(char *const *argv, char **text, struct errmsg *err)
{
    int end[2];
    size_t size_bytes;
    pid_t process;
    *text = NULL;
    if (pipe2(end, O_CLOEXEC) != 0)
        return fail(err, ST_IO, "%s: no pipe: %s", argv[0], strerror(errno));
    const struct child c = {.argv = argv, .output = end[1], .error = -1};
    enum status st = child_start(&c, &process, err);
    close(end[1]);
    FILE *in = fdopen(end[0], "r");
    if (in == NULL)
        BUG("fdopen: %s", strerror(errno));
    if (st == ST_OK) {
        const enum status reading = file_read_stream(in, argv[0], CHILD_TEXT_BYTES, text, &size_bytes, err);
        struct errmsg ending;
        st = child_wait(&c, process, reading == ST_OK ? err : &ending);
        st = reading == ST_OK ? st : reading;
        if (st != ST_OK && reading == ST_OK)
            *text = (free(*text), NULL);
    }
    fclose(in);
    return st;
}
