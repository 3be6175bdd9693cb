/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instructions of --ideal. */
#ifndef TOOLS_PCEMU_IDEALISE_H
#define TOOLS_PCEMU_IDEALISE_H

#include <stdio.h>

#include "core-model/ideal.h"
#include "tools/pcemu/options.h"
#include "tools/pcemu/target.h"

/* Whether the option asks for the list of causes. */
bool idealise_asks_help(const struct options *o);
void idealise_print_help(FILE *out);
/* Parses the causes (enum ideal_cause) of PLACE:CAUSE[+CAUSE...], which the option, or the line of a file, has; exits
 * on error. */
uint32_t idealise_parse(const char *option, const char *text);
/* Adds the instructions of the place, without the causes, to `ideal`; exits on error. Returns the address of the first
 * one; 0: all instructions are. */
uint64_t idealise_add(struct ideal *ideal, struct target *t, const char *option, const char *text);
/* Makes the functions of the program, and of the libraries that it has mapped, known. */
void idealise_prepare(struct target *t);
/* Finds the places in the program and the libraries that it has mapped; exits on error. The caller frees the result;
 * NULL: the option is not given. */
struct ideal *idealise_find(struct target *t, const struct options *o);

#endif
