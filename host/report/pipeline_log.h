/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reader of pipeline logs, which pcemu --kanata writes in the format of the viewer Konata, version 4: a line for each
 * change, whose fields are separated by tabs. */
#ifndef HOST_REPORT_PIPELINE_LOG_H
#define HOST_REPORT_PIPELINE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* The most instructions that are read; those behind them are left out. Cycles are below PIPELINE_CYCLES. */
enum { PIPELINE_MOST = 4000 };
#define PIPELINE_CYCLES (UINT64_C(1) << 53)

/* A stage of an instruction: it is in it from a cycle on, up to another one. */
struct pipeline_step {
    unsigned stage; /* number of its name */
    uint64_t from, to;
};

struct pipeline_insn {
    char *text;   /* label, such as "10632: add a5,a5,8"; NULL: none */
    char *detail; /* NULL: none */
    uint64_t fetched, ended;
    bool squashed, has_ended;
    struct pipeline_step *step;
    size_t steps;
    uint32_t *producer; /* numbers of earlier instructions */
    size_t producers;
};

struct pipeline_log {
    struct pipeline_insn *insn; /* in the order of their fetch */
    size_t insns;
    char **stage; /* names */
    size_t stages;
    bool is_cut; /* instructions were left out */
};

/* Reads a log; `name` is the file's, for errors: the line, what was expected and what was found. The caller releases
 * the log, also after an error. */
enum status pipeline_log_read(struct pipeline_log *log, const char *name, const char *text, size_t size_bytes,
                              struct errmsg *err) MUST_USE;
void pipeline_log_release(struct pipeline_log *log);

#endif
