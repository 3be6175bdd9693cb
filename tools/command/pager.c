/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The conventions are those of git and perf: the variables, the shell that runs the command, and LESS=FRX, by which
 * less shows colours and ends by itself where the text fits a screen. */
#include "tools/command/pager.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/terminal.h"

enum { EXIT_NOT_FOUND = 127, EXIT_NOT_EXECUTABLE = 126 }; /* of the shell */

/* Where there is no less, the shell prints nothing, and the report is printed without a pager. */
static const char default_pager[] = "command -v less > /dev/null 2>&1 || exit 127; exec less";

static const char *pager_command(void)
{
    const char *term = getenv("TERM"), *command = getenv("PCPROF_PAGER");
    if (command == NULL)
        command = getenv("PAGER");
    if (command == NULL)
        return term == NULL || strcmp(term, "dumb") == 0 ? NULL : default_pager;
    return command[0] == '\0' || strcmp(command, "cat") == 0 ? NULL : command;
}

const char *pager_choose(const char *text)
{
    unsigned lines = 0, height = terminal_height(STDOUT_FILENO);
    for (const char *end = text; height != 0 && lines < height && (end = strchr(end, '\n')) != NULL; end++)
        lines++;
    return height == 0 || lines < height ? NULL : pager_command();
}

/* Signals that the pager gets too, and the end of a pipe that it no longer reads. */
static const int ignored[] = {SIGINT, SIGQUIT, SIGPIPE};
enum { IGNORED = sizeof ignored / sizeof ignored[0] };

bool pager_show(const char *command, const char *text, size_t size_bytes)
{
    struct sigaction before[IGNORED], ignore = {.sa_handler = SIG_IGN};
    fflush(stdout);
    (void)setenv("LESS", "FRX", 0);
    FILE *pipe = popen(command, "we");
    if (pipe == NULL)
        return false;
    for (int n = 0; n < IGNORED; n++)
        (void)sigaction(ignored[n], &ignore, &before[n]);
    (void)fwrite(text, 1, size_bytes, pipe);
    const int status = pclose(pipe);
    for (int n = 0; n < IGNORED; n++)
        (void)sigaction(ignored[n], &before[n], NULL);
    return status != -1 && !(WIFEXITED(status) &&
                             (WEXITSTATUS(status) == EXIT_NOT_FOUND || WEXITSTATUS(status) == EXIT_NOT_EXECUTABLE));
}
