/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/profiling.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core-model/prof/sampler/sampler.h"
#include "tools/pcemu/fatal.h"

bool profiling_is_enabled(const struct options *o)
{
    if (o->no_program || o->core == CORE_FUNCTIONAL || o->core == CORE_REPLAY)
        return false;
    bool other = o->profile.count != 0 || o->collect != NULL; /* something else profiles the run */
    return !other || o->program != NULL || o->param.count != 0 || access("pc.out", F_OK) == 0;
}

/* Sets the program's parameters from --param; error messages name the option. */
static enum status set_params(const struct options *o, struct image *im, struct errmsg *err)
{
    struct errmsg why;
    for (unsigned i = 0; i < o->param.count; i++)
        if (image_set_param(im, o->param.text[i], &why) != ST_OK)
            return fail(err, ST_INPUT, "--param: %.500s", why.text);
    return ST_OK;
}

/* Returns whether the parameter sets an option of the program's sampler. */
static bool sets_sampler(const struct image *im, unsigned param)
{
    for (unsigned i = 0; i < SAMPLER_OPTIONS; i++)
        if ((im->sampler.given >> i & 1) != 0 && im->sampler_param[i] == param)
            return true;
    return false;
}

/* Removes the parameters that set options of the program's sampler, because another sampler replaces it. ST_INPUT if
 * --param sets one of them. */
static enum status remove_sampler_params(const struct options *o, struct image *im, struct errmsg *err)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < im->params; i++) {
        const char *name = im->param[i].name;
        if (!sets_sampler(im, i)) {
            im->param[kept++] = im->param[i];
            continue;
        }
        for (unsigned k = 0; k < o->param.count; k++)
            if (strncmp(o->param.text[k], name, strlen(name)) == 0 && o->param.text[k][strlen(name)] == '=')
                return fail(err, ST_INPUT,
                            "--param: '%s' sets the program's sampler, which --sampler %s replaces: expected its "
                            "options after --sampler NAME",
                            o->param.text[k], o->sampler);
    }
    im->params = (uint8_t)kept;
    return ST_OK;
}

/* Sets the sampler given by --sampler, which must supply all fields of the program. */
static enum status set_sampler(const struct options *o, struct image *im, struct errmsg *err)
{
    struct errmsg why;
    struct sampler_setup setup = image_sampler(im);
    if (o->sampler == NULL)
        return sampler_check(&setup, &why) == ST_OK ? ST_OK : fail(err, ST_INPUT, "--param: %.400s", why.text);
    enum status st = sampler_parse("--sampler", o->sampler, &setup, err);
    for (unsigned i = 0; st == ST_OK && i < im->fields; i++) {
        if (sampler_check_field(&setup, (enum sample_field)im->field[i], &why) == ST_OK)
            continue;
        char *suggestion = sampler_suggest(im->field, im->fields, "--sampler", ":");
        st = fail(err, ST_INPUT, "--sampler: %.300s: %.100s", why.text, suggestion);
        free(suggestion);
    }
    if (st == ST_OK)
        st = remove_sampler_params(o, im, err);
    if (st == ST_OK)
        image_set_sampler(im, &setup);
    return st;
}

void profiling_load(struct profiling *p, const struct options *o)
{
    struct errmsg err;
    p->options = o;
    if (o->program == NULL && access("pc.out", F_OK) != 0)
        die("there is no pc.out here: assemble a program (pcasm FILE.pasm), name one (--program FILE), or run without "
            "(--no-program)");
    must(image_load(&p->image, o->program != NULL ? o->program : "pc.out", &err), &err);
    must(set_params(o, &p->image, &err), &err);
    must(set_sampler(o, &p->image, &err), &err);
}

void profiling_copy(struct profiling *p, const struct profiling *first)
{
    *p = (struct profiling){.options = first->options, .image = first->image};
}

/* Returns whether the run keeps exact values: the driver compares values with the ground truth, and the program's
 * layouts name no references. */
static bool needs_exact_values(const struct image *im)
{
    for (unsigned i = 0; i < im->layouts; i++)
        if (im->layout[i].exact != EXACT_NONE)
            return false;
    for (unsigned i = 0; i < im->fields; i++)
        if (im->field[i] == FIELD_RESULT || im->field[i] == FIELD_RESULT32)
            return true;
    return false;
}

static struct exact_setup exact_setup_of(const struct image *im)
{
    return (struct exact_setup){
        .classes = im->filter_classes,
        .pc_mask = im->filter1_mask,
        .pc_match = im->filter1_match,
        .pc_hash = im->filter1_hash,
    };
}

/* Adds the observers of the exact references that the program's layouts name. Without a core, references that need more
 * than samples are omitted. */
static void start_references(struct profiling *p, struct observers *set)
{
    for (unsigned i = 0; i < p->image.layouts; i++) {
        unsigned e = p->image.layout[i].exact;
        if (e == EXACT_NONE || p->exact[e].harts != 0)
            continue;
        struct observer *exact = exact_new((enum exact_reference)e, &p->exact_setup);
        if (p->options->core == CORE_SAMPLES && !exact_takes_samples(exact)) {
            observer_release(exact);
            continue;
        }
        p->exact[e] = (struct exact_sum){.reference = (enum exact_reference)e, .of = {exact}, .harts = 1};
        observers_add(set, exact);
    }
}

/* Adds the observers of the ground truth that the program's fields and layouts require. */
static void start_truth(struct profiling *p, struct observers *set)
{
    if (p->options->no_truth)
        return;
    p->exact_setup = exact_setup_of(&p->image);
    start_references(p, set);
    if (needs_exact_values(&p->image)) {
        p->values = exact_values_new(p->image.filter_classes);
        p->truth = exact_values_truth(p->values);
        observers_add(set, exact_values_observer(p->values));
    }
}

static struct cop_config cop_config_of(const struct core_config *config)
{
    return (struct cop_config){
#define COP_PARAM(key, def, min, max, unit, help) .key = config->cop_##key,
#include "isa/cop_config.def"
    };
}

void profiling_start(struct profiling *p, const struct machine_config *m, struct observers *set,
                     void (*interrupt)(void *ctx, uint64_t cycle), void *ctx)
{
    struct cop_config config = cop_config_of(&m->config);
    struct errmsg err;
    p->machine = m;
    p->cop = cop_new(&config);
    cop_on_interrupt(p->cop, interrupt, ctx);
    p->bus = cop_bus(p->cop);
    cop_seed(p->cop, p->options->seed);
    start_truth(p, set);
    must(profiling_new_driver(p, &p->driver, &err), &err);
}

/* Each hart's sampler draws other random numbers. */
static struct observer *add_sampler(struct profiling *p, unsigned hart, struct observers *set)
{
    struct sample_sink sink = cop_sink(p->cop);
    struct sampler_setup setup = image_sampler(&p->image);
    struct observer *sampler = sampler_new(&setup, p->options->seed + hart, &sink);
    sampler_count_selections(sampler, &p->selections);
    sampler_set_hart(sampler, hart);
    observers_add(set, sampler);
    return sampler;
}

void profiling_sample(struct profiling *p, unsigned hart, struct observers *set)
{
    p->sampler = add_sampler(p, hart, set);
}

void profiling_sample_hart(struct profiling *p, unsigned hart, struct core *core, struct observers *set)
{
    for (unsigned e = 0; e < EXACT_REFERENCES; e++) {
        struct exact_sum *sum = &p->exact[e];
        if (sum->harts != 0 && exact_is_of_all_harts(sum->reference)) {
            core_subscribe(core, &sum->of[0]->probe);
        } else if (sum->harts != 0) {
            sum->of[sum->harts] = exact_new(sum->reference, &p->exact_setup);
            observers_add(set, sum->of[sum->harts++]);
        }
    }
    if (p->values != NULL)
        core_subscribe(core, &exact_values_observer(p->values)->probe);
    (void)add_sampler(p, hart, set);
}

void profiling_add(struct profiling *p, const struct profiling *other)
{
    driver_add(p->driver, other->driver);
    for (unsigned e = 0; e < EXACT_REFERENCES; e++)
        if (p->exact[e].harts != 0)
            p->exact[e].of[p->exact[e].harts++] = other->exact[e].of[0];
    p->selections.selected += other->selections.selected;
    p->selections.lost += other->selections.lost;
}

void profiling_release(struct profiling *p)
{
    driver_free(p->driver);
    cop_free(p->cop);
    for (unsigned e = 0; e < EXACT_REFERENCES; e++)
        exact_sum_fini(&p->exact[e]);
}

/* Returns whether the observers of the ground truth were set up for the filters of the current program. */
static bool has_ground_truth(const struct profiling *p)
{
    const struct exact_setup of = p->exact_setup, now = exact_setup_of(&p->image);
    return of.classes == now.classes && of.pc_mask == now.pc_mask && of.pc_match == now.pc_match &&
           of.pc_hash == now.pc_hash;
}

static void restart_ground_truth(struct profiling *p)
{
    if (p->values != NULL)
        exact_values_restart(p->values);
    for (unsigned e = 0; e < EXACT_REFERENCES; e++)
        if (p->exact[e].harts != 0)
            exact_sum_restart(&p->exact[e]);
}

enum status profiling_new_driver(struct profiling *p, struct driver **driver, struct errmsg *err)
{
    struct host_cost cost = machine_host_cost(p->machine);
    struct driver_env env = {.bus = &p->bus,
                             .image = &p->image,
                             .truth = p->values != NULL && has_ground_truth(p) ? &p->truth : NULL,
                             .issue_width = core_config_issue_width(&p->machine->config),
                             .selections = &p->selections,
                             .cost = &cost};
    for (unsigned e = 0; e < EXACT_REFERENCES; e++)
        if (p->exact[e].harts != 0 && has_ground_truth(p))
            env.exact[e] = exact_sum_source(&p->exact[e]);
    return driver_new(driver, &env, err);
}

/* Returns whether both programs have the same sampler with the same options. */
static bool have_same_sampler(const struct image *a, const struct image *b)
{
    struct sampler_setup x = image_sampler(a), y = image_sampler(b);
    bool same = x.sampler == y.sampler;
    for (unsigned i = 0; same && i < sampler_option_count(x.sampler); i++)
        same = sampler_option(&x, i, 0) == sampler_option(&y, i, 0);
    return same;
}

enum status profiling_replace(struct profiling *p, const struct image *image, struct errmsg *err)
{
    struct image old = p->image;
    struct driver *driver;
    p->image = *image;
    enum status st = set_params(p->options, &p->image, err);
    if (st == ST_OK)
        st = set_sampler(p->options, &p->image, err);
    if (st == ST_OK && p->sampler != NULL && !have_same_sampler(&old, &p->image))
        st = fail(err, ST_INPUT,
                  "the program's .sampler (%s) differs from that of the run (%s): expected the same, with the "
                  "same options",
                  samplers[p->image.sampler.sampler].name, samplers[old.sampler.sampler].name);
    if (st == ST_OK)
        st = profiling_new_driver(p, &driver, err);
    if (st != ST_OK) {
        p->image = old;
        return st;
    }
    driver_free(p->driver);
    p->driver = driver;
    p->selections = (struct sampler_selections){0};
    restart_ground_truth(p);
    if (p->sampler != NULL) {
        struct sample_sink sink = cop_sink(p->cop);
        sampler_set_sink(p->sampler, &sink);
    }
    return ST_OK;
}
