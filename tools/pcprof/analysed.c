/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcprof/analysed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "contract/event_alias.h"
#include "core-model/schedule/schedule.h"
#include "tools/pcprof/image_notes.h"

const char *const analysed_frequency_names[ANALYSED_FREQUENCIES] = {
    [ANALYSED_EXACT] = "exact", [ANALYSED_PROFILEME] = "profileme", [ANALYSED_ESTIMATE] = "estimate"};
const char *const analysed_confidence[] = {
    [CONFIDENCE_NONE] = "none", [CONFIDENCE_LOW] = "low", [CONFIDENCE_MEDIUM] = "medium", [CONFIDENCE_HIGH] = "high"};

static bool is_in_order(const struct analysed *a) { return a->machine.core != 0; }

/* ---- events ---- */

/* The events that the analyses can use, and those that the user asks for. */
static void name_events(struct analysed *a, const struct analysed_choice *choice)
{
    static const char *const used[] = {"cycles",    "retired",     "transfers", "icache-miss",
                                       "itlb-miss", "dcache-miss", "dtlb-miss", "mispredicted"};
    struct option_list *l = a->names = xcalloc(1, sizeof *l);
    for (size_t n = 0; n < sizeof used / sizeof used[0]; n++)
        l->text[l->count++] = used[n];
    if (choice->time != NULL)
        l->text[l->count++] = choice->time;
    for (unsigned n = 0; choice->events != NULL && n < choice->events->count; n++)
        l->text[l->count++] = choice->events->text[n];
    a->events = pcprof_events_of(l);
}

/* The first event of a name and a source that has samples of the same runs as the time (edges: transfers). */
static uint32_t find_event(const struct analysed *a, const char *name, enum profile_source source, bool edges)
{
    for (uint32_t n = 0; n < profile_events(a->profile); n++) {
        const struct profile_event *e = profile_event(a->profile, n);
        size_t count;
        if (strcmp(e->name, name) != 0 || e->source != source)
            continue;
        if (edges)
            (void)profile_edges(a->profile, n, &count);
        else
            (void)profile_samples(a->profile, n, &count);
        if (count > 0 && (a->time == PROFILE_NO_EVENT || profile_same_runs(a->profile, n, a->time)))
            return n;
    }
    return PROFILE_NO_EVENT;
}

static uint32_t find_time(const struct analysed *a, const char *asked)
{
    if (asked != NULL)
        return pcprof_find_event(a->profile, asked);
    uint32_t counter = find_event(a, "cycles", PROFILE_COUNTER, false),
             time = find_event(a, "cycles", PROFILE_TIME, false);
    return is_in_order(a) && counter != PROFILE_NO_EVENT ? counter : time;
}

static enum status no_such_time(const struct analysed *a, const struct analysed_choice *choice, struct errmsg *err)
{
    const char **names = xcalloc(profile_events(a->profile) + 1, sizeof *names);
    for (uint32_t n = 0; n < profile_events(a->profile); n++)
        names[n] = profile_event(a->profile, n)->name;
    enum status st = fail(err, ST_INPUT, "--time: %s has no event '%s'%s; pcprof prof %s has the cycles", a->text,
                          choice->time, diag_aside(event_meant(choice->time, names, profile_events(a->profile))).text,
                          choice->input);
    free(names);
    return st;
}

static enum status choose_time(struct analysed *a, const struct analysed_choice *choice, struct errmsg *err)
{
    const char *store = a->text;
    a->time = PROFILE_NO_EVENT;
    a->time = find_time(a, choice->time);
    if (a->time != PROFILE_NO_EVENT && strcmp(profile_event(a->profile, a->time)->unit, "cycles") != 0)
        return fail(err, ST_INPUT, "--time: expected an event in cycles, found '%s' in %s", choice->time,
                    profile_event(a->profile, a->time)->unit);
    if (a->time != PROFILE_NO_EVENT)
        return ST_OK;
    if (choice->time != NULL)
        return no_such_time(a, choice, err);
    if (is_in_order(a))
        return fail(err, ST_INPUT,
                    "%s: expected samples of cycles, found none: pcemu --profile counter:event=cycles collects them",
                    store);
    if (find_event(a, "cycles", PROFILE_COUNTER, false) != PROFILE_NO_EVENT)
        return fail(err, ST_INPUT,
                    "%s: the samples of an out-of-order core's cycle counter are late: pcemu --profile tip collects "
                    "better ones; --time cycles uses these",
                    store);
    return fail(err, ST_INPUT,
                "%s: expected samples of time, found none: pcemu --profile tip collects them, if its period is shorter "
                "than the run",
                store);
}

/* Returns whether the profile has executions of this source whose runs are not those of the time. */
static bool is_of_other_runs(const struct analysed *a, enum profile_source source)
{
    for (uint32_t n = 0; n < profile_events(a->profile); n++) {
        const struct profile_event *e = profile_event(a->profile, n);
        if (e->source == source && strcmp(e->name, "retired") == 0 && !profile_same_runs(a->profile, n, a->time))
            return true;
    }
    return false;
}

/* The error that there are no executions of the kind chosen; ANALYSED_BY_CORE: of an out-of-order core. */
static enum status missing_frequency(const struct analysed *a, enum analysed_frequency chosen, struct errmsg *err)
{
    const bool exact = chosen != ANALYSED_PROFILEME, profileme = chosen != ANALYSED_EXACT;
    const char *what = !exact       ? "counts of ProfileMe"
                       : !profileme ? "exact counts"
                                    : "counts of ProfileMe or exact counts";
    if ((exact && is_of_other_runs(a, PROFILE_EXACT)) || (profileme && is_of_other_runs(a, PROFILE_COUNTS))) {
        const struct profile_event *time = profile_event(a->profile, a->time);
        return fail(
            err, ST_INPUT,
            "%s: expected %s of the runs of %s@%s alone, found those of other runs: select runs that have counts "
            "and samples of time (STORE:RUN), or other samples of time (--time)",
            a->text, what, time->name, time->by);
    }
    return fail(err, ST_INPUT, "%s: expected %s, found none: pcemu %s collects them", a->text, what,
                !exact       ? "--profile profileme"
                : !profileme ? "--profile counts"
                             : "--profile profileme or --profile counts");
}

static enum status choose_frequency(struct analysed *a, const struct analysed_choice *choice, struct errmsg *err)
{
    enum analysed_frequency from = choice->frequency;
    uint32_t profileme = find_event(a, "retired", PROFILE_COUNTS, false);
    if (from == ANALYSED_BY_CORE && is_in_order(a))
        from = ANALYSED_ESTIMATE;
    if (from == ANALYSED_BY_CORE)
        from = profileme == PROFILE_NO_EVENT && a->exact_executions != PROFILE_NO_EVENT ? ANALYSED_EXACT
                                                                                        : ANALYSED_PROFILEME;
    a->executions = from == ANALYSED_EXACT       ? a->exact_executions
                    : from == ANALYSED_PROFILEME ? profileme
                                                 : PROFILE_NO_EVENT;
    if (from == ANALYSED_ESTIMATE || a->executions != PROFILE_NO_EVENT)
        return ST_OK;
    return missing_frequency(a, choice->frequency, err);
}

/* ---- opening ---- */

static enum status read_machine(struct analysed *a, struct errmsg *err)
{
    char *text = NULL;
    enum status st = store_configuration(a->input.store, &a->input.selection, &a->machine_name, &text, err);
    core_config_default(&a->machine);
    if (st == ST_OK)
        st = core_config_parse(a->machine_name, text, &a->machine, err);
    free(text);
    return st;
}

enum status analysed_open(struct analysed *a, const struct analysed_choice *choice, struct errmsg *err)
{
    *a = (struct analysed){.text = choice->input};
    name_events(a, choice);
    enum status st = pcprof_open(&a->input, choice->input, err);
    if (st == ST_OK)
        st = read_machine(a, err);
    if (st == ST_OK)
        st = pcprof_load(&a->input, &a->input.selection, &a->events,
                         STORE_SYMBOLS | STORE_LINES | STORE_CODE | STORE_EDGES, &a->profile, err);
    if (st == ST_OK)
        st = choose_time(a, choice, err);
    if (st != ST_OK)
        return st;
    a->image = xcalloc(profile_images(a->profile) + 1, sizeof *a->image);
    a->exact_time = find_event(a, "cycles", PROFILE_EXACT, false);
    a->exact_executions = find_event(a, "retired", PROFILE_EXACT, false);
    a->transfers = find_event(a, "transfers", PROFILE_EXACT, true);
    return choose_frequency(a, choice, err);
}

void analysed_close(struct analysed *a)
{
    for (size_t i = 0; a->image != NULL && i < profile_images(a->profile); i++) {
        code_graph_free(a->image[i].graph);
        core_schedule_free(a->image[i].scheduler);
        free(a->image[i].part);
    }
    free(a->image);
    profile_free(a->profile);
    free(a->machine_name);
    pcprof_events_release(&a->events);
    free(a->names);
    pcprof_close(&a->input);
}

static char *name_event(const struct analysed *a, uint32_t event)
{
    const struct profile_event *e = profile_event(a->profile, event);
    return xasprintf("%s@%s", e->name, e->by);
}

/* Losses in a loop depend on its instructions, so frequencies can be wrong. */
static void analysed_note_lost(const struct analysed *a, struct report *r)
{
    static const double most = 0.01;
    if (a->executions == PROFILE_NO_EVENT)
        return;
    const struct profile_event *e = profile_event(a->profile, a->executions);
    size_t count;
    double sampled = 0;
    const struct profile_sample *s = profile_samples(a->profile, a->executions, &count);
    for (size_t n = 0; n < count; n++)
        sampled += s[n].value;
    const double lost = (double)e->lost;
    if (lost > most * (lost + sampled))
        note_of(r, xasprintf("%.1f %% of the samples of %s@%s were lost: frequencies can be wrong.",
                             100 * lost / (lost + sampled), e->name, e->by));
}

void analysed_report(const struct analysed *a, struct report *r)
{
    char *time = name_event(a, a->time),
         *frequency = a->executions != PROFILE_NO_EVENT ? name_event(a, a->executions) : xstrdup("estimate");
    pcprof_report_input(&a->input, r);
    report_text(r, "configuration", "configuration", a->machine_name);
    report_text(r, "time", "time", time);
    report_text(r, "frequency", "frequency", frequency);
    analysed_note_lost(a, r);
    free(time);
    free(frequency);
}

static void report_with_exact(struct report *r, const char *key, const char *label, double value, double exact,
                              unsigned decimals, const char *unit)
{
    report_real(r, key, label, value, decimals, unit);
    if (isfinite(exact))
        report_exact(r, exact);
}

void analysed_report_cpi(const struct analysis_summary *s, double period, double exact_instructions,
                         double exact_cycles, struct report *r)
{
    report_real(r, "samples", "samples", s->samples, 0, NULL);
    report_share(r, "tallied", "  tallied", s->samples > 0 ? s->tallied / s->samples : 0, 1);
    report_with_exact(r, "executed", "executed", s->instructions * period, exact_instructions, 0, "instructions");
    report_real(r, "best_cycles", "best case", s->best * period, 0, "cycles");
    report_with_exact(r, "cycles", "actual", s->tallied * period, exact_cycles, 0, "cycles");
    report_real(r, "best_cpi", "best-case CPI", s->best / s->instructions, 2, NULL);
    report_with_exact(r, "cpi", "actual CPI", s->tallied / s->instructions, exact_cycles / exact_instructions, 2, NULL);
}

/* ---- images ---- */

static struct rv_part part_of(const struct profile_code *c)
{
    return (struct rv_part){.start = c->start, .size_bytes = c->size_bytes, .bytes = c->bytes};
}

struct analysed_image *analysed_prepare(struct analysed *a, uint32_t number)
{
    const struct profile_image *i = profile_image(a->profile, number);
    struct analysed_image *image = &a->image[number];
    if (image->graph != NULL)
        return image;
    image->part = xcalloc(i->codes + i->datas + 1, sizeof *image->part);
    for (size_t n = 0; n < i->codes; n++)
        image->part[n] = part_of(&i->code[n]);
    for (size_t n = 0; n < i->datas; n++)
        image->part[i->codes + n] = part_of(&i->data[n]);
    image->parts = (struct rv_parts){
        .code = image->part, .codes = i->codes, .constant = image->part + i->codes, .constants = i->datas};
    image->code = rv_code_of_parts(&image->parts);
    image->graph = from_profile_graph(i, &image->code);
    image->scheduler = core_schedule_new(&a->machine, rv_decode_in_parts, &image->parts);
    image->schedule = core_schedule_interface(image->scheduler);
    from_profile_use(&image->source, a->profile, number, a->time, a->executions, &image->samples);
    return image;
}

struct analysed_procedure analysed_procedure_at(const struct analysed_image *image, uint32_t number, uint32_t block)
{
    size_t blocks;
    const struct code_graph_block *b = code_graph_blocks(image->graph, &blocks);
    struct analysed_procedure p = {.image = number, .block = block, .start = b[block].start};
    for (uint32_t n = block; n < blocks && b[n].function == block; n++)
        p.end = b[n].last + 1;
    return p;
}

double analysed_samples(const struct analysed *a, const struct analysed_procedure *p)
{
    return profile_sum(a->profile, a->time, p->image, p->start, p->end);
}

struct analysed_procedure *analysed_procedures(struct analysed *a, size_t *count)
{
    struct analysed_procedure *found = NULL;
    *count = 0;
    for (uint32_t n = 0; n < profile_images(a->profile); n++) {
        size_t blocks = 0;
        const struct analysed_image *image = analysed_prepare(a, n);
        const struct code_graph_block *b = code_graph_blocks(image->graph, &blocks);
        for (uint32_t k = 0; k < blocks; k++) {
            if (b[k].function != k)
                continue;
            struct analysed_procedure p = analysed_procedure_at(image, n, k);
            if (analysed_samples(a, &p) <= 0)
                continue;
            if ((*count & (*count - 1)) == 0)
                found = xrealloc(found, (2 * *count + 1) * sizeof *found);
            found[(*count)++] = p;
        }
    }
    return found;
}

char *analysed_name(const struct analysed *a, const struct analysed_procedure *p)
{
    const struct profile_image *i = profile_image(a->profile, p->image);
    const struct profile_symbol *s = profile_find_symbol(i, p->start);
    if (s == NULL)
        return xasprintf("[%s]+0x%llx", i->name, (unsigned long long)p->start);
    return s->start == p->start ? xstrdup(s->unique)
                                : xasprintf("%s+0x%llx", s->unique, (unsigned long long)(p->start - s->start));
}

struct analysis *analysed_run(struct analysed *a, const struct analysed_procedure *p)
{
    struct analysed_image *image = analysed_prepare(a, p->image);
    return analysis_new(image->graph, p->block, &image->schedule, &image->samples);
}

/* ---- values ---- */

double analysed_value(const struct analysed *a, uint32_t event, uint32_t image, uint64_t address)
{
    return event == PROFILE_NO_EVENT
               ? (double)NAN
               : profile_value(a->profile, event, image, address) * profile_event(a->profile, event)->scale;
}

double analysed_tallied(const struct analysed *a, uint32_t event, const struct analysed_procedure *p,
                        const struct analysis *one)
{
    double sum = event != PROFILE_NO_EVENT ? 0 : (double)NAN;
    for (uint32_t i = 0; i < one->insns && event != PROFILE_NO_EVENT; i++)
        if (!isnan(one->insn[i].cpi))
            sum += analysed_value(a, event, p->image, one->insn[i].pc);
    return sum;
}

double analysed_executions(const struct analysis *a, struct frequency f)
{
    return f.confidence != CONFIDENCE_NONE ? f.value * a->period : (double)NAN;
}

double analysed_error(double estimate, double exact)
{
    return exact > 0 ? estimate / exact - 1 : estimate == 0 && exact == 0 ? 0 : (double)NAN;
}
