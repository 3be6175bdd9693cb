/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Name resolution. Registers, constants and sample fields share the name space of operands; labels, lanes and
 * assembly-time symbols each have their own. */
#include <ctype.h>

#include "asm/program.h"

bool name_is_plain(char letter, const char *name, unsigned *number)
{
    unsigned n = 0;
    if (name[0] != letter || name[1] == '\0')
        return false;
    for (const char *s = name + 1; *s != '\0'; s++) {
        if (!isdigit((unsigned char)*s))
            return false;
        n = n < 1000 ? 10 * n + (unsigned)(*s - '0') : n;
    }
    *number = n;
    return true;
}

static bool asm_names_is_special(const char *name, unsigned *code)
{
    for (size_t i = 0; i < isa_bsrc_count; i++)
        if (isa_bsrcs[i].count == 1 && isa_bsrcs[i].code != BSRC_NONE && isa_bsrcs[i].code != BSRC_INDEX &&
            strcmp(isa_bsrcs[i].name, name) == 0) {
            *code = isa_bsrcs[i].code;
            return true;
        }
    return false;
}

int name_find_format(const char *name)
{
    for (int i = 0; i < FORMAT_KINDS; i++)
        if (strcmp(slot_formats[i].name, name) == 0)
            return i;
    return -1;
}

int name_find_lane(const char *name)
{
    for (int i = 0; i < LANE_COUNT; i++)
        if (strcmp(isa_lanes[i].name, name) == 0)
            return i;
    return -1;
}

const char *name_of_file(enum isa_regfile file)
{
    static const char *const names[REG_FILES] = {
#define REGFILE(sym, letter, count, bits, what) [REG_##sym] = (letter) == 'i' ? "an " what : "a " what,
#include "isa/isa.def"
    };
    return names[file];
}

static const char *register_why_not(const char *name)
{
    unsigned n;
    for (int f = 0; f < REG_FILES; f++)
        if (name_is_plain(isa_regfiles[f].letter, name, &n))
            return "it is the plain name of a register";
    if (name_is_plain('f', name, &n))
        return "it is a position in the record";
    if (asm_names_is_special(name, &n))
        return "it is an operand of its own";
    return sample_find_field(name) >= 0 ? "it is a sample field" : NULL;
}

const char *name_why_not(enum name_use use, const char *name)
{
    unsigned n;
    if (strlen(name) >= IMAGE_NAME)
        return "it is longer than 31 characters";
    if (strcmp(name, "if") == 0)
        return "it is a word of the language";
    switch (use) {
    case NAME_REGISTER:
        return register_why_not(name);
    case NAME_LABEL:
        if (strcmp(name, "done") == 0 || strcmp(name, "interrupt") == 0)
            return "it is a branch target of its own";
        return name_is_plain('t', name, &n) ? "it is the plain name of a target register" : NULL;
    case NAME_MEMBER:
        return name_find_lane(name) >= 0 ? "it is the plain name of a lane" : NULL;
    case NAME_PARAM:
    case NAME_PROGRAM:
    case NAME_SYMBOL:
        break;
    }
    return NULL;
}

/* Position of a field in the record, after the fields were numbered. */
static struct ref find_field(const struct program *p, const char *name)
{
    unsigned n;
    int field = sample_find_field(name);
    if (p->record != NULL && name_is_plain('f', name, &n) && n < p->image->fields)
        return (struct ref){REF_FIELD, n};
    for (unsigned i = 0; field >= 0 && i < p->image->fields; i++)
        if (p->image->field[i] == field)
            return (struct ref){REF_FIELD, i};
    return (struct ref){REF_NONE, 0};
}

struct ref name_find_operand(const struct program *p, const char *name)
{
    unsigned n;
    for (unsigned f = 0; f < REG_FILES; f++) {
        if (name_is_plain(isa_regfiles[f].letter, name, &n) && n < isa_regfiles[f].count)
            return (struct ref){f, n};
        for (unsigned i = 0; f != REG_TARGET && i < isa_regfiles[f].count; i++)
            if (p->regs[f][i].text != NULL && strcmp(p->regs[f][i].text, name) == 0)
                return (struct ref){f, i};
    }
    if (asm_names_is_special(name, &n))
        return (struct ref){REF_SPECIAL, n};
    return find_field(p, name);
}

int name_find_param(const struct program *p, const char *name)
{
    for (int i = 0; i < p->image->params; i++)
        if (strcmp(p->params[i].text, name) == 0)
            return i;
    return -1;
}

const char *name_nearest_operand(const struct program *p, const char *name)
{
    const char *names[REG_FILES * REG_MOST + FIELD_COUNT + 64];
    size_t count = 0;
    unsigned code;
    for (unsigned f = 0; f < REG_TARGET; f++)
        for (unsigned i = 0; i < isa_regfiles[f].count; i++)
            names[count++] = p->regs[f][i].text;
    for (int f = 0; f < FIELD_COUNT; f++)
        names[count++] = sample_fields[f].name;
    for (size_t i = 0; i < isa_bsrc_count; i++)
        if (asm_names_is_special(isa_bsrcs[i].name, &code))
            names[count++] = isa_bsrcs[i].name;
    return diag_nearest(name, names, count);
}

const char *name_hint(struct program *p, const char *nearest)
{
    return arena_printf(p->arena, "%s", diag_hint(nearest).text);
}

void name_report_unknown(struct program *p, const struct name *name)
{
    unsigned n;
    for (unsigned f = 0; f < REG_FILES; f++)
        if (name_is_plain(isa_regfiles[f].letter, name->text, &n)) {
            diag_error(p->diag, name->loc, "%s has the form of a register's name, and there are %u %ss, %c0 to %c%u",
                       name->text, isa_regfiles[f].count, isa_regfiles[f].what, isa_regfiles[f].letter,
                       isa_regfiles[f].letter, isa_regfiles[f].count - 1u);
            return;
        }
    if (sample_find_field(name->text) >= 0) {
        /* Without .record a field is missing only if there were too many, which was reported. */
        if (p->record != NULL)
            diag_error(p->diag, name->loc, "field '%s' is not one of those that the '.record' collects", name->text);
        return;
    }
    if (symtab_find(&p->equs, name->text) != NULL)
        diag_error(
            p->diag, name->loc,
            "'%.64s' is a number at assembly time: to use it in a word, put it in a constant register with .const",
            name->text);
    else if (name_find_param(p, name->text) >= 0)
        diag_error(p->diag, name->loc,
                   "'%.64s' is a parameter, of the driver or the sampler: words read what .const declares", name->text);
    else if (symtab_find(&p->labels, name->text) != NULL)
        diag_error(p->diag, name->loc, "'%.64s' is a label: only goto takes one", name->text);
    else
        diag_error(p->diag, name->loc, "'%.64s' is neither a register nor a sample field%s", name->text,
                   name_hint(p, diag_is_full(p->diag) ? NULL : name_nearest_operand(p, name->text)));
}
