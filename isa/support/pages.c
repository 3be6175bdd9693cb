/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "isa/support/pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "isa/support/status.h"

enum { HUGE_PAGE_BYTES = 1 << 21 };

/* Smaller tables are the heap's. */
static int is_large(size_t bytes) { return bytes >= 2 * HUGE_PAGE_BYTES; }

void *pages_new(size_t count, size_t size_bytes)
{
    if (count > SIZE_MAX / size_bytes)
        out_of_memory();
    const size_t bytes = count * size_bytes;
    if (!is_large(bytes))
        return xcalloc(count, size_bytes);
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        out_of_memory();
    (void)madvise(memory, bytes, MADV_HUGEPAGE); /* only advice */
    return memory;
}

void pages_free(void *memory, size_t count, size_t size_bytes)
{
    if (is_large(count * size_bytes))
        munmap(memory, count * size_bytes);
    else
        free(memory);
}
