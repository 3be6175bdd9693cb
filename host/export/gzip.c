/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/export/gzip.h"

#include <limits.h>
#include <zlib.h>

enum status gzip_write(const uint8_t *bytes, size_t size_bytes, int level, FILE *out, struct errmsg *err)
{
    enum { WINDOW_BITS = 15, GZIP = 16, MEMORY = 8 };
    uint8_t buffer[1 << 16];
    z_stream z = {.next_in = (uint8_t *)(uintptr_t)bytes};
    int result = deflateInit2(&z, level, Z_DEFLATED, WINDOW_BITS + GZIP, MEMORY, Z_DEFAULT_STRATEGY);
    if (result == Z_MEM_ERROR)
        out_of_memory();
    if (result != Z_OK)
        BUG("zlib: %s", z.msg == NULL ? "deflateInit2" : z.msg);
    do {
        size_t left = size_bytes - (size_t)(z.next_in - bytes);
        z.avail_in = left > UINT_MAX ? UINT_MAX : (uInt)left;
        z.next_out = buffer;
        z.avail_out = sizeof buffer;
        result = deflate(&z, z.avail_in == left ? Z_FINISH : Z_NO_FLUSH);
        fwrite(buffer, 1, sizeof buffer - z.avail_out, out);
    } while (result == Z_OK || result == Z_BUF_ERROR);
    deflateEnd(&z);
    return result == Z_STREAM_END ? ST_OK : fail(err, ST_IO, "zlib: error %d", result);
}
