/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ends of private mappings of files: pages beyond the end of the file, which appear when the file grows. Private to
 * core-model/linux. */
#ifndef CORE_MODEL_LINUX_FILE_TAIL_H
#define CORE_MODEL_LINUX_FILE_TAIL_H

#include "core-model/linux/guest.h"

struct linux_state;

/* Pages [start, start + size) have been mapped privately from `offset` of the file, beyond its end. */
void linux_tail_add(struct guest *g, int host_fd, uint64_t start, uint64_t size_bytes, uint64_t offset);
/* The pages are mapped anew or no longer: they show their file no more. */
void linux_tails_drop(struct linux_state *os, uint64_t start, uint64_t size_bytes);
/* After a call that may have changed the size of a file. */
void linux_tails_update(struct guest *g);

#endif
