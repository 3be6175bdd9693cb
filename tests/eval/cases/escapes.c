/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decodes text in which every character is written as an escape, by a decoder that takes escapes for rare: the compiler
 * places their code out of line, so each one costs two taken branches. AFTER: the hint says what the edge profile says. */
#include <stdint.h>
#include <stdio.h>

enum { LENGTH = 1 << 14, ROUNDS = 8 };
#ifdef AFTER
enum { ESCAPE_EXPECTED = 1 };
#else
enum { ESCAPE_EXPECTED = 0 };
#endif

static unsigned char text[2 * LENGTH + 2];

static __attribute__((noinline)) uint32_t decode(const unsigned char *p, const unsigned char *end)
{
    uint32_t sum = 0, escapes = 0;
    while (p < end) {
        uint32_t c = *p++;
        if (__builtin_expect(c == '\\', ESCAPE_EXPECTED)) {
            c = *p++ ^ 0x40u;
            escapes++;
        }
        sum += c;
    }
    return sum ^ escapes << 16;
}

int main(void)
{
    uint32_t sum = 0, state = 1;
    for (unsigned i = 0; i < LENGTH; i++) {
        state = state * 1103515245 + 12345;
        text[2 * i] = '\\';
        text[2 * i + 1] = (unsigned char)(state >> 16);
    }
    for (unsigned r = 0; r < ROUNDS; r++)
        sum += decode(text, text + 2 * LENGTH);
    printf("escapes: %u\n", sum);
    return 0;
}
