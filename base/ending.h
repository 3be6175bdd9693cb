/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals that end a tool. Each signal whose default action ends a process has a handler from the start of main on. It
 * removes the partial files of outputs, writes the cause to standard error, and ends the process by that signal, unless
 * the program diverts it. Handlers have a stack of their own and are called with all signals blocked, so they do not
 * nest. A signal that was ignored at the start stays ignored, except 32 and 33, and one that ending_catch names. A
 * fault of the process itself also has the files removed and is reported; then it has the action of before. In
 * processes that are forked a signal has its default action without a message. Source: signal(7), sigaction(2),
 * sigaltstack(2). */
#ifndef BASE_ENDING_H
#define BASE_ENDING_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Set of signals as the kernel has it, with signal N in bit N - 1; the C library's functions leave out 32 and 33. */
typedef uint64_t ending_set;

/* To be called once, at the start of main. `tool` is the name in messages, borrowed for the life of the process. */
void ending_begin(const char *tool);
/* Installs the handler of a signal, also of one that was ignored. */
void ending_catch(int signal);
/* Handles a signal instead, in the state of a handler; false: it ends the process. NULL: none does. */
void ending_divert(bool (*handler)(int signal, const siginfo_t *info));
/* Called before a signal ends the process; of functions of the C library it calls system calls only. */
void ending_before(void (*clean)(void));
/* The handler, for a program's own one that does not handle a signal. It may return if the signal is a fault. */
void ending_on_signal(int signal, siginfo_t *info, void *context);
/* Ends the process by the default action of a signal, without a message. */
_Noreturn void ending_by(int signal);
/* Ignores the signals that stop a process from a terminal, of which some may be pending. */
void ending_ignore_stops(void);
/* Whether the process ignores the signal. */
bool ending_is_ignored(int signal);
/* Sets the blocked signals, and returns those of before. */
ending_set ending_block(ending_set set);
/* Writes the name of a signal to `name`, and returns it. */
enum { ENDING_NAME = 32 };
const char *ending_signal_name(int signal, char name[ENDING_NAME]);

/* Code of others that runs in this process, such as a plug-in, and its function: a fault meanwhile is reported as
 * theirs. Texts are borrowed. ending_module NULL: the tool's own code runs. */
extern const char *volatile ending_module, *volatile ending_function;

/* Starts a thread with all signals blocked: 0 or an error number. The C library sets an action for one of its own
 * signals at the first thread; afterwards that signal is caught as before. */
int ending_start_thread(pthread_t *thread, void *(*run)(void *), void *argument);

#endif
