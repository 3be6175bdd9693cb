/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One interface for all cores; the configuration's `core` selects the engine. */
#include "core-model/core.h"

#include <stdlib.h>

#include "core-model/core_inspect.h"
#include "core-model/engine.h"
#include "core-model/warm.h"
#include "core-model/warm_state.h"

struct core *core_new(const struct core_config *config, struct guest *guest)
{
    static const struct engine *const engines[] = {&ooo_engine, &inorder_engine};
    const struct engine *engine = engines[config->core];
    struct core *c = core_of_engine(engine, engine->make(config, guest));
    if (config->page_placement != 0)
        hierarchy_place_pages(engine->parts(c->self).mem, guest->process->seed);
    return c;
}

struct core *core_of_engine(const struct engine *engine, void *self)
{
    struct core *c = xcalloc(1, sizeof *c);
    c->engine = engine;
    c->self = self;
    return c;
}

void core_free(struct core *c)
{
    if (c == NULL)
        return;
    c->engine->release(c->self);
    free(c);
}

void core_subscribe(struct core *c, const struct probe_listener *o)
{
    struct engine_parts parts = c->engine->parts(c->self);
    if (c->engine->attach != NULL)
        c->engine->attach(c->self);
    probe_port_subscribe(parts.port, o);
}

enum rv_trap core_warm(struct core *c, uint64_t max_insts, const uint64_t *stop_pc)
{
    struct engine_parts parts = c->engine->parts(c->self);
    c->warmed = true;
    return warm_run(&parts, max_insts, stop_pc);
}

void core_move_warmed(struct core *c, struct checkpoint_stream *s, char **cold)
{
    const struct engine_parts parts = c->engine->parts(c->self);
    warm_state_move(&parts, s, cold);
    c->warmed |= s->reads;
}

void core_start(struct core *c)
{
    struct engine_parts parts = c->engine->parts(c->self);
    if (c->warmed) {
        c->engine->begin(c->self);
        c->warmed = false;
    }
    if (parts.front != NULL) {
        parts.front->hart->wrong = &parts.front->wrong;
        front_begin_thread(parts.front, core_retired(c));
        front_follow_kernel(parts.front, core_clock(c), core_retired(c));
    }
    probe_port_refresh(parts.port);
    c->engine->start(c->self);
}

void core_stop(struct core *c, enum rv_trap trap)
{
    struct front *front = c->engine->parts(c->self).front;
    c->engine->stop(c->self, trap);
    if (front != NULL)
        front->hart->wrong = NULL;
    probe_port_flush_token(c->engine->parts(c->self).port);
    if (trap == RV_TRAP_NONE)
        core_end(c);
}

enum rv_trap core_run(struct core *c, uint64_t max_insts)
{
    core_start(c);
    enum rv_trap trap = c->engine->advance(c->self, max_insts, UINT64_MAX);
    core_stop(c, trap);
    return trap;
}

void core_end(struct core *c) { probe_port_settle(c->engine->parts(c->self).port, core_clock(c)); }

void core_begin(struct core *c)
{
    core_end(c);
    c->engine->begin(c->self);
}

void core_empty(struct core *c) { c->engine->empty(c->self); }

unsigned core_connect_interrupt(struct core *c, core_handler *handler, void *ctx)
{
    return interrupt_connect(c->engine->parts(c->self).interrupt, handler, ctx);
}

void core_raise_interrupt(struct core *c, unsigned line, uint64_t cycle)
{
    struct engine_parts parts = c->engine->parts(c->self);
    interrupt_raise(parts.interrupt, line, cycle, parts.config->interrupt_cycles);
}

void core_expect_token(struct core *c) { probe_port_expect_token(c->engine->parts(c->self).port); }
struct hart *core_hart(const struct core *c) { return &c->engine->parts(c->self).guest->hart; }
const struct core_config *core_configuration(const struct core *c) { return c->engine->parts(c->self).config; }

uint64_t core_clock(const struct core *c) { return c->engine->counts(c->self).clock; }
uint64_t core_cycle(const struct core *c) { return c->engine->counts(c->self).cycle; }
uint64_t core_retired(const struct core *c) { return c->engine->counts(c->self).retired; }
bool core_idealise(struct core *c, const struct ideal *ideal)
{
    if (c->engine->idealise != NULL)
        c->engine->idealise(c->self, ideal);
    return c->engine->idealise != NULL;
}

void core_memoise(struct core *c, uint64_t bytes, bool checks)
{
    if (c->engine->memoise != NULL)
        c->engine->memoise(c->self, bytes, checks);
}

struct memo_counts core_memo_counts(const struct core *c)
{
    return c->engine->memo_counts != NULL ? c->engine->memo_counts(c->self) : (struct memo_counts){0};
}

void core_check(const struct core *c) { c->engine->check(c->self); }
void core_print_view(const struct core *c, FILE *out) { c->engine->print(c->self, out); }

struct core_stats core_statistics(const struct core *c) { return c->engine->stats(c->self); }

void core_print_stats(const struct core *c, FILE *out)
{
    struct core_stats s = core_statistics(c);
    stats_print(&s, out);
}

void core_write_stats_json(const struct core *c, const char *key, struct json_stream *out)
{
    struct core_stats s = core_statistics(c);
    json_stream_begin(out, key, '{');
    stats_write_json(&s, out);
    json_stream_end(out, '}');
}
