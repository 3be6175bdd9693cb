/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/recording.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/text.h"
#include "core-model/core.h"
#include "core-model/stats.h"
#include "tools/pcemu/fatal.h"
#include "tools/pcemu/start_folder.h"

/* Computes the length and the hash of a file, as struct record_head has them; false with errno if it cannot be read. */
static bool hash_file(const char *path, uint64_t *bytes, uint64_t *hash)
{
    char part[1 << 16];
    struct guest_folder guest = start_folder_enter();
    FILE *f = fopen(path, "rb");
    start_folder_leave(guest);
    *bytes = 0;
    *hash = FNV_NONE;
    if (f == NULL)
        return false;
    for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0; *bytes += n)
        *hash = fnv_extend(*hash, part, n);
    *hash ^= FNV_NONE;
    bool sound = !ferror(f);
    fclose(f);
    return sound;
}

void recording_describe(struct record_head *head, const char *option, const struct options *o,
                        const struct machine_config *m, const struct target *t)
{
    *head = (struct record_head){.config = m->config,
                                 .machine = m->name,
                                 .guest = t->path,
                                 .bias = t->guest.process->bias,
                                 .values = o->record_values};
    if (!hash_file(t->path, &head->guest_bytes, &head->guest_hash))
        die("%s: %s: %s", option, t->path, strerror(errno));
}

struct record_tail recording_tail(const struct target *t, bool partial)
{
    return (struct record_tail){.cycles = core_cycle(t->core),
                                .instructions = core_retired(t->core),
                                .partial = partial,
                                .stats = core_statistics(t->core),
                                .image = t->guest.process->image,
                                .images = t->guest.process->images};
}

bool recording_is_of(const struct record_head *h, const char *path)
{
    uint64_t bytes, hash;
    return hash_file(path, &bytes, &hash) && bytes == h->guest_bytes && hash == h->guest_hash;
}

void recording_add(struct recording *r, const struct options *o, const struct machine_config *m, struct target *t,
                   struct outputs *outputs, struct observers *set)
{
    struct record_head head;
    if (o->record == NULL)
        return;
    recording_describe(&head, "--record", o, m, t);
    r->recorder = recorder_new(outputs->record.stream, t->core, &head);
    observers_add(set, recorder_observer(r->recorder));
}

void recording_conclude(struct recording *r, const struct target *t, bool partial, struct outputs *outputs)
{
    if (r->recorder == NULL)
        return;
    const struct record_tail tail = recording_tail(t, partial);
    recorder_conclude(r->recorder, &tail);
    outputs_commit(&outputs->record);
}

/* ---- replay ---- */

/* Warns if the ELF file is not the one that was recorded. */
static void recording_check_guest(const struct recording *r, const struct options *o, const char *path)
{
    const struct record_head *h = replay_head(r->replay);
    uint64_t bytes, hash;
    if (!hash_file(path, &bytes, &hash))
        die("%s: recorded from the ELF file '%s': %s%s", r->name, path, strerror(errno),
            o->guest == NULL ? "; name it if it is elsewhere (--core replay:FILE ELF)" : "");
    if (bytes != h->guest_bytes || hash != h->guest_hash)
        die("%s: expected the ELF file that was recorded, of %" PRIu64 " bytes and hash %016" PRIx64
            ", found '%s' of %" PRIu64 " bytes and hash %016" PRIx64,
            r->name, h->guest_bytes, h->guest_hash, path, bytes, hash);
}

void recording_open(struct recording *r, const struct options *o, struct machine_config *m, struct target *t)
{
    struct errmsg err;
    bool standard = strcmp(o->core_input, "-") == 0;
    r->name = standard ? "standard input" : o->core_input;
    r->in = standard ? stdin : fopen(o->core_input, "rb");
    if (r->in == NULL)
        die("%s: %s", r->name, strerror(errno));
    must(replay_open(&r->replay, r->in, r->name, &err), &err);
    const struct record_head *h = replay_head(r->replay);
    m->config = h->config;
    m->name = text_make_printable(xstrdup(h->machine));
    t->path = o->guest != NULL ? o->guest[0] : h->guest;
    recording_check_guest(r, o, t->path);
}

void recording_start(struct recording *r, struct target *t)
{
    struct errmsg err;
    must(guest_init_empty(&t->guest, &err), &err);
    t->guest.process->bias = replay_head(r->replay)->bias;
    if (t->symbols != NULL)
        symbols_set_bias(t->symbols, t->guest.process->bias);
    t->core = replay_core(r->replay, &t->guest);
}

void recording_attach(struct recording *r, struct observers *set, struct core *core)
{
    for (unsigned i = 0; i < observers_count(set); i++) {
        struct observer *o = observers_at(set, i);
        const char *name = o->label != NULL ? o->label : o->kind->name;
        if (o->probe.values && !replay_head(r->replay)->values)
            die("--core replay: %s reads operand values, which the recording lacks: record it with --record-values",
                name);
        if (o->probe.slots != NULL)
            die("--core replay: %s reads the slots of the pipeline, which a recording lacks: profile the run itself",
                name);
        observer_attach(o, core);
        if (replay_interrupts(r->replay) != 0)
            die("--core replay: %s interrupts the run, which a recording cannot be", name);
    }
}

bool recording_finish(struct recording *r, struct target *t)
{
    struct errmsg err;
    const struct record_tail *tail = replay_tail(r->replay);
    must(replay_error(r->replay, &err), &err);
    must(replay_restore_code(r->replay, &t->guest.hart, &err), &err);
    t->guest.process->image = tail->image;
    t->guest.process->images = tail->images;
    return tail->partial;
}

void recording_release(struct recording *r, struct target *t)
{
    if (r->replay == NULL)
        return;
    t->guest.process->image = NULL; /* the replay's */
    t->guest.process->images = 0;
    guest_fini(&t->guest);
    replay_close(r->replay);
    fclose(r->in);
}
