/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kinds of files by their first bytes. Source of the numbers: the ELF header of the System V ABI, and <elf.h>. */
#include "base/file_kind.h"

#include <ctype.h>
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const struct {
    unsigned machine;
    const char *name; /* with its article */
} machines[] = {
    {EM_X86_64, "an x86-64"},
    {EM_386, "an x86"},
    {EM_AARCH64, "an AArch64"},
    {EM_ARM, "an Arm"},
    {EM_RISCV, "a RISC-V"},
    {EM_PPC64, "a Power"},
    {EM_PPC, "a Power"},
    {EM_S390, "an s390x"},
    {EM_MIPS, "a MIPS"},
    {EM_SPARCV9, "a SPARC"},
    {EM_SPARC, "a SPARC"},
    {EM_68K, "a 68k"},
    {258 /* LoongArch */, "a LoongArch"},
    {EM_IA_64, "an Itanium"},
    {EM_BPF, "a BPF"},
};

static const struct {
    const char *magic;
    size_t length;
    const char *name;
} magics[] = {
    {"#!", 2, "a script"},
    {"!<arch>\n", 8, "an archive of object files"},
    {"MZ", 2, "a Windows program"},
    {"\xcf\xfa\xed\xfe", 4, "a macOS program"},
    {"\xce\xfa\xed\xfe", 4, "a macOS program"},
    {"\xca\xfe\xba\xbe", 4, "a macOS program or a Java class"},
    {"\0asm", 4, "a WebAssembly module"},
    {"BC\xc0\xde", 4, "LLVM bitcode"},
    {"\x1f\x8b", 2, "a file compressed by gzip"},
    {"\xfd"
     "7zXZ",
     5, "a file compressed by xz"},
    {"\x28\xb5\x2f\xfd", 4, "a file compressed by zstd"},
    {"BZh", 3, "a file compressed by bzip2"},
    {"PK\3\4", 4, "a zip archive"},
};

const char *file_kind_of_mode(mode_t mode)
{
    return S_ISREG(mode)    ? NULL
           : S_ISDIR(mode)  ? "a directory"
           : S_ISFIFO(mode) ? "a FIFO"
           : S_ISSOCK(mode) ? "a socket"
                            : "a device";
}

bool file_kind_is_script(const unsigned char *head, size_t n) { return n >= 2 && head[0] == '#' && head[1] == '!'; }

static bool is_elf(const unsigned char *head, size_t n) { return n >= SELFMAG && memcmp(head, ELFMAG, SELFMAG) == 0; }

/* A field of two bytes in the byte order of the file. */
static unsigned field(const unsigned char *head, size_t at)
{
    return head[EI_DATA] == ELFDATA2MSB ? (unsigned)(head[at] << 8 | head[at + 1])
                                        : (unsigned)(head[at + 1] << 8 | head[at]);
}

bool file_kind_is_riscv64(const unsigned char *head, size_t n)
{
    if (n < sizeof(Elf64_Ehdr) || !is_elf(head, n) || head[EI_CLASS] != ELFCLASS64 || head[EI_DATA] != ELFDATA2LSB)
        return false;
    const unsigned type = field(head, offsetof(Elf64_Ehdr, e_type));
    return field(head, offsetof(Elf64_Ehdr, e_machine)) == EM_RISCV && (type == ET_EXEC || type == ET_DYN);
}

static bool has_entry(const unsigned char *head, size_t n)
{
    const size_t at = offsetof(Elf64_Ehdr, e_entry), bytes = head[EI_CLASS] == ELFCLASS64 ? 8 : 4;
    bool any = false;
    for (size_t i = at; i < at + bytes && i < n; i++)
        any = any || head[i] != 0;
    return any;
}

bool file_kind_is_library(const unsigned char *head, size_t n)
{
    return file_kind_is_riscv64(head, n) && field(head, offsetof(Elf64_Ehdr, e_type)) == ET_DYN && !has_entry(head, n);
}

static const char *type_name(const unsigned char *head, size_t n)
{
    switch (field(head, offsetof(Elf64_Ehdr, e_type))) {
    case ET_REL:
        return "object file";
    case ET_EXEC:
        return "program";
    case ET_DYN:
        return has_entry(head, n) ? "program" : "shared library";
    case ET_CORE:
        return "core file";
    default:
        return "ELF file of an unknown type";
    }
}

static const char *describe_elf(const unsigned char *head, size_t n, char text[FILE_KIND_TEXT])
{
    const char *machine = NULL, *type = type_name(head, n);
    const unsigned number = field(head, offsetof(Elf64_Ehdr, e_machine));
    const bool is_32 = head[EI_CLASS] == ELFCLASS32, is_big = head[EI_DATA] == ELFDATA2MSB;
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++)
        if (machines[i].machine == number)
            machine = machines[i].name;
    if (machine == NULL)
        snprintf(text, FILE_KIND_TEXT, "a %s%s%s for machine 0x%x", is_32 ? "32-bit " : "", is_big ? "big-endian " : "",
                 type, number);
    else if (is_32 || is_big)
        snprintf(text, FILE_KIND_TEXT, "a %s%s%s %s", is_32 ? "32-bit " : "", is_big ? "big-endian " : "",
                 strchr(machine, ' ') + 1, type);
    else
        snprintf(text, FILE_KIND_TEXT, "%s %s", machine, type);
    return text;
}

static bool is_text(const unsigned char *head, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (head[i] == 0x7f || (head[i] < 0x20 && strchr("\t\n\r\f\v", head[i]) == NULL))
            return false;
    return memchr(head, 0, n) == NULL;
}

const char *file_kind(const unsigned char *head, size_t n, char text[FILE_KIND_TEXT])
{
    if (n == 0)
        return strcpy(text, "an empty file");
    if (is_elf(head, n) && (n < sizeof(Elf32_Ehdr) || (head[EI_CLASS] != ELFCLASS32 && n < sizeof(Elf64_Ehdr))))
        return strcpy(text, "an ELF file that ends in its header");
    if (is_elf(head, n))
        return describe_elf(head, n, text);
    for (size_t i = 0; i < sizeof magics / sizeof magics[0]; i++)
        if (n >= magics[i].length && memcmp(head, magics[i].magic, magics[i].length) == 0)
            return strcpy(text, magics[i].name);
    if (is_text(head, n))
        return strcpy(text, "a text file");
    int used = snprintf(text, FILE_KIND_TEXT, "a file of another format, which begins with");
    for (size_t i = 0; i < n && i < 4; i++)
        used += snprintf(text + used, (size_t)(FILE_KIND_TEXT - used), " %02x", head[i]);
    return text;
}
