/* SPDX-License-Identifier: GPL-3.0-or-later */
/* History of a run for reverse execution: periodic snapshots of the co-processor's state, and a log of all its inputs
 * (samples, the driver's writes, the user's changes), each with its core cycle. The co-processor is deterministic, so a
 * snapshot and the inputs after it reproduce every later state.
 *
 * Memory is bounded. When the snapshots take half of the limit, every second one is dropped and their interval doubles.
 * When the inputs take half of the limit, the oldest quarter of the history is dropped. */
#ifndef EMU_DEBUG_HISTORY_H
#define EMU_DEBUG_HISTORY_H

#include "emu/cop_inspect.h"

/* Phase of a moment. A moment is a point of a run between two words; moments are ordered by words executed, then inputs
 * applied, then phase. */
enum history_phase {
    PHASE_INPUT,   /* after an input */
    PHASE_DONE,    /* after the completion of a sample */
    PHASE_HALT,    /* at an interrupt or a fault of the program */
    PHASE_BETWEEN, /* any other point between two words */
    PHASE_WORD,    /* before the execution of the next word */
};
struct moment {
    uint64_t words, inputs;
    enum history_phase phase;
};
/* Compares as strcmp does. */
int moment_compare(const struct moment *x, const struct moment *y);

struct history_input {
    enum { INPUT_SAMPLE, INPUT_WRITE, INPUT_POKE, INPUT_PC } kind;
    uint64_t cycle; /* core cycle */
    /* The filter counters at that time, because filter queries are not recorded. */
    uint64_t offered, filtered, eligible;
    enum opclass opclass; /* SAMPLE */
    unsigned fields;
    uint64_t field[ISA_FIELDS]; /* by position in the record */
    struct cop_place place;     /* POKE; WRITE: region is the bus address */
    uint64_t value;
};

/* Position in the input log, as an absolute byte number since the start of the run. */
struct history_cursor {
    uint64_t at, cycle, offered, filtered, eligible;
};

struct snapshot {
    struct cop *cop;
    struct moment at;
    uint64_t samples;             /* samples dispatched */
    bool fresh;                   /* the next word is the first one of a sample */
    struct history_cursor cursor; /* first input after the snapshot */
};

struct history {
    size_t limit_bytes, snapshot_bytes; /* memory limit; size of one snapshot */
    uint64_t interval;                  /* words between consecutive snapshots */
    struct snapshot *snapshot;
    unsigned snapshots, room;
    uint8_t **chunk; /* the input log */
    uint64_t first_chunk;
    unsigned chunks, chunk_room;
    struct history_cursor end;
    bool forgot; /* the start of the run was dropped */
};

enum { HISTORY_DEFAULT_BYTES = 48 << 20, HISTORY_LEAST_BYTES = 4 << 20 };

void history_init(struct history *h, size_t limit_bytes, const struct cop *cop);
void history_fini(struct history *h);
/* Drops all snapshots and inputs. */
void history_clear(struct history *h);
void history_add(struct history *h, const struct history_input *in);
/* Returns whether a snapshot is due. */
bool history_snapshot_due(const struct history *h, const struct moment *at);
/* Adds a snapshot and sets its cursor. The history takes ownership of s->cop. */
void history_keep(struct history *h, const struct snapshot *s);
/* Number of the last snapshot before the moment; the first one if none is before it. */
unsigned history_before(const struct history *h, const struct moment *at);
/* Reads the input at the cursor and advances the cursor; false at the end. */
bool history_read(const struct history *h, struct history_cursor *cursor, struct history_input *in);
/* Returns whether the inputs from the cursor on have not been dropped. */
bool history_has(const struct history *h, const struct history_cursor *cursor);
size_t history_bytes(const struct history *h);

#endif
