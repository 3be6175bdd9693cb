/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Help texts of a command line: the short list of --help, and the text around the options of --help-all. */
#include <stdlib.h>
#include <string.h>

#include "base/options.h"
#include "base/text.h"

/* LABEL_COLUMNS: of an option and its argument. */
enum { HELP_COLUMNS = 79, LABEL_COLUMNS = 29 };

const struct option_common option_common[] = {
    [OPTION_COMMON_HELP] = {"help", '?', "Print the options used most, and examples"},
    [OPTION_COMMON_HELP_ALL] = {"help-all", 0, "Print all options"},
    [OPTION_COMMON_USAGE] = {"usage", 0, "Print a short usage message"},
    [OPTION_COMMON_VERSION] = {"version", 'V', "Print the version"},
};

/* Prints the words of a positional argument, each a line, under their heading. */
static void options_print_words(const struct option_row *row, FILE *out)
{
    char *text = option_words(row), *line;
    fprintf(out, "%s:\n", row->contents);
    for (char *rest = text; (line = strsep(&rest, "\n"))[0] != '\0';) {
        const char *word = strsep(&line, "\t");
        fprintf(out, "  %-8s %s\n", word, line);
    }
    free(text);
}

/* `end` follows the words of a row. */
static void options_print_all_words(const struct option_syntax *syntax, const char *end, FILE *out)
{
    for (const struct option_row *row = syntax->row; row < syntax->row + syntax->rows; row++)
        if (row->name == NULL && row->words != NULL) {
            options_print_words(row, out);
            fputs(end, out);
        }
}

static void print_examples(const char *examples, FILE *out)
{
    fputs("Examples:\n", out);
    for (const char *line = examples; *line != '\0'; line += strcspn(line, "\n") + (strchr(line, '\n') != NULL))
        fprintf(out, "  %.*s\n", (int)strcspn(line, "\n"), line);
}

char *option_make_doc(const struct option_syntax *syntax)
{
    char *text = NULL;
    size_t size_bytes = 0;
    FILE *out = xopen_text(&text, &size_bytes);
    fprintf(out, "%s%s", syntax->doc, strchr(syntax->doc, '\v') != NULL ? "\n\n" : "\v");
    options_print_all_words(syntax, "\n", out);
    if (syntax->examples != NULL) {
        print_examples(syntax->examples, out);
        fputc('\n', out);
    }
    fprintf(out, "Exit status: %s", syntax->exit_status);
    xclose_text(out);
    return text;
}

/* Prints a text in lines of at most HELP_COLUMNS characters, which are broken at blanks. */
static void print_folded(const char *text, size_t length, FILE *out)
{
    while (length > HELP_COLUMNS) {
        size_t end = HELP_COLUMNS;
        while (end > 0 && text[end] != ' ')
            end--;
        if (end == 0)
            break;
        fprintf(out, "%.*s\n", (int)end, text);
        text += end + 1;
        length -= end + 1;
    }
    fprintf(out, "%.*s\n", (int)length, text);
}

/* Prints a row in a line, or in two where they are too long for one. */
static void print_brief_row(const struct option_row *row, FILE *out)
{
    const char letter[] = {'-', (char)row->short_name, ',', '\0'};
    char *argument = option_argument(row);
    const char *before = argument == NULL ? "" : row->absent != NULL ? "[=" : "=";
    char *label = xasprintf("  %-3s --%s%s%s%s", row->short_name != 0 ? letter : "", row->name, before,
                            argument != NULL ? argument : "", argument != NULL && row->absent != NULL ? "]" : "");
    char *line = xasprintf("%-*s %s", LABEL_COLUMNS, label, row->brief);
    if (strlen(line) <= HELP_COLUMNS)
        fprintf(out, "%s\n", line);
    else
        fprintf(out, "%s\n%*s %s\n", label, LABEL_COLUMNS, "", row->brief);
    free(line);
    free(label);
    free(argument);
}

void option_print_brief(const struct option_syntax *syntax, const char *tool, FILE *out)
{
    const struct option_row *heading = NULL, *end = syntax->row + syntax->rows;
    fprintf(out, "Usage: %s [OPTION...] %s\n", tool, syntax->arguments);
    print_folded(syntax->doc, strcspn(syntax->doc, "\v"), out);
    fputc('\n', out);
    options_print_all_words(syntax, "", out);
    for (const struct option_row *row = syntax->row; row < end; row++) {
        if (row->kind == OPTION_HEADING)
            heading = row;
        if (row->brief == NULL)
            continue;
        if (heading != NULL)
            fprintf(out, "%s\n", heading->help);
        heading = NULL;
        print_brief_row(row, out);
    }
    print_examples(syntax->examples, out);
    fprintf(out, "%s --help-all lists all options and the exit status.\n", tool);
}
