/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An observer of translated code: functional warming (core-model/warm.h). */
#ifndef CORE_MODEL_RISCV_TRANSLATE_WATCH_H
#define CORE_MODEL_RISCV_TRANSLATE_WATCH_H

#include "core-model/riscv/hart.h"
#include "core-model/riscv/lines.h"

/* Most instructions that are executed between two calls of `drain`, and words of the log that each may write. */
enum { WATCH_INSNS = 4096, WATCH_WORDS = 3 };
/* Bytes for what the observer knows of a branch or jump in translated code. */
enum { WATCH_SITE_BYTES = 64 };

/* Functions are called, in program order, for fetches from another line than before and for accesses to lines that are
 * not remembered. Transfers of control are logged by translated code, and there are functions for those that are
 * interpreted. */
struct rv_watch {
    struct lines lines; /* enter.S has the distances of these members */
    uint32_t *log;      /* where the next entry is written */
    /* The general case of an access by translated code that returns to `from`: see translated.c. */
    const uint8_t *(*observe)(struct rv_watch *w, uint64_t addr, unsigned kind, const uint8_t *from);
    _Alignas(64) struct lines_pair pair[LINES_PAIRS];
    const void *model; /* sites are described for it. Borrowed. */
    uint64_t line;     /* number of the line of the last instruction; UINT64_MAX: none yet, or it does not matter */
    bool repeats; /* another fetch from the line of the last one changes nothing, so translated code may repeat it */
    /* A fetch from a line that may be another than the last one. */
    void (*fetch)(struct rv_watch *w, uint64_t pc);
    /* An access to a line that is not remembered. False: it is an unusual one, and nothing has happened. `is_guarded`:
     * a page of a file is usual, because an access that fails is none of the emulator. */
    bool (*access)(struct rv_watch *w, uint64_t addr, unsigned size_bytes, bool is_write, bool is_guarded);
    void (*branch)(struct rv_watch *w, uint64_t pc, bool taken, uint64_t target);
    /* The jump at pc; `target`: of an indirect one. */
    void (*jump)(struct rv_watch *w, uint64_t pc, uint64_t target);
    /* Executes the instruction at h->pc, observed, in place of rv_step. */
    enum rv_trap (*step)(struct hart *h);
    /* Describes the branch or jump at pc in WATCH_SITE_BYTES at `site`. */
    void (*describe)(const struct rv_watch *w, const struct rv_insn *in, uint64_t pc, void *site);
    /* Reads the log up to w->log, and empties it. Its entries are numbers of sites (bpred/branch_log.h). */
    void (*drain)(struct rv_watch *w, const void *sites);
};

/* What `observe` is called for: a fetch, or an access, plus the binary logarithm of its size. */
enum { WATCH_READ = 0, WATCH_WRITE = 4, WATCH_FETCH = 8 };

#endif
