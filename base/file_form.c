/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/file_form.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_kind.h"

static const struct {
    const char *name, *hint;
} forms[] = {
#define FORM(symbol, name, hint) [FILE_FORM_##symbol] = {name, hint},
#include "base/file_form.def"
};

/* The first bytes of the formats, and the place of SQLite's application number. */
enum { APPLICATION_AT = 68 };
static const char image_magic[] = "\x7fPCOUT", recording_magic[] = "\x7fPCREC", checkpoint_form[] = "\x7fPCCKP",
                  database_magic[] = "SQLite format 3", store_application[] = "pcps",
                  report_format[] = "\"pcemu report\"";

static bool file_form_begins_with(const unsigned char *head, size_t n, const char *magic)
{
    return n >= strlen(magic) && memcmp(head, magic, strlen(magic)) == 0;
}

static bool is_store(const unsigned char *head, size_t n)
{
    return file_form_begins_with(head, n, database_magic) && n >= APPLICATION_AT + strlen(store_application) &&
           memcmp(head + APPLICATION_AT, store_application, strlen(store_application)) == 0;
}

static bool is_source(const char *path, const unsigned char *head, size_t n)
{
    static const char suffix[] = ".pasm";
    char text[FILE_KIND_TEXT];
    const size_t length = strlen(path);
    return length >= strlen(suffix) && strcmp(path + length - strlen(suffix), suffix) == 0 &&
           strcmp(file_kind(head, n, text), "a text file") == 0;
}

enum file_form file_form_of(const char *path, const unsigned char *head, size_t n)
{
    if (n > FILE_KIND_BYTES)
        n = FILE_KIND_BYTES;
    return file_form_begins_with(head, n, image_magic)                                        ? FILE_FORM_IMAGE
           : file_form_begins_with(head, n, recording_magic)                                  ? FILE_FORM_RECORDING
           : file_form_begins_with(head, n, checkpoint_form)                                  ? FILE_FORM_CHECKPOINT
           : is_store(head, n)                                                                ? FILE_FORM_STORE
           : file_kind_is_riscv64(head, n) && !file_kind_is_library(head, n)                  ? FILE_FORM_GUEST
           : n > 0 && head[0] == '{' && memmem(head, n, report_format, strlen(report_format)) ? FILE_FORM_REPORT
           : is_source(path, head, n)                                                         ? FILE_FORM_SOURCE
                                                                                              : FILE_FORM_OTHER;
}

/* The hint with the file's name. Standard input has no name that a command takes. The caller frees it. */
static char *file_form_hint(const char *hint, const char *path)
{
    const char *at = strstr(hint, "%s");
    if (strcmp(path, "-") == 0 || strcmp(path, "standard input") == 0)
        return xstrdup("");
    return xasprintf(": %.*s%s%s", (int)(at - hint), hint, path, at + strlen("%s"));
}

enum status file_form_refuse(const char *path, const unsigned char *head, size_t n, const char *expected,
                             enum status st, struct errmsg *err)
{
    char text[FILE_KIND_TEXT];
    const enum file_form form = file_form_of(path, head, n);
    if (form == FILE_FORM_OTHER)
        return fail(err, st, "%s: expected %s, found %s", path, expected,
                    file_kind(head, n < FILE_KIND_BYTES ? n : FILE_KIND_BYTES, text));
    char *hint = file_form_hint(forms[form].hint, path);
    (void)fail(err, st, "%s: expected %s, found %s%s", path, expected, forms[form].name, hint);
    free(hint);
    return st;
}

enum status file_form_check(const char *path, enum file_form expected_form, const char *expected, enum status st,
                            struct errmsg *err)
{
    unsigned char head[FILE_KIND_BYTES];
    struct stat sb;
    int fd = stat(path, &sb) == 0 && S_ISREG(sb.st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    ssize_t n = fd >= 0 ? read(fd, head, sizeof head) : -1;
    if (fd >= 0)
        close(fd);
    if (n < 0 || file_form_of(path, head, (size_t)n) == expected_form)
        return ST_OK;
    return file_form_refuse(path, head, (size_t)n, expected, st, err);
}
