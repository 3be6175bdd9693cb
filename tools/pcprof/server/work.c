/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source: fork(2), close_range(2), prctl(2), alarm(2), setrlimit(2), memfd_create(2). */
#include "tools/pcprof/server/work.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/ending.h"

/* In the new process. Connections of clients are closed, which would stay open with it. */
static _Noreturn void work_run(const struct serve_work *w, pid_t parent, int error, int (*run)(const void *ctx),
                               const void *ctx)
{
    const struct rlimit size = {.rlim_cur = WORK_MOST_BYTES, .rlim_max = WORK_MOST_BYTES};
    const int null = open("/dev/null", O_RDONLY);
    bool is_ready = null >= 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(w->output, STDOUT_FILENO) >= 0 &&
                    dup2(error, STDERR_FILENO) >= 0 && close_range(STDERR_FILENO + 1, ~0U, 0) == 0;
    is_ready = is_ready && setrlimit(RLIMIT_FSIZE, &size) == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0;
    if (!is_ready || getppid() != parent)
        _exit(EXIT_BAD_INPUT);
    ending_divert(NULL);
    (void)ending_block(0);
    (void)alarm(w->seconds);
    exit(run(ctx));
}

enum status serve_work_start(struct serve_work *w, unsigned seconds, int (*run)(const void *ctx), const void *ctx,
                             struct errmsg *err)
{
    int end[2];
    const pid_t parent = getpid();
    *w = (struct serve_work){.seconds = seconds, .output = memfd_create("output", MFD_CLOEXEC)};
    if (w->output < 0 || pipe2(end, O_CLOEXEC | O_NONBLOCK) != 0) {
        const int error = errno;
        if (w->output >= 0)
            close(w->output);
        return fail(err, ST_IO, "no process can be started: %s", strerror(error));
    }
    fflush(NULL);
    w->process = fork();
    if (w->process == 0) {
        (void)fcntl(end[1], F_SETFL, 0); /* of the writer, which waits */
        work_run(w, parent, end[1], run, ctx);
    }
    const int error = errno;
    close(end[1]);
    w->said = end[0];
    if (w->process > 0)
        return ST_OK;
    close(w->said);
    close(w->output);
    w->process = 0;
    return fail(err, ST_IO, "no process can be started: %s", strerror(error));
}

bool serve_work_advance(struct serve_work *w)
{
    for (;;) {
        char rest[WORK_MESSAGE];
        const size_t room = sizeof w->message - 1 - w->message_bytes;
        const ssize_t n = room > 0 ? read(w->said, w->message + w->message_bytes, room)
                                   : read(w->said, rest, sizeof rest);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0 || errno != EAGAIN;
        if (room > 0)
            w->message_bytes += (size_t)n;
        w->message[w->message_bytes] = '\0';
    }
}

/* Waits for the process, and returns its status as waitpid has it. */
static int work_wait(struct serve_work *w)
{
    int status = 0;
    while (waitpid(w->process, &status, 0) < 0 && errno == EINTR)
        continue;
    close(w->said);
    w->process = 0;
    return status;
}

enum status serve_work_finish(struct serve_work *w, struct errmsg *err)
{
    char name[ENDING_NAME];
    const int status = work_wait(w);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return ST_OK;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        return fail(err, ST_INPUT, "expected at most %u s of work, which are over", w->seconds);
    if (WIFSIGNALED(status))
        return fail(err, ST_INPUT, "the process was ended by %s", ending_signal_name(WTERMSIG(status), name));
    w->message[strcspn(w->message, "\n")] = '\0';
    return fail(err, ST_INPUT, "%s", w->message[0] != '\0' ? w->message : "the process has failed");
}

void serve_work_abort(struct serve_work *w)
{
    if (w->process == 0)
        return;
    (void)kill(w->process, SIGKILL);
    (void)work_wait(w);
    close(w->output);
}
