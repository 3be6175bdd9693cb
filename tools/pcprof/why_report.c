/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The findings of pcprof why: each is a sentence and the command that shows its evidence. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/interval.h"
#include "host/export/place.h"
#include "host/report/words.h"
#include "tools/pcprof/why.h"

struct why_output {
    struct report *report;
    struct report_table *table;
};

static const char *why_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* Adds a word of a command line, quoted for a shell where it needs that. */
static void why_add_word(FILE *text, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@+,-";
    if (*word != '\0' && strspn(word, plain) == strlen(word)) {
        fputs(word, text);
        return;
    }
    fputc('\'', text);
    for (; *word != '\0'; word++)
        fputs(*word == '\'' ? "'\\''" : (const char[]){*word, '\0'}, text);
    fputc('\'', text);
}

static void why_add_function(const struct why *w, FILE *text, const char *name)
{
    char *shown = names_show(w->names, name);
    fputs(shown, text);
    free(shown);
}

/* Adds a finding, whose text and evidence are freed; evidence NULL: none. `begins`: a paragraph of the text form. */
static void why_add(struct why_output *o, const char *kind, bool begins, char *text, char *evidence)
{
    struct report_table *t = o->table;
    report_row(t);
    REPORT_COLUMN(t, TEXT, kind, .member = "kind");
    REPORT_COLUMN(t, TEXT, text, .member = "text");
    REPORT_COLUMN(t, TEXT, evidence, .member = "evidence");
    (begins ? report_note : report_note_line)(o->report, text);
    if (evidence != NULL) {
        char *line = xasprintf("    %s", evidence);
        report_note_line(o->report, line);
        free(line);
    }
    free(text);
    free(evidence);
}

static char *why_evidence(const struct why *w, const char *command, const char *more)
{
    char *text;
    size_t size;
    FILE *out = xopen_text(&text, &size);
    fprintf(out, "pcprof %s ", command);
    why_add_word(out, w->input.text);
    if (more != NULL) {
        fputc(' ', out);
        why_add_word(out, more);
    }
    xclose_text(out);
    return text;
}

static void why_add_place(FILE *out, const char *file, uint32_t line)
{
    fprintf(out, "%s:%u", why_base_name(file), line);
}

/* The least time that is told: a share of time, or as much as gives a number of samples by which a share is known. */
static double why_least(const struct why *w, double share)
{
    enum { SAMPLES = 30 };
    const struct profile_event *e = profile_event(w->profile, w->time);
    const double known = e->source != PROFILE_EXACT ? SAMPLES * e->period : 0;
    return share > known ? share : known;
}

/* ---- where ---- */

static void why_where(const struct why *w, struct why_output *o)
{
    char *text, number[REPORT_NUMBER];
    size_t size, named = 0;
    FILE *out = xopen_text(&text, &size);
    fprintf(out, "Of %s cycles, ", report_number(number, (uint64_t)(w->all + 0.5)));
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
    why_add(o, "where", true, text, why_evidence(w, "prof", NULL));
}

static void why_lines(const struct why *w, struct why_output *o)
{
    const struct why_function *f = &w->function;
    char *text;
    size_t size;
    FILE *out = xopen_text(&text, &size);
    why_add_function(w, out, f->symbol->unique);
    fprintf(out, " takes %.1f %% of the cycles", 100 * f->share);
    const double own = f->share * w->all, least = own > 0 ? why_least(w, 0.02 * own) / own : 0;
    for (int n = 0; n < WHY_LINES && f->line[n].file != NULL && f->line[n].share >= least; n++) {
        fprintf(out, "%s %.0f %% %s", n > 0 ? "," : ": of these", 100 * f->line[n].share, n == 0 ? "are in " : "");
        why_add_place(out, f->line[n].file, f->line[n].line);
    }
    fputc('.', out);
    xclose_text(out);
    why_add(o, "lines", true, text, why_evidence(w, "annotate", f->symbol->unique));
}

static void why_callers(const struct why *w, struct why_output *o)
{
    const struct why_function *f = &w->function;
    char *text;
    size_t size;
    if (f->caller == NULL)
        return;
    FILE *out = xopen_text(&text, &size);
    fprintf(out, "%.0f %% of its time is called from ", 100 * f->call.share);
    why_add_function(w, out, f->caller->unique);
    if (f->call.file != NULL) {
        fputs(", mostly at ", out);
        why_add_place(out, f->call.file, f->call.line);
    }
    fputc('.', out);
    xclose_text(out);
    why_add(o, "callers", false, text, why_evidence(w, "report -o page.html", NULL));
}

/* ---- why ---- */

static void why_rates(const struct why *w, struct why_output *o)
{
    const struct why_function *f = &w->function;
    if (isnan(f->retired))
        return;
    char *text = isnan(f->mispredicted) || isnan(f->missed)
                     ? xasprintf("It retires %.2f instructions in a cycle.", f->retired)
                     : xasprintf("It retires %.2f instructions in a cycle; of 1,000 instructions %.1f are mispredicted "
                                 "branches and %.1f loads that miss the L1 data cache.",
                                 f->retired, 1000 * f->mispredicted, 1000 * f->missed);
    why_add(o, "rates", false, text,
            why_evidence(w, "prof --event retired@counts --event retired-mispredicted@counts", NULL));
}

static void why_cause_sentence(const struct why *w, const struct why_cause *c, struct why_output *o, bool begins)
{
    char *text, *command;
    size_t size;
    FILE *out = xopen_text(&text, &size);
    fprintf(out, "%.0f %% of its issue slots %s", 100 * c->share, c->kind->what);
    if (c->kind->of != NULL) {
        struct export_place place[EXPORT_PLACES];
        (void)export_places(w->profile, w->function.image, c->address, place);
        fprintf(out, ", %s 0x%llx", c->share_of_address > 0.5 ? c->kind->of : "the largest part at",
                (unsigned long long)c->address);
        if (place[0].file != NULL) {
            fputs(" in ", out);
            why_add_place(out, place[0].file, place[0].line);
        }
    }
    fputc('.', out);
    xclose_text(out);
    command = xasprintf("prof --by instruction --event %s", c->event);
    why_add(o, "why", begins, text, why_evidence(w, command, NULL));
    free(command);
}

/* What to try about a cause: a share of slots that retire is lost time only if it is nearly all. */
static bool why_has_advice(const struct why_cause *c)
{
    return c->kind != NULL && c->share >= (c->kind->of == NULL ? 0.6 : 0.2);
}

static void why_causes(const struct why *w, struct why_output *o)
{
    const struct why_cause *c = w->function.cause;
    if (c[0].kind == NULL) {
        why_add(o, "why", true,
                xstrdup("Why it takes that time is not known: the store has no top-down analysis (pcemu --profile "
                        "oracle,topdown)."),
                NULL);
        return;
    }
    for (int n = 0; n < WHY_CAUSES && c[n].kind != NULL && (n == 0 || c[n].share >= 0.05); n++)
        why_cause_sentence(w, &c[n], o, n == 0);
    for (int n = 0, given = 0; n < WHY_CAUSES; n++)
        if (why_has_advice(&c[n]))
            why_add(o, "try", given++ == 0, xasprintf("Try: %s", c[n].kind->advice), NULL);
}

/* ---- how sure ---- */

static void why_sure(const struct why *w, struct why_output *o)
{
    const struct why_function *f = &w->function;
    const struct profile_event *e = profile_event(w->profile, w->time);
    char number[REPORT_NUMBER], *text;
    const double all = e->period > 0 ? w->all / e->period : 0;
    if (e->source == PROFILE_EXACT) {
        text = xstrdup("These numbers are exact: every cycle and slot of the runs is counted.");
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
    why_add(o, "sure", true, text, NULL);
}

void why_report(const struct why *w, struct report *r)
{
    struct report_table *t = report_table(r, "findings", NULL);
    report_whole(t);
    REPORT_COLUMN(t, TEXT, NULL, .member = "kind");
    REPORT_COLUMN(t, TEXT, NULL, .member = "text");
    REPORT_COLUMN(t, TEXT, NULL, .member = "evidence", .optional = true);
    struct why_output o = {r, t};
    why_where(w, &o);
    why_lines(w, &o);
    why_callers(w, &o);
    why_rates(w, &o);
    why_causes(w, &o);
    why_sure(w, &o);
}
