/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls between functions, from the edges of an event: transfers to the first instruction of a function. */
#include <stdlib.h>

#include "base/order.h"
#include "host/export/calls.h"
#include "host/report/json_value.h"
#include "tools/pcprof/page.h"

/* A call, by the symbols of both ends. */
struct page_call {
    uint32_t from_image, to_image;
    uint64_t from, to; /* starts of the functions */
    const char *from_name, *to_name;
    double value;
};

ORDER(page_calls_by_ends, struct page_call, RISING(from_image) RISING(from) RISING(to_image) RISING(to))

/* The transfers that begin a function, of another one or of itself. Returns their number. */
static size_t page_calls_find(const struct profile *p, uint32_t event, struct page_call *call)
{
    size_t edges, count = 0;
    const struct profile_edge *e = profile_edges(p, event, &edges);
    for (size_t n = 0; n < edges; n++) {
        const struct profile_symbol *to = profile_find_symbol(profile_image(p, e[n].to_image), e[n].to);
        const struct profile_symbol *from = profile_find_symbol(profile_image(p, e[n].from_image), e[n].from);
        if (to == NULL || from == NULL || !export_calls_is_call(p, &e[n]))
            continue;
        call[count++] = (struct page_call){e[n].from_image, e[n].to_image, from->start, to->start,
                                           from->unique,    to->unique,    e[n].value};
    }
    return count;
}

/* The calls of an event: {event, by, unit, names, from, to, value}, from and to as numbers of names. */
static json_t *page_calls_describe(const struct page *p, uint32_t event, struct page_call *call, size_t count)
{
    const struct profile_event *e = profile_event(p->profile, event);
    json_t *o = json_object(), *number = json_object();
    json_t *names = json_put(o, "names", json_array()), *from = json_put(o, "from", json_array()),
           *to = json_put(o, "to", json_array()), *value = json_put(o, "value", json_array());
    json_put(o, "event", json_text(e->name));
    json_put(o, "by", json_text(e->by));
    json_put(o, "unit", json_text(e->unit));
    qsort(call, count, sizeof *call, page_calls_by_ends);
    for (size_t n = 0, end; n < count; n = end) {
        double sum = 0;
        for (end = n; end < count && page_calls_by_ends(&call[n], &call[end]) == 0; end++)
            sum += call[end].value;
        json_push(from, json_integer(page_name_number(names, number, p->names, call[n].from_name)));
        json_push(to, json_integer(page_name_number(names, number, p->names, call[n].to_name)));
        json_push(value, json_number(sum * e->scale));
    }
    json_decref(number);
    return o;
}

json_t *page_calls(const struct page *p)
{
    json_t *calls = json_array();
    for (uint32_t event = 0; event < profile_events(p->profile); event++) {
        size_t edges;
        profile_edges(p->profile, event, &edges);
        if (edges == 0)
            continue;
        struct page_call *call = xcalloc(edges, sizeof *call);
        size_t count = page_calls_find(p->profile, event, call);
        if (count > 0)
            json_push(calls, page_calls_describe(p, event, call, count));
        free(call);
    }
    return calls;
}
