/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scripts name their interpreter in the first line. Source: execve(2); Linux fs/binfmt_script.c, fs/exec.c. */
#include "core-model/linux/program.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core-model/linux/alias.h"
#include "core-model/linux/files.h"
#include "core-model/linux/path.h"
#include "core-model/linux/syscall.h"

enum { SCRIPT_DEPTH = 5 };

void linux_program_free_strings(char **list)
{
    for (size_t i = 0; list != NULL && list[i] != NULL; i++)
        free(list[i]);
    free(list);
}

void linux_program_prepend(struct linux_program *p, const char *text)
{
    p->argv = xrealloc(p->argv, (p->argc + 2) * sizeof *p->argv);
    memmove(p->argv + 1, p->argv, p->argc * sizeof *p->argv);
    p->argv[0] = xstrdup(text);
    p->argv[++p->argc] = NULL;
}

static int64_t linux_program_read_head(struct linux_program *p)
{
    struct stat sb;
    const char *path = p->place.path;
    memset(p->head, 0, sizeof p->head);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return -errno;
    int64_t r = fstat(fd, &sb) != 0 ? -errno : !S_ISREG(sb.st_mode) || access(path, X_OK) != 0 ? -EACCES : 0;
    ssize_t n = r == 0 ? pread(fd, p->head, sizeof p->head, 0) : 0;
    close(fd);
    p->head_bytes = n > 0 ? (size_t)n : 0;
    return n < 0 ? -EIO : r;
}

static int64_t check_elf(const struct linux_program *p)
{
    Elf64_Ehdr e;
    if (p->head_bytes < sizeof e)
        return -ENOEXEC;
    memcpy(&e, p->head, sizeof e);
    bool ours = memcmp(e.e_ident, ELFMAG, SELFMAG) == 0 && e.e_ident[EI_CLASS] == ELFCLASS64 &&
                e.e_ident[EI_DATA] == ELFDATA2LSB && e.e_machine == EM_RISCV;
    return ours ? 0 : -ENOEXEC;
}

/* Finds the file of this name and reads its head. */
static int64_t linux_program_open_name(const struct guest *g, struct linux_program *p, const char *name, bool follows)
{
    struct stat sb;
    snprintf(p->place.path, sizeof p->place.path, "%s", name[0] != '\0' ? name : ".");
    if (name[0] == '\0')
        return -EACCES; /* of the interpreter: the working folder */
    p->place.dir = AT_FDCWD;
    int64_t r = linux_find_place(g, follows, &p->place);
    if (r == 0 && !follows && lstat(p->place.path, &sb) == 0 && S_ISLNK(sb.st_mode))
        r = -ELOOP;
    return r < 0 ? r : linux_program_read_head(p);
}

int64_t linux_program_open(const struct guest *g, struct linux_program *p, bool follows)
{
    return linux_program_open_name(g, p, p->called, follows);
}

static bool is_script(const struct linux_program *p) { return p->head[0] == '#' && p->head[1] == '!'; }

static bool linux_program_is_blank(char c) { return c == ' ' || c == '\t'; }

static char *linux_program_skip_blanks(char *from, const char *end)
{
    while (from < end && linux_program_is_blank(*from))
        from++;
    return from;
}

/* The end of a word: a blank or a zero; `end` if there is none. */
static char *skip_word(char *from, const char *end)
{
    while (from < end && !linux_program_is_blank(*from) && *from != '\0')
        from++;
    return from;
}

/* Finds interpreter and argument in the head of a script; `argument` NULL: there is none. -ENOEXEC: the line has no
 * interpreter, or its name may not end in the head. */
static int64_t parse_script(char *head, char **interpreter, char **argument)
{
    char *last = head + LINUX_HEAD_BYTES - 1, *end = memchr(head, '\n', LINUX_HEAD_BYTES);
    if (end == NULL) {
        char *word = linux_program_skip_blanks(head + 2, last + 1);
        if (word > last || skip_word(word, last + 1) > last)
            return -ENOEXEC;
        end = last;
    }
    while (linux_program_is_blank(end[-1]))
        end--;
    char *name = linux_program_skip_blanks(head + 2, end);
    if (name >= end)
        return -ENOEXEC;
    *end = '\0';
    char *name_end = skip_word(name, end);
    *argument = *name_end != '\0' ? linux_program_skip_blanks(name_end, end) : NULL;
    *name_end = '\0';
    *interpreter = name;
    return 0;
}

/* Follows "#! interpreter argument": the interpreter's arguments are its own argument, the name of the script, and the
 * arguments of the script. `name` is that of the script, and then that of the interpreter. */
static int64_t follow_script(const struct guest *g, struct linux_program *p, char *name)
{
    char *interpreter = NULL, *argument = NULL;
    int64_t r = parse_script(p->head, &interpreter, &argument);
    if (r < 0 || p->vanishes)
        return r < 0 ? r : -ENOENT;
    free(p->argv[0]);
    p->argv[0] = xstrdup(name);
    if (argument != NULL)
        linux_program_prepend(p, argument);
    linux_program_prepend(p, interpreter);
    snprintf(name, PATH_MAX, "%s", interpreter);
    return linux_program_open_name(g, p, name, true);
}

/* A file in memory is no written one in Linux, although its descriptor writes. */
static bool is_in_memory(int host_fd)
{
    char name[PATH_MAX];
    return linux_descriptor_name(host_fd, name) > 0 && strncmp(name, "/memfd:", strlen("/memfd:")) == 0;
}

/* Whether the process has the file open for writing. */
static bool is_written(const struct guest *g, const char *path)
{
    struct stat program, sb;
    if (stat(path, &program) != 0)
        return false;
    for (int fd = 0; fd < LINUX_FD_MAX; fd++) {
        int host = g->files->fd[fd], flags = host >= 0 ? fcntl(host, F_GETFL) : O_RDONLY;
        if (host >= 0 && (flags & O_ACCMODE) != O_RDONLY && fstat(host, &sb) == 0 && sb.st_ino == program.st_ino &&
            sb.st_dev == program.st_dev && !is_in_memory(host))
            return true;
    }
    return false;
}

int64_t linux_program_find(const struct guest *g, struct linux_program *p)
{
    char name[PATH_MAX];
    strcpy(name, p->called);
    for (int depth = 0; depth <= SCRIPT_DEPTH; depth++) {
        if (is_written(g, p->place.path))
            return -ETXTBSY;
        if (!is_script(p))
            return check_elf(p);
        int64_t r = follow_script(g, p, name);
        if (r < 0)
            return r;
    }
    return -ELOOP;
}

/* The guest's name of the file that the user has given: in its folder, as symbolic links are called by their names. */
static void name_first(const struct guest *g, const struct guest_config *config, char *name)
{
    const char *slash = strrchr(config->path, '/'), *base = slash != NULL ? slash + 1 : config->path;
    char folder[PATH_MAX];
    snprintf(name, PATH_MAX, "%s", config->path);
    if (config->names == GUEST_NAMES_HOST)
        return;
    snprintf(folder, sizeof folder, "%.*s", slash != NULL ? (int)(slash - config->path) + 1 : 1,
             slash != NULL ? config->path : ".");
    char *real = realpath(folder, NULL);
    if (real == NULL)
        return;
    snprintf(folder, sizeof folder, "%s", g->names->alias.folder != NULL ? LINUX_ALIAS_FOLDER : real);
    linux_name_guest(g, folder);
    if (snprintf(name, PATH_MAX, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder, base) >= PATH_MAX)
        snprintf(name, PATH_MAX, "%s", config->path);
    free(real);
}

int64_t linux_program_begin(const struct guest *g, const struct guest_config *config, struct linux_program *p)
{
    name_first(g, config, p->called);
    for (size_t n = 0; config->argv != NULL && config->argv[n] != NULL; n++)
        p->argc++;
    p->argv = xcalloc(p->argc + 1, sizeof *p->argv);
    for (size_t n = 0; n < p->argc; n++)
        p->argv[n] = xstrdup(n == 0 ? p->called : config->argv[n]);
    int64_t r = linux_program_open(g, p, true);
    if (r != 0 || !is_script(p))
        return 1;
    if (p->argc == 0)
        linux_program_prepend(p, "");
    return linux_program_find(g, p);
}
