/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results of a run: report, statistics, pipeline log, trace. */
#include "base/colour.h"
#include "base/ending.h"
#include "base/json_stream.h"
#include "base/sha1.h"
#include "contract/report_tree.h"
#include "core-model/stats.h"
#include "emu/cop_stats.h"
#include "emu/cop_stop.h"
#include "host/family/count_report.h"
#include "host/family/counter_report.h"
#include "host/family/gain_report.h"
#include "host/family/graph_report.h"
#include "host/family/path_report.h"
#include "host/family/phase_report.h"
#include "host/family/pics_report.h"
#include "host/family/sharing_report.h"
#include "host/family/time_report.h"
#include "host/family/topdown_report.h"
#include "host/report/words.h"
#include "host/run/run_profile.h"
#include "tools/pcemu/fatal.h"
#include "tools/pcemu/gains.h"
#include "tools/pcemu/message.h"
#include "tools/pcemu/session.h"
#include "tools/pcemu/start_folder.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_stats_text(struct session *s, FILE *out)
{
    fprintf(out, "configuration %s\n%s", s->machine.name,
            s->outcome.partial ? "PARTIAL the run was stopped early\n" : "");
    if (s->options.core == CORE_FUNCTIONAL)
        fprintf(out, "\nguest instructions %" PRIu64 "\n", s->target.guest.hart.instret);
    for (unsigned n = 0; s->target.harts != NULL && n < harts_count(s->target.harts); n++) {
        fprintf(out, "\nhart %u\n", n);
        core_print_stats(harts_core(s->target.harts, n), out);
    }
    if (s->target.harts == NULL && s->target.core != NULL) {
        fputc('\n', out);
        core_print_stats(s->target.core, out);
    }
    if (s->profiling.cop != NULL) {
        fputc('\n', out);
        cop_print_stats(s->profiling.cop, &s->profiling.image, out);
    }
}

/* Begins a member in a line of its own. */
static const char *stats_member(struct json_stream *j, const char *key)
{
    json_stream_line(j, 0);
    return key;
}

static void write_core_json(const struct core *c, const char *key, struct json_stream *j)
{
    core_write_stats_json(c, key, j);
    fputc('\n', j->out);
}

static void write_harts_json(const struct harts *h, struct json_stream *j)
{
    json_stream_begin(j, stats_member(j, "harts"), '[');
    for (unsigned n = 0; n < harts_count(h); n++)
        write_core_json(harts_core(h, n), n > 0 ? stats_member(j, NULL) : NULL, j);
    json_stream_end(j, ']');
}

static void write_stats_json(struct session *s, FILE *out)
{
    struct json_stream j = {.out = out};
    char *machine = report_copy_text(s->machine.name);
    json_stream_begin(&j, NULL, '{');
    json_stream_text(&j, "configuration", machine);
    free(machine);
    json_stream_flag(&j, stats_member(&j, "partial"), s->outcome.partial);
    if (s->options.core == CORE_FUNCTIONAL) {
        json_stream_begin(&j, stats_member(&j, "guest"), '{');
        json_stream_count(&j, "instructions", s->target.guest.hart.instret);
        json_stream_end(&j, '}');
    }
    if (s->target.harts != NULL)
        write_harts_json(s->target.harts, &j);
    else if (s->target.core != NULL)
        write_core_json(s->target.core, stats_member(&j, "core"), &j);
    if (s->profiling.cop != NULL)
        cop_write_stats_json(s->profiling.cop, &s->profiling.image, stats_member(&j, "coprocessor"), &j);
    json_stream_end(&j, '}');
    fputc('\n', out);
}

/* Name of the guest as given on the command line; for a replay, on that of the recording. */
static const char *guest_name(const struct session *s)
{
    if (s->recording.replay != NULL)
        return replay_head(s->recording.replay)->guest;
    if (s->samples.file != NULL)
        return sample_file_head(s->samples.file)->guest;
    return s->options.guest != NULL ? s->options.guest[0] : s->options.core_input;
}

/* Returns whether there is a report to print. */
static bool has_report(const struct session *s)
{
    return s->profiling.driver != NULL || observers_have_report(s->observers);
}

/* The reason why the run has no profile; NULL if it has one. */
static const char *why_no_profile(const struct session *s)
{
    if (has_report(s))
        return NULL;
    switch (s->options.core) {
    case CORE_FUNCTIONAL:
        return "the functional core has no cycles to profile: expected --core ooo or inorder";
    case CORE_REPLAY:
        return "nothing profiles this run: expected --profile";
    default:
        return "nothing profiles this run: expected a program for the co-processor or --profile";
    }
}

/* The time of handlers. With several harts, idle harts do not count as time of handlers, and it is unknown. */
static void describe_handlers(const struct session *s, struct run_facts *f)
{
    struct core_stats stats = core_statistics(s->target.core);
    if (s->target.harts != NULL) {
        f->harts = harts_count(s->target.harts);
        for (unsigned n = 0; n < f->harts; n++)
            f->squashed += core_statistics(harts_core(s->target.harts, n)).squashed_interrupt;
        return;
    }
    f->handler_cycles = stats.page_faults == 0 ? stats.stack_handler : 0;
    f->squashed = stats.squashed_interrupt;
}

static struct run_facts describe_run(const struct session *s)
{
    struct run_facts f = {
        .partial = s->outcome.partial,
        .stop = s->outcome.stopped_program ? &s->outcome.stop : NULL,
        .machine = s->machine.name,
        .guest = guest_name(s),
        .cold = s->process == 0 ? s->target.cold : NULL,
    };
    f.process = s->process;
    if (s->process == 0)
        f.executed = s->target.program, f.is_first = s->target.programs == 0;
    if (guest_has_linux(&s->target.guest) && !s->options.follow_children)
        f.forked = guest_forks(&s->target.guest);
    if (guest_has_linux(&s->target.guest))
        for (unsigned i = 0; i < HOST_CHANGES; i++)
            f.host_changes[i] = guest_changes(&s->target.guest, (enum host_change)i);
    f.no_profile = why_no_profile(s);
    if (s->samples.file != NULL) {
        f.handler_cycles = s->service.paused_cycles;
        f.cycles = sample_file_cycles(s->samples.file) + f.handler_cycles;
        f.instructions = sample_file_tail(s->samples.file)->instructions;
    }
    if (s->target.core != NULL) {
        f.cycles = core_cycle(s->target.core);
        f.instructions = target_retired(&s->target);
        f.baseline_cycles = baseline_cycles(&s->baseline, f.instructions);
        describe_handlers(s, &f);
    }
    return f;
}

/* The program's filters in words, the caller's to free. */
static char *describe_filters(const struct image *im)
{
    char *text = NULL;
    size_t size;
    FILE *out = xopen_text(&text, &size);
    if (!image_print_filters(im, "; ", out))
        fputs("there is no '.filter class'", out);
    xclose_text(out);
    return text;
}

/* Handlers that take a larger part of the run than 1 in this number are a warning: the papers' take at most 2 %. A few
 * interrupts of a short run say nothing of a long one. */
enum { HANDLERS_PART = 10, HANDLERS_LEAST = 8 };

/* Warns of a profile that is useless or dear although no error occurred: no instruction passed the filters, or handlers
 * took much of the run. */
static void print_remarks(const struct session *s, const struct run_facts *f)
{
    char number[REPORT_NUMBER];
    uint64_t offered = bus_get(&s->profiling.bus, BUS_OFFERED);
    struct driver_load load = driver_load(s->profiling.driver, f);
    if (offered > 0 && bus_get(&s->profiling.bus, BUS_FILTERED) == offered) {
        char *filters = describe_filters(&s->profiling.image);
        print_message(
            "there are no samples: of %s instructions none passed the filters (%s); widen '.filter' in the program, or "
            "profile a part of the run that executes such instructions",
            report_number(number, offered), filters);
        free(filters);
    }
    if (f->cycles > 0 && load.cycles > f->cycles / HANDLERS_PART && load.interrupts >= HANDLERS_LEAST)
        print_message(
            "the profiling program's %s interrupts took %.1f %% of the run; more slots interrupt less often (larger "
            "sub-arrays in the program, in shipped ones by pcasm -D SLOTS=N; --set cop_cam_entries=N and --set "
            "cop_data_rows=N), --set host_free=yes shows the run "
            "without that time",
            report_number(number, load.interrupts), 100 * (double)load.cycles / (double)f->cycles);
}

/* Warns of changes that root should know of. */
static void print_devices(const struct run_facts *f)
{
    char number[REPORT_NUMBER];
    uint64_t n = f->host_changes[HOST_DEVICES];
    if (n > 0 && geteuid() == 0)
        print_message("the guest, run by root, made devices or changed their modes or owners %s time%s; --confine "
                      "prevents that",
                      report_number(number, n), n == 1 ? "" : "s");
}

/* The guest's own message, if any, does not say where the file was looked for. */
static void warn_of_missing_program(const struct session *s)
{
    char number[REPORT_NUMBER];
    uint64_t times;
    unsigned others;
    if (s->process != 0 || !guest_has_linux(&s->target.guest))
        return;
    const char *path = guest_missing_program(&s->target.guest, &times, &others);
    if (path == NULL)
        return;
    char *more = others == 0 ? xstrdup("")
                             : xasprintf(", nor %s %u other file%s", others == 1 ? "is" : "are", others,
                                         others == 1 ? "" : "s");
    print_message("warning: execve: %s (%s time%s) is not in the folder of -L, %s%s: expected it there, as the host's "
                  "system folders are not used",
                  path, report_number(number, times), times == 1 ? "" : "s", s->options.sysroot, more);
    free(more);
}

/* Whether the results of the harts' co-processors cannot be added. */
static bool has_programs_apart(const struct session *s)
{
    return s->other_program[1] != NULL && !driver_can_add(s->profiling.driver);
}

/* The driver whose results belong in the report; NULL: none. */
static struct driver *driver_of(const struct session *s, const struct run_facts *f)
{
    bool one_each = s->other_program[1] != NULL;
    if (!f->is_of_hart)
        return has_programs_apart(s) ? NULL : s->profiling.driver;
    if (!one_each)
        return NULL;
    return f->hart == 0 ? s->profiling.driver : s->other_program[f->hart]->profiling.driver;
}

/* The results of the program that belong in the report, the caller's to free; NULL: none. */
static struct program_profile *program_of(const struct session *s, const struct run_facts *f)
{
    struct driver *driver = driver_of(s, f);
    return driver != NULL ? driver_profile(driver) : NULL;
}

/* Builds the report tree from the current state, with what program_of has returned. Before the run it has all tables,
 * without rows. */
static struct report *build_report(struct session *s, const struct run_facts *f, struct observers *observers,
                                   const struct program_profile *program)
{
    struct report *r = report_new();
    struct driver *driver = driver_of(s, f);
    if (driver != NULL) {
        driver_report(driver, program, f, r);
    } else {
        run_facts_report_run(f, r);
        run_facts_report_end(f, r);
    }
#define FAMILY(name, type)                   \
    if (observers_##name(observers) != NULL) \
        type##_report(observers_##name(observers), s->target.symbols, r);
#include "contract/families.def"
    plugins_report(&s->plugins, r);
    observers_report(observers, r);
    for (unsigned n = 1; !f->is_of_hart && n < GUEST_HARTS_MAX; n++)
        if (s->other_observers[n] != NULL)
            observers_report_each(s->other_observers[n], r);
    plugins_check(&s->plugins);
    if (s->gains != NULL)
        gain_report(s->gained, s->target.symbols, r);
    if (!f->is_of_hart)
        collecting_report(&s->collecting, f->cycles, r);
    if (driver != NULL)
        driver_report_details(driver, f, r);
    return r;
}

void session_check_reports_of_harts(const struct session *s)
{
    if (s->options.by_hart && !observers_have_report(s->observers) && s->other_program[1] == NULL)
        die("--by-hart: there is no report of each hart without --profile or --set cop_per_hart=yes");
    if (has_programs_apart(s) && !s->options.by_hart)
        print_message("the results of this program's co-processors cannot be added: --by-hart has a report of each");
}

/* Uses separate observers, because a profile cannot continue after its observer has finished. */
void session_check_sort(struct session *s)
{
    struct errmsg err;
    const struct options *o = &s->options;
    if (o->sort != NULL && !has_report(s))
        die("--sort: this run has no report: expected a program for the co-processor or --profile");
    struct observers *empty = observers_new();
    if (o->sort != NULL) {
        for (unsigned i = 0; i < o->profile.count; i++)
            must(observers_create(empty, o->profile.text[i], o->seed, &err), &err);
        plugins_observe(&s->plugins, empty, o, &s->machine, 0);
        observers_finish(empty, 0, NULL);
        const struct run_facts f = {.is_of_hart = o->by_hart && has_programs_apart(s)};
        struct program_profile *program = program_of(s, &f);
        struct report *r = build_report(s, &f, empty, program);
        if (report_sort(r, o->sort, &err) != ST_OK)
            die("--sort: %s", err.text);
        report_free(r);
        program_profile_free(program);
    }
    observers_free(empty);
}

static struct report *complete_report(struct session *s, const struct run_facts *f, struct observers *observers,
                                      const struct program_profile *program)
{
    struct errmsg err;
    target_find_libraries(&s->target);
    struct report *r = build_report(s, f, observers, program);
    report_find_places(r, s->target.symbols);
    target_warn_of_files(&s->target);
    if (s->options.sort != NULL && report_sort(r, s->options.sort, &err) != ST_OK)
        print_message("--sort: %s", err.text); /* the report is written unsorted */
    return r;
}

static void conclude_write_report(struct session *s, const struct report *r, const struct outfile *out)
{
    const struct options *o = &s->options;
    /* The options' maxima fit in unsigned. */
    const struct report_view view = {.top = (unsigned)o->top,
                                     .width = report_width((unsigned)o->width, out->fd),
                                     .verbose = o->verbose,
                                     .full_names = o->full_names,
                                     .legend = o->legend,
                                     .colours = colour_is_shown(o->color, out->fd)};
    report_formats[o->format].write(r, &view, out->stream);
}

/* The report of one hart's observers. */
static struct report *report_of_hart(struct session *s, const struct run_facts *all, unsigned n,
                                     struct observers *observers)
{
    struct run_facts f = *all;
    f.is_of_hart = true;
    f.hart = n;
    f.cycles = core_cycle(harts_core(s->target.harts, n));
    f.instructions = core_retired(harts_core(s->target.harts, n));
    f.baseline_cycles = 0;
    struct program_profile *program = program_of(s, &f);
    struct report *r = complete_report(s, &f, observers, program);
    program_profile_free(program);
    return r;
}

/* Ends the observation of the other harts, and adds their profiles to those of the first. With --by-hart, fills in a
 * report of each. */
static void finish_harts(struct session *s, const struct run_facts *f, struct report **of_hart)
{
    unsigned harts = f->harts;
    for (unsigned n = 1; n < harts; n++)
        observers_finish(s->other_observers[n], core_cycle(harts_core(s->target.harts, n)), &s->target.guest.hart);
    for (unsigned n = 0; s->options.by_hart && n < harts; n++)
        of_hart[n] = report_of_hart(s, f, n, n == 0 ? s->observers : s->other_observers[n]);
    for (unsigned n = 1; n < harts; n++) {
        observers_sum(s->observers, s->other_observers[n]);
        if (s->other_program[n] != NULL && !has_programs_apart(s))
            profiling_add(&s->profiling, &s->other_program[n]->profiling);
    }
}

/* Writes the reports of the harts, and releases them. */
static void write_harts(struct session *s, struct report **of_hart)
{
    for (unsigned n = 0; n < GUEST_HARTS_MAX; n++) {
        struct outfile *own = &s->outputs.of_hart[n];
        if (of_hart[n] == NULL) {
            outputs_abort(own);
            continue;
        }
        conclude_write_report(s, of_hart[n], own->stream != NULL ? own : &s->outputs.report);
        outputs_commit(own);
        report_free(of_hart[n]);
    }
}

static void conclude_warn(const char *text) { print_message("warning: %s", text); }

/* The values of the run by image and address. */
static struct profile *build_profile(struct session *s, const struct program_profile *program)
{
    struct run_results results = {
        .program = program, .gains = s->gained, .calls = s->calls, .symbols = s->target.symbols, .warn = conclude_warn};
    results.collected = collecting_samples(&s->collecting, &results.samples_collected);
#define FAMILY(name, type) results.name = observers_##name(s->observers);
#include "contract/families.def"
    return run_profile_new(&results);
}

/* The hash of the program's image, with the parameters and the sampler that were set; NULL: there is no program. */
static const char *hash_program(const struct session *s, char text[SHA1_TEXT])
{
    uint8_t *bytes;
    size_t size_bytes;
    if (s->profiling.cop == NULL)
        return NULL;
    image_save(&s->profiling.image, &bytes, &size_bytes);
    sha1_text(bytes, size_bytes, text);
    free(bytes);
    return text;
}

/* Says what the stacks lack. */
static void warn_of_cut_calls(const struct session *s)
{
    char number[REPORT_NUMBER];
    const struct call_tree *t = s->calls;
    if (t == NULL || t->cut == 0)
        return;
    if (t->nodes == CALL_NODES_MOST)
        print_message("warning: --stacks: %s calls have no stack of their own and count for their callers: the run has "
                      "more than %d different stacks of calls",
                      report_number(number, t->cut), CALL_NODES_MOST - 1);
    else
        print_message("warning: --stacks: %s calls were deeper than %" PRIu32
                      " and count for their callers: expected a greater --stack-depth for their stacks",
                      report_number(number, t->cut), t->depth_most);
}

/* Adds the run to the profile store. */
static void collect_results(struct session *s, const struct run_facts *f, const struct report *report,
                            const struct program_profile *program)
{
    char *configuration, *statistics, hash[SHA1_TEXT];
    struct packed_report packed;
    size_t size;
    FILE *out = xopen_text(&configuration, &size);
    core_config_dump(&s->machine.config, out);
    xclose_text(out);
    out = xopen_text(&statistics, &size);
    write_stats_json(s, out);
    xclose_text(out);
    out = packed_report_open(&packed);
    report_formats[REPORT_AS_json].write(report, &(struct report_view){0}, out);
    fclose(out);
    struct profile *profile = build_profile(s, program);
    warn_of_cut_calls(s);
    struct store_run run = {.guest = f->guest,
                            .configuration = f->machine,
                            .configuration_text = configuration,
                            .seed = s->options.seed,
                            .cycles = f->cycles,
                            .instructions = f->instructions,
                            .program = s->profiling.cop != NULL ? s->profiling.image.name : NULL,
                            .program_hash = hash_program(s, hash),
                            .partial = f->partial,
                            .statistics = statistics,
                            .packed = &packed,
                            .profile = profile};
    if (!storing_add(&s->storing, &run) && s->outcome.exit_status == 0)
        s->outcome.exit_status = EXIT_BAD_INPUT;
    profile_free(profile);
    free(configuration);
    free(statistics);
    free(packed.bytes);
}

/* Reports that the profiling program was stopped. The exit status is that for bad input unless the guest has failed. */
static void print_stop(struct session *s)
{
    fputs("pcemu: ", stderr);
    stop_describe(&s->outcome.stop, stderr);
    fputc('\n', stderr);
    s->outcome.stopped_program = s->outcome.partial = true;
    if (s->outcome.exit_status == 0)
        s->outcome.exit_status = EXIT_BAD_INPUT;
}

/* The co-processor processes the remaining samples; then the driver reads the arrays. */
static void finish_program(struct session *s, struct profiling *p, struct service *service)
{
    if (s->target.core != NULL) /* the co-processor may lag behind */
        cop_advance(p->cop, core_clock(s->target.core));
    else if (s->samples.file != NULL)
        session_end_recorded(s);
    service_end(service);
    uint64_t end = cop_drain(p->cop);
    debugging_end(&s->debugging, s->options.core == CORE_SAMPLES);
    if (debugging_failed(&s->debugging) && s->outcome.exit_status == 0)
        s->outcome.exit_status = EXIT_BAD_INPUT;
    if (!s->outcome.stopped_program && cop_find_stop(p->cop, &p->image, &s->outcome.stop))
        print_stop(s);
    driver_finish(p->driver, end);
}

static void finish_profiling(struct session *s)
{
    finish_program(s, &s->profiling, &s->service);
    for (unsigned n = 1; n < GUEST_HARTS_MAX; n++)
        if (s->other_program[n] != NULL)
            finish_program(s, &s->other_program[n]->profiling, &s->other_program[n]->service);
}

/* Without a report nothing else says that the output of the guest is not complete. */
static void print_limit(const struct session *s)
{
    char number[REPORT_NUMBER];
    if (!s->outcome.partial || signals_ended_by() != 0)
        return;
    if (s->watch.stopped)
        print_message("stopped at %s, by --stop-at", s->options.stop_at);
    else if (s->options.max_insts != UINT64_MAX)
        print_message("stopped after %s instructions, by --max-insts", report_number(number, s->options.max_insts));
}

static void conclude_session(struct session *s)
{
    fflush(stdout);
    target_end(&s->target);
    plugins_check(&s->plugins);
    (void)target_renew_symbols(&s->target);
    if (s->profiling.cop != NULL)
        finish_profiling(s);
    collecting_end(&s->collecting);
    struct run_facts f = describe_run(s);
    if (s->target.core != NULL)
        observers_finish(s->observers, f.cycles, &s->target.guest.hart);
    if (s->gains != NULL && signals_ended_by() == 0 && target_retired(&s->target) != 0)
        s->gained = gains_find(s->gains, s, observers_time(s->observers), observers_graphs(s->observers));
    struct report *of_hart[GUEST_HARTS_MAX] = {NULL};
    finish_harts(s, &f, of_hart);
    if (s->profiling.driver != NULL)
        print_remarks(s, &f);
    print_devices(&f);
    warn_of_missing_program(s);
    if (s->options.report != NULL && s->options.core == CORE_FUNCTIONAL)
        print_message("-o %s: there is no profile in it: %s", s->options.report, f.no_profile);
    /* A requested report has at least its head. */
    bool writes = has_report(s) || s->options.report != NULL, collects = s->storing.to.path != NULL;
    struct program_profile *program = writes || collects ? program_of(s, &f) : NULL;
    struct report *report = writes || collects ? complete_report(s, &f, s->observers, program) : NULL;
    /* The run is stored first: an output that cannot be written ends pcemu. */
    if (collects)
        collect_results(s, &f, report, program);
    if (writes && s->outputs.report.stream == NULL)
        outfile_open_standard(&s->outputs.report, STDERR_FILENO);
    if (writes)
        conclude_write_report(s, report, &s->outputs.report);
    else
        print_limit(s);
    write_harts(s, of_hart);
    recording_conclude(&s->recording, &s->target, s->outcome.partial, &s->outputs);
    sample_recording_conclude(&s->samples, &s->target, s->outcome.partial, &s->outputs);
    watch_conclude(&s->watch, &s->options, &s->target, f.guest);
    outputs_commit(&s->outputs.bbv);
    outputs_commit(&s->outputs.report);
    if (s->outputs.stats.stream != NULL)
        (s->options.format == REPORT_AS_json ? write_stats_json : write_stats_text)(s, s->outputs.stats.stream);
    outputs_commit(&s->outputs.stats);
    report_free(report);
    program_profile_free(program);
}

/* A signal that has come since the end of the run. Those that come from here on end pcemu. */
static void note_late_signal(struct session *s)
{
    char name[ENDING_NAME];
    signals_finish();
    int signal = signals_ended_by();
    if (signal == s->outcome.signal)
        return;
    print_message("ended by %s after the run: its results are complete", ending_signal_name(signal, name));
    s->outcome.exit_status = 128 + signal;
}

/* Signals that the guest had blocked are delivered to pcemu now, unless the guest continues after its report. */
static void take_signals(struct session *s)
{
    struct guest *g = &s->target.guest;
    if (guest_has_linux(g) && (s->process == 0 || g->process->exited))
        guest_leave_signals(g);
    signals_conclude();
}

void session_conclude(struct session *s)
{
    struct guest_folder guest = start_folder_enter();
    take_signals(s);
    start_folder_free_descriptors();
    conclude_session(s);
    note_late_signal(s);
    start_folder_leave(guest);
}
