/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of sample files. */
#include "emu/samples.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"

/* A token: characters of a line between blanks. */
struct token {
    const char *text;
    size_t length;
    struct diag_loc loc;
};

enum { MAX_TOKEN = 63 };
#define MAX_CYCLE (UINT64_C(1) << 53) /* sums of times cannot overflow, and JSON numbers are exact */

bool sample_reader_at_end(const struct sample_reader *r) { return r->at >= r->source->size_bytes; }

/* Reads the next token of the line; false at its end. */
static bool samples_next_token(const char *line, size_t *at, size_t end, const struct sample_reader *r, struct token *t)
{
    while (*at < end && (line[*at] == ' ' || line[*at] == '\t' || line[*at] == '\r'))
        (*at)++;
    if (*at == end || line[*at] == '#')
        return false;
    size_t start = *at;
    while (*at < end && strchr(" \t\r#", line[*at]) == NULL)
        (*at)++;
    if (*at == start) /* a NUL byte, which strchr finds in every set */
        (*at)++;
    *t = (struct token){line + start, *at - start, {r->source, r->line, (int)start + 1, (int)*at + 1}};
    return true;
}

/* Copies a token with a terminating NUL, truncated to the maximum length of a name or number. */
static void copy_token(const char *text, size_t length, char out[MAX_TOKEN + 1])
{
    size_t n = length < MAX_TOKEN ? length : MAX_TOKEN;
    memcpy(out, text, n);
    out[n] = '\0';
}

static bool samples_parse_number(const char *text, size_t length, uint64_t *value)
{
    char copy[MAX_TOKEN + 1], *end;
    copy_token(text, length, copy);
    errno = 0;
    if (copy[0] == '-') /* negative values are stored in two's complement */
        *value = (uint64_t)strtoll(copy, &end, 0);
    else
        *value = strtoull(copy, &end, 0);
    return errno == 0 && end != copy && *end == '\0' && length <= MAX_TOKEN;
}

/* Parses a count of cycles or samples: an unsigned number. */
static bool samples_parse_count(const char *text, size_t length, uint64_t *value)
{
    return length > 0 && isdigit((unsigned char)text[0]) && samples_parse_number(text, length, value);
}

static bool samples_parse_class(const struct token *t, struct diag *d, struct sample *s)
{
    char name[MAX_TOKEN + 1];
    copy_token(t->text, t->length, name);
    int c = opclass_find(name);
    if (c < 0) {
        const char *names[OPCLASS_COUNT];
        for (int i = 0; i < OPCLASS_COUNT; i++)
            names[i] = opclass_name((enum opclass)i);
        diag_error(d, t->loc, "expected an opcode class, found '%s'%s", name,
                   diag_hint(diag_nearest(name, names, OPCLASS_COUNT)).text);
        return false;
    }
    s->opclass = (enum opclass)c;
    return true;
}

static int parse_field_name(const struct token *t, size_t length, struct diag *d)
{
    char name[MAX_TOKEN + 1];
    copy_token(t->text, length, name);
    int f = sample_find_field(name);
    if (f < 0) {
        const char *names[FIELD_COUNT];
        for (int i = 0; i < FIELD_COUNT; i++)
            names[i] = sample_fields[i].name;
        diag_error(d, t->loc, "unknown sample field '%s'%s", name,
                   diag_hint(diag_nearest(name, names, FIELD_COUNT)).text);
    }
    return f;
}

/* Checks that the value fits the field and that the field is given once. */
static bool samples_check_value(const struct token *t, unsigned f, uint64_t value, const struct field_set *given,
                                struct diag *d)
{
    unsigned width = sample_fields[f].width_bits;
    if (width < 64 && value >> width != 0)
        diag_error(d, t->loc, "%s: 0x%llx does not fit %u bits", sample_fields[f].name, (unsigned long long)value,
                   width);
    else if (sample_fields[f].flag && value > 1)
        diag_error(d, t->loc, "%s: expected 0 or 1, found %llu", sample_fields[f].name, (unsigned long long)value);
    else if (field_set_has(given, f))
        diag_error(d, t->loc, "%s is given twice", sample_fields[f].name);
    else
        return true;
    return false;
}

/* Parses FIELD=NUMBER and adds the field to *given. */
static bool parse_field(const struct token *t, struct diag *d, struct sample *s, struct field_set *given)
{
    const char *equals = memchr(t->text, '=', t->length);
    if (equals == NULL) {
        diag_error(d, t->loc, "expected FIELD=NUMBER or xCOUNT, found '%.*s'", (int)t->length, t->text);
        return false;
    }
    size_t length = (size_t)(equals - t->text);
    int f = parse_field_name(t, length, d);
    uint64_t value;
    if (f < 0)
        return false;
    if (!samples_parse_number(equals + 1, t->length - length - 1, &value)) {
        diag_error(d, t->loc, "%s: expected a number, found '%.*s'", sample_fields[f].name,
                   (int)(t->length - length - 1), equals + 1);
        return false;
    }
    if (!samples_check_value(t, (unsigned)f, value, given, d))
        return false;
    s->field[f] = value;
    field_set_add(given, (unsigned)f);
    return true;
}

/* Derives fields that the line omits: from the given fields by sample_field_follow, and from the opcode class. */
static void derive(struct sample *s, const struct field_set *given)
{
    for (unsigned f = 0; f < FIELD_COUNT; f++)
        if (sample_fields[f].rule != SAMPLE_RULE_NONE && !field_set_has(given, f))
            s->field[f] = sample_field_follow((enum sample_field)f, s->field);
    if (!field_set_has(given, FIELD_CLASS))
        s->field[FIELD_CLASS] = s->opclass;
}

/* Parses @N or +N before a sample. */
static bool parse_time(const struct token *t, struct diag *d, struct timed_sample *out)
{
    out->when = t->text[0] == '@' ? WHEN_AT : WHEN_AFTER;
    if (samples_parse_count(t->text + 1, t->length - 1, &out->cycles))
        return true;
    diag_error(d, t->loc, "expected a cycle after '%c', found '%.*s'", t->text[0], (int)(t->length - 1), t->text + 1);
    return false;
}

/* Parses the repeat count xN after the fields. *repeat is 0 if none was given so far. */
static bool parse_repeat(const struct token *t, struct diag *d, uint64_t *repeat)
{
    uint64_t n;
    if (!samples_parse_count(t->text + 1, t->length - 1, &n) || n == 0) {
        diag_error(d, t->loc, "expected a count of 1 or more after 'x', found '%.*s'", (int)(t->length - 1),
                   t->text + 1);
        return false;
    }
    if (*repeat != 0) {
        diag_error(d, t->loc, "the count is given twice");
        return false;
    }
    *repeat = n;
    return true;
}

/* Parses the rest of the line after the class: fields and a repeat count. Parsing continues after an error, so that all
 * errors of the line are reported. */
static bool parse_rest(const char *line, size_t *at, size_t end, const struct sample_reader *r, struct diag *d,
                       struct timed_sample *out)
{
    bool good = true;
    struct field_set given = {{0}};
    struct token t;
    while (samples_next_token(line, at, end, r, &t)) {
        bool count = t.text[0] == 'x' && t.length > 1 && memchr(t.text, '=', t.length) == NULL;
        if (!(count ? parse_repeat(&t, d, &out->repeat) : parse_field(&t, d, &out->sample, &given)))
            good = false;
    }
    if (out->repeat == 0)
        out->repeat = 1;
    derive(&out->sample, &given);
    out->numbered = field_set_has(&given, FIELD_SEQ);
    return good;
}

/* Advances the reader's time past these samples; reports a time that decreases or exceeds MAX_CYCLE. */
static bool advance_time(struct sample_reader *r, const struct diag_loc *when, struct diag *d,
                         const struct timed_sample *t)
{
    uint64_t last;
    if (t->when == WHEN_IDLE)
        return true;
    if (t->when == WHEN_AT && t->cycles < r->cycle) {
        diag_error(d, *when, "expected cycle %llu, that of the previous sample, or a later one, found %llu",
                   (unsigned long long)r->cycle, (unsigned long long)t->cycles);
        return false;
    }
    if (t->when == WHEN_AT)
        last = t->cycles;
    else if (__builtin_mul_overflow(t->cycles, t->repeat, &last) || __builtin_add_overflow(last, r->cycle, &last))
        last = UINT64_MAX;
    if (last > MAX_CYCLE) {
        diag_error(d, *when, "found a sample due after cycle 2^53, expected an earlier time");
        return false;
    }
    r->cycle = last;
    return true;
}

bool sample_read(struct sample_reader *r, struct diag *d, struct timed_sample *out)
{
    while (!sample_reader_at_end(r)) {
        const char *line = r->source->text + r->at, *newline = memchr(line, '\n', r->source->size_bytes - r->at);
        size_t end = newline != NULL ? (size_t)(newline - line) : r->source->size_bytes - r->at, at = 0;
        r->at += end + (newline != NULL);
        r->line++;
        struct token t;
        if (!samples_next_token(line, &at, end, r, &t))
            continue;
        memset(out, 0, sizeof *out);
        struct diag_loc when = t.loc;
        if (t.text[0] == '@' || t.text[0] == '+') {
            if (!parse_time(&t, d, out))
                return false;
            if (!samples_next_token(line, &at, end, r, &t)) {
                diag_error(d, when, "expected an opcode class after the time");
                return false;
            }
        }
        return samples_parse_class(&t, d, &out->sample) && parse_rest(line, &at, end, r, d, out) &&
               advance_time(r, &when, d, out);
    }
    return false;
}
