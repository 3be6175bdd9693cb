/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instruction tables: no two rows claim one word, every row decodes to itself, and the printed text. */
#include "tests/unit/suite.h" /* after ours: Check has a macro `fail` */
#include <stdlib.h>

#include "contract/opclass.h"
#include "core-model/riscv/format.h"

struct short_row {
    const char *name;
    uint16_t match, mask;
    uint16_t base;
};

static const struct short_row short_rows[] = {
#define RVC(sym, name, match, mask, format, constraint, base) {name, match, mask, RV_##base},
#include "core-model/riscv/rvc.def"
#undef RVC
};
enum { SHORT_ROWS = sizeof short_rows / sizeof short_rows[0] };

static bool overlap(uint32_t match1, uint32_t mask1, uint32_t match2, uint32_t mask2)
{
    return ((match1 ^ match2) & mask1 & mask2) == 0;
}

START_TEST(rows_do_not_overlap)
{
    const struct rv_row *row = &rv_rows[_i];
    ck_assert_msg((row->match & ~row->mask) == 0, "%s: match has bits outside mask", row->name);
    for (int k = 0; k < _i; k++)
        ck_assert_msg(!overlap(row->match, row->mask, rv_rows[k].match, rv_rows[k].mask), "%s and %s overlap",
                      row->name, rv_rows[k].name);
}
END_TEST

START_TEST(row_decodes_to_itself)
{
    struct rv_insn in;
    ck_assert(rv_decode(rv_rows[_i].match, &in));
    ck_assert_int_eq(in.op, _i);
    ck_assert_int_eq(in.length_bytes, 4);
    ck_assert_uint_eq(in.word, rv_rows[_i].match);
}
END_TEST

/* Where 16-bit rows overlap, the first is the more specific one: its mask contains the other's. */
START_TEST(short_rows_overlap_in_order)
{
    const struct short_row *row = &short_rows[_i];
    ck_assert_uint_ne(row->match & 3, 3);
    for (int k = 0; k < _i; k++) {
        const struct short_row *before = &short_rows[k];
        if (overlap(row->match, row->mask, before->match, before->mask))
            ck_assert_msg((before->mask & row->mask) == row->mask, "%s hides %s", before->name, row->name);
    }
}
END_TEST

/* Whatever a word decodes to, nothing of it points outside a table. */
START_TEST(every_short_word_is_sane)
{
    for (uint32_t word = 0; word < 0x10000; word++) {
        struct rv_insn in;
        if ((word & 3) == 3 || !rv_decode(word, &in))
            continue;
        ck_assert_uint_eq(in.length_bytes, 2);
        ck_assert_uint_eq(in.word, word);
        ck_assert_uint_lt(in.dst, 64);
        ck_assert_uint_lt(in.op, RV_OP_COUNT);
        for (int i = 0; i < 3; i++)
            ck_assert_uint_lt(in.src[i], 64);
    }
}
END_TEST

START_TEST(reserved_words_are_refused)
{
    static const uint32_t reserved[] = {
        0x0000,                             /* all zero */
        0x0004,                             /* c.addi4spn without immediate */
        0x2001,                             /* c.addiw x0 */
        0x6101,                             /* c.addi16sp 0 */
        0x6081,                             /* c.lui without immediate */
        0x4002,                             /* c.lwsp x0 */
        0x6002,                             /* c.ldsp x0 */
        0x8002,                             /* c.jr x0 */
        0x8000,                             /* quadrant 0, reserved */
        0x9c41,                             /* quadrant 1, reserved */
        0xffffffff, 0x0000707b, 0x08005053, /* unused opcodes; fsub.s with rounding mode 5 */
        0x0200101b,                         /* slliw with a shift of 32 */
        0x00002063,                         /* branch, funct3 2 */
    };
    struct rv_insn in;
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
        ck_assert_msg(!rv_decode(reserved[i], &in), "0x%08x decodes as %s", reserved[i], rv_op_name((enum rv_op)in.op));
}
END_TEST

static const struct {
    uint32_t word;
    const char *text;
    enum opclass opclass;
} known[] = {
    {0x00000013, "nop", OPCLASS_INT},
    {0x00008067, "ret", OPCLASS_RET},
    {0x8082, "ret", OPCLASS_RET},
    {0x8782, "jr\ta5", OPCLASS_IJUMP},
    {0x9782, "jalr\ta5", OPCLASS_ICALL},
    {0x9282, "jalr\tt0", OPCLASS_SWAP},
    {0x000500e7, "jalr\ta0", OPCLASS_ICALL},
    {0x00050567, "jalr\ta0,a0", OPCLASS_LJUMP},
    {0x010000ef, "jal\t1010", OPCLASS_CALL},
    {0x0100006f, "j\t1010", OPCLASS_JUMP},
    {0x0100056f, "jal\ta0,1010", OPCLASS_LJUMP},
    {0x00a00513, "li\ta0,10", OPCLASS_INT},
    {0x85ae, "mv\ta1,a1", OPCLASS_INT},
    {0x1101, "add\tsp,sp,-32", OPCLASS_INT},
    {0x00813503, "ld\ta0,8(sp)", OPCLASS_LOAD},
    {0x00813507, "fld\tfa0,8(sp)", OPCLASS_FLOAD},
    {0x00a13427, "fsd\tfa0,8(sp)", OPCLASS_FSTORE},
    {0x00050463, "beqz\ta0,1008", OPCLASS_BRANCH},
    {0x02b50533, "mul\ta0,a0,a1", OPCLASS_MUL},
    {0x02b55533, "divu\ta0,a0,a1", OPCLASS_DIV},
    {0x1005252f, "lr.w\ta0,(a0)", OPCLASS_ATOMIC},
    {0x0ff0000f, "fence", OPCLASS_FENCE},
    {0x00000073, "ecall", OPCLASS_SYSTEM},
    {0xc0002573, "rdcycle\ta0", OPCLASS_CSR},
    {0x00b57553, "fadd.s\tfa0,fa0,fa1", OPCLASS_FP},
    {0x1ab57553, "fdiv.d\tfa0,fa0,fa1", OPCLASS_FDIV},
    {0xc2051553, "fcvt.w.d\ta0,fa0,rtz", OPCLASS_FP},
    {0x22b58553, "fmv.d\tfa0,fa1", OPCLASS_FP},
    {0x6ab57543, "fmadd.d\tfa0,fa0,fa1,fa3", OPCLASS_FP},
};

START_TEST(prints_as_objdump)
{
    struct rv_insn in;
    char text[96];
    ck_assert(rv_decode(known[_i].word, &in));
    int n = rv_print(text, sizeof text, &in, 0x1000);
    ck_assert_str_eq(text, known[_i].text);
    ck_assert_int_eq(n, (int)strlen(text));
    ck_assert_int_eq(in.opclass, known[_i].opclass);
    char flat[96], *tab = strchr(text, '\t');
    ck_assert_int_eq(rv_print_flat(flat, sizeof flat, &in, 0x1000), n);
    if (tab != NULL)
        *tab = ' ';
    ck_assert_str_eq(flat, text);
}
END_TEST

START_TEST(names_of_operations) { ck_assert_str_eq(rv_op_name((enum rv_op)RV_OP_COUNT), "?"); }
END_TEST

START_TEST(writes_of_fcsr_flush)
{
    struct rv_insn in;
    ck_assert(rv_decode(0x00351073, &in) && (in.flags & RV_FLUSH));  /* fscsr a0 */
    ck_assert(rv_decode(0x00302573, &in) && !(in.flags & RV_FLUSH)); /* frcsr a0 */
    ck_assert(rv_decode(0x0011e073, &in) && (in.flags & RV_FLUSH));  /* csrsi fflags, 3 */
    ck_assert(rv_decode(0xc0002573, &in) && !(in.flags & RV_FLUSH)); /* rdcycle a0 */
}
END_TEST

static Suite *make_suite(void)
{
    Suite *s = suite_create("riscv decode");
    TCase *t = tcase_create("tables");
    tcase_add_loop_test(t, rows_do_not_overlap, 0, RV_OP_COUNT);
    tcase_add_loop_test(t, row_decodes_to_itself, 0, RV_OP_COUNT);
    tcase_add_loop_test(t, short_rows_overlap_in_order, 0, SHORT_ROWS);
    tcase_add_test(t, every_short_word_is_sane);
    tcase_add_test(t, reserved_words_are_refused);
    tcase_add_loop_test(t, prints_as_objdump, 0, sizeof known / sizeof known[0]);
    tcase_add_test(t, names_of_operations);
    tcase_add_test(t, writes_of_fcsr_flush);
    suite_add_tcase(s, t);
    return s;
}

int main(void) { return run_suite(make_suite()); }
