/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of C++ and Rust as their sources write them, by libiberty. */
#ifndef HOST_SYMBOLS_DEMANGLE_H
#define HOST_SYMBOLS_DEMANGLE_H

enum demangle_form {
    DEMANGLE_FULL, /* with the types of the parameters: "shape::area(int) const" */
    DEMANGLE_SHORT /* without: "shape::area" */
};

/* The name behind the symbol, the caller's to free; NULL where the symbol is not mangled, or where its name would be
 * too long to be one. What follows an '@', a version or "plt", is kept. */
char *demangle(const char *symbol, enum demangle_form form);

#endif
