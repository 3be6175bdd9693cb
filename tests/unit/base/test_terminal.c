/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The width of a terminal: of a pseudo-terminal whose window has a size. */
#include "base/terminal.h"

#include <pty.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/colour.h"
#include "host/report/render.h"
#include "tests/unit/suite.h"

static int master;
static FILE *terminal;

static void set_up(void)
{
    int slave;
    struct winsize size = {.ws_row = 30, .ws_col = 132};
    ck_assert_int_eq(openpty(&master, &slave, NULL, NULL, &size), 0);
    terminal = fdopen(slave, "w");
    ck_assert_ptr_nonnull(terminal);
    unsetenv("COLUMNS");
}

static void tear_down(void)
{
    fclose(terminal);
    close(master);
}

START_TEST(size_of_window)
{
    ck_assert_uint_eq(terminal_width(fileno(terminal)), 132);
    ck_assert_uint_eq(terminal_height(fileno(terminal)), 30);
    struct winsize size = {0};
    ck_assert_int_eq(ioctl(master, TIOCSWINSZ, &size), 0);
    ck_assert_uint_eq(terminal_width(fileno(terminal)), 80);
    ck_assert_uint_eq(terminal_height(fileno(terminal)), 24);
}
END_TEST

START_TEST(columns)
{
    static const char *const ignored[] = {"", "0", "-1", "wide", "100000"};
    setenv("COLUMNS", "100", 1);
    ck_assert_uint_eq(terminal_width(fileno(terminal)), 100);
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++) {
        setenv("COLUMNS", ignored[i], 1);
        ck_assert_uint_eq(terminal_width(fileno(terminal)), 132);
    }
}
END_TEST

/* The output of a report in a file does not depend on where it was written. */
START_TEST(no_terminal)
{
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    setenv("COLUMNS", "100", 1);
    ck_assert_uint_eq(terminal_width(fileno(file)), 0);
    ck_assert_uint_eq(report_width(REPORT_WIDTH_OF_OUTPUT, fileno(file)), REPORT_WIDTH_OF_FILES);
    ck_assert_uint_eq(report_width(0, fileno(file)), 0);
    fclose(file);
    ck_assert_uint_eq(terminal_width(-1), 0);
    ck_assert_uint_eq(terminal_height(-1), 0);
}
END_TEST

START_TEST(width_asked_for)
{
    ck_assert_uint_eq(report_width(REPORT_WIDTH_OF_OUTPUT, fileno(terminal)), 132);
    ck_assert_uint_eq(report_width(60, fileno(terminal)), 60);
    ck_assert_uint_eq(report_width(0, fileno(terminal)), 0);
}
END_TEST

START_TEST(colours)
{
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    setenv("TERM", "vt100", 1);
    unsetenv("NO_COLOR");
    ck_assert(colour_is_shown(COLOUR_AUTO, fileno(terminal)));
    ck_assert(!colour_is_shown(COLOUR_AUTO, fileno(file)));
    ck_assert(colour_is_shown(COLOUR_ALWAYS, fileno(file)));
    ck_assert(!colour_is_shown(COLOUR_NEVER, fileno(terminal)));
    setenv("NO_COLOR", "1", 1);
    ck_assert(!colour_is_shown(COLOUR_AUTO, fileno(terminal)));
    ck_assert(colour_is_shown(COLOUR_ALWAYS, fileno(terminal)));
    fclose(file);
}
END_TEST

START_TEST(heat)
{
    static const double least[] = {0, 0.005, 0.02, 0.10};
    ck_assert_ptr_null(colour_of_heat(-0.5));
    ck_assert_ptr_null(colour_of_heat(0.0049));
    for (size_t i = 1; i < sizeof least / sizeof least[0]; i++) {
        ck_assert_ptr_nonnull(colour_of_heat(least[i]));
        ck_assert_ptr_ne(colour_of_heat(least[i]), colour_of_heat(least[i] - 0.0001));
    }
    ck_assert_ptr_eq(colour_of_heat(0.10), colour_of_heat(1));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("terminal");
    TCase *t = tcase_create("width");
    tcase_add_checked_fixture(t, set_up, tear_down);
    tcase_add_test(t, size_of_window);
    tcase_add_test(t, columns);
    tcase_add_test(t, no_terminal);
    tcase_add_test(t, width_asked_for);
    tcase_add_test(t, colours);
    tcase_add_test(t, heat);
    suite_add_tcase(s, t);
    return run_suite(s);
}
