/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HOST_ANALYSIS_CONSTANTS_H
#define HOST_ANALYSIS_CONSTANTS_H

#define CONSTANT(symbol, value, unit, meaning) static const double analysis_##symbol = (value);
#include "host/analysis/constants.def"

#endif
