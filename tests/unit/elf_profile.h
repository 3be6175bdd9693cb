/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The image of an ELF file in a profile, by libdw: functions, lines, code and scopes. */
#ifndef TESTS_UNIT_ELF_PROFILE_H
#define TESTS_UNIT_ELF_PROFILE_H

#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "host/profile/profile.h"
#include "host/symbols/scopes.h"

static inline int elf_profile_compare(const void *a, const void *b)
{
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

static inline void elf_profile_add_symbols(Elf *elf, Elf_Scn *section, const GElf_Shdr *h, struct profile_image *i)
{
    Elf_Data *data = elf_getdata(section, NULL);
    size_t count = h->sh_size / h->sh_entsize, kept = 0;
    struct profile_symbol *symbol = xcalloc(count + 1, sizeof *symbol);
    for (size_t n = 0; n < count; n++) {
        GElf_Sym s;
        gelf_getsym(data, (int)n, &s);
        if (GELF_ST_TYPE(s.st_info) != STT_FUNC || s.st_size == 0)
            continue;
        const char *name = elf_strptr(elf, h->sh_link, s.st_name);
        symbol[kept++] = (struct profile_symbol){
            .start = s.st_value, .size_bytes = s.st_size, .name = name, .shown = name};
    }
    qsort(symbol, kept, sizeof *symbol, elf_profile_compare);
    size_t apart = 0; /* of overlapping symbols the first one remains */
    for (size_t n = 0; n < kept; n++)
        if (apart == 0 || symbol[n].start >= symbol[apart - 1].start + symbol[apart - 1].size_bytes)
            symbol[apart++] = symbol[n];
    i->symbol = symbol;
    i->symbols = apart;
}

static inline void elf_profile_add_lines(struct profile *p, Dwarf *dwarf, struct profile_image *i)
{
    struct profile_line *line = NULL;
    size_t kept = 0;
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    while (dwarf != NULL && dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0) {
        Dwarf_Lines *rows;
        size_t count;
        if (dwarf_getsrclines(&die, &rows, &count) != 0)
            continue;
        line = xrealloc(line, (kept + count + 1) * sizeof *line);
        for (size_t n = 0; n < count; n++) {
            Dwarf_Line *row = dwarf_onesrcline(rows, n);
            Dwarf_Addr start;
            int number;
            unsigned discriminator;
            bool end;
            dwarf_lineaddr(row, &start);
            dwarf_lineno(row, &number);
            dwarf_linediscriminator(row, &discriminator);
            dwarf_lineendsequence(row, &end);
            uint32_t file = end ? PROFILE_NO_FILE : profile_add_file(p, dwarf_linesrc(row, NULL, NULL));
            struct profile_line new = {start, file, end ? 0 : (uint32_t)number, end ? 0 : discriminator};
            if (kept > 0 && line[kept - 1].start == start)
                kept--;
            line[kept++] = new;
        }
    }
    if (kept > 0)
        qsort(line, kept, sizeof *line, elf_profile_compare);
    i->line = line;
    i->lines = kept;
}

static inline void elf_profile_add_code(Elf_Scn *section, const GElf_Shdr *h, struct profile_image *i)
{
    struct profile_code *code = xrealloc((void *)(uintptr_t)i->code, (i->codes + 1) * sizeof *code);
    code[i->codes++] = (struct profile_code){h->sh_addr, h->sh_size, elf_getdata(section, NULL)->d_buf, h->sh_offset};
    i->code = code;
}

/* Adds the ELF file at `path`; returns the image's number, or exits with a message. */
static inline uint32_t elf_profile_add(struct profile *p, const char *path)
{
    int fd = open(path, O_RDONLY);
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    if (elf == NULL) {
        fprintf(stderr, "%s: expected an ELF file\n", path);
        exit(2);
    }
    Dwarf *dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
    const char *slash = strrchr(path, '/');
    struct profile_image i = {.build_id = "", .path = path, .name = slash == NULL ? path : slash + 1};
    struct scopes scopes;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
        GElf_Shdr h;
        gelf_getshdr(section, &h);
        if (h.sh_type == SHT_SYMTAB)
            elf_profile_add_symbols(elf, section, &h, &i);
        else if ((h.sh_flags & SHF_EXECINSTR) != 0)
            elf_profile_add_code(section, &h, &i);
    }
    elf_profile_add_lines(p, dwarf, &i);
    scopes_read(&scopes, dwarf, path, 0, p);
    i.scope = scopes.scope;
    i.scopes = scopes.count;
    i.scope_range = scopes.range;
    i.scope_ranges = scopes.ranges;
    uint32_t image = profile_add_image(p, &i);
    scopes_free(&scopes);
    free((void *)(uintptr_t)i.symbol);
    free((void *)(uintptr_t)i.line);
    free((void *)(uintptr_t)i.code);
    if (dwarf != NULL)
        dwarf_end(dwarf);
    elf_end(elf);
    close(fd);
    return image;
}

#endif
