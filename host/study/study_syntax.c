/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/study/study_syntax.h"

#include <confuse.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/conf_text.h"
#include "base/diag.h"

static const char *const kind_names[STUDY_KINDS] = {
#define SECTION(symbol, name) [STUDY_##symbol] = name,
#include "host/study/study.def"
};

enum { STUDY_ONE = 1, STUDY_LIST = 2 };

static const struct study_key_row {
    enum study_kind kind;
    int form;
    const char *name;
} key_rows[STUDY_KEYS] = {
#define KEY(section, symbol, name, form) [STUDY_##section##_##symbol] = {STUDY_##section, STUDY_##form, name},
#include "host/study/study.def"
};

const char *study_kind_name(enum study_kind kind) { return kind_names[kind]; }
const char *study_key_name(enum study_key key) { return key_rows[key].name; }

/* State shared by libconfuse's callbacks. The library passes no user context, so an option that no file can name, the
 * first one of each section, carries it: `anchor` is that option's value. */
struct study_reading {
    long anchor;
    struct study *study;
    bool failed;
    struct errmsg err;
    struct study_entry {
        enum study_kind kind;
        enum study_key key;
        char *title;
        struct study_value value;
    } * entry; /* in the order of the file */
    size_t entries;
};

static struct study_reading *study_reading_of(cfg_t *cfg)
{
    return (struct study_reading *)(void *)cfg->opts[0].simple_value.number; /* as study_make_options */
}

static enum study_kind study_kind_of(const cfg_t *cfg)
{
    for (int kind = STUDY_ROOT + 1; kind < STUDY_KINDS; kind++)
        if (strcmp(kind_names[kind], cfg->name) == 0)
            return (enum study_kind)kind;
    return STUDY_ROOT;
}

static void study_complain(cfg_t *cfg, const char *text)
{
    struct study_reading *r = study_reading_of(cfg);
    if (r->failed)
        return;
    (void)fail(&r->err, ST_FORMAT, "%s:%d: %s", r->study->path, cfg->line, text);
    r->failed = true;
}

/* The words that can be in the place of a key: the keys of a section, outside of them also the sections. */
static size_t study_words_of(enum study_kind kind, const char *words[STUDY_KEYS + STUDY_KINDS])
{
    size_t count = 0;
    for (int k = 0; k < STUDY_KEYS; k++)
        if (key_rows[k].kind == kind)
            words[count++] = key_rows[k].name;
    for (int other = STUDY_ROOT + 1; kind == STUDY_ROOT && other < STUDY_KINDS; other++)
        words[count++] = kind_names[other];
    return count;
}

static bool study_is_section(const char *name)
{
    for (int kind = STUDY_ROOT + 1; kind < STUDY_KINDS; kind++)
        if (strcmp(kind_names[kind], name) == 0)
            return true;
    return false;
}

/* What may have been meant by an unknown key: the nearest word, or one of them all. The caller frees it. */
static char *study_key_hint(enum study_kind kind, const char *name)
{
    const char *words[STUDY_KEYS + STUDY_KINDS];
    const size_t count = study_words_of(kind, words);
    const char *nearest = diag_nearest(name, words, count);
    if (nearest != NULL)
        return xstrdup(diag_hint(nearest).text);
    if (kind != STUDY_ROOT && study_is_section(name))
        return xstrdup("; a section ends with '}' before the next one");
    char *hint = xstrdup("; there are ");
    for (size_t i = 0; i < count; i++) {
        char *longer = xasprintf("%s%s%s", hint, i > 0 ? ", " : "", words[i]);
        free(hint);
        hint = longer;
    }
    return hint;
}

static void study_complain_of_key(cfg_t *cfg, const char *name)
{
    const enum study_kind kind = study_kind_of(cfg);
    char *hint = study_key_hint(kind, name);
    struct errmsg text;
    (void)fail(&text, ST_FORMAT, "expected a key%s%s, found '%s'%s",
               kind == STUDY_ROOT ? " or a section" : " of the section ", kind_names[kind], name, hint);
    free(hint);
    study_complain(cfg, text.text);
}

static void study_library_error(cfg_t *cfg, const char *fmt, va_list ap)
{
    struct errmsg text;
    if (strncmp(fmt, "no such option", 14) == 0) {
        study_complain_of_key(cfg, va_arg(ap, const char *));
        return;
    }
    vsnprintf(text.text, sizeof text.text, fmt, ap);
    study_complain(cfg, text.text);
}

static enum study_key study_find_key(enum study_kind kind, const char *name)
{
    for (int k = 0; k < STUDY_KEYS; k++)
        if (key_rows[k].kind == kind && strcmp(key_rows[k].name, name) == 0)
            return (enum study_key)k;
    BUG("option %s of the schema is no key", name);
}

static bool study_is_given(const struct study_reading *r, enum study_kind kind, const char *title, enum study_key key,
                           int *line)
{
    for (size_t i = 0; i < r->entries; i++)
        if (r->entry[i].kind == kind && r->entry[i].key == key && strcmp(r->entry[i].title, title) == 0) {
            *line = r->entry[i].value.line;
            return true;
        }
    return false;
}

/* Called for each value. */
static int study_take_value(cfg_t *cfg, cfg_opt_t *opt, const char *text, void *result)
{
    struct study_reading *r = study_reading_of(cfg);
    const enum study_kind kind = study_kind_of(cfg);
    const enum study_key key = study_find_key(kind, opt->name);
    const char *title = kind == STUDY_ROOT ? "" : cfg_title(cfg);
    int line;
    if (key_rows[key].form == STUDY_ONE && study_is_given(r, kind, title, key, &line)) {
        struct errmsg why;
        (void)fail(&why, ST_FORMAT, "key %s: expected each key once, found it in line %d already", opt->name, line);
        study_complain(cfg, why.text);
        return -1;
    }
    r->entry = xgrow(r->entry, r->entries, sizeof *r->entry);
    r->entry[r->entries++] = (struct study_entry){
        kind, key, xstrdup(title), {.text = xstrdup(text), .line = cfg->line}};
    *(const char **)result = text;
    return 0;
}

/* The options of a section, of which the last one ends the array; the caller frees it. */
static cfg_opt_t *study_make_options(enum study_kind kind, struct study_reading *r, cfg_opt_t *const *sections)
{
    const cfg_opt_t context[] = {CFG_SIMPLE_INT("(context)", &r->anchor), CFG_END()};
    cfg_opt_t *opts = xcalloc(STUDY_KEYS + STUDY_KINDS + 2, sizeof *opts);
    size_t n = 0;
    opts[n++] = context[0];
    for (int k = 0; k < STUDY_KEYS; k++) {
        const cfg_opt_t one[] = {CFG_STR_CB(key_rows[k].name, NULL, CFGF_NONE, study_take_value),
                                 CFG_STR_LIST_CB(key_rows[k].name, NULL, CFGF_NONE, study_take_value)};
        if (key_rows[k].kind == kind)
            opts[n++] = one[key_rows[k].form == STUDY_ONE ? 0 : 1];
    }
    for (int other = STUDY_ROOT + 1; kind == STUDY_ROOT && other < STUDY_KINDS; other++) {
        const cfg_opt_t one[] = {
            CFG_SEC(kind_names[other], sections[other], CFGF_MULTI | CFGF_TITLE | CFGF_NO_TITLE_DUPES)};
        opts[n++] = one[0];
    }
    opts[n] = context[1];
    return opts;
}

/* ---- from the library's sections to those of the study ---- */

static struct study_section *study_add_section(struct study *s, enum study_kind kind, const char *name, int line)
{
    struct study_list *l = &s->list[kind];
    l->item = xgrow(l->item, l->count, sizeof *l->item);
    l->item[l->count] = (struct study_section){.name = xstrdup(name), .line = line};
    return &l->item[l->count++];
}

static void study_add_sections(struct study *s, cfg_t *parsed)
{
    study_add_section(s, STUDY_ROOT, "", 0);
    for (int kind = STUDY_ROOT + 1; kind < STUDY_KINDS; kind++)
        for (unsigned i = 0; i < cfg_size(parsed, kind_names[kind]); i++) {
            cfg_t *in = cfg_getnsec(parsed, kind_names[kind], i);
            study_add_section(s, (enum study_kind)kind, cfg_title(in), in->line);
        }
}

static void study_add_values(struct study *s, struct study_reading *r)
{
    for (size_t i = 0; i < r->entries; i++) {
        struct study_entry *e = &r->entry[i];
        struct study_section *in = (struct study_section *)(uintptr_t)study_find(s, e->kind, e->title);
        if (in == NULL)
            BUG("no section '%s'", e->title);
        struct study_values *v = &in->key[e->key];
        v->item = xgrow(v->item, v->count, sizeof *v->item);
        v->item[v->count++] = e->value;
        e->value.text = NULL;
    }
}

static void study_run_library(struct study_reading *r, char *text, size_t size_bytes, cfg_opt_t *opts)
{
    cfg_t *parsed = cfg_init(opts, CFGF_NONE);
    if (parsed == NULL)
        BUG("libconfuse: %s", strerror(errno));
    cfg_set_error_function(parsed, study_library_error);
    parsed->filename = xstrdup(r->study->path);
    FILE *f = fmemopen(text, size_bytes, "r"); /* cfg_parse_buf does not keep the file's name */
    if (f == NULL)
        BUG("fmemopen: %s", strerror(errno));
    const int result = cfg_parse_fp(parsed, f);
    fclose(f);
    if (result != CFG_SUCCESS && !r->failed) /* empty keys, which libconfuse refuses without a message */
        study_complain(parsed, "expected the name of a key, found an empty one");
    if (!r->failed) {
        study_add_sections(r->study, parsed);
        study_add_values(r->study, r);
    }
    cfg_free(parsed);
}

static void study_read_options(struct study_reading *r, char *text, size_t size_bytes)
{
    cfg_opt_t *sections[STUDY_KINDS] = {0};
    for (int kind = STUDY_ROOT + 1; kind < STUDY_KINDS; kind++)
        sections[kind] = study_make_options((enum study_kind)kind, r, NULL);
    cfg_opt_t *opts = study_make_options(STUDY_ROOT, r, sections);
    study_run_library(r, text, size_bytes, opts);
    for (int kind = STUDY_ROOT + 1; kind < STUDY_KINDS; kind++)
        free(sections[kind]);
    free(opts);
    for (size_t i = 0; i < r->entries; i++) {
        free(r->entry[i].title);
        free(r->entry[i].value.text);
    }
    free(r->entry);
}

enum status study_read_syntax(const char *path, const char *text, struct study **study, struct errmsg *err)
{
    char *copy = xasprintf("%s\n", text); /* fmemopen cannot open an empty stream */
    struct study_reading r = {.study = xcalloc(1, sizeof *r.study)};
    *study = r.study;
    r.study->path = xstrdup(path);
    enum status st = conf_text_check(path, copy, strlen(copy), err);
    if (st == ST_OK)
        study_read_options(&r, copy, strlen(copy));
    free(copy);
    return r.failed ? fail(err, ST_FORMAT, "%s", r.err.text) : st;
}
