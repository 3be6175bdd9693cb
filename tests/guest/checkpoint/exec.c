/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Executes another program, whose files and names are those of the process from then on.
 * usage: exec PROGRAM ARGUMENT... */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    signal(SIGUSR2, SIG_IGN);
    for (volatile int i = 0; i < 60000; i++)
        continue;
    puts("executes");
    fflush(stdout);
    execv(argv[1], argv + 1);
    return 3;
}
