/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The branch slot: encoding of branch targets. Entry points: branch_target, branch_find_label. */
#include "asm/program.h"

const char *const branch_mnemonics[BRANCH_MNEMONICS] = {"goto", "done", "interrupt"};

bool branch_is_mnemonic(const char *mnemonic)
{
    for (int i = 0; i < BRANCH_MNEMONICS; i++)
        if (strcmp(branch_mnemonics[i], mnemonic) == 0)
            return true;
    return false;
}

int branch_find_label(struct program *p, const struct name *label)
{
    const struct symbol *s = symtab_find(&p->labels, label->text);
    if (s != NULL)
        return (int)s->value.bits;
    diag_error(p->diag, label->loc, "label '%.64s' is not defined%s", label->text,
               name_hint(p, diag_is_full(p->diag) ? NULL : symtab_nearest(&p->labels, label->text)));
    return -1;
}

static int find_target_register(const struct program *p, int to)
{
    for (int i = 0; i < ISA_TARGETS; i++)
        if (p->targets[i] != NULL && p->image->target[i] == to)
            return i;
    return -1;
}

static int asm_branch_reach(struct program *p, const struct operand *o, int to, unsigned pc, bool conditional)
{
    int offset = to - (int)pc, code = isa_target_from_offset(offset);
    if (code >= 0)
        return code;
    if (offset == 0 && !conditional) {
        diag_error(p->diag, o->loc, "a branch to its own word would never end");
    } else if (offset == 1) {
        diag_error(p->diag, o->loc, "the next word is where the program goes without a branch: leave it out");
    } else {
        code = find_target_register(p, to);
        if (code < 0)
            diag_error(p->diag, o->loc,
                       "the target is %d words away and offsets reach from %d to -1 and from +2 to +%d: "
                       "add '.target %.64s' to hold it in a target register",
                       offset, OFFSET_MIN, OFFSET_MAX,
                       o->kind == OPERAND_NAME ? o->name.text : arena_printf(p->arena, "@%d", to));
    }
    return code;
}

static int target_register(struct program *p, const struct operand *o, unsigned n)
{
    if (n >= ISA_TARGETS) {
        name_report_unknown(p, &o->name);
        return -1;
    }
    if (p->targets[n] != NULL)
        return (int)n;
    diag_error(p->diag, o->loc, "target register %s holds nothing: each '.target' fills the next, from t0",
               o->name.text);
    return -1;
}

static int goto_target(struct program *p, const struct operation *op, unsigned pc)
{
    const struct operand *o = op->operands;
    bool conditional = op->cond.text != NULL;
    uint64_t address;
    unsigned n;
    if (o == NULL || o->next != NULL || (o->kind != OPERAND_NAME && o->kind != OPERAND_ADDRESS)) {
        diag_error(p->diag, o == NULL ? op->loc : o->loc, "goto takes a label, @ADDRESS or a target register");
        return -1;
    }
    if (o->kind == OPERAND_ADDRESS) {
        if (!expr_eval_range(p, o->address, 0, p->words - 1, "the address of a word", &address))
            return -1;
        return asm_branch_reach(p, o, (int)address, pc, conditional);
    }
    if (name_is_plain('t', o->name.text, &n))
        return target_register(p, o, n);
    if (strcmp(o->name.text, "done") == 0 || strcmp(o->name.text, "interrupt") == 0) {
        diag_error(p->diag, o->loc, "'%.64s' stands by itself, without goto", o->name.text);
        return -1;
    }
    int to = branch_find_label(p, &o->name);
    return to < 0 ? -1 : asm_branch_reach(p, o, to, pc, conditional);
}

int branch_target(struct program *p, const struct operation *op, unsigned pc)
{
    if (strcmp(op->mnemonic.text, "goto") == 0)
        return goto_target(p, op, pc);
    if (op->operands != NULL) {
        diag_error(p->diag, op->operands->loc, "'%.64s' takes no operand", op->mnemonic.text);
        return -1;
    }
    return strcmp(op->mnemonic.text, "done") == 0 ? TARGET_DONE : TARGET_INTERRUPT;
}
