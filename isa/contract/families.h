/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contracts of families.def. */
#ifndef ISA_CONTRACT_FAMILIES_H
#define ISA_CONTRACT_FAMILIES_H

#include "isa/contract/counterprof.h"
#include "isa/contract/countprof.h"
#include "isa/contract/pathprof.h"
#include "isa/contract/pics.h"
#include "isa/contract/timeprof.h"

#endif
