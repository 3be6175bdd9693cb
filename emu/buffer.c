/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Geometry of the sample buffer: record size and number of slots, derived from the record format. */
#include "emu/buffer.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

enum { PATH_BYTES = 16 };

/* Makes the ring large enough for the slots and the admission queue. */
static void fit_ring(struct buffer *b)
{
    unsigned mask = 1;
    while (mask < b->slots + ADMISSION_QUEUE)
        mask = 2 * mask + 1;
    if (mask == b->ring_mask)
        return;
    b->ring_mask = mask;
    free(b->ring);
    b->ring = xcalloc(buffer_ring(b), sizeof *b->ring);
}

void buffer_init(struct buffer *b, unsigned capacity_bytes)
{
    *b = (struct buffer){.capacity_bytes = capacity_bytes};
    uint8_t none[ISA_FIELDS];
    memset(none, NO_FIELD, sizeof none);
    buffer_set_format(b, none);
}

void buffer_copy(struct buffer *to, const struct buffer *from, unsigned records)
{
    *to = *from;
    to->ring = xcalloc(buffer_ring(to), sizeof *to->ring);
    for (unsigned i = 0; i < records; i++)
        *buffer_at(to, i) = *buffer_at(from, i);
}

void buffer_fini(struct buffer *b) { free(b->ring); }

void buffer_set_format(struct buffer *b, const uint8_t format[ISA_FIELDS])
{
    unsigned bits = 8; /* the opcode class */
    b->fields = b->taken = 0;
    b->lost = b->weight = -1;
    for (unsigned i = 0; i < ISA_FIELDS; i++) {
        if (format[i] == NO_FIELD)
            continue;
        bits += sample_fields[format[i]].width_bits;
        b->fields = i + 1;
        if (format[i] == FIELD_LOST)
            b->lost = (int)i;
        if (format[i] == FIELD_WEIGHT)
            b->weight = (int)i;
        b->position[b->taken] = (uint8_t)i;
        b->from[b->taken++] = format[i];
    }
    b->record_bytes = (bits / 8 + 3) & ~3u;
    b->beats = (b->record_bytes + PATH_BYTES - 1) / PATH_BYTES;
    b->slots = b->capacity_bytes / b->record_bytes;
    fit_ring(b);
    buffer_clear(b);
}

void buffer_clear(struct buffer *b)
{
    b->head = b->count = b->present = 0;
    b->path_free = 0;
}
