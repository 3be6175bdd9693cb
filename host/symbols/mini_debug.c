/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decompression of .gnu_debugdata. Sizes and content are unchecked input: the output grows by halves to its limit. */
#include "host/symbols/mini_debug.h"

#include <gelf.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

/* Memory of the decoder. xz -9 needs 65 MiB. */
enum { DECODER_MIB = 128, FIRST_BYTES = 1 << 16 };

static Elf_Data *find_section(Elf *elf)
{
    size_t names;
    GElf_Shdr h;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return NULL;
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn)) != NULL;) {
        const char *name = gelf_getshdr(scn, &h) != NULL ? elf_strptr(elf, names, h.sh_name) : NULL;
        if (name != NULL && h.sh_type == SHT_PROGBITS && strcmp(name, ".gnu_debugdata") == 0)
            return elf_rawdata(scn, NULL);
    }
    return NULL;
}

static const char *describe_error(lzma_ret code)
{
    switch (code) {
    case LZMA_FORMAT_ERROR:
        return "it is no xz file";
    case LZMA_MEMLIMIT_ERROR:
        return "the decoder would need more than 128 MiB";
    case LZMA_OPTIONS_ERROR:
        return "it has a filter that liblzma does not know";
    case LZMA_OK:
    case LZMA_BUF_ERROR:
        return "it is cut short";
    default:
        return "its content is damaged";
    }
}

/* Decompresses up to `most_bytes`. Sets the number of bytes; returns NULL with a remark if there are more, or if the
 * content is damaged. */
static uint8_t *decompress(const Elf_Data *from, size_t most_bytes, size_t *size_bytes, char **remark)
{
    lzma_stream stream = LZMA_STREAM_INIT;
    size_t room = FIRST_BYTES;
    uint8_t *bytes = xmalloc(room);
    lzma_ret code = lzma_stream_decoder(&stream, (uint64_t)DECODER_MIB << 20, 0);
    stream.next_in = from->d_buf;
    stream.avail_in = from->d_size;
    stream.next_out = bytes;
    stream.avail_out = room;
    while (code == LZMA_OK) {
        code = lzma_code(&stream, LZMA_FINISH);
        if (code != LZMA_OK || stream.avail_out != 0)
            break;
        if (room >= most_bytes)
            break;
        const size_t used = room;
        room = room < most_bytes / 2 ? 2 * room : most_bytes;
        bytes = xrealloc(bytes, room);
        stream.next_out = bytes + used;
        stream.avail_out = room - used;
    }
    *size_bytes = room - stream.avail_out;
    const bool too_large = code == LZMA_OK && stream.avail_out == 0;
    lzma_end(&stream);
    if (code == LZMA_STREAM_END)
        return bytes;
    free(bytes);
    *remark = too_large ? xasprintf("section .gnu_debugdata: expected at most %zu bytes when decompressed (%d MiB, or "
                                    "%d times its size), found more; it is not read",
                                    most_bytes, MINI_DEBUG_FREE_MIB, MINI_DEBUG_FACTOR)
                        : xasprintf("section .gnu_debugdata cannot be decompressed: %s; it is not read",
                                    describe_error(code));
    return NULL;
}

struct mini_debug mini_debug_open(Elf *elf, char **remark)
{
    struct mini_debug m = {0};
    const Elf_Data *section = find_section(elf);
    const size_t least = (size_t)MINI_DEBUG_FREE_MIB << 20;
    size_t size_bytes;
    *remark = NULL;
    if (section == NULL || section->d_buf == NULL || section->d_size == 0)
        return m;
    const size_t most = section->d_size * MINI_DEBUG_FACTOR;
    m.bytes = decompress(section, most > least ? most : least, &size_bytes, remark);
    if (m.bytes == NULL)
        return m;
    m.elf = elf_memory((char *)m.bytes, size_bytes);
    if (m.elf == NULL || elf_kind(m.elf) != ELF_K_ELF) {
        mini_debug_close(&m);
        *remark = xstrdup("section .gnu_debugdata: expected an ELF file compressed by xz, found something else; it is "
                          "not read");
    }
    return m;
}

void mini_debug_close(struct mini_debug *m)
{
    elf_end(m->elf);
    free(m->bytes);
    *m = (struct mini_debug){0};
}
