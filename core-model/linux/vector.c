/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors of ranges of the guest's memory, as those of the host. Source: readv(2). */
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"
#include "core-model/riscv/memory_guard.h"

/* Size of the accessible part of [addr, addr + size) before the first inaccessible page. */
static uint64_t accessible_bytes(struct guest *g, uint64_t addr, uint64_t size_bytes, unsigned need)
{
    uint64_t done = 0;
    while (done < size_bytes) {
        uint64_t step = MEM_PAGE_BYTES - ((addr + done) & (MEM_PAGE_BYTES - 1));
        if (linux_memory(g, addr + done, 1, need) == NULL)
            break;
        done += step < size_bytes - done ? step : size_bytes - done;
    }
    return done;
}

int64_t linux_get_span(struct guest *g, uint64_t addr, uint64_t size_bytes, unsigned need, struct iovec *out,
                       bool *whole)
{
    const uint64_t space_bytes = UINT64_C(1) << MEM_ADDRESS_BITS;
    void *p = linux_memory(g, addr, size_bytes, need);
    *whole = p != NULL;
    if (p != NULL) {
        out[0] = (struct iovec){p, size_bytes};
        return 1;
    }
    if (size_bytes > space_bytes || addr > space_bytes - size_bytes)
        return -EFAULT;
    uint64_t good_bytes = accessible_bytes(g, addr, size_bytes, need);
    int64_t n = 0;
    if (good_bytes > 0)
        out[n++] = (struct iovec){memory_at(&g->hart.mem, addr), good_bytes};
    out[n++] = (struct iovec){LINUX_NOWHERE, size_bytes - good_bytes};
    return n;
}

int64_t linux_get_vector(struct guest *g, uint64_t addr, uint64_t count, unsigned need, struct iovec *out)
{
    struct {
        uint64_t base, size_bytes;
    } one;
    struct iovec span[LINUX_SPAN_PARTS] = {0};
    int64_t n = 0;
    bool whole = true;
    if (count > LINUX_VECTOR_MAX)
        return -EINVAL;
    for (uint64_t i = 0; i < count; i++) {
        if (linux_get(g, addr + i * sizeof one, &one, sizeof one) != 0)
            return -EFAULT;
        if (one.size_bytes > INT64_MAX)
            return -EINVAL;
        if (!whole)
            continue;
        int64_t parts = linux_get_span(g, one.base, one.size_bytes, need, span, &whole);
        if (parts < 0)
            return parts;
        for (int64_t k = 0; k < parts && n < LINUX_VECTOR_MAX; k++)
            out[n++] = span[k];
    }
    return n;
}

bool linux_scatter(const struct iovec *vector, int64_t count, uint64_t from, const void *data, size_t size_bytes)
{
    const uint8_t *bytes = data;
    for (int64_t i = 0; i < count && size_bytes > 0; i++) {
        if (from >= vector[i].iov_len) {
            from -= vector[i].iov_len;
            continue;
        }
        size_t n = vector[i].iov_len - from < size_bytes ? vector[i].iov_len - from : size_bytes;
        if (vector[i].iov_base == LINUX_NOWHERE)
            return false;
        if (!memory_guarded_copy((uint8_t *)vector[i].iov_base + from, bytes, n))
            return false;
        bytes += n, size_bytes -= n, from = 0;
    }
    return true;
}
