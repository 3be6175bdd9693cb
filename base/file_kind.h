/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kind of a file, for messages about a file of an unexpected kind. */
#ifndef BASE_FILE_KIND_H
#define BASE_FILE_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The first bytes of a file that its description needs. */
enum { FILE_KIND_BYTES = 96, FILE_KIND_TEXT = 128 };

/* "a directory", "a FIFO", ...; NULL: a regular file. Static text. */
const char *file_kind_of_mode(mode_t mode);
/* Describes a regular file by its first n bytes: "an empty file", "a script", "a 32-bit RISC-V program", "an x86-64
 * object file". Returns `text`. */
const char *file_kind(const unsigned char *head, size_t n, char text[FILE_KIND_TEXT]);

bool file_kind_is_script(const unsigned char *head, size_t n);
/* Whether it is a little-endian 64-bit ELF file of RISC-V that is executable or a shared library. */
bool file_kind_is_riscv64(const unsigned char *head, size_t n);
/* Whether it is such a file without an entry point. */
bool file_kind_is_library(const unsigned char *head, size_t n);

#endif
