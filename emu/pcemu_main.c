/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcemu: the one place that joins a core, the co-processor and its driver.
 *
 *     core --probe port--> retire sampler --sample sink--> co-processor --interrupt--> driver --bus--> co-processor
 *       |----probe port--> exact values ------------------------------- truth --------> report
 *       `----probe port--> profilers of time --------------------- time profiles -----> report
 */
#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "core-model/core.h"
#include "core-model/prof/exact_values.h"
#include "core-model/prof/kanata.h"
#include "core-model/prof/lockstep.h"
#include "core-model/prof/profilers.h"
#include "core-model/prof/retire_sampler.h"
#include "emu/cop.h"
#include "emu/cop_stats.h"
#include "emu/options.h"
#include "emu/progress.h"
#include "emu/samples.h"
#include "host/driver.h"
#include "host/symbols.h"
#include "host/time_report.h"
#include "isa/support/file.h"

enum { MAX_SAMPLE_FILE = 1 << 30 };

/* Everything of one run. */
struct lab {
    struct options options;
    struct core_config config;
    struct image image;
    struct cop *cop;
    struct bus bus;
    struct driver *driver;
    struct retire_sampler sampler;
    struct exact_values *exact; /* NULL where the program does not look at values */
    struct truth truth;
    struct profilers *profilers; /* NULL without --profile */
    struct symbols *symbols;
    struct guest guest;
    struct core *core;
    struct outfile report, stats;
    struct outfile kanata_file;
    struct kanata *kanata;
    struct lockstep *lockstep;
    uint64_t stop_pc;
    bool stopped;      /* at stop_pc */
    double phase_start; /* seconds */
    bool partial;
    int exit_status;
};

const char *argp_program_version = "pcemu 1.0";

/* The only mutable state outside main's reach: the signal handlers'. */
static volatile int *stop_flag;
static volatile sig_atomic_t interrupted, status_wanted;

/* The core stops between two cycles, which changes nothing in what it computes; run_phase sees why and goes on. */
static void on_signal(int signal)
{
    if (signal == SIGUSR1)
        status_wanted = 1;
    else if (signal == SIGINT)
        interrupted = 1;
    *stop_flag = 1;
}

static _Noreturn void die(const char *text)
{
    fprintf(stderr, "pcemu: %s\n", text);
    exit(EXIT_BAD_INPUT);
}

static void must(enum status st, const struct errmsg *err)
{
    if (st != ST_OK)
        die(err->text);
}

/* The shipped configurations lie in ../share/pcemu/config from where pcemu is. */
static char *shipped_config(const char *name)
{
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n < 0)
        n = 0;
    self[n] = '\0';
    char *slash = strrchr(self, '/');
    if (slash != NULL)
        *slash = '\0';
    return xasprintf("%s/../share/pcemu/config/%s.conf", self, name);
}

static void load_config(struct lab *lab)
{
    const struct options *o = &lab->options;
    struct errmsg err;
    const char *name = o->config != NULL ? o->config : o->core == CORE_INORDER ? "ev5" : NULL;
    core_config_default(&lab->config);
    if (name != NULL) {
        bool is_file = o->config != NULL && (strchr(name, '/') != NULL || access(name, F_OK) == 0);
        char *path = is_file ? xstrdup(name) : shipped_config(name);
        if (!is_file && access(path, F_OK) != 0) {
            fprintf(stderr, "pcemu: --config: no file and no shipped configuration of the name '%s'\n", name);
            exit(EXIT_BAD_INPUT);
        }
        must(core_config_load(path, &lab->config, &err), &err);
        free(path);
    }
    for (unsigned i = 0; i < o->settings; i++)
        must(core_config_set(&lab->config, o->setting[i], &err), &err);
    if (o->core_named && o->core <= CORE_INORDER)
        lab->config.core = o->core == CORE_INORDER;
    must(core_config_check(&lab->config, &err), &err);
}

static void load_program(struct lab *lab)
{
    const struct options *o = &lab->options;
    struct errmsg err;
    if (o->program == NULL && access("pc.out", F_OK) != 0)
        die("there is no pc.out here: assemble a program (pcasm FILE.pasm), name one (--program FILE), or run without (--no-program)");
    must(image_load(&lab->image, o->program != NULL ? o->program : "pc.out", &err), &err);
}

static void serve_interrupt(void *ctx, uint64_t cycle)
{
    struct lab *lab = ctx;
    driver_interrupt(lab->driver, cycle);
}

static bool wants_values(const struct image *im)
{
    for (unsigned i = 0; i < im->fields; i++)
        if (im->field[i] == FIELD_RESULT || im->field[i] == FIELD_RESULT32)
            return true;
    return false;
}

/* The co-processor with its program, started, and the driver that serves it. */
static void start_cop(struct lab *lab)
{
    struct cop_config config = cop_default_config;
    config.cam_entries = lab->config.cop_cam_entries;
    config.data_rows = lab->config.cop_data_rows;
    config.buffer_bytes = lab->config.cop_buffer_bytes;
    config.clock_divide = lab->config.cop_clock_divide;
    config.path_cycles = lab->config.cop_path_cycles;
    lab->cop = cop_new(&config);
    lab->bus = cop_bus(lab->cop);
    bus_put(&lab->bus, BUS_LFSR, lab->options.seed);
    if (wants_values(&lab->image)) {
        lab->exact = exact_values_new(lab->image.filter_classes);
        lab->truth = exact_values_truth(lab->exact);
    }
    struct driver_env env = {
        .bus = &lab->bus, .image = &lab->image, .symbols = lab->symbols, .truth = lab->exact != NULL ? &lab->truth : NULL};
    struct errmsg err;
    must(driver_new(&lab->driver, &env, &err), &err);
    cop_on_interrupt(lab->cop, serve_interrupt, lab);
}

/* A terminal that is watched gets a line of progress. Its timer counts the time we compute, so that it never ends a guest's waiting. */
static void catch_signals(void)
{
    struct sigaction act = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, old;
    signal(SIGPIPE, SIG_IGN); /* the guest gets its own, from EPIPE */
    sigaction(SIGUSR1, &act, NULL);
    if (sigaction(SIGINT, NULL, &old) == 0 && old.sa_handler != SIG_IGN) /* a shell's background job stays one */
        sigaction(SIGINT, &act, NULL);
    if (isatty(STDERR_FILENO)) {
        struct itimerval every = {.it_interval = {.tv_usec = 500000}, .it_value = {.tv_usec = 500000}};
        sigaction(SIGVTALRM, &act, NULL);
        setitimer(ITIMER_VIRTUAL, &every, NULL);
    }
}

static void start_guest(struct lab *lab)
{
    const struct options *o = &lab->options;
    struct guest_config config = {
        .path = o->guest[0],
        .argv = o->guest,
        .envp = o->environment,
        .sysroot = o->sysroot,
        .seed = o->seed,
        .clock_hz = (uint64_t)lab->config.clock_mhz * 1000000,
        .strace = o->strace,
    };
    struct errmsg err;
    must(guest_init(&lab->guest, &config, &err), &err);
    if (lab->symbols != NULL)
        symbols_set_bias(lab->symbols, lab->guest.bias);
    stop_flag = &lab->guest.hart.stop;
    catch_signals();
}

/* The run has ended: how, and with which exit status? */
static void finish_guest(struct lab *lab, enum rv_trap trap)
{
    lab->partial = trap != RV_TRAP_NONE;
    lab->exit_status = lab->guest.exit_status;
    if (trap == RV_TRAP_STOP) {
        fprintf(stderr, "pcemu: interrupted\n");
        lab->exit_status = 128 + SIGINT;
    } else if (lab->guest.fatal_signal != 0) {
        const char *fault = lab->guest.fault;
        fprintf(stderr, "pcemu: the guest ended by a signal: %s\n", fault[0] != '\0' ? fault : strsignal(lab->guest.fatal_signal));
    }
}

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A part of the run: functional, skipped, warmed or in detail. */
struct phase {
    const char *what;
    enum rv_trap (*run)(struct lab *lab, uint64_t insts);
    uint64_t (*done)(const struct lab *lab);
};

static void show_progress(const struct lab *lab, const struct phase *phase, uint64_t done, uint64_t goal)
{
    bool terminal = isatty(STDERR_FILENO) != 0;
    struct progress p = {.what = phase->what, .done = done, .goal = goal, .seconds = seconds_now() - lab->phase_start,
                         .cycles = lab->core != NULL ? core_cycle(lab->core) : 0};
    fputs(terminal ? "\r\033[Kpcemu: " : "pcemu: ", stderr);
    progress_print(stderr, &p);
    if (!terminal || status_wanted)
        fputc('\n', stderr);
    status_wanted = 0;
}

/* Runs a phase for `insts` instructions, through the interruptions that only want to know how it goes. */
static enum rv_trap run_phase(struct lab *lab, const struct phase *phase, uint64_t insts)
{
    uint64_t start = phase->done(lab);
    bool shown = false;
    lab->phase_start = seconds_now();
    for (;;) {
        uint64_t done = phase->done(lab) - start;
        enum rv_trap trap = phase->run(lab, insts != UINT64_MAX ? insts - done : UINT64_MAX);
        if (trap == RV_TRAP_STOP)
            lab->guest.hart.stop = 0;
        if (trap != RV_TRAP_STOP || interrupted || lab->stopped) {
            if (shown)
                fputs("\r\033[K", stderr);
            return trap == RV_TRAP_STOP && !interrupted ? RV_TRAP_LIMIT : trap;
        }
        shown = isatty(STDERR_FILENO) != 0;
        show_progress(lab, phase, phase->done(lab) - start, insts);
    }
}

static uint64_t guest_instructions(const struct lab *lab) { return lab->guest.hart.instret; }
static uint64_t core_instructions(const struct lab *lab) { return core_retired(lab->core); }

static enum rv_trap functional_step(struct lab *lab, uint64_t insts)
{
    return lab->options.stop_at != NULL ? core_skip(&lab->guest, insts, &lab->stop_pc) : guest_run(&lab->guest, insts);
}
static enum rv_trap skip_step(struct lab *lab, uint64_t insts)
{
    return lab->core != NULL ? core_warm(lab->core, insts, NULL) : guest_run(&lab->guest, insts);
}
static enum rv_trap core_step(struct lab *lab, uint64_t insts) { return core_run(lab->core, insts); }

/* Up to the place of --start-at. */
static enum rv_trap approach_step(struct lab *lab, uint64_t insts)
{
    return lab->core != NULL ? core_warm(lab->core, insts, &lab->stop_pc) : core_skip(&lab->guest, insts, &lab->stop_pc);
}

/* The address of a function of the guest's, or a number. */
static bool resolve_place(void *ctx, const char *name, uint64_t *pc)
{
    struct lab *lab = ctx;
    struct errmsg err;
    char *end;
    *pc = strtoull(name, &end, 0);
    if (end != name && *end == '\0')
        return true;
    if (lab->symbols == NULL) {
        must(symbols_new(&lab->symbols, lab->options.guest[0], &err), &err);
        symbols_set_bias(lab->symbols, lab->guest.bias);
    }
    return symbols_address(lab->symbols, name, pc);
}

static uint64_t place_of(struct lab *lab, const char *option, const char *name)
{
    uint64_t pc = 0;
    if (!resolve_place(lab, name, &pc)) {
        fprintf(stderr, "pcemu: %s: expected an address or a function of the guest's, found '%s'\n", option, name);
        exit(EXIT_BAD_INPUT);
    }
    return pc;
}

static void run_functional(struct lab *lab)
{
    static const struct phase phase = {"run", functional_step, guest_instructions};
    start_guest(lab);
    if (lab->options.stop_at != NULL)
        lab->stop_pc = place_of(lab, "--stop-at", lab->options.stop_at);
    finish_guest(lab, run_phase(lab, &phase, lab->options.max_insts));
}

/* The part of the run before the core: --skip-insts, then --start-at. */
static enum rv_trap skip(struct lab *lab)
{
    static const struct phase skipping = {"skip", skip_step, guest_instructions}, approach = {"skip", approach_step, guest_instructions};
    const struct options *o = &lab->options;
    enum rv_trap trap = RV_TRAP_LIMIT;
    if (o->warm)
        lab->core = core_new(&lab->config, &lab->guest);
    if (o->skip_insts > 0)
        trap = run_phase(lab, &skipping, o->skip_insts);
    if (trap == RV_TRAP_LIMIT && o->start_at != NULL) {
        lab->stop_pc = place_of(lab, "--start-at", o->start_at);
        trap = run_phase(lab, &approach, UINT64_MAX);
    }
    if (trap == RV_TRAP_NONE)
        fprintf(stderr, "pcemu: the guest exited after %llu instructions, within the part skipped\n",
                (unsigned long long)lab->guest.hart.instret);
    if (lab->core == NULL)
        lab->core = core_new(&lab->config, &lab->guest);
    return trap;
}

static void stop_at_retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct lab *lab = ctx;
    (void)cycle;
    if (in->pc == lab->stop_pc) {
        lab->stopped = true;
        lab->guest.hart.stop = 1;
    }
}

/* Those who look, but do not profile. */
static void attach_watchers(struct lab *lab)
{
    const struct options *o = &lab->options;
    struct probe_observer watcher;
    struct kanata_window window = {.kind = KANATA_ALL};
    struct errmsg err;
    if (o->stop_at != NULL) {
        lab->stop_pc = place_of(lab, "--stop-at", o->stop_at);
        watcher = (struct probe_observer){.ctx = lab, .stage = {[PROBE_RETIRED] = stop_at_retired}};
        core_attach(lab->core, &watcher);
    }
    if (o->check) {
        lab->lockstep = lockstep_new(lab->core, &lab->guest);
        watcher = lockstep_observer(lab->lockstep);
        core_attach(lab->core, &watcher);
    }
    if (o->kanata == NULL)
        return;
    if (o->kanata_window != NULL && kanata_window_parse(&window, o->kanata_window, resolve_place, lab, &err) != ST_OK) {
        fprintf(stderr, "pcemu: --kanata-window: %s\n", err.text);
        exit(EXIT_BAD_INPUT);
    }
    lab->kanata = kanata_new(lab->kanata_file.stream, &window);
    watcher = kanata_observer(lab->kanata);
    core_attach(lab->core, &watcher);
}

static void attach_profilers(struct lab *lab)
{
    if (lab->cop != NULL) {
        struct sample_sink sink = cop_sink(lab->cop);
        retire_sampler_init(&lab->sampler, &sink);
        struct probe_observer o = retire_sampler_observer(&lab->sampler);
        core_attach(lab->core, &o);
    }
    if (lab->exact != NULL) {
        struct probe_observer o = exact_values_observer(lab->exact);
        core_attach(lab->core, &o);
    }
    if (lab->profilers != NULL)
        profilers_attach(lab->profilers, lab->core);
}

static void run_core(struct lab *lab)
{
    static const struct phase warmup = {"warm-up", core_step, core_instructions}, run = {"run", core_step, core_instructions};
    start_guest(lab);
    enum rv_trap trap = skip(lab);
    if (trap == RV_TRAP_LIMIT && lab->options.warmup > 0) {
        trap = run_phase(lab, &warmup, lab->options.warmup);
        core_begin(lab->core);
    }
    attach_watchers(lab);
    attach_profilers(lab);
    if (trap == RV_TRAP_LIMIT)
        trap = run_phase(lab, &run, lab->options.max_insts);
    finish_guest(lab, trap);
}

/* Offers one sample as a core would, at the time the file says. Returns the cycle of it. */
static uint64_t offer(struct lab *lab, const struct sample_sink *sink, struct timed_sample *t, uint64_t now)
{
    uint64_t idle = t->when == WHEN_IDLE ? cop_drain(lab->cop) : 0;
    uint64_t cycle = t->when == WHEN_AT ? t->cycles : t->when == WHEN_AFTER ? now + t->cycles : idle;
    struct sample *s = &t->sample;
    if (cycle < now)
        cycle = now;
    s->cycle = s->field[FIELD_CYCLE] = cycle;
    uint64_t pc = s->field[FIELD_PC] != 0 ? s->field[FIELD_PC] : sample_pc_of((uint32_t)s->field[FIELD_PC32]);
    if (lab->exact != NULL)
        exact_values_add(lab->exact, s->opclass, pc, s->field[FIELD_RESULT] != 0 ? s->field[FIELD_RESULT] : s->field[FIELD_RESULT32]);
    if (sink->accept(sink->ctx, s->opclass, pc, cycle))
        sink->deliver(sink->ctx, s);
    return cycle;
}

static void run_samples(struct lab *lab)
{
    struct errmsg err;
    char *text;
    size_t size_bytes;
    must(file_read(lab->options.samples, MAX_SAMPLE_FILE, &text, &size_bytes, &err), &err);
    const char *name = strcmp(lab->options.samples, "-") == 0 ? "standard input" : lab->options.samples;
    struct diag_source source = {.name = name, .text = text, .size_bytes = size_bytes};
    struct diag diag;
    diag_init(&diag, stderr);
    struct sample_reader reader = {.source = &source};
    struct sample_sink sink = cop_sink(lab->cop);
    uint64_t now = 0;
    while (!sample_reader_at_end(&reader)) {
        struct timed_sample t;
        if (sample_read(&reader, &diag, &t) && diag.errors == 0)
            for (uint64_t i = 0; i < t.repeat; i++)
                now = offer(lab, &sink, &t, now);
    }
    free(text);
    diag_summary(&diag);
    if (diag.errors > 0)
        exit(EXIT_BAD_INPUT);
}

/* Outputs are opened before a long run, so that a bad name costs nothing. */
static void open_outputs(struct lab *lab)
{
    struct errmsg err;
    if (lab->options.report != NULL)
        must(outfile_open(&lab->report, lab->options.report, &err), &err);
    if (lab->options.stats != NULL)
        must(outfile_open(&lab->stats, lab->options.stats, &err), &err);
    if (lab->options.kanata != NULL)
        must(outfile_open(&lab->kanata_file, lab->options.kanata, &err), &err);
}

static void write_stats(struct lab *lab, FILE *out)
{
    bool json = lab->options.json;
    const char *between = "";
    if (json)
        fputc('{', out);
    if (lab->core != NULL) {
        fputs(json ? "\"core\": " : "", out);
        core_print_stats(lab->core, out, json);
        between = json ? ",\n" : "\n";
    }
    if (lab->cop != NULL) {
        fprintf(out, "%s%s", between, json ? "\"coprocessor\": " : "");
        cop_print_stats(lab->cop, &lab->image, out, json);
    }
    if (json)
        fputs("}\n", out);
}

static void write_report(struct lab *lab, FILE *out)
{
    struct report_options o = {
        .json = lab->options.json,
        .partial = lab->partial,
        .top = lab->options.top,
        .guest = lab->options.guest != NULL ? lab->options.guest[0] : lab->options.samples,
    };
    if (lab->core != NULL) {
        o.cycles = core_cycle(lab->core);
        o.instructions = core_retired(lab->core);
    }
    struct time_report times = {.symbols = lab->symbols};
    if (lab->profilers != NULL) {
        times.result = profilers_finish(lab->profilers, o.cycles, &lab->guest.hart);
        o.more.ctx = &times;
        o.more.write = time_report_section;
    }
    if (lab->driver != NULL)
        driver_report(lab->driver, &o, out);
    else
        time_report_write(&times, &o, out);
}

/* The profile and the statistics, once the run is over. Where an output cannot be written, the run has failed. */
static void conclude(struct lab *lab)
{
    struct errmsg err;
    char fault[512];
    fflush(stdout);
    if (lab->cop != NULL) {
        uint64_t end = cop_drain(lab->cop);
        if (cop_describe_fault(lab->cop, &lab->image, fault, sizeof fault)) {
            fprintf(stderr, "pcemu: %s\n", fault);
            lab->partial = true;
            if (lab->options.core == CORE_SAMPLES)
                lab->exit_status = EXIT_BAD_INPUT;
        }
        driver_finish(lab->driver, end);
    }
    if (lab->driver != NULL || lab->profilers != NULL)
        write_report(lab, lab->report.stream != NULL ? lab->report.stream : stderr);
    if (lab->kanata != NULL) {
        kanata_finish(lab->kanata);
        must(outfile_commit(&lab->kanata_file, &err), &err);
    }
    if (lab->lockstep != NULL)
        fprintf(stderr, "pcemu: checked %llu instructions\n", (unsigned long long)lockstep_compared(lab->lockstep));
    if (lab->report.stream != NULL)
        must(outfile_commit(&lab->report, &err), &err);
    if (lab->stats.stream != NULL) {
        write_stats(lab, lab->stats.stream);
        must(outfile_commit(&lab->stats, &err), &err);
    }
}

static void release(struct lab *lab)
{
    driver_free(lab->driver);
    profilers_free(lab->profilers);
    exact_values_free(lab->exact);
    kanata_free(lab->kanata);
    lockstep_free(lab->lockstep);
    symbols_free(lab->symbols);
    cop_free(lab->cop);
    if (lab->core != NULL)
        core_free(lab->core);
    if (lab->options.guest != NULL)
        guest_fini(&lab->guest);
}

/* With profilers of time alone there need be no program for the co-processor. */
static bool wants_cop(const struct options *o)
{
    if (o->no_program || o->core == CORE_FUNCTIONAL)
        return false;
    return o->profile == NULL || o->program != NULL || access("pc.out", F_OK) == 0;
}

static void start_profilers(struct lab *lab)
{
    struct errmsg err;
    if (lab->options.profile != NULL)
        must(profilers_new(&lab->profilers, lab->options.profile, lab->options.seed, &err), &err);
}

int main(int argc, char **argv)
{
    static struct lab lab;
    struct errmsg err;
    options_parse(&lab.options, argc, argv);
    load_config(&lab);
    if (lab.options.dump_config) {
        core_config_dump(&lab.config, stdout);
        return fflush(stdout) == 0 ? 0 : EXIT_BAD_INPUT;
    }
    if (lab.options.profile != NULL && strcmp(lab.options.profile, "help") == 0) {
        profilers_print_help(stdout);
        return fflush(stdout) == 0 ? 0 : EXIT_BAD_INPUT;
    }
    start_profilers(&lab);
    bool cop = wants_cop(&lab.options);
    if (cop)
        load_program(&lab);
    if (lab.options.guest != NULL && (cop || lab.profilers != NULL))
        must(symbols_new(&lab.symbols, lab.options.guest[0], &err), &err);
    if (cop)
        start_cop(&lab);
    open_outputs(&lab);
    switch (lab.options.core) {
    case CORE_OOO:
    case CORE_INORDER:
        run_core(&lab);
        break;
    case CORE_FUNCTIONAL:
        run_functional(&lab);
        break;
    case CORE_SAMPLES:
        run_samples(&lab);
        break;
    }
    conclude(&lab);
    release(&lab);
    return lab.exit_status;
}
