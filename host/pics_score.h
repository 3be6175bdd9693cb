/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How well per-instruction cycle stacks agree with others: the error of profiles of time (time_score.h), where what is
 * compared is the time of each pair of symbol and event signature. */
#ifndef HOST_PICS_SCORE_H
#define HOST_PICS_SCORE_H

#include "host/time_score.h"
#include "isa/contract/pics.h"

/* 1 - the sum over symbols and signatures of the lesser of both shares of the time: from 0 to 1. */
double pics_error(const struct pics_profile *p, const struct pics_profile *reference, enum time_level level,
                  const struct time_blocks *b, const struct symbols *symbols);

/* The rows as a profile of time, signatures added up; the rows are the caller's to free. */
struct time_profile pics_time(const struct pics_profile *p);

#endif
