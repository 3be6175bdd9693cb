/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the state of the in-order core. Entry point: inorder_print. */
#include "core-model/inorder/inorder.h"

#include <inttypes.h>

enum { TEXT = 128, WAIT = 96 };

static bool inorder_inspect_lacks_operand(const struct inorder *c, const struct in_entry *e, char text[WAIT])
{
    for (int k = 0; k < 3; k++) {
        uint8_t reg = e->insn->src[k];
        if (reg == 0 || c->board.reg_ready[reg] <= c->now)
            continue;
        snprintf(text, WAIT, "%s, which is ready in cycle %" PRIu64, rv_reg_name(reg), c->board.reg_ready[reg]);
        return true;
    }
    return false;
}

static void inorder_inspect_describe_wait(const struct inorder *c, uint64_t position, char text[WAIT])
{
    const struct in_entry *e = &c->entry[position % IN_RING];
    if (position < c->issue)
        snprintf(text, WAIT, "its completion in cycle %" PRIu64, e->done);
    else if (position >= c->arrived)
        snprintf(text, WAIT, "the issue stage, in cycle %" PRIu64, e->arrives);
    else if (c->redirect_at != 0)
        snprintf(text, WAIT, "a mispredicted branch to be resolved, in cycle %" PRIu64, c->redirect_at);
    else if (position > c->issue)
        snprintf(text, WAIT, "those before it to issue");
    else if (c->serial || e->trap != RV_TRAP_NONE || e->flags & IN_DEFERRED)
        snprintf(text, WAIT, "all before it to complete");
    else if (!inorder_inspect_lacks_operand(c, e, text))
        snprintf(text, WAIT, "a slot, a function unit or the write buffer");
}

void inorder_print(const void *self, FILE *out)
{
    const struct inorder *c = self;
    char text[TEXT], wait[WAIT];
    fprintf(out, "cycle %" PRIu64 ", %" PRIu64 " instructions retired\n", c->now, c->retired);
    fprintf(out,
            "issued and not complete %" PRIu64 ", issue stage %" PRIu64 " of %u, fetch buffer %" PRIu64
            " of %u, write buffer %u of %u\n",
            c->issue - c->head, c->arrived - c->issue, c->cfg.commit_width, c->tail - c->arrived, c->cfg.fetch_buffer,
            c->write_tail - c->write_head, c->cfg.store_queue);
    if (c->issue < c->arrived)
        inorder_inspect_describe_wait(c, c->issue, wait);
    else
        snprintf(wait, sizeof wait, "the front end");
    fprintf(out, "the issue stage waits for %s\n", wait);
    for (uint64_t p = c->head; p < c->tail; p++) {
        const struct in_entry *e = &c->entry[p % IN_RING];
        (void)rv_print_flat(text, sizeof text, e->insn, e->pc);
        inorder_inspect_describe_wait(c, p, wait);
        fprintf(out, "  #%-10" PRIu64 " 0x%-10" PRIx64 " %-30s %s\n", e->seq, e->pc, text, wait);
    }
}
