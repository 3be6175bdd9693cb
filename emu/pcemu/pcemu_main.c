/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcemu's main function: from the command line to a session that is set up, and what follows. */
#include <argp.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/pcemu/session.h"

const char *argp_program_version = "pcemu 1.0";

_Noreturn void die(const char *text)
{
    fprintf(stderr, "pcemu: %s\n", text);
    exit(EXIT_BAD_INPUT);
}

void must(enum status st, const struct errmsg *err)
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

/* "boom, rob_entries=64" */
static char *describe_config(const struct options *o, const char *name)
{
    char *text = xstrdup(name);
    for (unsigned i = 0; i < o->settings; i++) {
        char *longer = xasprintf("%s, %s", text, o->setting[i]);
        free(text);
        text = longer;
    }
    return text;
}

static void load_config(struct session *session)
{
    const struct options *o = &session->options;
    struct errmsg err;
    const char *name = o->config != NULL ? o->config : o->core == CORE_INORDER ? "ev5" : NULL;
    core_config_default(&session->config);
    if (name != NULL) {
        bool is_file = o->config != NULL && (strchr(name, '/') != NULL || access(name, F_OK) == 0);
        char *path = is_file ? xstrdup(name) : shipped_config(name);
        if (!is_file && access(path, F_OK) != 0) {
            fprintf(stderr, "pcemu: --config: no file and no shipped configuration of the name '%s'\n", name);
            exit(EXIT_BAD_INPUT);
        }
        must(core_config_load(path, &session->config, &err), &err);
        free(path);
    }
    for (unsigned i = 0; i < o->settings; i++)
        if (core_config_set(&session->config, o->setting[i], &err) != ST_OK) {
            fprintf(stderr, "pcemu: --set: %s\n", err.text);
            exit(EXIT_BAD_INPUT);
        }
    if (o->core_named && o->core <= CORE_INORDER)
        session->config.core = o->core == CORE_INORDER;
    must(core_config_check(&session->config, &err), &err);
    session->machine = describe_config(o, name != NULL ? name : "boom");
    session_load_baseline(session);
}

static void load_program(struct session *session)
{
    const struct options *o = &session->options;
    struct errmsg err;
    if (o->program == NULL && access("pc.out", F_OK) != 0)
        die("there is no pc.out here: assemble a program (pcasm FILE.pasm), name one (--program FILE), or run without (--no-program)");
    must(image_load(&session->image, o->program != NULL ? o->program : "pc.out", &err), &err);
}

struct symbols *session_symbols(struct session *session)
{
    struct errmsg err;
    if (session->symbols == NULL && session->options.guest != NULL)
        must(symbols_new(&session->symbols, session->options.guest[0], &err), &err);
    return session->symbols;
}

void session_find_libraries(struct session *session)
{
    if (session->symbols == NULL)
        return;
    for (; session->libraries < session->guest.images; session->libraries++) {
        const struct guest_image *i = &session->guest.image[session->libraries];
        symbols_add_library(session->symbols, i->path, i->start, i->end, i->offset);
    }
}

static bool wants_values(const struct image *im)
{
    for (unsigned i = 0; i < im->fields; i++)
        if (im->field[i] == FIELD_RESULT || im->field[i] == FIELD_RESULT32)
            return true;
    return false;
}

static bool wants_events(const struct image *im)
{
    for (unsigned i = 0; i < im->layouts; i++)
        if (image_layout_has_events(&im->layout[i]))
            return true;
    return false;
}

static struct host_cost host_cost_of(const struct core_config *config)
{
    return (struct host_cost){
#define HOST_COST(key, def, min, max, unit, help, source) .key = config->host_##key,
#define HOST_WORK(sym, key, def, max, help, source) .key = config->host_##key,
#include "isa/contract/host_cost.def"
#undef HOST_WORK
#undef HOST_COST
    };
}

enum status session_new_driver(struct session *session, struct driver **driver, struct errmsg *err)
{
    struct host_cost cost = host_cost_of(&session->config);
    struct driver_env env = {.bus = &session->bus,
                             .image = &session->image,
                             .truth = session->exact != NULL ? &session->truth : NULL,
                             .taken = session->exact_taken != NULL ? &session->truth_taken : NULL,
                             .cost = &cost};
    return driver_new(driver, &env, err);
}

/* What the run is to be known of exactly: by what the program looks at. */
static void start_truth(struct session *session)
{
    if (session->options.no_truth)
        return;
    if (wants_values(&session->image)) {
        session->exact = exact_values_new(session->image.filter_classes);
        session->truth = exact_values_truth(session->exact);
    }
    if (wants_events(&session->image)) {
        session->exact_taken = exact_values_new(session->image.filter_classes);
        session->truth_taken = exact_values_truth(session->exact_taken);
    }
}

/* The co-processor with its program, started, and the driver that serves it. */
static void start_cop(struct session *session)
{
    struct cop_config config = cop_default_config;
    config.cam_entries = session->config.cop_cam_entries;
    config.data_rows = session->config.cop_data_rows;
    config.buffer_bytes = session->config.cop_buffer_bytes;
    config.clock_divide = session->config.cop_clock_divide;
    config.path_cycles = session->config.cop_path_cycles;
    config.runaway_words = session->config.cop_runaway_words;
    config.early_drop = session->config.cop_early_drop;
    session->cop = cop_new(&config);
    cop_on_interrupt(session->cop, session_interrupt, session);
    session->bus = cop_bus(session->cop);
    bus_put(&session->bus, BUS_LFSR, session->options.seed);
    start_truth(session);
    struct errmsg err;
    must(session_new_driver(session, &session->driver, &err), &err);
}

static void release(struct session *session)
{
    session_release_debugger(session);
    driver_free(session->driver);
    free(session->machine);
    profilers_free(session->profilers);
    exact_values_free(session->exact);
    exact_values_free(session->exact_taken);
    session_release_watchers(session);
    symbols_free(session->symbols);
    cop_free(session->cop);
    if (session->core != NULL)
        core_free(session->core);
    if (session->options.guest != NULL)
        guest_fini(&session->guest);
}

/* With profilers of time alone there need be no program for the co-processor. */
static bool wants_cop(const struct options *o)
{
    if (o->no_program || o->core == CORE_FUNCTIONAL)
        return false;
    return o->profile == NULL || o->program != NULL || access("pc.out", F_OK) == 0;
}

static void start_profilers(struct session *session)
{
    struct errmsg err;
    if (session->options.profile != NULL)
        must(profilers_new(&session->profilers, session->options.profile, session->options.seed, &err), &err);
}

/* The one run of this process. */
static struct session session;

/* However pcemu ends, an output that is not complete is not there. A process of the guest's that is our fork has none. */
static pid_t owner;

static void drop_outputs(void)
{
    if (getpid() != owner)
        return;
    struct outfile *outputs[] = {&session.report, &session.stats, &session.kanata_file, &session.trace_file};
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++)
        if (outputs[i]->stream != NULL)
            outfile_abort(outputs[i]);
}

int main(int argc, char **argv)
{
    file_check_standard_output("pcemu");
    options_parse(&session.options, argc, argv);
    load_config(&session);
    if (session.options.dump_config) {
        core_config_dump(&session.config, stdout);
        return 0;
    }
    if (session.options.profile != NULL && strcmp(session.options.profile, "help") == 0) {
        profilers_print_help(stdout);
        return 0;
    }
    start_profilers(&session);
    bool cop = wants_cop(&session.options);
    session_choose_trace(&session, cop);
    if (cop)
        load_program(&session);
    if (cop || session.profilers != NULL)
        session_symbols(&session);
    if (cop)
        start_cop(&session);
    session_check_sort(&session);
    session_new_debugger(&session);
    owner = getpid();
    atexit(drop_outputs);
    session_open_outputs(&session);
    switch (session.options.core) {
    case CORE_OOO:
    case CORE_INORDER:
        session_run_core(&session);
        break;
    case CORE_FUNCTIONAL:
        session_run_functional(&session);
        break;
    case CORE_SAMPLES:
        session_run_samples(&session);
        break;
    }
    session_conclude(&session);
    release(&session);
    return session.exit_status;
}
