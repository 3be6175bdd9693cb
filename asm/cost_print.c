/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cost of a program as text and as JSON. Entry points: cost_print_text, cost_print_json. */
#include <inttypes.h>
#include <string.h>

#include "asm/cost.h"
#include "asm/flow.h"

static const unsigned divides[] = {1, 2, 4, 8};
enum { DIVIDES = sizeof divides / sizeof divides[0], LINE_COLUMNS = 100, INDENT = 11, CYCLES_TEXT = 24 };

/* Lists the classes of an entry, e.g. "load, fload". */
static const char *asm_cost_print_list_classes(uint32_t classes, const char *before, const char *after, char text[400])
{
    size_t n = 0;
    text[0] = '\0';
    for (unsigned c = 0; c < OPCLASS_COUNT; c++)
        if (classes >> c & 1)
            n += (size_t)snprintf(text + n, 400 - n, "%s%s%s%s", n > 0 ? ", " : "", before,
                                  opclass_name((enum opclass)c), after);
    return text;
}

static void print_bound(FILE *out, const struct cost_path *path)
{
    char text[CYCLES_TEXT];
    snprintf(text, sizeof text, "%" PRId64 "%s", path->cycles, path->exact ? "=" : " ");
    fprintf(out, "%11s", path->cycles == COST_UNBOUNDED ? "unbounded " : path->cycles == COST_HUGE ? "> 2^53 " : text);
}

/* Prints a path as "look, look+1, 16 x [again, again+1], off", wrapped if long. */
static void asm_cost_print_path(FILE *out, const struct flow *f, const char *title, const struct cost_path *path)
{
    int column = fprintf(out, "  %-9s", title);
    for (unsigned i = 0; i < path->steps; i++) {
        const struct cost_step *s = &path->step[i];
        char text[ISA_WORDS * (FLOW_NAME + 2) + 40], name[FLOW_NAME];
        size_t n = 0;
        if (s->passes == COST_UNBOUNDED)
            n += (size_t)sprintf(text, "any number of x [");
        else if (s->passes != 1)
            n += (size_t)sprintf(text, "%" PRId64 " x [", s->passes);
        for (word_set rest = s->words; rest != 0; rest &= rest - 1)
            n += (size_t)sprintf(text + n, "%s%s", rest != s->words ? " " : "", flow_name(f, word_lowest(rest), name));
        sprintf(text + n, "%s%s", s->passes != 1 ? "]" : "", i + 1 < path->steps ? "," : "");
        if (i > 0 && column + 1 + (int)strlen(text) > LINE_COLUMNS)
            column = fprintf(out, "\n%*s", INDENT - 1, "") - 1;
        column += fprintf(out, "%s%s", i > 0 ? " " : "", text);
    }
    fputc('\n', out);
}

/* Prints a rate rounded down to a tenth or, if that is zero, to two significant digits. */
static void print_rate(FILE *out, double rate)
{
    double scale = 10;
    while (rate * scale < 1)
        scale *= 10;
    if (scale > 10)
        scale *= 10;
    fprintf(out, scale > 10 ? "%8.1e" : "%8.1f", (double)(int64_t)(rate * scale) / scale);
}

static void print_rates(FILE *out, const struct cost *c, const char *title, int64_t cycles)
{
    fprintf(out, "  %-9s", title);
    for (unsigned i = 0; i < DIVIDES; i++) {
        if (cycles == COST_UNBOUNDED || cycles == COST_HUGE)
            fprintf(out, "%8s", "-");
        else
            print_rate(out, cost_rate(c, cycles, divides[i]));
    }
    fputc('\n', out);
}

/* The first exit with the least or the most cycles, of an entry that has exits. */
static const struct cost_path *extreme(const struct cost_class *e, bool best)
{
    const struct cost_exit *x = e->exit;
    while (best ? x->best.cycles != e->best : x->worst.cycles != e->worst)
        x++;
    return best ? &x->best : &x->worst;
}

static void print_exits(FILE *out, const struct flow *f, const struct cost_class *e)
{
    fprintf(out, "\n%10s %10s   %s\n", "at least", "at most", "ends at");
    for (unsigned i = 0; i < e->exits; i++) {
        const struct cost_exit *x = &e->exit[i];
        char name[FLOW_NAME];
        print_bound(out, &x->best);
        print_bound(out, &x->worst);
        fprintf(out, "  %s, line %" PRIu32 ": %s\n", flow_name(f, x->word, name), f->im->word_line[x->word],
                x->interrupt ? "interrupt" : "done");
    }
}

static void asm_cost_print_entry(FILE *out, const struct flow *f, const struct cost *c, const struct cost_class *e)
{
    char name[FLOW_NAME], classes[400];
    fprintf(out, "\n%s: %s\n",
            e->classes != 0 ? asm_cost_print_list_classes(e->classes, "", "", classes) : "started by the host",
            flow_name(f, e->entry, name));
    if (e->exits == 0) {
        fprintf(out, "  never reaches done or interrupt\n");
        return;
    }
    print_exits(out, f, e);
    if (e->may_run_away)
        fprintf(out,
                "warning: a sample that takes more than %d words is stopped, and the program with it (pcemu's "
                "cop_runaway_words)\n",
                ISA_RUNAWAY_WORDS);
    fputc('\n', out);
    asm_cost_print_path(out, f, "fastest", extreme(e, true));
    asm_cost_print_path(out, f, "slowest", extreme(e, false));
    fprintf(out, "\n  samples per 1000 core cycles, by the co-processor's clock\n  %-9s%8s%8s%8s%8s\n", "", "1", "1/2",
            "1/4", "1/8");
    print_rates(out, c, "fastest", e->best);
    print_rates(out, c, "slowest", e->worst);
}

static void print_kept(FILE *out, const struct flow *f)
{
    unsigned values, indexes;
    char plain[8];
    flow_find_kept(f, &values, &indexes);
    fprintf(out, "registers kept between samples:%s", values + indexes == 0 ? " none" : "");
    for (bool first = true; values + indexes != 0; first = false)
        fprintf(out, "%s%s", first ? " " : ", ", flow_next_kept(f, &values, &indexes, plain));
    fputc('\n', out);
}

void cost_print_text(FILE *out, const struct image *im)
{
    struct flow f;
    struct cost c;
    char name[FLOW_NAME];
    flow_init(&f, im);
    cost_init(&c, im);
    cost_find_exact(&c, im);
    fprintf(out, "program %s: %u of %d words; a sample is %u bytes, %u core cycle%s of the path to the buffer\n",
            im->name[0] != '\0' ? im->name : "without a name", im->words, ISA_WORDS, c.record_bytes, c.beats,
            c.beats == 1 ? "" : "s");
    fputs("cycles with = are exact: a state and a sample are known that take them\n", out);
    for (unsigned i = 0; i < c.entries; i++)
        asm_cost_print_entry(out, &f, &c, &c.entry[i]);
    fprintf(out, "\nloops without a known bound:%s\n", c.loops == 0 ? " none" : "");
    for (unsigned i = 0; i < c.loops; i++) {
        fputc(' ', out);
        for (word_set rest = c.loop[i]; rest != 0; rest &= rest - 1)
            fprintf(out, " %s", flow_name(&f, word_lowest(rest), name));
        fputc('\n', out);
    }
    print_kept(out, &f);
    cost_fini(&c);
}

static void json_cycles(FILE *out, const char *key, int64_t cycles)
{
    if (cycles == COST_UNBOUNDED || cycles == COST_HUGE)
        fprintf(out, "\"%s\": null", key);
    else
        fprintf(out, "\"%s\": %" PRId64, key, cycles);
}

/* Labels are identifiers and need no escapes. */
static void json_words(FILE *out, const struct flow *f, word_set words)
{
    char name[FLOW_NAME];
    fputc('[', out);
    for (word_set rest = words; rest != 0; rest &= rest - 1)
        fprintf(out, "%s\"%s\"", rest != words ? ", " : "", flow_name(f, word_lowest(rest), name));
    fputc(']', out);
}

static void json_kept(FILE *out, const struct flow *f)
{
    unsigned values, indexes;
    char plain[8];
    flow_find_kept(f, &values, &indexes);
    for (bool first = true; values + indexes != 0; first = false)
        fprintf(out, "%s\"%s\"", first ? "" : ", ", flow_next_kept(f, &values, &indexes, plain));
}

static void json_path(FILE *out, const struct flow *f, const char *key, const struct cost_path *path)
{
    fprintf(out, "\"%s\": {", key);
    json_cycles(out, "cycles", path->cycles);
    fprintf(out, ", \"exact\": %s, \"path\": [", path->exact ? "true" : "false");
    for (unsigned i = 0; i < path->steps; i++) {
        fprintf(out, "%s{\"words\": ", i > 0 ? ", " : "");
        json_words(out, f, path->step[i].words);
        fputs(", ", out);
        json_cycles(out, "passes", path->step[i].passes);
        fputc('}', out);
    }
    fputs("]}", out);
}

static void json_rates(FILE *out, const struct cost *c, const char *key, int64_t cycles)
{
    if (cycles == COST_UNBOUNDED || cycles == COST_HUGE) {
        fprintf(out, "\"%s\": null", key);
        return;
    }
    fprintf(out, "\"%s\": {", key);
    for (unsigned i = 0; i < DIVIDES; i++)
        fprintf(out, "%s\"%u\": %.6g", i > 0 ? ", " : "", divides[i], cost_rate(c, cycles, divides[i]));
    fputc('}', out);
}

static void json_entry(FILE *out, const struct flow *f, const struct cost *c, const struct cost_class *e)
{
    char name[FLOW_NAME], classes[400];
    fprintf(out, "    {\"classes\": [%s], \"entry\": \"%s\", ",
            asm_cost_print_list_classes(e->classes, "\"", "\"", classes), flow_name(f, e->entry, name));
    json_cycles(out, "at_least", e->best);
    fputs(", ", out);
    json_cycles(out, "at_most", e->worst);
    fprintf(out, ", \"at_least_exact\": %s, \"at_most_exact\": %s", e->best_exact ? "true" : "false",
            e->worst_exact ? "true" : "false");
    fprintf(out, ", \"may_run_away\": %s", e->may_run_away ? "true" : "false");
    fputs(",\n     \"samples_per_1000_core_cycles_by_clock_divider\": {", out);
    json_rates(out, c, "fastest", e->best);
    fputs(", ", out);
    json_rates(out, c, "slowest", e->worst);
    fputs("},\n     \"exits\": [", out);
    for (unsigned i = 0; i < e->exits; i++) {
        const struct cost_exit *x = &e->exit[i];
        fprintf(out, "%s\n      {\"word\": \"%s\", \"address\": %u, \"line\": %" PRIu32 ", \"interrupt\": %s,\n       ",
                i > 0 ? "," : "", flow_name(f, x->word, name), x->word, f->im->word_line[x->word],
                x->interrupt ? "true" : "false");
        json_path(out, f, "fastest", &x->best);
        fputs(",\n       ", out);
        json_path(out, f, "slowest", &x->worst);
        fputc('}', out);
    }
    fputs("]}", out);
}

void cost_print_json(FILE *out, const struct image *im)
{
    struct flow f;
    struct cost c;
    flow_init(&f, im);
    cost_init(&c, im);
    cost_find_exact(&c, im);
    fprintf(out, "{\"program\": \"%s\", \"words\": %u, \"record_bytes\": %u, \"path_cycles\": %u,\n  \"entries\": [\n",
            im->name, im->words, c.record_bytes, c.beats);
    for (unsigned i = 0; i < c.entries; i++) {
        json_entry(out, &f, &c, &c.entry[i]);
        fputs(i + 1 < c.entries ? ",\n" : "\n", out);
    }
    fputs("  ],\n  \"unbounded_loops\": [", out);
    for (unsigned i = 0; i < c.loops; i++) {
        fputs(i > 0 ? ", " : "", out);
        json_words(out, &f, c.loop[i]);
    }
    fputs("],\n  \"kept_registers\": [", out);
    json_kept(out, &f);
    fputs("]}\n", out);
    cost_fini(&c);
}
