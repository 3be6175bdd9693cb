/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions and variables from the symbol table and lines from DWARF, of an ELF file; each library has its own. libdwfl
 * reads the file (also a compressed or relocatable one) and its debug file. Functions and variables
 * are sorted tables of this module, which exclude mapping symbols and local labels. Debug files are searched only in
 * the folders that the caller names. */
#include "host/symbols/symbols.h"

#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_kind.h"
#include "base/order.h"
#include "base/text.h"
#include "host/symbols/debug_files.h"
#include "host/symbols/debug_sections.h"
#include "host/symbols/demangle.h"
#include "host/symbols/elf_symbols.h"
#include "host/symbols/frames.h"
#include "host/symbols/go_functions.h"
#include "host/symbols/mini_debug.h"
#include "host/symbols/plt.h"
#include "host/symbols/short_name.h"

/* The places of addresses, at the address modulo the size: code that is looked up is of few pages. */
enum { CACHED_PLACES = 1 << 16 };
struct cached {
    uint64_t pc; /* 0: none */
    struct symbols_place place;
};

struct library {
    uint64_t start, end, offset; /* `offset`: file offset of the byte at `start` */
    char *path, *name;
    struct symbols *symbols; /* NULL if the file cannot be read */
};

struct symbols {
    Dwfl_Callbacks callbacks;
    char *debug_path; /* folders of debug files */
    char *path;       /* of the file */
    struct debug_link link;
    int debug_fd;      /* of the debug file; -1: none, or not searched yet */
    char *debug_found; /* its path */
    bool is_searched;  /* for a debug file */
    Elf *debug_elf;    /* NULL: its symbols are not read */
    struct mini_debug mini;
    char *label;  /* last part of the path */
    char *remark; /* parts of the file that are not read; NULL: none */
    bool is_said; /* symbols_next_remark has returned it */
    Dwfl *dwfl;
    Dwfl_Module *module;
    struct elf_symbols functions, variables;
    struct elf_symbols named; /* the functions that addresses belong to, which do not overlap */
    uint64_t bias;
    uint64_t mapped; /* link-time address of the file's first mapped byte of code, or a lower one */
    struct library *library;
    size_t libraries;
    bool *is_named;        /* names are compared; a pointer, because look-ups take const symbols */
    struct cached **cache; /* a pointer, because look-ups take const symbols; NULL before the first */
};

/* Keeps the first remark. */
static void symbols_set_remark(struct symbols *s, char *remark)
{
    if (s->remark == NULL)
        s->remark = remark;
    else
        free(remark);
}

/* Opens the debug file; it is searched once. */
static int open_debug_file(struct symbols *s)
{
    char *remark = NULL;
    if (s->is_searched)
        return s->debug_fd;
    s->is_searched = true;
    s->debug_fd = debug_link_open(&s->link, s->path, s->debug_path, &s->debug_found);
    if (s->debug_fd >= 0)
        s->debug_fd = debug_sections_open(s->debug_fd, &remark);
    symbols_set_remark(s, remark);
    return s->debug_fd;
}

/* The file's own debug file alone: without debuginfod servers, and without the common file that dwz makes, which
 * libdwfl asks for by another name. libdwfl would open a file that is named. */
static int find_debug_file(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, const char *file,
                           const char *link, GElf_Word crc, char **found)
{
    struct symbols *s = *data;
    (void)module, (void)name, (void)base, (void)file, (void)crc;
    *found = NULL;
    if ((link != NULL && (s->link.name == NULL || strcmp(link, s->link.name) != 0)) || open_debug_file(s) < 0)
        return -1;
    int fd = fcntl(s->debug_fd, F_DUPFD_CLOEXEC, 0);
    *found = fd >= 0 ? xstrdup(s->debug_found) : NULL;
    return fd;
}

static enum status symbols_open_file(const char *path, int *fd, struct errmsg *err)
{
    struct stat sb = {0};
    *fd = open(path, O_RDONLY | O_CLOEXEC);
    if (*fd < 0)
        return fail(err, ST_IO, "%s: %s", path, strerror(errno));
    (void)fstat(*fd, &sb);
    const char *what = file_kind_of_mode(sb.st_mode);
    if (what != NULL) {
        close(*fd);
        return fail(err, ST_IO, "%s: expected an ELF file, found %s", path, what);
    }
    return ST_OK;
}

/* Takes ownership of the file descriptor. */
static enum status open_module(struct symbols *s, const char *path, int fd, struct errmsg *err)
{
    s->callbacks = (Dwfl_Callbacks){
        .find_elf = dwfl_build_id_find_elf,
        .find_debuginfo = find_debug_file,
        .section_address = dwfl_offline_section_address,
    };
    s->dwfl = dwfl_begin(&s->callbacks);
    if (s->dwfl == NULL)
        out_of_memory();
    debug_link_read(&s->link, fd);
    dwfl_report_begin(s->dwfl);
    /* Base 0 with the file's own addresses: addresses are those that the linker gave, for a position-independent file
     * too. */
    s->module = dwfl_report_elf(s->dwfl, path, path, fd, 0, true);
    dwfl_report_end(s->dwfl, NULL, NULL);
    if (s->module != NULL) {
        void **data;
        dwfl_module_info(s->module, &data, NULL, NULL, NULL, NULL, NULL, NULL);
        *data = s;
        return ST_OK;
    }
    unsigned char head[FILE_KIND_BYTES];
    char text[FILE_KIND_TEXT];
    const char *why = dwfl_errmsg(-1);
    const ssize_t n = pread(fd, head, sizeof head, 0);
    enum status st = fail(err, ST_FORMAT, "%s: expected an ELF file, found %s%s%s", path,
                          n >= 0 ? file_kind(head, (size_t)n, text) : "one that cannot be read",
                          n > 0 && head[0] == ELFMAG0 ? ": " : "", n > 0 && head[0] == ELFMAG0 ? why : "");
    close(fd); /* a module would have taken it */
    return st;
}

/* Whether the file has sections of this type, or with this name. */
static bool has_section(Elf *elf, GElf_Word type, const char *wanted)
{
    size_t names;
    GElf_Shdr h;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return false;
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn)) != NULL;) {
        const char *name = gelf_getshdr(scn, &h) != NULL ? elf_strptr(elf, names, h.sh_name) : NULL;
        if (name != NULL && (h.sh_type == type || strcmp(name, wanted) == 0))
            return true;
    }
    return false;
}

/* Reads the symbol tables of the file, of its debug file, of its .gnu_debugdata, and the dynamic one, in this order.
 * What is compiled without debugging information has its debug file searched too: strip can have left some symbols. */
static void symbols_read_tables(struct symbols *s, Elf *elf)
{
    char *remark;
    size_t sections = 0;
    (void)elf_getshdrnum(elf, &sections);
    elf_symbols_read(elf, SHT_SYMTAB, &s->functions, &s->variables);
    if ((!has_section(elf, SHT_SYMTAB, ".symtab") || !has_section(elf, SHT_NULL, ".debug_info")) &&
        open_debug_file(s) >= 0) {
        s->debug_elf = elf_begin(s->debug_fd, ELF_C_READ_MMAP, NULL);
        elf_symbols_read(s->debug_elf, SHT_SYMTAB, &s->functions, &s->variables);
    }
    s->mini = mini_debug_open(elf, &remark);
    symbols_set_remark(s, remark);
    elf_symbols_read(s->mini.elf, SHT_SYMTAB, &s->functions, &s->variables);
    elf_symbols_read(elf, SHT_DYNSYM, &s->functions, &s->variables);
    if (sections == 0)
        elf_symbols_read_dynamic(s->module, &s->functions, &s->variables);
}

static void add_stub(void *ctx, uint64_t start, uint64_t size_bytes, const char *name)
{
    elf_symbols_add_named(ctx, start, start + size_bytes, name);
}

static void add_go_function(void *ctx, uint64_t start, uint64_t end, const char *name)
{
    elf_symbols_add_named(ctx, start, end, name);
}

static void add_frame(void *ctx, uint64_t start, uint64_t end)
{
    elf_symbols_add(ctx, &(struct elf_symbol){.start = start, .end = end, .sized = true, .symbol = ""});
}

/* Finds the functions that addresses belong to. */
static void name_addresses(struct symbols *s, Elf *elf)
{
    struct elf_symbols frames = {0};
    elf_symbols_name(&s->functions, &s->named);
    frames_each(elf, add_frame, &frames);
    elf_symbols_sort(&frames);
    elf_symbols_fill(&s->named, &frames, s->label);
    elf_symbols_free(&frames);
}

enum status symbols_new(struct symbols **out, const char *elf_path, const char *debug_path, struct errmsg *err)
{
    int fd;
    enum status st = symbols_open_file(elf_path, &fd, err);
    if (st != ST_OK)
        return st;
    struct symbols *s = xcalloc(1, sizeof *s);
    s->cache = xcalloc(1, sizeof(struct cached *));
    s->is_named = xcalloc(1, sizeof *s->is_named);
    s->path = xstrdup(elf_path);
    s->label = xstrdup(basename(elf_path));
    s->debug_path = xstrdup(debug_path);
    s->debug_fd = -1;
    fd = debug_sections_open(fd, &s->remark);
    st = fd >= 0 ? open_module(s, elf_path, fd, err) : fail(err, ST_IO, "%s: %s", elf_path, s->remark);
    if (st != ST_OK) {
        symbols_free(s);
        return st;
    }
    Dwarf_Addr bias, low, high;
    Elf *elf = dwfl_module_getelf(s->module, &bias);
    symbols_read_tables(s, elf);
    plt_each(elf, add_stub, &s->functions);
    if (!has_section(elf, SHT_SYMTAB, ".symtab"))
        go_functions_each(elf, add_go_function, &s->functions);
    elf_symbols_sort(&s->functions);
    name_addresses(s, elf);
    dwfl_module_info(s->module, NULL, &low, &high, NULL, NULL, NULL, NULL);
    s->mapped = low;
    *out = s;
    return ST_OK;
}

bool symbols_next_remark(struct symbols *s, const char **path, const char **remark)
{
    if (s->remark != NULL && !s->is_said) {
        *path = s->path;
        *remark = s->remark;
        return s->is_said = true;
    }
    for (size_t i = 0; i < s->libraries; i++)
        if (s->library[i].symbols != NULL && symbols_next_remark(s->library[i].symbols, path, remark))
            return true;
    return false;
}

void symbols_set_bias(struct symbols *s, uint64_t bias) { s->bias = bias; }
uint64_t symbols_bias(const struct symbols *s) { return s->bias; }

/* How far above the file's own addresses the segment is that begins at `offset` and was mapped at `start`. */
static uint64_t segment_bias(const struct symbols *s, uint64_t start, uint64_t offset)
{
    const uint64_t page = 0x1000;
    GElf_Addr base;
    Elf *elf = dwfl_module_getelf(s->module, &base);
    size_t count = 0;
    (void)elf_getphdrnum(elf, &count);
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr p = {0};
        (void)gelf_getphdr(elf, (int)i, &p);
        if (p.p_type == PT_LOAD && p.p_offset / page == offset / page)
            return start - p.p_vaddr / page * page;
    }
    return start - offset;
}

void symbols_add_library(struct symbols *s, const char *path, uint64_t start, uint64_t end, uint64_t offset)
{
    struct library l = {
        .start = start, .end = end, .offset = offset, .path = xstrdup(path), .name = xstrdup(basename(path))};
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
    free(*s->cache);
    free(s->cache);
    free(s->is_named);
    for (size_t i = 0; i < s->libraries; i++) {
        symbols_free(s->library[i].symbols);
        free(s->library[i].path);
        free(s->library[i].name);
    }
    free(s->library);
    elf_symbols_free(&s->named);
    elf_symbols_free(&s->functions);
    elf_symbols_free(&s->variables);
    mini_debug_close(&s->mini);
    elf_end(s->debug_elf);
    if (s->debug_fd >= 0)
        close(s->debug_fd);
    free(s->debug_found);
    dwfl_end(s->dwfl);
    free(s->debug_path);
    free(s->link.name);
    free(s->path);
    free(s->label);
    free(s->remark);
    free(s);
}

/* Returns the last symbol that starts at or before the address and reaches it, or NULL. */
static struct elf_symbol *symbols_find_symbol(const struct elf_symbols *t, uint64_t address)
{
    size_t low = 0, high = t->count;
    SEARCH(low, high, n, t->symbol[n].start <= address);
    /* An alias inside a variable may be in between; it is skipped if it ends before the address. */
    for (unsigned tries = 0; low > 0 && tries < 16; tries++) {
        struct elf_symbol *found = &t->symbol[--low];
        if (address < found->end)
            return found;
    }
    return NULL;
}

/* Returns the symbol to print for the address, or NULL. A variable is preferred to a label without a size, such as
 * data_start. */
static struct elf_symbol *symbol_at(const struct symbols *s, uint64_t address)
{
    struct elf_symbol *f = symbols_find_symbol(&s->named, address);
    struct elf_symbol *v = f == NULL || !f->sized ? symbols_find_symbol(&s->variables, address) : NULL;
    return v != NULL ? v : f;
}

/* Printed name. */
static const char *symbols_symbol_name(struct elf_symbol *f)
{
    if (f->name != NULL)
        return f->name;
    f->name = demangle(f->symbol, DEMANGLE_FULL);
    if (f->name == NULL)
        f->name = xstrdup(f->symbol);
    return text_make_printable(f->name);
}

static int compare_printed(const void *a, const void *b)
{
    const struct elf_symbol *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

/* Finds the functions whose printed name others of the file have. */
static void compare_names_of_file(const struct symbols *s)
{
    const size_t count = s->named.count;
    struct elf_symbol **sorted = xcalloc(count + 1, sizeof(struct elf_symbol *));
    for (size_t i = 0; i < count; i++) {
        sorted[i] = &s->named.symbol[i];
        (void)symbols_symbol_name(sorted[i]);
    }
    qsort(sorted, count, sizeof(struct elf_symbol *), compare_printed);
    for (size_t i = 0; i < count; i++)
        if ((i > 0 && strcmp(sorted[i - 1]->name, sorted[i]->name) == 0) ||
            (i + 1 < count && strcmp(sorted[i + 1]->name, sorted[i]->name) == 0))
            sorted[i]->unique = xasprintf("%s@0x%" PRIx64, sorted[i]->name, sorted[i]->start);
    free(sorted);
    *s->is_named = true;
}

/* The name by which a function, or a variable, differs from others of its file. */
static const char *unique_name(const struct symbols *s, struct elf_symbol *f)
{
    if (!*s->is_named)
        compare_names_of_file(s);
    return f->unique != NULL ? f->unique : symbols_symbol_name(f);
}

/* First mapped address without a symbol. It represents all addresses of the file without a symbol. */
static uint64_t unnamed_start(const struct symbols *s)
{
    uint64_t at = s->mapped;
    const struct elf_symbol *f;
    while ((f = symbol_at(s, at)) != NULL)
        at = f->end;
    return at;
}

static bool in_file(const struct symbols *s, uint64_t address)
{
    Dwarf_Addr low, high;
    dwfl_module_info(s->module, NULL, &low, &high, NULL, NULL, NULL, NULL);
    return address >= low && address < high;
}

/* Whether an address has a place in the file. */
static bool is_of_file(const struct symbols *s, uint64_t address)
{
    return in_file(s, address) || symbol_at(s, address) != NULL;
}

static struct symbols_place symbols_look_up(const struct symbols *s, uint64_t pc)
{
    uint64_t address = pc - s->bias;
    struct symbols_place p = {.address = address};
    struct elf_symbol *f = symbol_at(s, address);
    if (f != NULL) {
        p.function = unique_name(s, f);
        p.is_unnamed = f->unnamed;
        p.offset = address - f->start;
        p.start = pc - p.offset;
    } else if (in_file(s, address)) {
        p.library = s->label;
        p.start = unnamed_start(s) + s->bias;
    } else {
        return (struct symbols_place){.address = pc, .library = "anonymous", .start = SYMBOLS_ANONYMOUS};
    }
    Dwfl_Line *line = dwfl_module_getsrc(s->module, address);
    const char *file = line != NULL ? dwfl_lineinfo(line, NULL, &p.line, NULL, NULL, NULL) : NULL;
    p.file = file != NULL ? basename(file) : NULL;
    return p;
}

struct symbols_place symbols_find(const struct symbols *s, uint64_t pc)
{
    const struct library *l = library_at(s, pc);
    if (pc == 0)
        return (struct symbols_place){0};
    if (l != NULL) {
        struct symbols_place p = {.start = SYMBOLS_ANONYMOUS};
        if (l->symbols != NULL)
            p = symbols_find(l->symbols, pc);
        if (p.start == SYMBOLS_ANONYMOUS)
            p = (struct symbols_place){.address = pc - l->start + l->offset, .start = l->start};
        p.library = p.is_unnamed ? NULL : l->name;
        return p;
    }
    if (*s->cache == NULL)
        *s->cache = xcalloc(CACHED_PLACES, sizeof **s->cache);
    struct cached *c = &(*s->cache)[pc / 2 % CACHED_PLACES];
    if (c->pc != pc)
        *c = (struct cached){pc, symbols_look_up(s, pc)};
    return c->place;
}

struct symbols_file symbols_file_at(const struct symbols *s, uint64_t pc)
{
    const struct library *l = library_at(s, pc);
    const struct symbols *file = l != NULL ? l->symbols : s;
    const bool is_known = file != NULL && is_of_file(file, pc - file->bias);
    const uint64_t address = is_known ? pc - file->bias : l != NULL ? pc - l->start + l->offset : pc;
    if (l != NULL)
        return (struct symbols_file){.path = l->path, .name = l->name, .symbols = l->symbols, .address = address};
    if (!is_known)
        return (struct symbols_file){.path = "", .name = "anonymous", .address = pc};
    return (struct symbols_file){.path = s->path, .name = s->label, .symbols = s, .address = address};
}

void symbols_each_function(const struct symbols *file, void (*see)(void *ctx, const struct symbols_function *f),
                           void *ctx)
{
    for (size_t i = 0; i < file->named.count; i++) {
        struct elf_symbol *f = &file->named.symbol[i];
        see(ctx, &(struct symbols_function){f->start, f->end, f->symbol, symbols_symbol_name(f)});
    }
}

void symbols_each_file(const struct symbols *s, void (*see)(void *ctx, const struct symbols *file), void *ctx)
{
    see(ctx, s);
    for (size_t i = 0; i < s->libraries; i++)
        if (s->library[i].symbols != NULL)
            see(ctx, s->library[i].symbols);
}

Dwfl_Module *symbols_dwfl(const struct symbols *file) { return file->module; }

struct symbols_place symbols_find_data(const struct symbols *s, uint64_t address)
{
    struct symbols_place p = symbols_find(s, address);
    return p.function != NULL ? p : (struct symbols_place){.address = address};
}

char *symbols_function(const struct symbols *s, uint64_t start, const char **library)
{
    struct symbols_place p = {0};
    if (s != NULL)
        p = symbols_find(s, start);
    *library = p.function != NULL ? p.library : NULL;
    return p.function != NULL  ? xstrdup(p.function)
           : p.library != NULL ? xasprintf("[%s]", p.library)
                               : xstrdup("(unknown)");
}

static bool symbols_is_named(const struct elf_symbol *f, const char *name, enum demangle_form form)
{
    char *demangled = demangle(f->symbol, form);
    bool same = demangled != NULL && strcmp(demangled, name) == 0;
    free(demangled);
    return same;
}

/* Whether a short form of the name is the wanted one. */
static bool is_shortened_to(const struct elf_symbol *f, const char *name)
{
    char *demangled = demangle(f->symbol, DEMANGLE_FULL);
    bool same = false;
    for (enum short_form form = SHORT_NAME; demangled != NULL && !same && form != SHORT_NONE; form++) {
        char *brief = short_name(demangled, form);
        same = strcmp(brief, name) == 0;
        free(brief);
    }
    free(demangled);
    return same;
}

/* Returns the entry with this symbol, of several the first with the strongest binding; else the first with this
 * demangled name; else the only one with this demangled name without parameters or in a short form; else NULL. */
static const struct elf_symbol *symbol_named(const struct elf_symbols *t, const char *name)
{
    const struct elf_symbol *best = NULL;
    for (size_t i = 0; i < t->count; i++)
        if (strcmp(t->symbol[i].symbol, name) == 0 && (best == NULL || t->symbol[i].binding > best->binding))
            best = &t->symbol[i];
    for (size_t i = 0; i < t->count && best == NULL; i++)
        if (symbols_is_named(&t->symbol[i], name, DEMANGLE_FULL))
            best = &t->symbol[i];
    if (best != NULL)
        return best;
    for (size_t i = 0; i < t->count; i++) {
        if (!symbols_is_named(&t->symbol[i], name, DEMANGLE_SHORT) && !is_shortened_to(&t->symbol[i], name))
            continue;
        if (best != NULL && best->start != t->symbol[i].start)
            return NULL;
        best = &t->symbol[i];
    }
    return best;
}

static bool start_of(const struct symbols *s, const struct elf_symbols *t, const char *name, uint64_t *address)
{
    const struct elf_symbol *found = symbol_named(t, name);
    if (found != NULL)
        *address = found->start + s->bias;
    return found != NULL;
}

bool symbols_address(const struct symbols *s, const char *name, uint64_t *pc)
{
    if (start_of(s, &s->functions, name, pc))
        return true;
    for (size_t i = 0; strstr(name, "@0x") != NULL && i < s->named.count; i++) {
        struct elf_symbol *f = &s->named.symbol[i];
        if (strcmp(unique_name(s, f), name) == 0) {
            *pc = f->start + s->bias;
            return true;
        }
    }
    for (size_t i = 0; i < s->libraries; i++)
        if (s->library[i].symbols != NULL && symbols_address(s->library[i].symbols, name, pc))
            return true;
    return false;
}

bool symbols_variable(const struct symbols *s, const char *name, uint64_t *address)
{
    return start_of(s, &s->variables, name, address);
}

void symbols_each(const struct symbols *s, void (*see)(void *ctx, const char *name), void *ctx)
{
    for (size_t i = 0; i < s->functions.count; i++) {
        const char *symbol = s->functions.symbol[i].symbol;
        char *demangled = demangle(symbol, DEMANGLE_SHORT);
        see(ctx, symbol);
        if (demangled != NULL)
            see(ctx, demangled);
        free(demangled);
    }
}

void symbols_each_entry(const struct symbols *s, void (*see)(void *ctx, uint64_t start), void *ctx)
{
    for (size_t i = 0; i < s->functions.count; i++)
        if (s->functions.symbol[i].sized)
            see(ctx, s->functions.symbol[i].start + s->bias);
    for (size_t i = 0; i < s->named.count; i++)
        if (s->named.symbol[i].unnamed)
            see(ctx, s->named.symbol[i].start + s->bias);
    for (size_t i = 0; i < s->libraries; i++)
        if (s->library[i].symbols != NULL)
            symbols_each_entry(s->library[i].symbols, see, ctx);
}

void symbols_each_range(const struct symbols *s, void (*see)(void *ctx, uint64_t start, uint64_t end), void *ctx)
{
    GElf_Addr base;
    Elf *elf = dwfl_module_getelf(s->module, &base);
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn)) != NULL;) {
        GElf_Shdr h = {0};
        (void)gelf_getshdr(scn, &h);
        if ((h.sh_flags & SHF_EXECINSTR) != 0 && (h.sh_flags & SHF_ALLOC) != 0)
            see(ctx, h.sh_addr + s->bias, h.sh_addr + h.sh_size + s->bias);
    }
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
