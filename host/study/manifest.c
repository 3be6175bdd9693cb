/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/study/manifest.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "host/study/json_member.h"

enum { MANIFEST_BYTES = 1 << 30 };

void manifest_job_id(const json_t *run, char id[SHA1_TEXT])
{
    char *text = json_dumps(run, JSON_COMPACT | JSON_SORT_KEYS);
    if (text == NULL)
        BUG("a job's description cannot be written");
    sha1_text(text, strlen(text), id);
    free(text);
}

static enum status manifest_read_names(const char *place, struct job *j, struct errmsg *err)
{
    const json_t *names;
    size_t i;
    json_t *element;
    enum status st = json_member_array(place, j->json, "names", JSON_OBJECT, &names, err);
    if (st != ST_OK)
        return st;
    if (json_array_size(names) == 0)
        return fail(err, ST_FORMAT, "%s: member names: expected a name, found none", place);
    j->names = xcalloc(json_array_size(names), sizeof *j->names);
    json_array_foreach(names, i, element)
    {
        struct job_names *n = &j->names[j->name_count++];
        st = json_member_text(place, element, "program", false, &n->program, err);
        if (st == ST_OK)
            st = json_member_text(place, element, "configuration", false, &n->configuration, err);
        if (st == ST_OK)
            st = json_member_text(place, element, "profile", false, &n->profile, err);
        if (st != ST_OK)
            return st;
    }
    return ST_OK;
}

/* Outputs are kinds of files of a result, each once. */
static enum status manifest_check_outputs(const char *place, const json_t *outputs, struct errmsg *err)
{
    bool is_found[2] = {false};
    size_t i;
    json_t *element;
    json_array_foreach(outputs, i, element)
    {
        const char *text = json_string_value(element);
        const bool is_store = strcmp(text, "store") == 0;
        if ((!is_store && strcmp(text, "statistics") != 0) || is_found[is_store])
            return fail(err, ST_FORMAT,
                        "%s: member outputs: expected statistics and store, each at most once, found '%s'", place,
                        text);
        is_found[is_store] = true;
    }
    return ST_OK;
}

static enum status manifest_read_run(const char *place, struct job *j, const json_t *run, struct errmsg *err)
{
    enum status st = json_member_array(place, run, "command", JSON_STRING, &j->command, err);
    if (st == ST_OK)
        st = json_member_array(place, run, "outputs", JSON_STRING, &j->outputs, err);
    if (st == ST_OK)
        st = manifest_check_outputs(place, j->outputs, err);
    if (st == ST_OK)
        st = json_member_text(place, run, "input", true, &j->input, err);
    if (st == ST_OK)
        st = json_member_text(place, run, "folder", true, &j->folder, err);
    if (st == ST_OK)
        st = json_member_count(place, run, "status", false, &j->status, err);
    if (st == ST_OK)
        st = json_member_count(place, run, "instructions", true, &j->instructions, err);
    j->knows_instructions = st == ST_OK && !json_is_null(json_object_get(run, "instructions"));
    return st;
}

static enum status manifest_read_job(const char *place, struct job *j, struct errmsg *err)
{
    const json_t *run;
    char id[SHA1_TEXT];
    enum status st = json_member_text(place, j->json, "id", false, &j->id, err);
    if (st == ST_OK)
        st = json_member_count(place, j->json, "seed", false, &j->seed, err);
    if (st == ST_OK)
        st = manifest_read_names(place, j, err);
    if (st == ST_OK)
        st = json_member_object(place, j->json, "run", &run, err);
    if (st == ST_OK)
        st = manifest_read_run(place, j, run, err);
    if (st != ST_OK)
        return st;
    manifest_job_id(run, id);
    if (strcmp(id, j->id) != 0)
        return fail(err, ST_FORMAT, "%s: member id: expected %s, the hash of the member run, found '%s'", place, id,
                    j->id);
    return ST_OK;
}

static enum status manifest_read_head(const char *place, struct manifest *m, struct errmsg *err)
{
    const char *format;
    uint64_t version;
    enum status st = json_member_text(place, m->head, "format", false, &format, err);
    if (st == ST_OK && strcmp(format, "pcsweep manifest") != 0)
        st = fail(err, ST_FORMAT, "%s: member format: expected 'pcsweep manifest', found '%s'", place, format);
    if (st == ST_OK)
        st = json_member_count(place, m->head, "version", false, &version, err);
    if (st == ST_OK && version != MANIFEST_VERSION)
        st = fail(err, ST_VERSION, "%s: member version: expected %d, found %llu: plan the study again", place,
                  MANIFEST_VERSION, (unsigned long long)version);
    if (st == ST_OK)
        st = json_member_text(place, m->head, "pcemu", false, &m->pcemu, err);
    if (st == ST_OK)
        st = json_member_text(place, m->head, "baseline", true, &m->baseline, err);
    return st;
}

static enum status manifest_read_line(const char *place, const char *line, size_t length, struct manifest *m,
                                      struct errmsg *err)
{
    if (m->head == NULL) {
        enum status st = json_member_parse(place, line, length, &m->head, err);
        return st == ST_OK ? manifest_read_head(place, m, err) : st;
    }
    struct job j = {0};
    enum status st = json_member_parse(place, line, length, &j.json, err);
    if (st == ST_OK) {
        st = manifest_read_job(place, &j, err);
        m->job = xgrow(m->job, m->jobs, sizeof *m->job);
        m->job[m->jobs++] = j;
    }
    return st;
}

static int manifest_compare_ids(const void *a, const void *b)
{
    const struct job *const *x = a, *const *y = b;
    return strcmp((*x)->id, (*y)->id);
}

/* A lock of a job does not exclude the same job of the same worker. */
static enum status manifest_check_ids(const char *path, const struct manifest *m, struct errmsg *err)
{
    const struct job **sorted = xcalloc(m->jobs + 1, sizeof *sorted);
    enum status st = ST_OK;
    for (size_t i = 0; i < m->jobs; i++)
        sorted[i] = &m->job[i];
    qsort(sorted, m->jobs, sizeof *sorted, manifest_compare_ids);
    for (size_t i = 1; i < m->jobs && st == ST_OK; i++)
        if (strcmp(sorted[i - 1]->id, sorted[i]->id) == 0)
            st = fail(err, ST_FORMAT, "%s: expected each job once, found two lines of %s: plan the study again", path,
                      sorted[i]->id);
    free(sorted);
    return st;
}

enum status manifest_parse(const char *path, const char *text, struct manifest *m, struct errmsg *err)
{
    enum status st = ST_OK;
    unsigned line = 1;
    for (const char *at = text; *at != '\0' && st == ST_OK; line++) {
        const size_t length = strcspn(at, "\n");
        char *place = xasprintf("%s:%u", path, line);
        if (at[length] == '\0')
            st = fail(err, ST_FORMAT, "%s: expected the end of the line, found that of the file: plan the study again",
                      place);
        else
            st = manifest_read_line(place, at, length, m, err);
        free(place);
        at += length + (at[length] != '\0');
    }
    if (st == ST_OK && m->head == NULL)
        st = fail(err, ST_FORMAT, "%s: expected a manifest, found an empty file", path);
    return st == ST_OK ? manifest_check_ids(path, m, err) : st;
}

enum status manifest_load(const char *folder, struct manifest *m, struct errmsg *err)
{
    struct errmsg why;
    char *path = xasprintf("%s/manifest.jsonl", folder), *text;
    size_t size_bytes;
    *m = (struct manifest){.folder = xstrdup(folder)};
    enum status st = file_read(path, MANIFEST_BYTES, &text, &size_bytes, &why);
    if (st != ST_OK)
        st = fail(err, st, "%s; expected a folder that pcsweep plan has written", why.text);
    else {
        if (strlen(text) != size_bytes)
            st = fail(err, ST_FORMAT, "%s: expected a manifest, found a byte 0x00", path);
        else
            st = manifest_parse(path, text, m, err);
        free(text);
    }
    free(path);
    return st;
}

void manifest_release(struct manifest *m)
{
    for (size_t i = 0; i < m->jobs; i++) {
        json_decref(m->job[i].json);
        free(m->job[i].names);
    }
    json_decref(m->head);
    free(m->job);
    free(m->folder);
    *m = (struct manifest){0};
}

const struct job *manifest_find(const struct manifest *m, const char *id, struct errmsg *err)
{
    const struct job *found = NULL;
    for (size_t i = 0; i < m->jobs; i++) {
        if (strncmp(m->job[i].id, id, strlen(id)) != 0)
            continue;
        if (found != NULL) {
            (void)fail(err, ST_INPUT, "'%s': expected the id of one job, or its beginning, found %s and %s", id,
                       found->id, m->job[i].id);
            return NULL;
        }
        found = &m->job[i];
    }
    if (found == NULL)
        (void)fail(err, ST_INPUT, "'%s': expected the id of a job of %s, or its beginning", id, m->folder);
    return found;
}
