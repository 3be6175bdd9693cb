/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Error of per-instruction cycle stacks: the error of time profiles (time_score.h), computed over pairs of symbol and
 * event signature. */
#ifndef HOST_FAMILY_PICS_SCORE_H
#define HOST_FAMILY_PICS_SCORE_H

#include "contract/pics.h"
#include "host/family/time_score.h"

/* 1 - sum over symbols and signatures of the minimum of both shares of the time; from 0 to 1. */
double pics_error(const struct pics_profile *p, const struct pics_profile *reference, enum time_level level,
                  const struct time_blocks *b, const struct symbols *symbols);

/* The rows as a time profile, summed over signatures. The caller frees the rows. */
struct time_profile pics_time(const struct pics_profile *p);

#endif
