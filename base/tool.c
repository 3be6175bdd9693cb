/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ending.h"
#include "base/status.h"

/* A descriptor of a path alone fails with EBADF, as a closed one does. */
static void open_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        while (fcntl(fd, F_GETFD) < 0 && open("/", O_PATH | O_DIRECTORY) >= 0)
            continue;
}

/* The reason of a failed write. Of one before the last it is found by another attempt, to an output that is incomplete
 * anyway. */
static const char *why_not(void)
{
    if (errno == 0 && write(STDOUT_FILENO, "\n", 1) == 1)
        return "an earlier write failed";
    return strerror(errno);
}

static void check_standard_output(int status, void *tool)
{
    errno = 0;
    if (status != 0 || (fflush(stdout) == 0 && !ferror(stdout)))
        return;
    fprintf(stderr, "%s: standard output: cannot write: %s\n", (const char *)tool, why_not());
    _exit(EXIT_BAD_INPUT);
}

void tool_start(const char *tool)
{
    ending_begin(tool);
    open_standard_streams();
    if (on_exit(check_standard_output, (void *)(uintptr_t)tool) != 0)
        out_of_memory();
}
