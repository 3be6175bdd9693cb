/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcsweep/plan_check.h"

#include <stdlib.h>
#include <string.h>

/* Options that are set by keys of a study, that end without a run, or that need a terminal. */
static const char *const refused[] = {"core",          "config",        "set",
                                      "seed",          "no-program",    "param",
                                      "profile",       "output",        "format",
                                      "sysroot",       "interactive",   "dump-config",
                                      "gdb",           "by-hart",       "follow-children",
                                      "list-syscalls", "checkpoint-at", "checkpoint-every",
                                      "memo"};

static bool plan_is_refused(const struct pcemu_option *o)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (strcmp(o->name, refused[i]) == 0)
            return true;
    return o->names_files;
}

static enum status plan_refuse_option(const struct study *s, const struct study_value *v, const struct pcemu_words *w,
                                      struct errmsg *err)
{
    const char **names = xcalloc(w->options, sizeof *names);
    for (size_t i = 0; i < w->options; i++)
        names[i] = xasprintf("--%s", w->option[i].name);
    const enum status st = study_refuse(s, v, "options", "an option of pcemu, --NAME or --NAME=VALUE", names,
                                        w->options, err);
    for (size_t i = 0; i < w->options; i++)
        free((char *)(uintptr_t)names[i]);
    free(names);
    return st;
}

enum status plan_check_options(const struct study *s, const struct pcemu_words *w, struct errmsg *err)
{
    const struct study_values *list = &study_root(s)->key[STUDY_ROOT_OPTIONS];
    for (size_t i = 0; i < list->count; i++) {
        const struct study_value *v = &list->item[i];
        const size_t length = strcspn(v->text, "=");
        char *name = xasprintf("%.*s", (int)length, v->text);
        const struct pcemu_option *o = strncmp(name, "--", 2) == 0 ? pcemu_words_find(w, name + 2) : NULL;
        free(name);
        if (o == NULL)
            return plan_refuse_option(s, v, w, err);
        if (plan_is_refused(o))
            return fail(err, ST_INPUT,
                        "%s:%d: options: expected an option that is the same for all jobs and names no file, found "
                        "'%s'",
                        s->path, v->line, v->text);
        if (o->has_argument && !o->may_lack_argument && v->text[length] == '\0')
            return fail(err, ST_INPUT, "%s:%d: options: expected %s=VALUE, found '%s'", s->path, v->line, v->text,
                        v->text);
        if (!o->has_argument && v->text[length] != '\0')
            return fail(err, ST_INPUT, "%s:%d: options: expected --%s, which has no value, found '%s'", s->path,
                        v->line, o->name, v->text);
    }
    return ST_OK;
}

/* NAME[:OPTION...], of which the name is checked here, and the options by pcemu. */
static enum status plan_check_profiler(const struct study *s, const struct study_value *v, const struct pcemu_option *o,
                                       struct errmsg *err)
{
    char *name = xasprintf("%.*s", (int)strcspn(v->text, ":"), v->text);
    const struct study_value shown = {.text = name, .line = v->line};
    enum status st = ST_INPUT;
    for (size_t i = 0; i < o->words && st != ST_OK; i++)
        st = strcmp(o->word[i], name) == 0 ? ST_OK : ST_INPUT;
    if (st != ST_OK)
        st = study_refuse(s, &shown, "profilers", "a profiler (pcemu --profile help)", (const char *const *)o->word,
                          o->words, err);
    free(name);
    return st;
}

static enum status plan_check_list(const struct study *s, const struct study_values *list, const struct pcemu_option *o,
                                   struct errmsg *err)
{
    enum status st = ST_OK;
    for (size_t i = 0; i < list->count && st == ST_OK; i++)
        st = plan_check_profiler(s, &list->item[i], o, err);
    return st;
}

enum status plan_check_profilers(const struct study *s, const struct pcemu_words *w, struct errmsg *err)
{
    const struct pcemu_option *o = pcemu_words_find(w, "profile");
    const struct study_list *l = &s->list[STUDY_PROFILE];
    if (o == NULL)
        BUG("pcemu has no option --profile");
    enum status st = plan_check_list(s, &study_root(s)->key[STUDY_ROOT_PROFILERS], o, err);
    for (size_t i = 0; i < l->count && st == ST_OK; i++)
        st = plan_check_list(s, &l->item[i].key[STUDY_PROFILE_PROFILERS], o, err);
    return st;
}
