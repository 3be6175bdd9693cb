/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/record/facts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 64, MOST_IMAGES = 4096 };

void facts_put(struct column *c, const char *name, const char *value)
{
    const char *text[] = {name, value};
    for (unsigned i = 0; i < 2; i++) {
        size_t bytes = strlen(text[i]) + 1;
        column_grow(c, bytes);
        memcpy(c->byte + c->size, text[i], bytes);
        c->size += bytes;
    }
}

void facts_put_number(struct column *c, const char *name, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    facts_put(c, name, text);
}

void facts_put_head(struct column *c, const struct record_head *h)
{
    facts_put(c, "machine", h->machine);
    facts_put(c, "guest", h->guest);
    facts_put_number(c, "guest.bytes", h->guest_bytes);
    facts_put_number(c, "guest.hash", h->guest_hash);
    facts_put_number(c, "guest.bias", h->bias);
    facts_put_number(c, "values", h->values);
#define PARAM(key, def, min, max, unit, help) facts_put_number(c, "config." #key, h->config.key);
#define UNIT(key, kind, n, lat, pipe, help)                                \
    facts_put_number(c, "config." #key "_units", h->config.key##_units);   \
    facts_put_number(c, "config." #key "_cycles", h->config.key##_cycles); \
    facts_put_number(c, "config." #key "_pipelined", h->config.key##_pipelined);
#include "core-model/config/config.def"
}

static const char *image_fact(char name[NAME_BYTES], size_t image, const char *member)
{
    snprintf(name, NAME_BYTES, "image.%zu.%s", image, member);
    return name;
}

void facts_put_tail(struct column *c, const struct record_tail *t)
{
    char name[NAME_BYTES];
    facts_put_number(c, "cycles", t->cycles);
    facts_put_number(c, "instructions", t->instructions);
    facts_put_number(c, "partial", t->partial);
#define STAT(key, unit, event, help) facts_put_number(c, "stat." #key, t->stats.key);
#include "core-model/stats.def"
    for (size_t i = 0; i < t->images; i++) {
        facts_put(c, image_fact(name, i, "path"), t->image[i].path);
        facts_put_number(c, image_fact(name, i, "start"), t->image[i].start);
        facts_put_number(c, image_fact(name, i, "end"), t->image[i].end);
        facts_put_number(c, image_fact(name, i, "offset"), t->image[i].offset);
    }
}

/* ---- reading ---- */

bool facts_are_sound(const struct column_cursor *c)
{
    size_t ends = 0;
    for (const uint8_t *p = c->at; p != c->end; p++)
        ends += *p == 0;
    return ends % 2 == 0 && (c->at == c->end || c->end[-1] == 0);
}

static const char *find_between(const uint8_t *from, const uint8_t *to, const char *name)
{
    for (const char *at = (const char *)from, *value; at != (const char *)to; at = value + strlen(value) + 1) {
        value = at + strlen(at) + 1;
        if (strcmp(at, name) == 0)
            return value;
    }
    return NULL;
}

const char *facts_find(const struct column_cursor *c, const char *name) { return find_between(c->at, c->end, name); }

static bool to_number(const char *text, uint64_t *value)
{
    char *end;
    if (text == NULL || text[0] < '0' || text[0] > '9')
        return false;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0';
}

bool facts_number(const struct column_cursor *c, const char *name, uint64_t *value)
{
    return to_number(facts_find(c, name), value);
}

/* Reads facts. Most are read in the order in which they stand, so the search for one begins behind the last one. */
struct fact_reader {
    const uint8_t *start, *end, *next;
};

static struct fact_reader fact_reader_of(const struct column_cursor *c)
{
    return (struct fact_reader){c->at, c->end, c->at};
}

static const char *facts_find_next(struct fact_reader *r, const char *name)
{
    const char *value = find_between(r->next, r->end, name);
    if (value == NULL)
        value = find_between(r->start, r->next, name);
    if (value != NULL)
        r->next = (const uint8_t *)value + strlen(value) + 1;
    return value;
}

/* Reads the number of this name; sets *st to an error if it is missing or exceeds `most`. */
static uint64_t record_facts_number(struct fact_reader *r, const char *name, uint64_t most, enum status *st,
                                    struct errmsg *err)
{
    uint64_t n = 0;
    if (*st != ST_OK)
        return 0;
    const char *found = facts_find_next(r, name);
    if (!to_number(found, &n) || n > most)
        *st = fail(err, ST_FORMAT, "expected a fact '%s' of at most %" PRIu64 ", found %s", name, most,
                   found != NULL ? "another value" : "none");
    return n;
}

static const char *facts_text(struct fact_reader *r, const char *name, enum status *st, struct errmsg *err)
{
    const char *found = facts_find_next(r, name);
    if (found == NULL && *st == ST_OK)
        *st = fail(err, ST_FORMAT, "expected a fact '%s', found none", name);
    return found;
}

static enum status get_config(struct fact_reader *r, struct core_config *config, struct errmsg *err)
{
    enum status st = ST_OK;
#define KEY(key) config->key = (uint32_t)record_facts_number(r, "config." #key, UINT32_MAX, &st, err);
#define PARAM(key, def, min, max, unit, help) KEY(key)
#define UNIT(key, kind, n, lat, pipe, help) KEY(key##_units) KEY(key##_cycles) KEY(key##_pipelined)
#include "core-model/config/config.def"
#undef KEY
    return st == ST_OK ? core_config_check(config, err) : st;
}

enum status facts_get_head(const struct column_cursor *c, struct record_head *h, struct errmsg *err)
{
    enum status st = ST_OK;
    struct fact_reader r = fact_reader_of(c);
    *h = (struct record_head){.machine = facts_text(&r, "machine", &st, err)};
    h->guest = facts_text(&r, "guest", &st, err);
    h->guest_bytes = record_facts_number(&r, "guest.bytes", UINT64_MAX, &st, err);
    h->guest_hash = record_facts_number(&r, "guest.hash", UINT64_MAX, &st, err);
    h->bias = record_facts_number(&r, "guest.bias", UINT64_MAX, &st, err);
    h->values = record_facts_number(&r, "values", 1, &st, err) != 0;
    return st == ST_OK ? get_config(&r, &h->config, err) : st;
}

static enum status get_images(struct fact_reader *r, struct record_tail *t, struct errmsg *err)
{
    char name[NAME_BYTES];
    enum status st = ST_OK;
    size_t count = 0;
    while (count < MOST_IMAGES && facts_find_next(r, image_fact(name, count, "path")) != NULL)
        count++;
    t->image = xcalloc(count > 0 ? count : 1, sizeof *t->image);
    for (; t->images < count; t->images++) {
        struct guest_image *i = &t->image[t->images];
        i->path = xstrdup(facts_find_next(r, image_fact(name, t->images, "path")));
        i->start = record_facts_number(r, image_fact(name, t->images, "start"), UINT64_MAX, &st, err);
        i->end = record_facts_number(r, image_fact(name, t->images, "end"), UINT64_MAX, &st, err);
        i->offset = record_facts_number(r, image_fact(name, t->images, "offset"), UINT64_MAX, &st, err);
    }
    return st;
}

enum status facts_get_tail(const struct column_cursor *c, struct record_tail *t, struct errmsg *err)
{
    enum status st = ST_OK;
    struct fact_reader r = fact_reader_of(c);
    *t = (struct record_tail){0};
    t->cycles = record_facts_number(&r, "cycles", UINT64_MAX, &st, err);
    t->instructions = record_facts_number(&r, "instructions", UINT64_MAX, &st, err);
    t->partial = record_facts_number(&r, "partial", 1, &st, err) != 0;
#define STAT(key, unit, event, help) t->stats.key = record_facts_number(&r, "stat." #key, UINT64_MAX, &st, err);
#include "core-model/stats.def"
    return st == ST_OK ? get_images(&r, t, err) : st;
}

void facts_free_tail(struct record_tail *t)
{
    for (size_t i = 0; i < t->images; i++)
        free(t->image[i].path);
    free(t->image);
    t->image = NULL;
    t->images = 0;
}
