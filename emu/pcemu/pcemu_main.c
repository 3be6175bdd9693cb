/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcemu's main function: from the command line to a lab that is set up, and what follows. */
#include <argp.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/pcemu/lab.h"

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
        if (core_config_set(&lab->config, o->setting[i], &err) != ST_OK) {
            fprintf(stderr, "pcemu: --set: %s\n", err.text);
            exit(EXIT_BAD_INPUT);
        }
    if (o->core_named && o->core <= CORE_INORDER)
        lab->config.core = o->core == CORE_INORDER;
    must(core_config_check(&lab->config, &err), &err);
    lab->machine = describe_config(o, name != NULL ? name : "boom");
    lab_load_baseline(lab);
}

static void load_program(struct lab *lab)
{
    const struct options *o = &lab->options;
    struct errmsg err;
    if (o->program == NULL && access("pc.out", F_OK) != 0)
        die("there is no pc.out here: assemble a program (pcasm FILE.pasm), name one (--program FILE), or run without (--no-program)");
    must(image_load(&lab->image, o->program != NULL ? o->program : "pc.out", &err), &err);
}

struct symbols *lab_symbols(struct lab *lab)
{
    struct errmsg err;
    if (lab->symbols == NULL && lab->options.guest != NULL)
        must(symbols_new(&lab->symbols, lab->options.guest[0], &err), &err);
    return lab->symbols;
}

void lab_find_libraries(struct lab *lab)
{
    if (lab->symbols == NULL)
        return;
    for (; lab->libraries < lab->guest.images; lab->libraries++) {
        const struct guest_image *i = &lab->guest.image[lab->libraries];
        symbols_add_library(lab->symbols, i->path, i->start, i->end, i->offset);
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
#include "isa/host_cost.def"
#undef HOST_WORK
#undef HOST_COST
    };
}

enum status lab_new_driver(struct lab *lab, struct driver **driver, struct errmsg *err)
{
    struct host_cost cost = host_cost_of(&lab->config);
    struct driver_env env = {.bus = &lab->bus,
                             .image = &lab->image,
                             .symbols = lab->symbols,
                             .truth = lab->exact != NULL ? &lab->truth : NULL,
                             .taken = lab->exact_taken != NULL ? &lab->truth_taken : NULL,
                             .cost = &cost};
    return driver_new(driver, &env, err);
}

/* What the run is to be known of exactly: by what the program looks at. */
static void start_truth(struct lab *lab)
{
    if (lab->options.no_truth)
        return;
    if (wants_values(&lab->image)) {
        lab->exact = exact_values_new(lab->image.filter_classes);
        lab->truth = exact_values_truth(lab->exact);
    }
    if (wants_events(&lab->image)) {
        lab->exact_taken = exact_values_new(lab->image.filter_classes);
        lab->truth_taken = exact_values_truth(lab->exact_taken);
    }
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
    config.runaway_words = lab->config.cop_runaway_words;
    config.early_drop = lab->config.cop_early_drop;
    lab->cop = cop_new(&config);
    cop_on_interrupt(lab->cop, lab_interrupt, lab);
    lab->bus = cop_bus(lab->cop);
    bus_put(&lab->bus, BUS_LFSR, lab->options.seed);
    start_truth(lab);
    struct errmsg err;
    must(lab_new_driver(lab, &lab->driver, &err), &err);
}

static void release(struct lab *lab)
{
    lab_release_debugger(lab);
    driver_free(lab->driver);
    free(lab->machine);
    profilers_free(lab->profilers);
    exact_values_free(lab->exact);
    exact_values_free(lab->exact_taken);
    lab_release_watchers(lab);
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

/* The one run of this process. */
static struct lab lab;

/* However pcemu ends, an output that is not complete is not there. A process of the guest's that is our fork has none. */
static pid_t owner;

static void drop_outputs(void)
{
    if (getpid() != owner)
        return;
    struct outfile *outputs[] = {&lab.report, &lab.stats, &lab.kanata_file, &lab.trace_file};
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++)
        if (outputs[i]->stream != NULL)
            outfile_abort(outputs[i]);
}

int main(int argc, char **argv)
{
    file_check_standard_output("pcemu");
    options_parse(&lab.options, argc, argv);
    load_config(&lab);
    if (lab.options.dump_config) {
        core_config_dump(&lab.config, stdout);
        return 0;
    }
    if (lab.options.profile != NULL && strcmp(lab.options.profile, "help") == 0) {
        profilers_print_help(stdout);
        return 0;
    }
    start_profilers(&lab);
    bool cop = wants_cop(&lab.options);
    lab_choose_trace(&lab, cop);
    if (cop)
        load_program(&lab);
    if (cop || lab.profilers != NULL)
        lab_symbols(&lab);
    if (cop)
        start_cop(&lab);
    lab_new_debugger(&lab);
    owner = getpid();
    atexit(drop_outputs);
    lab_open_outputs(&lab);
    switch (lab.options.core) {
    case CORE_OOO:
    case CORE_INORDER:
        lab_run_core(&lab);
        break;
    case CORE_FUNCTIONAL:
        lab_run_functional(&lab);
        break;
    case CORE_SAMPLES:
        lab_run_samples(&lab);
        break;
    }
    lab_conclude(&lab);
    release(&lab);
    return lab.exit_status;
}
