/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcemu's command line, by argp: one table of options makes the parser and --help. */
#include "emu/pcemu/options.h"

#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "isa/support/file.h"

enum option_key {
    KEY_CORE = 256, KEY_CONFIG, KEY_SET, KEY_DUMP_CONFIG, KEY_PROGRAM, KEY_NO_PROGRAM, KEY_MAX_INSTS, KEY_SKIP_INSTS, KEY_STRACE, KEY_SEED,
    KEY_FORMAT, KEY_STATS, KEY_BASELINE, KEY_WARM, KEY_WARMUP, KEY_START_AT, KEY_STOP_AT, KEY_CHECK, KEY_KANATA, KEY_KANATA_WINDOW, KEY_TRACE, KEY_TRACE_FILE,
    KEY_TRACE_WINDOW, KEY_TOP, KEY_SORT, KEY_WIDTH, KEY_PROFILE, KEY_NO_TRUTH,
};

static const struct argp_option table[] = {
    {NULL, 0, NULL, 0, "The run:", 1},
    {"core", KEY_CORE, "KIND", 0,
     "ooo: the out-of-order core (default). inorder: the in-order core (configuration ev5). functional: no timing, as fast as it goes, no profile. "
     "samples:FILE: no core; the program runs over the samples in FILE (- for standard input)", 1},
    {"max-insts", KEY_MAX_INSTS, "N", 0,
     "Stop after N instructions, with a report that says so. N may end in k, M or G: thousands, millions or billions", 1},
    {"skip-insts", KEY_SKIP_INSTS, "N", 0, "Run the first N instructions (or k, M, G) at functional speed, unprofiled", 1},
    {"warm", KEY_WARM, NULL, 0, "While skipping, warm caches, TLBs and branch predictors", 1},
    {"start-at", KEY_START_AT, "PLACE", 0, "Go on at functional speed up to a function or an address", 1},
    {"warmup", KEY_WARMUP, "N", 0, "Then run N instructions (or k, M, G) in detail, but unobserved and uncounted", 1},
    {"stop-at", KEY_STOP_AT, "PLACE", 0, "Stop when the instruction there has retired, with a report that says so", 1},
    {"seed", KEY_SEED, "N", 0, "Seed of all that is random, for guest and hardware (default 1)", 1},
    {NULL, 0, NULL, 0, "The machine:", 2},
    {"config", KEY_CONFIG, "NAME|FILE", 0, "Configuration: a shipped one (boom, ev6, ev5) or a file (default boom)", 2},
    {"set", KEY_SET, "KEY=VALUE", 0, "Override one key of it; may be repeated", 2},
    {"dump-config", KEY_DUMP_CONFIG, NULL, 0, "Print the configuration, with units and meanings, and exit", 2},
    {NULL, 0, NULL, 0, "Profiling:", 3},
    {"program", KEY_PROGRAM, "FILE", 0, "Program image for the co-processor (default: pc.out in the working directory)", 3},
    {"no-program", KEY_NO_PROGRAM, NULL, 0, "Run without the co-processor", 3},
    {"no-truth", KEY_NO_TRUTH, NULL, 0, "Keep no exact counts: the report has what was sampled alone, without its error, and the run is faster", 3},
    {"profile", KEY_PROFILE, "LIST", 0,
     "Attach profilers of time: NAME[:OPTION...],... where --profile help lists the names and an option is period=N (in cycles; "
     "10007), random (within each period) or seed=N", 3},
    {"output", 'o', "FILE", 0, "Write the report to FILE (- for standard output; default standard error)", 3},
    {"format", KEY_FORMAT, "text|json|csv", 0, "Form of the report, and of the statistics, which have no csv (default text)", 3},
    {"top", KEY_TOP, "N", 0, "Rows of each of the report's tables, in the text form (default 30, 0 for all)", 3},
    {"sort", KEY_SORT, "MEMBER[:up]", 0,
     "Sort the report's tables by a column, falling or rising; it is named by its member in JSON (executions, count, tip), and tables without it keep "
     "their order", 3},
    {"width", KEY_WIDTH, "N", 0, "Shorten texts in the report's tables so that lines have at most N bytes, in the text form (default 0: no limit)", 3},
    {"stats", KEY_STATS, "FILE", 0,
     "Write the statistics of core and co-processor to FILE (- for standard output, behind a report that goes there too)", 3},
    {"baseline", KEY_BASELINE, "FILE", 0,
     "Say in the report what profiling cost: FILE has the statistics of the same run without it (--no-program --format json --stats FILE)", 3},
    {"kanata", KEY_KANATA, "FILE", 0, "Write what becomes of each instruction in the pipeline, for the viewer Konata", 3},
    {"kanata-window", KEY_KANATA_WINDOW, "WINDOW", 0,
     "Only cycles:FROM-TO, insts:FROM-TO, or PLACE[:COUNT], the COUNT instructions (1000) from a function or an address on", 3},
    {"trace", KEY_TRACE, "STAGE,...", 0, "Print a line for each event of these stages of the pipeline, or of the co-processor (cop); --trace help lists them", 3},
    {"trace-file", KEY_TRACE_FILE, "FILE", 0, "Write the trace to FILE (- for standard output; default standard error)", 3},
    {"trace-window", KEY_TRACE_WINDOW, "WINDOW", 0, "Only a part of the run, as for --kanata-window", 3},
    {"check", KEY_CHECK, NULL, 0, "Check the core's invariants in each cycle and each instruction against a second execution", 3},
    {"interactive", 'i', NULL, 0, "Debug the profiling program at the terminal, forwards and backwards; help there lists the commands", 3},
    {"execute", 'x', "SCRIPT", 0, "Debug it with the commands in SCRIPT (- for standard input), echoed on standard error; with -i, before the terminal's", 3},
    {NULL, 0, NULL, 0, "The guest:", 4},
    {"sysroot", 'L', "DIR", 0, "Where the guest's absolute paths are looked up first", 4},
    {"env", 'E', "VAR=VALUE", 0, "Add to the guest's environment, which is empty otherwise; may be repeated", 4},
    {"strace", KEY_STRACE, NULL, 0, "Print the guest's system calls on standard error", 4},
    {0},
};

static const char doc[] =
    "Run a riscv64 Linux program on a core model and profile it with a program for the profiling co-processor."
    "\vThe guest's standard input, output and error are pcemu's. The exit status is the guest's, 128 + N if signal N ended it or pcemu; "
    "2 for bad usage or input, and where the guest's is 0 but its profiling program was stopped (an illegal word, or a sample that it does not "
    "finish); 70 for a fault of pcemu's own.\n\n"
    "Example: pcasm value.pasm && pcemu --core ooo bench.elf";

/* The number that the argument begins with; *end is what is left. */
static uint64_t parse_digits(const char *arg, char **end)
{
    errno = 0;
    unsigned long long v = strtoull(arg, end, 0);
    if (errno != 0 || !isdigit((unsigned char)arg[0]))
        *end = (char *)(uintptr_t)arg;
    return v;
}

static uint64_t parse_number(struct argp_state *state, const char *name, const char *arg)
{
    char *end;
    uint64_t v = parse_digits(arg, &end);
    if (end == arg || *end != '\0')
        argp_error(state, "--%s: expected a number, found '%s'", name, arg);
    return v;
}

/* Of instructions: with thousands, millions and billions, as progress is shown. */
static uint64_t parse_count(struct argp_state *state, const char *name, const char *arg)
{
    static const struct {
        char suffix;
        uint64_t times;
    } units[] = {{'k', 1000}, {'M', 1000000}, {'G', 1000000000}};
    char *end;
    uint64_t v = parse_digits(arg, &end), times = 1;
    for (size_t i = 0; i < sizeof units / sizeof units[0] && end != arg; i++)
        if (*end == units[i].suffix && end[1] == '\0') {
            times = units[i].times;
            end++;
        }
    if (end == arg || *end != '\0' || v > UINT64_MAX / times)
        argp_error(state, "--%s: expected a number of instructions, or of thousands (k), millions (M) or billions (G) of them, found '%s'", name,
                   arg);
    return v * times;
}

/* More rows, or wider lines, than an unsigned can count are as good as that. */
static unsigned parse_unsigned(struct argp_state *state, const char *name, const char *arg)
{
    uint64_t n = parse_number(state, name, arg);
    return n > UINT_MAX ? UINT_MAX : (unsigned)n;
}

static void parse_core(struct options *o, struct argp_state *state, const char *arg)
{
    o->core_named = true;
    static const char samples[] = "samples:";
    if (strcmp(arg, "ooo") == 0) {
        o->core = CORE_OOO;
    } else if (strcmp(arg, "inorder") == 0) {
        o->core = CORE_INORDER;
    } else if (strcmp(arg, "functional") == 0) {
        o->core = CORE_FUNCTIONAL;
    } else if (strncmp(arg, samples, sizeof samples - 1) == 0 && arg[sizeof samples - 1] != '\0') {
        o->core = CORE_SAMPLES;
        o->samples = arg + sizeof samples - 1;
    } else {
        argp_error(state, "--core: expected ooo, inorder, functional or samples:FILE, found '%s'", arg);
    }
}

static void parse_environment(struct options *o, struct argp_state *state, char *arg)
{
    unsigned n = 0;
    if (strchr(arg, '=') == NULL || arg[0] == '=')
        argp_error(state, "-E: expected VAR=VALUE, found '%s'", arg);
    while (o->environment[n] != NULL)
        n++;
    if (n == MAX_ENVIRONMENT)
        argp_error(state, "-E: more than %d variables", MAX_ENVIRONMENT);
    o->environment[n] = arg;
}

static void parse_format(struct options *o, struct argp_state *state, const char *arg)
{
    struct errmsg err;
    o->format = report_format_find(arg, &err);
    if (o->format == NULL)
        argp_error(state, "--format: %s", err.text);
}

/* Options that make sense on a core that is simulated in detail only. */
static void check_detail(const struct options *o, struct argp_state *state)
{
    const char *option = o->check ? "--check" : o->kanata != NULL ? "--kanata" : o->warm ? "--warm" : o->warmup != 0 ? "--warmup" : NULL;
    if (option == NULL && o->core == CORE_SAMPLES)
        option = o->start_at != NULL ? "--start-at" : o->stop_at != NULL ? "--stop-at" : NULL;
    if (option != NULL && (o->core == CORE_FUNCTIONAL || o->core == CORE_SAMPLES))
        argp_error(state, "%s needs a core with a pipeline", option);
    if (o->kanata_window != NULL && o->kanata == NULL)
        argp_error(state, "--kanata-window goes with --kanata FILE");
    if ((o->trace_window != NULL || o->trace_file != NULL) && o->trace == NULL)
        argp_error(state, "--trace-%s goes with --trace STAGE,...", o->trace_window != NULL ? "window" : "file");
}

static bool asks_help(const char *list) { return list != NULL && strcmp(list, "help") == 0; }

/* Standard input can be read once. (The guest's is what is left of it.) */
static void check_stdin(const struct options *o, struct argp_state *state)
{
    const struct {
        const char *option, *value;
    } reader[] = {{"--program -", o->program}, {"--core samples:-", o->samples}, {"-x -", o->debug_script}};
    const char *first = NULL;
    for (size_t i = 0; i < sizeof reader / sizeof reader[0]; i++) {
        if (reader[i].value == NULL || strcmp(reader[i].value, "-") != 0)
            continue;
        if (first != NULL)
            argp_error(state, "%s and %s both read standard input", first, reader[i].option);
        first = reader[i].option;
    }
}

static bool is_dash(const char *path) { return strcmp(path, "-") == 0; }

struct output {
    const char *option, *path; /* NULL: not asked for */
    bool at_end;               /* written when all is over */
};
enum { OUTPUTS = 4 };

static void list_outputs(const struct options *o, struct output output[OUTPUTS])
{
    output[0] = (struct output){"-o", o->report, true};
    output[1] = (struct output){"--stats", o->stats, true};
    output[2] = (struct output){"--kanata", o->kanata, false};
    output[3] = (struct output){"--trace-file", o->trace_file, false};
}

/* Each output has a file of its own. Report and statistics are written one behind the other, so both can go to standard output; what is written
 * meanwhile cannot share it. */
static void check_outputs(const struct options *o, struct argp_state *state)
{
    struct output output[OUTPUTS];
    list_outputs(o, output);
    for (const struct output *a = output; a < output + OUTPUTS; a++)
        for (const struct output *b = a + 1; b < output + OUTPUTS; b++) {
            if (a->path == NULL || b->path == NULL || is_dash(a->path) != is_dash(b->path))
                continue;
            if (is_dash(a->path) && !(a->at_end && b->at_end))
                argp_error(state, "%s and %s both write to standard output", a->option, b->option);
            else if (!is_dash(a->path) && file_is_same(a->path, b->path))
                argp_error(state, "%s and %s both write to %s", a->option, b->option, a->path);
        }
}

/* No output replaces what the run reads. */
static void check_inputs(const struct options *o, struct argp_state *state)
{
    struct output output[OUTPUTS];
    const struct {
        const char *what, *path;
    } input[] = {{"the profiling program", o->no_program ? NULL : o->program != NULL ? o->program : "pc.out"},
                 {"the guest", o->guest != NULL ? o->guest[0] : NULL},
                 {"the samples", o->samples},
                 {"the configuration", o->config},
                 {"the baseline", o->baseline},
                 {"the debugger's script", o->debug_script}};
    list_outputs(o, output);
    for (const struct output *out = output; out < output + OUTPUTS; out++)
        for (size_t i = 0; i < sizeof input / sizeof input[0]; i++)
            if (out->path != NULL && input[i].path != NULL && access(input[i].path, F_OK) == 0 && file_is_same(out->path, input[i].path))
                argp_error(state, "%s %s would replace %s", out->option, out->path, input[i].what);
}

static void check_end(const struct options *o, struct argp_state *state)
{
    if (o->dump_config || asks_help(o->profile) || asks_help(o->trace))
        return;
    check_detail(o, state);
    check_stdin(o, state);
    check_outputs(o, state);
    check_inputs(o, state);
    if (o->core == CORE_SAMPLES && o->guest != NULL)
        argp_error(state, "--core samples: takes no guest program, found '%s'", o->guest[0]);
    if (o->core != CORE_SAMPLES && o->guest == NULL)
        argp_error(state, "expected an ELF file to run");
    if (o->no_program && (o->program != NULL || o->core == CORE_SAMPLES))
        argp_error(state, "--no-program does not go with %s", o->program != NULL ? "--program" : "--core samples");
    if (o->no_truth && (o->no_program || o->core == CORE_FUNCTIONAL))
        argp_error(state, "--no-truth goes with a program for the co-processor");
    if (o->stats != NULL && strcmp(o->format->name, "csv") == 0)
        argp_error(state, "--stats: expected the format text or json, found csv: the statistics have no such form");
    if (o->baseline != NULL && (o->no_program || o->core == CORE_FUNCTIONAL || o->core == CORE_SAMPLES))
        argp_error(state, "--baseline goes with a program for the co-processor and a core");
    if (o->profile != NULL && o->core != CORE_OOO && o->core != CORE_INORDER)
        argp_error(state, "--profile: only --core ooo and inorder have cycles to profile");
    if (o->core == CORE_FUNCTIONAL && o->program != NULL)
        argp_error(state, "--program: the functional core does not profile");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case KEY_CORE:
        parse_core(o, state, arg);
        break;
    case KEY_CONFIG:
        o->config = arg;
        break;
    case KEY_SET:
        if (o->settings == MAX_SETTINGS)
            argp_error(state, "--set: more than %d settings", MAX_SETTINGS);
        o->setting[o->settings++] = arg;
        break;
    case KEY_DUMP_CONFIG:
        o->dump_config = true;
        break;
    case KEY_PROGRAM:
        o->program = arg;
        break;
    case KEY_NO_PROGRAM:
        o->no_program = true;
        break;
    case KEY_NO_TRUTH:
        o->no_truth = true;
        break;
    case KEY_MAX_INSTS:
        o->max_insts = parse_count(state, "max-insts", arg);
        break;
    case KEY_SKIP_INSTS:
        o->skip_insts = parse_count(state, "skip-insts", arg);
        break;
    case KEY_WARM:
        o->warm = true;
        break;
    case KEY_WARMUP:
        o->warmup = parse_count(state, "warmup", arg);
        break;
    case KEY_START_AT:
        o->start_at = arg;
        break;
    case KEY_STOP_AT:
        o->stop_at = arg;
        break;
    case KEY_CHECK:
        o->check = true;
        break;
    case KEY_KANATA:
        o->kanata = arg;
        break;
    case KEY_KANATA_WINDOW:
        o->kanata_window = arg;
        break;
    case KEY_TRACE:
        o->trace = arg;
        break;
    case KEY_TRACE_FILE:
        o->trace_file = arg;
        break;
    case KEY_TRACE_WINDOW:
        o->trace_window = arg;
        break;
    case KEY_SEED:
        o->seed = parse_number(state, "seed", arg);
        break;
    case KEY_PROFILE:
        o->profile = arg;
        break;
    case KEY_TOP:
        o->view.top = parse_unsigned(state, "top", arg);
        break;
    case KEY_SORT:
        o->sort = arg;
        break;
    case KEY_WIDTH:
        o->view.width = parse_unsigned(state, "width", arg);
        break;
    case KEY_FORMAT:
        parse_format(o, state, arg);
        break;
    case KEY_STATS:
        o->stats = arg;
        break;
    case KEY_BASELINE:
        o->baseline = arg;
        break;
    case KEY_STRACE:
        o->strace = true;
        break;
    case 'o':
        o->report = arg;
        break;
    case 'i':
        o->debug = true;
        break;
    case 'x':
        o->debug_script = arg;
        break;
    case 'L':
        o->sysroot = arg;
        break;
    case 'E':
        parse_environment(o, state, arg);
        break;
    case ARGP_KEY_ARG:
        /* The guest and everything behind it is the guest's. */
        o->guest = &state->argv[state->next - 1];
        state->next = state->argc;
        break;
    case ARGP_KEY_END:
        check_end(o, state);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

void options_parse(struct options *o, int argc, char **argv)
{
    static const struct argp argp = {table, parse, "ELF [ARG...]", doc, NULL, NULL, NULL};
    *o = (struct options){.max_insts = UINT64_MAX, .seed = 1, .view = {.top = REPORT_TOP}};
    o->format = report_format_find("text", NULL);
    argp_err_exit_status = EXIT_BAD_INPUT;
    argp_parse(&argp, argc, argv, ARGP_IN_ORDER, NULL, o);
}
