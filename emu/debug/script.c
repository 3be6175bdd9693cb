/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scripts: files from which commands are read, and scripts within scripts. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "emu/debug/debugger.h"

static void close_script(struct debugger *d)
{
    struct input *s = &d->source[--d->sources];
    if (s->file != stdin)
        fclose(s->file);
    free(s->name);
}

void script_print_line(const struct debugger *d, const char *prompt, const char *line)
{
    char *text = text_printable_line(line, strlen(line));
    fprintf(d->out, "%s%s\n", prompt, text);
    free(text);
}

/* Reads a line of the innermost script and echoes it after the prompt, as on a terminal; NULL at the end of the
 * script. */
static char *read_innermost(struct debugger *d, const char *prompt)
{
    char *line = NULL;
    size_t room = 0;
    struct input *s = &d->source[d->sources - 1];
    ssize_t n = getline(&line, &room, s->file);
    s->line++;
    if (n < 0) {
        free(line);
        close_script(d);
        return NULL;
    }
    while (n > 0 && (line[n - 1] == '\n' || line[n - 1] == '\r'))
        line[--n] = '\0';
    script_print_line(d, prompt, line);
    return line;
}

char *script_read_line(struct debugger *d, const char *prompt)
{
    char *line = NULL;
    while (line == NULL && d->sources > 0)
        line = read_innermost(d, prompt);
    return line;
}

enum status script_open(struct debugger *d, const char *name, struct errmsg *err)
{
    if (d->sources == MAX_SOURCES)
        return fail(err, ST_INPUT, "%s: scripts within scripts, more than %d deep", name, MAX_SOURCES);
    FILE *f = strcmp(name, "-") == 0 ? stdin : fopen(name, "re");
    if (f == NULL)
        return fail(err, ST_IO, "%s: %s", name, strerror(errno));
    struct stat sb;
    if (fstat(fileno(f), &sb) == 0 && S_ISDIR(sb.st_mode)) {
        fclose(f);
        return fail(err, ST_IO, "%s: %s", name, strerror(EISDIR));
    }
    d->source[d->sources++] = (struct input){.file = f, .name = xstrdup(name)};
    return ST_OK;
}

void script_end_refused(struct debugger *d)
{
    for (bool calls = true; calls && d->sources > 0;) {
        const struct input *s = &d->source[d->sources - 1];
        if (s->file == stdin) {
            d->failed = d->failed || !isatty(STDIN_FILENO);
            return;
        }
        d->failed = true;
        char *name = text_printable_line(s->name, strlen(s->name));
        fprintf(d->out, "%s:%u: the script ends: this command was refused\n", name, s->line);
        free(name);
        calls = s->sourced;
        close_script(d);
    }
}

void script_close_all(struct debugger *d)
{
    while (d->sources > 0)
        close_script(d);
}

enum status cmd_source(struct debugger *d, const char *args, struct errmsg *err)
{
    if (*args == '\0')
        return fail(err, ST_INPUT, "source what? expected a file");
    bool sourced = d->sources > 0;
    enum status st = script_open(d, args, err);
    if (st == ST_OK)
        d->source[d->sources - 1].sourced = sourced;
    return st;
}
