/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/colour.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const colour_choice_names[COLOUR_CHOICES] = {"auto", "always", "never"};

bool colour_is_shown(enum colour_choice choice, int fd)
{
    const char *term = getenv("TERM"), *plain = getenv("NO_COLOR");
    if (choice != COLOUR_AUTO)
        return choice == COLOUR_ALWAYS;
    return (plain == NULL || plain[0] == '\0') && term != NULL && term[0] != '\0' && strcmp(term, "dumb") != 0 &&
           fd >= 0 && isatty(fd);
}

const char *colour_of_heat(double share)
{
    static const struct {
        double least;
        const char *begin;
    } heats[] = {{0.10, "\033[1;31m"} /* bold red */, {0.02, "\033[33m"} /* yellow */, {0.005, "\033[32m"} /* green */};
    for (unsigned n = 0; n < sizeof heats / sizeof heats[0]; n++)
        if (share >= heats[n].least)
            return heats[n].begin;
    return NULL;
}
