/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Look-up of separate debug files. The places are those of GDB (manual, "Debugging Information in Separate Files"). */
#include "host/symbols/debug_files.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <libelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/status.h"

/* A look-up: of whose debug file, and the result. */
struct debug_files_search {
    const struct debug_link *link;
    const char *path;
    int fd; /* -1: not found yet */
    char *found;
};

static Elf *open_elf(int fd)
{
    (void)elf_version(EV_CURRENT);
    return elf_begin(fd, ELF_C_READ_MMAP, NULL);
}

void debug_link_read(struct debug_link *l, int fd)
{
    Elf *elf = open_elf(fd);
    GElf_Word crc = 0;
    const void *id = NULL;
    *l = (struct debug_link){0};
    if (elf != NULL && elf_kind(elf) == ELF_K_ELF) {
        ssize_t id_bytes = dwelf_elf_gnu_build_id(elf, &id);
        const char *name = dwelf_elf_gnu_debuglink(elf, &crc);
        if (id_bytes > 0 && id_bytes <= DEBUG_FILES_ID_BYTES) {
            l->id_bytes = (size_t)id_bytes;
            memcpy(l->id, id, l->id_bytes);
        }
        l->name = name != NULL ? xstrdup(name) : NULL;
        l->crc = crc;
    }
    elf_end(elf);
}

static bool has_id(int fd, const struct debug_link *l)
{
    struct debug_link other;
    debug_link_read(&other, fd);
    free(other.name);
    return other.id_bytes == l->id_bytes && memcmp(other.id, l->id, l->id_bytes) == 0;
}

static bool has_crc(int fd, uint32_t crc)
{
    static uint8_t part[1 << 16];
    uLong sum = crc32(0, NULL, 0);
    ssize_t n;
    for (off_t at = 0; (n = pread(fd, part, sizeof part, at)) > 0; at += n)
        sum = crc32(sum, part, (uInt)n);
    return n == 0 && sum == crc;
}

/* Opens a candidate, whose path it frees: a file of the right content that is not the file itself. */
static void try_path(struct debug_files_search *s, char *path)
{
    struct stat own = {0}, sb;
    int fd = s->fd >= 0 ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    (void)stat(s->path, &own);
    if (fd >= 0 && fstat(fd, &sb) == 0 && S_ISREG(sb.st_mode) && (sb.st_dev != own.st_dev || sb.st_ino != own.st_ino) &&
        (s->link->id_bytes > 0 ? has_id(fd, s->link) : has_crc(fd, s->link->crc))) {
        s->fd = fd;
        s->found = path;
        return;
    }
    if (fd >= 0)
        close(fd);
    free(path);
}

/* DIR/.build-id/xx/yyyy.debug, or as in a cache of debuginfod clients DIR/xxyyyy/debuginfo */
static void try_id(struct debug_files_search *s, const char *folder)
{
    char digits[2 * DEBUG_FILES_ID_BYTES + 1];
    for (size_t i = 0; i < s->link->id_bytes; i++)
        snprintf(digits + 2 * i, 3, "%02x", s->link->id[i]);
    if (folder[0] != '/' || s->link->id_bytes < 2)
        return;
    try_path(s, xasprintf("%s/.build-id/%.2s/%s.debug", folder, digits, digits + 2));
    try_path(s, xasprintf("%s/%s/debuginfo", folder, digits));
}

/* The name in a folder of the path, for a file in the folder `own`, which ends with a slash or is empty. */
static void try_name(struct debug_files_search *s, const char *own, const char *folder)
{
    const char *name = s->link->name;
    if (folder[0] != '/') {
        try_path(s, xasprintf("%s%s%s%s", own, folder, folder[0] != '\0' ? "/" : "", name));
        return;
    }
    for (const char *below = own[0] == '/' ? own + 1 : ""; s->fd < 0; below = strchr(below, '/') + 1) {
        try_path(s, xasprintf("%s/%s%s", folder, below, name));
        if (below[0] == '\0')
            return;
    }
}

/* Looks the name up for the file at a path, or the build ID for path NULL, in all folders. */
static void try_folders(struct debug_files_search *s, const char *path, const char *debug_path)
{
    char *folders = xstrdup(debug_path), *rest = folders, *folder;
    char *own = path != NULL ? xstrdup(path) : NULL;
    if (own != NULL)
        own[basename(own) - own] = '\0';
    while (s->fd < 0 && (folder = strsep(&rest, ":")) != NULL)
        if (own == NULL)
            try_id(s, folder);
        else
            try_name(s, own, folder);
    free(own);
    free(folders);
}

int debug_link_open(const struct debug_link *l, const char *path, const char *debug_path, char **found)
{
    struct debug_files_search s = {.link = l, .path = path, .fd = -1};
    try_folders(&s, NULL, debug_path);
    if (l->name != NULL && strchr(l->name, '/') == NULL) {
        try_folders(&s, path, debug_path);
        /* The file may be named by a symbolic link, or by a path relative to the working folder. */
        char *real = s.fd < 0 ? realpath(path, NULL) : NULL;
        if (real != NULL && strcmp(real, path) != 0)
            try_folders(&s, real, debug_path);
        free(real);
    }
    *found = s.found;
    return s.fd;
}
