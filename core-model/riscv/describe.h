/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A guest's instructions as other components read them (isa/contract/code.h). */
#ifndef CORE_MODEL_RISCV_DESCRIBE_H
#define CORE_MODEL_RISCV_DESCRIBE_H

#include "core-model/riscv/hart.h"
#include "isa/contract/code.h"

enum code_kind rv_code_kind(const struct rv_insn *in);
/* The instructions in the hart's memory. The hart is borrowed. NULL: no instruction is known. */
struct code rv_code(struct hart *hart);

#endif
