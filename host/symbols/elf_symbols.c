/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of functions and variables, sorted by address. Mapping symbols and local labels are excluded. All numbers of
 * the file are unchecked input. */
#include "host/symbols/elf_symbols.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/status.h"

void elf_symbols_add(struct elf_symbols *t, const struct elf_symbol *symbol)
{
    if (t->count == t->room) {
        t->room = 2 * t->room + 64;
        t->symbol = xrealloc(t->symbol, t->room * sizeof *t->symbol);
    }
    t->symbol[t->count++] = *symbol;
}

void elf_symbols_add_named(struct elf_symbols *t, uint64_t start, uint64_t end, const char *name)
{
    char *own = xstrdup(name);
    elf_symbols_add(
        t, &(struct elf_symbol){
               .start = start, .end = end, .sized = true, .binding = BINDING_LOCAL, .symbol = own, .own = own});
}

void elf_symbols_free(struct elf_symbols *t)
{
    for (size_t i = 0; i < t->count; i++) {
        free(t->symbol[i].own);
        free(t->symbol[i].name);
        free(t->symbol[i].unique);
    }
    free(t->symbol);
    *t = (struct elf_symbols){0};
}

static int compare_symbols(const void *a, const void *b)
{
    const struct elf_symbol *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if (x->sized != y->sized)
        return x->sized ? 1 : -1;
    if (x->binding != y->binding)
        return x->binding < y->binding ? -1 : 1;
    size_t bars_x = strspn(x->symbol, "_"), bars_y = strspn(y->symbol, "_"), length_x = strlen(x->symbol),
           length_y = strlen(y->symbol);
    if (bars_x != bars_y)
        return bars_x < bars_y ? 1 : -1;
    if (length_x != length_y)
        return length_x < length_y ? 1 : -1;
    return -strcmp(x->symbol, y->symbol);
}

void elf_symbols_sort(struct elf_symbols *t)
{
    if (t->count != 0)
        qsort(t->symbol, t->count, sizeof *t->symbol, compare_symbols);
}

/* ---- symbol tables ---- */

static bool is_function(const GElf_Sym *sym, GElf_Word section, const char *name)
{
    unsigned type = GELF_ST_TYPE(sym->st_info);
    if (name == NULL || name[0] == '\0' || section == SHN_UNDEF || section == SHN_ABS || section == SHN_COMMON)
        return false;
    /* Hand-written assembly has labels without a type; "$x" marks code for disassemblers and ".L" is local to a
     * function. */
    return type == STT_FUNC || type == STT_GNU_IFUNC || (type == STT_NOTYPE && name[0] != '$' && name[0] != '.');
}

/* A variable without a size is excluded: the bytes after it need not be data. */
static bool is_variable(const GElf_Sym *sym, GElf_Word section, const char *name)
{
    return name != NULL && name[0] != '\0' && section != SHN_UNDEF && section != SHN_ABS && section != SHN_COMMON &&
           GELF_ST_TYPE(sym->st_info) == STT_OBJECT && sym->st_size != 0;
}

static enum binding binding_of(const GElf_Sym *sym)
{
    switch (GELF_ST_BIND(sym->st_info)) {
    case STB_LOCAL:
        return BINDING_LOCAL;
    case STB_WEAK:
        return BINDING_WEAK;
    default:
        return BINDING_STRONG;
    }
}

/* End of a symbol without a size, which must not include addresses outside its section. */
static uint64_t section_end(Elf *elf, GElf_Word section, uint64_t start)
{
    GElf_Shdr h;
    if (gelf_getshdr(elf_getscn(elf, section), &h) == NULL || start - h.sh_addr >= h.sh_size)
        return start;
    return h.sh_addr + h.sh_size;
}

/* Whether one of the first `count` symbols, which are sorted, begins at the address. */
static bool begins_at(const struct elf_symbols *t, size_t count, uint64_t start)
{
    size_t low = 0, high = count;
    SEARCH(low, high, n, t->symbol[n].start < start);
    return low < count && t->symbol[low].start == start;
}

/* The tables that are added to, and their sorted part: the number of symbols of the tables that were read before. */
struct elf_tables {
    struct elf_symbols *functions, *variables;
    size_t functions_before, variables_before;
};

/* The numbers of sections that do not fit in a symbol are in a section of their own, which names the table. */
static Elf_Data *extended_sections(Elf *elf, size_t table)
{
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn)) != NULL;) {
        GElf_Shdr h;
        if (gelf_getshdr(scn, &h) != NULL && h.sh_type == SHT_SYMTAB_SHNDX && h.sh_link == table)
            return elf_getdata(scn, NULL);
    }
    return NULL;
}

/* Adds a symbol at an address, unless a table that was read before has one there. */
static void elf_symbols_take(const struct elf_tables *t, Elf *elf, const GElf_Sym *sym, GElf_Word section,
                             const char *name, uint64_t start)
{
    bool of_code = is_function(sym, section, name);
    if ((!of_code && !is_variable(sym, section, name)) ||
        begins_at(of_code ? t->functions : t->variables, of_code ? t->functions_before : t->variables_before, start))
        return;
    uint64_t most = UINT64_MAX - start, size_bytes = sym->st_size < most ? sym->st_size : most;
    elf_symbols_add(of_code ? t->functions : t->variables,
                    &(struct elf_symbol){.start = start,
                                         .end = size_bytes != 0 ? start + size_bytes : section_end(elf, section, start),
                                         .sized = sym->st_size != 0,
                                         .binding = binding_of(sym),
                                         .symbol = name});
}

static void elf_symbols_read_table(const struct elf_tables *t, Elf *elf, Elf_Scn *scn, size_t strings)
{
    GElf_Sym sym;
    GElf_Shdr h;
    GElf_Ehdr e;
    Elf32_Word extended = SHN_UNDEF;
    Elf_Data *symbols = elf_getdata(scn, NULL), *sections = extended_sections(elf, elf_ndxscn(scn));
    const bool relocatable = gelf_getehdr(elf, &e) != NULL && e.e_type == ET_REL;
    if (symbols == NULL || symbols->d_type != ELF_T_SYM)
        return;
    for (int i = 0; gelf_getsymshndx(symbols, sections, i, &sym, &extended) != NULL; i++) {
        GElf_Word section = sym.st_shndx == SHN_XINDEX ? extended : sym.st_shndx;
        const bool known = gelf_getshdr(elf_getscn(elf, section), &h) != NULL;
        uint64_t base = relocatable && known ? h.sh_addr : 0;
        if (!known || (h.sh_flags & SHF_ALLOC) != 0) /* others have no address */
            elf_symbols_take(t, elf, &sym, section, elf_strptr(elf, strings, sym.st_name), sym.st_value + base);
    }
}

void elf_symbols_read(Elf *elf, GElf_Word type, struct elf_symbols *functions, struct elf_symbols *variables)
{
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn)) != NULL;) {
        GElf_Shdr h;
        if (gelf_getshdr(scn, &h) == NULL || h.sh_type != type)
            continue;
        const struct elf_tables t = {functions, variables, functions->count, variables->count};
        elf_symbols_read_table(&t, elf, scn, h.sh_link);
        elf_symbols_sort(functions);
        elf_symbols_sort(variables);
        return; /* a file has at most one table of a type (gABI, "Sections") */
    }
}

void elf_symbols_read_dynamic(Dwfl_Module *module, struct elf_symbols *functions, struct elf_symbols *variables)
{
    const struct elf_tables t = {functions, variables, functions->count, variables->count};
    int count = dwfl_module_getsymtab(module);
    for (int i = 0; i < count; i++) {
        GElf_Sym sym;
        GElf_Addr start;
        GElf_Word section = SHN_UNDEF;
        Elf *elf;
        const char *name = dwfl_module_getsym_info(module, i, &sym, &start, &section, &elf, NULL);
        elf_symbols_take(&t, elf, &sym, section, name, start);
    }
    elf_symbols_sort(functions);
    elf_symbols_sort(variables);
}

/* ---- functions of addresses ---- */

void elf_symbols_name(const struct elf_symbols *t, struct elf_symbols *named)
{
    for (size_t i = 0; i < t->count; i++) {
        struct elf_symbol f = t->symbol[i], *last = named->count > 0 ? &named->symbol[named->count - 1] : NULL;
        bool hidden = i + 1 < t->count && t->symbol[i + 1].start == f.start, /* by a preferred one */
            inside = last != NULL && last->sized && f.start < last->end && (!f.sized || f.end <= last->end);
        if (hidden || inside || f.start >= f.end)
            continue;
        if (last != NULL && last->end > f.start)
            last->end = f.start;
        f.own = f.name = NULL;
        elf_symbols_add(named, &f);
    }
}

static void add_unnamed(struct elf_symbols *t, uint64_t start, uint64_t end, const char *label)
{
    if (start >= end)
        return;
    char *name = xasprintf("[%s]@0x%" PRIx64, label, start);
    elf_symbols_add_named(t, start, end, name);
    t->symbol[t->count - 1].unnamed = true;
    free(name);
}

/* Adds the addresses [start, end) without what others have: `before`, the last that begins at or before them, and those
 * from `next` on. */
static void add_free_parts(struct elf_symbols *parts, uint64_t start, uint64_t end, struct elf_symbol *before,
                           const struct elf_symbols *named, size_t next, const char *label)
{
    if (before != NULL && !before->sized && before->start < start && before->end > start)
        before->end = start;
    if (before != NULL && before->end > start)
        start = before->end;
    for (; next < named->count && named->symbol[next].start < end; next++) {
        add_unnamed(parts, start, named->symbol[next].start, label);
        start = named->symbol[next].end;
    }
    add_unnamed(parts, start, end, label);
}

void elf_symbols_fill(struct elf_symbols *named, const struct elf_symbols *fill, const char *label)
{
    struct elf_symbols parts = {0};
    size_t next = 0;
    uint64_t reach = 0;
    for (size_t i = 0; i < fill->count; i++) {
        const struct elf_symbol *f = &fill->symbol[i];
        const uint64_t most = i + 1 < fill->count ? f[1].start : UINT64_MAX;
        reach = f->end > reach ? f->end : reach;
        if (f->start == most)
            continue;
        while (next < named->count && named->symbol[next].start <= f->start)
            next++;
        add_free_parts(&parts, f->start, reach < most ? reach : most, next > 0 ? &named->symbol[next - 1] : NULL, named,
                       next, label);
    }
    for (size_t i = 0; i < parts.count; i++)
        elf_symbols_add(named, &parts.symbol[i]);
    free(parts.symbol);
    elf_symbols_sort(named);
}
