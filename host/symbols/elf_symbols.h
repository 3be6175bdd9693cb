/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions and variables of an ELF file, from its symbol tables and call frame information. */
#ifndef HOST_SYMBOLS_ELF_SYMBOLS_H
#define HOST_SYMBOLS_ELF_SYMBOLS_H

#include <elfutils/libdwfl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum binding { BINDING_LOCAL, BINDING_WEAK, BINDING_STRONG };

/* A function or a variable. */
struct elf_symbol {
    uint64_t start, end; /* `end` of a symbol without a size is the end of its section */
    bool sized;
    bool unnamed; /* of call frame information alone: `symbol` is its place */
    enum binding binding;
    const char *symbol; /* in the ELF file's string table, or `own` */
    char *own;          /* name of a stub or of a function without a symbol; NULL for other symbols */
    char *name;         /* printed name; NULL before its first use */
    char *unique;       /* printed name with "@0xSTART", where other functions have it too; NULL: none has */
};

struct elf_symbols {
    struct elf_symbol *symbol; /* sorted by elf_symbols_sort */
    size_t count, room;
};

void elf_symbols_add(struct elf_symbols *t, const struct elf_symbol *symbol);
/* elf_symbols_add of a function with a size; the name is copied. */
void elf_symbols_add_named(struct elf_symbols *t, uint64_t start, uint64_t end, const char *name);
void elf_symbols_free(struct elf_symbols *t);

/* Adds the functions and variables of the file's symbol tables of this type, SHT_SYMTAB or SHT_DYNSYM: those at
 * addresses where the sorted tables have none yet. Both are sorted then. */
void elf_symbols_read(Elf *elf, GElf_Word type, struct elf_symbols *functions, struct elf_symbols *variables);
/* The same of a file without section headers, by its dynamic segment. */
void elf_symbols_read_dynamic(Dwfl_Module *module, struct elf_symbols *functions, struct elf_symbols *variables);
/* Sorts by address. Of several symbols at one address the printed one is last: sized, strong before weak before local,
 * with few leading underscores ("malloc", not "__libc_malloc"), short, first in the alphabet. */
void elf_symbols_sort(struct elf_symbols *t);

/* Takes the functions of a sorted table that addresses belong to, which do not overlap: of several at one address the
 * printed one, and no label or function inside a function with a size. */
void elf_symbols_name(const struct elf_symbols *t, struct elf_symbols *named);
/* Adds the addresses of the sorted table `fill` to what elf_symbols_name has taken, where that leaves them free, as
 * functions "[LABEL]@0xSTART". One begins at each start in `fill`; where entries of `fill` overlap, it ends at the next
 * start. A label without a size ends there too. */
void elf_symbols_fill(struct elf_symbols *named, const struct elf_symbols *fill, const char *label);

#endif
