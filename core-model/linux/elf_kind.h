/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that are no program for the guest, by their first bytes. */
#ifndef CORE_MODEL_LINUX_ELF_KIND_H
#define CORE_MODEL_LINUX_ELF_KIND_H

#include "base/status.h"

/* Checks that an open file, named `path` in messages, can be a riscv64 program or a library. ST_IO: it is a directory
 * or cannot be read; ST_FORMAT: it is something else. */
enum status elf_check_kind(int fd, const char *path, struct errmsg *err) MUST_USE;
/* Checks that a file can be the first program: as above, with an entry point, or a script. */
enum status elf_check_program(const char *path, struct errmsg *err) MUST_USE;

#endif
