/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of a guest's fatal fault: guest_print_fault. */
#include "core-model/linux/fault.h"

#include <inttypes.h>

#include "core-model/linux/signals.h"

enum { INTEGER_REGS = 32, REGS = 64, COLUMNS = 4 };

static void fault_print_registers(FILE *file, const struct hart *h)
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
            fprintf(file, "  %-4s %016" PRIx64 "%s", rv_reg_name(r), h->reg[r],
                    shown++ % COLUMNS == COLUMNS - 1 ? "\n" : "");
    if (shown % COLUMNS != 0)
        fputc('\n', file);
    if (shown != 0 || h->fcsr != 0)
        fprintf(file, "  fcsr %02" PRIx32 "\n", h->fcsr);
}

void guest_print_registers(const struct guest *g, FILE *file)
{
    fault_print_registers(file, &g->hart);
    print_float_registers(file, &g->hart);
}

const char *guest_fatal_words(const struct guest *g)
{
    return g->process->fault[0] != '\0' ? g->process->fault : linux_signal_name(g->process->fatal_signal);
}

void guest_print_fault(const struct guest *g, FILE *file)
{
    fprintf(file, "%s, after %" PRIu64 " instruction%s\n", g->process->fault, g->hart.instret,
            g->hart.instret == 1 ? "" : "s");
    guest_print_registers(g, file);
}
