/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The assembler from memory: expressions, registers, the record, branches, conditions, inclusions and the limits of its
 * messages. The wording of each error is tested in tests/golden/asm. */
#include "asm/check.h"
#include "tests/fuzz/roundtrip.h"

/* Last: it has a macro of the name of our fail(). */
#include "tests/unit/suite.h"

/* Assembles; on failure the test ends with the messages. */
static struct image assemble_good(const char *text)
{
    struct image im;
    char *messages;
    enum status st = assemble_text(text, strlen(text), &im, &messages);
    ck_assert_msg(st == ST_OK, "%s\n%s", text, messages);
    free(messages);
    return im;
}

/* Assembles what is in error; the messages are the caller's. */
static char *assemble_bad(const char *text)
{
    struct image im;
    char *messages;
    enum status st = assemble_text(text, strlen(text), &im, &messages);
    ck_assert_msg(st == ST_INPUT, "no error in: %s", text);
    return messages;
}

static void expect_error(const char *text, const char *what)
{
    char *messages = assemble_bad(text);
    ck_assert_msg(strstr(messages, what) != NULL, "'%s' is not in:\n%s", what, messages);
    free(messages);
}

static uint64_t value_of(const char *expression)
{
    char *text = xasprintf(".equ ONE = 1\n.const c = %s\ndone\n", expression);
    struct image im = assemble_good(text);
    free(text);
    return im.constant[0];
}

START_TEST(expressions)
{
    static const struct {
        const char *text;
        uint64_t value;
    } cases[] = {
        {"0x10 + 0b11 + 0o17 + 9", 43},
        {"'a'", 97},
        {"'\\n'", 10},
        {"'\\''", 39},
        {"1 + 2 * 3", 7},
        {"(1 + 2) * 3", 9},
        {"10 - 4 - 3", 3},
        {"100 / 7 / 2", 7},
        {"100 % 7", 2},
        {"-1", UINT64_MAX},
        {"~0", UINT64_MAX},
        {"!5 + !0", 1},
        {"+3", 3},
        {"0x8000000000000000", UINT64_C(1) << 63},
        {"-9223372036854775808", UINT64_C(1) << 63},
        {"0xffffffffffffffff >> 60", 15},
        {"-6 / 2 == -3", 1},
        {"2 < 3", 1},
        {"3 <= 3", 1},
        {"-1 > 3", 0},
        {"3 >= 4", 0},
        {"3 == 3", 1},
        {"3 != 3", 0},
        {"6 & 3", 2},
        {"6 ^ 3", 5},
        {"6 | 3", 7},
        {"1 | 2 ^ 3 & 4", 3},
        {"1 && 0 || 1", 1},
        {"0 && 1 / 0", 0},
        {"1 || 1 / 0", 1},
        {"1 ? 2 : 1 / 0", 2},
        {"0 ? 1 : 0 ? 2 : 3", 3},
        {"log2(1 << 40)", 40},
        {"log2(ONE)", 0},
        {"ONE << 4 | ONE", 17},
        {"0xffffffffffffffff", UINT64_MAX},
        {"1 + 1 == 2", 1},
        {"1 << 2 + 1", 8},
        {"2 == 2 & 1", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ck_assert_msg(value_of(cases[i].text) == cases[i].value, "%s is %llu", cases[i].text,
                      (unsigned long long)value_of(cases[i].text));
}
END_TEST

START_TEST(deep_expressions)
{
    char text[8192] = ".const c = 1";
    for (int i = 0; i < 900; i++)
        strcat(text, " + 1");
    strcat(text, "\ndone\n");
    ck_assert_uint_eq(assemble_good(text).constant[0], 901);
    char *deep = strstr(text, "\n");
    for (int i = 0; i < 200; i++)
        deep = stpcpy(deep, " + 1");
    strcpy(deep, "\ndone\n");
    expect_error(text, "operators within each other");
}
END_TEST

START_TEST(registers)
{
    struct image im = assemble_good(
        ".const a = 5\n.const c2 = 6\n.const b = 7\n.const d = 8\n.base x = 1\n.base y = 65535, wide\n"
        ".index i1, width 3\n.index p\n.index q, width 4, saturate\n.value r = v1\n.value s\ndone\n");
    ck_assert_uint_eq(im.constant[0], 5);
    ck_assert_uint_eq(im.constant[1], 7);
    ck_assert_uint_eq(im.constant[2], 6);
    ck_assert_uint_eq(im.constant[3], 8);
    ck_assert_str_eq(im.const_name[2], "");
    ck_assert_str_eq(im.const_name[3], "d");
    ck_assert_uint_eq(im.base[1], 65535);
    ck_assert_uint_eq(im.wide, 1u << 1);
    ck_assert_uint_eq(im.index_width[0], 16);
    ck_assert_uint_eq(im.index_width[1], 3);
    ck_assert_uint_eq(im.index_width[2], 4);
    ck_assert_uint_eq(im.index_saturates[2], 1);
    ck_assert_str_eq(im.value_name[1], "r");
    ck_assert_str_eq(im.value_name[0], "s");
}
END_TEST

START_TEST(parameters)
{
    struct image im = assemble_good(".equ N = 3\n.param n = N << 1, \"words\"\n.param least = -1\n"
                                    ".ifdef n\n.error \"no symbol\"\n.endif\n.const n = 5\nn: done\n");
    ck_assert_uint_eq(im.params, 2);
    ck_assert_str_eq(im.param[0].name, "n");
    ck_assert_str_eq(im.param[0].help, "words");
    ck_assert_uint_eq(im.param[0].value, 6);
    ck_assert_str_eq(im.param[1].name, "least");
    ck_assert_str_eq(im.param[1].help, "");
    ck_assert_uint_eq(im.param[1].value, UINT64_MAX);
    ck_assert_uint_eq(im.constant[0], 5);
    expect_error(".param n = 1\n.param n = 1\ndone\n", "the parameter 'n' is already defined");
    expect_error(".param n = 1\n.param m = n\ndone\n",
                 "its value is not known at assembly time; expected a number that .equ declares");
    expect_error(".param n = 1\ncmp v0, n | if ge done\ndone\n", "'n' is a parameter, of the driver or the sampler");
}
END_TEST

START_TEST(sampler)
{
    struct image im = assemble_good(".equ N = 3\n.param p = 9\n.sampler profileme, pair, period=N << 2, window=p\n"
                                    "mov pairpc | if zero done\ninterrupt\n");
    struct sampler_setup s = image_sampler(&im);
    ck_assert_int_eq(s.sampler, SAMPLER_PROFILEME);
    ck_assert_uint_eq(sampler_option(&s, SAMPLER_PROFILEME_PERIOD, 0), 12);
    ck_assert_uint_eq(sampler_option(&s, SAMPLER_PROFILEME_PAIR, 0), 1);
    ck_assert_uint_eq(sampler_option(&s, SAMPLER_PROFILEME_WINDOW, 0), 9);
    ck_assert_int_eq(im.sampler_param[SAMPLER_PROFILEME_WINDOW], 0);
    ck_assert_int_eq(im.sampler_param[SAMPLER_PROFILEME_PERIOD], IMAGE_NO_PARAM);
    im = assemble_good(".equ N = 3\n.sampler profileme, period=N\nmov pc | if zero done\ninterrupt\n");
    s = image_sampler(&im);
    ck_assert_uint_eq(sampler_option(&s, SAMPLER_PROFILEME_PERIOD, 0), 3);
    im = assemble_good("done\n");
    ck_assert_int_eq(image_sampler(&im).sampler, SAMPLER_RETIRE);
}
END_TEST

/* A name that images may have and the language does not is replaced by one that no parameter has. */
START_TEST(parameters_are_disassembled)
{
    struct image im = assemble_good(
                     ".param p1_0 = 1, \"a \\\\ b \\\"c\\\"\"\n.param word = 0x8000000000000000\ndone\n"),
                 again;
    char *source = NULL;
    size_t size_bytes;
    strcpy(im.param[1].name, "if");
    FILE *out = open_memstream(&source, &size_bytes);
    pasm_disassemble(out, &im);
    fclose(out);
    again = assemble_good(source);
    ck_assert_str_eq(again.param[0].name, "p1_0");
    ck_assert_str_eq(again.param[0].help, "a \\ b \"c\"");
    ck_assert_str_eq(again.param[1].name, "p1_1");
    ck_assert_uint_eq(again.param[1].value, UINT64_C(1) << 63);
    free(source);
}
END_TEST

/* Fields are numbered in the table's order, whatever the order of use. */
START_TEST(record)
{
    struct image im = assemble_good("mov result -> v0\nmov pc -> v1\nmov ea -> v2\ncmp v0, pc | done\n");
    ck_assert_uint_eq(im.fields, 3);
    ck_assert_int_eq(im.field[0], FIELD_PC);
    ck_assert_int_eq(im.field[1], FIELD_RESULT);
    ck_assert_int_eq(im.field[2], FIELD_EA);
    struct uop u;
    isa_decode(im.word[0], &u);
    ck_assert_uint_eq(u.b, BSRC_FIELD + 1);
    im = assemble_good(".record result, pc, ea\nmov f2 -> v0 | done\n");
    ck_assert_int_eq(im.field[0], FIELD_RESULT);
    isa_decode(im.word[0], &u);
    ck_assert_uint_eq(u.b, BSRC_FIELD + 2);
    expect_error("mov f0 -> v0 | done\n", "neither a register nor a sample field");
}
END_TEST

/* A branch from word 30 over every distance: an offset where it reaches, a target register where not. */
START_TEST(branches)
{
    for (int to = 0; to < ISA_WORDS; to++) {
        char text[2048] = ".target far\n";
        for (int i = 0; i < ISA_WORDS; i++) {
            strcat(text, i == to ? "far: " : "");
            strcat(text, i == 30 ? "goto far\n" : "done\n");
        }
        if (to == 30 || to == 31) {
            expect_error(text, to == 30 ? "never end" : "leave it out");
            continue;
        }
        struct uop u;
        struct image im = assemble_good(text);
        int code = isa_target_from_offset(to - 30);
        isa_decode(im.word[30], &u);
        ck_assert_uint_eq(u.target, code >= 0 ? (unsigned)code : TARGET_REG);
        ck_assert_int_eq(im.target[0], to);
    }
    struct uop own;
    struct image spin = assemble_good(".target here\nhere: shr1 v0 -> v0 | if nonzero goto here\ndone\n");
    isa_decode(spin.word[0], &own);
    ck_assert_uint_eq(own.target, TARGET_REG);
    expect_error("here: shr1 v0 -> v0 | if nonzero goto here\ndone\n", ".target here");
    expect_error(
        "goto x\ndone\ndone\ndone\ndone\ndone\ndone\ndone\ndone\ndone\ndone\ndone\ndone\ndone\ndone\ndone\ndone\ndone\n"
        "done\ndone\nx: done\n",
        ".target x");
}
END_TEST

/* Rejected programs, and the reasons. */
static const struct {
    const char *text, *what;
} refused[] = {
    {".filter class mask 3\ndone\n", "a filter is '.filter class NAME, ...'"},
    {".filter ignore x, y\ndone\n", "a filter is '.filter class NAME, ...'"},
    {"look done", "expected 'look:'"},
    {"look mov,v1\ndone\n", "unknown mnemonic 'look'"},
    {"mov v12345 -> v1\ndone\n", "v12345 has the form of a register's name"},
    {".equ LIMIT = 3\n.const a = LIMITS\ndone\n", "'LIMITS' is not defined; did you mean 'LIMIT'?"},
    {"inc 5\ndone\n", "there are no numbers in a word"},
    {"cmp v1, v2 -> i1\ndone\n", "'cmp' has no destination"},
    {"nop | if same done\ndone\n", "the condition 'same' is about an operation that the word does not have"},
    {".base b = 0\n.slot b[2] exact branches { key : pc exact pc, n : 32 exact zzz }\ndone\n",
     "the exact reference 'branches' has no count 'zzz'; it has taken, untaken"},
    {".base b = 0\n.slot b[2] exact branches { key : pc exact zzz, n : 32 exact taken }\ndone\n",
     "the exact reference 'branches' has no key 'zzz'"},
    {".base b = 3072\n.slot b[1024] { key : pc }\ndone\n", "1024 slots at base 3072 end after the largest arrays"},
    {".slot a_name_of_more_than_thirty_one_characters[2] { n : 32 }\ndone\n",
     "'a_name_of_more_than_thirty_one_characters' is no base register"},
    {".base a = 0\n.base b = 8\n.base c = 16\n.base d = 24\n.base e = 32\n.base f = 40\n.base g = 48\n.slot z[2] { n "
     ": 32 }\n.slot y[2] { n : 32 }\ndone\n",
     "'y' is no base register"},
};
enum { REFUSED = sizeof refused / sizeof refused[0] };

START_TEST(refused_programs) { expect_error(refused[_i].text, refused[_i].what); }
END_TEST

/* A NUL byte ends the line, for the hint too. */
START_TEST(nul_byte)
{
    static const char text[] = "look done\0";
    struct image im;
    char *messages;
    ck_assert_int_eq(assemble_text(text, sizeof text - 1, &im, &messages), ST_INPUT);
    ck_assert_ptr_nonnull(strstr(messages, "expected 'look:'"));
    free(messages);
}
END_TEST

START_TEST(words_limit)
{
    char text[1024] = "";
    for (int i = 0; i < ISA_WORDS; i++)
        strcat(text, "done\n");
    ck_assert_uint_eq(assemble_good(text).words, ISA_WORDS);
    strcat(text, "done\ndone\n");
    char *messages = assemble_bad(text);
    ck_assert_ptr_nonnull(strstr(messages, "test.pasm:65:1: error: the program has more than 64 words"));
    ck_assert_ptr_null(strstr(messages, "test.pasm:66"));
    free(messages);
    strcat(text, "| nop\nbehind:\n");
    messages = assemble_bad(text);
    ck_assert_ptr_null(strstr(messages, "behind"));
    free(messages);
}
END_TEST

/* Lines that a condition leaves out may be nonsense. */
START_TEST(conditions)
{
    static const char shape[] =
        ".equ N = %d\n.if N == 1\n.const a = 10\n.if 0\n)!( \"\n.endif\n.elif N == 2\n.const a = 20\n"
        ".elif 1 / (N - 3)\n.const a = 30\n.else\n.const a = 40\n.endif\n.ifdef N\n.const b = 1\n.endif\n"
        ".ifndef N\n%% NUL\n.else\n.const c = 1\n.endif\ndone\n";
    static const uint64_t expected[] = {0, 10, 20, 0, 30};
    for (int n = 1; n <= 4; n++) {
        char *text = xasprintf(shape, n);
        if (n == 3) {
            expect_error(text, "division by zero");
        } else {
            struct image im = assemble_good(text);
            ck_assert_uint_eq(im.constant[0], expected[n]);
            ck_assert_uint_eq(im.constant[1], 1);
        }
        free(text);
    }
}
END_TEST

/* Files for .include: x includes y. */
static enum status read_fake(void *ctx, const char *path, char **data, size_t *n, struct errmsg *err)
{
    const char *text = strcmp(path, "src/x.inc") == 0      ? ".include \"y.inc\"\nx: done\n"
                       : strcmp(path, "lib/y.inc") == 0    ? ".const y = Y\ny: nop | done"
                       : strcmp(path, "src/loop.inc") == 0 ? ".include \"loop.inc\"\n"
                                                           : NULL;
    ++*(int *)ctx;
    if (text == NULL)
        return (fail)(err, ST_IO, "%s: no such file", path);
    *data = xstrdup(text);
    *n = strlen(text);
    return ST_OK;
}

static enum status assemble_including(const char *text, struct image *im, char **messages)
{
    static const char *const dirs[] = {"nowhere", "lib"}, *const defines[] = {"Y=7", "Z"};
    int reads = 0;
    size_t n;
    FILE *out = open_memstream(messages, &n);
    struct diag d;
    struct pasm_options opts = {.name = "src/main.pasm",
                                .text = text,
                                .size_bytes = strlen(text),
                                .defines = defines,
                                .define_count = 2,
                                .include_dirs = dirs,
                                .include_dir_count = 2,
                                .read_file = read_fake,
                                .ctx = &reads};
    diag_init(&d, out);
    enum status st = pasm_assemble(&opts, &d, im);
    fclose(out);
    ck_assert_int_gt(reads, 0);
    return st;
}

START_TEST(inclusions)
{
    struct image im;
    char *messages;
    ck_assert_int_eq(assemble_including(".include \"x.inc\"\n.const z = Z\nz: done\n", &im, &messages), ST_OK);
    ck_assert_uint_eq(im.words, 3);
    ck_assert_uint_eq(im.constant[0], 7);
    ck_assert_uint_eq(im.constant[1], 1);
    ck_assert_str_eq(im.file[im.word_file[0]], "lib/y.inc");
    ck_assert_str_eq(im.file[im.word_file[2]], "src/main.pasm");
    ck_assert_uint_eq(im.word_line[2], 3);
    ck_assert_str_eq(im.label[1], "x");
    free(messages);
    ck_assert_int_eq(assemble_including(".include \"loop.inc\"\ndone\n", &im, &messages), ST_INPUT);
    ck_assert_ptr_nonnull(strstr(messages, "includes itself"));
    free(messages);
    ck_assert_int_eq(assemble_including("\n.include \"none\"\ndone\n", &im, &messages), ST_INPUT);
    ck_assert_ptr_nonnull(strstr(messages, "src/main.pasm:2:10: error: cannot include src/none"));
    free(messages);
    expect_error(".include \"x\"\n", "no files to include");
}
END_TEST

/* Every file is one word. */
static enum status read_word(void *ctx, const char *path, char **data, size_t *n, struct errmsg *err)
{
    (void)ctx, (void)path, (void)err;
    *data = xstrdup("nop\n");
    *n = strlen(*data);
    return ST_OK;
}

/* An image has the names of so many files, and the ends of their paths. */
START_TEST(many_files)
{
    char text[512] = "", name[300];
    struct image im;
    struct diag d;
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    for (char file = 'a'; file < 'a' + IMAGE_FILES; file++)
        sprintf(text + strlen(text), ".include \"%c.inc\"\n", file);
    strcat(text, "done\n");
    struct pasm_options opts = {.name = name, .text = text, .size_bytes = strlen(text), .read_file = read_word};
    FILE *out = fopen("/dev/null", "w");
    diag_init(&d, out);
    ck_assert_int_eq(pasm_assemble(&opts, &d, &im), ST_OK);
    ck_assert_uint_eq(im.files, IMAGE_FILES);
    ck_assert_uint_eq(im.word_file[IMAGE_FILES - 1], IMAGE_FILES - 1);
    ck_assert_uint_eq(im.word_file[IMAGE_FILES], IMAGE_NO_FILE);
    opts = (struct pasm_options){.name = name, .text = "done", .size_bytes = 4};
    ck_assert_int_eq(pasm_assemble(&opts, &d, &im), ST_OK);
    ck_assert_uint_eq(strlen(im.file[0]), IMAGE_PATH - 1);
    fclose(out);
}
END_TEST

static int count_of(const char *text, const char *part)
{
    int n = 0;
    for (; (text = strstr(text, part)) != NULL; text++)
        n++;
    return n;
}

/* Every error of a file is found; behind twenty the assembly ends. */
START_TEST(error_limit)
{
    char text[4096] = "";
    for (int i = 0; i < 50; i++)
        strcat(text, i % 2 ? "nonsense v1\n" : "mov , v1\n");
    char *messages = assemble_bad(text);
    ck_assert_int_eq(count_of(messages, "error:"), 20);
    free(messages);
    text[0] = '\0';
    for (int i = 0; i < 25; i++)
        strcat(text, ".const a = ONE\n");
    expect_error(text, "'ONE' is not defined");
    messages = assemble_bad("incc i0\nmov\n.bas x = 1\n.const = 4\nmov v0 -> v9\n");
    ck_assert_int_eq(count_of(messages, "error:"), 5);
    free(messages);
}
END_TEST

/* The text of each included file; files that end in "large" have 3 MB. */
static enum status read_counted(void *ctx, const char *path, char **data, size_t *n, struct errmsg *err)
{
    static const char wrong[] = "bad v0\n";
    const bool is_large = strstr(path, "large") != NULL;
    (void)err;
    ++*(int *)ctx;
    *n = is_large ? 3 << 20 : sizeof wrong - 1;
    *data = xmalloc(*n + 1);
    if (is_large)
        memset(*data, '\n', *n);
    else
        strcpy(*data, wrong);
    return ST_OK;
}

/* Assembles a text that includes files, with errors; returns how many files were read. */
static int assemble_counted(const char *text, const char *expected)
{
    struct image im;
    struct diag d;
    char *said;
    size_t n;
    int reads = 0;
    struct pasm_options opts = {
        .name = "t", .text = text, .size_bytes = strlen(text), .read_file = read_counted, .ctx = &reads};
    diag_init(&d, open_memstream(&said, &n));
    ck_assert_int_eq(pasm_assemble(&opts, &d, &im), ST_INPUT);
    diag_summary(&d);
    fclose(d.out);
    ck_assert_msg(strstr(said, expected) != NULL, "%s", said);
    free(said);
    return reads;
}

/* The limits end the assembly: no more files are read. */
START_TEST(limits_end)
{
    char text[4096] = ".include \"large\"\n.include \"large\"\ndone\n";
    ck_assert_int_eq(assemble_counted(text, "t:2:10: error: cannot include 'large': the included files have more than"),
                     2);
    text[0] = '\0';
    for (int i = 0; i < 100; i++)
        strcat(text, i % 2 ? ".equ x = 1 / 0\n" : ".include \"bad\"\n.error \"x\"\n");
    ck_assert_int_eq(assemble_counted(text, "too many errors: the rest is not checked\n20 errors"), 11);
}
END_TEST

START_TEST(warnings_as_errors)
{
    struct image im;
    struct diag d;
    static const char text[] = "done\n";
    struct pasm_options opts = {.name = "t", .text = text, .size_bytes = sizeof text - 1};
    char *said;
    size_t n;
    diag_init(&d, open_memstream(&said, &n));
    ck_assert_int_eq(pasm_assemble(&opts, &d, &im), ST_OK);
    ck_assert_int_eq(d.warnings, 1);
    d.warnings_are_errors = true;
    ck_assert_int_eq(pasm_assemble(&opts, &d, &im), ST_INPUT);
    ck_assert_int_eq(d.errors, 1);
    diag_summary(&d);
    fclose(d.out);
    ck_assert_ptr_nonnull(strstr(said, "1 error, 1 warning\n"));
    free(said);
}
END_TEST

/* A line of a megabyte is shown in part, the caret at its place. */
START_TEST(long_line)
{
    enum { LENGTH = 1 << 20 };
    char *text = xmalloc(LENGTH + 32);
    memset(text, ' ', LENGTH);
    strcpy(text + LENGTH, "bad v1\ndone\n");
    char *messages = assemble_bad(text);
    ck_assert_uint_lt(strlen(messages), 1000);
    char *shown = strstr(messages, "bad v1\n"), *caret = strstr(messages, "^~~\n");
    ck_assert(shown != NULL && caret != NULL);
    while (shown > messages && shown[-1] != '\n')
        shown--;
    char *line = caret;
    while (line[-1] != '\n')
        line--;
    ck_assert_int_eq(strstr(shown, "bad") - shown, caret - line);
    free(messages);
    free(text);
}
END_TEST

/* The last line needs no end, and a line's end may be that of DOS. */
START_TEST(line_ends)
{
    ck_assert_uint_eq(assemble_good("done").words, 1);
    ck_assert_uint_eq(assemble_good("nop\r\n| done\r\n").words, 1);
    ck_assert_uint_eq(assemble_good("; only a comment\n\n\nx: y:\n z: done ; end").words, 1);
    ck_assert_str_eq(assemble_good("x: y:\n z: done").label[0], "x");
    expect_error("", "no words");
    expect_error("| done\n", "continues");
}
END_TEST

/* Lines between the lines of a word, a last line without an end, all target registers. */
START_TEST(listing)
{
    static const char text[] =
        ".target a\n.target b\n.target c\n.target d\na: nop\n\n| shr1 v0 -> v0 | if zero goto c\n"
        "b: shr1 v0 -> v0 | if zero goto d\nc: shr1 v0 -> v0 | if zero goto a\n"
        "d: shr1 v0 -> v0 | if zero goto b\ndone";
    char *said, *list;
    size_t said_bytes, list_bytes;
    struct image im;
    struct diag d;
    FILE *out = open_memstream(&said, &said_bytes), *to = open_memstream(&list, &list_bytes);
    struct pasm_options opts = {.name = "x.pasm", .text = text, .size_bytes = sizeof text - 1, .listing = to};
    diag_init(&d, out);
    ck_assert_int_eq(pasm_assemble(&opts, &d, &im), ST_OK);
    fclose(out);
    fclose(to);
    ck_assert_msg(strstr(list, "     6  \n                       7  | shr1 v0 -> v0 | if zero goto c\n") != NULL, "%s",
                  list);
    ck_assert_msg(strstr(list, "    11  done\n") != NULL, "%s", list);
    ck_assert_msg(strstr(list, "t0 a@0, t1 b@1, t2 c@2, t3 d@3\n") != NULL, "%s", list);
    free(said);
    free(list);
}
END_TEST

START_TEST(geometry)
{
    struct image key = assemble_good(".base b = 0\n.slot b[2] { key : 2 * 16, n : 32 }\ndone\n");
    ck_assert_uint_eq(key.layout[0].key, FORMAT_NONE);
    struct image im = assemble_good(".base a = 48\n.slot a[16] {\n}\ndone\n");
    ck_assert_uint_eq(im.data_rows, 64);
    ck_assert_uint_eq(im.cam_entries, 1);
    im = assemble_good(".base a = 48\n.slot a[16] {\nkey : hex\n}\n.geometry data 512\ndone\n");
    ck_assert_uint_eq(im.data_rows, 512);
    ck_assert_uint_eq(im.cam_entries, 64);
}
END_TEST

START_TEST(nearest_name)
{
    static const char *const names[] = {"inc", NULL, "dec", "match", "invalidate", ""};
    ck_assert_str_eq(diag_nearest("inx", names, 6), "inc");
    ck_assert_str_eq(diag_nearest("mtach", names, 6), "match");
    ck_assert_str_eq(diag_nearest("invaldate", names, 6), "invalidate");
    ck_assert_str_eq(diag_nearest("MTACH", names, 6), "match");
    ck_assert_str_eq(diag_nearest("inval", names, 6), "invalidate");
    ck_assert_ptr_null(diag_nearest("in", names + 4, 1));
    ck_assert_ptr_null(diag_nearest("xyz", names, 6));
    ck_assert_ptr_null(diag_nearest("", names, 6));
    static const char *const windows[] = {"trace-window", "window-size", "window-start"};
    ck_assert_ptr_null(diag_nearest("window", windows, 3));
    char longest[300];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    ck_assert_ptr_null(diag_nearest(longest, names, 6));
}
END_TEST

/* A program, and the one thing that the checker finds in it. Their wording and places are in tests/golden/asm. */
static const struct {
    enum check_kind kind;
    unsigned word;
    const char *text;
} checks[] = {
    {CHECK_UNREACHABLE, 1, ".entry load x\nx: done\ndone\n"},
    {CHECK_ENDLESS, 1, ".entry load x\nx: nop\ngoto x\n"},
    {CHECK_UNBOUNDED, 2, ".entry load x\nx: mov memlat | if zero done\nnop\ngoto x\n"},
    {CHECK_UNWRITTEN, 0, ".entry load x\nx: cmp v1, memlat | if lt done\ninterrupt\n"},
    {CHECK_STALE, 2,
     ".entry load x\nx: mov memlat | if zero goto y\nmov memlat -> v0\ny: cmp v0, memlat | if lt done\ndone\n"},
    {CHECK_KEPT, 0, ".entry load x\nx: cmp v0, memlat | if lt done\nmov memlat -> v0 | done\n"},
    {CHECK_RANGE, 0,
     ".entry load x\n.base b = 0\n.index i, width 2\n.slot b[2] { n : 32 }\nx: inc b[i].n | inc i\ndone\n"},
    {CHECK_MATCH, 0,
     ".entry load x\n.base b = 0\n.index i, width 2\n.slot b[2] { key : pc }\nx: match b, pc32 -> i\nwrite b[i7], pc32 "
     "| done\n"},
    {CHECK_COMPARE, 0, ".entry load x\nx: mov memlat -> v0 | if ge done\ndone\n"},
    {CHECK_FIELD, 0, ".entry branch x\nx: mov result | if zero done\ndone\n"},
    /* entries, members and keys that no word writes */
    {CHECK_MATCH, 0,
     ".entry load x\n.base a = 0\n.base b = 4\n.index i, width 2\n.geometry cam 8, data 8\nx: match b, pc32 -> i\n"
     "write a[i], pc32 | done\n"},
    {CHECK_UNWRITTEN, 1, ".entry load x\n.base b = 0\n.slot b[1] { n : 32, m : 8 }\nx: inc b[i7].n | done\n"},
    {CHECK_UNWRITTEN, 1, ".entry load x\n.base b = 0\n.slot b[1] { key : pc, n : 32 }\nx: inc b[i7].n | done\n"},
    {CHECK_UNWRITTEN, 1, ".entry load x\n.base b = 0\n.slot b[1] { key : pc, n : 32, m : 32 }\nx: done\n"},
    /* the same register in two words is found once */
    {CHECK_UNWRITTEN, 0, ".entry load x\nx: mov c3 | if zero done\nmov c3 | done\n"},
    /* of two loops only one is never left */
    {CHECK_ENDLESS, 3, ".entry load x\nx: mov memlat | if zero goto y\ngoto x\ny: nop\ngoto y\n"},
    /* a word that writes an entry reaches no further than the associative array */
    {CHECK_RANGE, 1,
     ".entry load x\n.base r = 0\n.index i, width 5\n.geometry cam 16, data 64\nx: inc i\nwrite r[i], pc32 | ld "
     "r[i].w0 "
     "-> "
     "v0 | done\n"},
};
enum { CHECKS = sizeof checks / sizeof checks[0] };

START_TEST(findings)
{
    struct check_finding found[CHECK_MOST];
    struct image im = assemble_good(checks[_i].text);
    size_t n = pasm_check(&im, found, CHECK_MOST);
    ck_assert_uint_eq(n, 1);
    ck_assert_str_eq(check_kind_names[found[0].kind], check_kind_names[checks[_i].kind]);
    ck_assert_uint_eq(found[0].word, checks[_i].word);
    ck_assert_uint_eq(pasm_check(&im, found, 0), 0);
}
END_TEST

/* Ways of the language that are no mistakes. */
static const char *const sound[] = {
    /* a slot without members, which no word can write */
    ".entry load x\n.base b = 0\n.slot b[1] { }\nx: done\n",
    /* a counter in row 0 */
    ".entry load x\n.base b = 0\n.slot b[1] { n : 32 }\nx: inc b[i7].n\ndone\n",
    /* an index carried on, read before this sample writes it */
    ".entry load x\n.base b = 0\n.index i, width 3\n.slot b[8] { n : 32 }\nx: inc b[i].n\ninc i\ndone\n",
    /* a loop over all slots, once by wrapping and once by saturating */
    ".entry load x\n.base b = 0\n.index i, width 3\n.slot b[8] { n : 32 }\nx: st b[i].n, zero\ninc i | if nolimit goto "
    "x\ndone\n",
    ".entry load x\n.base b = 0\n.index i, width 3, saturate\n.slot b[8] { n : 32 }\nx: st b[i].n, zero\ndec i | if "
    "inonzero goto x\ndone\n",
    /* a constant register that is 0 because the program says so */
    ".entry load x\n.const none = 0\nx: mov none | if zero done\ndone\n",
    /* each class comes by the fields that it carries */
    ".entry load x\n.entry branch y\nx: mov memlat -> v0 | goto z\ny: mov taken -> v0\nz: cmp v0, total | if lt "
    "done\ninterrupt\n",
};

START_TEST(nothing_found)
{
    struct check_finding found[CHECK_MOST];
    struct image im = assemble_good(sound[_i]);
    size_t n = pasm_check(&im, found, CHECK_MOST);
    ck_assert_msg(n == 0, "%s", found[0].text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("asm");
    TCase *tcase = tcase_create("asm");
    tcase_set_timeout(tcase, 300);
    tcase_add_test(tcase, expressions);
    tcase_add_test(tcase, deep_expressions);
    tcase_add_test(tcase, registers);
    tcase_add_test(tcase, parameters);
    tcase_add_test(tcase, sampler);
    tcase_add_test(tcase, parameters_are_disassembled);
    tcase_add_test(tcase, record);
    tcase_add_test(tcase, branches);
    tcase_add_loop_test(tcase, refused_programs, 0, REFUSED);
    tcase_add_test(tcase, nul_byte);
    tcase_add_test(tcase, words_limit);
    tcase_add_test(tcase, many_files);
    tcase_add_test(tcase, listing);
    tcase_add_test(tcase, conditions);
    tcase_add_test(tcase, inclusions);
    tcase_add_test(tcase, error_limit);
    tcase_add_test(tcase, limits_end);
    tcase_add_test(tcase, warnings_as_errors);
    tcase_add_test(tcase, long_line);
    tcase_add_test(tcase, line_ends);
    tcase_add_test(tcase, geometry);
    tcase_add_test(tcase, nearest_name);
    tcase_add_loop_test(tcase, findings, 0, CHECKS);
    tcase_add_loop_test(tcase, nothing_found, 0, (int)(sizeof sound / sizeof sound[0]));
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
