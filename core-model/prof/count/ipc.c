/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Instructions retired in consecutive windows of some cycles: the variation of a program's parallelism (ProfileMe
 * paper, section 6: windows of 30 cycles). The weighted statistics weight each window by its retired instructions: they
 * describe the window of a randomly chosen retired instruction. The incomplete window at the end of the run is
 * omitted. */
#include <math.h>
#include <stdlib.h>

#include "base/status.h"
#include "contract/report.h"
#include "core-model/prof/observer.h"

struct ipc {
    struct observer base;
    uint64_t window;   /* cycles */
    uint64_t start;    /* cycle of the start of the run */
    uint64_t end;      /* end cycle of the current window; 0: before the first token */
    uint64_t retired;  /* in the current window */
    uint64_t *windows; /* histogram by number of retirements, up to window * PROBE_MAX_BANKS */
};

static size_t ipc_counts(const struct ipc *w) { return w->window * PROBE_MAX_BANKS + 1; }

/* Closes all windows that end before `cycle`. */
static void close_windows(struct ipc *w, uint64_t cycle)
{
    uint64_t idle = (cycle - w->end) / w->window;
    w->windows[w->retired]++;
    w->windows[0] += idle;
    w->end += (idle + 1) * w->window;
    w->retired = 0;
}

static void ipc_token(void *ctx, const struct probe_token *t)
{
    struct ipc *w = ctx;
    if (w->end == 0)
        w->end = t->cycle + w->window;
    if (t->cycle >= w->end)
        close_windows(w, t->cycle);
    w->retired += t->committing; /* only tokens without commits are repeated */
}

static void ipc_commits(void *ctx, const struct probe_commits *c)
{
    struct ipc *w = ctx;
    uint64_t cycle = c->from;
    if (w->end == 0)
        w->end = cycle + w->window;
    for (unsigned n = 0; n < c->cycles; n++, cycle++) {
        cycle += c->at[n].stalled;
        if (cycle >= w->end)
            close_windows(w, cycle);
        w->retired += c->at[n].committing;
    }
}

struct spread {
    uint64_t windows, retired, least, most; /* least: of the windows with retirements */
    double mean, deviation;                 /* weighted; retired instructions per window */
};

static struct spread ipc_spread_of(const struct ipc *w)
{
    struct spread s = {0};
    double squares = 0, cubes = 0;
    for (size_t n = 0; n < ipc_counts(w); n++) {
        double windows = (double)w->windows[n], x = (double)n;
        s.windows += w->windows[n];
        s.retired += w->windows[n] * n;
        squares += windows * x * x;
        cubes += windows * x * x * x;
        if (w->windows[n] != 0 && n != 0) {
            s.least = s.least == 0 ? n : s.least;
            s.most = n;
        }
    }
    if (s.retired != 0) {
        s.mean = squares / (double)s.retired;
        s.deviation = sqrt(fmax(0, cubes / (double)s.retired - s.mean * s.mean));
    }
    return s;
}

/* Weighted quantile: number of retirements in the window at this share of all retired instructions, in ascending
 * order. */
static uint64_t quantile(const struct ipc *w, const struct spread *s, double share)
{
    double left = share * (double)s->retired;
    for (size_t n = 0; n < ipc_counts(w); n++) {
        left -= (double)w->windows[n] * (double)n;
        if (left < 0)
            return n;
    }
    return s->most;
}

static void ipc_columns(struct report_table *t, uint64_t retired, uint64_t windows)
{
    REPORT_COLUMN(t, COUNT, retired, .member = "retired", .title = "retired", .unit = "instructions");
    REPORT_COLUMN(t, COUNT, windows, .member = "windows", .title = "windows", .unit = "windows");
}

static void report_histogram(const struct ipc *w, struct report *r)
{
    struct report_table *t = report_table(r, "histogram", "Windows by {order}, {shown} of {rows}");
    report_peaks(t, "windows");
    report_order(t, "instructions retired in them");
    ipc_columns(t, 0, 0);
    for (size_t n = 0; n < ipc_counts(w); n++) {
        if (w->windows[n] == 0)
            continue;
        report_row(t);
        ipc_columns(t, n, w->windows[n]);
    }
}

static void ipc_report(const struct observer *o, struct report *r)
{
    const struct ipc *w = (const struct ipc *)o;
    struct spread s = ipc_spread_of(w);
    double cycles = (double)w->window;
    struct report *e = report_element(report_list(r, "ipc"), "ipc");
    report_note(e, "IPC of windows of {window} cycles; weighted: by retired instructions");
    report_count(e, "window", "window", w->window, "cycles");
    report_count(e, "windows", "windows", s.windows, "windows");
    report_real(e, "mean", "mean", (double)s.retired / (cycles * (double)s.windows), 2, NULL);
    report_real(e, "weighted_mean", "weighted mean", s.mean / cycles, 2, NULL);
    report_share(e, "weighted_deviation", "standard deviation", s.deviation / s.mean, 1);
    report_remark(e, "of the weighted mean, weighted");
    report_real(e, "low", "weighted 1 %", (double)quantile(w, &s, 0.01) / cycles, 2, NULL);
    report_real(e, "high", "weighted 99 %", (double)quantile(w, &s, 0.99) / cycles, 2, NULL);
    report_real(e, "ratio", "largest by smallest", (double)s.most / (double)s.least, 1, NULL);
    report_remark(e, "of the windows in which an instruction retired");
    report_histogram(w, e);
}

static struct observer *ipc_create(const struct observer_kind *kind, const struct observer_setup *setup)
{
    struct ipc *w = xcalloc(1, sizeof *w);
    w->base.kind = kind;
    w->base.probe.ctx = w;
    w->base.probe.token = ipc_token;
    w->base.probe.commits = ipc_commits;
    w->base.probe.token_outline = true;
    w->window = setup->option[0];
    w->windows = xcalloc(ipc_counts(w), sizeof *w->windows);
    return &w->base;
}

static void ipc_attach(struct observer *o, struct core *core) { ((struct ipc *)o)->start = core_clock(core); }

/* Closes the windows at the end in which no instruction retired. */
static void ipc_finish(struct observer *o, uint64_t cycles, struct hart *hart)
{
    struct ipc *w = (struct ipc *)o;
    (void)hart;
    if (w->end == 0)
        w->end = w->start + w->window;
    if (w->start + cycles >= w->end)
        close_windows(w, w->start + cycles);
}

static void ipc_release(struct observer *o)
{
    struct ipc *w = (struct ipc *)o;
    free(w->windows);
    free(w);
}

const struct observer_kind observer_ipc = {
    .name = "ipc",
    .help = "instructions retired in windows of some cycles, as a histogram",
    .options =
        (const struct text_option[]){{.name = "window", .unit = "cycles", .least = 1, .most = 1000000, .otherwise = 30},
                                     {.name = NULL}},
    .create = ipc_create,
    .attach = ipc_attach,
    .finish = ipc_finish,
    .report = ipc_report,
    .release = ipc_release,
};
