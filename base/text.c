/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/status.h"

/* Bytes of the sequence that begins with `lead`; 0: none does. */
static unsigned sequence_length(unsigned char lead)
{
    return lead < 0x80                   ? 1
           : lead >= 0xc2 && lead < 0xe0 ? 2
           : lead >= 0xe0 && lead < 0xf0 ? 3
           : lead >= 0xf0 && lead < 0xf5 ? 4
                                         : 0;
}

/* Checks the second byte of a sequence, whose range is narrower after some lead bytes: no overlong forms, no
 * surrogates. */
static bool is_second(unsigned char lead, unsigned char second)
{
    unsigned char low = lead == 0xe0   ? 0xa0
                        : lead == 0xf0 ? 0x90
                                       : 0x80,
                  high = lead == 0xed   ? 0x9f
                         : lead == 0xf4 ? 0x8f
                                        : 0xbf;
    return second >= low && second <= high;
}

unsigned text_decode(const char *text, size_t size_bytes, uint32_t *character)
{
    const unsigned char *c = (const unsigned char *)text;
    static const unsigned char lead_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    unsigned length = sequence_length(*c);
    *character = *c & lead_bits[length];
    if (length > size_bytes)
        return 0;
    if (length > 1 && !is_second(c[0], c[1]))
        return 0;
    for (unsigned n = 1; n < length; n++) {
        if ((c[n] & 0xc0) != 0x80)
            return 0;
        *character = *character << 6 | (c[n] & 0x3f);
    }
    return length;
}

static bool is_printable(uint32_t character)
{
    bool is_control = character < 0x20 || (character >= 0x7f && character < 0xa0);
    bool is_separator = character == 0x2028 || character == 0x2029;
    bool is_direction = (character >= 0x202a && character <= 0x202e) || (character >= 0x2066 && character <= 0x2069);
    return !is_control && !is_separator && !is_direction;
}

/* Most characters are of this kind. */
static bool text_is_plain(char c) { return c >= ' ' && c <= '~'; }

/* Copies the character at *from, or '?', to `to`, which may be before it; advances *from. Returns the end of the copy.
 */
static char *copy_printable(char *to, const char **from, bool keeps_tabs)
{
    uint32_t character;
    unsigned length = text_decode(*from, SIZE_MAX, &character);
    bool is_shown = length != 0 && (is_printable(character) || (keeps_tabs && character == '\t'));
    if (is_shown)
        memmove(to, *from, length);
    else
        *to = '?';
    *from += length == 0 ? 1 : length;
    return to + (is_shown ? length : 1);
}

char *text_make_printable(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0';)
        if (text_is_plain(*from))
            *to++ = *from++;
        else
            to = copy_printable(to, &from, false);
    *to = '\0';
    return text;
}

char *text_printable_line(const char *text, size_t size_bytes)
{
    char *copy = xmalloc(size_bytes + 1), *to = copy;
    memcpy(copy, text, size_bytes);
    copy[size_bytes] = '\0'; /* ends a character that is cut */
    for (const char *from = copy; from < copy + size_bytes;)
        if (text_is_plain(*from))
            *to++ = *from++;
        else
            to = copy_printable(to, &from, true);
    *to = '\0';
    return copy;
}
