/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a guest looked like when a fault ended it, for people. */
#ifndef CORE_MODEL_LINUX_FAULT_H
#define CORE_MODEL_LINUX_FAULT_H

#include <stdio.h>

#include "core-model/linux/guest.h"

/* Prints the integer registers and the floating-point ones that are not zero. `file` is borrowed. */
void guest_print_registers(const struct guest *g, FILE *file);
/* What ended a guest that a signal ended: the fault in words, beginning with the signal's name, or that name alone.
 * Borrowed from the guest. */
const char *guest_fatal_words(const struct guest *g);
/* Prints the fault in words, then the registers. */
void guest_print_fault(const struct guest *g, FILE *file);

#endif
