/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of a process and of a thread in /proc whose contents are the guest's: linux_proc_open. The contents are those
 * at the time of opening. Of another process they are what that process has published (process_table.h). Source:
 * proc(5); Linux fs/proc/array.c. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core-model/linux/clock.h"
#include "core-model/linux/files.h"
#include "core-model/linux/proc_facts.h"
#include "core-model/linux/proc_maps.h"
#include "core-model/linux/process_table.h"
#include "core-model/linux/procfs.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/task.h"
#include "core-model/linux/thread.h"
#include "core-model/riscv/memory_guard.h"

enum { KIB = 1024, TICK_NS = 1000000000 / LINUX_CLOCK_TICKS, LINE_BYTES = 4096 };

static void print_maps(const struct proc_view *v, FILE *out) { linux_print_maps(v->g, out); }

static void print_statm(const struct proc_view *v, FILE *out)
{
    const struct linux_sizes *s = &v->facts->sizes;
    const uint64_t page = MEM_PAGE_BYTES;
    fprintf(out, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " 0 %" PRIu64 " 0\n", s->all / page, s->resident / page,
            s->shared / page, s->code / page, (s->data + s->stack) / page);
}

static void print_numbers(FILE *out, const int64_t *number, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fprintf(out, " %" PRId64, number[i]);
}

/* The fields are those of proc(5), from the third on. All processor time is user time. */
static void proc_file_print_stat(const struct proc_view *v, FILE *out)
{
    enum { FLAGS = 0x400000, EXIT_SIGNAL = 17, NORMAL_PRIORITY = 20 };
    const struct linux_facts *f = v->facts;
    const int64_t priority = f->priority > 0 ? -1 - f->priority : NORMAL_PRIORITY + f->nice;
    const int64_t first[] = {f->parent, f->group, f->session, 0, -1, FLAGS};
    const int64_t times[] = {0,
                             0,
                             0,
                             0,
                             (int64_t)(f->cpu_ns / TICK_NS),
                             0,
                             (int64_t)(f->children_ns / TICK_NS),
                             0,
                             priority,
                             f->nice,
                             f->threads,
                             0,
                             (int64_t)(f->start_ns / TICK_NS),
                             (int64_t)f->sizes.all,
                             (int64_t)f->sizes.resident / MEM_PAGE_BYTES};
    const int64_t last[] = {EXIT_SIGNAL, f->processor, f->priority, f->policy, 0, 0, 0};
    const uint64_t addresses[] = {
        f->image_start,         f->brk_start,           f->stack_start,        0, 0, f->pending & INT32_MAX,
        f->blocked & INT32_MAX, f->ignored & INT32_MAX, f->caught & INT32_MAX, 0, 0, 0};
    const uint64_t ends[] = {0, 0, f->brk_start, f->arg_start, f->arg_end, f->arg_end, f->env_end, 0};
    fprintf(out, "%" PRIu32 " (%s) %c", f->number, f->name, f->state);
    print_numbers(out, first, sizeof first / sizeof first[0]);
    print_numbers(out, times, sizeof times / sizeof times[0]);
    fputs(" 18446744073709551615", out);
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++)
        fprintf(out, " %" PRIu64, addresses[i]);
    print_numbers(out, last, sizeof last / sizeof last[0]);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        fprintf(out, " %" PRIu64, ends[i]);
    fputc('\n', out);
}

static void proc_file_print_name(const struct proc_view *v, FILE *out) { fprintf(out, "%s\n", v->facts->name); }

static void print_personality(const struct proc_view *v, FILE *out)
{
    fprintf(out, "%08" PRIx32 "\n", v->facts->personality);
}

/* Lines of the host's file that are the same for the guest: its user, groups and privileges. */
static void copy_line(const struct proc_view *v, const char *key, FILE *out)
{
    char line[LINE_BYTES], path[64] = "/proc/self/status";
    size_t length = strlen(key);
    if (v->is_other)
        snprintf(path, sizeof path, "/proc/%d/status", linux_host_pid(v->g, v->facts->pid));
    FILE *f = fopen(path, "re");
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (strncmp(line, key, length) == 0 && line[length] == ':')
            fputs(line, out);
    if (f != NULL)
        fclose(f);
}

static void print_memory_lines(const struct linux_sizes *s, FILE *out)
{
    const struct {
        const char *key;
        uint64_t bytes;
    } lines[] = {{"VmPeak", s->all},
                 {"VmSize", s->all},
                 {"VmLck", 0},
                 {"VmPin", 0},
                 {"VmHWM", s->resident},
                 {"VmRSS", s->resident},
                 {"RssAnon", s->resident - s->shared},
                 {"RssFile", 0},
                 {"RssShmem", s->shared},
                 {"VmData", s->data},
                 {"VmStk", s->stack},
                 {"VmExe", s->code},
                 {"VmLib", 0},
                 {"VmPTE", 0},
                 {"VmSwap", 0}};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        fprintf(out, "%s:\t%8" PRIu64 " kB\n", lines[i].key, lines[i].bytes / KIB);
}

static void print_signal_lines(const struct linux_facts *f, FILE *out)
{
    const struct {
        const char *key;
        uint64_t set;
    } lines[] = {{"SigPnd", f->pending},
                 {"ShdPnd", f->shared_pending},
                 {"SigBlk", f->blocked},
                 {"SigIgn", f->ignored},
                 {"SigCgt", f->caught}};
    fprintf(out, "Threads:\t%" PRIu32 "\nSigQ:\t%" PRIu64 "/%d\n", f->threads, f->queued, PENDING_MAX);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        fprintf(out, "%s:\t%016" PRIx64 "\n", lines[i].key, lines[i].set);
}

static const char *state_in_words(char state)
{
    return state == 'R' ? "R (running)" : state == 'T' ? "T (stopped)" : state == 'Z' ? "Z (zombie)" : "S (sleeping)";
}

static void print_status(const struct proc_view *v, FILE *out)
{
    static const char *const user[] = {"Uid", "Gid"};
    static const char *const rights[] = {"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"};
    const struct linux_facts *f = v->facts;
    fprintf(out, "Name:\t%s\nUmask:\t%04" PRIo32 "\nState:\t%s\nTgid:\t%" PRIu32 "\nNgid:\t0\nPid:\t%" PRIu32, f->name,
            f->umask, state_in_words(f->state), f->pid, f->number);
    fprintf(out, "\nPPid:\t%" PRIu32 "\nTracerPid:\t0\n", f->parent);
    for (size_t i = 0; i < sizeof user / sizeof user[0]; i++)
        copy_line(v, user[i], out);
    fprintf(out, "FDSize:\t%d\n", LINUX_FD_MAX);
    copy_line(v, "Groups", out);
    if (f->state != 'Z')
        print_memory_lines(&f->sizes, out);
    print_signal_lines(f, out);
    for (size_t i = 0; i < sizeof rights / sizeof rights[0]; i++)
        copy_line(v, rights[i], out);
    fprintf(out, "NoNewPrivs:\t%d\nSeccomp:\t0\nCpus_allowed:\t%" PRIx64 "\nCpus_allowed_list:\t", f->no_new_privileges,
            f->affinity);
    linux_print_processors(out, f->affinity);
    fputs("\nMems_allowed:\t1\nMems_allowed_list:\t0\nvoluntary_ctxt_switches:\t0\nnonvoluntary_ctxt_switches:\t0\n",
          out);
}

static void print_limits(const struct proc_view *v, FILE *out)
{
    static const struct {
        const char *name, *unit;
    } rows[] = {{"cpu time", "seconds"},    {"file size", "bytes"},      {"data size", "bytes"},
                {"stack size", "bytes"},    {"core file size", "bytes"}, {"resident set", "bytes"},
                {"processes", "processes"}, {"open files", "files"},     {"locked memory", "bytes"},
                {"address space", "bytes"}, {"file locks", "locks"},     {"pending signals", "signals"},
                {"msgqueue size", "bytes"}, {"nice priority", ""},       {"realtime priority", ""},
                {"realtime timeout", "us"}};
    fprintf(out, "%-25s %-20s %-20s %-10s\n", "Limit", "Soft Limit", "Hard Limit", "Units");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint64_t limit[] = {v->facts->limit[i].now, v->facts->limit[i].most};
        char name[32];
        snprintf(name, sizeof name, "Max %s", rows[i].name);
        fprintf(out, "%-25s ", name);
        for (int k = 0; k < 2; k++)
            if (limit[k] == UINT64_MAX)
                fprintf(out, "%-20s ", "unlimited");
            else
                fprintf(out, "%-20" PRIu64 " ", limit[k]);
        fprintf(out, rows[i].unit[0] != '\0' ? "%-10s\n" : "%s\n", rows[i].unit);
    }
}

/* A text as in memory, without an end. */
static void proc_file_print_text(const struct proc_view *v, enum linux_text text, FILE *out)
{
    const size_t room = v->is_other ? LINUX_TEXT_BYTES : LINUX_STACK_BYTES;
    char *copy = xmalloc(room);
    int64_t size_bytes = v->is_other ? linux_read_text(v->g, v->facts->pid, text, copy, room)
                                     : (int64_t)linux_fill_text(v->g, text, copy, room);
    if (size_bytes > 0 && v->facts->state != 'Z')
        fwrite(copy, 1, (size_t)size_bytes, out);
    free(copy);
}

static void proc_file_print_command_line(const struct proc_view *v, FILE *out)
{
    proc_file_print_text(v, TEXT_COMMAND_LINE, out);
}
static void proc_file_print_environment(const struct proc_view *v, FILE *out)
{
    proc_file_print_text(v, TEXT_ENVIRONMENT, out);
}
static void print_auxiliary(const struct proc_view *v, FILE *out) { proc_file_print_text(v, TEXT_AUXILIARY, out); }

/* The guest's number of a process of the host; 0: none. A negative number says why there is none. */
static int64_t guest_process(const struct guest *g, int host)
{
    return host > 0 ? (int64_t)linux_guest_pid(g, host) : host;
}

/* A line of a lock: "lock:", its number, kind, mode and type, the process, and the place. False: another line. */
static bool print_lock(const struct guest *g, const char *line, FILE *out)
{
    int begin = 0, end = 0, host = 0;
    /* NOLINTNEXTLINE(cert-err34-c): the kernel writes numbers that fit */
    if (sscanf(line, "lock:%*s %*s %*s %*s %n%d%n", &begin, &host, &end) != 1)
        return false;
    fprintf(out, "%.*s%" PRId64 "%s", begin, line, guest_process(g, host), line + end);
    return true;
}

/* The host's file, with the numbers of the guest: of the process of a pidfd or lock, of the descriptors that epoll
 * watches. */
static void print_descriptor(const struct proc_view *v, FILE *out)
{
    char line[LINE_BYTES], path[64], key[16];
    snprintf(path, sizeof path, "/proc/self/fdinfo/%d", v->g->files->fd[v->fd]);
    FILE *f = fopen(path, "re");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        int at = 0;
        int host = 0;
        if (print_lock(v->g, line, out))
            continue;
        /* NOLINTNEXTLINE(cert-err34-c): the kernel writes numbers that fit */
        bool is_number = sscanf(line, "%15[^:]:%d%n", key, &host, &at) == 2;
        bool is_process = is_number && (strcmp(key, "Pid") == 0 || strcmp(key, "NSpid") == 0);
        if (is_process)
            fprintf(out, "%s:\t%" PRId64 "\n", key, guest_process(v->g, host));
        else if (is_number && strcmp(key, "tfd") == 0)
            fprintf(out, "tfd:\t%" PRId32 "%s", (int32_t)linux_guest_fd(v->g, host), line + at);
        else
            fputs(line, out);
    }
    if (f != NULL)
        fclose(f);
}

const struct proc_file linux_descriptor_file = {"fdinfo", print_descriptor};

/* maps is not published: it is refused to other processes. */
static const struct proc_file maps_file = {"maps", print_maps};

static const struct proc_file files[] = {
    {"auxv", print_auxiliary},      {"cmdline", proc_file_print_command_line},
    {"comm", proc_file_print_name}, {"environ", proc_file_print_environment},
    {"limits", print_limits},       {"personality", print_personality},
    {"stat", proc_file_print_stat}, {"statm", print_statm},
    {"status", print_status},
};

const struct proc_file *linux_proc_file(const char *name)
{
    if (strcmp(name, maps_file.name) == 0)
        return &maps_file;
    return linux_find_file(files, sizeof files / sizeof files[0], name);
}

/* A host descriptor of a file with this text. */
static int open_text(const char *name, const char *text, size_t size_bytes)
{
    int fd = memfd_create(name, MFD_CLOEXEC);
    if (fd >= 0 && (write(fd, text, size_bytes) != (ssize_t)size_bytes || lseek(fd, 0, SEEK_SET) != 0))
        (void)ftruncate(fd, 0);
    return fd < 0 ? -errno : fd;
}

static bool proc_file_is_name(const struct proc_file *file) { return file->print == proc_file_print_name; }

/* Collects the contents of the file; false: its process has ended. */
static bool fill_view(struct guest *g, const struct proc_entry *entry, struct proc_view *v, struct linux_facts *facts)
{
    *v = (struct proc_view){.g = g,
                            .facts = entry->pid != 0 ? facts : NULL,
                            .is_other = entry->pid != 0 && entry->pid != g->task->pid,
                            .processor = entry->processor,
                            .fd = entry->fd};
    if (v->is_other)
        return linux_read_facts(g, entry->pid, facts);
    if (entry->pid != 0)
        linux_fill_facts(g, entry->thread != NULL ? entry->thread : linux_thread_leader(g), entry->thread != NULL,
                         facts);
    return true;
}

int64_t linux_proc_open(struct guest *g, const struct proc_entry *entry, uint64_t flags)
{
    enum { GUEST_O_CLOEXEC = 02000000, GUEST_O_DIRECTORY = 0200000 };
    struct linux_facts facts;
    struct proc_view v;
    char *text;
    size_t size_bytes;
    if ((flags & O_CREAT) && (flags & O_EXCL))
        return -EEXIST;
    if (flags & GUEST_O_DIRECTORY)
        return -ENOTDIR;
    if (!fill_view(g, entry, &v, &facts))
        return -ENOENT;
    if (((flags & O_ACCMODE) != O_RDONLY && (!proc_file_is_name(entry->file) || v.is_other)) ||
        (v.is_other && entry->file == &maps_file))
        return -EACCES;
    FILE *out = open_memstream(&text, &size_bytes);
    if (out == NULL)
        return -ENOMEM;
    entry->file->print(&v, out);
    fclose(out);
    int host = open_text(entry->file->name, text, size_bytes);
    free(text);
    int64_t fd = host < 0 ? host : linux_new_fd(g, host, 0, (flags & GUEST_O_CLOEXEC) != 0);
    if (fd >= 0 && (flags & O_ACCMODE) != O_RDONLY)
        g->files->fd_name[fd] = facts.number;
    return fd;
}

int64_t linux_proc_write_name(struct guest *g, uint32_t fd, const char *name, size_t size_bytes)
{
    struct linux_thread *t = linux_thread_find(g, g->files->fd_name[fd]);
    if (t == NULL)
        return -ESRCH;
    char text[LINUX_NAME_BYTES] = {0};
    if (!memory_guarded_copy(text, name, size_bytes < sizeof text - 1 ? size_bytes : sizeof text - 1))
        return -EFAULT;
    text[strcspn(text, "\n")] = '\0';
    memcpy(t->name, text, sizeof text);
    linux_publish(g);
    return (int64_t)size_bytes;
}
