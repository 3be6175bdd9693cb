/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words of command lines, as they are printed, beside those that a shell reads. */
#include "base/shell_word.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/status.h"
#include "host/export/program.h"
#include "tests/unit/suite.h"

enum { WORDS = 1000, MOST_LENGTH = 6 };

struct words {
    char word[WORDS][MOST_LENGTH + 1];
};

/* Characters that a shell treats in special ways are frequent. */
static void make_words(struct words *w, struct random *r)
{
    static const char special[] = "''\\\\\" \t\n$`*?[]{}()<>|&;#!~=%^-a";
    for (int n = 0; n < WORDS; n++) {
        const unsigned length = random_below(r, MOST_LENGTH + 1);
        for (unsigned k = 0; k < length; k++)
            w->word[n][k] = random_below(r, 2) == 0 ? special[random_below(r, sizeof special - 1)]
                                                    : (char)(1 + random_below(r, 255));
        w->word[n][length] = '\0';
    }
}

static char *print_words(const struct words *w)
{
    char *text;
    size_t size;
    FILE *out = xopen_text(&text, &size);
    for (int n = 0; n < WORDS; n++) {
        fputs(n > 0 ? " " : "", out);
        shell_word_print(w->word[n], out);
    }
    xclose_text(out);
    return text;
}

static void check_reader(const char *text, const struct words *w)
{
    for (int n = 0; n < WORDS; n++) {
        char *read;
        text = export_program_word(text, &read);
        ck_assert_str_eq(read, w->word[n]);
        free(read);
    }
    ck_assert_str_eq(text, "");
}

static void check_shell(const char *text, const struct words *w)
{
    char *command = xasprintf("printf '%%s\\0' %s", text), *word = NULL;
    size_t room = 0;
    FILE *shell = popen(command, "r");
    ck_assert_ptr_nonnull(shell);
    for (int n = 0; n < WORDS; n++) {
        ck_assert_int_gt(getdelim(&word, &room, '\0', shell), 0);
        ck_assert_str_eq(word, w->word[n]);
    }
    ck_assert_int_eq(fgetc(shell), EOF);
    ck_assert_int_eq(pclose(shell), 0);
    free(word);
    free(command);
}

START_TEST(words_are_read_as_they_were)
{
    struct random r = {.state = (uint64_t)_i + 1};
    struct words w;
    make_words(&w, &r);
    char *text = print_words(&w);
    check_reader(text, &w);
    check_shell(text, &w);
    free(text);
}
END_TEST

static const char *const plain_words[] = {"a=b", "-o", "x:%@", "./bench.elf", "oracle,counts:period=1"};

START_TEST(plain_words_have_no_quotes)
{
    char *text;
    size_t size;
    FILE *out = xopen_text(&text, &size);
    shell_word_print(plain_words[_i], out);
    xclose_text(out);
    ck_assert_str_eq(text, plain_words[_i]);
    free(text);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("shell_word");
    TCase *words = tcase_create("words");
    tcase_add_loop_test(words, words_are_read_as_they_were, 0, 10);
    tcase_add_loop_test(words, plain_words_have_no_quotes, 0, sizeof plain_words / sizeof plain_words[0]);
    suite_add_tcase(s, words);
    return run_suite(s);
}
