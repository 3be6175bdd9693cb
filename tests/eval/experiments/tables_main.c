/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulates the driver's table of samples on the traces of many processes, as the DCPI paper's study of the table
 * (section 5.4).
 *
 * usage: tables CONFIG INSTRUCTIONS PROFILE PROCESSES SLICE ENTRIES:WAYS:FRONT... -- GUEST...
 *   Takes the samples of the first INSTRUCTIONS of each guest, which has no arguments. The processes run the guests in
 *   turn, each with a number of its own, and give SLICE samples at a time to one table. FRONT: 0 or 1.
 *
 * Prints for each table, separated by tabs: its shape, samples, misses, evicted entries. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core-model/core.h"
#include "core-model/prof/observers.h"
#include "host/collect/sample_table.h"

struct traced {
    uint64_t pc;
    uint32_t event;
};

struct trace {
    struct traced *sample;
    size_t samples;
};

static _Noreturn void die(const char *text)
{
    fprintf(stderr, "tables: %s\n", text);
    exit(2);
}

static void must(enum status st, const struct errmsg *err)
{
    if (st != ST_OK)
        die(err->text);
}

static uint64_t record(void *ctx, unsigned counter, enum count_kind event, uint64_t pc, uint64_t cycle)
{
    struct trace *t = ctx;
    (void)cycle;
    t->sample = xgrow(t->sample, t->samples, sizeof *t->sample);
    t->sample[t->samples++] = (struct traced){pc, counter_sample_event(counter, event)};
    return 0;
}

static struct trace trace_of(char *guest, const struct core_config *cfg, const char *profile, uint64_t most)
{
    struct trace t = {0};
    char *argv[] = {guest, NULL}, *envp[] = {NULL};
    const struct counter_handler handler = {.ctx = &t, .handle = record, .free = true};
    struct guest_config gc = {
        .path = guest, .argv = argv, .envp = envp, .seed = 1, .clock_hz = (uint64_t)cfg->clock_mhz * 1000000};
    struct guest g;
    struct errmsg err;
    must(guest_init(&g, &gc, &err), &err);
    struct core *core = core_new(cfg, &g);
    struct observers *set = observers_new();
    must(observers_create(set, profile, 1, &err), &err);
    observers_set_handler(set, &handler);
    observers_attach(set, core);
    (void)core_run(core, most);
    core_end(core);
    observers_free(set);
    core_free(core);
    guest_fini(&g);
    return t;
}

/* One table. */
struct account {
    uint64_t samples, misses, evicted;
};

static struct account simulate(const struct sample_table_shape *shape, const struct trace *trace, size_t traces,
                               uint32_t processes, size_t slice)
{
    struct sample_table *t = sample_table_new(shape);
    struct account a = {0};
    size_t longest = 0;
    for (size_t n = 0; n < traces; n++)
        longest = trace[n].samples > longest ? trace[n].samples : longest;
    for (size_t from = 0; from < longest; from += slice)
        for (uint32_t pid = 1; pid <= processes; pid++) {
            const struct trace *of = &trace[pid % traces];
            for (size_t n = from; n < from + slice && n < of->samples; n++) {
                struct sample_entry evicted;
                enum sample_outcome outcome = sample_table_add(t, pid, of->sample[n].pc, of->sample[n].event, &evicted);
                a.samples++;
                a.misses += outcome != SAMPLE_HIT;
                a.evicted += outcome == SAMPLE_EVICTED;
            }
        }
    sample_table_free(t);
    return a;
}

static void print_table(const char *text, const struct trace *trace, size_t traces, uint32_t processes, size_t slice)
{
    unsigned front;
    struct sample_table_shape shape;
    if (sscanf(text, "%" SCNu32 ":%" SCNu32 ":%u", &shape.entries, &shape.ways, &front) != 3 || shape.ways == 0)
        die("expected a table ENTRIES:WAYS:FRONT");
    shape.front = front != 0;
    struct account a = simulate(&shape, trace, traces, processes, slice);
    printf("%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", text, a.samples, a.misses, a.evicted);
}

int main(int argc, char **argv)
{
    int end = 6;
    while (end < argc && strcmp(argv[end], "--") != 0)
        end++;
    if (end + 1 >= argc)
        die("usage: tables CONFIG INSTRUCTIONS PROFILE PROCESSES SLICE ENTRIES:WAYS:FRONT... -- GUEST...");
    struct core_config cfg;
    struct errmsg err;
    core_config_default(&cfg);
    must(core_config_load(argv[1], &cfg, &err), &err);
    size_t traces = (size_t)(argc - end - 1), slice = strtoull(argv[5], NULL, 0);
    struct trace *trace = xcalloc(traces, sizeof *trace);
    for (size_t n = 0; n < traces; n++)
        trace[n] = trace_of(argv[(size_t)end + 1 + n], &cfg, argv[3], strtoull(argv[2], NULL, 0));
    if (slice == 0)
        die("expected a SLICE of 1 sample or more");
    for (int n = 6; n < end; n++)
        print_table(argv[n], trace, traces, (uint32_t)strtoul(argv[4], NULL, 0), slice);
    for (size_t n = 0; n < traces; n++)
        free(trace[n].sample);
    free(trace);
    return 0;
}
