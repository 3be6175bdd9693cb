/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places of the frames of call stacks. */
#include "host/export/frame.h"

static bool export_frame_is_first(const struct profile *p, const struct profile_frame *f)
{
    const struct profile_symbol *symbol = profile_find_symbol(profile_image(p, f->image), f->address);
    return symbol != NULL && symbol->start == f->address;
}

bool export_is_by_function(const struct profile *p, uint32_t event)
{
    size_t count, frames = 0;
    const struct profile_stack *s = profile_stacks(p, event, &count);
    for (size_t n = 0; n < count; n++)
        for (size_t i = 0; i < s[n].depth; i++, frames++)
            if (!export_frame_is_first(p, &s[n].frame[i]))
                return false;
    return frames > 0;
}

bool export_frame_is_function(const struct profile *p, const struct profile_stack *s, size_t n, bool by_function)
{
    return n == 0 ? by_function : export_frame_is_first(p, &s->frame[n]);
}

size_t export_frame_places(const struct profile *p, const struct profile_stack *s, size_t n, bool by_function,
                           struct export_place out[EXPORT_PLACES])
{
    const struct profile_frame *f = &s->frame[n];
    if (!export_frame_is_function(p, s, n, by_function))
        return export_places(p, f->image, f->address, out);
    out[0] = export_function_place(p, f->image, f->address);
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

uint64_t export_frame_address(const struct profile *p, const struct profile_stack *s, size_t n, bool by_function)
{
    const struct profile_frame *f = &s->frame[n];
    const struct profile_image *i = profile_image(p, f->image);
    const struct profile_symbol *symbol = profile_find_symbol(i, f->address);
    if (symbol == NULL || !export_frame_is_function(p, s, n, by_function))
        return f->address;
    return outside_inlined(i, f->address, symbol->start + symbol->size_bytes);
}
