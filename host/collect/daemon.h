/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The daemon of the collection (DCPI paper, section 4.3): merges the entries of the driver by process, event and
 * address. Images are found for the addresses at the end of the run, when all mappings are known. */
#ifndef HOST_COLLECT_DAEMON_H
#define HOST_COLLECT_DAEMON_H

#include <stddef.h>

#include "host/collect/sample_table.h"

struct daemon;

struct daemon *daemon_new(void);
/* NULL is allowed. */
void daemon_free(struct daemon *d);

/* Adds an entry; a collect_daemon (collector.h). ctx is the daemon. */
void daemon_add(void *ctx, const struct sample_entry *e);
/* All samples, each once, in ascending order of process, event and address. The daemon owns them, until the next
 * daemon_add. */
const struct sample_entry *daemon_samples(struct daemon *d, size_t *count);

#endif
