/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sampled instructions one by one, as ProfileMe selects them (prof/count/selection.h), for perf.data: those that
 * retired, each with its thread, its address of data, where its data came from, and its latency. */
#ifndef CORE_MODEL_PROF_ACCESS_LOG_H
#define CORE_MODEL_PROF_ACCESS_LOG_H

#include "core-model/prof/observer.h"

/* A retired instruction. Without values, as in the replay of a recording that lacks them, `address` and `bytes` are
 * 0. */
struct access_sample {
    uint64_t pc;
    uint64_t address;   /* of the data that it accesses */
    uint64_t cycle;     /* in which it retired */
    uint32_t latency;   /* cycles from its issue until it was done; of a load, until it had its data */
    uint32_t events;    /* enum probe_event; of a store, with those of its access to the cache */
    uint32_t thread;    /* number of the running thread, from 1 */
    uint8_t bytes;      /* of data; 0: it accesses none */
    bool reads, writes; /* memory; an atomic operation does both */
    bool is_atomic;
};

struct access_log;

/* Selects each instruction with the probability 1 / period, at random; with a period of 1 all. */
struct access_log *access_log_new(uint64_t period, uint64_t seed);
struct observer *access_log_observer(struct access_log *log);

/* The samples in the order in which they were complete. The log owns them. */
const struct access_sample *access_log_samples(const struct access_log *log, size_t *count);

#endif
