/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A guest from a program of a few instructions, which this makes as an ELF file. */
#ifndef TESTS_UNIT_SMALL_GUEST_H
#define TESTS_UNIT_SMALL_GUEST_H

#include <elf.h>
#include <string.h>
#include <unistd.h>

#include "core-model/linux/guest.h"

enum { SMALL_CODE = 0x10000, SMALL_DATA = 0x20000, SMALL_OFFSET = 0x1000, SMALL_WORDS = 512 };

/* One executable segment with `words`, one writable without bytes in the file. */
static inline size_t small_elf(uint8_t bytes[SMALL_OFFSET + SMALL_WORDS * 4], const uint32_t *words, size_t count)
{
    Elf64_Ehdr head = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                       .e_type = ET_EXEC,
                       .e_machine = EM_RISCV,
                       .e_version = EV_CURRENT,
                       .e_entry = SMALL_CODE,
                       .e_phoff = sizeof(Elf64_Ehdr),
                       .e_flags = 5,
                       .e_ehsize = sizeof(Elf64_Ehdr),
                       .e_phentsize = sizeof(Elf64_Phdr),
                       .e_phnum = 2};
    const Elf64_Phdr segment[2] = {
        {.p_type = PT_LOAD,
         .p_flags = PF_R | PF_X,
         .p_offset = SMALL_OFFSET,
         .p_vaddr = SMALL_CODE,
         .p_filesz = count * sizeof *words,
         .p_memsz = count * sizeof *words,
         .p_align = 0x1000},
        {.p_type = PT_LOAD, .p_flags = PF_R | PF_W, .p_vaddr = SMALL_DATA, .p_memsz = 0x1000, .p_align = 0x1000}};
    memset(bytes, 0, SMALL_OFFSET);
    memcpy(bytes, &head, sizeof head);
    memcpy(bytes + sizeof head, segment, sizeof segment);
    memcpy(bytes + SMALL_OFFSET, words, count * sizeof *words);
    return SMALL_OFFSET + count * sizeof *words;
}

/* Loads it from the file `path`, which has been written. */
static inline void small_guest_load(struct guest *g, const char *path)
{
    char name[] = "small", *argv[] = {name, NULL}, *envp[] = {NULL};
    const struct guest_config config = {.path = path, .argv = argv, .envp = envp, .seed = 1};
    struct errmsg err;
    if (guest_init(g, &config, &err) != ST_OK)
        BUG("%s", err.text);
}

#endif
