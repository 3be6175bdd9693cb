/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file format of a recording: the probe stream of a run, from which replay.h makes the same calls again.
 * docs/recording.md has the layout. A file is a sequence of parts:
 *
 *     0   magic (8 bytes), version (4 bytes)
 *     12  part HEAD: facts known before the run
 *     ..  parts BLOCK: the stream, each a number of whole cycles
 *     ..  parts CODE: executable pages of the guest as they stand when the run is over
 *     ..  part TAIL: facts known when the run is over
 *
 * Each part is a header, a table of its columns and the columns, each a frame of zstd with a checksum:
 *
 *     0   kind (4 bytes, letters), number of columns (4)
 *     8   bytes behind the table (8)
 *     16  for each column: bytes when decompressed (4), bytes as stored (4)
 *
 * Numbers are little-endian. */
#ifndef CORE_MODEL_RECORD_FORMAT_H
#define CORE_MODEL_RECORD_FORMAT_H

#include "core-model/record/column.h"
#include "isa/support/status.h"

enum { RECORD_VERSION = 1 };

enum {
    RECORD_MAGIC_BYTES = 8,
    RECORD_COLUMN_MOST = 1 << 24, /* bytes of a column when decompressed */
    RECORD_BLOCK_OPS = 1 << 18,   /* a block ends with the cycle in which it has so many operations, */
    RECORD_BLOCK_BYTES = 1 << 22, /* or a column so many bytes */
};

enum record_part { RECORD_PART_HEAD, RECORD_PART_BLOCK, RECORD_PART_CODE, RECORD_PART_TAIL, RECORD_PARTS };

/* The most pages of a part CODE: each is its number, less that of the one before in the part, and its bytes. */
enum { RECORD_CODE_PAGES = 1 << 10 };

/* The operations of the column ops. Those that have a number of repetitions behind their name are that many codes: the
 * code is the first one plus the number of repetitions less one. */
enum record_op {
    OP_FETCH = 0,                 /* 8: fetches the predicted instruction */
    OP_MAP = OP_FETCH + 8,        /* 8: renames the next instruction */
    OP_MAP_READY = OP_MAP + 8,    /* 8: the same, and its operands are ready at once */
    OP_RETIRE = OP_MAP_READY + 8, /* 8: retires the oldest instruction */
    OP_ISSUE = OP_RETIRE + 8,     /* 8: in-order core: issues the next instruction */
    OP_EXEC = OP_ISSUE + 8,       /* 32: callbacks of the column exec */
    OP_SQUASH = OP_EXEC + 32,     /* 16: takes the youngest instruction back, for the cause of the last squash */
    OP_TOKEN = OP_SQUASH + 16,    /* ends the cycle with the derived token */
    OP_TOKEN_REPEAT,              /* the same, of several cycles */
    OP_TOKEN_FLAGS,               /* the same, with flags of enum record_flag */
    OP_TOKEN_WHOLE,               /* ends the cycle with a token that is stored in full */
    OP_FETCH_OTHER,               /* fetches the instruction that came here before the predicted one */
    OP_FETCH_KNOWN,               /* fetches the instruction of that number */
    OP_FETCH_NEW,                 /* fetches an instruction that gets the next number */
    OP_CAUSE,                     /* the cause of squashes from now on */
    OP_EVENTS,                    /* changes the events of the instruction at a position */
    OP_EVENTS_HEAD,               /* the same of the oldest */
    OP_EVENTS_FETCH,              /* changes the events with which instructions are fetched from now on */
    OP_EVENTS_BANK,               /* changes the events of an instruction in a bank of the token */
    OP_HISTORY,                   /* the branch history of the next instruction that is fetched */
    OP_SEQ,                       /* the fetch number of the next instruction that is fetched */
    OP_CLOCK,                     /* the number of the cycle */
    OP_OUTCOME,                   /* changes the values of the instruction at a position */
    OP_NEXT_PC,                   /* the token's address before which an interrupt would be taken */
    OP_TARGET,                    /* the address behind the next instruction that retires */
    OP_BEFORE,                    /* what the next instruction that retires finds before it */
    OP_STORE,                     /* the access of a store that has retired */
    OP_COUNT
};

enum { RECORD_RUN = 8, RECORD_EXEC_RUN = 32, RECORD_SQUASH_RUN = 16 };

/* The callbacks of the column exec; from EXEC_EVENT on an event that happens, by its enum probe_event_bit.
 * PROBE_WRONG_PATH is not among them: it happens before an instruction is fetched that has it. */
enum record_exec { EXEC_READY, EXEC_ISSUED, EXEC_LOADED, EXEC_DONE, EXEC_EVENT };

/* Flags of a token. The first two hold until they are changed, the others for one token. */
enum record_flag {
    FLAG_HANDLER = 1 << 0,
    FLAG_BLOCKED = 1 << 1,
    FLAG_MISPREDICTED = 1 << 2 /* of bank 0, the other banks' above: it mispredicts where that is not derived, or not */
};
enum { FLAGS_KEPT = FLAG_HANDLER | FLAG_BLOCKED };

#endif
