/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The process that repeats the run is forked before the guest exists, and waits. It gets questions through a pipe, each
 * a number, instructions and causes, and forks a child for each, which answers through another pipe with the cycles
 * of its run. Question 0 removes nothing, the last one all that the others remove. */
#include "tools/pcemu/gains.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"
#include "core-model/ideal.h"
#include "host/report/words.h"
#include "tools/pcemu/fatal.h"
#include "tools/pcemu/gains_list.h"
#include "tools/pcemu/message.h"
#include "tools/pcemu/session.h"

enum { GAINS_TOGETHER = -1, GAINS_POLL_MS = 100 };

/* A question, or a part of it: a range of its instructions. */
struct gains_question {
    uint32_t number;
    int32_t causes; /* GAINS_TOGETHER: those of all questions before */
    uint64_t start, end;
    bool goes_on; /* further parts follow */
};

struct gains_answer {
    uint32_t number;
    bool is_known;
    uint64_t cycles, retired;
};
_Static_assert(sizeof(struct gains_answer) <= 512, "written to a pipe at once (PIPE_BUF)");

struct gains {
    int questions, answers; /* descriptors */
    pid_t process;
    struct gains_list list;
    struct gain_result result;
    char **removed;             /* texts of the rows */
    const struct ideal **asked; /* the instructions of the file's questions, for the estimates */
};

/* ---- the repetitions ---- */

/* A process that forks. */
struct gains_forker {
    struct session *s;
    int questions, answers;
    off_t input;    /* where standard input was at the start; -1: it cannot be read again */
    mode_t kind[3]; /* of the standard streams, as in st_mode */
    unsigned running, most;
    struct gains_child {
        pid_t process;
        uint32_t number;
    } * child;               /* `most` of them; process 0: none */
    struct ideal *all, *one; /* the causes of all questions until now, and of this one */
};

/* What is profiled, written or stored is the first run's. */
static void gains_change_options(struct options *o)
{
    o->no_program = true;
    o->program = o->report = o->trace = o->baseline = NULL;
    options_drop_outputs(o);
    o->param.count = o->profile.count = 0;
    o->sampler = o->sort = NULL;
    o->stacks = false;
    o->gain = NULL;
}

static void gains_replace(int fd, int to)
{
    if (to < 0 || dup2(to, fd) < 0)
        _exit(EXIT_BAD_INPUT);
    (void)close(to);
}

/* Returns the writing end of a pipe that a process reads until the last writer has ended. It is no child of this one,
 * which a guest could wait for. */
static int gains_open_drain(void)
{
    int end[2];
    char bytes[4096];
    if (pipe2(end, O_CLOEXEC) != 0)
        return -1;
    const pid_t between = fork();
    if (between == 0) {
        if (fork() != 0)
            _exit(0);
        (void)close(end[1]);
        while (read(end[0], bytes, sizeof bytes) > 0)
            ;
        _exit(0);
    }
    (void)waitpid(between, NULL, 0);
    (void)close(end[0]);
    return end[1];
}

/* Output goes nowhere, by a file of the kind that the first run has: the guest's library behaves accordingly. */
static void gains_open_output(int fd, mode_t kind)
{
    if (S_ISREG(kind))
        gains_replace(fd, memfd_create("output", MFD_CLOEXEC));
    else if (S_ISFIFO(kind) || S_ISSOCK(kind))
        gains_replace(fd, gains_open_drain());
    else
        gains_replace(fd, open("/dev/null", O_WRONLY | O_CLOEXEC));
}

/* A file is read from where the first run has begun. */
static void gains_open_streams(const struct gains_forker *f)
{
    char path[32] = "/dev/null";
    if (f->input >= 0)
        snprintf(path, sizeof path, "/proc/self/fd/%d", STDIN_FILENO);
    gains_replace(STDIN_FILENO, open(path, O_RDONLY | O_CLOEXEC));
    if (f->input >= 0 && lseek(STDIN_FILENO, f->input, SEEK_SET) < 0)
        _exit(EXIT_BAD_INPUT);
    gains_open_output(STDOUT_FILENO, f->kind[STDOUT_FILENO]);
    gains_open_output(STDERR_FILENO, f->kind[STDERR_FILENO]);
}

static void gains_answer(int fd, const struct gains_answer *a)
{
    if (write(fd, a, sizeof *a) != sizeof *a)
        _exit(EXIT_BAD_INPUT);
}

/* The run of a question, in a process of its own. */
static _Noreturn void gains_repeat(const struct gains_forker *f, const struct gains_question *q)
{
    struct session *s = f->s;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    gains_open_streams(f);
    gains_change_options(&s->options);
    s->ideal = q->causes == GAINS_TOGETHER ? f->all : f->one;
    session_set_up(s);
    session_run(s);
    gains_answer(f->answers, &(struct gains_answer){.number = q->number,
                                                    .is_known = s->outcome.signal == 0,
                                                    .cycles = core_cycle(s->target.core),
                                                    .retired = target_retired(&s->target)});
    _exit(0);
}

/* Waits for the end of a repetition; one that fails has not answered. */
static void gains_reap(struct gains_forker *f)
{
    int status;
    const pid_t process = wait(&status);
    if (process < 0)
        _exit(0);
    for (unsigned n = 0; n < f->most; n++) {
        if (f->child[n].process != process)
            continue;
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            gains_answer(f->answers, &(struct gains_answer){.number = f->child[n].number});
        f->child[n].process = 0;
        f->running--;
    }
}

static void gains_fork(struct gains_forker *f, const struct gains_question *q)
{
    unsigned n = 0;
    while (f->running == f->most)
        gains_reap(f);
    while (f->child[n].process != 0)
        n++;
    const pid_t process = fork();
    if (process == 0)
        gains_repeat(f, q);
    if (process < 0) {
        gains_answer(f->answers, &(struct gains_answer){.number = q->number});
        return;
    }
    f->child[n] = (struct gains_child){process, q->number};
    f->running++;
}

/* Reads the parts of a question; ends when there is none. */
static struct gains_question gains_hear(struct gains_forker *f)
{
    struct gains_question q;
    f->one = ideal_new();
    do {
        if (read(f->questions, &q, sizeof q) != sizeof q)
            _exit(0);
        if (q.causes <= 0)
            continue;
        ideal_add(f->all, q.start, q.end, (uint32_t)q.causes);
        ideal_add(f->one, q.start, q.end, (uint32_t)q.causes);
    } while (q.goes_on);
    return q;
}

/* Up to the last question. */
static _Noreturn void gains_serve(struct gains_forker *f)
{
    struct gains_question q;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    f->child = xcalloc(f->most, sizeof *f->child);
    f->all = ideal_new();
    do {
        q = gains_hear(f);
        gains_fork(f, &q);
        ideal_free(f->one);
    } while (q.causes != GAINS_TOGETHER);
    while (f->running > 0)
        gains_reap(f);
    _exit(0);
}

/* ---- the first run ---- */

/* What the repetitions need to know of the first run's standard streams. */
static void gains_note_streams(struct gains_forker *f)
{
    struct stat st;
    for (int fd = 0; fd < 3; fd++)
        f->kind[fd] = fstat(fd, &st) == 0 ? st.st_mode : 0;
    f->input = S_ISREG(f->kind[STDIN_FILENO]) ? lseek(STDIN_FILENO, 0, SEEK_CUR) : -1;
}

struct gains *gains_start(struct session *s)
{
    if (s->options.gain == NULL)
        return NULL;
    struct gains *g = xcalloc(1, sizeof *g);
    gains_list_read(&g->list, s->options.gain);
    int questions[2], answers[2];
    s->gained = &g->result;
    if (pipe2(questions, O_CLOEXEC) != 0 || pipe2(answers, O_CLOEXEC) != 0)
        die("--gain: %s", strerror(errno));
    g->process = fork();
    if (g->process < 0)
        die("--gain: %s", strerror(errno));
    if (g->process == 0) {
        struct gains_forker f = {.s = s, .questions = questions[0], .answers = answers[1]};
        const long processors = sysconf(_SC_NPROCESSORS_ONLN);
        (void)close(questions[1]);
        (void)close(answers[0]);
        f.most = processors > 1 ? (unsigned)processors : 1;
        gains_note_streams(&f);
        gains_serve(&f);
    }
    (void)close(questions[0]);
    (void)close(answers[1]);
    g->questions = questions[1];
    g->answers = answers[0];
    return g;
}

/* Ends the process that repeats the run, and with it the repetitions. */
static void gains_end(struct gains *g)
{
    /* A confined process may not signal it: then it ends with this one (PR_SET_PDEATHSIG). */
    if (g->process > 0 && kill(g->process, SIGKILL) == 0)
        (void)waitpid(g->process, NULL, 0);
    g->process = 0;
}

void gains_free(struct gains *g)
{
    if (g == NULL)
        return;
    gains_end(g);
    if (g->questions >= 0)
        (void)close(g->questions);
    (void)close(g->answers);
    free(g->result.row);
    for (unsigned n = 0; n < g->result.rows; n++)
        free(g->removed[n]);
    free(g->removed);
    free((void *)g->asked);
    gains_list_free(&g->list);
    free(g);
}

/* ---- questions ---- */

void gains_place(struct gains *g, struct session *s)
{
    if (g == NULL)
        return;
    gains_list_place(&g->list, &s->target);
    g->asked = xcalloc(g->list.count + 1, sizeof *g->asked);
    for (size_t n = 0; n < g->list.count; n++)
        g->asked[n] = g->list.asked[n].code;
    observers_ask_graph(s->observers, g->asked, g->list.count);
}

static void gains_ask(struct gains *g, const struct gains_question *q)
{
    if (write(g->questions, q, sizeof *q) != sizeof *q)
        print_message("--gain: %s", strerror(errno));
}

/* The share of the cycles that the graph of dependences estimates for question n; NaN: it does not know. */
static double gains_estimate(const struct graph_result *graph, const struct gains_asked *a, size_t n)
{
    const struct graph_profile *p = graph_profile_main(graph);
    for (size_t k = 0; p != NULL && k < p->rows; k++)
        if (p->row[k].pc == a->pc && p->row[k].causes == a->causes && a->is_one)
            return p->row[k].gain / (double)graph->cycles;
    return p != NULL && n < p->questions ? p->asked[n] / (double)graph->cycles : (double)NAN;
}

/* Question n of the list. */
static struct gain_row gains_row(const struct gains_list *l, size_t n, const char *removed,
                                 const struct time_result *time, const struct graph_result *graph)
{
    const struct gains_asked *a = &l->asked[n];
    const struct time_profile *p = gains_exact(time);
    const double whole = (double)time->cycles * TIME_PER_CYCLE;
    struct gain_row row = {.pc = a->pc,
                           .is_one = a->is_one,
                           .asked = a->places,
                           .removed = removed,
                           .estimated = gains_estimate(graph, a, n)};
    for (size_t k = 0; k < p->rows; k++) {
        if (ideal_causes(a->code, p->row[k].pc) == 0)
            continue;
        row.time += (double)time_row_total(&p->row[k]) / whole;
        row.stalled += (double)gains_stalled(&p->row[k]) / whole;
    }
    return row;
}

struct gains_part {
    struct gains *gains;
    uint32_t number;
};

/* A part of a question; the last one, without causes, follows. */
static void gains_ask_part(void *ctx, uint64_t start, uint64_t end, uint32_t causes)
{
    const struct gains_part *p = ctx;
    gains_ask(p->gains,
              &(struct gains_question){
                  .number = p->number, .causes = (int32_t)causes, .start = start, .end = end, .goes_on = true});
}

/* Asks all questions. Returns their number, with those that remove nothing, and all. */
static uint32_t gains_ask_all(struct gains *g, const struct time_result *time, const struct graph_result *graph)
{
    struct gain_result *r = &g->result;
    r->row = xcalloc(g->list.count + 1, sizeof *r->row);
    g->removed = xcalloc(g->list.count + 1, sizeof *g->removed);
    gains_ask(g, &(struct gains_question){.number = 0});
    for (; r->rows < g->list.count; r->rows++) {
        const struct gains_asked *a = &g->list.asked[r->rows];
        g->removed[r->rows] = ideal_print(a->causes);
        r->row[r->rows] = gains_row(&g->list, r->rows, g->removed[r->rows], time, graph);
        struct gains_part part = {g, r->rows + 1};
        ideal_each(a->code, gains_ask_part, &part);
        gains_ask(g, &(struct gains_question){.number = part.number});
    }
    gains_ask(g, &(struct gains_question){.number = r->rows + 1, .causes = GAINS_TOGETHER});
    (void)close(g->questions);
    g->questions = -1;
    return r->rows + 2;
}

/* ---- answers ---- */

static int gains_compare(const void *a, const void *b)
{
    const struct gain_row *x = a, *y = b;
    if (x->is_known != y->is_known)
        return x->is_known ? -1 : 1;
    return x->cycles != y->cycles ? (x->cycles > y->cycles) - (x->cycles < y->cycles)
                                  : (x->pc > y->pc) - (x->pc < y->pc);
}

/* Waits for the next answer; false: there are no more, or a signal ends pcemu. */
static bool gains_read(const struct gains *g, struct gains_answer *a)
{
    struct pollfd answers = {.fd = g->answers, .events = POLLIN};
    while (signals_ended_by() == 0)
        if (poll(&answers, 1, GAINS_POLL_MS) > 0)
            return read(g->answers, a, sizeof *a) == sizeof *a;
    return false;
}

/* Reads the answers, by number. */
static void gains_collect(struct gains *g, struct session *s, struct gains_answer *answer, uint32_t questions)
{
    struct gains_answer a;
    status_line_begin(&s->status_line);
    for (uint32_t n = 0; n < questions; n++) {
        const struct progress p = {.what = "gains", .unit = "runs", .done = n, .goal = questions};
        status_line_show(&s->status_line, &p, false);
        if (!gains_read(g, &a))
            break;
        if (a.number < questions)
            answer[a.number] = a;
    }
    status_line_end(&s->status_line);
}

/* Runs that have not retired the instructions of the one that nothing is removed from are not known. Returns their
 * number. */
static uint32_t gains_take(struct gains *g, const struct gains_answer *answer, uint32_t questions)
{
    const struct gains_answer *base = &answer[0], *together = &answer[questions - 1];
    uint32_t others = 0;
    for (uint32_t n = 1; n < questions; n++)
        others += base->is_known && answer[n].is_known && answer[n].retired != base->retired;
    for (unsigned n = 0; n < g->result.rows; n++) {
        const struct gains_answer *a = &answer[n + 1];
        g->result.row[n].is_known = base->is_known && a->is_known && a->retired == base->retired;
        g->result.row[n].cycles = a->cycles;
    }
    g->result.base = base->cycles;
    g->result.together = together->is_known && together->retired == base->retired ? together->cycles : 0;
    return others;
}

/* Whether the repeated runs are those of the first one, but for the stream that the guest writes to. If not, says so.
 */
static bool gains_repeats(uint64_t first, uint64_t base)
{
    char number[REPORT_NUMBER], of[REPORT_NUMBER];
    const uint64_t apart = first > base ? first - base : base - first;
    if (apart > first / 100)
        print_message("--gain: the gains are unknown: the repeated runs executed %s instructions, the first %s: "
                      "standard input can be read again only if it is a file, the output is no terminal, and files "
                      "that the guest has changed stay so",
                      report_number(number, base), report_number(of, first));
    return apart <= first / 100;
}

/* Says why gains are unknown. */
static void gains_tell(struct gains *g, struct session *s, const struct gains_answer *answer, uint32_t others)
{
    char number[REPORT_NUMBER];
    if (signals_ended_by() != 0) {
        gains_end(g);
        s->outcome.signal = signals_ended_by();
        s->outcome.exit_status = 128 + s->outcome.signal;
        print_message("--gain: interrupted: gains that are missing are of runs that had not ended");
    } else if (!answer[0].is_known) {
        print_message("--gain: the gains are unknown: the run that nothing is removed from has failed");
    } else if (!gains_repeats(target_retired(&s->target), answer[0].retired)) {
        g->result.base = g->result.together = 0;
    } else if (others != 0) {
        print_message("--gain: %s runs executed other instructions than the one that nothing is removed from: their "
                      "gains are unknown",
                      report_number(number, others));
    }
}

const struct gain_result *gains_find(struct gains *g, struct session *s, const struct time_result *time,
                                     const struct graph_result *graph)
{
    if (gains_exact(time) == NULL)
        BUG("--gain without an exact profile of time");
    gains_list_choose(&g->list, time, graph, core_configuration(s->target.core)->core != 0);
    const uint32_t questions = gains_ask_all(g, time, graph);
    struct gains_answer *answer = xcalloc(questions, sizeof *answer);
    gains_collect(g, s, answer, questions);
    const uint32_t others = gains_take(g, answer, questions);
    gains_tell(g, s, answer, others);
    free(answer);
    qsort(g->result.row, g->result.rows, sizeof *g->result.row, gains_compare);
    g->result.code = time->code;
    return &g->result;
}
