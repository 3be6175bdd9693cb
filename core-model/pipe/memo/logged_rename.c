/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rename.c a second time, with its effects logged (effects.h). */
#define LOGGED
#include "core-model/pipe/rename.c"
