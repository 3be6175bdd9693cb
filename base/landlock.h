/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Landlock: a process restricts itself and its children to some files. Source: Linux,
 * Documentation/userspace-api/landlock.rst. The C library has no functions for it, and the headers of Debian 12 know
 * ABI 2 only; what later ABIs added is defined here. */
#ifndef BASE_LANDLOCK_H
#define BASE_LANDLOCK_H

#include <linux/landlock.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

#ifndef LANDLOCK_ACCESS_FS_REFER
#define LANDLOCK_ACCESS_FS_REFER (1ULL << 13) /* ABI 2, Linux 5.19 */
#endif
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14) /* ABI 3, Linux 6.2 */
#endif
#ifndef LANDLOCK_SCOPE_SIGNAL
#define LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET (1ULL << 0) /* ABI 6, Linux 6.12 */
#define LANDLOCK_SCOPE_SIGNAL (1ULL << 1)               /* ABI 6, Linux 6.12 */
#endif

/* ABI 3 is the first that restricts truncate. With ABI 6 signals to other processes are restricted too. */
enum { LANDLOCK_ABI_NEEDED = 3, LANDLOCK_ABI_SCOPES = 6 };

/* The access rights that a ruleset can have, of ABI 3: to read a file or folder, to execute a file of the host, to
 * change a file or what a folder holds, to make a device. */
#define LANDLOCK_READS (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define LANDLOCK_EXECUTES LANDLOCK_ACCESS_FS_EXECUTE
#define LANDLOCK_WRITES                                                                              \
    (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_TRUNCATE | LANDLOCK_ACCESS_FS_MAKE_REG |     \
     LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_MAKE_FIFO |      \
     LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | \
     LANDLOCK_ACCESS_FS_REFER)
#define LANDLOCK_MAKES_DEVICES (LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK)

/* The kernel's ABI, or a negative error number. */
int landlock_abi(void);
/* Whether that is enough; otherwise the error says which kernel is needed. */
enum status landlock_check_abi(int abi, struct errmsg *err) MUST_USE;
/* Returns a new ruleset that denies `handled` except where a rule allows it, or -1 with errno. With `scoped` and ABI 6
 * it denies signals to processes outside too. */
int landlock_new_ruleset(uint64_t handled, bool scoped);
/* Allows `rights` for the open file, or for the open folder (O_PATH is enough) and all below it. Rights of folders are
 * left out for a file. Returns -1 with errno: EBADFD for a file without a name, as a pipe, which needs no rule. */
int landlock_allow(int ruleset, int file, uint64_t rights);
/* Restricts the calling thread, and those that it starts, for ever. Returns -1 with errno. */
int landlock_restrict(int ruleset);

#endif
