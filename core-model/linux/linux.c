/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls: dispatch by syscall.def, --strace, and functions shared by all handlers. Entry point: guest_syscall.
 * Source: Linux, Documentation/arch/riscv and include/uapi/asm-generic. */
#include "core-model/linux/linux.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core-model/linux/calls.h"

enum { REG_A0 = 10, REG_A7 = 17, STRING_SHOWN = 64, ECALL_BYTES = 4 };

struct syscall_row {
    struct guest_call about;
    const char *arguments;
    int64_t (*perform)(struct guest *g, const uint64_t *a);
};

static int64_t deny(struct guest *g, const uint64_t *a)
{
    (void)g, (void)a;
    return -EPERM;
}

static const struct syscall_row rows[LINUX_SYSCALL_MAX] = {
#define SYSCALL(number, name, arguments) [number] = {{number, #name, CALL_SUPPORTED, ""}, arguments, sys_##name},
#define LIMITED(number, name, arguments, note) [number] = {{number, #name, CALL_LIMITED, note}, arguments, sys_##name},
#define DENIED(number, name) [number] = {{number, #name, CALL_DENIED, ""}, "xxxxxx", deny},
#define DECLINED(number, name, note) [number] = {{number, #name, CALL_DECLINED, note}, "xxxxxx", NULL},
#define ABSENT(number, name) [number] = {{number, #name, CALL_ABSENT, ""}, "xxxxxx", NULL},
#include "core-model/linux/syscall.def"
#undef SYSCALL
#undef LIMITED
#undef DENIED
#undef DECLINED
#undef ABSENT
};

const char *const guest_call_states[] = {
    [CALL_SUPPORTED] = "supported", [CALL_LIMITED] = "limited", [CALL_DENIED] = "denied",
    [CALL_DECLINED] = "declined",   [CALL_ABSENT] = "absent",
};

const struct guest_call *guest_next_call(const struct guest_call *call)
{
    for (unsigned i = call != NULL ? call->number + 1 : 0; i < LINUX_SYSCALL_MAX; i++)
        if (rows[i].about.name != NULL)
            return &rows[i].about;
    return NULL;
}

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
    if (size_bytes == 0)
        return 0;
    bool done = linux_memory(g, addr, size_bytes, MEM_W) != NULL && memory_write(&g->hart.mem, addr, data, size_bytes);
    return done ? 0 : -EFAULT;
}

int64_t linux_get(struct guest *g, uint64_t addr, void *data, size_t size_bytes)
{
    if (size_bytes == 0)
        return 0;
    bool done = linux_memory(g, addr, size_bytes, MEM_R) != NULL && memory_read(&g->hart.mem, addr, data, size_bytes);
    return done ? 0 : -EFAULT;
}

int64_t linux_get_string(struct guest *g, uint64_t addr, char *path, size_t size_bytes)
{
    for (size_t i = 0; i < size_bytes; i++) {
        if (!memory_allows(&g->hart.mem, addr + i, 1, MEM_R) || !memory_read(&g->hart.mem, addr + i, &path[i], 1))
            return -EFAULT;
        if (path[i] == '\0')
            return 0;
    }
    return -ENAMETOOLONG;
}

int64_t linux_result(int64_t r) { return r < 0 ? -errno : r; }

uint64_t linux_random(struct linux_state *os) { return random_bits(&os->random); }

void linux_random_bytes(struct linux_state *os, void *p, uint64_t size_bytes)
{
    uint8_t *bytes = p;
    for (uint64_t i = 0; i < size_bytes; i++)
        bytes[i] = (uint8_t)linux_random(os);
}

/* A line of --strace. It is written at once, because several processes can write to standard error. */
struct trace_line {
    FILE *stream; /* NULL: without --strace */
    char *text;   /* owned */
    size_t length;
};

static void linux_begin_line(const struct guest *g, struct trace_line *line)
{
    *line = (struct trace_line){0};
    if (g->os->strace && (line->stream = open_memstream(&line->text, &line->length)) == NULL)
        out_of_memory();
}

static void linux_end_line(struct trace_line *line)
{
    if (line->stream == NULL)
        return;
    fclose(line->stream);
    fwrite(line->text, 1, line->length, stderr);
    free(line->text);
}

static void print_string(FILE *line, struct guest *g, uint64_t addr)
{
    char s[STRING_SHOWN + 1];
    int64_t r = linux_get_string(g, addr, s, sizeof s);
    if (r == -EFAULT) {
        fprintf(line, "0x%" PRIx64, addr);
        return;
    }
    s[STRING_SHOWN] = '\0';
    fputc('"', line);
    for (const char *p = s; *p != '\0'; p++) {
        if (*p < ' ' || *p == '"' || *p == '\\' || *p == 127)
            fprintf(line, "\\%03o", (unsigned char)*p);
        else
            fputc(*p, line);
    }
    fputs(r == 0 ? "\"" : "\"...", line);
}

static void linux_print_argument(FILE *line, struct guest *g, char kind, uint64_t value)
{
    enum { GUEST_AT_FDCWD = -100 };
    switch (kind) {
    case 's':
        print_string(line, g, value);
        break;
    case 'f':
        if ((int32_t)value == GUEST_AT_FDCWD)
            fputs("AT_FDCWD", line);
        else
            fprintf(line, "%" PRId32, (int32_t)value);
        break;
    case 'o':
        fprintf(line, "0%" PRIo64, value);
        break;
    case 'd':
        fprintf(line, "%" PRId64, (int64_t)value);
        break;
    case 'p':
        fprintf(line, value == 0 ? "NULL" : "0x%" PRIx64, value);
        break;
    default:
        fprintf(line, "0x%" PRIx64, value);
        break;
    }
}

static void trace_call(FILE *line, struct guest *g, const struct syscall_row *row, uint64_t number, const uint64_t *a)
{
    if (row->about.name == NULL)
        fprintf(line, "%" PRIu32 " syscall_%" PRIu64 "(", g->thread->tid, number);
    else
        fprintf(line, "%" PRIu32 " %s(", g->thread->tid, row->about.name);
    const char *arguments = row->arguments != NULL ? row->arguments : "xxxxxx";
    for (size_t i = 0; arguments[i] != '\0'; i++) {
        if (i > 0)
            fputc(',', line);
        linux_print_argument(line, g, arguments[i], a[i]);
    }
    fputc(')', line);
}

static void trace_result(FILE *line, int64_t r)
{
    if (r < 0 && r > -4096)
        fprintf(line, " = -1 errno=%" PRId64 " (%s)\n", -r, strerror((int)-r));
    else if (r >= 0 && r < 4096)
        fprintf(line, " = %" PRId64 "\n", r);
    else
        fprintf(line, " = 0x%" PRIx64 "\n", (uint64_t)r);
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
            row->about.name != NULL ? row->about.name : "unknown");
}

/* The result of a call goes to a0; an interrupted call may be repeated after the signal's handler. */
static void linux_finish(struct guest *g, struct trace_line *line, int64_t r, bool may_restart)
{
    struct linux_thread *t = g->thread;
    struct hart *h = &g->hart;
    free(t->wait.fds);
    t->wait = (struct linux_wait){0};
    t->waits = false;
    t->call.done = 0;
    linux_apart_drop(t->call.apart);
    t->call.apart = NULL;
    if (r == -LINUX_RESTART && may_restart) {
        bool again = linux_restarts(g);
        r = again ? (int64_t)t->call.a[0] : -EINTR;
        h->pc -= again ? ECALL_BYTES : 0;
    }
    h->reg[REG_A0] = (uint64_t)r;
    if (line->stream != NULL)
        trace_result(line->stream, r);
    linux_end_line(line);
}

void linux_perform(struct guest *g)
{
    static const struct syscall_row unknown = {0};
    struct linux_thread *t = g->thread;
    uint64_t number = t->call.number;
    const struct syscall_row *row = number < LINUX_SYSCALL_MAX ? &rows[number] : &unknown;
    bool resumed = t->waits, is_return = row->perform == sys_rt_sigreturn; /* its result is the restored a0 */
    int64_t r = -ENOSYS;
    struct trace_line line;
    linux_begin_line(g, &line);
    if (line.stream != NULL && !resumed)
        trace_call(line.stream, g, row, number, t->call.a);
    if (row->perform != NULL)
        r = row->perform(g, t->call.a);
    else if (row->about.state != CALL_DECLINED)
        warn_absent(g->os, row, number);
    if (r == -LINUX_BLOCK && !is_return) {
        if (line.stream != NULL && !resumed)
            fputs(" <unfinished ...>\n", line.stream);
        linux_end_line(&line);
        t->waits = true;
        return;
    }
    if (line.stream != NULL && resumed)
        fprintf(line.stream, "%" PRIu32 " <... %s resumed>", t->tid, row->about.name);
    linux_finish(g, &line, r, !is_return);
}

void guest_syscall(struct guest *g)
{
    struct hart *h = &g->hart;
    struct linux_thread *t = g->thread;
    bool repeats = t->call.number == h->reg[REG_A7] && memcmp(t->call.a, &h->reg[REG_A0], sizeof t->call.a) == 0;
    if (t->call.apart != NULL && !repeats) { /* left by a call that the end of the run had interrupted */
        linux_apart_drop(t->call.apart);
        t->call.apart = NULL;
    }
    t->call.number = h->reg[REG_A7];
    memcpy(t->call.a, &h->reg[REG_A0], sizeof t->call.a);
    h->pc += ECALL_BYTES;
    h->reservation = UINT64_MAX; /* Linux clears the reservation on return to user mode */
    linux_perform(g);
    linux_schedule(g);
}

bool guest_flushes_code(const struct hart *h)
{
    const uint64_t number = h->reg[REG_A7];
    return number < LINUX_SYSCALL_MAX && rows[number].perform == sys_riscv_flush_icache &&
           linux_accepts_flush(h->reg[REG_A0 + 2]);
}
