/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "emu/cop_stats.h"

#include <string.h>

#include "emu/cop_inspect.h"
#include "emu/cop_use.h"

enum { WORD_TEXT = 256 };

/* Utilisation: for each unit, the number of executed words that use it. */
enum cop_stats_part { PART_BRANCH, PART_CONDITION, PART_ALU, PART_DATA, PART_CAM, PART_INDEX, PART_LFSR, PARTS };
static const struct {
    const char *name, *meaning;
} parts[PARTS] = {
    [PART_BRANCH] = {"branch", "words with a branch in their slot"},
    [PART_CONDITION] = {"conditional", "words with a condition: those that are predicted"},
    [PART_ALU] = {"alu", "words that use the main ALU"},
    [PART_DATA] = {"data", "words that use the data array's port"},
    [PART_CAM] = {"cam", "words that use the associative array"},
    [PART_INDEX] = {"index", "words that use the index unit"},
    [PART_LFSR] = {"lfsr", "words that read the LFSR"},
};

static void count_parts(const struct cop *c, const struct image *im, uint64_t count[PARTS])
{
    memset(count, 0, PARTS * sizeof count[0]);
    for (unsigned i = 0; i < im->words; i++) {
        struct uop u;
        isa_decode(im->word[i], &u);
        uint64_t n = cop_word_count(c, i);
        count[PART_BRANCH] += isa_uses(&u, im->wide).branch ? n : 0;
        count[PART_CONDITION] += u.cond != COND_NEVER ? n : 0;
        count[PART_ALU] += u.alu != ALU_NONE ? n : 0;
        count[PART_DATA] += u.data != DATA_NONE ? n : 0;
        count[PART_CAM] += u.cam != CAM_NONE ? n : 0;
        count[PART_INDEX] += u.idx != IDX_NONE ? n : 0;
        count[PART_LFSR] += isa_is_random(u.b) ? n : 0;
    }
}

/* Derived statistics, in addition to the counters of the bus map. The words of an ideal co-processor take no time, so
 * its cycles are not divided, and its buffer has no mean. */
struct summary {
    bool is_ideal;
    uint64_t cycles, words, halted, part[PARTS];
    double mean_queued;
    struct cop_use use;
};

static void summarise(struct cop *c, const struct image *im, struct summary *s)
{
    struct bus bus = cop_bus(c);
    struct cop_config config = cop_get_config(c);
    *s = (struct summary){
        .is_ideal = config.ideal,
        .cycles = bus_get(&bus, BUS_CYCLES),
        .words = bus_get(&bus, BUS_WORDS),
        .use = cop_get_use(c),
    };
    s->halted = s->cycles - s->words - bus_get(&bus, BUS_BUBBLES) - bus_get(&bus, BUS_WAITING);
    s->mean_queued = s->cycles > 0 ? (double)s->use.occupancy / (double)(s->cycles * config.clock_divide) : 0;
    count_parts(c, im, s->part);
}

static double percent(uint64_t n, uint64_t of) { return of > 0 ? 100.0 * (double)n / (double)of : 0; }

static void print_use(const struct summary *s, FILE *out)
{
    if (s->is_ideal) {
        fputs("  cop_ideal=yes: words take no time and are no part of the cycles; of the words\n", out);
    } else {
        fprintf(out, "  %-14s %14llu  cycles spent halted\n", "halted", (unsigned long long)s->halted);
        fprintf(out, "  %.1f %% of the cycles executed a word; of the words\n", percent(s->words, s->cycles));
    }
    for (unsigned i = 0; i < PARTS; i++)
        fprintf(out, "    %-12s %11.1f %% %s\n", parts[i].name, percent(s->part[i], s->words), parts[i].meaning);
    fputs("  samples in the buffer: ", out);
    if (!s->is_ideal)
        fprintf(out, "%.2f on average, ", s->mean_queued);
    fprintf(out, "%llu at most\n", (unsigned long long)s->use.peak);
    fprintf(out, "  words a sample, by class: samples, mean, least, most\n");
    for (unsigned k = 0; k < OPCLASS_COUNT; k++)
        if (s->use.by_class[k].samples > 0)
            fprintf(out, "    %-12s %14llu %8.2f %6llu %6llu\n", opclass_name((enum opclass)k),
                    (unsigned long long)s->use.by_class[k].samples,
                    (double)s->use.by_class[k].words / (double)s->use.by_class[k].samples,
                    (unsigned long long)s->use.by_class[k].least, (unsigned long long)s->use.by_class[k].most);
}

/* Number of intervals up to the last one with a sample. */
static unsigned used_intervals(const struct cop_use *u)
{
    unsigned n = 0;
    for (unsigned i = 0; i < USE_INTERVALS; i++)
        n = u->interval[i].delivered > 0 ? i + 1 : n;
    return n;
}

static void print_drops(const struct cop_use *u, FILE *out)
{
    fprintf(out, "  drops by intervals of %llu core cycles: samples delivered, dropped\n", 1ull << u->interval_shift);
    for (unsigned i = 0; i < used_intervals(u); i++)
        fprintf(out, "    %2u %14llu %14llu %6.1f %%\n", i, (unsigned long long)u->interval[i].delivered,
                (unsigned long long)u->interval[i].dropped, percent(u->interval[i].dropped, u->interval[i].delivered));
}

void cop_print_stats(struct cop *c, const struct image *im, FILE *out)
{
    struct bus bus = cop_bus(c);
    struct summary s;
    unsigned executed = 0;
    char text[WORD_TEXT];
    fprintf(out, "co-processor, program %s\n", im->name[0] != '\0' ? im->name : "without a name");
    for (const struct bus_region *r = bus_regions; r < bus_regions + bus_region_count; r++)
        if (r->kind == BUS_KIND_STATISTIC)
            fprintf(out, "  %-14s %14llu  %s\n", r->name, (unsigned long long)bus_get(&bus, r->address), r->contents);
    summarise(c, im, &s);
    print_use(&s, out);
    print_drops(&s.use, out);
    for (unsigned i = 0; i < im->words; i++)
        executed += cop_word_count(c, i) > 0;
    fprintf(out, "  %u of %u word%s executed at least once\n", executed, im->words, im->words == 1 ? "" : "s");
    for (unsigned i = 0; i < im->words; i++) {
        cop_print_word(c, im, i, text, sizeof text);
        fprintf(out, "  %2u %14llu  %s%s%s\n", i, (unsigned long long)cop_word_count(c, i), im->label[i],
                im->label[i][0] ? ": " : "", text);
    }
}

static void write_use(const struct summary *s, struct json_stream *out)
{
    if (!s->is_ideal) {
        json_stream_count(out, "halted", s->halted);
        json_stream_decimals(out, "queued_mean", s->mean_queued, 4);
    }
    json_stream_begin(out, "words_with", '{');
    for (unsigned i = 0; i < PARTS; i++)
        json_stream_count(out, parts[i].name, s->part[i]);
    json_stream_end(out, '}');
    json_stream_line(out, 1);
    json_stream_count(out, "queued_peak", s->use.peak);
    json_stream_begin(out, "classes", '{');
    for (unsigned k = 0; k < OPCLASS_COUNT; k++) {
        if (s->use.by_class[k].samples == 0)
            continue;
        json_stream_begin(out, opclass_name((enum opclass)k), '{');
        json_stream_count(out, "samples", s->use.by_class[k].samples);
        json_stream_count(out, "words", s->use.by_class[k].words);
        json_stream_count(out, "least", s->use.by_class[k].least);
        json_stream_count(out, "most", s->use.by_class[k].most);
        json_stream_end(out, '}');
    }
    json_stream_end(out, '}');
}

static void write_drops(const struct cop_use *u, struct json_stream *out)
{
    json_stream_line(out, 1);
    json_stream_count(out, "interval_cycles", 1ull << u->interval_shift);
    json_stream_begin(out, "intervals", '[');
    for (unsigned i = 0; i < used_intervals(u); i++) {
        json_stream_begin(out, NULL, '{');
        json_stream_count(out, "delivered", u->interval[i].delivered);
        json_stream_count(out, "dropped", u->interval[i].dropped);
        json_stream_end(out, '}');
    }
    json_stream_end(out, ']');
}

void cop_write_stats_json(struct cop *c, const struct image *im, const char *key, struct json_stream *out)
{
    struct bus bus = cop_bus(c);
    struct summary s;
    char text[WORD_TEXT];
    json_stream_begin(out, key, '{');
    json_stream_text(out, "program", im->name);
    for (const struct bus_region *r = bus_regions; r < bus_regions + bus_region_count; r++)
        if (r->kind == BUS_KIND_STATISTIC)
            json_stream_count(out, r->name, bus_get(&bus, r->address));
    summarise(c, im, &s);
    write_use(&s, out);
    write_drops(&s.use, out);
    json_stream_line(out, 1);
    json_stream_begin(out, "words_executed", '[');
    for (unsigned i = 0; i < im->words; i++) {
        cop_print_word(c, im, i, text, sizeof text);
        json_stream_line(out, 2);
        json_stream_begin(out, NULL, '{');
        json_stream_count(out, "address", i);
        json_stream_count(out, "count", cop_word_count(c, i));
        json_stream_text(out, "label", im->label[i]);
        json_stream_text(out, "text", text);
        json_stream_end(out, '}');
    }
    json_stream_end(out, ']');
    json_stream_end(out, '}');
}
