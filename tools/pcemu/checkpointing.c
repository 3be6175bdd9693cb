/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/checkpointing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "host/report/words.h"
#include "tools/pcemu/fatal.h"
#include "tools/pcemu/message.h"
#include "tools/pcemu/start_folder.h"

static int compare_counts(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

bool checkpointing_read_list(const char *text, uint64_t *at, size_t *count)
{
    char *copy = xstrdup(text), *rest = copy;
    bool sound = true;
    *count = 0;
    for (char *item; sound && (item = strsep(&rest, ",")) != NULL;)
        sound = *count < OPTION_LIST_MAX && number_parse(item, &at[*count]) == ST_OK && at[(*count)++] != 0;
    free(copy);
    if (sound)
        qsort(at, *count, sizeof *at, compare_counts);
    return sound;
}

/* No place of the list is at the instruction with which a restored run begins, or before. */
static void require_later(const struct checkpointing *c, const char *restore, uint64_t start)
{
    char place[REPORT_NUMBER], begin[REPORT_NUMBER];
    if (c->count != 0 && c->at[0] <= start)
        die("--checkpoint-at: expected numbers above %s, the instructions from the program's start to %s, found %s",
            report_number(begin, start), restore, report_number(place, c->at[0]));
}

void checkpointing_begin(struct checkpointing *c, struct options *o, const struct guest_checkpoint *start)
{
    if (!checkpointing_is_asked(o))
        return;
    c->folder = o->report;
    c->every = o->checkpoint_every;
    if (o->checkpoint_at != NULL && !checkpointing_read_list(o->checkpoint_at, c->at, &c->count))
        BUG("the options are not checked");
    if (start != NULL)
        require_later(c, o->restore, guest_checkpoint_origin(start)->instructions);
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
    uint64_t next = UINT64_MAX;
    if (c->every != 0 && instructions / c->every < UINT64_MAX / c->every)
        next = (instructions / c->every + 1) * c->every;
    for (size_t i = 0; i < c->count; i++)
        if (c->at[i] > instructions && c->at[i] < next)
            next = c->at[i];
    return next;
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

/* Names the places of the list that the run has not come to. */
static void complain_of_rest(struct checkpointing *c, uint64_t instructions, bool exited)
{
    char number[REPORT_NUMBER], *rest = NULL;
    for (size_t i = 0; i < c->count; i++) {
        if (c->at[i] <= c->reached || (i != 0 && c->at[i] == c->at[i - 1]))
            continue;
        char *longer = xasprintf("%s%s%s", rest != NULL ? rest : "", rest != NULL ? ", " : "",
                                 report_number(number, c->at[i]));
        free(rest);
        rest = longer;
        c->refused++;
    }
    if (rest != NULL)
        print_message("no checkpoint after %s instructions: the %s after %s instructions", rest,
                      exited ? "guest exited" : "run ended", report_number(number, instructions));
    free(rest);
}

void checkpointing_end(struct checkpointing *c, uint64_t instructions, bool exited)
{
    char number[REPORT_NUMBER];
    if (c->folder == NULL)
        return;
    complain_of_rest(c, instructions, exited);
    print_message("%s checkpoint%s in %s", report_number(number, c->written), c->written == 1 ? "" : "s", c->folder);
}

void checkpointing_release(struct checkpointing *c) { checkpoint_writer_free(c->writer); }
