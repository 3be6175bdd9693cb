/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/report/pipeline_log.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { FIELDS = 4, STAGES = 64, LONGEST_BYTES = 512, STEPS = 64, PRODUCERS = 16 };

/* A line: its fields, of which the last one has the rest. */
struct log_line {
    unsigned number;
    const char *field[FIELDS];
    size_t bytes[FIELDS];
    unsigned fields;
};

struct log_reader {
    struct pipeline_log *log;
    const char *name;
    struct errmsg *err;
    struct log_line line;
    uint64_t cycle;
    bool has_cycle;
    size_t begun; /* instructions of the file so far, those left out included */
};

static enum status log_fail(const struct log_reader *r, const char *expected, unsigned field)
{
    const struct log_line *l = &r->line;
    const int length = field < l->fields ? (int)(l->bytes[field] < 40 ? l->bytes[field] : 40) : 0;
    char *found = field < l->fields ? text_printable_line(l->field[field], (size_t)length) : NULL;
    enum status st = found != NULL ? fail(r->err, ST_FORMAT, "%s:%u: expected %s, found '%s'", r->name, l->number,
                                          expected, found)
                                   : fail(r->err, ST_FORMAT, "%s:%u: expected %s, found the end of the line", r->name,
                                          l->number, expected);
    free(found);
    return st;
}

/* A number below `limit`, in decimal digits. */
static enum status log_number(const struct log_reader *r, unsigned field, uint64_t limit, const char *expected,
                              uint64_t *value)
{
    const struct log_line *l = &r->line;
    *value = 0;
    if (field >= l->fields || l->bytes[field] == 0)
        return log_fail(r, expected, field);
    for (size_t n = 0; n < l->bytes[field]; n++) {
        const char c = l->field[field][n];
        if (c < '0' || c > '9' || *value > UINT64_MAX / 10 - 1)
            return log_fail(r, expected, field);
        *value = *value * 10 + (uint64_t)(c - '0');
    }
    return *value < limit ? ST_OK : log_fail(r, expected, field);
}

static char *log_text(const struct log_line *l, unsigned field)
{
    const size_t bytes = field < l->fields ? l->bytes[field] : 0;
    return text_printable_line(bytes > 0 ? l->field[field] : "", bytes < LONGEST_BYTES ? bytes : LONGEST_BYTES);
}

/* The instruction that the line names; NULL: it was left out. */
static enum status log_find(const struct log_reader *r, unsigned field, struct pipeline_insn **insn)
{
    uint64_t id;
    enum status st = log_number(r, field, r->begun, "the number of an instruction that an I line has begun", &id);
    *insn = st == ST_OK && id < r->log->insns ? &r->log->insn[id] : NULL;
    return st;
}

/* ---- kinds of lines ---- */

/* C= CYCLE, and C CYCLES. */
static enum status log_read_cycle(struct log_reader *r)
{
    const bool sets = r->line.bytes[0] == 2;
    uint64_t value;
    enum status st = log_number(r, 1, PIPELINE_CYCLES - (sets ? 0 : r->cycle), "a cycle below 2^53", &value);
    if (st != ST_OK)
        return st;
    if (sets && r->has_cycle)
        return log_fail(r, "one C= line", 0);
    r->cycle = sets ? value : r->cycle + value;
    r->has_cycle = true;
    return ST_OK;
}

/* I ID NUMBER THREAD: the IDs of a file are consecutive. */
static enum status log_read_insn(struct log_reader *r)
{
    uint64_t id;
    struct pipeline_log *log = r->log;
    enum status st = log_number(r, 1, UINT64_MAX, "the number of the instruction", &id);
    if (st == ST_OK && id != r->begun)
        st = log_fail(r, "the next number of an instruction", 1);
    if (st != ST_OK)
        return st;
    r->begun++;
    if (log->insns == PIPELINE_MOST) {
        log->is_cut = true;
        return ST_OK;
    }
    log->insn = xgrow(log->insn, log->insns, sizeof *log->insn);
    log->insn[log->insns++] = (struct pipeline_insn){.fetched = r->cycle, .ended = r->cycle};
    return ST_OK;
}

/* L ID TYPE TEXT: type 0 is the label, others are details. */
static enum status log_read_label(struct log_reader *r)
{
    uint64_t type;
    struct pipeline_insn *i;
    enum status st = log_find(r, 1, &i);
    if (st == ST_OK)
        st = log_number(r, 2, 3, "a type of label, 0 to 2", &type);
    if (st != ST_OK || i == NULL)
        return st;
    char **to = type == 0 ? &i->text : &i->detail;
    free(*to);
    *to = log_text(&r->line, 3);
    return ST_OK;
}

static enum status log_find_stage(struct log_reader *r, unsigned *stage)
{
    struct pipeline_log *log = r->log;
    if (r->line.fields < 4 || r->line.bytes[3] == 0)
        return log_fail(r, "the name of a stage", 3);
    char *name = log_text(&r->line, 3);
    for (*stage = 0; *stage < log->stages && strcmp(log->stage[*stage], name) != 0;)
        ++*stage;
    if (*stage < log->stages) {
        free(name);
        return ST_OK;
    }
    if (log->stages == STAGES) {
        free(name);
        return log_fail(r, "at most 64 stages", 3);
    }
    log->stage = xgrow(log->stage, log->stages, sizeof *log->stage);
    log->stage[log->stages++] = name;
    return ST_OK;
}

/* S ID LANE STAGE, and E ID LANE STAGE. A stage that begins ends the one before. */
static enum status log_read_stage(struct log_reader *r, bool begins)
{
    unsigned stage = 0;
    struct pipeline_insn *i;
    enum status st = log_find(r, 1, &i);
    if (st == ST_OK)
        st = log_find_stage(r, &stage);
    if (st != ST_OK || i == NULL || i->has_ended)
        return st;
    struct pipeline_step *last = i->steps > 0 ? &i->step[i->steps - 1] : NULL;
    if (last != NULL && (begins || last->stage == stage) && last->to == UINT64_MAX)
        last->to = r->cycle;
    if (!begins)
        return ST_OK;
    if (i->steps == STEPS)
        return log_fail(r, "at most 64 stages of an instruction", 3);
    i->step = xgrow(i->step, i->steps, sizeof *i->step);
    i->step[i->steps++] = (struct pipeline_step){stage, r->cycle, UINT64_MAX};
    return ST_OK;
}

static void log_end(struct pipeline_insn *i, uint64_t cycle)
{
    i->ended = cycle;
    for (size_t n = 0; n < i->steps; n++)
        if (i->step[n].to == UINT64_MAX)
            i->step[n].to = cycle;
}

/* R ID NUMBER TYPE: 0, retired; 1, squashed. */
static enum status log_read_end(struct log_reader *r)
{
    uint64_t type;
    struct pipeline_insn *i;
    enum status st = log_find(r, 1, &i);
    if (st == ST_OK)
        st = log_number(r, 3, 2, "0, retired, or 1, squashed", &type);
    if (st != ST_OK || i == NULL || i->has_ended)
        return st;
    log_end(i, r->cycle);
    i->has_ended = true;
    i->squashed = type == 1;
    return ST_OK;
}

/* W CONSUMER PRODUCER TYPE. */
static enum status log_read_producer(struct log_reader *r)
{
    struct pipeline_insn *i, *producer;
    enum status st = log_find(r, 1, &i);
    if (st == ST_OK)
        st = log_find(r, 2, &producer);
    if (st != ST_OK || i == NULL || producer == NULL || producer >= i || i->producers == PRODUCERS)
        return st;
    i->producer = xgrow(i->producer, i->producers, sizeof *i->producer);
    i->producer[i->producers++] = (uint32_t)(producer - r->log->insn);
    return ST_OK;
}

static enum status log_read_line(struct log_reader *r)
{
    const struct log_line *l = &r->line;
    if (l->bytes[0] == 2 && memcmp(l->field[0], "C=", 2) == 0)
        return log_read_cycle(r);
    if (l->bytes[0] != 1)
        return log_fail(r, "C=, C, I, L, S, E, R or W", 0);
    switch (l->field[0][0]) {
    case 'C':
        return log_read_cycle(r);
    case 'I':
        return log_read_insn(r);
    case 'L':
        return log_read_label(r);
    case 'S':
    case 'E':
        return log_read_stage(r, l->field[0][0] == 'S');
    case 'R':
        return log_read_end(r);
    case 'W':
        return log_read_producer(r);
    default:
        return log_fail(r, "C=, C, I, L, S, E, R or W", 0);
    }
}

/* Splits a line at its tabs. */
static void log_split(struct log_line *l, const char *text, size_t bytes)
{
    const char *const end = text + bytes;
    l->number++;
    l->fields = 0;
    while (l->fields < FIELDS) {
        const char *tab = l->fields + 1 < FIELDS ? memchr(text, '\t', (size_t)(end - text)) : NULL;
        const char *stop = tab != NULL ? tab : end;
        l->field[l->fields] = text;
        l->bytes[l->fields++] = (size_t)(stop - text);
        if (tab == NULL)
            break;
        text = tab + 1;
    }
}

static enum status log_read_head(struct log_reader *r)
{
    const struct log_line *l = &r->line;
    if (l->bytes[0] != 6 || memcmp(l->field[0], "Kanata", 6) != 0)
        return log_fail(r, "Kanata, the first word of a pipeline log (pcemu --kanata)", 0);
    if (l->fields != 2 || l->bytes[1] != 4 || memcmp(l->field[1], "0004", 4) != 0)
        return log_fail(r, "version 0004 of the format", 1);
    return ST_OK;
}

enum status pipeline_log_read(struct pipeline_log *log, const char *name, const char *text, size_t size_bytes,
                              struct errmsg *err)
{
    const char *const end = text + size_bytes;
    struct log_reader r = {.log = log, .name = name, .err = err};
    enum status st = ST_OK;
    *log = (struct pipeline_log){0};
    if (size_bytes == 0)
        return fail(err, ST_FORMAT, "%s: expected a pipeline log (pcemu --kanata), found an empty file", name);
    for (bool is_head = true; text < end && st == ST_OK; is_head = false) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        size_t bytes = (size_t)((newline != NULL ? newline : end) - text);
        log_split(&r.line, text, bytes - (bytes > 0 && text[bytes - 1] == '\r'));
        st = is_head ? log_read_head(&r) : log_read_line(&r);
        text = newline != NULL ? newline + 1 : end;
    }
    for (size_t n = 0; n < log->insns; n++)
        if (!log->insn[n].has_ended)
            log_end(&log->insn[n], r.cycle);
    return st;
}

void pipeline_log_release(struct pipeline_log *log)
{
    for (size_t n = 0; n < log->insns; n++) {
        free(log->insn[n].text);
        free(log->insn[n].detail);
        free(log->insn[n].step);
        free(log->insn[n].producer);
    }
    for (size_t n = 0; n < log->stages; n++)
        free(log->stage[n]);
    free(log->insn);
    free(log->stage);
    *log = (struct pipeline_log){0};
}
