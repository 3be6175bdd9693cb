/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Integer: a table-driven CRC-32 over a buffer, one long dependence chain of loads. */
#include <stdint.h>
#include <stdio.h>

#ifndef LENGTH
#define LENGTH 1 /* of the run */
#endif

enum { BYTES = 1 << 16, ROUNDS = 400 * LENGTH };

static uint32_t table[256];
static uint8_t data[BYTES];

static void make_table(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xedb88320 ^ c >> 1 : c >> 1;
        table[i] = c;
    }
}

int main(void)
{
    uint32_t crc = ~0u;
    make_table();
    for (uint32_t i = 0; i < BYTES; i++)
        data[i] = (uint8_t)(i * 2654435761u >> 24);
    for (int r = 0; r < ROUNDS; r++)
        for (uint32_t i = 0; i < BYTES; i++)
            crc = table[(crc ^ data[i]) & 255] ^ crc >> 8;
    printf("%08x\n", ~crc);
    return 0;
}
