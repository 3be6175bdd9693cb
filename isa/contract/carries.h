/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which opcode classes carry a sample field: carries.def. */
#ifndef ISA_CONTRACT_CARRIES_H
#define ISA_CONTRACT_CARRIES_H

#include "isa/contract/sample.h"

/* A bit for each enum opclass in whose samples the field means something. */
uint32_t sample_field_classes(enum sample_field f);

#endif
