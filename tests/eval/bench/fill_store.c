/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A large profile store: RUNS runs with the images of run 1 of FROM, each with SAMPLES samples in all of three event
 * counters, drawn at random from that run's exact profile, and with the exact cycles.
 * usage: fill_store STORE FROM RUNS SAMPLES */
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "host/store/store.h"

static _Noreturn void end(const struct errmsg *err)
{
    fprintf(stderr, "fill_store: %s\n", err->text);
    exit(EXIT_BAD_INPUT);
}

/* An exact event with its cumulated values, and its share of the samples. */
static struct source {
    const char *name, *unit;
    double share, *sum;
    const struct profile_sample *sample;
    size_t count;
} sources[] = {{.name = "cycles", .unit = "cycles", .share = 0.80},
               {.name = "dcache-miss", .unit = "events", .share = 0.15},
               {.name = "mispredicted", .unit = "events", .share = 0.05}};
enum { SOURCES = sizeof sources / sizeof sources[0] };

static void prepare(const struct profile *p)
{
    for (struct source *s = sources; s < sources + SOURCES; s++) {
        uint32_t event = profile_find_event(p, s->name, PROFILE_EXACT);
        if (event == PROFILE_NO_EVENT)
            end(&(struct errmsg){"expected a run with --profile oracle,counts"});
        s->sample = profile_samples(p, event, &s->count);
        s->sum = xcalloc(s->count + 1, sizeof *s->sum);
        for (size_t n = 0; n < s->count; n++)
            s->sum[n + 1] = s->sum[n] + s->sample[n].value;
    }
}

static void draw(struct profile *p, const struct source *s, uint64_t samples, struct random *random)
{
    double *value = xcalloc(s->count, sizeof *value), all = s->sum[s->count];
    uint32_t event = profile_add_event(p, &(struct profile_event){.name = s->name,
                                                                  .by = "counter",
                                                                  .unit = s->unit,
                                                                  .source = PROFILE_COUNTER,
                                                                  .scale = all / (double)samples,
                                                                  .period = all / (double)samples,
                                                                  .total = all,
                                                                  .runs = 1});
    for (uint64_t n = 0; n < samples; n++) {
        double at = all * (double)(random_bits(random) >> 11) / 0x1p53;
        size_t low = 0, high = s->count;
        while (high - low > 1) {
            size_t middle = low + (high - low) / 2;
            *(s->sum[middle] <= at ? &low : &high) = middle;
        }
        value[low]++;
    }
    for (size_t n = 0; n < s->count; n++)
        if (value[n] != 0)
            profile_add_sample(p, event, (struct profile_sample){s->sample[n].image, s->sample[n].address, value[n]});
    free(value);
}

/* The profile of one run: images with all that they have, exact cycles, samples. */
static struct profile *make_run(const struct profile *from, uint64_t samples, struct random *random)
{
    struct profile *p = profile_new();
    /* The store numbers files by their first use, so these are added in the order of their numbers. */
    for (uint32_t n = 0, files = 0; n < profile_images(from); n++)
        for (uint32_t l = 0; l < profile_image(from, n)->lines; l++)
            if (profile_image(from, n)->line[l].file == files)
                profile_add_file(p, profile_file(from, files++));
    for (uint32_t n = 0; n < profile_images(from); n++)
        profile_add_image(p, profile_image(from, n));
    uint32_t exact = profile_add_event(p, profile_event(from, profile_find_event(from, "cycles", PROFILE_EXACT)));
    for (size_t n = 0; n < sources[0].count; n++)
        profile_add_sample(p, exact, sources[0].sample[n]);
    for (int s = 0; s < SOURCES; s++)
        draw(p, &sources[s], (uint64_t)(sources[s].share * (double)samples), random);
    return p;
}

int main(int argc, char **argv)
{
    struct errmsg err;
    struct profile_store *s;
    struct profile *from;
    if (argc != 5)
        end(&(struct errmsg){"usage: fill_store STORE FROM RUNS SAMPLES"});
    struct store_range first = {1, 1};
    const struct store_selection one = {.range = &first, .ranges = 1};
    if (store_open(&s, argv[2], STORE_READ, STORE_WAIT_MS, &err) != ST_OK ||
        store_load(s, &one, STORE_ALL, NULL, NULL, &from, &err) != ST_OK)
        end(&err);
    store_close(s);
    prepare(from);
    if (store_open(&s, argv[1], STORE_CREATE, STORE_WAIT_MS, &err) != ST_OK)
        end(&err);
    struct random random = {.state = 1};
    for (long n = 0; n < atol(argv[3]); n++) {
        int64_t number;
        struct profile *p = make_run(from, (uint64_t)atoll(argv[4]), &random);
        const struct store_run run = {.epoch = "default",
                                      .command = "fill_store",
                                      .guest = "guest",
                                      .configuration = "inorder",
                                      .configuration_text = "core = inorder\n",
                                      .seed = (uint64_t)n,
                                      .statistics = "{}",
                                      .report = "{}",
                                      .profile = p};
        if (store_add_run(s, &run, &number, &err) != ST_OK)
            end(&err);
        profile_free(p);
    }
    store_close(s);
    for (int n = 0; n < SOURCES; n++)
        free(sources[n].sum);
    profile_free(from);
    return 0;
}
