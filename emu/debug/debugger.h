/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Internal interface of the debugger. Each file of emu/debug calls only files above it in this list:
 *
 *     key.c      Ctrl-C
 *     machine.c  one co-processor: its position, its inputs, its watch callbacks
 *     guest_place.c  places of the guest
 *     text.c     values, words and places as text; arguments.c: the arguments of commands
 *     stops.c    stop conditions; show.c: what is printed at a stop
 *     past.c     the co-processor that shows the past
 *     travel.c   execution forwards and backwards
 *     breakpoints.c, control.c, change.c, views.c, why.c   the commands by subject
 *     script.c   scripts; session.c: the log of the session, which save-session writes
 *     command.c  the command interpreter
 *     debug.c    the live co-processor and the public interface (debug.h) */
#ifndef EMU_DEBUG_DEBUGGER_H
#define EMU_DEBUG_DEBUGGER_H

#include "emu/cop_watch.h"
#include "emu/debug/debug.h"
#include "emu/debug/formula.h"
#include "emu/debug/history.h"

enum { MAX_STOPS = 64, MAX_DISPLAYS = 16, MAX_SOURCES = 8, MAX_MARKS = 16, MAX_LINE = 1024, WORD_TEXT = 256 };

/* Events at which the stop conditions are evaluated. */
enum event { EVENT_INPUT, EVENT_DROP, EVENT_DONE, EVENT_INTERRUPT, EVENT_FAULT, EVENT_WORD };

/* Instructions of the guest at a place: a source line has one in each function that has code of it. */
struct guest_places {
    uint64_t *pc; /* owned */
    size_t count;
    bool is_line;
};

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
    unsigned number; /* as shown to the user */
    unsigned word;
    enum opclass opclass;
    struct guest_places at;
    char *text;           /* as typed by the user */
    char *condition_text; /* NULL: none */
    struct formula *condition, *watched;
    uint64_t hits, ignore;
    bool has_failed; /* an operation of its expressions had no result, which was printed */
};

/* Cause of a stop. */
struct reason {
    enum { REASON_GOAL, REASON_STOP, REASON_FAULT, REASON_KEY, REASON_BEGIN, REASON_END, REASON_PAUSE } kind;
    int stop;                /* STOP: index in the table of breakpoints */
    uint64_t also;           /* STOP: bit mask of the others that stop at the same moment */
    bool changed, was_known; /* STOP of a watchpoint: the last word made the change; `old` is valid */
    struct integer old, new;
    enum event event;
};

/* Goal of a command that runs the machine. */
struct goal {
    enum goal_kind {
        GOAL_NONE,
        GOAL_STEP,
        GOAL_SAMPLE,
        GOAL_DONE,
        GOAL_WORD,
        GOAL_POSITION, /* this one and those below: of goto, which passes breakpoints */
        GOAL_CYCLE,
        GOAL_SAMPLE_NUMBER
    } kind;
    uint64_t count; /* how often the goal must be met; POSITION, CYCLE, SAMPLE_NUMBER: the number to reach */
    unsigned word;
};

struct hit {
    struct moment at;
    struct reason why;
};

/* A co-processor and its position: the live one, or the one that shows the past. */
struct machine {
    struct debugger *d;
    struct cop *cop;
    bool live;
    void (*see)(struct machine *m, enum event event); /* stops the machine if a stop condition holds */
    uint64_t words, inputs, samples; /* since the start: words executed, inputs applied, samples dispatched */
    enum history_phase phase;
    enum event event;
    bool fresh;   /* a sample was dispatched and its first word has not executed */
    bool by_word; /* changes since the last evaluation were made by the word in `last` */
    bool knows_last;
    struct cop_step last; /* the last word executed */
    struct uop last_uop;
    struct integer old[MAX_STOPS]; /* last values of the watched expressions */
    bool known[MAX_STOPS];
    /* only of the machine that shows the past: */
    struct history_cursor cursor;
    enum { RUN_TO_STOP, RUN_TO_MOMENT, RUN_SCAN } mode;
    struct moment from, limit; /* events up to `from` are ignored; execution ends at `limit` */
    bool limit_counts;         /* events at the limit itself are evaluated */
    bool stopped;              /* by a stop condition */
    struct cop *frozen;        /* copy of the state at the stop, until the call that advanced past it returns */
    struct hit *hits;          /* SCAN: the stops passed */
    size_t hit_count, hit_room;
};

struct mark { /* a checkpoint */
    char *name;
    struct snapshot at;
    bool what_if;
};

struct input { /* a script */
    FILE *file;
    char *name;
    unsigned line; /* number of the line read last */
    bool sourced;  /* opened by a command of the script below it */
};

struct debugger {
    struct debug_services s;
    struct debug_options options;
    const struct image *image;
    FILE *out;
    bool color, running, ended, prompting, leave;
    bool failed;             /* a command of a script was refused */
    struct reason guest_why; /* of kind STOP: debug_retired asks for debug_pause */
    struct machine live, past;
    struct machine *shown;
    bool what_if;
    struct snapshot root; /* start of the what-if */
    struct history history;
    struct goal goal;
    struct reason why;
    struct stop stop[MAX_STOPS];
    unsigned next_number, guest_stops;
    int stops;               /* those behind are free */
    struct cop *here, *base; /* copies of the state at this stop and at the previous one */
    struct mark mark[MAX_MARKS];
    char *display[MAX_DISPLAYS];
    unsigned displays;
    /* input */
    struct input source[MAX_SOURCES];
    unsigned sources;
    struct terminal *terminal;
    char **log; /* commands of this session */
    size_t logged;
    char repeat[MAX_LINE]; /* command that an empty line repeats; "": none */
    bool repeating;
    int list_line;     /* next line that list prints; 0: the line of the word */
    char *source_text; /* source of the program; NULL: none */
    const char *source_name;
};

/* key.c */
/* Catches Ctrl-C from now on, and sets *stop on it (borrowed until key_end; may be NULL). */
void key_begin(volatile int *stop);
void key_end(void);
bool key_was_pressed(void);
/* Returns whether Ctrl-C was pressed, and clears the flag. */
bool key_take(void);
/* Returns whether this is the original process, not a fork made by the guest. */
bool key_is_ours(void);

/* machine.c */
struct moment machine_at(const struct machine *m);
struct formula_scope machine_scope(struct machine *m);
/* Sets the watch of the machine's co-processor. */
void machine_watch(struct machine *m);
/* Reports an event that the watch port does not report. */
void machine_event(struct machine *m, enum event e, enum history_phase phase);
/* Fills in the current filter counters of an input. */
void machine_counts(const struct machine *m, struct history_input *in);
void machine_record(struct machine *m, struct history_input *in);
/* Applies an input whose cycle has been reached. */
enum status machine_apply(struct machine *m, const struct history_input *in);
struct snapshot machine_snapshot(const struct machine *m);
/* Adds a snapshot to the history if one is due. */
void machine_keep(struct machine *m);

/* past.c */
#define NEVER ((struct moment){UINT64_MAX, UINT64_MAX, PHASE_WORD})
/* Restores the machine of the past to a snapshot. */
void past_place(struct debugger *d, const struct snapshot *s);
/* Runs with the recorded inputs until a stop condition holds, the limit is reached, or the recording ends. */
void past_run(struct machine *m);
/* Restores and shows a moment. */
void past_seek(struct debugger *d, const struct moment *to);
/* Starts a what-if at the moment shown. */
void past_set_root(struct debugger *d);
/* Returns to the present; ends a what-if. */
void past_leave(struct debugger *d);
void past_free(struct debugger *d);

/* travel.c */
/* Runs the machine shown towards the goal: the machine of the past within the call, the live one after the prompt
 * returns. */
void travel_forward(struct debugger *d, const struct goal *goal);
/* Runs backwards to the last moment before the one shown at which the goal or a breakpoint was met. */
void travel_backward(struct debugger *d, const struct goal *goal);
/* Shows the moment given by number of word, cycle or sample. */
void travel_go(struct debugger *d, const struct goal *goal);
/* Shows the moment of a snapshot. */
enum status travel_to(struct debugger *d, const struct snapshot *at, bool what_if, struct errmsg *err) MUST_USE;

/* stops.c */
/* Returns whether machine `m` must stop at this event. Counts hits; in a scan, records all of them instead. */
bool stops_reason(struct machine *m, enum event event, struct reason *why);
/* Counts a hit; returns whether the ignore count suppresses the stop. */
bool stops_ignore(struct stop *s);
/* Sets the reference values of the watchpoints to the current values. */
void stops_sample_values(struct machine *m);
void stops_describe(struct debugger *d, const struct reason *why, const struct machine *m);
const char *stops_kind_name(const struct stop *s);
void stops_remove(struct debugger *d, struct stop *s);
/* To be called after a breakpoint or watchpoint was added, enabled, disabled or removed. */
void stops_count(struct debugger *d);
void stops_free(struct debugger *d);
/* Adds the breakpoints at an instruction of the guest to *why, which is of kind STOP behind the first one; false: there
 * are none. */
bool stops_on_guest(struct debugger *d, uint64_t pc, struct reason *why);

/* breakpoints.c */
void breakpoints_renew(struct debugger *d); /* after a change of the program's or the guest's names */

/* script.c */
/* Opens a script, whose lines are read before those of the scripts that are open; "-" is standard input. */
enum status script_open(struct debugger *d, const char *name, struct errmsg *err) MUST_USE;
/* The next line of the scripts, which the caller frees, echoed after the prompt; NULL: all scripts are at their end. */
char *script_read_line(struct debugger *d, const char *prompt);
/* Prints a line as it is echoed. */
void script_print_line(const struct debugger *d, const char *prompt, const char *line);
/* To be called when a command of the innermost script was refused: ends the script, and the one that has called it.
 * Standard input is not ended. */
void script_end_refused(struct debugger *d);
void script_close_all(struct debugger *d);

/* session.c */
/* Adds a command to the log. */
void session_log(struct debugger *d, const char *line);
void session_free_log(struct debugger *d);

/* Refuses a command that uses files or the shell of this machine if another program sends the commands. */
enum status session_check_local(const struct debugger *d, const char *command, struct errmsg *err);

/* command.c */
/* Opens the sources of commands that the options select: terminal, script, ~/.pcemurc. */
enum status command_open(struct debugger *d, struct errmsg *err) MUST_USE;
void command_close(struct debugger *d);
void command_prompt(struct debugger *d);
/* Executes a line; returns false if its command was refused, with a message. */
bool command_execute(struct debugger *d, const char *line);
/* Whether a line begins with the name of a view, or with a prefix of one. */
enum view_name { VIEW_NONE, VIEW_PREFIX, VIEW_NAME };
enum view_name command_view(const char *text);
/* Whether a command with these arguments exists. */
enum status command_check(const char *text, struct errmsg *err) MUST_USE;

/* never.c: ST_OK if the stop can happen; *warning: why it does not happen now, which the caller frees, or NULL. An
 * error and a message if it can never happen. */
enum status never_check(struct debugger *d, const struct stop *s, char **warning, struct errmsg *err) MUST_USE;
enum status never_check_word(const struct debugger *d, unsigned word, struct errmsg *err) MUST_USE;
enum status never_check_condition(struct debugger *d, const struct formula *f, const char *text,
                                  struct errmsg *err) MUST_USE;

/* show.c; show.h declares the functions for views */
/* Prints the cause and place of a stop, and the displays. */
void show_stop(struct debugger *d, const struct reason *why);
void show_word_name(const struct image *im, unsigned word, char *buf, size_t size); /* label+n */
void show_load_source(struct debugger *d);

/* arguments.c */
/* Parses and evaluates an expression. *rest is the text after it; if `rest` is NULL, trailing text is an error. */
enum status arg_value(struct debugger *d, const char *text, const char **rest, uint64_t *value,
                      struct errmsg *err) MUST_USE;
/* Parses an optional number at the end of a command; default `otherwise`. */
enum status arg_count(struct debugger *d, const char *args, uint64_t otherwise, uint64_t *value,
                      struct errmsg *err) MUST_USE;
/* Parses an optional count of at least 1 at the end of a command; default 1. */
enum status arg_times(struct debugger *d, const char *args, uint64_t *value, struct errmsg *err) MUST_USE;
/* Parses a word address: label, expression, FILE:LINE or :LINE. *rest is the text after it. */
enum status arg_word(struct debugger *d, const char *args, const char **rest, unsigned *word,
                     struct errmsg *err) MUST_USE;

/* Takes a word off the arguments; false: another one is there. *rest is the text after it. */
bool arg_take_word(const char *text, const char *word, const char **rest);
/* Whether the text begins with FILE:LINE or :LINE. */
bool arg_is_line(const char *text, const char **rest, char file[IMAGE_PATH], unsigned *line);

/* guest_place.c */
/* Whether a word of the command is a label here: the program has one of this name, and no argument follows. */
bool guest_place_is_label(const struct debugger *d, const char *word, const char *rest);
/* Whether the arguments begin with `guest`, which *rest is behind, and mean the guest. */
bool guest_place_is_meant(const struct debugger *d, const char *args, const char **rest);
/* Whether a place is an address, not a name or a line. */
bool guest_place_is_address(const char *text);
/* Parses a place of the guest: a symbol with an optional offset, FILE:LINE, :LINE, or an expression. To be freed unless
 * that fails. */
enum status guest_place_parse(struct debugger *d, const char *args, const char **rest, struct guest_places *at,
                              struct errmsg *err) MUST_USE;
void guest_place_free(struct guest_places *at);
void guest_place_print(struct debugger *d, const struct guest_places *at);
/* Shows a view of the guest, of a place unless the arguments are empty. */
enum status guest_place_show(struct debugger *d, enum debug_guest_view what, const char *args,
                             struct errmsg *err) MUST_USE;

typedef enum status command_fn(struct debugger *d, const char *args, struct errmsg *err);
#define COMMAND(name, alias, args, group, flags, function, help) command_fn function;
#define INFO(name, args, function, help) command_fn function;
#include "emu/debug/commands.def"

#endif
