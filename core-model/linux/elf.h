/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads ELF images into the guest's memory. Private to load.c and elf.c. */
#ifndef CORE_MODEL_LINUX_ELF_H
#define CORE_MODEL_LINUX_ELF_H

#include <limits.h>

#include "core-model/riscv/memory.h"

struct elf_image {
    uint64_t entry;
    uint64_t bias;       /* load bias: guest address minus address in the file */
    uint64_t start, end; /* memory range, page-aligned */
    uint64_t phdr;       /* guest address of the program headers; 0: in no segment */
    uint64_t phent, phnum;
    bool has_interp;
    char interp[PATH_MAX];
};

/* Maps the segments of the riscv64 ELF file `path`; a position-independent file is loaded at `pie_start`. */
enum status elf_load(struct memory *m, const char *path, uint64_t pie_start, struct elf_image *image,
                     struct errmsg *err) MUST_USE;

#endif
