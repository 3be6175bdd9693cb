/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions shared by all views, in text.c but for those of the source and the displays. */
#ifndef EMU_DEBUG_SHOW_H
#define EMU_DEBUG_SHOW_H

#include "emu/debug/debugger.h"

/* printf that highlights the text if `changed`: it differs from the previous stop. */
void show_value(struct debugger *d, bool changed, const char *fmt, ...) PRINTF_LIKE(3, 4);
bool show_changed(struct debugger *d, const struct cop_place *place);
/* Value of an element of the machine shown. The element must exist. */
uint64_t show_peek(struct debugger *d, enum bus_address region, unsigned element);
/* Disassembles a word; `text` has WORD_TEXT bytes. */
void show_word_text(struct debugger *d, const struct cop *cop, unsigned word, char text[WORD_TEXT]);
/* Prints two blanks and the place of a guest address, if it is known. Values that are not printed as addresses have
 * none.
 */
void show_place(struct debugger *d, enum slot_print print, uint64_t address);
/* Prints the number as decimal. */
void show_integer(FILE *out, struct integer x);
/* A line of the program's source, borrowed, without a terminating NUL; NULL if it does not exist. */
const char *show_source_line(struct debugger *d, int line, int *length);
/* Prints display number i. */
enum status show_display(struct debugger *d, unsigned i, struct errmsg *err) MUST_USE;

#endif
