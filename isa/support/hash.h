/* SPDX-License-Identifier: GPL-3.0-or-later */
/* uthash's tables, with allocation that does not fail. */
#ifndef ISA_SUPPORT_HASH_H
#define ISA_SUPPORT_HASH_H

#include "isa/support/status.h"

#define uthash_malloc(size) xmalloc(size)
#include <uthash.h>

#endif
