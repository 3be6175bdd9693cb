/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Notes for users: parts missing in the images of a profile, and files that have changed since they were profiled. */
#ifndef TOOLS_PCPROF_IMAGE_NOTES_H
#define TOOLS_PCPROF_IMAGE_NOTES_H

#include "contract/report.h"
#include "host/profile/profile.h"

/* The images with values of the event that have no functions, or no line numbers. The profile has been loaded with
 * them. NULL if there are none; the caller frees the text. */
char *images_without_symbols(const struct profile *p, uint32_t event);
char *images_without_lines(const struct profile *p, uint32_t event);

/* Adds a text as a note of the report, and frees it. */
void note_of(struct report *r, char *text);
/* Adds what there is to say about an image whose lines are shown. */
void note_image(struct report *r, const struct profile_image *i);

/* Prints what there is to say about the images as warnings of pcprof. `has_lines`: lines are shown; a warning tells
 * that no image has any. `needs_file`: another tool reads the files of the images, so a file that is gone is reported
 * too. */
void warn_of_images(const struct profile *p, bool has_lines, bool needs_file);

#endif
