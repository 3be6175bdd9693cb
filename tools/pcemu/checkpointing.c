/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/checkpointing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host/report/words.h"
#include "tools/pcemu/fatal.h"
#include "tools/pcemu/message.h"
#include "tools/pcemu/start_folder.h"

/* No place is at the instruction with which a restored run begins, or before. */
static void require_later(const struct checkpoint_places *p, const struct options *o, uint64_t start)
{
    char place[REPORT_NUMBER], begin[REPORT_NUMBER];
    if (p->count == 0 || p->place[0].at > start)
        return;
    char *where = p->place[0].line != 0 ? xasprintf("%s:%u", o->checkpoint_at + 1, p->place[0].line)
                                        : xstrdup("--checkpoint-at");
    die("%s: expected numbers above %s, the instructions from the program's start to %s, found %s", where,
        report_number(begin, start), o->restore, report_number(place, p->place[0].at));
}

void checkpointing_begin(struct checkpointing *c, struct options *o, const struct guest_checkpoint *start)
{
    struct errmsg err;
    if (!checkpointing_is_asked(o))
        return;
    c->folder = o->report;
    c->every = o->checkpoint_every;
    if (o->checkpoint_at != NULL)
        must(checkpoint_places_read(&c->places, o->checkpoint_at, &err), &err);
    if (start != NULL)
        require_later(&c->places, o, guest_checkpoint_origin(start)->instructions);
    o->report = NULL;
    o->core = CORE_FUNCTIONAL;
}

void checkpointing_open(struct checkpointing *c)
{
    struct errmsg err;
    if (c->folder != NULL)
        must(checkpoint_writer_new(&c->writer, c->folder, &err), &err);
}

uint64_t checkpointing_next(const struct checkpointing *c, uint64_t instructions)
{
    const uint64_t place = checkpoint_places_next(&c->places, instructions);
    uint64_t next = UINT64_MAX;
    if (c->every != 0 && instructions / c->every < UINT64_MAX / c->every)
        next = (instructions / c->every + 1) * c->every;
    return place < next ? place : next;
}

/* The state of caches and predictors, if the run warms them. */
static enum status write_warmed(const struct target *t, struct checkpoint_stream *s, struct errmsg *err)
{
    char *cold;
    *s = (struct checkpoint_stream){0};
    if (t->core != NULL)
        core_move_warmed(t->core, s, &cold);
    if (s->size <= CHECKPOINT_PART_MOST)
        return ST_OK;
    const size_t found = s->size;
    checkpoint_stream_free(s);
    return fail(err, ST_UNMET, "expected at most %d bytes of warmed caches and predictors, found %zu",
                CHECKPOINT_PART_MOST, found);
}

void checkpointing_write(struct checkpointing *c, struct target *t)
{
    char number[REPORT_NUMBER];
    struct errmsg err;
    struct checkpoint_stream state, warmed;
    c->reached = t->guest.hart.instret;
    enum status st = guest_checkpoint_state(&t->guest, &t->config, &state, &err);
    if (st == ST_OK)
        st = write_warmed(t, &warmed, &err);
    if (st == ST_OK) {
        struct guest_folder guest = start_folder_enter();
        must(guest_checkpoint_write(&t->guest, &state, &warmed, c->writer, &err), &err);
        checkpoint_stream_free(&warmed);
        start_folder_leave(guest);
        c->written++;
    }
    checkpoint_stream_free(&state);
    if (st == ST_OK)
        return;
    if (st != ST_UNMET)
        must(st, &err);
    c->refused++;
    print_message("no checkpoint after %s instructions: %s", report_number(number, t->guest.hart.instret), err.text);
}

/* Names the first places that the run has not come to, and the number of the others. */
static void complain_of_rest(struct checkpointing *c, uint64_t instructions, bool exited)
{
    enum { NAMED = 8 };
    const struct checkpoint_places *p = &c->places;
    char number[REPORT_NUMBER], *rest = xstrdup("");
    size_t first = 0;
    while (first < p->count && p->place[first].at <= c->reached)
        first++;
    for (size_t i = first; i < p->count && i < first + NAMED; i++) {
        char *longer = xasprintf("%s%s%s", rest, i != first ? ", " : "", report_number(number, p->place[i].at));
        free(rest);
        rest = longer;
    }
    char *more = p->count - first > NAMED ? xasprintf(" and %s more", report_number(number, p->count - first - NAMED))
                                          : xstrdup("");
    if (first < p->count)
        print_message("no checkpoint after %s%s instructions: the %s after %s instructions", rest, more,
                      exited ? "guest exited" : "run ended", report_number(number, instructions));
    c->refused += p->count - first;
    free(rest);
    free(more);
}

void checkpointing_end(struct checkpointing *c, uint64_t instructions, bool exited)
{
    char number[REPORT_NUMBER];
    if (c->folder == NULL)
        return;
    complain_of_rest(c, instructions, exited);
    print_message("%s checkpoint%s in %s", report_number(number, c->written), c->written == 1 ? "" : "s", c->folder);
}

void checkpointing_release(struct checkpointing *c)
{
    checkpoint_writer_free(c->writer);
    checkpoint_places_free(&c->places);
}
