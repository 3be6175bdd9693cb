/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contracts of families.def, and of the program of the co-processor, which is no observer. */
#ifndef CONTRACT_FAMILIES_H
#define CONTRACT_FAMILIES_H

#include "contract/counterprof.h"
#include "contract/countprof.h"
#include "contract/graphprof.h"
#include "contract/pathprof.h"
#include "contract/phaseprof.h"
#include "contract/pics.h"
#include "contract/programprof.h"
#include "contract/sharingprof.h"
#include "contract/timeprof.h"
#include "contract/topdown.h"

#endif
