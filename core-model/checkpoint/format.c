/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/checkpoint/format.h"

const uint8_t checkpoint_magic[CHECKPOINT_MAGIC_BYTES] = {0x7f, 'P', 'C', 'C', 'K', 'P', '\r', '\n'};
const char checkpoint_kinds[CHECKPOINT_PARTS][5] = {"STAT", "WARM", "PAGE", "TABL", "DONE"};
