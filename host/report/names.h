/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of functions that are shown together: each in a short form in which it differs from the others. */
#ifndef HOST_REPORT_NAMES_H
#define HOST_REPORT_NAMES_H

#include <stdbool.h>

struct names;

/* full: names are shown as they are. */
struct names *names_new(bool full);
void names_free(struct names *n); /* NULL is allowed */

/* Adds a name, as a report has it: demangled, also with an offset, "+0xBYTES". To be called before names_show. Names
 * can be added repeatedly. */
void names_add(struct names *n, const char *name);
/* The name as it is shown, with its offset, the caller's to free: the shortest form (host/symbols/short_name.h) that
 * all names of the same short form differ in. A name that has not been added is shown in the short form. */
char *names_show(struct names *n, const char *name);

#endif
