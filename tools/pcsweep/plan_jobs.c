/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcsweep/plan_jobs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host/report/json_value.h"
#include "host/study/manifest.h"

/* A combination of parts. */
struct plan_job {
    const struct study *study;
    const struct plan_program *program;
    const struct plan_configuration *configuration;
    const struct plan_profile *profile;
    uint64_t seed;
    const char *pcemu;
};

/* Jobs run three folders below the study's: results/ID.tmp.HOST.PID/work. */
static void plan_push_input(json_t *command, const char *input)
{
    json_push(command, json_sprintf("../../../%s", input));
}

static void plan_push_values(json_t *command, const char *option, const struct study_values *v)
{
    for (size_t i = 0; i < v->count; i++) {
        if (option != NULL)
            json_push(command, json_string(option));
        json_push(command, json_text(v->item[i].text));
    }
}

static void plan_push_profile(json_t *command, const struct plan_job *j)
{
    const struct plan_profile *p = j->profile;
    plan_push_values(command, "--profile", &study_root(j->study)->key[STUDY_ROOT_PROFILERS]);
    if (p->section != NULL)
        plan_push_values(command, "--profile", &p->section->key[STUDY_PROFILE_PROFILERS]);
    if (p->image == NULL) {
        json_push(command, json_string("--no-program"));
        return;
    }
    json_push(command, json_string("--program"));
    plan_push_input(command, p->image);
    plan_push_values(command, "--param", &p->section->key[STUDY_PROFILE_PARAMETERS]);
}

/* The arguments of pcemu but for those that name its outputs. */
static json_t *plan_pcemu_arguments(const struct plan_job *j)
{
    json_t *command = json_array();
    json_push(command, json_string("--core"));
    json_push(command, json_string(j->configuration->is_inorder ? "inorder" : "ooo"));
    json_push(command, json_string("--config"));
    plan_push_input(command, j->configuration->file);
    json_push(command, json_string("--seed"));
    json_push(command, json_sprintf("%" PRIu64, j->seed));
    if (j->program->sysroot != NULL) {
        json_push(command, json_string("--sysroot"));
        plan_push_input(command, j->program->sysroot);
    }
    plan_push_profile(command, j);
    json_push(command, json_string("--no-host-debug")); /* names of functions are the same on all machines */
    plan_push_values(command, NULL, &study_root(j->study)->key[STUDY_ROOT_OPTIONS]);
    plan_push_input(command, j->program->guest);
    plan_push_values(command, NULL, &j->program->section->key[STUDY_PROGRAM_ARGUMENTS]);
    return command;
}

static json_t *plan_count(const struct study_value *v)
{
    return v != NULL ? json_integer((json_int_t)study_number(v)) : json_null();
}

/* All that decides the result of a job. */
static json_t *plan_run(const struct plan_job *j)
{
    const struct study_value *status = study_one(j->program->section, STUDY_PROGRAM_STATUS);
    json_t *run = json_object(), *outputs = json_array();
    plan_push_values(outputs, NULL, &study_root(j->study)->key[STUDY_ROOT_OUTPUTS]);
    json_put(run, "pcemu", json_string(j->pcemu));
    json_put(run, "command", plan_pcemu_arguments(j));
    json_put(run, "input", json_text(j->program->input));
    json_put(run, "folder", json_text(j->program->folder));
    json_put(run, "outputs", outputs);
    json_put(run, "status", status != NULL ? plan_count(status) : json_integer(0));
    json_put(run, "instructions", plan_count(study_one(j->program->section, STUDY_PROGRAM_INSTRUCTIONS)));
    return run;
}

static void plan_add_job(struct plan_jobs *jobs, const struct plan_job *j)
{
    json_t *run = plan_run(j), *names = json_object();
    char id[SHA1_TEXT];
    manifest_job_id(run, id);
    json_put(names, "program", json_string(j->program->section->name));
    json_put(names, "configuration", json_string(j->configuration->name));
    json_put(names, "profile", json_string(j->profile->name));
    const json_t *known = json_object_get(jobs->index, id);
    if (known != NULL) {
        json_t *line = json_array_get(jobs->line, (size_t)json_integer_value(known)),
               *all = json_object_get(line, "names");
        bool is_named = false;
        for (size_t i = 0; i < json_array_size(all); i++)
            is_named = is_named || json_equal(json_array_get(all, i), names);
        if (is_named)
            json_decref(names);
        else
            json_push(all, names);
        json_decref(run);
        jobs->twice++;
        return;
    }
    json_put(jobs->index, id, json_integer((json_int_t)json_array_size(jobs->line)));
    json_t *line = json_push(jobs->line, json_object()), *all = json_array();
    json_put(line, "id", json_string(id));
    json_push(json_put(line, "names", all), names);
    json_put(line, "seed", json_integer((json_int_t)j->seed));
    json_put(line, "run", run);
}

static bool plan_is_chosen(const struct study_values *v, const char *name)
{
    for (size_t i = 0; i < v->count; i++)
        if (strcmp(v->item[i].text, name) == 0)
            return true;
    return v->count == 0;
}

static void plan_expand_seeds(struct plan_jobs *jobs, struct plan_job *j, const struct study_section *chosen)
{
    const struct study_values *seeds = &study_root(j->study)->key[STUDY_ROOT_SEEDS];
    if (chosen->key[STUDY_JOBS_SEEDS].count > 0)
        seeds = &chosen->key[STUDY_JOBS_SEEDS];
    for (size_t i = 0; i < seeds->count; i++) {
        j->seed = study_number(&seeds->item[i]);
        plan_add_job(jobs, j);
    }
    if (seeds->count == 0) {
        j->seed = 1;
        plan_add_job(jobs, j);
    }
}

/* The combinations that a section `jobs` chooses; a key that it lacks chooses all. */
static void plan_expand_section(struct plan_jobs *jobs, struct plan_job *j, const struct plan_parts *p,
                                const struct study_section *chosen)
{
    for (size_t n = 0; n < p->programs; n++)
        for (size_t c = 0; c < p->configurations; c++)
            for (size_t f = 0; f < p->profiles; f++) {
                if (!plan_is_chosen(&chosen->key[STUDY_JOBS_PROGRAMS], p->program[n].section->name) ||
                    !plan_is_chosen(&chosen->key[STUDY_JOBS_CONFIGURATIONS], p->configuration[c].name) ||
                    !plan_is_chosen(&chosen->key[STUDY_JOBS_PROFILES], p->profile[f].name))
                    continue;
                j->program = &p->program[n];
                j->configuration = &p->configuration[c];
                j->profile = &p->profile[f];
                plan_expand_seeds(jobs, j, chosen);
            }
}

void plan_jobs_expand(const struct study *s, const struct plan_parts *p, const char *pcemu, struct plan_jobs *jobs)
{
    static const struct study_section all = {0};
    const struct study_list *l = &s->list[STUDY_JOBS];
    struct plan_job j = {.study = s, .pcemu = pcemu};
    *jobs = (struct plan_jobs){.line = json_array(), .index = json_object()};
    for (size_t i = 0; i < l->count; i++)
        plan_expand_section(jobs, &j, p, &l->item[i]);
    if (l->count == 0)
        plan_expand_section(jobs, &j, p, &all);
}

void plan_jobs_release(struct plan_jobs *jobs)
{
    json_decref(jobs->line);
    json_decref(jobs->index);
}
