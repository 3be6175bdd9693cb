/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Internal interface of the server. Each file calls only files above it in this list:
 *
 *     packet.c     packets, their parser and writer
 *     link.c       the connection
 *     registers.c  registers; breaks.c: breakpoints and watchpoints
 *     history.c    recorded instructions, for reverse execution
 *     resume.c     how the guest runs on, and why it stops
 *     reverse.c    reverse execution
 *     transfer.c   objects that gdb reads in parts; files.c: files of the guest
 *     requests.c   the requests
 *     gdb.c        the public interface (gdb.h), sending and receiving */
#ifndef CORE_MODEL_GDB_SERVER_H
#define CORE_MODEL_GDB_SERVER_H

#include "core-model/gdb/breaks.h"
#include "core-model/gdb/gdb.h"
#include "core-model/gdb/history.h"
#include "core-model/gdb/link.h"
#include "core-model/gdb/packet.h"

enum { GDB_FILES_MAX = 16, GDB_THREADS_MAX = 4096 };

/* Why the guest has stopped. */
struct gdb_event {
    enum gdb_event_kind {
        GDB_EVENT_NONE,
        GDB_EVENT_START,
        GDB_EVENT_STEP,
        GDB_EVENT_BREAK,
        GDB_EVENT_WATCH,
        GDB_EVENT_FAULT,
        GDB_EVENT_SIGNAL,
        GDB_EVENT_INTERRUPT,
        GDB_EVENT_EXEC,
        GDB_EVENT_PAUSE, /* inside a run */
        GDB_EVENT_BEGIN, /* of what is recorded, in reverse execution */
        GDB_EVENT_EXIT,
    } kind;
    int signal;   /* FAULT, SIGNAL: the guest's number of it */
    uint32_t tid; /* thread in which it happened */
    enum gdb_break watch;
    uint64_t address; /* WATCH */
};

/* How the guest runs on. */
struct gdb_run {
    enum { GDB_RUN_ON, GDB_RUN_STEP, GDB_RUN_RANGE } kind;
    uint32_t tid;        /* STEP, RANGE: the thread that steps */
    uint64_t start, end; /* RANGE: while its pc is there */
    int signal;          /* the guest's number of the signal that gdb passes; 0: none */
};

/* The instruction that a run of one instruction has executed. */
struct gdb_ran {
    uint64_t before;                  /* instructions executed before it; of the functional core */
    uint32_t thread[GUEST_HARTS_MAX]; /* of each hart before it */
    bool is_known;
    unsigned hart;
    struct gdb_access access;
};

struct gdb_server {
    struct gdb_link link;
    struct gdb_reader reader;
    struct gdb_reply reply;
    char *sent; /* the last packet, for its repetition; owned */
    size_t sent_bytes;
    pid_t owner; /* forked processes are not debugged */
    struct guest *guest;
    bool is_functional;
    struct gdb_services services;
    struct guest_tracer tracer;
    struct gdb_breaks breaks;
    struct gdb_history history;
    int file[GDB_FILES_MAX]; /* descriptor plus 1; 0: free */
    struct gdb_event event;
    struct gdb_run run;
    struct gdb_ran ran;
    uint64_t general_thread; /* of H: 0: any */
    uint64_t passed;         /* signals that are not reported, signal - 1 is the bit */
    int deliver;             /* signal that is delivered without a report, once; 0: none */
    bool is_active, is_over;
    bool without_acks, leaves, owes_stop;
    bool knows_swbreak, knows_hwbreak, knows_exec;
};

/* resume.c */
/* The guest's number of a signal as gdb's, and the other way round; 0: none. */
unsigned gdb_signal_number(int signal);
int gdb_signal_of(uint64_t number);
/* The reply that tells why the guest has stopped. */
void gdb_resume_tell_stop(struct gdb_server *s);
/* Lets the guest run. */
void gdb_resume_begin(struct gdb_server *s, const struct gdb_run *run);
bool gdb_resume_withholds(void *ctx, struct guest *g, enum guest_stop stop, int signal);
/* The thread of requests without one. */
uint32_t gdb_resume_thread(const struct gdb_server *s);

/* reverse.c */
/* bs and bc: takes back an instruction, or all up to a breakpoint, a watchpoint or the beginning of what is recorded.
 */
void gdb_reverse_step(struct gdb_server *s);
void gdb_reverse_continue(struct gdb_server *s);
/* Executes `record` and `record stop` of gdb's monitor, with their output; false: it is another command. */
bool gdb_reverse_command(struct gdb_server *s, const char *command, FILE *out);

/* transfer.c: qXfer:OBJECT:read:ANNEX:OFFSET,LENGTH, from OBJECT on. */
void gdb_transfer(struct gdb_server *s, struct gdb_scan *scan);

/* files.c: vFile:OPERATION:..., from OPERATION on. */
void gdb_files_request(struct gdb_server *s, struct gdb_scan *scan);
void gdb_files_close(struct gdb_server *s);

/* requests.c: executes a request and writes its reply. */
void gdb_request(struct gdb_server *s, const char *data, size_t size_bytes);

/* gdb.c: sends a packet now, beside that of the reply. */
bool gdb_send(struct gdb_server *s, const struct gdb_reply *r);
/* Whether the user has pressed Ctrl-C in the terminal of this process since the last stop. */
bool gdb_alert_is_interrupt(void);

#endif
