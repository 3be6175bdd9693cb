/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcprof/source_text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

enum { MAX_SOURCE_BYTES = 1 << 26 };

static bool is_file(const char *path, struct stat *s) { return stat(path, s) == 0 && S_ISREG(s->st_mode); }

/* The path in the folder, of the whole of `path` or of its last components; NULL: none. */
static char *find_in(const char *folder, const char *path, struct stat *s)
{
    const char *part = path;
    do {
        part += strspn(part, "/");
        char *candidate = xasprintf("%s/%s", folder, part);
        if (is_file(candidate, s))
            return candidate;
        free(candidate);
        part = strchr(part, '/');
    } while (part != NULL);
    return NULL;
}

/* The file's path on the disk; NULL: none. The caller frees it. */
static char *source_text_find(const char *path, const char *folder, struct stat *s)
{
    char *found = folder != NULL ? find_in(folder, path, s) : NULL;
    return found != NULL || !is_file(path, s) ? found : xstrdup(path);
}

/* The text with tabs expanded to columns of 8, as terminals do. The caller frees it. */
static char *expand_tabs(const char *text, size_t size_bytes)
{
    size_t used = 0, column = 0;
    char *out = xcalloc(size_bytes + 1, 8);
    for (size_t n = 0; n < size_bytes && text[n] != '\0'; n++) {
        size_t copies = text[n] == '\t' ? 8 - column % 8 : 1;
        if (text[n] == '\r')
            continue;
        memset(out + used, text[n] == '\t' ? ' ' : text[n], copies);
        used += copies;
        column = text[n] == '\n' ? 0 : column + copies;
    }
    return out;
}

static void source_text_split(struct source_text *s)
{
    size_t room = 0;
    for (char *line = s->text; *line != '\0';) {
        char *end = strchrnul(line, '\n');
        if (s->lines == room) {
            room = 2 * room + 64;
            s->line = xrealloc(s->line, room * sizeof *s->line);
        }
        s->line[s->lines++] = line;
        if (*end == '\0')
            break;
        *end = '\0';
        line = end + 1;
    }
}

struct source_text source_text_read(const char *path, const char *folder)
{
    struct source_text s = {0};
    struct stat stat;
    struct errmsg unused;
    char *text;
    size_t size_bytes;
    s.path = source_text_find(path, folder, &stat);
    if (s.path == NULL)
        return s;
    if (file_read(s.path, MAX_SOURCE_BYTES, &text, &size_bytes, &unused) != ST_OK) {
        source_text_release(&s);
        return s;
    }
    s.time = stat.st_mtim.tv_sec;
    s.text = expand_tabs(text, size_bytes);
    free(text);
    source_text_split(&s);
    return s;
}

void source_text_release(struct source_text *s)
{
    free(s->path);
    free(s->text);
    free(s->line);
    *s = (struct source_text){0};
}
