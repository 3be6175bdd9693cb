/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inputs of jobs by their contents: FOLDER/inputs/HASH/NAME is a copy of a file or a folder, or a symbolic link to a
 * sysroot. The hash of a folder covers the names, kinds, modes and contents of all that is below it. Results are
 * "inputs/HASH/NAME", which the caller frees. */
#ifndef TOOLS_PCSWEEP_INPUTS_H
#define TOOLS_PCSWEEP_INPUTS_H

#include "base/sha1.h"
#include "base/status.h"

/* A file of these contents. */
enum status inputs_add_text(const char *folder, const char *text, const char *name, char **input,
                            struct errmsg *err) MUST_USE;
/* A copy of a file, with its permissions. NULL as the name: that of the file. */
enum status inputs_add_file(const char *folder, const char *path, const char *name, char **input,
                            struct errmsg *err) MUST_USE;
/* A copy of a folder. */
enum status inputs_add_folder(const char *folder, const char *path, char **input, struct errmsg *err) MUST_USE;
/* A link to a sysroot. */
enum status inputs_add_sysroot(const char *folder, const char *path, char **input, struct errmsg *err) MUST_USE;

/* The hash of a file's contents. */
enum status inputs_hash_file(const char *path, char hash[SHA1_TEXT], struct errmsg *err) MUST_USE;
/* Creates a folder, unless it exists. */
enum status inputs_make_folder(const char *path, struct errmsg *err) MUST_USE;

#endif
