/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of functions as tables have them: short forms of demangled names. */
#ifndef HOST_SYMBOLS_SHORT_NAME_H
#define HOST_SYMBOLS_SHORT_NAME_H

#include <stddef.h>

/* From the shortest on. Names that are equal in one form can differ in a later one. */
enum short_form {
    SHORT_NAME,       /* "introsort_loop<...>" */
    SHORT_PARAMETERS, /* with the types of the parameters: "introsort_loop<...>(int*, int*, long)" */
    SHORT_ARGUMENTS,  /* with the arguments of templates: "introsort_loop<int*, long>" */
    SHORT_NONE,       /* the name itself */
    SHORT_FORMS
};

/* The short form of a demangled name, the caller's to free:
 * - without its return type, and the parameters but in SHORT_PARAMETERS, also of enclosing functions
 * - arguments of templates are "<...>", but in SHORT_ARGUMENTS
 * - C++ names without the namespaces std, __gnu_cxx and those inside them for the library's own use, and without the
 *   underscores "__" in front
 * - a lambda is "FUNCTION::{lambda#2}", with its call operator
 * - clones of the compiler are "FUNCTION.part.0"
 * Names of C and of methods in Go, and what follows an '@' or is an offset "+0xBYTES", stay as they are. */
char *short_name(const char *name, enum short_form form);

/* The number of bytes of a name without its offset, "+0x" and hexadecimal digits; `bytes` if it has none. */
size_t name_without_offset(const char *name, size_t bytes);

#endif
