/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that modify the state: set, inject, patch, reload, checkpoints. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/debug/debugger.h"
#include "emu/samples.h"

/* ---- applying an input ---- */

/* To be called before a change: in the past it starts a what-if. ST_INPUT if the state cannot be changed here. */
static enum status prepare_change(struct debugger *d, struct errmsg *err)
{
    if (d->shown->phase == PHASE_INPUT || d->shown->phase == PHASE_DONE)
        return fail(err, ST_INPUT, "nothing can be changed between a %s and what follows: step first",
                    d->shown->phase == PHASE_DONE ? "done" : "sample's arrival");
    if (d->shown == &d->live && d->ended)
        return fail(err, ST_INPUT, "the run is over: go back, and change something there");
    return ST_OK;
}

/* Applies an input to the machine shown, and records it. */
static enum status apply_input(struct debugger *d, const struct history_input *in, struct errmsg *err)
{
    struct machine *m = d->shown;
    struct history_input copy = *in;
    enum status st = prepare_change(d, err);
    if (st != ST_OK)
        return st;
    copy.cycle = cop_cycle(m->cop);
    machine_counts(m, &copy);
    bool fresh = m->fresh;
    enum history_phase phase = m->phase;
    uint64_t inputs = m->inputs;
    if (!m->live) {
        m->limit = NEVER;
        m->mode = RUN_TO_MOMENT;
    }
    st = machine_apply(m, &copy);
    m->phase = phase;
    m->fresh = fresh;
    struct cop_record head;
    if (st != ST_OK && in->kind == INPUT_POKE && in->place.region == BUS_HEAD && !cop_record(m->cop, 0, &head))
        return fail(err, ST_RANGE, "there is no sample at the head");
    if (st != ST_OK)
        return fail(err, ST_RANGE, "the co-processor does not take this value here");
    m->inputs = inputs + 1;
    if (!m->live)
        past_set_root(d);
    else if (in->kind == INPUT_POKE || in->kind == INPUT_PC)
        machine_record(m, &copy);
    return ST_OK;
}

/* ---- set ---- */

/* Finds the assignment operator: the first = that is not part of ==, !=, <= or >=. */
static const char *find_assignment(const char *s)
{
    for (const char *at = s; (at = strchr(at, '=')) != NULL; at++) {
        if (at[1] == '=')
            at++;
        else if (at > s && strchr("!<>", at[-1]) == NULL)
            return at;
    }
    return NULL;
}

/* The cell cannot stand for that number. */
static enum status refuse_encoded(const struct formula_cell *cell, const char *name, uint64_t value, struct errmsg *err)
{
    unsigned shift = slot_formats[slot_format_row_of(cell->format)].shift;
    if (slot_format_print(cell->format) == PRINT_SIGNED)
        return fail(err, ST_RANGE, "%s has %u bits with a sign: %lld does not fit", name, cell->bits, (long long)value);
    return fail(err, ST_RANGE, "%s holds an address of the guest: expected a multiple of %u below 0x%llx, found 0x%llx",
                name, 1u << shift, 1ull << (cell->bits + shift), (unsigned long long)value);
}

/* Bits of the value that the place holds: those of its register, or of the sample's field, or 64. */
static unsigned place_bits(struct debugger *d, const struct cop_place *place)
{
    uint64_t field, width;
    const struct cop_place format = {BUS_FORMAT, place->element}, widths = {BUS_WIDTHS, place->element};
    if (place->region == BUS_HEAD && cop_peek(d->shown->cop, &format, &field) == ST_OK && field < FIELD_COUNT)
        return sample_fields[field].width_bits;
    if (place->region == BUS_INDEXES && cop_peek(d->shown->cop, &widths, &width) == ST_OK)
        return (unsigned)width & 0x1f;
    for (unsigned file = 0; file < REG_FILES; file++)
        if (bus_find_names((enum bus_names)file)->address == (uint32_t)place->region)
            return isa_regfiles[file].bits;
    return 64;
}

static enum status assign(struct debugger *d, const struct formula_cell *cell, const char *name, uint64_t value,
                          struct errmsg *err)
{
    struct history_input in = {.kind = INPUT_POKE, .place = cell->place, .value = value};
    uint64_t old;
    if (cell->kind == CELL_WORD) {
        in.kind = INPUT_PC;
        if (value >= ISA_WORDS)
            return fail(err, ST_RANGE, "there are words 0 to %d, no %lld", ISA_WORDS - 1, (long long)value);
        return apply_input(d, &in, err);
    }
    if (cop_peek(d->shown->cop, &cell->place, &old) != ST_OK)
        return fail(err, ST_RANGE, "%s: there is nothing to be set", name);
    if (cell->format != FORMAT_NONE) {
        uint64_t held = slot_format_held(cell->format, value, cell->bits);
        if (slot_format_value(cell->format, held, cell->bits) != value)
            return refuse_encoded(cell, name, value, err);
        in.value = value = held ^ cell->mixed;
    }
    const unsigned bits = cell->width < 64 ? cell->width : place_bits(d, &cell->place);
    if (bits < 64 && value >> bits != 0)
        return fail(err, ST_RANGE, "%s has %u bit%s: 0x%llx does not fit", name, bits, bits == 1 ? "" : "s",
                    (unsigned long long)value);
    if (cell->width < 64) {
        uint64_t ones = (UINT64_C(1) << cell->width) - 1;
        in.value = (old & ~(ones << cell->low)) | value << cell->low;
    }
    return apply_input(d, &in, err);
}

enum status cmd_set(struct debugger *d, const char *args, struct errmsg *err)
{
    const char *equals = find_assignment(args);
    struct formula_scope scope = machine_scope(d->shown);
    struct formula_cell cell;
    uint64_t value;
    if (equals == NULL)
        return fail(err, ST_INPUT, "expected CELL = EXPRESSION, found '%.40s'", args);
    const char *end = equals;
    while (end > args && end[-1] == ' ')
        end--;
    char *name = xasprintf("%.*s", (int)(end - args), args);
    struct formula *f = formula_parse(name, NULL, &scope, err);
    enum status st = f != NULL ? formula_as_cell(f, &scope, &cell, err) : ST_INPUT;
    if (st == ST_OK)
        st = arg_value(d, equals + 1, NULL, &value, err);
    if (st == ST_OK)
        st = assign(d, &cell, name, value, err);
    formula_free(f);
    free(name);
    return st;
}

/* ---- inject ---- */

enum { MOST_INJECTED = 1 << 12 }; /* samples of one command, which cannot be interrupted */

/* The filters apply to the sample as to one of the core. */
static enum status filter_injected(struct debugger *d, const struct sample *s, struct errmsg *err)
{
    const struct cop *c = d->shown->cop;
    uint64_t pc = s->field[FIELD_PC] != 0 ? s->field[FIELD_PC] : sample_pc_of((uint32_t)s->field[FIELD_PC32]);
    enum status st = prepare_change(d, err);
    if (st != ST_OK || cop_passes(c, s->opclass, pc))
        return st;
    if (cop_state(c) == BUS_HALTED)
        return fail(err, ST_INPUT, "inject: the filters reject every sample while the co-processor is halted");
    return fail(err, ST_INPUT,
                "inject: the filters reject class %s at 0x%" PRIx64 ": expected a sample that they pass ('filters' "
                "shows them)",
                opclass_name(s->opclass), pc);
}

enum status cmd_inject(struct debugger *d, const char *args, struct errmsg *err)
{
    struct diag_source source = {.name = "inject", .text = args, .size_bytes = strlen(args)};
    struct sample_reader reader = {.source = &source};
    struct timed_sample t;
    struct diag diag;
    char *said = NULL;
    size_t size;
    FILE *out = xopen_text(&said, &size);
    diag_init(&diag, out);
    bool good = sample_read(&reader, &diag, &t) && diag.errors == 0;
    xclose_text(out);
    struct history_input in = {.kind = INPUT_SAMPLE, .opclass = t.sample.opclass, .fields = d->image->fields};
    if (!good && *said == '\0')
        (void)fail(err, ST_INPUT, "inject what? expected a class and fields, as in a file of samples");
    else if (!good)
        (void)diag_fail(said, "inject", err);
    else if (t.when != WHEN_IDLE)
        good = fail(err, ST_INPUT, "inject: the sample comes now, and can have no time of its own") == ST_OK;
    else if (t.repeat > MOST_INJECTED)
        good = fail(err, ST_RANGE, "inject: expected at most %d samples at once, found x%" PRIu64, MOST_INJECTED,
                    t.repeat) == ST_OK;
    free(said);
    if (!good)
        return ST_INPUT;
    for (unsigned i = 0; i < in.fields; i++)
        in.field[i] = t.sample.field[d->image->field[i]];
    for (uint64_t i = 0; i < t.repeat && good; i++)
        good = filter_injected(d, &t.sample, err) == ST_OK && apply_input(d, &in, err) == ST_OK;
    return good ? ST_OK : ST_INPUT;
}

/* ---- patch and reload ---- */

enum status cmd_patch(struct debugger *d, const char *args, struct errmsg *err)
{
    const char *rest;
    unsigned word;
    struct history_input in = {.kind = INPUT_WRITE};
    if (*args == '\0')
        return fail(err, ST_INPUT, "patch what? expected a word and its new text");
    enum status st = arg_word(d, args, &rest, &word, err);
    if (st == ST_OK && *rest == '\0')
        return fail(err, ST_INPUT, "expected the text of the word, as the assembler reads it");
    if (st == ST_OK && word >= d->image->words)
        return fail(err, ST_RANGE, "the program has words 0 to %u, no %u", d->image->words - 1u, word);
    if (st == ST_OK)
        st = d->s.assemble_word(d->s.ctx, word, rest, &in.value, err);
    if (st != ST_OK)
        return st;
    in.place.region = (enum bus_address)(BUS_MICROCODE + 8 * word);
    return apply_input(d, &in, err);
}

/* Drops history and checkpoints after the program was replaced: they belong to the old program. */
static void drop_history(struct debugger *d)
{
    past_leave(d);
    history_clear(&d->history);
    for (int i = 0; i < MAX_MARKS; i++) {
        free(d->mark[i].name);
        cop_free(d->mark[i].at.cop);
        d->mark[i] = (struct mark){.name = NULL};
    }
    machine_keep(&d->live);
}

enum status cmd_reload(struct debugger *d, const char *args, struct errmsg *err)
{
    enum { MAX_DEFINES = 16 };
    const char *defines[MAX_DEFINES], *path = NULL;
    size_t count = 0;
    char *copy = xstrdup(args), *save = NULL;
    enum status st = ST_OK;
    if (d->shown != &d->live || d->ended)
        st = fail(err, ST_INPUT, d->ended ? "the run is over" : "a program can be reloaded in the present only");
    else
        st = prepare_change(d, err);
    for (char *word = strtok_r(copy, " ", &save); word != NULL && st == ST_OK; word = strtok_r(NULL, " ", &save)) {
        if (strchr(word, '=') == NULL && path == NULL)
            path = word;
        else if (count < MAX_DEFINES)
            defines[count++] = word;
        else
            st = fail(err, ST_INPUT, "more than %d definitions", MAX_DEFINES);
    }
    if (st == ST_OK && path != NULL)
        st = session_check_local(d, "reload of a file", err);
    if (st == ST_OK)
        st = d->s.reload(d->s.ctx, path, defines, count, err);
    free(copy);
    if (st != ST_OK)
        return st;
    drop_history(d);
    breakpoints_renew(d);
    show_load_source(d);
    fprintf(d->out, "program %s, %u word%s, is loaded and waits for its first sample; the history begins here\n",
            d->image->name, d->image->words, d->image->words == 1 ? "" : "s");
    return ST_OK;
}

/* ---- checkpoints ---- */

static struct mark *find_mark(struct debugger *d, const char *name)
{
    for (int i = 0; i < MAX_MARKS; i++)
        if (d->mark[i].name != NULL && strcmp(d->mark[i].name, name) == 0)
            return &d->mark[i];
    return NULL;
}

enum status cmd_checkpoint(struct debugger *d, const char *args, struct errmsg *err)
{
    struct mark *m = find_mark(d, args);
    if (*args == '\0') {
        for (int i = 0; i < MAX_MARKS; i++)
            if (d->mark[i].name != NULL)
                fprintf(d->out, "%s: position %llu%s\n", d->mark[i].name, (unsigned long long)d->mark[i].at.at.words,
                        d->mark[i].what_if ? " of a what-if" : "");
        return ST_OK;
    }
    for (int i = 0; m == NULL && i < MAX_MARKS; i++)
        if (d->mark[i].name == NULL)
            m = &d->mark[i];
    if (m == NULL)
        return fail(err, ST_RANGE, "there are %d checkpoints already", MAX_MARKS);
    free(m->name);
    cop_free(m->at.cop);
    *m = (struct mark){.name = xstrdup(args), .at = machine_snapshot(d->shown), .what_if = d->what_if};
    fprintf(d->out, "checkpoint %s, position %llu\n", args, (unsigned long long)m->at.at.words);
    return ST_OK;
}

enum status cmd_restore(struct debugger *d, const char *args, struct errmsg *err)
{
    struct mark *m = find_mark(d, args);
    if (m == NULL)
        return *args == '\0' ? fail(err, ST_INPUT, "which checkpoint? 'checkpoint' lists them")
                             : fail(err, ST_INPUT, "there is no checkpoint '%.40s'", args);
    return travel_to(d, &m->at, m->what_if, err);
}
