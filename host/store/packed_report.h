/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report that is compressed while it is written, as table run keeps it: one of a million instructions has more than
 * a GiB. */
#ifndef HOST_STORE_PACKED_REPORT_H
#define HOST_STORE_PACKED_REPORT_H

#include <stddef.h>
#include <stdio.h>

struct packed_report {
    void *bytes; /* a frame of zstd; valid once the stream has been closed */
    size_t size_bytes;
};

/* A stream to write the JSON to. The caller closes it, then frees p->bytes. Frames of at most 16 MiB of text say how
 * long it is. */
FILE *packed_report_open(struct packed_report *p);

#endif
