/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of a study whose inputs are in the study's folder: a job has one of each. */
#ifndef TOOLS_PCSWEEP_PLAN_PARTS_H
#define TOOLS_PCSWEEP_PLAN_PARTS_H

#include <stdbool.h>

#include "host/study/study.h"
#include "tools/pcsweep/pcemu_words.h"

struct plan_program {
    const struct study_section *section;
    char *guest, *sysroot, *input, *folder; /* inputs (inputs.h); NULL: none */
};

struct plan_configuration {
    const char *name;
    char *file; /* input */
    bool is_inorder;
};

struct plan_profile {
    const char *name;
    const struct study_section *section; /* NULL: no profile */
    char *image;                         /* input; NULL: no profiling program */
};

struct plan_parts {
    struct plan_program *program;
    struct plan_configuration *configuration;
    struct plan_profile *profile;
    size_t programs, configurations, profiles;
};

/* Reads all files that a study names, relative to its folder, and copies them into `folder`. A study without a
 * configuration has the default one, `boom`, and one without a profile has one without a name. The caller releases the
 * parts, also after an error. */
enum status plan_parts_load(const struct study *s, const struct pcemu_words *w, const char *folder,
                            struct plan_parts *p, struct errmsg *err) MUST_USE;
void plan_parts_release(struct plan_parts *p);

#endif
