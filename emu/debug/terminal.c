/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "emu/debug/terminal.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

enum { HISTORY_LINES = 1000 };

struct terminal {
    FILE *in, *out;
    bool own;           /* opened by terminal_open, so closed by terminal_close */
    char *history_path; /* NULL: no history file */
    terminal_complete *complete;
    bool (*pressed)(void);
    void *ctx;
    char **names;
    size_t count, room, next;
};

/* readline supports one terminal, so there is one. */
static struct terminal *current;
static bool interrupted;

static void terminal_see(void *ctx, const char *name)
{
    struct terminal *t = ctx;
    if (t->count == t->room) {
        t->room = t->room * 2 + 64;
        t->names = xrealloc(t->names, t->room * sizeof *t->names);
    }
    t->names[t->count++] = xstrdup(name);
}

static void forget_names(struct terminal *t)
{
    for (size_t i = 0; i < t->count; i++)
        free(t->names[i]);
    t->count = t->next = 0;
}

static char *generate(const char *text, int state)
{
    struct terminal *t = current;
    (void)state;
    while (t->next < t->count) {
        const char *name = t->names[t->next++];
        if (strncmp(name, text, strlen(text)) == 0)
            return strdup(name);
    }
    return NULL;
}

static char **attempt(const char *text, int start, int end)
{
    struct terminal *t = current;
    (void)end;
    forget_names(t);
    if (!t->complete(t->ctx, rl_line_buffer, start, text, terminal_see, t))
        return NULL; /* readline's own completion of file names */
    rl_attempted_completion_over = 1;
    return rl_completion_matches(text, generate);
}

/* Returns whether Ctrl-C is pending in readline or was passed to the owner's handler. */
static bool is_given_up(void) { return rl_pending_signal() == SIGINT || current->pressed(); }

/* Waits for a character or a signal. Signals are blocked everywhere else in read_key, so none is missed. */
static bool wait_for_key(int fd, const sigset_t *mask)
{
    fd_set set;
    FD_ZERO(&set);
    FD_SET(fd, &set);
    return rl_pending_signal() == 0 && !is_given_up() && pselect(fd + 1, &set, NULL, NULL, NULL, mask) > 0;
}

/* Reads the next character. Ctrl-C cancels the line: the text typed so far is dropped, and readline gets an end of
 * line. readline sends any other signal again. */
static int read_key(FILE *in)
{
    unsigned char c;
    sigset_t all, mask;
    sigfillset(&all);
    for (;;) {
        sigprocmask(SIG_BLOCK, &all, &mask);
        bool ready = wait_for_key(fileno(in), &mask), up = is_given_up();
        sigprocmask(SIG_SETMASK, &mask, NULL);
        if (up) {
            interrupted = true;
            rl_check_signals();
            rl_replace_line("", 0);
            return '\n';
        }
        ssize_t n = ready ? read(fileno(in), &c, 1) : -1;
        if (n >= 0 || (ready && errno != EINTR))
            return n == 1 ? c : EOF;
        rl_check_signals();
    }
}

enum status terminal_open(struct terminal **out, terminal_complete *complete, bool (*pressed)(void), void *ctx,
                          struct errmsg *err)
{
    struct terminal *t = xcalloc(1, sizeof *t);
    const char *home = getenv("HOME"), *file = getenv("PCEMU_HISTORY");
    t->in = stdin;
    t->out = stdout;
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
        t->own = true;
        t->in = fopen("/dev/tty", "re");
        t->out = t->in != NULL ? fopen("/dev/tty", "we") : NULL;
        if (t->out == NULL) {
            if (t->in != NULL)
                fclose(t->in);
            free(t);
            return fail(err, ST_IO, "-i: there is no terminal; commands from a file are for -x FILE");
        }
    }
    setvbuf(t->out, NULL, _IOLBF, 0);
    t->complete = complete;
    t->pressed = pressed;
    t->ctx = ctx;
    if (file != NULL)
        t->history_path = xstrdup(file);
    else if (home != NULL)
        t->history_path = xasprintf("%s/.pcemu_history", home);
    rl_readline_name = "pcemu";
    rl_instream = t->in;
    rl_outstream = t->out;
    rl_attempted_completion_function = attempt;
    rl_completer_word_break_characters = " \t\n\"\\'`@><=;|&{(+-*/%^!~[],";
    rl_getc_function = read_key;
    using_history();
    stifle_history(HISTORY_LINES);
    if (t->history_path != NULL)
        (void)read_history(t->history_path);
    current = t;
    *out = t;
    return ST_OK;
}

void terminal_close(struct terminal *t)
{
    if (t == NULL)
        return;
    if (t->history_path != NULL)
        (void)write_history(t->history_path);
    clear_history();
    forget_names(t);
    free(t->names);
    free(t->history_path);
    if (t->own) {
        fclose(t->in);
        fclose(t->out);
    }
    current = NULL;
    free(t);
}

FILE *terminal_out(const struct terminal *t) { return t->out; }

char *terminal_read(struct terminal *t, const char *prompt, bool *given_up)
{
    fflush(t->out);
    interrupted = false;
    char *line = readline(prompt);
    *given_up = interrupted;
    return line;
}

void terminal_remember(struct terminal *t, const char *line)
{
    (void)t;
    HIST_ENTRY *last = history_length > 0 ? history_get(history_base + history_length - 1) : NULL;
    if (last == NULL || strcmp(last->line, line) != 0)
        add_history(line);
}
