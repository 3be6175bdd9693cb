/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of a run as images of a profile: build ID, functions, source lines, code. An image is added when its first
 * address is looked up, so a profile has only images with values. */
#ifndef HOST_RUN_RUN_IMAGES_H
#define HOST_RUN_RUN_IMAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "host/profile/profile.h"
#include "host/symbols/symbols.h"

struct run_images;

/* All arguments are borrowed. `warn`: as in struct run_results. */
struct run_images *run_images_new(const struct symbols *symbols, struct profile *profile,
                                  void (*warn)(const char *text));
void run_images_free(struct run_images *r);

/* The image of an instruction and its link-time address there. Returns false for pc 0, which is no instruction, and
 * without symbols. */
bool run_images_find(struct run_images *r, uint64_t pc, uint32_t *image, uint64_t *address);

#endif
