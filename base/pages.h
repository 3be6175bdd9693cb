/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory for tables that may be larger than the host's caches and are accessed at random: with small pages, most
 * accesses to them would miss the host's TLB. */
#ifndef BASE_PAGES_H
#define BASE_PAGES_H

#include <stddef.h>

/* Zeroed memory, in huge pages where the kernel has them; never NULL: a failure ends the process as out_of_memory does.
 * A large one takes the host's memory where it is written. The caller releases it with pages_free and the same size. */
void *pages_new(size_t count, size_t size_bytes);
/* Changes the size of such memory, of which the first min(count, to_count) entries keep their contents; `memory` may be
 * NULL if count is 0. What is added is zeroed only if it is large. */
void *pages_resize(void *memory, size_t count, size_t to_count, size_t size_bytes);
void pages_free(void *memory, size_t count, size_t size_bytes);

#endif
