/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loading of a program. Private to core-model/linux. */
#ifndef CORE_MODEL_LINUX_LOAD_H
#define CORE_MODEL_LINUX_LOAD_H

#include "core-model/linux/elf.h"
#include "core-model/linux/guest.h"

/* Loads a program and its stack into a new address space, and sets the pc. */
enum status linux_load(struct guest *g, const struct guest_config *config, struct errmsg *err) MUST_USE;
void linux_name_program(struct guest *g, const struct guest_config *config);

/* In stack.c: builds argv, envp and the auxiliary vector on the mapped stack. */
enum status linux_build_stack(struct guest *g, const struct guest_config *config, const struct elf_image *program,
                              uint64_t interp_base, struct errmsg *err) MUST_USE;

#endif
