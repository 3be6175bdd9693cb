/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables, encoding and rules of the microinstruction set, all from isa.def. */
#include "isa/isa.h"

/* Each code fits its field of the word. */
enum {
#define WORD_FIELD(member, low, width, what) CODES_##member = 1 << (width),
#include "isa/isa.def"
};
#define FITS(field, sym, code) \
    _Static_assert((code) < CODES_##field, "isa.def: the code of " #sym " does not fit the field " #field);
#define COND(sym, code, ...) FITS(cond, sym, code)
#define ALU(sym, code, ...) FITS(alu, sym, code)
#define BSRC(sym, code, count, ...) FITS(b, sym, (code) + (count)-1)
#define VSRC(sym, code, ...) FITS(vsrc, sym, code)
#define IDX(sym, code, ...) FITS(idx, sym, code)
#define DATA(sym, code, ...) FITS(data, sym, code)
#define LANE(sym, code, ...) FITS(lane, sym, code)
#define CAM(sym, code, ...) FITS(cam, sym, code)
#include "isa/isa.def"

const struct isa_cond_row isa_conds[] = {
#define COND(sym, code, name, inverse, unit, need, meaning) {code, name, inverse, UNIT_##unit, NEED_##need, meaning},
#include "isa/isa.def"
};
const size_t isa_cond_count = sizeof isa_conds / sizeof isa_conds[0];

const struct isa_op_row isa_ops[] = {
#define ALU(sym, code, mn, form, limit, effect) {code, mn, UNIT_ALU, FORM_##form, false, false, limit, effect},
#include "isa/isa.def"
#define DATA(sym, code, mn, form, limit, effect) {code, mn, UNIT_DATA, FORM_##form, false, false, limit, effect},
#include "isa/isa.def"
#define IDX(sym, code, mn, reads, writes, effect) {code, mn, UNIT_IDX, FORM_NONE, reads, writes, false, effect},
#include "isa/isa.def"
#define CAM(sym, code, mn, form, effect) {code, mn, UNIT_CAM, FORM_##form, false, false, false, effect},
#include "isa/isa.def"
};
const size_t isa_op_count = sizeof isa_ops / sizeof isa_ops[0];

enum isa_row {
#define ALU(sym, ...) ROW_ALU_##sym,
#include "isa/isa.def"
#define DATA(sym, ...) ROW_DATA_##sym,
#include "isa/isa.def"
#define IDX(sym, ...) ROW_IDX_##sym,
#include "isa/isa.def"
#define CAM(sym, ...) ROW_CAM_##sym,
#include "isa/isa.def"
};
enum { MOST_CODES = 16 };
/* For each code of each unit, 1 + its row in isa_ops; 0: idle or reserved. */
static const uint8_t row_of_code[][MOST_CODES] = {
#define ALU(sym, code, ...) [UNIT_ALU][code] = (code) != 0 ? 1 + ROW_ALU_##sym : 0,
#include "isa/isa.def"
#define DATA(sym, code, ...) [UNIT_DATA][code] = (code) != 0 ? 1 + ROW_DATA_##sym : 0,
#include "isa/isa.def"
#define IDX(sym, code, ...) [UNIT_IDX][code] = (code) != 0 ? 1 + ROW_IDX_##sym : 0,
#include "isa/isa.def"
#define CAM(sym, code, ...) [UNIT_CAM][code] = (code) != 0 ? 1 + ROW_CAM_##sym : 0,
#include "isa/isa.def"
};

const struct isa_lane_row isa_lanes[LANE_COUNT] = {
#define LANE(sym, code, name, low, width) [code] = {name, low, width},
#include "isa/isa.def"
};

const struct isa_bsrc_row isa_bsrcs[] = {
#define BSRC(sym, code, count, lfsr_bits, name, what) {code, count, lfsr_bits, name, what},
#include "isa/isa.def"
};
const size_t isa_bsrc_count = sizeof isa_bsrcs / sizeof isa_bsrcs[0];

const struct isa_regfile_row isa_regfiles[REG_FILES] = {
#define REGFILE(sym, letter, count, bits, what) [REG_##sym] = {letter, count, bits, what},
#include "isa/isa.def"
};

const struct isa_cond_row *isa_find_cond(unsigned code)
{
    for (size_t i = 0; i < isa_cond_count; i++)
        if (isa_conds[i].code == code)
            return &isa_conds[i];
    return NULL;
}

const struct isa_op_row *isa_find_op(enum isa_unit unit, unsigned code)
{
    unsigned n = code < MOST_CODES ? row_of_code[unit][code] : 0;
    return n != 0 ? &isa_ops[n - 1] : NULL;
}

const struct isa_bsrc_row *isa_find_bsrc(unsigned b)
{
    for (size_t i = 0; i < isa_bsrc_count; i++)
        if (b >= isa_bsrcs[i].code && b < (unsigned)isa_bsrcs[i].code + isa_bsrcs[i].count)
            return &isa_bsrcs[i];
    return NULL;
}

int isa_target_from_offset(int offset)
{
    if (offset >= OFFSET_MIN && offset <= -1)
        return TARGET_BACK + (offset - OFFSET_MIN);
    if (offset >= 2 && offset <= OFFSET_MAX)
        return TARGET_FORWARD + (offset - 2);
    return -1;
}

int isa_target_offset(unsigned code)
{
    return code < TARGET_FORWARD ? (int)code - TARGET_BACK + OFFSET_MIN : (int)code - TARGET_FORWARD + 2;
}

uint64_t isa_encode(const struct uop *u)
{
    uint64_t word = 0;
#define WORD_FIELD(member, low, width, what) word |= (uint64_t)(u->member & ((1u << (width)) - 1)) << (low);
#include "isa/isa.def"
    return word;
}

void isa_decode(uint64_t word, struct uop *u)
{
#define WORD_FIELD(member, low, width, what) u->member = (uint8_t)((word >> (low)) & ((1u << (width)) - 1));
#include "isa/isa.def"
}

bool isa_form_uses_a(enum isa_form f)
{
    switch (f) {
    case FORM_CMP:
    case FORM_BIN:
        return true;
    case FORM_NONE:
    case FORM_UN:
    case FORM_LD:
    case FORM_ST:
    case FORM_RMW1:
    case FORM_RMW2:
    case FORM_MATCH:
    case FORM_WRITE:
    case FORM_DROP:
        break;
    }
    return false;
}

bool isa_form_uses_b(enum isa_form f)
{
    switch (f) {
    case FORM_CMP:
    case FORM_BIN:
    case FORM_UN:
    case FORM_ST:
    case FORM_RMW2:
    case FORM_MATCH:
    case FORM_WRITE:
        return true;
    case FORM_NONE:
    case FORM_LD:
    case FORM_RMW1:
    case FORM_DROP:
        break;
    }
    return false;
}

static bool uses_b(const struct isa_op_row *op) { return op != NULL && isa_form_uses_b(op->form); }

bool isa_has_wide_key(const struct uop *u, unsigned wide)
{
    return uses_b(isa_find_op(UNIT_CAM, u->cam)) && (wide >> u->base & 1) != 0;
}

struct isa_use isa_uses(const struct uop *u, unsigned wide)
{
    const struct isa_op_row *alu = isa_find_op(UNIT_ALU, u->alu), *data = isa_find_op(UNIT_DATA, u->data);
    const struct isa_op_row *idx = isa_find_op(UNIT_IDX, u->idx), *cam = isa_find_op(UNIT_CAM, u->cam);
    struct isa_use use = {
        .a = (alu != NULL && isa_form_uses_a(alu->form)) || isa_has_wide_key(u, wide),
        .b = uses_b(alu) || uses_b(data) || uses_b(cam),
        .index_write = idx != NULL && idx->writes_index,
        .base = data != NULL || cam != NULL,
        .lane = data != NULL,
        .branch = u->cond != COND_NEVER || u->invert,
        .result = alu != NULL && alu->form != FORM_CMP,
        .address = data != NULL || (cam != NULL && cam->form != FORM_MATCH),
        .row_write = data != NULL && data->form != FORM_LD,
        .entry_write = cam != NULL && cam->form != FORM_MATCH,
        .key_write = cam != NULL && cam->form == FORM_WRITE,
    };
    use.index_read = use.address || (idx != NULL && idx->reads_index) || (use.b && u->b == BSRC_INDEX);
    return use;
}

/* Index operations without a mnemonic store another unit's result, so no condition tests them. */
static bool unit_at_work(const struct uop *u, enum isa_unit unit)
{
    const struct isa_op_row *idx = isa_find_op(UNIT_IDX, u->idx), *cam = isa_find_op(UNIT_CAM, u->cam);
    switch (unit) {
    case UNIT_ALU:
        return u->alu != ALU_NONE;
    case UNIT_DATA:
        return u->data != DATA_NONE;
    case UNIT_IDX:
        return idx != NULL && idx->mnemonic[0] != '\0';
    case UNIT_CAM:
        return cam != NULL && cam->form == FORM_MATCH;
    case UNIT_NONE:
        break;
    }
    return true;
}

/* Checks for reserved codes. */
static const char *check_codes(const struct uop *u)
{
    if (isa_find_cond(u->cond) == NULL)
        return "reserved branch condition";
    if (u->alu != ALU_NONE && isa_find_op(UNIT_ALU, u->alu) == NULL)
        return "reserved ALU operation";
    if (u->idx != IDX_NONE && isa_find_op(UNIT_IDX, u->idx) == NULL)
        return "reserved index operation";
    if (u->data != DATA_NONE && isa_find_op(UNIT_DATA, u->data) == NULL)
        return "reserved data operation";
    if (u->cam != CAM_NONE && isa_find_op(UNIT_CAM, u->cam) == NULL)
        return "reserved associative array operation";
    if (u->lane >= LANE_COUNT)
        return "reserved lane";
    if (isa_find_bsrc(u->b) == NULL)
        return "reserved operand on bus B";
    return NULL;
}

/* Checks that the unit tested by the branch condition executes a suitable operation. */
static const char *check_cond(const struct uop *u, struct isa_use use)
{
    const struct isa_cond_row *cond = isa_find_cond(u->cond);
    if (!unit_at_work(u, cond->unit))
        return "the branch condition is about a unit that the word leaves idle";
    const struct isa_op_row *op = isa_find_op(cond->unit, cond->unit == UNIT_ALU ? u->alu : u->data);
    switch (cond->need) {
    case NEED_ANY:
    case NEED_OPERANDS: /* an unused operand is the one that selector 0 selects */
        break;
    case NEED_RESULT:
        if (!use.result)
            return "the branch condition is about a result, and the operation has none";
        break;
    case NEED_LIMIT:
        if (op == NULL || !op->has_limit)
            return "the branch condition is about a limit, and the operation has none";
        break;
    case NEED_BUS:
        if (!use.b)
            return "the branch condition is about bus B, and no operation takes an operand from it";
        break;
    }
    return NULL;
}

/* Checks the dependences between units. */
static const char *check_units(const struct uop *u, struct isa_use use)
{
    const struct isa_op_row *data = isa_find_op(UNIT_DATA, u->data);
    if (u->vsrc == VSRC_ALU && !use.result)
        return "the value file takes an ALU result that is not there";
    if ((u->vsrc == VSRC_LANE || u->vsrc == VSRC_ROW) && (data == NULL || data->form == FORM_ST))
        return "the value file takes data that is not read";
    if (u->vsrc == VSRC_ROW && data->form == FORM_LD)
        return "a whole row is read by ld of lane d";
    if (u->idx == IDX_MATCH && u->cam != CAM_MATCH)
        return "the index file takes a match that is not there";
    if (u->idx != IDX_MATCH && u->cam == CAM_MATCH)
        return "match needs the index register that takes its result";
    if (u->idx == IDX_ALU && !use.result)
        return "the index file takes an ALU result that is not there";
    return NULL;
}

/* Checks that encodings are canonical: unused fields are 0. */
static const char *check_unused(const struct uop *u, struct isa_use use)
{
    if (use.b != (u->b != BSRC_NONE))
        return use.b ? "an operand on bus B is missing" : "bus B is driven and nothing reads it";
    if ((!use.a && u->a != 0) || (!use.base && u->base != 0) || (!use.lane && u->lane != 0))
        return "a selector that nothing uses is not 0";
    if ((!use.index_read && u->ir != 0) || (!use.index_write && u->iw != 0))
        return "an index selector that nothing uses is not 0";
    if ((u->vsrc == VSRC_NONE && u->vdst != 0) || (u->alu == ALU_NONE && u->narrow != 0))
        return "a selector that nothing uses is not 0";
    if (!use.branch && u->target != 0)
        return "a branch target without a branch";
    return NULL;
}

const char *isa_check(const struct uop *u, unsigned wide)
{
    struct isa_use use = isa_uses(u, wide);
    const char *why = check_codes(u);
    if (why == NULL)
        why = check_cond(u, use);
    if (why == NULL)
        why = check_units(u, use);
    return why != NULL ? why : check_unused(u, use);
}
