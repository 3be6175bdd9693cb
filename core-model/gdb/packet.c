/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/gdb/packet.h"

#include <stdlib.h>
#include <string.h>

enum { ESCAPE = '}', ESCAPED = 0x20, INTERRUPT = 3, NUMBER_DIGITS = 16 };

/* The value of a hexadecimal digit; -1: it is none. */
static int gdb_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* ---- requests ---- */

static void reader_begin(struct gdb_reader *r)
{
    r->state = GDB_READ_DATA;
    r->sum = 0;
    r->size_bytes = 0;
    r->is_damaged = false;
}

static enum gdb_input take_between(struct gdb_reader *r, uint8_t byte)
{
    if (byte == '$')
        reader_begin(r);
    return byte == '-' ? GDB_INPUT_REPEAT : byte == INTERRUPT ? GDB_INPUT_INTERRUPT : GDB_INPUT_NONE;
}

static void reader_add(struct gdb_reader *r, uint8_t byte)
{
    if (r->size_bytes == GDB_PACKET_BYTES)
        r->is_damaged = true;
    else
        r->data[r->size_bytes++] = (char)byte;
}

/* A `$` inside a packet begins another one: the end of the first is lost. */
static enum gdb_input take_data(struct gdb_reader *r, uint8_t byte)
{
    if (byte == '$') {
        reader_begin(r);
        return GDB_INPUT_NONE;
    }
    if (byte == '#') {
        r->is_damaged |= r->state == GDB_READ_ESCAPED;
        r->state = GDB_READ_SUM_HIGH;
        return GDB_INPUT_NONE;
    }
    r->sum = (uint8_t)(r->sum + byte);
    if (r->state == GDB_READ_DATA && byte == ESCAPE) {
        r->state = GDB_READ_ESCAPED;
        return GDB_INPUT_NONE;
    }
    reader_add(r, r->state == GDB_READ_ESCAPED ? byte ^ ESCAPED : byte);
    r->state = GDB_READ_DATA;
    return GDB_INPUT_NONE;
}

static enum gdb_input take_sum(struct gdb_reader *r, uint8_t byte)
{
    const int digit = gdb_digit((char)byte);
    r->is_damaged |= digit < 0;
    if (r->state == GDB_READ_SUM_HIGH) {
        r->expected = (uint8_t)((unsigned)digit << 4);
        r->state = GDB_READ_SUM_LOW;
        return GDB_INPUT_NONE;
    }
    r->expected |= (uint8_t)digit;
    r->state = GDB_READ_BETWEEN;
    r->data[r->size_bytes] = '\0';
    return r->is_damaged || r->expected != r->sum ? GDB_INPUT_DAMAGED : GDB_INPUT_REQUEST;
}

enum gdb_input gdb_reader_take(struct gdb_reader *r, uint8_t byte)
{
    switch (r->state) {
    case GDB_READ_BETWEEN:
        return take_between(r, byte);
    case GDB_READ_DATA:
    case GDB_READ_ESCAPED:
        return take_data(r, byte);
    case GDB_READ_SUM_HIGH:
    case GDB_READ_SUM_LOW:
        break;
    }
    return take_sum(r, byte);
}

/* ---- replies ---- */

void gdb_reply_clear(struct gdb_reply *r) { r->size_bytes = 0; }

void gdb_reply_free(struct gdb_reply *r)
{
    free(r->data);
    *r = (struct gdb_reply){0};
}

void gdb_reply_bytes(struct gdb_reply *r, const void *data, size_t size_bytes)
{
    if (r->room_bytes - r->size_bytes < size_bytes) {
        r->room_bytes = 2 * r->room_bytes + size_bytes;
        r->data = xrealloc(r->data, r->room_bytes);
    }
    if (size_bytes != 0)
        memcpy(r->data + r->size_bytes, data, size_bytes);
    r->size_bytes += size_bytes;
}

void gdb_reply_text(struct gdb_reply *r, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *text = xvasprintf(fmt, ap);
    va_end(ap);
    gdb_reply_bytes(r, text, strlen(text));
    free(text);
}

void gdb_reply_hex(struct gdb_reply *r, const void *data, size_t size_bytes)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < size_bytes; i++) {
        const uint8_t byte = ((const uint8_t *)data)[i];
        const char two[2] = {digits[byte >> 4], digits[byte & 15]};
        gdb_reply_bytes(r, two, sizeof two);
    }
}

void gdb_reply_binary(struct gdb_reply *r, const void *data, size_t size_bytes)
{
    for (size_t i = 0; i < size_bytes; i++) {
        const char byte = ((const char *)data)[i], escaped[2] = {ESCAPE, (char)(byte ^ ESCAPED)};
        const bool escapes = byte == '#' || byte == '$' || byte == '*' || byte == ESCAPE;
        gdb_reply_bytes(r, escapes ? escaped : &byte, escapes ? sizeof escaped : 1);
    }
}

char *gdb_reply_frame(const struct gdb_reply *r, size_t *size_bytes)
{
    enum { AROUND = sizeof "$#00" };
    uint8_t sum = 0;
    for (size_t i = 0; i < r->size_bytes; i++)
        sum = (uint8_t)(sum + (uint8_t)r->data[i]);
    char *frame = xmalloc(r->size_bytes + AROUND);
    frame[0] = '$';
    if (r->size_bytes != 0)
        memcpy(frame + 1, r->data, r->size_bytes);
    snprintf(frame + 1 + r->size_bytes, AROUND - 1, "#%02x", sum);
    *size_bytes = r->size_bytes + AROUND - 1;
    return frame;
}

/* ---- parsing ---- */

struct gdb_scan gdb_scan_from(const char *text, size_t size_bytes)
{
    return (struct gdb_scan){text, text + size_bytes};
}

bool gdb_scan_word(struct gdb_scan *s, const char *text)
{
    const size_t length = strlen(text);
    if ((size_t)(s->end - s->at) < length || memcmp(s->at, text, length) != 0)
        return false;
    s->at += length;
    return true;
}

bool gdb_scan_number(struct gdb_scan *s, uint64_t *value)
{
    unsigned digits = 0;
    *value = 0;
    for (; s->at < s->end && digits < NUMBER_DIGITS && gdb_digit(*s->at) >= 0; digits++)
        *value = *value << 4 | (uint64_t)gdb_digit(*s->at++);
    return digits != 0;
}

bool gdb_scan_thread(struct gdb_scan *s, uint64_t *tid)
{
    if (!gdb_scan_word(s, "-1"))
        return gdb_scan_number(s, tid);
    *tid = UINT64_MAX;
    return true;
}

size_t gdb_scan_hex(struct gdb_scan *s, void *to, size_t room)
{
    size_t n = 0;
    for (; n < room && s->end - s->at >= 2 && gdb_digit(s->at[0]) >= 0 && gdb_digit(s->at[1]) >= 0; n++, s->at += 2)
        ((uint8_t *)to)[n] = (uint8_t)(gdb_digit(s->at[0]) << 4 | gdb_digit(s->at[1]));
    return n;
}
