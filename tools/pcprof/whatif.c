/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcprof whatif: the questions that pcemu --gain answers, about the instructions that a profile names. */
#include "tools/pcprof/whatif.h"

#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/outfile.h"
#include "core-model/config/config.h"
#include "core-model/ideal.h"
#include "host/export/place.h"
#include "host/report/words.h"
#include "tools/pcprof/gain.h"
#include "tools/pcprof/listing.h"
#include "tools/pcprof/pcprof.h"
#include "tools/pcprof/prof.h"

static const char doc[] =
    "Writes the questions that pcemu --gain FILE answers: what would the run gain without a cause of delay of each of "
    "the N instructions with most of an event."
    "\vEach line has an instruction and the causes that can delay one of its kind, or those of an event gain.CAUSES; "
    "then, as a comment, its value, text, function and line. The last line is the command of the first run selected, "
    "with --gain. A question about a library is a comment if that run does not know its functions from its beginning "
    "(--skip-insts, --start-at, --restore), and so is one about code without symbols.\n\n"
    "Gains are estimated by the profiler graph, of the out-of-order core alone. On the in-order core an instruction "
    "can have the time for which it waits for the result of another one: pcemu --gain N asks about this other one.";

static const char examples[] = "pcprof whatif -n 3 runs.db > questions\n"
                               "pcemu --no-program --gain questions bench.elf\n"
                               "pcprof whatif --event cycles runs.db\n";

#define TOOL pcprof
#define NAME whatif
#define OPTIONS "tools/pcprof/whatif_options.def"
#define ARGUMENTS PCPROF_SELECTION
#include "tools/command/command.inc"

struct whatif_question {
    uint32_t image;
    uint64_t address;
    uint32_t removed; /* enum ideal_cause */
    double value;     /* of the event, or share of the cycles that is gained */
};

struct whatif {
    struct pcprof_input input;
    struct prof prof; /* column 0: the event, if it is no gain */
    const char *gain; /* how the gains came about; NULL: the event is no gain */
    struct whatif_question *question;
    size_t count;
    struct names *names; /* of the functions */
    const char *file;    /* that the questions are written to */
    bool follows_time;   /* of the in-order core, where an instruction waits for the results of others */
};

/* ---- the questions ---- */

ORDER(whatif_by_value, struct whatif_question, FALLING(value) RISING(image) RISING(address) RISING(removed))

static void whatif_add(struct whatif *w, struct whatif_question q)
{
    if (q.removed == 0 || !(q.value > 0))
        return;
    w->question = xgrow(w->question, w->count, sizeof *w->question);
    w->question[w->count++] = q;
}

/* Adds the gains of an event, measured or estimated; NULL: all that are estimated. */
static enum status whatif_add_gains(struct whatif *w, const struct profile_event *e, struct errmsg *err)
{
    struct pcprof_gains g;
    const bool is_measured = e != NULL && strcmp(e->by, PROFILE_GAIN_MEASURED) == 0;
    enum status st = pcprof_gains_load(&g, &w->input, w->prof.profile, e != NULL && !is_measured ? e->by : NULL, err);
    for (size_t n = 0; st == ST_OK && n < g.count; n++) {
        const struct pcprof_gain *gain = &g.gain[n];
        const double share = is_measured ? gain->measured : gain->estimated;
        if (e == NULL || strcmp(gain->causes, e->name + strlen(PCPROF_GAIN_PREFIX)) == 0)
            whatif_add(w, (struct whatif_question){gain->image, gain->address, gain->removed, share});
    }
    pcprof_gains_free(&g);
    if (w->count > 0)
        w->gain = is_measured ? "gain" : "estimated gain";
    return st;
}

/* Adds the instructions with the event, and what can delay one of their kind. */
static void whatif_add_event(struct whatif *w)
{
    size_t count;
    struct prof_row *row = prof_rows(&w->prof, &count);
    for (size_t n = 0; n < count; n++) {
        struct code_insn in;
        if (row[n].image == PROF_UNKNOWN ||
            !listing_decode(profile_image(w->prof.profile, row[n].image), row[n].address, &in))
            continue;
        whatif_add(w,
                   (struct whatif_question){row[n].image, row[n].address, ideal_causes_of_kind(&in), row[n].value[0]});
    }
    free(row);
}

enum { WHATIF_PARTS = STORE_SYMBOLS | STORE_LINES | STORE_CODE | STORE_SCOPES };

/* The event that the user has named. */
static enum status whatif_load_named(struct whatif *w, const struct option_list *event, struct errmsg *err)
{
    enum status st = prof_load(&w->prof, &w->input, event, WHATIF_PARTS, err);
    if (st != ST_OK)
        return st;
    const struct profile_event *e = profile_event(w->prof.profile, w->prof.column[0].event);
    if (pcprof_gain_is_event(e))
        return whatif_add_gains(w, e, err);
    whatif_add_event(w);
    return ST_OK;
}

/* The estimated gains; without them the time. */
static enum status whatif_load_usual(struct whatif *w, struct errmsg *err)
{
    enum status st = store_load(w->input.store, &w->input.selection, WHATIF_PARTS, NULL, NULL, &w->prof.profile, err);
    if (st == ST_OK)
        st = whatif_add_gains(w, NULL, err);
    if (st != ST_OK || w->count > 0)
        return st;
    uint32_t time = profile_find_event(w->prof.profile, "cycles", PROFILE_EXACT);
    time = time != PROFILE_NO_EVENT ? time : pcprof_find_event(w->prof.profile, "cycles");
    if (time == PROFILE_NO_EVENT)
        return fail(err, ST_INPUT,
                    "%s has neither gains nor a profile of time: pcemu --profile oracle,graph makes both",
                    w->input.text);
    w->prof.column[w->prof.columns++] = (struct prof_column){.event = time, .exact = PROFILE_NO_EVENT};
    whatif_add_event(w);
    return ST_OK;
}

/* Sets whether the questions are about the time of a run of the in-order core. */
static enum status whatif_see_core(struct whatif *w, struct errmsg *err)
{
    char *name = NULL, *text = NULL;
    struct core_config machine;
    const int64_t first = w->input.contents.run[0].id;
    const struct store_selection run = {.range = &(struct store_range){first, first}, .ranges = 1};
    if (w->gain != NULL || strcmp(profile_event(w->prof.profile, w->prof.column[0].event)->name, "cycles") != 0)
        return ST_OK;
    enum status st = store_configuration(w->input.store, &run, &name, &text, err);
    core_config_default(&machine);
    if (st == ST_OK)
        st = core_config_parse(name, text, &machine, err);
    w->follows_time = st == ST_OK && machine.core != 0;
    free(name);
    free(text);
    return st;
}

/* ---- output ---- */

static bool whatif_is_program(const struct whatif *w, uint32_t image)
{
    return pcprof_is_program(&w->input.contents.run[0], profile_image(w->prof.profile, image));
}

static void whatif_write_value(const struct whatif *w, const struct whatif_question *q, FILE *out)
{
    char number[REPORT_NUMBER];
    if (w->gain != NULL) {
        fprintf(out, "%s %.2f %%", w->gain, 100 * q->value);
        return;
    }
    const struct prof_column *c = &w->prof.column[0];
    fprintf(out, "%s %s, %.2f %% of %s", report_number(number, (uint64_t)(q->value + 0.5)),
            profile_event(w->prof.profile, c->event)->unit, 100 * q->value / c->estimate,
            profile_event(w->prof.profile, c->event)->name);
}

/* "51.18 % estimated gain: bgeu a3,a2,10714 in select_below, below.c:19" */
static void whatif_write_comment(const struct whatif *w, const struct whatif_question *q, FILE *out)
{
    struct code_insn in;
    struct export_place place[EXPORT_PLACES];
    const struct profile_image *image = profile_image(w->prof.profile, q->image);
    const struct profile_symbol *s = profile_find_symbol(image, q->address);
    whatif_write_value(w, q, out);
    fprintf(out, ": %s", listing_decode(image, q->address, &in) ? in.text : "an instruction");
    if (s != NULL) {
        char *shown = names_show(w->names, s->unique);
        fprintf(out, " in %s", shown);
        free(shown);
    }
    (void)export_places(w->prof.profile, q->image, q->address, place);
    if (place[0].file != NULL)
        fprintf(out, ", %s:%u", basename(place[0].file), place[0].line);
    else if (!whatif_is_program(w, q->image))
        fprintf(out, ", %s", image->name);
}

/* The place of a question's instruction as pcemu finds it, for the caller to free; NULL: it has none. */
static char *whatif_place_of(const struct whatif *w, const struct whatif_question *q)
{
    return whatif_place(w->prof.profile, q->image, q->address, whatif_is_program(w, q->image));
}

/* Whether pcemu finds the place of a question. */
static bool whatif_is_found(const struct whatif *w, const struct whatif_question *q)
{
    char *place = whatif_place_of(w, q);
    const bool has_place = place != NULL;
    free(place);
    return has_place && (whatif_is_program(w, q->image) || whatif_knows_libraries(&w->input.contents.run[0]));
}

/* Writes a question; as a comment if pcemu would not find its place. */
static void whatif_write_question(const struct whatif *w, const struct whatif_question *q, FILE *out)
{
    char *place = whatif_place_of(w, q), *causes = ideal_print(q->removed);
    if (whatif_is_found(w, q))
        fprintf(out, "%s:%s # ", place, causes);
    else
        fprintf(out, "# not asked: %s:%s: ", place != NULL ? place : "(no symbol)", causes);
    whatif_write_comment(w, q, out);
    fputc('\n', out);
    free(place);
    free(causes);
}

/* Writes a question about each two of the first `most` questions that are asked. */
static void whatif_write_pairs(const struct whatif *w, size_t most, FILE *out)
{
    char **text = xcalloc(w->count + 1, sizeof *text);
    size_t asked = 0;
    for (size_t n = 0; n < w->count && asked < most; n++)
        if (whatif_is_found(w, &w->question[n])) {
            char *place = whatif_place_of(w, &w->question[n]), *causes = ideal_print(w->question[n].removed);
            text[asked++] = xasprintf("%s:%s", place, causes);
            free(place);
            free(causes);
        }
    for (size_t n = 0; n < asked; n++)
        for (size_t k = n + 1; k < asked; k++)
            fprintf(out, "%s %s\n", text[n], text[k]);
    for (size_t n = 0; n < asked; n++)
        free(text[n]);
    free(text);
}

/* Writes questions until `most` of them are asked; of those that are not asked, as many, and the number of the rest. */
static void whatif_write_all(const struct whatif *w, size_t most, bool pairs, FILE *out)
{
    size_t asked = 0, others = 0;
    for (size_t n = 0; n < w->count && asked < most; n++) {
        const bool is_asked = whatif_is_found(w, &w->question[n]);
        if (is_asked || others < most)
            whatif_write_question(w, &w->question[n], out);
        asked += is_asked;
        others += !is_asked;
    }
    if (others > most)
        fprintf(out, "# not asked: %zu other instruction%s\n", others - most, others - most == 1 ? "" : "s");
    if (pairs)
        whatif_write_pairs(w, most, out);
    if (w->follows_time)
        fputs("# The time of an instruction can be a wait for the result of another one: pcemu --gain N asks about "
              "what it waits for.\n",
              out);
    char *command = whatif_command_line(&w->input.contents.run[0], w->file);
    fprintf(out, "# %s\n", command);
    free(command);
}

static enum status whatif_write(struct whatif *w, const struct whatif_arguments *o, struct errmsg *err)
{
    struct outfile f;
    if (w->count == 0)
        return fail(err, ST_INPUT, "%s: no instruction with a value has a cause of delay that pcemu can remove",
                    w->input.text);
    qsort(w->question, w->count, sizeof *w->question, whatif_by_value);
    w->names = export_names(w->prof.profile, false);
    w->file = strcmp(o->output, "-") == 0 ? "questions" : o->output;
    enum status st = outfile_open(&f, o->output, err);
    if (st != ST_OK)
        return st;
    whatif_write_all(w, (size_t)o->questions, o->pairs, f.stream);
    return outfile_commit(&f, err);
}

static enum status whatif_command(const struct whatif_arguments *o, struct errmsg *err)
{
    struct whatif w = {.prof = {.by = PROF_BY_INSTRUCTION}};
    enum status st = pcprof_open(&w.input, o->input, err);
    if (st == ST_OK)
        st = o->event.count > 0 ? whatif_load_named(&w, &o->event, err) : whatif_load_usual(&w, err);
    if (st == ST_OK)
        st = whatif_see_core(&w, err);
    if (st == ST_OK)
        st = whatif_write(&w, o, err);
    free(w.question);
    names_free(w.names);
    profile_free(w.prof.profile);
    pcprof_close(&w.input);
    return st;
}
