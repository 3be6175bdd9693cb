/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stub is `auipc t3,HIGH; ld t3,LOW(t3); jalr t1,t3; nop`: it jumps to the address in an entry of the global offset
 * table, and the relocation of that entry has the name. The stubs are found by these instructions rather than by their
 * number, so that it does not matter how the linker orders and groups them, or how large the header is. */
#include "host/symbols/plt.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

enum { STUB_BYTES = 16, AUIPC = 0x17, LD = 0x3003 };

struct got_entry {
    uint64_t address; /* of the entry of the global offset table */
    uint64_t addend;
    const char *name; /* the ELF file's string table; NULL: none */
};

struct got {
    struct got_entry *list;
    size_t count;
};

/* The name of a section's symbol; NULL where there is none. */
static const char *plt_symbol_name(Elf *elf, const GElf_Shdr *relocations, size_t number)
{
    GElf_Shdr h;
    GElf_Sym sym;
    Elf_Scn *scn = elf_getscn(elf, relocations->sh_link);
    Elf_Data *data = scn != NULL ? elf_getdata(scn, NULL) : NULL;
    if (number == 0 || data == NULL || gelf_getshdr(scn, &h) == NULL || number > INT32_MAX ||
        gelf_getsym(data, (int)number, &sym) == NULL)
        return NULL;
    const char *name = elf_strptr(elf, h.sh_link, sym.st_name);
    return name != NULL && name[0] != '\0' ? name : NULL;
}

static void collect_entries(Elf *elf, Elf_Scn *scn, struct got *s)
{
    GElf_Shdr h;
    GElf_Rela r;
    Elf_Data *data = elf_getdata(scn, NULL);
    if (data == NULL || data->d_buf == NULL || data->d_type != ELF_T_RELA || gelf_getshdr(scn, &h) == NULL)
        return;
    for (int i = 0; gelf_getrela(data, i, &r) != NULL; i++) {
        uint64_t type = GELF_R_TYPE(r.r_info);
        if (type != R_RISCV_JUMP_SLOT && type != R_RISCV_64 && type != R_RISCV_IRELATIVE)
            continue;
        const char *name = plt_symbol_name(elf, &h, GELF_R_SYM(r.r_info));
        if ((s->count & (s->count + 1)) == 0)
            s->list = xrealloc(s->list, 2 * (s->count + 1) * sizeof *s->list);
        s->list[s->count++] = (struct got_entry){r.r_offset, (uint64_t)r.r_addend, name};
    }
}

static int compare_entries(const void *a, const void *b)
{
    const struct got_entry *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

static uint32_t word_at(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* The entry that the stub at `p` jumps through; NULL: there is no stub. */
static const struct got_entry *stub_entry(const struct got *s, const uint8_t *p, uint64_t pc)
{
    uint32_t first = word_at(p), second = word_at(p + 4), rd = first >> 7 & 31;
    if ((first & 0x7f) != AUIPC || (second & 0x707f) != LD || (second >> 15 & 31) != rd)
        return NULL;
    uint64_t high = (uint64_t)(int64_t)(int32_t)(first & 0xfffff000), low = (uint64_t)(int64_t)((int32_t)second >> 20);
    const struct got_entry key = {.address = pc + high + low};
    return s->count != 0 ? bsearch(&key, s->list, s->count, sizeof *s->list, compare_entries) : NULL;
}

static char *stub_name(const struct got_entry *entry)
{
    const char *name = entry->name != NULL ? entry->name : "*ABS*";
    return entry->addend != 0 ? xasprintf("%s+0x%" PRIx64 "@plt", name, entry->addend) : xasprintf("%s@plt", name);
}

static void find_stubs(Elf_Scn *scn, const char *section, const struct got *s,
                       void (*see)(void *ctx, uint64_t start, uint64_t size_bytes, const char *name), void *ctx)
{
    GElf_Shdr h;
    Elf_Data *data = elf_getdata(scn, NULL);
    if (data == NULL || data->d_buf == NULL || data->d_size == 0 || gelf_getshdr(scn, &h) == NULL)
        return;
    uint64_t header_bytes = data->d_size;
    for (uint64_t at = 0; data->d_size - at >= STUB_BYTES;) {
        const struct got_entry *entry = stub_entry(s, (const uint8_t *)data->d_buf + at, h.sh_addr + at);
        if (entry == NULL) {
            at += sizeof(uint32_t);
            continue;
        }
        char *name = stub_name(entry);
        see(ctx, h.sh_addr + at, STUB_BYTES, name);
        free(name);
        header_bytes = at < header_bytes ? at : header_bytes;
        at += STUB_BYTES;
    }
    if (header_bytes != 0)
        see(ctx, h.sh_addr, header_bytes, section);
}

void plt_each(Elf *elf, void (*see)(void *ctx, uint64_t start, uint64_t size_bytes, const char *name), void *ctx)
{
    GElf_Ehdr e;
    GElf_Shdr h;
    size_t names;
    struct got s = {0};
    if (gelf_getehdr(elf, &e) == NULL || e.e_machine != EM_RISCV || e.e_ident[EI_CLASS] != ELFCLASS64 ||
        elf_getshdrstrndx(elf, &names) != 0)
        return;
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn)) != NULL;)
        if (gelf_getshdr(scn, &h) != NULL && h.sh_type == SHT_RELA && (h.sh_flags & SHF_ALLOC) != 0)
            collect_entries(elf, scn, &s);
    if (s.count != 0)
        qsort(s.list, s.count, sizeof *s.list, compare_entries);
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn)) != NULL;) {
        if (gelf_getshdr(scn, &h) == NULL || h.sh_type != SHT_PROGBITS || (h.sh_flags & SHF_EXECINSTR) == 0)
            continue;
        const char *section = elf_strptr(elf, names, h.sh_name);
        if (section != NULL && (strncmp(section, ".plt", 4) == 0 || strncmp(section, ".iplt", 5) == 0))
            find_stubs(scn, section, &s, see, ctx);
    }
    free(s.list);
}
