/* SPDX-License-Identifier: GPL-3.0-or-later */
/* uthash's tables, with allocation that does not fail. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include "base/status.h"

#define uthash_malloc(size) xmalloc(size)
#include <uthash.h>

#endif
