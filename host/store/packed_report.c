/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/store/packed_report.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/status.h"

enum { LEVEL = 9, PLAIN_BYTES = 16 << 20 };

struct report_packing {
    struct packed_report *to;
    ZSTD_CCtx *zstd;
    char *plain; /* text that has not been compressed: all, until there is more than PLAIN_BYTES of it */
    size_t plain_bytes, plain_room, room;
};

static void store_packed_report_check(size_t result)
{
    if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation)
        out_of_memory();
    if (ZSTD_isError(result))
        BUG("zstd: %s", ZSTD_getErrorName(result));
}

static void store_packed_report_compress(struct report_packing *p, ZSTD_EndDirective end)
{
    ZSTD_inBuffer in = {p->plain, p->plain_bytes, 0};
    size_t left;
    do {
        if (p->room - p->to->size_bytes < ZSTD_CStreamOutSize()) {
            p->room = p->room + p->room / 2 + ZSTD_CStreamOutSize();
            p->to->bytes = xrealloc(p->to->bytes, p->room);
        }
        ZSTD_outBuffer out = {p->to->bytes, p->room, p->to->size_bytes};
        left = ZSTD_compressStream2(p->zstd, &out, &in, end);
        store_packed_report_check(left);
        p->to->size_bytes = out.pos;
    } while (end == ZSTD_e_end ? left != 0 : in.pos < in.size);
    p->plain_bytes = 0;
}

static ssize_t store_packed_report_write_text(void *cookie, const char *text, size_t size_bytes)
{
    struct report_packing *p = cookie;
    if (p->plain_bytes + size_bytes > PLAIN_BYTES)
        store_packed_report_compress(p, ZSTD_e_continue);
    if (p->plain_bytes + size_bytes > p->plain_room) {
        p->plain_room = 2 * (p->plain_bytes + size_bytes);
        p->plain = xrealloc(p->plain, p->plain_room);
    }
    memcpy(p->plain + p->plain_bytes, text, size_bytes);
    p->plain_bytes += size_bytes;
    return (ssize_t)size_bytes;
}

static int store_packed_report_finish(void *cookie)
{
    struct report_packing *p = cookie;
    if (p->to->bytes == NULL)
        store_packed_report_check(ZSTD_CCtx_setPledgedSrcSize(p->zstd, p->plain_bytes));
    store_packed_report_compress(p, ZSTD_e_end);
    ZSTD_freeCCtx(p->zstd);
    free(p->plain);
    free(p);
    return 0;
}

FILE *packed_report_open(struct packed_report *to)
{
    struct report_packing *p = xcalloc(1, sizeof *p);
    *to = (struct packed_report){0};
    p->to = to;
    p->zstd = ZSTD_createCCtx();
    if (p->zstd == NULL)
        out_of_memory();
    store_packed_report_check(ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_compressionLevel, LEVEL));
    FILE *out = fopencookie(
        p, "w", (cookie_io_functions_t){.write = store_packed_report_write_text, .close = store_packed_report_finish});
    if (out == NULL)
        out_of_memory();
    return out;
}
