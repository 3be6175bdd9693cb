/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a checkpoint. All data in the file is validated; errors name the file and the offset. */
#ifndef CORE_MODEL_CHECKPOINT_READER_H
#define CORE_MODEL_CHECKPOINT_READER_H

#include <stdbool.h>

#include "core-model/checkpoint/format.h"

struct checkpoint_reader;
/* `path` is borrowed for the call. The file stays open. */
enum status checkpoint_reader_new(struct checkpoint_reader **r, const char *path, struct errmsg *err) MUST_USE;
void checkpoint_reader_free(struct checkpoint_reader *r);
/* The file's name for messages. */
const char *checkpoint_reader_name(const struct checkpoint_reader *r);
/* The state, owned by the reader; offset of its part in the file. */
const uint8_t *checkpoint_reader_state(const struct checkpoint_reader *r, size_t *size_bytes, uint64_t *offset);
/* Reads the state of caches and predictors, owned by the reader; *bytes is NULL if the file has none. */
enum status checkpoint_reader_warmed(struct checkpoint_reader *r, const uint8_t **bytes, size_t *size_bytes,
                                     uint64_t *offset, struct errmsg *err) MUST_USE;
/* Calls `put` for the pages that have contents, some that follow one another at a time, in any order. It returns false
 * for pages that it does not accept, which is an error. */
typedef bool checkpoint_page_put(void *ctx, uint64_t page, unsigned pages, const uint8_t *bytes);
enum status checkpoint_reader_pages(struct checkpoint_reader *r, checkpoint_page_put *put, void *ctx,
                                    struct errmsg *err) MUST_USE;

#endif
