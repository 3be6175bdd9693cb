/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The microinstruction set: encoding, its rules, and that every legal word is printed so that it assembles to the same
 * bits. */
#include "isa/pchash.h"
#include "tests/fuzz/roundtrip.h"

/* Last: it has a macro of the name of our fail(). */
#include "tests/unit/suite.h"

enum { RANDOM_WORDS = REPETITIONS(24000), TEST_AT = 20 };

/* xorshift64: the same words on every machine. */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static unsigned pick(uint64_t *state, unsigned n) { return (unsigned)(next_random(state) >> 20) % n; }

/* The wide base registers: every other one. */
enum { WIDE = 0xaa };

/* An image of `words` words that do nothing, with a full record: its words can be replaced by any that is legal. */
static void init_program(struct image *im, uint8_t words)
{
    static const uint64_t done = 0x810000000000;
    image_init(im);
    im->words = words;
    im->cam_entries = im->data_rows = 1;
    im->fields = ISA_FIELDS;
    for (uint8_t i = 0; i < ISA_FIELDS; i++)
        im->field[i] = (uint8_t)(FIELD_CYCLE - 2 * i); /* those of the default sampler */
    for (unsigned i = 0; i < words; i++)
        im->word[i] = done;
    for (uint8_t i = 0; i < ISA_TARGETS; i++)
        im->target[i] = (uint8_t)(9 * i);
    im->wide = WIDE;
}

static void expect_roundtrip(const struct image *im)
{
    struct errmsg err;
    ck_assert_msg(image_check(im, &err) == ST_OK, "%s", err.text);
    char *fault = roundtrip_fault(im);
    ck_assert_msg(fault == NULL, "%s", fault);
    free(fault);
}

static void expect_encodes(const struct uop *u)
{
    struct uop again;
    uint64_t word = isa_encode(u);
    ck_assert_uint_eq(word >> ISA_WORD_BITS, 0);
    isa_decode(word, &again);
    ck_assert_uint_eq(isa_encode(&again), word);
    ck_assert_int_eq(memcmp(u, &again, sizeof again), 0);
}

/* Selectors that nothing uses go to 0, those that are used to a given extreme; bus B carries `b` where it is needed. */
static void set_selectors(struct uop *u, bool high, uint8_t b)
{
    u->b = b;
    struct isa_use use = isa_uses(u, WIDE);
    u->b = use.b ? b : BSRC_NONE;
    u->base = use.base && high ? ISA_BASES - 1 : 0;
    use = isa_uses(u, WIDE);
    u->a = use.a && high ? ISA_VALUES - 1 : 0;
    u->ir = use.index_read && high ? ISA_INDEXES - 1 : 0;
    u->iw = use.index_write && high ? ISA_INDEXES - 1 : 0;
    u->lane = use.lane && high ? LANE_COUNT - 1 : 0;
    u->vdst = u->vsrc != VSRC_NONE && high ? ISA_VALUES - 1 : 0;
}

static struct uop uop_of_row(const struct isa_op_row *row)
{
    struct uop u = {0};
    switch (row->unit) {
    case UNIT_ALU:
        u.alu = row->code;
        break;
    case UNIT_DATA:
        u.data = row->code;
        break;
    case UNIT_IDX:
        u.idx = row->code;
        u.alu = row->code == IDX_ALU ? ALU_MOV : ALU_NONE;
        u.cam = row->code == IDX_MATCH ? CAM_MATCH : CAM_NONE;
        break;
    case UNIT_CAM:
        u.cam = row->code;
        u.idx = row->code == CAM_MATCH ? IDX_MATCH : IDX_NONE;
        break;
    case UNIT_NONE:
        break;
    }
    return u;
}

/* One row of the table, with every destination it may have and the lowest and highest selectors, and every source of
 * bus B. */
START_TEST(every_row)
{
    struct uop u = uop_of_row(&isa_ops[_i]);
    unsigned legal = 0;
    if (isa_ops[_i].code == 0)
        return;
    for (unsigned vsrc = 0; vsrc < 4; vsrc++)
        for (unsigned b = 0; b < 32; b++)
            for (int high = 0; high < 2; high++) {
                struct image im;
                u.vsrc = (uint8_t)vsrc;
                set_selectors(&u, high, (uint8_t)b);
                if (isa_check(&u, WIDE) != NULL)
                    continue;
                legal++;
                expect_encodes(&u);
                init_program(&im, ISA_WORDS);
                im.word[TEST_AT] = isa_encode(&u);
                expect_roundtrip(&im);
            }
    ck_assert_uint_gt(legal, 0);
}
END_TEST

/* Every condition both ways, with an operation of its unit, and every target code. */
START_TEST(every_condition_and_target)
{
    const struct isa_cond_row *c = &isa_conds[_i];
    for (unsigned target = 0; target < TARGET_CODES; target++)
        for (unsigned invert = 0; invert < 2; invert++) {
            struct image im;
            struct uop u = {.cond = c->code, .invert = (uint8_t)invert, .target = (uint8_t)target};
            u.alu = c->unit == UNIT_ALU ? ALU_ADDS : c->need == NEED_BUS ? ALU_MOV : ALU_NONE;
            u.data = c->unit == UNIT_DATA ? DATA_INC : DATA_NONE;
            u.idx = c->unit == UNIT_IDX ? IDX_TEST : c->unit == UNIT_CAM ? IDX_MATCH : IDX_NONE;
            u.cam = c->unit == UNIT_CAM ? CAM_MATCH : CAM_NONE;
            if (c->code == COND_NEVER && invert == 0)
                u.target = 0;
            set_selectors(&u, true, BSRC_VALUE);
            ck_assert_msg(isa_check(&u, WIDE) == NULL, "%s: %s", c->name, isa_check(&u, WIDE));
            expect_encodes(&u);
            init_program(&im, ISA_WORDS);
            im.word[TEST_AT] = isa_encode(&u);
            expect_roundtrip(&im);
        }
}
END_TEST

START_TEST(offsets)
{
    for (int offset = -100; offset <= 100; offset++) {
        int code = isa_target_from_offset(offset);
        bool reachable = offset >= OFFSET_MIN && offset <= OFFSET_MAX && offset != 0 && offset != 1;
        ck_assert_int_eq(code >= 0, reachable);
        if (reachable) {
            ck_assert_int_lt(code, TARGET_CODES);
            ck_assert_int_ge(code, TARGET_BACK);
            ck_assert_int_eq(isa_target_offset((unsigned)code), offset);
        }
    }
}
END_TEST

START_TEST(fields_fill_the_word)
{
    uint64_t all = 0;
    unsigned bits = 0;
#define WORD_FIELD(member, low, width, what)                     \
    {                                                            \
        uint64_t mask = ((UINT64_C(1) << (width)) - 1) << (low); \
        ck_assert_uint_eq(all &mask, 0);                         \
        all |= mask;                                             \
        bits += (width);                                         \
    }
#include "isa/isa.def"
    ck_assert_uint_eq(bits, ISA_WORD_BITS);
    ck_assert_uint_eq(all, (UINT64_C(1) << ISA_WORD_BITS) - 1);
}
END_TEST

/* Any word: random operations, selectors within their range, what is unused 0. Nearly all tries are illegal
 * combinations. */
static bool random_legal(uint64_t *state, unsigned pc, struct uop *u)
{
    *u = (struct uop){0};
    u->alu = (uint8_t)(pick(state, 2) * pick(state, 16));
    u->data = (uint8_t)(pick(state, 2) * pick(state, 16));
    u->cam = (uint8_t)(pick(state, 2) * pick(state, 4));
    u->idx = u->cam == CAM_MATCH ? IDX_MATCH : (uint8_t)(pick(state, 2) * pick(state, 8));
    u->cond = (uint8_t)(pick(state, 2) * pick(state, 16));
    u->invert = (uint8_t)pick(state, 2);
    u->vsrc = (uint8_t)pick(state, 4);
    u->narrow = u->alu != ALU_NONE && pick(state, 2);
    set_selectors(u, false, (uint8_t)pick(state, 32));
    struct isa_use use = isa_uses(u, WIDE);
    u->base = use.base ? (uint8_t)pick(state, ISA_BASES) : 0;
    use = isa_uses(u, WIDE);
    u->a = use.a ? (uint8_t)pick(state, ISA_VALUES) : 0;
    u->ir = use.index_read ? (uint8_t)pick(state, ISA_INDEXES) : 0;
    u->iw = use.index_write ? (uint8_t)pick(state, ISA_INDEXES) : 0;
    u->lane = use.lane ? (uint8_t)pick(state, LANE_COUNT) : 0;
    u->vdst = u->vsrc != VSRC_NONE ? (uint8_t)pick(state, ISA_VALUES) : 0;
    u->target = use.branch ? (uint8_t)pick(state, TARGET_CODES) : 0;
    if (u->target >= TARGET_BACK) {
        int to = (int)pc + isa_target_offset(u->target);
        if (to < 0 || to >= ISA_WORDS)
            return false;
    }
    return isa_check(u, WIDE) == NULL;
}

START_TEST(random_words)
{
    uint64_t state = 0x9e3779b97f4a7c15;
    for (unsigned done = 0; done < RANDOM_WORDS;) {
        struct image im;
        init_program(&im, ISA_WORDS);
        for (unsigned pc = 0; pc < ISA_WORDS - 1; pc++) {
            struct uop u;
            while (!random_legal(&state, pc, &u))
                continue;
            expect_encodes(&u);
            im.word[pc] = isa_encode(&u);
            done++;
        }
        expect_roundtrip(&im);
    }
}
END_TEST

/* Words have one encoding: what isa_check takes, uses every selector that is not 0. */
START_TEST(unused_selectors_are_zero)
{
    uint64_t state = 12345;
    for (int i = 0; i < REPETITIONS(200000); i++) {
        struct uop u;
        isa_decode(next_random(&state) & next_random(&state) & next_random(&state), &u);
        if (isa_check(&u, WIDE) != NULL)
            continue;
        struct isa_use use = isa_uses(&u, WIDE);
        ck_assert(use.b || u.b == 0);
        ck_assert(use.a || u.a == 0);
        ck_assert(use.branch || u.target == 0);
        ck_assert(use.index_read || u.ir == 0);
        ck_assert(use.index_write || u.iw == 0);
    }
}
END_TEST

/* The printer's buffer: nothing is written behind it, and the count is that of the whole text. */
/* Conditions that could only come out one way. */
START_TEST(conditions_mean_something)
{
    struct uop zero = {.alu = ALU_CMP, .b = BSRC_ZERO, .cond = COND_ZERO, .target = TARGET_DONE};
    struct uop clip = {.alu = ALU_ADD, .b = BSRC_ZERO, .cond = COND_CLIP, .target = TARGET_DONE};
    struct uop full = {.data = DATA_LD, .cond = COND_FULL, .target = TARGET_DONE};
    struct uop same = {.data = DATA_INC, .cond = COND_SAME, .target = TARGET_DONE};
    ck_assert_ptr_nonnull(isa_check(&zero, WIDE));
    ck_assert_ptr_nonnull(isa_check(&clip, WIDE));
    ck_assert_ptr_nonnull(isa_check(&full, WIDE));
    ck_assert_ptr_nonnull(isa_check(&same, WIDE));
    zero.alu = ALU_SUB;
    clip.alu = ALU_ADDS;
    full.data = DATA_INC;
    same.alu = ALU_MOV;
    same.b = BSRC_ZERO;
    ck_assert_ptr_null(isa_check(&same, WIDE));
    ck_assert_ptr_null(isa_check(&zero, WIDE));
    ck_assert_ptr_null(isa_check(&clip, WIDE));
    ck_assert_ptr_null(isa_check(&full, WIDE));
}
END_TEST

START_TEST(fields_and_classes)
{
    ck_assert_uint_eq(sample_field_classes(FIELD_PC), (1u << OPCLASS_COUNT) - 1);
    for (unsigned c = 0; c < OPCLASS_COUNT; c++) {
        bool jumps = c >= OPCLASS_BRANCH && c <= OPCLASS_LJUMP, accesses = c >= OPCLASS_LOAD && c <= OPCLASS_ATOMIC;
        ck_assert_int_eq(sample_field_classes(FIELD_TAKEN) >> c & 1, jumps);
        ck_assert_int_eq(sample_field_classes(FIELD_EA) >> c & 1, accesses);
        ck_assert_int_eq(sample_field_classes(FIELD_BYTES) >> c & 1, accesses);
    }
    ck_assert_uint_eq(sample_field_classes(FIELD_MEMLAT),
                      1u << OPCLASS_LOAD | 1u << OPCLASS_FLOAD | 1u << OPCLASS_ATOMIC);
    ck_assert_uint_eq(sample_field_classes(FIELD_RESULT) >> OPCLASS_BRANCH & 1, 0);
    ck_assert_uint_eq(sample_field_classes(FIELD_RESULT) >> OPCLASS_STORE & 1, 1);
}
END_TEST

START_TEST(print_in_little_room)
{
    struct uop u = {
        .alu = ALU_ADD, .b = BSRC_CONST, .vsrc = VSRC_ALU, .cond = COND_NEVER, .invert = 1, .target = TARGET_DONE};
    char whole[64];
    int n = isa_print(whole, sizeof whole, &u, 0, NULL);
    ck_assert_str_eq(whole, "add v0, c0 -> v0 | done");
    ck_assert_int_eq(n, (int)strlen(whole));
    for (size_t room = 0; room < sizeof whole; room++) {
        char part[65];
        memset(part, '#', sizeof part);
        ck_assert_int_eq(isa_print(part, room, &u, 0, NULL), n);
        ck_assert_int_eq(part[room], '#');
        if (room > 0)
            ck_assert_int_eq(strncmp(part, whole, room - 1), 0);
    }
}
END_TEST

/* Unsound words are printed too, by dumps and listings of damage. */
START_TEST(print_any_word)
{
    uint64_t state = 99;
    for (int i = 0; i < REPETITIONS(100000); i++) {
        char text[256];
        struct uop u;
        isa_decode(next_random(&state) >> 16, &u);
        ck_assert_int_gt(isa_print(text, sizeof text, &u, (unsigned)i & 63, NULL), 0);
    }
}
END_TEST

START_TEST(hashes_stay_in_range)
{
    uint64_t state = 7;
    for (int i = 0; i < 10000; i++) {
        uint32_t pc32 = (uint32_t)next_random(&state);
        for (unsigned f = 0; f < PCHASH_COUNT; f++) {
            ck_assert_uint_le(pchash_filter1(f, pc32), 0xffff);
            for (uint32_t bits = FILTER2_BITS; bits <= FILTER2_BITS_MAX; bits *= 2) {
                ck_assert_uint_lt(pchash_filter2(f, pc32, bits), bits);
                ck_assert_uint_eq(pchash_filter2(f, pc32, bits) % FILTER2_BITS, pchash_filter2(f, pc32, FILTER2_BITS));
            }
        }
    }
}
END_TEST

/* Claims of docs/isa.md about the instructions of one hash. */
START_TEST(hashes_group)
{
    ck_assert_uint_eq(pchash_filter1(0, sample_pc32(0x12346)), pchash_filter1(0, sample_pc32(0x12346 + 0x20000)));
    ck_assert_uint_ne(pchash_filter1(0, sample_pc32(0x12346)), pchash_filter1(0, sample_pc32(0x12346 + 0x10000)));
    ck_assert_uint_eq(pchash_filter1(2, sample_pc32(0x12200)), pchash_filter1(2, sample_pc32(0x123fe)));
    ck_assert_uint_ne(pchash_filter1(2, sample_pc32(0x12200)), pchash_filter1(2, sample_pc32(0x12400)));
    ck_assert_uint_eq(pchash_filter1(1, 0x00050003), 6);
    ck_assert_uint_eq(pchash_filter1(3, 0x00080821), 0x4960);
    ck_assert_uint_eq(pchash_filter2(0, 0x1003, FILTER2_BITS), 3);
    ck_assert_uint_eq(pchash_filter2(1, 0x01002003, FILTER2_BITS), 0);
    ck_assert_uint_eq(pchash_filter2(2, 0x00018001, FILTER2_BITS), 0x082);
    ck_assert_uint_eq(pchash_filter2(3, 0x00002208, FILTER2_BITS), 0x451);
}
END_TEST

START_TEST(tables_by_name)
{
    for (int c = 0; c < OPCLASS_COUNT; c++)
        ck_assert_int_eq(opclass_find(opclass_name((enum opclass)c)), c);
    ck_assert_int_eq(opclass_find("lod"), -1);
    ck_assert_ptr_null(opclass_name((enum opclass)OPCLASS_COUNT));
    for (int f = 0; f < FIELD_COUNT; f++)
        ck_assert_int_eq(sample_find_field(sample_fields[f].name), f);
    ck_assert_int_eq(sample_find_field(""), -1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("isa");
    TCase *rows = tcase_create("rows"), *words = tcase_create("words");
    tcase_set_timeout(rows, 300);
    tcase_set_timeout(words, 300);
    tcase_add_loop_test(rows, every_row, 0, (int)isa_op_count);
    tcase_add_loop_test(rows, every_condition_and_target, 0, (int)isa_cond_count);
    tcase_add_test(words, offsets);
    tcase_add_test(words, fields_fill_the_word);
    tcase_add_test(words, random_words);
    tcase_add_test(words, unused_selectors_are_zero);
    tcase_add_test(words, conditions_mean_something);
    tcase_add_test(words, fields_and_classes);
    tcase_add_test(words, print_in_little_room);
    tcase_add_test(words, print_any_word);
    tcase_add_test(words, hashes_stay_in_range);
    tcase_add_test(words, hashes_group);
    tcase_add_test(words, tables_by_name);
    suite_add_tcase(suite, rows);
    suite_add_tcase(suite, words);
    return run_suite(suite);
}
