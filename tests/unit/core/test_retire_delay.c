/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time by retire delay: which part of an instruction's delay is whose, on hand-written instructions all of which are
 * sampled (period=1); and how often instructions are sampled at other periods. */
#include "tests/unit/token_stream.h"

enum { FULL, NO_OFFENDER, NO_ILP, RAW };
static const char variants[] = "retire-delay:period=1,retire-delay:period=1:no-offender,retire-delay:period=1:no-ilp,"
                               "retire-delay:period=1:no-offender:no-ilp";

/* The stream's state: fetch numbers, and what the next instruction to retire finds before it. */
struct delays {
    struct stream s;
    uint64_t seq, retired_before;
    struct probe_oir before;
};

static struct delays begin(const char *observers) { return (struct delays){.s = watch(observers, 4)}; }

/* An instruction is fetched, enters the ROB in cycle `mapped`, and ends in cycle `ended`. */
static void insn(struct delays *d, uint64_t pc, uint64_t mapped, uint64_t ended, enum probe_cause cause,
                 uint32_t events)
{
    static const struct rv_insn nop = {.opclass = OPCLASS_INT};
    struct probe_port *port = d->s.port;
    struct probe_insn in = {.seq = ++d->seq, .pc = pc, .insn = &nop, .events = events, .cause = (uint8_t)cause};
    uint32_t tags = probe_port_asks(&port->at_fetch, d->seq, OPCLASS_INT, mapped)
                        ? probe_port_tags(port, &port->at_fetch, d->seq, pc, OPCLASS_INT, mapped)
                        : 0;
    in.stage_cycle[PROBE_MAPPED] = mapped;
    in.before = d->before;
    in.retired_before = d->retired_before;
    if (cause == PROBE_CAUSE_NONE) {
        probe_port_notify(&port->stage_list[PROBE_RETIRED], 0, &in, ended);
        d->before = probe_oir_of(pc, events);
        d->retired_before = ended;
    }
    if (tags != 0)
        probe_port_deliver(port, &in, tags, ended);
    d->s.cycle = ended;
}

static void retires(struct delays *d, uint64_t pc, uint64_t mapped, uint64_t cycle, uint32_t events)
{
    insn(d, pc, mapped, cycle, PROBE_CAUSE_NONE, events);
}

/* Cycles of one category that each variant gives to pc. */
static void expect(struct delays *d, uint64_t pc, enum time_category c, double full, double no_offender, double no_ilp,
                   double raw)
{
    const double want[] = {full, no_offender, no_ilp, raw};
    for (unsigned i = FULL; i <= RAW; i++)
        ck_assert_msg(time_in(&d->s, i, pc, c) == want[i], "%s: %" PRIx64 " has %.2f cycles, expected %.2f",
                      d->s.result->profile[i].label, pc, time_in(&d->s, i, pc, c), want[i]);
}

/* The TIP paper's Figure 4b: I1 retires in cycle 1, the load in 42 with I3. */
START_TEST(a_stall_is_the_oldest_ones_and_a_commit_all_ones)
{
    struct delays d = begin(variants);
    retires(&d, I1, 0, 1, 0);
    retires(&d, I2, 0, 42, 0);
    retires(&d, I3, 0, 42, 0);
    finish(&d.s);
    expect(&d, I1, TIME_EXECUTE, 1, 1, 1, 1);
    expect(&d, I2, TIME_STALL_ALU, 40, 40, 40, 40);
    expect(&d, I2, TIME_EXECUTE, 0.5, 0.5, 1, 1);
    expect(&d, I3, TIME_EXECUTE, 0.5, 0.5, 0, 0);
    done(&d.s);
}
END_TEST

/* Figure 4c: the mispredicted branch, I2, retires with I1 in cycle 1; I5 enters in 6, and retires in 7. */
START_TEST(an_empty_rob_is_the_offenders)
{
    struct delays d = begin(variants);
    retires(&d, I1, 0, 1, 0);
    retires(&d, I2, 0, 1, PROBE_MISPREDICTED);
    retires(&d, I5, 6, 7, 0);
    finish(&d.s);
    expect(&d, I1, TIME_EXECUTE, 0.5, 0.5, 1, 1);
    expect(&d, I2, TIME_MISPREDICT, 4, 0, 4, 0);
    expect(&d, I5, TIME_FRONTEND, 0, 4, 0, 4);
    expect(&d, I5, TIME_STALL_ALU, 1, 1, 1, 1);
    expect(&d, I5, TIME_EXECUTE, 1, 1, 1, 1);
    done(&d.s);
}
END_TEST

/* Figure 4d: nothing before it explains that the ROB is empty; the cycles are the next instruction's. */
START_TEST(a_drained_rob_is_the_next_ones)
{
    struct delays d = begin(variants);
    retires(&d, I1, 0, 1, 0);
    retires(&d, I3, 42, 43, 0);
    finish(&d.s);
    expect(&d, I3, TIME_FRONTEND, 40, 40, 40, 40);
    expect(&d, I3, TIME_STALL_ALU, 1, 1, 1, 1);
    expect(&d, I3, TIME_EXECUTE, 1, 1, 1, 1);
    done(&d.s);
}
END_TEST

/* A load overtook a store: its first execution is squashed, what precedes the second's entry is the first one's. */
START_TEST(an_exception_and_a_handler_are_no_ones_delay)
{
    struct delays d = begin(variants);
    retires(&d, I1, 0, 1, 0);
    insn(&d, I2, 1, 5, PROBE_CAUSE_ORDERING, PROBE_REPLAYED);
    d.before = (struct probe_oir){.pc = I2, .exception = true};
    retires(&d, I2, 9, 12, 0);
    d.before = (struct probe_oir){.flush = true};
    d.retired_before = 30; /* the handler's last cycle */
    retires(&d, I3, 35, 37, 0);
    finish(&d.s);
    expect(&d, I2, TIME_FLUSH, 7, 0, 7, 0);
    expect(&d, I2, TIME_FRONTEND, 0, 7, 0, 7);
    expect(&d, I2, TIME_STALL_ALU, 3, 3, 3, 3);
    expect(&d, 0, TIME_HANDLER, 4, 4, 4, 4);
    expect(&d, I3, TIME_STALL_ALU, 2, 2, 2, 2);
    ck_assert_uint_eq(d.s.result->profile[FULL].samples, 4);
    observers_free(d.s.set);
    free(d.s.port);
}
END_TEST

/* More retire in a cycle than commit banks are, as on the in-order core. */
START_TEST(a_cycle_is_shared_by_any_number)
{
    struct delays d = begin(variants);
    for (uint64_t n = 0; n < 40; n++)
        retires(&d, I1 + 4 * n, 0, 1, 0);
    finish(&d.s);
    ck_assert_double_eq(time_in(&d.s, FULL, I1 + 4 * 39, TIME_EXECUTE), 1.0 / 40);
    done(&d.s);
}
END_TEST

/* Each instruction takes 3 cycles: the estimate of all is within four standard errors of the number of samples. */
START_TEST(samples_are_random_and_scaled_by_the_period)
{
    enum { INSTRUCTIONS_RUN = 200000, PERIOD = 50 };
    struct delays d = begin("retire-delay:period=50:seed=1,retire-delay:period=50:seed=2");
    for (uint64_t n = 1; n <= INSTRUCTIONS_RUN; n++)
        retires(&d, n % 4 == 0 ? I2 : I1, 0, 3 * n, 0);
    finish(&d.s);
    for (unsigned i = 0; i < 2; i++) {
        const struct time_profile *p = &d.s.result->profile[i];
        ck_assert_double_eq_tol((double)p->samples, 4000, 4 * 63.2);
        ck_assert_uint_eq(p->time, p->samples * PERIOD * 3 * TIME_PER_CYCLE);
        ck_assert_double_eq_tol(time_of(&d.s, i, I2) / (3 * PERIOD), 1000, 4 * 31.6);
    }
    ck_assert_uint_ne(d.s.result->profile[0].samples, d.s.result->profile[1].samples);
    observers_free(d.s.set);
    free(d.s.port);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("retire_delay");
    TCase *tc = tcase_create("delays");
    tcase_add_test(tc, a_stall_is_the_oldest_ones_and_a_commit_all_ones);
    tcase_add_test(tc, an_empty_rob_is_the_offenders);
    tcase_add_test(tc, a_drained_rob_is_the_next_ones);
    tcase_add_test(tc, an_exception_and_a_handler_are_no_ones_delay);
    tcase_add_test(tc, a_cycle_is_shared_by_any_number);
    tcase_add_test(tc, samples_are_random_and_scaled_by_the_period);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
