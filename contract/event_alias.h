/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of events that were probably meant, for errors. */
#ifndef CONTRACT_EVENT_ALIAS_H
#define CONTRACT_EVENT_ALIAS_H

#include <stddef.h>

/* The event that perf calls so, or NULL. Static text. */
const char *event_alias(const char *name);
/* The one of the names that was probably meant: that of perf's event, or else the nearest; or NULL. NULL entries are
 * skipped. */
const char *event_meant(const char *name, const char *const *names, size_t count);

#endif
