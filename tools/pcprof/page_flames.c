/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Call stacks as trees of functions, inlined ones included: one tree for each event with stacks. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "host/export/frame.h"
#include "host/report/json_value.h"
#include "tools/pcprof/page.h"

struct flame_key {
    json_int_t parent, name;
};

struct flame_node {
    struct flame_key key;
    json_int_t number, depth;                        /* of the root 0 */
    double value;                                    /* of the stacks that end here */
    struct flame_node *parent, *first, *last, *next; /* callees in the order in which they were added; the next one */
    UT_hash_handle hh;
};

struct flame {
    struct flame_node *nodes; /* by key */
    struct flame_node root;   /* its callees are the outermost functions */
    json_t *names, *number_of;
    struct names *shown;
    const struct profile *profile;
    struct flame_node **node_of; /* by frame: of the callers that have been seen */
};

json_int_t page_name_number(json_t *names, json_t *number_of, struct names *shown, const char *name)
{
    json_t *text = json_text(name);
    json_t *number = json_object_get(number_of, json_string_value(text));
    if (number == NULL) {
        number = json_put(number_of, json_string_value(text), json_integer((json_int_t)json_array_size(names)));
        char *own = names_show(shown, name);
        json_push(names, json_text(own));
        free(own);
    }
    json_decref(text);
    return json_integer_value(number);
}

static struct flame_node *child(struct flame *f, struct flame_node *parent, const char *name)
{
    struct flame_key key;
    memset(&key, 0, sizeof key);
    key.parent = parent->number;
    key.name = page_name_number(f->names, f->number_of, f->shown, name);
    struct flame_node *node;
    HASH_FIND(hh, f->nodes, &key, sizeof key, node);
    if (node == NULL) {
        node = xcalloc(1, sizeof *node);
        node->key = key;
        node->number = (json_int_t)HASH_COUNT(f->nodes) + 1;
        node->parent = parent;
        node->depth = parent->depth + 1;
        *(parent->last != NULL ? &parent->last->next : &parent->first) = node;
        parent->last = node;
        HASH_ADD(hh, f->nodes, key, sizeof key, node);
    }
    return node;
}

/* The node of a frame's functions below that of its caller. */
static struct flame_node *frame_node(struct flame *f, struct flame_node *node, struct export_frame frame)
{
    struct export_place place[EXPORT_PLACES];
    for (size_t i = export_frame_places(f->profile, frame, place); i-- > 0;)
        node = child(f, node, place[i].shown);
    return node;
}

/* Stacks share their callers, whose nodes are kept. */
static void page_flames_add_stack(struct flame *f, uint32_t event, const struct profile_path *path, double value,
                                  bool by_function)
{
    struct flame_node *node = &f->root;
    size_t known = 1;
    while (known < path->depth && f->node_of[path->frame[known]] == NULL)
        known++;
    if (known < path->depth)
        node = f->node_of[path->frame[known]];
    for (size_t n = known; n-- > 1;)
        if (n < path->depth)
            f->node_of[path->frame[n]] = node = frame_node(f, node, export_frame_caller(f->profile, path->frame[n]));
    node = path->depth == 0 ? child(f, node, "(unknown)")
                            : frame_node(f, node, export_frame_innermost(f->profile, path->frame[0], by_function));
    node->value += value * profile_event(f->profile, event)->scale;
}

/* The node that follows in an order in which callers are before their callees; NULL: it is the last one. */
static struct flame_node *next_node(const struct flame_node *node)
{
    if (node->first != NULL)
        return node->first;
    while (node != NULL && node->next == NULL)
        node = node->parent;
    return node != NULL ? node->next : NULL;
}

/* The columns of a tree, callers before their callees. The depth, the number of callers, is a smaller number than that
 * of the caller, which is the last node before with a smaller depth. */
static json_t *tree(struct flame *f)
{
    json_t *o = json_object(), *depth = json_put(o, "depth", json_array()), *name = json_put(o, "name", json_array()),
           *value = json_put(o, "value", json_array());
    for (struct flame_node *node = next_node(&f->root); node != NULL; node = next_node(node)) {
        json_push(depth, json_integer(node->depth - 1));
        json_push(name, json_integer(node->key.name));
        json_push(value, json_number(node->value));
    }
    struct flame_node *node, *next;
    HASH_ITER (hh, f->nodes, node, next) {
        HASH_DEL(f->nodes, node);
        free(node);
    }
    json_put(o, "names", f->names);
    json_decref(f->number_of);
    return o;
}

/* Pushes the tree of an event; returns its head. */
static json_t *page_flames_describe(const struct profile *p, uint32_t e, struct names *shown, json_t *trees)
{
    size_t count;
    const struct profile_stack *stack = profile_stacks(p, e, &count);
    const struct profile_event *event = profile_event(p, e);
    struct flame f = {.names = json_array(),
                      .number_of = json_object(),
                      .shown = shown,
                      .profile = p,
                      .node_of = xcalloc(profile_frames_end(p) + 1, sizeof *f.node_of)};
    struct profile_path path = {.frame = NULL};
    bool by_function = export_is_by_function(p, e);
    for (size_t n = 0; n < count; n++) {
        profile_path_read(&path, p, stack[n].frame);
        page_flames_add_stack(&f, e, &path, stack[n].value, by_function);
    }
    free(path.frame);
    free(f.node_of);
    json_t *o = json_object();
    json_put(o, "event", json_text(event->name));
    json_put(o, "by", json_text(event->by));
    json_put(o, "unit", json_text(event->unit));
    json_put(o, "runs", json_number((double)event->runs));
    json_put(o, "tree", json_integer((json_int_t)json_array_size(trees)));
    json_push(trees, tree(&f));
    return o;
}

/* Whether an event comes first: exact cycles, then other cycles, then all others. */
static unsigned page_flames_rank(const struct profile_event *e)
{
    return strcmp(e->name, "cycles") != 0 ? 2 : e->source != PROFILE_EXACT;
}

json_t *page_flames(const struct profile *p, struct names *shown, json_t *trees)
{
    json_t *flames = json_array();
    for (unsigned rank = 0; rank <= 2; rank++)
        for (uint32_t e = 0; e < profile_events(p); e++) {
            size_t count;
            profile_stacks(p, e, &count);
            if (count > 0 && page_flames_rank(profile_event(p, e)) == rank)
                json_push(flames, page_flames_describe(p, e, shown, trees));
        }
    return flames;
}
