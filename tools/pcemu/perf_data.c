/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples of retired instructions in three events: loads, atomic operations included, stores, and all others. Their
 * addresses are those of the run, so the segments of the files are mapped where they were. */
#include "tools/pcemu/perf_data.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "core-model/probe/probe.h"
#include "host/export/perf_file.h"
#include "host/symbols/image_identity.h"

enum perf_recording_event { PERF_LOADS, PERF_STORES, PERF_OTHERS, PERF_EVENTS };
static const char *const perf_recording_names[PERF_EVENTS] = {"loads", "stores", "others"};

void perf_recording_add_hart(struct perf_recording *r, struct observers *set)
{
    struct access_log *log = access_log_new(r->period, r->seed + r->harts);
    r->hart[r->harts++] = log;
    observers_add(set, access_log_observer(log));
}

/* ---- files ---- */

/* A file that has been mapped. */
struct perf_recording_file {
    char *path;
    uint64_t bias;
};

struct perf_recording_files {
    const struct symbols *symbols;
    struct perf_bytes *out;
    struct perf_recording_file *file;
    size_t files;
};

/* Maps the segments of a file. */
static void perf_recording_map(struct perf_recording_files *f, Elf *elf, const char *path, uint64_t bias)
{
    enum { PAGE_BYTES = 4096 };
    size_t count = 0;
    GElf_Phdr h;
    char *absolute = perf_absolute_path(path), *identity = image_identity_of_file(path);
    (void)elf_getphdrnum(elf, &count);
    for (size_t n = 0; n < count; n++) {
        if (gelf_getphdr(elf, (int)n, &h) == NULL || h.p_type != PT_LOAD)
            continue;
        const uint64_t within = h.p_vaddr % PAGE_BYTES;
        perf_put_mapping(f->out, &(struct perf_mapping){.start = h.p_vaddr - within + bias,
                                                        .size_bytes = h.p_memsz + within,
                                                        .offset = h.p_offset - within,
                                                        .build_id = identity,
                                                        .path = absolute,
                                                        .is_data = (h.p_flags & PF_X) == 0});
    }
    free(identity);
    free(absolute);
}

/* Maps the file of a range of code, at its first range. */
static void perf_recording_see(void *ctx, uint64_t start, uint64_t end)
{
    struct perf_recording_files *f = ctx;
    const struct symbols_file file = symbols_file_at(f->symbols, start);
    Dwfl_Module *module = file.symbols == NULL ? NULL : symbols_dwfl(file.symbols);
    const uint64_t bias = start - file.address;
    GElf_Addr ignored;
    (void)end;
    for (size_t n = 0; n < f->files; n++)
        if (f->file[n].bias == bias && strcmp(f->file[n].path, file.path) == 0)
            return;
    Elf *elf = module == NULL ? NULL : dwfl_module_getelf(module, &ignored);
    if (elf == NULL)
        return;
    perf_recording_map(f, elf, file.path, bias);
    f->file = xgrow(f->file, f->files, sizeof *f->file);
    f->file[f->files++] = (struct perf_recording_file){xstrdup(file.path), bias};
}

static void perf_recording_put_files(struct perf_bytes *out, const struct symbols *symbols)
{
    struct perf_recording_files f = {.symbols = symbols, .out = out};
    if (symbols != NULL)
        symbols_each_range(symbols, perf_recording_see, &f);
    for (size_t n = 0; n < f.files; n++)
        free(f.file[n].path);
    free(f.file);
}

/* ---- samples ---- */

static enum perf_recording_event perf_recording_event_of(const struct access_sample *s)
{
    return s->bytes == 0 ? PERF_OTHERS : s->reads ? PERF_LOADS : s->writes ? PERF_STORES : PERF_OTHERS;
}

/* Where the data came from. A store that misses in the L1 has no level: its line arrives later. Data of an older store
 * in the store queue count as of the L1. */
static uint64_t perf_recording_level(const struct perf_recording *r, const struct access_sample *s)
{
    const bool is_missed = (s->events & PROBE_DCACHE_MISS) != 0;
    if (!s->reads && is_missed)
        return PERF_MEM_S(LVL, MISS) | PERF_MEM_S(LVL, L1) | PERF_MEM_S(LVLNUM, L1);
    if ((s->events & PROBE_HITM) != 0)
        return PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVL, L3) | PERF_MEM_S(LVLNUM, L3);
    if ((s->events & (r->has_llc ? PROBE_LLC_MISS : PROBE_L2_MISS)) != 0)
        return PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVL, LOC_RAM) | PERF_MEM_S(LVLNUM, RAM);
    if ((s->events & PROBE_L2_MISS) != 0)
        return PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVL, L3) | PERF_MEM_S(LVLNUM, L3);
    if (is_missed)
        return PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVL, L2) | PERF_MEM_S(LVLNUM, L2);
    return PERF_MEM_S(LVL, HIT) | PERF_MEM_S(LVL, L1) | PERF_MEM_S(LVLNUM, L1);
}

static uint64_t perf_recording_tlb(const struct access_sample *s)
{
    if ((s->events & PROBE_DTLB_WALK) != 0)
        return PERF_MEM_S(TLB, HIT) | PERF_MEM_S(TLB, WK);
    return PERF_MEM_S(TLB, HIT) | ((s->events & PROBE_DTLB_MISS) != 0 ? PERF_MEM_S(TLB, L2) : PERF_MEM_S(TLB, L1));
}

static uint64_t perf_recording_source(const struct perf_recording *r, const struct access_sample *s)
{
    if (perf_recording_event_of(s) == PERF_OTHERS)
        return PERF_MEM_S(OP, NA) | PERF_MEM_S(LVL, NA) | PERF_MEM_S(SNOOP, NA) | PERF_MEM_S(LOCK, NA) |
               PERF_MEM_S(TLB, NA);
    return (s->reads ? PERF_MEM_S(OP, LOAD) : PERF_MEM_S(OP, STORE)) | perf_recording_level(r, s) |
           perf_recording_tlb(s) | (s->is_atomic ? PERF_MEM_S(LOCK, LOCKED) : 0) |
           ((s->events & PROBE_HITM) != 0 ? PERF_MEM_S(SNOOP, HITM) : PERF_MEM_S(SNOOP, NONE));
}

enum {
    PERF_RECORDING_MEMBERS = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
                             PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_WEIGHT |
                             PERF_SAMPLE_DATA_SRC
};

/* The members in the order of their places in a record. */
static void perf_recording_put(const struct perf_recording *r, struct perf_bytes *out, struct perf_bytes *body,
                               unsigned hart, const struct access_sample *s)
{
    body->count = 0;
    perf_put64(body, (uint64_t)perf_recording_event_of(s) + 1);
    perf_put64(body, s->pc);
    perf_put32(body, PERF_PROCESS);
    perf_put32(body, s->thread);
    perf_put64(body, s->cycle);
    perf_put64(body, s->address);
    perf_put32(body, hart);
    perf_put32(body, 0);
    perf_put64(body, r->period);
    perf_put64(body, s->latency);
    perf_put64(body, perf_recording_source(r, s));
    perf_put_record(out, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, body);
}

/* The names of all threads with samples, which are that of the guest. */
static void perf_recording_put_threads(const struct perf_recording *r, struct perf_bytes *out, const char *guest)
{
    const char *slash = strrchr(guest, '/');
    uint32_t most = 1;
    for (unsigned h = 0; h < r->harts; h++) {
        size_t count;
        const struct access_sample *s = access_log_samples(r->hart[h], &count);
        for (size_t n = 0; n < count; n++)
            most = s[n].thread > most ? s[n].thread : most;
    }
    for (uint32_t thread = 1; thread <= most; thread++)
        perf_put_thread(out, thread, slash != NULL ? slash + 1 : guest);
}

void perf_recording_write(const struct perf_recording *r, const struct symbols *symbols, const char *guest,
                          const char *command, FILE *out)
{
    struct perf_bytes records = {0}, body = {0};
    struct perf_attribute attribute[PERF_EVENTS];
    for (int e = 0; e < PERF_EVENTS; e++) {
        attribute[e] = perf_attribute_new(PERF_RECORDING_MEMBERS, r->period);
        attribute[e].name = xstrdup(perf_recording_names[e]);
    }
    perf_recording_put_threads(r, &records, guest);
    perf_recording_put_files(&records, symbols);
    for (unsigned h = 0; h < r->harts; h++) {
        size_t count;
        const struct access_sample *s = access_log_samples(r->hart[h], &count);
        for (size_t n = 0; n < count; n++)
            perf_recording_put(r, &records, &body, h, &s[n]);
    }
    perf_file_write(out, attribute, PERF_EVENTS, &records,
                    &(struct perf_features){.command = command, .processors = r->harts});
    for (int e = 0; e < PERF_EVENTS; e++)
        free(attribute[e].name);
    free(records.byte);
    free(body.byte);
}
