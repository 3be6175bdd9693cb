/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the replay of recordings: whatever the file holds, the replay ends, with an error or without one, under
 * observers of all parts of the stream. The input is a file; and once more the columns of a block, whose file is sound:
 * a byte of flags (1: in-order core, 2: values), the lengths of the columns, two bytes each, and their bytes. */
#include "core-model/core.h"
#include "core-model/prof/observers.h"
#include "core-model/record/part.h"
#include "core-model/record/replay.h"

#include <stdlib.h>
#include <string.h>

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
    struct probe_observer o = {.cycles = PROBE_ALL_CYCLES};
#define STAGE(sym, name, meaning) o.stage[PROBE_##sym] = look;
#define EVENT(sym, name, meaning) o.event[PROBE_BIT_##sym] = happens;
#include "core-model/probe.def"
    core_attach(core, &o);
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
        if (err.text[0] == '\0')
            BUG("refused without a word");
        return false;
    }
    return replay_restore_code(r, &guest.hart, &err) == ST_OK;
}

/* Replays under these observers, and those of single callbacks too if `all`. */
static void replay_under(const uint8_t *data, size_t size, const char *observers, bool all)
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
    if (observers_create(set, observers, 1, &err) != ST_OK)
        BUG("%s", err.text);
    observers_attach(set, core);
    if (all)
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

/* An input of odd length is replayed under the second pair of lists. A counter of cycles takes each of its overflows,
 * of which a recording of a few bytes can have very many: the period is the largest. */
static void replay_file(const uint8_t *data, size_t size, unsigned choice)
{
    static const char *const observers[2][2] = {
        {"oracle,tip:period=3,nci:period=5",
         "oracle,dispatch:period=3,software:period=3,counts:slots,tea-oracle,tea:period=3"},
        {"lci:period=3:random,nci+ilp:period=4,tip-ilp:period=3:random,retire-delay:period=2,ipc",
         "profileme:pair:period=4:window=3,paths:period=3,counter:event=dcache-miss:period=3:skid,"
         "counter:event=cycles:period=1099511627775:random"}};
    replay_under(data, size, observers[choice][0], false);
    replay_under(data, size, observers[choice][1], true);
}

/* A sound file around the columns. */
static void replay_columns(const uint8_t *data, size_t size, unsigned choice)
{
    enum { FIRST = 1 + 2 * RECORD_COLUMNS };
    struct column column[RECORD_COLUMNS] = {{0}}, facts = {0};
    struct record_head head = {.machine = "m", .guest = "g"};
    char *text;
    size_t bytes, at = FIRST;
    if (size < FIRST)
        return;
    core_config_default(&head.config);
    head.config.core = data[0] & 1;
    head.values = data[0] >> 1 & 1;
    for (unsigned n = 0; n < RECORD_COLUMNS; n++) {
        size_t wanted = (size_t)data[1 + 2 * n] | (size_t)data[2 + 2 * n] << 8;
        for (; wanted > 0 && at < size; wanted--)
            column_put(&column[n], data[at++]);
    }
    FILE *out = open_memstream(&text, &bytes);
    struct part_writer *w = part_writer_new(out);
    record_begin_file(out);
    facts_put_head(&facts, &head);
    facts_put_number(&facts, "clock", 0);
    part_write(w, RECORD_PART_HEAD, &facts);
    part_write(w, RECORD_PART_BLOCK, column);
    part_writer_free(w);
    fclose(out);
    replay_file((const uint8_t *)text, bytes, choice);
    for (unsigned n = 0; n < RECORD_COLUMNS; n++)
        free(column[n].byte);
    free(facts.byte);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    replay_file(data, size, size % 2);
    replay_columns(data, size, size % 2);
    return 0;
}
