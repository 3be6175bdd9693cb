/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sample buffer and the 128-bit path to it (co-processor paper, section 3.2).
 *
 * A buffer that only drops what finds it full drops in step with the program: retirement in a loop is periodic, the service of its samples too,
 * and some instructions of the loop always come when it is full. Early drop admits at random instead, from half full on, with a chance that falls
 * linearly to none; the level settles where arrivals thin out to what is served, seldom at full. The cost is an LFSR and a comparator. */
#include <stdlib.h>
#include <string.h>

#include "emu/cop_state.h"

enum { PATH_BYTES = 16 };

void buffer_init(struct buffer *b, unsigned capacity_bytes, bool early_drop)
{
    *b = (struct buffer){.capacity_bytes = capacity_bytes, .early_drop = early_drop, .lfsr = 1};
    uint8_t none[ISA_FIELDS];
    memset(none, NO_FIELD, sizeof none);
    buffer_set_format(b, none);
}

void buffer_fini(struct buffer *b) { free(b->ring); }

void buffer_set_format(struct buffer *b, const uint8_t format[ISA_FIELDS])
{
    unsigned bits = 8; /* the class */
    b->fields = b->taken = 0;
    for (unsigned i = 0; i < ISA_FIELDS; i++) {
        if (format[i] == NO_FIELD)
            continue;
        bits += sample_fields[format[i]].width_bits;
        b->fields = i + 1;
        b->position[b->taken] = (uint8_t)i;
        b->from[b->taken++] = format[i];
    }
    b->record_bytes = (bits / 8 + 3) & ~3u;
    b->beats = (b->record_bytes + PATH_BYTES - 1) / PATH_BYTES;
    b->slots = b->capacity_bytes / b->record_bytes;
    b->calm = b->slots - (b->early_drop && b->slots > 1 ? b->slots / 2 - 1 : 0);
    b->ring_ones = 1;
    while (b->ring_ones < b->slots + ADMISSION_QUEUE)
        b->ring_ones = 2 * b->ring_ones + 1;
    free(b->ring);
    b->ring = xcalloc(buffer_ring(b), sizeof *b->ring);
    buffer_clear(b);
}

bool buffer_drops_early(struct buffer *b)
{
    unsigned half = b->slots / 2, room = b->slots - b->count;
    b->lfsr = lfsr_step(b->lfsr);
    return (b->lfsr & 0xff) * half >= room << 8;
}

void buffer_clear(struct buffer *b)
{
    b->head = b->count = b->present = b->queued = 0;
    b->path_free = 0;
}
