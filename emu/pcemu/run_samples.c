/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running a profiling program over samples from a text file, without any core. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "emu/pcemu/session.h"
#include "emu/samples.h"

enum { MAX_SAMPLE_FILE = 1 << 30 };

/* The cycle at which a sample is due. Times in the file are those of a program that nobody interrupts: each handler that runs before the
 * sample puts it off. */
static uint64_t due(struct session *session, const struct timed_sample *t, uint64_t now)
{
    uint64_t paused = session->paused_cycles;
    if (t->when == WHEN_IDLE) {
        uint64_t idle = cop_drain(session->cop);
        return idle > now ? idle : now;
    }
    uint64_t cycle = t->when == WHEN_AT ? t->cycles + paused : now + t->cycles, shown;
    if (cycle < now)
        cycle = now;
    do {
        shown = session->paused_cycles;
        cop_advance(session->cop, cycle + shown - paused);
        session_tick(session, cycle + shown - paused);
    } while (session->paused_cycles != shown);
    return cycle + shown - paused;
}

/* Offers one sample as a core would, at the time the file says. Returns the cycle of it. */
static uint64_t offer(struct session *session, const struct sample_sink *sink, struct timed_sample *t, uint64_t now)
{
    uint64_t cycle = due(session, t, now);
    struct sample *s = &t->sample;
    s->cycle = s->field[FIELD_CYCLE] = cycle;
    uint64_t pc = s->field[FIELD_PC] != 0 ? s->field[FIELD_PC] : sample_pc_of((uint32_t)s->field[FIELD_PC32]);
    if (session->exact != NULL)
        exact_values_add(session->exact, s->opclass, pc, s->field[FIELD_RESULT] != 0 ? s->field[FIELD_RESULT] : s->field[FIELD_RESULT32]);
    if (session->exact_taken != NULL)
        exact_values_add(session->exact_taken, s->opclass, pc, s->field[FIELD_TAKEN]);
    if (sink->accept(sink->ctx, s->opclass, pc, cycle))
        sink->deliver(sink->ctx, s);
    return cycle;
}

/* Something has come in between: true where the run is to end. */
static bool is_ended(struct session *session, uint64_t done, uint64_t now)
{
    if (session_interrupted())
        return true;
    struct progress p = {.what = "run", .unit = "samples", .done = done, .goal = UINT64_MAX, .cycles = now};
    session_show_progress(session, &p);
    return false;
}

/* Offers them one after the other; true where the run was interrupted. */
static bool offer_all(struct session *session, struct sample_reader *reader, struct diag *diag)
{
    static volatile int stop; /* for the signal handlers */
    struct sample_sink sink = cop_sink(session->cop);
    uint64_t now = 0, done = 0;
    session_catch_signals(session, &stop);
    session_begin_debugging(session);
    session_begin_progress(session);
    while (!sample_reader_at_end(reader)) {
        struct timed_sample t;
        if (!sample_read(reader, diag, &t) || diag->errors > 0)
            continue;
        for (uint64_t i = 0; i < t.repeat; i++, done++) {
            if (stop) {
                stop = 0;
                if (is_ended(session, done, now))
                    return true;
            }
            (void)session_debug_pause(session, false);
            now = offer(session, &sink, &t, now);
        }
    }
    return false;
}

void session_run_samples(struct session *session)
{
    struct errmsg err;
    char *text;
    size_t size_bytes;
    signal(SIGUSR1, SIG_IGN); /* until there is something to be asked about */
    must(file_read(session->options.samples, MAX_SAMPLE_FILE, &text, &size_bytes, &err), &err);
    const char *name = strcmp(session->options.samples, "-") == 0 ? "standard input" : session->options.samples;
    struct diag_source source = {.name = name, .text = text, .size_bytes = size_bytes};
    struct diag diag;
    diag_init(&diag, stderr);
    struct sample_reader reader = {.source = &source};
    session_attach_traces(session);
    bool interrupted = offer_all(session, &reader, &diag);
    session_end_progress(session);
    if (interrupted)
        session_note_interrupt(session);
    free(text);
    diag_summary(&diag);
    if (diag.errors > 0)
        exit(EXIT_BAD_INPUT);
}
