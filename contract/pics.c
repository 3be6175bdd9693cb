/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contract/pics.h"

#include <stdio.h>
#include <string.h>

static const char *const names[] = {
#define PICS_EVENT(sym, name, events, commit, meaning) name,
#include "contract/pics.def"
};

#define PICS_EVENT(sym, name, events, commit, meaning) +sizeof name
_Static_assert(0
#include "contract/pics.def"
                   < PICS_TEXT,
               "all events fit a signature's text");
#undef PICS_EVENT

const char *pics_event_name(enum pics_event_bit e) { return names[e]; }

const char *pics_signature_text(uint32_t signature, char *text)
{
    size_t length = 0;
    strcpy(text, "base");
    for (unsigned e = 0; e < PICS_EVENT_COUNT; e++)
        if (signature >> e & 1)
            length += (size_t)sprintf(text + length, "%s%s", length > 0 ? "+" : "", names[e]);
    return text;
}
