/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colours of output for a terminal: whether there are any, and the colour of a share by its heat. */
#ifndef BASE_COLOUR_H
#define BASE_COLOUR_H

#include <stdbool.h>

/* What --color asks for. */
enum colour_choice { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER, COLOUR_CHOICES };
extern const char *const colour_choice_names[COLOUR_CHOICES];

/* Whether the output to a descriptor has colours: of COLOUR_AUTO, it is a terminal, which TERM names and not as dumb,
 * and NO_COLOR is not set or empty. */
bool colour_is_shown(enum colour_choice choice, int fd);

/* The escape sequence that begins the colour of a share of the whole, from 0 to 1; NULL: none. COLOUR_END ends it. */
const char *colour_of_heat(double share);
#define COLOUR_END "\033[0m"

#endif
