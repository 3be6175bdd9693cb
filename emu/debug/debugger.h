/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The debugger's insides, for the files of emu/debug, each of which calls those above it in this list:
 *   key.c      Ctrl-C
 *   machine.c  one co-processor: where it is, its inputs, its watch callbacks
 *   stops.c    whether to stop; show.c what is printed then
 *   past.c     the co-processor that shows the past
 *   travel.c   forwards and back
 *   the commands by subject (breakpoints.c, control.c, change.c, views.c, why.c), and command.c, which reads and
 * dispatches them debug.c    the live co-processor, and the debugger as its owner sees it (debug.h) */
#ifndef EMU_DEBUG_DEBUGGER_H
#define EMU_DEBUG_DEBUGGER_H

#include "emu/cop_watch.h"
#include "emu/debug/debug.h"
#include "emu/debug/formula.h"
#include "emu/debug/history.h"

enum { MAX_STOPS = 64, MAX_DISPLAYS = 16, MAX_SOURCES = 8, MAX_MARKS = 16, MAX_LINE = 1024, WORD_TEXT = 256 };

/* What has happened when a watch callback asks whether to stop. */
enum event { EVENT_INPUT, EVENT_DROP, EVENT_DONE, EVENT_INTERRUPT, EVENT_FAULT, EVENT_WORD };

/* A breakpoint or a watchpoint. */
struct stop {
    enum stop_kind {
        STOP_FREE,
        STOP_WORD,
        STOP_CLASS,
        STOP_INTERRUPT,
        STOP_DROP,
        STOP_GUEST,
        STOP_CHANGE,
        STOP_TRUE
    } kind;
    bool enabled, temporary;
    unsigned number; /* the user's */
    unsigned word;
    enum opclass opclass;
    uint64_t pc;
    char *text;           /* as the user gave it */
    char *condition_text; /* NULL: none */
    struct formula *condition, *watched;
    uint64_t hits, ignore;
};

/* Why a machine has stopped. */
struct reason {
    enum { REASON_GOAL, REASON_STOP, REASON_FAULT, REASON_KEY, REASON_BEGIN, REASON_END, REASON_PAUSE } kind;
    int stop;                /* STOP: its place in the table */
    bool changed, was_known; /* STOP: of a watchpoint */
    uint64_t old, new;
    enum event event;
};

/* What a command that runs the machine wants to reach. */
struct goal {
    enum goal_kind {
        GOAL_NONE,
        GOAL_STEP,
        GOAL_SAMPLE,
        GOAL_DONE,
        GOAL_WORD,
        GOAL_POSITION,
        GOAL_CYCLE,
        GOAL_SAMPLE_NUMBER
    } kind;
    uint64_t count; /* times it is to be met; POSITION, CYCLE, SAMPLE_NUMBER: the number */
    unsigned word;
};

struct hit {
    struct moment at;
    struct reason why;
};

/* A co-processor and where it has got to: the live one, or the one that shows the past. */
struct machine {
    struct debugger *d;
    struct cop *cop;
    bool live;
    void (*see)(struct machine *m, enum event event); /* stops it, where there is reason to */
    uint64_t words, inputs, samples;                  /* executed, taken, begun since the start */
    enum phase phase;
    enum event event;
    bool fresh;   /* a sample has been dispatched; its first word has not executed */
    bool by_word; /* what has changed since the last look was changed by the word in `last` */
    bool knows_last;
    struct cop_step last; /* the last word executed */
    struct uop last_uop;
    uint64_t old[MAX_STOPS]; /* values of the watchpoints */
    bool known[MAX_STOPS];
    /* of the past */
    struct history_cursor cursor;
    enum { RUN_TO_STOP, RUN_TO_GOAL, RUN_TO_MOMENT, RUN_SCAN } mode;
    struct moment from, limit; /* events up to `from` are passed over; at `limit` it ends */
    bool limit_counts;         /* events at the limit itself are looked at */
    bool stopped;              /* by a reason */
    struct cop *frozen;        /* its state there, while the call that passed it ends */
    struct hit *hits;          /* SCAN: what was passed */
    size_t hit_count, hit_room;
};

struct mark { /* a checkpoint */
    char *name;
    struct snapshot at;
    bool what_if;
};

struct input {
    FILE *file;
    char *name;
};

struct debugger {
    struct debug_services s;
    struct debug_options options;
    const struct image *image;
    FILE *out;
    bool color, running, ended, prompting, leave;
    bool guest_stopped; /* by debug_retired, which has set `why` */
    struct machine live, past;
    struct machine *shown;
    bool what_if;
    struct snapshot root; /* of the what-if */
    struct history history;
    struct goal goal;
    struct reason why;
    struct stop stop[MAX_STOPS];
    unsigned next_number, guest_stops;
    struct cop *here, *base; /* the state at this stop, and at the one before */
    struct mark mark[MAX_MARKS];
    char *display[MAX_DISPLAYS];
    unsigned displays;
    /* input */
    struct input source[MAX_SOURCES];
    unsigned sources;
    struct terminal *terminal;
    char **log; /* the commands of this session */
    size_t logged;
    char repeat[MAX_LINE]; /* what an empty line stands for; empty: nothing */
    bool repeating;
    int list_line;     /* where list goes on; 0: at the word */
    char *source_text; /* of the program; NULL where there is none */
    const char *source_name;
};

/* key.c */
/* Notes Ctrl-C from now on, and sets *stop (borrowed until key_end; NULL: nothing) when it comes. */
void key_begin(volatile int *stop);
void key_end(void);
bool key_was_pressed(void);
/* The same, and forgets it. */
bool key_take(void);
/* Is this the process that began, not a fork of the guest's? */
bool key_is_ours(void);

/* machine.c */
struct moment machine_at(const struct machine *m);
struct formula_scope machine_scope(struct machine *m);
/* Attaches to its co-processor. */
void machine_watch(struct machine *m);
/* Reports an event that the watch port does not report. */
void machine_event(struct machine *m, enum event e, enum phase phase);
/* The filters' counts of now, for an input; and the input, for the history. */
void machine_counts(const struct machine *m, struct history_input *in);
void machine_record(struct machine *m, struct history_input *in);
/* Does an input, whose cycle has come. */
enum status machine_apply(struct machine *m, const struct history_input *in);
struct snapshot machine_snapshot(const struct machine *m);
/* A snapshot for the history, if it is time for one. */
void machine_keep(struct machine *m);

/* past.c */
#define NEVER ((struct moment){UINT64_MAX, UINT64_MAX, PHASE_WORD})
/* At a snapshot, as which nothing has run yet. */
void past_place(struct debugger *d, const struct snapshot *s);
/* Runs with the recorded inputs until it stops, reaches its limit, or the inputs and the time recorded are used up. */
void past_run(struct machine *m);
/* Shows a moment. */
void past_seek(struct debugger *d, const struct moment *to);
/* A what-if begins at the moment shown. */
void past_set_root(struct debugger *d);
/* Back to the present, where a what-if ends. */
void past_leave(struct debugger *d);
void past_free(struct debugger *d);

/* travel.c */
/* Runs what is shown towards the goal: in the past at once, in the present by making the prompt return. */
void travel_forward(struct debugger *d, const struct goal *goal);
/* To the last moment before the one shown at which the goal was met, or a breakpoint. */
void travel_backward(struct debugger *d, const struct goal *goal);
/* Shows a moment by word, cycle or sample. */
void travel_go(struct debugger *d, const struct goal *goal);
/* Shows the moment of a snapshot. */
enum status travel_to(struct debugger *d, const struct snapshot *at, bool what_if, struct errmsg *err) MUST_USE;

/* stops.c */
/* Is there a reason to stop machine `m` at this event? Counts hits, but in a scan notes all that there are instead. */
bool stops_reason(struct machine *m, enum event event, struct reason *why);
/* Counts a stop passed; true where its ignore count lets it pass. */
bool stops_ignore(struct stop *s);
/* The values that watchpoints compare with are those of now. */
void stops_look(struct machine *m);
void stops_describe(struct debugger *d, const struct reason *why, const struct machine *m);
const char *stops_kind_name(const struct stop *s);
void stops_remove(struct debugger *d, struct stop *s);
/* After one on the guest has come, or been enabled or disabled. */
void stops_count_guest(struct debugger *d);
void stops_free(struct debugger *d);
bool stops_on_guest(struct debugger *d, uint64_t pc, struct reason *why);

/* breakpoints.c */
void breakpoints_renew(struct debugger *d); /* the program's names have changed */

/* command.c */
/* Opens what commands come from, by the options: terminal, script, ~/.pcemurc. */
enum status command_open(struct debugger *d, struct errmsg *err) MUST_USE;
void command_close(struct debugger *d);
void command_prompt(struct debugger *d);
void command_execute(struct debugger *d, const char *line);
bool command_is_view(const char *name);

/* show.c; more of it, for views, is in show.h */
/* Why it has stopped, where, and the displays. */
void show_stop(struct debugger *d, const struct reason *why);
void show_word_name(const struct image *im, unsigned word, char *buf, size_t size); /* label+n */
void show_load_source(struct debugger *d);

/* An expression's value; what follows it is *rest, or an error where `rest` is NULL. */
enum status arg_value(struct debugger *d, const char *text, const char **rest, uint64_t *value,
                      struct errmsg *err) MUST_USE;
/* An optional number at the end of a command: `otherwise` where there is none. */
enum status arg_count(struct debugger *d, const char *args, uint64_t otherwise, uint64_t *value,
                      struct errmsg *err) MUST_USE;
/* A count of 1 or more at the end of a command; 1 where there is none. */
enum status arg_times(struct debugger *d, const char *args, uint64_t *value, struct errmsg *err) MUST_USE;
/* A word of the program: a label or an expression, FILE:LINE or :LINE; *rest is what follows. */
enum status arg_word(struct debugger *d, const char *args, const char **rest, unsigned *word,
                     struct errmsg *err) MUST_USE;

typedef enum status command_fn(struct debugger *d, const char *args, struct errmsg *err);
#define COMMAND(name, alias, args, group, flags, function, help) command_fn function;
#define INFO(name, args, function, help) command_fn function;
#include "emu/debug/commands.def"

#endif
