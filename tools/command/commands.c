/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/command/commands.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/text.h"
#include "tools/command/arguments.h"

void commands_print(const struct command_table *t, FILE *out)
{
    for (size_t i = 0; i < t->rows; i++)
        fprintf(out, "%s\t%s\n", t->row[i].name, t->row[i].help);
    fprintf(out, "help\tsay what a command takes: %s help COMMAND\n", t->tool);
}

static _Noreturn void commands_refuse(const struct command_table *t, const char *name)
{
    const char **names = xcalloc(t->rows, sizeof *names);
    for (size_t i = 0; i < t->rows; i++)
        names[i] = t->row[i].name;
    char *shown = text_make_printable(xstrdup(name));
    fprintf(stderr, "%s: there is no command '%s'%s; there are help", t->tool, shown,
            diag_aside(diag_nearest(name, names, t->rows)).text);
    for (size_t i = 0; i < t->rows; i++)
        fprintf(stderr, ", %s", names[i]);
    fputc('\n', stderr);
    free(shown);
    free(names);
    exit(EXIT_BAD_INPUT);
}

static const struct command_row *commands_find(const struct command_table *t, const char *name)
{
    for (size_t i = 0; i < t->rows; i++)
        if (strcmp(t->row[i].name, name) == 0)
            return &t->row[i];
    commands_refuse(t, name);
}

/* Replaces the command's name by the one that its own help has for it. */
static int commands_call(const struct command_table *t, const struct command_row *c, int count, char **words)
{
    char *name = xasprintf("%s %s", t->tool, c->name);
    words[0] = name;
    int status = c->run(count, words);
    free(name);
    return status;
}

/* `help [COMMAND]`: words[0] is "help". */
static int commands_help(const struct command_table *t, int count, char **words)
{
    char *tool = xstrdup(t->tool), help[] = "--help", *help_argv[] = {tool, help, NULL};
    struct command_arguments unused = {0};
    int status = 0;
    if (count > 2) {
        struct errmsg err;
        (void)fail(&err, ST_INPUT, "one COMMAND at a time: '%s' is the second", words[2]);
        fprintf(stderr, "%s help: %s\n", t->tool, err.text);
        status = EXIT_BAD_INPUT;
    } else if (count == 2 && strcmp(words[1], "help") != 0)
        status = commands_call(t, commands_find(t, words[1]), 2, help_argv);
    else
        option_parse(t->syntax, &unused, 2, help_argv);
    free(tool);
    return status;
}

int commands_run(const struct command_table *t, int count, char **words)
{
    if (strcmp(words[0], "help") == 0)
        return commands_help(t, count, words);
    return commands_call(t, commands_find(t, words[0]), count, words);
}
