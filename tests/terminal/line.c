/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A guest that begins a line, and ends it after a time in which progress would be shown. */
#include <stdio.h>

static volatile unsigned turns;

int main(void)
{
    printf("begun at once, ");
    fflush(stdout);
    while (++turns < 60000000) {
    }
    printf("ended later\n");
    return 0;
}
