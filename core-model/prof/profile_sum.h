/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of the profiles that the same observer makes on several harts: rows of the same instruction are added. */
#ifndef CORE_MODEL_PROF_PROFILE_SUM_H
#define CORE_MODEL_PROF_PROFILE_SUM_H

#include "contract/families.h"

/* Owner of the rows of sums. */
struct profile_sums;
struct profile_sums *profile_sums_new(void);
/* NULL is allowed. */
void profile_sums_free(struct profile_sums *s);

/* For each family of families.def: adds `other` to `sum`, whose rows then belong to `s`. */
#define FAMILY(name, type) \
    void profile_sum_##name(struct profile_sums *s, struct type##_profile *sum, const struct type##_profile *other);
#include "contract/families.def"

/* Of a profile whose rows are by place (contract/call_tree.h): these become its rows by place, and rows by address,
 * their sums, belong to `s`. */
void profile_split_time(struct profile_sums *s, struct time_profile *p);
void profile_split_pics(struct profile_sums *s, struct pics_profile *p);
void profile_split_counts(struct profile_sums *s, struct count_profile *p);
void profile_split_counters(struct profile_sums *s, struct counter_profile *p);

#endif
