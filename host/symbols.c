/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions and variables from an ELF file's symbol table, and lines from its DWARF; each library has its own tables.
 * libdwfl opens the file, also a compressed or relocatable one, and finds lines. Functions and variables are in
 * sorted tables built here, which exclude mapping symbols and local labels. No separate debug files are used, so that
 * reports do not depend on the machine. */
#include "host/symbols.h"

#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uthash.h>

/* A function or variable. */
struct elf_symbol {
    uint64_t start, size; /* size 0: extends to the next function of its section */
    const char *name;     /* the ELF file's string table */
    GElf_Word section;
    bool global;
};

struct elf_symbols {
    struct elf_symbol *symbol; /* by address */
    size_t count;
};

struct cached {
    uint64_t pc;
    struct place place;
    UT_hash_handle hh;
};

struct library {
    uint64_t start, end;
    char *name;
    struct symbols *symbols; /* NULL: the file cannot be read */
};

struct symbols {
    Dwfl *dwfl;
    Dwfl_Module *module;
    struct elf_symbols functions, variables;
    uint64_t bias;
    struct library *library;
    size_t libraries;
    struct cached **cache; /* a pointer, so that look-ups can fill the cache of const symbols */
};

static int find_no_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, const char *file,
                             const char *link, GElf_Word crc, char **found)
{
    (void)module, (void)data, (void)name, (void)base, (void)file, (void)link, (void)crc, (void)found;
    return -1;
}

static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = find_no_debuginfo,
    .section_address = dwfl_offline_section_address,
};

static bool is_function(const GElf_Sym *sym, GElf_Word section, const char *name)
{
    unsigned type = GELF_ST_TYPE(sym->st_info);
    if (name == NULL || name[0] == '\0' || section == SHN_UNDEF || section == SHN_ABS || section == SHN_COMMON)
        return false;
    /* Hand-written assembly has labels without a type; "$x" marks code for disassemblers and ".L" is local to a
     * function. */
    return type == STT_FUNC || type == STT_GNU_IFUNC || (type == STT_NOTYPE && name[0] != '$' && name[0] != '.');
}

/* Only variables with a known size: data after a variable without a size may belong to something else. */
static bool is_variable(const GElf_Sym *sym, GElf_Word section, const char *name)
{
    return name != NULL && name[0] != '\0' && section != SHN_UNDEF && section != SHN_ABS && section != SHN_COMMON &&
           GELF_ST_TYPE(sym->st_info) == STT_OBJECT && sym->st_size != 0;
}

/* Sorts by address. Among several names for one address, the preferred one is last: sized, global, with few leading
 * underscores ("malloc", not "__libc_malloc"), short, alphabetically first. */
static int compare_symbols(const void *a, const void *b)
{
    const struct elf_symbol *x = a, *y = b;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    if ((x->size != 0) != (y->size != 0))
        return x->size != 0 ? 1 : -1;
    if (x->global != y->global)
        return x->global ? 1 : -1;
    size_t bars_x = strspn(x->name, "_"), bars_y = strspn(y->name, "_"), length_x = strlen(x->name),
           length_y = strlen(y->name);
    if (bars_x != bars_y)
        return bars_x < bars_y ? 1 : -1;
    if (length_x != length_y)
        return length_x < length_y ? 1 : -1;
    return -strcmp(x->name, y->name);
}

static void collect_symbols(struct symbols *s, struct elf_symbols *t,
                            bool (*is_wanted)(const GElf_Sym *sym, GElf_Word section, const char *name))
{
    int n = dwfl_module_getsymtab(s->module);
    if (n <= 0)
        return;
    t->symbol = xcalloc((size_t)n, sizeof *t->symbol);
    for (int i = 0; i < n; i++) {
        GElf_Sym sym;
        GElf_Word section = SHN_UNDEF;
        const char *name = dwfl_module_getsym(s->module, i, &sym, &section);
        if (!is_wanted(&sym, section, name))
            continue;
        t->symbol[t->count++] = (struct elf_symbol){.start = sym.st_value,
                                                    .size = sym.st_size,
                                                    .name = name,
                                                    .section = section,
                                                    .global = GELF_ST_BIND(sym.st_info) != STB_LOCAL};
    }
    if (t->count != 0)
        qsort(t->symbol, t->count, sizeof *t->symbol, compare_symbols);
}

enum status symbols_new(struct symbols **out, const char *elf_path, struct errmsg *err)
{
    struct symbols *s = xcalloc(1, sizeof *s);
    s->cache = xcalloc(1, sizeof(struct cached *));
    int fd = open(elf_path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        int cause = errno;
        symbols_free(s);
        return fail(err, ST_IO, "%s: %s", elf_path, strerror(cause));
    }
    struct stat sb;
    if (fstat(fd, &sb) == 0 && S_ISDIR(sb.st_mode)) {
        close(fd);
        symbols_free(s);
        return fail(err, ST_IO, "%s: %s", elf_path, strerror(EISDIR));
    }
    s->dwfl = dwfl_begin(&callbacks);
    if (s->dwfl != NULL) {
        dwfl_report_begin(s->dwfl);
        /* Base 0: addresses are link-time addresses, also for a position-independent file. */
        s->module = dwfl_report_elf(s->dwfl, elf_path, elf_path, fd, 0, true);
        dwfl_report_end(s->dwfl, NULL, NULL);
    }
    if (s->module == NULL) {
        enum status st = fail(err, ST_FORMAT, "%s: expected an ELF file: %s", elf_path, dwfl_errmsg(-1));
        close(fd); /* no module has taken ownership of it */
        symbols_free(s);
        return st;
    }
    collect_symbols(s, &s->functions, is_function);
    collect_symbols(s, &s->variables, is_variable);
    *out = s;
    return ST_OK;
}

void symbols_set_bias(struct symbols *s, uint64_t bias) { s->bias = bias; }

/* Load bias of the segment at file offset `offset` that was mapped at `start`. */
static uint64_t segment_bias(const struct symbols *s, uint64_t start, uint64_t offset)
{
    const uint64_t page = 0x1000;
    GElf_Addr base;
    Elf *elf = dwfl_module_getelf(s->module, &base);
    size_t count = 0;
    if (elf != NULL && elf_getphdrnum(elf, &count) != 0)
        count = 0;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr p;
        if (gelf_getphdr(elf, (int)i, &p) != NULL && p.p_type == PT_LOAD && p.p_offset / page == offset / page)
            return start - p.p_vaddr / page * page;
    }
    return start - offset;
}

void symbols_add_library(struct symbols *s, const char *path, uint64_t start, uint64_t end, uint64_t offset)
{
    const char *slash = strrchr(path, '/');
    struct library l = {.start = start, .end = end, .name = xstrdup(slash != NULL ? slash + 1 : path)};
    if (symbols_new(&l.symbols, path, NULL) != ST_OK)
        l.symbols = NULL;
    else
        l.symbols->bias = segment_bias(l.symbols, start, offset);
    s->library = xrealloc(s->library, (s->libraries + 1) * sizeof *s->library);
    s->library[s->libraries++] = l;
}

static const struct library *library_at(const struct symbols *s, uint64_t pc)
{
    for (size_t i = s->libraries; i > 0; i--)
        if (pc >= s->library[i - 1].start && pc < s->library[i - 1].end)
            return &s->library[i - 1];
    return NULL;
}

void symbols_free(struct symbols *s)
{
    if (s == NULL)
        return;
    struct cached *c, *next;
    HASH_ITER (hh, *s->cache, c, next) {
        HASH_DEL(*s->cache, c);
        free(c);
    }
    free(s->cache);
    for (size_t i = 0; i < s->libraries; i++) {
        symbols_free(s->library[i].symbols);
        free(s->library[i].name);
    }
    free(s->library);
    free(s->functions.symbol);
    free(s->variables.symbol);
    if (s->dwfl != NULL)
        dwfl_end(s->dwfl);
    free(s);
}

/* The last symbol that starts at or before the address and contains it, or NULL. */
static const struct elf_symbol *find_symbol(const struct elf_symbols *t, uint64_t address)
{
    size_t low = 0, high = t->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->symbol[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    /* An alias or label within a sized function may precede the address; it is skipped if its own size ends before
     * the address. */
    for (unsigned tries = 0; low > 0 && tries < 16; tries++) {
        const struct elf_symbol *found = &t->symbol[--low];
        if (found->size == 0 || address - found->start < found->size)
            return found;
    }
    return NULL;
}

/* A label without a size does not extend beyond its section. */
static bool same_section(const struct symbols *s, const struct elf_symbol *f, uint64_t pc)
{
    Dwarf_Addr bias;
    Elf *elf = dwfl_module_getelf(s->module, &bias);
    Elf_Scn *scn = elf != NULL ? elf_getscn(elf, f->section) : NULL;
    GElf_Shdr header;
    if (f->size != 0)
        return true;
    return scn != NULL && gelf_getshdr(scn, &header) != NULL && pc - bias - header.sh_addr < header.sh_size;
}

static struct place look_up(const struct symbols *s, uint64_t pc)
{
    struct place p = {0};
    const struct elf_symbol *f = find_symbol(&s->functions, pc);
    const struct elf_symbol *v = f == NULL || f->size == 0 ? find_symbol(&s->variables, pc) : NULL;
    if (v != NULL) /* preferred to a label without a size, such as data_start */
        f = v;
    if (f != NULL && same_section(s, f, pc)) {
        p.function = f->name;
        p.offset = pc - f->start;
    }
    Dwfl_Line *line = dwfl_module_getsrc(s->module, pc);
    const char *file = line != NULL ? dwfl_lineinfo(line, NULL, &p.line, NULL, NULL, NULL) : NULL;
    if (file != NULL) {
        const char *slash = strrchr(file, '/');
        p.file = slash != NULL ? slash + 1 : file;
    }
    return p;
}

static bool in_file(const struct symbols *s, uint64_t address)
{
    Dwarf_Addr low, high;
    dwfl_module_info(s->module, NULL, &low, &high, NULL, NULL, NULL, NULL);
    return address >= low && address < high;
}

struct place symbols_find(const struct symbols *s, uint64_t pc)
{
    const struct library *l = library_at(s, pc);
    if (l != NULL) {
        struct place p = {.address = pc};
        if (l->symbols != NULL)
            p = symbols_find(l->symbols, pc);
        p.library = l->name;
        return p;
    }
    struct cached *c;
    HASH_FIND(hh, *s->cache, &pc, sizeof pc, c);
    if (c == NULL) {
        c = xcalloc(1, sizeof *c);
        c->pc = pc;
        uint64_t address = pc - s->bias;
        c->place = look_up(s, address);
        c->place.address = in_file(s, address) ? address : pc;
        HASH_ADD(hh, *s->cache, pc, sizeof c->pc, c);
    }
    return c->place;
}

bool symbols_address(const struct symbols *s, const char *name, uint64_t *pc)
{
    for (size_t i = 0; i < s->functions.count; i++)
        if (strcmp(s->functions.symbol[i].name, name) == 0) {
            *pc = s->functions.symbol[i].start + s->bias;
            return true;
        }
    return false;
}

void symbols_each(const struct symbols *s, void (*see)(void *ctx, const char *name), void *ctx)
{
    for (size_t i = 0; i < s->functions.count; i++)
        see(ctx, s->functions.symbol[i].name);
}

void symbols_each_entry(const struct symbols *s, void (*see)(void *ctx, uint64_t start), void *ctx)
{
    for (size_t i = 0; i < s->functions.count; i++)
        if (s->functions.symbol[i].size != 0)
            see(ctx, s->functions.symbol[i].start + s->bias);
    for (size_t i = 0; i < s->libraries; i++)
        if (s->library[i].symbols != NULL)
            symbols_each_entry(s->library[i].symbols, see, ctx);
}

void symbols_each_range(const struct symbols *s, void (*see)(void *ctx, uint64_t start, uint64_t end), void *ctx)
{
    GElf_Addr base;
    GElf_Shdr h;
    Elf *elf = dwfl_module_getelf(s->module, &base);
    for (Elf_Scn *scn = NULL; elf != NULL && (scn = elf_nextscn(elf, scn)) != NULL;)
        if (gelf_getshdr(scn, &h) != NULL && (h.sh_flags & SHF_EXECINSTR) != 0 && (h.sh_flags & SHF_ALLOC) != 0)
            see(ctx, h.sh_addr + s->bias, h.sh_addr + h.sh_size + s->bias);
    for (size_t i = 0; i < s->libraries; i++)
        if (s->library[i].symbols != NULL)
            symbols_each_range(s->library[i].symbols, see, ctx);
}

Dwarf_Frame *symbols_frame(const struct symbols *s, uint64_t pc)
{
    const struct library *l = library_at(s, pc);
    if (l != NULL)
        return l->symbols != NULL ? symbols_frame(l->symbols, pc) : NULL;
    Dwarf_Addr bias, address = pc - s->bias;
    Dwarf_Frame *frame;
    Dwarf_CFI *cfi = dwfl_module_eh_cfi(s->module, &bias);
    if (cfi != NULL && dwarf_cfi_addrframe(cfi, address - bias, &frame) == 0)
        return frame;
    cfi = dwfl_module_dwarf_cfi(s->module, &bias);
    return cfi != NULL && dwarf_cfi_addrframe(cfi, address - bias, &frame) == 0 ? frame : NULL;
}
