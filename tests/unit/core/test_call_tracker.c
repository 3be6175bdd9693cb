/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calling contexts from transfers written by hand: the tree, the shadow stacks, and the log of changes. */
#include "core-model/prof/stack/call_tracker.h"

#include "tests/unit/suite.h"

enum { F = 0x20000, G = 0x30000, SP = 0x80000 };

static struct call_tree *tree;
static struct call_threads *threads;
static struct call_tracker *tracker;
static uint64_t retired, handlers;

static void setup(void)
{
    tree = call_tree_new(CALL_DEPTH_USUAL, 0);
    threads = call_threads_new(tree);
    tracker = call_tracker_new(threads);
    retired = handlers = 0;
}

static void teardown(void)
{
    observer_release(&tracker->base);
    call_threads_free(threads);
    call_tree_free(tree);
}

/* The kernel lets a thread run; with a handler if `sp` is not 0. */
static void kernel(uint64_t thread, uint64_t interrupted_pc, uint64_t sp)
{
    handlers += sp != 0;
    const struct probe_kernel k = {.thread = thread,
                                   .handlers = handlers,
                                   .interrupted_pc = interrupted_pc,
                                   .sp = sp,
                                   .return_address = 0x10,
                                   .seq = 10 * retired,
                                   .retired = retired};
    tracker->base.probe.kernel(tracker->base.probe.ctx, &k);
}

static void transfer(enum opclass opclass, uint64_t pc, uint64_t next_pc, uint64_t sp)
{
    retired++;
    const struct probe_transfer t = {.opclass = opclass,
                                     .pc = pc,
                                     .next_pc = next_pc,
                                     .return_address = pc + 4,
                                     .sp = sp,
                                     .seq = 10 * retired,
                                     .retired = retired};
    tracker->base.probe.transfer(tracker->base.probe.ctx, &t);
}

static void call(uint64_t pc, uint64_t sp) { transfer(OPCLASS_CALL, pc, F, sp); }
static void ret(uint64_t to, uint64_t sp) { transfer(OPCLASS_RET, G, to, sp); }

/* The calls of the tracker's node from the outermost, "20000 20010". */
static const char *path_of(uint32_t node)
{
    static char text[256];
    size_t used = 0;
    text[0] = '\0';
    uint64_t pc[16];
    unsigned depth = 0;
    for (; node != 0; node = tree->node[node].caller)
        pc[depth++] = tree->node[node].call;
    while (depth-- > 0)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%lx", used != 0 ? " " : "",
                                 (unsigned long)pc[depth]);
    return text;
}

static void is_at(const char *path) { ck_assert_str_eq(path_of(tracker->node), path); }

START_TEST(calls_and_returns_nest)
{
    kernel(1, 0, 0);
    is_at("");
    call(0x1000, SP);
    call(F, SP - 32);
    is_at("1000 20000");
    ret(F + 4, SP - 32);
    is_at("1000");
    call(F, SP - 32);
    const uint32_t again = tracker->node;
    is_at("1000 20000");
    ret(F + 4, SP - 32);
    call(F + 8, SP - 32);
    ck_assert_uint_ne(tracker->node, again);
    ret(F + 12, SP - 32);
    ret(0x1004, SP);
    is_at("");
    ret(0x9004, SP + 64); /* from a function that was active before */
    is_at("");
    call(0x9008, SP + 64);
    is_at("9008");
}
END_TEST

/* A swap, and a jump, to the return address return; other jumps keep the context. */
START_TEST(jumps_return_where_calls_return)
{
    kernel(1, 0, 0);
    call(0x1000, SP);
    transfer(OPCLASS_IJUMP, F, F + 64, SP - 32);
    transfer(OPCLASS_IJUMP, F, F + 64, SP);
    is_at("1000");
    transfer(OPCLASS_IJUMP, F, 0x1004, SP);
    is_at("");
    call(0x1000, SP);
    transfer(OPCLASS_SWAP, F, 0x1004, SP);
    is_at("20000");
    transfer(OPCLASS_SWAP, F + 16, G, SP - 16);
    is_at("20000 20010");
}
END_TEST

/* gcc's routines that save registers return with a lower stack pointer, those that restore them to the caller's. */
START_TEST(routines_that_move_the_stack_pointer_return)
{
    kernel(1, 0, 0);
    call(0x1000, SP);
    call(F, SP);
    ret(F + 4, SP - 48);
    is_at("1000");
    call(F + 8, SP - 48);
    ret(F + 12, SP - 48);
    ret(0x1004, SP);
    is_at("");
}
END_TEST

START_TEST(longjmp_leaves_the_calls_below)
{
    kernel(1, 0, 0);
    call(0x1000, SP);
    call(F, SP - 32);      /* setjmp's caller calls */
    call(F + 16, SP - 64); /* deeper */
    call(F + 32, SP - 96);
    ret(F + 8, SP - 32); /* longjmp: behind a call of setjmp that has returned */
    is_at("1000");
    call(F + 48, SP - 32);
    is_at("1000 20030");
    call(F, SP - 64);
    call(F, SP - 96);
    transfer(OPCLASS_IJUMP, G, F + 60, SP - 32); /* to a landing pad */
    is_at("1000");
    call(F + 64, SP - 32);
    is_at("1000 20040");
}
END_TEST

START_TEST(each_thread_has_stacks)
{
    kernel(1, 0, 0);
    call(0x1000, SP);
    kernel(2, 0, 0);
    is_at("");
    call(0x2000, SP + 0x10000000);
    kernel(0, 0, 0);
    is_at("");
    kernel(1, 0, 0);
    is_at("1000");
    kernel(2, 0, 0);
    is_at("2000");
}
END_TEST

START_TEST(handlers_are_called_where_they_interrupt)
{
    kernel(1, 0, 0);
    call(0x1000, SP);
    kernel(1, F + 100, SP - 1200);
    is_at("1000 20064");
    call(G, SP - 1300);
    is_at("1000 20064 30000");
    ret(G + 4, SP - 1300);
    ret(0x10, SP - 1200); /* to the code that calls rt_sigreturn */
    is_at("1000");
    kernel(1, F + 104, SP - UINT64_C(0x10000000) + 0x1000); /* on an alternate stack, left by siglongjmp */
    call(G, SP - UINT64_C(0x10000000) + 0xf00);
    is_at("1000 20068 30000");
    ret(0x1100, SP);
    is_at("");
}
END_TEST

/* Co-routines: a return with the stack pointer of a suspended call, though the youngest call has its return address. */
START_TEST(stacks_are_switched)
{
    const uint64_t other = SP - UINT64_C(0x10000000);
    kernel(1, 0, 0);
    call(0x1000, SP);
    call(F, SP - 32); /* into the switch */
    call(0x2000, other);
    is_at("2000");
    call(F, other - 32); /* into the switch, from the same instruction */
    ret(F + 4, SP - 32);
    is_at("1000");
    call(F, SP - 32);
    transfer(OPCLASS_IJUMP, G, F + 4, other - 32);
    is_at("2000");
    ret(0x2004, other);
    is_at("");
}
END_TEST

START_TEST(contexts_of_instructions_are_found)
{
    kernel(1, 0, 0);
    call(0x1000, SP); /* number 10 */
    retired += 5;     /* numbers 20 to 60 */
    call(F, SP - 32); /* number 70 */
    retired += 2;
    const uint32_t inner = tracker->node, outer = tree->node[inner].caller;
    ck_assert_uint_eq(call_tracker_at(tracker, 0), 0);
    ck_assert_uint_eq(call_tracker_at(tracker, 1), outer);
    ck_assert_uint_eq(call_tracker_at(tracker, 6), outer);
    ck_assert_uint_eq(call_tracker_at(tracker, 7), inner);
    ck_assert_uint_eq(call_tracker_at_seq(tracker, 10), 0);
    ck_assert_uint_eq(call_tracker_at_seq(tracker, 11), outer);
    ck_assert_uint_eq(call_tracker_at_seq(tracker, 70), outer);
    ck_assert_uint_eq(call_tracker_at_seq(tracker, 71), inner);
    ck_assert_uint_eq(call_tracker_before_seq(tracker, 80, F), outer);     /* the call itself */
    ck_assert_uint_eq(call_tracker_before_seq(tracker, 80, F + 2), inner); /* another one behind it */
}
END_TEST

START_TEST(stacks_have_a_depth)
{
    call_tree_free(tree);
    tree = call_tree_new(3, 0);
    call_threads_free(threads);
    observer_release(&tracker->base);
    threads = call_threads_new(tree);
    tracker = call_tracker_new(threads);
    kernel(1, 0, 0);
    for (unsigned n = 0; n < 100; n++)
        call(F + 4 * n, SP - 32 * n);
    is_at("20000 20004 20008");
    ck_assert_uint_eq(tree->cut, 97);
    for (unsigned n = 99; n >= 2; n--)
        ret(F + 4 * n + 4, SP - 32 * n);
    is_at("20000 20004");
}
END_TEST

/* f calls itself from two places, by way of g from a third. */
START_TEST(recursion_is_folded)
{
    enum { f = 0x1000, g = 0x2000 };
    for (uint32_t most = 1; most <= 2; most++) {
        struct call_tree *t = call_tree_new(CALL_DEPTH_USUAL, most);
        const uint32_t main = call_tree_enter(t, 0, 0x100, 0x90), outer = call_tree_enter(t, main, 0x200, f);
        uint32_t n = outer;
        for (unsigned times = 1; times < most; times++)
            n = call_tree_enter(t, n, f + 4, f);
        ck_assert(most == 1 ? n == outer : n != outer && t->node[n].caller == outer);
        ck_assert_uint_eq(call_tree_enter(t, n, f + 4, f), n);
        ck_assert_uint_eq(call_tree_enter(t, n, f + 8, f), n);
        /* With g the stack has another function: f is there once more, and then no other g. */
        const uint32_t by_g = call_tree_enter(t, n, f + 12, g), again = call_tree_enter(t, by_g, g + 4, f);
        ck_assert(t->node[by_g].caller == n && t->node[again].caller == by_g);
        if (most == 1)
            ck_assert_uint_eq(call_tree_enter(t, again, f + 12, g), by_g);
        ck_assert_uint_eq(call_tree_enter(t, again, f + 4, f), again);
        ck_assert_uint_ne(call_tree_enter(t, again, f + 4, 0), again); /* not known where it went */
        ck_assert_uint_eq(t->cut, 0);
        call_tree_free(t);
    }
}
END_TEST

/* A call through a pointer has a node for each function that it goes to. */
START_TEST(a_call_of_two_functions_is_two)
{
    const uint32_t first = call_tree_enter(tree, 0, 0x1000, F), second = call_tree_enter(tree, 0, 0x1000, G);
    ck_assert_uint_ne(first, second);
    ck_assert_uint_eq(call_tree_enter(tree, 0, 0x1000, F), first);
}
END_TEST

START_TEST(trees_grow)
{
    uint32_t node[5000];
    for (uint32_t n = 0; n < 5000; n++)
        node[n] = call_tree_enter(tree, n < 100 ? 0 : node[n % 100], 0x1000 + 4 * n, F);
    for (uint32_t n = 0; n < 5000; n++) {
        ck_assert_uint_eq(call_tree_enter(tree, n < 100 ? 0 : node[n % 100], 0x1000 + 4 * n, F), node[n]);
        ck_assert_uint_eq(tree->node[node[n]].depth, n < 100 ? 1 : 2);
    }
    ck_assert_uint_eq(tree->nodes, 5001);
}
END_TEST

START_TEST(places_hold_addresses)
{
    const uint64_t pc = (UINT64_C(1) << CALL_ADDRESS_BITS) - 2, wild = UINT64_C(0x123456789abcdef0);
    const uint64_t place = call_place(CALL_NODES_MOST - 1, pc);
    ck_assert_uint_eq(call_place_pc(place), pc);
    ck_assert_uint_eq(call_place_node(place), CALL_NODES_MOST - 1);
    ck_assert_uint_eq(call_place(0, pc), pc);
    ck_assert_uint_eq(call_place_node(call_place(7, wild)), 0);
    ck_assert_uint_eq(call_place_pc(call_place(7, UINT64_MAX - 1)), UINT64_MAX - 1);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("call tracker");
    TCase *t = tcase_create("call tracker");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, calls_and_returns_nest);
    tcase_add_test(t, jumps_return_where_calls_return);
    tcase_add_test(t, routines_that_move_the_stack_pointer_return);
    tcase_add_test(t, longjmp_leaves_the_calls_below);
    tcase_add_test(t, each_thread_has_stacks);
    tcase_add_test(t, handlers_are_called_where_they_interrupt);
    tcase_add_test(t, stacks_are_switched);
    tcase_add_test(t, contexts_of_instructions_are_found);
    tcase_add_test(t, stacks_have_a_depth);
    tcase_add_test(t, recursion_is_folded);
    tcase_add_test(t, a_call_of_two_functions_is_two);
    tcase_add_test(t, trees_grow);
    tcase_add_test(t, places_hold_addresses);
    suite_add_tcase(s, t);
    return run_suite(s);
}
