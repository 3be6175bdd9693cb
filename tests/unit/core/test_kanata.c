/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Kanata log, read back: time goes on, every instruction begins and ends once, every stage that is opened is
 * closed, and windows take what they should. */
#include "core-model/prof/log/kanata.h"
#include "tests/unit/guest_mix.h"
#include "tests/unit/suite.h"

enum { IDS = 100000, STAGE_LENGTH = 8, ROUNDS = 200 };

struct reading {
    unsigned begun, retired, flushed, arrows, lines;
    uint64_t first_cycle, cycle;
    char open[IDS][STAGE_LENGTH]; /* the open stage of each instruction */
    uint8_t state[IDS];           /* 0 unknown, 1 in flight, 2 ended */
};

static void read_stage(struct reading *r, char kind, unsigned long id, const char *stage)
{
    ck_assert_uint_lt(id, IDS);
    MUST(r->state[id] == 1);
    if (kind == 'S') {
        MUST(r->open[id][0] == '\0');
        strcpy(r->open[id], stage);
    } else {
        MUST(strcmp(r->open[id], stage) == 0);
        r->open[id][0] = '\0';
    }
}

static void read_end(struct reading *r, unsigned long id, unsigned type)
{
    ck_assert_uint_lt(id, IDS);
    MUST(r->state[id] == 1 && r->open[id][0] == '\0' && type <= 1);
    r->state[id] = 2;
    if (type == 0)
        r->retired++;
    else
        r->flushed++;
}

static void read_line(struct reading *r, const char *line)
{
    unsigned long a, b, c;
    char kind, stage[STAGE_LENGTH];
    int n = 0;
    if (sscanf(line, "C=\t%lu\n%n", &a, &n) == 1) {
        MUST(r->lines == 1);
        r->first_cycle = r->cycle = a;
    } else if (sscanf(line, "C\t%lu\n%n", &a, &n) == 1) {
        MUST(a > 0);
        r->cycle += a;
    } else if (sscanf(line, "I\t%lu\t%lu\t%lu\n%n", &a, &b, &c, &n) == 3) {
        MUST(a == r->begun && c == 0);
        r->state[a] = 1;
        r->begun++;
    } else if (sscanf(line, "L\t%lu\t%lu\t%n", &a, &b, &n) == 2) {
        MUST(a < IDS && r->state[a] == 1 && b <= 1 && strchr(line + n, '\t') == NULL);
        n = (int)strlen(line);
    } else if (sscanf(line, "%c\t%lu\t0\t%7[A-Za-z]\n%n", &kind, &a, stage, &n) == 3) {
        MUST(kind == 'S' || kind == 'E');
        read_stage(r, kind, a, stage);
    } else if (sscanf(line, "W\t%lu\t%lu\t0\n%n", &a, &b, &n) == 2) {
        MUST(a < IDS && b < a && r->state[a] == 1 && r->state[b] == 1);
        r->arrows++;
    } else if (sscanf(line, "R\t%lu\t%lu\t%lu\n%n", &a, &b, &c, &n) == 3) {
        MUST(b == r->retired);
        read_end(r, a, (unsigned)c);
    }
    ck_assert_msg(n == (int)strlen(line), "not a line of the format: %s", line);
}

/* Runs a loop of ROUNDS under a log with that window, and reads the log. */
static struct reading *log_of(const struct window *window, uint64_t max_insts)
{
    struct core_config cfg = plain_config(OOO);
    struct bench b;
    struct window w = *window;
    char *text, line[512];
    size_t size;
    bench_open(&b, busy_loop(ROUNDS), &cfg);
    FILE *out = open_memstream(&text, &size);
    struct observer *k = kanata_new(out, &w);
    observer_attach(k, b.core);
    (void)core_run(b.core, max_insts);
    k->kind->finish(k, core_cycle(b.core), &b.guest.hart);
    observer_release(k);
    fclose(out);
    bench_close(&b);
    struct reading *r = calloc(1, sizeof *r);
    FILE *in = fmemopen(text, size, "r");
    ck_assert_ptr_nonnull(fgets(line, sizeof line, in));
    ck_assert_str_eq(line, "Kanata\t0004\n");
    for (r->lines = 1; fgets(line, sizeof line, in) != NULL; r->lines++)
        read_line(r, line);
    fclose(in);
    free(text);
    for (unsigned i = 0; i < r->begun; i++)
        MUST(r->state[i] == 2);
    ck_assert_uint_eq(r->begun, r->retired + r->flushed);
    return r;
}

START_TEST(whole_run)
{
    struct window all = {.kind = WINDOW_ALL};
    struct reading *r = log_of(&all, UINT64_MAX);
    ck_assert_uint_gt(r->retired, ROUNDS * 8);
    ck_assert_uint_gt(r->flushed, 100);
    ck_assert_uint_gt(r->arrows, ROUNDS * 4);
    free(r);
    /* A run cut off leaves nothing open. */
    r = log_of(&all, 500);
    ck_assert_uint_eq(r->retired, 500);
    free(r);
}
END_TEST

START_TEST(windows)
{
    struct window cycles = {.kind = WINDOW_CYCLES, .from = 400, .to = 440};
    struct window insts = {.kind = WINDOW_INSTS, .from = 300, .to = 340};
    struct window pc = {.kind = WINDOW_PC, .from = CODE_START + BUSY_TOP * 4, .to = 50},
                  never = {.kind = WINDOW_PC, .from = 4, .to = 50};
    struct reading *r = log_of(&cycles, UINT64_MAX);
    ck_assert_uint_ge(r->first_cycle, 400);
    ck_assert_uint_lt(r->first_cycle, 440);
    ck_assert_uint_gt(r->begun, 0);
    ck_assert_uint_le(r->begun, 40 * plain_config(OOO).fetch_width);
    free(r);
    r = log_of(&insts, UINT64_MAX);
    ck_assert_uint_gt(r->retired, 0);
    ck_assert_uint_lt(r->begun, 600);
    free(r);
    r = log_of(&pc, UINT64_MAX);
    ck_assert_uint_eq(r->begun, 50);
    free(r);
    r = log_of(&never, UINT64_MAX);
    ck_assert_uint_eq(r->begun, 0);
    free(r);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("kanata");
    TCase *t = tcase_create("log");
    tcase_add_test(t, whole_run);
    tcase_add_test(t, windows);
    suite_add_tcase(s, t);
    return run_suite(s);
}
