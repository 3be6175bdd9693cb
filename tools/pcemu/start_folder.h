/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The folder and the file mode creation mask in which pcemu was started. The guest changes those of the process, and
 * can take all descriptors: pcemu opens files of its own between start_folder_enter and start_folder_leave. */
#ifndef TOOLS_PCEMU_START_FOLDER_H
#define TOOLS_PCEMU_START_FOLDER_H

#include <sys/types.h>

/* Process state that the guest has changed. */
struct guest_folder {
    int folder; /* descriptor; -1: unknown */
    mode_t mask;
};

/* Keeps the present folder and mask, and some descriptors for the end of the run. To be called once, before the guest
 * starts. */
void start_folder_keep(void);
/* Changes to the folder and the mask at the start; returns the guest's. */
struct guest_folder start_folder_enter(void);
/* Changes back to those of the guest. */
void start_folder_leave(struct guest_folder guest);
/* Frees the descriptors that have been kept: no guest takes them any more. */
void start_folder_free_descriptors(void);

#endif
