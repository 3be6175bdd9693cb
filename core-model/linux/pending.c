/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/linux/pending.h"

#include <stdlib.h>

#include "base/status.h"

enum { FIRST_REAL_TIME = 32 };

static uint64_t bit_of(int signal) { return UINT64_C(1) << (signal - 1); }

bool pending_add(struct linux_pending *p, const struct linux_siginfo *info)
{
    if (info->signal < FIRST_REAL_TIME && (p->set & bit_of(info->signal)) != 0)
        return true;
    if (p->count == PENDING_MAX)
        return false;
    p->queue = xgrow(p->queue, p->count, sizeof *p->queue);
    p->queue[p->count++] = *info;
    p->set |= bit_of(info->signal);
    return true;
}

static void remove_at(struct linux_pending *p, size_t index)
{
    int signal = p->queue[index].signal;
    bool others = false;
    p->count--;
    for (size_t i = index; i < p->count; i++)
        p->queue[i] = p->queue[i + 1];
    for (size_t i = 0; i < p->count; i++)
        others = others || p->queue[i].signal == signal;
    if (!others)
        p->set &= ~bit_of(signal);
}

int pending_first(uint64_t set)
{
    enum { ILL = 4, TRAP = 5, BUS = 7, FPE = 8, SEGV = 11, SYS = 31 };
    const uint64_t of_instructions = bit_of(ILL) | bit_of(TRAP) | bit_of(BUS) | bit_of(FPE) | bit_of(SEGV) |
                                     bit_of(SYS);
    return 1 + __builtin_ctzll((set & of_instructions) != 0 ? set & of_instructions : set);
}

int pending_take(struct linux_pending *p, uint64_t set, struct linux_siginfo *info)
{
    uint64_t ready = p->set & set;
    if (ready == 0)
        return 0;
    const int signal = pending_first(ready);
    for (size_t i = 0; i < p->count; i++) {
        if (p->queue[i].signal == signal) {
            *info = p->queue[i];
            remove_at(p, i);
            return signal;
        }
    }
    BUG("signal %d is pending and not queued", signal);
}

void pending_drop(struct linux_pending *p, uint64_t set)
{
    struct linux_siginfo info;
    while (pending_take(p, set, &info) != 0)
        continue;
}

void pending_fini(struct linux_pending *p)
{
    free(p->queue);
    *p = (struct linux_pending){0};
}

static void move_siginfo(struct linux_siginfo *info, struct checkpoint_stream *s)
{
    info->signal = (int32_t)checkpoint_move_signed(s, info->signal, 1, 64);
    info->error = (int32_t)checkpoint_move_signed(s, info->error, INT32_MIN, INT32_MAX);
    info->code = (int32_t)checkpoint_move_signed(s, info->code, INT32_MIN, INT32_MAX);
    for (size_t i = 0; i < sizeof info->word / sizeof info->word[0]; i++)
        CHECKPOINT_MOVE(s, info->word[i]);
}

void pending_move(struct linux_pending *p, struct checkpoint_stream *s)
{
    const uint64_t count = checkpoint_move(s, p->count, 0, PENDING_MAX);
    for (uint64_t i = 0; i < count && !s->failed; i++) {
        struct linux_siginfo info = {0};
        if (!s->reads)
            info = p->queue[i];
        move_siginfo(&info, s);
        if (s->reads && !s->failed)
            (void)pending_add(p, &info);
    }
}
