/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The guest's name of the folder of its program, if that is outside of the sysroot: the same wherever the folder is.
 * Argument 0, AT_EXECFN and /proc/self/exe have it, which start-up code reads, so that a run does not depend on the
 * folder's name. All calls take it. Private to core-model/linux. */
#ifndef CORE_MODEL_LINUX_ALIAS_H
#define CORE_MODEL_LINUX_ALIAS_H

#include <limits.h>
#include <stdbool.h>

/* The folder above has a name too, as programs remove the last component of a name to find what is beside it. */
#define LINUX_ALIAS_PARENT "/pcemu.program"
#define LINUX_ALIAS_FOLDER LINUX_ALIAS_PARENT "/bin"

struct linux_alias {
    char *folder;  /* absolute name on the host, without links; NULL: the folder has no other name */
    char *called;  /* the program's name as argument 0; NULL: that of its file */
    char *program; /* the program on the host, if `called` is another name; else NULL */
};

struct linux_names;

/* Names the folder of the program. */
void linux_alias_init(struct linux_names *names, const char *program);
void linux_alias_free(struct linux_alias *a);

/* Whether the absolute name, without links, leads to or through the folder; if so `host`, of PATH_MAX bytes, is the
 * host's name. */
bool linux_alias_find(const struct linux_alias *a, const char *name, char *host);
/* The host's name of the folder above, if `name` is that of the folder or of the folder above it; else NULL. `parent`
 * has PATH_MAX bytes. */
const char *linux_alias_parent(const struct linux_alias *a, const char *name, char *parent);
/* Whether `name` is that of the folder above, and `component` is not the folder's; if so `host` is the host's name of
 * the folder above. */
bool linux_alias_leaves(const struct linux_alias *a, const char *name, const char *component, char *host);

#endif
