/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcprof: what can be done with profiles after the run, a command each. */
#include <argp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/pcprof/pcprof.h"
#include "isa/support/diag.h"
#include "isa/support/file.h"

const char *argp_program_version = "pcprof 1.0";

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *help;
} commands[] = {
#define COMMAND(name, function, help) {#name, function, help},
#include "host/pcprof/commands.def"
#undef COMMAND
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static const char doc[] = "Shows reports of pcemu.\v";

/* The list of commands, behind the options. */
static char *add_commands(int key, const char *text, void *input)
{
    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC)
        return (char *)(uintptr_t)text;
    char *list = xstrdup("Commands:\n");
    for (size_t i = 0; i < COMMANDS; i++) {
        char *longer = xasprintf("%s  %-8s %s\n", list, commands[i].name, commands[i].help);
        free(list);
        list = longer;
    }
    char *all = xasprintf("%s  %-8s %s\n\nExit status: 0, or 2 for bad usage or input.", list, "help",
                          "say what a command takes: pcprof help COMMAND");
    free(list);
    return all;
}

static _Noreturn void refuse(const char *name)
{
    const char *names[COMMANDS];
    for (size_t i = 0; i < COMMANDS; i++)
        names[i] = commands[i].name;
    const char *near = diag_nearest(name, names, COMMANDS);
    fprintf(stderr, "pcprof: there is no command '%s'%s%s%s; there are help", name,
            near != NULL ? " (did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?)" : "");
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(stderr, ", %s", names[i]);
    fputc('\n', stderr);
    exit(EXIT_BAD_INPUT);
}

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    refuse(name);
}

/* Replaces the command's name by the one that its own help has for it. */
static int run_command(const struct command *c, int argc, char **argv)
{
    char *name = xasprintf("pcprof %s", c->name);
    argv[0] = name;
    int status = c->run(argc, argv);
    free(name);
    return status;
}

struct arguments {
    int argc; /* of the command and what follows it; 0: none was given */
    char **argv;
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
    struct arguments *a = state->input;
    (void)arg;
    switch (key) {
    case ARGP_KEY_ARG:
        a->argv = &state->argv[state->next - 1];
        a->argc = state->argc - (state->next - 1);
        state->next = state->argc;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "expected a command");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int main(int argc, char **argv)
{
    static const struct argp argp = {NULL, parse_option, "COMMAND [ARG...]", doc, NULL, add_commands, NULL};
    struct arguments a = {0};
    file_check_standard_output("pcprof");
    argp_err_exit_status = EXIT_BAD_INPUT;
    argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, &a);
    if (strcmp(a.argv[0], "help") != 0)
        return run_command(find_command(a.argv[0]), a.argc, a.argv);
    if (a.argc > 2) {
        fprintf(stderr, "pcprof help: one COMMAND at a time: '%s' is the second\n", a.argv[2]);
        return EXIT_BAD_INPUT;
    }
    if (a.argc == 1 || strcmp(a.argv[1], "help") == 0) {
        argp_help(&argp, stdout, ARGP_HELP_STD_HELP, (char *)(uintptr_t) "pcprof");
        return 0;
    }
    char help[] = "--help", *help_argv[] = {NULL, help, NULL};
    return run_command(find_command(a.argv[1]), 2, help_argv);
}
