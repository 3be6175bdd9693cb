/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/outfile_keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/ending.h"

static ssize_t receive(int from, void *data, size_t size_bytes)
{
    ssize_t n;
    do
        n = recv(from, data, size_bytes, 0);
    while (n < 0 && errno == EINTR);
    return n;
}

/* The keeper's life. */
_Noreturn static void outfile_keeper_keep(int caller, int (*serve)(const struct keeper_request *request))
{
    struct keeper_request request;
    (void)ending_block(UINT64_MAX);
    (void)setsid();
    while (receive(caller, &request, sizeof request) == sizeof request) {
        int why = serve(&request);
        if (send(caller, &why, sizeof why, MSG_NOSIGNAL) != sizeof why)
            break;
    }
    _exit(0);
}

/* Starts `keep` as the child of a process that ends at once; returns 0, or errno. */
static int base_outfile_keeper_start(const int end[2], int (*serve)(const struct keeper_request *request))
{
    pid_t between = fork();
    if (between == 0) {
        close(end[0]);
        pid_t child = fork();
        if (child == 0)
            outfile_keeper_keep(end[1], serve);
        _exit(child < 0 ? errno : 0);
    }
    int status = 0;
    while (between > 0 && waitpid(between, &status, 0) < 0 && errno == EINTR)
        continue;
    return between < 0 ? errno : WIFEXITED(status) ? WEXITSTATUS(status) : EAGAIN;
}

int outfile_keeper_start(int (*serve)(const struct keeper_request *request))
{
    int end[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, end) != 0)
        return -1;
    int why = base_outfile_keeper_start(end, serve);
    close(end[1]);
    if (why == 0)
        return end[0];
    close(end[0]);
    errno = why;
    return -1;
}

int outfile_keeper_ask(int keeper, const struct keeper_request *request)
{
    int why;
    bool asked = send(keeper, request, sizeof *request, MSG_NOSIGNAL) == sizeof *request;
    return asked && receive(keeper, &why, sizeof why) == sizeof why ? why : ECONNRESET;
}
