/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of a program image: lookup, setting from text, and samplers, whose options they can set. Entry points:
 * image.h. */
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/integer.h"
#include "isa/image.h"

bool image_is_help(const char *s)
{
    while (*s >= ' ' && *s <= '~')
        s++;
    return *s == '\0';
}

int image_find_param(const struct image *im, const char *name)
{
    for (int i = 0; i < im->params; i++)
        if (strcmp(im->param[i].name, name) == 0)
            return i;
    return -1;
}

uint64_t image_param_value(const struct image *im, const char *name, uint64_t otherwise)
{
    int i = image_find_param(im, name);
    return i >= 0 ? im->param[i].value : otherwise;
}

/* Error for an unknown parameter: lists the parameters and suggests the nearest one. */
static enum status fail_unknown(const struct image *im, const char *name, struct errmsg *err)
{
    const char *names[IMAGE_PARAMS];
    char list[IMAGE_PARAMS * (IMAGE_NAME + 1)] = "";
    size_t used = 0;
    if (im->params == 0)
        return fail(err, ST_INPUT, "the program has no parameter '%.64s': it has none at all", name);
    for (unsigned i = 0; i < im->params; i++) {
        names[i] = im->param[i].name;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    return fail(err, ST_INPUT, "the program has no parameter '%.64s'%s; its parameters are %s", name,
                diag_aside(diag_nearest(name, names, im->params)).text, list);
}

enum status image_set_param(struct image *im, const char *setting, struct errmsg *err)
{
    const char *equals = strchr(setting, '=');
    struct integer value;
    struct errmsg why;
    if (equals == NULL || equals == setting)
        return fail(err, ST_INPUT, "expected NAME=NUMBER, found '%.64s'", setting);
    char *name = xasprintf("%.*s", (int)(equals - setting), setting);
    int i = image_find_param(im, name);
    enum status st = i < 0 ? fail_unknown(im, name, err) : ST_OK;
    free(name);
    if (st != ST_OK)
        return st;
    if (integer_parse_argument(equals + 1, &value, &why) != ST_OK)
        return fail(err, ST_INPUT, "%s: %s", im->param[i].name, why.text);
    im->param[i].value = value.bits;
    return ST_OK;
}

void image_set_sampler(struct image *im, const struct sampler_setup *setup)
{
    im->sampler = *setup;
    memset(im->sampler_param, IMAGE_NO_PARAM, sizeof im->sampler_param);
}

struct sampler_setup image_sampler(const struct image *im)
{
    struct sampler_setup s = im->sampler;
    for (unsigned i = 0; i < SAMPLER_OPTIONS; i++)
        if ((s.given >> i & 1) != 0 && im->sampler_param[i] < im->params)
            s.option[i] = im->param[im->sampler_param[i]].value;
    return s;
}

void image_print_sampler(const struct image *im, FILE *out)
{
    const char *value[SAMPLER_OPTIONS] = {NULL};
    for (unsigned i = 0; i < SAMPLER_OPTIONS; i++)
        if (im->sampler_param[i] < im->params)
            value[i] = im->param[im->sampler_param[i]].name;
    sampler_print(&im->sampler, ", ", value, out);
}
