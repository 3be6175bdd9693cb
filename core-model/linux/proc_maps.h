/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory of the process as files of /proc show it. Private to core-model/linux. */
#ifndef CORE_MODEL_LINUX_PROC_MAPS_H
#define CORE_MODEL_LINUX_PROC_MAPS_H

#include <limits.h>
#include <stdio.h>

#include "core-model/linux/proc_facts.h"

/* A mapping of a file, in guest addresses. Memory that is shared without a file has a name of the host's. */
struct file_mapping {
    uint64_t start, end, offset, inode;
    bool is_shared;
    char device[16], path[PATH_MAX];
};

/* The host's mappings of files in the guest's memory, by the host's names, in the order of their addresses; to be
 * freed.
 */
struct file_mapping *linux_file_mappings(const struct guest *g, size_t *count);

struct linux_sizes linux_memory_sizes(const struct guest *g);
/* Prints the file maps. */
void linux_print_maps(const struct guest *g, FILE *out);

#endif
