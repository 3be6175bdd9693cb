/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of a checkpoint's state by subject. Each function moves its part in both directions (stream.h), or writes
 * and reads it. Private to core-model/linux. */
#ifndef CORE_MODEL_LINUX_CHECKPOINT_PARTS_H
#define CORE_MODEL_LINUX_CHECKPOINT_PARTS_H

#include "core-model/checkpoint/stream.h"
#include "core-model/linux/checkpoint.h"

/* In checkpoint_able.c: ST_UNMET, with the reason, if the guest has what a checkpoint does not hold besides descriptors
 * and mappings. */
enum status linux_check_checkpoint(const struct guest *g, struct errmsg *err) MUST_USE;

/* In checkpoint_state.c: registers, process, threads, signals, clocks, layout, the rest. */
void linux_move_state(struct guest *g, struct checkpoint_stream *s);

/* In checkpoint_identity.c: a file that has to be the same when the guest is restored. */
struct file_identity {
    char *path;
    uint64_t size_bytes, changed_ns; /* time of its last change */
    char *digest;                    /* SHA-1; NULL: none, and the time has to be the same */
};
/* The digests of files that have been read, by device, inode, size and time of the last change: another checkpoint
 * does not read these files again. */
struct linux_digests;
struct linux_digests *linux_digests_new(void);
void linux_digests_free(struct linux_digests *d);
/* Finds the facts of a file, with a digest, or without (NULL). ST_UNMET: the file cannot be read. */
enum status linux_identify_file(const char *path, struct linux_digests *digests, struct file_identity *id,
                                struct errmsg *err) MUST_USE;
void linux_drop_identity(struct file_identity *id);
void linux_move_identity(struct file_identity *id, struct checkpoint_stream *s);
/* `name` is that of the checkpoint. A file with a digest may have been touched. */
enum status linux_check_identity(const struct file_identity *id, const char *name, struct errmsg *err) MUST_USE;

/* In checkpoint_files.c: the table of descriptors, and the working folder. */
enum status linux_write_files(struct guest *g, struct checkpoint_stream *s, struct errmsg *err) MUST_USE;
enum status linux_restore_files(struct guest *g, struct checkpoint_stream *s, const char *name,
                                struct errmsg *err) MUST_USE;

/* In checkpoint_memory.c: the layout of the memory, with the files that are mapped in it, and its pages. */
struct file_mapping;
enum status linux_check_mappings(const struct guest *g, const struct file_mapping *list, size_t count,
                                 struct errmsg *err) MUST_USE;
void linux_write_layout(struct guest *g, const struct file_mapping *list, size_t count, struct checkpoint_stream *s);
void linux_put_pages(struct guest *g, struct checkpoint_writer *w);
enum status linux_restore_layout(struct guest *g, struct checkpoint_stream *s, const char *name,
                                 struct errmsg *err) MUST_USE;
enum status linux_restore_pages(struct guest *g, struct checkpoint_reader *r, struct errmsg *err) MUST_USE;

/* In checkpoint.c: the guest, which has been initialised without a program, goes on from the checkpoint. */
enum status linux_restore(struct guest *g, const struct guest_config *config, struct errmsg *err) MUST_USE;

#endif
