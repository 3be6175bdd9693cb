/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/plugins.h"

#include <stdlib.h>

#include "core-model/prof/plugin/plugin_observer.h"
#include "tools/pcemu/fatal.h"

/* Returns *only, if it was NULL and is now this plug-in. */
static void plugins_take(struct plugin **only, struct plugin *p)
{
    if (*only != NULL)
        die("--plugin %s: expected one %s, found a second one, after %s", p->file, plugin_kind_name(p), (*only)->file);
    *only = p;
}

/* Plug-ins on which the timing depends are part of the machine. */
static void plugins_name_machine(struct machine_config *m, const struct plugin *p)
{
    enum { HASH_SHOWN = 8 };
    char *longer = xasprintf("%s, %s %s%s%s (SHA-1 %.*s)", m->name, plugin_kind_name(p), p->symbol->name,
                             p->options[0] != '\0' ? ":" : "", p->options, HASH_SHOWN, p->hash);
    free(m->name);
    m->name = longer;
}

static void plugins_check_timing(const struct plugin *p, const struct options *o)
{
    if (o->core == CORE_REPLAY)
        die("--plugin %s: a %s is incompatible with --core replay: the recorded run is over", p->file,
            plugin_kind_name(p));
    if (o->restore != NULL)
        die("--plugin %s: a %s is incompatible with --restore: a checkpoint has no state of plug-ins", p->file,
            plugin_kind_name(p));
}

void plugins_open(struct plugins *p, const struct options *o)
{
    struct errmsg err;
    for (unsigned i = 0; i < o->plugin.count; i++) {
        struct plugin *one;
        must(plugin_open(&one, o->plugin.text[i], &err), &err);
        p->plugin[p->count++] = one;
        if (one->symbol->kind == PCEMU_KIND_OBSERVER)
            continue;
        plugins_check_timing(one, o);
        plugins_take(one->symbol->kind == PCEMU_KIND_PREDICTOR ? &p->predictor : &p->prefetcher, one);
    }
}

void plugins_name(const struct plugins *p, struct machine_config *m)
{
    if (p->predictor != NULL && m->config.predictor == 3)
        die("--plugin %s: a predictor is incompatible with predictor = perfect, by which no branch is mispredicted",
            p->predictor->file);
    for (unsigned i = 0; i < p->count; i++)
        if (p->plugin[i]->symbol->kind != PCEMU_KIND_OBSERVER)
            plugins_name_machine(m, p->plugin[i]);
}

void plugins_print_help(const struct plugins *p, FILE *out)
{
    bool is_first = true;
    for (unsigned i = 0; i < p->count; i++) {
        if (p->plugin[i]->symbol->kind != PCEMU_KIND_OBSERVER)
            continue;
        fprintf(out, "%s  %-12s %s (%s)\n", is_first ? "\nObservers of --plugin, which are attached already:\n" : "",
                p->plugin[i]->symbol->name, p->plugin[i]->symbol->description, p->plugin[i]->file);
        is_first = false;
    }
}

static struct plugin_place plugins_place(const struct core_config *config, const struct options *o, unsigned hart)
{
    return (struct plugin_place){.config = config, .hart = hart, .harts = (unsigned)o->harts, .seed = o->seed};
}

void plugins_observe(const struct plugins *p, struct observers *set, const struct options *o,
                     const struct machine_config *m, unsigned hart)
{
    const struct plugin_place at = plugins_place(&m->config, o, hart);
    struct errmsg err;
    struct observer *observer;
    for (unsigned i = 0; i < p->count; i++) {
        if (p->plugin[i]->symbol->kind != PCEMU_KIND_OBSERVER)
            continue;
        if (!observers_has_room(set))
            die("--plugin %s: %u profilers observe the run, and there is no room for a further one: expected fewer of "
                "--profile",
                p->plugin[i]->file, observers_count(set));
        must(plugin_observer_new(&observer, p->plugin[i], &at, &err), &err);
        observers_add(set, observer);
    }
}

void plugins_join(struct plugins *p, struct core *core, const struct options *o, unsigned hart)
{
    const struct plugin_place at = plugins_place(core_configuration(core), o, hart);
    struct errmsg err;
    if (p->predictor != NULL) {
        must(plugin_predictor_init(&p->predictor_of[hart], p->predictor, &at, &err), &err);
        core_set_predictor(core, &p->predictor_of[hart].external);
    }
    if (p->prefetcher != NULL) {
        must(plugin_prefetcher_init(&p->prefetcher_of[hart], p->prefetcher, &at, &err), &err);
        core_set_prefetcher(core, &p->prefetcher_of[hart].prefetcher);
    }
}

void plugins_report(const struct plugins *p, struct report *r)
{
    for (unsigned i = 0; i < p->count; i++)
        if (p->plugin[i]->symbol->kind != PCEMU_KIND_OBSERVER)
            (void)plugin_report_head(r, p->plugin[i], -1);
}

void plugins_check(const struct plugins *p)
{
    for (unsigned i = 0; i < p->count; i++)
        if (p->plugin[i]->complaint.text[0] != '\0')
            die("%s", p->plugin[i]->complaint.text);
}

void plugins_release(struct plugins *p)
{
    for (unsigned n = 0; n < GUEST_HARTS_MAX; n++) {
        plugin_state_fini(&p->predictor_of[n].of);
        plugin_state_fini(&p->prefetcher_of[n].of);
    }
    while (p->count > 0)
        plugin_close(p->plugin[--p->count]);
}
