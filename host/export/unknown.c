/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/export/unknown.h"

#include <stdbool.h>
#include <string.h>

/* The number of the image; the number of images if there is none. */
static uint32_t export_unknown_image(const struct profile *p)
{
    uint32_t n = 0;
    while (n < profile_images(p) && strcmp(profile_image(p, n)->path, EXPORT_UNKNOWN) != 0)
        n++;
    return n;
}

/* Returns whether an event has a value of no file: the first of its stacks is then the one without frames. */
static bool export_unknown_has(const struct profile *p, uint32_t event)
{
    size_t stacks;
    const struct profile_stack *stack = profile_stacks(p, event, &stacks);
    return profile_event(p, event)->unplaced > 0 || (stacks > 0 && stack[0].frame == 0);
}

void export_place_unknown(struct profile *p)
{
    bool any = false;
    if (export_unknown_image(p) < profile_images(p))
        return;
    for (uint32_t e = 0; e < profile_events(p); e++)
        any = any || export_unknown_has(p, e);
    if (!any)
        return;
    const uint32_t image = profile_add_image(
        p, &(struct profile_image){.build_id = "", .path = EXPORT_UNKNOWN, .name = "unknown"});
    for (uint32_t e = 0; e < profile_events(p); e++)
        if (profile_event(p, e)->unplaced > 0)
            profile_add_sample(p, e, (struct profile_sample){image, 0, profile_event(p, e)->unplaced});
}

struct profile_place export_unknown_place(const struct profile *p)
{
    return (struct profile_place){export_unknown_image(p), 0};
}
