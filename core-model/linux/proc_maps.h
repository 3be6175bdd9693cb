/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory of the process as files of /proc show it. Private to core-model/linux. */
#ifndef CORE_MODEL_LINUX_PROC_MAPS_H
#define CORE_MODEL_LINUX_PROC_MAPS_H

#include <stdio.h>

#include "core-model/linux/proc_facts.h"

struct linux_sizes linux_memory_sizes(const struct guest *g);
/* Prints the file maps. */
void linux_print_maps(const struct guest *g, FILE *out);

#endif
