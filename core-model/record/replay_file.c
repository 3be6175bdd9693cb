/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the parts of the replayed recording. */
#include "core-model/record/replay_state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void replay_file_end_with(struct core_replay *r, enum status st)
{
    r->ended = true;
    r->status = st;
}

static enum status replay_file_damaged(struct core_replay *r, const char *what)
{
    return record_damaged(r->parts, r->name, what, &r->error);
}

static bool read_code_pages(struct core_replay *r, struct column_cursor *c)
{
    uint64_t number = 0;
    while (c->at != c->end) {
        number += cursor_number(c);
        if (r->failed || number >= MEM_PAGES || c->end - c->at < MEM_PAGE_BYTES || r->pages == CODE_PAGES_MOST)
            return false;
        if (r->pages == r->page_space) {
            r->page_space = r->page_space != 0 ? 2 * r->page_space : RECORD_CODE_PAGES;
            r->page = xrealloc(r->page, r->page_space * sizeof *r->page);
        }
        r->page[r->pages].number = number;
        memcpy(r->page[r->pages++].byte, c->at, MEM_PAGE_BYTES);
        c->at += MEM_PAGE_BYTES;
    }
    return true;
}

static void replay_file_read_tail(struct core_replay *r, const struct column_cursor *c)
{
    enum status st = record_read_end(&r->tail, r->parts, c, r->name, &r->error);
    if (st == ST_OK && (r->tail.cycles != r->stream.now - r->start.clock || r->tail.instructions != r->retired))
        st = replay_file_damaged(r, "found other numbers of cycles or instructions than its end states");
    replay_file_end_with(r, st);
}

static uint32_t columns_wanted(const struct core_replay *r)
{
    uint32_t all = (1u << RECORD_COLUMNS) - 1;
    uint32_t exec = 1u << RECORD_EXEC | 1u << RECORD_READY | 1u << RECORD_ISSUED | 1u << RECORD_LOADED |
                    1u << RECORD_DONE;
    return all & ~(r->needs_exec ? 0 : exec) & ~(r->reads_values ? 0 : 1u << RECORD_VALUES);
}

bool replay_read_block(struct core_replay *r)
{
    enum record_part kind;
    enum status st = part_read(r->parts, &kind, r->column, columns_wanted(r), &r->error);
    if (st != ST_OK) {
        replay_file_end_with(r, st);
        return false;
    }
    switch (kind) {
    case RECORD_PART_BLOCK:
        return true;
    case RECORD_PART_CODE:
        if (!read_code_pages(r, &r->column[0]))
            replay_file_end_with(r, replay_file_damaged(r, "its code is no sequence of pages"));
        break;
    case RECORD_PART_TAIL:
        replay_file_read_tail(r, &r->column[0]);
        break;
    default:
        replay_file_end_with(r, replay_file_damaged(r, "a part that does not belong there"));
    }
    r->column[RECORD_OPS].at = r->column[RECORD_OPS].end;
    return false;
}

/* All columns must have been read completely. */
void replay_end_block(struct core_replay *r)
{
    for (unsigned n = 0; n < RECORD_COLUMNS && !r->failed; n++)
        r->failed = (columns_wanted(r) >> n & 1) != 0 && r->column[n].at != r->column[n].end;
    if (r->failed)
        replay_file_end_with(r, replay_file_damaged(r, "an operation is impossible where it stands"));
}

enum status replay_read_head(struct core_replay *r, struct errmsg *err)
{
    enum status st = record_read_start(&r->start, r->parts, r->column, r->name, err);
    if (st == ST_OK && facts_find(&r->start.facts, "samples.sampler") != NULL)
        return fail(err, ST_FORMAT,
                    "%s: offset %" PRIu64 ": expected a recording of a core's stages (--record), found one of samples, "
                    "over which programs run (--core samples:FILE)",
                    r->name, part_offset(r->parts));
    return st;
}
