/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Skeleton of a prefetcher: strides by instruction, with confidence (after J.-L. Baer and T.-F. Chen, "An Effective
 * On-Chip Preloading Scheme to Reduce Data Access Penalty", Supercomputing 1991). Where an instruction has had the same
 * stride twice, the lines that it will access next are prefetched. Options: how many lines ahead, 1 to 16 (default
 * 4). */
#include <pcemu/plugin.h>
#include <stdio.h>
#include <stdlib.h>

enum { ENTRIES = 256, CONFIDENT = 2, SURE = 3, PAGE_BITS = 12 };

struct stride {
    uint64_t line_bytes;
    unsigned long ahead;
    struct stride_entry {
        uint64_t pc, address; /* of the last access */
        int64_t stride;
        int confidence; /* accesses with this stride, up to SURE */
    } entry[ENTRIES];
};

static void *stride_create(const struct pcemu_setup *setup, char *error, size_t error_bytes)
{
    char *end;
    const char *text = setup->options[0] != '\0' ? setup->options : "4";
    const unsigned long ahead = strtoul(text, &end, 10);
    if (*end != '\0' || ahead < 1 || ahead > PCEMU_PREFETCHES) {
        snprintf(error, error_bytes, "expected a number of lines from 1 to %d, found '%s'", PCEMU_PREFETCHES, text);
        return NULL;
    }
    struct stride *s = calloc(1, sizeof *s);
    if (s == NULL) {
        snprintf(error, error_bytes, "there is no memory");
        return NULL;
    }
    s->line_bytes = setup->machine->line_bytes;
    s->ahead = ahead;
    return s;
}

static void stride_learn(struct stride_entry *e, const struct pcemu_access *a)
{
    const int64_t stride = (int64_t)(a->address - e->address);
    if (e->pc != a->pc) {
        *e = (struct stride_entry){.pc = a->pc, .address = a->address};
        return;
    }
    if (stride == e->stride)
        e->confidence += e->confidence < SURE;
    else if (e->confidence > 0)
        e->confidence--;
    if (e->confidence == 0)
        e->stride = stride;
    e->address = a->address;
}

static unsigned stride_access(void *state, const struct pcemu_access *a, uint64_t *lines, unsigned most)
{
    struct stride *s = state;
    struct stride_entry *e = &s->entry[(a->pc >> 1) % ENTRIES];
    unsigned count = 0;
    if (a->pc == 0)
        return 0;
    stride_learn(e, a);
    if (e->confidence < CONFIDENT || e->stride == 0)
        return 0;
    /* The next accesses to other lines: strides below the size of a line go through line after line. */
    const uint64_t line = s->line_bytes, stride = (uint64_t)e->stride, size = e->stride < 0 ? 0 - stride : stride;
    const uint64_t step = size >= line ? stride : e->stride < 0 ? 0 - line : line;
    for (unsigned long n = 1; n <= s->ahead && count < most; n++) {
        const uint64_t address = a->address + step * n;
        if (address >> PAGE_BITS != a->address >> PAGE_BITS)
            break; /* the next page may be anywhere in memory */
        lines[count++] = address;
    }
    return count;
}

static const struct pcemu_prefetcher stride = {
    PCEMU_VERSION(struct pcemu_prefetcher),
    .access = stride_access,
};

const struct pcemu_plugin pcemu_plugin = {
    PCEMU_VERSION(struct pcemu_plugin),
    .kind = PCEMU_KIND_PREFETCHER,
    .name = "stride",
    .description = "strides by instruction, with confidence",
    .create = stride_create,
    .destroy = free,
    .functions = &stride,
};
