/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads ELF images: elf_load. Every number in the file is checked before it is used; an error names the file, the
 * offset, what was expected and what was found. Source: System V ABI, chapters "Object Files" and "Program Loading";
 * RISC-V ELF psABI. */
#include "core-model/linux/elf.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core-model/linux/elf_kind.h"
#include "core-model/linux/syscall.h"

enum { PHDR_MAX = 512, FLAG_FLOAT_QUAD = 0x6, FLAG_RVE = 0x8 };
static const uint64_t image_max = UINT64_C(1) << 36; /* larger images are treated as damaged files */

struct loader {
    struct memory *m;
    const char *path;
    int fd;
    uint64_t file_bytes;
    Elf *elf;
    GElf_Ehdr ehdr;
    GElf_Phdr *phdr;
    size_t phnum;
    struct elf_image *image;
    struct errmsg *err;
};

static enum status expected(const struct loader *l, uint64_t offset, const char *what, const char *wanted,
                            uint64_t found)
{
    return fail(l->err, ST_FORMAT, "%s: offset 0x%" PRIx64 ": %s: expected %s, found 0x%" PRIx64, l->path, offset, what,
                wanted, found);
}

/* File offset of field `f` of program header `i`. */
#define PHDR_OFFSET(l, i, f) ((l)->ehdr.e_phoff + (uint64_t)(i) * sizeof(Elf64_Phdr) + offsetof(Elf64_Phdr, f))

static enum status elf_open_file(struct loader *l)
{
    struct stat sb;
    l->fd = open(l->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (l->fd < 0 || fstat(l->fd, &sb) != 0)
        return fail(l->err, ST_IO, "%s: %s", l->path, strerror(errno));
    l->file_bytes = (uint64_t)sb.st_size;
    return elf_check_kind(l->fd, l->path, l->err);
}

static enum status check_header(struct loader *l)
{
    if (elf_version(EV_CURRENT) == EV_NONE)
        BUG("libelf is too old");
    l->elf = elf_begin(l->fd, ELF_C_READ, NULL);
    if (l->elf == NULL || gelf_getehdr(l->elf, &l->ehdr) == NULL)
        return fail(l->err, ST_FORMAT, "%s: offset 0x0: not a readable ELF file: %s", l->path, elf_errmsg(-1));
    const GElf_Ehdr *e = &l->ehdr;
    if ((e->e_flags & FLAG_FLOAT_QUAD) == FLAG_FLOAT_QUAD || (e->e_flags & FLAG_RVE) != 0)
        return expected(l, offsetof(Elf64_Ehdr, e_flags), "flags", "an ABI of RV64GC", e->e_flags);
    if (e->e_phentsize != sizeof(Elf64_Phdr))
        return expected(l, offsetof(Elf64_Ehdr, e_phentsize), "program header size", "0x38", e->e_phentsize);
    l->phnum = e->e_phnum;
    if (l->phnum == 0 || l->phnum > PHDR_MAX)
        return expected(l, offsetof(Elf64_Ehdr, e_phnum), "number of program headers", "1 to 0x200", l->phnum);
    if (e->e_phoff > l->file_bytes || l->phnum * sizeof(Elf64_Phdr) > l->file_bytes - e->e_phoff)
        return expected(l, offsetof(Elf64_Ehdr, e_phoff), "program headers", "them to end within the file", e->e_phoff);
    return ST_OK;
}

static enum status read_phdrs(struct loader *l)
{
    l->phdr = xcalloc(l->phnum, sizeof *l->phdr);
    for (size_t i = 0; i < l->phnum; i++)
        if (gelf_getphdr(l->elf, (int)i, &l->phdr[i]) == NULL)
            return fail(l->err, ST_FORMAT, "%s: offset 0x%" PRIx64 ": program header %zu: %s", l->path,
                        PHDR_OFFSET(l, i, p_type), i, elf_errmsg(-1));
    return ST_OK;
}

static uint64_t page_down(uint64_t x) { return x & ~(uint64_t)(MEM_PAGE_BYTES - 1); }
static uint64_t elf_page_up(uint64_t x) { return page_down(x + MEM_PAGE_BYTES - 1); }

static enum status check_segment(const struct loader *l, size_t i)
{
    const GElf_Phdr *p = &l->phdr[i];
    const uint64_t space = UINT64_C(1) << MEM_ADDRESS_BITS;
    if (p->p_filesz > l->file_bytes || p->p_offset > l->file_bytes - p->p_filesz)
        return expected(l, PHDR_OFFSET(l, i, p_filesz), "segment", "it to end within the file", p->p_filesz);
    if (p->p_memsz < p->p_filesz)
        return expected(l, PHDR_OFFSET(l, i, p_memsz), "segment's size in memory", "no less than in the file",
                        p->p_memsz);
    if (p->p_vaddr >= space || p->p_memsz > image_max || p->p_memsz > space - p->p_vaddr)
        return expected(l, PHDR_OFFSET(l, i, p_vaddr), "segment's address and size", "them below 0x4000000000",
                        p->p_vaddr >= space ? p->p_vaddr : p->p_memsz);
    if ((p->p_vaddr - p->p_offset) % MEM_PAGE_BYTES != 0)
        return expected(l, PHDR_OFFSET(l, i, p_offset), "segment's offset", "it to equal the address modulo 0x1000",
                        p->p_offset);
    return ST_OK;
}

/* Checks that loadable segments are in ascending order, as the ABI requires, and do not overlap. */
static enum status check_segments(struct loader *l, uint64_t *low, uint64_t *high)
{
    bool any = false;
    for (size_t i = 0; i < l->phnum; i++) {
        const GElf_Phdr *p = &l->phdr[i];
        if (p->p_type != PT_LOAD || p->p_memsz == 0)
            continue;
        enum status st = check_segment(l, i);
        if (st != ST_OK)
            return st;
        if (any && p->p_vaddr < *high)
            return expected(l, PHDR_OFFSET(l, i, p_vaddr), "segment's address", "an address after the previous segment",
                            p->p_vaddr);
        if (!any)
            *low = page_down(p->p_vaddr);
        *high = p->p_vaddr + p->p_memsz;
        any = true;
    }
    if (!any)
        return fail(l->err, ST_FORMAT, "%s: offset 0x%" PRIx64 ": expected a loadable segment, found none", l->path,
                    (uint64_t)l->ehdr.e_phoff);
    *high = elf_page_up(*high);
    return ST_OK;
}

static enum status elf_place(struct loader *l, uint64_t pie_start)
{
    uint64_t low = 0, high = 0;
    enum status st = check_segments(l, &low, &high);
    if (st != ST_OK)
        return st;
    struct elf_image *im = l->image;
    im->bias = l->ehdr.e_type == ET_DYN ? pie_start - low : 0;
    if (high - low > image_max || high + im->bias > (UINT64_C(1) << MEM_ADDRESS_BITS))
        return expected(l, l->ehdr.e_phoff, "image size", "at most 0x1000000000", high - low);
    if (im->bias == 0 && low < 0x1000)
        return expected(l, l->ehdr.e_phoff, "lowest address", "0x1000 or more", low);
    im->start = low + im->bias;
    im->end = high + im->bias;
    const uint64_t mapped = memory_mapped_in(l->m, im->start, im->end - im->start);
    if (mapped < im->end)
        return expected(l, l->ehdr.e_phoff, "image", "its addresses to be free", mapped);
    im->entry = l->ehdr.e_entry + im->bias;
    im->phent = sizeof(Elf64_Phdr);
    im->phnum = l->phnum;
    return ST_OK;
}

static unsigned elf_permissions(uint32_t flags)
{
    return (flags & PF_R ? MEM_R : 0u) | (flags & PF_W ? MEM_W | MEM_R : 0u) | (flags & PF_X ? MEM_X : 0u);
}

/* By a buffer, because the segment's pages may be those that the host does not read either. */
static enum status read_segment(const struct loader *l, size_t i, uint64_t addr)
{
    uint8_t part[1 << 16];
    const GElf_Phdr *p = &l->phdr[i];
    for (uint64_t done = 0; done < p->p_filesz;) {
        const uint64_t left = p->p_filesz - done;
        ssize_t n = pread(l->fd, part, left < sizeof part ? left : sizeof part, (off_t)(p->p_offset + done));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return fail(l->err, ST_IO, "%s: offset 0x%" PRIx64 ": %s", l->path, (uint64_t)p->p_offset + done,
                        strerror(errno));
        if (n == 0)
            return expected(l, p->p_offset + done, "segment", "more bytes", 0);
        (void)memory_write(l->m, addr + done, part, (size_t)n); /* no page is one of a file */
        done += (uint64_t)n;
    }
    return ST_OK;
}

/* Maps a segment. If it shares a page with the previous one, the page keeps its contents and gets the permissions of
 * both. */
static enum status map_segment(struct loader *l, size_t i)
{
    const GElf_Phdr *p = &l->phdr[i];
    uint64_t addr = p->p_vaddr + l->image->bias, start = page_down(addr), end = elf_page_up(addr + p->p_memsz);
    unsigned perm = elf_permissions(p->p_flags);
    if (memory_allows(l->m, start, 1, MEM_MAPPED)) {
        unsigned both = l->m->perm[start >> MEM_PAGE_BITS] | perm;
        if (!memory_protect(l->m, start, MEM_PAGE_BYTES, both))
            BUG("a mapped page cannot be protected");
        start += MEM_PAGE_BYTES;
    }
    if (start < end && memory_map(l->m, start, end - start, perm) != ST_OK)
        return fail(l->err, ST_IO, "%s: cannot map 0x%" PRIx64 " bytes for a segment", l->path, end - start);
    if (l->ehdr.e_phoff >= p->p_offset && l->ehdr.e_phoff - p->p_offset < p->p_filesz)
        l->image->phdr = addr + (l->ehdr.e_phoff - p->p_offset);
    return read_segment(l, i, addr);
}

static enum status read_interp(struct loader *l, size_t i)
{
    const GElf_Phdr *p = &l->phdr[i];
    struct elf_image *im = l->image;
    if (p->p_filesz == 0 || p->p_filesz > sizeof im->interp)
        return expected(l, PHDR_OFFSET(l, i, p_filesz), "interpreter's name", "1 to 0x1000 bytes", p->p_filesz);
    if (pread(l->fd, im->interp, p->p_filesz, (off_t)p->p_offset) != (ssize_t)p->p_filesz)
        return expected(l, PHDR_OFFSET(l, i, p_offset), "interpreter's name", "it to be within the file", p->p_offset);
    if (im->interp[p->p_filesz - 1] != '\0')
        return expected(l, p->p_offset + p->p_filesz - 1, "interpreter's name", "a final NUL",
                        (unsigned char)im->interp[p->p_filesz - 1]);
    im->has_interp = true;
    return ST_OK;
}

static enum status linux_elf_load(struct loader *l, uint64_t pie_start)
{
    enum status st = elf_open_file(l);
    if (st == ST_OK)
        st = check_header(l);
    if (st == ST_OK)
        st = read_phdrs(l);
    if (st == ST_OK)
        st = elf_place(l, pie_start);
    for (size_t i = 0; st == ST_OK && i < l->phnum; i++) {
        if (l->phdr[i].p_type == PT_LOAD && l->phdr[i].p_memsz != 0)
            st = map_segment(l, i);
        else if (l->phdr[i].p_type == PT_INTERP)
            st = read_interp(l, i);
    }
    return st;
}

enum status elf_load(struct memory *m, const char *path, uint64_t pie_start, struct elf_image *image,
                     struct errmsg *err)
{
    *image = (struct elf_image){0};
    struct loader l = {.m = m, .path = path, .fd = -1, .image = image, .err = err};
    enum status st = linux_elf_load(&l, pie_start);
    free(l.phdr);
    if (l.elf != NULL)
        elf_end(l.elf);
    if (l.fd >= 0)
        close(l.fd);
    return st;
}
