/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How fast is the co-processor's model alone? Runs a program image over synthetic samples of the first class that it
 * lets through, one in so many cycles; prints samples and microinstructions per second of processor time, the making of
 * the samples included. usage: cop_speed IMAGE [SAMPLES [CYCLES]] */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "emu/cop.h"
#include "isa/image.h"

/* 100 static instructions; most samples have their instruction's usual value, and most branches are taken. */
static void make_sample(struct sample *s, uint64_t i)
{
    uint64_t h = i * UINT64_C(0x9e3779b97f4a7c15);
    s->field[FIELD_PC] = 0x10000 + 4 * (h >> 40) % 400;
    s->field[FIELD_PC32] = sample_pc32(s->field[FIELD_PC]);
    s->field[FIELD_TAKEN] = (h >> 8 & 0xf) < 13;
    s->field[FIELD_RESULT] = s->field[FIELD_RESULT32] = s->field[FIELD_TAKEN] ? s->field[FIELD_PC] : h >> 44;
}

static void serve(void *ctx, uint64_t cycle)
{
    (void)cycle;
    bus_put(ctx, BUS_INDEXES, 0);
    bus_put(ctx, BUS_COMMAND, BUS_INVALIDATE_ALL | BUS_CLEAR_ALL | BUS_RESTART);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    static struct image image;
    struct errmsg err;
    uint64_t samples = argc > 2 ? strtoull(argv[2], NULL, 10) : 10000000,
             cycles = argc > 3 ? strtoull(argv[3], NULL, 10) : 8;
    if (argc < 2 || image_load(&image, argv[1], &err) != ST_OK) {
        fprintf(stderr, "cop_speed: %s\n", argc < 2 ? "usage: cop_speed IMAGE [SAMPLES [CYCLES]]" : err.text);
        return EXIT_BAD_INPUT;
    }
    struct cop *cop = cop_new(&cop_default_config);
    struct bus bus = cop_bus(cop);
    if (bus_load_program(&bus, &image, &err) != ST_OK) {
        fprintf(stderr, "cop_speed: %s\n", err.text);
        return EXIT_BAD_INPUT;
    }
    cop_on_interrupt(cop, serve, &bus);
    bus_put(&bus, BUS_COMMAND, BUS_RESTART);
    struct sample_sink sink = cop_sink(cop);
    static struct sample s;
    s.opclass = (enum opclass)__builtin_ctz(image.filter_classes);
    double start = seconds();
    for (uint64_t i = 0; i < samples; i++) {
        make_sample(&s, i);
        s.cycle = cycles * i;
        if (sink.accept(sink.ctx, s.opclass, s.field[FIELD_PC], s.cycle))
            sink.deliver(sink.ctx, &s);
    }
    cop_drain(cop);
    double took = seconds() - start;
    uint64_t words = bus_get(&bus, BUS_WORDS);
    printf("co-processor model, program %s: %.1f M samples/s, %.1f M microinstructions/s (%.2f words a sample)\n",
           image.name, (double)samples / took / 1e6, (double)words / took / 1e6, (double)words / (double)samples);
    cop_free(cop);
    return 0;
}
