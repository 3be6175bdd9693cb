/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A signal that comes just before the wait for a key, when no key follows. */
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "emu/debug/terminal.h"
#include "tests/unit/suite.h"

static const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM};
static int to_raise; /* 0: has been */
static volatile sig_atomic_t is_pressed;

static void press(int signal_number)
{
    (void)signal_number;
    is_pressed = true;
}

/* The terminal asks before it waits. */
static bool raise_and_ask(void)
{
    const int signal_number = to_raise;
    to_raise = 0;
    if (signal_number != 0)
        (void)raise(signal_number);
    return is_pressed;
}

static bool complete_nothing(void *ctx, const char *line, int start, const char *text,
                             void (*see)(void *ctx, const char *name), void *see_ctx)
{
    (void)ctx, (void)line, (void)start, (void)text, (void)see, (void)see_ctx;
    return false;
}

/* Reads a line after the signal; the status of the process says whether it was given up. */
_Noreturn static void prompt_and_raise(int signal_number)
{
    struct terminal *t;
    struct errmsg err;
    bool given_up = false;
    signal(signal_number, SIG_DFL);
    signal(SIGINT, press);
    to_raise = signal_number;
    if (terminal_open(&t, complete_nothing, raise_and_ask, NULL, &err) != ST_OK)
        _exit(2);
    free(terminal_read(t, "> ", &given_up));
    _exit(given_up ? 0 : 3);
}

START_TEST(test_signal_at_prompt)
{
    int terminal, status;
    char byte;
    pid_t child = forkpty(&terminal, NULL, NULL, NULL);
    ck_assert_int_ge(child, 0);
    if (child == 0)
        prompt_and_raise(signals[_i]);
    while (read(terminal, &byte, 1) == 1)
        continue;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    if (signals[_i] != SIGINT)
        ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == signals[_i], "status %#x", (unsigned)status);
    else
        ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %#x", (unsigned)status);
    close(terminal);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("prompt");
    TCase *t = tcase_create("signals");
    tcase_set_timeout(t, 300);
    tcase_add_loop_test(t, test_signal_at_prompt, 0, sizeof signals / sizeof signals[0]);
    suite_add_tcase(s, t);
    return run_suite(s);
}
