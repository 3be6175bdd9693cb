/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of a guest's fatal fault: guest_print_fault. */
#include "core-model/riscv/fault.h"

#include <inttypes.h>

enum { INTEGER_REGS = 32, REGS = 64, COLUMNS = 4, RA = 1 };

struct symboliser {
    guest_symbolise *symbolise;
    void *context;
};

/* Copies `size_bytes` of code out of the guest; false where the guest could not execute them. */
static bool read_code(const struct hart *h, uint64_t addr, void *to, unsigned size_bytes)
{
    if (!memory_allows(&h->mem, addr, size_bytes, MEM_X))
        return false;
    memcpy(to, memory_at(&h->mem, addr), size_bytes);
    return true;
}

static bool is_call(uint32_t word, unsigned length_bytes)
{
    struct rv_insn in;
    return rv_decode(word, &in) && in.length_bytes == length_bytes && (in.flags & RV_JUMP) && in.dst == RA;
}

/* The call before a return address, or 0 where there is none: ra may hold anything. */
static uint64_t find_call(const struct hart *h, uint64_t return_addr)
{
    uint32_t word = 0;
    if (return_addr & 1)
        return 0;
    if (read_code(h, return_addr - 4, &word, 4) && is_call(word, 4))
        return return_addr - 4;
    word = 0;
    if (read_code(h, return_addr - 2, &word, 2) && is_call(word, 2))
        return return_addr - 2;
    return 0;
}

static void print_place(FILE *file, const char *what, uint64_t addr, const struct symboliser *s)
{
    char text[256];
    fprintf(file, "  %-11s 0x%016" PRIx64, what, addr);
    if (s->symbolise != NULL && s->symbolise(s->context, addr, text, sizeof text))
        fprintf(file, "  %s", text);
    fputc('\n', file);
}

static void print_registers(FILE *file, const struct hart *h)
{
    for (unsigned r = 0; r < INTEGER_REGS; r++)
        fprintf(file, "  %-4s %016" PRIx64 "%s", r == 0 ? "pc" : rv_reg_name(r), r == 0 ? h->pc : h->reg[r],
                r % COLUMNS == COLUMNS - 1 ? "\n" : "");
}

static void print_float_registers(FILE *file, const struct hart *h)
{
    unsigned shown = 0;
    for (unsigned r = INTEGER_REGS; r < REGS; r++)
        if (h->reg[r] != 0)
            fprintf(file, "  %-4s %016" PRIx64 "%s", rv_reg_name(r), h->reg[r], shown++ % COLUMNS == COLUMNS - 1 ? "\n" : "");
    if (shown % COLUMNS != 0)
        fputc('\n', file);
    if (shown != 0 || h->fcsr != 0)
        fprintf(file, "  fcsr %02" PRIx32 "\n", h->fcsr);
}

void guest_print_fault(const struct guest *g, FILE *file, guest_symbolise *symbolise, void *context)
{
    const struct hart *h = &g->hart;
    const struct symboliser s = {symbolise, context};
    if (g->fault[0] != '\0')
        fprintf(file, "%s\n", g->fault);
    print_place(file, "at", h->pc, &s);
    uint64_t call = find_call(h, h->reg[RA]);
    if (call != 0)
        print_place(file, "called from", call, &s);
    fprintf(file, "after %" PRIu64 " instructions\n", h->instret);
    print_registers(file, h);
    print_float_registers(file, h);
}
