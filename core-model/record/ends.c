/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/record/ends.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum status record_damaged(const struct part_reader *parts, const char *name, const char *what, struct errmsg *err)
{
    return fail(err, ST_FORMAT, "%s: offset %" PRIu64 ": the recording is damaged: %s", name, part_offset(parts), what);
}

static enum status parse_start(struct record_start *start, struct errmsg *err)
{
    enum status st = facts_get_head(&start->facts, &start->head, err);
    if (st == ST_OK && (!facts_number(&start->facts, "clock", &start->clock) || start->clock > RECORD_CYCLE_MOST))
        return fail(err, ST_FORMAT, "expected a fact 'clock' of at most 2^60");
    return st;
}

enum status record_read_start(struct record_start *start, struct part_reader *parts, struct column_cursor *columns,
                              const char *name, struct errmsg *err)
{
    enum record_part kind;
    struct errmsg why;
    enum status st = part_read(parts, &kind, columns, 0, err);
    if (st != ST_OK)
        return st;
    if (kind != RECORD_PART_HEAD || !facts_are_sound(columns))
        return fail(err, ST_FORMAT,
                    "%s: offset %" PRIu64 ": expected the facts of a recorded run, found something else", name,
                    part_offset(parts));
    size_t bytes = (size_t)(columns->end - columns->at);
    start->text = xmalloc(bytes + 1);
    memcpy(start->text, columns->at, bytes);
    const uint8_t *copy = (const uint8_t *)start->text;
    start->facts = (struct column_cursor){copy, copy + bytes, columns->failed};
    st = parse_start(start, &why);
    if (st != ST_OK)
        return fail(err, st, "%s: offset %" PRIu64 ": %.400s", name, part_offset(parts), why.text);
    return ST_OK;
}

enum status record_read_end(struct record_tail *tail, struct part_reader *parts, const struct column_cursor *facts,
                            const char *name, struct errmsg *err)
{
    struct errmsg why;
    if (!facts_are_sound(facts))
        return record_damaged(parts, name, "its facts are no pairs of texts", err);
    if (facts_get_tail(facts, tail, &why) != ST_OK)
        return record_damaged(parts, name, why.text, err);
    if (tail->cycles > RECORD_CYCLE_MOST)
        return record_damaged(parts, name, "it is longer than 2^60 cycles", err);
    if (!part_at_end(parts))
        return record_damaged(parts, name, "found data after its end", err);
    return ST_OK;
}
