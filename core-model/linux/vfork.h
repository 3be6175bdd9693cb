/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vfork: the parent's thread waits until the child executes a program or ends; other threads run. Private to
 * core-model/linux. */
#ifndef CORE_MODEL_LINUX_VFORK_H
#define CORE_MODEL_LINUX_VFORK_H

#include <stdbool.h>
#include <stdint.h>

struct guest;
struct linux_vfork;

/* Before the host's fork: shares the top of the stack with the child, and makes the pipe that the child holds open. 0,
 * -ENOMEM, or -EMFILE. */
int64_t linux_vfork_prepare(struct guest *g, struct linux_vfork *v, int ends[2]);
/* In the child; and when a process no longer keeps the parent waiting, as it executes a program or is a child's child.
 */
void linux_vfork_hold(struct guest *g, const struct linux_vfork *v, const int ends[2]);
void linux_vfork_leave(struct guest *g);
/* A child of a process that shares its stack so has a stack of its own: what the stack holds before the host's fork
 * (owned by the caller; NULL: it is not shared), which the child then gets. */
void *linux_vfork_copy(const struct guest *g);
void linux_vfork_separate(struct guest *g, const void *copy);
/* In the parent, after a fork that failed. */
void linux_vfork_undo(struct guest *g, const struct linux_vfork *v, const int ends[2]);
/* In the parent's running thread, at first and again: the child's number, or -LINUX_BLOCK while it has neither executed
 * a program nor ended. Signals wait meanwhile, but one that ends the process ends it. */
int64_t linux_vfork_wait(struct guest *g);

#endif
