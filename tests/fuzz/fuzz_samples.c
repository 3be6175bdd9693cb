/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the reader of recordings of samples: whatever the file holds, it ends, with an error or without one. The input
 * is a file; and once more the columns of a block, whose file is sound (fuzzed_recording.h). */
#include "core-model/record/sample_file.h"

#include <stdlib.h>

#include "tests/fuzz/fuzzed_input.h"
#include "tests/fuzz/fuzzed_recording.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_file(const uint8_t *data, size_t size)
{
    static struct sample sample;
    struct sample_file *f;
    struct errmsg err = {{0}};
    FILE *in = fmemopen((void *)(uintptr_t)data, size, "r"); /* is only read */
    if (in == NULL || sample_file_open(&f, in, "fuzzed", &err) != ST_OK) {
        if (in != NULL)
            fclose(in);
        return;
    }
    const struct sample_contents what = *sample_file_contents(f);
    struct field_set wanted = what.fields;
    field_set_add(&wanted, FIELD_PC32);
    field_set_add(&wanted, FIELD_RESULT32);
    if (sample_file_want(f, &what, &wanted, &err) != ST_OK)
        BUG("its own contents are refused: %s", err.text);
    uint64_t cycle = sample_file_clock(f);
    for (; sample_file_next(f, &sample); cycle = sample.cycle)
        if (sample.cycle < cycle || sample.opclass >= OPCLASS_COUNT)
            BUG("cycle %llu after %llu, class %d", (unsigned long long)sample.cycle, (unsigned long long)cycle,
                (int)sample.opclass);
    if (sample_file_error(f, &err) != ST_OK)
        check_refusal(&err);
    if (sample_file_error(f, &err) == ST_OK && sample_file_tail(f)->cycles < cycle - sample_file_clock(f))
        BUG("the last sample is behind the end");
    sample_file_close(f);
    fclose(in);
}

/* ---- the columns ---- */

static void begin(struct fuzzed_recording *r)
{
    struct column facts = {0};
    struct record_head head = {.machine = "m", .guest = "g"};
    core_config_default(&head.config);
    facts_put_head(&facts, &head);
    facts_put_number(&facts, "clock", 0);
    facts_put(&facts, "samples.sampler", "retire");
    facts_put_number(&facts, "samples.classes", 1u << OPCLASS_LOAD);
    facts_put(&facts, "samples.field", "result");
    facts_put(&facts, "samples.field", "ea");
    fuzzed_recording_begin(r, &facts);
    free(facts.byte);
}

static void read_columns(const uint8_t *data, size_t size)
{
    static struct fuzzed_recording r;
    static struct column facts; /* of the part TAIL */
    const struct record_tail tail = {.cycles = UINT64_MAX / 2};
    if (size < (size_t)2 * SAMPLE_COLUMNS)
        return;
    if (r.stream == NULL)
        begin(&r);
    fuzzed_recording_put(&r, RECORD_PART_SAMPLES, SAMPLE_COLUMNS, data, size);
    facts_put_tail(&facts, &tail);
    part_write(r.parts, RECORD_PART_TAIL, &facts);
    fuzzed_recording_end(&r);
    read_file((const uint8_t *)r.bytes, r.size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_file(data, size);
    read_columns(data, size);
    return 0;
}
