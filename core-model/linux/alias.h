/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The guest's names of two folders of the host: that in which pcemu was started, and that of the program. The names are
 * the same wherever the folders are, so that a run does not depend on their names. Private to core-model/linux. */
#ifndef CORE_MODEL_LINUX_ALIAS_H
#define CORE_MODEL_LINUX_ALIAS_H

#include <limits.h>
#include <stdbool.h>

/* The folder above each has a name too, as programs remove the last component of a name to find what is beside it. */
#define LINUX_ALIAS_PREFIX "pcemu."
#define LINUX_START_PARENT "/" LINUX_ALIAS_PREFIX "start"
#define LINUX_START_FOLDER LINUX_START_PARENT "/work"
#define LINUX_PROGRAM_PARENT "/" LINUX_ALIAS_PREFIX "program"
#define LINUX_PROGRAM_FOLDER LINUX_PROGRAM_PARENT "/bin"

enum { LINUX_ALIASES = 2, LINUX_ALIAS_START = 0, LINUX_ALIAS_PROGRAM = 1 };

struct linux_aliases {
    char *folder[LINUX_ALIASES]; /* absolute names on the host, without links; NULL: the folder has no other name */
    char *called;                /* the program's name as argument 0; NULL: that of its file */
    char *program;               /* the program on the host, if `called` is another name; else NULL */
};

struct linux_state;

/* Names the folder in which pcemu was started, and that of the program. */
void linux_aliases_init(struct linux_state *os, const char *program);
void linux_aliases_free(struct linux_aliases *a);

/* Whether the absolute name, without links, leads to or through one of the folders; if so `host`, of PATH_MAX bytes, is
 * the host's name. */
bool linux_alias_find(const struct linux_aliases *a, const char *name, char *host);
/* The host's name of the folder above, if `name` is that of one of the folders or of the folder above it; else NULL.
 * `parent` has PATH_MAX bytes. */
const char *linux_alias_parent(const struct linux_aliases *a, const char *name, char *parent);
/* Whether `name` is that of the folder above one of these folders, and `component` is not that folder's; if so `host`
 * is the host's name of the folder above. */
bool linux_alias_leaves(const struct linux_aliases *a, const char *name, const char *component, char *host);
/* Replaces the host's absolute name by the guest's, if it is below one of the folders; whether it is. */
bool linux_alias_name(const struct linux_aliases *a, char *path);
/* The same for the program's own folder alone. */
bool linux_alias_name_program(const struct linux_aliases *a, char *path);

#endif
