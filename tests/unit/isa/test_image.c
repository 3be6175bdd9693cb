/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program image: what is saved is what is read, and no bytes harm the reader. */
#include "tests/fuzz/roundtrip.h"

/* Last: it has a macro of the name of our fail(). */
#include "tests/unit/suite.h"

static const char program_text[] =
    ".program sample\n.param share = 10, \"of \\\"all\\\" \\\\ time\"\n.param least = -2\n"
    ".const fresh = 0x10001\n.base slots = 16\n.index slot, width 4\n.index failed, width 3, saturate\n"
    ".value acc = v2\n.target far\n.filter class load, fload\n.filter pc mask 3 match 1 hash 2\n.filter ignore hash 1\n"
    ".entry load, fload look\n.slot slots[16] {\nkey : pc\nvalue : 32 hex\nhit : 8\nmiss : 8\ntotal : 16 max\n}\n"
    "look: match slots, pc32 -> slot | if miss goto new\n"
    "inc slots[slot].hit | if notfull done\n"
    "add acc, fresh -> acc\n"
    "new: cmp.32 v1, result32 | if eq goto t0\n"
    "invalidate slots[slot] | goto far\n"
    "nop\n"
    "far: test failed | interrupt\n";

static struct image image;
static uint8_t *bytes;
static size_t size_bytes;

static void make_image(void)
{
    char *messages;
    enum status st = assemble_text(program_text, sizeof program_text - 1, &image, &messages);
    ck_assert_msg(st == ST_OK, "%s", messages);
    free(messages);
    image_save(&image, &bytes, &size_bytes);
}

static void drop_image(void) { free(bytes); }

/* Result of reading a changed copy of the bytes; a sound one must survive the round trip. */
static enum status read_changed(const uint8_t *changed, size_t n, bool whole)
{
    struct image im;
    struct errmsg err = {""};
    enum status st = image_parse(&im, changed, n, "t", &err);
    if (st != ST_OK) {
        ck_assert_str_ne(err.text, "");
        return st;
    }
    ck_assert_int_eq(image_check(&im, &err), ST_OK);
    char *fault = whole ? roundtrip_fault(&im) : NULL;
    ck_assert_msg(fault == NULL, "%s", fault);
    return st;
}

START_TEST(save_and_parse)
{
    struct image again;
    struct errmsg err;
    uint8_t *bytes_again;
    size_t size_again;
    ck_assert_int_eq(image_parse(&again, bytes, size_bytes, "t", &err), ST_OK);
    image_save(&again, &bytes_again, &size_again);
    ck_assert_uint_eq(size_again, size_bytes);
    ck_assert_int_eq(memcmp(bytes, bytes_again, size_bytes), 0);
    ck_assert(same_machine(&image, &again));
    ck_assert_str_eq(again.name, "sample");
    ck_assert_str_eq(again.value_name[2], "acc");
    ck_assert_str_eq(again.file[again.word_file[0]], "test.pasm");
    ck_assert_uint_eq(again.params, 2);
    ck_assert_str_eq(again.param[0].name, "share");
    ck_assert_str_eq(again.param[0].help, "of \"all\" \\ time");
    ck_assert_uint_eq(image_param_value(&again, "least", 0), UINT64_MAX - 1);
    ck_assert_uint_eq(image_param_value(&again, "shore", 77), 77);
    ck_assert_int_eq(image_find_label(&again, "far"), 6);
    ck_assert_int_eq(image_find_label(&again, "fat"), -1);
    free(bytes_again);
}
END_TEST

START_TEST(seal_agrees)
{
    uint8_t *copy = xmalloc(size_bytes);
    memcpy(copy, bytes, size_bytes);
    memset(copy + 12, 0, 8);
    seal_image(copy, size_bytes);
    ck_assert_int_eq(memcmp(copy, bytes, size_bytes), 0);
    free(copy);
}
END_TEST

START_TEST(record_bytes)
{
    /* class, pc32, result32: 9 bytes, in words of 4 */
    ck_assert_uint_eq(image.fields, 2);
    ck_assert_uint_eq(image_record_bytes(&image), 12);
}
END_TEST

/* The end is missing: both where the header tells, and where it has been made to agree. The copy has the exact size,
 * for ASan. */
START_TEST(truncation)
{
    for (size_t n = 0; n < size_bytes; n++) {
        uint8_t *copy = xmalloc(n);
        memcpy(copy, bytes, n);
        ck_assert_int_ne(read_changed(copy, n, false), ST_OK);
        seal_image(copy, n);
        ck_assert_int_ne(read_changed(copy, n, false), ST_OK);
        free(copy);
    }
}
END_TEST

START_TEST(bytes_behind_the_end)
{
    uint8_t *copy = xcalloc(1, size_bytes + 1);
    memcpy(copy, bytes, size_bytes);
    ck_assert_int_eq(read_changed(copy, size_bytes + 1, false), ST_FORMAT);
    seal_image(copy, size_bytes + 1);
    ck_assert_int_eq(read_changed(copy, size_bytes + 1, false), ST_FORMAT);
    free(copy);
}
END_TEST

START_TEST(corruption)
{
    uint8_t *copy = xmalloc(size_bytes);
    memcpy(copy, bytes, size_bytes);
    for (size_t at = 0; at < size_bytes; at++) {
        for (unsigned change = 1; change < 256; change++) {
            copy[at] = (uint8_t)(bytes[at] ^ change);
            if (at >= 8)
                ck_assert_int_ne(read_changed(copy, size_bytes, false), ST_OK);
            if (at >= IMAGE_HEADER_BYTES) {
                seal_image(copy, size_bytes);
                (void)read_changed(copy, size_bytes, (change & (change - 1)) == 0);
                memcpy(copy, bytes, IMAGE_HEADER_BYTES);
            }
        }
        copy[at] = bytes[at];
    }
    free(copy);
}
END_TEST

static enum status read_version(uint32_t version)
{
    uint8_t *copy = xmalloc(size_bytes);
    struct image im;
    memcpy(copy, bytes, size_bytes);
    put_u32(copy + 8, version);
    enum status st = image_parse(&im, copy, size_bytes, "t", NULL);
    free(copy);
    return st;
}

START_TEST(versions)
{
    ck_assert_int_eq(read_version(IMAGE_VERSION), ST_OK);
    ck_assert_int_eq(read_version(IMAGE_VERSION + 1), ST_VERSION);
    ck_assert_int_eq(read_version(UINT32_MAX), ST_VERSION);
    ck_assert_int_eq(read_version(0), ST_FORMAT);
    ck_assert_int_eq(read_version(1), ST_VERSION); /* without parameters */
    ck_assert_int_eq(read_version(2), ST_VERSION); /* without a sampler, and with other fields */
}
END_TEST

/* A parameter is set from text, or the message says what was expected. */
START_TEST(set_param)
{
    static const struct {
        const char *setting;
        uint64_t value;
    } good[] = {{"share=0", 0},
                {"share=0x20", 32},
                {"share=1k", 1000},
                {"share=-2M", 0 - UINT64_C(2000000)},
                {"share=0xffffffffffffffff", UINT64_MAX},
                {"share=-1", UINT64_MAX},
                {"share=-9223372036854775808", UINT64_C(1) << 63}};
    static const struct {
        const char *setting, *message;
    } bad[] = {
        {"shore=1", "the program has no parameter 'shore' (did you mean 'share'?); its parameters are share, least"},
        {"elsewhere=1", "the program has no parameter 'elsewhere'; its parameters are share, least"},
        {"share", "expected NAME=NUMBER, found 'share'"},
        {"=1", "expected NAME=NUMBER, found '=1'"},
        {"share=", "share: expected a number, found ''"},
        {"share=ten", "share: expected a number, found 'ten'"},
        {"share=1K", "share: '1K' is not a number of base 10"},
        {"share= 1", "share: expected a number, found ' 1'"},
        {"share=--1", "share: expected a number, found '--1'"},
        {"share=18446744073709551616", "share: the number 18446744073709551616 does not fit in 64 bits"},
        {"share=-9223372036854775809", "share: the number -9223372036854775809 is below -9223372036854775808"},
    };
    struct image im = image;
    struct errmsg err;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        ck_assert_int_eq(image_set_param(&im, good[i].setting, &err), ST_OK);
        ck_assert_uint_eq(im.param[0].value, good[i].value);
    }
    im = image;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        ck_assert_int_eq(image_set_param(&im, bad[i].setting, &err), ST_INPUT);
        ck_assert_str_eq(err.text, bad[i].message);
        ck_assert_uint_eq(im.param[0].value, 10);
    }
    im.params = 0;
    ck_assert_int_eq(image_set_param(&im, "share=1", &err), ST_INPUT);
    ck_assert_str_eq(err.text, "the program has no parameter 'share': it has none at all");
}
END_TEST

/* The sampler's options are in the image, and one that a parameter gives follows it. */
START_TEST(sampler)
{
    static const char text[] = ".param often = 101\n.sampler tip, period=often, random, seed=7\n.filter class load\n"
                               ".entry load go\ngo: mov tippc0 | if zero done\ninterrupt\n";
    struct image im, again;
    struct errmsg err;
    uint8_t *saved;
    size_t saved_bytes;
    char *messages;
    ck_assert_msg(assemble_text(text, sizeof text - 1, &im, &messages) == ST_OK, "%s", messages);
    free(messages);
    image_save(&im, &saved, &saved_bytes);
    ck_assert_int_eq(image_parse(&again, saved, saved_bytes, "t", &err), ST_OK);
    free(saved);
    struct sampler_setup s = image_sampler(&again);
    ck_assert_int_eq(s.sampler, SAMPLER_TIP);
    ck_assert_uint_eq(sampler_option(&s, SAMPLER_TIP_PERIOD, 1), 101);
    ck_assert_uint_eq(sampler_option(&s, SAMPLER_TIP_RANDOM, 1), 1);
    ck_assert_uint_eq(sampler_option(&s, SAMPLER_TIP_SEED, 1), 7);
    ck_assert_int_eq(image_set_param(&again, "often=11", &err), ST_OK);
    s = image_sampler(&again);
    ck_assert_uint_eq(sampler_option(&s, SAMPLER_TIP_PERIOD, 1), 11);
    ck_assert_int_eq(sampler_parse("--sampler", "tip", &s, &err), ST_OK);
    image_set_sampler(&again, &s);
    s = image_sampler(&again);
    ck_assert_uint_eq(sampler_option(&s, SAMPLER_TIP_PERIOD, 1), 10007);
    ck_assert_uint_eq(sampler_option(&s, SAMPLER_TIP_SEED, 44), 44);
}
END_TEST

/* The slots name the exact reference `branches` and its key; their members name none of its counts. */
static void name_branches(struct image *im)
{
    im->layout[0].key = FORMAT_PC;
    im->layout[0].exact = EXACT_BRANCHES;
    im->layout[0].key_exact = EXACT_KEY_BRANCHES_PC;
    im->layout[0].member[0].format = FORMAT_COUNT;
}

/* Each case spoils one thing of a sound image; the message must name it. */
#define SPOIL(statement, words)                                                                    \
    {                                                                                              \
        struct image im = image;                                                                   \
        struct errmsg err = {""};                                                                  \
        statement;                                                                                 \
        ck_assert_int_eq(image_check(&im, &err), ST_FORMAT);                                       \
        ck_assert_msg(strstr(err.text, words) != NULL, "'%s' is not about '%s'", err.text, words); \
    }

START_TEST(unsound_sampler)
{
    SPOIL(im.layout[0].member[0].format = FORMAT_COUNT | FORMAT_LAST, "member 0 is not one");
    SPOIL(im.layout[0].member[0].format = FORMAT_KINDS | FORMAT_LAST, "member 0 is not one");
    SPOIL(im.layout[0].key = FORMAT_HEX | FORMAT_LAST, "its keys do not fit");
    SPOIL(im.layout[0].member[0].format = FORMAT_PCX | FORMAT_LAST, "expected it of the key alone");
    SPOIL((im.layout[0].member[0].lane = LANE_D, im.layout[0].member[0].format = FORMAT_SIGNED), "has 64 bits");
    SPOIL(im.sampler.sampler = SAMPLER_COUNT, "sampler number");
    SPOIL(im.sampler.sampler = SAMPLER_TIP, "the sampler tip does not supply the field 'result32'");
    SPOIL(im.field[0] = FIELD_PAIRPC, "the sampler retire does not supply the field 'pairpc'");
    SPOIL(im.sampler.given = 1, "the sampler retire has 0 options");
    SPOIL((im.sampler.sampler = SAMPLER_PROFILEME, im.sampler.given = 1), "expected from 2 to");
    SPOIL((im.sampler.sampler = SAMPLER_PROFILEME, im.sampler.given = 1, im.sampler_param[0] = 2),
          "there is no parameter 2");
    SPOIL((im.sampler.sampler = SAMPLER_PROFILEME, im.sampler.given = 2, im.sampler.option[1] = 1,
           im.sampler_param[1] = 0),
          "takes no number");
    SPOIL((im.sampler.sampler = SAMPLER_PROFILEME, im.sampler.given = 2), "expected from 1 to 1 for 'pair'");
    SPOIL((im.sampler.sampler = SAMPLER_PROFILEME, im.sampler.given = 4, im.sampler.option[2] = 5),
          "the window is of pairs");
}
END_TEST

START_TEST(unsound_arrays)
{
    SPOIL(im.cam_entries = 8 * ISA_CAM_ENTRIES, "expected powers of two up to");
    SPOIL(im.data_rows = 8 * ISA_DATA_ROWS, "expected powers of two up to");
    SPOIL((im.layout[0].key = FORMAT_PCX, im.layout[0].members = 0), "a key of the format pcx");
}
END_TEST

START_TEST(unsound_words){
    SPOIL(im.words = 0, "no words") SPOIL(im.word[2] |= UINT64_C(15) << 2, "word 2")
        SPOIL(im.word[6] = 0, "runs past the last word") SPOIL(im.target[0] = 9, "target register")
            SPOIL(im.target[1] = 64, "target register 1") SPOIL(im.fields = 1, "field")
                SPOIL(im.word_file[0] = 3, "source file") SPOIL(strcpy(im.label[0], "a b"), "label")
                    SPOIL(im.word[0] = (im.word[0] & ~(UINT64_C(31) << 38)) | (uint64_t)TARGET_BACK << 38,
                          "branches out of the program")} END_TEST

START_TEST(unsound_tables){
    SPOIL(im.index_width[3] = 0, "index register 3") SPOIL(im.index_width[3] = 17, "index register 3") SPOIL(
        im.index_saturates[1] = 2,
        "index register 1") SPOIL(strcpy(im.value_name[0], "9"),
                                  "name") SPOIL(strcpy(im.name, "-"), "name") SPOIL(strcpy(im.param[1].name, "9"),
                                                                                    "parameter 1: '9' is not a name")
        SPOIL(im.param[1].name[0] = '\0', "parameter 1 has no name") SPOIL(
            strcpy(im.param[1].name, "share"),
            "parameter 1: the name 'share' occurs twice") SPOIL(strcpy(im.param[1].help, "a\nb"),
                                                                "parameter 1, least: its help")
            SPOIL(im.params = IMAGE_PARAMS + 1, "17 parameters: expected at most 16") SPOIL(
                im.entry[OPCLASS_LOAD] = 7,
                "class load") SPOIL(im.entry[OPCLASS_LOAD] = IMAGE_NO_ENTRY, "no entry")
                SPOIL(im.filter_classes |= UINT32_C(1) << 31, "filter") SPOIL(im.filter1_hash = 4, "hash")
                    SPOIL(im.field[1] = im.field[0], "occurs twice") SPOIL(im.field[1] = FIELD_COUNT, "unknown") SPOIL(
                        im.cam_entries = 24, "powers of two") SPOIL(im.data_rows = 0, "0 rows")
                        SPOIL(im.base[0] = 8, "not aligned") SPOIL(im.layout[0].count = 12, "do not fit the machine")
                            SPOIL(im.layout[0].key = FORMAT_COUNT,
                                  "keys") SPOIL(im.layout[0].member[0].lane = LANE_COUNT, "member 0")
                                SPOIL((im.layout[0].key = FORMAT_PCX, im.layout[0].member[0].format = FORMAT_COUNT),
                                      "expected a first member of up to 32 bits")
                                    SPOIL((im.layout[0].key = FORMAT_PCX, im.layout[0].member[0].lane = LANE_D,
                                           im.layout[0].member[0].format =
                                               FORMAT_HEX),
                                          "expected a first member of up to 32 bits")
                                        SPOIL(im.layout[0].member[0].format = FORMAT_PCX,
                                              "expected it of the key alone") SPOIL(im.layout[0].parts = 0, "0 parts")
                                            SPOIL(im.layout[0].exact = EXACT_REFERENCES,
                                                  "is unknown") SPOIL(im.layout[0].key_exact = 0, "and names none")
                                                SPOIL(im.layout[0].parts = 2, "and names none")
                                                    SPOIL(im.layout[0].exact = EXACT_BRANCHES,
                                                          "no key of the exact reference 'branches', which has 1")
                                                        SPOIL(name_branches(&im), "no member is a count") SPOIL(
                                                            (name_branches(&im), im.layout[0].key = FORMAT_NONE),
                                                            "no member holds 'pc'")
                                                            SPOIL((name_branches(&im), im.layout[0].key = FORMAT_HEX),
                                                                  "expected pc for 'pc'")
                                                                SPOIL((name_branches(&im),
                                                                       im.layout[0].member[0].format = FORMAT_PC,
                                                                       im.layout[0].member[0].exact = 0),
                                                                      "a second member")
                                                                    SPOIL((name_branches(&im),
                                                                           im.layout[0].member[0].exact = 2),
                                                                          "which has fewer")
                                                                        SPOIL(
                                                                            (name_branches(&im),
                                                                             im.layout[0].member[0].format = FORMAT_MAX,
                                                                             im.layout[0].member[0].exact = 0),
                                                                            "expected count")
                                                                            SPOIL(
                                                                                (name_branches(&im),
                                                                                 im.layout[0].member[0].exact = 0,
                                                                                 im.layout[0].member[1].exact = 0),
                                                                                "a second member for 'taken'")} END_TEST

/* Error of the image when these bytes are in the place of those at `at`. */
static void complains(size_t at, const char *changed, size_t n, const char *expected)
{
    uint8_t *copy = xmalloc(size_bytes);
    struct image im;
    struct errmsg err = {""};
    memcpy(copy, bytes, size_bytes);
    memcpy(copy + at, changed, n);
    seal_image(copy, size_bytes);
    ck_assert_int_eq(image_parse(&im, copy, size_bytes, "t", &err), ST_FORMAT);
    ck_assert_str_eq(err.text, expected);
    free(copy);
}

START_TEST(messages)
{
    static const uint8_t acc[] = {3, 0, 'a', 'c', 'c'};
    const uint8_t *name = memmem(bytes, size_bytes, acc, sizeof acc);
    static const uint8_t share[] = {2, 5, 0, 's', 'h', 'a', 'r', 'e'};
    const uint8_t *params = memmem(bytes, size_bytes, share, sizeof share);
    ck_assert_ptr_nonnull(name);
    ck_assert_ptr_nonnull(params);
    char expected[96];
    snprintf(expected, sizeof expected, "t: offset %td: expected at most 16 elements of a table, found 17",
             params - bytes);
    complains((size_t)(params - bytes), "\x11", 1, expected);
    complains(20, "\x34\x12", 2, "t: offset 20: expected at most 31 characters of a string, found 4660");
    complains(20 + 2 + 6 + 4, "\x63", 1, "t: offset 32: expected at most 16 elements of a table, found 99");
    complains((size_t)(name - bytes) + 3, " ", 1,
              "t: value register 2: 'a c' is not a name; expected letters, digits and _, and no digit first");
}
END_TEST

START_TEST(missing_files)
{
    struct image im;
    struct errmsg err = {""};
    ck_assert_int_eq(image_load(&im, "/nonexistent/pc.out", &err), ST_IO);
    ck_assert_int_ne(image_load(&im, "/", &err), ST_OK);
    ck_assert_int_eq(image_load(&im, "/dev/null", &err), ST_FORMAT);
    ck_assert_int_eq(image_load(&im, "/dev/zero", &err), ST_FORMAT);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("image");
    TCase *tcase = tcase_create("image");
    tcase_set_timeout(tcase, 300);
    tcase_add_checked_fixture(tcase, make_image, drop_image);
    tcase_add_test(tcase, save_and_parse);
    tcase_add_test(tcase, seal_agrees);
    tcase_add_test(tcase, record_bytes);
    tcase_add_test(tcase, truncation);
    tcase_add_test(tcase, bytes_behind_the_end);
    tcase_add_test(tcase, corruption);
    tcase_add_test(tcase, versions);
    tcase_add_test(tcase, set_param);
    tcase_add_test(tcase, sampler);
    tcase_add_test(tcase, unsound_sampler);
    tcase_add_test(tcase, unsound_arrays);
    tcase_add_test(tcase, unsound_words);
    tcase_add_test(tcase, unsound_tables);
    tcase_add_test(tcase, messages);
    tcase_add_test(tcase, missing_files);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
