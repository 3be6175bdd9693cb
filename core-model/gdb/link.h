/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The connection to gdb: a TCP port, a Unix socket, or standard input and output. */
#ifndef CORE_MODEL_GDB_LINK_H
#define CORE_MODEL_GDB_LINK_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum { GDB_LINK_ROOM = 4096 };

struct gdb_link {
    int listener; /* -1: none, or no longer */
    int in, out;  /* -1: not connected */
    char *place;  /* where gdb connects, as shown to the user; owned */
    char *path;   /* of the Unix socket; NULL: another connection; owned */
    uint8_t received[GDB_LINK_ROOM];
    size_t received_bytes, taken_bytes;
    const volatile sig_atomic_t *interrupted; /* by SIGINT: not 0: nothing is waited for; NULL: never; borrowed */
};

/* `where`: PORT or HOST:PORT (a TCP port, 0 for a free one; without a host, of this machine alone), a path with a slash
 * (a Unix socket, which is created), or "-" (standard input and output: from then on the process itself has none, and
 * what it writes to standard output goes to standard error). */
enum status gdb_link_open(struct gdb_link *l, const char *where, struct errmsg *err) MUST_USE;
/* Waits for the peer. ST_OK without a connection: interrupted. */
enum status gdb_link_accept(struct gdb_link *l, struct errmsg *err) MUST_USE;
void gdb_link_close(struct gdb_link *l);

/* The next byte, waiting for it; -1: the peer has closed the connection, or interrupted. */
int gdb_link_read(struct gdb_link *l);
/* Whether gdb_link_read would not wait. */
bool gdb_link_has_input(const struct gdb_link *l);
/* False: the peer has closed the connection. */
bool gdb_link_write(struct gdb_link *l, const void *data, size_t size_bytes);
/* From now on the arrival of input raises SIGINT in this process, or no longer. */
void gdb_link_set_alert(struct gdb_link *l, bool on);

#endif
