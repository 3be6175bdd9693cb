/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies between the emulator and the guest's memory. */
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"

void *linux_memory(struct guest *g, uint64_t addr, uint64_t size_bytes, unsigned need)
{
    if (size_bytes == 0)
        return g->hart.mem.base;
    if (!memory_allows_slow(&g->hart.mem, addr, size_bytes, need))
        return NULL;
    return memory_at(&g->hart.mem, addr);
}

int64_t linux_put(struct guest *g, uint64_t addr, const void *data, size_t size_bytes)
{
    if (size_bytes == 0)
        return 0;
    bool done = linux_memory(g, addr, size_bytes, MEM_W) != NULL && memory_write(&g->hart.mem, addr, data, size_bytes);
    return done ? 0 : -EFAULT;
}

int64_t linux_get(struct guest *g, uint64_t addr, void *data, size_t size_bytes)
{
    if (size_bytes == 0)
        return 0;
    bool done = linux_memory(g, addr, size_bytes, MEM_R) != NULL && memory_read(&g->hart.mem, addr, data, size_bytes);
    return done ? 0 : -EFAULT;
}

int64_t linux_get_string(struct guest *g, uint64_t addr, char *path, size_t size_bytes)
{
    for (size_t i = 0; i < size_bytes; i++) {
        if (!memory_allows(&g->hart.mem, addr + i, 1, MEM_R) || !memory_read(&g->hart.mem, addr + i, &path[i], 1))
            return -EFAULT;
        if (path[i] == '\0')
            return 0;
    }
    return -ENAMETOOLONG;
}
