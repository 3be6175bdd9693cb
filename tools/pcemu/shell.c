/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/shell.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/ending.h"

/* Runs in the child. Standard input is the terminal if the output is one; otherwise it is empty, because a script's
 * lines are the debugger's input. */
static _Noreturn void shell_execute(const char *command, int out)
{
    int in = open(isatty(out) ? "/dev/tty" : "/dev/null", O_RDONLY);
    (void)ending_block(0);
    if ((in < 0 || dup2(in, STDIN_FILENO) >= 0) && dup2(out, STDOUT_FILENO) >= 0 && dup2(out, STDERR_FILENO) >= 0)
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

enum status shell_run(void *ctx, const char *command, FILE *out, struct errmsg *err)
{
    int how = 0;
    (void)ctx;
    fflush(out);
    pid_t child = fork();
    if (child < 0)
        return fail(err, ST_IO, "shell: cannot create a process: %s", strerror(errno));
    if (child == 0)
        shell_execute(command, fileno(out));
    while (waitpid(child, &how, 0) < 0)
        if (errno != EINTR)
            break;
    if (WIFSIGNALED(how))
        fprintf(out, "the command was ended by signal %d\n", WTERMSIG(how));
    else if (WEXITSTATUS(how) != 0)
        fprintf(out, "the command's exit status is %d\n", WEXITSTATUS(how));
    return ST_OK;
}
