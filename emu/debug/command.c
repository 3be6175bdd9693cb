/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Command interpreter: reads lines from the terminal or from scripts, and looks up, repeats, completes and documents
 * commands from the table commands.def. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/colour.h"
#include "base/diag.h"
#include "emu/debug/debugger.h"
#include "emu/debug/terminal.h"

enum command_flag { FLAG_RUNS = 1, FLAG_VIEW = 2, FLAG_AGAIN = 4, FLAG_FILE = 8, FLAG_UNSAVED = 16, FLAG_SHELL = 32 };

static const struct debug_command {
    const char *name, *alias, *args, *group;
    unsigned flags;
    command_fn *run;
    const char *help;
} commands[] = {
#define COMMAND(name, alias, args, group, flags, function, help) {name, alias, args, group, flags, function, help},
#include "emu/debug/commands.def"
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static const struct alias {
    const char *name, *command;
} aliases[] = {
#define ALIAS(name, command) {name, command},
#include "emu/debug/commands.def"
};
enum { ALIASES = sizeof aliases / sizeof aliases[0] };

static const struct info {
    const char *name, *args;
    command_fn *run;
    const char *help;
} infos[] = {
#define INFO(name, args, function, help) {name, args, function, help},
#include "emu/debug/commands.def"
};
enum { INFOS = sizeof infos / sizeof infos[0] };

/* ---- finding a command ---- */

/* Lists the commands with this prefix, for messages. */
static void list_matches(const char *name, char *buf, size_t size)
{
    FILE *out = fmemopen(buf, size, "w");
    const char *lead = "";
    for (int i = 0; i < COMMANDS && out != NULL; i++)
        if (strncmp(commands[i].name, name, strlen(name)) == 0) {
            fprintf(out, "%s%s", lead, commands[i].name);
            lead = ", ";
        }
    if (out != NULL)
        fclose(out);
}

/* The command for an alias, or for a prefix that only aliases of one command have; else NULL. */
static const struct debug_command *find_alias(const char *name)
{
    const char *of = NULL;
    for (int i = 0; i < ALIASES; i++) {
        if (strcmp(aliases[i].name, name) == 0) {
            of = aliases[i].command;
            break;
        }
        if (strncmp(aliases[i].name, name, strlen(name)) == 0 && (of == NULL || strcmp(of, aliases[i].command) != 0)) {
            if (of != NULL)
                return NULL;
            of = aliases[i].command;
        }
    }
    for (int i = 0; i < COMMANDS && of != NULL; i++)
        if (strcmp(commands[i].name, of) == 0)
            return &commands[i];
    return NULL;
}

static const struct debug_command *command_find_command(const char *name, struct errmsg *err)
{
    const struct debug_command *found = NULL;
    const char *names[COMMANDS];
    int matches = 0;
    for (int i = 0; i < COMMANDS; i++) {
        names[i] = commands[i].name;
        if (strcmp(commands[i].name, name) == 0 || strcmp(commands[i].alias, name) == 0)
            return &commands[i];
        if (strncmp(commands[i].name, name, strlen(name)) == 0) {
            found = &commands[i];
            matches++;
        }
    }
    if (matches == 1)
        return found;
    const struct debug_command *other = matches == 0 ? find_alias(name) : NULL;
    if (other != NULL)
        return other;
    if (matches > 1) {
        char list[400] = "";
        list_matches(name, list, sizeof list);
        (void)fail(err, ST_INPUT, "'%.40s' can be %s", name, list);
        return NULL;
    }
    const char *meant = diag_nearest(name, names, COMMANDS);
    (void)fail(err, ST_INPUT, "there is no command '%.40s'%s", name,
               meant != NULL ? diag_hint(meant).text : "; see help");
    return NULL;
}

/* A parsed line: command name, truncated to the size of the array, and arguments without surrounding blanks. */
struct line {
    char name[40], args[MAX_LINE];
};

static bool command_split(const char *text, struct line *l)
{
    text += strspn(text, " \t");
    if (*text == '\0' || *text == '#')
        return false;
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '-' || text[n] == '_')
        n++;
    if (n == 0)
        n = 1;
    snprintf(l->name, sizeof l->name, "%.*s", (int)(n < sizeof l->name ? n : sizeof l->name - 1), text);
    text += n;
    text += strspn(text, " \t");
    snprintf(l->args, sizeof l->args, "%s", text);
    for (n = strlen(l->args); n > 0 && isspace((unsigned char)l->args[n - 1]);)
        l->args[--n] = '\0';
    return true;
}

/* The command of a line; NULL and a message if there is none, or none with arguments. */
static const struct debug_command *command_of(const struct line *l, struct errmsg *err)
{
    const struct debug_command *c = command_find_command(l->name, err);
    if (c == NULL || c->args[0] != '\0' || l->args[0] == '\0')
        return c;
    (void)fail(err, ST_INPUT, "%s takes no argument, found '%.40s'", c->name, l->args);
    return NULL;
}

enum status command_check(const char *text, struct errmsg *err)
{
    struct line l;
    return !command_split(text, &l) || command_of(&l, err) != NULL ? ST_OK : ST_INPUT;
}

bool command_execute(struct debugger *d, const char *text)
{
    struct line l;
    struct errmsg err = {""};
    const char *rest;
    if (!command_split(text, &l))
        return true;
    const struct debug_command *c = command_of(&l, &err);
    const bool is_local = c != NULL && (c->flags & (FLAG_FILE | FLAG_SHELL)) != 0;
    if (c == NULL || (is_local && session_check_local(d, c->name, &err) != ST_OK) || c->run(d, l.args, &err) != ST_OK) {
        fprintf(d->out, "%s\n", err.text);
        d->repeat[0] = '\0';
        return false;
    }
    if ((c->flags & FLAG_UNSAVED) == 0)
        session_log(d, text);
    d->repeat[0] = '\0';
    if (c->flags & FLAG_RUNS)
        snprintf(d->repeat, sizeof d->repeat, "%s", text);
    else if ((c->flags & FLAG_AGAIN) && !arg_take_word(l.args, "guest", &rest))
        snprintf(d->repeat, sizeof d->repeat, "%s", c->name);
    return true;
}

enum view_name command_view(const char *text)
{
    struct line l = {.name = ""};
    struct errmsg err;
    const struct debug_command *c = command_split(text, &l) ? command_find_command(l.name, &err) : NULL;
    char behind = text[strspn(text, " \t") + strlen(l.name)];
    if (c == NULL || !(c->flags & FLAG_VIEW) || strcmp(c->name, "print") == 0 || (behind != ' ' && behind != '\0'))
        return VIEW_NONE;
    return strcmp(c->name, l.name) == 0 || strcmp(c->alias, l.name) == 0 ? VIEW_NAME : VIEW_PREFIX;
}

/* ---- reading lines ---- */

static void prompt_text(const struct debugger *d, char *buf, size_t size)
{
    const struct machine *m = d->shown;
    if (d->what_if)
        snprintf(buf, size, "(pcemu what-if, %llu) ", (unsigned long long)m->words);
    else if (m != &d->live)
        snprintf(buf, size, "(pcemu %llu of %llu) ", (unsigned long long)m->words, (unsigned long long)d->live.words);
    else
        snprintf(buf, size, "(pcemu) ");
}

/* Reads the next line from scripts, then from the terminal; NULL at the end of all input. */
static char *read_line(struct debugger *d, bool *typed)
{
    char prompt[80];
    prompt_text(d, prompt, sizeof prompt);
    char *line = script_read_line(d, prompt);
    *typed = line == NULL;
    if (line != NULL || d->terminal == NULL)
        return line;
    bool given_up = false;
    line = terminal_read(d->terminal, prompt, &given_up);
    if (given_up) {
        free(line);
        (void)key_take();
        return xstrdup("#");
    }
    return line;
}

static bool command_is_blank(const char *s) { return s[strspn(s, " \t")] == '\0'; }

static void read_commands(struct debugger *d)
{
    while (!d->leave) {
        bool typed;
        char *line = read_line(d, &typed);
        if (line == NULL) {
            if (d->terminal != NULL)
                fputc('\n', d->out);
            struct errmsg err;
            (void)cmd_quit(d, "", &err);
            break;
        }
        bool again = typed && command_is_blank(line);
        char *text = again ? xstrdup(d->repeat) : line;
        if (typed && !again && text[0] != '#')
            terminal_remember(d->terminal, text);
        d->repeating = again;
        bool done = strlen(text) < MAX_LINE && command_execute(d, text);
        if (strlen(text) >= MAX_LINE)
            fprintf(d->out, "a command has at most %d characters\n", MAX_LINE - 1);
        if (!done && !typed)
            script_end_refused(d);
        if (again)
            free(text);
        free(line);
        fflush(d->out);
    }
}

/* Executes commands until one resumes the machine. */
void command_prompt(struct debugger *d)
{
    d->prompting = true;
    d->leave = false;
    if (d->s.begin_commands != NULL)
        d->s.begin_commands(d->s.ctx);
    if (d->s.prompt != NULL)
        d->s.prompt(d->s.ctx);
    else
        read_commands(d);
    if (d->s.end_commands != NULL)
        d->s.end_commands(d->s.ctx);
    d->prompting = false;
    fflush(d->out);
}

void debug_execute(struct debugger *d, const char *command, FILE *out)
{
    FILE *before = d->out;
    const bool prompting = d->prompting;
    d->out = out;
    d->prompting = true;
    d->leave = false;
    if (strlen(command) >= MAX_LINE)
        fprintf(out, "a command has at most %d characters\n", MAX_LINE - 1);
    else if (command_execute(d, command) && d->leave)
        fprintf(out, "the machine does so when the guest runs on\n");
    d->prompting = prompting;
    d->out = before;
}

enum status cmd_echo(struct debugger *d, const char *args, struct errmsg *err)
{
    (void)err;
    script_print_line(d, "", args);
    return ST_OK;
}

enum status cmd_shell(struct debugger *d, const char *args, struct errmsg *err)
{
    if (*args == '\0')
        return fail(err, ST_INPUT, "shell: expected a command");
    if (d->s.shell == NULL)
        return fail(err, ST_INPUT, "shell: there is no shell here");
    enum status st = d->s.shell(d->s.ctx, args, d->out, err);
    (void)key_take(); /* Ctrl-C applied to the command */
    return st;
}

enum status cmd_quit(struct debugger *d, const char *args, struct errmsg *err)
{
    (void)args;
    (void)err;
    d->leave = true;
    if (d->ended)
        return ST_OK;
    terminal_close(d->terminal);
    d->terminal = NULL;
    fflush(d->out);
    d->s.quit(d->s.ctx);
    return ST_OK;
}

/* ---- help ---- */

enum { HELP_WIDTH = 79, HELP_INDENT = 4, HELP_LIST_INDENT = 19 };

/* Prints text wrapped at HELP_WIDTH columns. The first line starts at column `column`; the others are indented by
 * `indent` blanks. */
static void print_wrapped(FILE *out, int column, int indent, const char *text, int length)
{
    const char *end = text + length;
    for (bool first = true; text < end; first = false) {
        int n = 0;
        while (text + n < end && text[n] != ' ')
            n++;
        if (!first && column + 1 + n > HELP_WIDTH) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        } else if (!first) {
            fputc(' ', out);
            column++;
        }
        fprintf(out, "%.*s", n, text);
        column += n;
        text += n + (text + n < end);
    }
    fputc('\n', out);
}

/* Calls `see` for each alias of a command: its short name and gdb's names. */
static void each_alias(const struct debug_command *c, void (*see)(void *ctx, const char *name), void *ctx)
{
    if (c->alias[0] != '\0')
        see(ctx, c->alias);
    for (int i = 0; i < ALIASES; i++)
        if (strcmp(aliases[i].command, c->name) == 0)
            see(ctx, aliases[i].name);
}

struct alias_list {
    FILE *out;
    const char *lead, *quote;
};

static void command_print_name(void *ctx, const char *name)
{
    struct alias_list *l = ctx;
    fprintf(l->out, "%s%s%s%s", l->lead, l->quote, name, l->quote);
    l->lead = ", ";
}

static void print_usage(FILE *out, const struct debug_command *c)
{
    struct alias_list names = {out, "  (", ""};
    fprintf(out, "%s%s%s", c->name, c->args[0] ? " " : "", c->args);
    each_alias(c, command_print_name, &names);
    fputs(*names.lead == ',' ? ")\n" : "\n", out);
}

static int first_sentence(const char *text)
{
    const char *stop = strstr(text, ". ");
    return stop != NULL ? (int)(stop - text) : (int)strlen(text) - 1;
}

/* Prints the table of gdb's names, by command. */
static void print_aliases(FILE *out)
{
    fputs("gdb's names for these commands:\n", out);
    for (int i = 0; i < COMMANDS; i++) {
        struct alias_list names = {out, "", ""};
        struct debug_command without_short = commands[i];
        bool any = false;
        for (int k = 0; k < ALIASES && !any; k++)
            any = strcmp(aliases[k].command, commands[i].name) == 0;
        if (!any)
            continue;
        without_short.alias = "";
        fprintf(out, "  %-16s ", commands[i].name);
        each_alias(&without_short, command_print_name, &names);
        fputc('\n', out);
    }
}

enum status cmd_help(struct debugger *d, const char *args, struct errmsg *err)
{
    const char *group = "";
    if (*args != '\0') {
        const struct debug_command *c = command_find_command(args, err);
        if (c == NULL)
            return ST_INPUT;
        print_usage(d->out, c);
        fprintf(d->out, "%*s", HELP_INDENT, "");
        print_wrapped(d->out, HELP_INDENT, HELP_INDENT, c->help, (int)strlen(c->help));
        return ST_OK;
    }
    for (int i = 0; i < COMMANDS; i++) {
        const struct debug_command *c = &commands[i];
        if (strcmp(group, c->group) != 0)
            fprintf(d->out, "%s:\n", group = c->group);
        fprintf(d->out, "  %-12s %-3s ", c->name, c->alias);
        print_wrapped(d->out, HELP_LIST_INDENT, HELP_LIST_INDENT, c->help, first_sentence(c->help));
    }
    print_aliases(d->out);
    return ST_OK;
}

enum status cmd_info(struct debugger *d, const char *args, struct errmsg *err)
{
    size_t n = strcspn(args, " ");
    const char *rest = args + n + strspn(args + n, " ");
    for (int i = 0; i < INFOS && n > 0; i++) {
        if (strncmp(infos[i].name, args, n) != 0)
            continue;
        if (infos[i].args[0] == '\0' && *rest != '\0')
            return fail(err, ST_INPUT, "info %s takes no argument, found '%.40s'", infos[i].name, rest);
        return infos[i].run(d, rest, err);
    }
    if (n > 0)
        return fail(err, ST_INPUT,
                    "info knows no '%.*s': expected breakpoints, registers, locals, ...: info alone lists them, help "
                    "all commands",
                    (int)n, args);
    for (int i = 0; i < INFOS; i++)
        fprintf(d->out, "info %-11s %-9s  %s\n", infos[i].name, infos[i].args, infos[i].help);
    return ST_OK;
}

/* Prints a Markdown table cell; vertical bars are escaped. */
static void command_print_cell(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        fprintf(out, *text == '|' ? "\\|" : "%c", *text);
}

void debug_print_manual(FILE *out)
{
    const char *group = "";
    fputs("<!-- Generated by `make docs` from emu/debug/commands.def. Do not edit. -->\n# The debugger's commands\n\n"
          "[debugger.md](debugger.md) describes the debugger with an example.\n",
          out);
    for (int i = 0; i < COMMANDS; i++) {
        const struct debug_command *c = &commands[i];
        if (strcmp(group, c->group) != 0)
            fprintf(out, "\n## %s\n\n| command | other names | does |\n|---|---|---|\n", group = c->group);
        fprintf(out, "| `%s", c->name);
        if (c->args[0] != '\0')
            fputc(' ', out);
        command_print_cell(out, c->args);
        fputs("` | ", out);
        each_alias(c, command_print_name, &(struct alias_list){out, "", "`"});
        fputs(" | ", out);
        command_print_cell(out, c->help);
        fputs(" |\n", out);
    }
}

/* ---- completion ---- */

static bool command_complete(void *ctx, const char *line, int start, const char *text,
                             void (*see)(void *ctx, const char *name), void *see_ctx)
{
    struct debugger *d = ctx;
    struct line l;
    struct errmsg err;
    int blanks = (int)strspn(line, " \t");
    (void)text;
    if (start <= blanks) {
        for (int i = 0; i < COMMANDS; i++)
            see(see_ctx, commands[i].name);
        return true;
    }
    const struct debug_command *c = command_split(line, &l) ? command_find_command(l.name, &err) : NULL;
    if (c == NULL || c->flags & FLAG_FILE || strcmp(c->name, "reload") == 0)
        return false;
    static const char *const places[] = {"class", "guest", "interrupt", "drop", "if", "cycle", "sample", "end"};
    for (size_t i = 0;
         i < sizeof places / sizeof places[0] && (strstr(c->args, "CONDITION") || strstr(c->args, "cycle")); i++)
        see(see_ctx, places[i]);
    for (int i = 0; i < INFOS && c->run == cmd_info; i++)
        see(see_ctx, infos[i].name);
    if (strstr(c->args, "COMMAND") != NULL || strstr(c->args, "VIEW") != NULL)
        for (int i = 0; i < COMMANDS; i++)
            see(see_ctx, commands[i].name);
    struct formula_scope scope = machine_scope(d->shown);
    formula_each_name(&scope, see, see_ctx);
    if (d->s.each_symbol != NULL)
        d->s.each_symbol(d->s.ctx, see, see_ctx);
    return true;
}

/* ---- the debugger as a whole ---- */

/* Reads ~/.pcemurc if it exists. */
static void read_startup(struct debugger *d)
{
    const char *home = getenv("HOME");
    struct errmsg err;
    if (home == NULL)
        return;
    char *path = xasprintf("%s/.pcemurc", home);
    if (access(path, R_OK) == 0 && script_open(d, path, &err) != ST_OK)
        fprintf(d->out, "%s\n", err.text);
    free(path);
}

enum status command_open(struct debugger *d, struct errmsg *err)
{
    enum status st = ST_OK;
    if (d->options.interactive) {
        st = terminal_open(&d->terminal, command_complete, key_was_pressed, d, err);
        if (st == ST_OK)
            d->out = terminal_out(d->terminal);
    }
    if (st == ST_OK && d->options.script != NULL)
        st = script_open(d, d->options.script, err);
    if (st == ST_OK && d->options.interactive)
        read_startup(d); /* pushed above the script, so it is read first */
    d->color = d->terminal != NULL && colour_is_shown(COLOUR_AUTO, fileno(d->out));
    return st;
}

void command_close(struct debugger *d)
{
    script_close_all(d);
    terminal_close(d->terminal);
    session_free_log(d);
}
