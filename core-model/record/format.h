/* SPDX-License-Identifier: GPL-3.0-or-later */
/* File format of a recording: the probe stream of a run, from which replay.h repeats the same calls. docs/recording.md
 * describes the layout. A file is a sequence of parts:
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

#include "base/status.h"
#include "core-model/record/column.h"

enum { RECORD_VERSION = 1 };

enum {
    RECORD_MAGIC_BYTES = 8,
    RECORD_COLUMN_MOST = 1 << 24, /* maximum decompressed size of a column in bytes */
    RECORD_BLOCK_OPS = 1 << 18,   /* a block ends with the cycle in which it reaches this number of operations, */
    RECORD_BLOCK_BYTES = 1 << 22, /* or a column this number of bytes */
};

enum record_part {
    RECORD_PART_HEAD,
    RECORD_PART_BLOCK,
    RECORD_PART_CODE,
    RECORD_PART_TAIL,
    RECORD_PART_SAMPLES,
    RECORD_PARTS
};

/* The columns of a part SAMPLES (sample_file.h): which instruction each is of (sample_codec.h), the instructions
 * sampled for the first time (address, as the difference to the previous one, and class), the cycles since the sample
 * before it, and the recorded fields, as differences to those of the instruction's last sample. */
enum { SAMPLE_INSN, SAMPLE_CODE, SAMPLE_CYCLE, SAMPLE_FIELDS, SAMPLE_COLUMNS };
#define RECORD_CYCLE_MOST (UINT64_C(1) << 60) /* largest cycle in which a recording begins, of a sample, and length */

/* Maximum number of pages in a part CODE. A page is stored as the difference of its number to the previous page's, and
 * its bytes. */
enum { RECORD_CODE_PAGES = 1 << 10 };

/* Operations of the column ops. An operation with a repeat count N in its comment has N codes: code OP_X + n - 1
 * represents n repetitions. */
enum record_op {
    OP_FETCH = 0,                 /* 8: fetches the predicted instruction */
    OP_MAP = OP_FETCH + 8,        /* 8: renames the next instruction */
    OP_MAP_READY = OP_MAP + 8,    /* 8: renames the next instruction, whose operands are ready */
    OP_RETIRE = OP_MAP_READY + 8, /* 8: retires the oldest instruction */
    OP_ISSUE = OP_RETIRE + 8,     /* 8: in-order core: issues the next instruction */
    OP_EXEC = OP_ISSUE + 8,       /* 32: callbacks of the column exec */
    OP_SQUASH = OP_EXEC + 32,     /* 16: squashes the youngest instruction, with the cause of the last squash */
    OP_TOKEN = OP_SQUASH + 16,    /* ends the cycle with the derived token */
    OP_TOKEN_REPEAT,              /* ends several cycles with the derived token */
    OP_TOKEN_FLAGS,               /* ends the cycle with the derived token and flags of enum record_flag */
    OP_TOKEN_WHOLE,               /* ends the cycle with a token that is stored in full */
    OP_FETCH_OTHER,               /* fetches the alternative successor, the one fetched here before the predicted one */
    OP_FETCH_KNOWN,               /* fetches the instruction with the given number */
    OP_FETCH_NEW,                 /* fetches a new instruction, to which the next number is assigned */
    OP_CAUSE,                     /* sets the cause of squashes */
    OP_EVENTS,                    /* changes the events of the instruction at a position */
    OP_EVENTS_HEAD,               /* changes the events of the oldest instruction */
    OP_EVENTS_FETCH,              /* sets the initial events of fetched instructions */
    OP_EVENTS_BANK,               /* changes the events of an instruction in a bank of the token */
    OP_HISTORY,                   /* branch history of the next fetched instruction */
    OP_SEQ,                       /* sequence number of the next fetched instruction */
    OP_CLOCK,                     /* cycle number */
    OP_OUTCOME,                   /* changes the values of the instruction at a position */
    OP_NEXT_PC,                   /* the token's interrupt_pc */
    OP_TARGET,                    /* successor address of the next retiring instruction */
    OP_BEFORE,                    /* OIR before the next retiring instruction */
    OP_STORE,                     /* cache access of a retired store */
    OP_COUNT
};

enum { RECORD_RUN = 8, RECORD_EXEC_RUN = 32, RECORD_SQUASH_RUN = 16 };

/* Callbacks of the column exec; EXEC_EVENT + n is the event with enum probe_event_bit n. PROBE_WRONG_PATH is not
 * included: it is known before fetch. */
enum record_exec { EXEC_READY, EXEC_ISSUED, EXEC_LOADED, EXEC_DONE, EXEC_EVENT };

/* Flags of a token. The first two persist until changed; the others apply to one token. */
enum record_flag {
    FLAG_HANDLER = 1 << 0,
    FLAG_BLOCKED = 1 << 1,
    FLAG_MISPREDICTED = 1 << 2 /* bank 0; higher bits: other banks. Inverts the derived misprediction flag */
};
enum { FLAGS_KEPT = FLAG_HANDLER | FLAG_BLOCKED };

#endif
