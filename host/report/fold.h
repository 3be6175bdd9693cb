/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text that is broken into lines between words. */
#ifndef HOST_REPORT_FOLD_H
#define HOST_REPORT_FOLD_H

#include <stdio.h>

/* Prints a text whose first line begins in column `at`, where the caller has printed up to. A line has at most `width`
 * columns of a terminal (0: no limit); those that follow a break begin with `indent` blanks, or fewer where these would
 * leave no room. A number stays with its "%", and a word that ends in ':' with the next. A word that is longer than a
 * line is broken. A '\n' ends a line; the last line has no end. */
void fold_print(const char *text, unsigned width, unsigned at, unsigned indent, FILE *out);

#endif
