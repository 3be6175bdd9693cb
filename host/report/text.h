/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the text form. */
#ifndef HOST_REPORT_TEXT_H
#define HOST_REPORT_TEXT_H

#include "host/report/render.h"
#include "isa/contract/report_tree.h"

/* A table with its title; nothing where no column has a heading and there is no title. `r` is its section. */
void text_print_table(const struct report_table *t, const struct report *r, const struct report_view *v, FILE *out);

#endif
