/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is kept of a run, so that any of its moments can be shown again: copies of the co-processor's state from time to
 * time, and all that came to it from outside (samples, the driver's writes, the user's changes), each with its core
 * cycle. Copy, then inputs: the same state, since the co-processor is deterministic.
 *
 * Memory is bounded. When the copies take half of what is allowed, every second one goes, and the distance between two
 * doubles; when the inputs do, the oldest quarter goes, and the history begins later. */
#ifndef EMU_DEBUG_HISTORY_H
#define EMU_DEBUG_HISTORY_H

#include "emu/cop_inspect.h"

/* A point of a run, between two words. Moments are ordered by words executed, then inputs taken, then phase. */
enum phase {
    PHASE_INPUT,   /* an input has just been taken */
    PHASE_DONE,    /* a sample has just been finished */
    PHASE_HALT,    /* an interrupt, or a fault of the program */
    PHASE_BETWEEN, /* somewhere between two words */
    PHASE_WORD,    /* the next word is about to execute */
};
struct moment {
    uint64_t words, inputs;
    enum phase phase;
};
/* Less than, equal to or greater than 0. */
int moment_compare(const struct moment *x, const struct moment *y);

struct history_input {
    enum { INPUT_SAMPLE, INPUT_WRITE, INPUT_POKE, INPUT_PC } kind;
    uint64_t cycle;             /* of the core */
    uint64_t offered, filtered; /* the filters' counts then: what they were asked is not kept */
    enum opclass opclass;       /* SAMPLE */
    unsigned fields;
    uint64_t field[ISA_FIELDS]; /* by position in the record */
    struct cop_place place;     /* POKE; WRITE: region is the address */
    uint64_t value;
};

/* A place in the log of inputs. Numbers are absolute, those of bytes since the run began. */
struct history_cursor {
    uint64_t at, cycle, offered, filtered;
};

struct snapshot {
    struct cop *cop;
    struct moment at;
    uint64_t samples;             /* begun */
    bool fresh;                   /* the first word of one is next */
    struct history_cursor cursor; /* the inputs that follow */
};

struct history {
    size_t limit_bytes, snapshot_bytes; /* snapshot_bytes: of one */
    uint64_t interval;                  /* words between two snapshots */
    struct snapshot *snapshot;
    unsigned snapshots, room;
    uint8_t **chunk; /* the log */
    uint64_t first_chunk;
    unsigned chunks, chunk_room;
    struct history_cursor end;
    bool forgot; /* it no longer begins where the run did */
};

enum { HISTORY_DEFAULT_BYTES = 48 << 20, HISTORY_LEAST_BYTES = 4 << 20 };

void history_init(struct history *h, size_t limit_bytes, const struct cop *cop);
void history_fini(struct history *h);
/* Forgets everything. */
void history_clear(struct history *h);
void history_add(struct history *h, const struct history_input *in);
/* Is it time for another snapshot? */
bool history_wants_snapshot(const struct history *h, const struct moment *at);
/* Keeps a snapshot, whose cursor it sets. s->cop is the history's from now on. */
void history_keep(struct history *h, const struct snapshot *s);
/* The number of the last snapshot before the moment, or of the first where there is none before it. */
unsigned history_before(const struct history *h, const struct moment *at);
/* Reads the input at the cursor and moves it on; false at the end. */
bool history_read(const struct history *h, struct history_cursor *cursor, struct history_input *in);
/* Are the inputs from the cursor on still there? */
bool history_has(const struct history *h, const struct history_cursor *cursor);
size_t history_bytes(const struct history *h);

#endif
