/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks the operations of each word against the tables of isa.def, and encodes them. Legal combinations follow from
 * ports: each operation claims the ports that it needs, and a second claim with another operand is an error. Entry
 * point: program_judge_words. */
#include "asm/program.h"

enum port {
    PORT_ALU,
    PORT_DATA,
    PORT_INDEX_UNIT,
    PORT_CAM,
    PORT_BRANCH,
    PORT_BUS_B,
    PORT_VALUE_READ,
    PORT_INDEX_READ,
    PORT_INDEX_WRITE,
    PORT_VALUE_WRITE,
    PORT_BASE,
    PORTS
};

static const struct {
    bool shared; /* several operations may use the port for the same operand */
    const char *why;
} ports[PORTS] = {
    [PORT_ALU] = {false, "both need the main ALU, which does one operation a word"},
    [PORT_DATA] = {false, "both need the data array, which does one operation a word"},
    [PORT_INDEX_UNIT] = {false, "both need the index unit, which does one operation a word"},
    [PORT_CAM] = {false, "both need the associative array, which does one operation a word"},
    [PORT_BRANCH] = {false, "both need the branch slot: a word has one"},
    [PORT_BUS_B] = {true, "both need operand bus B, which carries one operand a word"},
    [PORT_VALUE_READ] = {true, "are both operand A, and the value file has one read port for it"},
    [PORT_INDEX_READ] = {true, "are both read, but the index file has one read port"},
    [PORT_INDEX_WRITE] = {false, "are both written, but the index file has one write port"},
    [PORT_VALUE_WRITE] = {false, "are both written, but the value file has one write port"},
    [PORT_BASE] = {true, "are both read, but the base file has one read port"},
};

struct claim {
    bool taken;
    unsigned value;
    struct name by;
};

struct judge {
    struct program *p;
    struct uop u;
    unsigned pc;
    bool bad;
    struct claim claims[PORTS];
    const struct operation *branch;
};

/* Descriptions of the letters of an operation's form, for messages. */
enum { LETTERS = 128 };
static const char *const letters[LETTERS] = {
    ['v'] = "a value register",
    ['b'] = "a value, constant or index register, a sample field", /* describe_letter appends the other operands */
    ['m'] = "a lane of the data array, BASE[INDEX].LANE",
    ['e'] = "an entry of the associative array, BASE[INDEX]",
    ['s'] = "a base register",
    ['i'] = "an index register",
    ['c'] = "an index register",
};

/* Operand shapes of the forms of isa.def: a letter per operand, and the letters of the optional destinations ('r': a
 * whole row). */
struct shape {
    const char *operands, *dests;
    bool dest_needed;
};

/* Returns whether the operation names a sub-array that is declared wide. */
static bool is_wide(const struct program *p, const struct operation *op)
{
    if (op->operands == NULL || op->operands->name.text == NULL)
        return false;
    struct ref r = name_find_operand(p, op->operands->name.text);
    return r.kind == REG_BASE && (p->image->wide >> r.number & 1) != 0;
}

/* The operand shape of an operation. The form NONE is that of index operations. */
static struct shape shape_of(const struct isa_op_row *row, bool wide)
{
    switch (row->form) {
    case FORM_CMP:
        return (struct shape){"vb", "", false};
    case FORM_BIN:
        return (struct shape){"vb", "vi", false};
    case FORM_UN:
        return (struct shape){"b", "vi", false};
    case FORM_LD:
        return (struct shape){"m", "v", false};
    case FORM_ST:
        return (struct shape){"mb", "", false};
    case FORM_RMW1:
        return (struct shape){"m", "vr", false};
    case FORM_RMW2:
        return (struct shape){"mb", "vr", false};
    case FORM_MATCH:
        return (struct shape){wide ? "svb" : "sb", "i", true};
    case FORM_WRITE:
        return (struct shape){wide ? "evb" : "eb", "", false};
    case FORM_DROP:
        return (struct shape){"e", "", false};
    case FORM_NONE:
        break;
    }
    return (struct shape){row->reads_index ? "i" : "c", row->reads_index && row->writes_index ? "i" : "", false};
}

static void asm_words_complain(struct judge *j, struct diag_loc loc, const char *fmt, ...) PRINTF_LIKE(3, 4);

static void asm_words_complain(struct judge *j, struct diag_loc loc, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    j->bad = true;
    diag_error(j->p->diag, loc, "%s", text);
}

/* Reason for a conflict of two operands on bus B; more specific if both come from the same source. */
static const char *bus_b_conflict(unsigned x, unsigned y)
{
    const struct isa_bsrc_row *a = isa_find_bsrc(x), *b = isa_find_bsrc(y);
    if (a != b)
        return ports[PORT_BUS_B].why;
    if (a->code == BSRC_CONST)
        return "are both read, but the constant file has one read port";
    if (a->code == BSRC_FIELD)
        return "are both read, but the decoder/field extractor gives one field a word";
    return ports[PORT_BUS_B].why;
}

static void claim(struct judge *j, enum port port, unsigned value, const struct name *by)
{
    struct claim *c = &j->claims[port];
    if (!c->taken) {
        *c = (struct claim){true, value, *by};
    } else if (!ports[port].shared || c->value != value) {
        asm_words_complain(j, by->loc, "'%.64s' and '%.64s' %s", c->by.text, by->text,
                           port == PORT_BUS_B ? bus_b_conflict(c->value, value) : ports[port].why);
        diag_note(j->p->diag, c->by.loc, "'%.64s' is here", c->by.text);
    }
}

/* With its article. */
static const char *asm_words_describe(const struct ref *r)
{
    if (r->kind < REG_FILES)
        return name_of_file((enum isa_regfile)r->kind);
    return r->kind == REF_FIELD ? "a sample field" : "a special operand";
}

/* Resolves a register name; reports an error if it is not in the register file `wanted`. */
static bool asm_words_find_register(struct judge *j, const struct name *name, enum isa_regfile wanted,
                                    const char *whose, unsigned *number)
{
    struct ref r = name_find_operand(j->p, name->text);
    *number = r.number;
    if (r.kind == (unsigned)wanted)
        return true;
    j->bad = true;
    if (r.kind == REF_NONE && sample_find_field(name->text) >= 0)
        r.kind = REF_FIELD; /* without a place in the record, which has those that are read */
    if (r.kind == REF_NONE)
        name_report_unknown(j->p, name);
    else
        asm_words_complain(j, name->loc, "%s must be %s; '%.64s' is %s", whose, name_of_file(wanted), name->text,
                           asm_words_describe(&r));
    return false;
}

static void read_index(struct judge *j, const struct name *name, const char *whose)
{
    unsigned n;
    if (!asm_words_find_register(j, name, REG_INDEX, whose, &n))
        return;
    claim(j, PORT_INDEX_READ, n, name);
    j->u.ir = (uint8_t)n;
}

static void write_index(struct judge *j, const struct name *name, enum isa_idx op, const char *whose)
{
    unsigned n;
    if (!asm_words_find_register(j, name, REG_INDEX, whose, &n))
        return;
    bool conflict = j->claims[PORT_INDEX_WRITE].taken;
    claim(j, PORT_INDEX_WRITE, n, name);
    if (!conflict)
        claim(j, PORT_INDEX_UNIT, op, name);
    j->u.iw = (uint8_t)n;
    j->u.idx = (uint8_t)op;
}

/* Description of a letter's operands; for bus B including the named operands: ", zero or rnd4, rnd8". */
static const char *describe_letter(struct judge *j, char letter)
{
    const char *text = letters[(unsigned char)letter];
    unsigned named = 0;
    for (size_t i = 0; i < isa_bsrc_count && letter == 'b'; i++)
        if (name_find_operand(j->p, isa_bsrcs[i].name).kind == REF_SPECIAL)
            text = arena_printf(j->p->arena, "%s%s%s", text, named++ == 1 ? " or " : ", ", isa_bsrcs[i].name);
    return text;
}

static void take_bus_b(struct judge *j, const struct operand *o)
{
    struct ref r = name_find_operand(j->p, o->name.text);
    unsigned code = r.number;
    switch (r.kind) {
    case REG_VALUE:
        code += BSRC_VALUE;
        break;
    case REG_CONST:
        code += BSRC_CONST;
        break;
    case REG_INDEX:
        read_index(j, &o->name, "the operand");
        code = BSRC_INDEX;
        break;
    case REF_FIELD:
        code += BSRC_FIELD;
        break;
    case REF_SPECIAL:
        break;
    case REF_NONE:
        j->bad = true;
        name_report_unknown(j->p, &o->name);
        return;
    default:
        asm_words_complain(j, o->loc, "%s is no operand; expected %s", asm_words_describe(&r), describe_letter(j, 'b'));
        return;
    }
    claim(j, PORT_BUS_B, code, &o->name);
    j->u.b = (uint8_t)code;
}

static void take_base(struct judge *j, const struct name *name)
{
    unsigned n;
    if (!asm_words_find_register(j, name, REG_BASE, "the name before '['", &n))
        return;
    claim(j, PORT_BASE, n, name);
    j->u.base = (uint8_t)n;
}

/* Parses a lane: a member of a layout at the base register, or an architectural lane name. */
static void take_lane(struct judge *j, const struct operand *o)
{
    const struct image *im = j->p->image;
    const char *names[IMAGE_LAYOUTS * IMAGE_MEMBERS + LANE_COUNT];
    size_t count = 0;
    int lane = name_find_lane(o->lane.text);
    bool told = j->p->layout_is_unknown; /* an earlier error explains the missing member */
    for (unsigned i = 0; i < im->layouts; i++)
        told = told || (im->layout[i].base == j->u.base && j->p->layout_is_bad[i]);
    for (unsigned i = 0; i < im->layouts; i++)
        for (unsigned k = 0; im->layout[i].base == j->u.base && k < im->layout[i].members; k++) {
            names[count++] = im->layout[i].member[k].name;
            if (strcmp(o->lane.text, im->layout[i].member[k].name) == 0)
                lane = im->layout[i].member[k].lane;
        }
    for (int i = 0; i < LANE_COUNT; i++)
        names[count++] = isa_lanes[i].name;
    if (lane < 0 && told)
        j->bad = true;
    if (lane < 0 && !told)
        asm_words_complain(j, o->lane.loc, "'%.64s' has no member '%.64s'%s", o->name.text, o->lane.text,
                           name_hint(j->p, diag_nearest(o->lane.text, names, count)));
    else
        j->u.lane = (uint8_t)lane;
}

static void take_memory(struct judge *j, const struct operand *o, char letter)
{
    take_base(j, &o->name);
    read_index(j, &o->index, "the name between the brackets");
    if (letter == 'm' && o->lane.text == NULL)
        asm_words_complain(j, o->loc, "the lane is missing: expected %s", letters['m']);
    else if (letter == 'm' && !j->bad)
        take_lane(j, o);
    else if (letter == 'e' && o->lane.text != NULL)
        asm_words_complain(j, o->lane.loc, "the associative array has no lanes: expected %s", letters['e']);
}

/* Checks and encodes an operand against the form's letter. */
static void take_operand(struct judge *j, const struct operation *op, const struct isa_op_row *row,
                         const struct operand *o, char letter)
{
    unsigned n;
    bool memory = letter == 'm' || letter == 'e';
    const char *operand_a = row->unit == UNIT_CAM ? "the first half of the key" : "the first operand";
    if (o->kind == OPERAND_NUMBER) {
        asm_words_complain(j, o->loc,
                           "there are no numbers in a word: declare a constant register with .const and name it");
        return;
    }
    if (o->kind != (memory ? OPERAND_MEMORY : OPERAND_NAME)) {
        asm_words_complain(j, o->loc, "'%.64s' takes %s here", op->mnemonic.text, describe_letter(j, letter));
        return;
    }
    if (memory) {
        take_memory(j, o, letter);
    } else if (letter == 'b') {
        take_bus_b(j, o);
    } else if (letter == 'i') {
        read_index(j, &o->name, "the operand");
    } else if (letter == 'c') {
        write_index(j, &o->name, (enum isa_idx)row->code, "the operand");
    } else if (letter == 's') {
        take_base(j, &o->name);
    } else if (asm_words_find_register(j, &o->name, REG_VALUE, operand_a, &n)) {
        if (!j->bad)
            claim(j, PORT_VALUE_READ, n, &o->name);
        j->u.a = (uint8_t)n;
    }
}

/* Reports a key with one operand in a wide sub-array, or with two in another. */
static void complain_of_key(struct judge *j, const struct operation *op, bool two)
{
    const char *base = op->operands->name.text;
    if (two)
        asm_words_complain(j, op->loc,
                           "'%.64s' found a key of two operands, and expected one, since '%.64s' is not wide: "
                           "'.base %.64s = N, wide' makes it so",
                           op->mnemonic.text, base, base);
    else
        asm_words_complain(j, op->loc,
                           "'%.64s' found a key of one operand, and expected two, since '%.64s' is wide: "
                           "a value register comes before the other",
                           op->mnemonic.text, base);
}

static void take_operands(struct judge *j, const struct operation *op, const struct isa_op_row *row, const char *shape)
{
    size_t found = 0, wanted = strlen(shape);
    for (const struct operand *o = op->operands; o != NULL; o = o->next)
        found++;
    if ((row->form == FORM_MATCH || row->form == FORM_WRITE) && found != wanted && (found == 2 || found == 3)) {
        complain_of_key(j, op, found > wanted);
        return;
    }
    if (found != wanted) {
        const char *list = describe_letter(j, shape[0]);
        for (size_t i = 1; i < wanted; i++)
            list = arena_printf(j->p->arena, "%s; %s%s", list, i + 1 == wanted ? "and " : "",
                                describe_letter(j, shape[i]));
        asm_words_complain(j, op->loc, "'%.64s' takes %zu operand%s: %s; found %zu", op->mnemonic.text, wanted,
                           wanted == 1 ? "" : "s", list, found);
        return;
    }
    for (const struct operand *o = op->operands; o != NULL; o = o->next)
        take_operand(j, op, row, o, *shape++);
}

static void asm_words_write_value(struct judge *j, const struct operand *o, enum isa_unit unit)
{
    unsigned n;
    if (!asm_words_find_register(j, &o->name, REG_VALUE, "the destination", &n))
        return;
    claim(j, PORT_VALUE_WRITE, n, &o->name);
    j->u.vdst = (uint8_t)n;
    j->u.vsrc = unit == UNIT_ALU ? VSRC_ALU : o->modifier.text != NULL ? VSRC_ROW : VSRC_LANE;
}

static void take_dest(struct judge *j, const struct operation *op, const struct isa_op_row *row,
                      const struct operand *o, const char *allowed)
{
    struct ref r = {REF_NONE, 0};
    if (o->kind == OPERAND_NAME)
        r = name_find_operand(j->p, o->name.text);
    if (o->kind == OPERAND_MEMORY) {
        asm_words_complain(j, o->loc, "only st and the operations on lanes write memory; a destination is a register");
    } else if (o->kind != OPERAND_NAME) {
        asm_words_complain(j, o->loc, "a destination is a register");
    } else if (o->modifier.text != NULL && strcmp(o->modifier.text, "row") != 0) {
        asm_words_complain(j, o->modifier.loc, "expected a register, or 'row' and a register");
    } else if (o->modifier.text != NULL && strchr(allowed, 'r') == NULL) {
        asm_words_complain(j, o->modifier.loc,
                           row->form == FORM_LD ? "'%.64s' takes no 'row': lane d is the whole row"
                                                : "'%.64s' does not give a whole row",
                           op->mnemonic.text);
    } else if (r.kind == REG_INDEX && strchr(allowed, 'i') != NULL) {
        write_index(j, &o->name,
                    row->unit == UNIT_IDX   ? (enum isa_idx)row->code
                    : row->unit == UNIT_ALU ? IDX_ALU
                                            : IDX_MATCH,
                    "the destination");
    } else if (strchr(allowed, 'v') != NULL) {
        asm_words_write_value(j, o, row->unit);
    } else if (allowed[0] == 'i') {
        unsigned n;
        (void)asm_words_find_register(j, &o->name, REG_INDEX, "the destination", &n);
    } else {
        asm_words_complain(j, o->loc, "'%.64s' has no destination", op->mnemonic.text);
    }
}

/* Checks and encodes the destinations. An index operation without a destination writes the register that it reads. */
static void take_dests(struct judge *j, const struct operation *op, const struct isa_op_row *row, struct shape shape)
{
    if (op->dests == NULL && shape.dest_needed)
        asm_words_complain(j, op->loc, "'%.64s' needs a destination: '-> INDEX'", op->mnemonic.text);
    if (op->dests == NULL && row->reads_index && row->writes_index && op->operands != NULL &&
        op->operands->kind == OPERAND_NAME && !j->bad)
        write_index(j, &op->operands->name, (enum isa_idx)row->code, "the operand");
    if (row->unit != UNIT_ALU && op->dests != NULL && op->dests->next != NULL) {
        asm_words_complain(j, op->dests->next->loc, "'%.64s' has one destination", op->mnemonic.text);
        return;
    }
    for (const struct operand *o = op->dests; o != NULL; o = o->next)
        take_dest(j, op, row, o, shape.dests);
}

/* The row of a mnemonic. If several units have the mnemonic, a memory operand selects the data array. */
static const struct isa_op_row *asm_words_find_row(const struct operation *op)
{
    bool memory = op->operands != NULL && op->operands->kind == OPERAND_MEMORY;
    const struct isa_op_row *found = NULL;
    for (size_t i = 0; i < isa_op_count; i++)
        if (isa_ops[i].mnemonic[0] != '\0' && strcmp(isa_ops[i].mnemonic, op->mnemonic.text) == 0 &&
            (found == NULL || (isa_ops[i].unit == UNIT_DATA) == memory))
            found = &isa_ops[i];
    return found;
}

static void unknown_mnemonic(struct judge *j, const struct operation *op)
{
    const char **names = arena_alloc(j->p->arena, (isa_op_count + BRANCH_MNEMONICS + 2) * sizeof *names);
    size_t n = 0;
    for (size_t i = 0; i < isa_op_count; i++)
        names[n++] = isa_ops[i].mnemonic;
    for (int i = 0; i < BRANCH_MNEMONICS; i++)
        names[n++] = branch_mnemonics[i];
    names[n++] = "nop";
    names[n++] = "if";
    asm_words_complain(j, op->mnemonic.loc, "unknown mnemonic '%.64s'%s", op->mnemonic.text,
                       name_hint(j->p, diag_nearest(op->mnemonic.text, names, n)));
}

static void set_unit(struct judge *j, const struct operation *op, const struct isa_op_row *row)
{
    switch (row->unit) {
    case UNIT_ALU:
        claim(j, PORT_ALU, row->code, &op->mnemonic);
        j->u.alu = row->code;
        j->u.narrow = op->suffix.text != NULL;
        break;
    case UNIT_DATA:
        claim(j, PORT_DATA, row->code, &op->mnemonic);
        j->u.data = row->code;
        break;
    case UNIT_CAM:
        claim(j, PORT_CAM, row->code, &op->mnemonic);
        j->u.cam = row->code;
        break;
    case UNIT_IDX:
        if (!row->writes_index) {
            claim(j, PORT_INDEX_UNIT, row->code, &op->mnemonic);
            j->u.idx = row->code;
        }
        break;
    case UNIT_NONE:
    default:
        BUG("the row of '%s' has no unit", row->mnemonic);
    }
}

static void judge_branch(struct judge *j, const struct operation *op)
{
    claim(j, PORT_BRANCH, 0, &op->mnemonic);
    if (op->suffix.text != NULL || op->dests != NULL)
        asm_words_complain(j, op->loc, "'%.64s' has neither a suffix nor a destination", op->mnemonic.text);
    j->branch = op;
}

/* Hint for an unknown condition: one with exchanged operands, the nearest name, or the list. */
static const char *cond_hint(struct judge *j, const char *text, const char *const *names, size_t count)
{
    static const char *const exchanged[][2] = {{"gt", "lt"}, {"le", "ge"}, {"gts", "lts"}, {"les", "ges"}};
    for (size_t i = 0; i < sizeof exchanged / sizeof exchanged[0]; i++)
        if (strcmp(exchanged[i][0], text) == 0)
            return arena_printf(j->p->arena, ": exchange the operands and use '%s'", exchanged[i][1]);
    const char *meant = diag_nearest(text, names, count), *list = ": expected ";
    if (meant != NULL)
        return name_hint(j->p, meant);
    for (size_t i = 0; i < count; i++)
        list = arena_printf(j->p->arena, "%s%s%s", list, names[i], i + 2 == count ? " or " : i + 1 < count ? ", " : "");
    return list;
}

/* Looks up a condition; if it is unknown, returns false and sets j->bad. */
static bool find_cond(struct judge *j, const struct name *name, const struct isa_cond_row **row, bool *invert)
{
    const char *names[2 * 16];
    size_t n = 0;
    for (size_t i = 0; i < isa_cond_count; i++) {
        *row = &isa_conds[i];
        *invert = strcmp(name->text, (*row)->inverse) == 0;
        if ((*row)->code == COND_NEVER && (*invert || strcmp(name->text, (*row)->name) == 0)) {
            asm_words_complain(j, name->loc,
                               *invert ? "a branch that is always taken has no 'if'"
                                       : "a branch that is never taken: leave it out");
            return false;
        }
        if (*invert || strcmp(name->text, (*row)->name) == 0)
            return true;
        if ((*row)->code != COND_NEVER) {
            names[n++] = (*row)->name;
            names[n++] = (*row)->inverse;
        }
    }
    asm_words_complain(j, name->loc, "unknown condition '%.64s'%s", name->text, cond_hint(j, name->text, names, n));
    return false;
}

bool words_is_mnemonic(const char *text, size_t length)
{
    static const char *const others[] = {"nop", "if"};
    bool found = false;
    for (size_t i = 0; i < isa_op_count && !found; i++)
        found = length > 0 && strncmp(isa_ops[i].mnemonic, text, length) == 0 && isa_ops[i].mnemonic[length] == '\0';
    for (int i = 0; i < BRANCH_MNEMONICS && !found; i++)
        found = strncmp(branch_mnemonics[i], text, length) == 0 && branch_mnemonics[i][length] == '\0';
    for (size_t i = 0; i < sizeof others / sizeof others[0] && !found; i++)
        found = strncmp(others[i], text, length) == 0 && others[i][length] == '\0';
    return found;
}

static void judge_operation(struct judge *j, const struct operation *op)
{
    if (branch_is_mnemonic(op->mnemonic.text)) {
        judge_branch(j, op);
        return;
    }
    if (op->cond.text != NULL) {
        const struct isa_cond_row *row;
        bool invert;
        if (find_cond(j, &op->cond, &row, &invert))
            asm_words_complain(j, op->mnemonic.loc,
                               "a condition is followed by goto, done or interrupt: only branches are conditional");
        return;
    }
    if (strcmp(op->mnemonic.text, "nop") == 0) {
        if (op->operands != NULL || op->dests != NULL || op->suffix.text != NULL)
            asm_words_complain(j, op->loc, "nop takes nothing");
        return;
    }
    const struct isa_op_row *row = asm_words_find_row(op);
    if (row == NULL) {
        unknown_mnemonic(j, op);
        return;
    }
    if (op->suffix.text != NULL && (row->unit != UNIT_ALU || strcmp(op->suffix.text, "32") != 0))
        asm_words_complain(j, op->suffix.loc, "the only suffix is .32, of ALU operations");
    struct shape shape = shape_of(row, is_wide(j->p, op));
    set_unit(j, op, row);
    take_operands(j, op, row, shape.operands);
    take_dests(j, op, row, shape);
}

/* Lists the operations that provide a condition's input: "'inc', 'dec', 'clr' or 'test'". */
static const char *providers(struct program *p, const struct isa_cond_row *c)
{
    const char *list = "", *last = NULL;
    for (size_t i = 0; i < isa_op_count; i++) {
        const struct isa_op_row *row = &isa_ops[i];
        struct uop u = {.cond = c->code, .b = BSRC_ZERO, .target = TARGET_DONE};
        if (row->unit != c->unit || row->mnemonic[0] == '\0')
            continue;
        u.alu = row->unit == UNIT_ALU ? row->code : ALU_NONE;
        u.data = row->unit == UNIT_DATA ? row->code : DATA_NONE;
        u.idx = row->unit == UNIT_IDX                             ? row->code
                : row->code == CAM_MATCH && row->unit == UNIT_CAM ? IDX_MATCH
                                                                  : IDX_NONE;
        u.cam = row->unit == UNIT_CAM ? row->code : CAM_NONE;
        if (c->need == NEED_BUS) /* another operation may provide the operand */
            u.alu = ALU_MOV;
        struct isa_use use = isa_uses(&u, 0);
        u.b = use.b ? BSRC_ZERO : BSRC_NONE;
        if (isa_check(&u, 0) != NULL)
            continue;
        if (last != NULL)
            list = arena_printf(p->arena, "%s%s'%s'", list, list[0] != '\0' ? ", " : "", last);
        last = row->mnemonic;
    }
    return arena_printf(p->arena, "%s%s'%s'", list, list[0] != '\0' ? " or " : "", last);
}

/* The branch is checked last, because its condition tests the other operations of the word. */
static void finish_branch(struct judge *j)
{
    const struct operation *op = j->branch;
    const struct isa_cond_row *row = NULL;
    bool invert = true;
    if (op->cond.text != NULL)
        (void)find_cond(j, &op->cond, &row, &invert);
    int target = branch_target(j->p, op, j->pc);
    j->bad = j->bad || target < 0;
    if (j->bad)
        return;
    j->u.cond = row == NULL ? COND_NEVER : row->code;
    j->u.invert = invert;
    j->u.target = (uint8_t)target;
    const char *why = isa_check(&j->u, j->p->image->wide);
    if (why == NULL)
        return;
    if (row == NULL)
        BUG("the word is none: %s", why);
    if (row->need == NEED_BUS && !isa_uses(&j->u, j->p->image->wide).b && j->u.data != DATA_NONE)
        asm_words_complain(
            j, op->cond.loc,
            "the condition '%s' compares the lane with bus B, and no operation of the word takes an operand from it: "
            "name the operand, as in '| mov OPERAND |'",
            op->cond.text);
    else
        asm_words_complain(j, op->cond.loc, "the condition '%s' is about an operation that the word does not have: %s",
                           op->cond.text, providers(j->p, row));
}

static void judge_word(struct program *p, unsigned pc)
{
    struct judge j = {.p = p, .pc = pc};
    const struct word *w = &p->word[pc];
    for (const struct operation *op = w->first; op != NULL; op = op->next)
        judge_operation(&j, op);
    if (j.branch != NULL)
        finish_branch(&j);
    if (j.bad && p->diag->errors == p->errors_before)
        BUG("line %d: a word is none, and no message says why", w->loc.line);
    if (j.bad)
        return;
    const char *why = isa_check(&j.u, p->image->wide);
    if (why != NULL)
        BUG("the word is none: %s", why);
    bool leaves = j.branch != NULL && j.branch->cond.text == NULL;
    if (pc + 1 == p->words && !leaves)
        diag_error(p->diag, w->loc, "the program runs past its last word: it must end in goto, done or interrupt");
    p->image->word[pc] = isa_encode(&j.u);
}

void program_judge_words(struct program *p)
{
    for (unsigned pc = 0; pc < p->words && pc < ISA_WORDS; pc++)
        judge_word(p, pc);
}
