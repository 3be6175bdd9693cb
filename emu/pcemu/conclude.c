/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run leaves behind: report, statistics, pipeline log, trace. */
#include "core-model/stats.h"
#include "emu/cop_stats.h"
#include "emu/cop_stop.h"
#include "emu/pcemu/session.h"
#include "host/report/json.h"
#include "host/report/words.h"
#include "host/time_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void session_open_outputs(struct session *session)
{
    struct errmsg err;
    if (session->options.report != NULL)
        must(outfile_open(&session->report, session->options.report, &err), &err);
    if (session->options.stats != NULL)
        must(outfile_open(&session->stats, session->options.stats, &err), &err);
    if (session->options.kanata != NULL)
        must(outfile_open(&session->kanata_file, session->options.kanata, &err), &err);
    if (session->options.trace_file != NULL)
        must(outfile_open(&session->trace_file, session->options.trace_file, &err), &err);
}

static void write_stats(struct session *session, FILE *out)
{
    bool json = strcmp(session->options.format->name, "json") == 0;
    const char *between = json ? ",\n" : "\n";
    if (json) {
        json_t *machine = report_text_json(session->machine);
        fputs("{\"configuration\": ", out);
        json_dumpf(machine, out, JSON_ENCODE_ANY);
        json_decref(machine);
    } else {
        fprintf(out, "configuration %s\n", session->machine);
    }
    if (session->options.core == CORE_FUNCTIONAL)
        fprintf(out, json ? "%s\"guest\": {\"instructions\": %" PRIu64 "}" : "%sguest instructions %" PRIu64 "\n", between,
                session->guest.hart.instret);
    if (session->core != NULL) {
        fprintf(out, "%s%s", between, json ? "\"core\": " : "");
        core_print_stats(session->core, out, json);
    }
    if (session->cop != NULL) {
        fprintf(out, "%s%s", between, json ? "\"coprocessor\": " : "");
        cop_print_stats(session->cop, &session->image, out, json);
    }
    if (json)
        fputs("}\n", out);
}

static struct run_facts describe_run(const struct session *session)
{
    struct run_facts f = {
        .partial = session->partial,
        .stop = session->stopped_program ? &session->stop : NULL,
        .machine = session->machine,
        .guest = session->options.guest != NULL ? session->options.guest[0] : session->options.samples,
    };
    if (session->core != NULL) {
        f.cycles = core_cycle(session->core);
        f.instructions = core_retired(session->core);
        f.baseline_cycles = session_baseline_cycles(session);
        struct core_stats stats = core_statistics(session->core);
        f.handler_cycles = stats.page_faults == 0 ? stats.stack_handler : 0;
        f.squashed = stats.squashed_interrupt;
    }
    return f;
}

/* What makes a profile useless though nothing is wrong: nothing was to be sampled, or hardly anything but sampling was done. */
static void tell_remarks(const struct session *session, const struct run_facts *f)
{
    char number[REPORT_NUMBER];
    uint64_t offered = bus_get(&session->bus, BUS_OFFERED);
    struct driver_load load = driver_load(session->driver, f);
    if (offered > 0 && bus_get(&session->bus, BUS_FILTERED) == offered) {
        fprintf(stderr, "pcemu: there are no samples: of %s instructions none passed the filters (", report_number(number, offered));
        fputs(image_print_filters(&session->image, "; ", stderr) ? ")\n" : "there is no '.filter class')\n", stderr);
    }
    if (load.cycles > f->cycles / 2 && f->cycles > 0)
        fprintf(stderr, "pcemu: the profiling program's %s interrupts took %.1f %% of the run\n",
                report_number(number, load.interrupts), 100 * (double)load.cycles / (double)f->cycles);
}

/* The tree of what is known now: all of the run once it is over, nothing before. `times` NULL: there are no profilers
 * of time. */
static struct report *build_report(struct session *session, const struct run_facts *f, const struct time_result *times)
{
    struct report *r = report_new();
    if (session->driver != NULL)
        driver_report(session->driver, f, r);
    else
        run_facts_report(f, r);
    if (times != NULL)
        time_report(&(struct time_report){.result = times, .symbols = session->symbols}, r);
    return r;
}

void session_check_sort(struct session *session)
{
    struct errmsg err;
    struct profilers *profilers = NULL; /* of its own, as finishing ends a profile */
    const struct options *o = &session->options;
    if (o->sort == NULL || (session->driver == NULL && session->profilers == NULL))
        return;
    if (o->profile != NULL)
        must(profilers_new(&profilers, o->profile, o->seed, &err), &err);
    struct report *r =
        build_report(session, &(struct run_facts){0}, profilers != NULL ? profilers_finish(profilers, 0, NULL) : NULL);
    if (report_sort(r, o->sort, &err) != ST_OK) {
        fprintf(stderr, "pcemu: --sort: %s\n", err.text);
        exit(EXIT_BAD_INPUT);
    }
    report_free(r);
    profilers_free(profilers);
}

static void write_report(struct session *session, const struct run_facts *f, FILE *out)
{
    struct errmsg err;
    const struct options *o = &session->options;
    session_find_libraries(session);
    const struct time_result *times =
        session->profilers != NULL ? profilers_finish(session->profilers, f->cycles, &session->guest.hart) : NULL;
    struct report *r = build_report(session, f, times);
    report_find_places(r, session->symbols);
    if (o->sort != NULL && report_sort(r, o->sort, &err) != ST_OK)
        fprintf(stderr, "pcemu: --sort: %s\n", err.text); /* the report is written as it is */
    o->format->write(r, &o->view, out);
    report_free(r);
}

/* The program was bad input. A guest that failed has said so already. */
static void tell_stop(struct session *session)
{
    fputs("pcemu: ", stderr);
    stop_describe(&session->stop, stderr);
    fputc('\n', stderr);
    session->stopped_program = session->partial = true;
    if (session->exit_status == 0)
        session->exit_status = EXIT_BAD_INPUT;
}

void session_conclude(struct session *session)
{
    struct errmsg err;
    fflush(stdout);
    if (session->cop != NULL) {
        if (session->core != NULL) /* it may lag behind */
            cop_advance(session->cop, core_clock(session->core));
        session_end_service(session);
        uint64_t end = cop_drain(session->cop);
        session_end_debugging(session);
        if (cop_find_stop(session->cop, &session->image, &session->stop))
            tell_stop(session);
        driver_finish(session->driver, end);
    }
    struct run_facts f = describe_run(session);
    if (session->driver != NULL)
        tell_remarks(session, &f);
    if (session->driver != NULL || session->profilers != NULL)
        write_report(session, &f, session->report.stream != NULL ? session->report.stream : stderr);
    session_conclude_watchers(session);
    if (session->report.stream != NULL)
        must(outfile_commit(&session->report, &err), &err);
    if (session->stats.stream != NULL) {
        write_stats(session, session->stats.stream);
        must(outfile_commit(&session->stats, &err), &err);
    }
}
