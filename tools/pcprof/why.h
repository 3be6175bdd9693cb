/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declarations shared by the files of pcprof why. */
#ifndef TOOLS_PCPROF_WHY_H
#define TOOLS_PCPROF_WHY_H

#include "tools/pcprof/gain.h"
#include "tools/pcprof/input.h"
#include "tools/pcprof/prof.h"

/* Rows of why_causes.def; `what` NULL: ALSO. */
struct why_cause_kind {
    const char *path, *what, *of;
    uint32_t removed; /* enum ideal_cause: what the advice removes; 0: it is none of these */
    const char *advice;
};
extern const struct why_cause_kind why_cause_kinds[];

enum {
    WHY_CAUSES = 3,
    WHY_EVENTS = 4,
    WHY_PARTS = 4,
    WHY_LINES = 3,
    WHY_FUNCTIONS = 4,
    WHY_SAMPLES = 30,
    WHY_HARTS = 4,
    WHY_STEPS = 64,
    WHY_BRANCHES = 3
};
/* Share of issue slots that retire instructions, from which a function loses little. */
#define WHY_BUSY 0.6
/* A gain below this is none. */
#define WHY_NO_GAIN 0.01
/* The share from which a path is followed. */
#define WHY_PATH_LEAST 0.1

struct why_event {
    const char *name; /* borrowed from the profile; NULL: none */
    double share;     /* of the cause's slots */
};

/* A cause of a function's time, with the instruction that has most of its slots. */
struct why_cause {
    const struct why_cause_kind *kind;
    double share;                       /* of the function's slots */
    struct why_event event[WHY_EVENTS]; /* the largest first */
    uint64_t address;                   /* in the function's image */
    double share_of_address;            /* of the cause's slots */
    struct why_part {
        const char *words; /* of PART; NULL: none */
        double share;      /* of the function's slots */
    } part[WHY_PARTS];     /* the largest first */
    const char *advice;    /* of the kind, or that of the largest part */
};

struct why_line {
    const char *file;
    uint32_t line;
    double share; /* of the function's time */
};

/* The function in question. All shares and rates are NAN where the store has no event for them. */
struct why_function {
    uint32_t image;
    const struct profile_symbol *symbol;
    double share;                        /* of the time of the selection */
    double samples;                      /* 0: the time is exact */
    double retired;                      /* instructions per cycle */
    double mispredicted, missed, hitm;   /* per instruction; hitm: accesses to lines that another hart had modified */
    struct why_cause cause[WHY_CAUSES];  /* the largest first; kind NULL: there is none */
    struct why_line line[WHY_LINES];     /* the same; file NULL */
    const struct profile_symbol *caller; /* that most of its time is called from; NULL: unknown */
    struct why_line call;                /* of that call; `share` of the function's time is called from the caller */
};

/* What a hart accesses of a line: the largest datum, and the instruction with most accesses to it. */
struct why_datum {
    const char *name, *event; /* borrowed from the profile; name: "counter[1].hits", or an address */
    unsigned hart;
    struct profile_place at;
    double accesses, of_hart; /* of_hart: to all data of the line */
};

/* The line of a program with most accesses behind another hart's writes. */
struct why_shared {
    uint64_t line; /* its address */
    bool is_false; /* in no run two harts access the same bytes */
    double accesses;
    struct why_datum datum[WHY_HARTS]; /* of the harts with most accesses, by their numbers */
    unsigned data;                     /* number of them */
    bool has_others;                   /* other harts have accesses, too */
};

/* A function on a path of calls. */
struct why_step {
    uint32_t image;
    const struct profile_symbol *symbol; /* NULL: none */
    uint64_t call;                       /* address of the call of it */
    double share;                        /* of the path's whole */
    struct why_line line;                /* of its call of the next function */
};

/* The path of calls that carries most, from the outermost function down to where no call has half of it. */
struct why_path {
    struct why_step step[WHY_STEPS];
    unsigned steps;
    struct why_step branch[WHY_BRANCHES]; /* the functions behind the last one, the largest first; symbol NULL: none */
    double own;                           /* what is in the last one itself, of the path's whole */
};

struct why {
    struct pcprof_input input;
    struct profile *profile;
    uint32_t time;       /* the event */
    double all;          /* its sum, in cycles */
    struct names *names; /* of the functions */
    struct prof prof;    /* rows by function */
    struct prof_row *row;
    size_t rows;
    struct pcprof_gains gains; /* of all functions */
    struct why_shared shared;  /* data 0: the store has no such line */
    struct why_function function;
    bool is_chosen; /* by its gain or its time, not by its name */
};

/* Whether a place is in the function. */
bool why_is_in(const struct why *w, struct profile_place at);
/* why_causes.c: the causes of w->function. */
void why_find_causes(struct why *w);
/* Of the functions, the one with the most issue slots that do not retire instructions, and its share of all such slots;
 * NULL: the store has no top-down analysis. */
const struct profile_symbol *why_find_lost(const struct why *w, double *share);
/* why_paths.c: the caller of w->function, from the stacks. */
void why_find_caller(struct why *w);
/* The path of the time, or of the function's own time. */
void why_find_path(const struct why *w, bool of_function, struct why_path *p);
/* why_sharing.c: sets w->shared. */
enum status why_find_shared(struct why *w, struct errmsg *err) MUST_USE;
/* why_facts.c: fills w->function, whose image and symbol are set, from the profile. */
void why_find(struct why *w);
/* why_runs.c: a sentence that the runs were stopped early, and one that they began with empty caches; NULL: they were
 * not. The caller frees them. */
char *why_tell_stopped(const struct why *w);
char *why_tell_cold(const struct why *w);
/* why_words.c: add to a text a function, a place, and where an address is: "0x107a6 in sort.c:53", "0x1ef24 in
 * libnetpbm.so.11", or with the function "0x107a6 in quicksort (sort.c:53)". */
void why_add_function(const struct why *w, FILE *text, const char *name);
void why_add_place(FILE *out, const char *file, uint32_t line);
void why_add_address(const struct why *w, FILE *out, struct profile_place at, const struct profile_symbol *function);
/* Steps of a path from `from` up to `to`, which is not included. */
void why_add_steps(const struct why *w, FILE *out, const struct why_path *p, unsigned from, unsigned to);
/* The command "pcprof COMMAND STORE", with another word `more` unless it is NULL; the caller frees it. */
char *why_evidence(const struct why *w, const char *command, const char *more);
/* why_advice.c: what to try about the causes of w->function, what gains the most first. */
struct why_advice {
    const struct why_cause *cause;
    const struct pcprof_gain *gain; /* the largest of what it removes in the function; NULL: unknown */
};
unsigned why_find_advice(const struct why *w, struct why_advice advice[WHY_CAUSES]);
/* why_report.c: the findings as sentences, and in JSON as values. */
void why_report(const struct why *w, struct report *r);

#endif
