/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paths in /proc and /dev that refer to the process itself: its descriptors, whose numbers differ on the host, and
 * files with contents of the guest instead of the emulator. */
#include "core-model/linux/linux.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* The rest of a path after "/proc/self/" or an equivalent prefix; NULL for other paths. */
static const char *own_proc(const char *path)
{
    static const char *const names[] = {"/proc/self/", "/proc/thread-self/"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(path, names[i], strlen(names[i])) == 0)
            return path + strlen(names[i]);
    return NULL;
}

/* Replaces the guest's number of the process, which the host does not know. The folder itself becomes "self/.", because
 * "self" is a link. */
static void name_self(const struct linux_state *os, char *path)
{
    static const char self[] = "/proc/self/";
    const size_t at = sizeof self - 1;
    char own[32];
    int n = snprintf(own, sizeof own, "/proc/%" PRIu32, os->pid);
    if (strncmp(path, own, (size_t)n) != 0 || (path[n] != '/' && path[n] != '\0') || strlen(path) + at >= PATH_MAX)
        return;
    const char *rest = path[n] == '/' ? path + n + 1 : ".";
    memmove(path + at, rest, strlen(rest) + 1);
    memcpy(path, self, at);
}

void linux_translate_proc_path(const struct linux_state *os, char *path)
{
    static const char *const standard[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
    name_self(os, path);
    const char *own = own_proc(path), *digits = NULL;
    char *end;
    uint64_t fd = 0;
    for (unsigned i = 0; i < 3; i++)
        if (strcmp(path, standard[i]) == 0)
            fd = i, digits = "";
    if (digits == NULL) {
        digits = strncmp(path, "/dev/fd/", 8) == 0            ? path + 8
                 : own != NULL && strncmp(own, "fd/", 3) == 0 ? own + 3
                                                              : NULL;
        if (digits == NULL || *digits < '0' || *digits > '9')
            return;
        fd = strtoul(digits, &end, 10);
        if (*end != '\0')
            return;
    }
    int host = fd < LINUX_FD_MAX ? os->fd[fd] : -1;
    snprintf(path, PATH_MAX, "/proc/self/fd/%d", host >= 0 ? host : LINUX_FD_MAX * LINUX_FD_MAX);
}

/* Prints one line per range of pages with equal permissions. */
static void print_maps(const struct guest *g, FILE *out)
{
    const uint8_t *perm = g->hart.mem.perm;
    const uint64_t pages = UINT64_C(1) << (MEM_ADDRESS_BITS - MEM_PAGE_BITS), brk = g->os->brk - 1;
    for (uint64_t page = 0; page < pages;) {
        uint64_t first = page;
        uint8_t p = perm[page];
        while (page < pages && perm[page] == p)
            page++;
        if (!(p & MEM_MAPPED))
            continue;
        uint64_t start = first << MEM_PAGE_BITS, end = page << MEM_PAGE_BITS;
        const char *name = end == LINUX_STACK_TOP                                 ? "[stack]"
                           : start <= brk && brk < end && brk >= g->os->brk_start ? "[heap]"
                                                                                  : "";
        fprintf(out, "%08" PRIx64 "-%08" PRIx64 " %c%c%c%c 00000000 00:00 0 %26s%s\n", start, end,
                p & MEM_R ? 'r' : '-', p & MEM_W ? 'w' : '-', p & MEM_X ? 'x' : '-',
                p & (MEM_SHARED | MEM_NOWRITE) ? 's' : 'p', "", name);
    }
}

static void print_stat(const struct guest *g, FILE *out)
{
    enum { ZEROS_TO_START = 12, ZEROS_AFTER = 22 };
    fprintf(out, "%" PRIu32 " (%s) R %" PRId64 " %" PRId64 " %" PRId64 " 0 -1 4194304", g->os->pid, g->thread->name,
            sys_getppid((struct guest *)(uintptr_t)g, NULL), (int64_t)LINUX_PID, (int64_t)LINUX_PPID);
    for (int i = 0; i < ZEROS_TO_START; i++)
        fputs(i == 10 ? " 1" : i == 8 ? " 20" : " 0", out);
    fprintf(out, " 360000 %d 1 18446744073709551615", LINUX_STACK_BYTES);
    fprintf(out, " 0 0 %" PRIu64, (uint64_t)LINUX_STACK_TOP);
    for (int i = 0; i < ZEROS_AFTER; i++)
        fputs(" 0", out);
    fputc('\n', out);
}

static void print_command_line(const struct guest *g, FILE *out)
{
    fwrite(g->os->command_line, 1, g->os->command_line_bytes, out);
}

static void print_name(const struct guest *g, FILE *out) { fprintf(out, "%s\n", g->thread->name); }

int linux_open_proc(struct guest *g, const char *path)
{
    static const struct {
        const char *name;
        void (*print)(const struct guest *g, FILE *out);
    } files[] = {{"maps", print_maps}, {"stat", print_stat}, {"cmdline", print_command_line}, {"comm", print_name}};
    const char *own = own_proc(path);
    for (size_t i = 0; own != NULL && i < sizeof files / sizeof files[0]; i++) {
        if (strcmp(own, files[i].name) != 0)
            continue;
        char *text;
        size_t size_bytes;
        FILE *out = open_memstream(&text, &size_bytes);
        if (out == NULL)
            return -ENOMEM;
        files[i].print(g, out);
        fclose(out);
        int fd = memfd_create(path, MFD_CLOEXEC);
        if (fd >= 0 && (write(fd, text, size_bytes) != (ssize_t)size_bytes || lseek(fd, 0, SEEK_SET) != 0))
            (void)ftruncate(fd, 0);
        free(text);
        return fd < 0 ? -errno : fd;
    }
    return -ENOENT;
}
