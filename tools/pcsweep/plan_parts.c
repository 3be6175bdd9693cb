/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcsweep/plan_parts.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/shipped.h"
#include "core-model/config/config.h"
#include "tools/pcsweep/child.h"
#include "tools/pcsweep/inputs.h"

/* What the functions below need. */
struct plan_loading {
    const struct study *study;
    const struct pcemu_words *words;
    const char *folder;
};

/* A path of the study, which is relative to the study's folder; the caller frees it. */
static char *plan_path(const struct study *s, const char *path)
{
    const char *slash = strrchr(s->path, '/');
    if (path[0] == '/' || slash == NULL)
        return xstrdup(path);
    return xasprintf("%.*s/%s", (int)(slash - s->path), s->path, path);
}

/* Adds FILE:LINE: WHAT: to an error. */
static enum status plan_fail_at(const struct study *s, const struct study_value *v, const char *what, enum status st,
                                const struct errmsg *why, struct errmsg *err)
{
    return st == ST_OK ? ST_OK : fail(err, st, "%s:%d: %s: %s", s->path, v->line, what, why->text);
}

typedef enum status plan_add_input(const char *folder, const char *path, char **input, struct errmsg *err);

static enum status plan_add_file(const char *folder, const char *path, char **input, struct errmsg *err)
{
    return inputs_add_file(folder, path, NULL, input, err);
}

static enum status plan_add_part(const struct plan_loading *l, const struct study_section *in, enum study_key key,
                                 const char *what, plan_add_input *add, char **input, struct errmsg *err)
{
    const struct study_value *v = study_one(in, key);
    struct errmsg why;
    if (v == NULL)
        return ST_OK;
    char *path = plan_path(l->study, v->text);
    const enum status st = add(l->folder, path, input, &why);
    free(path);
    return plan_fail_at(l->study, v, what, st, &why, err);
}

/* An absolute path is in the sysroot if it is there. */
static enum status plan_load_command(const struct plan_loading *l, struct plan_program *p, struct errmsg *err)
{
    const struct study_value *v = study_one(p->section, STUDY_PROGRAM_COMMAND);
    char *path = plan_path(l->study, v->text);
    struct errmsg why;
    if (p->sysroot != NULL && v->text[0] == '/') {
        char *inside = xasprintf("%s/%s%s", l->folder, p->sysroot, v->text);
        if (access(inside, R_OK) == 0) {
            free(path);
            path = xstrdup(inside);
        }
        free(inside);
    }
    const enum status st = plan_add_file(l->folder, path, &p->guest, &why);
    free(path);
    return plan_fail_at(l->study, v, "command", st, &why, err);
}

static enum status plan_load_program(const struct plan_loading *l, struct plan_program *p, struct errmsg *err)
{
    enum status st = plan_add_part(l, p->section, STUDY_PROGRAM_SYSROOT, "sysroot", inputs_add_sysroot, &p->sysroot,
                                   err);
    if (st == ST_OK)
        st = plan_load_command(l, p, err);
    if (st == ST_OK)
        st = plan_add_part(l, p->section, STUDY_PROGRAM_INPUT, "input", plan_add_file, &p->input, err);
    if (st == ST_OK)
        st = plan_add_part(l, p->section, STUDY_PROGRAM_FOLDER, "folder", inputs_add_folder, &p->folder, err);
    return st;
}

/* ---- configurations ---- */

static enum status plan_load_base(const struct plan_loading *l, const struct study_value *v, struct core_config *cfg,
                                  struct errmsg *err)
{
    const struct pcemu_option *shipped = pcemu_words_find(l->words, "config");
    char *path = NULL;
    struct errmsg why;
    for (size_t i = 0; i < shipped->words && path == NULL; i++)
        if (strcmp(shipped->word[i], v->text) == 0) {
            char *name = xasprintf("share/pcemu/config/%s.conf", v->text);
            path = shipped_file(name);
            free(name);
        }
    if (path == NULL) {
        path = plan_path(l->study, v->text);
        if (access(path, F_OK) != 0) {
            free(path);
            return study_refuse(l->study, v, "base", "a shipped configuration or a file",
                                (const char *const *)shipped->word, shipped->words, err);
        }
    }
    const enum status st = core_config_load(path, cfg, &why);
    free(path);
    return plan_fail_at(l->study, v, "base", st, &why, err);
}

static enum status plan_apply_settings(const struct plan_loading *l, const struct study_section *in,
                                       struct core_config *cfg, struct errmsg *err)
{
    const struct study_values *set = &in->key[STUDY_CONFIGURATION_SET];
    struct errmsg why;
    enum status st = ST_OK;
    for (size_t i = 0; i < set->count && st == ST_OK; i++)
        st = plan_fail_at(l->study, &set->item[i], "set", core_config_set(cfg, set->item[i].text, &why), &why, err);
    if (st == ST_OK && core_config_check(cfg, &why) != ST_OK)
        st = fail(err, ST_RANGE, "%s:%d: configuration '%s': %s", l->study->path, in->line, in->name, why.text);
    return st;
}

static enum status plan_add_configuration(const struct plan_loading *l, const struct core_config *cfg,
                                          struct plan_configuration *c, struct errmsg *err)
{
    char *text;
    size_t size_bytes;
    FILE *out = xopen_text(&text, &size_bytes);
    core_config_dump(cfg, out);
    xclose_text(out);
    c->is_inorder = cfg->core != 0;
    const enum status st = inputs_add_text(l->folder, text, "core.conf", &c->file, err);
    free(text);
    return st;
}

static enum status plan_load_configuration(const struct plan_loading *l, const struct study_section *in,
                                           struct plan_configuration *c, struct errmsg *err)
{
    struct core_config cfg;
    enum status st = ST_OK;
    core_config_default(&cfg);
    if (study_one(in, STUDY_CONFIGURATION_BASE) != NULL)
        st = plan_load_base(l, study_one(in, STUDY_CONFIGURATION_BASE), &cfg, err);
    if (st == ST_OK)
        st = plan_apply_settings(l, in, &cfg, err);
    return st == ST_OK ? plan_add_configuration(l, &cfg, c, err) : st;
}

static enum status plan_load_configurations(const struct plan_loading *l, struct plan_parts *p, struct errmsg *err)
{
    const struct study_list *list = &l->study->list[STUDY_CONFIGURATION];
    enum status st = ST_OK;
    p->configuration = xcalloc(list->count + 1, sizeof *p->configuration);
    for (size_t i = 0; i < list->count && st == ST_OK; i++) {
        struct plan_configuration *c = &p->configuration[p->configurations++];
        c->name = list->item[i].name;
        st = plan_load_configuration(l, &list->item[i], c, err);
    }
    if (list->count == 0) {
        struct core_config cfg;
        core_config_default(&cfg);
        p->configuration[p->configurations].name = "boom";
        st = plan_add_configuration(l, &cfg, &p->configuration[p->configurations++], err);
    }
    return st;
}

/* ---- profiles ---- */

/* Assembles a profiling program by the pcasm beside this program, which prints its errors. */
static enum status plan_assemble(const char *folder, const char *source, const char *name, char **input,
                                 struct errmsg *err)
{
    char *image = xasprintf("%s/.assembled.%ld", folder, (long)getpid()), *pcasm = shipped_file("bin/pcasm");
    char option[] = "-o", *argv[] = {pcasm, option, image, (char *)(uintptr_t)source, NULL};
    enum status st = child_run(&(struct child){.argv = argv, .output = -1, .error = -1}, err);
    if (st == ST_OK)
        st = inputs_add_file(folder, image, name, input, err);
    unlink(image);
    free(image);
    free(pcasm);
    return st;
}

static enum status plan_load_image(const struct plan_loading *l, struct plan_profile *p, struct errmsg *err)
{
    const struct study_value *v = study_one(p->section, STUDY_PROFILE_IMAGE);
    struct errmsg why;
    if (v == NULL)
        return ST_OK;
    char *path = plan_path(l->study, v->text);
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path, *dot = strrchr(base, '.');
    char *name = xasprintf("%.*s.pc", dot != NULL ? (int)(dot - base) : (int)strlen(base), base);
    const enum status st = dot != NULL && strcmp(dot, ".pasm") == 0
                               ? plan_assemble(l->folder, path, name, &p->image, &why)
                               : inputs_add_file(l->folder, path, name, &p->image, &why);
    free(name);
    free(path);
    return plan_fail_at(l->study, v, "program", st, &why, err);
}

static enum status plan_load_profiles(const struct plan_loading *l, struct plan_parts *p, struct errmsg *err)
{
    const struct study_list *list = &l->study->list[STUDY_PROFILE];
    enum status st = ST_OK;
    p->profile = xcalloc(list->count + 1, sizeof *p->profile);
    for (size_t i = 0; i < list->count && st == ST_OK; i++) {
        struct plan_profile *one = &p->profile[p->profiles++];
        *one = (struct plan_profile){.name = list->item[i].name, .section = &list->item[i]};
        st = plan_load_image(l, one, err);
    }
    if (list->count == 0)
        p->profile[p->profiles++] = (struct plan_profile){.name = ""};
    return st;
}

enum status plan_parts_load(const struct study *s, const struct pcemu_words *w, const char *folder,
                            struct plan_parts *p, struct errmsg *err)
{
    const struct plan_loading l = {s, w, folder};
    const struct study_list *list = &s->list[STUDY_PROGRAM];
    *p = (struct plan_parts){.program = xcalloc(list->count, sizeof *p->program)};
    enum status st = ST_OK;
    for (size_t i = 0; i < list->count && st == ST_OK; i++) {
        p->program[i].section = &list->item[i];
        p->programs++;
        st = plan_load_program(&l, &p->program[i], err);
    }
    if (st == ST_OK)
        st = plan_load_configurations(&l, p, err);
    return st == ST_OK ? plan_load_profiles(&l, p, err) : st;
}

void plan_parts_release(struct plan_parts *p)
{
    for (size_t i = 0; i < p->programs; i++) {
        free(p->program[i].guest);
        free(p->program[i].sysroot);
        free(p->program[i].input);
        free(p->program[i].folder);
    }
    for (size_t i = 0; i < p->configurations; i++)
        free(p->configuration[i].file);
    for (size_t i = 0; i < p->profiles; i++)
        free(p->profile[i].image);
    free(p->program);
    free(p->configuration);
    free(p->profile);
}
