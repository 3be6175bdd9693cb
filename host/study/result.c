/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/study/result.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/sha1.h"
#include "host/report/json_value.h"
#include "host/study/json_member.h"

enum { FOOTER_BYTES = 1 << 20 };
#define RESULT_FILE_BYTES ((size_t)1 << 40)

static enum status result_read_counts(const char *place, struct result_footer *f, struct errmsg *err)
{
    enum status st = json_member_count(place, f->json, "instructions_expected", true, &f->expected, err);
    if (st == ST_OK)
        st = json_member_count(place, f->json, "instructions", false, &f->instructions, err);
    if (st == ST_OK)
        st = json_member_count(place, f->json, "cycles", false, &f->cycles, err);
    if (st == ST_OK)
        st = json_member_count(place, f->json, "status", false, &f->status, err);
    if (st == ST_OK)
        st = json_member_count(place, f->json, "milliseconds", false, &f->milliseconds, err);
    f->knows_expected = st == ST_OK && !json_is_null(json_object_get(f->json, "instructions_expected"));
    return st;
}

static enum status result_read_files(const char *place, const struct result_footer *f, struct errmsg *err)
{
    const json_t *files;
    const char *name;
    json_t *file;
    enum status st = json_member_object(place, f->json, "files", &files, err);
    json_object_foreach((json_t *)(uintptr_t)files, name, file)
    {
        const char *hash;
        uint64_t bytes;
        if (strchr(name, '/') != NULL || name[0] == '.')
            return fail(err, ST_FORMAT, "%s: member files: expected the name of a file of the result, found '%s'",
                        place, name);
        if (st == ST_OK)
            st = json_member_text(place, file, "sha1", false, &hash, err);
        if (st == ST_OK)
            st = json_member_count(place, file, "bytes", false, &bytes, err);
    }
    return st;
}

enum status result_parse(const char *place, const char *text, size_t size_bytes, struct result_footer *f,
                         struct errmsg *err)
{
    const char *format;
    uint64_t version;
    *f = (struct result_footer){0};
    enum status st = json_member_parse(place, text, size_bytes, &f->json, err);
    if (st == ST_OK)
        st = json_member_text(place, f->json, "format", false, &format, err);
    if (st == ST_OK && strcmp(format, "pcsweep result") != 0)
        st = fail(err, ST_FORMAT, "%s: member format: expected 'pcsweep result', found '%s'", place, format);
    if (st == ST_OK)
        st = json_member_count(place, f->json, "version", false, &version, err);
    if (st == ST_OK && version != RESULT_VERSION)
        st = fail(err, ST_VERSION, "%s: member version: expected %d, found %llu", place, RESULT_VERSION,
                  (unsigned long long)version);
    if (st == ST_OK)
        st = json_member_text(place, f->json, "id", false, &f->id, err);
    if (st == ST_OK)
        st = json_member_text(place, f->json, "pcemu", false, &f->pcemu, err);
    if (st == ST_OK)
        st = json_member_text(place, f->json, "failure", true, &f->failure, err);
    if (st == ST_OK)
        st = result_read_counts(place, f, err);
    return st == ST_OK ? result_read_files(place, f, err) : st;
}

void result_release(struct result_footer *f)
{
    json_decref(f->json);
    *f = (struct result_footer){0};
}

enum result_state result_read(const char *folder, const char *id, struct result_footer *f, struct errmsg *why)
{
    char *path = xasprintf("%s/results/%s/footer.json", folder, id), *text;
    size_t size_bytes;
    enum result_state state = RESULT_NONE;
    *f = (struct result_footer){0};
    if (access(path, F_OK) == 0) {
        enum status st = file_read(path, FOOTER_BYTES, &text, &size_bytes, why);
        state = RESULT_CORRUPT;
        if (st == ST_OK) {
            st = result_parse(path, text, size_bytes, f, why);
            free(text);
        }
        if (st == ST_OK && strcmp(f->id, id) != 0)
            (void)fail(why, ST_FORMAT, "%s: member id: expected %s, found '%s'", path, id, f->id);
        else if (st == ST_OK)
            state = f->failure != NULL ? RESULT_FAILED : RESULT_DONE;
    } else {
        char *whole = xasprintf("%s/results/%s", folder, id);
        if (access(whole, F_OK) == 0) {
            state = RESULT_CORRUPT;
            (void)fail(why, ST_FORMAT, "%s: expected a result with footer.json, found none", whole);
        }
        free(whole);
    }
    free(path);
    return state;
}

json_t *result_describe_file(const char *path, struct errmsg *err)
{
    char *bytes, hash[SHA1_TEXT];
    size_t size_bytes;
    if (file_read(path, RESULT_FILE_BYTES, &bytes, &size_bytes, err) != ST_OK)
        return NULL;
    sha1_text(bytes, size_bytes, hash);
    free(bytes);
    json_t *file = json_object();
    json_put(file, "bytes", json_integer((json_int_t)size_bytes));
    json_put(file, "sha1", json_string(hash));
    return file;
}

enum result_state result_verify(const char *folder, const char *id, struct result_footer *f, struct errmsg *why)
{
    const enum result_state state = result_read(folder, id, f, why);
    const char *name;
    json_t *file;
    if (state != RESULT_DONE)
        return state;
    json_object_foreach(json_object_get(f->json, "files"), name, file)
    {
        char *path = xasprintf("%s/results/%s/%s", folder, id, name);
        json_t *found = result_describe_file(path, why);
        const bool is_same = found != NULL && json_equal(found, file);
        if (found != NULL && !is_same)
            (void)fail(why, ST_FORMAT, "%s: expected the contents that footer.json describes, found others", path);
        json_decref(found);
        free(path);
        if (!is_same)
            return RESULT_CORRUPT;
    }
    return RESULT_DONE;
}
