/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of system calls, from syscall.def. Entry point: guest_syscall. Source: Linux, Documentation/arch/riscv and
 * include/uapi/asm-generic. */
#include "core-model/linux/syscall.h"
#include "core-model/linux/apart.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/space.h"

enum { REG_A0 = 10, REG_A7 = 17, ECALL_BYTES = 4 };

static int64_t deny(struct guest *g, const uint64_t *a)
{
    (void)g, (void)a;
    return -EPERM;
}

static const struct linux_row rows[LINUX_SYSCALL_MAX] = {
#define SYSCALL(number, name, arguments) [number] = {{number, #name, CALL_SUPPORTED, ""}, arguments, sys_##name},
#define LIMITED(number, name, arguments, note) [number] = {{number, #name, CALL_LIMITED, note}, arguments, sys_##name},
#define DENIED(number, name) [number] = {{number, #name, CALL_DENIED, ""}, "xxxxxx", deny},
#define DECLINED(number, name, note) [number] = {{number, #name, CALL_DECLINED, note}, "xxxxxx", NULL},
#define ABSENT(number, name) [number] = {{number, #name, CALL_ABSENT, ""}, "xxxxxx", NULL},
#include "core-model/linux/syscall.def"
#undef SYSCALL
#undef LIMITED
#undef DENIED
#undef DECLINED
#undef ABSENT
};

const char *const guest_call_states[] = {
    [CALL_SUPPORTED] = "supported", [CALL_LIMITED] = "limited", [CALL_DENIED] = "denied",
    [CALL_DECLINED] = "declined",   [CALL_ABSENT] = "absent",
};

const struct guest_call *guest_next_call(const struct guest_call *call)
{
    for (unsigned i = call != NULL ? call->number + 1 : 0; i < LINUX_SYSCALL_MAX; i++)
        if (rows[i].about.name != NULL)
            return &rows[i].about;
    return NULL;
}

const struct linux_row *linux_call_row(uint64_t number)
{
    static const struct linux_row unknown = {0};
    return number < LINUX_SYSCALL_MAX ? &rows[number] : &unknown;
}

void guest_syscall(struct guest *g)
{
    struct hart *h = &g->hart;
    struct linux_thread *t = g->thread;
    bool repeats = t->call.number == h->reg[REG_A7] && memcmp(t->call.a, &h->reg[REG_A0], sizeof t->call.a) == 0;
    if (t->call.apart != NULL && !repeats) { /* left by a call that the end of the run had interrupted */
        linux_apart_drop(t->call.apart);
        t->call.apart = NULL;
    }
    t->call.number = h->reg[REG_A7];
    t->call.row = linux_call_row(t->call.number);
    memcpy(t->call.a, &h->reg[REG_A0], sizeof t->call.a);
    h->pc += ECALL_BYTES;
    h->reservation = UINT64_MAX; /* Linux clears the reservation on return to user mode */
    linux_perform(g);
    linux_schedule(g);
}

bool guest_flushes_code(const struct hart *h)
{
    const uint64_t number = h->reg[REG_A7];
    return number < LINUX_SYSCALL_MAX && rows[number].perform == sys_riscv_flush_icache &&
           linux_accepts_flush(h->reg[REG_A0 + 2]);
}
