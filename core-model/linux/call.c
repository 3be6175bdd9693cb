/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Performs the system call of a thread, and prints it (--strace). Entry point: linux_perform. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core-model/linux/apart.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/signals.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/task.h"

enum { REG_A0 = 10, STRING_SHOWN = 64, ECALL_BYTES = 4 };

/* A line of --strace. It is written at once, because several processes can write to standard error. */
struct trace_line {
    FILE *stream; /* NULL: without --strace */
    char *text;   /* owned */
    size_t length;
};

static void linux_begin_line(const struct guest *g, struct trace_line *line)
{
    *line = (struct trace_line){0};
    if (g->task->strace && (line->stream = open_memstream(&line->text, &line->length)) == NULL)
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

static void trace_call(FILE *line, struct guest *g, const struct linux_row *row, uint64_t number, const uint64_t *a)
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

static void warn_absent(struct linux_task *task, const struct linux_row *row, uint64_t number)
{
    if (number < LINUX_SYSCALL_MAX) {
        uint8_t bit = (uint8_t)(1u << (number & 7));
        if (task->warned[number / 8] & bit)
            return;
        task->warned[number / 8] |= bit;
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
    struct linux_thread *t = g->thread;
    uint64_t number = t->call.number;
    const struct linux_row *row = t->call.row;
    bool resumed = t->waits, is_return = row->perform == sys_rt_sigreturn; /* its result is the restored a0 */
    int64_t r = -ENOSYS;
    struct trace_line line;
    linux_begin_line(g, &line);
    if (line.stream != NULL && !resumed)
        trace_call(line.stream, g, row, number, t->call.a);
    if (row->perform != NULL)
        r = row->perform(g, t->call.a);
    else if (row->about.state != CALL_DECLINED)
        warn_absent(g->task, row, number);
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
