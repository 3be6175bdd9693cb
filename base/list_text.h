/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists in text files: an element a line; '#' begins a comment. */
#ifndef BASE_LIST_TEXT_H
#define BASE_LIST_TEXT_H

/* The next element of the text *rest (NULL: it has been read), without blanks around it; NULL: there is none. *rest is
 * the text that follows, and *line, which begins as 0, the number of the element's line. The text is changed. */
char *list_text_next(char **rest, unsigned *line);

#endif
