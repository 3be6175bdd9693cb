/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page and the JSON that list what pcprof serve has. */
#ifndef TOOLS_PCPROF_SERVER_LISTS_H
#define TOOLS_PCPROF_SERVER_LISTS_H

#include "tools/pcprof/server/stores.h"

/* The page of a store, or, with NULL, of all. The caller frees the text. */
char *serve_list_page(const struct serve_stores *s, const struct served_store *one, const char *tag,
                      size_t *size_bytes);
/* The stores as JSON, likewise. */
char *serve_list_json(const struct serve_stores *s, size_t *size_bytes);

#endif
