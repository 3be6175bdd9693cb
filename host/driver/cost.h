/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Execution time of the host's part of profiling. A clock advances while an interrupt is handled: by handler entry
 * and exit, each bus access and each operation on the driver's tables, at the costs in contract/host_cost.def.
 * The handler's effect on caches and predictors is not modelled. */
#ifndef HOST_DRIVER_COST_H
#define HOST_DRIVER_COST_H

#include <stdbool.h>
#include <stdint.h>

/* Cost of each kind of work in core cycles. All zero: no work takes time. */
struct host_cost {
#define HOST_COST(key, def, min, max, unit, help, source) uint32_t key;
#define HOST_WORK(sym, key, def, max, help, source) uint32_t key;
#include "contract/host_cost.def"
};

enum host_work {
#define HOST_WORK(sym, key, def, max, help, source) HOST_##sym,
#include "contract/host_cost.def"
    HOST_WORK_KINDS
};

/* Totals over all handler executions: work done, and cycles taken. */
struct host_account {
    uint64_t services, reads, writes, work[HOST_WORK_KINDS];
    uint64_t entry_exit_cycles, bus_cycles, work_cycles;
    uint64_t delivery_cycles; /* from the co-processor's interrupt until the core takes it, while the program runs on */
};

struct host_clock {
    struct host_cost cost;
    uint64_t cycle; /* core cycle that the handler has reached */
    bool running;   /* a handler is running; otherwise work takes no time */
    bool stopped;   /* stopped for good: no work takes time */
    struct host_account account;
    uint64_t
        charged; /* cycles of all handlers at `cost`; equal to those of the account unless the host is free (`free`) */
};

/* `cost` is copied; NULL: free. */
void host_clock_init(struct host_clock *c, const struct host_cost *cost);

/* A handler begins: the interrupt was raised and taken in these core cycles. */
void host_clock_enter(struct host_clock *c, uint64_t raised, uint64_t taken);
/* The handler ends; returns the core cycle in which the program resumes. */
uint64_t host_clock_leave(struct host_clock *c);

/* Charge one bus access, or `n` operations, to the handler. */
void host_clock_read(struct host_clock *c);
void host_clock_write(struct host_clock *c);
void host_clock_work(struct host_clock *c, enum host_work kind, uint64_t n);
/* Charges the merging of a layout's rows into a table: `used` rows were in use and made `added` new entries. */
void host_clock_merge(struct host_clock *c, uint64_t rows, uint64_t used, uint64_t added);

/* Adds the work and the cycles of another account. */
void host_account_add(struct host_account *a, const struct host_account *other);
/* Total core cycles spent in handlers. */
uint64_t host_account_cycles(const struct host_account *a);

#endif
