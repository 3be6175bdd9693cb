/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions and lines of an address, inlined calls included. */
#ifndef HOST_EXPORT_PLACE_H
#define HOST_EXPORT_PLACE_H

#include "host/profile/profile.h"
#include "host/report/names.h"

struct export_place {
    const char *name, *shown; /* function: in the ELF file, and its printed name in full */
    const char *source;       /* its name in debugging information; without that `name` */
    const char *file;         /* source file; NULL: unknown */
    uint32_t line, discriminator;
    const char *declared; /* file of the function's declaration; NULL: unknown */
    uint32_t first_line;  /* its line; 0: unknown */
};

/* The file of a function: that of its declaration, or else of its line; NULL: unknown. */
const char *export_place_file(const struct export_place *place);

/* Inlined calls at one address beyond these are left out, the outermost first. */
enum { EXPORT_PLACES = 64 };

/* Fills `out` with the functions at an address, from the innermost inlined call to the function itself, and returns
 * their number, at least 1. The profile owns the texts. */
size_t export_places(const struct profile *p, uint32_t image, uint64_t address, struct export_place out[EXPORT_PLACES]);

/* The function at an address alone, without what is inlined there. If the line of the address is that of an inlined
 * call, the line is that of the function's declaration. */
struct export_place export_function_place(const struct profile *p, uint32_t image, uint64_t address);

/* The names of all functions with values, inlined ones included, for names_show; full: as they are. The caller frees
 * them. */
struct names *export_names(const struct profile *p, bool full);

/* Start of the function at an address; the address itself without one. */
uint64_t export_start(const struct profile *p, uint32_t image, uint64_t address);

/* The link-time address at which the mapping of an image begins: that of the file's first byte, by the first section
 * that has code. Other tools count addresses from there. */
uint64_t export_image_base(const struct profile_image *image);

#endif
