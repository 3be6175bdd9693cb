/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The guest's instructions through the interface isa/contract/code.h. */
#ifndef CORE_MODEL_RISCV_DESCRIBE_H
#define CORE_MODEL_RISCV_DESCRIBE_H

#include "core-model/riscv/hart.h"
#include "isa/contract/code.h"

enum code_kind rv_code_kind(const struct rv_insn *in);
/* The instructions in the hart's memory. The hart is borrowed; NULL: no code is known. */
struct code rv_code(struct hart *hart);

#endif
