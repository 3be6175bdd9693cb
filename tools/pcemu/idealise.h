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
/* Finds the places in the program and the libraries that it has mapped; exits on error. The caller frees the result;
 * NULL: the option is not given. */
struct ideal *idealise_find(struct target *t, const struct options *o);

#endif
