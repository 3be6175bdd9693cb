/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program that runs if a file is executed: the file, or the interpreter of a script. Private to core-model/linux.
 */
#ifndef CORE_MODEL_LINUX_PROGRAM_H
#define CORE_MODEL_LINUX_PROGRAM_H

#include "core-model/linux/path.h"

enum { LINUX_HEAD_BYTES = 256 }; /* of a file that execve reads */

struct linux_program {
    char called[PATH_MAX];    /* name of the file as given */
    bool vanishes;            /* by that name the interpreter of a script will not find it */
    struct linux_place place; /* of the file, and of the program once it is found */
    char **argv;              /* owned, as are the strings */
    size_t argc;
    char head[LINUX_HEAD_BYTES]; /* the file's first bytes, and zeros behind its end */
    size_t head_bytes;
};

void linux_program_free_strings(char **list);
/* Puts an argument before the others. */
void linux_program_prepend(struct linux_program *p, const char *text);
/* Finds the file p->called and reads its head; an error number if it cannot be executed. */
int64_t linux_program_open(const struct guest *g, struct linux_program *p, bool follows);
/* Finds the program, by the interpreters that scripts name, whose arguments are put before the others. Files that are
 * neither program nor script: -ENOEXEC, as shells expect. */
int64_t linux_program_find(const struct guest *g, struct linux_program *p);
/* The first program of the guest, which the user has given: 0 if `config` names a script, the interpreter of which is
 * found; 1 if it names another file, whatever that is. */
int64_t linux_program_begin(const struct guest *g, const struct guest_config *config, struct linux_program *p);

#endif
