/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program that a profile is of. */
#ifndef HOST_EXPORT_PROGRAM_H
#define HOST_EXPORT_PROGRAM_H

#include "host/profile/profile.h"

/* The last part of the path of the program in a command line as for a shell (NULL: unknown); without one the name of
 * the first image. The caller frees it. */
char *export_program_name(const struct profile *p, const char *command);

/* The number of the image of that name; 0 if there is none. */
uint32_t export_program_image(const struct profile *p, const char *command);

/* Copies the first word of a command line without its quotes. Returns where the next one begins. The caller frees the
 * word. */
const char *export_program_word(const char *at, char **word);

/* The command line of a guest in that of pcemu: what begins with its name; the name if it is not found. The caller
 * frees it. */
char *export_guest_command(const char *command, const char *guest);

#endif
