/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The phases in order, and the completion of the image: targets, entries, source lines. Entry point: pasm_assemble. */
#include <stdlib.h>

#include "asm/program.h"

static void check_labels(struct program *p)
{
    for (const struct symbol *s = p->labels.first; s != NULL; s = s->next)
        if (s->value.bits == p->words && p->words <= ISA_WORDS)
            diag_error(p->diag, s->name.loc, "there is no word after label '%.64s'", s->name.text);
}

void program_resolve_targets(struct program *p)
{
    for (unsigned i = 0; i < ISA_TARGETS && p->targets[i] != NULL; i++) {
        uint64_t address = 0;
        const struct stmt *s = p->targets[i];
        if (s->name.text != NULL) {
            int to = branch_find_label(p, &s->name);
            address = to < 0 || to >= ISA_WORDS ? 0 : (uint64_t)to;
        } else {
            (void)expr_eval_range(p, s->expr, 0, ISA_WORDS - 1, "the address in a target register", &address);
        }
        p->image->target[i] = (uint8_t)address;
    }
}

/* The classes of one .entry share its label; an unknown label is reported once. */
static void forget_entry(struct program *p, const char *label)
{
    for (int c = 0; c < OPCLASS_COUNT; c++)
        if (p->entry_label[c].text == label)
            p->entry_label[c].text = NULL;
}

static bool has_class_filter(const struct program *p)
{
    for (int c = 0; c < OPCLASS_COUNT; c++)
        if (p->filtered[c].text != NULL)
            return true;
    return false;
}

static void emit_front_end(struct program *p)
{
    bool any = false, filters = has_class_filter(p);
    for (int c = 0; c < OPCLASS_COUNT; c++) {
        const struct name *filtered = &p->filtered[c], *entry = &p->entry[c];
        any = any || entry->text != NULL;
        if (p->kept[c].text != NULL && filtered->text == NULL)
            diag_error(p->diag, p->kept[c].loc, "class %s is kept, and '.filter class' does not pass it",
                       p->kept[c].text);
        p->image->kept_classes |= (uint32_t)(p->kept[c].text != NULL && filtered->text != NULL) << c;
        if (filtered->text != NULL) {
            p->image->filter_classes |= 1u << c;
            if (entry->text == NULL)
                diag_error(p->diag, filtered->loc,
                           "the filter passes class %s, which has no entry: add '.entry %s LABEL'", filtered->text,
                           filtered->text);
        }
        if (entry->text == NULL)
            continue;
        if (filtered->text == NULL && filters)
            diag_warning(p->diag, entry->loc, "class %s has an entry, but no '.filter class' passes it [entry]",
                         entry->text);
        int to = p->entry_label[c].text == NULL ? -1 : branch_find_label(p, &p->entry_label[c]);
        if (to >= 0)
            p->image->entry[c] = (uint8_t)to;
        else
            forget_entry(p, p->entry_label[c].text);
    }
    if (any && !filters && p->diag->errors == p->errors_before)
        diag_warning(p->diag, (struct diag_loc){.source = p->sources},
                     "no '.filter class': no class passes, so nothing ever starts this program [entry]");
    if (!any && p->diag->errors == p->errors_before)
        diag_warning(p->diag, (struct diag_loc){.source = p->sources},
                     "no '.entry': nothing ever starts this program [entry]");
}

/* Index of a source in the image's table; long paths are truncated at the front. */
static uint8_t emit_file(struct image *im, const char *name)
{
    size_t n = strlen(name);
    const char *kept = n < IMAGE_PATH ? name : name + n - (IMAGE_PATH - 1);
    for (uint8_t i = 0; i < im->files; i++)
        if (strcmp(im->file[i], kept) == 0)
            return i;
    if (im->files == IMAGE_FILES)
        return IMAGE_NO_FILE;
    strcpy(im->file[im->files], kept);
    return im->files++;
}

static void emit_lines(struct program *p)
{
    for (unsigned i = 0; i < p->image->words; i++) {
        p->image->word_file[i] = emit_file(p->image, p->word[i].loc.source->name);
        p->image->word_line[i] = (uint32_t)p->word[i].loc.line;
        if (p->word[i].label != NULL)
            strcpy(p->image->label[i], p->word[i].label);
    }
}

void program_emit(struct program *p)
{
    struct errmsg why;
    struct diag_loc whole = {.source = p->sources};
    if (p->words == 0 && p->diag->errors == p->errors_before)
        diag_error(p->diag, whole, "the program has no words");
    p->image->words = (uint8_t)(p->words < ISA_WORDS ? p->words : ISA_WORDS);
    emit_front_end(p);
    emit_lines(p);
    if (p->diag->errors == p->errors_before && image_check(p->image, &why) != ST_OK)
        BUG("the image is not sound: %s", why.text);
    if (p->diag->errors == p->errors_before)
        program_warn(p);
}

/* Assembles the -D options as a source of .equ lines, so that their errors are reported like all others. */
static void walk_defines(struct program *p)
{
    char *text = arena_strndup(p->arena, "", 0);
    for (size_t i = 0; i < p->opts->define_count; i++) {
        const char *define = p->opts->defines[i], *equals = strchr(define, '=');
        text = equals == NULL
                   ? arena_printf(p->arena, "%s.equ %s = 1\n", text, define)
                   : arena_printf(p->arena, "%s.equ %.*s = %s\n", text, (int)(equals - define), define, equals + 1);
    }
    struct diag_source *source = arena_alloc(p->arena, sizeof *source);
    *source = (struct diag_source){.name = "-D", .text = text, .size_bytes = strlen(text)};
    p->defines = source;
    program_walk(p, source);
}

static void walk_main(struct program *p) { program_walk(p, p->sources); }

static void asm_emit_assemble(struct program *p)
{
    static void (*const phases[])(struct program * p) = {
        walk_defines,
        walk_main,
        check_labels,
        program_lay_out,
        program_number_fields,
        sampler_check_fields,
        program_resolve_targets,
        program_judge_words,
        program_emit,
    };
    for (size_t i = 0; i < sizeof phases / sizeof phases[0] && !diag_has_ended(p->diag); i++)
        phases[i](p);
    if (p->diag->errors == p->errors_before && p->opts->listing != NULL)
        program_list(p, p->opts->listing);
}

enum status pasm_assemble(const struct pasm_options *opts, struct diag *d, struct image *out)
{
    struct arena arena = {0};
    struct diag_source main_source = {.name = opts->name, .text = opts->text, .size_bytes = opts->size_bytes};
    struct program *p = xcalloc(1, sizeof *p);
    *p = (struct program){
        .arena = &arena, .diag = d, .opts = opts, .image = out, .sources = &main_source, .errors_before = d->errors};
    image_init(out);
    symtab_init(&p->equs, &arena);
    symtab_init(&p->labels, &arena);
    symtab_init(&p->mentioned, &arena);
    asm_emit_assemble(p);
    enum status st = d->errors == p->errors_before ? ST_OK : ST_INPUT;
    for (unsigned i = 0; i < p->text_count; i++)
        free(p->texts[i]);
    free(p);
    arena_fini(&arena);
    d->last_source = NULL;
    return st;
}
