/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A folder in which a test compiles programs for the guest, and the symbols of these. */
#ifndef TESTS_UNIT_COMPILED_FOLDER_H
#define TESTS_UNIT_COMPILED_FOLDER_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "host/symbols/symbols.h"
#include "tests/unit/assertions.h"

static char folder[] = "/tmp/test_symbolsXXXXXX"; /* of the running test: mkdtemp replaces the X */

static inline void shell(const char *fmt, ...) PRINTF_LIKE(1, 2);
static inline void shell(const char *fmt, ...)
{
    char command[2048];
    int n = snprintf(command, sizeof command, "cd %s && ", folder);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(command + n, sizeof command - (size_t)n, fmt, ap);
    va_end(ap);
    ck_assert_msg(system(command) == 0, "%s", command);
}

static inline void make_folder(void)
{
    memset(folder + sizeof folder - sizeof "XXXXXX", 'X', strlen("XXXXXX"));
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static inline void remove_folder(void) { shell("rm -r %s", folder); }

static inline void write_source(const char *name, const char *text)
{
    char *path = xasprintf("%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    ck_assert_int_eq(fclose(f), 0);
    free(path);
}

static inline struct symbols *open_symbols(const char *name, const char *debug_path)
{
    struct symbols *s;
    struct errmsg err;
    char *path = xasprintf("%s/%s", folder, name);
    ck_assert_msg(symbols_new(&s, path, debug_path, &err) == ST_OK, "%s", err.text);
    free(path);
    return s;
}

#endif
