/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The input of commands that read a profile store: a selection of runs, and events by name. */
#ifndef TOOLS_PCPROF_INPUT_H
#define TOOLS_PCPROF_INPUT_H

#include "base/options.h"
#include "contract/report.h"
#include "host/store/store.h"

/* How messages and help name a selection. */
#define PCPROF_SELECTION "STORE[:EPOCH|:RUN,...]"

struct pcprof_input {
    const char *text;                 /* as the user named it; borrowed */
    struct store_selection selection; /* resolved */
    struct profile_store *store;
    struct store_contents contents; /* its runs */
};

/* Opens the store that the text names, which is borrowed, and resolves the selection. The caller closes the input, also
 * after an error. */
enum status pcprof_open(struct pcprof_input *in, const char *text, struct errmsg *err) MUST_USE;
void pcprof_close(struct pcprof_input *in);

/* Adds store, epoch and number of runs to a report. */
void pcprof_report_input(const struct pcprof_input *in, struct report *r);

/* ---- events ---- */

/* The events asked for as NAME[@PROFILER], and the names of all that there are. PROFILER may lack the options. */
struct pcprof_events {
    const char *of; /* the input that was read for them, as the user named it */
    const struct option_list *asked;
    bool is_default;    /* nothing was asked for */
    bool without_exact; /* exact answers are not loaded */
    char **name;
    size_t names;
};

/* Events that --event selects; without it, cycles. The list is borrowed. */
struct pcprof_events pcprof_events_of(const struct option_list *asked);
void pcprof_events_release(struct pcprof_events *e);

/* Loads a selection with the events of the names asked for. The caller frees the profile. */
enum status pcprof_load(const struct pcprof_input *in, const struct store_selection *selection, struct pcprof_events *e,
                        unsigned parts, struct profile **profile, struct errmsg *err) MUST_USE;

/* A reader of runs with the events of the names asked for, **e, which must live as long as the reader. */
struct store_reader *pcprof_reader(const struct pcprof_input *in, struct pcprof_events *const *e, unsigned parts);

/* The event of a profile that a text names: of several profilers the first one of time, of counters, of ProfileMe or of
 * programs, in this order; or PROFILE_NO_EVENT. */
uint32_t pcprof_find_event(const struct profile *p, const char *text);
/* The exact answer to an event, preferably of the same profiler; PROFILE_NO_EVENT: none of the same runs, or the event
 * is exact itself. */
uint32_t pcprof_find_exact(const struct profile *p, uint32_t event);

/* Whether an image is the program of a run, not a library. */
bool pcprof_is_program(const struct store_run_info *run, const struct profile_image *image);
/* Finds the number that a profile has of an image of another one. */
bool pcprof_find_image(const struct profile *p, const struct profile_image *image, uint32_t *number);

/* The error that no event has the name. */
enum status pcprof_no_event(const struct pcprof_events *e, const char *text, struct errmsg *err) MUST_USE;

#endif
