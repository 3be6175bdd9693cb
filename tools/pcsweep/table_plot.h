/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture of a column of pcsweep table, by gnuplot. */
#ifndef TOOLS_PCSWEEP_TABLE_PLOT_H
#define TOOLS_PCSWEEP_TABLE_PLOT_H

#include "tools/pcsweep/table_values.h"

/* Writes a script that draws bars of the last column, by program and configuration, with intervals. */
enum status table_plot_write(const struct table_values *v, const char *path, struct errmsg *err) MUST_USE;

#endif
