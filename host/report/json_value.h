/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of jansson: additions that do not fail. All take the values they are given. */
#ifndef HOST_REPORT_JSON_VALUE_H
#define HOST_REPORT_JSON_VALUE_H

#include <jansson.h>

/* To be called at the start of main: allocation by jansson does not fail either (status.h). */
void json_start(void);

/* Adds a member or an element; returns it. */
json_t *json_put(json_t *object, const char *key, json_t *value);
json_t *json_push(json_t *array, json_t *value);
/* A text, whose bytes that are not ASCII become '?' if they are not UTF-8. NULL: null. */
json_t *json_text(const char *bytes);
/* A whole number if it is one, so that it is printed without an exponent; null if it is not finite. */
json_t *json_number(double x);

#endif
