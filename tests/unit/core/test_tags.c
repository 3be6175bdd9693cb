/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tags of several observers at once, on both cores: each is asked in its stage and in its own part of the run, keeps
 * its own tags, and gets what it tagged exactly once, at retirement or at the squash. */
#include "core-model/prof/observer.h"

#include "tests/unit/fault.h"
#include "tests/unit/guest_mix.h"
#include "tests/unit/suite.h"

enum { TAGGERS = 3, ROUNDS = 300, MOST = 1 << 16, FETCH_PERIOD = 7, RENAME_PERIOD = 5, FROM = 1000 };

/* An observer that tags each `period`-th instruction by its fetch number, with a tag that follows from that. */
struct tagger {
    uint64_t period, from_seq, asked, tagged, retired, squashed, wrong_path, earliest;
    unsigned bits;
    bool wants_squashed;
    uint8_t *tag; /* of the instructions in flight, by fetch number; 0: none, or delivered */
    struct probe_listener observer;
};

static unsigned tag(void *ctx, uint64_t seq, uint64_t pc, enum opclass opclass, uint64_t cycle)
{
    struct tagger *t = ctx;
    (void)pc, (void)opclass, (void)cycle;
    MUST(seq >= t->from_seq && seq < MOST);
    t->earliest = t->asked++ == 0 ? seq : t->earliest;
    if (seq % t->period != 0)
        return 0;
    MUST(t->tag[seq] == 0);
    t->tagged++;
    return t->tag[seq] = (uint8_t)(1 + seq / t->period % ((1u << t->bits) - 1));
}

static void tagged(void *ctx, const struct probe_insn *in, unsigned number, uint64_t cycle)
{
    struct tagger *t = ctx;
    (void)cycle;
    MUST(number == t->tag[in->seq] && number != 0);
    MUST(in->cause == PROBE_CAUSE_NONE || t->wants_squashed);
    t->tag[in->seq] = 0;
    t->retired += in->cause == PROBE_CAUSE_NONE;
    t->squashed += in->cause != PROBE_CAUSE_NONE;
    t->wrong_path += (in->events & PROBE_WRONG_PATH) != 0;
    MUST(in->cause != PROBE_CAUSE_NONE || !(in->events & PROBE_WRONG_PATH));
}

static void open_tagger(struct tagger *t, enum probe_stage at, unsigned bits, uint64_t period, bool squashed)
{
    t->bits = bits;
    t->period = period;
    t->wants_squashed = squashed;
    t->tag = xcalloc(MOST, 1);
    t->observer.ctx = t;
    t->observer.tagger = (struct probe_tagger){
        .at = at, .bits = (uint8_t)bits, .tag = tag, .tagged = tagged, .squashed = squashed, .from_seq = &t->from_seq};
}

/* Tags that were never delivered: those of instructions still in flight at the end, or squashed without being
 * wanted. */
static uint64_t left(const struct tagger *t)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < MOST; i++)
        n += t->tag[i] != 0;
    return n;
}

START_TEST(each_observer_has_its_own_tags)
{
    struct core_config cfg;
    struct bench b;
    struct tagger t[TAGGERS] = {0};
    core_config_default(&cfg);
    cfg.core = (uint32_t)_i;
    bench_open(&b, loop_of_everything(ROUNDS), &cfg);
    open_tagger(&t[0], PROBE_FETCHED, 8, FETCH_PERIOD, true);
    open_tagger(&t[1], PROBE_MAPPED, 3, RENAME_PERIOD, true);
    open_tagger(&t[2], PROBE_FETCHED, 1, 3, false);
    t[2].from_seq = FROM;
    for (unsigned i = 0; i < TAGGERS; i++)
        core_subscribe(b.core, &t[i].observer);
    bench_finish(&b);
    for (unsigned i = 0; i < TAGGERS; i++) {
        ck_assert_uint_gt(t[i].retired, 100);
        ck_assert_uint_eq(t[i].tagged, t[i].retired + t[i].squashed + left(&t[i]));
    }
    ck_assert_uint_gt(t[0].wrong_path, 0); /* tagged at fetch: both paths */
    ck_assert_uint_gt(t[0].squashed, 0);
    ck_assert_uint_le(left(&t[0]), 256);       /* in flight at the end */
    ck_assert_uint_gt(t[0].asked, t[1].asked); /* not all that is fetched is renamed */
    ck_assert_uint_eq(t[2].squashed, 0);
    ck_assert_uint_eq(t[2].earliest, FROM);
    for (unsigned i = 0; i < TAGGERS; i++)
        free(t[i].tag);
    bench_close(&b);
}
END_TEST

static unsigned never(void *ctx, uint64_t seq, uint64_t pc, enum opclass opclass, uint64_t cycle)
{
    (void)ctx, (void)seq, (void)pc, (void)opclass, (void)cycle;
    return 0;
}

START_TEST(tags_have_room_for_so_many_bits)
{
    struct core_config cfg;
    struct bench b;
    expect_fault();
    core_config_default(&cfg);
    bench_open(&b, loop_of_everything(1), &cfg);
    struct probe_listener o = {.tagger = {.at = PROBE_MAPPED, .bits = 8, .tag = never, .tagged = tagged}};
    for (unsigned i = 0; i <= PROBE_TAG_BITS / 8; i++)
        core_subscribe(b.core, &o); /* the last is a fault of ours */
    bench_close(&b);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("tags");
    TCase *t = tcase_create("tags");
    tcase_add_loop_test(t, each_observer_has_its_own_tags, 0, 2);
    tcase_add_exit_test(t, tags_have_room_for_so_many_bits, EXIT_OUR_FAULT);
    suite_add_tcase(s, t);
    return run_suite(s);
}
