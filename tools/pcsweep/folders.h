/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folders of results: removed as a whole, and written through to the disk. */
#ifndef TOOLS_PCSWEEP_FOLDERS_H
#define TOOLS_PCSWEEP_FOLDERS_H

#include "base/status.h"

/* Removes a folder and all that is below it; nothing if it does not exist. */
enum status folder_remove(const char *path, struct errmsg *err) MUST_USE;
/* Removes the folders in `parent` whose names begin with a text. */
enum status folder_remove_all(const char *parent, const char *beginning, struct errmsg *err) MUST_USE;
/* Writes the files of a folder, without those of folders in it, and the folder to the disk. */
enum status folder_sync(const char *path, struct errmsg *err) MUST_USE;

#endif
