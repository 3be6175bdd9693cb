/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "emu/cop_trace.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

#include "emu/cop_inspect.h"
#include "emu/cop_watch.h"

struct cop_trace {
    struct cop_trace_config config;
    uint64_t idle_from; /* core cycle in which the current wait for a sample began */
    size_t length;
    char line[2048]; /* written as a whole, because standard error is unbuffered */
};

static void cop_trace_say(struct cop_trace *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void cop_trace_say(struct cop_trace *t, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    t->length += (size_t)vsnprintf(t->line + t->length, sizeof t->line - t->length, fmt, args);
    va_end(args);
    if (t->length > sizeof t->line - 2)
        BUG("a line of %zu characters", t->length);
}

/* Begins a line if the cycle is inside the trace window; else returns false. */
static bool cop_trace_begin(struct cop_trace *t, uint64_t cycle, const char *what)
{
    if (cycle < t->config.from || cycle >= t->config.to)
        return false;
    t->length = 0;
    cop_trace_say(t, "%10" PRIu64 " %-9s", cycle, what);
    return true;
}

static void cop_trace_end(struct cop_trace *t)
{
    while (t->line[t->length - 1] == ' ')
        t->length--;
    t->line[t->length++] = '\n';
    fwrite(t->line, 1, t->length, t->config.out);
}

static void say_place(struct cop_trace *t, enum bus_address region, unsigned element)
{
    const struct cop_place place = {region, element};
    t->length += (size_t)cop_print_place(t->line + t->length, sizeof t->line - t->length, t->config.image, &place);
}

/* Appends the units' operands and the results that are not written to a register or array. */
static void cop_trace_print_units(struct cop_trace *t, const struct cop_step *s)
{
    const struct uop *u = s->uop;
    struct isa_use use = isa_uses(u, t->config.image->wide);
    size_t before = t->length;
    cop_trace_say(t, " ;");
    size_t nothing = t->length;
    if (use.a)
        cop_trace_say(t, " a=0x%" PRIx64, s->units.a);
    if (use.b)
        cop_trace_say(t, " b=0x%" PRIx64, s->units.b);
    if (u->cam == CAM_MATCH)
        cop_trace_say(t, s->units.entry >= 0 ? " entry=%d" : " miss", s->units.entry);
    if (u->data != DATA_NONE)
        cop_trace_say(t, " row=%u lane=0x%" PRIx64, s->units.address & (cop_elements(t->config.cop, BUS_DATA) - 1),
                      s->units.lane);
    if (use.result)
        cop_trace_say(t, " alu=0x%" PRIx64 "%s", s->units.alu, s->units.clipped ? " clipped" : "");
    if (t->length == nothing)
        t->length = before;
}

static void cop_trace_print_writes(struct cop_trace *t, const struct cop_step *s)
{
    for (unsigned i = 0; i < s->writes; i++) {
        cop_trace_say(t, "%s", i == 0 ? " ; " : ", ");
        say_place(t, s->write[i].region, s->write[i].element);
        cop_trace_say(t, " 0x%" PRIx64 " -> 0x%" PRIx64, s->write[i].before, s->write[i].after);
    }
}

static void on_word(void *ctx, const struct cop_step *s)
{
    struct cop_trace *t = ctx;
    char text[256];
    struct image_names store;
    const struct isa_names names = image_names(t->config.image, &store);
    if (!cop_trace_begin(t, s->cycle, "word"))
        return;
    const char *label = t->config.image->label[s->pc];
    isa_print(text, sizeof text, s->uop, s->pc, &names);
    cop_trace_say(t, "%2u %s%s%s", s->pc, label, label[0] != '\0' ? ": " : "", text);
    cop_trace_print_units(t, s);
    cop_trace_print_writes(t, s);
    if (s->branch)
        cop_trace_say(t, " ; %s, predicted %s", s->taken ? "taken" : "not taken",
                      s->predicted_right ? "right" : "wrong");
    cop_trace_end(t);
}

static void on_bubble(void *ctx, uint64_t cycle)
{
    if (cop_trace_begin(ctx, cycle, "bubble"))
        cop_trace_end(ctx);
}

static void cop_trace_on_delivered(void *ctx, const struct cop_arrival *a)
{
    struct cop_trace *t = ctx;
    if (!cop_trace_begin(t, a->cycle, "sample"))
        return;
    cop_trace_say(t, "%s", opclass_name(a->opclass));
    for (unsigned i = 0; i < a->fields; i++) {
        cop_trace_say(t, " ");
        say_place(t, BUS_HEAD, i);
        cop_trace_say(t, "=0x%" PRIx64, a->field[i]);
    }
    cop_trace_say(t, " ; readable in %" PRIu64 ", %u queued", a->readable, a->queued);
    cop_trace_end(t);
}

static void cop_trace_on_dropped(void *ctx, const struct sample *s, enum cop_drop why)
{
    struct cop_trace *t = ctx;
    static const char *const reasons[] = {
#define DROP(sym, label, note, text) text,
#include "isa/drop.def"
    };
    if (!cop_trace_begin(t, s->cycle, "drop"))
        return;
    cop_trace_say(t, "%s ; %s", opclass_name(s->opclass), reasons[why]);
    cop_trace_end(t);
}

static void cop_trace_on_dispatched(void *ctx, uint64_t cycle, enum opclass opclass)
{
    struct cop_trace *t = ctx;
    if (!cop_trace_begin(t, cycle, "dispatch"))
        return;
    cop_trace_say(t, "%s", opclass_name(opclass));
    if (cycle > t->idle_from)
        cop_trace_say(t, " ; waited %" PRIu64, cycle - t->idle_from);
    cop_trace_end(t);
}

static void cop_trace_on_done(void *ctx, uint64_t cycle)
{
    struct cop_trace *t = ctx;
    t->idle_from = cycle;
    if (cop_trace_begin(t, cycle, "done"))
        cop_trace_end(t);
}

static void cop_trace_on_interrupt(void *ctx, uint64_t cycle)
{
    if (cop_trace_begin(ctx, cycle, "interrupt"))
        cop_trace_end(ctx);
}

static void on_stopped(void *ctx, uint64_t cycle)
{
    struct cop_trace *t = ctx;
    if (!cop_trace_begin(t, cycle, "stop"))
        return;
    cop_trace_say(t, "%2u ; %s", cop_pc(t->config.cop),
                  cop_state(t->config.cop) == BUS_RUNAWAY ? "a runaway" : "no legal word, or no entry for the class");
    cop_trace_end(t);
}

static void cop_trace_on_bus(void *ctx, uint64_t cycle, bool write, uint32_t address, uint64_t value)
{
    struct cop_trace *t = ctx;
    const struct bus_region *r = bus_find(address);
    unsigned per_word = 64u / r->bits, first = per_word * (address - r->address) / 8, last = first + per_word - 1;
    if (write && address == BUS_COMMAND && (value & BUS_RESTART) != 0)
        t->idle_from = cycle;
    if (!cop_trace_begin(t, cycle, write ? "write" : "read"))
        return;
    if (last >= r->elements)
        last = r->elements - 1u;
    if (first == last)
        say_place(t, (enum bus_address)r->address, first);
    else
        cop_trace_say(t, "%s[%u..%u]", r->name, first, last);
    cop_trace_say(t, " = 0x%" PRIx64, value);
    cop_trace_end(t);
}

struct cop_trace *cop_trace_new(const struct cop_trace_config *config)
{
    struct cop_trace *t = xcalloc(1, sizeof *t);
    t->config = *config;
    t->idle_from = cop_cycle(config->cop);
    const struct cop_watch all = {.ctx = t,
                                  .after = on_word,
                                  .bubble = on_bubble,
                                  .delivered = cop_trace_on_delivered,
                                  .dropped = cop_trace_on_dropped,
                                  .dispatched = cop_trace_on_dispatched,
                                  .done = cop_trace_on_done,
                                  .interrupt = cop_trace_on_interrupt,
                                  .stopped = on_stopped,
                                  .bus = cop_trace_on_bus};
    const struct cop_watch samples = {.ctx = t, .delivered = cop_trace_on_delivered, .dropped = cop_trace_on_dropped};
    cop_watch(config->cop, config->samples_only ? &samples : &all);
    return t;
}

void cop_trace_free(struct cop_trace *t)
{
    if (t != NULL)
        cop_watch(t->config.cop, NULL);
    free(t);
}
