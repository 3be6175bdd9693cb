/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accesses of the emulator to pages that may be behind the end of the file that is mapped there. The host answers such
 * an access with SIGBUS; under a guard, execution then goes on where the guard was made. Elsewhere the page reads as
 * zeros from then on. A SIGBUS that another process has sent, and one that is no access to such a page, are those of
 * base/ending.h. Source: mmap(2), sigaction(2). */
#ifndef CORE_MODEL_RISCV_MEMORY_GUARD_H
#define CORE_MODEL_RISCV_MEMORY_GUARD_H

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A guard, in the storage of the function that makes it. Guards may be nested. */
struct memory_guard {
    sigjmp_buf env;
    struct memory_guard *outer;
};

/* Installs the handler of SIGBUS and unblocks the signal. May be called again. */
void memory_guard_install(void);

/* For accesses by generated code: where the host goes on after one at `pc` that has failed; NULL: it is none of them.
 */
void memory_guard_resume(const void *(*handler)(const void *pc));

void memory_guard_begin(struct memory_guard *g);
/* Ends the guard made last, unless an access has failed under it. */
void memory_guard_end(struct memory_guard *g);
/* True at first; false when an access has failed, which ends the guard. Local variables that have changed since are
 * indeterminate then, as after siglongjmp. */
#define MEMORY_GUARDED(g) (memory_guard_begin(g), sigsetjmp((g)->env, 0) == 0)

/* Copies from or to memory that may be behind the end of a file; false: a part of it is. */
bool memory_guarded_copy(void *to, const void *from, size_t size_bytes);
/* The host's address of the access that failed last. */
const void *memory_guard_address(void);

#endif
