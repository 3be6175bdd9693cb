/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The observer of paths against the stream of retired instructions, on both cores: histories, partners, paths and
 * counts of transfers. */
#include "core-model/prof/observer.h"
#include "tests/unit/guest_mix.h"
#include "tests/unit/pipe_guest.h"
#include "tests/unit/suite.h"

enum { MOST = 200000, PERIOD = 50, WINDOW = 20, LENGTH = 16, ROUNDS = 2000 };

struct stream {
    struct path_transfer transfer[MOST];
    uint64_t pc[MOST], history;
    unsigned pcs, transfers;
};
static struct stream stream;

static void retired(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct stream *s = ctx;
    (void)cycle;
    MUST(s->pcs < MOST);
    s->pc[s->pcs++] = in->pc;
    MUST(in->history == s->history); /* of the conditional branches before it */
    if (in->insn->flags & RV_BRANCH)
        s->history = s->history << 1 | in->outcome->taken;
    if (in->insn->flags & (RV_BRANCH | RV_JUMP))
        s->transfer[s->transfers++] = (struct path_transfer){
            .pc = in->pc, .next = in->outcome->next_pc, .taken = in->outcome->taken};
}

/* Is the sample's path the part of the stream that ends with transfer `end`? */
static bool is_path(const struct path_profile *p, const struct path_sample *s, unsigned end)
{
    if (end < s->transfers)
        return false;
    for (unsigned i = 0; i < s->transfers; i++) {
        const struct path_transfer *t = &p->transfer[s->first + i], *u = &stream.transfer[end - 1 - i];
        if (t->pc != u->pc || t->next != u->next || t->taken != u->taken)
            return false;
    }
    return true;
}

/* Samples come in the stream's order: looks for each behind the one before it. */
static void compare_samples(const struct path_profile *p)
{
    unsigned at = 0, transfers = 0;
    for (size_t i = 0; i < p->samples; i++) {
        const struct path_sample *s = &p->sample[i];
        bool found = false;
        for (; at < stream.pcs && !found; at++) {
            found = stream.pc[at] == s->pc && at >= s->distance && stream.pc[at - s->distance] == s->partner_pc &&
                    is_path(p, s, transfers);
            transfers += transfers < stream.transfers && stream.transfer[transfers].pc == stream.pc[at];
        }
        MUST(found);
        unsigned branches = 0;
        for (unsigned n = 0; n < s->transfers && branches < LENGTH; n++)
            if (p->transfer[s->first + n].kind == CODE_BRANCH)
                MUST((s->history >> branches++ & 1) == p->transfer[s->first + n].taken);
        MUST(branches == LENGTH && s->distance >= 1 && s->distance <= WINDOW);
        MUST(p->transfer[s->first + s->transfers - 1].taken);
    }
}

static void compare_edges(const struct path_profile *p)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < p->edges; i++) {
        uint64_t count = 0;
        for (unsigned n = 0; n < stream.transfers; n++)
            count += stream.transfer[n].pc == p->edge[i].pc && stream.transfer[n].next == p->edge[i].next;
        ck_assert_uint_eq(p->edge[i].count, count);
        sum += count;
    }
    ck_assert_uint_eq(sum, stream.transfers);
}

START_TEST(samples_are_of_the_stream)
{
    struct bench b;
    struct core_config cfg = config_of(_i);
    struct observer_setup setup = {.option = {PERIOD, WINDOW, LENGTH, 1}};
    struct observer *o = observer_paths.create(&observer_paths, &setup);
    struct probe_listener watch = {.ctx = &stream, .stage[PROBE_RETIRED] = retired};
    stream = (struct stream){0};
    bench_open(&b, guess_loop(ROUNDS), &cfg);
    core_subscribe(b.core, &watch);
    observer_attach(o, b.core);
    bench_finish(&b);
    observer_paths.finish(o, core_cycle(b.core), &b.guest.hart);
    const struct path_profile *paths = observer_paths.paths(o);
    ck_assert_uint_gt(paths->samples, 100);
    ck_assert_uint_gt(paths->squashed, 0);
    ck_assert_uint_ge(paths->selected, paths->samples + paths->squashed + paths->cut);
    compare_samples(paths);
    compare_edges(paths);
    observer_release(o);
    bench_close(&b);
}
END_TEST

START_TEST(many_samples_are_thinned)
{
    struct bench b;
    struct core_config cfg = config_of(OOO);
    struct observer_setup setup = {.option = {1, WINDOW, 4, 1}};
    struct observer *o = observer_paths.create(&observer_paths, &setup);
    bench_open(&b, guess_loop(ROUNDS), &cfg);
    observer_attach(o, b.core);
    bench_finish(&b);
    observer_paths.finish(o, core_cycle(b.core), &b.guest.hart);
    const struct path_profile *paths = observer_paths.paths(o);
    ck_assert_uint_gt(paths->thinned, 1000);
    ck_assert_uint_lt(paths->samples, 8192);
    ck_assert_uint_ge(paths->samples, 4096);
    size_t next = 0;
    for (size_t i = 0; i < paths->samples; i++) {
        ck_assert_uint_eq(paths->sample[i].first, next);
        next += paths->sample[i].transfers;
    }
    observer_release(o);
    bench_close(&b);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("paths");
    TCase *t = tcase_create("paths");
    tcase_set_timeout(t, 60);
    tcase_add_loop_test(t, samples_are_of_the_stream, OOO, INORDER + 1);
    tcase_add_test(t, many_samples_are_thinned);
    suite_add_tcase(s, t);
    return run_suite(s);
}
