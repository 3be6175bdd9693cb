/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The declarations: registers, symbols, parameters, filters, entries. Entry point: program_declare. */
#include "asm/program.h"
#include "isa/pchash.h"

/* Reports a directive that may occur only once and has occurred before. */
static bool asm_declare_is_first(struct program *p, const struct stmt **seen, const struct stmt *s, const char *what)
{
    if (*seen != NULL) {
        diag_error(p->diag, s->loc, "a second %s", what);
        diag_note(p->diag, (*seen)->loc, "the first is here");
        return false;
    }
    *seen = s;
    return true;
}

/* Checks that the name is available for a register; reports an error if not. */
static bool is_free(struct program *p, const struct name *name)
{
    const char *why_not = name_why_not(NAME_REGISTER, name->text);
    if (why_not != NULL) {
        diag_error(p->diag, name->loc, "a register cannot be called '%.64s': %s", name->text, why_not);
        return false;
    }
    for (unsigned f = 0; f < REG_TARGET; f++)
        for (unsigned i = 0; i < isa_regfiles[f].count; i++)
            if (p->regs[f][i].text != NULL && strcmp(p->regs[f][i].text, name->text) == 0) {
                diag_error(p->diag, name->loc, "'%.64s' is already the name of %s", name->text,
                           name_of_file((enum isa_regfile)f));
                diag_note(p->diag, p->regs[f][i].loc, "it was declared here");
                return false;
            }
    return true;
}

/* Allocates the next free register of a file, or the one whose architectural name is declared; -1 and an error if none
 * is free. */
static int asm_declare_allocate(struct program *p, enum isa_regfile f, const struct name *name)
{
    const struct isa_regfile_row *row = &isa_regfiles[f];
    unsigned n = 0;
    if (name_is_plain(row->letter, name->text, &n)) {
        if (n < row->count && p->regs[f][n].text == NULL) {
            p->regs[f][n] = *name;
            return (int)n;
        }
        if (n >= row->count) {
            name_report_unknown(p, name);
        } else {
            diag_error(p->diag, name->loc, "%s is already taken", name->text);
            diag_note(p->diag, p->regs[f][n].loc, "it was declared here");
        }
        return -1;
    }
    if (!is_free(p, name))
        return -1;
    while (n < row->count && p->regs[f][n].text != NULL)
        n++;
    if (n == row->count) {
        diag_error(p->diag, name->loc, "too many: there are %u %ss", row->count, row->what);
        return -1;
    }
    p->regs[f][n] = *name;
    return (int)n;
}

/* Stores the name in the image, except for a register declared under its architectural name. */
static void asm_declare_keep_name(char (*names)[IMAGE_NAME], int n, char letter, const char *name)
{
    unsigned plain;
    if (!name_is_plain(letter, name, &plain))
        strcpy(names[n], name);
}

static void declare_const(struct program *p, const struct stmt *s)
{
    struct integer v;
    bool good = expr_eval(p, s->expr, &v);
    int n = asm_declare_allocate(p, REG_CONST, &s->name);
    if (!good || n < 0)
        return;
    p->image->constant[n] = v.bits;
    asm_declare_keep_name(p->image->const_name, n, 'c', s->name.text);
}

/* Returns whether the statement has the setting `name`, which takes no value; reports all other settings. */
static bool has_setting(struct program *p, const struct stmt *s, const char *name, const char *what)
{
    bool found = false;
    for (const struct setting *set = s->settings; set != NULL; set = set->next) {
        if (strcmp(set->name.text, name) == 0 && set->expr == NULL)
            found = true;
        else
            diag_error(p->diag, set->name.loc, "a %s register can have '%s', and nothing else", what, name);
    }
    return found;
}

static void declare_base(struct program *p, const struct stmt *s)
{
    uint64_t v;
    bool good = expr_eval_range(p, s->expr, 0, UINT16_MAX, "a base", &v);
    bool wide = has_setting(p, s, "wide", "base");
    int n = asm_declare_allocate(p, REG_BASE, &s->name);
    if (!good || n < 0)
        return;
    p->image->base[n] = (uint16_t)v;
    p->image->wide |= (uint8_t)(wide << n);
    asm_declare_keep_name(p->image->base_name, n, 'b', s->name.text);
}

/* Gives index register n a role that one register can have; without the setting, does nothing. */
static void declare_role(struct program *p, const struct setting *set, const char *role, int n, uint8_t *holder)
{
    if (set == NULL)
        return;
    if (*holder != IMAGE_NO_INDEX)
        diag_error(p->diag, set->name.loc, "a second %s: register i%u is it", role, *holder);
    *holder = (uint8_t)n;
}

static void declare_index(struct program *p, const struct stmt *s)
{
    int n = asm_declare_allocate(p, REG_INDEX, &s->name);
    uint64_t width = 16;
    bool saturates = false;
    const struct setting *gate = NULL, *window = NULL;
    for (const struct setting *set = s->settings; set != NULL; set = set->next) {
        const char *what = set->name.text;
        if (strcmp(what, "width") == 0 && set->expr != NULL) {
            (void)expr_eval_range(p, set->expr, 1, 16, "the width of an index register", &width);
        } else if (strcmp(what, "saturate") == 0 && set->expr == NULL) {
            saturates = true;
        } else if (strcmp(what, "wrap") == 0 && set->expr == NULL) {
            saturates = false;
        } else if (strcmp(what, "gate") == 0 && set->expr == NULL) {
            gate = set;
        } else if (strcmp(what, "window") == 0 && set->expr == NULL) {
            window = set;
        } else {
            static const char *const known[] = {"width", "saturate", "wrap", "gate", "window"};
            diag_error(p->diag, set->name.loc,
                       "an index register has 'width BITS', 'wrap' or 'saturate', and 'gate' or 'window'%s",
                       name_hint(p, diag_nearest(what, known, sizeof known / sizeof known[0])));
        }
    }
    if (n < 0)
        return;
    p->image->index_width[n] = (uint8_t)width;
    p->image->index_saturates[n] = saturates;
    declare_role(p, gate, "gate", n, &p->image->gate);
    declare_role(p, window, "window", n, &p->image->window);
    asm_declare_keep_name(p->image->index_name, n, 'i', s->name.text);
}

static void declare_value(struct program *p, const struct stmt *s)
{
    unsigned n;
    int taken;
    bool keep = has_setting(p, s, "keep", "value");
    if (s->other.text == NULL) {
        taken = asm_declare_allocate(p, REG_VALUE, &s->name);
    } else if (!name_is_plain('v', s->other.text, &n)) {
        diag_error(p->diag, s->other.loc, "expected a value register, v0 to v%d", ISA_VALUES - 1);
        return;
    } else {
        struct name plain = s->other;
        if (!is_free(p, &s->name))
            return;
        taken = asm_declare_allocate(p, REG_VALUE, &plain);
        if (taken >= 0)
            p->regs[REG_VALUE][taken] = s->name;
    }
    if (taken < 0)
        return;
    p->keeps[taken] = keep;
    asm_declare_keep_name(p->image->value_name, taken, 'v', s->name.text);
}

/* Labels and addresses are resolved later, when all are known. */
static void declare_target(struct program *p, const struct stmt *s)
{
    for (unsigned i = 0; i < ISA_TARGETS; i++) {
        const struct stmt *t = p->targets[i];
        if (t == NULL) {
            p->targets[i] = s;
            return;
        }
        if (s->name.text != NULL && t->name.text != NULL && strcmp(s->name.text, t->name.text) == 0) {
            diag_error(p->diag, s->name.loc, "a second target register for '%.64s'", s->name.text);
            diag_note(p->diag, t->name.loc, "the first is here");
            return;
        }
    }
    diag_error(p->diag, s->loc, "too many: there are %d target registers", ISA_TARGETS);
}

static void declare_equ(struct program *p, const struct stmt *s)
{
    const struct symbol *known = symtab_find(&p->equs, s->name.text);
    const char *why_not = name_why_not(NAME_SYMBOL, s->name.text);
    struct integer v = integer_of(0);
    if (why_not != NULL)
        diag_error(p->diag, s->name.loc, "a symbol cannot be called '%.64s': %s", s->name.text, why_not);
    if (known != NULL) {
        diag_error(p->diag, s->name.loc, "'%.64s' is already defined", s->name.text);
        if (known->name.loc.source == p->defines && s->loc.source != p->defines)
            diag_note(p->diag, known->name.loc,
                      "-D defines it: a default for -D stands between '.ifndef %.64s' and '.endif'", s->name.text);
        else
            diag_note(p->diag, known->name.loc, "the first definition is here");
        return;
    }
    /* The symbol is defined even if its value has an error, so that its uses are not reported, too. */
    bool good = expr_eval(p, s->expr, &v);
    symtab_add(&p->equs, s->name, v)->is_bad = !good;
}

/* Checks the help text of a parameter, which may be absent. */
static bool is_help(struct program *p, const struct name *help)
{
    if (help->text == NULL)
        return true;
    if (strlen(help->text) >= IMAGE_HELP)
        diag_error(p->diag, help->loc, "the help of a parameter has %zu characters, expected at most %d",
                   strlen(help->text), IMAGE_HELP - 1);
    else if (!image_is_help(help->text))
        diag_error(p->diag, help->loc, "the help of a parameter is one line of printable ASCII");
    else
        return true;
    return false;
}

/* Parameters have a separate name space, because pcemu --param can change their values after assembly. */
static void declare_param(struct program *p, const struct stmt *s)
{
    struct image *im = p->image;
    const char *why_not = name_why_not(NAME_PARAM, s->name.text);
    int known = name_find_param(p, s->name.text);
    struct integer v = integer_of(0);
    bool has_help = is_help(p, &s->other) && s->other.text != NULL;
    (void)expr_eval(p, s->expr, &v);
    if (why_not != NULL) {
        diag_error(p->diag, s->name.loc, "a parameter cannot be called '%.64s': %s", s->name.text, why_not);
    } else if (known >= 0) {
        diag_error(p->diag, s->name.loc, "the parameter '%s' is already defined", s->name.text);
        diag_note(p->diag, p->params[known].loc, "the first definition is here");
    } else if (im->params == IMAGE_PARAMS) {
        diag_error(p->diag, s->name.loc, "too many: an image holds %d parameters", IMAGE_PARAMS);
    } else {
        struct image_param *param = &im->param[im->params];
        p->params[im->params++] = s->name;
        strcpy(param->name, s->name.text);
        param->value = v.bits;
        strcpy(param->help, has_help ? s->other.text : "");
    }
}

static int find_class(struct program *p, const struct name *name)
{
    int c = opclass_find(name->text);
    const char *names[OPCLASS_COUNT];
    if (c >= 0)
        return c;
    for (int i = 0; i < OPCLASS_COUNT; i++)
        names[i] = opclass_name((enum opclass)i);
    diag_error(p->diag, name->loc, "unknown opcode class '%.64s'%s", name->text,
               name_hint(p, diag_nearest(name->text, names, OPCLASS_COUNT)));
    return -1;
}

static void declare_entry(struct program *p, const struct stmt *s)
{
    for (const struct name_item *item = s->names; item != NULL; item = item->next) {
        int c = find_class(p, &item->name);
        if (c < 0)
            continue;
        if (p->entry[c].text != NULL) {
            diag_error(p->diag, item->name.loc, "class %s already has an entry", item->name.text);
            diag_note(p->diag, p->entry[c].loc, "it is here");
            continue;
        }
        p->entry[c] = item->name;
        p->entry_label[c] = s->name;
    }
}

static void filter_classes(struct program *p, const struct stmt *s)
{
    for (const struct name_item *item = s->names; item != NULL; item = item->next) {
        int c = find_class(p, &item->name);
        if (c >= 0 && p->filtered[c].text == NULL)
            p->filtered[c] = item->name;
    }
}

/* Returns whether the setting has this name, and evaluates it. */
static bool is_setting(struct program *p, const struct setting *set, const char *name, uint64_t max, uint64_t *v)
{
    if (strcmp(set->name.text, name) != 0)
        return false;
    (void)expr_eval_range(p, set->expr, 0, max, name, v);
    return true;
}

static void filter_keep(struct program *p, const struct stmt *s)
{
    for (const struct name_item *item = s->names; item != NULL; item = item->next) {
        int c = find_class(p, &item->name);
        if (c >= 0)
            p->kept[c] = item->name;
    }
}

static void filter_pc(struct program *p, const struct stmt *s)
{
    uint64_t mask = 0, match = 0, hash = 0;
    for (const struct setting *set = s->settings; set != NULL; set = set->next)
        if (!is_setting(p, set, "mask", UINT16_MAX, &mask) && !is_setting(p, set, "match", UINT16_MAX, &match) &&
            !is_setting(p, set, "hash", PCHASH_COUNT - 1, &hash))
            diag_error(p->diag, set->name.loc, "'.filter pc' has mask, match and hash");
    p->image->filter1_mask = (uint16_t)mask;
    p->image->filter1_match = (uint16_t)match;
    p->image->filter1_hash = (uint8_t)hash;
    if (match & ~mask)
        diag_warning(p->diag, s->loc, "match has bits that mask has not: no instruction passes [filter]");
}

static void filter_ignore(struct program *p, const struct stmt *s)
{
    uint64_t hash = 0;
    for (const struct setting *set = s->settings; set != NULL; set = set->next)
        if (!is_setting(p, set, "hash", PCHASH_COUNT - 1, &hash))
            diag_error(p->diag, set->name.loc, "'.filter ignore' has only hash");
    p->image->filter2_hash = (uint8_t)hash;
}

static void declare_filter(struct program *p, const struct stmt *s)
{
    const char *which = s->name.text;
    if (strcmp(which, "class") == 0 && s->names != NULL)
        filter_classes(p, s);
    else if (strcmp(which, "keep") == 0 && s->names != NULL)
        filter_keep(p, s);
    else if (strcmp(which, "pc") == 0 && s->settings != NULL &&
             asm_declare_is_first(p, &p->filter_pc, s, "'.filter pc'"))
        filter_pc(p, s);
    else if (strcmp(which, "ignore") == 0 && s->settings != NULL &&
             asm_declare_is_first(p, &p->filter_ignore, s, "'.filter ignore'"))
        filter_ignore(p, s);
    else if ((strcmp(which, "pc") != 0 && strcmp(which, "ignore") != 0) || s->settings == NULL)
        diag_error(p->diag, s->name.loc,
                   "a filter is '.filter class NAME, ...', '.filter keep NAME, ...', '.filter pc mask BITS match BITS "
                   "hash N' or '.filter ignore "
                   "hash N'");
}

static void declare_program(struct program *p, const struct stmt *s)
{
    const char *why_not = name_why_not(NAME_PROGRAM, s->name.text);
    if (!asm_declare_is_first(p, &p->program, s, "'.program'"))
        return;
    if (why_not != NULL)
        diag_error(p->diag, s->name.loc, "a program cannot be called '%.64s': %s", s->name.text, why_not);
    else
        strcpy(p->image->name, s->name.text);
}

static void declare_slot(struct program *p, const struct stmt *s)
{
    if (p->slot_count == IMAGE_LAYOUTS)
        diag_error(p->diag, s->loc, "too many slot layouts: an image holds %d", IMAGE_LAYOUTS);
    else
        p->slots[p->slot_count++] = s;
}

void program_declare(struct program *p, const struct stmt *s)
{
    switch (s->kind) {
    case STMT_PROGRAM:
        declare_program(p, s);
        break;
    case STMT_EQU:
        declare_equ(p, s);
        break;
    case STMT_PARAM:
        declare_param(p, s);
        break;
    case STMT_CONST:
        declare_const(p, s);
        break;
    case STMT_BASE:
        declare_base(p, s);
        break;
    case STMT_INDEX:
        declare_index(p, s);
        break;
    case STMT_VALUE:
        declare_value(p, s);
        break;
    case STMT_TARGET:
        declare_target(p, s);
        break;
    case STMT_FILTER:
        declare_filter(p, s);
        break;
    case STMT_ENTRY:
        declare_entry(p, s);
        break;
    case STMT_RECORD:
        (void)asm_declare_is_first(p, &p->record, s, "'.record'");
        break;
    case STMT_SAMPLER:
        if (asm_declare_is_first(p, &p->sampler, s, "'.sampler'"))
            sampler_declare(p, s);
        break;
    case STMT_GEOMETRY:
        (void)asm_declare_is_first(p, &p->geometry, s, "'.geometry'");
        break;
    case STMT_SLOT:
        declare_slot(p, s);
        break;
    case STMT_BAD: /* handled in walk.c */
    case STMT_LABEL:
    case STMT_WORD:
    case STMT_CONTINUATION:
    case STMT_INCLUDE:
    case STMT_ERROR:
    case STMT_IF:
    case STMT_IFDEF:
    case STMT_IFNDEF:
    case STMT_ELIF:
    case STMT_ELSE:
    case STMT_ENDIF:
        BUG("statement kind %d", s->kind);
    }
}
