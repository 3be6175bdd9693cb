/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text of the page that is compressed: gzip, then base64 (RFC 4648), which scripts of browsers can read. */
#include <stdlib.h>

#include "host/export/gzip.h"
#include "tools/pcprof/page.h"

static void write_base64(const uint8_t *bytes, size_t size_bytes, FILE *out)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t n = 0; n < size_bytes; n += 3) {
        size_t here = size_bytes - n < 3 ? size_bytes - n : 3;
        unsigned group = 0;
        for (size_t k = 0; k < 3; k++)
            group = group << 8 | (k < here ? bytes[n + k] : 0u);
        for (size_t k = 0; k < 4; k++)
            fputc(k <= here ? digit[group >> (18 - 6 * k) & 63] : '=', out);
    }
}

enum status page_pack(const char *text, size_t size_bytes, FILE *out, struct errmsg *err)
{
    enum { LEVEL = 6 };
    char *packed;
    size_t packed_bytes;
    FILE *stream = xopen_text(&packed, &packed_bytes);
    enum status st = gzip_write((const uint8_t *)text, size_bytes, LEVEL, stream, err);
    xclose_text(stream);
    if (st == ST_OK)
        write_base64((const uint8_t *)packed, packed_bytes, out);
    free(packed);
    return st;
}
