/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output files, which appear complete or not at all.
 *
 * An output to F is written to .F.partial in F's folder, and renamed when it is complete. An exit of the process
 * removes it, and so does a signal that ends the process (ending.h). Any other end, which is SIGKILL, leaves that file,
 * and the next output to F removes it. It is an error if the file that would be renamed is not the one that was
 * written, or has another size. While another process writes to F, the file is
 * .F.2.partial and so on. Where F is a symbolic link, F is the file that it leads to. F keeps its permissions and,
 * where the process may set it, its owner. Written in place are:
 *
 *   - a file with several links, or in a folder in which no file can be made, once the output is complete;
 *   - pipes, devices and sockets;
 *   - "-" and the process's own descriptors (/dev/stdout, /dev/fd/N): the open file is written to.
 *
 * The folder stays open, so an output arrives there though the process changes its working folder meanwhile. A write
 * waits where the descriptor is non-blocking. */
#ifndef BASE_OUTFILE_H
#define BASE_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"

struct outfile_target;

struct outfile {
    FILE *stream; /* write here; errors are those of outfile_commit */
    int fd;       /* descriptor behind the stream */
    struct outfile_target *target;
};

/* Opens `path` for writing; "-" is standard output. Until outfile_commit or outfile_abort, the end of the
 * process removes the partial file. In a process that is forked meanwhile, the stream has no effect. */
enum status outfile_open(struct outfile *f, const char *path, struct errmsg *err) MUST_USE;
/* Opens the standard output or error, `fd`, whose stdio stream is flushed first. */
void outfile_open_standard(struct outfile *f, int fd);
/* Flushes and closes the stream, and makes the file complete. On error the file is what it was, except one that is
 * written in place: the message of a file with several links names the file that has the complete output. */
enum status outfile_commit(struct outfile *f, struct errmsg *err) MUST_USE;
/* Closes the stream, and removes the partial file. */
void outfile_abort(struct outfile *f);

/* Whether a write that is being made, of any output, has waited for more than a second. For handlers of signals. */
bool outfile_is_stuck(void);

/* For a process that will lose the right to change the folders of its outputs: a process of its own, the keeper,
 * completes and removes the partial files of the outputs that are open, on behalf of the functions above. The keeper
 * does nothing else, and ends with its caller. To be called once, before there are threads. */
enum status outfile_delegate(struct errmsg *err) MUST_USE;

#endif
