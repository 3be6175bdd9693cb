/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table-driven command line: each kind with its limits and errors, and the checks of files. */
#include "base/options.h"

#include "tests/unit/suite.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum colour {
    COLOUR_NONE,
#define COLOUR(symbol, name) COLOUR_##symbol,
#include "tests/unit/base/test_options.def"
};

static const char *const colour_names[] = {
#define COLOUR(symbol, name) [COLOUR_##symbol] = name,
#include "tests/unit/base/test_options.def"
};

struct options {
#define OPTION(...) OPTION_MEMBER(__VA_ARGS__)
#include "tests/unit/base/test_options.def"
};

static bool has_equals(const char *argument) { return strchr(argument, '=') != NULL; }

static bool is_lower(const char *argument)
{
    return strspn(argument, "abcdefghijklmnopqrstuvwxyz") == strlen(argument);
}

static const char *palette_path(const struct option_row *row, const void *options)
{
    (void)row;
    const struct options *o = options;
    return o->plain ? NULL : o->palette != NULL ? o->palette : "default.palette";
}

static enum status parse_balance(const struct option_row *row, void *options, const char *argument, struct errmsg *err)
{
    if (strcmp(argument, "+") != 0 && strcmp(argument, "-") != 0)
        return option_refuse(row, "a sign", argument, err);
    ((struct options *)options)->balance = argument[0] == '+' ? 1 : -1;
    return ST_OK;
}

static const struct option_row rows[] = {
#define GROUP(heading) OPTION_GROUP(heading)
#define OPTION(...) OPTION_ROW(struct options, __VA_ARGS__)
#include "tests/unit/base/test_options.def"
};

static enum status refuse_loud_green(const struct option_syntax *syntax, const void *options, struct errmsg *err)
{
    const struct options *o = options;
    ck_assert_ptr_eq(syntax->row, rows);
    strcpy(err->text, "green is not loud");
    return o->loud && o->colour == COLOUR_GREEN ? ST_INPUT : ST_OK;
}

static const struct option_syntax syntax = {
    .row = rows,
    .rows = sizeof rows / sizeof rows[0],
    .arguments = "[VERB [FILE]]",
    .doc = "A tool",
    .exit_status = "0",
    .check = refuse_loud_green,
};

/* A command line as main gets it. */
struct line {
    char text[256], *argv[32];
    int argc;
};

static void split(struct line *line, const char *text)
{
    char *rest = line->text, *word;
    snprintf(line->text, sizeof line->text, "tool %s", text);
    for (line->argc = 0; (word = strsep(&rest, " ")) != NULL && line->argc < 31;)
        if (word[0] != '\0')
            line->argv[line->argc++] = word;
    line->argv[line->argc] = NULL;
}

static struct options parse_line(const char *text)
{
    static struct line line; /* the options point into it */
    struct options o = {0};
    split(&line, text);
    option_parse(&syntax, &o, line.argc, line.argv);
    return o;
}

static const struct option_row *find_row(const char *name)
{
    for (const struct option_row *row = rows; row < rows + syntax.rows; row++)
        if (row->name != NULL && strcmp(row->name, name) == 0)
            return row;
    ck_abort_msg("there is no option %s", name);
    return NULL;
}

/* The option refuses the argument with this error. */
static void expect_error(const char *name, const char *argument, const char *expected)
{
    struct options o = {0};
    struct errmsg err = {""};
    ck_assert_int_eq(option_set(find_row(name), &o, argument, &err), ST_INPUT);
    ck_assert_str_eq(err.text, expected);
}

START_TEST(initial_values)
{
    struct options o = parse_line("");
    ck_assert(!o.loud);
    ck_assert_str_eq(o.title, "untitled");
    ck_assert_uint_eq(o.digit, 5);
    ck_assert_uint_eq(o.any, 0);
    ck_assert_uint_eq(o.word.count, 0);
    ck_assert_int_eq(o.colour, COLOUR_NONE);
    ck_assert_ptr_null(o.input);
}
END_TEST

START_TEST(values)
{
    struct options o = parse_line("-l --title=a --any 0x10 --digit 9 --insts 12M -wa=1 --word b=2 --colour=blue "
                                  "--balance - --title c");
    ck_assert(o.loud);
    ck_assert_str_eq(o.title, "c");
    ck_assert_uint_eq(o.any, 16);
    ck_assert_uint_eq(o.digit, 9);
    ck_assert_uint_eq(o.insts, 12000000);
    ck_assert_uint_eq(o.word.count, 2);
    ck_assert_str_eq(o.word.text[0], "a=1");
    ck_assert_str_eq(o.word.text[1], "b=2");
    ck_assert_ptr_null(o.word.text[2]);
    ck_assert_int_eq(o.colour, COLOUR_BLUE);
    ck_assert_int_eq(o.balance, -1);
}
END_TEST

START_TEST(optional_argument) { ck_assert_int_eq(parse_line("--colour").colour, COLOUR_GREEN); }
END_TEST

START_TEST(positional_arguments)
{
    struct options o = parse_line("red --loud file");
    ck_assert_int_eq(o.verb, COLOUR_RED);
    ck_assert_str_eq(o.input, "file");
    ck_assert(o.loud);
}
END_TEST

START_TEST(number_errors)
{
    expect_error("any", "", "--any: expected a number, found ''");
    expect_error("any", "-1", "--any: expected a number, found '-1'");
    expect_error("any", "1kk", "--any: expected a number, found '1kk'");
    expect_error("any", "18446744073709551616", "--any: expected a number, found '18446744073709551616'");
    expect_error("digit", "1", "--digit: expected a number from 2 to 9, found '1'");
    expect_error("digit", "10", "--digit: expected a number from 2 to 9, found '10'");
    expect_error("many", "1", "--many: expected a number of at least 2, found '1'");
    expect_error("few", "1k", "--few: expected a number of at most 9, found '1k'");
    expect_error("few", "10", "--few: expected a number of at most 9, found '10'");
}
END_TEST

START_TEST(counts)
{
    static const struct {
        const char *text;
        uint64_t value;
    } good[] = {{"0", 0},
                {"7", 7},
                {"3k", 3000},
                {"0x10M", 16000000},
                {"18G", UINT64_C(18000000000)},
                {"18446744073709551615", UINT64_MAX}};
    struct options o = {0};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        ck_assert_int_eq(option_set(find_row("insts"), &o, good[i].text, NULL), ST_OK);
        ck_assert_uint_eq(o.insts, good[i].value);
    }
    static const char *const bad[] = {"", "k", "1kk", "1K", "1.5k", "+1", "-1", "20000000000G", "18446744073709551616"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char expected[160];
        snprintf(expected, sizeof expected,
                 "--insts: expected a number of instructions, or of thousands (k), millions (M) or billions (G) of "
                 "them, found '%s'",
                 bad[i]);
        expect_error("insts", bad[i], expected);
    }
}
END_TEST

START_TEST(list_limits)
{
    struct options o = {0};
    struct errmsg err;
    const struct option_row *word = find_row("word"), *name = find_row("name");
    expect_error("word", "a", "-w: expected A=B, found 'a'");
    expect_error("name", "A", "--name takes lower case, found 'A'");
    ck_assert_int_eq(option_set(word, &o, "a=1", &err), ST_OK);
    ck_assert_int_eq(option_set(word, &o, "a=1", &err), ST_OK);
    ck_assert_int_eq(option_set(word, &o, "a=1", &err), ST_INPUT);
    ck_assert_str_eq(err.text, "-w: more than 2 words");
    for (unsigned i = 0; i < OPTION_LIST_MAX; i++)
        ck_assert_int_eq(option_set(name, &o, "n", &err), ST_OK);
    ck_assert_ptr_null(o.name.text[OPTION_LIST_MAX]);
    ck_assert_int_eq(option_set(name, &o, "n", &err), ST_INPUT);
    ck_assert_str_eq(err.text, "--name: more than 1024 names");
}
END_TEST

START_TEST(choice_errors)
{
    expect_error("colour", "purple", "--colour: expected red, green or blue, found 'purple'");
    expect_error("colour", "gren", "--colour: expected red, green or blue, found 'gren'; did you mean 'green'?");
    expect_error("colour", "", "--colour: expected red, green or blue, found ''");
    expect_error("balance", "0", "--balance: expected a sign, found '0'");
}
END_TEST

/* option_check_files refuses the options of the line with this error; NULL: it accepts them. */
static void expect_files(const char *line, const char *expected)
{
    struct options o = parse_line(line);
    struct errmsg err = {""};
    ck_assert_int_eq(option_check_files(&syntax, &o, &err), expected != NULL ? ST_INPUT : ST_OK);
    ck_assert_str_eq(err.text, expected != NULL ? expected : "");
}

START_TEST(standard_input)
{
    expect_files("-x - --part a", NULL);
    expect_files("-x - --part a --part -", "-x - and --part - both read standard input");
    expect_files("--part - --part -", "--part - and --part - both read standard input");
    expect_files("--palette - -x -", NULL); /* the palette is a file of that name */
}
END_TEST

START_TEST(two_outputs)
{
    expect_files("-o a --stats b --log c", NULL);
    expect_files("-o - --stats -", NULL);
    expect_files("-o - --log -", "-o and --log both write to standard output");
    expect_files("--log - --trace -", "--log and --trace both write to standard output");
    expect_files("-o /dev/null --stats /dev/null", NULL);
    expect_files("--stats /none/x --log /none/x", NULL); /* neither can be written */
}
END_TEST

START_TEST(output_replaces_input)
{
    char file[] = "/tmp/test_options.XXXXXX", line[128], expected[128];
    int fd = mkstemp(file);
    ck_assert_int_ge(fd, 0);
    static const struct {
        const char *line, *error;
    } cases[] = {{"-o %s --log %s", "-o and --log both write to %s"},
                 {"--log %s -x %s", "--log %s would replace the script"},
                 {"-o %s --palette %s", "-o %s would replace the palette"},
                 {"-o %s --plain --palette %s", NULL},
                 {"-o %s --part none --part %s", "-o %s would replace a profile"},
                 {"--stats %s red %s", "--stats %s would replace the input"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snprintf(line, sizeof line, cases[i].line, file, file);
        if (cases[i].error != NULL)
            snprintf(expected, sizeof expected, cases[i].error, file);
        expect_files(line, cases[i].error != NULL ? expected : NULL);
    }
    close(fd);
    unlink(file);
}
END_TEST

static const struct {
    const char *line;
    int status;
} ends[] = {
    {"--help", 0},
    {"--usage", 0},
    {"--describe", 0},
    {"--digit 10", EXIT_BAD_INPUT},
    {"--colour=pink", EXIT_BAD_INPUT},
    {"--unknown", EXIT_BAD_INPUT},
    {"--title", EXIT_BAD_INPUT},
    {"pink", EXIT_BAD_INPUT},
    {"red a b", EXIT_BAD_INPUT},
    {"--loud --colour", EXIT_BAD_INPUT},
    {"--loud", -1},
};

/* Parses a command line in a process of its own, whose standard output is the file `out`; the exit status, or -1 where
 * the parser returns. `options` is zero. */
static int end_of_line(const struct option_syntax *tool, void *options, struct line *line, const char *out)
{
    int status;
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        ck_assert_ptr_nonnull(freopen(out, "w", stdout));
        ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
        option_parse(tool, options, line->argc, line->argv);
        _exit(255);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    return WEXITSTATUS(status) == 255 ? -1 : WEXITSTATUS(status);
}

static int end_of(const struct option_syntax *tool, void *options, const char *text)
{
    struct line line;
    split(&line, text);
    return end_of_line(tool, options, &line, "/dev/null");
}

START_TEST(exit_status)
{
    struct options o = {0};
    ck_assert_int_eq(end_of(&syntax, &o, ends[_i].line), ends[_i].status);
}
END_TEST

/* REST: options behind the first argument are the argument's. */
struct wrapper {
    bool loud;
    char **guest;
};

START_TEST(rest)
{
    static const struct option_row wrapper_rows[] = {OPTION_ROW(struct wrapper, FLAG, loud, "loud", 'l', NULL, "A flag")
                                                         OPTION_ROW(struct wrapper, REST, guest, NULL, 0, "ELF", NULL)};
    static const struct option_syntax wrapper_syntax = {wrapper_rows, 2, "ELF [ARG...]", "A tool", "0", NULL, NULL};
    struct line line;
    struct wrapper o = {0};
    split(&line, "-l elf --loud -x");
    option_parse(&wrapper_syntax, &o, line.argc, line.argv);
    ck_assert(o.loud);
    ck_assert_ptr_eq(o.guest, &line.argv[2]);
    o = (struct wrapper){0};
    split(&line, "--loud");
    option_parse(&wrapper_syntax, &o, line.argc, line.argv);
    ck_assert_ptr_null(o.guest);
}
END_TEST

struct described {
    bool loud;
    const char *level, *log;
    enum colour colour;
    char **command;
};

/* Options may stand behind arguments in the table; a tool may have no arguments. */
START_TEST(order_of_rows)
{
    static const struct option_row options_last[] = {
        OPTION_ROW(struct described, TEXT, level, NULL, 0, "LEVEL", NULL)
            OPTION_ROW(struct described, FLAG, loud, "loud", 'l', NULL, "A flag")};
    static const struct option_syntax tool = {options_last, 2, "LEVEL", "A tool", "0", NULL, NULL},
                                      bare = {options_last + 1, 1, "", "A tool", "0", NULL, NULL};
    struct line line;
    struct described o = {0};
    split(&line, "high -l");
    option_parse(&tool, &o, line.argc, line.argv);
    ck_assert(o.loud);
    ck_assert_str_eq(o.level, "high");
    o = (struct described){0};
    ck_assert_int_eq(end_of(&bare, &o, "high"), EXIT_BAD_INPUT);
}
END_TEST

/* A message longer than the buffer of a stream; a standard output that is full. */
START_TEST(outputs_of_the_parser)
{
    enum { LENGTH = 20000 };
    struct options o = {0};
    struct line line;
    char *argument = xmalloc(LENGTH + 1);
    memset(argument, 'x', LENGTH);
    argument[LENGTH] = '\0';
    split(&line, "red a");
    line.argv[line.argc++] = argument;
    line.argv[line.argc] = NULL;
    ck_assert_int_eq(end_of_line(&syntax, &o, &line, "/dev/null"), EXIT_BAD_INPUT);
    split(&line, "--describe");
    ck_assert_int_eq(end_of_line(&syntax, &o, &line, "/dev/null"), 0);
    ck_assert_int_eq(end_of_line(&syntax, &o, &line, "/dev/full"), EXIT_BAD_INPUT);
    free(argument);
}
END_TEST

START_TEST(two_rows_of_one_name)
{
    static const struct option_row twice[] = {
        OPTION_ROW(struct wrapper, FLAG, loud, "loud", 'l', NULL, "A flag")
            OPTION_ROW(struct wrapper, FLAG, loud, "low", 'l', NULL, "Another flag")};
    static const struct option_syntax bad = {twice, 2, "", "A tool", "0", NULL, NULL};
    static const struct option_row same[] = {
        OPTION_ROW(struct wrapper, FLAG, loud, "loud", 'l', NULL, "A flag")
            OPTION_ROW(struct wrapper, FLAG, loud, "loud", 'm', NULL, "Another flag")};
    static const struct option_syntax worse = {same, 2, "", "A tool", "0", NULL, NULL};
    struct wrapper o = {0};
    ck_assert_int_eq(end_of(&bad, &o, ""), EXIT_OUR_FAULT);
    ck_assert_int_eq(end_of(&worse, &o, ""), EXIT_OUR_FAULT);
}
END_TEST

/* --describe: a line for each row, with properties and words. */
static void print_levels(FILE *out) { fputs("low\tquiet\nhigh:steps=\t\n", out); }
static void print_commands(FILE *out) { fputs("go\tstart\n", out); }

static const struct option_row described_rows[] = {
    OPTION_GROUP("Sound:") OPTION_ROW(struct described, FLAG, loud, "loud", 'l', NULL, "A flag") OPTION_ROW(
        struct described, TEXT, level, "level", 0, "LEVEL", "Words", .words = print_levels, .separators = ",:")
        OPTION_ROW(struct described, CHOICE(enum colour, colour_names), colour, "colour", 0, NULL, "A choice",
                   .absent = "green") OPTION_ROW(struct described, TEXT, log, "log", 'o', "FILE", "A file")
            OPTION_ROW(struct described, REST, command, NULL, 0, "COMMAND", NULL, .words = print_commands,
                       .contents = "Commands")};

START_TEST(description)
{
    static const struct option_syntax tool = {described_rows,
                                              sizeof described_rows / sizeof described_rows[0],
                                              "COMMAND",
                                              "A tool.\vA note.\n\nAnother.",
                                              "0",
                                              NULL,
                                              NULL};
    static const char expected[] = "usage\tCOMMAND\n"
                                   "summary\tA tool.\n"
                                   "notes\tA note.\n"
                                   "notes\tAnother.\n"
                                   "exit\t0\n"
                                   "group\tSound\n"
                                   "option\tloud\tl\t-\t-\tA flag\n"
                                   "option\tlevel\t-\tLEVEL\titems options\tWords\n"
                                   "word\tlow\tquiet\n"
                                   "word\thigh:steps=\t\n"
                                   "option\tcolour\t-\tred|green|blue\toptional\tA choice\n"
                                   "word\tred\t\n"
                                   "word\tgreen\t\n"
                                   "word\tblue\t\n"
                                   "option\tlog\to\tFILE\tfiles\tA file\n"
                                   "argument\tCOMMAND\trest\n"
                                   "word\tgo\tstart\n"
                                   "group\tHelp\n";
    char *text = NULL;
    size_t size_bytes = 0;
    FILE *out = open_memstream(&text, &size_bytes);
    option_describe(&tool, "tool", out);
    fclose(out);
    ck_assert_int_eq(strncmp(text, "tool\ttool\t", strlen("tool\ttool\t")), 0);
    const char *lines = strchr(text, '\n') + 1;
    ck_assert_uint_gt(strlen(lines), strlen(expected));
    text[lines - text + (ptrdiff_t)strlen(expected)] = '\0';
    ck_assert_str_eq(lines, expected);
    free(text);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("options");
    TCase *t = tcase_create("kinds");
    tcase_add_test(t, initial_values);
    tcase_add_test(t, values);
    tcase_add_test(t, optional_argument);
    tcase_add_test(t, positional_arguments);
    tcase_add_test(t, number_errors);
    tcase_add_test(t, counts);
    tcase_add_test(t, list_limits);
    tcase_add_test(t, choice_errors);
    tcase_add_test(t, rest);
    tcase_add_test(t, two_rows_of_one_name);
    tcase_add_test(t, order_of_rows);
    tcase_add_test(t, outputs_of_the_parser);
    tcase_add_test(t, description);
    tcase_add_loop_test(t, exit_status, 0, sizeof ends / sizeof ends[0]);
    suite_add_tcase(s, t);
    t = tcase_create("files");
    tcase_add_test(t, standard_input);
    tcase_add_test(t, two_outputs);
    tcase_add_test(t, output_replaces_input);
    suite_add_tcase(s, t);
    return run_suite(s);
}
