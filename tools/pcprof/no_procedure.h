/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Procedures by name, and those that were probably meant, for errors. */
#ifndef TOOLS_PCPROF_NO_PROCEDURE_H
#define TOOLS_PCPROF_NO_PROCEDURE_H

#include "base/status.h"
#include "host/profile/profile.h"

/* " (did you mean 'NAME.part.0' or 'NAME.constprop.0'?)" with the parts and clones that the compiler has made of a
 * procedure, at most 4, or "" if there are none. The caller frees it. */
char *procedure_clones(const struct profile *p, const char *name);

/* Splits a name with an offset, as the tables print it of an instruction: NAME+0xOFFSET. Returns the bytes of NAME; of
 * another text all. */
size_t procedure_name_bytes(const char *text, uint64_t *offset);

/* Whether a text names a procedure: by its symbol or its demangled name, also with its start; in a short form, as the
 * tables print it (host/symbols/short_name.h). */
bool procedure_is_named(const struct profile_symbol *s, const char *name);
bool procedure_is_shortened_to(const struct profile_symbol *s, const char *name);

/* The error that no image of the profile has a procedure of this name, with its clones or else the nearest name.
 * `input` is the selection, as the user gave it. */
enum status no_procedure(const char *input, const struct profile *p, const char *name, struct errmsg *err) MUST_USE;

#endif
