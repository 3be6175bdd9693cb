/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of functions that were probably meant, for errors. */
#ifndef HOST_SYMBOLS_MEANT_H
#define HOST_SYMBOLS_MEANT_H

#include "host/symbols/symbols.h"

/* " (did you mean 'NAME.part.0' or 'NAME.constprop.0'?)" with the parts and clones that the compiler has made of a
 * function, at most 4, or "" if there are none. The caller frees it. */
char *meant_clones(const char *const *names, size_t count, const char *name);
/* meant_clones, or without clones the nearest name. */
char *meant_names(const char *const *names, size_t count, const char *name);
/* meant_names for the functions of a program; "" if `s` is NULL. */
char *meant_symbols(const struct symbols *s, const char *name);

#endif
