/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of /proc about the machine, besides those about its processors: the guest's machine, which is the same on every
 * host. Source: proc_meminfo(5), proc_uptime(5), proc_loadavg(5), proc_sys_kernel(5). */
#include <inttypes.h>
#include <stdio.h>

#include "core-model/linux/clock.h"
#include "core-model/linux/process_table.h"
#include "core-model/linux/procfs.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/space.h"
#include "core-model/linux/task.h"

enum { KIB = 1024, SECOND_NS = 1000000000, CENTISECOND_NS = 10000000 };

static void proc_machine_print_memory(const struct proc_view *v, FILE *out)
{
    static const struct {
        const char *key;
        uint64_t bytes;
    } lines[] = {{"MemTotal", LINUX_MEMORY_BYTES},
                 {"MemFree", LINUX_FREE_BYTES},
                 {"MemAvailable", LINUX_FREE_BYTES},
                 {"Buffers", 0},
                 {"Cached", 0},
                 {"SwapCached", 0},
                 {"Active", 0},
                 {"Inactive", 0},
                 {"SwapTotal", 0},
                 {"SwapFree", 0},
                 {"Dirty", 0},
                 {"Writeback", 0},
                 {"AnonPages", 0},
                 {"Mapped", 0},
                 {"Shmem", 0},
                 {"Slab", 0},
                 {"SReclaimable", 0},
                 {"SUnreclaim", 0},
                 {"PageTables", 0},
                 {"CommitLimit", LINUX_MEMORY_BYTES / 2},
                 {"Committed_AS", 0}};
    (void)v;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char key[32];
        snprintf(key, sizeof key, "%s:", lines[i].key);
        fprintf(out, "%-16s%8" PRIu64 " kB\n", key, lines[i].bytes / KIB);
    }
}

static void print_seconds(FILE *out, uint64_t ns, char end)
{
    fprintf(out, "%" PRIu64 ".%02" PRIu64 "%c", ns / SECOND_NS, ns % SECOND_NS / CENTISECOND_NS, end);
}

static void print_uptime(const struct proc_view *v, FILE *out)
{
    const uint64_t up_ns = linux_monotonic_ns(v->g), all_ns = up_ns * v->g->sched->processors;
    const uint64_t busy_ns = linux_busy_ns(v->g);
    print_seconds(out, up_ns, ' ');
    print_seconds(out, all_ns > busy_ns ? all_ns - busy_ns : 0, '\n');
}

static void print_load(const struct proc_view *v, FILE *out)
{
    uint32_t pid = 0, last = 0;
    unsigned count = 0;
    for (int host; linux_next_process(v->g, &pid, &host); count++)
        last = pid;
    fprintf(out, "0.00 0.00 0.00 1/%u %" PRIu32 "\n", count, last);
}

static void print_version(const struct proc_view *v, FILE *out)
{
    (void)v;
    fprintf(out, "%s version %s (%s) %s\n", linux_uname[UNAME_SYSTEM], linux_uname[UNAME_RELEASE],
            linux_uname[UNAME_NODE], linux_uname[UNAME_VERSION]);
}

static void proc_machine_print_command_line(const struct proc_view *v, FILE *out)
{
    (void)v;
    fputc('\n', out);
}

static void print_system(const struct proc_view *v, FILE *out)
{
    (void)v;
    fprintf(out, "%s\n", linux_uname[UNAME_SYSTEM]);
}

static void proc_machine_print_node(const struct proc_view *v, FILE *out)
{
    (void)v;
    fprintf(out, "%s\n", linux_uname[UNAME_NODE]);
}

static void print_release(const struct proc_view *v, FILE *out)
{
    (void)v;
    fprintf(out, "%s\n", linux_uname[UNAME_RELEASE]);
}

static void print_build(const struct proc_view *v, FILE *out)
{
    (void)v;
    fprintf(out, "%s\n", linux_uname[UNAME_VERSION]);
}

static void print_domain(const struct proc_view *v, FILE *out)
{
    (void)v;
    fprintf(out, "%s\n", linux_uname[UNAME_DOMAIN]);
}

static void print_pid_max(const struct proc_view *v, FILE *out)
{
    (void)v;
    fprintf(out, "%d\n", LINUX_PID + LINUX_PROCESSES_MAX);
}

/* A random UUID, of RFC 4122's version 4. */
static void print_uuid(struct random *random, FILE *out)
{
    const uint64_t high = random_bits(random), low = random_bits(random);
    fprintf(out, "%08" PRIx64 "-%04" PRIx64 "-4%03" PRIx64 "-%04" PRIx64 "-%012" PRIx64 "\n", high >> 32,
            high >> 16 & 0xffff, high & 0xfff, (low >> 48 & 0x3fff) | 0x8000, low & 0xffffffffffff);
}

static void print_new_uuid(const struct proc_view *v, FILE *out) { print_uuid(&v->g->task->random, out); }

static void print_boot(const struct proc_view *v, FILE *out)
{
    struct random of_boot = {.state = v->g->process->seed};
    print_uuid(&of_boot, out);
}

const struct proc_file *linux_machine_file(const char *name)
{
    static const struct proc_file files[] = {{"cmdline", proc_machine_print_command_line},
                                             {"loadavg", print_load},
                                             {"meminfo", proc_machine_print_memory},
                                             {"sys/kernel/domainname", print_domain},
                                             {"sys/kernel/hostname", proc_machine_print_node},
                                             {"sys/kernel/osrelease", print_release},
                                             {"sys/kernel/ostype", print_system},
                                             {"sys/kernel/pid_max", print_pid_max},
                                             {"sys/kernel/random/boot_id", print_boot},
                                             {"sys/kernel/random/uuid", print_new_uuid},
                                             {"sys/kernel/version", print_build},
                                             {"uptime", print_uptime},
                                             {"version", print_version}};
    const struct proc_file *file = linux_find_file(files, sizeof files / sizeof files[0], name);
    return file != NULL ? file : linux_system_file(name);
}
