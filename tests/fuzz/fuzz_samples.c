/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the reader of recordings of samples: whatever the file holds, it ends, with an error or without one. The input
 * is a file; and once more the columns of a block, whose file is sound: the lengths of the columns, two bytes each, and
 * their bytes. */
#include "core-model/record/part.h"
#include "core-model/record/sample_file.h"

#include <stdlib.h>

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
    if (sample_file_error(f, &err) != ST_OK && err.text[0] == '\0')
        BUG("refused without a word");
    if (sample_file_error(f, &err) == ST_OK && sample_file_tail(f)->cycles < cycle - sample_file_clock(f))
        BUG("the last sample is behind the end");
    sample_file_close(f);
    fclose(in);
}

/* A sound file around the columns. */
static void read_columns(const uint8_t *data, size_t size)
{
    enum { FIRST = 2 * SAMPLE_COLUMNS };
    struct column column[SAMPLE_COLUMNS] = {{0}}, facts = {0};
    struct record_head head = {.machine = "m", .guest = "g"};
    const struct record_tail tail = {.cycles = UINT64_MAX / 2};
    char *text;
    size_t bytes, at = FIRST;
    if (size < FIRST)
        return;
    core_config_default(&head.config);
    for (unsigned n = 0; n < SAMPLE_COLUMNS; n++) {
        size_t wanted = (size_t)data[2 * n] | (size_t)data[2 * n + 1] << 8;
        for (; wanted > 0 && at < size; wanted--)
            column_put(&column[n], data[at++]);
    }
    FILE *out = open_memstream(&text, &bytes);
    struct part_writer *w = part_writer_new(out);
    record_begin_file(out);
    facts_put_head(&facts, &head);
    facts_put_number(&facts, "clock", 0);
    facts_put(&facts, "samples.sampler", "retire");
    facts_put_number(&facts, "samples.classes", 1u << OPCLASS_LOAD);
    facts_put(&facts, "samples.field", "result");
    facts_put(&facts, "samples.field", "ea");
    part_write(w, RECORD_PART_HEAD, &facts);
    part_write(w, RECORD_PART_SAMPLES, column);
    facts_put_tail(&facts, &tail);
    part_write(w, RECORD_PART_TAIL, &facts);
    part_writer_free(w);
    fclose(out);
    read_file((const uint8_t *)text, bytes);
    for (unsigned n = 0; n < SAMPLE_COLUMNS; n++)
        free(column[n].byte);
    free(facts.byte);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_file(data, size);
    read_columns(data, size);
    return 0;
}
