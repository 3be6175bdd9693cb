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
    json_int_t number;
    double value; /* of the stacks that end here */
    UT_hash_handle hh;
};

struct flame {
    struct flame_node *nodes; /* in the order of their numbers */
    json_t *names, *full, *number_of;
    struct names *shown;
};

static json_int_t page_flames_name_number(struct flame *f, const char *name)
{
    json_t *text = json_text(name);
    json_t *number = json_object_get(f->number_of, json_string_value(text));
    if (number == NULL) {
        char *shown = names_show(f->shown, name);
        number = json_put(f->number_of, json_string_value(text), json_integer((json_int_t)json_array_size(f->names)));
        json_push(f->names, json_text(shown));
        json_push(f->full, strcmp(shown, name) != 0 ? json_incref(text) : json_null());
        free(shown);
    }
    json_decref(text);
    return json_integer_value(number);
}

static struct flame_node *child(struct flame *f, json_int_t parent, const char *name)
{
    struct flame_key key;
    memset(&key, 0, sizeof key);
    key.parent = parent;
    key.name = page_flames_name_number(f, name);
    struct flame_node *node;
    HASH_FIND(hh, f->nodes, &key, sizeof key, node);
    if (node == NULL) {
        node = xcalloc(1, sizeof *node);
        node->key = key;
        node->number = (json_int_t)HASH_COUNT(f->nodes);
        HASH_ADD(hh, f->nodes, key, sizeof key, node);
    }
    return node;
}

static void page_flames_add_stack(struct flame *f, const struct profile *p, uint32_t event,
                                  const struct profile_path *path, double value, bool by_function)
{
    struct flame_node *node = NULL;
    for (size_t n = path->depth; n-- > 0;) {
        struct export_place place[EXPORT_PLACES];
        for (size_t i = export_frame_places(p, export_frame_of_path(p, path, n, by_function), place); i-- > 0;)
            node = child(f, node != NULL ? node->number : -1, place[i].shown);
    }
    if (node == NULL)
        node = child(f, -1, "(unknown)");
    node->value += value * profile_event(p, event)->scale;
}

static json_t *tree(struct flame *f)
{
    json_t *o = json_object(), *parent = json_put(o, "parent", json_array()), *name = json_put(o, "name", json_array()),
           *value = json_put(o, "value", json_array());
    for (struct flame_node *node = f->nodes, *next; node != NULL; node = next) {
        next = node->hh.next;
        json_push(parent, json_integer(node->key.parent));
        json_push(name, json_integer(node->key.name));
        json_push(value, json_number(node->value));
        HASH_DEL(f->nodes, node);
        free(node);
    }
    json_put(o, "names", f->names);
    json_put(o, "full", f->full);
    json_decref(f->number_of);
    return o;
}

json_t *page_flames(const struct page *p)
{
    json_t *flames = json_array();
    for (uint32_t e = 0; e < profile_events(p->profile); e++) {
        size_t count;
        const struct profile_stack *stack = profile_stacks(p->profile, e, &count);
        if (count == 0)
            continue;
        struct flame f = {.names = json_array(), .full = json_array(), .number_of = json_object(), .shown = p->names};
        const struct profile_event *event = profile_event(p->profile, e);
        bool by_function = export_is_by_function(p->profile, e);
        struct profile_path path = {.frame = NULL};
        for (size_t n = 0; n < count; n++) {
            profile_path_read(&path, p->profile, stack[n].frame);
            page_flames_add_stack(&f, p->profile, e, &path, stack[n].value, by_function);
        }
        free(path.frame);
        json_t *o = json_push(flames, tree(&f));
        json_put(o, "event", json_text(event->name));
        json_put(o, "by", json_text(event->by));
        json_put(o, "unit", json_text(event->unit));
    }
    return flames;
}
