/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run leaves behind: report, statistics, pipeline log, trace. */
#include "core-model/stats.h"
#include "emu/cop_stats.h"
#include "emu/cop_stop.h"
#include "emu/pcemu/session.h"
#include "host/report.h"
#include "host/time_report.h"

#include <inttypes.h>

static void write_stats(struct session *s, FILE *out)
{
    bool json = s->options.format == OUTPUT_JSON;
    const char *between = json ? ",\n" : "\n";
    if (json) {
        json_t *machine = report_text_json(s->machine.name);
        fputs("{\"configuration\": ", out);
        json_dumpf(machine, out, JSON_ENCODE_ANY);
        json_decref(machine);
    } else {
        fprintf(out, "configuration %s\n", s->machine.name);
    }
    if (s->options.core == CORE_FUNCTIONAL)
        fprintf(out, json ? "%s\"guest\": {\"instructions\": %" PRIu64 "}" : "%sguest instructions %" PRIu64 "\n", between,
                s->target.guest.hart.instret);
    if (s->target.core != NULL) {
        fprintf(out, "%s%s", between, json ? "\"core\": " : "");
        core_print_stats(s->target.core, out, json);
    }
    if (s->profiling.cop != NULL) {
        fprintf(out, "%s%s", between, json ? "\"coprocessor\": " : "");
        cop_print_stats(s->profiling.cop, &s->profiling.image, out, json);
    }
    if (json)
        fputs("}\n", out);
}

static struct report_options describe_run(const struct session *s)
{
    struct report_options o = {
        .json = s->options.format == OUTPUT_JSON,
        .partial = s->outcome.partial,
        .stop = s->outcome.stopped_program ? &s->outcome.stop : NULL,
        .top = (unsigned)s->options.top, /* the option's largest value fits */
        .machine = s->machine.name,
        .guest = s->options.guest != NULL ? s->options.guest[0] : s->options.samples,
    };
    if (s->target.core != NULL) {
        o.cycles = core_cycle(s->target.core);
        o.instructions = core_retired(s->target.core);
        o.baseline_cycles = baseline_cycles(&s->baseline, o.instructions);
        struct core_stats stats = core_statistics(s->target.core);
        o.handler_cycles = stats.page_faults == 0 ? stats.stack_handler : 0;
        o.squashed = stats.squashed_interrupt;
    }
    return o;
}

/* What makes a profile useless though nothing is wrong: nothing was to be sampled, or hardly anything but sampling was done. */
static void tell_remarks(const struct session *s, const struct report_options *o)
{
    char number[REPORT_NUMBER];
    uint64_t offered = bus_get(&s->profiling.bus, BUS_OFFERED);
    struct driver_load load = driver_load(s->profiling.driver, o);
    if (offered > 0 && bus_get(&s->profiling.bus, BUS_FILTERED) == offered) {
        fprintf(stderr, "pcemu: there are no samples: of %s instructions none passed the filters (", report_number(number, offered));
        fputs(image_print_filters(&s->profiling.image, "; ", stderr) ? ")\n" : "there is no '.filter class')\n", stderr);
    }
    if (load.cycles > o->cycles / 2 && o->cycles > 0)
        fprintf(stderr, "pcemu: the profiling program's %s interrupts took %.1f %% of the run\n", report_number(number, load.interrupts),
                100 * (double)load.cycles / (double)o->cycles);
}

static void write_report(struct session *s, struct report_options *o, FILE *out)
{
    target_find_libraries(&s->target);
    struct time_report times = {.symbols = s->target.symbols};
    times.result = observers_time(s->observers);
    if (times.result != NULL) {
        o->more.ctx = &times;
        o->more.write = time_report_section;
    }
    if (s->profiling.driver != NULL)
        driver_report(s->profiling.driver, o, out);
    else
        time_report_write(&times, o, out);
}

/* The program was bad input. A guest that failed has said so already. */
static void tell_stop(struct session *s)
{
    fputs("pcemu: ", stderr);
    stop_describe(&s->outcome.stop, stderr);
    fputc('\n', stderr);
    s->outcome.stopped_program = s->outcome.partial = true;
    if (s->outcome.exit_status == 0)
        s->outcome.exit_status = EXIT_BAD_INPUT;
}

/* The co-processor works off its samples, and the driver reads what the arrays still hold. */
static void finish_profiling(struct session *s)
{
    struct profiling *p = &s->profiling;
    if (s->target.core != NULL) /* the co-processor may lag behind */
        cop_advance(p->cop, core_clock(s->target.core));
    service_end(&s->service);
    uint64_t end = cop_drain(p->cop);
    debugging_end(&s->debugging, s->options.core == CORE_SAMPLES);
    if (cop_find_stop(p->cop, &p->image, &s->outcome.stop))
        tell_stop(s);
    driver_finish(p->driver, end);
}

void session_conclude(struct session *s)
{
    fflush(stdout);
    if (s->profiling.cop != NULL)
        finish_profiling(s);
    struct report_options o = describe_run(s);
    if (s->target.core != NULL)
        observers_finish(s->observers, o.cycles, &s->target.guest.hart);
    if (s->profiling.driver != NULL)
        tell_remarks(s, &o);
    if (s->profiling.driver != NULL || observers_time(s->observers) != NULL)
        write_report(s, &o, s->outputs.report.stream != NULL ? s->outputs.report.stream : stderr);
    watch_conclude(&s->watch, &s->options, s->target.core);
    outputs_commit(&s->outputs.report);
    if (s->outputs.stats.stream != NULL)
        write_stats(s, s->outputs.stats.stream);
    outputs_commit(&s->outputs.stats);
}
