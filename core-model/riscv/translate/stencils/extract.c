/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tool of the build: extract [STENCILS.o] > TABLES.c makes the tables of stencil.h from the compiled stencils.c. A
 * function has a section of its own, and its cold part, which must be no more than a jump to a hole, has another one.
 * What cannot be copied to any address is an error. Source of the relocations: the x86-64 psABI, section "Relocation
 * Types". */
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 1 << 15, JUMP_BYTES = 5, JUMP_OPCODE = 0xe9, NAME_BYTES = 256 };

static const char *const holes[] = {
#define HOLE(name) "hole_" #name,
#define WAY HOLE
#include "core-model/riscv/translate/holes.def"
#undef HOLE
#undef WAY
};
enum { HOLES = sizeof holes / sizeof holes[0] };

/* The tables; of a function's name, what follows the prefix: an enumerator without its own, and numbers. */
static const struct {
    const char *prefix, *declaration, *enumerator; /* NULL: none */
    int numbers;
} tables[] = {
    {"row_", "stencil_row[RV_OP_COUNT][OPERANDS][OPERANDS]", "RV_", 2},
    {"zero_", "stencil_zero[RV_OP_COUNT][OPERANDS][OPERANDS]", "RV_", 2},
    {"static_", "stencil_static[RV_OP_COUNT]", "RV_", 0},
    {"through_", "stencil_through[RV_OP_COUNT][OPERANDS]", "RV_", 1},
    {"address_", "stencil_address[OPERANDS]", NULL, 1},
    {"shift_", "stencil_shift[SHIFTS][SHIFT_AMOUNTS]", "SHIFT_", 1},
    {"get_", "stencil_get[OPERANDS]", NULL, 1},
    {"put_", "stencil_put[OPERANDS]", NULL, 1},
    {"spill_", "stencil_spill[OPERANDS]", NULL, 1},
    {"link_", "stencil_link[OPERANDS]", NULL, 1},
    {"target_", "stencil_target[OPERANDS]", NULL, 1},
    {"special_", "stencil_special[SPECIALS]", "SPECIAL_", 0},
};
enum { TABLES = sizeof tables / sizeof tables[0] };

static const char hot_prefix[] = ".text.", cold_prefix[] = ".text.unlikely.";

struct section {
    const char *function; /* NULL: no code */
    bool is_cold;
    const uint8_t *bytes;
    uint64_t size;
    int relocations; /* number of the section with them; 0: none */
};

/* A hole, as in struct stencil_place. */
struct place {
    uint64_t offset;
    const char *fill;
    int hole;
    int64_t addend;
};

static Elf *elf;
static struct section sections[MOST];
static size_t section_count, names_section;
static Elf_Data *symbols;
static size_t symbol_names;
static uint64_t code_bytes = 1, place_count = 1; /* the first are of no stencil */

static _Noreturn __attribute__((format(printf, 1, 2))) void refuse(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("extract: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(1);
}

static void read_section(size_t number)
{
    GElf_Shdr header;
    Elf_Scn *scn = elf_getscn(elf, number);
    if (gelf_getshdr(scn, &header) == NULL)
        refuse("section %zu: %s", number, elf_errmsg(-1));
    const char *name = elf_strptr(elf, names_section, header.sh_name);
    Elf_Data *data = elf_getdata(scn, NULL);
    if (header.sh_type == SHT_SYMTAB) {
        symbols = data;
        symbol_names = header.sh_link;
    } else if (header.sh_type == SHT_RELA) {
        sections[header.sh_info].relocations = (int)number;
    } else if (strncmp(name, hot_prefix, strlen(hot_prefix)) == 0 && header.sh_size != 0) {
        struct section *s = &sections[number];
        s->is_cold = strncmp(name, cold_prefix, strlen(cold_prefix)) == 0;
        s->function = name + strlen(s->is_cold ? cold_prefix : hot_prefix);
        s->bytes = data->d_buf;
        s->size = header.sh_size;
    }
}

/* A cold section without another one has the whole function. */
static void find_whole(struct section *cold)
{
    for (size_t i = 1; i < section_count; i++)
        if (&sections[i] != cold && sections[i].function != NULL && strcmp(sections[i].function, cold->function) == 0)
            return;
    cold->is_cold = false;
}

static void extract_open(const char *path)
{
    elf_version(EV_CURRENT);
    const int fd = open(path, O_RDONLY);
    elf = fd >= 0 ? elf_begin(fd, ELF_C_READ, NULL) : NULL;
    if (elf == NULL || elf_getshdrnum(elf, &section_count) != 0 || elf_getshdrstrndx(elf, &names_section) != 0)
        refuse("%s: expected an object file: %s", path, elf_errmsg(-1));
    if (section_count > MOST)
        refuse("%s: %zu sections: expected at most %d", path, section_count, MOST);
    for (size_t i = 1; i < section_count; i++)
        read_section(i);
    for (size_t i = 1; i < section_count; i++)
        if (sections[i].is_cold)
            find_whole(&sections[i]);
}

static int hole_number(const char *symbol)
{
    for (int i = 0; i < HOLES; i++)
        if (strcmp(holes[i], symbol) == 0)
            return i;
    return -1;
}

/* Number of the hole that a cold section jumps to. */
static int way_of_cold(const struct section *s)
{
    GElf_Rela r;
    GElf_Sym sym;
    Elf_Data *data = elf_getdata(elf_getscn(elf, (size_t)s->relocations), NULL);
    if (s->size != JUMP_BYTES || s->bytes[0] != JUMP_OPCODE || gelf_getrela(data, 0, &r) == NULL ||
        gelf_getsym(symbols, (int)GELF_R_SYM(r.r_info), &sym) == NULL)
        refuse("%s: its cold part is more than a jump to a hole", s->function);
    return hole_number(elf_strptr(elf, symbol_names, sym.st_name));
}

static const char *fill_of(uint64_t type)
{
    switch (type) {
    case R_X86_64_32S:
        return "FILL_32";
    case R_X86_64_64:
        return "FILL_64";
    case R_X86_64_PC32:
    case R_X86_64_PLT32:
        return "FILL_DISTANCE";
    default:
        return NULL;
    }
}

static struct place read_place(const struct section *s, Elf_Data *relocations, int i)
{
    GElf_Rela r;
    GElf_Sym sym;
    if (gelf_getrela(relocations, i, &r) == NULL || gelf_getsym(symbols, (int)GELF_R_SYM(r.r_info), &sym) == NULL)
        refuse("%s: relocation %d: %s", s->function, i, elf_errmsg(-1));
    const char *name = elf_strptr(elf, symbol_names, sym.st_name);
    struct place p = {.offset = r.r_offset, .fill = fill_of(GELF_R_TYPE(r.r_info)), .addend = r.r_addend};
    if (GELF_ST_TYPE(sym.st_info) == STT_SECTION && sections[sym.st_shndx].is_cold)
        p.hole = way_of_cold(&sections[sym.st_shndx]);
    else
        p.hole = hole_number(name);
    if (p.hole < 0 || p.fill == NULL)
        refuse("%s: a relocation of type %" PRIu64 " to '%s': expected one to a hole", s->function,
               (uint64_t)GELF_R_TYPE(r.r_info), name);
    return p;
}

/* Whether the stencil ends with a jump to its own end, which is left out. */
static bool ends_with_next(const struct section *s, const struct place *last)
{
    return last->hole == hole_number("hole_NEXT") && last->offset + 4 == s->size &&
           s->bytes[s->size - JUMP_BYTES] == JUMP_OPCODE;
}

/* The places of a function, in `places`; returns their number. */
static int read_places(const struct section *s, struct place *places)
{
    GElf_Shdr header;
    Elf_Scn *scn = elf_getscn(elf, (size_t)s->relocations);
    if (s->relocations == 0 || gelf_getshdr(scn, &header) == NULL)
        return 0;
    const int count = (int)(header.sh_size / header.sh_entsize);
    for (int i = 0; i < count && i < MOST; i++)
        places[i] = read_place(s, elf_getdata(scn, NULL), i);
    return count;
}

/* ---- output: bytes and places of all functions, then the tables ---- */

static struct entry {
    const char *function;
    uint64_t code, bytes, place;
    int places;
} entries[MOST];
static size_t entry_count;
static char *places_text;
static FILE *places_out;

static void extract_function(const struct section *s)
{
    static struct place places[MOST];
    int count = read_places(s, places);
    uint64_t size = s->size;
    if (count > 0 && ends_with_next(s, &places[count - 1])) {
        count--;
        size -= JUMP_BYTES;
    }
    entries[entry_count++] = (struct entry){s->function, code_bytes, size, place_count, count};
    for (uint64_t i = 0; i < size; i++)
        printf("%u,", s->bytes[i]);
    for (int i = 0; i < count; i++)
        fprintf(places_out, "{%" PRIu64 ", HOLE_%s, %s, %" PRId64 "},\n", places[i].offset,
                holes[places[i].hole] + strlen("hole_"), places[i].fill, places[i].addend);
    puts("");
    code_bytes += size;
    place_count += (uint64_t)count;
}

/* Where the last `numbers` parts of a name begin. */
static const char *numbers_of(const char *name, int numbers)
{
    const char *at = name + strlen(name);
    for (; numbers > 0; numbers--)
        do
            at--;
        while (at > name && *at != '_');
    return at;
}

/* A designator, and the number of the stencil. */
static void put_entry(int t, const char *name, size_t number)
{
    const char *numbers = numbers_of(name, tables[t].numbers);
    printf("    ");
    if (tables[t].enumerator != NULL)
        printf("[%s%.*s]", tables[t].enumerator, (int)(numbers - name), name);
    for (const char *at = numbers; *at != '\0';) {
        at += *at == '_';
        const size_t length = strcspn(at, "_");
        printf("[%.*s]", (int)length, at);
        at += length;
    }
    printf(" = %zu,\n", number);
}

static void put_stencils(void)
{
    puts("const struct stencil stencils[] = {\n    {0},");
    for (size_t i = 0; i < entry_count; i++)
        printf("    {%" PRIu64 ", %" PRIu64 ", %d, %" PRIu64 "},\n", entries[i].code, entries[i].bytes,
               entries[i].places, entries[i].place);
    puts("};");
}

static void put_table(int t)
{
    printf("const uint16_t %s = {\n", tables[t].declaration);
    for (size_t i = 0; i < entry_count; i++)
        if (strncmp(entries[i].function, tables[t].prefix, strlen(tables[t].prefix)) == 0)
            put_entry(t, entries[i].function + strlen(tables[t].prefix), i + 1);
    puts("};");
}

int main(int argc, char **argv)
{
    size_t bytes;
    if (argc > 2)
        refuse("usage: extract [STENCILS.o]");
    if (argc == 2)
        extract_open(argv[1]);
    places_out = open_memstream(&places_text, &bytes);
    puts("#include \"core-model/riscv/translate/stencil.h\"\nconst uint8_t stencil_code[] = {\n    0,");
    for (size_t i = 0; i < section_count; i++)
        if (sections[i].function != NULL && !sections[i].is_cold)
            extract_function(&sections[i]);
    fclose(places_out);
    printf("};\nconst struct stencil_place stencil_places[] = {\n    {0},\n%s};\n", places_text);
    put_stencils();
    for (int t = 0; t < TABLES; t++)
        put_table(t);
    return 0;
}
