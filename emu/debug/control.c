/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that run the machine forwards and backwards. */
#include <string.h>

#include "emu/debug/debugger.h"

enum direction { FORWARD, BACKWARD };

static enum status control_go(struct debugger *d, enum direction direction, const struct goal *goal)
{
    if (direction == FORWARD)
        travel_forward(d, goal);
    else
        travel_backward(d, goal);
    return ST_OK;
}

static enum status go_times(struct debugger *d, enum direction direction, enum goal_kind kind, const char *args,
                            struct errmsg *err)
{
    struct goal goal = {.kind = kind};
    enum status st = arg_times(d, args, &goal.count, err);
    return st == ST_OK ? control_go(d, direction, &goal) : st;
}

static enum status go_to_word(struct debugger *d, enum direction direction, const char *args, struct errmsg *err)
{
    struct goal goal = {.kind = GOAL_WORD, .count = 1};
    const char *rest;
    if (*args == '\0')
        return fail(err, ST_INPUT, "until which word? expected a label, a number or :LINE");
    enum status st = arg_word(d, args, &rest, &goal.word, err);
    if (st == ST_OK && *rest != '\0')
        return fail(err, ST_INPUT, "expected nothing after the word, found '%.40s'", rest);
    if (st == ST_OK)
        st = never_check_word(d, goal.word, err);
    return st == ST_OK ? control_go(d, direction, &goal) : st;
}

enum status cmd_run(struct debugger *d, const char *args, struct errmsg *err)
{
    (void)args;
    if (d->running)
        return fail(err, ST_INPUT, "the machine runs already: continue goes on");
    return control_go(d, FORWARD, &(struct goal){.kind = GOAL_NONE});
}

/* An argument sets the ignore count of the breakpoint at which the machine stopped. */
enum status cmd_continue(struct debugger *d, const char *args, struct errmsg *err)
{
    uint64_t n;
    enum status st = arg_times(d, args, &n, err);
    if (st != ST_OK)
        return st;
    if (n > 1 && d->why.kind != REASON_STOP)
        return fail(err, ST_INPUT, "there is no breakpoint here to be ignored");
    if (n > 1)
        d->stop[d->why.stop].ignore = n - 1;
    return control_go(d, FORWARD, &(struct goal){.kind = GOAL_NONE});
}

enum status cmd_step(struct debugger *d, const char *args, struct errmsg *err)
{
    return go_times(d, FORWARD, GOAL_STEP, args, err);
}
enum status cmd_next(struct debugger *d, const char *args, struct errmsg *err)
{
    return go_times(d, FORWARD, GOAL_SAMPLE, args, err);
}
enum status cmd_finish(struct debugger *d, const char *args, struct errmsg *err)
{
    return go_times(d, FORWARD, GOAL_DONE, args, err);
}
enum status cmd_until(struct debugger *d, const char *args, struct errmsg *err)
{
    return go_to_word(d, FORWARD, args, err);
}
enum status cmd_rstep(struct debugger *d, const char *args, struct errmsg *err)
{
    return go_times(d, BACKWARD, GOAL_STEP, args, err);
}
enum status cmd_rnext(struct debugger *d, const char *args, struct errmsg *err)
{
    return go_times(d, BACKWARD, GOAL_SAMPLE, args, err);
}
enum status cmd_rfinish(struct debugger *d, const char *args, struct errmsg *err)
{
    return go_times(d, BACKWARD, GOAL_DONE, args, err);
}
enum status cmd_runtil(struct debugger *d, const char *args, struct errmsg *err)
{
    return go_to_word(d, BACKWARD, args, err);
}

enum status cmd_rcontinue(struct debugger *d, const char *args, struct errmsg *err)
{
    (void)args;
    (void)err;
    return control_go(d, BACKWARD, &(struct goal){.kind = GOAL_NONE, .count = 1});
}

enum status cmd_retire(struct debugger *d, const char *args, struct errmsg *err)
{
    uint64_t n;
    enum status st = arg_times(d, args, &n, err);
    if (st == ST_OK && d->shown != &d->live)
        return fail(err, ST_INPUT, "the core is in the present, and this is the past");
    if (st == ST_OK && d->s.retire == NULL)
        return fail(err, ST_INPUT, "there is no core");
    if (st == ST_OK && d->ended)
        return fail(err, ST_INPUT, "the run is over");
    if (st == ST_OK)
        st = d->s.retire(d->s.ctx, n, err);
    if (st == ST_OK)
        d->leave = true;
    return st;
}

enum status cmd_goto(struct debugger *d, const char *args, struct errmsg *err)
{
    const struct snapshot *first = d->what_if ? &d->root : &d->history.snapshot[0];
    const struct {
        const char *word, *name;
        enum goal_kind kind;
        uint64_t begin;
    } units[] = {{"cycle", "cycle", GOAL_CYCLE, cop_cycle(first->cop)},
                 {"sample", "sample", GOAL_SAMPLE_NUMBER, first->samples},
                 {"", "position", GOAL_POSITION, first->at.words}};
    struct goal goal = {.kind = GOAL_NONE};
    struct errmsg ignored;
    size_t i = 0;
    if (strcmp(args, "end") == 0)
        return cmd_present(d, "", &ignored);
    if (*args == '\0')
        return fail(err, ST_INPUT, "where to? expected a position, cycle N, sample N or end");
    if (strncmp(args, "end ", strlen("end ")) == 0)
        return fail(err, ST_INPUT, "goto end takes nothing else, found '%.40s'", args + strlen("end "));
    const size_t length = strcspn(args, " ");
    while (units[i].word[0] != '\0' && (strlen(units[i].word) != length || strncmp(args, units[i].word, length) != 0))
        i++;
    const char *number = args + strlen(units[i].word);
    number += strspn(number, " ");
    if (*number == '\0')
        return fail(err, ST_INPUT, "goto %s: expected its number", units[i].word);
    enum status st = arg_count(d, number, 0, &goal.count, err);
    if (st != ST_OK)
        return st;
    goal.kind = units[i].kind;
    if (goal.count < units[i].begin)
        return fail(err, ST_RANGE, "%s begins at %s %llu", d->what_if ? "the what-if" : "the history", units[i].name,
                    (unsigned long long)units[i].begin);
    travel_go(d, &goal);
    return ST_OK;
}

enum status cmd_present(struct debugger *d, const char *args, struct errmsg *err)
{
    struct reason why = {.kind = REASON_PAUSE};
    (void)args;
    (void)err;
    past_leave(d);
    show_stop(d, &why);
    return ST_OK;
}

enum status cmd_history(struct debugger *d, const char *args, struct errmsg *err)
{
    const struct history *h = &d->history;
    (void)args;
    (void)err;
    fprintf(d->out,
            "history from position %llu to %llu: %u snapshot%s, %llu input%s since the start; %.1f MB, limit %zu MB\n",
            (unsigned long long)h->snapshot[0].at.words, (unsigned long long)d->live.words, h->snapshots,
            h->snapshots == 1 ? "" : "s", (unsigned long long)d->live.inputs, d->live.inputs == 1 ? "" : "s",
            (double)history_bytes(h) / (1 << 20), h->limit_bytes >> 20);
    return ST_OK;
}

enum status cmd_settings(struct debugger *d, const char *args, struct errmsg *err)
{
    static const char limit[] = "history-limit";
    uint64_t megabytes;
    if (*args == '\0') {
        fprintf(d->out, "history-limit %zu\n", d->history.limit_bytes >> 20);
        return ST_OK;
    }
    if (strncmp(args, limit, sizeof limit - 1) != 0 || args[sizeof limit - 1] != ' ')
        return fail(err, ST_INPUT, "expected history-limit MEGABYTES, found '%.40s'", args);
    enum status st = arg_count(d, args + sizeof limit, 0, &megabytes, err);
    if (st == ST_OK && (megabytes < HISTORY_LEAST_BYTES >> 20 || megabytes > 1 << 20))
        return fail(err, ST_RANGE, "history-limit is %d to %d megabytes", HISTORY_LEAST_BYTES >> 20, 1 << 20);
    if (st == ST_OK)
        d->history.limit_bytes = (size_t)megabytes << 20;
    return st;
}
