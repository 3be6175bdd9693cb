/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the reader of pipeline logs: what it takes has stages within its instructions, and producers before them. */
#include "host/report/pipeline_log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_insn(const struct pipeline_log *log, size_t n)
{
    const struct pipeline_insn *i = &log->insn[n];
    if (i->fetched > i->ended || i->ended >= PIPELINE_CYCLES)
        BUG("an instruction ends before it is fetched, or too late");
    for (size_t k = 0; k < i->steps; k++)
        if (i->step[k].stage >= log->stages || i->step[k].from < i->fetched || i->step[k].from > i->step[k].to ||
            i->step[k].to > i->ended)
            BUG("a stage is outside of its instruction");
    for (size_t k = 0; k < i->producers; k++)
        if (i->producer[k] >= n)
            BUG("a producer is not an earlier instruction");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pipeline_log log;
    struct errmsg err;
    if (pipeline_log_read(&log, "input", (const char *)data, size, &err) == ST_OK)
        for (size_t n = 0; n < log.insns; n++)
            check_insn(&log, n);
    pipeline_log_release(&log);
    return 0;
}
