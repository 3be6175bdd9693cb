/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the events that Perfetto reads as Chrome's trace format: complete slices (X), counters (C), instants (i) and
 * the names of tracks (M). A cycle is a microsecond, the unit of the format's times. A hart has three tracks. */
#include "tools/pcemu/timeline.h"

#include <stdlib.h>

#include "base/json_stream.h"
#include "base/status.h"

enum pcemu_timeline_track { TRACK_THREADS, TRACK_FUNCTIONS, TRACK_HANDLERS, TRACKS };
enum { PROCESS = 1 };

/* ---- the co-processor ---- */

static struct pcemu_timeline_samples *pcemu_timeline_at(struct pcemu_timeline *t, uint64_t cycle)
{
    while (t->steps <= cycle / t->step) {
        t->samples = xgrow(t->samples, t->steps, sizeof *t->samples);
        t->samples[t->steps++] = (struct pcemu_timeline_samples){0};
    }
    return &t->samples[cycle / t->step];
}

static void pcemu_timeline_admitted(void *ctx, const struct cop_arrival *a)
{
    pcemu_timeline_at(ctx, a->cycle)->admitted++;
}

static void pcemu_timeline_dropped(void *ctx, const struct sample *s, enum cop_drop why)
{
    pcemu_timeline_at(ctx, s->cycle)->dropped[why]++;
}

static void pcemu_timeline_interrupt(void *ctx, uint64_t cycle)
{
    struct pcemu_timeline *t = ctx;
    t->interrupt = xgrow(t->interrupt, t->interrupts, sizeof *t->interrupt);
    t->interrupt[t->interrupts++] = cycle;
}

void pcemu_timeline_watch(struct pcemu_timeline *t, struct cop *cop)
{
    t->cop = cop;
    cop_watch(cop, &(struct cop_watch){.ctx = t,
                                       .delivered = pcemu_timeline_admitted,
                                       .dropped = pcemu_timeline_dropped,
                                       .interrupt = pcemu_timeline_interrupt});
}

void pcemu_timeline_add_hart(struct pcemu_timeline *t, struct observers *set)
{
    struct timeline *hart = timeline_new(t->step);
    t->hart[t->harts++] = hart;
    observers_add(set, &hart->base);
}

void pcemu_timeline_release(struct pcemu_timeline *t)
{
    if (t->cop != NULL)
        cop_watch(t->cop, NULL);
    free(t->samples);
    free(t->interrupt);
    *t = (struct pcemu_timeline){0};
}

/* ---- events ---- */

/* Begins an event of a track; its arguments and the end follow. */
static void pcemu_timeline_begin(struct json_stream *j, const char *kind, const char *name, uint64_t cycle,
                                 unsigned track)
{
    json_stream_line(j, 0);
    json_stream_begin(j, NULL, '{');
    json_stream_text(j, "ph", kind);
    json_stream_text(j, "name", name);
    json_stream_count(j, "ts", cycle);
    json_stream_count(j, "pid", PROCESS);
    json_stream_count(j, "tid", track);
}

static void pcemu_timeline_name(struct json_stream *j, const char *what, const char *name, unsigned track)
{
    pcemu_timeline_begin(j, "M", what, 0, track);
    json_stream_begin(j, "args", '{');
    json_stream_text(j, "name", name);
    json_stream_end(j, '}');
    json_stream_end(j, '}');
}

static void pcemu_timeline_slice(struct json_stream *j, const char *name, uint64_t from, uint64_t to, unsigned track)
{
    if (to <= from)
        return;
    pcemu_timeline_begin(j, "X", name, from, track);
    json_stream_count(j, "dur", to - from);
    json_stream_end(j, '}');
}

/* ---- harts ---- */

static void pcemu_timeline_write_threads(struct json_stream *j, const struct timeline *h, unsigned track)
{
    for (size_t n = 0; n < h->threads; n++) {
        char *name = xasprintf("thread %llu", (unsigned long long)h->thread[n].number);
        if (h->thread[n].number != 0)
            pcemu_timeline_slice(j, name, h->thread[n].from, h->thread[n].to, track);
        free(name);
    }
}

/* The functions in which the last instructions of the steps retired; one of several steps is one slice. */
static void pcemu_timeline_write_functions(struct json_stream *j, const struct timeline *h,
                                           const struct symbols *symbols, unsigned track)
{
    uint64_t from = h->start, start = 0;
    for (size_t n = 0; n <= h->steps; n++) {
        const uint64_t at = n < h->steps ? h->start + n * h->step : h->end;
        const uint64_t pc = n < h->steps ? h->at[n].pc : 0;
        const uint64_t function = pc == 0 || symbols == NULL ? 0 : symbols_find(symbols, pc).start;
        if (function == start && n < h->steps)
            continue;
        char *name = start == 0 ? NULL : symbols_function(symbols, start, &(const char *){NULL});
        if (name != NULL)
            pcemu_timeline_slice(j, name, from, at, track);
        free(name);
        from = at;
        start = function;
    }
}

static void pcemu_timeline_write_retired(struct json_stream *j, const struct timeline *h, const char *name,
                                         unsigned track)
{
    for (size_t n = 0; n < h->steps; n++) {
        pcemu_timeline_begin(j, "C", name, h->start + n * h->step, track);
        json_stream_begin(j, "args", '{');
        json_stream_count(j, "instructions", h->at[n].retired);
        json_stream_end(j, '}');
        json_stream_end(j, '}');
    }
}

static void pcemu_timeline_write_hart(struct json_stream *j, const struct pcemu_timeline *t, unsigned n,
                                      const struct symbols *symbols)
{
    static const char *const tracks[] = {
        [TRACK_THREADS] = "threads", [TRACK_FUNCTIONS] = "functions", [TRACK_HANDLERS] = "handlers"};
    const struct timeline *h = t->hart[n];
    const unsigned first = 1 + n * TRACKS;
    for (unsigned k = 0; k < TRACKS; k++) {
        char *name = xasprintf("hart %u: %s", n, tracks[k]);
        pcemu_timeline_name(j, "thread_name", name, first + k);
        free(name);
    }
    pcemu_timeline_write_threads(j, h, first + TRACK_THREADS);
    pcemu_timeline_write_functions(j, h, symbols, first + TRACK_FUNCTIONS);
    for (size_t k = 0; k < h->handlers; k++)
        pcemu_timeline_slice(j, t->harts > 1 ? "idle or handler" : "handler", h->handler[k].from, h->handler[k].to,
                             first + TRACK_HANDLERS);
    char *counter = xasprintf("hart %u: retired", n);
    pcemu_timeline_write_retired(j, h, counter, first);
    free(counter);
}

/* ---- the co-processor's events ---- */

static void pcemu_timeline_write_samples(struct json_stream *j, const struct pcemu_timeline *t, size_t n)
{
    static const char *const why[] = {
#define DROP(sym, label, note, text) "dropped: " text,
#include "isa/drop.def"
    };
    pcemu_timeline_begin(j, "C", "samples", n * t->step, 0);
    json_stream_begin(j, "args", '{');
    json_stream_count(j, "admitted", t->samples[n].admitted);
    for (unsigned k = 0; k < COP_DROP_KINDS; k++)
        json_stream_count(j, why[k], t->samples[n].dropped[k]);
    json_stream_end(j, '}');
    json_stream_end(j, '}');
}

static void pcemu_timeline_write_cop(struct json_stream *j, const struct pcemu_timeline *t)
{
    pcemu_timeline_name(j, "thread_name", "co-processor", 0);
    for (size_t n = 0; n < t->steps; n++)
        pcemu_timeline_write_samples(j, t, n);
    for (size_t n = 0; n < t->interrupts; n++) {
        pcemu_timeline_begin(j, "i", "interrupt", t->interrupt[n], 0);
        json_stream_text(j, "s", "t"); /* an arrow of the track */
        json_stream_end(j, '}');
    }
}

void pcemu_timeline_write(const struct pcemu_timeline *t, const struct symbols *symbols, const char *guest, FILE *out)
{
    struct json_stream j = {.out = out};
    json_stream_begin(&j, NULL, '{');
    json_stream_begin(&j, "traceEvents", '[');
    pcemu_timeline_name(&j, "process_name", guest, 0);
    for (unsigned n = 0; n < t->harts; n++)
        pcemu_timeline_write_hart(&j, t, n, symbols);
    if (t->cop != NULL)
        pcemu_timeline_write_cop(&j, t);
    json_stream_end(&j, ']');
    json_stream_end(&j, '}');
    fputc('\n', out);
}
