/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The findings of pcprof why: each is a sentence and the command that shows its evidence. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/interval.h"
#include "base/shell_word.h"
#include "host/report/words.h"
#include "tools/pcprof/why.h"

/* The largest gains that are named. */
enum { WHY_GAINS = 3 };
/* An instruction's share of the time from which its gain is named also if that is little of it. */
#define WHY_MUCH 0.1
#define WHY_LITTLE 0.2

struct why_output {
    struct report *report;
    struct report_table *table;
    bool has_measured, has_estimated; /* gains of the findings */
};

/* A finding. The text form has `lead` before the text. */
struct why_finding {
    const char *kind, *lead; /* lead: may be NULL */
    bool begins;             /* a paragraph of the text form */
    char *text, *evidence;   /* freed; evidence NULL: none */
    const struct profile_symbol *function;
    double share; /* NAN: none */
    const struct why_cause *cause;
};

/* Adds a finding; NULL: declares the columns. */
static void why_add(struct why_output *o, const struct why_finding *f)
{
    static const struct why_finding none = {.share = (double)NAN};
    struct report_table *t = o->table;
    f = f != NULL ? f : &none;
    if (f != &none)
        report_row(t);
    REPORT_COLUMN(t, TEXT, f->kind, .member = "kind");
    REPORT_COLUMN(t, TEXT, f->text, .member = "text");
    REPORT_COLUMN_IF(t, f->function != NULL, TEXT, f->function->unique, .member = "function", .optional = true);
    REPORT_COLUMN_IF(t, !isnan(f->share), SHARE, f->share, .member = "share", .optional = true);
    REPORT_COLUMN_IF(t, f->cause != NULL, TEXT, f->cause->kind->path, .member = "cause", .optional = true);
    REPORT_COLUMN_IF(t, f->cause != NULL && f->cause->kind->of != NULL, HEX, f->cause->address, .member = "address",
                     .optional = true);
    REPORT_COLUMN_IF(t, f->evidence != NULL, TEXT, f->evidence, .member = "evidence", .optional = true);
    if (f == &none)
        return;
    char *line = xasprintf("%s%s", f->lead != NULL ? f->lead : "", f->text);
    (f->begins ? report_note : report_note_line)(o->report, line);
    if (f->evidence != NULL)
        report_note_command(o->report, f->evidence);
    free(line);
    free(f->text);
    free(f->evidence);
}

/* Functions and lines with fewer cycles than this are left out: `cycles`, or those of too few samples to know a share.
 */
static double why_least(const struct why *w, double cycles)
{
    const struct profile_event *e = profile_event(w->profile, w->time);
    const double known = e->source != PROFILE_EXACT ? WHY_SAMPLES * e->period : 0;
    return cycles > known ? cycles : known;
}

static bool why_has_samples(const struct why *w)
{
    const struct profile_event *e = profile_event(w->profile, w->time);
    return e->source == PROFILE_EXACT || !(e->period > 0) || w->function.samples >= WHY_SAMPLES;
}

/* Whether a function retires instructions in so many of its slots that few are lost. */
static bool why_is_busy(const struct why_function *f)
{
    return f->cause[0].kind != NULL && f->cause[0].kind->of == NULL && f->cause[0].share >= WHY_BUSY;
}

/* ---- where ---- */

static void why_where(const struct why *w, struct why_output *o)
{
    char *text, number[REPORT_NUMBER];
    size_t size, named = 0;
    FILE *out = xopen_text(&text, &size);
    fprintf(out, "Of %s cycles%s, ", report_number(number, (uint64_t)(w->all + 0.5)),
            w->prof.several_harts ? " of all harts" : "");
    for (size_t n = 0; n < w->rows && named < WHY_FUNCTIONS; n++) {
        const struct prof_row *row = &w->row[n];
        if (row->image == PROF_UNKNOWN || row->value[0] < why_least(w, named > 0 ? 0.02 * w->all : 0))
            continue;
        char *name = prof_name_procedure(&w->prof, row, true);
        fputs(named > 0 ? ", " : "", out);
        fprintf(out, "%.1f %% are in ", 100 * row->value[0] / w->all);
        why_add_function(w, out, name);
        free(name);
        named++;
    }
    fputs(named == 0 ? "no function has 30 samples." : ".", out);
    xclose_text(out);
    why_add(o, &(struct why_finding){.kind = "where",
                                     .begins = true,
                                     .text = text,
                                     .share = (double)NAN,
                                     .evidence = why_evidence(w, "prof", NULL)});
}

/* Adds a sentence to the first paragraph. */
static void why_add_of_runs(struct why_output *o, char *text)
{
    if (text != NULL)
        why_add(o, &(struct why_finding){.kind = "runs", .text = text, .share = (double)NAN});
}

/* Names the function that loses most, if the one with most time retires instructions in most of its slots. */
static void why_lost(const struct why *w, struct why_output *o)
{
    char *text;
    size_t size;
    double share;
    const struct why_function *f = &w->function;
    const struct profile_symbol *most = w->is_chosen && why_is_busy(f) ? why_find_lost(w, &share) : NULL;
    if (most == NULL || most == f->symbol)
        return;
    FILE *out = xopen_text(&text, &size);
    why_add_function(w, out, f->symbol->unique);
    fprintf(out, " retires instructions in %.0f %% of its issue slots; of those that are lost, most, %.0f %%, are in ",
            100 * f->cause[0].share, 100 * share);
    why_add_function(w, out, most->unique);
    fputc('.', out);
    xclose_text(out);
    why_add(o, &(struct why_finding){.kind = "lost",
                                     .text = text,
                                     .function = most,
                                     .share = share,
                                     .evidence = why_evidence(w, "why", most->unique)});
}

/* The lines of the function; their shares if it has the samples to know them. */
static void why_lines(const struct why *w, struct why_output *o)
{
    const struct why_function *f = &w->function;
    const bool has_lines = profile_image(w->profile, f->image)->lines > 0;
    char *text;
    size_t size;
    FILE *out = xopen_text(&text, &size);
    why_add_function(w, out, f->symbol->unique);
    if (!why_has_samples(w)) {
        fprintf(out, " has %.0f of %.0f samples, too few to know the shares of its lines and callers", f->samples,
                w->all / profile_event(w->profile, w->time)->period);
    } else {
        const double own = f->share * w->all, least = own > 0 ? why_least(w, 0.02 * own) / own : 0;
        fprintf(out, " takes %.1f %% of the cycles", 100 * f->share);
        for (int n = 0; n < WHY_LINES && f->line[n].file != NULL && f->line[n].share >= least; n++) {
            fprintf(out, "%s %.0f %% %s", n > 0 ? "," : ": of these", 100 * f->line[n].share, n == 0 ? "are in " : "");
            why_add_place(out, f->line[n].file, f->line[n].line);
        }
    }
    fputc('.', out);
    xclose_text(out);
    why_add(o, &(struct why_finding){
                   .kind = "lines",
                   .begins = true,
                   .text = text,
                   .function = f->symbol,
                   .share = f->share,
                   .evidence = why_evidence(w, has_lines ? "annotate" : "annotate -d", f->symbol->unique)});
}

/* The number of the first step that is named: main, if it is on the path. */
static unsigned why_first_step(const struct why_path *p)
{
    for (unsigned n = 0; n < p->steps; n++)
        if (strcmp(p->step[n].symbol->name, "main") == 0)
            return n;
    return 0;
}

/* What the path divides into behind its last function. */
static void why_add_branches(const struct why *w, FILE *out, const struct why_path *p)
{
    const struct why_step *last = &p->step[p->steps - 1];
    const char *between = "";
    if (p->own >= WHY_PATH_LEAST) {
        fprintf(out, "%.0f %% in ", 100 * p->own);
        why_add_function(w, out, last->symbol->unique);
        fputs(" itself", out);
        between = ", ";
    }
    for (int n = 0; n < WHY_BRANCHES && p->branch[n].share >= WHY_PATH_LEAST / 2; n++) {
        fprintf(out, "%s%.0f %% by ", between, 100 * p->branch[n].share);
        why_add_function(w, out, p->branch[n].symbol->unique);
        between = ", ";
    }
}

/* The path of calls that carries most of the time, if it says more than that of the function. */
static void why_hot_path(const struct why *w, struct why_output *o)
{
    struct why_path p;
    char *text;
    size_t size;
    if (!w->is_chosen || !why_has_samples(w))
        return;
    why_find_path(w, false, &p);
    const unsigned first = why_first_step(&p);
    if (p.steps < first + 2 || p.step[p.steps - 1].symbol == w->function.symbol)
        return;
    const struct why_step *last = &p.step[p.steps - 1];
    FILE *out = xopen_text(&text, &size);
    fprintf(out, "%.0f %% of the cycles are on one path of calls, ", 100 * last->share);
    why_add_steps(w, out, &p, first, p.steps);
    if (p.branch[0].share >= WHY_PATH_LEAST) {
        fputs(", behind which they divide: ", out);
        why_add_branches(w, out, &p);
    }
    fputc('.', out);
    xclose_text(out);
    why_add(o, &(struct why_finding){.kind = "path",
                                     .text = text,
                                     .function = last->symbol,
                                     .share = last->share,
                                     .evidence = why_evidence(w, "report -o page.html", NULL)});
}

/* The path to the function, or its largest caller and how far the paths to it are one. */
static void why_callers(const struct why *w, struct why_output *o)
{
    const struct why_function *f = &w->function;
    struct why_path p;
    char *text;
    size_t size;
    if (f->caller == NULL || !why_has_samples(w))
        return;
    why_find_path(w, true, &p);
    const unsigned first = why_first_step(&p);
    const bool reaches = p.steps > first + 2 && p.step[p.steps - 1].symbol == f->symbol;
    double share = f->call.share;
    FILE *out = xopen_text(&text, &size);
    if (reaches) {
        share = p.step[p.steps - 1].share;
        fprintf(out, "%.0f %% of its time is called on the path ", 100 * share);
        why_add_steps(w, out, &p, first, p.steps - 1);
    } else {
        fprintf(out, "%.0f %% of its time is called from ", 100 * share);
        why_add_function(w, out, f->caller->unique);
        fputs(f->call.file != NULL ? ", mostly at " : "", out);
        if (f->call.file != NULL)
            why_add_place(out, f->call.file, f->call.line);
    }
    if (p.steps > first && p.step[p.steps - 1].symbol != f->symbol) {
        fputs(". The paths to it divide behind ", out);
        why_add_steps(w, out, &p, first, p.steps);
        fputs(": ", out);
        why_add_branches(w, out, &p);
    }
    fputc('.', out);
    xclose_text(out);
    why_add(o, &(struct why_finding){.kind = "callers",
                                     .text = text,
                                     .function = reaches ? p.step[p.steps - 2].symbol : f->caller,
                                     .share = share,
                                     .evidence = why_evidence(w, "report -o page.html", NULL)});
}

/* ---- why ---- */

static void why_rates(const struct why *w, struct why_output *o)
{
    const struct why_function *f = &w->function;
    const bool has_counts = !isnan(f->mispredicted) && !isnan(f->missed);
    const bool shares = has_counts && w->prof.several_harts && !isnan(f->hitm);
    char *text;
    size_t size;
    if (isnan(f->retired))
        return;
    FILE *out = xopen_text(&text, &size);
    fprintf(out, "It retires %.2f instructions in a cycle", f->retired);
    if (has_counts)
        fprintf(out, "; of 1,000 instructions %.1f are mispredicted branches%s %.1f loads that miss the L1 data cache",
                1000 * f->mispredicted, shares ? "," : " and", 1000 * f->missed);
    if (shares)
        fprintf(out, ", and %.1f access a line that another hart has modified", 1000 * f->hitm);
    fputc('.', out);
    xclose_text(out);
    char *command = xasprintf("prof --event retired@counts --event retired-mispredicted@counts "
                              "--event retired-dcache-miss@counts%s",
                              shares ? " --event hitm@counts" : "");
    why_add(o, &(struct why_finding){.kind = "rates",
                                     .text = text,
                                     .function = f->symbol,
                                     .share = (double)NAN,
                                     .evidence = why_evidence(w, has_counts ? command : "prof", NULL)});
    free(command);
}

/* The command that shows the events with at least a tenth of the cause's slots. */
static char *why_cause_evidence(const struct why *w, const struct why_cause *c)
{
    char *command;
    size_t size;
    FILE *out = xopen_text(&command, &size);
    fputs("prof --by instruction", out);
    for (int n = 0; n < WHY_EVENTS && c->event[n].share >= (n == 0 ? 0 : 0.1); n++)
        fprintf(out, " --event %s", c->event[n].name);
    xclose_text(out);
    char *evidence = why_evidence(w, command, NULL);
    free(command);
    return evidence;
}

static void why_cause_sentence(const struct why *w, const struct why_cause *c, struct why_output *o, bool begins)
{
    char *text;
    size_t size;
    FILE *out = xopen_text(&text, &size);
    fprintf(out, "%.0f %% of its issue slots %s", 100 * c->share, c->kind->what);
    for (int n = 0; n < WHY_PARTS && c->part[n].share >= (n == 0 ? 0 : 0.01); n++)
        if (c->part[n].words != NULL)
            fprintf(out, "%s%.0f %% %s", n == 0 ? ": " : ", ", 100 * c->part[n].share, c->part[n].words);
    if (c->kind->of != NULL) {
        fprintf(out, "%s %s ", c->part[0].words != NULL ? ";" : ",",
                c->share_of_address > 0.5 ? c->kind->of : "the largest part at");
        why_add_address(w, out, (struct profile_place){w->function.image, c->address}, NULL);
    }
    fputc('.', out);
    xclose_text(out);
    why_add(o, &(struct why_finding){.kind = "why",
                                     .begins = begins,
                                     .text = text,
                                     .function = w->function.symbol,
                                     .share = c->share,
                                     .cause = c,
                                     .evidence = why_cause_evidence(w, c)});
}

/* Notes how a gain is known that a finding has. */
static void why_note_gain(struct why_output *o, const struct pcprof_gain *g)
{
    o->has_measured |= pcprof_gain_is_measured(g);
    o->has_estimated |= !pcprof_gain_is_measured(g);
}

static void why_try(const struct why *w, const struct why_advice *a, struct why_output *o, bool begins)
{
    char *lead = a->gain == NULL
                     ? xstrdup("Try: ")
                     : xasprintf("Try (%s %.1f %%): ", pcprof_gain_is_measured(a->gain) ? "gain" : "estimated gain",
                                 100 * pcprof_gain_share(a->gain));
    why_add(o, &(struct why_finding){.kind = "try",
                                     .lead = lead,
                                     .begins = begins,
                                     .text = xstrdup(a->cause->advice),
                                     .function = w->function.symbol,
                                     .share = a->gain != NULL ? pcprof_gain_share(a->gain) : (double)NAN,
                                     .cause = a->cause});
    free(lead);
}

static void why_causes(const struct why *w, struct why_output *o)
{
    const struct why_cause *c = w->function.cause;
    if (c[0].kind == NULL) {
        why_add(o, &(struct why_finding){
                       .kind = "why",
                       .begins = true,
                       .function = w->function.symbol,
                       .share = (double)NAN,
                       .text = xstrdup("Why it takes that time is not known: the store has no top-down analysis "
                                       "(pcemu --profile oracle,topdown).")});
        return;
    }
    for (int n = 0; n < WHY_CAUSES && c[n].kind != NULL && (n == 0 || c[n].share >= 0.05); n++)
        why_cause_sentence(w, &c[n], o, n == 0);
    struct why_advice advice[WHY_CAUSES];
    const unsigned given = why_find_advice(w, advice);
    for (unsigned n = 0; n < given; n++)
        why_try(w, &advice[n], o, n == 0);
}

/* ---- shared lines ---- */

/* The command that shows the instructions of each hart. */
static char *why_shared_evidence(const struct why *w, const struct why_shared *s)
{
    char *command, *evidence;
    size_t size;
    FILE *out = xopen_text(&command, &size);
    fputs("prof --by instruction", out);
    for (unsigned n = 0; n < s->data; n++) {
        fputs(" --event ", out);
        shell_word_print(s->datum[n].event, out);
    }
    xclose_text(out);
    evidence = why_evidence(w, command, NULL);
    free(command);
    return evidence;
}

static void why_add_datum(const struct why *w, FILE *out, const struct why_datum *d, bool first)
{
    const struct profile_symbol *f = profile_find_symbol(profile_image(w->profile, d->at.image), d->at.address);
    fprintf(out, "%s %u %s%s at ", first ? "hart" : ", hart", d->hart, first ? "accesses " : "", d->name);
    why_add_address(w, out, d->at, f);
}

/* The data that harts modify in turns, by the profiler sharing. */
static void why_shared_data(const struct why *w, struct why_output *o)
{
    const struct why_shared *s = &w->shared;
    char *text, number[REPORT_NUMBER];
    size_t size;
    if (s->data == 0 || s->accesses < WHY_SAMPLES)
        return;
    FILE *out = xopen_text(&text, &size);
    fprintf(out, "Harts modify the line at 0x%llx in turns, with %s accesses: ", (unsigned long long)s->line,
            report_number(number, (uint64_t)s->accesses));
    for (unsigned n = 0; n < s->data; n++)
        why_add_datum(w, out, &s->datum[n], n == 0);
    fputs(s->has_others ? ", and other harts. " : ". ", out);
    fputs(s->is_false ? "No two harts access the same bytes (false sharing)." : "They access the same bytes.", out);
    xclose_text(out);
    why_add(o, &(struct why_finding){.kind = "sharing",
                                     .begins = true,
                                     .text = text,
                                     .share = (double)NAN,
                                     .evidence = why_shared_evidence(w, s)});
    why_add(o, &(struct why_finding){
                   .kind = "try",
                   .lead = "Try: ",
                   .share = (double)NAN,
                   .text = xstrdup(s->is_false ? "Give each hart's data lines of their own: alignas(64) for the "
                                                 "structure or its members, elements of an array that fill a line."
                                               : "Let each hart update a copy of its own, and add the copies up at the "
                                                 "end, or update the data less often.")});
}

/* ---- gains ---- */

static char *why_gain_evidence(const struct why *w, const struct pcprof_gain *g)
{
    char *command = xasprintf("prof --by instruction --event " PCPROF_GAIN_PREFIX "%s@%s", g->causes,
                              pcprof_gain_is_measured(g) ? PROFILE_GAIN_MEASURED : w->gains.estimated_by);
    char *evidence = why_evidence(w, command, NULL);
    free(command);
    return evidence;
}

static void why_gain_sentence(const struct why *w, const struct pcprof_gain *g, struct why_output *o, bool begins)
{
    const struct profile_symbol *symbol = profile_find_symbol(profile_image(w->profile, g->image), g->address);
    char *text;
    size_t size;
    FILE *out = xopen_text(&text, &size);
    why_note_gain(o, g);
    fputs("Without ", out);
    pcprof_gain_add_removed(out, g->removed);
    fputs(" of ", out);
    why_add_address(w, out, (struct profile_place){g->image, g->address}, symbol);
    fprintf(out, " the run %s %.1f %% fewer cycles.", pcprof_gain_is_measured(g) ? "takes" : "would take an estimated",
            100 * pcprof_gain_share(g));
    xclose_text(out);
    why_add(o, &(struct why_finding){.kind = "gain",
                                     .begins = begins,
                                     .text = text,
                                     .function = symbol,
                                     .share = pcprof_gain_share(g),
                                     .evidence = why_gain_evidence(w, g)});
}

/* The instruction's share of the time. */
static double why_time_at(const struct why *w, const struct pcprof_gain *g)
{
    return profile_value(w->profile, w->time, g->image, g->address) * profile_event(w->profile, w->time)->scale /
           w->all;
}

/* Whether no other causes of the instruction gain more. */
static bool why_is_most_at(const struct why *w, const struct pcprof_gain *g)
{
    const struct pcprof_gain *first = w->gains.gain;
    while (first->image != g->image || first->address != g->address)
        first++;
    return first == g;
}

/* Whether the instruction has much time, and its removal gains little of it. */
static bool why_is_hidden(const struct why *w, const struct pcprof_gain *g)
{
    const double time = why_time_at(w, g);
    return time >= WHY_MUCH && pcprof_gain_share(g) <= WHY_LITTLE * time && why_is_most_at(w, g);
}

static void why_hidden_sentence(const struct why *w, const struct pcprof_gain *g, struct why_output *o, bool begins)
{
    const struct profile_symbol *symbol = profile_find_symbol(profile_image(w->profile, g->image), g->address);
    char *text;
    size_t size;
    FILE *out = xopen_text(&text, &size);
    why_note_gain(o, g);
    why_add_address(w, out, (struct profile_place){g->image, g->address}, symbol);
    fprintf(out, " takes %.1f %% of the cycles, but the removal of ", 100 * why_time_at(w, g));
    pcprof_gain_add_removed(out, g->removed);
    fprintf(out, " gains %s%.1f %%: the rest of that time is execution, or a wait for something else.",
            pcprof_gain_is_measured(g) ? "" : "an estimated ", 100 * pcprof_gain_share(g));
    xclose_text(out);
    why_add(o, &(struct why_finding){.kind = "hidden",
                                     .begins = begins,
                                     .text = text,
                                     .function = symbol,
                                     .share = pcprof_gain_share(g),
                                     .evidence = why_evidence(w, "top", NULL)});
}

/* Of the whole run. */
static void why_gains(const struct why *w, struct why_output *o)
{
    const struct pcprof_gains *g = &w->gains;
    const struct pcprof_gain *hidden = NULL; /* the one with most time */
    size_t named = 0;
    for (size_t n = 0; n < g->count; n++) {
        const struct pcprof_gain *one = &g->gain[n];
        if (why_is_hidden(w, one))
            hidden = hidden == NULL || why_time_at(w, one) > why_time_at(w, hidden) ? one : hidden;
        else if (named < WHY_GAINS && pcprof_gain_share(one) >= WHY_NO_GAIN)
            why_gain_sentence(w, one, o, named++ == 0);
    }
    if (hidden != NULL)
        why_hidden_sentence(w, hidden, o, named == 0);
}

/* ---- the other functions ---- */

static void why_other(const struct why *w, const struct profile_symbol *symbol, struct why_output *o, bool begins)
{
    char *text;
    size_t size;
    const struct why_cause *c = w->function.cause;
    FILE *out = xopen_text(&text, &size);
    why_add_function(w, out, symbol->unique);
    fprintf(out, " takes %.1f %% of the cycles", 100 * w->function.share);
    if (c->kind != NULL)
        fprintf(out, ": %.0f %% of its issue slots %s", 100 * c->share, c->kind->what);
    fputc('.', out);
    xclose_text(out);
    why_add(o, &(struct why_finding){.kind = "other",
                                     .begins = begins,
                                     .text = text,
                                     .function = symbol,
                                     .share = w->function.share,
                                     .cause = c->kind != NULL ? c : NULL,
                                     .evidence = why_evidence(w, "why", symbol->unique)});
}

/* The functions with a considerable share of the time beside the one that was chosen. */
static void why_others(const struct why *w, struct why_output *o)
{
    bool begins = true;
    for (size_t n = 0; w->is_chosen && n < w->rows && w->row[n].value[0] >= why_least(w, 0.15 * w->all); n++) {
        struct why other = *w;
        const uint32_t image = w->row[n].image;
        if (image == PROF_UNKNOWN)
            continue;
        other.function = (struct why_function){
            .image = image, .symbol = profile_find_symbol(profile_image(w->profile, image), w->row[n].address)};
        if (other.function.symbol == NULL || other.function.symbol == w->function.symbol)
            continue;
        why_find(&other);
        why_other(&other, other.function.symbol, o, begins);
        begins = false;
    }
}

/* ---- how sure ---- */

/* The gains of the sentences above. */
static const char *why_sure_of_gains(const struct why_output *o)
{
    return !o->has_estimated ? ""
           : o->has_measured ? " Not those gains that are estimated: they are calculated from the run's dependences."
                             : " Not so the gains: they are estimated from the run's dependences (pcemu --gain "
                               "measures them).";
}

static void why_sure(const struct why *w, struct why_output *o)
{
    const struct why_function *f = &w->function;
    const struct profile_event *e = profile_event(w->profile, w->time);
    char number[REPORT_NUMBER], *text;
    const double all = e->period > 0 ? w->all / e->period : 0;
    if (e->source == PROFILE_EXACT) {
        text = xasprintf("These numbers are exact: every cycle and slot of the runs is counted.%s",
                         why_sure_of_gains(o));
    } else if (all == 0) {
        text = xasprintf("The times are samples of %s, whose number is not known.", e->by);
    } else if (f->samples == 0) {
        text = xasprintf("The times are from %s samples of %s, none of which is in the function.",
                         report_number(number, (uint64_t)(all + 0.5)), e->by);
    } else {
        const struct interval i = interval_of_share(f->share, all);
        text = xasprintf(
            "The times are from %s samples of %s: the share of the function is from %.1f to %.1f %% with a "
            "confidence of 95 %%.",
            report_number(number, (uint64_t)(all + 0.5)), e->by, 100 * i.low, 100 * i.high);
    }
    why_add(o, &(struct why_finding){.kind = "sure", .begins = true, .text = text, .share = (double)NAN});
    if (f->cause[0].kind != NULL)
        why_add(o, &(struct why_finding){
                       .kind = "sure",
                       .text = xstrdup("Shares of issue slots differ from those of the page's cycle stacks: a stack "
                                       "counts whole cycles by what commit waits for, top-down analysis the slots of "
                                       "each cycle by why no instruction enters the back end."),
                       .share = (double)NAN});
}

void why_report(const struct why *w, struct report *r)
{
    struct report_table *t = report_table(r, "findings", NULL);
    report_whole(t);
    struct why_output o = {.report = r, .table = t};
    why_add(&o, NULL);
    why_where(w, &o);
    why_hot_path(w, &o);
    why_lost(w, &o);
    why_add_of_runs(&o, why_tell_stopped(w));
    why_add_of_runs(&o, why_tell_cold(w));
    why_lines(w, &o);
    why_callers(w, &o);
    why_rates(w, &o);
    why_causes(w, &o);
    why_shared_data(w, &o);
    why_gains(w, &o);
    why_others(w, &o);
    why_sure(w, &o);
}
