/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gzip (RFC 1952), without a file name and a time, so that the same bytes give the same output. */
#ifndef HOST_EXPORT_GZIP_H
#define HOST_EXPORT_GZIP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

/* Writes bytes compressed; `level` as zlib's, 1 to 9. Errors of the stream are left to its error flag. */
enum status gzip_write(const uint8_t *bytes, size_t size_bytes, int level, FILE *out, struct errmsg *err) MUST_USE;

#endif
