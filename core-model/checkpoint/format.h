/* SPDX-License-Identifier: GPL-3.0-or-later */
/* File format of a checkpoint. docs/checkpoints.md describes the layout. A file is a sequence of parts:
 *
 *     0   magic (8 bytes), version (4 bytes)
 *     12  part STAT: the state of the guest besides its memory's contents
 *     ..  part WARM, or none: the state of caches and predictors that the run has warmed
 *     ..  parts PAGE: pages of memory that no earlier checkpoint of the folder has, up to 64 in a part
 *     ..  part TABL: which file has each page of the guest, and where
 *     ..  part DONE: number and digest of the pages in the parts PAGE
 *
 * Each part is a header and a frame of zstd with a checksum:
 *
 *     0   kind (4 bytes, letters), bytes when decompressed (4), bytes as stored (4)
 *
 * Numbers are little-endian. A page has a position in its file: the number of pages before it. */
#ifndef CORE_MODEL_CHECKPOINT_FORMAT_H
#define CORE_MODEL_CHECKPOINT_FORMAT_H

#include "base/sha1.h"
#include "base/status.h"

enum { CHECKPOINT_VERSION = 2 };

enum {
    CHECKPOINT_MAGIC_BYTES = 8,
    CHECKPOINT_FILE_HEADER = CHECKPOINT_MAGIC_BYTES + 4,
    CHECKPOINT_PART_HEADER = 12,
    CHECKPOINT_PAGE_BYTES = 4096,
    CHECKPOINT_PART_PAGES = 64,
    CHECKPOINT_PART_MOST = 1 << 28, /* maximum decompressed size of a part in bytes */
};

enum checkpoint_part {
    CHECKPOINT_STATE,
    CHECKPOINT_WARMED,
    CHECKPOINT_PAGES,
    CHECKPOINT_TABLE,
    CHECKPOINT_END,
    CHECKPOINT_PARTS
};

extern const uint8_t checkpoint_magic[CHECKPOINT_MAGIC_BYTES];
extern const char checkpoint_kinds[CHECKPOINT_PARTS][5];
#define CHECKPOINT_SUFFIX ".ckpt"

/* Pages of the guest with consecutive numbers, and consecutive positions in a file. Source 0 is the checkpoint itself;
 * the others are checkpoints in the same folder, by their place in the list of the part TABL. */
struct checkpoint_run {
    uint64_t page, position;
    uint32_t count, source;
};

#endif
