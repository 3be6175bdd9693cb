/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcprof annotate: source and instructions of procedures, with the values of events. */
#include "tools/pcprof/annotate.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tools/pcprof/image_notes.h"
#include "tools/pcprof/no_procedure.h"
#include "tools/pcprof/pcprof.h"

static const char doc[] =
    "Prints the source lines of procedures, and with --disassembly their instructions, with the estimates of events."
    "\vWithout PROCEDURE, procedures with at least 5 % of the first event are shown, or the one with the largest "
    "share. "
    "Source files are read from the disk: a store has only their paths, and the code. The tables have all rows, in "
    "source or address order; pcprof top prints the instructions with the largest counts of an event.";

static const char examples[] = "pcprof annotate runs.db               # procedures with 5 % of the cycles\n"
                               "pcprof annotate -d runs.db main       # with the instructions of main\n";

#define TOOL pcprof
#define NAME annotate
#define OPTIONS "tools/pcprof/annotate_options.def"
#define ARGUMENTS PCPROF_SELECTION " [PROCEDURE...]"
#include "tools/command/command.inc"

/* ---- procedures ---- */

struct procedures {
    struct annotate_procedure *procedure;
    size_t count;
};

static void annotate_append(struct procedures *list, uint32_t image, const struct profile_symbol *s)
{
    list->procedure = xrealloc(list->procedure, (list->count + 1) * sizeof *list->procedure);
    list->procedure[list->count++] = (struct annotate_procedure){image, s};
}

/* Appends all procedures of a name. */
static bool append_all(const struct annotate *a, struct procedures *list, const char *name,
                       bool (*is_of)(const struct profile_symbol *s, const char *name))
{
    size_t before = list->count;
    for (uint32_t n = 0; n < profile_images(a->prof.profile); n++) {
        const struct profile_image *i = profile_image(a->prof.profile, n);
        for (size_t s = 0; s < i->symbols; s++)
            if (is_of(&i->symbol[s], name))
                annotate_append(list, n, &i->symbol[s]);
    }
    return list->count > before;
}

/* Appends the procedure of an instruction, NAME+0xOFFSET. */
static enum status append_named(const struct annotate *a, const char *input, struct procedures *list, const char *name,
                                struct errmsg *err)
{
    uint64_t offset;
    char *whole = strndup(name, procedure_name_bytes(name, &offset));
    if (whole == NULL)
        out_of_memory();
    bool found = append_all(a, list, name, procedure_is_named) || append_all(a, list, whole, procedure_is_named) ||
                 append_all(a, list, whole, procedure_is_shortened_to);
    free(whole);
    return found ? ST_OK : no_procedure(input, a->prof.profile, name, err);
}

/* Appends the procedures with a share of the first event; `row` has procedures, the largest first. */
static void append_largest(const struct annotate *a, struct procedures *list, const struct prof_row *row, size_t count)
{
    const double least = 0.05;
    for (size_t n = 0; n < count; n++) {
        if (row[n].image == PROF_UNKNOWN || (list->count > 0 && row[n].value[0] < least * a->prof.column[0].estimate))
            continue;
        const struct profile_symbol *s = profile_find_symbol(profile_image(a->prof.profile, row[n].image),
                                                             row[n].address);
        if (s != NULL)
            annotate_append(list, row[n].image, s);
    }
}

static bool has_image(const struct procedures *list, uint32_t image)
{
    for (size_t n = 0; n < list->count; n++)
        if (list->procedure[n].image == image)
            return true;
    return false;
}

/* The error that no procedure can be shown. */
static enum status without_procedures(const struct annotate *a, const char *input, struct errmsg *err)
{
    char *missing = images_without_symbols(a->prof.profile, a->prof.column[0].event);
    enum status st = missing != NULL ? fail(err, ST_INPUT,
                                            "%s: there is no procedure to annotate: %s pcprof top shows instructions",
                                            input, missing)
                                     : fail(err, ST_INPUT,
                                            "%s: there is no procedure with values of the event %s: pcprof list names "
                                            "the events",
                                            input, profile_event(a->prof.profile, a->prof.column[0].event)->name);
    free(missing);
    return st;
}

/* ---- the report ---- */

static void annotate_add_procedure(const struct annotate *a, const struct annotate_procedure *p, bool disassembly,
                                   struct report *list)
{
    struct prof_row all = {.image = p->image};
    struct report *r = report_element(list, p->symbol->unique);
    annotate_add_values(a, &all, p->symbol->start, p->symbol->start + p->symbol->size_bytes);
    report_text(r, "procedure", NULL, p->symbol->unique);
    report_text(r, "image", NULL, profile_image(a->prof.profile, p->image)->name);
    report_real(r, "estimate", NULL, all.value[0], 0, profile_event(a->prof.profile, a->prof.column[0].event)->unit);
    report_share(r, "share", NULL, prof_share(&a->prof, 0, all.value[0]), 2);
    annotate_lines(a, p, r);
    if (disassembly)
        annotate_listing(a, p, r);
}

static enum status annotate_print(struct annotate *a, const struct pcprof_input *in, const struct annotate_arguments *o,
                                  struct errmsg *err)
{
    struct procedures list = {0};
    size_t count;
    enum status st = ST_OK;
    struct prof_row *row = prof_rows(&a->prof, &count);
    for (unsigned n = 0; n < o->procedure.count && st == ST_OK; n++)
        st = append_named(a, o->input, &list, o->procedure.text[n], err);
    if (o->procedure.count == 0)
        append_largest(a, &list, row, count);
    if (st == ST_OK && list.count == 0)
        st = without_procedures(a, o->input, err);
    if (st == ST_OK) {
        struct report *r = report_new();
        pcprof_report_input(in, r);
        prof_report_events(&a->prof, r);
        struct report *elements = report_list(r, "procedures");
        for (size_t n = 0; n < list.count; n++)
            annotate_add_procedure(a, &list.procedure[n], o->disassembly, elements);
        for (uint32_t n = 0; n < profile_images(a->prof.profile); n++)
            if (has_image(&list, n))
                note_image(r, profile_image(a->prof.profile, n));
        st = command_write(&COMMAND_WHOLE_OUTPUT(o), r, err);
        report_free(r);
    }
    free(list.procedure);
    free(row);
    return st;
}

static enum status annotate_command(const struct annotate_arguments *o, struct errmsg *err)
{
    struct pcprof_input in;
    struct annotate a = {
        .prof = {.by = PROF_BY_PROCEDURE, .blank = true}, .source_dir = o->source_dir, .collected = INT64_MAX};
    enum status st = pcprof_open(&in, o->input, err);
    for (size_t n = 0; st == ST_OK && n < in.contents.runs; n++)
        if (in.contents.run[n].time < a.collected)
            a.collected = in.contents.run[n].time;
    if (st == ST_OK)
        st = prof_load(&a.prof, &in, &o->event, STORE_SYMBOLS | STORE_LINES | STORE_CODE, err);
    if (st == ST_OK)
        st = annotate_print(&a, &in, o, err);
    profile_free(a.prof.profile);
    pcprof_close(&in);
    return st;
}
