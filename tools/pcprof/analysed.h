/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A selection of runs with all that the analyses of host/analysis need: profile, code graphs, and the static schedules
 * of the runs' machine. What the commands calc, summary and cfg share. */
#ifndef TOOLS_PCPROF_ANALYSED_H
#define TOOLS_PCPROF_ANALYSED_H

#include "core-model/config/config.h"
#include "core-model/riscv/describe.h"
#include "host/analysis/analysis.h"
#include "host/analysis/from_profile.h"
#include "tools/pcprof/input.h"

/* Where frequencies are from. */
enum analysed_frequency {
    ANALYSED_BY_CORE, /* estimates on an in-order core; on an out-of-order one ProfileMe, else exact counts */
    ANALYSED_EXACT,
    ANALYSED_PROFILEME,
    ANALYSED_ESTIMATE, /* from the samples of time */
    ANALYSED_FREQUENCIES
};
extern const char *const analysed_frequency_names[ANALYSED_FREQUENCIES];

/* The options of analysis_options.def. */
struct analysed_choice {
    const char *input, *time; /* time NULL: by the core */
    enum analysed_frequency frequency;
    const struct option_list *events; /* further events to load; NULL: none */
};

struct analysed_image {
    struct rv_part *part; /* of code, then of constants */
    struct rv_parts parts;
    struct code code;
    struct code_graph *graph; /* NULL: not made yet */
    struct core_schedule *scheduler;
    struct code_schedule schedule;
    struct from_profile source;
    struct analysis_samples samples;
};

struct analysed {
    struct pcprof_input input;
    const char *text; /* the selection, as the user gave it */
    struct profile *profile;
    struct core_config machine;
    char *machine_name;
    uint32_t time,
        executions; /* events that the analyses read; executions PROFILE_NO_EVENT: frequencies are estimated */
    uint32_t exact_time, exact_executions, transfers; /* ground truth of the same runs; PROFILE_NO_EVENT: unknown */
    struct analysed_image *image;                     /* by number of the profile's images */
    struct pcprof_events events;
    struct option_list *names; /* of the events loaded */
};

/* Opens a selection and chooses the events. ST_INPUT: it has several configurations, or lacks events; the error names
 * the option of pcemu that supplies them. The caller closes it, also after an error. */
enum status analysed_open(struct analysed *a, const struct analysed_choice *choice, struct errmsg *err) MUST_USE;
void analysed_close(struct analysed *a);

/* Adds what has been analysed to the head of a report. */
void analysed_report(const struct analysed *a, struct report *r);
/* Adds instructions, cycles and CPI of a summary, in the units of the program, with their exact values, which are of
 * the tallied instructions too (analysed_tallied); NAN: unknown. */
void analysed_report_cpi(const struct analysis_summary *s, double period, double exact_instructions,
                         double exact_cycles, struct report *r);

/* A procedure: the code from an entry to the next one. */
struct analysed_procedure {
    uint32_t image, block; /* block: of the image's graph */
    uint64_t start, end;   /* end: one past the start of its last instruction */
};

/* The procedure that a text names: NAME, IMAGE:NAME or 0xADDRESS. ST_INPUT: none, several, or one without samples. */
enum status analysed_find(struct analysed *a, const char *text, struct analysed_procedure *out,
                          struct errmsg *err) MUST_USE;
/* Shared by the files: the image with its graph and schedules, made at their first use; the procedure whose entry is
 * the block; its samples of time. */
struct analysed_image *analysed_prepare(struct analysed *a, uint32_t image);
struct analysed_procedure analysed_procedure_at(const struct analysed_image *image, uint32_t number, uint32_t block);
double analysed_samples(const struct analysed *a, const struct analysed_procedure *p);
/* All procedures with samples, by image and address; the caller frees them. */
struct analysed_procedure *analysed_procedures(struct analysed *a, size_t *count);
/* Its name, the caller's to free: the demangled symbol, or "[IMAGE]+0xADDRESS". */
char *analysed_name(const struct analysed *a, const struct analysed_procedure *p);
/* The analysis of a procedure; the caller frees it. */
struct analysis *analysed_run(struct analysed *a, const struct analysed_procedure *p);

/* Estimate of an event at an address; NAN of PROFILE_NO_EVENT. */
double analysed_value(const struct analysed *a, uint32_t event, uint32_t image, uint64_t address);
/* Exact sum of an event over the procedure's instructions whose frequency is known; NAN of PROFILE_NO_EVENT. */
double analysed_tallied(const struct analysed *a, uint32_t event, const struct analysed_procedure *p,
                        const struct analysis *one);
/* Executions in the units of the program: a frequency times the period; NAN without confidence. */
double analysed_executions(const struct analysis *a, struct frequency f);
/* Relative error; NAN: unknown. */
double analysed_error(double estimate, double exact);
extern const char *const analysed_confidence[];

#endif
