/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The processors that the guest sees, which are its harts, and the threads bound to them. Source:
 * sched_setaffinity(2), getcpu(2), proc(5); Linux Documentation/admin-guide/cputopology.rst. */
#include <inttypes.h>
#include <stdio.h>

#include "core-model/linux/clock.h"
#include "core-model/linux/procfs.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/task.h"
#include "core-model/riscv/extension.h"

uint64_t linux_processors(const struct linux_sched *sched) { return UINT64_MAX >> (64 - sched->processors); }

uint64_t linux_affinity(const struct guest *g, const struct linux_thread *t)
{
    return t->affinity & linux_processors(g->sched);
}

bool linux_may_run_on(const struct guest *g, const struct linux_thread *t)
{
    return g->sched->harts == 1 || (t->affinity >> g->number & 1) != 0;
}

unsigned linux_processor(const struct guest *g, const struct linux_thread *t)
{
    uint64_t set = linux_affinity(g, t);
    const struct guest *on = t->on != NULL ? t->on : g;
    return set >> on->number & 1 ? on->number : (unsigned)__builtin_ctzll(set);
}

/* The other harts follow when linux_schedule sets their alarms, at the end of the call. */
int64_t sys_sched_setaffinity(struct guest *g, const uint64_t *a)
{
    struct linux_thread *t;
    uint64_t set = 0;
    size_t size_bytes = (uint32_t)a[1] < sizeof set ? (uint32_t)a[1] : sizeof set;
    if (linux_get(g, a[2], &set, size_bytes) != 0)
        return -EFAULT;
    int64_t r = linux_find_target(g, a[0], &t);
    set &= linux_processors(g->sched);
    if (r == 0 && set == 0)
        r = -EINVAL;
    if (r == 0 && t != NULL)
        t->affinity = set;
    return r;
}

int64_t sys_sched_getaffinity(struct guest *g, const uint64_t *a)
{
    struct linux_thread *t;
    uint64_t set;
    if ((uint32_t)a[1] < sizeof set || a[1] % sizeof set != 0)
        return -EINVAL;
    int64_t r = linux_find_target(g, a[0], &t);
    if (r < 0)
        return r;
    set = t != NULL ? linux_affinity(g, t) : linux_processors(g->sched);
    return linux_put(g, a[2], &set, sizeof set) != 0 ? -EFAULT : (int64_t)sizeof set;
}

int64_t sys_getcpu(struct guest *g, const uint64_t *a)
{
    const uint32_t processor = linux_processor(g, g->thread), node = 0;
    bool bad = (a[0] != 0 && linux_put(g, a[0], &processor, sizeof processor) != 0) ||
               (a[1] != 0 && linux_put(g, a[1], &node, sizeof node) != 0);
    return bad ? -EFAULT : 0;
}

void linux_print_processors(FILE *out, uint64_t set)
{
    const char *separator = "";
    for (unsigned first = 0, last; set >> first != 0; first = last + 1) {
        last = first;
        if (!(set >> first & 1))
            continue;
        while (set >> (last + 1) & 1)
            last++;
        fprintf(out, last > first ? "%s%u-%u" : "%s%u", separator, first, last);
        separator = ",";
    }
}

static void print_all(const struct proc_view *v, FILE *out)
{
    linux_print_processors(out, linux_processors(v->g->sched));
    fputc('\n', out);
}

static void print_all_bits(const struct proc_view *v, FILE *out)
{
    fprintf(out, "%" PRIx64 "\n", linux_processors(v->g->sched));
}

static void print_none(const struct proc_view *v, FILE *out)
{
    (void)v;
    fputc('\n', out);
}

static void print_zero(const struct proc_view *v, FILE *out)
{
    (void)v;
    fputs("0\n", out);
}

static void processors_print_number(const struct proc_view *v, FILE *out) { fprintf(out, "%u\n", v->processor); }

static void print_bit(const struct proc_view *v, FILE *out) { fprintf(out, "%x\n", 1u << v->processor); }

static void print_last(const struct proc_view *v, FILE *out)
{
    (void)v;
    fprintf(out, "%d\n", GUEST_HARTS_MAX - 1);
}

static void print_cpuinfo(const struct proc_view *v, FILE *out)
{
    for (unsigned n = 0; n < v->g->sched->processors; n++) {
        fprintf(out, "processor\t: %u\nhart\t\t: %u\nisa\t\t: ", n, n);
        rv_extensions_print(out);
        fputs("\nmmu\t\t: sv39\n\n", out);
    }
}

/* Time that a hart has spent in turns of threads, in cycles; of a hart that this process does not have: none. */
static uint64_t busy_cycles(const struct guest *g, unsigned number)
{
    for (unsigned n = 0; n < g->sched->harts; n++) {
        const struct guest *of = g->sched->hart[n];
        if (of->number == number)
            return of->busy_cycles + (of->thread != NULL ? g->hart.cycle - of->turn_start : 0);
    }
    return 0;
}

uint64_t linux_busy_ns(const struct guest *g)
{
    uint64_t sum_ns = 0;
    for (unsigned n = 0; n < g->sched->processors; n++)
        sum_ns += linux_cycles_ns(g, busy_cycles(g, n));
    return sum_ns;
}

/* User and idle time of all processors or of one. */
static void print_times(FILE *out, const char *name, uint64_t busy_ns, uint64_t all_ns)
{
    enum { TICK_NS = 1000000000 / LINUX_CLOCK_TICKS };
    uint64_t idle_ns = all_ns > busy_ns ? all_ns - busy_ns : 0;
    fprintf(out, "%s %" PRIu64 " 0 0 %" PRIu64 " 0 0 0 0 0 0\n", name, busy_ns / TICK_NS, idle_ns / TICK_NS);
}

static void processors_print_stat(const struct proc_view *v, FILE *out)
{
    enum { SECOND_NS = 1000000000 };
    const struct linux_sched *sched = v->g->sched;
    uint64_t uptime_ns = linux_monotonic_ns(v->g), busy_ns[GUEST_HARTS_MAX], sum_ns = 0;
    char name[16];
    for (unsigned n = 0; n < sched->processors; n++)
        sum_ns += busy_ns[n] = linux_cycles_ns(v->g, busy_cycles(v->g, n));
    print_times(out, "cpu ", sum_ns, uptime_ns * sched->processors);
    for (unsigned n = 0; n < sched->processors; n++) {
        snprintf(name, sizeof name, "cpu%u", n);
        print_times(out, name, busy_ns[n], uptime_ns);
    }
    fprintf(out, "intr 0\nctxt 0\nbtime %" PRIu64 "\nprocesses %u\nprocs_running 1\nprocs_blocked 0\n",
            (linux_clock_ns(v->g) - uptime_ns) / SECOND_NS, 1 + v->g->task->forks);
}

const struct proc_file *linux_find_file(const struct proc_file *files, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, files[i].name) == 0)
            return &files[i];
    return NULL;
}

const struct proc_file *linux_system_file(const char *name)
{
    static const struct proc_file files[] = {{"cpuinfo", print_cpuinfo}, {"stat", processors_print_stat}};
    return linux_find_file(files, sizeof files / sizeof files[0], name);
}

const struct proc_file *linux_processors_file(const char *name)
{
    static const struct proc_file files[] = {{"isolated", print_none}, {"kernel_max", print_last},
                                             {"offline", print_none},  {"online", print_all},
                                             {"possible", print_all},  {"present", print_all}};
    return linux_find_file(files, sizeof files / sizeof files[0], name);
}

/* One package of cores that have one thread each. */
const struct proc_file *linux_topology_file(const char *name)
{
    static const struct proc_file files[] = {{"core_cpus", print_bit},
                                             {"core_cpus_list", processors_print_number},
                                             {"core_id", processors_print_number},
                                             {"core_siblings", print_all_bits},
                                             {"core_siblings_list", print_all},
                                             {"package_cpus", print_all_bits},
                                             {"package_cpus_list", print_all},
                                             {"physical_package_id", print_zero},
                                             {"thread_siblings", print_bit},
                                             {"thread_siblings_list", processors_print_number}};
    return linux_find_file(files, sizeof files / sizeof files[0], name);
}
