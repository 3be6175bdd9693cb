/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Included before each file of the build with COVERAGE=1: the counters are also written where a process ends without
 * exit(), as processes of the guest do, where it sends itself a signal, and before it may open no files any more. What
 * precedes the writing tells tests/faults/inject that the calls that follow are not those of the tool. */
#ifndef TESTS_CHECKS_COVERAGE_COVERAGE_H
#define TESTS_CHECKS_COVERAGE_COVERAGE_H

#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

void __gcov_dump(void);
void __gcov_reset(void);

static inline void coverage_mark_end(void) { (void)sigaction(SIGXFSZ, NULL, NULL); }

static inline void coverage_write(void)
{
    coverage_mark_end();
    __gcov_dump();
    __gcov_reset();
}

static inline _Noreturn void coverage_exit(int status)
{
    coverage_write();
    _exit(status);
}

static inline int coverage_kill(pid_t process, int signal)
{
    if (process == getpid() && signal != 0)
        coverage_write();
    return kill(process, signal);
}

static inline int coverage_raise(int signal)
{
    coverage_write();
    return raise(signal);
}

/* For the first handler of a tool, which is called last. */
static inline int coverage_on_exit(void (*handler)(int, void *), void *argument)
{
    return atexit(coverage_mark_end) != 0 ? -1 : on_exit(handler, argument);
}

static inline void coverage_before_call(long number)
{
    if (number == SYS_landlock_restrict_self)
        coverage_write();
}

#define _exit(status) coverage_exit(status)
#define kill(process, signal) coverage_kill(process, signal)
#define on_exit(handler, argument) coverage_on_exit(handler, argument)
#define syscall(number, ...) (coverage_before_call(number), syscall(number, __VA_ARGS__))
#define raise(signal) coverage_raise(signal)

#endif
