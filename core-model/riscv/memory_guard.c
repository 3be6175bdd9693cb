/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/riscv/memory_guard.h"

#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "base/ending.h"

/* State of the signal handler. */
static struct memory_guard *volatile innermost;
static const void *volatile failed_at;
static const void *(*volatile resume)(const void *pc);
static bool ignores_sent; /* those of other processes: the signal was ignored before */

/* On x86-64 a handler begins with the default floating-point state. The interrupted one has the guest's exception flags
 * (fp.h). */
static void resume_float(const void *context)
{
#if defined(__x86_64__)
    const ucontext_t *interrupted = context;
    _mm_setcsr(interrupted->uc_mcontext.fpregs->mxcsr);
#else
    (void)context;
#endif
}

/* Without a guard: a library reads a file that it has mapped, such as the program whose symbols it reads, and the file
 * has been cut since. The rest of it reads as zeros. */
static bool replace_page(void *at)
{
    enum { PAGE_BYTES = 4096, FLAGS = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED };
    void *page = (char *)at - (uintptr_t)at % PAGE_BYTES;
    return mmap(page, PAGE_BYTES, PROT_READ | PROT_WRITE, FLAGS, -1, 0) != MAP_FAILED;
}

/* Generated code goes on elsewhere. Returns whether the access was its. */
static bool resume_elsewhere(void *context)
{
#if defined(__x86_64__)
    ucontext_t *interrupted = context;
    greg_t *pc = &interrupted->uc_mcontext.gregs[REG_RIP];
    const void *next = resume != NULL ? resume((const void *)(uintptr_t)*pc) : NULL;
    if (next != NULL)
        *pc = (greg_t)(uintptr_t)next;
    return next != NULL;
#else
    (void)context;
    return false;
#endif
}

static void on_bus_error(int signal, siginfo_t *info, void *context)
{
    struct memory_guard *g = innermost;
    const ucontext_t *interrupted = context;
    if (info->si_code <= 0) {
        if (!ignores_sent)
            ending_on_signal(signal, info, context);
    } else if (resume_elsewhere(context)) {
        failed_at = info->si_addr;
    } else if (g == NULL) {
        if (info->si_code != BUS_ADRERR || !replace_page(info->si_addr))
            ending_on_signal(signal, info, context);
        /* the access is repeated */
    } else {
        ending_set mask;
        innermost = g->outer;
        failed_at = info->si_addr;
        resume_float(context);
        memcpy(&mask, &interrupted->uc_sigmask, sizeof mask);
        (void)ending_block(mask);
        siglongjmp(g->env, 1);
    }
}

/* Translated code has accessed a page that the guest may not read. */
static void on_segment_fault(int signal, siginfo_t *info, void *context)
{
    if (info->si_code <= 0 || !resume_elsewhere(context))
        ending_on_signal(signal, info, context);
}

static void unblock(int signal)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    (void)sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* The handlers are called with all signals blocked, so that none nests. */
void memory_guard_install(void)
{
    struct sigaction action = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO | SA_RESTART};
    ignores_sent |= ending_is_ignored(SIGBUS);
    memset(&action.sa_mask, 0xff, sizeof action.sa_mask);
    (void)sigaction(SIGBUS, &action, NULL);
    action.sa_sigaction = on_segment_fault;
    action.sa_flags |= SA_ONSTACK;
    (void)sigaction(SIGSEGV, &action, NULL);
    unblock(SIGBUS);
    unblock(SIGSEGV);
}

void memory_guard_resume(const void *(*handler)(const void *pc)) { resume = handler; }

void memory_guard_begin(struct memory_guard *g)
{
    g->outer = innermost;
    innermost = g;
}

void memory_guard_end(struct memory_guard *g) { innermost = g->outer; }

bool memory_guarded_copy(void *to, const void *from, size_t size_bytes)
{
    struct memory_guard g;
    if (!MEMORY_GUARDED(&g))
        return false; /* NOLINT(clang-analyzer-core.StackAddressEscape): the handler has ended the guard */
    memcpy(to, from, size_bytes);
    memory_guard_end(&g);
    return true;
}

const void *memory_guard_address(void) { return failed_at; }
