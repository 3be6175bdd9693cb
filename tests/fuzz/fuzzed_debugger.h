/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a harness that fuzzes the debugger gives it: a program with slots, samples, and a guest. */
#ifndef TESTS_FUZZ_FUZZED_DEBUGGER_H
#define TESTS_FUZZ_FUZZED_DEBUGGER_H

#include "emu/cop.h"
#include "tests/fuzz/fuzzed_program.h"

static const char slots_program[] =
    ".program fuzz\n.value v = v0\n.const c = 3\n.base t = 0\n.index i, width 2\n.index n, "
    "width 2\n.filter class load\n"
    ".entry load look\n.slot t[4] { key : pc, seen : 16, hit : 8 }\n"
    "look: match t, pc32 -> i | if miss goto new\n inc t[i].hit -> v | done\n"
    "new: write t[n], pc32\n inc t[n].seen | inc n | if nolimit done\nfull: interrupt\n";

/* Offers `count` loads from `*cycle` on. */
static void offer_loads(struct cop *cop, unsigned count, uint64_t *cycle)
{
    struct sample_sink sink = cop_sink(cop);
    for (unsigned i = 0; i < count; i++) {
        struct sample s = {.opclass = OPCLASS_LOAD, .cycle = *cycle += i % 7};
        s.field[FIELD_PC32] = (i * 5 + 3) % 6;
        if (sink.accept(sink.ctx, s.opclass, 0, s.cycle))
            sink.deliver(sink.ctx, &s);
    }
}

/* The guest's memory, two thirds of it mapped. */
static bool guest_memory(void *ctx, uint64_t address, uint64_t *value)
{
    (void)ctx;
    *value = ~address;
    return address % 3 != 0;
}

/* Its registers and symbols: all names that begin with m. */
static bool guest_name(void *ctx, const char *name, uint64_t *value)
{
    (void)ctx;
    *value = strlen(name);
    return name[0] == 'm';
}

#endif
