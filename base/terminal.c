/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/terminal.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/file.h"
#include "base/number.h"

/* USUAL_COLUMNS, USUAL_LINES: of a terminal that does not know its size, such as a serial line. */
enum { USUAL_COLUMNS = 80, USUAL_LINES = 24, MAX_COLUMNS = 65535 };

unsigned terminal_width(int fd)
{
    if (!isatty(fd))
        return 0;
    const char *columns = getenv("COLUMNS");
    uint64_t n;
    if (columns != NULL && number_parse(columns, &n) == ST_OK && n >= 1 && n <= MAX_COLUMNS)
        return (unsigned)n;
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col != 0)
        return size.ws_col;
    return USUAL_COLUMNS;
}

unsigned terminal_height(int fd)
{
    struct winsize size;
    if (!isatty(fd))
        return 0;
    return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_row != 0 ? size.ws_row : USUAL_LINES;
}

enum status terminal_refuse(const char *output, const char *option, const char *what, struct errmsg *err)
{
    if (output == NULL || !file_is_standard_output(output) || !isatty(STDOUT_FILENO))
        return ST_OK;
    return fail(err, ST_INPUT, "%s is not for a terminal: %s FILE names a file for it", what, option);
}
