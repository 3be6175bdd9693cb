/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The loads of a value profile as a table of the program's profile. */
#ifndef HOST_DRIVER_VALUE_VALUE_LOADS_H
#define HOST_DRIVER_VALUE_VALUE_LOADS_H

#include "contract/programprof.h"
#include "host/driver/value/value_profile.h"

/* The members of the table, in samples and visits. */
enum value_loads_member { VALUE_LOADS_SAMPLES, VALUE_LOADS_VISITS, VALUE_LOADS_CHECKS, VALUE_LOADS_MEMBERS };

/* Adds the table `loads`, by descending number of samples. */
void value_loads_fill(struct program_profile *p, const struct value_profile *values);
/* The load of a row of the table. */
const struct value_load *value_loads_find(const struct value_profile *values, const struct program_row *row);

#endif
