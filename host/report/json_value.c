/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/report/json_value.h"

#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "contract/report_tree.h"

void json_start(void) { json_set_alloc_funcs(xmalloc, free); }

json_t *json_put(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        BUG("json_object_set_new: %s", key);
    return value;
}

json_t *json_push(json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0)
        BUG("json_array_append_new");
    return value;
}

json_t *json_text(const char *bytes)
{
    json_t *text = bytes != NULL ? json_string(bytes) : json_null();
    if (text != NULL)
        return text;
    char *valid = report_copy_text(bytes);
    text = json_string(valid);
    free(valid);
    return text;
}

json_t *json_number(double x)
{
    static const double whole = 9007199254740992.0; /* 2^53 */
    if (!isfinite(x))
        return json_null();
    return fabs(x) <= whole && trunc(x) == x ? json_integer((json_int_t)x) : json_real(x);
}
