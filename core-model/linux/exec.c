/* SPDX-License-Identifier: GPL-3.0-or-later */
/* execve. The new address space is built next to the old one, which is kept if the file cannot be loaded. Scripts name
 * their interpreter in the first line; files that are neither ELF nor script fail with ENOEXEC, as shells expect. */
#include "core-model/linux/linux.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core-model/linux/path.h"
#include "core-model/linux/posix_timer.h"
#include "core-model/linux/process_table.h"

/* STRING_BYTES_MAX: MAX_ARG_STRLEN, which execve(2) documents. */
enum {
    STRINGS_BYTES_MAX = LINUX_STACK_BYTES / 4,
    STRING_BYTES_MAX = 1 << 17,
    HEAD_BYTES = 256,
    SCRIPT_DEPTH = 4,
    SIG_IGNORED = 1
};

/* Arguments of execve during the search for the program. Strings and lists are owned. */
struct exec {
    struct linux_place place; /* of the file */
    char name[PATH_MAX];      /* path as given by the guest */
    char **argv, **envp;
    size_t argc;
    size_t size_bytes; /* total size of the strings */
};

static void free_strings(char **list)
{
    for (size_t i = 0; list != NULL && list[i] != NULL; i++)
        free(list[i]);
    free(list);
}

static int64_t get_strings(struct guest *g, struct exec *e, uint64_t addr, char ***out, size_t *count)
{
    char *buffer = xmalloc(STRINGS_BYTES_MAX);
    size_t n = 0;
    int64_t r = 0;
    *out = xcalloc(1, sizeof **out);
    for (; addr != 0; addr += sizeof(uint64_t)) {
        uint64_t at;
        r = linux_get(g, addr, &at, sizeof at);
        if (r < 0 || at == 0)
            break;
        r = linux_get_string(g, at, buffer, STRINGS_BYTES_MAX);
        if (r < 0)
            break;
        const size_t bytes = strlen(buffer) + 1;
        e->size_bytes += bytes + sizeof at;
        if (bytes > STRING_BYTES_MAX || e->size_bytes > STRINGS_BYTES_MAX) {
            r = -E2BIG;
            break;
        }
        *out = xrealloc(*out, (n + 2) * sizeof **out);
        (*out)[n++] = xstrdup(buffer);
        (*out)[n] = NULL;
    }
    free(buffer);
    *count = n;
    return r == -ENAMETOOLONG ? -E2BIG : r;
}

static int64_t read_head(const char *path, char *head, size_t *size_bytes)
{
    struct stat sb;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return -errno;
    int64_t r = fstat(fd, &sb) != 0 ? -errno : !S_ISREG(sb.st_mode) || access(path, X_OK) != 0 ? -EACCES : 0;
    ssize_t n = r == 0 ? pread(fd, head, HEAD_BYTES, 0) : 0;
    close(fd);
    *size_bytes = n > 0 ? (size_t)n : 0;
    return n < 0 ? -EIO : r;
}

static int64_t check_elf(const char *head, size_t size_bytes)
{
    Elf64_Ehdr e;
    if (size_bytes < sizeof e)
        return -ENOEXEC;
    memcpy(&e, head, sizeof e);
    bool ours = memcmp(e.e_ident, ELFMAG, SELFMAG) == 0 && e.e_ident[EI_CLASS] == ELFCLASS64 &&
                e.e_ident[EI_DATA] == ELFDATA2LSB && e.e_machine == EM_RISCV;
    return ours ? 0 : -ENOEXEC;
}

static void prepend(struct exec *e, const char *text)
{
    e->argv = xrealloc(e->argv, (e->argc + 2) * sizeof *e->argv);
    memmove(e->argv + 1, e->argv, (e->argc + 1) * sizeof *e->argv);
    e->argv[0] = xstrdup(text);
    e->argc++;
}

/* Finds the file e->name. */
static int64_t find_name(const struct guest *g, struct exec *e, bool follows)
{
    struct stat sb;
    snprintf(e->place.path, sizeof e->place.path, "%s", e->name);
    e->place.dir = AT_FDCWD;
    int64_t r = linux_find_place(g, follows, &e->place);
    bool is_link = r == 0 && !follows && lstat(e->place.path, &sb) == 0 && S_ISLNK(sb.st_mode);
    return is_link ? -ELOOP : r;
}

/* Follows "#! interpreter argument": the interpreter's arguments are its own argument, the script's name, and the
 * script's arguments. */
static int64_t follow_script(const struct guest *g, struct exec *e, char *line, size_t size_bytes)
{
    const bool is_cut = size_bytes == HEAD_BYTES && memchr(line, '\n', size_bytes) == NULL;
    line[size_bytes < HEAD_BYTES ? size_bytes : HEAD_BYTES - 1] = '\0';
    line[strcspn(line, "\n")] = '\0';
    char *interpreter = line + 2 + strspn(line + 2, " \t");
    size_t length = strcspn(interpreter, " \t");
    if (length == 0 || (is_cut && interpreter[length] == '\0'))
        return -ENOEXEC;
    char *argument = interpreter + length + strspn(interpreter + length, " \t");
    for (size_t n = strlen(argument); n > 0 && (argument[n - 1] == ' ' || argument[n - 1] == '\t');)
        argument[--n] = '\0';
    interpreter[length] = '\0';
    if (e->argc > 0) {
        free(e->argv[0]);
        e->argv[0] = xstrdup(e->name);
    } else {
        prepend(e, e->name);
    }
    if (argument[0] != '\0')
        prepend(e, argument);
    prepend(e, interpreter);
    snprintf(e->name, sizeof e->name, "%s", interpreter);
    return find_name(g, e, true);
}

/* Whether the process has the file open for writing. */
static bool is_written(const struct guest *g, const char *path)
{
    struct stat program, sb;
    if (stat(path, &program) != 0)
        return false;
    for (int fd = 0; fd < LINUX_FD_MAX; fd++) {
        int host = g->os->fd[fd], flags = host >= 0 ? fcntl(host, F_GETFL) : O_RDONLY;
        if (host >= 0 && (flags & O_ACCMODE) != O_RDONLY && fstat(host, &sb) == 0 && sb.st_ino == program.st_ino &&
            sb.st_dev == program.st_dev)
            return true;
    }
    return false;
}

static int64_t find_program(const struct guest *g, struct exec *e)
{
    for (int depth = 0; depth <= SCRIPT_DEPTH; depth++) {
        char head[HEAD_BYTES];
        size_t size_bytes = 0;
        int64_t r = read_head(e->place.path, head, &size_bytes);
        if (r == 0 && is_written(g, e->place.path))
            r = -ETXTBSY;
        if (r < 0)
            return r;
        if (size_bytes < 2 || head[0] != '#' || head[1] != '!')
            return check_elf(head, size_bytes);
        r = follow_script(g, e, head, size_bytes);
        if (r < 0)
            return r;
    }
    return -ELOOP;
}

static void reset_signals(struct guest *g)
{
    struct linux_state *os = g->os;
    for (int signal = 1; signal <= LINUX_SIGNAL_MAX; signal++) {
        bool ignored = os->action[signal].handler == SIG_IGNORED;
        os->action[signal] = (struct linux_sigaction){.handler = ignored ? SIG_IGNORED : 0};
    }
    memset(g->thread->altstack, 0, sizeof g->thread->altstack);
    os->has_membarrier = false;
    linux_signals_update(g);
}

static void close_on_exec(struct guest *g)
{
    for (uint64_t fd = 0; fd < LINUX_FD_MAX; fd++)
        if (g->os->fd[fd] >= 0 && g->os->fd_cloexec[fd])
            (void)sys_close(g, &fd);
    if (g->os->vfork_fd >= 0)
        close(g->os->vfork_fd);
    g->os->vfork_fd = -1;
}

/* Loads the program into a new address space with its own list of images and, on success, replaces the old one. Decoded
 * instructions are only discarded, not freed, because a core may still reference the ecall. */
static int64_t replace_image(struct guest *g, const struct exec *e)
{
    const struct guest_config config = {.path = e->place.path, .name = e->name, .argv = e->argv, .envp = e->envp};
    struct hart *h = &g->hart;
    struct memory old = h->mem;
    struct linux_state before = *g->os;
    struct guest_process process_before = *g->process;
    struct errmsg err;
    uint64_t regs[32], pc = h->pc;
    char thread_name[LINUX_NAME_BYTES];
    memcpy(thread_name, g->thread->name, sizeof thread_name);
    memcpy(regs, h->reg, sizeof regs);
    linux_quiesce_others(g);
    if (memory_init(&h->mem, &err) != ST_OK) {
        h->mem = old;
        return -ENOMEM;
    }
    memset(h->reg, 0, sizeof regs);
    g->process->image = NULL;
    g->process->images = 0;
    linux_name_program(g, &config);
    enum status st = linux_load(g, &config, &err);
    if (st != ST_OK) {
        memory_fini(&h->mem);
        linux_free_images(g->process);
        *g->process = process_before;
        free(g->os->exe);
        free(g->os->exe_inside);
        *g->os = before;
        memcpy(g->thread->name, thread_name, sizeof thread_name);
        memcpy(h->reg, regs, sizeof regs);
        h->mem = old, h->pc = pc;
        fprintf(stderr, "warning: execve: %s\n", err.text);
        return st == ST_IO ? -ENOENT : -ENOEXEC;
    }
    free(before.exe);
    free(before.exe_inside);
    memory_fini(&old);
    linux_harts_share_memory(g);
    linux_discard_code(g, 0, UINT64_C(1) << MEM_ADDRESS_BITS);
    memset(&h->reg[32], 0, 32 * sizeof h->reg[0]);
    h->fcsr = 0;
    linux_free_images(&process_before);
    g->process->programs++;
    if (g->os->is_followed)
        h->stop = HART_STOP;
    return 0;
}

/* Executes e->name with the guest's lists at the addresses lists[0] and lists[1]. */
static int64_t execute(struct guest *g, struct exec *e, bool follows, const uint64_t *lists)
{
    char head[HEAD_BYTES];
    size_t envc, size_bytes;
    int64_t r = find_name(g, e, follows);
    if (r == 0)
        r = read_head(e->place.path, head, &size_bytes); /* errors of the file precede those of the lists */
    if (r == 0)
        r = get_strings(g, e, lists[0], &e->argv, &e->argc);
    if (r == 0)
        r = get_strings(g, e, lists[1], &e->envp, &envc);
    if (r == 0 && e->argc == 0)
        prepend(e, "");
    if (r == 0)
        r = find_program(g, e);
    if (r == 0)
        r = replace_image(g, e);
    free_strings(e->argv);
    free_strings(e->envp);
    if (r < 0)
        return r;
    linux_threads_reduce(g);
    linux_process_entry(g, g->os->pid)->has_executed = 1;
    linux_publish(g);
    reset_signals(g);
    linux_posix_timers_drop(g);
    linux_shm_drop(g);
    close_on_exec(g);
    return 0;
}

int64_t sys_execve(struct guest *g, const uint64_t *a)
{
    struct exec e = {0};
    int64_t r = linux_get_string(g, a[0], e.name, sizeof e.name);
    return r < 0 ? r : e.name[0] == '\0' ? -ENOENT : execute(g, &e, true, a + 1);
}

/* As in Linux the name of a program that is given by its descriptor is /dev/fd/N, with the path behind it. */
int64_t sys_execveat(struct guest *g, const uint64_t *a)
{
    enum { KNOWN = AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW };
    struct exec e = {0};
    char path[PATH_MAX];
    const uint32_t flags = (uint32_t)a[4];
    int64_t r = linux_get_string(g, a[1], path, sizeof path);
    int dir = linux_dirfd(g, a[0]);
    if (r < 0 || (path[0] == '\0' && !(flags & AT_EMPTY_PATH)))
        return r < 0 ? r : -ENOENT;
    if (flags & ~(uint32_t)KNOWN)
        return -EINVAL;
    if (path[0] != '/' && dir == -EBADF)
        return -EBADF;
    bool by_name = path[0] == '/' || dir == AT_FDCWD;
    int n = by_name ? snprintf(e.name, sizeof e.name, "%s", path)
                    : snprintf(e.name, sizeof e.name, "/dev/fd/%d%s%s", (int)a[0], path[0] != '\0' ? "/" : "", path);
    if (n >= (int)sizeof e.name)
        return -ENAMETOOLONG;
    return execute(g, &e, !(flags & AT_SYMLINK_NOFOLLOW), a + 2);
}
