/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The listing: each word with its address, encoding and source, and the resources that the program uses. Entry point:
 * program_list. */
#include <stdlib.h>

#include "asm/flow.h"
#include "asm/program.h"
#include "base/text.h"

static void list_source_line(FILE *out, const struct diag_source *source, int line)
{
    /* Each line has a source: include files are kept until the listing is written. */
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
    const char *at = source->text, *end = source->text + source->size_bytes;
    for (int i = 1; i < line; at++)
        i += *at == '\n';
    const char *nl = memchr(at, '\n', (size_t)(end - at));
    size_t n = (size_t)((nl == NULL ? end : nl) - at);
    if (n > 0 && at[n - 1] == '\r')
        n--;
    char *text = text_printable_line(at, n);
    fputs(text, out);
    free(text);
}

static void list_name(FILE *out, const struct diag_source *source)
{
    char *name = text_make_printable(xstrdup(source->name));
    fprintf(out, "\n%s\n", name);
    free(name);
}

static void list_word(struct program *p, FILE *out, unsigned pc)
{
    const struct word *w = &p->word[pc];
    if (w->label != NULL && symtab_find(&p->labels, w->label)->name.loc.line != w->loc.line)
        fprintf(out, "%26s%s:\n", "", w->label);
    for (int line = w->loc.line; line <= w->last_line; line++) {
        if (line == w->loc.line)
            fprintf(out, "%2u  %012llx  %6d  ", pc, (unsigned long long)p->image->word[pc], line);
        else
            fprintf(out, "%18s%6d  ", "", line);
        list_source_line(out, w->loc.source, line);
        fputc('\n', out);
    }
}

static void list_registers(struct program *p, FILE *out, enum isa_regfile f, const char *title, uint32_t used)
{
    const struct isa_regfile_row *row = &isa_regfiles[f];
    bool any = false;
    fprintf(out, "%-20s", title);
    for (unsigned i = 0; i < row->count; i++) {
        const char *name = p->regs[f][i].text;
        unsigned plain;
        bool named = name != NULL && !name_is_plain(row->letter, name, &plain);
        if (name == NULL && !(used >> i & 1))
            continue;
        fprintf(out, "%s%c%u%s%s", any ? ", " : "", row->letter, i, named ? " " : "", named ? name : "");
        if (f == REG_INDEX)
            fprintf(out, " (%u bits, %s%s%s)", p->image->index_width[i],
                    p->image->index_saturates[i] ? "saturates" : "wraps", p->image->gate == i ? ", gate" : "",
                    p->image->window == i ? ", window" : "");
        else if (f == REG_CONST)
            fprintf(out, " = 0x%llx", (unsigned long long)p->image->constant[i]);
        else if (f == REG_BASE)
            fprintf(out, " = %u%s", p->image->base[i], p->image->wide >> i & 1 ? ", wide" : "");
        any = true;
    }
    fputs(any ? "\n" : "none\n", out);
}

/* Finds the registers used by words: a bit mask per register file. */
static void find_used(const struct image *im, uint32_t used[REG_FILES])
{
    for (unsigned i = 0; i < im->words; i++) {
        struct uop u;
        isa_decode(im->word[i], &u);
        struct isa_use use = isa_uses(&u, im->wide);
        if (use.a)
            used[REG_VALUE] |= 1u << u.a;
        if (u.b >= BSRC_VALUE && u.b < BSRC_VALUE + ISA_VALUES)
            used[REG_VALUE] |= 1u << (u.b - BSRC_VALUE);
        if (u.b >= BSRC_CONST && u.b < BSRC_CONST + ISA_CONSTS)
            used[REG_CONST] |= 1u << (u.b - BSRC_CONST);
        if (u.vsrc != VSRC_NONE)
            used[REG_VALUE] |= 1u << u.vdst;
        if (use.index_read)
            used[REG_INDEX] |= 1u << u.ir;
        if (use.index_write)
            used[REG_INDEX] |= 1u << u.iw;
        if (use.base)
            used[REG_BASE] |= 1u << u.base;
    }
}

static unsigned count_branches(const struct image *im)
{
    unsigned n = 0;
    for (unsigned i = 0; i < im->words; i++) {
        struct uop u;
        isa_decode(im->word[i], &u);
        n += isa_uses(&u, im->wide).branch;
    }
    return n;
}

static void list_targets(const struct program *p, FILE *out)
{
    fprintf(out, "%-20s", "target registers");
    for (unsigned i = 0; i < ISA_TARGETS && p->targets[i] != NULL; i++)
        fprintf(out, "%st%u %s@%u", i > 0 ? ", " : "", i,
                p->targets[i]->name.text != NULL ? p->targets[i]->name.text : "", p->image->target[i]);
    fputs(p->targets[0] != NULL ? "\n" : "none\n", out);
}

/* Lists the parameters, one per line. */
static void list_params(FILE *out, const struct image *im)
{
    for (unsigned i = 0; i < im->params; i++) {
        const struct image_param *param = &im->param[i];
        fprintf(out, "%-20s%s = %lld", i == 0 ? "parameters" : "", param->name, (long long)param->value);
        fprintf(out, param->help[0] != '\0' ? " (%s)\n" : "\n", param->help);
    }
}

/* Lists the sampler if the program names one. */
static void list_sampler(const struct program *p, FILE *out)
{
    if (p->sampler == NULL)
        return;
    fprintf(out, "%-20s", "sampler");
    image_print_sampler(p->image, out);
    fputc('\n', out);
}

static void list_kept(FILE *out, const struct image *im)
{
    struct flow f;
    unsigned values, indexes;
    char plain[8];
    flow_init(&f, im);
    flow_find_kept(&f, &values, &indexes);
    fprintf(out, "%-20s%s", "kept registers", values + indexes == 0 ? "none" : "");
    for (bool first = true; values + indexes != 0; first = false)
        fprintf(out, "%s%s", first ? "" : ", ", flow_next_kept(&f, &values, &indexes, plain));
    fputc('\n', out);
}

static void list_summary(struct program *p, FILE *out)
{
    const struct image *im = p->image;
    uint32_t used[REG_FILES] = {0};
    unsigned branch_count = count_branches(im);
    find_used(im, used);
    fprintf(out, "\n%-20s%u of %d\n", "words", im->words, ISA_WORDS);
    /* A program has at least one word; an empty one was reported as an error. */
    /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero) */
    unsigned percent = (100 * branch_count + im->words / 2) / im->words;
    fprintf(out, "%-20s%u of %u (%u %%)\n", "branch slots", branch_count, im->words, percent);
    list_registers(p, out, REG_VALUE, "value registers", used[REG_VALUE]);
    list_registers(p, out, REG_INDEX, "index registers", used[REG_INDEX]);
    list_registers(p, out, REG_CONST, "constant registers", used[REG_CONST]);
    list_registers(p, out, REG_BASE, "base registers", used[REG_BASE]);
    list_targets(p, out);
    list_kept(out, im);
    list_sampler(p, out);
    fprintf(out, "%-20s", "sample record");
    for (unsigned i = 0; i < im->fields; i++)
        fprintf(out, "%s, ", sample_fields[im->field[i]].name);
    fprintf(out, "%u bytes with its class\n", image_record_bytes(im));
    fprintf(out, "%-20s%u entries, %u rows\n", "arrays", im->cam_entries, im->data_rows);
    list_params(out, im);
}

void program_list(struct program *p, FILE *out)
{
    const struct diag_source *last = NULL;
    if (p->image->name[0] != '\0')
        fprintf(out, "program %s\n", p->image->name);
    for (unsigned i = 0; i < p->image->words; i++) {
        if (p->word[i].loc.source != last)
            list_name(out, p->word[i].loc.source);
        last = p->word[i].loc.source;
        list_word(p, out, i);
    }
    list_summary(p, out);
}
