/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `shell`: a command of the system's shell, with the debugger's output as its output. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "emu/debug/debugger.h"

/* In the child. Input is the terminal where there is one; a script's lines are the debugger's alone. */
static _Noreturn void execute(const struct debugger *d, const char *command)
{
    int in = open(d->terminal != NULL ? "/dev/tty" : "/dev/null", O_RDONLY), out = fileno(d->out);
    sigset_t none;
    sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
    (void)signal(SIGINT, SIG_DFL);
    if ((in < 0 || dup2(in, STDIN_FILENO) >= 0) && dup2(out, STDOUT_FILENO) >= 0 && dup2(out, STDERR_FILENO) >= 0)
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

enum status cmd_shell(struct debugger *d, const char *args, struct errmsg *err)
{
    int how = 0;
    if (*args == '\0')
        return fail(err, ST_INPUT, "shell: expected a command");
    fflush(d->out);
    pid_t child = fork();
    if (child < 0)
        return fail(err, ST_IO, "shell: no process can be made: %s", strerror(errno));
    if (child == 0)
        execute(d, args);
    while (waitpid(child, &how, 0) < 0)
        if (errno != EINTR)
            break;
    (void)key_take(); /* Ctrl-C was meant for the command */
    if (WIFSIGNALED(how))
        fprintf(d->out, "the command was ended by signal %d\n", WTERMSIG(how));
    else if (WEXITSTATUS(how) != 0)
        fprintf(d->out, "the command's exit status is %d\n", WEXITSTATUS(how));
    return ST_OK;
}
