/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Members of JSON objects that a file of a study must have. Errors read PLACE: MEMBER: expected ..., found .... */
#ifndef HOST_STUDY_JSON_MEMBER_H
#define HOST_STUDY_JSON_MEMBER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

/* Parses a text, of an object. The caller releases it. */
enum status json_member_parse(const char *place, const char *text, size_t size_bytes, json_t **object,
                              struct errmsg *err) MUST_USE;
/* Borrowed values. The text and the integer may be null if `may_be_null`: NULL, and 0. */
enum status json_member_text(const char *place, const json_t *object, const char *key, bool may_be_null,
                             const char **text, struct errmsg *err) MUST_USE;
enum status json_member_count(const char *place, const json_t *object, const char *key, bool may_be_null, uint64_t *n,
                              struct errmsg *err) MUST_USE;
enum status json_member_object(const char *place, const json_t *object, const char *key, const json_t **value,
                               struct errmsg *err) MUST_USE;
/* An array, whose elements are all of the type. */
enum status json_member_array(const char *place, const json_t *object, const char *key, json_type of,
                              const json_t **value, struct errmsg *err) MUST_USE;

#endif
