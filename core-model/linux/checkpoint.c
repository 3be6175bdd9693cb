/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checkpoints of a guest: their run, the files that it needs, and the order of their parts. */
#include "core-model/linux/checkpoint.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/version.h"
#include "core-model/linux/checkpoint_parts.h"
#include "core-model/linux/clock.h"
#include "core-model/linux/path.h"
#include "core-model/linux/proc_maps.h"
#include "core-model/linux/sched.h"
#include "core-model/linux/signals.h"

struct guest_checkpoint {
    struct checkpoint_reader *reader;
    struct checkpoint_stream stream;
    size_t after_origin; /* where the rest of the state begins */
    uint64_t offset;     /* of the state in the file */
    struct guest_origin origin;
};

/* ---- the run ---- */

static void move_origin(struct guest_origin *o, struct checkpoint_stream *s)
{
    checkpoint_section(s, "the run");
    checkpoint_move_text(s, &o->version);
    checkpoint_move_text(s, &o->path);
    checkpoint_move_texts(s, &o->argv);
    checkpoint_move_texts(s, &o->envp);
    checkpoint_move_text(s, &o->sysroot);
    o->names = checkpoint_move(s, o->names, 0, GUEST_NAMES_HOST);
    checkpoint_move_text(s, &o->folder);
    o->clock_hz = checkpoint_move(s, o->clock_hz, 1, UINT64_MAX);
    o->quantum = checkpoint_move(s, o->quantum, 1, UINT32_MAX);
    o->processors = checkpoint_move(s, o->processors, 1, GUEST_HARTS_MAX);
    CHECKPOINT_MOVE(s, o->instructions);
    if (!s->reads || s->failed)
        return;
    if (o->version == NULL || o->path == NULL || o->argv[0] == NULL || o->folder == NULL)
        checkpoint_refuse(s, "expected version, program, arguments and folder of the run");
}

static void drop_texts(char **texts)
{
    for (char **t = texts; t != NULL && *t != NULL; t++)
        free(*t);
    free(texts);
}

const struct guest_origin *guest_checkpoint_origin(const struct guest_checkpoint *c) { return &c->origin; }

void guest_checkpoint_close(struct guest_checkpoint *c)
{
    if (c == NULL)
        return;
    drop_texts(c->origin.argv);
    drop_texts(c->origin.envp);
    free(c->origin.version);
    free(c->origin.path);
    free(c->origin.sysroot);
    free(c->origin.folder);
    checkpoint_reader_free(c->reader);
    free(c);
}

/* ST_FORMAT with the place, if the stream has failed. */
static enum status check_stream(const struct guest_checkpoint *c, struct errmsg *err)
{
    if (!c->stream.failed)
        return ST_OK;
    return fail(err, ST_FORMAT, "%s: offset %" PRIu64 ": the state of the guest is damaged: %.400s",
                checkpoint_reader_name(c->reader), c->offset, c->stream.why.text);
}

enum status guest_checkpoint_open(struct guest_checkpoint **out, const char *path, struct errmsg *err)
{
    struct guest_checkpoint *c = xcalloc(1, sizeof *c);
    enum status st = checkpoint_reader_new(&c->reader, path, err);
    if (st == ST_OK) {
        size_t size_bytes;
        const uint8_t *state = checkpoint_reader_state(c->reader, &size_bytes, &c->offset);
        c->stream = checkpoint_stream_of(state, size_bytes);
        move_origin(&c->origin, &c->stream);
        c->after_origin = c->stream.at;
        st = check_stream(c, err);
    }
    if (st == ST_OK && strcmp(c->origin.version, TOOLS_VERSION) != 0)
        st = fail(err, ST_VERSION, "%s: expected a checkpoint of pcemu %s, found one of %s", path, TOOLS_VERSION,
                  c->origin.version);
    if (st != ST_OK) {
        guest_checkpoint_close(c);
        return st;
    }
    *out = c;
    return ST_OK;
}

enum status guest_checkpoint_warmed(struct guest_checkpoint *c, struct checkpoint_stream *s, uint64_t *offset,
                                    struct errmsg *err)
{
    const uint8_t *bytes;
    size_t size_bytes;
    enum status st = checkpoint_reader_warmed(c->reader, &bytes, &size_bytes, offset, err);
    *s = checkpoint_stream_of(bytes, st == ST_OK ? size_bytes : 0);
    return st;
}

/* ---- the files of the program ---- */

/* The paths of the files that are code, or mapped. */
struct path_list {
    const char **path; /* borrowed */
    size_t count;
};

static void path_list_add(struct path_list *l, const char *path)
{
    for (size_t i = 0; i < l->count; i++)
        if (strcmp(l->path[i], path) == 0)
            return;
    l->path = xgrow(l->path, l->count, sizeof *l->path);
    l->path[l->count++] = path;
}

static enum status write_program_files(const struct guest *g, const struct file_mapping *mapping, size_t mappings,
                                       struct checkpoint_stream *s, struct errmsg *err)
{
    struct path_list list = {0};
    enum status st = ST_OK;
    if (g->names->digests == NULL)
        g->names->digests = linux_digests_new();
    path_list_add(&list, g->names->exe);
    for (size_t i = 0; i < g->process->images; i++)
        path_list_add(&list, g->process->image[i].path);
    for (size_t i = 0; i < mappings; i++)
        if (!mapping[i].is_shared)
            path_list_add(&list, mapping[i].path);
    checkpoint_section(s, "the files of the program");
    checkpoint_move(s, list.count, 0, UINT32_MAX);
    for (size_t i = 0; i < list.count && st == ST_OK; i++) {
        struct file_identity id;
        char *absolute = realpath(list.path[i], NULL);
        st = linux_identify_file(absolute != NULL ? absolute : list.path[i], g->names->digests, &id, err);
        linux_move_identity(&id, s);
        linux_drop_identity(&id);
        free(absolute);
    }
    free(list.path);
    return st;
}

static enum status check_program_files(struct checkpoint_stream *s, const char *name, struct errmsg *err)
{
    enum status st = ST_OK;
    checkpoint_section(s, "the files of the program");
    const uint64_t count = checkpoint_move(s, 0, 0, UINT32_MAX);
    for (uint64_t i = 0; i < count && st == ST_OK && !s->failed; i++) {
        struct file_identity id = {0};
        linux_move_identity(&id, s);
        if (!s->failed)
            st = linux_check_identity(&id, name, err);
        linux_drop_identity(&id);
    }
    return st;
}

/* ---- writing ---- */

static void write_origin(const struct guest *g, const struct guest_config *config, struct checkpoint_stream *s)
{
    struct guest_origin o = {
        .version = xstrdup(TOOLS_VERSION),
        .path = xstrdup(config->path),
        .argv = (char **)(uintptr_t)config->argv, /* are only read */
        .envp = (char **)(uintptr_t)config->envp,
        .sysroot = g->names->sysroot,
        .names = config->names,
        .folder = g->names->start_folder,
        .clock_hz = g->clock->clock_hz,
        .quantum = g->sched->quantum,
        .processors = g->sched->processors,
        .instructions = g->hart.instret,
    };
    move_origin(&o, s);
    free(o.version);
    free(o.path);
}

static enum status write_state(struct guest *g, const struct guest_config *config, struct checkpoint_stream *s,
                               struct errmsg *err)
{
    size_t count;
    struct file_mapping *mapping = linux_file_mappings(g, &count);
    enum status st = linux_check_mappings(g, mapping, count, err);
    if (st == ST_OK) {
        write_origin(g, config, s);
        st = write_program_files(g, mapping, count, s, err);
    }
    if (st == ST_OK) {
        linux_move_state(g, s);
        st = linux_write_files(g, s, err);
    }
    if (st == ST_OK)
        linux_write_layout(g, mapping, count, s);
    free(mapping);
    return st;
}

enum status guest_checkpoint_state(struct guest *g, const struct guest_config *config, struct checkpoint_stream *s,
                                   struct errmsg *err)
{
    *s = (struct checkpoint_stream){0};
    if (g->names->start_folder == NULL)
        return fail(err, ST_UNMET, "the folder of the start has no name");
    enum status st = linux_check_checkpoint(g, err);
    return st == ST_OK ? write_state(g, config, s, err) : st;
}

enum status guest_checkpoint_write(struct guest *g, const struct checkpoint_stream *s,
                                   const struct checkpoint_stream *warmed, struct checkpoint_writer *w,
                                   struct errmsg *err)
{
    char *name = xasprintf("%" PRIu64 CHECKPOINT_SUFFIX, g->hart.instret);
    enum status st = checkpoint_begin(w, name, s->byte, s->size, err);
    free(name);
    if (st != ST_OK)
        return st;
    if (warmed->size != 0)
        checkpoint_put_warmed(w, warmed->byte, warmed->size);
    linux_put_pages(g, w);
    return checkpoint_end(w, err);
}

/* ---- restoring ---- */

static enum status check_machine(const struct guest *g, const struct guest_checkpoint *c, struct errmsg *err)
{
    const struct guest_origin *o = &c->origin;
    const struct {
        uint64_t expected, found;
        const char *what;
    } fact[] = {
        {o->clock_hz, g->clock->clock_hz, "a clock (clock_mhz) in Hz of"},
        {o->quantum, g->sched->quantum, "turns of threads (turn_cycles) of"},
        {o->processors, g->sched->processors, "a number of harts (--harts) of"},
    };
    for (size_t i = 0; i < sizeof fact / sizeof fact[0]; i++)
        if (fact[i].expected != fact[i].found)
            return fail(err, ST_INPUT, "%s: expected, as in its run, %s %" PRIu64 ", found %" PRIu64,
                        checkpoint_reader_name(c->reader), fact[i].what, fact[i].expected, fact[i].found);
    return ST_OK;
}

enum status linux_restore(struct guest *g, const struct guest_config *config, struct errmsg *err)
{
    struct guest_checkpoint *c = config->checkpoint;
    struct checkpoint_stream *s = &c->stream;
    const char *name = checkpoint_reader_name(c->reader);
    s->at = c->after_origin;
    enum status st = check_machine(g, c, err);
    if (st == ST_OK)
        st = check_program_files(s, name, err);
    if (st == ST_OK)
        linux_move_state(g, s);
    if (st == ST_OK)
        st = linux_restore_files(g, s, name, err);
    if (st == ST_OK)
        st = linux_restore_layout(g, s, name, err);
    if (st == ST_OK && !s->failed && s->at != s->size)
        checkpoint_refuse(s, "found more than the state of a guest");
    if (st == ST_OK)
        st = check_stream(c, err);
    if (st == ST_OK)
        st = linux_restore_pages(g, c->reader, err);
    if (st == ST_OK)
        linux_signals_update(g);
    return st;
}
