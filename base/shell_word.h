/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words of a command line for a shell. */
#ifndef BASE_SHELL_WORD_H
#define BASE_SHELL_WORD_H

#include <stdio.h>

/* Prints a word, in quotes if a shell needs them. export_program_word reads it (host/export/program.h). */
void shell_word_print(const char *word, FILE *out);

#endif
