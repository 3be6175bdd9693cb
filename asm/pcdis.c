/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The disassembler: prints an image as a source that assembles to the same words and registers. Entry point:
 * pasm_disassemble. Images from elsewhere may have names that the assembler rejects; such names are replaced before
 * printing. */
#include <stdlib.h>
#include <string.h>

#include "asm/asm.h"
#include "asm/flow.h"
#include "asm/program.h"
#include "base/text.h"

/* Returns whether a name can be kept: it is valid for this use and differs from all names before it. */
static bool may_keep(enum name_use use, const char *name, const char *const *before, size_t count)
{
    if (name[0] == '\0' || name_why_not(use, name) != NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (strcmp(before[i], name) == 0)
            return false;
    return true;
}

static void mend_registers(struct image *im)
{
    const char *seen[ISA_VALUES + ISA_INDEXES + ISA_CONSTS + ISA_BASES];
    size_t n = 0;
    const struct {
        char (*names)[IMAGE_NAME];
        unsigned count;
    } files[] = {{im->value_name, ISA_VALUES},
                 {im->index_name, ISA_INDEXES},
                 {im->const_name, ISA_CONSTS},
                 {im->base_name, ISA_BASES}};
    for (size_t f = 0; f < sizeof files / sizeof files[0]; f++)
        for (unsigned i = 0; i < files[f].count; i++) {
            if (may_keep(NAME_REGISTER, files[f].names[i], seen, n))
                seen[n++] = files[f].names[i];
            else
                files[f].names[i][0] = '\0';
        }
}

/* Finds the words that need a label: entries and branch targets. */
static void find_led_to(const struct image *im, bool led_to[ISA_WORDS])
{
    for (int c = 0; c < OPCLASS_COUNT; c++)
        if (im->entry[c] != IMAGE_NO_ENTRY)
            led_to[im->entry[c]] = true;
    for (unsigned i = 0; i < im->words; i++) {
        struct uop u;
        isa_decode(im->word[i], &u);
        if (isa_uses(&u, im->wide).branch && u.target >= TARGET_BACK)
            led_to[(int)i + isa_target_offset(u.target)] = true;
    }
}

static void mend_labels(struct image *im)
{
    const char *seen[ISA_WORDS];
    bool led_to[ISA_WORDS] = {false};
    size_t n = 0;
    find_led_to(im, led_to);
    for (unsigned i = 0; i < ISA_WORDS; i++) {
        if (i < im->words && may_keep(NAME_LABEL, im->label[i], seen, n))
            seen[n++] = im->label[i];
        else
            im->label[i][0] = '\0';
    }
    for (unsigned i = 0; i < im->words; i++) {
        if (!led_to[i] || im->label[i][0] != '\0')
            continue;
        for (unsigned attempt = 0; attempt == 0 || !may_keep(NAME_LABEL, im->label[i], seen, n); attempt++)
            snprintf(im->label[i], IMAGE_NAME, attempt == 0 ? "L%u" : "L%u_%u", i, attempt);
        seen[n++] = im->label[i];
    }
}

/* Members of all layouts at one base register share a name space. */
static void mend_layouts(struct image *im)
{
    const char *seen[IMAGE_LAYOUTS * IMAGE_MEMBERS];
    for (unsigned i = 0; i < im->layouts; i++) {
        struct image_layout *l = &im->layout[i];
        size_t n = 0;
        for (unsigned k = 0; k < i; k++)
            for (unsigned m = 0; im->layout[k].base == l->base && m < im->layout[k].members; m++)
                seen[n++] = im->layout[k].member[m].name;
        for (unsigned m = 0; m < l->members; m++) {
            for (unsigned attempt = 0; !may_keep(NAME_MEMBER, l->member[m].name, seen, n); attempt++)
                snprintf(l->member[m].name, IMAGE_NAME, "m%u_%u", m, attempt);
            seen[n++] = l->member[m].name;
        }
        if (im->base_name[l->base][0] != '\0')
            strcpy(l->name, im->base_name[l->base]);
        else
            snprintf(l->name, IMAGE_NAME, "b%u", l->base);
    }
}

/* Parameter names are unique in an image, so only reserved words are replaced. */
static void mend_params(struct image *im)
{
    for (unsigned i = 0; i < im->params; i++) {
        const char *others[IMAGE_PARAMS];
        size_t n = 0;
        for (unsigned k = 0; k < im->params; k++)
            if (k != i)
                others[n++] = im->param[k].name;
        for (unsigned attempt = 0; !may_keep(NAME_PARAM, im->param[i].name, others, n); attempt++)
            snprintf(im->param[i].name, IMAGE_NAME, "p%u_%u", i, attempt);
    }
}

/* Prints the parameters; help texts use the escapes of the assembler's strings. */
static void pcdis_print_params(FILE *out, const struct image *im)
{
    for (unsigned i = 0; i < im->params; i++) {
        const struct image_param *p = &im->param[i];
        fprintf(out, ".param %s = %lld%s", p->name, (long long)p->value, p->help[0] != '\0' ? ", \"" : "");
        for (const char *c = p->help; *c != '\0'; c++)
            fprintf(out, "%s%c", *c == '"' || *c == '\\' ? "\\" : "", *c);
        fputs(p->help[0] != '\0' ? "\"\n" : "\n", out);
    }
}

static void pcdis_print_name(FILE *out, const char *name, char letter, unsigned number)
{
    if (name[0] != '\0')
        fputs(name, out);
    else
        fprintf(out, "%c%u", letter, number);
}

static void print_values_and_consts(FILE *out, const struct image *im)
{
    unsigned consts = 0, kept, kept_indexes;
    struct flow f;
    flow_init(&f, im);
    flow_find_kept(&f, &kept, &kept_indexes);
    for (unsigned i = 0; i < ISA_VALUES; i++) {
        const char *keep = kept >> i & 1 ? ", keep" : "";
        if (im->value_name[i][0] != '\0')
            fprintf(out, ".value %s = v%u%s\n", im->value_name[i], i, keep);
        else if (keep[0] != '\0')
            fprintf(out, ".value v%u%s\n", i, keep);
    }
    for (unsigned i = 0; i < ISA_CONSTS; i++)
        consts = im->const_name[i][0] != '\0' || im->constant[i] != 0 ? i + 1 : consts;
    for (unsigned i = 0; i < consts; i++) {
        fputs(".const ", out);
        pcdis_print_name(out, im->const_name[i], 'c', i);
        fprintf(out, " = 0x%llx\n", (unsigned long long)im->constant[i]);
    }
}

/* Prints declarations up to the last register that is named or set, because names are allocated in register order. */
static void pcdis_print_registers(FILE *out, const struct image *im)
{
    unsigned bases = 0, indexes = 0;
    print_values_and_consts(out, im);
    for (unsigned i = 0; i < ISA_BASES; i++)
        bases = im->base_name[i][0] != '\0' || im->base[i] != 0 || im->wide >> i & 1 ? i + 1 : bases;
    for (unsigned i = 0; i < bases; i++) {
        fputs(".base ", out);
        pcdis_print_name(out, im->base_name[i], 'b', i);
        fprintf(out, " = %u%s\n", im->base[i], im->wide >> i & 1 ? ", wide" : "");
    }
    for (unsigned i = 0; i < ISA_INDEXES; i++)
        indexes = im->index_name[i][0] != '\0' || im->index_width[i] != 16 || im->index_saturates[i] || im->gate == i ||
                          im->window == i
                      ? i + 1
                      : indexes;
    for (unsigned i = 0; i < indexes; i++) {
        fputs(".index ", out);
        pcdis_print_name(out, im->index_name[i], 'i', i);
        fprintf(out, ", width %u%s%s%s\n", im->index_width[i], im->index_saturates[i] ? ", saturate" : "",
                im->gate == i ? ", gate" : "", im->window == i ? ", window" : "");
    }
}

/* Prints target registers up to the last that is set or used. A label denotes the first register that holds it. */
static void print_targets(FILE *out, const struct image *im)
{
    unsigned count = 0;
    bool named[ISA_WORDS] = {false};
    for (unsigned i = 0; i < ISA_TARGETS; i++)
        count = im->target[i] != 0 ? i + 1 : count;
    for (unsigned i = 0; i < im->words; i++) {
        struct uop u;
        isa_decode(im->word[i], &u);
        if (isa_uses(&u, im->wide).branch && u.target < TARGET_DONE && u.target >= count)
            count = u.target + 1u;
    }
    for (unsigned i = 0; i < count; i++) {
        unsigned to = im->target[i];
        if (im->label[to][0] != '\0' && !named[to])
            fprintf(out, ".target %s\n", im->label[to]);
        else
            fprintf(out, ".target @%u\n", to);
        named[to] = true;
    }
}

static void print_entries(FILE *out, const struct image *im)
{
    for (unsigned at = 0; at < im->words; at++) {
        const char *lead = ".entry ";
        for (int c = 0; c < OPCLASS_COUNT; c++)
            if (im->entry[c] == at) {
                fprintf(out, "%s%s", lead, opclass_name((enum opclass)c));
                lead = ", ";
            }
        if (lead[0] == ',')
            fprintf(out, " %s\n", im->label[at]);
    }
}

static void print_front_end(FILE *out, const struct image *im)
{
    fputs(image_print_filters(im, "\n", out) ? "\n" : "", out);
    print_entries(out, im);
    if (im->sampler.sampler != 0) {
        fputs(".sampler ", out);
        image_print_sampler(im, out);
        fputc('\n', out);
    }
    for (unsigned i = 0; i < im->fields; i++)
        fprintf(out, "%s%s", i == 0 ? ".record " : ", ", sample_fields[im->field[i]].name);
    fputs(im->fields > 0 ? "\n" : "", out);
}

/* Prints " exact NAME" for a key or count of the layout's reference. */
static void print_exact(FILE *out, const struct image_layout *l, unsigned format, unsigned exact)
{
    if (exact == EXACT_NONE)
        return;
    const struct exact_kind *kind = &exact_kinds[l->exact];
    fprintf(out, " exact %s", slot_format_is_identity(format) ? kind->key[exact].name : kind->count[exact].name);
}

static void print_layout(FILE *out, const struct image_layout *l)
{
    fprintf(out, ".slot %s[%u]", l->name, l->count);
    if (l->exact != EXACT_NONE)
        fprintf(out, " exact %s", exact_kinds[l->exact].name);
    if (l->parts != 1)
        fprintf(out, ", parts %u", l->parts);
    fputs(" {\n", out);
    if (l->key != FORMAT_NONE) {
        fprintf(out, "    key : %s", slot_formats[l->key].name);
        print_exact(out, l, l->key, l->key_exact);
        fputc('\n', out);
    }
    for (unsigned m = 0; m < l->members; m++) {
        unsigned format = l->member[m].format;
        fprintf(out, "    %s : %s %s%s", l->member[m].name, isa_lanes[l->member[m].lane].name,
                format & FORMAT_LAST ? "last " : "", slot_formats[slot_format_row_of(format)].name);
        print_exact(out, l, l->member[m].format, l->member[m].exact);
        fputc('\n', out);
    }
    fputs("}\n", out);
}

static void print_layouts(FILE *out, const struct image *im)
{
    for (unsigned i = 0; i < im->layouts; i++)
        print_layout(out, &im->layout[i]);
    fprintf(out, ".geometry cam %u, data %u\n", im->cam_entries, im->data_rows);
}

/* Prints address, encoding and, if known, source line; the path without characters that could end the comment. */
static void print_origin(FILE *out, const struct image *im, unsigned i)
{
    fprintf(out, " ; %2u %012llx", i, (unsigned long long)im->word[i]);
    if (im->word_file[i] != IMAGE_NO_FILE) {
        char *path = text_make_printable(xstrdup(im->file[im->word_file[i]]));
        fprintf(out, " %s:%u", path, im->word_line[i]);
        free(path);
    }
    fputc('\n', out);
}

static void pcdis_print_words(FILE *out, const struct image *im)
{
    struct image_names store;
    struct isa_names names = image_names(im, &store);
    for (unsigned i = 0; i < im->words; i++) {
        char text[512];
        struct uop u;
        isa_decode(im->word[i], &u);
        (void)isa_print(text, sizeof text, &u, i, &names);
        if (im->label[i][0] != '\0')
            fprintf(out, "%s:\n", im->label[i]);
        fprintf(out, "    %-60s", text);
        print_origin(out, im, i);
    }
}

void pasm_disassemble(FILE *out, const struct image *im)
{
    struct image copy = *im;
    mend_registers(&copy);
    mend_labels(&copy);
    mend_layouts(&copy);
    mend_params(&copy);
    if (copy.name[0] != '\0' && name_why_not(NAME_PROGRAM, copy.name) == NULL)
        fprintf(out, ".program %s\n", copy.name);
    pcdis_print_params(out, &copy);
    pcdis_print_registers(out, &copy);
    print_targets(out, &copy);
    print_front_end(out, &copy);
    print_layouts(out, &copy);
    pcdis_print_words(out, &copy);
}
