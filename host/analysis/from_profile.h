/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Input of the analyses from a profile (host/profile): the graph of an image's code, samples of time, frequencies and
 * events. */
#ifndef HOST_ANALYSIS_FROM_PROFILE_H
#define HOST_ANALYSIS_FROM_PROFILE_H

#include "host/analysis/analysis.h"
#include "host/profile/profile.h"

/* The resolved graph of an image. `code` describes its instructions at link-time addresses; borrowed during the call.
 */
struct code_graph *from_profile_graph(const struct profile_image *image, const struct code *code);

struct from_profile {
    const struct profile *profile;
    uint32_t image;
    uint32_t time, executions, event[ANALYSIS_EVENTS]; /* events of the profile; PROFILE_NO_EVENT: none */
};

/* The samples of an image, by events of time and of executions; PROFILE_NO_EVENT: frequencies are estimated from the
 * samples of time. Events bound stalls if they are exact or samples of instructions; of counters only the misses of
 * fetch do, because their interrupts arrive while fetch still waits (DCPI paper, section 4.1.2). `s` borrows the
 * profile; *out borrows `s`. */
void from_profile_use(struct from_profile *s, const struct profile *p, uint32_t image, uint32_t time,
                      uint32_t executions, struct analysis_samples *out);

#endif
