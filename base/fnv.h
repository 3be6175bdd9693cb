/* SPDX-License-Identifier: GPL-3.0-or-later */
/* FNV-1a, a hash of bytes: not for data that an adversary chooses. */
#ifndef BASE_FNV_H
#define BASE_FNV_H

#include <stddef.h>
#include <stdint.h>

/* The hash of no bytes. */
#define FNV_NONE UINT64_C(0xcbf29ce484222325)

/* The hash of the bytes that `hash` is of, and of these. */
uint64_t fnv_extend(uint64_t hash, const void *bytes, size_t size_bytes);

#endif
