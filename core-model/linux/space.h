/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The guest's memory: its layout, copies between the emulator and it, mappings, images and shared segments. Private to
 * core-model/linux. */
#ifndef CORE_MODEL_LINUX_SPACE_H
#define CORE_MODEL_LINUX_SPACE_H

#include <sys/uio.h>

#include "core-model/linux/guest.h"

/* The layout below the 256 GiB of Sv39's user half. All code, the program's and its libraries', is in the lowest 8 GiB:
 * there the key pc32 (isa/sample.h) is unique for each instruction and identifies its address. */
#define LINUX_STACK_TOP ((UINT64_C(1) << MEM_ADDRESS_BITS) - MEM_PAGE_BYTES)
#define LINUX_TRAMPOLINE LINUX_STACK_TOP /* one page of code that returns from signal handlers */
#define LINUX_MMAP_TOP ((UINT64_C(1) << MEM_ADDRESS_BITS) - 0x20000000)
#define LINUX_PIE_START UINT64_C(0x100000000)
#define LINUX_CODE_TOP (UINT64_C(0x200000000) - 0x20000000) /* mapped code is below, the dynamic linker above */
/* The size of the machine's memory, and of what is free. */
#define LINUX_MEMORY_BYTES (UINT64_C(8) << 30)
#define LINUX_FREE_BYTES (UINT64_C(4) << 30)
enum { LINUX_STACK_BYTES = 8 << 20 };

struct linux_shm;

struct linux_space {
    uint64_t brk_start, brk;
    uint64_t image_start;        /* first address of the program, which ends at brk_start */
    uint64_t stack_start;        /* stack pointer at the program's start */
    uint64_t arg_start, arg_end; /* the arguments' strings, the environment's, and the auxiliary vector */
    uint64_t env_start, env_end;
    uint64_t aux_start, aux_end;
    uint64_t shared_stack, shared_stack_bytes; /* of a vfork child with its parent; 0 bytes: none */
    struct linux_shm *shm;                     /* of shmget: shared by all processes of the guest; NULL: none */
    int shm_fd;                                /* host file of the segments; -1: none */
};

/* Host pointer to guest memory [addr, addr + size), or NULL if an access with `need` is not allowed. Empty ranges are
 * always allowed. The pointer is for the host's kernel; the emulator itself copies with the functions below, since a
 * page may be behind the end of a mapped file. */
void *linux_memory(struct guest *g, uint64_t addr, uint64_t size_bytes, unsigned need);
/* Copy to and from guest memory; 0 or -EFAULT. */
int64_t linux_put(struct guest *g, uint64_t addr, const void *data, size_t size_bytes);
int64_t linux_get(struct guest *g, uint64_t addr, void *data, size_t size_bytes);
/* In vector.c. A range that is not accessible as a whole has an end at LINUX_NOWHERE, where nothing is mapped on the
 * host, since mappings begin at vm.mmap_min_addr. */
#define LINUX_NOWHERE ((void *)8)
enum { LINUX_SPAN_PARTS = 2, LINUX_VECTOR_MAX = 1024 };
/* Converts one range of guest memory to up to LINUX_SPAN_PARTS elements of a host vector; their number, or -EFAULT if
 * the range is outside the address space. *whole: the range is accessible. */
int64_t linux_get_span(struct guest *g, uint64_t addr, uint64_t size_bytes, unsigned need, struct iovec *out,
                       bool *whole);
/* Converts a guest I/O vector to the host's; returns the number of elements, -EINVAL or -EFAULT. */
int64_t linux_get_vector(struct guest *g, uint64_t addr, uint64_t count, unsigned need, struct iovec *out);
/* Copies to the vector from byte `from` on, where it has room; false: a part of it is not accessible. */
bool linux_scatter(const struct iovec *vector, int64_t count, uint64_t from, const void *data, size_t size_bytes);
/* Reads a path name into `path` (PATH_MAX bytes): 0, -EFAULT or -ENAMETOOLONG. */
int64_t linux_get_string(struct guest *g, uint64_t addr, char *path, size_t size_bytes);

/* In image.c. Records that the file's contents from `offset` on were mapped as code. */
void linux_note_image(struct guest *g, const char *path, uint64_t start, uint64_t size_bytes, uint64_t offset);
/* Another file's code that is or was mapped in the range; NULL: none. */
const struct guest_image *linux_other_image(const struct guest *g, const char *path, uint64_t start,
                                            uint64_t size_bytes);
void linux_free_images(struct guest_process *p);

/* In mem.c: maps a host file as sys_mmap with the arguments `a` does. */
int64_t linux_map_host(struct guest *g, const uint64_t *a, int fd);
/* In mem.c: whether riscv_flush_icache accepts the flags. */
bool linux_accepts_flush(uint64_t flags);

/* In shm.c: System V shared memory, of the guest's processes alone. */
void linux_shm_init(struct guest *g);
void linux_shm_fini(struct guest *g);
bool linux_shm_was_used(const struct guest *g); /* a segment exists or has existed */
void linux_shm_fork(struct guest *g);           /* in the child, which has its parent's segments attached */
void linux_shm_drop(const struct guest *g);     /* execve detaches all segments */

#endif
