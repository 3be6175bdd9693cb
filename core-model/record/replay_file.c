/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the parts of the replayed recording. */
#include "core-model/record/replay_state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void end_with(struct core_replay *r, enum status st)
{
    r->ended = true;
    r->status = st;
}

static char *copy_facts(const struct column_cursor *c)
{
    size_t bytes = (size_t)(c->end - c->at);
    char *text = xmalloc(bytes + 1);
    memcpy(text, c->at, bytes);
    return text;
}

static enum status damaged(struct core_replay *r, const char *what)
{
    return fail(&r->error, ST_FORMAT, "%s: offset %" PRIu64 ": the recording is damaged: %s", r->name,
                part_offset(r->parts), what);
}

static bool read_code_pages(struct core_replay *r, struct column_cursor *c)
{
    uint64_t number = 0;
    while (c->at != c->end) {
        number += cursor_number(c);
        if (r->failed || number >> (MEM_ADDRESS_BITS - MEM_PAGE_BITS) != 0 || c->end - c->at < MEM_PAGE_BYTES ||
            r->pages == CODE_PAGES_MOST)
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

static void read_tail(struct core_replay *r, const struct column_cursor *c)
{
    struct errmsg why;
    if (!facts_are_sound(c)) {
        end_with(r, damaged(r, "its facts are no pairs of texts"));
        return;
    }
    if (facts_get_tail(c, &r->tail, &why) != ST_OK)
        end_with(r, damaged(r, why.text));
    else if (r->tail.cycles != r->stream.now - r->begin_cycle || r->tail.instructions != r->retired)
        end_with(r, damaged(r, "found other numbers of cycles or instructions than its end states"));
    else if (!part_at_end(r->parts))
        end_with(r, damaged(r, "found data after its end"));
    else
        end_with(r, ST_OK);
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
        end_with(r, st);
        return false;
    }
    switch (kind) {
    case RECORD_PART_BLOCK:
        return true;
    case RECORD_PART_CODE:
        if (!read_code_pages(r, &r->column[0]))
            end_with(r, damaged(r, "its code is no sequence of pages"));
        break;
    case RECORD_PART_TAIL:
        read_tail(r, &r->column[0]);
        break;
    default:
        end_with(r, damaged(r, "a part that does not belong there"));
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
        end_with(r, damaged(r, "an operation is impossible where it stands"));
}

enum status replay_read_head(struct core_replay *r, struct errmsg *err)
{
    enum record_part kind;
    struct errmsg why;
    enum status st = part_read(r->parts, &kind, r->column, 0, err);
    const struct column_cursor *c = &r->column[0];
    if (st != ST_OK)
        return st;
    if (kind != RECORD_PART_HEAD || !facts_are_sound(c))
        return fail(err, ST_FORMAT,
                    "%s: offset %" PRIu64 ": expected the facts of a recorded run, found something "
                    "else",
                    r->name, part_offset(r->parts));
    size_t bytes = (size_t)(c->end - c->at);
    r->head_text = copy_facts(c);
    struct column_cursor facts = {(const uint8_t *)r->head_text, (const uint8_t *)r->head_text + bytes, &r->failed};
    st = facts_get_head(&facts, &r->head, &why);
    if (st == ST_OK && facts_find(&facts, "samples.sampler") != NULL)
        st = fail(&why, ST_FORMAT,
                  "expected a recording of a core's stages (--record), found one of samples, over "
                  "which programs run (--core samples:FILE)");
    if (st == ST_OK && !facts_number(&facts, "clock", &r->begin_cycle))
        st = fail(&why, ST_FORMAT, "expected a fact 'clock'");
    if (st != ST_OK)
        return fail(err, st, "%s: offset %" PRIu64 ": %.400s", r->name, part_offset(r->parts), why.text);
    return ST_OK;
}
