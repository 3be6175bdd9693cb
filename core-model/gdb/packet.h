/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packets of gdb's remote serial protocol: `$DATA#CHECKSUM`, their parser, and the writer of replies. Source: the
 * manual of gdb, appendix "gdb Remote Serial Protocol", sections Overview and Packets. */
#ifndef CORE_MODEL_GDB_PACKET_H
#define CORE_MODEL_GDB_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Most bytes of a request's data, as qSupported announces it. */
enum { GDB_PACKET_BYTES = 0x4000 };

/* What a byte completes. */
enum gdb_input {
    GDB_INPUT_NONE,
    GDB_INPUT_REQUEST,   /* a packet whose checksum is right: `data` */
    GDB_INPUT_DAMAGED,   /* a packet whose checksum is wrong, or one that is too long */
    GDB_INPUT_REPEAT,    /* `-`: the peer has received a damaged packet */
    GDB_INPUT_INTERRUPT, /* byte 3: Ctrl-C */
};

/* The parser of what the peer sends. All zero: at the start. */
struct gdb_reader {
    enum { GDB_READ_BETWEEN, GDB_READ_DATA, GDB_READ_ESCAPED, GDB_READ_SUM_HIGH, GDB_READ_SUM_LOW } state;
    uint8_t sum, expected;
    bool is_damaged;
    size_t size_bytes;
    char data[GDB_PACKET_BYTES + 1]; /* of the request, without escapes; NUL-terminated when it is complete */
};

enum gdb_input gdb_reader_take(struct gdb_reader *r, uint8_t byte);

/* A reply that is being written. All zero: empty. */
struct gdb_reply {
    char *data; /* owned */
    size_t size_bytes, room_bytes;
};

void gdb_reply_clear(struct gdb_reply *r);
void gdb_reply_free(struct gdb_reply *r);
void gdb_reply_bytes(struct gdb_reply *r, const void *data, size_t size_bytes);
void gdb_reply_text(struct gdb_reply *r, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Each byte as two hexadecimal digits. */
void gdb_reply_hex(struct gdb_reply *r, const void *data, size_t size_bytes);
/* With the escapes of binary data. */
void gdb_reply_binary(struct gdb_reply *r, const void *data, size_t size_bytes);
/* The reply as a packet, for the caller to free. */
char *gdb_reply_frame(const struct gdb_reply *r, size_t *size_bytes);

/* A request's text that is being parsed. */
struct gdb_scan {
    const char *at, *end;
};

struct gdb_scan gdb_scan_from(const char *text, size_t size_bytes);
/* Takes the text; false, and nothing is taken, if something else is there. */
bool gdb_scan_word(struct gdb_scan *s, const char *text);
/* Takes a hexadecimal number of at most 16 digits; false: there is none. */
bool gdb_scan_number(struct gdb_scan *s, uint64_t *value);
/* Takes the id of a thread: a hexadecimal number, or -1 for all: UINT64_MAX. */
bool gdb_scan_thread(struct gdb_scan *s, uint64_t *tid);
/* Takes pairs of hexadecimal digits up to a character that is none, at most `room` bytes of them; returns their number.
 * A digit that has no second one stays. */
size_t gdb_scan_hex(struct gdb_scan *s, void *to, size_t room);
static inline bool gdb_scan_is_over(const struct gdb_scan *s) { return s->at == s->end; }

#endif
