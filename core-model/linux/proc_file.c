/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of a process and of a thread in /proc whose contents are the guest's: linux_proc_open. The contents are those
 * at the time of opening. Source: proc(5); Linux fs/proc/array.c, fs/proc/task_mmu.c. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core-model/linux/linux.h"
#include "core-model/linux/path.h"
#include "core-model/riscv/memory_guard.h"

enum { KINDS = MEM_R | MEM_W | MEM_X | MEM_SHARED | MEM_NOWRITE | MEM_MAPPED, KIB = 1024 };

/* Pages of equal kind. */
struct page_range {
    uint64_t start, end;
    uint16_t kind; /* the members of enum mem_perm in KINDS */
};

/* The next range of mapped pages from r->end on. */
static bool next_range(const struct guest *g, struct page_range *r)
{
    const uint16_t *perm = g->hart.mem.perm;
    uint64_t page = memory_next_mapped(&g->hart.mem, r->end >> MEM_PAGE_BITS);
    if (page >= MEM_PAGES)
        return false;
    r->start = page << MEM_PAGE_BITS;
    r->kind = perm[page] & KINDS;
    while (page < MEM_PAGES && (perm[page] & KINDS) == r->kind)
        page++;
    r->end = page << MEM_PAGE_BITS;
    return true;
}

/* A mapping of a file, in guest addresses. */
struct file_mapping {
    uint64_t start, end, offset, inode;
    char device[16], path[PATH_MAX];
};

/* The host's mappings of files in the guest's memory, in the order of their addresses. */
static struct file_mapping *file_mappings(const struct guest *g, size_t *count)
{
    struct file_mapping *list = NULL, m;
    char line[PATH_MAX + 128];
    const uint64_t base = (uint64_t)(uintptr_t)g->hart.mem.base;
    FILE *f = fopen("/proc/self/maps", "re");
    *count = 0;
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        int at = 0;
        line[strcspn(line, "\n")] = '\0';
        /* NOLINTNEXTLINE(cert-err34-c): the kernel writes numbers that fit */
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %15s %" SCNu64 " %n", &m.start, &m.end, &m.offset,
                   m.device, &m.inode, &at) != 5 ||
            m.start < base || m.end - base > UINT64_C(1) << MEM_ADDRESS_BITS || line[at] != '/')
            continue;
        m.start -= base, m.end -= base;
        snprintf(m.path, sizeof m.path, "%s", line + at);
        linux_name_guest(g, m.path);
        list = xgrow(list, *count, sizeof *list);
        list[(*count)++] = m;
    }
    if (f != NULL)
        fclose(f);
    return list;
}

/* The name of a range that is not a mapping of a file on the host. */
static void name_range(const struct guest *g, uint64_t start, uint64_t end, char *name)
{
    const struct linux_state *os = g->os;
    name[0] = '\0';
    if (end == LINUX_STACK_TOP)
        strcpy(name, "[stack]");
    else if (start == LINUX_TRAMPOLINE)
        strcpy(name, "[vdso]");
    else if (start >= os->image_start && start < os->brk_start)
        snprintf(name, PATH_MAX, "%s", os->exe_inside);
    else if (start >= os->brk_start && start < os->brk)
        strcpy(name, "[heap]");
    for (size_t i = 0; name[0] == '\0' && i < g->process->images; i++)
        if (start >= g->process->image[i].start && start < g->process->image[i].end) {
            snprintf(name, PATH_MAX, "%s", g->process->image[i].path);
            linux_name_guest(g, name);
        }
}

static void print_mapping(FILE *out, const struct file_mapping *m, unsigned kind)
{
    int n = fprintf(out, "%08" PRIx64 "-%08" PRIx64 " %c%c%c%c %08" PRIx64 " %s %" PRIu64 " ", m->start, m->end,
                    kind & MEM_R ? 'r' : '-', kind & MEM_W ? 'w' : '-', kind & MEM_X ? 'x' : '-',
                    kind & (MEM_SHARED | MEM_NOWRITE) ? 's' : 'p', m->offset, m->device, m->inode);
    enum { NAME_COLUMN = 73 };
    fprintf(out, "%*s%s\n", m->path[0] != '\0' && n < NAME_COLUMN ? NAME_COLUMN - n : 0, "", m->path);
}

/* One line for each part of a range that maps the same file, or none. */
static void print_range(const struct guest *g, const struct page_range *r, const struct file_mapping *files,
                        size_t count, FILE *out)
{
    for (uint64_t at = r->start; at < r->end;) {
        struct file_mapping m = {.start = at, .end = r->end, .device = "00:00"};
        size_t i = 0;
        while (i < count && files[i].end <= at)
            i++;
        if (i < count && files[i].start <= at) {
            m = files[i];
            m.offset += at - m.start;
            m.start = at;
            m.end = m.end < r->end ? m.end : r->end;
        } else {
            if (i < count && files[i].start < m.end)
                m.end = files[i].start;
            if (at < g->os->brk_start && g->os->brk_start < m.end && g->os->brk > g->os->brk_start)
                m.end = g->os->brk_start; /* the heap is a line of its own, behind the program's data */
            name_range(g, m.start, m.end, m.path);
        }
        print_mapping(out, &m, r->kind);
        at = m.end;
    }
}

static void print_maps(const struct proc_view *v, FILE *out)
{
    size_t count;
    struct file_mapping *files = file_mappings(v->g, &count);
    for (struct page_range r = {0}; next_range(v->g, &r);)
        print_range(v->g, &r, files, count, out);
    free(files);
}

/* Sizes of the memory, in bytes. Every mapped page is resident, as mincore says. */
struct memory_sizes {
    uint64_t all, resident, shared, code, data, stack;
};

static struct memory_sizes sizes_of(const struct guest *g)
{
    struct memory_sizes s = {0};
    for (struct page_range r = {0}; next_range(g, &r);) {
        uint64_t bytes = r.end - r.start;
        bool is_shared = (r.kind & (MEM_SHARED | MEM_NOWRITE)) != 0, is_stack = r.end == LINUX_STACK_TOP;
        s.all += bytes;
        s.resident += r.kind & (MEM_R | MEM_W | MEM_X) ? bytes : 0;
        s.shared += is_shared ? bytes : 0;
        s.code += r.kind & MEM_X ? bytes : 0;
        s.stack += is_stack ? bytes : 0;
        s.data += (r.kind & MEM_W) && !is_shared && !is_stack ? bytes : 0;
    }
    return s;
}

static void print_statm(const struct proc_view *v, FILE *out)
{
    const struct memory_sizes s = sizes_of(v->g);
    const uint64_t page = MEM_PAGE_BYTES;
    fprintf(out, "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " 0 %" PRIu64 " 0\n", s.all / page, s.resident / page,
            s.shared / page, s.code / page, (s.data + s.stack) / page);
}

static char state_of(const struct proc_view *v) { return v->thread->waits ? 'S' : 'R'; }

static uint32_t number_of(const struct proc_view *v) { return v->is_thread ? v->thread->tid : v->g->os->pid; }

static int64_t in_ticks(uint64_t ns) { return (int64_t)(ns / (1000000000 / LINUX_CLOCK_TICKS)); }

/* Processor time in clock ticks: all of it is user time. */
static int64_t ticks_of(const struct proc_view *v)
{
    return in_ticks(v->is_thread ? linux_thread_cpu_ns(v->g, v->thread) : linux_cpu_ns(v->g));
}

static uint64_t ignored(const struct guest *g)
{
    uint64_t set = 0;
    for (int signal = 1; signal <= LINUX_SIGNAL_MAX; signal++)
        set |= g->os->action[signal].handler == 1 ? linux_signal_bit(signal) : 0;
    return set;
}

static uint64_t caught(const struct guest *g)
{
    uint64_t set = 0;
    for (int signal = 1; signal <= LINUX_SIGNAL_MAX; signal++)
        set |= g->os->action[signal].handler > 1 ? linux_signal_bit(signal) : 0;
    return set;
}

static void print_numbers(FILE *out, const int64_t *number, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fprintf(out, " %" PRId64, number[i]);
}

/* The fields are those of proc(5), from the third on. */
static void print_stat(const struct proc_view *v, FILE *out)
{
    struct guest *g = v->g;
    const struct linux_state *os = g->os;
    const uint64_t self = 0, start = os->start_ns / (1000000000 / LINUX_CLOCK_TICKS);
    const struct memory_sizes s = sizes_of(g);
    const int64_t flags = 0x400000, policy = v->thread->policy, nice = os->nice;
    const int64_t priority = v->thread->priority > 0 ? -1 - v->thread->priority : 20 + nice;
    const int64_t first[] = {sys_getppid(g, NULL), sys_getpgid(g, &self), sys_getsid(g, &self), 0, -1, flags};
    const int64_t times[] = {0,
                             0,
                             0,
                             0,
                             ticks_of(v),
                             0,
                             in_ticks(os->children_ns),
                             0,
                             priority,
                             nice,
                             (int64_t)linux_thread_count(g),
                             0,
                             (int64_t)start,
                             (int64_t)s.all,
                             (int64_t)s.resident / MEM_PAGE_BYTES};
    const int64_t last[] = {17, linux_processor(g, v->thread), v->thread->priority, policy, 0, 0, 0};
    const uint64_t addresses[] = {os->image_start,
                                  os->brk_start,
                                  os->stack_start,
                                  0,
                                  0,
                                  v->thread->pending.set & INT32_MAX,
                                  v->thread->signal_mask & INT32_MAX,
                                  ignored(g) & INT32_MAX,
                                  caught(g) & INT32_MAX,
                                  0,
                                  0,
                                  0};
    const uint64_t ends[] = {0, 0, os->brk_start, os->arg_start, os->arg_end, os->arg_end, os->env_end, 0};
    fprintf(out, "%" PRIu32 " (%s) %c", number_of(v), v->thread->name, state_of(v));
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

static void print_name(const struct proc_view *v, FILE *out) { fprintf(out, "%s\n", v->thread->name); }

/* Lines of the host's file that are the same for the guest: its user, groups and privileges. */
static void copy_line(FILE *out, const char *key)
{
    char line[4096];
    size_t length = strlen(key);
    FILE *f = fopen("/proc/self/status", "re");
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (strncmp(line, key, length) == 0 && line[length] == ':')
            fputs(line, out);
    if (f != NULL)
        fclose(f);
}

static void print_memory_lines(const struct guest *g, FILE *out)
{
    const struct memory_sizes s = sizes_of(g);
    const struct {
        const char *key;
        uint64_t bytes;
    } lines[] = {{"VmPeak", s.all},
                 {"VmSize", s.all},
                 {"VmLck", 0},
                 {"VmPin", 0},
                 {"VmHWM", s.resident},
                 {"VmRSS", s.resident},
                 {"RssAnon", s.resident - s.shared},
                 {"RssFile", 0},
                 {"RssShmem", s.shared},
                 {"VmData", s.data},
                 {"VmStk", s.stack},
                 {"VmExe", s.code},
                 {"VmLib", 0},
                 {"VmPTE", 0},
                 {"VmSwap", 0}};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        fprintf(out, "%s:\t%8" PRIu64 " kB\n", lines[i].key, lines[i].bytes / KIB);
}

static void print_signal_lines(const struct proc_view *v, FILE *out)
{
    const struct linux_state *os = v->g->os;
    const struct {
        const char *key;
        uint64_t set;
    } lines[] = {{"SigPnd", v->thread->pending.set},
                 {"ShdPnd", os->pending.set},
                 {"SigBlk", v->thread->signal_mask},
                 {"SigIgn", ignored(v->g)},
                 {"SigCgt", caught(v->g)}};
    fprintf(out, "Threads:\t%zu\nSigQ:\t%zu/%d\n", linux_thread_count(v->g),
            os->pending.count + v->thread->pending.count, PENDING_MAX);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        fprintf(out, "%s:\t%016" PRIx64 "\n", lines[i].key, lines[i].set);
}

static void print_status(const struct proc_view *v, FILE *out)
{
    static const char *const user[] = {"Uid", "Gid"};
    static const char *const rights[] = {"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"};
    const struct linux_state *os = v->g->os;
    fprintf(out, "Name:\t%s\nUmask:\t%04" PRIo32 "\nState:\t%s\nTgid:\t%" PRIu32 "\nNgid:\t0\nPid:\t%" PRIu32,
            v->thread->name, os->umask, v->thread->waits ? "S (sleeping)" : "R (running)", os->pid, number_of(v));
    fprintf(out, "\nPPid:\t%" PRId64 "\nTracerPid:\t0\n", sys_getppid(v->g, NULL));
    for (size_t i = 0; i < sizeof user / sizeof user[0]; i++)
        copy_line(out, user[i]);
    fprintf(out, "FDSize:\t%d\n", LINUX_FD_MAX);
    copy_line(out, "Groups");
    print_memory_lines(v->g, out);
    print_signal_lines(v, out);
    for (size_t i = 0; i < sizeof rights / sizeof rights[0]; i++)
        copy_line(out, rights[i]);
    const uint64_t allowed = linux_affinity(v->g, v->thread);
    fprintf(out, "NoNewPrivs:\t%d\nSeccomp:\t0\nCpus_allowed:\t%" PRIx64 "\nCpus_allowed_list:\t",
            os->options.no_new_privileges, allowed);
    linux_print_processors(out, allowed);
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
        const uint64_t limit[] = {v->g->os->limit[i].now, v->g->os->limit[i].most};
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

static void print_memory(const struct guest *g, uint64_t start, uint64_t end, FILE *out)
{
    uint8_t part[MEM_PAGE_BYTES];
    if (end > start && memory_allows_slow(&g->hart.mem, start, end - start, MEM_R))
        for (uint64_t n; start < end; start += n) {
            n = end - start < sizeof part ? end - start : sizeof part;
            if (!memory_read(&g->hart.mem, start, part, n))
                return;
            fwrite(part, 1, n, out);
        }
}

/* The program may have overwritten its arguments: without an end in their place, they go on in the environment's. */
static void print_command_line(const struct proc_view *v, FILE *out)
{
    const struct linux_state *os = v->g->os;
    uint64_t end = os->arg_end;
    char byte = '\0';
    (void)linux_get(v->g, end - 1, &byte, 1);
    while (byte != '\0' && end < os->env_end && linux_get(v->g, end, &byte, 1) == 0)
        end++;
    print_memory(v->g, os->arg_start, end, out);
}

static void print_environment(const struct proc_view *v, FILE *out)
{
    print_memory(v->g, v->g->os->env_start, v->g->os->env_end, out);
}

static void print_auxiliary(const struct proc_view *v, FILE *out)
{
    print_memory(v->g, v->g->os->aux_start, v->g->os->aux_end, out);
}

static const struct proc_file files[] = {
    {"auxv", print_auxiliary},      {"cmdline", print_command_line}, {"comm", print_name},
    {"environ", print_environment}, {"limits", print_limits},        {"maps", print_maps},
    {"stat", print_stat},           {"statm", print_statm},          {"status", print_status},
};

const struct proc_file *linux_proc_file(const char *name)
{
    return linux_find_file(files, sizeof files / sizeof files[0], name);
}

static bool is_name(const struct proc_file *file) { return file->print == print_name; }

/* A host descriptor of a file with this text. */
static int open_text(const char *name, const char *text, size_t size_bytes)
{
    int fd = memfd_create(name, MFD_CLOEXEC);
    if (fd >= 0 && (write(fd, text, size_bytes) != (ssize_t)size_bytes || lseek(fd, 0, SEEK_SET) != 0))
        (void)ftruncate(fd, 0);
    return fd < 0 ? -errno : fd;
}

int64_t linux_proc_open(struct guest *g, const struct proc_entry *entry, uint64_t flags)
{
    enum { GUEST_O_CLOEXEC = 02000000, GUEST_O_DIRECTORY = 0200000 };
    const struct proc_view v = {g, entry->thread, entry->is_thread, entry->processor};
    char *text;
    size_t size_bytes;
    if ((flags & O_CREAT) && (flags & O_EXCL))
        return -EEXIST;
    if (flags & GUEST_O_DIRECTORY)
        return -ENOTDIR;
    if ((flags & O_ACCMODE) != O_RDONLY && !is_name(entry->file))
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
        g->os->fd_name[fd] = entry->thread->tid;
    return fd;
}

int64_t linux_proc_write_name(struct guest *g, uint32_t fd, const char *name, size_t size_bytes)
{
    struct linux_thread *t = linux_thread_find(g, g->os->fd_name[fd]);
    if (t == NULL)
        return -ESRCH;
    char text[LINUX_NAME_BYTES] = {0};
    if (!memory_guarded_copy(text, name, size_bytes < sizeof text - 1 ? size_bytes : sizeof text - 1))
        return -EFAULT;
    text[strcspn(text, "\n")] = '\0';
    memcpy(t->name, text, sizeof text);
    linux_show_name(g);
    return (int64_t)size_bytes;
}
