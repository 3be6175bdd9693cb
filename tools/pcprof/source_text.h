/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source files as they are on the disk now. A store has only their paths, so a text can be missing, or another one than
 * was compiled. */
#ifndef TOOLS_PCPROF_SOURCE_TEXT_H
#define TOOLS_PCPROF_SOURCE_TEXT_H

#include <stddef.h>
#include <stdint.h>

struct source_text {
    char *path; /* where it is; NULL: it was not found */
    char *text;
    char **line; /* into `text`, without ends of lines; line[0] is line 1 */
    size_t lines;
    int64_t time; /* last change, in seconds since 1970 */
};

/* Reads a source file by its path in the debug information: in `folder`, with as many of the path's last parts as
 * possible, if that is not NULL; then at the path itself. Tabs become blanks. The caller releases it. */
struct source_text source_text_read(const char *path, const char *folder);
void source_text_release(struct source_text *s);

#endif
