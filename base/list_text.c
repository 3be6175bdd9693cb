/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/list_text.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

/* A line without its comment and the blanks around the rest. */
static char *list_text_trim(char *line)
{
    char *end = line + strcspn(line, "#");
    while (end > line && isspace((unsigned char)end[-1]))
        end--;
    *end = '\0';
    while (isspace((unsigned char)*line))
        line++;
    return line;
}

char *list_text_next(char **rest, unsigned *line)
{
    for (char *text; (text = strsep(rest, "\n")) != NULL;) {
        ++*line;
        text = list_text_trim(text);
        if (*text != '\0')
            return text;
    }
    return NULL;
}
