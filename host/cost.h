/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time the host's part of profiling takes: a clock that runs while an interrupt is served, by one entry and exit,
 * each bus access and each piece of work on the driver's tables, at the costs of isa/contract/host_cost.def. What the
 * handler does to caches and predictors is not part of it. */
#ifndef HOST_COST_H
#define HOST_COST_H

#include <stdbool.h>
#include <stdint.h>

/* Core cycles by key. All zero, as in a static object: nothing takes time. */
struct host_cost {
#define HOST_COST(key, def, min, max, unit, help, source) uint32_t key;
#define HOST_WORK(sym, key, def, max, help, source) uint32_t key;
#include "isa/contract/host_cost.def"
#undef HOST_WORK
#undef HOST_COST
};

enum host_work {
#define HOST_COST(key, def, min, max, unit, help, source)
#define HOST_WORK(sym, key, def, max, help, source) HOST_##sym,
#include "isa/contract/host_cost.def"
#undef HOST_WORK
#undef HOST_COST
    HOST_WORK_KINDS
};

/* What all services together did, and the cycles they took. */
struct host_account {
    uint64_t services, reads, writes, work[HOST_WORK_KINDS];
    uint64_t entry_exit_cycles, bus_cycles, work_cycles;
    uint64_t delivery_cycles; /* from the co-processor's interrupt to the core's taking it: the program runs on */
};

struct host_clock {
    struct host_cost cost;
    uint64_t cycle; /* of the core, as far as the handler has got */
    bool running;   /* a service is going on; otherwise nothing takes time */
    bool stopped;   /* nothing will take time any more */
    struct host_account account;
    uint64_t charged; /* cycles of all services at `cost`; those of the account, unless they pass in no time (`free`) */
};

/* `cost` is copied; NULL: free. */
void host_clock_init(struct host_clock *c, const struct host_cost *cost);

/* A service of the interrupt raised at one core cycle and taken at another. */
void host_clock_enter(struct host_clock *c, uint64_t raised, uint64_t taken);
/* Its end; returns the core cycle at which the program goes on. */
uint64_t host_clock_leave(struct host_clock *c);

/* The handler's time passes by an access to the bus; by `n` pieces of work. */
void host_clock_read(struct host_clock *c);
void host_clock_write(struct host_clock *c);
void host_clock_work(struct host_clock *c, enum host_work kind, uint64_t n);
/* By merging a layout's rows into a table: `used` of them were, and that made `added` entries. */
void host_clock_merge(struct host_clock *c, uint64_t rows, uint64_t used, uint64_t added);

/* All cycles that the core spent on services. */
uint64_t host_account_cycles(const struct host_account *a);

#endif
