/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drives a program through a terminal of its own: drive LOG COMMAND [ARG...] < STEPS
 *
 *     expect TEXT     reads on until TEXT has come, behind what was expected before
 *     send TEXT       types TEXT
 *     signal N        sends the program signal N
 *     end             reads on until the program has ended, with status 0
 *     end N           the same, ended by signal N
 *
 * In TEXT, \n \t \e \\ and \xHH stand for characters. All that the program writes goes to LOG. Nothing depends on time:
 * each step waits for its text. An alarm ends what would wait for ever. */
#include <errno.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { GIVE_UP_SECONDS = 300, MAX_OUTPUT = 1 << 22, MAX_STEP = 1024 };

static char output[MAX_OUTPUT + 1];
static size_t have, seen; /* read; up to the end of what was expected last */
static int terminal, line_number;
static pid_t child;
static FILE *log_file;

_Noreturn static void give_up(const char *what, const char *text)
{
    fprintf(stderr, "drive: line %d: %s %s; since then:\n%s\n", line_number, what, text, output + seen);
    kill(child, SIGKILL);
    exit(1);
}

static void on_alarm(int signal)
{
    static const char text[] = "drive: what was expected has not come\n";
    (void)signal;
    ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);
    (void)ignored;
    ignored = write(STDERR_FILENO, output + seen, have - seen);
    (void)ignored;
    kill(child, SIGKILL);
    _exit(1);
}

/* Reads what there is; false at the end. */
static int read_more(void)
{
    ssize_t n;
    do
        n = read(terminal, output + have, MAX_OUTPUT - have);
    while (n < 0 && errno == EINTR);
    if (n <= 0)
        return 0;
    fwrite(output + have, 1, (size_t)n, log_file);
    fflush(log_file);
    have += (size_t)n;
    output[have] = '\0';
    return 1;
}

static void expect(const char *text, size_t length)
{
    char *found;
    while ((found = memmem(output + seen, have - seen, text, length)) == NULL)
        if (!read_more())
            give_up("the program ended before", text);
    seen = (size_t)(found - output) + length;
}

static void type(const char *text, size_t length)
{
    if (write(terminal, text, length) != (ssize_t)length)
        give_up("cannot type", text);
}

static size_t unescape(char *s)
{
    char *to = s, *from = s;
    while (*from != '\0') {
        if (*from != '\\') {
            *to++ = *from++;
            continue;
        }
        from++;
        switch (*from++) {
        case 'n':
            *to++ = '\n';
            break;
        case 't':
            *to++ = '\t';
            break;
        case 'e':
            *to++ = '\033';
            break;
        case '\\':
            *to++ = '\\';
            break;
        case 'x': {
            char digits[3] = {from[0], from[0] != '\0' ? from[1] : '\0', '\0'}, *end;
            *to++ = (char)strtol(digits, &end, 16);
            from += end - digits;
            break;
        }
        default:
            give_up("unknown escape in", s);
        }
    }
    *to = '\0';
    return (size_t)(to - s);
}

/* `signal`: that has ended the program; 0: none. */
static void end(int signal)
{
    int status;
    while (read_more())
        continue;
    if (waitpid(child, &status, 0) != child || (signal == 0 ? status != 0 : WTERMSIG(status) != signal))
        give_up("the program has not ended well", "");
    exit(0);
}

static void step(char *line)
{
    line[strcspn(line, "\n")] = '\0';
    char *text = strchr(line, ' ');
    size_t length = 0;
    if (text != NULL) {
        *text++ = '\0';
        length = unescape(text);
    }
    if (strcmp(line, "end") == 0)
        end(text != NULL ? atoi(text) : 0);
    else if (text != NULL && strcmp(line, "signal") == 0)
        kill(child, atoi(text));
    else if (text != NULL && strcmp(line, "expect") == 0)
        expect(text, length);
    else if (text != NULL && strcmp(line, "send") == 0)
        type(text, length);
    else if (line[0] != '#' && line[0] != '\0')
        give_up("unknown step", line);
}

/* State that a login leaves, whatever ran the tests had blocked or ignored. */
static void reset_signals(void)
{
    sigset_t none;
    sigemptyset(&none);
    for (int signo = 1; signo < NSIG; signo++)
        signal(signo, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

int main(int argc, char **argv)
{
    char line[MAX_STEP];
    struct winsize size = {.ws_row = 50, .ws_col = 250};
    if (argc < 3 || (log_file = fopen(argv[1], "w")) == NULL) {
        fprintf(stderr, "usage: drive LOG COMMAND [ARG...] < STEPS\n");
        return 2;
    }
    signal(SIGALRM, on_alarm);
    alarm(GIVE_UP_SECONDS);
    child = forkpty(&terminal, NULL, NULL, &size);
    if (child == 0) {
        alarm(0);
        reset_signals();
        execvp(argv[2], argv + 2);
        _exit(127);
    }
    if (child < 0) {
        fprintf(stderr,
                "drive: there is no pseudo-terminal: %s: expected a file system of the type devpts on "
                "/dev/pts, and /dev/ptmx\n",
                strerror(errno));
        return 1;
    }
    while (fgets(line, sizeof line, stdin) != NULL) {
        line_number++;
        step(line);
    }
    end(0);
}
