/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A guest that writes a line and then runs until it is ended. */
#include <stdio.h>

int main(void)
{
    puts("running");
    fflush(stdout);
    for (volatile unsigned long i = 0;; i++)
        ;
}
