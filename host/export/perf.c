/* SPDX-License-Identifier: GPL-3.0-or-later */
/* perf.data, as perf record writes it: a head, the attributes of the events, records, and features (Linux,
 * tools/perf/Documentation/perf.data-file-format.txt). One process that maps the images is described. A value is one
 * sample with the value as its period; a call stack is its call chain, a control transfer its branch stack of one
 * entry. All events have the same members in their samples. Numbers are little-endian, as on the machines that perf
 * reads files of other machines on.
 *
 * Images keep their link-time addresses where these do not overlap; the others are mapped above them. */
#include <inttypes.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/export/frame.h"
#include "host/export/program.h"
#include "host/export/select.h"
#include "host/export/unknown.h"

/* A part of the file, in memory. */
struct perf_bytes {
    uint8_t *byte;
    size_t count, room;
};

/* An attribute: the samples or stacks of an event, or its edges. */
struct perf_source {
    uint32_t event;
    enum export_values values;
    struct perf_event_attr attr;
    char *name;
};

struct perf_file {
    const struct profile *p;
    uint64_t *bias;      /* of each image: from a link-time address to the address in the process */
    const char *command; /* of the guest; NULL: unknown */
    struct perf_source *source;
    size_t sources;
    bool has_chains, has_branches; /* members of all samples */
    uint64_t time;
    struct perf_bytes data;
};

enum {
    HEAD_BYTES = 104,
    ATTR_BYTES = PERF_ATTR_SIZE_VER5, /* larger attributes are refused by Debian 12's perf */
    FEATURE_ARCH = 6,
    FEATURE_CMDLINE = 11,
    FEATURE_EVENT_DESC = 12,
    FEATURES = 256,
    PROCESS = 1,
    BUILD_ID_BYTES = 20
};

static void perf_put(struct perf_bytes *b, const void *bytes, size_t count)
{
    if (b->count + count > b->room) {
        b->room = 2 * (b->count + count);
        b->byte = xrealloc(b->byte, b->room);
    }
    if (count > 0)
        memcpy(b->byte + b->count, bytes, count);
    b->count += count;
}

static void put64(struct perf_bytes *b, uint64_t value) { perf_put(b, &value, sizeof value); }
static void perf_put32(struct perf_bytes *b, uint32_t value) { perf_put(b, &value, sizeof value); }

/* Zeros up to a multiple of 8. */
static void pad(struct perf_bytes *b)
{
    static const uint8_t zeros[8];
    perf_put(b, zeros, (8 - b->count % 8) % 8);
}

static void perf_put_text(struct perf_bytes *b, const char *text)
{
    perf_put(b, text, strlen(text) + 1);
    pad(b);
}

/* Appends a record; its size is that of the body, a multiple of 8, and of its head. */
static void put_record(struct perf_bytes *out, uint32_t type, uint16_t misc, const struct perf_bytes *body)
{
    struct perf_event_header head = {.type = type, .misc = misc, .size = (uint16_t)(sizeof head + body->count)};
    perf_put(out, &head, sizeof head);
    perf_put(out, body->byte, body->count);
}

/* ---- images ---- */

enum { PAGE_BYTES = 4096 };

static uint64_t image_start(const struct profile_image *i) { return i->codes == 0 ? 0 : i->code[0].start; }

static uint64_t image_end(const struct profile_image *i)
{
    return i->codes == 0 ? PAGE_BYTES : i->code[i->codes - 1].start + i->code[i->codes - 1].size_bytes;
}

/* Places the images that have code, or those that have none, above `free_from`. Returns where they end. */
static uint64_t perf_place(struct perf_file *f, bool has_code, uint64_t free_from)
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

static void place_images(struct perf_file *f)
{
    f->bias = xcalloc(profile_images(f->p) + 1, sizeof *f->bias);
    perf_place(f, false, perf_place(f, true, 0));
}

/* Reads hexadecimal digits; returns false if the text is no build ID of an ELF file. */
static bool read_build_id(const char *digits, uint8_t id[BUILD_ID_BYTES], uint8_t *count)
{
    size_t length = strlen(digits);
    if (length == 0 || length % 2 != 0 || length > (size_t)2 * BUILD_ID_BYTES ||
        strspn(digits, "0123456789abcdef") != length)
        return false;
    for (size_t n = 0; n < length / 2; n++) {
        const char pair[] = {digits[2 * n], digits[2 * n + 1], '\0'};
        id[n] = (uint8_t)strtoul(pair, NULL, 16);
    }
    *count = (uint8_t)(length / 2);
    return true;
}

/* The path of an image as the kernel has it, which is absolute; of a file that is gone, as it was when it was profiled.
 * The caller frees it. */
static char *mapped_path(const struct profile_image *i)
{
    enum { PATH_BYTES = 4096 }; /* the size of a record has 16 bits */
    if (strcmp(i->name, "anonymous") == 0)
        return xstrdup("//anon");
    char *found = i->path[0] == '[' ? NULL : realpath(i->path, NULL), *path = found != NULL ? found : xstrdup(i->path);
    if (strlen(path) < PATH_BYTES)
        return path;
    free(path);
    return xstrdup("//path");
}

static void put_mapping(struct perf_file *f, uint32_t image)
{
    enum { READ_EXECUTE = 5, PRIVATE = 2 };
    const struct profile_image *i = profile_image(f->p, image);
    struct perf_bytes body = {0};
    uint8_t id[4 + BUILD_ID_BYTES] = {0};
    bool has_id = read_build_id(i->build_id, id + 4, &id[0]);
    perf_put32(&body, PROCESS);
    perf_put32(&body, PROCESS);
    put64(&body, image_start(i) + f->bias[image]);
    put64(&body, image_end(i) - image_start(i));
    put64(&body, i->codes == 0 ? 0 : i->code[0].file_offset);
    perf_put(&body, id, sizeof id); /* without one: device and inode, zeros */
    perf_put32(&body, READ_EXECUTE);
    perf_put32(&body, PRIVATE);
    char *path = mapped_path(i);
    perf_put_text(&body, path);
    free(path);
    put_record(&f->data, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER | (has_id ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0),
               &body);
    free(body.byte);
}

static void put_process(struct perf_file *f)
{
    enum { NAME_BYTES = 16 };
    struct perf_bytes body = {0};
    char *program = export_program_name(f->p, f->command), name[NAME_BYTES] = "";
    strncpy(name, program, NAME_BYTES - 1);
    free(program);
    perf_put32(&body, PROCESS);
    perf_put32(&body, PROCESS);
    perf_put_text(&body, name);
    put_record(&f->data, PERF_RECORD_COMM, PERF_RECORD_MISC_USER, &body);
    free(body.byte);
    for (uint32_t n = 0; n < profile_images(f->p); n++)
        put_mapping(f, n);
}

/* ---- samples ---- */

static uint64_t perf_address_of(const struct perf_file *f, uint32_t image, uint64_t address)
{
    return address + f->bias[image];
}

/* The members of every sample, in the order of their bits in the attribute. */
static void put_sample_head(struct perf_file *f, struct perf_bytes *body, size_t source, uint64_t address,
                            uint64_t period)
{
    put64(body, source + 1); /* identifier */
    put64(body, address);
    perf_put32(body, PROCESS);
    perf_put32(body, PROCESS);
    put64(body, ++f->time);
    put64(body, period);
}

/* The members of a sample behind its head: a call chain of `depth` frames, whose addresses the caller appends. */
static void perf_put_depth(const struct perf_file *f, struct perf_bytes *body, size_t depth)
{
    if (!f->has_chains)
        return;
    put64(body, depth == 0 ? 0 : depth + 1);
    if (depth > 0)
        put64(body, (uint64_t)PERF_CONTEXT_USER);
}

/* Ends a sample whose branch stack is empty. */
static void perf_put_no_branches(const struct perf_file *f, struct perf_bytes *body)
{
    if (f->has_branches)
        put64(body, 0);
}

static void put_sample(struct perf_file *f, struct perf_bytes *body)
{
    put_record(&f->data, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, body);
    body->count = 0;
}

static void put_samples(struct perf_file *f, size_t source, struct perf_bytes *body)
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
static uint64_t frame_address(const struct perf_file *f, struct export_frame frame)
{
    return perf_address_of(f, frame.at.image, export_frame_address(f->p, frame));
}

/* Writes the values of a stack; one without frames is at the place of unknown values. */
static void perf_put_stack(struct perf_file *f, size_t source, struct perf_bytes *body, const struct profile_path *path,
                           bool by_function, uint64_t period)
{
    const size_t depth = path->depth < MAX_CHAIN ? path->depth : MAX_CHAIN;
    const struct profile_place unknown = export_unknown_place(f->p);
    const uint64_t innermost = depth > 0 ? frame_address(f, export_frame_of_path(f->p, path, 0, by_function))
                                         : perf_address_of(f, unknown.image, unknown.address);
    put_sample_head(f, body, source, innermost, period);
    perf_put_depth(f, body, depth);
    for (size_t i = 0; i < depth; i++)
        put64(body, i == 0 ? innermost : frame_address(f, export_frame_of_path(f->p, path, i, by_function)));
    perf_put_no_branches(f, body);
    put_sample(f, body);
}

static void put_stacks(struct perf_file *f, size_t source, struct perf_bytes *body)
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
static void put_edge(struct perf_file *f, size_t source, struct perf_bytes *body, const struct profile_edge *e,
                     uint64_t period, uint64_t entries)
{
    uint64_t from = perf_address_of(f, e->from_image, e->from), to = perf_address_of(f, e->to_image, e->to);
    while (entries > 0) {
        uint64_t count = entries < ENTRIES_OF_RECORD ? entries : ENTRIES_OF_RECORD;
        uint64_t share = (uint64_t)((double)period * ((double)count / (double)entries));
        put_sample_head(f, body, source, from, share);
        perf_put_depth(f, body, 0);
        put64(body, count);
        for (uint64_t n = 0; n < count; n++) {
            put64(body, from);
            put64(body, to);
            put64(body, 0); /* flags */
        }
        put_sample(f, body);
        period -= share;
        entries -= count;
    }
}

static void put_edges(struct perf_file *f, size_t source, struct perf_bytes *body)
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

static void perf_add_source(struct perf_file *f, uint32_t event, enum export_values values)
{
    struct perf_source s = {.event = event, .values = values};
    char *label = export_label(f->p, event);
    s.attr = (struct perf_event_attr){.type = PERF_TYPE_SOFTWARE,
                                      .size = ATTR_BYTES,
                                      .config = PERF_COUNT_SW_CPU_CLOCK,
                                      .sample_period = 1,
                                      .exclude_kernel = 1};
    s.name = xasprintf("%s%s", label, values == EXPORT_EDGES ? ":edges" : "");
    f->source[f->sources++] = s;
    free(label);
}

/* The members of samples are those of all events: tools take the first attribute for that of each. */
static void perf_set_members(struct perf_file *f)
{
    uint64_t members = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
                       PERF_SAMPLE_PERIOD;
    for (size_t n = 0; n < f->sources; n++) {
        f->has_chains |= f->source[n].values == EXPORT_STACKS;
        f->has_branches |= f->source[n].values == EXPORT_EDGES;
    }
    members |= (f->has_chains ? PERF_SAMPLE_CALLCHAIN : 0) | (f->has_branches ? PERF_SAMPLE_BRANCH_STACK : 0);
    for (size_t n = 0; n < f->sources; n++) {
        f->source[n].attr.sample_type = members;
        f->source[n].attr.branch_sample_type = f->has_branches ? PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY : 0;
    }
}

/* Adds the attributes of the events. `is_one`: of values that are not control transfers those of the first event alone,
 * because a sample for each address, stack and event is more than perf handles. */
static void add_sources(struct perf_file *f, const struct export_events *events, bool is_one)
{
    f->source = xcalloc(2 * events->count, sizeof *f->source);
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

static void perf_put_data(struct perf_file *f)
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

/* ---- the file ---- */

static void perf_put_section(struct perf_bytes *b, uint64_t offset, uint64_t size_bytes)
{
    put64(b, offset);
    put64(b, size_bytes);
}

/* A text as features have it: its length in bytes with padding, and the bytes. */
static void put_feature_text(struct perf_bytes *b, const char *text)
{
    size_t bytes = (strlen(text) + 8) / 8 * 8, at = b->count;
    perf_put32(b, (uint32_t)bytes);
    perf_put(b, text, strlen(text) + 1);
    while (b->count < at + 4 + bytes)
        perf_put(b, "", 1);
}

/* The words of the command line. */
static void put_command(struct perf_bytes *b, const char *command)
{
    struct perf_bytes words = {0};
    uint32_t count = 0;
    char *word;
    for (const char *at = command == NULL ? "" : command; *at != '\0'; count++) {
        at = export_program_word(at, &word);
        put_feature_text(&words, word);
        free(word);
    }
    perf_put32(b, count);
    perf_put(b, words.byte, words.count);
    free(words.byte);
}

static void put_descriptions(struct perf_bytes *b, const struct perf_file *f)
{
    perf_put32(b, (uint32_t)f->sources);
    perf_put32(b, ATTR_BYTES);
    for (size_t n = 0; n < f->sources; n++) {
        perf_put(b, &f->source[n].attr, ATTR_BYTES);
        perf_put32(b, 1); /* number of identifiers */
        put_feature_text(b, f->source[n].name);
        put64(b, n + 1);
    }
}

/* Head, identifiers, attributes; the data begins behind them. */
static void put_head(struct perf_bytes *b, const struct perf_file *f)
{
    uint64_t features[FEATURES / 64] = {UINT64_C(1) << FEATURE_ARCH | UINT64_C(1) << FEATURE_CMDLINE |
                                        UINT64_C(1) << FEATURE_EVENT_DESC};
    size_t ids_at = HEAD_BYTES, attrs_at = ids_at + 8 * f->sources;
    size_t attr_bytes = ATTR_BYTES + 16, data_at = attrs_at + attr_bytes * f->sources;
    perf_put(b, "PERFILE2", 8);
    put64(b, HEAD_BYTES);
    put64(b, attr_bytes);
    perf_put_section(b, attrs_at, attr_bytes * f->sources);
    perf_put_section(b, data_at, f->data.count);
    perf_put_section(b, 0, 0); /* event types, of old files */
    perf_put(b, features, sizeof features);
    for (size_t n = 0; n < f->sources; n++)
        put64(b, n + 1);
    for (size_t n = 0; n < f->sources; n++) {
        perf_put(b, &f->source[n].attr, ATTR_BYTES);
        perf_put_section(b, ids_at + 8 * n, 8);
    }
}

static void perf_write_file(const struct perf_file *f, FILE *out)
{
    enum { PARTS = 3 };
    struct perf_bytes head = {0}, part[PARTS] = {{0}}, table = {0};
    put_head(&head, f);
    put_feature_text(&part[0], "riscv64");
    put_command(&part[1], f->command);
    put_descriptions(&part[2], f);
    uint64_t at = head.count + f->data.count + (uint64_t)PARTS * 16;
    for (unsigned n = 0; n < PARTS; n++) {
        perf_put_section(&table, at, part[n].count);
        at += part[n].count;
    }
    const struct perf_bytes *piece[] = {&head, &f->data, &table, &part[0], &part[1], &part[2]};
    for (size_t n = 0; n < sizeof piece / sizeof piece[0]; n++)
        fwrite(piece[n]->byte, 1, piece[n]->count, out);
    free(head.byte);
    free(table.byte);
    for (unsigned n = 0; n < PARTS; n++)
        free(part[n].byte);
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
        struct perf_file f = {.p = p, .command = o->command};
        place_images(&f);
        add_sources(&f, &events, o->events == 0);
        perf_put_data(&f);
        perf_write_file(&f, out);
        for (size_t n = 0; n < f.sources; n++)
            free(f.source[n].name);
        free(f.source);
        free(f.bias);
        free(f.data.byte);
    }
    free(events.event);
    return st;
}
