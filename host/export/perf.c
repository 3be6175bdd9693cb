/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile as perf.data. One process that maps the images is described. A value is one sample with the value as its
 * period; a call stack is its call chain, a control transfer its branch stack of one entry. All events have the same
 * members in their samples.
 *
 * Images keep their link-time addresses where these do not overlap; the others are mapped above them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/export/frame.h"
#include "host/export/perf_file.h"
#include "host/export/program.h"
#include "host/export/select.h"
#include "host/export/unknown.h"

/* An attribute: the samples or stacks of an event, or its edges. */
struct perf_source {
    uint32_t event;
    enum export_values values;
};

struct perf_data {
    const struct profile *p;
    uint64_t *bias;      /* of each image: from a link-time address to the address in the process */
    const char *command; /* of the guest; NULL: unknown */
    struct perf_source *source;
    struct perf_attribute *attribute; /* by source */
    size_t sources;
    bool has_chains, has_branches; /* members of all samples */
    uint64_t time;
    struct perf_bytes data;
};

/* ---- images ---- */

enum { PAGE_BYTES = 4096 };

static uint64_t image_start(const struct profile_image *i) { return i->codes == 0 ? 0 : i->code[0].start; }

static uint64_t image_end(const struct profile_image *i)
{
    return i->codes == 0 ? PAGE_BYTES : i->code[i->codes - 1].start + i->code[i->codes - 1].size_bytes;
}

/* Places the images that have code, or those that have none, above `free_from`. Returns where they end. */
static uint64_t perf_place(struct perf_data *f, bool has_code, uint64_t free_from)
{
    enum { GAP_BYTES = 1 << 20 };
    for (uint32_t n = 0; n < profile_images(f->p); n++) {
        const struct profile_image *i = profile_image(f->p, n);
        if ((i->codes > 0) != has_code)
            continue;
        uint64_t start = image_start(i) / PAGE_BYTES * PAGE_BYTES;
        if (start < free_from)
            f->bias[n] = (free_from - start + GAP_BYTES - 1) / GAP_BYTES * GAP_BYTES;
        uint64_t end = image_end(i) + f->bias[n];
        free_from = end + GAP_BYTES > free_from ? end + GAP_BYTES : free_from;
    }
    return free_from;
}

static void place_images(struct perf_data *f)
{
    f->bias = xcalloc(profile_images(f->p) + 1, sizeof *f->bias);
    perf_place(f, false, perf_place(f, true, 0));
}

static void put_image(struct perf_data *f, uint32_t image)
{
    const struct profile_image *i = profile_image(f->p, image);
    char *path = strcmp(i->name, "anonymous") == 0 ? xstrdup("//anon") : perf_absolute_path(i->path);
    perf_put_mapping(&f->data, &(struct perf_mapping){.start = image_start(i) + f->bias[image],
                                                      .size_bytes = image_end(i) - image_start(i),
                                                      .offset = i->codes == 0 ? 0 : i->code[0].file_offset,
                                                      .build_id = i->build_id,
                                                      .path = path});
    free(path);
}

static void put_process(struct perf_data *f)
{
    char *program = export_program_name(f->p, f->command);
    perf_put_thread(&f->data, PERF_PROCESS, program);
    free(program);
    for (uint32_t n = 0; n < profile_images(f->p); n++)
        put_image(f, n);
}

/* ---- samples ---- */

static uint64_t perf_address_of(const struct perf_data *f, uint32_t image, uint64_t address)
{
    return address + f->bias[image];
}

/* The members of every sample, in the order of their bits in the attribute. */
static void put_sample_head(struct perf_data *f, struct perf_bytes *body, size_t source, uint64_t address,
                            uint64_t period)
{
    perf_put64(body, source + 1); /* identifier */
    perf_put64(body, address);
    perf_put32(body, PERF_PROCESS);
    perf_put32(body, PERF_PROCESS);
    perf_put64(body, ++f->time);
    perf_put64(body, period);
}

/* The members of a sample behind its head: a call chain of `depth` frames, whose addresses the caller appends. */
static void perf_put_depth(const struct perf_data *f, struct perf_bytes *body, size_t depth)
{
    if (!f->has_chains)
        return;
    perf_put64(body, depth == 0 ? 0 : depth + 1);
    if (depth > 0)
        perf_put64(body, (uint64_t)PERF_CONTEXT_USER);
}

/* Ends a sample whose branch stack is empty. */
static void perf_put_no_branches(const struct perf_data *f, struct perf_bytes *body)
{
    if (f->has_branches)
        perf_put64(body, 0);
}

static void put_sample(struct perf_data *f, struct perf_bytes *body)
{
    perf_put_record(&f->data, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, body);
    body->count = 0;
}

static void put_samples(struct perf_data *f, size_t source, struct perf_bytes *body)
{
    size_t count;
    uint32_t event = f->source[source].event;
    const struct profile_sample *s = profile_samples(f->p, event, &count);
    struct export_rounding rounding = {0};
    for (size_t n = 0; n < count; n++) {
        uint64_t period = export_round(&rounding, f->p, event, s[n].value);
        if (period == 0)
            continue;
        put_sample_head(f, body, source, perf_address_of(f, s[n].image, s[n].address), period);
        perf_put_depth(f, body, 0);
        perf_put_no_branches(f, body);
        put_sample(f, body);
    }
}

/* A chain of more frames than a record holds is cut at its outer end. */
enum { MAX_CHAIN = 8000 };

/* perf finds functions and inlined calls by address. */
static uint64_t frame_address(const struct perf_data *f, struct export_frame frame)
{
    return perf_address_of(f, frame.at.image, export_frame_address(f->p, frame));
}

/* Writes the values of a stack; one without frames is at the place of unknown values. */
static void perf_put_stack(struct perf_data *f, size_t source, struct perf_bytes *body, const struct profile_path *path,
                           bool by_function, uint64_t period)
{
    const size_t depth = path->depth < MAX_CHAIN ? path->depth : MAX_CHAIN;
    const struct profile_place unknown = export_unknown_place(f->p);
    const uint64_t innermost = depth > 0 ? frame_address(f, export_frame_of_path(f->p, path, 0, by_function))
                                         : perf_address_of(f, unknown.image, unknown.address);
    put_sample_head(f, body, source, innermost, period);
    perf_put_depth(f, body, depth);
    for (size_t i = 0; i < depth; i++)
        perf_put64(body, i == 0 ? innermost : frame_address(f, export_frame_of_path(f->p, path, i, by_function)));
    perf_put_no_branches(f, body);
    put_sample(f, body);
}

static void put_stacks(struct perf_data *f, size_t source, struct perf_bytes *body)
{
    size_t count;
    uint32_t event = f->source[source].event;
    const struct profile_stack *s = profile_stacks(f->p, event, &count);
    bool by_function = export_is_by_function(f->p, event);
    struct export_rounding rounding = {0};
    struct profile_path path = {.frame = NULL};
    for (size_t n = 0; n < count; n++) {
        uint64_t period = export_round(&rounding, f->p, event, s[n].value);
        if (period == 0)
            continue;
        profile_path_read(&path, f->p, s[n].frame);
        perf_put_stack(f, source, body, &path, by_function, period);
    }
    free(path.frame);
}

/* perf report -b counts the entries of branch stacks, not the periods of their samples. So an edge has as many entries
 * as its value; if those of all edges are more than MAX_ENTRIES, in proportion to it, at least one. */
enum { MAX_ENTRIES = 100000, ENTRIES_OF_RECORD = 2000 };

/* Writes an edge of `period` transfers as `entries` entries: samples of up to ENTRIES_OF_RECORD, which share the
 * period.
 */
static void put_edge(struct perf_data *f, size_t source, struct perf_bytes *body, const struct profile_edge *e,
                     uint64_t period, uint64_t entries)
{
    uint64_t from = perf_address_of(f, e->from_image, e->from), to = perf_address_of(f, e->to_image, e->to);
    while (entries > 0) {
        uint64_t count = entries < ENTRIES_OF_RECORD ? entries : ENTRIES_OF_RECORD;
        uint64_t share = (uint64_t)((double)period * ((double)count / (double)entries));
        put_sample_head(f, body, source, from, share);
        perf_put_depth(f, body, 0);
        perf_put64(body, count);
        for (uint64_t n = 0; n < count; n++) {
            perf_put64(body, from);
            perf_put64(body, to);
            perf_put64(body, 0); /* flags */
        }
        put_sample(f, body);
        period -= share;
        entries -= count;
    }
}

static void put_edges(struct perf_data *f, size_t source, struct perf_bytes *body)
{
    size_t count;
    uint32_t event = f->source[source].event;
    const struct profile_edge *e = profile_edges(f->p, event, &count);
    double sum = 0;
    for (size_t n = 0; n < count; n++)
        sum += (double)export_number(f->p, event, e[n].value);
    for (size_t n = 0; n < count; n++) {
        uint64_t period = export_number(f->p, event, e[n].value), entries = period;
        if (sum > MAX_ENTRIES)
            entries = (uint64_t)round((double)period * MAX_ENTRIES / sum);
        if (period > 0)
            put_edge(f, source, body, &e[n], period, entries > 0 ? entries : 1);
    }
}

/* ---- attributes ---- */

static void perf_add_source(struct perf_data *f, uint32_t event, enum export_values values)
{
    char *label = export_label(f->p, event);
    f->attribute[f->sources] = perf_attribute_new(0, 1);
    f->attribute[f->sources].name = xasprintf("%s%s", label, values == EXPORT_EDGES ? ":edges" : "");
    f->source[f->sources++] = (struct perf_source){event, values};
    free(label);
}

/* The members of samples are those of all events: tools take the first attribute for that of each. */
static void perf_set_members(struct perf_data *f)
{
    uint64_t members = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
                       PERF_SAMPLE_PERIOD;
    for (size_t n = 0; n < f->sources; n++) {
        f->has_chains |= f->source[n].values == EXPORT_STACKS;
        f->has_branches |= f->source[n].values == EXPORT_EDGES;
    }
    members |= (f->has_chains ? PERF_SAMPLE_CALLCHAIN : 0) | (f->has_branches ? PERF_SAMPLE_BRANCH_STACK : 0);
    for (size_t n = 0; n < f->sources; n++) {
        struct perf_event_attr *attr = &f->attribute[n].attr;
        attr->sample_type = members;
        attr->branch_sample_type = f->has_branches ? PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY : 0;
    }
}

/* Adds the attributes of the events. `is_one`: of values that are not control transfers those of the first event alone,
 * because a sample for each address, stack and event is more than perf handles. */
static void add_sources(struct perf_data *f, const struct export_events *events, bool is_one)
{
    f->source = xcalloc(2 * events->count, sizeof *f->source);
    f->attribute = xcalloc(2 * events->count, sizeof *f->attribute);
    for (size_t n = 0; n < events->count; n++) {
        const unsigned kinds = export_kinds(f->p, events->event[n]);
        const bool is_left_out = is_one && f->sources > 0;
        if ((kinds & EXPORT_STACKS) != 0 && !is_left_out)
            perf_add_source(f, events->event[n], EXPORT_STACKS);
        else if ((kinds & EXPORT_SAMPLES) != 0 && !is_left_out)
            perf_add_source(f, events->event[n], EXPORT_SAMPLES);
        if ((kinds & EXPORT_EDGES) != 0)
            perf_add_source(f, events->event[n], EXPORT_EDGES);
    }
    perf_set_members(f);
}

static void perf_put_data(struct perf_data *f)
{
    struct perf_bytes body = {0};
    put_process(f);
    for (size_t n = 0; n < f->sources; n++) {
        if (f->source[n].values == EXPORT_STACKS)
            put_stacks(f, n, &body);
        else if (f->source[n].values == EXPORT_EDGES)
            put_edges(f, n, &body);
        else
            put_samples(f, n, &body);
    }
    free(body.byte);
}

/* perf finds functions by the mappings of files, which are those of their code. */
static enum status check_code(const struct profile *p, struct errmsg *err)
{
    for (uint32_t n = 0; n < profile_images(p); n++)
        if (profile_image(p, n)->codes > 0)
            return ST_OK;
    return fail(
        err, ST_INPUT,
        "no image of the profile has code, which places it in memory: collect the profile again while pcemu can "
        "read the program's file");
}

enum status export_write_perf(const struct profile *p, const struct export_options *o, FILE *out, struct errmsg *err)
{
    struct export_events events;
    enum status st = export_select(p, o, EXPORT_SAMPLES | EXPORT_STACKS | EXPORT_EDGES, &events, err);
    if (st == ST_OK)
        st = check_code(p, err);
    if (st == ST_OK) {
        struct perf_data f = {.p = p, .command = o->command};
        place_images(&f);
        add_sources(&f, &events, o->events == 0);
        perf_put_data(&f);
        perf_file_write(out, f.attribute, f.sources, &f.data, &(struct perf_features){.command = o->command});
        for (size_t n = 0; n < f.sources; n++)
            free(f.attribute[n].name);
        free(f.attribute);
        free(f.source);
        free(f.bias);
        free(f.data.byte);
    }
    free(events.event);
    return st;
}
