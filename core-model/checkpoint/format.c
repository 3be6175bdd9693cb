/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/checkpoint/format.h"

const uint8_t checkpoint_magic[CHECKPOINT_MAGIC_BYTES] = {0x7f, 'P', 'C', 'C', 'K', 'P', '\r', '\n'};
const char checkpoint_kinds[CHECKPOINT_PARTS][5] = {"STAT", "WARM", "PAGE", "TABL", "DONE"};

void checkpoint_put_little(uint8_t *to, uint64_t n, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        to[i] = (uint8_t)(n >> 8 * i);
}

uint64_t checkpoint_get_little(const uint8_t *from, unsigned bytes)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < bytes; i++)
        n |= (uint64_t)from[i] << 8 * i;
    return n;
}
