/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/status.h"

enum { HUGE_PAGE_BYTES = 1 << 21 };

/* Smaller tables are the heap's. */
static int is_large(size_t bytes) { return bytes >= 2 * HUGE_PAGE_BYTES; }

static size_t bytes_of(size_t count, size_t size_bytes)
{
    if (count > SIZE_MAX / size_bytes)
        out_of_memory();
    return count * size_bytes;
}

static void *pages_mapped(void *memory, size_t bytes)
{
    if (memory == MAP_FAILED)
        out_of_memory();
    (void)madvise(memory, bytes, MADV_HUGEPAGE); /* only advice */
    return memory;
}

void *pages_new(size_t count, size_t size_bytes)
{
    const size_t bytes = bytes_of(count, size_bytes);
    if (!is_large(bytes))
        return xcalloc(count, size_bytes);
    return pages_mapped(mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0),
                        bytes);
}

void *pages_resize(void *memory, size_t count, size_t to_count, size_t size_bytes)
{
    const size_t bytes = bytes_of(count, size_bytes), to_bytes = bytes_of(to_count, size_bytes);
    if (is_large(bytes) && is_large(to_bytes))
        return pages_mapped(mremap(memory, bytes, to_bytes, MREMAP_MAYMOVE), to_bytes);
    if (!is_large(bytes) && !is_large(to_bytes))
        return xrealloc(memory, to_bytes);
    void *to = pages_new(to_count, size_bytes);
    if (count != 0)
        memcpy(to, memory, bytes < to_bytes ? bytes : to_bytes);
    pages_free(memory, count, size_bytes);
    return to;
}

void pages_free(void *memory, size_t count, size_t size_bytes)
{
    if (is_large(count * size_bytes))
        munmap(memory, count * size_bytes);
    else
        free(memory);
}
