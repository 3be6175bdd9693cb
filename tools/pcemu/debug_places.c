/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/debug_places.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core-model/riscv/code.h"

enum { MOST_BYTES = 1 << 20 }; /* of a function that is walked */

static const char *trap_text(enum rv_trap trap)
{
    return trap == RV_TRAP_ILLEGAL ? "what is there now is not an instruction" : "there is no code there now";
}

/* Finds the instruction that covers an address, by walking its function from the start; false if that is not known. */
static bool find_around(struct target *t, uint64_t pc, uint64_t *start, struct rv_insn *in)
{
    target_find_libraries(t);
    const struct symbols_place p = symbols_find(t->symbols, pc);
    if (p.function == NULL || pc - p.start > MOST_BYTES)
        return false;
    for (uint64_t at = p.start; at < pc; at += in->length_bytes) {
        if (code_decode(&t->guest.hart, at, in) != RV_TRAP_NONE)
            return false;
        *start = at;
    }
    return *start + in->length_bytes > pc && p.start < pc;
}

char *debug_places_objection(struct target *t, uint64_t pc, bool *is_certain)
{
    struct rv_insn in = {.length_bytes = 0};
    uint64_t start = 0;
    *is_certain = true;
    if (pc % 2 != 0)
        return xasprintf("0x%" PRIx64 " is odd, and instructions begin at even addresses", pc);
    if (t->symbols != NULL && find_around(t, pc, &start, &in)) {
        char text[128];
        (void)rv_print_flat(text, sizeof text, &in, start);
        return xasprintf("0x%" PRIx64 " is inside the instruction at 0x%" PRIx64 ", %s", pc, start, text);
    }
    *is_certain = false;
    const enum rv_trap trap = code_decode(&t->guest.hart, pc, &in);
    return trap == RV_TRAP_NONE ? NULL : xasprintf("0x%" PRIx64 ": %s", pc, trap_text(trap));
}
