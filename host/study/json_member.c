/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/study/json_member.h"

static const char *json_member_type(const json_t *value)
{
    static const char *const names[] = {
        [JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_STRING] = "a text", [JSON_INTEGER] = "an integer",
        [JSON_REAL] = "a number",    [JSON_TRUE] = "true",      [JSON_FALSE] = "false",   [JSON_NULL] = "null"};
    return value == NULL ? "none" : names[json_typeof(value)];
}

static enum status json_member_refuse(const char *place, const char *key, const char *expected, const json_t *found,
                                      struct errmsg *err)
{
    return fail(err, ST_FORMAT, "%s: member %s: expected %s, found %s", place, key, expected, json_member_type(found));
}

enum status json_member_parse(const char *place, const char *text, size_t size_bytes, json_t **object,
                              struct errmsg *err)
{
    json_error_t e;
    *object = json_loadb(text, size_bytes, JSON_REJECT_DUPLICATES, &e);
    if (*object == NULL)
        return fail(err, ST_FORMAT, "%s: expected a JSON object, found: %s", place, e.text);
    if (json_is_object(*object))
        return ST_OK;
    const enum status st = fail(err, ST_FORMAT, "%s: expected a JSON object, found %s", place,
                                json_member_type(*object));
    json_decref(*object);
    *object = NULL;
    return st;
}

enum status json_member_text(const char *place, const json_t *object, const char *key, bool may_be_null,
                             const char **text, struct errmsg *err)
{
    const json_t *value = json_object_get(object, key);
    *text = json_string_value(value);
    if (*text == NULL && !(may_be_null && json_is_null(value)))
        return json_member_refuse(place, key, may_be_null ? "a text or null" : "a text", value, err);
    return ST_OK;
}

enum status json_member_count(const char *place, const json_t *object, const char *key, bool may_be_null, uint64_t *n,
                              struct errmsg *err)
{
    const json_t *value = json_object_get(object, key);
    *n = (uint64_t)json_integer_value(value);
    if (json_is_null(value) && may_be_null)
        return ST_OK;
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return json_member_refuse(place, key, may_be_null ? "a count or null" : "a count", value, err);
    return ST_OK;
}

enum status json_member_object(const char *place, const json_t *object, const char *key, const json_t **value,
                               struct errmsg *err)
{
    *value = json_object_get(object, key);
    return json_is_object(*value) ? ST_OK : json_member_refuse(place, key, "an object", *value, err);
}

enum status json_member_array(const char *place, const json_t *object, const char *key, json_type of,
                              const json_t **value, struct errmsg *err)
{
    size_t i;
    json_t *element;
    *value = json_object_get(object, key);
    if (!json_is_array(*value))
        return json_member_refuse(place, key, "an array", *value, err);
    json_array_foreach(*value, i, element) if (json_typeof(element) != of)
    {
        static const char *const expected[] = {
            [JSON_OBJECT] = "objects in the array", [JSON_STRING] = "texts in the array"};
        return json_member_refuse(place, key, expected[of], element, err);
    }
    return ST_OK;
}
