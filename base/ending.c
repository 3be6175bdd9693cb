/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/ending.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/status.h"

enum { SIGNALS = 64, LIBC_FIRST = 32, LIBC_LAST = 33, ACTION_BYTES = 64, TEXT_BYTES = 512 };

/* The kernel's struct sigaction: with all bytes zero the default action. */
struct kernel_action {
    _Alignas(8) char bytes[ACTION_BYTES];
};

/* State of the handler. */
static const char *tool_name = "";
static pid_t owner;
static struct sigaction before[SIGNALS + 1];
static bool (*volatile divert)(int signal, const siginfo_t *info);
static void (*volatile clean)(void);
const char *volatile ending_module, *volatile ending_function;

static bool is_libcs(int signal) { return signal == LIBC_FIRST || signal == LIBC_LAST; }

static long kernel_sigaction(int signal, const struct kernel_action *new, struct kernel_action *old)
{
    return syscall(SYS_rt_sigaction, signal, new, old, sizeof(ending_set));
}

/* Signals whose default action does not end a process, and those that cannot be caught. */
static bool is_end(int signal)
{
    static const int others[] = {SIGKILL, SIGCHLD, SIGCONT, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (signal == others[i])
            return false;
    return true;
}

static bool is_fault(int signal, const siginfo_t *info)
{
    return info->si_code > 0 && (signal == SIGSEGV || signal == SIGILL || signal == SIGFPE || signal == SIGTRAP ||
                                 signal == SIGSYS || signal == SIGBUS);
}

/* Whether the processor repeats the instruction of a fault when the handler returns. After a breakpoint, or a system
 * call that a filter refuses, it goes on behind the instruction. */
static bool is_repeated(int signal) { return signal != SIGTRAP && signal != SIGSYS; }

/* ---- the message ---- */

/* A text that a handler composes. */
struct cause_text {
    char bytes[TEXT_BYTES];
    size_t length;
};

static void ending_add(struct cause_text *t, const char *word)
{
    for (; *word != '\0' && t->length + 1 < TEXT_BYTES; word++)
        t->bytes[t->length++] = *word;
    t->bytes[t->length] = '\0';
}

static void add_signal(struct cause_text *t, int signal)
{
    const char *abbreviation = sigabbrev_np(signal);
    const char number[] = {(char)('0' + signal / 10 % 10), (char)('0' + signal % 10), '\0'};
    ending_add(t, "SIG");
    ending_add(t, abbreviation != NULL ? abbreviation : number);
}

const char *ending_signal_name(int signal, char name[ENDING_NAME])
{
    struct cause_text t = {.length = 0};
    add_signal(&t, signal);
    memcpy(name, t.bytes, ENDING_NAME - 1);
    name[ENDING_NAME - 1] = '\0';
    return name;
}

/* A pipe without a reader does not delay the end of the process. */
static void write_cause(const char *cause, int signal)
{
    struct cause_text t = {.length = 0};
    struct pollfd err = {.fd = STDERR_FILENO, .events = POLLOUT};
    ending_add(&t, tool_name);
    ending_add(&t, ": ");
    ending_add(&t, cause);
    if (*cause == '\0' && signal == SIGINT) {
        ending_add(&t, "interrupted");
    } else {
        ending_add(&t, *cause == '\0' ? "ended by " : "");
        add_signal(&t, signal);
    }
    ending_add(&t, "\n");
    if (poll(&err, 1, 0) == 1 && (err.revents & POLLOUT) != 0)
        (void)!write(STDERR_FILENO, t.bytes, t.length);
}

/* The message of a fault, of code of others with its name. */
static void write_fault(int signal)
{
    struct cause_text t = {.length = 0};
    if (ending_module == NULL) {
        write_cause("internal fault: ", signal);
        return;
    }
    ending_add(&t, "plug-in ");
    ending_add(&t, ending_module);
    ending_add(&t, ": fault in ");
    ending_add(&t, ending_function);
    ending_add(&t, ": ");
    write_cause(t.bytes, signal);
}

/* ---- the handler ---- */

static void clean_up(void)
{
    if (clean != NULL)
        clean();
}

_Noreturn void ending_by(int signal)
{
    static const struct kernel_action by_default;
    (void)kernel_sigaction(signal, &by_default, NULL);
    (void)ending_block(~(UINT64_C(1) << (signal - 1)));
    (void)kill(getpid(), signal);
    _exit(128 + signal); /* the default action does not end a process */
}

/* Signals that the process causes itself: a write beyond the limit of file sizes is an error of that write; a write to
 * a pipe without a reader ends the tool silently, as usual in a pipeline; abort prints its own message. */
static void ending_end(int signal, const siginfo_t *info)
{
    bool is_own = info->si_code <= 0 && info->si_pid == getpid();
    if (is_own && signal == SIGXFSZ)
        return;
    clean_up();
    if (!(is_own && (signal == SIGPIPE || signal == SIGABRT)) && getpid() == owner)
        write_cause("", signal);
    ending_by(signal);
}

void ending_on_signal(int signal, siginfo_t *info, void *context)
{
    const int error = errno;
    (void)context;
    if (is_fault(signal, info)) {
        clean_up();
        write_fault(signal);
        (void)sigaction(signal, &before[signal], NULL);
        if (!is_repeated(signal))
            (void)raise(signal); /* pending until the handler returns */
    } else if (divert == NULL || !divert(signal, info)) {
        ending_end(signal, info);
    }
    errno = error;
}

/* ---- actions ---- */

/* Sanitizers have set a stack already. Without one, a handler on the program's stack ends a program under valgrind
 * whose function has just taken a large part of it. The size of a frame depends on the registers of the processor. A
 * page below the stack has no access. */
static void set_stack(void)
{
    enum { HANDLER_BYTES = 1 << 16 };
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), frame = getauxval(AT_MINSIGSTKSZ);
    const size_t size = (HANDLER_BYTES + 2 * frame + page - 1) / page * page;
    stack_t now;
    if (sigaltstack(NULL, &now) != 0 || (now.ss_flags & SS_DISABLE) == 0)
        return;
    char *at = mmap(NULL, page + size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED || mprotect(at + page, size, PROT_READ | PROT_WRITE) != 0)
        out_of_memory();
    (void)sigaltstack(&(stack_t){.ss_sp = at + page, .ss_size = size}, NULL);
}

static uintptr_t handler_of(const struct kernel_action *action)
{
    uintptr_t handler;
    memcpy(&handler, action->bytes, sizeof handler); /* the first member */
    return handler;
}

bool ending_is_ignored(int signal)
{
    struct kernel_action action = {.bytes = {0}};
    return kernel_sigaction(signal, NULL, &action) == 0 && handler_of(&action) == (uintptr_t)SIG_IGN;
}

/* The C library refuses an action for its own signals: they get a copy of another one's. */
static void catch_libcs(int signal)
{
    struct kernel_action action = {.bytes = {0}};
    for (int other = 1; other < LIBC_FIRST; other++)
        if (kernel_sigaction(other, NULL, &action) == 0 && handler_of(&action) == (uintptr_t)ending_on_signal) {
            (void)kernel_sigaction(signal, &action, NULL);
            break;
        }
}

void ending_catch(int signal)
{
    if (is_libcs(signal)) {
        catch_libcs(signal);
        return;
    }
    struct sigaction act = {.sa_sigaction = ending_on_signal, .sa_flags = SA_RESTART | SA_SIGINFO | SA_ONSTACK}, old;
    memset(&act.sa_mask, 0xff, sizeof act.sa_mask); /* sigfillset leaves out the C library's own */
    if (sigaction(signal, &act, &old) == 0 && old.sa_sigaction != ending_on_signal)
        before[signal] = old;
}

/* A process that glibc's posix_spawn has started ignores the C library's signals, whether its user wants that or not.
 */
static bool is_to_ignore(int signal) { return !is_libcs(signal) && ending_is_ignored(signal); }

void ending_begin(const char *tool)
{
    tool_name = tool;
    owner = getpid();
    set_stack();
    for (int signal = 1; signal <= SIGNALS; signal++)
        if (is_end(signal) && !is_to_ignore(signal))
            ending_catch(signal);
}

void ending_divert(bool (*handler)(int signal, const siginfo_t *info)) { divert = handler; }
void ending_before(void (*clean_files)(void)) { clean = clean_files; }

void ending_ignore_stops(void)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    (void)sigaction(SIGTSTP, &ignore, NULL);
    (void)sigaction(SIGTTIN, &ignore, NULL);
    (void)sigaction(SIGTTOU, &ignore, NULL);
}

int ending_start_thread(pthread_t *thread, void *(*run)(void *), void *argument)
{
    const ending_set old = ending_block(UINT64_MAX);
    const bool is_ignored = ending_is_ignored(LIBC_LAST);
    int why = pthread_create(thread, NULL, run, argument);
    if (!is_ignored)
        ending_catch(LIBC_LAST);
    (void)ending_block(old);
    return why;
}

ending_set ending_block(ending_set set)
{
    ending_set old = 0;
    (void)syscall(SYS_rt_sigprocmask, SIG_SETMASK, &set, &old, sizeof set);
    return old;
}
