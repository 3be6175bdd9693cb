/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/region/vectors.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

/* The reader, in a line. */
struct vector_reader {
    struct region_vectors *v;
    const char *name;
    size_t line;
    const char *text, *at; /* the line, and where the reader is in it */
    uint64_t seed, unit;
    struct region_unit sum; /* of the vectors of the current unit; the point is not normalised */
    struct errmsg *err;
};

/* Shows the text at the reader's place, up to the next blank. */
static enum status vectors_refuse(const struct vector_reader *r, const char *expected)
{
    enum { SHOWN = 32 };
    const size_t n = strcspn(r->at, " \t\r\n");
    const size_t column = (size_t)(r->at - r->text) + 1;
    if (n == 0)
        return fail(r->err, ST_FORMAT, "%s:%zu:%zu: expected %s, found the end of the word", r->name, r->line, column,
                    expected);
    return fail(r->err, ST_FORMAT, "%s:%zu:%zu: expected %s, found '%.*s'", r->name, r->line, column, expected,
                (int)(n < SHOWN ? n : SHOWN), r->at);
}

/* Reads decimal digits. False: there are none, or the number exceeds `most`. */
static bool vectors_read_count(struct vector_reader *r, uint64_t most, uint64_t *number)
{
    const char *at = r->at;
    uint64_t n = 0;
    for (; isdigit((unsigned char)*at); at++) {
        const uint64_t digit = (uint64_t)(*at - '0');
        if (digit > most || n > (most - digit) / 10)
            return false;
        n = n * 10 + digit;
    }
    *number = n;
    if (at == r->at)
        return false;
    r->at = at;
    return true;
}

/* Adds the instructions of a block: its row of the matrix is multiplied by them. */
static void add_block(struct vector_reader *r, uint64_t block, uint64_t insns)
{
    static const double half = 4503599627370496.0; /* 2^52: of 53 bits */
    struct random random = {.state = r->seed};
    random_skip(&random, block * REGION_DIMENSIONS);
    for (size_t d = 0; d < REGION_DIMENSIONS; d++) {
        const double element = (double)(random_bits(&random) >> 11) / half - 1;
        r->sum.point[d] += element * (double)insns;
    }
}

/* Reads `:BLOCK:COUNT`. */
static enum status vectors_read_entry(struct vector_reader *r, uint64_t *vector_insns)
{
    uint64_t block, insns;
    if (*r->at != ':')
        return vectors_refuse(r, "':BLOCK:COUNT'");
    r->at++;
    if (!vectors_read_count(r, UINT32_MAX, &block) || block == 0)
        return vectors_refuse(r, "the number of a block, from 1 to 4294967295");
    if (*r->at != ':')
        return vectors_refuse(r, "':' and the block's instructions");
    r->at++;
    if (!vectors_read_count(r, INT64_MAX - r->v->instructions - *vector_insns, &insns))
        return vectors_refuse(r, "a number of instructions, of which all together fit into 63 bits");
    add_block(r, block, insns);
    *vector_insns += insns;
    return ST_OK;
}

static void end_unit(struct vector_reader *r)
{
    struct region_vectors *v = r->v;
    for (size_t d = 0; d < REGION_DIMENSIONS; d++)
        r->sum.point[d] /= (double)r->sum.insns;
    v->unit = xgrow(v->unit, v->count, sizeof *v->unit);
    v->unit[v->count++] = r->sum;
    r->sum = (struct region_unit){.first = v->instructions};
}

static enum status vectors_read_vector(struct vector_reader *r)
{
    uint64_t insns = 0;
    enum status st = ST_OK;
    r->at++;
    while (st == ST_OK && *(r->at += strspn(r->at, " \t\r\n")) != '\0')
        st = vectors_read_entry(r, &insns);
    if (st != ST_OK)
        return st;
    if (insns == 0)
        return fail(r->err, ST_FORMAT, "%s:%zu: expected a vector of instructions, found one without any", r->name,
                    r->line);
    r->sum.insns += insns;
    r->v->instructions += insns;
    if (r->unit != 0 && r->sum.insns > r->unit)
        return fail(r->err, ST_INPUT,
                    "%s:%zu: expected vectors that make units of %" PRIu64 " instructions, found one of %" PRIu64
                    " up to instruction %" PRIu64,
                    r->name, r->line, r->unit, insns, r->v->instructions);
    if (r->unit == 0 || r->sum.insns == r->unit)
        end_unit(r);
    return ST_OK;
}

static enum status vectors_read_line(struct vector_reader *r)
{
    r->at = r->text;
    if (*r->at == 'T')
        return vectors_read_vector(r);
    if (*r->at == '#' || r->text[strspn(r->text, " \t\r\n")] == '\0')
        return ST_OK;
    return vectors_refuse(r, "a vector, 'T:BLOCK:COUNT ...', or a comment, '#...'");
}

enum status region_vectors_read(struct region_vectors *v, FILE *in, const char *name, uint64_t unit, uint64_t seed,
                                struct errmsg *err)
{
    struct vector_reader r = {.v = v, .name = name, .unit = unit, .seed = seed, .err = err};
    char *text = NULL;
    size_t room = 0;
    enum status st = ST_OK;
    *v = (struct region_vectors){0};
    for (ssize_t n; st == ST_OK && (n = getline(&text, &room, in)) >= 0;) {
        r.line++;
        r.text = text;
        if (strlen(text) != (size_t)n)
            st = fail(err, ST_FORMAT, "%s:%zu:%zu: expected text, found a NUL byte", name, r.line, strlen(text) + 1);
        else
            st = vectors_read_line(&r);
    }
    free(text);
    if (st == ST_OK && ferror(in))
        st = fail(err, ST_IO, "%s: %s", name, strerror(errno));
    if (st == ST_OK && r.sum.insns != 0)
        end_unit(&r);
    if (st == ST_OK && v->count == 0)
        st = fail(err, ST_FORMAT, "%s: expected vectors, 'T:BLOCK:COUNT ...', found none", name);
    if (st != ST_OK)
        region_vectors_release(v);
    return st;
}

void region_vectors_release(struct region_vectors *v)
{
    free(v->unit);
    *v = (struct region_vectors){0};
}
