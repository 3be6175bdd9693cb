/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places of the frames of call stacks. A frame is an instruction, or a function: callstack.pc keeps neither the
 * addresses of calls nor those of events, so its frames are the first instructions of functions. What was inlined at
 * such an address has nothing to do with the value. */
#ifndef HOST_EXPORT_FRAME_H
#define HOST_EXPORT_FRAME_H

#include "host/export/place.h"

/* Returns whether the values of an event, by its number in the profile, are those of functions: it has call stacks, and
 * all their frames are first instructions of functions. False without stacks or symbols. It looks up each frame, so the
 * writers ask once for each event. */
bool export_is_by_function(const struct profile *p, uint32_t event);

/* A frame of a stack. A caller is a function if it is at its first instruction, which cannot be a call that returns;
 * the innermost frame if `by_function`, export_is_by_function of its event. */
struct export_frame {
    struct profile_place at;
    bool is_function;
};
struct export_frame export_frame_caller(const struct profile *p, uint32_t frame);
struct export_frame export_frame_innermost(const struct profile *p, uint32_t frame, bool by_function);
/* The n-th frame of a path, from the innermost. */
struct export_frame export_frame_of_path(const struct profile *p, const struct profile_path *path, size_t n,
                                         bool by_function);

/* Fills `out` with the functions of a frame as export_places does; of a function without what is inlined into it. */
size_t export_frame_places(const struct profile *p, struct export_frame f, struct export_place out[EXPORT_PLACES]);

/* An address by which another tool finds the function of a frame, and what is inlined there. Of a function it is the
 * first one that belongs to no inlined call, if there is one. */
uint64_t export_frame_address(const struct profile *p, struct export_frame f);

#endif
