/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pipeline log of --pipeline as a line of JSON, in columns by instruction:
 *   file, cut, stages[]     its name; whether instructions were left out; names of stages
 *   from                    cycle of the first instruction's fetch
 *   fetched[] ended[]       distance of the fetch from that of the instruction before; cycles in the pipeline
 *   squashed[]              0, 1
 *   text[] detail[]         label, details (null: none)
 *   steps[]                 lists: stage, cycles from the fetch on, cycles in it, and so on
 *   producers[]             lists of distances to earlier instructions
 *   place[]                 null, or image, start of the procedure, address: where the page's code has the same text */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "host/report/json_value.h"
#include "host/report/pipeline_log.h"
#include "tools/pcprof/listing.h"
#include "tools/pcprof/page.h"

enum { LOG_BYTES = 256 << 20 };

/* The place of an instruction "ADDRESS: TEXT": that of an image without relocation, whose code has the same text. */
static json_t *page_pipeline_place(const struct profile *p, const char *label)
{
    char *rest = NULL;
    const uint64_t address = label != NULL ? strtoull(label, &rest, 16) : 0;
    struct code_insn in;
    for (uint32_t n = 0; rest != NULL && strncmp(rest, ": ", 2) == 0 && n < profile_images(p); n++) {
        const struct profile_symbol *s = profile_find_symbol(profile_image(p, n), address);
        if (s == NULL || !listing_decode(profile_image(p, n), address, &in) || strcmp(in.text, rest + 2) != 0)
            continue;
        char start[24], hex[24];
        snprintf(start, sizeof start, "%" PRIx64, s->start);
        snprintf(hex, sizeof hex, "%" PRIx64, address);
        json_t *place = json_array();
        json_push(place, json_integer(n));
        json_push(place, json_string(start));
        json_push(place, json_string(hex));
        return place;
    }
    return json_null();
}

static json_t *page_pipeline_steps(const struct pipeline_insn *i)
{
    json_t *steps = json_array();
    for (size_t n = 0; n < i->steps; n++) {
        json_push(steps, json_integer(i->step[n].stage));
        json_push(steps, json_integer((json_int_t)(i->step[n].from - i->fetched)));
        json_push(steps, json_integer((json_int_t)(i->step[n].to - i->step[n].from)));
    }
    return steps;
}

/* Pushes to the column of a key. */
static void page_pipeline_push(json_t *o, const char *key, json_t *value)
{
    json_t *column = json_object_get(o, key);
    json_push(column != NULL ? column : json_put(o, key, json_array()), value);
}

static void page_pipeline_insn(json_t *o, const struct profile *p, const struct pipeline_log *log, size_t n)
{
    const struct pipeline_insn *i = &log->insn[n];
    json_t *producers = json_array();
    for (size_t k = 0; k < i->producers; k++)
        json_push(producers, json_integer((json_int_t)(n - i->producer[k])));
    page_pipeline_push(o, "fetched", json_integer((json_int_t)(n > 0 ? i->fetched - log->insn[n - 1].fetched : 0)));
    page_pipeline_push(o, "ended", json_integer((json_int_t)(i->ended - i->fetched)));
    page_pipeline_push(o, "squashed", json_integer(i->squashed));
    page_pipeline_push(o, "text", json_text(i->text));
    page_pipeline_push(o, "detail", json_text(i->detail));
    page_pipeline_push(o, "steps", page_pipeline_steps(i));
    page_pipeline_push(o, "producers", producers);
    page_pipeline_push(o, "place", page_pipeline_place(p, i->text));
}

enum status page_pipeline(const struct page *p, const char *file, json_t *lines, struct errmsg *err)
{
    struct pipeline_log log = {0};
    char *text = NULL;
    size_t size_bytes = 0;
    enum status st = file_read(file, LOG_BYTES, &text, &size_bytes, err);
    if (st == ST_OK)
        st = pipeline_log_read(&log, file, text, size_bytes, err);
    if (st == ST_OK && log.insns == 0)
        st = fail(err, ST_INPUT, "%s: the pipeline log has no instructions", file);
    if (st == ST_OK) {
        json_t *o = json_push(lines, json_object()), *stages = json_put(o, "stages", json_array());
        json_put(o, "file", json_text(file));
        json_put(o, "cut", json_boolean(log.is_cut));
        json_put(o, "from", json_integer((json_int_t)log.insn[0].fetched));
        for (size_t n = 0; n < log.stages; n++)
            json_push(stages, json_text(log.stage[n]));
        for (size_t n = 0; n < log.insns; n++)
            page_pipeline_insn(o, p->profile, &log, n);
    }
    pipeline_log_release(&log);
    free(text);
    return st;
}
