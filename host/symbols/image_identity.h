/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Identity of a file: whether two files are the same version of a program. */
#ifndef HOST_SYMBOLS_IMAGE_IDENTITY_H
#define HOST_SYMBOLS_IMAGE_IDENTITY_H

#include <stddef.h>
#include <stdint.h>

/* The build ID, of `bytes` bytes, in hexadecimal digits; without one (bytes <= 0) "sha1:" and the hash of the file; ""
 * if the file cannot be read. The caller frees it. */
char *image_identity(const uint8_t *build_id, int bytes, const char *path);

/* image_identity of a file alone, of any kind. */
char *image_identity_of_file(const char *path);

#endif
