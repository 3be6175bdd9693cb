/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory of the process: its ranges of pages, their sizes, and the file maps in /proc. Source: proc_pid_maps(5);
 * Linux fs/proc/task_mmu.c. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core-model/linux/path.h"
#include "core-model/linux/proc_facts.h"
#include "core-model/linux/proc_maps.h"
#include "core-model/linux/space.h"

enum { KINDS = MEM_R | MEM_W | MEM_X | MEM_SHARED | MEM_NOWRITE | MEM_MAPPED };

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

struct linux_sizes linux_memory_sizes(const struct guest *g)
{
    struct linux_sizes s = {0};
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

struct file_mapping *linux_file_mappings(const struct guest *g, size_t *count)
{
    struct file_mapping *list = NULL, m;
    char line[PATH_MAX + 128], kind[8];
    const uint64_t base = (uint64_t)(uintptr_t)g->hart.mem.base;
    FILE *f = fopen("/proc/self/maps", "re");
    *count = 0;
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        int at = 0;
        line[strcspn(line, "\n")] = '\0';
        /* NOLINTNEXTLINE(cert-err34-c): the kernel writes numbers that fit */
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %15s %" SCNu64 " %n", &m.start, &m.end, kind,
                   &m.offset, m.device, &m.inode, &at) != 6 ||
            m.start < base || m.end - base > UINT64_C(1) << MEM_ADDRESS_BITS || line[at] != '/')
            continue;
        m.start -= base, m.end -= base;
        m.is_shared = kind[3] == 's';
        snprintf(m.path, sizeof m.path, "%s", line + at);
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
    const struct linux_space *space = g->space;
    name[0] = '\0';
    if (end == LINUX_STACK_TOP)
        strcpy(name, "[stack]");
    else if (start == LINUX_TRAMPOLINE)
        strcpy(name, "[vdso]");
    else if (start >= space->image_start && start < space->brk_start)
        snprintf(name, PATH_MAX, "%s", g->names->exe_inside);
    else if (start >= space->brk_start && start < space->brk)
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
            if (at < g->space->brk_start && g->space->brk_start < m.end && g->space->brk > g->space->brk_start)
                m.end = g->space->brk_start; /* the heap is a line of its own, behind the program's data */
            name_range(g, m.start, m.end, m.path);
        }
        print_mapping(out, &m, r->kind);
        at = m.end;
    }
}

void linux_print_maps(const struct guest *g, FILE *out)
{
    size_t count;
    struct file_mapping *files = linux_file_mappings(g, &count);
    for (size_t i = 0; i < count; i++)
        linux_name_guest(g, files[i].path);
    for (struct page_range r = {0}; next_range(g, &r);)
        print_range(g, &r, files, count, out);
    free(files);
}
