/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cost of a program as text and as JSON. Entry points: cost_print_text, cost_print_json. */
#include <inttypes.h>
#include <string.h>

#include "asm/cost.h"
#include "asm/flow.h"
#include "base/json_stream.h"

static const unsigned divides[] = {1, 2, 4, 8};
enum { DIVIDES = sizeof divides / sizeof divides[0], LINE_COLUMNS = 100, INDENT = 11, CYCLES_TEXT = 24 };

/* Lists the classes of an entry: "load, fload". */
static void cost_print_classes(FILE *out, uint32_t classes)
{
    const char *between = "";
    for (unsigned c = 0; c < OPCLASS_COUNT; c++)
        if (classes >> c & 1) {
            fprintf(out, "%s%s", between, opclass_name((enum opclass)c));
            between = ", ";
        }
}

static bool is_unknown(int64_t cycles) { return cycles == COST_UNBOUNDED || cycles == COST_HUGE; }

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
        if (is_unknown(cycles))
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
    char name[FLOW_NAME];
    fputc('\n', out);
    if (e->classes != 0)
        cost_print_classes(out, e->classes);
    else
        fputs("started by the host", out);
    fprintf(out, ": %s\n", flow_name(f, e->entry, name));
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

/* ---- JSON ---- */

static void json_cycles(struct json_stream *out, const char *key, int64_t cycles)
{
    if (is_unknown(cycles))
        json_stream_null(out, key);
    else
        json_stream_integer(out, key, cycles);
}

static void json_words(struct json_stream *out, const char *key, const struct flow *f, word_set words)
{
    char name[FLOW_NAME];
    json_stream_begin(out, key, '[');
    for (word_set rest = words; rest != 0; rest &= rest - 1)
        json_stream_text(out, NULL, flow_name(f, word_lowest(rest), name));
    json_stream_end(out, ']');
}

static void json_kept(struct json_stream *out, const struct flow *f)
{
    unsigned values, indexes;
    char plain[8];
    flow_find_kept(f, &values, &indexes);
    json_stream_begin(out, "kept_registers", '[');
    while (values + indexes != 0)
        json_stream_text(out, NULL, flow_next_kept(f, &values, &indexes, plain));
    json_stream_end(out, ']');
}

static void json_path(struct json_stream *out, const struct flow *f, const char *key, const struct cost_path *path)
{
    json_stream_begin(out, key, '{');
    json_cycles(out, "cycles", path->cycles);
    json_stream_flag(out, "exact", path->exact);
    json_stream_begin(out, "path", '[');
    for (unsigned i = 0; i < path->steps; i++) {
        json_stream_begin(out, NULL, '{');
        json_words(out, "words", f, path->step[i].words);
        json_cycles(out, "passes", path->step[i].passes);
        json_stream_end(out, '}');
    }
    json_stream_end(out, ']');
    json_stream_end(out, '}');
}

static void json_rates(struct json_stream *out, const struct cost *c, const char *key, int64_t cycles)
{
    if (is_unknown(cycles)) {
        json_stream_null(out, key);
        return;
    }
    json_stream_begin(out, key, '{');
    for (unsigned i = 0; i < DIVIDES; i++) {
        char divide[8];
        snprintf(divide, sizeof divide, "%u", divides[i]);
        json_stream_digits(out, divide, cost_rate(c, cycles, divides[i]), 6);
    }
    json_stream_end(out, '}');
}

static void json_exit(struct json_stream *out, const struct flow *f, const struct cost_exit *x)
{
    char name[FLOW_NAME];
    json_stream_line(out, 6);
    json_stream_begin(out, NULL, '{');
    json_stream_text(out, "word", flow_name(f, x->word, name));
    json_stream_count(out, "address", x->word);
    json_stream_count(out, "line", f->im->word_line[x->word]);
    json_stream_flag(out, "interrupt", x->interrupt);
    json_stream_line(out, 7);
    json_path(out, f, "fastest", &x->best);
    json_stream_line(out, 7);
    json_path(out, f, "slowest", &x->worst);
    json_stream_end(out, '}');
}

static void json_entry(struct json_stream *out, const struct flow *f, const struct cost *c, const struct cost_class *e)
{
    char name[FLOW_NAME];
    json_stream_line(out, 4);
    json_stream_begin(out, NULL, '{');
    json_stream_begin(out, "classes", '[');
    for (unsigned k = 0; k < OPCLASS_COUNT; k++)
        if (e->classes >> k & 1)
            json_stream_text(out, NULL, opclass_name((enum opclass)k));
    json_stream_end(out, ']');
    json_stream_text(out, "entry", flow_name(f, e->entry, name));
    json_cycles(out, "at_least", e->best);
    json_cycles(out, "at_most", e->worst);
    json_stream_flag(out, "at_least_exact", e->best_exact);
    json_stream_flag(out, "at_most_exact", e->worst_exact);
    json_stream_flag(out, "may_run_away", e->may_run_away);
    json_stream_line(out, 5);
    json_stream_begin(out, "samples_per_1000_core_cycles_by_clock_divider", '{');
    json_rates(out, c, "fastest", e->best);
    json_rates(out, c, "slowest", e->worst);
    json_stream_end(out, '}');
    json_stream_line(out, 5);
    json_stream_begin(out, "exits", '[');
    for (unsigned i = 0; i < e->exits; i++)
        json_exit(out, f, &e->exit[i]);
    json_stream_end(out, ']');
    json_stream_end(out, '}');
}

void cost_print_json(FILE *file, const struct image *im)
{
    struct json_stream stream = {.out = file}, *out = &stream;
    struct flow f;
    struct cost c;
    flow_init(&f, im);
    cost_init(&c, im);
    cost_find_exact(&c, im);
    json_stream_begin(out, NULL, '{');
    json_stream_text(out, "program", im->name);
    json_stream_count(out, "words", im->words);
    json_stream_count(out, "record_bytes", c.record_bytes);
    json_stream_count(out, "path_cycles", c.beats);
    json_stream_line(out, 2);
    json_stream_begin(out, "entries", '[');
    for (unsigned i = 0; i < c.entries; i++)
        json_entry(out, &f, &c, &c.entry[i]);
    json_stream_line(out, 2);
    json_stream_end(out, ']');
    json_stream_line(out, 2);
    json_stream_begin(out, "unbounded_loops", '[');
    for (unsigned i = 0; i < c.loops; i++)
        json_words(out, NULL, &f, c.loop[i]);
    json_stream_end(out, ']');
    json_stream_line(out, 2);
    json_kept(out, &f);
    json_stream_end(out, '}');
    fputc('\n', file);
    cost_fini(&c);
}
