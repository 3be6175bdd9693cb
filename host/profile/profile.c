/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile in memory. Values are appended to the list of their event; a list is sorted, and values of the same place
 * summed, when it is read. */
#include "host/profile/profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/order.h"
#include "base/status.h"
#include "base/text.h"
#include "base/varint.h"
#include "host/profile/frame_tree.h"

/* Samples, edges or stacks of an event. */
struct profile_list {
    void *item;
    size_t count, room;
    bool sorted;     /* and each place is there once */
    bool ranked;     /* stacks: in the order of their frames, and each is there once */
    uint8_t *packed; /* the samples; `item` is NULL then. NULL: they are not packed */
};

enum profile_list_kind { SAMPLES, EDGES, STACKS, LIST_KINDS };

struct profile_event_lists {
    struct profile_event event;
    struct profile_list list[LIST_KINDS];
    int64_t *run; /* numbers of the runs, in ascending order */
    size_t run_count;
};

struct profile_file {
    char *path;
    uint32_t number;
    UT_hash_handle hh;
};

struct profile {
    struct frame_tree tree;
    struct profile_image *image;
    size_t images;
    struct profile_event_lists *event;
    size_t events;
    struct profile_file **file, *by_path; /* by number; uthash table */
    size_t files;
    /* Blocks of memory of the strings and arrays above. */
    void **owned;
    size_t owns, owned_room;
};

/* Takes allocated memory. */
static void *own(struct profile *p, void *allocated)
{
    p->owned = xgrow(p->owned, p->owns, sizeof *p->owned);
    return p->owned[p->owns++] = allocated;
}

static const void *profile_keep(struct profile *p, const void *bytes, size_t size_bytes)
{
    void *copy = own(p, xmalloc(size_bytes == 0 ? 1 : size_bytes));
    if (size_bytes > 0)
        memcpy(copy, bytes, size_bytes);
    return copy;
}

/* Names are those of files that others have made: they are made printable for terminals and for the lines of exported
 * files. The caller frees the copy. */
static char *printable(const char *text) { return text_make_printable(xstrdup(text != NULL ? text : "")); }

static const char *keep_text(struct profile *p, const char *text) { return own(p, printable(text)); }

struct profile *profile_new(void)
{
    struct profile *p = xmalloc(sizeof *p);
    *p = (struct profile){0};
    frame_tree_init(&p->tree);
    return p;
}

void profile_remove_events(struct profile *p)
{
    for (size_t e = 0; e < p->events; e++) {
        for (int k = 0; k < LIST_KINDS; k++) {
            free(p->event[e].list[k].item);
            free(p->event[e].list[k].packed);
        }
        free(p->event[e].run);
    }
    p->events = 0;
}

void profile_free(struct profile *p)
{
    if (p == NULL)
        return;
    profile_remove_events(p);
    for (size_t n = 0; n < p->owns; n++)
        free(p->owned[n]);
    HASH_CLEAR(hh, p->by_path);
    for (size_t n = 0; n < p->files; n++) {
        free(p->file[n]->path);
        free(p->file[n]);
    }
    frame_tree_fini(&p->tree);
    free(p->owned);
    free(p->event);
    free(p->image);
    free(p->file);
    free(p);
}

/* ---- images, events, files ---- */

static const struct profile_code *keep_sections(struct profile *p, const struct profile_code *section, size_t count)
{
    struct profile_code *copy = (struct profile_code *)(uintptr_t)profile_keep(p, section, count * sizeof *section);
    for (size_t n = 0; n < count; n++)
        copy[n].bytes = profile_keep(p, copy[n].bytes, copy[n].size_bytes);
    return copy;
}

static int compare_shown_names(const void *a, const void *b)
{
    const struct profile_symbol *const *x = a, *const *y = b;
    return strcmp((*x)->shown, (*y)->shown);
}

/* Sets the names by which functions of an image differ. */
static void set_unique_names(struct profile *p, struct profile_symbol *symbol, size_t count)
{
    struct profile_symbol **sorted = xcalloc(count + 1, sizeof(struct profile_symbol *));
    for (size_t n = 0; n < count; n++)
        sorted[n] = &symbol[n];
    qsort(sorted, count, sizeof(struct profile_symbol *), compare_shown_names);
    for (size_t n = 0; n < count; n++) {
        const char *shown = sorted[n]->shown;
        const bool is_alone = (n == 0 || strcmp(sorted[n - 1]->shown, shown) != 0) &&
                              (n + 1 == count || strcmp(sorted[n + 1]->shown, shown) != 0);
        char *text = is_alone ? NULL : xasprintf("%s@0x%" PRIx64, shown, sorted[n]->start);
        sorted[n]->unique = is_alone ? shown : keep_text(p, text);
        free(text);
    }
    free(sorted);
}

static void keep_image(struct profile *p, struct profile_image *i)
{
    i->path = keep_text(p, i->path);
    struct profile_symbol *symbol = (struct profile_symbol *)(uintptr_t)profile_keep(p, i->symbol,
                                                                                     i->symbols * sizeof *i->symbol);
    for (size_t n = 0; n < i->symbols; n++) {
        bool same = symbol[n].shown == symbol[n].name;
        symbol[n].name = keep_text(p, symbol[n].name);
        symbol[n].shown = same ? symbol[n].name : keep_text(p, symbol[n].shown);
    }
    set_unique_names(p, symbol, i->symbols);
    struct profile_scope *scope = (struct profile_scope *)(uintptr_t)profile_keep(p, i->scope,
                                                                                  i->scopes * sizeof *i->scope);
    for (size_t n = 0; n < i->scopes; n++) {
        bool same = scope[n].shown == scope[n].name;
        scope[n].name = keep_text(p, scope[n].name);
        scope[n].shown = same ? scope[n].name : keep_text(p, scope[n].shown);
    }
    i->symbol = symbol;
    i->code = keep_sections(p, i->code, i->codes);
    i->data = keep_sections(p, i->data, i->datas);
    i->scope = scope;
    i->scope_range = profile_keep(p, i->scope_range, i->scope_ranges * sizeof *i->scope_range);
    i->line = profile_keep(p, i->line, i->lines * sizeof *i->line);
}

uint32_t profile_add_image(struct profile *p, const struct profile_image *image)
{
    char *build_id = printable(image->build_id), *name = printable(image->name);
    size_t n = 0;
    while (n < p->images && (strcmp(p->image[n].build_id, build_id) != 0 || strcmp(p->image[n].name, name) != 0))
        n++;
    if (n < p->images) {
        free(build_id);
        free(name);
        return (uint32_t)n;
    }
    p->image = xgrow(p->image, p->images, sizeof *p->image);
    p->image[n] = *image;
    p->image[n].build_id = own(p, build_id);
    p->image[n].name = own(p, name);
    keep_image(p, &p->image[n]);
    return (uint32_t)p->images++;
}

/* Takes the name and the profiler. */
static uint32_t profile_append_event(struct profile *p, const struct profile_event *event, char *name, char *by)
{
    p->event = xgrow(p->event, p->events, sizeof *p->event);
    p->event[p->events] = (struct profile_event_lists){.event = *event};
    struct profile_event *e = &p->event[p->events].event;
    e->name = own(p, name);
    e->by = own(p, by);
    e->unit = keep_text(p, e->unit);
    return (uint32_t)p->events++;
}

uint32_t profile_add_event(struct profile *p, const struct profile_event *event)
{
    char *name = printable(event->name), *by = printable(event->by);
    for (size_t n = 0; n < p->events; n++) {
        struct profile_event *e = &p->event[n].event;
        if (strcmp(e->name, name) == 0 && strcmp(e->by, by) == 0 && e->source == event->source) {
            e->total += event->total;
            e->lost += event->lost;
            e->unplaced += event->unplaced;
            e->runs += event->runs;
            free(name);
            free(by);
            return (uint32_t)n;
        }
    }
    return profile_append_event(p, event, name, by);
}

void profile_add_run(struct profile *p, uint32_t event, int64_t run)
{
    struct profile_event_lists *e = &p->event[event];
    e->run = xgrow(e->run, e->run_count, sizeof *e->run);
    e->run[e->run_count++] = run;
}

bool profile_same_runs(const struct profile *p, uint32_t a, uint32_t b)
{
    const struct profile_event_lists *x = &p->event[a], *y = &p->event[b];
    return x->event.runs == y->event.runs && x->run_count == y->run_count &&
           (x->run_count == 0 || memcmp(x->run, y->run, x->run_count * sizeof *x->run) == 0);
}

uint32_t profile_add_file(struct profile *p, const char *path)
{
    struct profile_file *f;
    char *copy = printable(path);
    HASH_FIND_STR(p->by_path, copy, f);
    if (f != NULL) {
        free(copy);
        return f->number;
    }
    f = xcalloc(1, sizeof *f);
    f->path = copy;
    f->number = (uint32_t)p->files;
    HASH_ADD_KEYPTR(hh, p->by_path, f->path, strlen(f->path), f);
    p->file = xgrow(p->file, p->files, sizeof *p->file);
    p->file[p->files++] = f;
    return f->number;
}

size_t profile_images(const struct profile *p) { return p->images; }
size_t profile_events(const struct profile *p) { return p->events; }
const struct profile_image *profile_image(const struct profile *p, uint32_t image) { return &p->image[image]; }
const struct profile_event *profile_event(const struct profile *p, uint32_t event) { return &p->event[event].event; }
const char *profile_file(const struct profile *p, uint32_t file) { return p->file[file]->path; }

bool profile_event_is_named(const struct profile_event *e, const char *text)
{
    const size_t length = strlen(e->name), kind = strcspn(e->by, ":");
    if (strncmp(text, e->name, length) != 0)
        return false;
    if (text[length] == '\0')
        return true;
    const char *by = text + length + 1;
    return text[length] == '@' && (strcmp(by, e->by) == 0 || (strlen(by) == kind && strncmp(by, e->by, kind) == 0));
}

uint32_t profile_find_event(const struct profile *p, const char *name, enum profile_source source)
{
    for (size_t n = 0; n < p->events; n++)
        if (p->event[n].event.source == source && strcmp(p->event[n].event.name, name) == 0)
            return (uint32_t)n;
    return PROFILE_NO_EVENT;
}

/* ---- values ---- */

ORDER(compare_samples, struct profile_sample, RISING(image) RISING(address))

ORDER(profile_compare_edges, struct profile_edge, RISING(from_image) RISING(from) RISING(to_image) RISING(to))

/* By the number of the frame: profile_stacks gives them their order. */
ORDER(compare_stacks, struct profile_stack, RISING(frame))

static const struct {
    size_t size_bytes, value_offset;
    int (*compare)(const void *, const void *);
} kinds[LIST_KINDS] = {
    [SAMPLES] = {sizeof(struct profile_sample), offsetof(struct profile_sample, value), compare_samples},
    [EDGES] = {sizeof(struct profile_edge), offsetof(struct profile_edge, value), profile_compare_edges},
    [STACKS] = {sizeof(struct profile_stack), offsetof(struct profile_stack, value), compare_stacks},
};

/* ---- packed samples: of each the differences of image and address to the one before it, and its value ---- */

void profile_pack(const struct profile *p, uint32_t event)
{
    enum { SAMPLE_MOST = 2 * VARINT_MOST + VARINT_REAL_MOST };
    struct profile_list *l = &p->event[event].list[SAMPLES];
    struct profile_sample before = {0};
    size_t count, used = 0, room = 0;
    const struct profile_sample *s = profile_samples(p, event, &count);
    for (size_t n = 0; n < count; before = s[n++]) {
        if (used + SAMPLE_MOST > room) {
            room += room / 2 + 4 * SAMPLE_MOST;
            l->packed = xrealloc(l->packed, room);
        }
        used += varint_put(l->packed + used, s[n].image - before.image);
        used += varint_put(l->packed + used, zigzag(s[n].address - before.address));
        used += varint_put_real(l->packed + used, s[n].value);
    }
    if (count == 0)
        return;
    l->packed = xrealloc(l->packed, used);
    free(l->item);
    l->item = NULL;
    l->room = 0;
}

static void profile_unpack(struct profile_list *l)
{
    const uint8_t *at = l->packed;
    struct profile_sample *s = xcalloc(l->count, sizeof *s), before = {0};
    for (size_t n = 0; n < l->count; before = s[n++]) {
        s[n].image = before.image + (uint32_t)varint_take(&at);
        s[n].address = before.address + zigzag_difference(varint_take(&at));
        s[n].value = varint_take_real(&at);
    }
    free(l->packed);
    l->packed = NULL;
    l->item = s;
    l->room = l->count;
}

static void profile_append(struct profile *p, uint32_t event, enum profile_list_kind kind, const void *item)
{
    struct profile_list *l = &p->event[event].list[kind];
    if (l->packed != NULL)
        profile_unpack(l);
    if (l->count == l->room) {
        l->room = l->room == 0 ? 64 : 2 * l->room;
        l->item = xrealloc(l->item, l->room * kinds[kind].size_bytes);
    }
    char *added = (char *)l->item + l->count * kinds[kind].size_bytes;
    memcpy(added, item, kinds[kind].size_bytes);
    l->ranked = false;
    l->sorted = l->count == 0 || (l->sorted && kinds[kind].compare(added - kinds[kind].size_bytes, item) < 0);
    l->count++;
}

void profile_add_sample(struct profile *p, uint32_t event, struct profile_sample sample)
{
    profile_append(p, event, SAMPLES, &sample);
}

void profile_add_edge(struct profile *p, uint32_t event, struct profile_edge edge)
{
    profile_append(p, event, EDGES, &edge);
}

uint32_t profile_add_frame(struct profile *p, uint32_t caller, struct profile_place place)
{
    return frame_tree_enter(&p->tree, caller, place);
}

uint32_t profile_add_path(struct profile *p, const struct profile_place *place, size_t depth)
{
    uint32_t frame = 0;
    while (depth > 0)
        frame = profile_add_frame(p, frame, place[--depth]);
    return frame;
}

void profile_add_stack(struct profile *p, uint32_t event, struct profile_stack stack)
{
    profile_append(p, event, STACKS, &stack);
}

/* Sums neighbours of the same place in a sorted list. */
static void profile_merge(struct profile_list *l, enum profile_list_kind kind)
{
    size_t size = kinds[kind].size_bytes, kept = 0;
    char *item = l->item;
    for (size_t n = 1; n < l->count; n++) {
        char *last = item + kept * size, *next = item + n * size;
        if (kinds[kind].compare(last, next) != 0) {
            kept++;
            memmove(item + kept * size, next, size);
            continue;
        }
        double *sum = (double *)(void *)(last + kinds[kind].value_offset), add;
        memcpy(&add, next + kinds[kind].value_offset, sizeof add);
        *sum += add;
    }
    l->count = l->count == 0 ? 0 : kept + 1;
}

static const struct profile_list *sorted(const struct profile *p, uint32_t event, enum profile_list_kind kind)
{
    struct profile_list *l = &p->event[event].list[kind];
    if (l->packed != NULL)
        profile_unpack(l);
    if (!l->sorted && l->count > 0) {
        qsort(l->item, l->count, kinds[kind].size_bytes, kinds[kind].compare);
        profile_merge(l, kind);
    }
    l->sorted = true;
    return l;
}

const struct profile_sample *profile_samples(const struct profile *p, uint32_t event, size_t *count)
{
    const struct profile_list *l = sorted(p, event, SAMPLES);
    *count = l->count;
    return l->item;
}

const struct profile_edge *profile_edges(const struct profile *p, uint32_t event, size_t *count)
{
    const struct profile_list *l = sorted(p, event, EDGES);
    *count = l->count;
    return l->item;
}

struct profile_ranked {
    uint32_t rank;
    struct profile_stack stack;
};

ORDER(profile_compare_ranked, struct profile_ranked, RISING(rank))

/* Sorts stacks, each of which is there once, by the ranks of their frames. */
static void profile_order_stacks(const struct frame_tree *tree, struct profile_list *l)
{
    struct profile_stack *stack = l->item;
    struct profile_ranked *ranked = xcalloc(l->count + 1, sizeof *ranked);
    for (size_t n = 0; n < l->count; n++)
        ranked[n] = (struct profile_ranked){tree->rank[stack[n].frame], stack[n]};
    qsort(ranked, l->count, sizeof *ranked, profile_compare_ranked);
    for (size_t n = 0; n < l->count; n++)
        stack[n] = ranked[n].stack;
    free(ranked);
}

/* Brings the ranks up to date; stacks that are in the order of former ranks are sorted when they are read. */
static void profile_rank_frames(const struct profile *p)
{
    if (frame_tree_rank((struct frame_tree *)(uintptr_t)&p->tree))
        for (size_t e = 0; e < p->events; e++)
            p->event[e].list[STACKS].ranked = false;
}

const struct profile_stack *profile_stacks(const struct profile *p, uint32_t event, size_t *count)
{
    struct profile_list *l = &p->event[event].list[STACKS];
    profile_rank_frames(p);
    if (!l->ranked) {
        (void)sorted(p, event, STACKS);
        profile_order_stacks(&p->tree, l);
        l->sorted = false;
        l->ranked = true;
    }
    *count = l->count;
    return l->item;
}

uint32_t profile_frames_end(const struct profile *p) { return p->tree.frames; }
const struct profile_frame *profile_frame(const struct profile *p, uint32_t frame) { return &p->tree.frame[frame]; }

uint32_t *profile_frames_in_order(const struct profile *p)
{
    uint32_t *order = xcalloc(p->tree.frames, sizeof *order);
    profile_rank_frames(p);
    for (uint32_t n = 0; n < p->tree.frames; n++)
        order[p->tree.rank[n]] = n;
    return order;
}

void profile_path_read(struct profile_path *path, const struct profile *p, uint32_t frame)
{
    path->depth = p->tree.frame[frame].depth;
    if (path->depth > path->room) {
        path->room = 2 * path->depth;
        path->frame = xrealloc(path->frame, path->room * sizeof *path->frame);
    }
    for (size_t n = 0; n < path->depth; n++, frame = p->tree.frame[frame].caller)
        path->frame[n] = frame;
}

/* Index of the first sample at or after the address. */
static size_t profile_lower_bound(const struct profile_sample *s, size_t count, uint32_t image, uint64_t address)
{
    const struct profile_sample key = {.image = image, .address = address};
    size_t low = 0, high = count;
    SEARCH(low, high, middle, compare_samples(&s[middle], &key) < 0);
    return low;
}

double profile_value(const struct profile *p, uint32_t event, uint32_t image, uint64_t address)
{
    return profile_sum(p, event, image, address, address + 1);
}

double profile_sum(const struct profile *p, uint32_t event, uint32_t image, uint64_t start, uint64_t end)
{
    size_t count;
    const struct profile_sample *s = profile_samples(p, event, &count);
    double sum = 0;
    for (size_t n = profile_lower_bound(s, count, image, start); n < count && s[n].image == image && s[n].address < end;
         n++)
        sum += s[n].value;
    return sum;
}

uint64_t profile_next_address(const struct profile *p, uint32_t event, uint32_t image, uint64_t start, uint64_t end)
{
    size_t count;
    const struct profile_sample *s = profile_samples(p, event, &count);
    size_t n = profile_lower_bound(s, count, image, start);
    return n < count && s[n].image == image && s[n].address < end ? s[n].address : end;
}

/* ---- symbols and lines ---- */

/* Number of the `count` items of `size_bytes`, which begin with their start in ascending order, that start at or before
 * the address. */
static size_t started(const void *items, size_t count, size_t size_bytes, uint64_t address)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint64_t start;
        memcpy(&start, (const char *)items + middle * size_bytes, sizeof start);
        if (start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
_Static_assert(offsetof(struct profile_symbol, start) == 0 && offsetof(struct profile_line, start) == 0 &&
                   offsetof(struct profile_scope_range, start) == 0,
               "profile.c: `started` reads the start at the beginning of an item");

const struct profile_symbol *profile_find_symbol(const struct profile_image *image, uint64_t address)
{
    size_t n = started(image->symbol, image->symbols, sizeof *image->symbol, address);
    const struct profile_symbol *s = n == 0 ? NULL : &image->symbol[n - 1];
    return s != NULL && address - s->start < s->size_bytes ? s : NULL;
}

const struct profile_line *profile_find_line(const struct profile_image *image, uint64_t address)
{
    size_t n = started(image->line, image->lines, sizeof *image->line, address);
    return n == 0 || image->line[n - 1].file == PROFILE_NO_FILE ? NULL : &image->line[n - 1];
}

size_t profile_scope_range_behind(const struct profile_image *image, uint64_t address)
{
    return started(image->scope_range, image->scope_ranges, sizeof *image->scope_range, address);
}

const struct profile_scope *profile_find_scope(const struct profile_image *image, uint64_t address)
{
    size_t n = profile_scope_range_behind(image, address);
    uint32_t scope = n == 0 ? PROFILE_NO_SCOPE : image->scope_range[n - 1].scope;
    return scope == PROFILE_NO_SCOPE ? NULL : &image->scope[scope];
}
