/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places of the frames of call stacks. */
#include "host/export/frame.h"

#include <stdlib.h>

#include "base/status.h"

static bool export_frame_is_first(const struct profile *p, struct profile_place at)
{
    const struct profile_symbol *symbol = profile_find_symbol(profile_image(p, at.image), at.address);
    return symbol != NULL && symbol->start == at.address;
}

/* Frames with the same caller are those of the stacks of other events, too: only the frames of this event's stacks are
 * to be looked up, from the innermost to one that has been. */
bool export_is_by_function(const struct profile *p, uint32_t event)
{
    size_t count;
    const struct profile_stack *s = profile_stacks(p, event, &count);
    bool *seen = xcalloc(profile_frames_end(p), sizeof *seen), is_first = true, any = false;
    for (size_t n = 0; n < count && is_first; n++)
        for (uint32_t f = s[n].frame; f != 0 && !seen[f] && is_first; f = profile_frame(p, f)->caller) {
            seen[f] = any = true;
            is_first = export_frame_is_first(p, profile_frame(p, f)->at);
        }
    free(seen);
    return any && is_first;
}

struct export_frame export_frame_caller(const struct profile *p, uint32_t frame)
{
    const struct profile_place at = profile_frame(p, frame)->at;
    return (struct export_frame){at, export_frame_is_first(p, at)};
}

struct export_frame export_frame_innermost(const struct profile *p, uint32_t frame, bool by_function)
{
    return (struct export_frame){profile_frame(p, frame)->at, by_function};
}

struct export_frame export_frame_of_path(const struct profile *p, const struct profile_path *path, size_t n,
                                         bool by_function)
{
    return n == 0 ? export_frame_innermost(p, path->frame[0], by_function) : export_frame_caller(p, path->frame[n]);
}

size_t export_frame_places(const struct profile *p, struct export_frame f, struct export_place out[EXPORT_PLACES])
{
    if (!f.is_function)
        return export_places(p, f.at.image, f.at.address, out);
    out[0] = export_function_place(p, f.at.image, f.at.address);
    return 1;
}

/* The first address from `start` up to `end` that is in a function and in no inlined call; `start` if there is none. */
static uint64_t outside_inlined(const struct profile_image *i, uint64_t start, uint64_t end)
{
    const struct profile_scope *first = profile_find_scope(i, start);
    if (first == NULL || first->caller == PROFILE_NO_SCOPE)
        return start;
    for (size_t n = profile_scope_range_behind(i, start); n < i->scope_ranges && i->scope_range[n].start < end; n++) {
        const struct profile_scope_range *r = &i->scope_range[n];
        if (r->scope != PROFILE_NO_SCOPE && i->scope[r->scope].caller == PROFILE_NO_SCOPE)
            return r->start;
    }
    return start;
}

uint64_t export_frame_address(const struct profile *p, struct export_frame f)
{
    const struct profile_image *i = profile_image(p, f.at.image);
    const struct profile_symbol *symbol = profile_find_symbol(i, f.at.address);
    return symbol == NULL || !f.is_function ? f.at.address
                                            : outside_inlined(i, f.at.address, symbol->start + symbol->size_bytes);
}
