/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs commands in turns and prints the least processor time of each: turns ROUNDS < COMMANDS
 * Each line of the input is a command for the shell. After ROUNDS rounds, in each of which every command runs once, the
 * least user time of each is printed, in seconds, one line each. A machine that is slow for a while is so for all of
 * them: their ratios are steadier than any one time. Exit status 1 where a command fails. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"

enum { MAX_COMMANDS = 256 };

struct command {
    char *text;
    double seconds; /* the least; negative: not run yet */
};

static double run(const char *text)
{
    struct rusage use;
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        execl("/bin/sh", "sh", "-c", text, (char *)NULL);
        _exit(127);
    }
    if (pid < 0 || wait4(pid, &status, 0, &use) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        fprintf(stderr, "turns: failed: %s\n", text);
        exit(1);
    }
    return (double)use.ru_utime.tv_sec + (double)use.ru_utime.tv_usec * 1e-6;
}

static int read_commands(struct command *c)
{
    char *line = NULL;
    size_t size = 0;
    ssize_t length;
    int n = 0;
    while ((length = getline(&line, &size, stdin)) > 0) {
        if (n == MAX_COMMANDS) {
            fprintf(stderr, "turns: more than %d commands\n", MAX_COMMANDS);
            exit(EXIT_BAD_INPUT);
        }
        if (line[length - 1] == '\n')
            line[length - 1] = '\0';
        c[n++] = (struct command){xstrdup(line), -1};
    }
    free(line);
    return n;
}

int main(int argc, char **argv)
{
    static struct command command[MAX_COMMANDS];
    int rounds = argc == 2 ? atoi(argv[1]) : 0;
    if (rounds < 1) {
        fputs("usage: turns ROUNDS < COMMANDS\n", stderr);
        return EXIT_BAD_INPUT;
    }
    int n = read_commands(command);
    for (int r = 0; r < rounds; r++)
        for (int i = 0; i < n; i++) {
            double seconds = run(command[i].text);
            if (command[i].seconds < 0 || seconds < command[i].seconds)
                command[i].seconds = seconds;
        }
    for (int i = 0; i < n; i++) {
        printf("%.6f\n", command[i].seconds);
        free(command[i].text);
    }
    return 0;
}
