/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcprof: what can be done with profiles after the run, a command each. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/options.h"
#include "base/text.h"
#include "base/tool.h"
#include "base/version.h"
#include "host/report/json_value.h"
#include "tools/pcprof/pcprof.h"

const char *argp_program_version = "pcprof " TOOLS_VERSION;

static const struct pcprof_command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *help;
} commands[] = {
#define COMMAND(name, help) {#name, pcprof_##name, help},
#include "tools/pcprof/commands.def"
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_commands(FILE *out)
{
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(out, "%s\t%s\n", commands[i].name, commands[i].help);
    fputs("help\tsay what a command takes: pcprof help COMMAND\n", out);
}

static _Noreturn void pcprof_refuse(const char *name)
{
    const char *names[COMMANDS];
    for (size_t i = 0; i < COMMANDS; i++)
        names[i] = commands[i].name;
    char *shown = text_make_printable(xstrdup(name));
    fprintf(stderr, "pcprof: there is no command '%s'%s; there are help", shown,
            diag_aside(diag_nearest(name, names, COMMANDS)).text);
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(stderr, ", %s", names[i]);
    fputc('\n', stderr);
    free(shown);
    exit(EXIT_BAD_INPUT);
}

static const struct pcprof_command *pcprof_find_command(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    pcprof_refuse(name);
}

/* Replaces the command's name by the one that its own help has for it. */
static int run_command(const struct pcprof_command *c, int argc, char **argv)
{
    char *name = xasprintf("pcprof %s", c->name);
    argv[0] = name;
    int status = c->run(argc, argv);
    free(name);
    return status;
}

struct pcprof_arguments {
#define OPTION(...) OPTION_MEMBER(__VA_ARGS__)
#include "tools/pcprof/options.def"
};

static const struct option_row rows[] = {
#define OPTION(...) OPTION_ROW(struct pcprof_arguments, __VA_ARGS__)
#include "tools/pcprof/options.def"
};

static enum status check_command(const struct option_syntax *syntax, const void *options, struct errmsg *err)
{
    (void)syntax;
    if (((const struct pcprof_arguments *)options)->command == NULL)
        return fail(err, ST_INPUT, "expected a command");
    return ST_OK;
}

static const char examples[] = "pcprof why runs.db                   # where the time goes, and why\n"
                               "pcprof diff runs.db:1 runs.db:2      # what a change has changed\n"
                               "pcprof help prof                     # what a command takes\n";

static const struct option_syntax syntax = {rows,
                                            sizeof rows / sizeof rows[0],
                                            "COMMAND [ARG...]",
                                            "Shows reports of pcemu, and profiles of many runs in profile stores.",
                                            "0, or 2 for bad usage or input.",
                                            check_command,
                                            examples};

/* `pcprof help [COMMAND]`: argv[0] is "help". */
static int run_help(int argc, char **argv)
{
    char tool[] = "pcprof", help[] = "--help", *help_argv[] = {tool, help, NULL};
    struct pcprof_arguments unused = {0};
    if (argc > 2) {
        struct errmsg err;
        (void)fail(&err, ST_INPUT, "one COMMAND at a time: '%s' is the second", argv[2]);
        fprintf(stderr, "pcprof help: %s\n", err.text);
        return EXIT_BAD_INPUT;
    }
    if (argc == 2 && strcmp(argv[1], "help") != 0)
        return run_command(pcprof_find_command(argv[1]), 2, help_argv);
    option_parse(&syntax, &unused, 2, help_argv);
    return 0;
}

int main(int argc, char **argv)
{
    struct pcprof_arguments a = {0};
    tool_start("pcprof");
    json_start();
    option_parse(&syntax, &a, argc, argv);
    if (a.no_pager)
        (void)setenv("PCPROF_PAGER", "", 1);
    int left = (int)(argv + argc - a.command);
    if (strcmp(a.command[0], "help") == 0)
        return run_help(left, a.command);
    return run_command(pcprof_find_command(a.command[0]), left, a.command);
}
