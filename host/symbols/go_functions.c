/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table begins with a header: magic number, two bytes of 0, least length of an instruction, size of a pointer; then
 * numbers of the size of a pointer. Its places are relative to the header. The table of functions has pairs of offsets
 * of 32 bits: of the function's start from that of the code, and of its description from that of the table; the last
 * one is the end of the code alone. A description begins with the function's start again and the place of its name
 * among the names. Source: package debug/gosym of Go 1.20. All numbers are unchecked input. */
#include "host/symbols/go_functions.h"

#include <stdbool.h>
#include <string.h>

enum {
    GO_MAGIC_118 = 0xf0,
    GO_MAGIC_120 = 0xf1, /* low bytes of the magic numbers; the others are 0xff */
    GO_POINTER_BYTES = 8,
    GO_HEADER_BYTES = 72
};

/* Numbers of the header after its first 8 bytes, by place. */
enum go_place { GO_FUNCTIONS, GO_FILES, GO_TEXT, GO_NAMES, GO_UNITS, GO_FILE_NAMES, GO_PCS, GO_TABLE };

struct go_table {
    const uint8_t *bytes;
    size_t size_bytes;
};

static bool go_read(const struct go_table *t, uint64_t at, unsigned bytes, uint64_t *value)
{
    *value = 0;
    if (at > t->size_bytes || t->size_bytes - at < bytes)
        return false;
    for (unsigned n = 0; n < bytes; n++)
        *value |= (uint64_t)t->bytes[at + n] << 8 * n;
    return true;
}

static uint64_t go_header(const struct go_table *t, enum go_place place)
{
    uint64_t value;
    (void)go_read(t, 8 + 8 * (uint64_t)place, 8, &value);
    return value;
}

static bool go_is_known(const struct go_table *t)
{
    const uint8_t *b = t->bytes;
    return t->size_bytes >= GO_HEADER_BYTES && (b[0] == GO_MAGIC_118 || b[0] == GO_MAGIC_120) && b[1] == 0xff &&
           b[2] == 0xff && b[3] == 0xff && b[4] == 0 && b[5] == 0 && b[7] == GO_POINTER_BYTES;
}

/* The name at a place; NULL: it is empty, or has no end. */
static const char *go_name(const struct go_table *t, uint64_t at)
{
    if (at >= t->size_bytes || t->bytes[at] == '\0' || memchr(t->bytes + at, '\0', t->size_bytes - at) == NULL)
        return NULL;
    return (const char *)t->bytes + at;
}

/* The section's content; size 0: the file has none. */
static struct go_table go_find(Elf *elf)
{
    size_t names;
    GElf_Shdr h;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return (struct go_table){0};
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn)) != NULL;) {
        const char *name = gelf_getshdr(scn, &h) != NULL ? elf_strptr(elf, names, h.sh_name) : NULL;
        const Elf_Data *data = name != NULL && strcmp(name, ".gopclntab") == 0 ? elf_rawdata(scn, NULL) : NULL;
        if (data != NULL && data->d_buf != NULL)
            return (struct go_table){data->d_buf, data->d_size};
    }
    return (struct go_table){0};
}

void go_functions_each(Elf *elf, void (*see)(void *ctx, uint64_t start, uint64_t end, const char *name), void *ctx)
{
    const struct go_table t = go_find(elf);
    if (!go_is_known(&t) || go_header(&t, GO_TEXT) == 0)
        return;
    const uint64_t text = go_header(&t, GO_TEXT), names = go_header(&t, GO_NAMES), table = go_header(&t, GO_TABLE);
    uint64_t start, end, place, name;
    if (table > t.size_bytes || names > t.size_bytes)
        return;
    for (uint64_t n = 0, at = table; n < go_header(&t, GO_FUNCTIONS); n++, at += 8) {
        if (!go_read(&t, at, 4, &start) || !go_read(&t, at + 4, 4, &place) || !go_read(&t, at + 8, 4, &end))
            return;
        const char *text_name = go_read(&t, table + place + 4, 4, &name) ? go_name(&t, names + name) : NULL;
        if (text_name != NULL && start < end)
            see(ctx, text + start, text + end, text_name);
    }
}
