/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes checkpoints into a folder. A page is stored once: a later checkpoint of the same writer refers to the file
 * that has it. */
#ifndef CORE_MODEL_CHECKPOINT_WRITER_H
#define CORE_MODEL_CHECKPOINT_WRITER_H

#include <stdbool.h>

#include "core-model/checkpoint/format.h"

struct checkpoint_writer;
/* Makes the folder if it does not exist. Error: it has checkpoints already, whose run may be another. */
enum status checkpoint_writer_new(struct checkpoint_writer **w, const char *folder, struct errmsg *err) MUST_USE;
void checkpoint_writer_free(struct checkpoint_writer *w);

/* A checkpoint is begun with its state, has the warmed state put if there is one, and the pages, in the order of their
 * numbers, until it is ended: then the file appears, complete and written to the disk. One that is dropped does not
 * appear. `name` is that of the file in the folder. */
enum status checkpoint_begin(struct checkpoint_writer *w, const char *name, const uint8_t *state, size_t size_bytes,
                             struct errmsg *err) MUST_USE;
/* At most CHECKPOINT_PART_MOST bytes. */
void checkpoint_put_warmed(struct checkpoint_writer *w, const uint8_t *bytes, size_t size_bytes);
void checkpoint_put_page(struct checkpoint_writer *w, uint64_t page, const void *bytes);
enum status checkpoint_end(struct checkpoint_writer *w, struct errmsg *err) MUST_USE;
void checkpoint_drop(struct checkpoint_writer *w);

#endif
