/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls: dispatch by syscall.def, --strace, and functions shared by all handlers. Entry point: guest_syscall.
 * Source: Linux, Documentation/arch/riscv and include/uapi/asm-generic. */
#include "core-model/linux/linux.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core-model/linux/file_tail.h"

enum { REG_A0 = 10, REG_A7 = 17, STRING_SHOWN = 64, ECALL_BYTES = 4 };

struct syscall_row {
    const char *name;
    const char *arguments;
    int64_t (*perform)(struct guest *g, const uint64_t *a);
    bool declined;
};

static const struct syscall_row rows[LINUX_SYSCALL_MAX] = {
#define SYSCALL(number, name, arguments) [number] = {#name, arguments, sys_##name, false},
#define ABSENT(number, name) [number] = {#name, "xxxxxx", NULL, false},
#define DECLINED(number, name) [number] = {#name, "xxxxxx", NULL, true},
#include "core-model/linux/syscall.def"
#undef SYSCALL
#undef ABSENT
#undef DECLINED
};

void *linux_memory(struct guest *g, uint64_t addr, uint64_t size_bytes, unsigned need)
{
    if (size_bytes == 0)
        return g->hart.mem.base;
    if (!memory_allows_slow(&g->hart.mem, addr, size_bytes, need))
        return NULL;
    return memory_at(&g->hart.mem, addr);
}

int64_t linux_put(struct guest *g, uint64_t addr, const void *data, size_t size_bytes)
{
    void *p = linux_memory(g, addr, size_bytes, MEM_W);
    if (p == NULL)
        return -EFAULT;
    memcpy(p, data, size_bytes);
    return 0;
}

int64_t linux_get(struct guest *g, uint64_t addr, void *data, size_t size_bytes)
{
    const void *p = linux_memory(g, addr, size_bytes, MEM_R);
    if (p == NULL)
        return -EFAULT;
    memcpy(data, p, size_bytes);
    return 0;
}

int64_t linux_get_string(struct guest *g, uint64_t addr, char *path, size_t size_bytes)
{
    for (size_t i = 0; i < size_bytes; i++) {
        if (!memory_allows(&g->hart.mem, addr + i, 1, MEM_R))
            return -EFAULT;
        path[i] = (char)*memory_at(&g->hart.mem, addr + i);
        if (path[i] == '\0')
            return 0;
    }
    return -ENAMETOOLONG;
}

void linux_apply_sysroot(const struct linux_state *os, char *path)
{
    char prefixed[2 * PATH_MAX];
    if (os->sysroot == NULL || path[0] != '/')
        return;
    snprintf(prefixed, sizeof prefixed, "%s%s", os->sysroot, path);
    if (strlen(prefixed) < PATH_MAX && access(prefixed, F_OK) == 0)
        strcpy(path, prefixed);
}

/* Absolute symbolic links in the sysroot are relative to the sysroot. */
void linux_follow_sysroot(const struct linux_state *os, char *path)
{
    enum { LINKS_MAX = 8 };
    char prefixed[2 * PATH_MAX], target[PATH_MAX];
    if (os->sysroot == NULL || path[0] != '/')
        return;
    snprintf(target, sizeof target, "%s", path);
    for (int links = 0; links <= LINKS_MAX; links++) {
        int length = snprintf(prefixed, sizeof prefixed, "%s%s", os->sysroot, target);
        ssize_t n = readlink(prefixed, target, sizeof target - 1);
        if (n <= 0 || target[0] != '/') {
            if (length < PATH_MAX && access(prefixed, F_OK) == 0)
                strcpy(path, prefixed);
            return;
        }
        target[n] = '\0';
    }
}

int64_t linux_get_path(struct guest *g, uint64_t addr, char *path)
{
    int64_t r = linux_get_string(g, addr, path, PATH_MAX);
    if (r < 0)
        return r;
    char own[32];
    snprintf(own, sizeof own, "/proc/%" PRIu32 "/exe", g->os->pid);
    if ((strcmp(path, "/proc/self/exe") == 0 || strcmp(path, own) == 0) && strlen(g->os->exe) < PATH_MAX) {
        strcpy(path, g->os->exe);
        return 0;
    }
    if (strncmp(path, "/proc/", 6) == 0 || strncmp(path, "/dev/", 5) == 0)
        linux_translate_proc_path(g->os, path);
    linux_apply_sysroot(g->os, path);
    return 0;
}

int64_t linux_result(int64_t r) { return r < 0 ? -errno : r; }

uint64_t linux_random(struct linux_state *os) { return random_bits(&os->random); }

void linux_random_bytes(struct linux_state *os, void *p, uint64_t size_bytes)
{
    uint8_t *bytes = p;
    for (uint64_t i = 0; i < size_bytes; i++)
        bytes[i] = (uint8_t)linux_random(os);
}

static void print_string(struct guest *g, uint64_t addr)
{
    char s[STRING_SHOWN + 1];
    int64_t r = linux_get_string(g, addr, s, sizeof s);
    if (r == -EFAULT) {
        fprintf(stderr, "0x%" PRIx64, addr);
        return;
    }
    s[STRING_SHOWN] = '\0';
    fputc('"', stderr);
    for (const char *p = s; *p != '\0'; p++) {
        if (*p < ' ' || *p == '"' || *p == '\\' || *p == 127)
            fprintf(stderr, "\\%03o", (unsigned char)*p);
        else
            fputc(*p, stderr);
    }
    fputs(r == 0 ? "\"" : "\"...", stderr);
}

static void print_argument(struct guest *g, char kind, uint64_t value)
{
    enum { GUEST_AT_FDCWD = -100 };
    switch (kind) {
    case 's':
        print_string(g, value);
        break;
    case 'f':
        if ((int32_t)value == GUEST_AT_FDCWD)
            fputs("AT_FDCWD", stderr);
        else
            fprintf(stderr, "%" PRId32, (int32_t)value);
        break;
    case 'o':
        fprintf(stderr, "0%" PRIo64, value);
        break;
    case 'd':
        fprintf(stderr, "%" PRId64, (int64_t)value);
        break;
    case 'p':
        fprintf(stderr, value == 0 ? "NULL" : "0x%" PRIx64, value);
        break;
    default:
        fprintf(stderr, "0x%" PRIx64, value);
        break;
    }
}

static void trace_call(struct guest *g, const struct syscall_row *row, uint64_t number, const uint64_t *a)
{
    if (row->name == NULL)
        fprintf(stderr, "%" PRIu32 " syscall_%" PRIu64 "(", g->thread->tid, number);
    else
        fprintf(stderr, "%" PRIu32 " %s(", g->thread->tid, row->name);
    const char *arguments = row->arguments != NULL ? row->arguments : "xxxxxx";
    for (size_t i = 0; arguments[i] != '\0'; i++) {
        if (i > 0)
            fputc(',', stderr);
        print_argument(g, arguments[i], a[i]);
    }
    fputc(')', stderr);
}

static void trace_result(int64_t r)
{
    if (r < 0 && r > -4096)
        fprintf(stderr, " = -1 errno=%" PRId64 " (%s)\n", -r, strerror((int)-r));
    else if (r >= 0 && r < 4096)
        fprintf(stderr, " = %" PRId64 "\n", r);
    else
        fprintf(stderr, " = 0x%" PRIx64 "\n", (uint64_t)r);
}

static void warn_absent(struct linux_state *os, const struct syscall_row *row, uint64_t number)
{
    if (number < LINUX_SYSCALL_MAX) {
        uint8_t bit = (uint8_t)(1u << (number & 7));
        if (os->warned[number / 8] & bit)
            return;
        os->warned[number / 8] |= bit;
    }
    fprintf(stderr, "warning: system call %" PRIu64 " (%s) is not supported: ENOSYS\n", number,
            row->name != NULL ? row->name : "unknown");
}

/* The result of a call goes to a0; an interrupted call may be repeated after the signal's handler. */
static void finish(struct guest *g, int64_t r, bool may_restart)
{
    struct linux_thread *t = g->thread;
    struct hart *h = &g->hart;
    free(t->wait.fds);
    t->wait = (struct linux_wait){0};
    t->waits = false;
    t->call.done = 0;
    if (r == -LINUX_RESTART && may_restart) {
        bool again = linux_restarts(g);
        r = again ? (int64_t)t->call.a[0] : -EINTR;
        h->pc -= again ? ECALL_BYTES : 0;
    }
    h->reg[REG_A0] = (uint64_t)r;
    if (g->os->strace)
        trace_result(r);
}

void linux_perform(struct guest *g)
{
    static const struct syscall_row unknown = {0};
    struct linux_thread *t = g->thread;
    uint64_t number = t->call.number;
    const struct syscall_row *row = number < LINUX_SYSCALL_MAX ? &rows[number] : &unknown;
    bool resumed = t->waits, is_return = row->perform == sys_rt_sigreturn; /* its result is the restored a0 */
    int64_t r = -ENOSYS;
    if (g->os->strace && !resumed)
        trace_call(g, row, number, t->call.a);
    if (row->perform != NULL)
        r = row->perform(g, t->call.a);
    else if (!row->declined)
        warn_absent(g->os, row, number);
    linux_tails_update(g);
    if (r == -LINUX_BLOCK && !is_return) {
        if (g->os->strace && !resumed)
            fputs(" <unfinished ...>\n", stderr);
        t->waits = true;
        return;
    }
    if (g->os->strace && resumed)
        fprintf(stderr, "%" PRIu32 " <... %s resumed>", t->tid, row->name);
    finish(g, r, !is_return);
}

void guest_syscall(struct guest *g)
{
    struct hart *h = &g->hart;
    struct linux_thread *t = g->thread;
    t->call.number = h->reg[REG_A7];
    memcpy(t->call.a, &h->reg[REG_A0], sizeof t->call.a);
    h->pc += ECALL_BYTES;
    h->reservation = UINT64_MAX; /* Linux clears the reservation on return to user mode */
    linux_perform(g);
    linux_schedule(g);
}
