/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of pcprof list. */
#ifndef TOOLS_PCPROF_LIST_H
#define TOOLS_PCPROF_LIST_H

#include "contract/report.h"
#include "host/store/store.h"

/* The contents of a store as a report; `path` is the store's. The caller frees it. */
struct report *pcprof_list_report(const char *path, const struct store_contents *c);

#endif
