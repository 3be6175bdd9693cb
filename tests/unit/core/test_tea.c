/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TEA's per-instruction cycle stacks on hand-written streams of the probe port: which signature the time of each state
 * of commit gets, and the rules for exceptions and interrupts. On random streams the sampler that samples every cycle,
 * the exact stacks and the oracle, which are three implementations, agree. */
#include "contract/pics.h"
#include "host/family/pics_score.h"

#include "tests/unit/token_stream.h"

enum { EXACT, SAMPLED };
static const char both[] = "tea-oracle,tea:period=1,oracle";

enum {
    BASE = 0,
    DR_L1 = 1 << PICS_BIT_DR_L1,
    ST_L1 = 1 << PICS_BIT_ST_L1,
    ST_TLB = 1 << PICS_BIT_ST_TLB,
    ST_LLC = 1 << PICS_BIT_ST_LLC,
    FL_MB = 1 << PICS_BIT_FL_MB,
    FL_CO = 1 << PICS_BIT_FL_CO,
    FL_EX = 1 << PICS_BIT_FL_EX,
    FL_MO = 1 << PICS_BIT_FL_MO,
};

static double pics_in(const struct stream *s, unsigned i, uint64_t pc, uint32_t signature, enum time_category c)
{
    const struct pics_profile *p = &observers_pics(s->set)->profile[i];
    for (size_t r = 0; r < p->rows; r++)
        if (p->row[r].pc == pc && p->row[r].signature == signature)
            return (double)p->row[r].time[c] / TIME_PER_CYCLE;
    return 0;
}

/* The cycles of one component in one state of commit, exact and by the sampler. */
static void expect(const struct stream *s, uint64_t pc, uint32_t signature, enum time_category c, double cycles)
{
    ck_assert_double_eq(pics_in(s, EXACT, pc, signature, c), cycles);
    ck_assert_double_eq(pics_in(s, SAMPLED, pc, signature, c), cycles);
}

/* One instruction commits, which has had these events (enum probe_event). */
static void commit_with(struct stream *s, uint64_t pc, uint32_t events)
{
    struct probe_token t = {.committing = 1};
    t.bank[s->head].pc = pc;
    t.bank[s->head].events = events;
    t.bank[s->head].valid = t.bank[s->head].commits = true;
    t.bank[s->head].mispredicted = (events & PROBE_MISPREDICTED) != 0;
    t.bank[s->head].flushes = (events & PROBE_FLUSHES) != 0;
    send(s, &t);
}

/* The oldest instruction does not commit, and has had these events so far. */
static void stall_with(struct stream *s, uint64_t pc, uint32_t events, uint64_t cycles)
{
    struct probe_token t = {.repeat = cycles};
    t.bank[s->head].pc = pc;
    t.bank[s->head].events = events;
    t.bank[s->head].valid = true;
    send(s, &t);
}

static void except_with(struct stream *s, uint64_t pc, uint32_t events, bool ordering)
{
    struct probe_token t = {.exception = true, .ordering = ordering, .exception_pc = pc};
    t.bank[s->head].pc = pc;
    t.bank[s->head].events = events;
    t.bank[s->head].valid = true;
    send(s, &t);
}

/* A load's misses become known while it stalls; they are all in the signature of its whole time. */
START_TEST(a_stall_has_the_signature_of_the_commit)
{
    struct stream s = watch(both, 2);
    stall_with(&s, I1, 0, 3);
    stall_with(&s, I1, PROBE_DCACHE_MISS, 10);
    stall_with(&s, I1, PROBE_DCACHE_MISS | PROBE_LLC_MISS, 20);
    commit_with(&s, I1, PROBE_DCACHE_MISS | PROBE_LLC_MISS);
    commit_with(&s, I1, PROBE_TAKEN | PROBE_FORWARDED); /* no events of a signature */
    finish(&s);
    expect(&s, I1, ST_L1 | ST_LLC, TIME_STALL_ALU, 33);
    expect(&s, I1, ST_L1 | ST_LLC, TIME_EXECUTE, 1);
    expect(&s, I1, ST_L1, TIME_STALL_ALU, 0);
    expect(&s, I1, BASE, TIME_EXECUTE, 1);
    done(&s);
}
END_TEST

/* The empty cycles, the entry and the stall are of one instruction, and under its signature. */
START_TEST(a_drained_rob_has_the_signature_of_the_next_instruction)
{
    struct stream s = watch(both, 2);
    commit_with(&s, I1, 0);
    empty(&s, 40);
    enter(&s, I3);
    stall_with(&s, I3, PROBE_ICACHE_MISS | PROBE_DTLB_MISS, 5);
    commit_with(&s, I3, PROBE_ICACHE_MISS | PROBE_DTLB_MISS);
    finish(&s);
    expect(&s, I3, DR_L1 | ST_TLB, TIME_FRONTEND, 40);
    expect(&s, I3, DR_L1 | ST_TLB, TIME_STALL_ALU, 6);
    expect(&s, I3, DR_L1 | ST_TLB, TIME_EXECUTE, 1);
    done(&s);
}
END_TEST

/* A store waits before the ROB, which drains: its event is known when it is in the ROB. */
START_TEST(a_full_store_queue_is_the_waiting_stores)
{
    struct stream s = watch(both, 2);
    commit_with(&s, I1, PROBE_MISPREDICTED);
    empty(&s, 4);
    block(&s, I2, 30);
    enter(&s, I2);
    commit_with(&s, I2, PROBE_STORE_QUEUE_FULL | PROBE_DTLB_WALK | PROBE_ITLB_WALK);
    finish(&s);
    uint32_t signature = 1u << PICS_BIT_DR_SQ | 1u << PICS_BIT_ST_WALK | 1u << PICS_BIT_DR_WALK;
    expect(&s, I1, FL_MB, TIME_MISPREDICT, 4);
    expect(&s, I2, signature, TIME_STALL_ALU, 31);
    expect(&s, I2, signature, TIME_EXECUTE, 1);
    done(&s);
}
END_TEST

/* The cost of a misprediction and of a flush is the offender's, under its whole signature. */
START_TEST(an_offenders_cycles_have_its_signature)
{
    struct stream s = watch(both, 2);
    commit_with(&s, I1, PROBE_MISPREDICTED | PROBE_ICACHE_MISS);
    empty(&s, 4);
    enter(&s, I2);
    commit_with(&s, I2, PROBE_FLUSHES);
    empty(&s, 6);
    enter(&s, I3);
    commit_with(&s, I3, 0);
    finish(&s);
    expect(&s, I1, FL_MB | DR_L1, TIME_MISPREDICT, 4);
    expect(&s, I1, FL_MB | DR_L1, TIME_EXECUTE, 1);
    expect(&s, I2, FL_CO, TIME_FLUSH, 6);
    expect(&s, I2, FL_CO, TIME_STALL_ALU, 1);
    expect(&s, I3, BASE, TIME_EXECUTE, 1);
    done(&s);
}
END_TEST

/* The execution that ends in the exception has its signature; the next execution of the same instruction is another. */
START_TEST(an_exception_completes_the_signature)
{
    struct stream s = watch(both, 2);
    stall_with(&s, I2, PROBE_DTLB_MISS, 9);
    except_with(&s, I2, PROBE_DTLB_MISS, false);
    empty(&s, 7);
    enter(&s, I2);
    stall_with(&s, I2, PROBE_DCACHE_MISS, 3);
    commit_with(&s, I2, PROBE_DCACHE_MISS);
    except_with(&s, I4, PROBE_REPLAYED, true);
    empty(&s, 5);
    enter(&s, I4);
    commit_with(&s, I4, 0);
    finish(&s);
    expect(&s, I2, FL_EX | ST_TLB, TIME_STALL_ALU, 10);
    expect(&s, I2, FL_EX | ST_TLB, TIME_FLUSH, 7);
    expect(&s, I2, ST_L1, TIME_STALL_ALU, 4);
    expect(&s, I2, ST_L1, TIME_EXECUTE, 1);
    expect(&s, I4, FL_MO, TIME_STALL_ALU, 1);
    expect(&s, I4, FL_MO, TIME_FLUSH, 5);
    expect(&s, I4, BASE, TIME_STALL_ALU, 1);
    done(&s);
}
END_TEST

/* An interrupt squashes the load that a sample waits for: its time is delivered with the events that it has had. */
START_TEST(an_interrupt_completes_what_waits)
{
    struct stream s = watch(both, 2);
    stall_with(&s, I1, PROBE_DCACHE_MISS, 12);
    handler(&s, 20);
    empty(&s, 5);
    enter(&s, I1);
    commit_with(&s, I1, 0);
    empty(&s, 8); /* drained: the next instruction is the handler's first */
    handler(&s, 3);
    finish(&s);
    expect(&s, I1, ST_L1, TIME_STALL_ALU, 12);
    expect(&s, 0, BASE, TIME_HANDLER, 36);
    expect(&s, I1, BASE, TIME_STALL_ALU, 1);
    ck_assert_uint_eq(observers_pics(s.set)->profile[EXACT].squashed, 1);
    ck_assert_uint_eq(observers_pics(s.set)->profile[SAMPLED].squashed, 1);
    done(&s);
}
END_TEST

START_TEST(what_waits_at_the_end_is_delivered)
{
    struct stream s = watch(both, 2);
    commit_with(&s, I1, 0);
    empty(&s, 6);
    finish(&s);
    expect(&s, 0, BASE, TIME_FRONTEND, 6);
    done(&s);
}
END_TEST

/* Triggers in cycles 9, 19 and 29 select the same instruction, and are one sample of 30 cycles. */
START_TEST(triggers_join_the_sample_that_waits)
{
    struct stream s = watch("tea-oracle,tea:period=10", 2);
    stall_with(&s, I1, 0, 35);
    commit_with(&s, I1, PROBE_DCACHE_MISS);
    commit2(&s, I2, I3);
    stall_with(&s, I4, 0, 3);
    finish(&s);
    ck_assert_uint_eq(s.cycle, 40);
    ck_assert_double_eq(pics_in(&s, SAMPLED, I1, ST_L1, TIME_STALL_ALU), 30);
    ck_assert_double_eq(pics_in(&s, SAMPLED, I4, BASE, TIME_STALL_ALU), 10);
    ck_assert_uint_eq(observers_pics(s.set)->profile[SAMPLED].samples, 4);
    observers_free(s.set);
    free(s.port);
}
END_TEST

static uint64_t random_state;

static unsigned draw(unsigned n)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(random_state >> 33) % n;
}

static uint32_t some_events(void) { return draw(3) == 0 ? draw(1 << PROBE_EVENT_COUNT) : 0; }

/* The oldest instruction is at *pc; what follows one state is another that can. */
static void random_step(struct stream *s, uint64_t *pc, bool *is_empty)
{
    uint32_t events = some_events();
    if (draw(20) == 0) {
        handler(s, 1 + draw(9));
        *is_empty = true;
    } else if (*is_empty) {
        if (draw(2) == 0)
            empty(s, 1 + draw(9));
        if (draw(4) == 0)
            block(s, *pc, 1 + draw(5));
        enter(s, *pc);
        *is_empty = false;
    } else if (draw(2) == 0) {
        stall_with(s, *pc, events, 1 + draw(9));
    } else if (draw(8) == 0) {
        except_with(s, *pc, events & ~(uint32_t)PROBE_REPLAYED, false);
        *is_empty = true;
    } else {
        commit_with(s, *pc, events);
        *pc = I1 + 4 * draw(40);
        *is_empty = draw(3) == 0;
    }
}

static uint64_t category_of(const struct pics_profile *p, uint64_t pc, int c)
{
    uint64_t sum = 0;
    for (size_t r = 0; r < p->rows; r++)
        sum += p->row[r].pc == pc ? p->row[r].time[c] : 0;
    return sum;
}

START_TEST(three_implementations_agree_on_random_streams)
{
    struct stream s = watch(both, 4);
    uint64_t pc = I1;
    bool is_empty = false;
    random_state = (uint64_t)_i;
    for (unsigned n = 0; n < 3000; n++)
        random_step(&s, &pc, &is_empty);
    finish(&s);
    const struct pics_profile *p = observers_pics(s.set)->profile;
    const struct time_profile *oracle = &s.result->profile[0];
    ck_assert_uint_eq(p[EXACT].rows, p[SAMPLED].rows);
    ck_assert_uint_eq(p[EXACT].squashed, p[SAMPLED].squashed);
    for (size_t r = 0; r < p[EXACT].rows; r++) {
        ck_assert_uint_eq(p[EXACT].row[r].pc, p[SAMPLED].row[r].pc);
        ck_assert_uint_eq(p[EXACT].row[r].signature, p[SAMPLED].row[r].signature);
        ck_assert_mem_eq(p[EXACT].row[r].time, p[SAMPLED].row[r].time, sizeof p->row->time);
    }
    for (size_t r = 0; r < oracle->rows; r++)
        for (int c = 0; c < TIME_CATEGORY_COUNT; c++)
            ck_assert_uint_eq(category_of(&p[EXACT], oracle->row[r].pc, c), oracle->row[r].time[c]);
    ck_assert_uint_eq(p[EXACT].time, s.cycle * TIME_PER_CYCLE);
    done(&s);
}
END_TEST

START_TEST(signatures_have_names)
{
    char text[PICS_TEXT];
    ck_assert_str_eq(pics_signature_text(BASE, text), "base");
    ck_assert_str_eq(pics_signature_text(ST_L1 | ST_LLC | FL_MB, text), "ST-L1+ST-LLC+FL-MB");
    pics_signature_text((1u << PICS_EVENT_COUNT) - 1, text);
    for (unsigned e = 0; e < PICS_EVENT_COUNT; e++)
        ck_assert_ptr_nonnull(strstr(text, pics_event_name((enum pics_event_bit)e)));
}
END_TEST

/* By hand: shares 0.5, 0.3, 0.2 against 0.4, 0.4, 0.2, of which the second pair differs in its signature alone. */
START_TEST(the_error_counts_time_under_a_wrong_signature)
{
    const struct pics_row want[] = {{I1, BASE, {50}}, {I1, ST_L1, {30}}, {I5, BASE, {20}}};
    const struct pics_row have[] = {{I1, BASE, {4}}, {I1, ST_TLB, {4}}, {I5, BASE, {2}}};
    struct pics_profile reference = {.row = want, .rows = 3, .time = 100, .exact = true};
    struct pics_profile p = {.row = have, .rows = 3, .time = 10};
    struct time_blocks blocks = {.count = 0};
    ck_assert_double_eq_tol(pics_error(&p, &reference, LEVEL_INSTRUCTION, &blocks, NULL), 0.4, 1e-12);
    ck_assert_double_eq_tol(pics_error(&reference, &reference, LEVEL_INSTRUCTION, &blocks, NULL), 0, 1e-12);
    /* All are in one unknown function: base 0.7 against 0.6. */
    ck_assert_double_eq_tol(pics_error(&p, &reference, LEVEL_FUNCTION, &blocks, NULL), 0.4, 1e-12);
    struct time_profile t = pics_time(&reference);
    ck_assert_uint_eq(t.rows, 2);
    ck_assert_uint_eq(time_row_total(&t.row[0]), 80);
    free((void *)t.row);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("tea");
    TCase *tc = tcase_create("signatures");
    tcase_add_test(tc, a_stall_has_the_signature_of_the_commit);
    tcase_add_test(tc, a_drained_rob_has_the_signature_of_the_next_instruction);
    tcase_add_test(tc, a_full_store_queue_is_the_waiting_stores);
    tcase_add_test(tc, an_offenders_cycles_have_its_signature);
    tcase_add_test(tc, an_exception_completes_the_signature);
    tcase_add_test(tc, an_interrupt_completes_what_waits);
    tcase_add_test(tc, what_waits_at_the_end_is_delivered);
    tcase_add_test(tc, triggers_join_the_sample_that_waits);
    tcase_add_loop_test(tc, three_implementations_agree_on_random_streams, 0, 20);
    tcase_add_test(tc, signatures_have_names);
    tcase_add_test(tc, the_error_counts_time_under_a_wrong_signature);
    suite_add_tcase(suite, tc);
    return run_suite(suite);
}
