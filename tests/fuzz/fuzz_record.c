/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the replay of recordings: whatever the file holds, the replay ends, with an error or without one, under one of
 * four lists of profilers, which the length of the input selects. The input is a file; and once more a byte of flags
 * (1: in-order core, 2: values) and the columns of a block, whose file is sound (fuzzed_recording.h). */
#include "core-model/core.h"
#include "core-model/prof/observers.h"
#include "core-model/record/replay.h"

#include <stdlib.h>

#include "tests/fuzz/fuzzed_input.h"
#include "tests/fuzz/fuzzed_recording.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads all that instructions have. */
static uint64_t sum;

static void look(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    (void)ctx;
    sum += in->pc + in->insn->word + in->outcome->value + in->history + in->events + cycle + in->before.pc;
}

static void happens(void *ctx, uint64_t cycle)
{
    (void)ctx;
    sum += cycle;
}

static void attach_all(struct core *core)
{
    struct probe_listener o = {.cycles = PROBE_ALL_CYCLES};
#define STAGE(sym, name, meaning) o.stage[PROBE_##sym] = look;
#define EVENT(sym, name, meaning) o.event[PROBE_BIT_##sym] = happens;
#include "core-model/probe/probe.def"
    core_subscribe(core, &o);
}

/* The guest of all replays: its address space takes longer to make than most inputs take to replay. */
static struct guest guest;

static void make_guest(void)
{
    struct errmsg err;
    if (guest.hart.mem.base == NULL && guest_init_empty(&guest, &err) != ST_OK)
        BUG("%s", err.text);
}

/* Whether the replay ended without an error; the guest then has its code, and is made again for the next. */
static bool ends_well(struct core_replay *r)
{
    struct errmsg err = {{0}};
    if (replay_error(r, &err) != ST_OK) {
        check_refusal(&err);
        return false;
    }
    return replay_restore_code(r, &guest.hart, &err) == ST_OK;
}

/* Half of the lists leave the callbacks to the profilers; under the others each callback has an observer. The counter
 * of cycles takes each of its overflows, of which a recording of a few bytes can have very many: its period is the
 * largest. */
static const struct {
    const char *observers;
    bool all;
} lists[] = {
    {"oracle,tip:period=3,nci:period=5", false},
    {"lci:period=3:random,nci+ilp:period=4,tip-ilp:period=3:random,retire-delay:period=2,ipc", false},
    {"oracle,dispatch:period=3,software:period=3,counts:slots,tea-oracle,tea:period=3", true},
    {"profileme:pair:period=4:window=3,paths:period=3,counter:event=dcache-miss:period=3:skid,"
     "counter:event=cycles:period=1099511627775:random",
     true},
};
enum { LISTS = sizeof lists / sizeof lists[0] };

static void replay_file(const uint8_t *data, size_t size, unsigned list)
{
    struct core_replay *r;
    struct errmsg err = {{0}};
    FILE *in = fmemopen((void *)(uintptr_t)data, size, "r"); /* is only read */
    if (in == NULL || replay_open(&r, in, "fuzzed", &err) != ST_OK) {
        if (in != NULL)
            fclose(in);
        return;
    }
    struct observers *set = observers_new();
    struct core *core = replay_core(r, &guest);
    make_guest();
    if (observers_create(set, lists[list].observers, 1, &err) != ST_OK)
        BUG("%s", err.text);
    observers_attach(set, core);
    if (lists[list].all)
        attach_all(core);
    (void)core_run(core, UINT64_MAX);
    core_check(core);
    bool sound = ends_well(r), failed = replay_error(r, &err) != ST_OK;
    observers_finish(set, core_cycle(core), sound ? &guest.hart : NULL);
    observers_free(set);
    core_free(core);
    replay_close(r);
    if (!failed)
        guest_fini(&guest);
    fclose(in);
}

static void begin(struct fuzzed_recording *r, unsigned flags)
{
    struct column facts = {0};
    struct record_head head = {.machine = "m", .guest = "g"};
    core_config_default(&head.config);
    head.config.core = flags & 1;
    head.values = flags >> 1;
    facts_put_head(&facts, &head);
    facts_put_number(&facts, "clock", 0);
    fuzzed_recording_begin(r, &facts);
    free(facts.byte);
}

static void replay_columns(const uint8_t *data, size_t size, unsigned list)
{
    static struct fuzzed_recording recording[4];
    if (size < 1 + 2 * RECORD_COLUMNS)
        return;
    struct fuzzed_recording *r = &recording[data[0] % 4];
    if (r->stream == NULL)
        begin(r, data[0] % 4);
    fuzzed_recording_put(r, RECORD_PART_BLOCK, RECORD_COLUMNS, data + 1, size - 1);
    fuzzed_recording_end(r);
    replay_file((const uint8_t *)r->bytes, r->size, list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    replay_file(data, size, size % LISTS);
    replay_columns(data, size, size % LISTS);
    return 0;
}
