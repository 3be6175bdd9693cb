/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The debugger's insides, for the files of emu/debug. machine.c runs the co-processors and goes backwards; stops.c says where to stop;
 * command.c reads and dispatches; the rest are commands by subject. */
#ifndef EMU_DEBUG_DEBUGGER_H
#define EMU_DEBUG_DEBUGGER_H

#include <signal.h>

#include "emu/cop_watch.h"
#include "emu/debug/debug.h"
#include "emu/debug/formula.h"
#include "emu/debug/history.h"

enum { MAX_STOPS = 64, MAX_DISPLAYS = 16, MAX_SOURCES = 8, MAX_MARKS = 16, MAX_LINE = 1024, WORD_TEXT = 256 };

/* What has happened when a watch callback asks whether to stop. */
enum event { EVENT_INPUT, EVENT_DROP, EVENT_DONE, EVENT_INTERRUPT, EVENT_FAULT, EVENT_WORD };

/* A breakpoint or a watchpoint. */
struct stop {
    enum stop_kind { STOP_FREE, STOP_WORD, STOP_CLASS, STOP_INTERRUPT, STOP_DROP, STOP_GUEST, STOP_CHANGE, STOP_TRUE } kind;
    bool enabled, temporary;
    unsigned number;           /* the user's */
    unsigned word;
    enum opclass opclass;
    uint64_t pc;
    char *text;                /* as the user gave it */
    char *condition_text;      /* NULL: none */
    struct formula *condition, *watched;
    uint64_t hits, ignore;
};

/* Why a machine has stopped. */
struct reason {
    enum { REASON_GOAL, REASON_STOP, REASON_FAULT, REASON_KEY, REASON_BEGIN, REASON_END, REASON_PAUSE } kind;
    int stop;                  /* STOP: its place in the table */
    bool changed, was_known;   /* STOP: of a watchpoint */
    uint64_t old, new;
    enum event event;
};

/* What a command that runs the machine wants to reach. */
struct goal {
    enum { GOAL_NONE, GOAL_STEP, GOAL_SAMPLE, GOAL_DONE, GOAL_WORD, GOAL_POSITION, GOAL_CYCLE, GOAL_SAMPLE_NUMBER } kind;
    uint64_t count;            /* times it is to be met; POSITION, CYCLE, SAMPLE_NUMBER: the number */
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
    uint64_t words, inputs, samples; /* executed, taken, begun since the start */
    enum phase phase;
    enum event event;
    bool fresh;                /* a sample has been dispatched; its first word has not executed */
    bool by_word;              /* what has changed since the last look was changed by the word in `last` */
    bool knows_last;
    struct cop_step last;      /* the last word executed */
    struct uop last_uop;
    uint64_t old[MAX_STOPS];   /* values of the watchpoints */
    bool known[MAX_STOPS];
    /* of the past */
    struct history_cursor cursor;
    enum { RUN_TO_STOP, RUN_TO_GOAL, RUN_TO_MOMENT, RUN_SCAN } mode;
    struct moment from, limit; /* events up to `from` are passed over; at `limit` it ends */
    bool limit_counts;         /* events at the limit itself are looked at */
    bool stopped, reached;     /* by a reason; at the limit */
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
    bool guest_stopped;        /* by debug_retired, which has set `why` */
    struct machine live, past;
    struct machine *shown;
    bool what_if;
    struct snapshot root;      /* of the what-if */
    struct history history;
    struct goal goal;
    struct reason why;
    struct stop stop[MAX_STOPS];
    unsigned next_number, guest_stops;
    struct cop *here, *base;   /* the state at this stop, and at the one before */
    struct mark mark[MAX_MARKS];
    char *display[MAX_DISPLAYS];
    unsigned displays;
    /* input */
    struct input source[MAX_SOURCES];
    unsigned sources;
    struct terminal *terminal;
    char **log;                /* the commands of this session */
    size_t logged;
    char repeat[MAX_LINE];     /* what an empty line stands for; empty: nothing */
    bool repeating;
    int list_line;             /* where list goes on; 0: at the word */
    char *source_text;         /* of the program; NULL where there is none */
    const char *source_name;
};

/* machine.c */
void machine_begin(struct debugger *d);
void machine_free(struct debugger *d);
struct moment machine_at(const struct machine *m);
struct formula_scope machine_scope(struct machine *m);
/* Runs what is shown towards the goal: in the past at once, in the present by making the prompt return. */
void machine_forward(struct debugger *d, const struct goal *goal);
/* To the last moment before the one shown at which the goal was met, or a breakpoint. */
void machine_backward(struct debugger *d, const struct goal *goal);
/* Shows a moment by word, cycle or sample. */
void machine_go(struct debugger *d, const struct goal *goal);
void machine_to_present(struct debugger *d);
/* Before a change: in the past, begins a what-if. ST_INPUT where nothing can be changed here. */
enum status machine_may_change(struct debugger *d, struct errmsg *err) MUST_USE;
/* Does an input to what is shown, and records it. */
enum status machine_input(struct debugger *d, const struct history_input *in, struct errmsg *err) MUST_USE;
/* A checkpoint: of the moment shown, and back to it. */
struct snapshot machine_snapshot(struct debugger *d);
enum status machine_show(struct debugger *d, const struct snapshot *at, bool what_if, struct errmsg *err) MUST_USE;
/* The program has been replaced: what was recorded before, and checkpoints, are of no use. */
void machine_forget(struct debugger *d);
/* Ctrl-C since it was asked last? */
bool machine_interrupted(void);
bool machine_is_interrupted(void); /* the same, which stays so */

/* stops.c */
/* Notes what a scan has passed. */
void machine_add_hit(struct machine *m, const struct reason *why);

/* Is there a reason to stop machine `m` at this event? Counts hits, but in a scan notes all that there are instead. */
bool stops_reason(struct machine *m, enum event event, struct reason *why);
/* Counts a stop passed; true where its ignore count lets it pass. */
bool stops_ignore(struct stop *s);
/* The values that watchpoints compare with are those of now. */
void stops_look(struct machine *m);
void stops_describe(struct debugger *d, const struct reason *why, const struct machine *m);
void stops_renew(struct debugger *d); /* the program's names have changed */
void stops_free(struct debugger *d);
bool stops_on_guest(struct debugger *d, uint64_t pc, struct reason *why);

/* command.c */
void command_prompt(struct debugger *d);
void command_execute(struct debugger *d, const char *line);
bool command_is_view(const char *name);

/* show.c; more of it, for views, is in show.h */
/* Why it has stopped, where, and the displays. */
void show_stop(struct debugger *d, const struct reason *why);
void show_word_name(const struct image *im, unsigned word, char *buf, size_t size); /* label+n */
void show_load_source(struct debugger *d);

/* An expression's value; what follows it is *rest, or an error where `rest` is NULL. */
enum status arg_value(struct debugger *d, const char *text, const char **rest, uint64_t *value, struct errmsg *err) MUST_USE;
/* An optional number at the end of a command: `otherwise` where there is none. */
enum status arg_count(struct debugger *d, const char *args, uint64_t otherwise, uint64_t *value, struct errmsg *err) MUST_USE;
/* A word of the program: a label or an expression, FILE:LINE or :LINE; *rest is what follows. */
enum status arg_word(struct debugger *d, const char *args, const char **rest, unsigned *word, struct errmsg *err) MUST_USE;

typedef enum status command_fn(struct debugger *d, const char *args, struct errmsg *err);
#define COMMAND(name, alias, args, group, flags, function, help) command_fn function;
#include "emu/debug/commands.def"
#undef COMMAND

#endif
