/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Procedures by name or address. */
#include <stdlib.h>
#include <string.h>

#include "tools/pcprof/analysed.h"
#include "tools/pcprof/no_procedure.h"

/* Procedure or address that a text names. */
struct analysed_find_request {
    const char *name;  /* or 0xADDRESS */
    const char *image; /* its name; NULL: any */
    bool has_address;
    uint64_t address;
    bool is_short; /* the name is a short form */
};

static bool analysed_find_is_asked(const struct analysed_find_request *q, const struct profile_image *i,
                                   const struct profile_symbol *s)
{
    if (q->image != NULL && strcmp(q->image, i->name) != 0)
        return false;
    if (q->has_address)
        return q->address >= s->start && q->address - s->start < s->size_bytes;
    return q->is_short ? procedure_is_shortened_to(s, q->name) : procedure_is_named(s, q->name);
}

/* Splits IMAGE:NAME at the name of an image. The names of C++ have colons too. */
static struct analysed_find_request request_of(const struct analysed *a, const char *text)
{
    struct analysed_find_request q = {.name = text};
    for (uint32_t n = 0; n < profile_images(a->profile); n++) {
        const char *image = profile_image(a->profile, n)->name;
        size_t length = strlen(image);
        if (strncmp(text, image, length) == 0 && text[length] == ':' && text[length + 1] != ':') {
            q.image = image;
            q.name = text + length + 1;
        }
    }
    char *end;
    if (strncmp(q.name, "0x", 2) == 0) {
        q.address = strtoull(q.name, &end, 16);
        q.has_address = *end == '\0';
    }
    return q;
}

/* The symbols found. */
struct candidates {
    struct {
        uint32_t image;
        const struct profile_symbol *symbol;
        double samples;
    } one[16]; /* those with the most samples are not preferred: more than one with samples is an error */
    size_t count, sampled;
};

static void find_candidates(const struct analysed *a, const struct analysed_find_request *q, struct candidates *c)
{
    for (uint32_t n = 0; n < profile_images(a->profile); n++) {
        const struct profile_image *i = profile_image(a->profile, n);
        for (size_t k = 0; k < i->symbols && c->count < sizeof c->one / sizeof c->one[0]; k++) {
            const struct profile_symbol *s = &i->symbol[k];
            if (!analysed_find_is_asked(q, i, s))
                continue;
            c->one[c->count].image = n;
            c->one[c->count].symbol = s;
            c->one[c->count].samples = profile_sum(a->profile, a->time, n, s->start, s->start + s->size_bytes);
            c->sampled += c->one[c->count++].samples > 0;
        }
    }
}

/* find_candidates of a whole name, or else of a short one. */
static void find_named(const struct analysed *a, const struct analysed_find_request *q, struct candidates *c)
{
    struct analysed_find_request brief = *q;
    brief.is_short = true;
    find_candidates(a, q, c);
    if (c->count == 0 && !q->has_address)
        find_candidates(a, &brief, c);
}

static enum status several(const struct analysed *a, const struct analysed_find_request *q, const struct candidates *c,
                           struct errmsg *err)
{
    char *list = xstrdup("");
    for (size_t n = 0; n < c->count; n++) {
        if (c->one[n].samples <= 0)
            continue;
        char *longer = xasprintf("%s%s%s:0x%llx", list, *list != '\0' ? ", " : "",
                                 profile_image(a->profile, c->one[n].image)->name,
                                 (unsigned long long)c->one[n].symbol->start);
        free(list);
        list = longer;
    }
    enum status st = fail(err, ST_INPUT,
                          "%s: expected one procedure, found %zu of the name '%s': %s. Of several builds of one image, "
                          "select the runs of one (STORE:RUN)",
                          a->text, c->sampled, q->name, list);
    free(list);
    return st;
}

static enum status without_samples(const struct analysed *a, const char *name, struct errmsg *err)
{
    const struct profile_event *e = profile_event(a->profile, a->time);
    char *clones = procedure_clones(a->profile, name);
    enum status st = fail(
        err, ST_INPUT,
        "%s: procedure '%s' has no samples of %s@%s%s: it needs a longer run, or pcemu --profile with "
        "a shorter period",
        a->text, name, e->name, e->by, clones);
    free(clones);
    return st;
}

/* Finds code without a symbol. */
static bool find_address(struct analysed *a, const struct analysed_find_request *q, struct analysed_procedure *out)
{
    for (uint32_t n = 0; n < profile_images(a->profile); n++) {
        if (q->image != NULL && strcmp(q->image, profile_image(a->profile, n)->name) != 0)
            continue;
        size_t blocks;
        const struct analysed_image *image = analysed_prepare(a, n);
        uint32_t block = code_graph_find(image->graph, q->address);
        if (block == CODE_GRAPH_NONE)
            continue;
        *out = analysed_procedure_at(image, n, code_graph_blocks(image->graph, &blocks)[block].function);
        return true;
    }
    return false;
}

/* ---- names as the tables print them ---- */

/* Finds the procedure of NAME+0xOFFSET: an instruction, or a procedure that begins within the symbol. */
static bool find_within(struct analysed *a, const struct analysed_find_request *q, uint64_t offset,
                        struct analysed_procedure *out, enum status *st, struct errmsg *err)
{
    struct candidates c = {.count = 0};
    bool found = false;
    find_named(a, q, &c);
    for (size_t n = 0; n < c.count; n++) {
        struct analysed_find_request at = {.image = profile_image(a->profile, c.one[n].image)->name,
                                           .address = c.one[n].symbol->start + offset};
        if (!find_address(a, &at, out))
            continue;
        *st = ST_OK;
        if (analysed_samples(a, out) > 0)
            return true;
        found = true;
    }
    if (found)
        *st = without_samples(a, q->name, err);
    return found;
}

/* Finds the procedures with samples of an image that have no symbol: [IMAGE]. Sets `list` to the names of several. */
static size_t find_nameless(struct analysed *a, const char *image, struct analysed_procedure *out, char **list)
{
    size_t count, found = 0;
    struct analysed_procedure *all = analysed_procedures(a, &count);
    *list = xstrdup("");
    for (size_t n = 0; n < count; n++) {
        const struct profile_image *i = profile_image(a->profile, all[n].image);
        if (strcmp(i->name, image) != 0 || profile_find_symbol(i, all[n].start) != NULL)
            continue;
        *out = found++ == 0 ? all[n] : *out;
        char *name = analysed_name(a, &all[n]), *longer = xasprintf("%s%s%s", *list, found > 1 ? ", " : "", name);
        free(name);
        free(*list);
        *list = longer;
    }
    free(all);
    return found;
}

/* [IMAGE] and [IMAGE]+0xADDRESS: code without a symbol. */
static bool find_bracketed(struct analysed *a, const char *name, bool has_address, uint64_t address,
                           struct analysed_procedure *out, enum status *st, struct errmsg *err)
{
    size_t length = strlen(name);
    if (length < 2 || name[0] != '[' || name[length - 1] != ']')
        return false;
    char *image = xasprintf("%.*s", (int)(length - 2), name + 1), *list = NULL;
    struct analysed_find_request at = {.image = image, .address = address};
    size_t found = has_address ? find_address(a, &at, out) : find_nameless(a, image, out, &list);
    *st = ST_OK;
    if (found > 1)
        *st = fail(err, ST_INPUT, "%s: expected one procedure, found %zu without a symbol in %s: %.400s", a->text,
                   found, image, list);
    else if (found == 1 && analysed_samples(a, out) <= 0)
        *st = without_samples(a, name, err);
    free(list);
    free(image);
    return found > 0;
}

/* Finds what no symbol has as its name. */
static enum status find_printed(struct analysed *a, const struct analysed_find_request *q,
                                struct analysed_procedure *out, struct errmsg *err)
{
    uint64_t offset;
    size_t bytes = procedure_name_bytes(q->name, &offset);
    bool has_offset = q->name[bytes] != '\0';
    char *name = xasprintf("%.*s", (int)bytes, q->name);
    const struct analysed_find_request whole = {.name = name, .image = q->image};
    enum status st = ST_OK;
    bool found = find_bracketed(a, name, has_offset, offset, out, &st, err) ||
                 (has_offset && find_within(a, &whole, offset, out, &st, err));
    free(name);
    return found ? st : no_procedure(a->text, a->profile, q->name, err);
}

enum status analysed_find(struct analysed *a, const char *text, struct analysed_procedure *out, struct errmsg *err)
{
    struct analysed_find_request q = request_of(a, text);
    struct candidates c = {.count = 0};
    size_t chosen = 0;
    find_named(a, &q, &c);
    if (c.count == 0 && q.has_address && find_address(a, &q, out))
        return analysed_samples(a, out) > 0 ? ST_OK : without_samples(a, q.name, err);
    if (c.count == 0)
        return find_printed(a, &q, out, err);
    if (c.sampled > 1)
        return several(a, &q, &c, err);
    if (c.sampled == 0)
        return without_samples(a, q.name, err);
    while (c.one[chosen].samples <= 0)
        chosen++;
    uint32_t number = c.one[chosen].image;
    const struct analysed_image *image = analysed_prepare(a, number);
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): each of the candidates has a symbol */
    uint32_t block = code_graph_find(image->graph, c.one[chosen].symbol->start);
    if (block == CODE_GRAPH_NONE)
        return fail(err, ST_INPUT,
                    "%s: the store has no code of procedure '%s' in image %s: pcemu --collect keeps the code of files "
                    "that it can read",
                    a->text, q.name, profile_image(a->profile, number)->name);
    *out = analysed_procedure_at(image, number, block);
    return analysed_samples(a, out) > 0 ? ST_OK : without_samples(a, q.name, err);
}
