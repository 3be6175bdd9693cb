/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Report of a guest's fatal fault. */
#ifndef CORE_MODEL_LINUX_FAULT_H
#define CORE_MODEL_LINUX_FAULT_H

#include <stdio.h>

#include "core-model/linux/guest.h"

/* Prints the integer registers and the floating-point ones that are not zero. `file` is borrowed. */
void guest_print_registers(const struct guest *g, FILE *file);
/* Description of the fatal signal: the signal's name, followed by the fault if there was one. Borrowed from the
 * guest. */
const char *guest_fatal_words(const struct guest *g);
/* Prints the description of the fault, then the registers. */
void guest_print_fault(const struct guest *g, FILE *file);

#endif
