/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compressed sections: a file is copied to memory, and what is decompressed is appended to it. All numbers of the file
 * are unchecked input. */
#include "host/symbols/debug_sections.h"

#include <elf.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/status.h"

/* gABI; not in the elf.h of Debian 12. */
enum { COMPRESSED_BY_ZSTD = 2 };

/* A file in memory. */
struct elf_bytes {
    uint8_t *byte;
    size_t size_bytes;
    size_t headers; /* offset of the section headers */
    unsigned sections;
};

/* A compressed section. */
struct compressed {
    size_t header; /* offset of its header */
    uint64_t size_bytes, alignment;
    uint32_t method;
    const uint8_t *from;
    size_t from_bytes;
};

static bool debug_sections_is_inside(const struct elf_bytes *f, uint64_t offset, uint64_t size_bytes)
{
    return offset <= f->size_bytes && size_bytes <= f->size_bytes - offset;
}

/* Finds the section headers; false if the file has none, or is of another class than those that guests have. */
static bool find_headers(struct elf_bytes *f)
{
    Elf64_Ehdr h;
    Elf64_Shdr first;
    if (f->size_bytes < sizeof h)
        return false;
    memcpy(&h, f->byte, sizeof h);
    if (memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 || h.e_ident[EI_CLASS] != ELFCLASS64 ||
        h.e_ident[EI_DATA] != ELFDATA2LSB || h.e_shentsize != sizeof first ||
        !debug_sections_is_inside(f, h.e_shoff, sizeof first) || h.e_shoff == 0)
        return false;
    memcpy(&first, f->byte + h.e_shoff, sizeof first);
    uint64_t count = h.e_shnum != 0 ? h.e_shnum : first.sh_size; /* more than 65,279 sections */
    f->headers = h.e_shoff;
    f->sections = count <= UINT32_MAX && debug_sections_is_inside(f, h.e_shoff, count * sizeof first) ? (unsigned)count
                                                                                                      : 0;
    return f->sections > 0;
}

/* GNU's older form: a name that begins with .zdebug, the letters ZLIB and the size, big-endian. */
static bool read_gnu(const struct elf_bytes *f, const Elf64_Shdr *h, struct compressed *c)
{
    uint64_t size;
    const size_t head = 4 + sizeof size;
    if (h->sh_size < head || memcmp(f->byte + h->sh_offset, "ZLIB", 4) != 0)
        return false;
    memcpy(&size, f->byte + h->sh_offset + 4, sizeof size);
    c->size_bytes = be64toh(size);
    c->method = ELFCOMPRESS_ZLIB;
    return true;
}

/* Reads section `n`; returns whether it is compressed. */
static bool debug_sections_read_section(const struct elf_bytes *f, unsigned n, struct compressed *c)
{
    Elf64_Shdr h;
    Elf64_Chdr head;
    *c = (struct compressed){.header = f->headers + n * sizeof h};
    memcpy(&h, f->byte + c->header, sizeof h);
    if (h.sh_type == SHT_NOBITS || !debug_sections_is_inside(f, h.sh_offset, h.sh_size))
        return false;
    if ((h.sh_flags & SHF_COMPRESSED) == 0)
        return (h.sh_flags & SHF_ALLOC) == 0 && read_gnu(f, &h, c);
    if (h.sh_size < sizeof head)
        return false;
    memcpy(&head, f->byte + h.sh_offset, sizeof head);
    c->method = head.ch_type;
    c->size_bytes = head.ch_size;
    c->alignment = head.ch_addralign;
    c->from = f->byte + h.sh_offset + sizeof head;
    c->from_bytes = h.sh_size - sizeof head;
    return true;
}

static uint64_t limit_of(const struct elf_bytes *f)
{
    uint64_t least = (uint64_t)DEBUG_SECTIONS_FREE_MIB << 20, most = f->size_bytes * (uint64_t)DEBUG_SECTIONS_FACTOR;
    return most > least ? most : least;
}

/* Totals of the compressed sections. */
struct compressed_sum {
    uint64_t size_bytes; /* decompressed; UINT64_MAX: more */
    uint64_t zstd_bytes; /* of those, by zstd */
    bool any_other;      /* one of a method that neither libdw nor this module knows */
};

static struct compressed_sum sum_sections(const struct elf_bytes *f)
{
    struct compressed_sum sum = {0};
    struct compressed c;
    for (unsigned n = 0; n < f->sections; n++) {
        if (!debug_sections_read_section(f, n, &c))
            continue;
        sum.any_other |= c.method != ELFCOMPRESS_ZLIB && c.method != COMPRESSED_BY_ZSTD;
        sum.size_bytes = c.size_bytes < UINT64_MAX - sum.size_bytes ? sum.size_bytes + c.size_bytes : UINT64_MAX;
        if (c.method == COMPRESSED_BY_ZSTD)
            sum.zstd_bytes += c.size_bytes + sizeof(uint64_t);
    }
    return sum;
}

static bool debug_sections_map_file(struct elf_bytes *f, int fd)
{
    struct stat sb;
    *f = (struct elf_bytes){0};
    if (fstat(fd, &sb) != 0 || !S_ISREG(sb.st_mode) || sb.st_size <= 0)
        return false;
    f->size_bytes = (size_t)sb.st_size;
    f->byte = mmap(NULL, f->size_bytes, PROT_READ, MAP_PRIVATE, fd, 0);
    if (f->byte == MAP_FAILED)
        return false;
    if (find_headers(f))
        return true;
    munmap(f->byte, f->size_bytes);
    return false;
}

/* Opens a file in memory with a file's content and room behind it. Returns -1, with errno, if there is no memory. */
static int copy_file(const struct elf_bytes *f, size_t room_bytes, struct elf_bytes *copy)
{
    int fd = memfd_create("sections", MFD_CLOEXEC);
    if (fd < 0)
        return -1;
    *copy = *f;
    copy->size_bytes = f->size_bytes + room_bytes;
    copy->byte = ftruncate(fd, (off_t)copy->size_bytes) != 0
                     ? MAP_FAILED
                     : mmap(NULL, copy->size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (copy->byte == MAP_FAILED) {
        const int why = errno;
        close(fd);
        errno = why;
        return -1;
    }
    memcpy(copy->byte, f->byte, f->size_bytes);
    return fd;
}

/* Makes a section one without content, which libdw passes over. */
static void empty_section(struct elf_bytes *f, const struct compressed *c)
{
    Elf64_Shdr h;
    memcpy(&h, f->byte + c->header, sizeof h);
    h.sh_type = SHT_NOBITS;
    h.sh_flags &= ~(uint64_t)SHF_COMPRESSED;
    h.sh_size = 0;
    memcpy(f->byte + c->header, &h, sizeof h);
}

/* Decompresses a section to `*end`, which it moves. Returns the error of zstd; NULL: none. */
static const char *inflate_section(struct elf_bytes *f, const struct compressed *c, size_t *end)
{
    Elf64_Shdr h;
    *end = (*end + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
    size_t got = ZSTD_decompress(f->byte + *end, (size_t)c->size_bytes, c->from, c->from_bytes);
    if (ZSTD_isError(got))
        return ZSTD_getErrorName(got);
    if (got != c->size_bytes)
        return "its size is another than its header says";
    memcpy(&h, f->byte + c->header, sizeof h);
    h.sh_flags &= ~(uint64_t)SHF_COMPRESSED;
    h.sh_offset = *end;
    h.sh_size = got;
    h.sh_addralign = c->alignment;
    memcpy(f->byte + c->header, &h, sizeof h);
    *end += got;
    return NULL;
}

/* Decompresses the sections of a copy, whose content has `size_bytes`. */
static void inflate_sections(struct elf_bytes *f, size_t size_bytes, bool none, char **remark)
{
    struct compressed c;
    size_t end = size_bytes;
    for (unsigned n = 0; n < f->sections; n++) {
        const char *error = NULL;
        if (!debug_sections_read_section(f, n, &c) || (c.method == ELFCOMPRESS_ZLIB && !none))
            continue;
        if (!none && c.method == COMPRESSED_BY_ZSTD && (error = inflate_section(f, &c, &end)) == NULL)
            continue;
        empty_section(f, &c);
        if (*remark != NULL)
            continue;
        *remark = error != NULL ? xasprintf("section %u cannot be decompressed by zstd: %s; it is not read", n, error)
                                : xasprintf("section %u is compressed by method %" PRIu32
                                            ", expected 1 (zlib) or 2 (zstd); it is not read",
                                            n, c.method);
    }
}

static char *describe_excess(const struct elf_bytes *f, const struct compressed_sum *sum)
{
    return xasprintf("compressed sections: expected at most %" PRIu64
                     " bytes when decompressed (%d MiB, or %d times the "
                     "size of the file), found %" PRIu64 "; the debugging information is not read; decompress it with "
                     "objcopy --decompress-debug-sections",
                     limit_of(f), DEBUG_SECTIONS_FREE_MIB, DEBUG_SECTIONS_FACTOR, sum->size_bytes);
}

/* Beyond the limits only a copy without the sections may be read. */
static int debug_sections_refuse(int fd, char **remark)
{
    const char *why = strerror(errno);
    char *excess = *remark;
    *remark = xasprintf("%s; the file is not read, because a copy without these sections cannot be made: %s", excess,
                        why);
    free(excess);
    close(fd);
    return -1;
}

int debug_sections_open(int fd, char **remark)
{
    struct elf_bytes f, copy;
    *remark = NULL;
    if (!debug_sections_map_file(&f, fd))
        return fd;
    struct compressed_sum sum = sum_sections(&f);
    bool excess = sum.size_bytes > limit_of(&f);
    if (excess)
        *remark = describe_excess(&f, &sum);
    if (excess || sum.zstd_bytes > 0 || sum.any_other) {
        int copied = copy_file(&f, excess ? 0 : (size_t)sum.zstd_bytes, &copy);
        if (copied >= 0) {
            inflate_sections(&copy, f.size_bytes, excess, remark);
            munmap(copy.byte, copy.size_bytes);
            close(fd);
            fd = copied;
        } else if (excess) {
            fd = debug_sections_refuse(fd, remark);
        }
    }
    munmap(f.byte, f.size_bytes);
    return fd;
}

bool debug_sections_are_plain(const char *path)
{
    struct elf_bytes f;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool plain = true;
    if (fd >= 0 && debug_sections_map_file(&f, fd)) {
        struct compressed_sum sum = sum_sections(&f);
        plain = sum.size_bytes <= limit_of(&f) && sum.zstd_bytes == 0 && !sum.any_other;
        munmap(f.byte, f.size_bytes);
    }
    if (fd >= 0)
        close(fd);
    return plain;
}
