/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The environment of drivers: parameters, exact answers, the state of the program. */
#include "host/driver/driver_ops.h"

const struct exact_source *driver_exact(const struct driver_env *env, const struct image_layout *l)
{
    return l->exact != EXACT_NONE && env->exact[l->exact].rows != NULL ? &env->exact[l->exact] : NULL;
}

enum status driver_find_param(const struct image *im, const char *name, uint64_t otherwise, uint64_t max,
                              uint64_t *value, struct errmsg *err)
{
    *value = image_param_value(im, name, otherwise);
    if (*value <= max)
        return ST_OK;
    return fail(err, ST_INPUT, "program %s: parameter %s is %lld, expected 0 to %llu", im->name, name,
                (long long)*value, (unsigned long long)max);
}

uint64_t driver_spent(const struct driver_env *env, uint64_t charged)
{
    return env->clock->charged - charged + env->cost->entry + env->cost->exit;
}

bool driver_program_stopped(const struct driver_env *env)
{
    const unsigned state = status_state(bus_get(env->statistics, BUS_STATUS));
    return state == BUS_ILLEGAL || state == BUS_RUNAWAY;
}
