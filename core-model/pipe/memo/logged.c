/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Second compilation of the stages, which logs their effects (effects.h). */
#define LOGGED
#include "core-model/pipe/commit.c"
#include "core-model/pipe/cycle.c"
#include "core-model/pipe/fetch.c"
#include "core-model/pipe/issue.c"
#include "core-model/pipe/lsq.c"
#include "core-model/pipe/rename.c"
#include "core-model/pipe/squash.c"
#include "core-model/pipe/stats.c"
