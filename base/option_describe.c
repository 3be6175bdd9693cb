/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machine-readable description of a command line, from which share/ generates manual pages and completions. */
#include "base/options.h"

#include <stdlib.h>
#include <string.h>

#include "base/version.h"

/* Prints the texts after '\v', one line per paragraph. */
static void print_notes(const char *notes, FILE *out)
{
    while (*notes != '\0') {
        const char *end = strstr(notes, "\n\n");
        size_t length = end != NULL ? (size_t)(end - notes) : strlen(notes);
        fprintf(out, "notes\t%.*s\n", (int)length, notes);
        notes += length + (end != NULL ? 2 : 0);
    }
}

static bool has_separator(const struct option_row *row, char c)
{
    return row->separators != NULL && strchr(row->separators, c) != NULL;
}

static void print_properties(const struct option_row *row, const char *argument, FILE *out)
{
    bool folders = strcmp(argument, "DIR") == 0;
    bool files = row->reads != NULL || row->writes != OPTION_NO_OUTPUT || strstr(argument, "FILE") != NULL ||
                 (row->name == NULL && row->words == NULL);
    const struct {
        bool has;
        const char *name;
    } property[] = {
        {row->absent != NULL, "optional"},
        {files, "files"},
        {folders, "folders"},
        {has_separator(row, ','), "items"},
        {has_separator(row, ':'), "options"},
        {row->kind == OPTION_REST, "rest"},
    };
    bool any = false;
    for (size_t i = 0; i < sizeof property / sizeof property[0]; i++)
        if (property[i].has) {
            fprintf(out, "%s%s", any ? " " : "", property[i].name);
            any = true;
        }
    if (!any)
        fputc('-', out);
}

static void option_describe_print_words(const struct option_row *row, FILE *out)
{
    for (size_t i = 0; i < row->choices; i++)
        if (row->choice[i] != NULL)
            fprintf(out, "word\t%s\t\n", row->choice[i]);
    if (row->words == NULL)
        return;
    char *text = option_words(row), *line;
    for (char *rest = text; (line = strsep(&rest, "\n")) != NULL && line[0] != '\0';)
        fprintf(out, "word\t%s\n", line);
    free(text);
}

static void option_describe_print_row(const struct option_row *row, FILE *out)
{
    char *argument = option_argument(row);
    if (row->kind == OPTION_HEADING) {
        fprintf(out, "group\t%.*s\n", (int)strcspn(row->help, ":"), row->help);
    } else if (row->name == NULL) {
        fprintf(out, "argument\t%s\t", argument);
        print_properties(row, argument, out);
        fputc('\n', out);
    } else {
        const char short_name[] = {row->short_name != 0 ? (char)row->short_name : '-', '\0'};
        fprintf(out, "option\t%s\t%s\t%s\t", row->name, short_name, argument != NULL ? argument : "-");
        print_properties(row, argument != NULL ? argument : "", out);
        fprintf(out, "\t%s\n", row->help);
    }
    option_describe_print_words(row, out);
    free(argument);
}

void option_describe(const struct option_syntax *syntax, const char *tool, FILE *out)
{
    size_t summary = strcspn(syntax->doc, "\v");
    fprintf(out, "tool\t%s\t%s\nusage\t%s\nsummary\t%.*s\n", tool, TOOLS_VERSION, syntax->arguments, (int)summary,
            syntax->doc);
    print_notes(syntax->doc + summary + strspn(syntax->doc + summary, "\v"), out);
    fprintf(out, "exit\t%s\n", syntax->exit_status);
    for (const struct option_row *row = syntax->row; row < syntax->row + syntax->rows; row++)
        option_describe_print_row(row, out);
    /* The options that every tool has, in a separate group if there are groups. */
    if (syntax->rows > 0 && syntax->row[0].kind == OPTION_HEADING)
        fputs("group\tHelp\n", out);
    for (size_t n = 0; n < OPTIONS_COMMON; n++)
        fprintf(out, "option\t%s\t%c\t-\t-\t%s\n", option_common[n].name,
                option_common[n].short_name != 0 ? option_common[n].short_name : '-', option_common[n].help);
}
