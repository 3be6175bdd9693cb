/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stops and their places, the source, and the commands where, list and disas. */
#include "emu/debug/show.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum { MAX_SOURCE_BYTES = 4 << 20, LIST_LINES = 10 };

/* ---- the source ---- */

void show_load_source(struct debugger *d)
{
    struct errmsg err;
    size_t size;
    free(d->source_text);
    d->source_text = NULL;
    d->source_name = d->image->files > 0 ? d->image->file[0] : NULL;
    if (d->source_name != NULL && strcmp(d->source_name, "-") != 0 &&
        file_read(d->source_name, MAX_SOURCE_BYTES, &d->source_text, &size, &err) != ST_OK)
        d->source_text = NULL;
}

const char *show_source_line(struct debugger *d, int line, int *length)
{
    const char *at = d->source_text;
    for (int i = 1; at != NULL && i < line; i++)
        at = (at = strchr(at, '\n')) != NULL ? at + 1 : NULL;
    if (at == NULL || *at == '\0' || line < 1)
        return NULL;
    *length = (int)strcspn(at, "\r\n");
    return at;
}

/* Line of a word in the main source file, or 0. */
static int show_line_of(const struct debugger *d, unsigned word)
{
    const struct image *im = d->image;
    return word < im->words && im->word_file[word] == 0 && d->source_text != NULL ? (int)im->word_line[word] : 0;
}

static int word_of(const struct debugger *d, int line)
{
    for (unsigned i = 0; i < d->image->words; i++)
        if (show_line_of(d, i) == line)
            return (int)i;
    return -1;
}

/* ---- words ---- */

static bool is_patched(struct debugger *d, unsigned word)
{
    return word < d->image->words ? show_peek(d, BUS_MICROCODE, word) != d->image->word[word]
                                  : show_peek(d, BUS_MICROCODE, word) != 0;
}

static const char *predictor(struct debugger *d, unsigned word)
{
    static const char *const states[] = {"N", "n", "t", "T"};
    return states[show_peek(d, BUS_PREDICTOR, word) & 3];
}

static bool has_breakpoint(const struct debugger *d, unsigned word)
{
    for (int i = 0; i < d->stops; i++)
        if (d->stop[i].kind == STOP_WORD && d->stop[i].enabled && d->stop[i].word == word)
            return true;
    return false;
}

static void print_mark(struct debugger *d, unsigned word)
{
    bool here = word == cop_pc(d->shown->cop);
    fputs(here ? "=>" : has_breakpoint(d, word) ? " b" : "  ", d->out);
}

/* Prints a word's source line, else its disassembly. */
static void show_print_word(struct debugger *d, unsigned word)
{
    int length = 0, line = is_patched(d, word) ? 0 : show_line_of(d, word);
    const char *text = show_source_line(d, line, &length);
    char words[WORD_TEXT];
    if (text != NULL) {
        fprintf(d->out, "%6d  %.*s\n", line, length, text);
        return;
    }
    show_word_text(d, d->shown->cop, word, words);
    fprintf(d->out, "        %s\n", words);
}

static const char *state_text(const struct cop *c)
{
    static const char *const states[] = {
        [BUS_HALTED] = "halted",
        [BUS_RUNNING] = "running",
        [BUS_WAITING_SAMPLE] = "waiting for a sample",
        [BUS_INTERRUPT] = "halted by an interrupt that the host has not served yet",
        [BUS_ILLEGAL] = "stopped by an illegal word",
        [BUS_RUNAWAY] = "stopped as a runaway",
    };
    return states[cop_state(c)];
}

static void print_where(struct debugger *d)
{
    struct machine *m = d->shown;
    char name[WORD_TEXT];
    struct cop_record r;
    unsigned word = cop_pc(m->cop);
    show_word_name(d->image, word, name, sizeof name);
    fprintf(d->out, "position %llu, cycle %llu", (unsigned long long)m->words, (unsigned long long)cop_cycle(m->cop));
    if (m->samples > 0)
        fprintf(d->out, ", sample %llu", (unsigned long long)m->samples);
    if (cop_state(m->cop) == BUS_RUNNING && cop_record(m->cop, 0, &r))
        fprintf(d->out, " (%s)", opclass_name(r.opclass));
    if (cop_state(m->cop) == BUS_WAITING_SAMPLE) {
        fprintf(d->out, ", %s\n", state_text(m->cop));
        return;
    }
    fprintf(d->out, ", at word %u (%s)", word, name);
    if (cop_state(m->cop) != BUS_RUNNING)
        fprintf(d->out, ", %s", state_text(m->cop));
    fputc('\n', d->out);
    show_print_word(d, word);
}

enum status cmd_where(struct debugger *d, const char *args, struct errmsg *err)
{
    const char *rest;
    if (guest_place_is_meant(d, args, &rest) && *rest == '\0')
        return guest_place_show(d, DEBUG_GUEST_BACKTRACE, rest, err);
    if (*args != '\0')
        return fail(err, ST_INPUT, "expected nothing, or guest, found '%.40s'", args);
    if (d->what_if)
        fprintf(d->out, "a what-if, from position %llu on\n", (unsigned long long)d->root.at.words);
    else if (d->shown != &d->live)
        fprintf(d->out, "the past; the present is position %llu, cycle %llu\n", (unsigned long long)d->live.words,
                (unsigned long long)cop_cycle(d->live.cop));
    print_where(d);
    return ST_OK;
}

static void print_reason(struct debugger *d, const struct reason *why)
{
    switch (why->kind) {
    case REASON_STOP:
        stops_describe(d, why, d->shown);
        break;
    case REASON_FAULT:
        fputs("the program has stopped the co-processor\n", d->out);
        break;
    case REASON_KEY:
        fputs("interrupted\n", d->out);
        break;
    case REASON_BEGIN:
        fprintf(d->out, "%s begins here\n", d->what_if ? "the what-if" : "the history");
        break;
    case REASON_END:
        fprintf(d->out, "%s\n", d->what_if ? "the recorded inputs end here" : "the run ends here");
        break;
    case REASON_GOAL:
    case REASON_PAUSE:
        break;
    }
}

/* Makes the current state the reference for marking changes at the next stop. */
static void advance_reference(struct debugger *d)
{
    struct cop *base = d->base;
    d->base = d->here;
    d->here = base;
    if (d->here != NULL)
        cop_restore(d->here, d->shown->cop);
    else
        d->here = cop_clone(d->shown->cop);
}

void show_stop(struct debugger *d, const struct reason *why)
{
    struct errmsg err;
    advance_reference(d);
    d->list_line = 0;
    print_reason(d, why);
    print_where(d);
    for (unsigned i = 0; i < d->displays; i++)
        if (show_display(d, i, &err) != ST_OK)
            fprintf(d->out, "%u: %s: %s\n", i + 1, d->display[i], err.text);
}

/* ---- list and disas ---- */

static void list_line(struct debugger *d, int line)
{
    int length = 0, word = word_of(d, line);
    const char *text = show_source_line(d, line, &length);
    if (word >= 0) {
        print_mark(d, (unsigned)word);
        fprintf(d->out, " %10llu %s %c", (unsigned long long)cop_word_count(d->shown->cop, (unsigned)word),
                predictor(d, (unsigned)word), is_patched(d, (unsigned)word) ? '*' : ' ');
    } else {
        fprintf(d->out, "  %14s", "");
    }
    fprintf(d->out, "%5d  %.*s\n", line, length, text);
}

static void disassemble(struct debugger *d, unsigned word)
{
    char text[WORD_TEXT];
    const char *label = word < d->image->words ? d->image->label[word] : "";
    show_word_text(d, d->shown->cop, word, text);
    print_mark(d, word);
    fprintf(d->out, " %10llu %s %c %2u  %s%s%s\n", (unsigned long long)cop_word_count(d->shown->cop, word),
            predictor(d, word), is_patched(d, word) ? '*' : ' ', word, label, label[0] ? ": " : "", text);
}

enum status cmd_list(struct debugger *d, const char *args, struct errmsg *err)
{
    int length, line = d->list_line;
    unsigned word;
    const char *rest;
    if (guest_place_is_meant(d, args, &rest))
        return guest_place_show(d, DEBUG_GUEST_LIST, rest, err);
    enum status st = arg_word(d, args, &rest, &word, err);
    if (st != ST_OK)
        return st;
    if (show_line_of(d, word) == 0)
        return fail(err, ST_INPUT, "there is no source of word %u here: disas shows it", word);
    if (*args != '\0' || line == 0)
        line = show_line_of(d, word) > LIST_LINES / 2 ? show_line_of(d, word) - LIST_LINES / 2 : 1;
    if (show_source_line(d, line, &length) == NULL)
        return fail(err, ST_INPUT, "the source ends here");
    for (int i = 0; i < LIST_LINES && show_source_line(d, line, &length) != NULL; i++)
        list_line(d, line++);
    d->list_line = line;
    return ST_OK;
}

enum status cmd_disas(struct debugger *d, const char *args, struct errmsg *err)
{
    unsigned word, last = d->image->words;
    uint64_t n = 1;
    const char *rest;
    if (guest_place_is_meant(d, args, &rest))
        return guest_place_show(d, DEBUG_GUEST_CODE, rest, err);
    enum status st = arg_word(d, args, &rest, &word, err);
    if (st == ST_OK && *args != '\0')
        st = arg_count(d, rest, 1, &n, err);
    if (st != ST_OK)
        return st;
    if (*args == '\0')
        word = 0;
    else
        last = n < ISA_WORDS - word ? word + (unsigned)n : ISA_WORDS;
    for (; word < last; word++)
        disassemble(d, word);
    return ST_OK;
}
