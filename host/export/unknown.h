/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of no file: an image stands for their place, so that no format loses them. */
#ifndef HOST_EXPORT_UNKNOWN_H
#define HOST_EXPORT_UNKNOWN_H

#include "host/profile/profile.h"

/* The path of the image, and the name of its function. */
#define EXPORT_UNKNOWN "[unknown]"

/* Adds the image to a profile that has values of no file, and the unplaced values of each event as its samples. A
 * profile that has the image remains as it is. */
void export_place_unknown(struct profile *p);

/* The place of call stacks without frames, in a profile that export_place_unknown has completed. */
struct profile_place export_unknown_place(const struct profile *p);

#endif
