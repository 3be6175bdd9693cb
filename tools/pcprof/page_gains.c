/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the removal of causes of delay gains. A row has the place of its instruction (procedure, image, address, text,
 * file, line), what is removed in words, the instruction's time in units of the first column (null: unknown), and the
 * shares of the cycles: measured, estimated (null: unknown). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host/report/json_value.h"
#include "tools/pcprof/page.h"

/* Gains on the page: so many, of at least this share unless they were measured. */
enum { PAGE_GAINS = 1000 };
#define PAGE_GAINS_LEAST 1e-4

static bool page_gains_is_shown(const struct pcprof_gain *g)
{
    return pcprof_gain_is_measured(g) || pcprof_gain_share(g) >= PAGE_GAINS_LEAST;
}

void page_gains_add(struct page *p)
{
    p->gain_place = xcalloc(p->gains.count + 1, sizeof *p->gain_place);
    for (size_t n = 0, shown = 0; n < p->gains.count && shown < PAGE_GAINS; n++) {
        const struct pcprof_gain *g = &p->gains.gain[n];
        if (!page_gains_is_shown(g))
            continue;
        const struct profile_symbol *s = profile_find_symbol(profile_image(p->profile, g->image), g->address);
        page_add(p, &(struct page_value){.image = g->image,
                                         .key = s != NULL ? s->start : UINT64_MAX,
                                         .address = g->address,
                                         .kind = PAGE_GAIN,
                                         .which = (uint32_t)n});
        shown++;
    }
}

void page_gains_place(struct page *p, uint32_t gain, const struct page_place *place) { p->gain_place[gain] = *place; }

/* Cycles of the instruction, the exact ones if they are known. */
static json_t *page_gains_time(const struct page *p, const struct pcprof_gain *g)
{
    if (p->columns == 0 || strcmp(profile_event(p->profile, p->column[0].event)->name, "cycles") != 0)
        return json_null();
    const struct prof_column *c = &p->column[0];
    const uint32_t event = c->exact != PROFILE_NO_EVENT ? c->exact : c->event;
    return json_number(profile_value(p->profile, event, g->image, g->address) *
                       profile_event(p->profile, event)->scale);
}

static json_t *page_gains_row(const struct page *p, const struct pcprof_gain *g, const struct page_place *at)
{
    char hex[24], *removed;
    size_t size;
    json_t *row = json_object();
    FILE *out = xopen_text(&removed, &size);
    pcprof_gain_add_removed(out, g->removed);
    xclose_text(out);
    snprintf(hex, sizeof hex, "%" PRIx64, at->address);
    json_put(row, "procedure", json_integer(at->procedure));
    json_put(row, "image", json_integer(at->image));
    json_put(row, "address", json_string(hex));
    json_put(row, "text", json_text(at->text));
    json_put(row, "file", json_integer(at->file));
    json_put(row, "line", json_integer(at->line));
    json_put(row, "removed", json_string(removed));
    json_put(row, "time", page_gains_time(p, g));
    json_put(row, "measured", json_number(g->measured));
    json_put(row, "estimated", json_number(g->estimated));
    free(removed);
    return row;
}

json_t *page_gains(struct page *p)
{
    json_t *o = json_object(), *rows = json_put(o, "rows", json_array());
    json_put(o, "estimated_by", json_text(p->gains.estimated_by));
    for (size_t n = 0; n < p->gains.count; n++)
        if (p->gain_place[n].text != NULL)
            json_push(rows, page_gains_row(p, &p->gains.gain[n], &p->gain_place[n]));
    free(p->gain_place);
    return o;
}
