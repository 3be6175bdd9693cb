/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The jobs of a study: FOLDER/manifest.jsonl, a JSON object a line, after a first line about the study. docs/formats.md
 * has the members. */
#ifndef HOST_STUDY_MANIFEST_H
#define HOST_STUDY_MANIFEST_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sha1.h"
#include "base/status.h"

enum { MANIFEST_VERSION = 1 };

/* The names that a study has for a job. */
struct job_names {
    const char *program, *configuration, *profile; /* profile: "" for none */
};

/* A job. Texts are borrowed from `json`. */
struct job {
    json_t *json; /* the line, owned */
    const char *id;
    struct job_names *names; /* one or more */
    size_t name_count;
    uint64_t seed;
    const json_t *command;      /* arguments of pcemu, texts */
    const char *input, *folder; /* below the study's folder; NULL: none */
    const json_t *outputs;      /* texts: statistics, store */
    uint64_t status;            /* that the guest is expected to exit with */
    bool knows_instructions;
    uint64_t instructions; /* expected */
};

struct manifest {
    char *folder;
    json_t *head;         /* the first line */
    const char *pcemu;    /* hash of the build that the jobs are for */
    const char *baseline; /* configuration, or NULL */
    struct job *job;
    size_t jobs;
};

/* The id of what decides a job's result, the member `run` of its line. */
void manifest_job_id(const json_t *run, char id[SHA1_TEXT]);

/* Reads the manifest of a study's folder. Errors name the line. The caller releases it, also after an error. */
enum status manifest_load(const char *folder, struct manifest *m, struct errmsg *err) MUST_USE;
/* manifest_load of a text that errors call `path`. */
enum status manifest_parse(const char *path, const char *text, struct manifest *m, struct errmsg *err) MUST_USE;
void manifest_release(struct manifest *m);

/* The job whose id begins with a text; NULL with an error: none, or several. */
const struct job *manifest_find(const struct manifest *m, const char *id, struct errmsg *err);

#endif
