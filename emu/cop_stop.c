/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "emu/cop_stop.h"

#include "emu/cop_inspect.h"

static void cop_stop_find_word(const struct cop *c, const struct image *im, struct program_stop *s)
{
    char place[IMAGE_PLACE];
    bool labelled = image_print_place(im, s->word, place);
    int n = snprintf(s->text, sizeof s->text, "%s%s", place, labelled ? ": " : "");
    (void)cop_print_word(c, im, s->word, s->text + n, sizeof s->text - (size_t)n);
}

static uint64_t peek(const struct cop *c, enum bus_address region, unsigned element)
{
    const struct cop_place place = {region, element};
    uint64_t value;
    if (cop_peek(c, &place, &value) != ST_OK)
        BUG("element %u of 0x%04x is not there", element, (unsigned)region);
    return value;
}

static void find_sample(const struct cop *c, const struct image *im, struct program_stop *s)
{
    struct cop_record r;
    s->has_sample = cop_record(c, 0, &r);
    if (!s->has_sample)
        return;
    s->no_entry = s->state == BUS_ILLEGAL && s->words == 0 && peek(c, BUS_DISPATCH, r.opclass) >= ISA_WORDS;
    s->sample = peek(c, BUS_PROCESSED, 0) + 1;
    s->opclass = r.opclass;
    s->cycle = r.delivered;
    s->fields = r.fields < im->fields ? r.fields : im->fields;
    for (unsigned i = 0; i < s->fields; i++) {
        s->name[i] = sample_fields[im->field[i]].name;
        s->field[i] = r.field[i];
    }
}

bool cop_find_stop(const struct cop *c, const struct image *im, struct program_stop *s)
{
    *s = (struct program_stop){.state = cop_state(c), .word = cop_pc(c), .words = cop_sample_words(c)};
    s->limit = cop_get_config(c).runaway_words;
    if (s->state != BUS_ILLEGAL && s->state != BUS_RUNAWAY)
        return false;
    cop_stop_find_word(c, im, s);
    find_sample(c, im, s);
    return true;
}

static void print_sample(const struct program_stop *s, FILE *out)
{
    if (!s->has_sample) {
        fputs("a sample that has left the buffer", out);
        return;
    }
    fprintf(out, "sample %llu (%s", (unsigned long long)s->sample, opclass_name(s->opclass));
    for (unsigned i = 0; i < s->fields; i++)
        fprintf(out, " %s=0x%llx", s->name[i], (unsigned long long)s->field[i]);
    fprintf(out, ", of cycle %llu)", (unsigned long long)s->cycle);
}

void stop_describe(const struct program_stop *s, FILE *out)
{
    fputs("the co-processor was stopped ", out);
    if (!s->no_entry)
        fprintf(out, "at word %u (%s) after %llu word%s for ", s->word, s->text, (unsigned long long)s->words,
                s->words == 1 ? "" : "s");
    else
        fputs("by ", out);
    print_sample(s, out);
    if (s->state == BUS_RUNAWAY)
        fputs(": no sample may take more words (cop_runaway_words)", out);
    else
        fputs(s->no_entry ? ": its class has no entry" : ": this is no microinstruction", out);
}
