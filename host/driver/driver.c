/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The common part of all drivers: selecting the driver of a program, loading and starting it, reading the reason of
 * an interrupt, and the head of the report. */
#include "host/driver/driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/driver/bus_counter.h"
#include "host/driver/driver_ops.h"
#include "host/report/words.h"
#include "isa/sample.h"

/* The first matching row is the program's driver. */
static const struct driver_ops *const drivers[] = {
#define DRIVER(symbol) &symbol##_driver_ops,
#include "host/driver/drivers.def"
};

struct driver {
    const struct driver_ops *ops;
    void *self;
    struct driver_env env; /* its bus counts accesses */
    struct bus_counter counter;
    struct host_clock clock;
    uint64_t interrupts;
    /* The statistics registers of all harts' co-processors, after driver_add: `sum` reads their sums. */
    struct bus sum;
    const struct bus *summed[SAMPLE_HARTS_MAX];
    unsigned summands;
};

static const struct driver_ops *driver_choose(const char *program)
{
    size_t i = 0;
    while (drivers[i]->program != NULL && strcmp(drivers[i]->program, program) != 0)
        i++;
    return drivers[i];
}

enum status driver_new(struct driver **out, const struct driver_env *env, struct errmsg *err)
{
    struct driver *d = xcalloc(1, sizeof *d);
    host_clock_init(&d->clock, env->cost);
    bus_counter_init(&d->counter, env->bus, &d->clock);
    d->env = *env;
    d->env.bus = &d->counter.bus;
    d->env.statistics = d->counter.target;
    d->env.cost = &d->clock.cost;
    d->env.clock = &d->clock;
    d->ops = driver_choose(env->image->name);
    enum status st = d->ops->create(&d->self, &d->env, err);
    if (st == ST_OK)
        st = bus_load_program(d->env.bus, env->image, err);
    if (st != ST_OK) {
        driver_free(d);
        return st;
    }
    bus_put(d->env.bus, BUS_COMMAND, BUS_RESTART);
    *out = d;
    return ST_OK;
}

void driver_free(struct driver *d)
{
    if (d == NULL)
        return;
    if (d->self != NULL)
        d->ops->destroy(d->self);
    free(d);
}

static unsigned status_word(uint64_t status) { return status >> 8 & (ISA_WORDS - 1); }

uint64_t driver_interrupt(struct driver *d, uint64_t raised, uint64_t taken)
{
    host_clock_enter(&d->clock, raised, taken);
    uint64_t status = bus_get(d->env.bus, BUS_STATUS);
    if (status_state(status) ==
        BUS_INTERRUPT) { /* otherwise a fault of the program, which remains halted; the report shows it */
        d->interrupts++;
        d->ops->interrupt(d->self, status_word(status), taken);
    }
    return host_clock_leave(&d->clock);
}

bool driver_wants_timer(const struct driver *d, uint64_t cycle)
{
    return d->ops->due != NULL && cycle >= d->ops->due(d->self);
}

uint64_t driver_timer(struct driver *d, uint64_t raised, uint64_t taken)
{
    host_clock_enter(&d->clock, raised, taken);
    d->interrupts++;
    d->ops->timer(d->self, taken);
    return host_clock_leave(&d->clock);
}

void driver_stop_clock(struct driver *d) { d->clock.stopped = true; }

void driver_finish(struct driver *d, uint64_t cycle) { d->ops->finish(d->self, cycle); }

static enum status read_sum(void *ctx, uint32_t address, uint64_t *value)
{
    const struct driver *d = ctx;
    *value = 0;
    for (unsigned n = 0; n < d->summands; n++)
        *value += bus_get(d->summed[n], (enum bus_address)address);
    return ST_OK;
}

bool driver_can_add(const struct driver *d) { return d->ops->add != NULL; }

void driver_add(struct driver *d, const struct driver *other)
{
    if (d->summands == 0)
        d->summed[d->summands++] = d->env.statistics;
    if (d->summands == SAMPLE_HARTS_MAX)
        BUG("more than %d harts", SAMPLE_HARTS_MAX);
    d->summed[d->summands++] = other->env.statistics;
    d->sum = (struct bus){.ctx = d, .read = read_sum};
    d->env.statistics = &d->sum;
    d->interrupts += other->interrupts;
    d->counter.reads += other->counter.reads;
    d->counter.writes += other->counter.writes;
    host_account_add(&d->clock.account, &other->clock.account);
    d->ops->add(d->self, other->self);
}

static void report_drop(struct report *r, const struct bus *bus, enum bus_address count, const char *label,
                        const char *note)
{
    report_count(r, bus_find(count)->name, label, bus_get(bus, count), NULL);
    report_unit(r, "samples");
    if (note[0] != '\0')
        report_remark(r, note);
}

/* Remark if the sampler has delivered no sample: its period and the length of the run. */
static void remark_period(const struct image *im, uint64_t cycles, struct report *r)
{
    struct sampler_setup setup = image_sampler(im);
    int option = sampler_find_option(setup.sampler, "period");
    char period[REPORT_NUMBER], run[REPORT_NUMBER], words[160];
    if (option < 0)
        return;
    snprintf(words, sizeof words, "(the sampler's period is %s %s, the run has %s cycles)",
             report_number(period, sampler_period(&setup)), samplers[setup.sampler].option[option].unit,
             report_number(run, cycles));
    report_remark(r, words);
}

/* Reports the samples processed and dropped, or the reason if there are none. */
static void driver_report_samples(const struct driver *d, const struct run_facts *f, struct report *r)
{
    const struct bus *bus = d->env.statistics;
    uint64_t offered = bus_get(bus, BUS_OFFERED), filtered = bus_get(bus, BUS_FILTERED),
             delivered = bus_get(bus, BUS_DELIVERED), dropped = bus_get(bus, BUS_DROPPED);
    report_tally(r, "processed", "samples processed", bus_get(bus, BUS_PROCESSED), "samples");
    if (filtered == offered && offered != 0)
        report_remark(r, "(no instruction of {offered} passes the filters)");
    else if (delivered == 0 && f->cycles != 0)
        remark_period(d->env.image, f->cycles, r);
    report_tally(r, "dropped", "  dropped", dropped, "samples");
    if (dropped != 0)
        report_remark(r, d->ops->of_shares ? "({dropped_share} of those delivered; shares do not depend on them)"
                                           : "({dropped_share} of those delivered)");
    report_share(r, "dropped_share", NULL, delivered != 0 ? (double)dropped / (double)delivered : 0, 2);
}

/* Advice for samples that are delivered faster than the program processes them. */
static const char *remedy_rate(const struct image *im)
{
    if (im->sampler.sampler == SAMPLER_RETIRE)
        return "They came faster than the program processes them: pcasm --cost lists the cycles of a sample. Fewer "
               "pass a narrower '.filter', of classes or addresses; a larger buffer (--set cop_buffer_bytes=N) absorbs "
               "bursts.";
    if (image_find_param(im, "period") >= 0)
        return "They came faster than the program processes them: pcasm --cost lists the cycles of a sample. Fewer "
               "come "
               "with a longer sample interval (--param period=N).";
    return "They came faster than the program processes them: pcasm --cost lists the cycles of a sample. Fewer come "
           "with a "
           "longer sample interval (--sampler NAME:period=N).";
}

/* Advice for samples dropped while the driver had halted the co-processor. */
static const char remedy_halted[] =
    "They came while the driver had halted the co-processor to read its slots. With more slots it is halted less often "
    "(pcasm -D SLOTS=N, --set cop_cam_entries=N, --set cop_data_rows=N).";

/* Adds a warning with advice if a considerable share of the samples was dropped. */
static void note_drops(const struct driver *d, const struct run_facts *f, struct report *r)
{
    const struct bus *bus = d->env.statistics;
    uint64_t dropped = bus_get(bus, BUS_DROPPED), halted = bus_get(bus, BUS_DROPPED_HALTED);
    if (dropped * 10 <= bus_get(bus, BUS_DELIVERED) || (d->ops->of_shares && f->stop == NULL))
        return;
    if (f->stop != NULL) {
        report_note(r,
                    "Warning: {dropped_share} of the samples were dropped, among them all behind the sample at which "
                    "the program was stopped. Its counts end there.");
        return;
    }
    char *words = xasprintf("Warning: {dropped_share} of the samples were dropped. %s --set cop_ideal=yes --set "
                            "host_free=yes shows the profile without drops.",
                            halted * 2 > dropped ? remedy_halted : remedy_rate(d->env.image));
    report_note(r, words);
    free(words);
}

/* Warns of a sampler that lost so many selections that instructions behind one in flight are under-represented. */
static void driver_note_lost(const struct driver *d, struct report *r)
{
    const struct sampler_selections *s = d->env.selections;
    if (s == NULL || s->lost * 100 <= s->selected)
        return;
    char *words = xasprintf("Warning: %.1f %% of the selections found the sampler's registers in use, so instructions "
                            "fetched behind a sample in flight are under-represented; a longer sample interval (%s) "
                            "loses fewer.",
                            100 * (double)s->lost / (double)s->selected,
                            image_find_param(d->env.image, "period") >= 0 ? "--param period=N"
                                                                          : "--sampler NAME:period=N");
    report_note(r, words);
    free(words);
}

/* Reports the data path from the instructions at the filters to the samples at the co-processor. */
static void report_sample_path(const struct driver *d, struct report *r)
{
    const struct bus *bus = d->env.statistics;
    report_tally(r, "offered", "instructions offered", bus_get(bus, BUS_OFFERED), "instructions");
    report_remark(r, "(seen by the filters)");
    report_tally(r, "filtered", "  held back by filters", bus_get(bus, BUS_FILTERED), "instructions");
    report_tally(r, "delivered", "samples delivered", bus_get(bus, BUS_DELIVERED), "samples");
    report_remark(r, d->env.image->sampler.sampler == SAMPLER_RETIRE ? "(tagged and retired)" : "(by the sampler)");
#define DROP(sym, label, note, text) report_drop(r, bus, BUS_DROPPED_##sym, "  dropped, " label, note);
#include "isa/drop.def"
}

/* Reports the work on tables by kind; the text form shows only the cycles. */
static void report_work(const struct host_account *a, struct report *r)
{
    struct report *work = report_section(r, "handler_work");
#define HOST_WORK(sym, key, def, max, help, source) report_count(work, #key, NULL, a->work[HOST_##sym], "pieces");
#include "contract/host_cost.def"
}

struct driver_load driver_load(const struct driver *d, const struct run_facts *f)
{
    return (struct driver_load){d->interrupts,
                                f->handler_cycles != 0 ? f->handler_cycles : host_account_cycles(&d->clock.account)};
}

/* Reports the overhead: interrupts, and their share of the cycles. */
static void report_overhead(const struct driver *d, const struct run_facts *f, struct report *r)
{
    report_tally(r, "interrupts", "interrupts", d->interrupts, "interrupts");
    if (f->cycles != 0)
        report_share(d->interrupts != 0 ? r : report_details(r), "handler_share", "  cycles in handlers",
                     (double)driver_load(d, f).cycles / (double)f->cycles, 3);
    if (f->baseline_cycles == 0)
        return;
    report_count(r, "baseline_cycles", "without profiling", f->baseline_cycles, "cycles");
    report_share(r, "overhead", "  with it, more by", (double)f->cycles / (double)f->baseline_cycles - 1, 3);
}

/* Reports the handlers' cycles by component, in total and per interrupt. */
static void report_handlers(const struct driver *d, const struct run_facts *f, struct report *r)
{
    const struct host_account *a = &d->clock.account;
    report_count(r, "handler_cycles", "handlers", host_account_cycles(a), "cycles");
    report_tally(r, "handler_entry_exit_cycles", "  entry and exit", a->entry_exit_cycles, "cycles");
    report_tally(r, "handler_bus_cycles", "  bus", a->bus_cycles, "cycles");
    report_tally(r, "handler_table_cycles", "  tables", a->work_cycles, "cycles");
    report_work(a, r);
    if (f->cycles != 0)
        report_count(r, "handler_squashed", "  squashed", f->squashed, "instructions");
    if (a->services == 0)
        return;
    report_count(r, "delivery_cycles_each", "  each was taken after", a->delivery_cycles / a->services, "cycles");
    report_count(r, "handler_cycles_each", "  and served in", host_account_cycles(a) / a->services, "cycles");
    report_count(r, "handler_accesses_each", "    by", (a->reads + a->writes) / a->services, "bus accesses");
}

static void report_bus(const struct driver *d, struct report *r)
{
    const struct host_account *a = &d->clock.account;
    report_count(r, "bus_reads", "bus accesses", d->counter.reads, "reads");
    report_count(r, "bus_writes", "", d->counter.writes, "writes");
    report_count(r, "handler_reads", "  by handlers", a->reads, "reads");
    report_count(r, "handler_writes", "", a->writes, "writes");
}

/* Reports the program's parameters, if it has any. A negative value is written as a hexadecimal number in JSON. */
static void report_params(const struct image *im, struct report *r)
{
    char text[IMAGE_PARAMS * (IMAGE_NAME + 24)];
    size_t used = 0;
    if (im->params == 0)
        return;
    struct report *params = report_section(r, "parameters");
    for (unsigned i = 0; i < im->params; i++) {
        const struct image_param *p = &im->param[i];
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s=%lld", i > 0 ? ", " : "", p->name,
                                 (long long)p->value);
        if (p->value <= INT64_MAX)
            report_count(params, p->name, NULL, p->value, NULL);
        else
            report_hex(params, p->name, NULL, p->value);
    }
    report_text(r, NULL, "parameters", text);
}

/* Reports the sampler, unless it is the default one. */
static void report_sampler(const struct image *im, struct report *r)
{
    struct sampler_setup setup = image_sampler(im);
    if (setup.sampler == SAMPLER_RETIRE)
        return;
    char *text = sampler_text(&setup);
    report_text(r, "sampler", "sampler", text);
    free(text);
}

struct program_profile *driver_profile(struct driver *d)
{
    struct program_profile *p = xcalloc(1, sizeof *p);
    p->label = d->env.image->name;
    if (d->ops->profile != NULL)
        d->ops->profile(d->self, p);
    return p;
}

void driver_report(struct driver *d, const struct program_profile *p, const struct run_facts *f, struct report *r)
{
    report_text(r, "program", "profiling program", p->label);
    run_facts_report_run(f, r);
    report_sampler(d->env.image, r);
    report_params(d->env.image, r);
    run_facts_report_end(f, r);
    driver_report_samples(d, f, r);
    report_overhead(d, f, r);
    note_drops(d, f, r);
    driver_note_lost(d, r);
    if (d->ops->report != NULL)
        d->ops->report(d->self, p, r);
}

void driver_report_details(const struct driver *d, const struct run_facts *f, struct report *r)
{
    struct report *details = report_details(r);
    report_note(details, "Samples, bus accesses and handlers:");
    report_sample_path(d, details);
    report_bus(d, details);
    report_handlers(d, f, details);
}
