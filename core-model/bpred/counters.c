/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/bpred/counters.h"

void counters_move(uint8_t *counter, size_t count, unsigned bits, struct checkpoint_stream *s)
{
    const size_t most = 64 / bits; /* in a number */
    const uint8_t mask = (uint8_t)((1u << bits) - 1);
    for (size_t first = 0, here; first < count; first += here) {
        uint64_t word = 0;
        here = count - first < most ? count - first : most;
        for (size_t i = 0; i < here; i++)
            word |= (uint64_t)counter[first + i] << i * bits;
        word = checkpoint_move(s, word, 0, UINT64_MAX >> (64 - here * bits));
        for (size_t i = 0; i < here; i++)
            counter[first + i] = (uint8_t)(word >> i * bits) & mask;
    }
}
