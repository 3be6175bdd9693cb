/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/riscv/page_perms.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A file in memory with a block of one value. It is never written again, so processes forked later can share it. */
struct perm_block {
    uint16_t value;
    int fd;
};

static void page_perms_store(uint16_t *perm, uint64_t count, uint16_t value)
{
    const uint64_t four = value * UINT64_C(0x0001000100010001);
    for (; count >= 4; count -= 4, perm += 4)
        memcpy(perm, &four, sizeof four);
    while (count-- > 0)
        *perm++ = value;
}

/* Returns a file with the block's contents; negative: the host gives none. */
static int make_block(uint16_t value)
{
    int fd = memfd_create("page permissions", MFD_CLOEXEC);
    if (fd < 0)
        return fd;
    void *block = MAP_FAILED;
    if (ftruncate(fd, PAGE_PERMS_BLOCK_BYTES) == 0)
        block = mmap(NULL, PAGE_PERMS_BLOCK_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (block == MAP_FAILED) {
        close(fd);
        return -1;
    }
    page_perms_store(block, PAGE_PERMS_IN_BLOCK, value);
    munmap(block, PAGE_PERMS_BLOCK_BYTES);
    return fd;
}

/* Finds or makes the block of a value; negative: there is none. */
static int page_perms_block_of(uint16_t value)
{
    enum { MOST = 8 }; /* few combinations of permissions are those of large ranges */
    static struct perm_block made[MOST];
    static unsigned count;
    for (unsigned i = 0; i < count; i++)
        if (made[i].value == value)
            return made[i].fd;
    const int fd = count < MOST ? make_block(value) : -1;
    if (fd >= 0)
        made[count++] = (struct perm_block){value, fd};
    return fd;
}

/* Maps a whole block. False: the host refused, and nothing has changed. */
static bool map_block(uint16_t *perm, uint16_t value)
{
    const int fd = value != 0 ? page_perms_block_of(value) : -1;
    if (value != 0 && fd < 0)
        return false;
    const int flags = MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED | (value == 0 ? MAP_ANONYMOUS : 0);
    return mmap(perm, PAGE_PERMS_BLOCK_BYTES, PROT_READ | PROT_WRITE, flags, fd, 0) != MAP_FAILED;
}

void page_perms_set(uint16_t *perm, uint64_t count, uint16_t value)
{
    if (count < PAGE_PERMS_IN_BLOCK || !map_block(perm, value))
        page_perms_store(perm, count, value);
}
