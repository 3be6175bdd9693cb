/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all drivers have in common: choosing one for a program, loading and starting it, looking at why the
 * co-processor stopped, and the head of the report. Entry points: driver.h. */
#include "host/driver.h"

#include <stdlib.h>
#include <string.h>

#include "host/bus_counter.h"
#include "host/driver_ops.h"

/* The first row that fits serves the program. */
static const struct driver_ops *const drivers[] = {
    &value_driver_ops,
    &simple_driver_ops,
    &generic_driver_ops,
};

struct driver {
    const struct driver_ops *ops;
    void *self;
    struct driver_env env; /* with the counting bus */
    struct bus_counter counter;
    struct host_clock clock;
    uint64_t interrupts;
};

static const struct driver_ops *choose(const char *program)
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
    d->env.clock = &d->clock;
    d->ops = choose(env->image->name);
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

enum status driver_find_param(const struct image *im, const char *name, uint64_t otherwise, uint64_t max,
                              uint64_t *value, struct errmsg *err)
{
    *value = image_param_value(im, name, otherwise);
    if (*value <= max)
        return ST_OK;
    return fail(err, ST_INPUT, "program %s: parameter %s is %lld, expected 0 to %llu", im->name, name,
                (long long)*value, (unsigned long long)max);
}

void driver_free(struct driver *d)
{
    if (d == NULL)
        return;
    if (d->self != NULL)
        d->ops->destroy(d->self);
    free(d);
}

static unsigned status_state(uint64_t status) { return status & 7; }
static unsigned status_word(uint64_t status) { return status >> 8 & (ISA_WORDS - 1); }

uint64_t driver_interrupt(struct driver *d, uint64_t raised, uint64_t taken)
{
    host_clock_enter(&d->clock, raised, taken);
    uint64_t status = bus_get(d->env.bus, BUS_STATUS);
    if (status_state(status) == BUS_INTERRUPT) { /* or a fault of the program, which stays halted for the report to tell */
        d->interrupts++;
        d->ops->interrupt(d->self, status_word(status), taken);
    }
    return host_clock_leave(&d->clock);
}

bool driver_wants_timer(const struct driver *d, uint64_t cycle) { return d->ops->due != NULL && cycle >= d->ops->due(d->self); }

uint64_t driver_timer(struct driver *d, uint64_t raised, uint64_t taken)
{
    host_clock_enter(&d->clock, raised, taken);
    d->interrupts++;
    d->ops->timer(d->self, taken);
    return host_clock_leave(&d->clock);
}

void driver_stop_clock(struct driver *d) { d->clock.stopped = true; }

void driver_finish(struct driver *d, uint64_t cycle) { d->ops->finish(d->self, cycle); }

/* What was dropped, and why. */
static void report_drops(const struct bus *bus, uint64_t delivered, struct report *r)
{
    uint64_t dropped = bus_get(bus, BUS_DROPPED);
    double share = delivered != 0 ? (double)dropped / (double)delivered : 0;
    char words[64];
    snprintf(words, sizeof words, "(%.2f %% of those delivered)", 100 * share);
    report_count(r, "dropped", "  dropped", dropped, dropped != 0 ? words : "");
    if (r->root != NULL)
        json_object_set_new(r->root, "dropped_share", json_real(share));
    if (r->root == NULL && dropped == 0)
        return;
#define DROP(sym, label, note, text) \
    report_count(r, bus_find(BUS_DROPPED_##sym)->name, "    " label, bus_get(bus, BUS_DROPPED_##sym), note);
#include "isa/contract/drop.def"
#undef DROP
}

/* The statistics registers are read past the counter: they are for the reader of the report, not a part of profiling. */
static void report_samples(const struct driver *d, struct report *r)
{
    const struct bus *bus = d->counter.target;
    uint64_t offered = bus_get(bus, BUS_OFFERED), filtered = bus_get(bus, BUS_FILTERED);
    report_count(r, "offered", "instructions offered", offered, "(seen by the filters)");
    report_count(r, "filtered", "  held back by filters", filtered, filtered == offered && offered != 0 ? "(all of them: no sample comes)" : "");
    uint64_t delivered = bus_get(bus, BUS_DELIVERED);
    report_count(r, "delivered", "samples delivered", delivered, "(tagged and retired)");
    report_drops(bus, delivered, r);
    report_count(r, "processed", "  processed", bus_get(bus, BUS_PROCESSED), "");
}

/* The sample that a program was stopped at. */
static void report_stop_sample(const struct program_stop *s, struct report *r)
{
    json_t *fields = json_object();
    report_count(r, "fault_sample", "  sample", s->sample, "");
    report_string(r, "fault_class", "    class", opclass_name(s->opclass));
    report_count(r, "fault_cycle", "    of cycle", s->cycle, "");
    for (unsigned i = 0; i < s->fields; i++) {
        json_t *value = report_hex_json(s->field[i]);
        report_line(r, "    %-20s %15s", s->name[i], json_string_value(value));
        json_object_set_new(fields, s->name[i], value);
    }
    if (r->root != NULL)
        json_object_set(r->root, "fault_fields", fields);
    json_decref(fields);
}

/* What the program has done that stopped it for good. */
static void report_stop(const struct program_stop *s, struct report *r)
{
    const char *why = s->state == BUS_RUNAWAY ? "as a runaway: it does not finish its sample"
                      : s->no_entry           ? "by a sample whose class has no entry"
                                              : "by an illegal microinstruction";
    report_string(r, "fault", "STOPPED", why);
    report_count(r, "fault_word", "  at word", s->word, s->text);
    if (r->root != NULL)
        json_object_set_new(r->root, "fault_text", report_text_json(s->text));
    report_count(r, "fault_words", "  words for its sample", s->words, "");
    report_count(r, "fault_limit", "    at most", s->limit, "(cop_runaway_words)");
    if (s->has_sample)
        report_stop_sample(s, r);
}

/* Work on tables by its kind; in JSON alone. */
static json_t *work_json(const struct host_account *a)
{
    json_t *j = json_object();
#define HOST_COST(key, def, min, max, unit, help, source)
#define HOST_WORK(sym, key, def, max, help, source) json_object_set_new(j, #key, json_integer((json_int_t)a->work[HOST_##sym]));
#include "isa/contract/host_cost.def"
#undef HOST_WORK
#undef HOST_COST
    return j;
}

struct driver_load driver_load(const struct driver *d, const struct report_options *o)
{
    return (struct driver_load){d->interrupts, o->handler_cycles != 0 ? o->handler_cycles : host_account_cycles(&d->clock.account)};
}

static void report_handlers(const struct driver *d, struct report *r)
{
    const struct host_account *a = &d->clock.account;
    const struct report_options *o = r->options;
    report_count(r, "handler_reads", "  by handlers", a->reads, "reads");
    report_count(r, "handler_writes", "", a->writes, "writes");
    report_count(r, "handler_cycles", "handlers", host_account_cycles(a), "cycles");
    report_count(r, "handler_entry_exit_cycles", "  entry and exit", a->entry_exit_cycles, "");
    report_count(r, "handler_bus_cycles", "  bus", a->bus_cycles, "");
    report_count(r, "handler_table_cycles", "  tables", a->work_cycles, "");
    if (r->root != NULL)
        json_object_set_new(r->root, "handler_work", work_json(a));
    if (o->cycles != 0) {
        report_share(r, "handler_share", "  of the run", (double)driver_load(d, o).cycles / (double)o->cycles, 3);
        report_count(r, "handler_squashed", "  squashed", o->squashed, "instructions");
    }
}

/* What profiling took: measured, in all, of the run, and for each interrupt. */
static void report_overhead(const struct driver *d, struct report *r)
{
    const struct host_account *a = &d->clock.account;
    const struct report_options *o = r->options;
    if (o->baseline_cycles != 0) {
        report_count(r, "baseline_cycles", "without profiling", o->baseline_cycles, "cycles");
        report_share(r, "overhead", "  with it, more by", (double)o->cycles / (double)o->baseline_cycles - 1, 3);
    }
    report_count(r, "bus_reads", "bus accesses", d->counter.reads, "reads");
    report_count(r, "bus_writes", "", d->counter.writes, "writes");
    if (a->services != 0 || r->root != NULL)
        report_handlers(d, r);
    report_count(r, "interrupts", "interrupts", d->interrupts, "");
    if (a->services == 0)
        return;
    report_count(r, "delivery_cycles_each", "  each was taken after", a->delivery_cycles / a->services, "cycles");
    report_count(r, "handler_cycles_each", "  and served in", host_account_cycles(a) / a->services, "cycles");
    report_count(r, "handler_accesses_each", "    by", (a->reads + a->writes) / a->services, "bus accesses");
}

/* The parameters in force; nothing for a program without any. */
static void report_params(const struct image *im, struct report *r)
{
    char text[IMAGE_PARAMS * (IMAGE_NAME + 24)];
    json_t *params = json_object();
    size_t used = 0;
    for (unsigned i = 0; i < im->params; i++) {
        const struct image_param *p = &im->param[i];
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s=%lld", i > 0 ? ", " : "", p->name,
                                 (long long)p->value);
        json_object_set_new(params, p->name, json_integer((json_int_t)p->value));
    }
    if (im->params != 0)
        report_string(r, NULL, "parameters", text);
    if (r->root != NULL && im->params != 0)
        json_object_set(r->root, "parameters", params);
    json_decref(params);
}

void driver_report(struct driver *d, const struct report_options *o, FILE *out)
{
    struct report r;
    report_begin(&r, o, out);
    report_string(&r, "program", "profiling program", d->env.image->name);
    report_head(&r);
    report_params(d->env.image, &r);
    if (o->stop != NULL)
        report_stop(o->stop, &r);
    report_partial(&r, o->stop == NULL);
    report_samples(d, &r);
    report_overhead(d, &r);
    d->ops->report(d->self, &r);
    if (o->more.write != NULL)
        o->more.write(o->more.ctx, &r);
    report_end(&r);
}
