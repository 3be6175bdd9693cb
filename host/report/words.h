/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values in words: numbers with commas, places. */
#ifndef HOST_REPORT_WORDS_H
#define HOST_REPORT_WORDS_H

#include "contract/report_tree.h"
#include "host/report/names.h"
#include "host/symbols/symbols.h"

/* n with a comma at each thousand, in `buf`; returns buf. */
enum { REPORT_NUMBER = 32 };
const char *report_number(char buf[REPORT_NUMBER], uint64_t n);

/* How a number is shown. */
struct number_style {
    unsigned decimals;
    bool plain, sign;
    bool percent;        /* of an interval: its bounds are shares */
    struct names *names; /* by which the function of a place is shown; NULL: its full name */
};

/* The content of a cell, the caller's to free; a share without "%", an absent cell as "". */
char *cell_text(const struct report_cell *c, const struct number_style *s);
/* Bytes of the text of a place behind the name: offset, library and source line; 0 of other cells. */
size_t cell_tail(const struct report_cell *c);

/* Text of the place of an instruction, or of data: "function+0x1c in library file.c:34", "[library]+0x1c" of
 * instructions, or the address. The caller frees it. `symbols` may be NULL. */
char *report_place(const struct symbols *symbols, uint64_t address, bool is_data);
/* report_place of a return address: function and line are those of the call before it. */
char *report_return_place(const struct symbols *symbols, uint64_t address);
/* report_resolve by the symbols; NULL: nothing is known of any address. */
void report_find_places(struct report *r, const struct symbols *symbols);

#endif
