/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a profiling program over samples from a file, text or a recording, without a core. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "emu/samples.h"
#include "tools/pcemu/fatal.h"
#include "tools/pcemu/session.h"

enum { MAX_SAMPLE_FILE = 1 << 30 };

/* Cycle at which a sample is due. Times in the file refer to a run without interrupts: each handler that runs before
 * the sample delays it by the handler's duration. */
static uint64_t due(struct session *s, const struct timed_sample *t, uint64_t now)
{
    uint64_t paused = s->service.paused_cycles;
    if (t->when == WHEN_IDLE) {
        uint64_t idle = cop_drain(s->profiling.cop);
        return idle > now ? idle : now;
    }
    uint64_t cycle = t->when == WHEN_AT ? t->cycles + paused : now + t->cycles, shown;
    if (cycle < now)
        cycle = now;
    do {
        shown = s->service.paused_cycles;
        cop_advance(s->profiling.cop, cycle + shown - paused);
        service_tick(&s->service, cycle + shown - paused);
    } while (s->service.paused_cycles != shown);
    return cycle + shown - paused;
}

/* Adds the sample of an instruction with this result to the ground truth. */
static void add_truth(struct profiling *p, const struct sample *sample, uint64_t pc, uint64_t result)
{
    if (p->values != NULL)
        exact_values_add(p->values, sample->opclass, pc, result);
    for (unsigned e = 0; e < EXACT_REFERENCES; e++)
        if (p->exact[e].harts != 0)
            exact_add_sample(p->exact[e].of[0], sample);
}

/* Offers one sample to the sink as a core does, at its time in the file. `delivered` counts the samples that the
 * filters have passed, and numbers those without a number in the file. Returns its cycle. */
static uint64_t offer(struct session *s, const struct sample_sink *sink, struct timed_sample *t, uint64_t now,
                      uint64_t *delivered)
{
    struct profiling *p = &s->profiling;
    struct sample *sample = &t->sample;
    uint64_t *field = sample->field, cycle = due(s, t, now);
    sample->cycle = field[FIELD_CYCLE] = cycle;
    uint64_t pc = field[FIELD_PC] != 0 ? field[FIELD_PC] : sample_pc_of((uint32_t)field[FIELD_PC32]);
    add_truth(p, sample, pc, field[FIELD_RESULT] != 0 ? field[FIELD_RESULT] : field[FIELD_RESULT32]);
    if (!sink->accept(sink->ctx, sample->opclass, pc, cycle))
        return cycle;
    if (!t->numbered)
        field[FIELD_SEQ] = *delivered & UINT32_MAX;
    ++*delivered;
    sink->deliver(sink->ctx, sample);
    return cycle;
}

/* Handles signals and debugger pauses between samples; returns whether the run must end. */
static bool is_ended(struct session *s, uint64_t done, uint64_t now)
{
    if (signals_ended_by() != 0)
        return true;
    struct progress p = {.what = "run", .unit = "samples", .done = done, .goal = UINT64_MAX, .cycles = now};
    status_line_show(&s->status_line, &p, false);
    return false;
}

static volatile int stop; /* set by the signal handlers */

static void run_samples_begin(struct session *s)
{
    signals_catch(&stop, NULL, s->debugging.debugger != NULL);
    watch_open_windows(&s->watch, &s->options, &s->target);
    watch_trace_cop(&s->watch, s->profiling.cop, &s->profiling.image);
    debugging_begin(&s->debugging, &s->service);
    status_line_begin(&s->status_line);
}

/* Offers all samples in order; returns whether the run was interrupted. */
static bool offer_all(struct session *s, struct sample_reader *reader, struct diag *diag)
{
    struct sample_sink sink = cop_sink(s->profiling.cop);
    uint64_t now = 0, done = 0, delivered = 0;
    run_samples_begin(s);
    while (!sample_reader_at_end(reader)) {
        struct timed_sample t;
        if (!sample_read(reader, diag, &t) || diag->errors > 0)
            continue;
        for (uint64_t i = 0; i < t.repeat; i++, done++) {
            if (stop) {
                stop = 0;
                if (is_ended(s, done, now))
                    return true;
            }
            (void)debugging_pause(&s->debugging, false);
            now = offer(s, &sink, &t, now, &delivered);
        }
    }
    return false;
}

/* Whether the lines that have been read so far have no error: a file without end, or of something else, is not read as
 * a whole to say so. Only the first part is read twice. */
static bool is_of_samples(void *ctx, const char *text, size_t size_bytes)
{
    enum { FIRST_PART = 1 << 16 };
    const char *end = memrchr(text, '\n', size_bytes);
    if (size_bytes > FIRST_PART)
        return memchr(text + size_bytes / 2, '\0', size_bytes - size_bytes / 2) == NULL;
    struct diag_source source = {.name = ctx, .text = text, .size_bytes = end != NULL ? (size_t)(end - text) : 0};
    struct diag diag;
    char *unused;
    size_t unused_bytes;
    FILE *out = xopen_text(&unused, &unused_bytes);
    diag_init(&diag, out);
    struct sample_reader reader = {.source = &source};
    for (struct timed_sample t; end != NULL && diag.errors == 0 && !sample_reader_at_end(&reader);)
        (void)sample_read(&reader, &diag, &t);
    xclose_text(out);
    free(unused);
    return end != NULL && diag.errors == 0;
}

static void run_text(struct session *s)
{
    struct errmsg err;
    char *text;
    size_t size_bytes;
    const char *name = strcmp(s->options.core_input, "-") == 0 ? "standard input" : s->options.core_input;
    must(file_read_while(s->samples.in, name, MAX_SAMPLE_FILE, is_of_samples, (void *)(uintptr_t)name, &text,
                         &size_bytes, &err),
         &err);
    struct diag_source source = {.name = name, .text = text, .size_bytes = size_bytes};
    struct diag diag;
    diag_init(&diag, stderr);
    struct sample_reader reader = {.source = &source};
    bool interrupted = offer_all(s, &reader, &diag);
    status_line_end(&s->status_line);
    if (interrupted)
        session_note_interrupt(s);
    free(text);
    diag_summary(&diag);
    if (diag.errors > 0)
        exit(EXIT_BAD_INPUT);
}

/* ---- recordings ---- */

/* The cycle of a recorded one: later by the time of all handlers so far, which may run on the way to it. */
static inline uint64_t run_samples_pass_time(struct session *s, const struct sample_sink *sink, uint64_t recorded)
{
    uint64_t paused;
    do {
        paused = s->service.paused_cycles;
        if (recorded + paused >= sink->due->from)
            sink->pass_time(sink->ctx, recorded + paused);
    } while (s->service.paused_cycles != paused);
    return recorded + paused;
}

/* Offers up to `most` samples; returns their number. */
static unsigned offer_recorded(struct session *s, const struct sample_sink *sink, unsigned most, uint64_t *delivered)
{
    static struct sample sample;
    unsigned n = 0;
    while (n < most && sample_file_next(s->samples.file, &sample)) {
        n++;
        add_truth(&s->profiling, &sample, sample.field[FIELD_PC], sample.field[FIELD_RESULT]);
        sample.cycle = sample.field[FIELD_CYCLE] = run_samples_pass_time(s, sink, sample.cycle);
        if (!sink->accept(sink->ctx, sample.opclass, sample.field[FIELD_PC], sample.cycle))
            continue;
        sample.field[FIELD_SEQ] = (*delivered)++ & UINT32_MAX;
        sink->deliver(sink->ctx, &sample);
    }
    return n;
}

/* The samples between two looks at signals; with a debugger, each sample may be where it pauses. */
static unsigned batch(const struct session *s) { return s->debugging.debugger != NULL ? 1 : 1024; }

static void run_recording(struct session *s)
{
    struct profiling *p = &s->profiling;
    uint64_t done = 0, delivered = 0;
    sample_recording_start(&s->samples, &p->image, &s->target);
    struct sample_sink sink = cop_sink(p->cop);
    cop_on_clock(p->cop, service_poll_clock, &s->service);
    service_begin(&s->service, NULL, true);
    run_samples_begin(s);
    for (unsigned n = 1; n != 0; done += n) {
        if (stop) {
            stop = 0;
            if (is_ended(s, done, s->service.paused_cycles + sample_file_cycles(s->samples.file))) {
                session_note_interrupt(s);
                break;
            }
        }
        (void)debugging_pause(&s->debugging, false);
        n = offer_recorded(s, &sink, batch(s), &delivered);
    }
    status_line_end(&s->status_line);
    if (!s->outcome.partial)
        s->outcome.partial = sample_recording_finish(&s->samples, &s->target);
}

void session_end_recorded(struct session *s)
{
    const struct sample_sink sink = cop_sink(s->profiling.cop);
    uint64_t end = sample_file_clock(s->samples.file) + sample_file_cycles(s->samples.file);
    cop_advance(s->profiling.cop, run_samples_pass_time(s, &sink, end));
}

void session_run_samples(struct session *s)
{
    if (s->samples.file != NULL)
        run_recording(s);
    else
        run_text(s);
}
