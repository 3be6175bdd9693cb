/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/run/run_images.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "host/symbols/image_identity.h"
#include "host/symbols/scopes.h"
#include "host/symbols/source_lines.h"

/* An image that has been added. */
struct run_images_known {
    char *path;
    uint32_t image;
};

struct run_images {
    const struct symbols *symbols;
    struct profile *profile;
    void (*warn)(const char *text); /* NULL: none */
    struct run_images_known *known;
    size_t count;
};

struct run_images *run_images_new(const struct symbols *symbols, struct profile *profile,
                                  void (*warn)(const char *text))
{
    struct run_images *r = xmalloc(sizeof *r);
    *r = (struct run_images){.symbols = symbols, .profile = profile, .warn = warn};
    return r;
}

void run_images_free(struct run_images *r)
{
    for (size_t i = 0; i < r->count; i++)
        free(r->known[i].path);
    free(r->known);
    free(r);
}

/* Data collected for one file. */
struct run_images_collected {
    struct profile *profile;
    struct profile_image image;
    struct profile_symbol *symbol;
    struct profile_line *line;
    struct profile_code *code, *data; /* the bytes of `data` are copies */
};

/* ---- functions ---- */

static void add_function(void *ctx, const struct symbols_function *f)
{
    struct run_images_collected *c = ctx;
    c->symbol = xgrow(c->symbol, c->image.symbols, sizeof *c->symbol);
    c->symbol[c->image.symbols++] = (struct profile_symbol){
        .start = f->start, .size_bytes = f->end - f->start, .name = f->symbol, .shown = f->shown};
}

/* ---- lines ---- */

static void run_images_add_line(struct run_images_collected *c, const struct profile_line *line)
{
    c->line = xgrow(c->line, c->image.lines, sizeof *c->line);
    c->line[c->image.lines++] = *line;
}

static uint32_t run_images_add_file(const struct run_images_collected *c, Dwarf_Die *unit, const char *path)
{
    Dwarf_Attribute a;
    char *whole = source_path_join(dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &a)), path);
    const uint32_t file = profile_add_file(c->profile, whole);
    free(whole);
    return file;
}

/* Adds the rows of a compilation unit's line table. Numbers of files are cached: neighbours have the same one. */
static void add_unit(struct run_images_collected *c, Dwarf_Die *unit, Dwarf_Addr bias)
{
    Dwarf_Lines *lines;
    size_t count;
    const char *last = NULL;
    uint32_t last_file = PROFILE_NO_FILE;
    if (dwarf_getsrclines(unit, &lines, &count) != 0)
        return;
    for (size_t i = 0; i < count; i++) {
        Dwarf_Line *l = dwarf_onesrcline(lines, i);
        Dwarf_Addr start;
        int number = 0;
        unsigned discriminator = 0;
        bool end = false;
        if (dwarf_lineaddr(l, &start) != 0 || dwarf_lineendsequence(l, &end) != 0)
            continue;
        const char *path = end ? NULL : dwarf_linesrc(l, NULL, NULL);
        dwarf_lineno(l, &number);
        dwarf_linediscriminator(l, &discriminator);
        if (path != NULL && path != last)
            last_file = run_images_add_file(c, unit, path);
        last = path != NULL ? path : last;
        bool known = path != NULL && number > 0;
        run_images_add_line(c, &(struct profile_line){.start = start + bias,
                                                      .file = known ? last_file : PROFILE_NO_FILE,
                                                      .line = known ? (uint32_t)number : 0,
                                                      .discriminator = known ? discriminator : 0});
    }
}

/* The position of a row, because qsort is not stable. */
struct placed_line {
    struct profile_line line;
    size_t position;
};

/* By address; of one address, the end of a sequence is before the beginning of another. */
static int run_images_compare_lines(const void *a, const void *b)
{
    const struct placed_line *x = a, *y = b;
    if (x->line.start != y->line.start)
        return x->line.start < y->line.start ? -1 : 1;
    bool x_known = x->line.file != PROFILE_NO_FILE, y_known = y->line.file != PROFILE_NO_FILE;
    if (x_known != y_known)
        return x_known ? 1 : -1;
    return x->position < y->position ? -1 : x->position > y->position;
}

/* Sorts the rows. Of several at an address the last is kept, of equal neighbours the first. */
static void sort_lines(struct run_images_collected *c)
{
    size_t count = c->image.lines, kept = 0;
    struct placed_line *sorted = xmalloc((count + 1) * sizeof *sorted);
    for (size_t i = 0; i < count; i++)
        sorted[i] = (struct placed_line){c->line[i], i};
    qsort(sorted, count, sizeof *sorted, run_images_compare_lines);
    for (size_t i = 0; i < count; i++) {
        const struct profile_line *l = &sorted[i].line, *before = kept > 0 ? &c->line[kept - 1] : NULL;
        if (i + 1 < count && sorted[i + 1].line.start == l->start)
            continue;
        if (before != NULL && before->file == l->file && before->line == l->line &&
            before->discriminator == l->discriminator)
            continue;
        c->line[kept++] = *l;
    }
    c->image.lines = kept;
    free(sorted);
}

static void run_images_add_lines(struct run_images_collected *c, Dwfl_Module *module)
{
    Dwarf_Addr bias;
    for (Dwarf_Die *unit = NULL; (unit = dwfl_module_nextcu(module, unit, &bias)) != NULL;)
        add_unit(c, unit, bias);
    if (c->image.lines > 0)
        sort_lines(c);
}

/* ---- code ---- */

ORDER(compare_code, struct profile_code, RISING(start))

/* The section of constants that has the 8 bytes at an address, and their offset in it; NULL: none. */
static const struct profile_code *run_images_find_word(const struct run_images_collected *c, uint64_t address,
                                                       uint64_t *offset)
{
    for (size_t n = 0; n < c->image.datas; n++) {
        const struct profile_code *d = &c->data[n];
        *offset = address - d->start;
        if (address >= d->start && d->size_bytes >= 8 && *offset <= d->size_bytes - 8)
            return d;
    }
    return NULL;
}

/* Writes the addresses of a section of relocations, as of an image that the loader maps where the linker placed it. */
static void relocate(struct run_images_collected *c, Elf_Data *relocations)
{
    GElf_Rela r;
    for (int n = 0; gelf_getrela(relocations, n, &r) != NULL; n++) {
        uint64_t offset;
        const struct profile_code *d = GELF_R_TYPE(r.r_info) == R_RISCV_RELATIVE
                                           ? run_images_find_word(c, r.r_offset, &offset)
                                           : NULL;
        for (unsigned byte = 0; d != NULL && byte < 8; byte++)
            ((uint8_t *)(uintptr_t)d->bytes)[offset + byte] = (uint8_t)((uint64_t)r.r_addend >> 8 * byte);
    }
}

/* Writes the addresses that an image has only in its relocations: one that can be mapped anywhere. */
static void add_relocations(struct run_images_collected *c, Elf *elf)
{
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
        GElf_Shdr h;
        if (gelf_getshdr(section, &h) == NULL || (h.sh_flags & SHF_ALLOC) == 0 || h.sh_type != SHT_RELA)
            continue;
        Elf_Data *relocations = elf_getdata(section, NULL);
        if (relocations != NULL)
            relocate(c, relocations);
    }
}

static void run_images_add_section(struct profile_code **section, size_t *count, const struct profile_code *found)
{
    *section = xgrow(*section, *count, sizeof **section);
    (*section)[(*count)++] = *found;
}

/* Returns whether a section has data that the program does not write. The loader writes to .data.rel.ro, before the
 * program runs: addresses, of which relocate() writes those in the image. */
static bool holds_constants(Elf *elf, const GElf_Shdr *h)
{
    size_t names;
    const char *name = elf_getshdrstrndx(elf, &names) == 0 ? elf_strptr(elf, names, h->sh_name) : NULL;
    return name != NULL && h->sh_type == SHT_PROGBITS &&
           (strncmp(name, ".rodata", 7) == 0 || strncmp(name, ".data.rel.ro", 12) == 0);
}

/* Adds the sections of instructions, and those that are read and not written. */
static void run_images_add_sections(struct run_images_collected *c, Elf *elf)
{
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section)) != NULL;) {
        GElf_Shdr h;
        if (gelf_getshdr(section, &h) == NULL || (h.sh_flags & SHF_ALLOC) == 0 || h.sh_type == SHT_NOBITS)
            continue;
        bool executable = (h.sh_flags & SHF_EXECINSTR) != 0;
        if (!executable && !holds_constants(elf, &h))
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        if (data == NULL || data->d_buf == NULL || data->d_size == 0)
            continue;
        struct profile_code found = {
            .start = h.sh_addr, .size_bytes = data->d_size, .bytes = data->d_buf, .file_offset = h.sh_offset};
        if (executable) {
            run_images_add_section(&c->code, &c->image.codes, &found);
        } else {
            found.bytes = memcpy(xmalloc(data->d_size), data->d_buf, data->d_size);
            run_images_add_section(&c->data, &c->image.datas, &found);
        }
    }
    add_relocations(c, elf);
    if (c->image.datas > 1)
        qsort(c->data, c->image.datas, sizeof *c->data, compare_code);
    if (c->image.codes > 1)
        qsort(c->code, c->image.codes, sizeof *c->code, compare_code);
}

/* ---- images ---- */

static void warn_of_missing(const struct run_images *r, const char *name, const struct scopes *s)
{
    if (r->warn == NULL || s->missing == NULL)
        return;
    char *text = xasprintf("%s: debugging information is in %s (-gsplit-dwarf), which is %s: the profile has "
                           "lines, but no inlined calls and declarations of functions, which AutoFDO needs; %s, or "
                           "compile without -gsplit-dwarf",
                           name, s->missing,
                           s->is_compressed ? "not read, because its sections are compressed by zstd or too large"
                                            : "not there",
                           s->is_compressed ? "decompress it with objcopy --decompress-debug-sections"
                                            : "put the file there or beside the program");
    r->warn(text);
    free(text);
}

static uint32_t run_images_add_image(struct run_images *r, const struct symbols_file *file)
{
    struct run_images_collected c = {.profile = r->profile,
                                     .image = {.build_id = "", .path = file->path, .name = file->name}};
    struct scopes scopes = {0};
    char *id = NULL;
    if (file->symbols != NULL) {
        Dwfl_Module *module = symbols_dwfl(file->symbols);
        GElf_Addr bias;
        Elf *elf = dwfl_module_getelf(module, &bias);
        const unsigned char *build_id = NULL;
        GElf_Addr address;
        int bytes = dwfl_module_build_id(module, &build_id, &address);
        c.image.build_id = id = image_identity(build_id, bytes, file->path);
        symbols_each_function(file->symbols, add_function, &c);
        run_images_add_lines(&c, module);
        Dwarf *dwarf = dwfl_module_getdwarf(module, &bias);
        scopes_read(&scopes, dwarf, file->path, bias, r->profile);
        warn_of_missing(r, file->name, &scopes);
        if (elf != NULL)
            run_images_add_sections(&c, elf);
    }
    c.image.symbol = c.symbol;
    c.image.line = c.line;
    c.image.code = c.code;
    c.image.data = c.data;
    c.image.scope = scopes.scope;
    c.image.scopes = scopes.count;
    c.image.scope_range = scopes.range;
    c.image.scope_ranges = scopes.ranges;
    uint32_t image = profile_add_image(r->profile, &c.image);
    free(id);
    free(c.symbol);
    free(c.line);
    free(c.code);
    for (size_t n = 0; n < c.image.datas; n++)
        free((uint8_t *)(uintptr_t)c.data[n].bytes);
    free(c.data);
    scopes_free(&scopes);
    return image;
}

bool run_images_find(struct run_images *r, uint64_t pc, uint32_t *image, uint64_t *address)
{
    if (pc == 0 || r->symbols == NULL)
        return false;
    struct symbols_file file = symbols_file_at(r->symbols, pc);
    *address = file.address;
    for (size_t i = 0; i < r->count; i++)
        if (strcmp(r->known[i].path, file.path) == 0) {
            *image = r->known[i].image;
            return true;
        }
    r->known = xrealloc(r->known, (r->count + 1) * sizeof *r->known);
    *image = run_images_add_image(r, &file);
    r->known[r->count++] = (struct run_images_known){.path = xstrdup(file.path), .image = *image};
    return true;
}
