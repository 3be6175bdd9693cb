/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The place of a file: an open folder and a name in it. A place stays the same when the process changes its working
 * folder, and when folders on the way to it are renamed. */
#ifndef BASE_FILE_PLACE_H
#define BASE_FILE_PLACE_H

#include <stdbool.h>

struct file_place {
    int folder;      /* descriptor; owned */
    char *name;      /* in the folder; owned. Not a symbolic link, but in the case of is_process */
    bool is_process; /* the folder is one of /proc, whose links name open files */
};

/* Finds the place of `path`, whose last component need not exist. Symbolic links are followed, also one to a file that
 * does not exist. Returns false with errno if there is no such folder. The caller releases the place. */
bool file_place_find(struct file_place *p, const char *path);
void file_place_release(struct file_place *p);

/* Returns whether both are one name in one folder. */
bool file_place_is_same(const struct file_place *a, const struct file_place *b);
/* The descriptor of this process that the place names, such as /dev/stdout; -1: it names none. */
int file_place_descriptor(const struct file_place *p);

#endif
