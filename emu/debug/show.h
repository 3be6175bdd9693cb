/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What views have in common. */
#ifndef EMU_DEBUG_SHOW_H
#define EMU_DEBUG_SHOW_H

#include "emu/debug/debugger.h"

/* Prints, and marks what differs from the stop before; the arguments are printf's. */
void show_value(struct debugger *d, bool changed, const char *fmt, ...) PRINTF_LIKE(3, 4);
bool show_changed(struct debugger *d, const struct cop_place *place);
/* A cell of the machine shown that is known to be there. */
uint64_t show_peek(struct debugger *d, enum bus_address region, unsigned element);
/* A word as the disassembler prints it; `text` holds WORD_TEXT bytes. */
void show_word_text(struct debugger *d, const struct cop *cop, unsigned word, char text[WORD_TEXT]);
/* The function and line of an address of the guest, behind two blanks, where they are known. */
void show_place(struct debugger *d, uint64_t address);
/* A line of the program's source; NULL where there is none. */
const char *show_source_line(struct debugger *d, int line, int *length);
/* Display number i. */
enum status show_display(struct debugger *d, unsigned i, struct errmsg *err) MUST_USE;

#endif
