/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selection of the program's sample fields and their positions in the record. Entry point: program_number_fields. */
#include "asm/program.h"

static void use_field(struct program *p, bool *used, const struct name *name)
{
    int f = sample_find_field(name->text);
    unsigned n = 0;
    for (int i = 0; i < FIELD_COUNT; i++)
        n += used[i];
    if (f < 0 || used[f])
        return;
    used[f] = true;
    p->field_loc[f] = name->loc;
    if (n == ISA_FIELDS)
        diag_error(p->diag, name->loc, "'%s' is one field too many: a program can collect %d", name->text, ISA_FIELDS);
}

/* Numbers the fields in the order of .record. */
static void number_by_record(struct program *p)
{
    for (const struct name_item *item = p->record->names; item != NULL; item = item->next) {
        int f = sample_find_field(item->name.text);
        const char *names[FIELD_COUNT];
        for (int i = 0; i < FIELD_COUNT; i++)
            names[i] = sample_fields[i].name;
        if (f < 0)
            diag_error(p->diag, item->name.loc, "unknown sample field '%.64s'%s", item->name.text,
                       name_hint(p, diag_nearest(item->name.text, names, FIELD_COUNT)));
        else if (memchr(p->image->field, f, p->image->fields) != NULL)
            diag_error(p->diag, item->name.loc, "field '%s' is in the record twice", item->name.text);
        else if (p->image->fields == ISA_FIELDS)
            diag_error(p->diag, item->name.loc, "'%s' is one field too many: a program can collect %d", item->name.text,
                       ISA_FIELDS);
        else {
            p->image->field[p->image->fields++] = (uint8_t)f;
            p->field_loc[f] = item->name.loc;
        }
    }
}

/* Without .record, the record has the fields that the words read, in the order of sample.def. */
void program_number_fields(struct program *p)
{
    bool used[FIELD_COUNT] = {false};
    if (p->record != NULL) {
        number_by_record(p);
        return;
    }
    for (unsigned i = 0; i < p->words && i < ISA_WORDS; i++)
        for (const struct operation *op = p->word[i].first; op != NULL; op = op->next)
            for (const struct operand *o = op->operands; o != NULL && !branch_is_mnemonic(op->mnemonic.text);
                 o = o->next)
                if (o->kind == OPERAND_NAME)
                    use_field(p, used, &o->name);
    for (int f = 0; f < FIELD_COUNT && p->image->fields < ISA_FIELDS; f++)
        if (used[f])
            p->image->field[p->image->fields++] = (uint8_t)f;
}
