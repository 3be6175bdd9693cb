/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/symbols/image_identity.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/sha1.h"
#include "base/status.h"

char *image_identity(const uint8_t *build_id, int bytes, const char *path)
{
    if (bytes > 0) {
        char *text = xmalloc(2 * (size_t)bytes + 1);
        for (int i = 0; i < bytes; i++)
            snprintf(text + 2 * i, 3, "%02x", build_id[i]);
        return text;
    }
    char *data, hash[SHA1_TEXT];
    size_t size_bytes;
    if (file_read(path, (size_t)1 << 32, &data, &size_bytes, NULL) != ST_OK)
        return xstrdup("");
    sha1_text(data, size_bytes, hash);
    free(data);
    return xasprintf("sha1:%s", hash);
}

char *image_identity_of_file(const char *path)
{
    struct stat sb;
    if (stat(path, &sb) != 0 || !S_ISREG(sb.st_mode))
        return xstrdup("");
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return xstrdup("");
    const void *build_id = NULL;
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    int bytes = elf_kind(elf) == ELF_K_ELF ? (int)dwelf_elf_gnu_build_id(elf, &build_id) : 0;
    char *text = image_identity(build_id, bytes, path);
    elf_end(elf);
    close(fd);
    return text;
}
