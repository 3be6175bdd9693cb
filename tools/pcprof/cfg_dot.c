/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The control-flow graph for Graphviz: a box for each block, the darker the more samples, and an edge for each
 * transfer, the wider the more executions. Estimates of low confidence are dashed. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "tools/pcprof/cfg.h"

/* Prints a text inside the quotes of a string. */
static void print_quoted(const char *text, FILE *out)
{
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
}

/* "44835 (exact 44945)". */
static void print_executions(const struct cfg *c, struct frequency f, double exact, FILE *out)
{
    double executions = analysed_executions(c->analysis, f);
    if (isnan(executions))
        fputc('?', out);
    else
        fprintf(out, "%.0f", executions);
    if (!isnan(exact))
        fprintf(out, " (exact %.0f)", exact);
}

static const char *style_of(struct frequency f)
{
    return f.confidence == CONFIDENCE_HIGH || f.confidence == CONFIDENCE_MEDIUM ? "solid" : "dashed";
}

static double samples_of(const struct cfg *c, const struct analysis_block *b)
{
    double samples = 0;
    for (uint32_t i = b->first; i < b->first + b->insns; i++)
        samples += c->analysis->insn[i].samples;
    return samples;
}

static void print_block(const struct cfg *c, uint32_t number, FILE *out)
{
    enum { WHITE = 100, DARKEST = 60 }; /* grey levels of Graphviz in per cent */
    const struct analysis_block *b = &c->analysis->block[number];
    double all = c->analysis->summary.samples, samples = samples_of(c, b);
    int grey = WHITE - (int)lround((WHITE - DARKEST) * (all > 0 ? samples / all : 0));
    fprintf(out, "    b%" PRIu32 " [label=\"%" PRIu32 ": 0x%" PRIx64 "\\n%" PRIu32 " instruction%s\\n%.0f sample%s\\n",
            number, number, b->start, b->insns, b->insns == 1 ? "" : "s", samples, samples == 1 ? "" : "s");
    print_executions(c, b->frequency, cfg_exact_block(c, number), out);
    fprintf(out, "\\n%s\", style=\"filled,%s\", fillcolor=\"grey%d\"];\n", analysed_confidence[b->frequency.confidence],
            style_of(b->frequency), grey);
}

static void cfg_dot_print_node(const struct cfg *c, uint32_t node, const char *outside, FILE *out)
{
    if (node < c->analysis->blocks)
        fprintf(out, "b%" PRIu32, node);
    else
        fputs(outside, out);
}

static void print_edge(const struct cfg *c, const struct analysis_edge *e, double most, FILE *out)
{
    enum { WIDEST = 4 }; /* points more than the least */
    double value = e->frequency.confidence != CONFIDENCE_NONE ? e->frequency.value : 0;
    fputs("    ", out);
    cfg_dot_print_node(c, e->from, "enter", out);
    fputs(" -> ", out);
    cfg_dot_print_node(c, e->to, "leave", out);
    fprintf(out, " [label=\"%s\\n", cfg_edge_kind(e));
    print_executions(c, e->frequency, cfg_exact_edge(c, e), out);
    fprintf(out, "\", style=%s, penwidth=%.1f];\n", style_of(e->frequency), 1 + WIDEST * (most > 0 ? value / most : 0));
}

void cfg_write_dot(const struct cfg *c, FILE *out)
{
    const struct analysis *a = c->analysis;
    char *name = analysed_name(c->from, &c->procedure);
    double most = 0;
    fputs("digraph \"", out);
    print_quoted(name, out);
    fputs("\" {\n    label=\"", out);
    print_quoted(name, out);
    fputs("\";\n    labelloc=t;\n    node [shape=box, fontname=\"monospace\"];\n    edge [fontname=\"monospace\"];\n",
          out);
    fputs("    enter [shape=ellipse];\n    leave [shape=ellipse];\n", out);
    for (uint32_t b = 0; b < a->blocks; b++)
        print_block(c, b, out);
    for (uint32_t e = 0; e < a->edges; e++)
        most = a->edge[e].frequency.confidence != CONFIDENCE_NONE ? fmax(most, a->edge[e].frequency.value) : most;
    for (uint32_t e = 0; e < a->edges; e++)
        print_edge(c, &a->edge[e], most, out);
    fputs("}\n", out);
    free(name);
}
