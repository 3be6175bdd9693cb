/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/machine.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/shipped.h"
#include "base/text.h"
#include "tools/pcemu/fatal.h"

static char *shipped_config(const char *name)
{
    char *path = xasprintf("share/pcemu/config/%s.conf", name), *whole = shipped_file(path);
    free(path);
    return whole;
}

/* Calls `see` for the name of each shipped configuration, in alphabetical order. */
static void each_config(void (*see)(void *ctx, const char *name), void *ctx)
{
    char *pattern = shipped_config("*");
    glob_t found;
    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            const char *file = strrchr(found.gl_pathv[i], '/') + 1;
            char *name = xasprintf("%.*s", (int)strcspn(file, "."), file);
            see(ctx, name);
            free(name);
        }
        globfree(&found);
    }
    free(pattern);
}

static void pcemu_machine_print_word(void *ctx, const char *name) { fprintf(ctx, "%s\t\n", name); }

void machine_print_words(FILE *out) { each_config(pcemu_machine_print_word, out); }

/* Names of configurations, and their list for an error. */
struct configs {
    const char *name[64];
    size_t count;
    char *list;
};

static void add_config(void *ctx, const char *name)
{
    struct configs *c = ctx;
    if (c->count == sizeof c->name / sizeof c->name[0])
        return;
    c->name[c->count++] = xstrdup(name);
    char *longer = xasprintf("%s%s%s", c->list != NULL ? c->list : "", c->list != NULL ? ", " : "", name);
    free(c->list);
    c->list = longer;
}

static void die_without_config(const char *name)
{
    struct configs c = {.count = 0};
    each_config(add_config, &c);
    die("--config: no file and no shipped configuration of the name '%s'%s; shipped are %s", name,
        diag_aside(diag_nearest(name, c.name, c.count)).text, c.list != NULL ? c.list : "none");
}

/* Removes the setting with the key of another one, KEY=VALUE, from a description. */
static void forget_setting(char *text, const char *setting)
{
    const size_t key = strcspn(setting, "=") + 1;
    for (char *at = strstr(text, ", "); at != NULL; at = strstr(at + 2, ", ")) {
        if (strncmp(at + 2, setting, key) != 0)
            continue;
        const char *next = strstr(at + 2, ", ");
        memmove(at, next != NULL ? next : "", next != NULL ? strlen(next) + 1 : 1);
        return;
    }
}

/* Describes the machine, e.g. "boom, rob_entries=64". The name may be that of a recording, with settings already. */
static char *pcemu_machine_describe(const struct options *o, const char *name)
{
    char *text = xstrdup(name);
    for (unsigned i = 0; i < o->setting.count; i++) {
        forget_setting(text, o->setting.text[i]);
        char *longer = xasprintf("%s, %s", text, o->setting.text[i]);
        free(text);
        text = longer;
    }
    return text_make_printable(text);
}

static void load_named(struct machine_config *m, const char *name, bool may_be_file)
{
    struct errmsg err;
    bool is_file = may_be_file && (strchr(name, '/') != NULL || access(name, F_OK) == 0);
    char *path = is_file ? xstrdup(name) : shipped_config(name);
    if (!is_file && access(path, F_OK) != 0)
        die_without_config(name);
    must(core_config_load(path, &m->config, &err), &err);
    free(path);
}

static void apply_settings(struct machine_config *m, const struct options *o)
{
    struct errmsg err;
    for (unsigned i = 0; i < o->setting.count; i++)
        if (core_config_set(&m->config, o->setting.text[i], &err) != ST_OK)
            die("--set: %s", err.text);
}

void machine_load(struct machine_config *m, const struct options *o)
{
    struct errmsg err;
    const char *name = o->config != NULL ? o->config : o->core == CORE_INORDER ? "ev5" : NULL;
    core_config_default(&m->config);
    if (name != NULL)
        load_named(m, name, o->config != NULL);
    apply_settings(m, o);
    if (o->core_named && o->core <= CORE_INORDER)
        m->config.core = o->core == CORE_INORDER;
    must(core_config_check(&m->config, &err), &err);
    m->name = pcemu_machine_describe(o, name != NULL ? name : "boom");
}

void machine_adopt(struct machine_config *m, const struct options *o, const struct core_config *config,
                   const char *name)
{
    struct errmsg err;
    m->config = *config;
    apply_settings(m, o);
    must(core_config_check(&m->config, &err), &err);
    m->name = pcemu_machine_describe(o, name);
}

void machine_release(struct machine_config *m) { free(m->name); }

struct host_cost machine_host_cost(const struct machine_config *m)
{
    return (struct host_cost){
#define HOST_COST(key, def, min, max, unit, help, source) .key = m->config.host_##key,
#define HOST_WORK(sym, key, def, max, help, source) .key = m->config.host_##key,
#include "contract/host_cost.def"
    };
}
