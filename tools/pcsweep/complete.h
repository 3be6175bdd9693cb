/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of a study, verified before they are used together. */
#ifndef TOOLS_PCSWEEP_COMPLETE_H
#define TOOLS_PCSWEEP_COMPLETE_H

#include <stdbool.h>

#include "host/study/manifest.h"

/* Compares all results with the hashes of their files. Sets *is_done, an array that the caller frees, of the manifest's
 * jobs. Jobs without a valid result are an error, unless `partial`, and none with one always is. A result of another
 * build of pcemu is always an error. */
enum status complete_check(const struct manifest *m, bool partial, bool **is_done, struct errmsg *err) MUST_USE;

#endif
