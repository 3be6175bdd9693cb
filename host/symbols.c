/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions from the symbol table and lines from DWARF, of an ELF file; each library has its own. libdwfl opens the
 * file (also a compressed or relocatable one), finds its debug file and the lines; the functions are a sorted table of
 * our own, so that mapping symbols and local labels never stand for a function. Debug files are looked for where the
 * caller says: reports do not depend on what debug files a machine has. */
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

#include "host/demangle.h"
#include "host/plt.h"

enum binding { BINDING_LOCAL, BINDING_WEAK, BINDING_STRONG };

struct function {
    uint64_t start, end; /* of one without a size, `end` is that of its section */
    bool sized;
    enum binding binding;
    const char *symbol; /* the ELF file's string table, or `own` */
    char *own;          /* a stub's */
    char *name;         /* as shown; NULL: not asked for yet */
};

struct cached {
    uint64_t pc;
    struct place place;
    UT_hash_handle hh;
};

struct library {
    uint64_t start, end, offset; /* offset: in the file, of what is at `start` */
    char *name;
    struct symbols *symbols; /* NULL where the file cannot be read */
};

struct symbols {
    Dwfl_Callbacks callbacks;
    char *debug_path; /* that of the callbacks */
    char *label;      /* the last part of the file's path */
    Dwfl *dwfl;
    Dwfl_Module *module;
    struct function *functions;
    size_t count, room;
    uint64_t bias;
    uint64_t mapped; /* in the file: where its code begins in memory, or before that */
    struct library *library;
    size_t libraries;
    struct cached **cache; /* behind a pointer: looking up leaves the symbols themselves as they are */
};

/* libdwfl's look-up, which compares build IDs and checksums, without what depends on the machine or the file: a server
 * of debug files, a debug file that nothing in the file names, one elsewhere than on the path. */
static int find_debug_file(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, const char *file,
                           const char *link, GElf_Word crc, char **found)
{
    int fd = dwfl_build_id_find_debuginfo(module, data, name, base, file, link, crc, found);
    if (fd >= 0 || link == NULL || strchr(link, '/') != NULL)
        return fd;
    unsetenv("DEBUGINFOD_URLS");
    return dwfl_standard_find_debuginfo(module, data, name, base, file, link, crc, found);
}

static bool is_function(const GElf_Sym *sym, GElf_Word section, const char *name)
{
    unsigned type = GELF_ST_TYPE(sym->st_info);
    if (name == NULL || name[0] == '\0' || section == SHN_UNDEF || section == SHN_ABS || section == SHN_COMMON)
        return false;
    /* Hand-written assembly has labels without a type; "$x" marks code for disassemblers and ".L" is local to a
     * function. */
    return type == STT_FUNC || type == STT_GNU_IFUNC || (type == STT_NOTYPE && name[0] != '$' && name[0] != '.');
}

/* Of several names for one address the one to print comes last: sized, strong before weak before local, with few
 * underscores in front ("malloc", not "__libc_malloc"), short, first in the alphabet. */
static int compare_functions(const void *a, const void *b)
{
    const struct function *x = a, *y = b;
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

static void add_function(struct symbols *s, const struct function *f)
{
    if (s->count == s->room) {
        s->room = 2 * s->room + 64;
        s->functions = xrealloc(s->functions, s->room * sizeof *s->functions);
    }
    s->functions[s->count++] = *f;
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

/* Where a function ends that has no size: it must not claim addresses outside its section. */
static uint64_t section_end(Elf *elf, GElf_Word section, uint64_t bias, uint64_t start)
{
    GElf_Shdr h;
    Elf_Scn *scn = elf_getscn(elf, section);
    if (scn == NULL || gelf_getshdr(scn, &h) == NULL || start - bias - h.sh_addr >= h.sh_size)
        return start;
    return bias + h.sh_addr + h.sh_size;
}

static void collect_functions(struct symbols *s)
{
    int n = dwfl_module_getsymtab(s->module);
    for (int i = 0; i < n; i++) {
        GElf_Sym sym;
        GElf_Addr start;
        GElf_Word section = SHN_UNDEF;
        Elf *elf;
        Dwarf_Addr bias;
        const char *name = dwfl_module_getsym_info(s->module, i, &sym, &start, &section, &elf, &bias);
        if (!is_function(&sym, section, name))
            continue;
        uint64_t most = UINT64_MAX - start;
        add_function(s, &(struct function){.start = start,
                                           .end = sym.st_size != 0 ? start + (sym.st_size < most ? sym.st_size : most)
                                                                   : section_end(elf, section, bias, start),
                                           .sized = sym.st_size != 0,
                                           .binding = binding_of(&sym),
                                           .symbol = name});
    }
}

static void add_stub(void *ctx, uint64_t start, uint64_t size_bytes, const char *name)
{
    char *own = xstrdup(name);
    add_function(ctx, &(struct function){.start = start,
                                         .end = start + size_bytes,
                                         .sized = true,
                                         .binding = BINDING_LOCAL,
                                         .symbol = own,
                                         .own = own});
}

static char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return xstrdup(slash != NULL ? slash + 1 : path);
}

static enum status open_file(const char *path, int *fd, struct errmsg *err)
{
    struct stat sb;
    *fd = open(path, O_RDONLY | O_CLOEXEC);
    if (*fd < 0)
        return fail(err, ST_IO, "%s: %s", path, strerror(errno));
    if (fstat(*fd, &sb) == 0 && S_ISDIR(sb.st_mode)) {
        close(*fd);
        return fail(err, ST_IO, "%s: %s", path, strerror(EISDIR));
    }
    return ST_OK;
}

/* Takes the file. */
static enum status open_module(struct symbols *s, const char *path, int fd, struct errmsg *err)
{
    s->callbacks = (Dwfl_Callbacks){
        .find_elf = dwfl_build_id_find_elf,
        .find_debuginfo = find_debug_file,
        .section_address = dwfl_offline_section_address,
        .debuginfo_path = &s->debug_path,
    };
    s->dwfl = dwfl_begin(&s->callbacks);
    if (s->dwfl != NULL) {
        dwfl_report_begin(s->dwfl);
        /* Base 0 with the file's own addresses: addresses are those that the linker gave, for a position-independent
         * file too. */
        s->module = dwfl_report_elf(s->dwfl, path, path, fd, 0, true);
        dwfl_report_end(s->dwfl, NULL, NULL);
    }
    if (s->module != NULL)
        return ST_OK;
    enum status st = fail(err, ST_FORMAT, "%s: expected an ELF file: %s", path, dwfl_errmsg(-1));
    close(fd); /* a module would have taken it */
    return st;
}

enum status symbols_new(struct symbols **out, const char *elf_path, const char *debug_path, struct errmsg *err)
{
    int fd;
    enum status st = open_file(elf_path, &fd, err);
    if (st != ST_OK)
        return st;
    struct symbols *s = xcalloc(1, sizeof *s);
    s->cache = xcalloc(1, sizeof(struct cached *));
    s->label = last_part(elf_path);
    s->debug_path = xstrdup(debug_path);
    st = open_module(s, elf_path, fd, err);
    if (st != ST_OK) {
        symbols_free(s);
        return st;
    }
    Dwarf_Addr bias, low, high;
    Elf *elf = dwfl_module_getelf(s->module, &bias);
    collect_functions(s);
    if (elf != NULL)
        plt_each(elf, add_stub, s);
    if (s->count != 0)
        qsort(s->functions, s->count, sizeof *s->functions, compare_functions);
    dwfl_module_info(s->module, NULL, &low, &high, NULL, NULL, NULL, NULL);
    s->mapped = low;
    *out = s;
    return ST_OK;
}

void symbols_set_bias(struct symbols *s, uint64_t bias) { s->bias = bias; }

/* How far above the file's own addresses the segment is that begins at `offset` and was mapped at `start`. */
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
    struct library l = {.start = start, .end = end, .offset = offset, .name = last_part(path)};
    if (symbols_new(&l.symbols, path, s->debug_path, NULL) != ST_OK) {
        l.symbols = NULL;
    } else {
        l.symbols->bias = segment_bias(l.symbols, start, offset);
        l.symbols->mapped = start - l.symbols->bias;
    }
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
    for (size_t i = 0; i < s->count; i++) {
        free(s->functions[i].own);
        free(s->functions[i].name);
    }
    free(s->functions);
    if (s->dwfl != NULL)
        dwfl_end(s->dwfl);
    free(s->debug_path);
    free(s->label);
    free(s);
}

/* The last function that starts at or before pc and reaches it, or NULL. */
static struct function *find_function(const struct symbols *s, uint64_t pc)
{
    size_t low = 0, high = s->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->functions[middle].start <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    /* An alias or a label inside a sized function may stand in between; it is passed over when it ends before pc. */
    for (unsigned tries = 0; low > 0 && tries < 16; tries++) {
        struct function *f = &s->functions[--low];
        if (pc < f->end)
            return f;
    }
    return NULL;
}

/* As shown. Control characters of a damaged file are not for a terminal. */
static const char *function_name(struct function *f)
{
    if (f->name != NULL)
        return f->name;
    f->name = demangle(f->symbol, DEMANGLE_FULL);
    if (f->name == NULL)
        f->name = xstrdup(f->symbol);
    for (char *c = f->name; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
    return f->name;
}

/* Which address stands for the code that no function has: the first such in memory. */
static uint64_t unnamed_start(const struct symbols *s)
{
    uint64_t at = s->mapped;
    const struct function *f;
    while ((f = find_function(s, at)) != NULL)
        at = f->end;
    return at;
}

static bool in_file(const struct symbols *s, uint64_t address)
{
    Dwarf_Addr low, high;
    dwfl_module_info(s->module, NULL, &low, &high, NULL, NULL, NULL, NULL);
    return address >= low && address < high;
}

static struct place look_up(const struct symbols *s, uint64_t pc)
{
    uint64_t address = pc - s->bias;
    struct place p = {.address = address};
    struct function *f = find_function(s, address);
    if (f != NULL) {
        p.function = function_name(f);
        p.offset = address - f->start;
        p.start = pc - p.offset;
    } else if (in_file(s, address)) {
        p.library = s->label;
        p.start = unnamed_start(s) + s->bias;
    } else {
        return (struct place){.address = pc, .library = "anonymous", .start = SYMBOLS_ANONYMOUS};
    }
    Dwfl_Line *line = dwfl_module_getsrc(s->module, address);
    const char *file = line != NULL ? dwfl_lineinfo(line, NULL, &p.line, NULL, NULL, NULL) : NULL;
    if (file != NULL) {
        const char *slash = strrchr(file, '/');
        p.file = slash != NULL ? slash + 1 : file;
    }
    return p;
}

struct place symbols_find(const struct symbols *s, uint64_t pc)
{
    const struct library *l = library_at(s, pc);
    if (pc == 0)
        return (struct place){0};
    if (l != NULL) {
        struct place p = {.start = SYMBOLS_ANONYMOUS};
        if (l->symbols != NULL)
            p = symbols_find(l->symbols, pc);
        if (p.start == SYMBOLS_ANONYMOUS)
            p = (struct place){.address = pc - l->start + l->offset, .start = l->start};
        p.library = l->name;
        return p;
    }
    struct cached *c;
    HASH_FIND(hh, *s->cache, &pc, sizeof pc, c);
    if (c == NULL) {
        c = xcalloc(1, sizeof *c);
        c->pc = pc;
        c->place = look_up(s, pc);
        HASH_ADD(hh, *s->cache, pc, sizeof c->pc, c);
    }
    return c->place;
}

char *symbols_function(const struct symbols *s, uint64_t start, const char **library)
{
    struct place p = {0};
    if (s != NULL)
        p = symbols_find(s, start);
    *library = p.function != NULL ? p.library : NULL;
    return p.function != NULL  ? xstrdup(p.function)
           : p.library != NULL ? xasprintf("[%s]", p.library)
                               : xstrdup("(unknown)");
}

static bool is_named(const struct function *f, const char *name, enum demangle_form form)
{
    char *demangled = demangle(f->symbol, form);
    bool same = demangled != NULL && strcmp(demangled, name) == 0;
    free(demangled);
    return same;
}

/* The function with most to be said for it, and the first of several alike, that `name` names; NULL: none. Without the
 * parameters, a name must be that of one function. */
static const struct function *function_named(const struct symbols *s, const char *name)
{
    const struct function *best = NULL;
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->functions[i].symbol, name) == 0 && (best == NULL || s->functions[i].binding > best->binding))
            best = &s->functions[i];
    for (size_t i = 0; i < s->count && best == NULL; i++)
        if (is_named(&s->functions[i], name, DEMANGLE_FULL))
            best = &s->functions[i];
    if (best != NULL)
        return best;
    for (size_t i = 0; i < s->count; i++) {
        if (!is_named(&s->functions[i], name, DEMANGLE_SHORT))
            continue;
        if (best != NULL && best->start != s->functions[i].start)
            return NULL;
        best = &s->functions[i];
    }
    return best;
}

bool symbols_address(const struct symbols *s, const char *name, uint64_t *pc)
{
    const struct function *f = function_named(s, name);
    if (f != NULL)
        *pc = f->start + s->bias;
    return f != NULL;
}

void symbols_each(const struct symbols *s, void (*see)(void *ctx, const char *name), void *ctx)
{
    for (size_t i = 0; i < s->count; i++) {
        char *demangled = demangle(s->functions[i].symbol, DEMANGLE_SHORT);
        see(ctx, s->functions[i].symbol);
        if (demangled != NULL)
            see(ctx, demangled);
        free(demangled);
    }
}

void symbols_each_entry(const struct symbols *s, void (*see)(void *ctx, uint64_t start), void *ctx)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->functions[i].sized)
            see(ctx, s->functions[i].start + s->bias);
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
