/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run leaves behind: report, statistics, pipeline log, trace. */
#include "core-model/stats.h"
#include "emu/cop_stats.h"
#include "emu/cop_stop.h"
#include "emu/pcemu/lab.h"
#include "host/report.h"
#include "host/time_report.h"

#include <inttypes.h>

void lab_open_outputs(struct lab *lab)
{
    struct errmsg err;
    if (lab->options.report != NULL)
        must(outfile_open(&lab->report, lab->options.report, &err), &err);
    if (lab->options.stats != NULL)
        must(outfile_open(&lab->stats, lab->options.stats, &err), &err);
    if (lab->options.kanata != NULL)
        must(outfile_open(&lab->kanata_file, lab->options.kanata, &err), &err);
    if (lab->options.trace_file != NULL)
        must(outfile_open(&lab->trace_file, lab->options.trace_file, &err), &err);
}

static void write_stats(struct lab *lab, FILE *out)
{
    bool json = lab->options.json;
    const char *between = json ? ",\n" : "\n";
    if (json) {
        json_t *machine = report_text_json(lab->machine);
        fputs("{\"configuration\": ", out);
        json_dumpf(machine, out, JSON_ENCODE_ANY);
        json_decref(machine);
    } else {
        fprintf(out, "configuration %s\n", lab->machine);
    }
    if (lab->options.core == CORE_FUNCTIONAL)
        fprintf(out, json ? "%s\"guest\": {\"instructions\": %" PRIu64 "}" : "%sguest instructions %" PRIu64 "\n", between,
                lab->guest.hart.instret);
    if (lab->core != NULL) {
        fprintf(out, "%s%s", between, json ? "\"core\": " : "");
        core_print_stats(lab->core, out, json);
    }
    if (lab->cop != NULL) {
        fprintf(out, "%s%s", between, json ? "\"coprocessor\": " : "");
        cop_print_stats(lab->cop, &lab->image, out, json);
    }
    if (json)
        fputs("}\n", out);
}

static struct report_options describe_run(const struct lab *lab)
{
    struct report_options o = {
        .json = lab->options.json,
        .partial = lab->partial,
        .stop = lab->stopped_program ? &lab->stop : NULL,
        .top = lab->options.top,
        .machine = lab->machine,
        .guest = lab->options.guest != NULL ? lab->options.guest[0] : lab->options.samples,
    };
    if (lab->core != NULL) {
        o.cycles = core_cycle(lab->core);
        o.instructions = core_retired(lab->core);
        o.baseline_cycles = lab_baseline_cycles(lab);
        struct core_stats stats = core_statistics(lab->core);
        o.handler_cycles = stats.page_faults == 0 ? stats.stack_handler : 0;
        o.squashed = stats.squashed_interrupt;
    }
    return o;
}

/* What makes a profile useless though nothing is wrong: nothing was to be sampled, or hardly anything but sampling was done. */
static void tell_remarks(const struct lab *lab, const struct report_options *o)
{
    char number[REPORT_NUMBER];
    uint64_t offered = bus_get(&lab->bus, BUS_OFFERED);
    struct driver_load load = driver_load(lab->driver, o);
    if (offered > 0 && bus_get(&lab->bus, BUS_FILTERED) == offered) {
        fprintf(stderr, "pcemu: there are no samples: of %s instructions none passed the filters (", report_number(number, offered));
        fputs(image_print_filters(&lab->image, "; ", stderr) ? ")\n" : "there is no '.filter class')\n", stderr);
    }
    if (load.cycles > o->cycles / 2 && o->cycles > 0)
        fprintf(stderr, "pcemu: the profiling program's %s interrupts took %.1f %% of the run\n", report_number(number, load.interrupts),
                100 * (double)load.cycles / (double)o->cycles);
}

static void write_report(struct lab *lab, struct report_options *o, FILE *out)
{
    lab_find_libraries(lab);
    struct time_report times = {.symbols = lab->symbols};
    if (lab->profilers != NULL) {
        times.result = profilers_finish(lab->profilers, o->cycles, &lab->guest.hart);
        o->more.ctx = &times;
        o->more.write = time_report_section;
    }
    if (lab->driver != NULL)
        driver_report(lab->driver, o, out);
    else
        time_report_write(&times, o, out);
}

/* The program was bad input. A guest that failed has said so already. */
static void tell_stop(struct lab *lab)
{
    fputs("pcemu: ", stderr);
    stop_describe(&lab->stop, stderr);
    fputc('\n', stderr);
    lab->stopped_program = lab->partial = true;
    if (lab->exit_status == 0)
        lab->exit_status = EXIT_BAD_INPUT;
}

void lab_conclude(struct lab *lab)
{
    struct errmsg err;
    fflush(stdout);
    if (lab->cop != NULL) {
        if (lab->core != NULL) /* it may lag behind */
            cop_advance(lab->cop, core_clock(lab->core));
        lab_end_service(lab);
        uint64_t end = cop_drain(lab->cop);
        lab_end_debugging(lab);
        if (cop_find_stop(lab->cop, &lab->image, &lab->stop))
            tell_stop(lab);
        driver_finish(lab->driver, end);
    }
    struct report_options o = describe_run(lab);
    if (lab->driver != NULL)
        tell_remarks(lab, &o);
    if (lab->driver != NULL || lab->profilers != NULL)
        write_report(lab, &o, lab->report.stream != NULL ? lab->report.stream : stderr);
    lab_conclude_watchers(lab);
    if (lab->report.stream != NULL)
        must(outfile_commit(&lab->report, &err), &err);
    if (lab->stats.stream != NULL) {
        write_stats(lab, lab->stats.stream);
        must(outfile_commit(&lab->stats, &err), &err);
    }
}
