/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Host calls that wait and have no form that does not: opening a FIFO, connecting, locking, draining a terminal. A host
 * thread of its own performs each, while the thread of the guest is blocked as in any other call; so other threads run,
 * and signals arrive. A signal to the guest's thread interrupts the host call, which then has the result that Linux
 * gives it: EINTR, or what it has done. Private to core-model/linux. */
#ifndef CORE_MODEL_LINUX_APART_H
#define CORE_MODEL_LINUX_APART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct guest;
struct linux_apart;

enum { APART_ARGS = 6 };
struct linux_host_call {
    long number;        /* of the host */
    long a[APART_ARGS]; /* those of the bits `in_data` are offsets in `data` */
    unsigned in_data;
    void *data; /* copied; what the host has written there is copied back. NULL: none */
    size_t data_bytes;
    bool gives_fd; /* the result is a descriptor, which is closed if the guest does not get it */
    bool is_short; /* it seldom waits: the guest's thread blocks only if it has not ended after a moment */
};

/* Begins the call, or goes on waiting for the one that the running thread's handler has begun: its result or a negative
 * error number; -LINUX_BLOCK; -LINUX_RESTART if a signal has interrupted it. */
int64_t linux_call_apart(struct guest *g, const struct linux_host_call *c);
/* Interrupts the call if it still waits, discards its result, and frees it. */
void linux_apart_drop(struct linux_apart *p);
/* Before a fork: interrupts all calls, so that the child inherits no descriptor of a call that has just ended. Each
 * thread begins its call again when it runs. */
void linux_apart_settle(struct guest *g);

#endif
