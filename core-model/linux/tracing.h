/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A debugger's access to a guest, as that of ptrace(2): the registers of its threads, its memory, and its signals
 * before they act. To be used while the guest does not run and nothing is in flight on its harts. */
#ifndef CORE_MODEL_LINUX_TRACING_H
#define CORE_MODEL_LINUX_TRACING_H

#include "core-model/linux/guest.h"

enum guest_stop {
    GUEST_STOP_FAULT,  /* the instruction at pc raises the signal; it has not executed */
    GUEST_STOP_SIGNAL, /* the signal is to be delivered to the running thread */
    GUEST_STOP_EXEC,   /* execve has loaded another program; no signal */
};

struct guest_tracer {
    /* Called before a signal acts on the guest, and after execve. True: the signal is withheld. Its thread does not
     * change, and the caller of the core must stop the run: the function sets the first hart's stop flag. When the
     * guest runs again the function is called again. */
    bool (*withholds)(void *ctx, struct guest *g, enum guest_stop stop, int signal);
    void *ctx;
};

/* The tracer's decision; false without one. Private to core-model/linux. */
bool linux_withholds(struct guest *g, enum guest_stop stop, int signal);

/* From now on, the tracer (borrowed) is called, also in forked processes; NULL: no longer. */
void guest_set_tracer(struct guest *g, const struct guest_tracer *tracer);

/* The numbers of the threads that have not ended, in the order of their start; returns how many there are, of which at
 * most `most` are written. */
size_t guest_list_threads(const struct guest *g, uint32_t *tid, size_t most);
/* The number of the thread that runs on hart `n`; 0: none does, or there is no such hart. */
uint32_t guest_thread_on(const struct guest *g, unsigned n);
/* The name of a thread, valid until it changes it; NULL: there is no such thread. */
const char *guest_thread_name(const struct guest *g, uint32_t tid);

/* Where the registers of a thread are while it does not run. */
struct guest_registers {
    uint64_t *reg; /* x0..x31, f0..f31 */
    uint64_t *pc;
    uint32_t *fcsr;
};
/* False: there is no such thread. */
bool guest_find_registers(const struct guest *g, uint32_t tid, struct guest_registers *r);
/* Lets the thread run next on the hart of `g`, unless it runs on another one or is blocked in a system call. */
void guest_prefer_thread(struct guest *g, uint32_t tid);
/* Removes a signal that was withheld from a thread, of its own or of the process. */
void guest_drop_signal(struct guest *g, uint32_t tid, int signal);
/* Sends a signal to a thread, as tgkill(2) does. */
void guest_send_signal(struct guest *g, uint32_t tid, int signal);
/* Looks for signals to deliver before the next instruction of the first hart. */
void guest_expect_signals(struct guest *g);

/* Copies to and from memory that the guest may read, writable or not; return the number of bytes copied, which ends at
 * the first page that it may not read. Writing discards decoded instructions. */
size_t guest_read_bytes(const struct guest *g, uint64_t address, void *to, size_t size_bytes);
size_t guest_write_bytes(struct guest *g, uint64_t address, const void *from, size_t size_bytes);

/* The auxiliary vector in the guest's memory. */
struct guest_range {
    uint64_t start, end;
};
struct guest_range guest_auxiliary_vector(const struct guest *g);

/* The path on the host of a file that belongs to the guest, by the guest's or the host's name: its program, its
 * dynamic linker and libraries, and every file in the sysroot. The caller frees it. NULL: it is none of these. */
char *guest_find_own_file(const struct guest *g, const char *name);

#endif
