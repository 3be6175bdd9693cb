/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The processed profile format of the Firefox Profiler: for each event a thread whose samples are its call stacks, with
 * their values as weights. Time is split by category of the cycle stack: the parts of a stack are those of its
 * innermost instruction, so the sum of a category is that of the report.
 *
 * Samples need times: a stack begins where the one before ends, and a cycle is a nanosecond. */
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "host/export/firefox_tables.h"
#include "host/export/program.h"
#include "host/export/select.h"
#include "host/report/json_value.h"

enum { PREPROCESSED_VERSION = 60, GECKO_VERSION = 31 };

/* Colours of the profiler; those of the HTML page where it has them. */
static const char *const firefox_colours[TIME_CATEGORY_COUNT] = {
    [TIME_EXECUTE] = "green",   [TIME_STALL_ALU] = "orange", [TIME_STALL_LOAD] = "blue", [TIME_STALL_STORE] = "brown",
    [TIME_FRONTEND] = "purple", [TIME_MISPREDICT] = "red",   [TIME_FLUSH] = "magenta",   [TIME_HANDLER] = "darkgrey",
};

struct firefox_file {
    const struct profile *p;
    const struct export_options *options;
    struct firefox_tables tables;
    json_t *threads;
    char *program; /* name */
};

/* The samples of a thread. */
struct firefox_samples {
    json_t *stack, *time, *weight;
    struct export_rounding rounding;
};

/* ---- categories ---- */

static void firefox_put_category(json_t *categories, const char *name, const char *colour)
{
    json_t *category = json_push(categories, json_object());
    json_put(category, "name", json_string(name));
    json_put(category, "color", json_string(colour));
    json_push(json_put(category, "subcategories", json_array()), json_string("Other"));
}

/* The first one is that of frames without one, by its colour. */
static json_t *firefox_categories(void)
{
    json_t *categories = json_array();
    firefox_put_category(categories, "Other", "grey");
    for (int c = 0; c < TIME_CATEGORY_COUNT; c++)
        firefox_put_category(categories, time_category_name((enum time_category)c), firefox_colours[c]);
    return categories;
}

/* The share of a category in the cycles of an instruction; of an instruction without categories all have none. */
static double firefox_share_of(const struct export_causes *causes, struct profile_place at, int category)
{
    size_t low = 0, high = causes == NULL ? 0 : causes->count;
    SEARCH(low, high, n,
           causes->cause[n].image < at.image ||
               (causes->cause[n].image == at.image && causes->cause[n].address < at.address));
    double sum = 0, part = 0;
    for (size_t n = low; causes != NULL && n < causes->count && causes->cause[n].image == at.image &&
                         causes->cause[n].address == at.address;
         n++) {
        sum += causes->cause[n].cycles;
        part += (int)causes->cause[n].category == category ? causes->cause[n].cycles : 0;
    }
    if (sum > 0)
        return part / sum;
    return category == FIREFOX_NO_CATEGORY ? 1 : 0;
}

/* The categories of an event: those of the profiler that it is of. */
static const struct export_causes *firefox_causes(const struct firefox_file *f, const struct profile_event *e)
{
    const struct export_causes *causes = f->options->causes;
    return causes != NULL && causes->by != NULL && export_is_time(e) && strcmp(e->by, causes->by) == 0 ? causes : NULL;
}

/* ---- threads ---- */

static void firefox_put_sample(struct firefox_file *f, struct firefox_samples *s, uint32_t event, uint32_t frame,
                               bool by_function, int category, double value)
{
    static const double MS_PER_CYCLE = 1e-6;
    const uint64_t begin = s->rounding.given, weight = export_round(&s->rounding, f->p, event, value);
    if (weight == 0)
        return;
    json_push(s->stack, json_integer(firefox_tables_stack(&f->tables, frame, by_function, category)));
    json_push(s->time, json_real((double)begin * MS_PER_CYCLE));
    json_push(s->weight, json_integer((json_int_t)weight));
}

/* The stacks of an event, category by category: of each one the total is right. */
static json_t *firefox_samples_of(struct firefox_file *f, uint32_t event)
{
    size_t count;
    const struct profile_stack *stack = profile_stacks(f->p, event, &count);
    const struct export_causes *causes = firefox_causes(f, profile_event(f->p, event));
    const bool by_function = export_is_by_function(f->p, event);
    json_t *samples = json_object();
    struct firefox_samples s = {.stack = json_put(samples, "stack", json_array()),
                                .time = json_put(samples, "time", json_array()),
                                .weight = json_put(samples, "weight", json_array())};
    for (int category = FIREFOX_NO_CATEGORY; category < (causes == NULL ? 0 : TIME_CATEGORY_COUNT); category++)
        for (size_t n = 0; n < count; n++) {
            const struct profile_place none = {UINT32_MAX, 0};
            const uint32_t frame = stack[n].frame;
            const double share = firefox_share_of(causes, frame == 0 ? none : profile_frame(f->p, frame)->at, category);
            firefox_put_sample(f, &s, event, frame, by_function, category, stack[n].value * share);
        }
    json_put(samples, "weightType", json_string("samples"));
    json_put(samples, "length", json_integer((json_int_t)json_array_size(s.stack)));
    return samples;
}

static json_t *firefox_markers(void)
{
    static const char *const columns[] = {"data", "name", "startTime", "endTime", "phase", "category"};
    json_t *markers = json_object();
    for (size_t n = 0; n < sizeof columns / sizeof columns[0]; n++)
        json_put(markers, columns[n], json_array());
    json_put(markers, "length", json_integer(0));
    return markers;
}

static void firefox_put_thread(struct firefox_file *f, uint32_t event)
{
    const json_int_t number = (json_int_t)json_array_size(f->threads);
    json_t *thread = json_push(f->threads, json_object());
    char *label = export_label(f->p, event);
    json_put(thread, "processType", json_string("default"));
    json_put(thread, "processStartupTime", json_integer(0));
    json_put(thread, "processShutdownTime", json_null());
    json_put(thread, "registerTime", json_integer(0));
    json_put(thread, "unregisterTime", json_null());
    json_put(thread, "pausedRanges", json_array());
    json_put(thread, "name", json_text(label));
    json_put(thread, "isMainThread", json_boolean(number == 0));
    json_put(thread, "processName", json_text(f->program));
    json_put(thread, "pid", json_string("1"));
    json_put(thread, "tid", json_integer(number + 1));
    json_put(thread, "samples", firefox_samples_of(f, event));
    json_put(thread, "markers", firefox_markers());
    free(label);
}

/* ---- the file ---- */

/* The mean length of the first thread's samples in milliseconds, as the profiler draws a sample as wide as that. */
static double firefox_interval(const struct firefox_file *f)
{
    const json_t *time = json_object_get(json_object_get(json_array_get(f->threads, 0), "samples"), "time");
    const size_t count = json_array_size(time);
    const double mean = count > 1 ? json_real_value(json_array_get(time, count - 1)) / (double)(count - 1) : 0;
    return mean > 0 ? mean : 1;
}

static json_t *firefox_meta(const struct firefox_file *f)
{
    enum { MOST_VISIBLE = 8 };
    json_t *meta = json_object(), *visible;
    json_put(meta, "version", json_integer(GECKO_VERSION));
    json_put(meta, "preprocessedProfileVersion", json_integer(PREPROCESSED_VERSION));
    json_put(meta, "interval", json_real(firefox_interval(f)));
    json_put(meta, "startTime", json_integer(0));
    json_put(meta, "processType", json_integer(0));
    json_put(meta, "stackwalk", json_integer(1));
    json_put(meta, "product", json_text(f->program));
    if (f->options->command != NULL)
        json_put(meta, "arguments", json_text(f->options->command));
    json_put(meta, "importedFrom", json_string("pcprof"));
    json_put(meta, "oscpu", json_string("riscv64"));
    json_put(meta, "categories", firefox_categories());
    json_put(meta, "markerSchema", json_array());
    json_put(meta, "symbolicated", json_true());
    json_put(meta, "usesOnlyOneStackType", json_true());
    json_put(meta, "sourceCodeIsNotOnSearchfox", json_true());
    json_put(meta, "keepProfileThreadOrder", json_true());
    json_push(json_put(meta, "initialSelectedThreads", json_array()), json_integer(0));
    visible = json_put(meta, "initialVisibleThreads", json_array());
    for (size_t n = 0; n < json_array_size(f->threads) && n < MOST_VISIBLE; n++)
        json_push(visible, json_integer((json_int_t)n));
    return meta;
}

static enum status firefox_write(struct firefox_file *f, const struct export_events *events, FILE *out,
                                 struct errmsg *err)
{
    json_t *file = json_object();
    for (size_t n = 0; n < events->count; n++)
        firefox_put_thread(f, events->event[n]);
    json_put(file, "meta", firefox_meta(f));
    json_put(file, "libs", firefox_tables_libs(&f->tables));
    json_put(file, "shared", firefox_tables_shared(&f->tables));
    json_put(file, "threads", json_incref(f->threads));
    const bool is_written = json_dumpf(file, out, JSON_COMPACT) == 0;
    fputc('\n', out);
    json_decref(file);
    return is_written ? ST_OK : fail(err, ST_IO, "cannot write the profile");
}

enum status export_write_firefox(const struct profile *p, const struct export_options *o, FILE *out, struct errmsg *err)
{
    struct export_events events;
    enum status st = export_select(p, o, EXPORT_STACKS, &events, err);
    if (st == ST_OK) {
        struct firefox_file f = {
            .p = p, .options = o, .threads = json_array(), .program = export_program_name(p, o->command)};
        firefox_tables_begin(&f.tables, p, o->full_names);
        st = firefox_write(&f, &events, out, err);
        firefox_tables_end(&f.tables);
        json_decref(f.threads);
        free(f.program);
    }
    free(events.event);
    return st;
}
