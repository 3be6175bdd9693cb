/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/sample_recording.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core-model/core.h"
#include "core-model/prof/sampler/sampler.h"
#include "tools/pcemu/fatal.h"
#include "tools/pcemu/message.h"
#include "tools/pcemu/recording.h"

/* Samples that a program is delivered. */
struct demand {
    struct sampler_setup setup;
    char *sampler; /* its text */
    struct field_set wanted;
    struct sample_contents contents;
};

static struct demand demand_of(const struct image *im)
{
    struct demand d = {.setup = image_sampler(im)};
    d.sampler = sampler_text(&d.setup);
    for (unsigned i = 0; i < im->fields; i++)
        field_set_add(&d.wanted, im->field[i]);
    d.contents = sample_contents_of(im->filter_classes, d.sampler, &d.wanted);
    return d;
}

void sample_recording_add(struct sample_recording *r, const struct options *o, const struct machine_config *m,
                          const struct image *im, struct target *t, struct outputs *outputs, struct observers *set)
{
    struct record_head head;
    if (o->record_samples == NULL)
        return;
    recording_describe(&head, "--record-samples", o, m, t);
    const struct demand d = demand_of(im);
    r->writer = sample_writer_new(outputs->samples.stream, &head, &d.contents, core_clock(t->core));
    const struct sample_sink sink = sample_writer_sink(r->writer);
    observers_add(set, sampler_new(&d.setup, o->seed, &sink));
    free(d.sampler);
}

void sample_recording_conclude(struct sample_recording *r, const struct target *t, bool partial,
                               struct outputs *outputs)
{
    if (r->writer == NULL)
        return;
    const struct record_tail tail = recording_tail(t, partial);
    sample_writer_conclude(r->writer, &tail);
    outputs_commit(&outputs->samples);
}

/* ---- the input of --core samples ---- */

bool sample_recording_open(struct sample_recording *r, const struct options *o, struct machine_config *m,
                           struct target *t)
{
    struct errmsg err;
    bool standard = strcmp(o->core_input, "-") == 0;
    const char *name = standard ? "standard input" : o->core_input;
    r->in = standard ? stdin : fopen(o->core_input, "rb");
    if (r->in == NULL)
        die("%s: %s", name, strerror(errno));
    int first = getc(r->in); /* text does not begin so; one character can be put back into a pipe */
    if (first != EOF)
        ungetc(first, r->in);
    if (!record_begins(first))
        return false;
    must(sample_file_open(&r->file, r->in, name, &err), &err);
    const struct record_head *h = sample_file_head(r->file);
    if (o->config != NULL)
        die("--config is incompatible with a recording of samples: it has its own configuration (--set changes keys)");
    machine_adopt(m, o, &h->config, h->machine);
    if (recording_is_of(h, h->guest))
        t->path = h->guest;
    else
        print_message("%s: recorded from the ELF file '%s', which is missing or another one: the report has addresses "
                      "instead of names",
                      name, h->guest);
    return true;
}

void sample_recording_start(struct sample_recording *r, const struct image *im, struct target *t)
{
    struct errmsg err;
    const struct demand d = demand_of(im);
    must(sample_file_want(r->file, &d.contents, &d.wanted, &err), &err);
    free(d.sampler);
    must(guest_init_empty(&t->guest, &err), &err);
    t->guest.process->bias = sample_file_head(r->file)->bias;
    if (target_symbols(t) != NULL)
        symbols_set_bias(t->symbols, t->guest.process->bias);
}

bool sample_recording_finish(struct sample_recording *r, struct target *t)
{
    struct errmsg err;
    must(sample_file_error(r->file, &err), &err);
    const struct record_tail *tail = sample_file_tail(r->file);
    t->guest.process->image = tail->image;
    t->guest.process->images = tail->images;
    return tail->partial;
}

void sample_recording_release(struct sample_recording *r, struct target *t)
{
    sample_writer_free(r->writer);
    if (r->in != NULL)
        fclose(r->in);
    if (r->file == NULL)
        return;
    t->guest.process->image = NULL; /* the recording's */
    t->guest.process->images = 0;
    guest_fini(&t->guest);
    sample_file_close(r->file);
}
