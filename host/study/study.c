/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/study/study.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/file.h"
#include "base/number.h"
#include "base/text.h"
#include "host/study/study_syntax.h"

enum { STUDY_FILE_BYTES = 1 << 22, STUDY_LONGEST_NAME = 64 };

const struct study_value *study_one(const struct study_section *s, enum study_key key)
{
    return s->key[key].count > 0 ? &s->key[key].item[0] : NULL;
}

const struct study_section *study_find(const struct study *s, enum study_kind kind, const char *name)
{
    for (size_t i = 0; i < s->list[kind].count; i++)
        if (strcmp(s->list[kind].item[i].name, name) == 0)
            return &s->list[kind].item[i];
    return NULL;
}

const struct study_section *study_root(const struct study *s) { return &s->list[STUDY_ROOT].item[0]; }

uint64_t study_number(const struct study_value *v)
{
    uint64_t n = 0;
    if (number_parse(v->text, &n) != ST_OK)
        BUG("'%s' has not been checked", v->text);
    return n;
}

enum status study_refuse(const struct study *s, const struct study_value *v, const char *what, const char *expected,
                         const char *const *names, size_t count, struct errmsg *err)
{
    return fail(err, ST_INPUT, "%s:%d: %s: expected %s, found '%s'%s", s->path, v->line, what, expected, v->text,
                diag_hint(diag_nearest(v->text, names, count)).text);
}

/* ---- checks ---- */

static enum status study_check_number(const struct study *s, const struct study_section *in, enum study_key key,
                                      const char *what, uint64_t most, struct errmsg *err)
{
    const struct study_values *v = &in->key[key];
    for (size_t i = 0; i < v->count; i++) {
        uint64_t n;
        if (number_parse(v->item[i].text, &n) != ST_OK || n > most)
            return study_refuse(s, &v->item[i], what, most == UINT8_MAX ? "a number up to 255" : "a number below 2^63",
                                NULL, 0, err);
    }
    return ST_OK;
}

/* The names of all sections of a kind must exist. */
static enum status study_check_names(const struct study *s, const struct study_section *in, enum study_key key,
                                     enum study_kind kind, struct errmsg *err)
{
    const struct study_values *v = &in->key[key];
    const struct study_list *l = &s->list[kind];
    const char **names = xcalloc(l->count + 1, sizeof *names);
    enum status st = ST_OK;
    for (size_t i = 0; i < l->count; i++)
        names[i] = l->item[i].name;
    for (size_t i = 0; i < v->count && st == ST_OK; i++)
        if (study_find(s, kind, v->item[i].text) == NULL) {
            char *expected = xasprintf("the name of a %s", study_kind_name(kind));
            st = study_refuse(s, &v->item[i], study_key_name(key), expected, names, l->count, err);
            free(expected);
        }
    free(names);
    return st;
}

static bool study_is_name(const char *name)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
    static const char others[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789-";
    return name[0] != '\0' && strchr(letters, name[0]) != NULL && name[strspn(name, others)] == '\0' &&
           strlen(name) <= STUDY_LONGEST_NAME;
}

static enum status study_check_titles(const struct study *s, struct errmsg *err)
{
    for (int kind = STUDY_ROOT + 1; kind < STUDY_KINDS; kind++)
        for (size_t i = 0; i < s->list[kind].count; i++) {
            const struct study_section *in = &s->list[kind].item[i];
            if (!study_is_name(in->name))
                return fail(err, ST_INPUT,
                            "%s:%d: name of the %s: expected a letter, then letters, digits, '_' and '-', 64 at most, "
                            "found '%s'",
                            s->path, in->line, study_kind_name((enum study_kind)kind), in->name);
        }
    return ST_OK;
}

static enum status study_check_program(const struct study *s, const struct study_section *in, struct errmsg *err)
{
    if (study_one(in, STUDY_PROGRAM_COMMAND) == NULL)
        return fail(err, ST_INPUT, "%s:%d: program '%s': expected the key command, found none", s->path, in->line,
                    in->name);
    enum status st = study_check_number(s, in, STUDY_PROGRAM_STATUS, "status", UINT8_MAX, err);
    if (st == ST_OK)
        st = study_check_number(s, in, STUDY_PROGRAM_INSTRUCTIONS, "instructions", INT64_MAX, err);
    return st;
}

static enum status study_check_jobs(const struct study *s, const struct study_section *in, struct errmsg *err)
{
    enum status st = study_check_names(s, in, STUDY_JOBS_PROGRAMS, STUDY_PROGRAM, err);
    if (st == ST_OK)
        st = study_check_names(s, in, STUDY_JOBS_CONFIGURATIONS, STUDY_CONFIGURATION, err);
    if (st == ST_OK)
        st = study_check_names(s, in, STUDY_JOBS_PROFILES, STUDY_PROFILE, err);
    if (st == ST_OK)
        st = study_check_number(s, in, STUDY_JOBS_SEEDS, "seeds", INT64_MAX, err);
    return st;
}

static enum status study_check_outputs(const struct study *s, struct errmsg *err)
{
    static const char *const names[] = {"statistics", "store"};
    const struct study_values *v = &study_root(s)->key[STUDY_ROOT_OUTPUTS];
    for (size_t i = 0; i < v->count; i++) {
        if (strcmp(v->item[i].text, names[0]) != 0 && strcmp(v->item[i].text, names[1]) != 0)
            return study_refuse(s, &v->item[i], "outputs", "statistics or store", names, 2, err);
        for (size_t n = 0; n < i; n++)
            if (strcmp(v->item[i].text, v->item[n].text) == 0)
                return study_refuse(s, &v->item[i], "outputs", "each output once", NULL, 0, err);
    }
    return ST_OK;
}

static bool study_is_utf8(const char *text)
{
    uint32_t character;
    while (*text != '\0') {
        const unsigned length = text_decode(text, strlen(text), &character);
        if (length == 0)
            return false;
        text += length;
    }
    return true;
}

/* Manifests are JSON, whose texts are UTF-8. */
static enum status study_check_texts(const struct study *s, struct errmsg *err)
{
    for (int kind = 0; kind < STUDY_KINDS; kind++)
        for (size_t i = 0; i < s->list[kind].count; i++)
            for (int key = 0; key < STUDY_KEYS; key++) {
                const struct study_values *v = &s->list[kind].item[i].key[key];
                for (size_t n = 0; n < v->count; n++)
                    if (!study_is_utf8(v->item[n].text))
                        return study_refuse(s, &v->item[n], study_key_name((enum study_key)key), "text in UTF-8", NULL,
                                            0, err);
            }
    return ST_OK;
}

static enum status study_check(const struct study *s, struct errmsg *err)
{
    enum status st = study_check_titles(s, err);
    if (st == ST_OK)
        st = study_check_texts(s, err);
    if (st == ST_OK)
        st = study_check_number(s, study_root(s), STUDY_ROOT_SEEDS, "seeds", INT64_MAX, err);
    if (st == ST_OK)
        st = study_check_names(s, study_root(s), STUDY_ROOT_BASELINE, STUDY_CONFIGURATION, err);
    if (st == ST_OK)
        st = study_check_outputs(s, err);
    for (size_t i = 0; i < s->list[STUDY_PROGRAM].count && st == ST_OK; i++)
        st = study_check_program(s, &s->list[STUDY_PROGRAM].item[i], err);
    for (size_t i = 0; i < s->list[STUDY_JOBS].count && st == ST_OK; i++)
        st = study_check_jobs(s, &s->list[STUDY_JOBS].item[i], err);
    if (st == ST_OK && s->list[STUDY_PROGRAM].count == 0)
        st = fail(err, ST_INPUT, "%s: expected a section program, found none", s->path);
    return st;
}

enum status study_parse(const char *path, const char *text, struct study **study, struct errmsg *err)
{
    enum status st = study_read_syntax(path, text, study, err);
    if (st == ST_OK)
        st = study_check(*study, err);
    if (st != ST_OK) {
        study_free(*study);
        *study = NULL;
    }
    return st;
}

enum status study_load(const char *path, struct study **study, struct errmsg *err)
{
    struct errmsg why;
    char *text;
    size_t size_bytes;
    *study = NULL;
    enum status st = file_read(path, STUDY_FILE_BYTES, &text, &size_bytes, &why);
    if (st != ST_OK)
        return fail(err, st, "%s, where a study was expected", why.text);
    if (strlen(text) != size_bytes)
        st = fail(err, ST_FORMAT, "%s: expected a study, found a byte 0x00", path);
    else
        st = study_parse(path, text, study, err);
    free(text);
    return st;
}

static void study_section_release(struct study_section *s)
{
    for (int k = 0; k < STUDY_KEYS; k++) {
        for (size_t i = 0; i < s->key[k].count; i++)
            free(s->key[k].item[i].text);
        free(s->key[k].item);
    }
    free(s->name);
}

void study_free(struct study *s)
{
    if (s == NULL)
        return;
    for (int kind = 0; kind < STUDY_KINDS; kind++) {
        for (size_t i = 0; i < s->list[kind].count; i++)
            study_section_release(&s->list[kind].item[i]);
        free(s->list[kind].item);
    }
    free(s->path);
    free(s);
}
