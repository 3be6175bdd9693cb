/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "emu/cop_stats.h"

/* The counters, by their place on the bus; names and meanings are bus.def's. */
static const uint32_t counters[] = {BUS_CYCLES, BUS_WORDS, BUS_BUBBLES, BUS_WAITING, BUS_OFFERED, BUS_FILTERED, BUS_DELIVERED, BUS_DROPPED, BUS_PROCESSED};

enum { WORD_TEXT = 256 };

static void print_word(const struct image *im, unsigned i, char text[WORD_TEXT])
{
    struct image_names store;
    struct isa_names names = image_names(im, &store);
    struct uop u;
    isa_decode(im->word[i], &u);
    isa_print(text, WORD_TEXT, &u, i, &names);
}

static void print_text(struct cop *c, const struct image *im, FILE *out)
{
    struct bus bus = cop_bus(c);
    unsigned executed = 0;
    char text[WORD_TEXT];
    fprintf(out, "co-processor, program %s\n", im->name[0] != '\0' ? im->name : "without a name");
    for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++)
        fprintf(out, "  %-12s %14llu  %s\n", bus_find(counters[i])->name, (unsigned long long)bus_get(&bus, counters[i]),
                bus_find(counters[i])->contents);
    for (unsigned i = 0; i < im->words; i++)
        executed += cop_word_count(c, i) > 0;
    fprintf(out, "  %u of %u words executed at least once\n", executed, im->words);
    for (unsigned i = 0; i < im->words; i++) {
        print_word(im, i, text);
        fprintf(out, "  %2u %14llu  %s%s%s\n", i, (unsigned long long)cop_word_count(c, i), im->label[i], im->label[i][0] ? ": " : "", text);
    }
}

/* Nothing printed here needs escapes: names are identifiers and words have no quotes. */
static void print_json(struct cop *c, const struct image *im, FILE *out)
{
    struct bus bus = cop_bus(c);
    char text[WORD_TEXT];
    fprintf(out, "{\"program\": \"%s\"", im->name);
    for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++)
        fprintf(out, ", \"%s\": %llu", bus_find(counters[i])->name, (unsigned long long)bus_get(&bus, counters[i]));
    fputs(", \"words_executed\": [", out);
    for (unsigned i = 0; i < im->words; i++) {
        print_word(im, i, text);
        fprintf(out, "%s\n  {\"address\": %u, \"count\": %llu, \"label\": \"%s\", \"text\": \"%s\"}", i ? "," : "", i,
                (unsigned long long)cop_word_count(c, i), im->label[i], text);
    }
    fputs("]}", out);
}

void cop_print_stats(struct cop *c, const struct image *im, FILE *out, bool json)
{
    if (json)
        print_json(c, im, out);
    else
        print_text(c, im, out);
}

bool cop_describe_fault(const struct cop *c, const struct image *im, char *buf, size_t size_bytes)
{
    unsigned pc = cop_pc(c);
    char text[WORD_TEXT] = "not a word of the program";
    if (pc < im->words)
        print_word(im, pc, text);
    switch (cop_state(c)) {
    case BUS_ILLEGAL:
        snprintf(buf, size_bytes, "the co-processor stopped at word %u, which is no legal microinstruction", pc);
        return true;
    case BUS_RUNAWAY:
        snprintf(buf, size_bytes, "the co-processor was stopped at word %u (%s): the program does not finish its sample", pc, text);
        return true;
    case BUS_HALTED:
    case BUS_RUNNING:
    case BUS_WAITING_SAMPLE:
    case BUS_INTERRUPT:
        break;
    }
    return false;
}
