/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes samples as text: whatever the text holds, each line is a sample or an error. The samples before the first
 * error are delivered to a co-processor, at their times. */
#include <stdlib.h>
#include <string.h>

#include "emu/cop.h"
#include "emu/samples.h"
#include "tests/fuzz/fuzzed_program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_DELIVERED = 200 };

static const char program[] =
    ".program fuzz\n.base t = 0\n.index i, width 2\n.index n, width 2\n.filter class load, store\n"
    ".entry load look\n.entry store look\n.slot t[4] { key : pc, seen : 16 }\n"
    "look: match t, pc32 -> i | if miss goto new\n inc t[i].seen | done\n"
    "new: write t[n], pc32\n inc n | if nolimit done\n interrupt\n";

static void serve(void *ctx, uint64_t cycle)
{
    struct bus bus = cop_bus(ctx);
    (void)cycle;
    bus_put(&bus, BUS_COMMAND, BUS_INVALIDATE_ALL | BUS_CLEAR_ALL | BUS_RESTART);
}

static struct cop *make_cop(void)
{
    struct cop_config config = cop_default_config;
    struct errmsg err;
    config.runaway_words = 1000;
    config.buffer_bytes = 128; /* a larger one takes longer to make than most inputs take */
    struct cop *cop = cop_new(&config);
    struct bus bus = cop_bus(cop);
    if (bus_load_program(&bus, assembled(program), &err) != ST_OK)
        BUG("%s", err.text);
    bus_put(&bus, BUS_COMMAND, BUS_RESTART);
    cop_on_interrupt(cop, serve, cop);
    return cop;
}

/* Delivers a sample at its time; returns its cycle. */
static uint64_t deliver(struct cop *cop, struct timed_sample *t, uint64_t now)
{
    struct sample_sink sink = cop_sink(cop);
    uint64_t cycle = t->when == WHEN_AT ? t->cycles : t->when == WHEN_AFTER ? now + t->cycles : cop_drain(cop);
    if (cycle < now)
        cycle = now;
    cop_advance(cop, cycle);
    t->sample.cycle = t->sample.field[FIELD_CYCLE] = cycle;
    if (sink.accept(sink.ctx, t->sample.opclass, t->sample.field[FIELD_PC], cycle))
        sink.deliver(sink.ctx, &t->sample);
    return cycle;
}

static void read_all(struct sample_reader *reader, struct diag *diag, struct cop *cop)
{
    uint64_t now = 0;
    unsigned delivered = 0;
    while (!sample_reader_at_end(reader)) {
        static struct timed_sample t;
        int errors = diag->errors;
        size_t at = reader->at;
        bool is_read = sample_read(reader, diag, &t);
        if (reader->at == at)
            BUG("nothing is read at byte %zu", at);
        if (is_read && (diag->errors != errors || (unsigned)t.sample.opclass >= OPCLASS_COUNT || t.repeat == 0))
            BUG("a sample is read with an error, of class %d, %llu times", (int)t.sample.opclass,
                (unsigned long long)t.repeat);
        for (uint64_t n = 0; is_read && diag->errors == 0 && n < t.repeat && delivered < MOST_DELIVERED;
             n++, delivered++)
            now = deliver(cop, &t, now);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *said, *text = xmalloc(size + 1);
    size_t said_bytes;
    FILE *out = open_memstream(&said, &said_bytes);
    struct diag diag;
    struct diag_source source = {.name = "fuzzed", .text = text, .size_bytes = size};
    struct sample_reader reader = {.source = &source};
    struct cop *cop = make_cop();
    memcpy(text, data, size);
    text[size] = '\0';
    diag_init(&diag, out);
    read_all(&reader, &diag, cop);
    diag_summary(&diag);
    fclose(out);
    if (diag.errors > 0 && said_bytes == 0)
        BUG("refused without a word");
    cop_drain(cop);
    cop_free(cop);
    free(said);
    free(text);
    return 0;
}
