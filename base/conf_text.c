/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/conf_text.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#include "base/file.h"

/* Length of the comment that begins here; 0: none; SIZE_MAX: it does not end. */
static size_t comment_length(const char *at)
{
    if (at[0] == '#' || (at[0] == '/' && at[1] == '/'))
        return strcspn(at, "\n");
    if (at[0] != '/' || at[1] != '*')
        return 0;
    const char *end = strstr(at + 2, "*/");
    return end != NULL ? (size_t)(end + 2 - at) : SIZE_MAX;
}

/* Replaces comments by blanks, because libconfuse 3.3 counts their lines twice or thrice, and accepts one that does not
 * end. */
static enum status blank_comments(const char *path, char *text, struct errmsg *err)
{
    int line = 1;
    char quote = '\0';
    for (char *at = text; *at != '\0'; at++) {
        size_t n = quote == '\0' ? comment_length(at) : 0;
        if (n == SIZE_MAX)
            return fail(err, ST_FORMAT, "%s:%d: expected the comment to end, found the end of the file", path, line);
        for (; n > 0; n--, at++) {
            line += *at == '\n';
            *at = *at == '\n' ? '\n' : ' ';
        }
        line += *at == '\n';
        if (quote == '\0' && (*at == '"' || *at == '\''))
            quote = *at;
        else if (*at == quote)
            quote = '\0';
        if (*at == '\0')
            break;
    }
    return ST_OK;
}

/* The library stops at a NUL, and substitutes environment variables, which depend on the machine. Control characters
 * would make error messages unreadable. */
enum status conf_text_check(const char *path, char *text, size_t size, struct errmsg *err)
{
    int line = 1;
    if (file_has_byte_order_mark(text, size))
        return fail(err, ST_FORMAT, "%s:1: expected text, found a byte order mark: save the file as UTF-8 without one",
                    path);
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        line += c == '\n';
        if (c == 0x7f || (c < ' ' && !isspace(c)))
            return fail(err, ST_FORMAT, "%s:%d: expected text, found a byte 0x%02x", path, line, c);
    }
    enum status st = blank_comments(path, text, err);
    const char *variable = st == ST_OK ? strstr(text, "${") : NULL;
    if (variable == NULL)
        return st;
    line = 1;
    for (const char *at = text; at < variable; at++)
        line += *at == '\n';
    return fail(err, ST_FORMAT, "%s:%d: expected a value, found '${': environment variables are not expanded", path,
                line);
}
