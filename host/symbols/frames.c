/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libdw splits .eh_frame into its entries. An entry's range is encoded as its CIE (common information entry) says
 * (Linux Standard Base, "Exception Frames"). All numbers of the file are unchecked input. */
#include "host/symbols/frames.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/status.h"

struct frames_code {
    uint64_t start, end;
};

struct frames {
    Elf *elf;
    struct frames_code *code; /* in ascending order of start */
    size_t codes;
    unsigned char ident[EI_NIDENT];
    Elf_Data *data;
    uint64_t address; /* of the first byte */
    Dwarf_Off cie;    /* that `encoding` is of; UINT64_MAX: none */
    unsigned encoding;
    void (*see)(void *ctx, uint64_t start, uint64_t end);
    void *ctx;
};

/* A part of the data. */
struct frames_cursor {
    const uint8_t *at, *end;
};

static bool frames_read_bytes(struct frames_cursor *c, unsigned bytes, uint64_t *value)
{
    *value = 0;
    if ((size_t)(c->end - c->at) < bytes)
        return false;
    for (unsigned i = 0; i < bytes; i++)
        *value |= (uint64_t)c->at[i] << 8 * i;
    c->at += bytes;
    return true;
}

static bool frames_read_leb(struct frames_cursor *c, bool is_signed, uint64_t *value)
{
    unsigned shift = 0;
    *value = 0;
    while (c->at < c->end && shift < 64) {
        const uint8_t byte = *c->at++;
        *value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
        if ((byte & 0x80) != 0)
            continue;
        if (is_signed && (byte & 0x40) != 0 && shift < 64)
            *value |= UINT64_MAX << shift;
        return true;
    }
    return false;
}

/* A number in the format of an encoding, without what it is relative to. */
static bool frames_read_number(struct frames_cursor *c, unsigned encoding, uint64_t *value)
{
    const unsigned format = encoding & 0x0f;
    switch (format) {
    case DW_EH_PE_absptr:
    case DW_EH_PE_udata8:
    case DW_EH_PE_sdata8:
        return frames_read_bytes(c, 8, value);
    case DW_EH_PE_udata4:
        return frames_read_bytes(c, 4, value);
    case DW_EH_PE_udata2:
        return frames_read_bytes(c, 2, value);
    case DW_EH_PE_sdata4:
        if (!frames_read_bytes(c, 4, value))
            return false;
        *value = (uint64_t)(int64_t)(int32_t)*value;
        return true;
    case DW_EH_PE_sdata2:
        if (!frames_read_bytes(c, 2, value))
            return false;
        *value = (uint64_t)(int64_t)(int16_t)*value;
        return true;
    case DW_EH_PE_uleb128:
    case DW_EH_PE_sleb128:
        return frames_read_leb(c, format == DW_EH_PE_sleb128, value);
    default:
        return false;
    }
}

/* An address: absolute, or relative to itself. Compilers for RISC-V use no other. */
static bool frames_read_address(const struct frames *f, struct frames_cursor *c, unsigned encoding, uint64_t *value)
{
    const uint64_t own = f->address + (uint64_t)(c->at - (const uint8_t *)f->data->d_buf);
    const unsigned base = encoding & 0x70;
    if ((encoding & DW_EH_PE_indirect) != 0 || (base != DW_EH_PE_absptr && base != DW_EH_PE_pcrel) ||
        !frames_read_number(c, encoding, value))
        return false;
    *value += base == DW_EH_PE_pcrel ? own : 0;
    return true;
}

/* The encoding of addresses in the FDEs of a CIE: its letter R; DW_EH_PE_omit: unknown. */
static unsigned encoding_of(const Dwarf_CIE *cie)
{
    struct frames_cursor c = {cie->augmentation_data, cie->augmentation_data};
    uint64_t value;
    if (cie->augmentation[0] != 'z')
        return cie->augmentation[0] == '\0' ? DW_EH_PE_absptr : DW_EH_PE_omit;
    if (c.at == NULL)
        return DW_EH_PE_omit;
    c.end += cie->augmentation_data_size;
    for (const char *letter = cie->augmentation + 1; *letter != '\0'; letter++) {
        if (*letter == 'S' || *letter == 'B')
            continue;
        if (!frames_read_bytes(&c, 1, &value))
            return DW_EH_PE_omit;
        if (*letter == 'R')
            return (unsigned)value;
        if (*letter == 'P' ? !frames_read_number(&c, (unsigned)value, &(uint64_t){0}) : *letter != 'L')
            return DW_EH_PE_omit;
    }
    return DW_EH_PE_absptr;
}

/* The encoding that the FDEs of the CIE at an offset have. Neighbours have the same one. */
static unsigned find_encoding(struct frames *f, Dwarf_Off offset)
{
    Dwarf_CFI_Entry entry;
    Dwarf_Off next;
    if (offset == f->cie)
        return f->encoding;
    f->cie = offset;
    f->encoding = dwarf_next_cfi(f->ident, f->data, true, offset, &next, &entry) == 0 && dwarf_cfi_cie_p(&entry)
                      ? encoding_of(&entry.cie)
                      : DW_EH_PE_omit;
    return f->encoding;
}

/* ---- code ---- */

ORDER(by_code_start, struct frames_code, RISING(start))

static void add_code(struct frames *f, uint64_t start, uint64_t bytes)
{
    if (bytes == 0 || start > UINT64_MAX - bytes)
        return;
    f->code = xgrow(f->code, f->codes, sizeof *f->code);
    f->code[f->codes++] = (struct frames_code){start, start + bytes};
}

/* The executable sections, or segments where the file has no section headers. */
static void collect_code(struct frames *f)
{
    GElf_Shdr h;
    GElf_Phdr p;
    size_t segments = 0;
    bool any = false;
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(f->elf, scn)) != NULL; any = true)
        if (gelf_getshdr(scn, &h) != NULL && (h.sh_flags & SHF_EXECINSTR) != 0 && h.sh_type != SHT_NOBITS)
            add_code(f, h.sh_addr, h.sh_size);
    (void)elf_getphdrnum(f->elf, &segments);
    for (size_t i = 0; !any && i < segments; i++)
        if (gelf_getphdr(f->elf, (int)i, &p) != NULL && p.p_type == PT_LOAD && (p.p_flags & PF_X) != 0)
            add_code(f, p.p_vaddr, p.p_filesz);
    if (f->codes > 0)
        qsort(f->code, f->codes, sizeof *f->code, by_code_start);
}

/* The end of the code around an address; the address itself: it is none. */
static uint64_t end_of_code(const struct frames *f, uint64_t address)
{
    size_t low = 0, high = f->codes;
    SEARCH(low, high, n, f->code[n].start <= address);
    return low > 0 && f->code[low - 1].end > address ? f->code[low - 1].end : address;
}

/* ---- entries ---- */

static void see_fde(struct frames *f, const Dwarf_FDE *fde)
{
    struct frames_cursor c = {fde->start, fde->end};
    const unsigned encoding = find_encoding(f, fde->CIE_pointer);
    uint64_t start, bytes;
    if (encoding == DW_EH_PE_omit || !frames_read_address(f, &c, encoding, &start) ||
        !frames_read_number(&c, encoding, &bytes))
        return;
    const uint64_t end = end_of_code(f, start), most = end - start;
    if (most != 0 && bytes != 0)
        f->see(f->ctx, start, start + (bytes < most ? bytes : most));
}

static void see_entries(struct frames *f)
{
    Dwarf_Off offset = 0, next;
    f->cie = UINT64_MAX;
    for (; offset < f->data->d_size; offset = next) {
        Dwarf_CFI_Entry entry;
        next = offset;
        int result = dwarf_next_cfi(f->ident, f->data, true, offset, &next, &entry);
        if (result > 0 || next <= offset) /* the end, or an entry whose size is wrong */
            return;
        if (result == 0 && !dwarf_cfi_cie_p(&entry))
            see_fde(f, &entry.fde);
    }
}

/* The bytes of a file from those at an address on, to the end of their segment; NULL: none. */
static Elf_Data *data_at(Elf *elf, uint64_t address)
{
    GElf_Phdr p;
    size_t segments;
    for (size_t i = 0; elf_getphdrnum(elf, &segments) == 0 && i < segments; i++)
        if (gelf_getphdr(elf, (int)i, &p) != NULL && p.p_type == PT_LOAD && address - p.p_vaddr < p.p_filesz)
            return elf_getdata_rawchunk(elf, (int64_t)(p.p_offset + (address - p.p_vaddr)),
                                        p.p_filesz - (address - p.p_vaddr), ELF_T_BYTE);
    return NULL;
}

/* By .eh_frame_hdr: a version, the encodings of three values, and the address of .eh_frame. */
static bool find_by_header(struct frames *f)
{
    GElf_Phdr p;
    size_t segments;
    for (size_t i = 0; elf_getphdrnum(f->elf, &segments) == 0 && i < segments; i++) {
        if (gelf_getphdr(f->elf, (int)i, &p) == NULL || p.p_type != PT_GNU_EH_FRAME)
            continue;
        uint64_t address;
        f->address = p.p_vaddr;
        f->data = data_at(f->elf, p.p_vaddr);
        if (f->data == NULL || f->data->d_buf == NULL || f->data->d_size < 4)
            return false;
        const uint8_t *bytes = f->data->d_buf;
        struct frames_cursor c = {bytes + 4, bytes + f->data->d_size};
        if (bytes[0] != 1 || !frames_read_address(f, &c, bytes[1], &address))
            return false;
        f->address = address;
        f->data = data_at(f->elf, address);
        return f->data != NULL && f->data->d_buf != NULL;
    }
    return false;
}

static bool find_by_name(struct frames *f)
{
    size_t names;
    GElf_Shdr h;
    if (elf_getshdrstrndx(f->elf, &names) != 0)
        return false;
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(f->elf, scn)) != NULL;) {
        const char *name = gelf_getshdr(scn, &h) != NULL ? elf_strptr(f->elf, names, h.sh_name) : NULL;
        if (name == NULL || h.sh_type == SHT_NOBITS || strcmp(name, ".eh_frame") != 0)
            continue;
        f->address = h.sh_addr;
        f->data = elf_getdata(scn, NULL);
        return f->data != NULL && f->data->d_buf != NULL;
    }
    return false;
}

void frames_each(Elf *elf, void (*see)(void *ctx, uint64_t start, uint64_t end), void *ctx)
{
    struct frames f = {.elf = elf, .see = see, .ctx = ctx};
    GElf_Ehdr e;
    if (gelf_getehdr(elf, &e) == NULL || e.e_ident[EI_CLASS] != ELFCLASS64 || e.e_ident[EI_DATA] != ELFDATA2LSB ||
        (e.e_type != ET_EXEC && e.e_type != ET_DYN))
        return;
    memcpy(f.ident, e.e_ident, sizeof f.ident);
    if (!find_by_name(&f) && !find_by_header(&f))
        return;
    collect_code(&f);
    see_entries(&f);
    free(f.code);
}
