/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of a study against what pcemu accepts. */
#ifndef TOOLS_PCSWEEP_PLAN_CHECK_H
#define TOOLS_PCSWEEP_PLAN_CHECK_H

#include "host/study/study.h"
#include "tools/pcsweep/pcemu_words.h"

/* Options are of pcemu, name no files, and are none that a study has keys for. */
enum status plan_check_options(const struct study *s, const struct pcemu_words *w, struct errmsg *err) MUST_USE;
/* The profilers of the study and of its profiles. */
enum status plan_check_profilers(const struct study *s, const struct pcemu_words *w, struct errmsg *err) MUST_USE;

#endif
