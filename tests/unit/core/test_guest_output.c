/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls before a guest writes to a terminal: once, and before no other output. Whether such output ends a
 * line. */
#include <fcntl.h>
#include <pty.h>
#include <unistd.h>

#include "core-model/linux/guest.h"
#include "tests/unit/guest_core.h"
#include "tests/unit/suite.h"

enum {
    OPENAT = 56,
    WRITE = 64,
    WRITEV = 66,
    TEXT = DATA_START,
    VECTOR = DATA_START + 0x100,
    NAME = DATA_START + 0x200
};

static const char text[] = "out\n";
enum { BYTES = sizeof text - 1 };

static int64_t call(struct guest *g, uint64_t number, uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t argument[] = {a, b, c};
    memcpy(&g->hart.reg[A0], argument, sizeof argument);
    g->hart.reg[A7] = number;
    guest_syscall(g);
    return (int64_t)g->hart.reg[A0];
}

static uint64_t open_for_writing(struct guest *g, const char *name)
{
    memcpy(memory_at(&g->hart.mem, NAME), name, strlen(name) + 1);
    int64_t fd = call(g, OPENAT, (uint64_t)AT_FDCWD, NAME, O_WRONLY | O_NOCTTY);
    ck_assert_int_ge(fd, 0);
    return (uint64_t)fd;
}

/* A guest with the text in its memory, and descriptors of a terminal and of /dev/null. */
struct outputs {
    struct guest g;
    int master, slave;
    uint64_t terminal, null;
};

static void open_outputs(struct outputs *o)
{
    char name[64];
    struct program *p = program_begin();
    exit_with(p, ZERO);
    guest_of(&o->g, p);
    ck_assert_int_eq(openpty(&o->master, &o->slave, name, NULL, NULL), 0);
    o->terminal = open_for_writing(&o->g, name);
    o->null = open_for_writing(&o->g, "/dev/null");
    memcpy(memory_at(&o->g.hart.mem, TEXT), text, BYTES);
}

static void close_outputs(struct outputs *o)
{
    guest_fini(&o->g);
    close(o->slave);
    close(o->master);
}

static void count(void *ctx) { ++*(unsigned *)ctx; }

START_TEST(called_once)
{
    struct outputs o;
    unsigned calls = 0;
    const uint64_t vector[] = {TEXT, BYTES};
    open_outputs(&o);
    memcpy(memory_at(&o.g.hart.mem, VECTOR), vector, sizeof vector);
    guest_before_output(&o.g, count, &calls);
    ck_assert_int_eq(call(&o.g, WRITE, o.null, TEXT, BYTES), BYTES);
    ck_assert_uint_eq(calls, 0);
    ck_assert_int_eq(call(&o.g, WRITE, o.terminal, TEXT, BYTES), BYTES);
    ck_assert_uint_eq(calls, 1);
    ck_assert_int_eq(call(&o.g, WRITE, o.terminal, TEXT, BYTES), BYTES);
    ck_assert_uint_eq(calls, 1);
    guest_before_output(&o.g, count, &calls);
    ck_assert_int_eq(call(&o.g, WRITEV, o.terminal, VECTOR, 1), BYTES);
    ck_assert_uint_eq(calls, 2);
    guest_before_output(&o.g, NULL, NULL);
    ck_assert_int_eq(call(&o.g, WRITE, o.terminal, TEXT, BYTES), BYTES);
    ck_assert_uint_eq(calls, 2);
    close_outputs(&o);
}
END_TEST

/* Parts of a line, the last of which may be all of a write or a part of it. */
START_TEST(lines_are_followed)
{
    struct outputs o;
    const uint64_t vector[] = {TEXT, 1, TEXT + 1, BYTES - 1, TEXT, 0};
    open_outputs(&o);
    memcpy(memory_at(&o.g.hart.mem, VECTOR), vector, sizeof vector);
    call(&o.g, WRITE, o.terminal, TEXT, 1);
    ck_assert(!guest_in_line(&o.g)); /* not followed yet */
    guest_before_output(&o.g, NULL, NULL);
    call(&o.g, WRITE, o.terminal, TEXT, BYTES - 1);
    ck_assert(guest_in_line(&o.g));
    call(&o.g, WRITE, o.null, TEXT, BYTES);
    ck_assert(guest_in_line(&o.g));
    call(&o.g, WRITEV, o.terminal, VECTOR, 3);
    ck_assert(!guest_in_line(&o.g));
    call(&o.g, WRITEV, o.terminal, VECTOR, 1);
    ck_assert(guest_in_line(&o.g));
    call(&o.g, WRITE, o.terminal, TEXT, 0);
    ck_assert(guest_in_line(&o.g));
    call(&o.g, WRITE, o.terminal, TEXT + BYTES - 1, 1);
    ck_assert(!guest_in_line(&o.g));
    close_outputs(&o);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("guest_output");
    TCase *t = tcase_create("guest_output");
    tcase_add_test(t, called_once);
    tcase_add_test(t, lines_are_followed);
    suite_add_tcase(s, t);
    return run_suite(s);
}
