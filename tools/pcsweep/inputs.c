/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcsweep/inputs.h"

#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/outfile.h"
#include "base/sha1.h"
#include "tools/pcsweep/child.h"

#define INPUT_FILE_BYTES ((size_t)1 << 40)

enum status inputs_make_folder(const char *path, struct errmsg *err)
{
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return fail(err, ST_IO, "%s: cannot be made: %s", path, strerror(errno));
    return ST_OK;
}

enum status inputs_hash_file(const char *path, char hash[SHA1_TEXT], struct errmsg *err)
{
    char *bytes;
    size_t size_bytes;
    const enum status st = file_read(path, INPUT_FILE_BYTES, &bytes, &size_bytes, err);
    if (st != ST_OK)
        return st;
    sha1_text(bytes, size_bytes, hash);
    free(bytes);
    return ST_OK;
}

static const char *inputs_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* The place of an input, whose folder is made: *input is relative, *whole is not; the caller frees both. */
static enum status inputs_place(const char *folder, const char *hash, const char *name, char **input, char **whole,
                                struct errmsg *err)
{
    char *all = xasprintf("%s/inputs", folder), *own = xasprintf("%s/%s", all, hash);
    enum status st = inputs_make_folder(all, err);
    if (st == ST_OK)
        st = inputs_make_folder(own, err);
    *input = xasprintf("inputs/%s/%s", hash, name);
    *whole = xasprintf("%s/%s", own, name);
    free(all);
    free(own);
    return st;
}

static enum status inputs_write(const char *path, const char *bytes, size_t size_bytes, mode_t mode, struct errmsg *err)
{
    struct outfile f;
    if (access(path, F_OK) == 0)
        return ST_OK;
    enum status st = outfile_open(&f, path, err);
    if (st != ST_OK)
        return st;
    (void)fwrite(bytes, 1, size_bytes, f.stream);
    (void)fchmod(f.fd, mode);
    return outfile_commit(&f, err);
}

static enum status inputs_add_bytes(const char *folder, const char *bytes, size_t size_bytes, mode_t mode,
                                    const char *name, char **input, struct errmsg *err)
{
    char hash[SHA1_TEXT], *whole;
    sha1_text(bytes, size_bytes, hash);
    enum status st = inputs_place(folder, hash, name, input, &whole, err);
    if (st == ST_OK)
        st = inputs_write(whole, bytes, size_bytes, mode, err);
    free(whole);
    return st;
}

enum status inputs_add_text(const char *folder, const char *text, const char *name, char **input, struct errmsg *err)
{
    return inputs_add_bytes(folder, text, strlen(text), 0644, name, input, err);
}

enum status inputs_add_file(const char *folder, const char *path, const char *name, char **input, struct errmsg *err)
{
    char *bytes;
    size_t size_bytes;
    struct stat s;
    enum status st = file_read(path, INPUT_FILE_BYTES, &bytes, &size_bytes, err);
    if (st != ST_OK)
        return st;
    const mode_t mode = stat(path, &s) == 0 && (s.st_mode & S_IXUSR) != 0 ? 0755 : 0644;
    st = inputs_add_bytes(folder, bytes, size_bytes, mode, name != NULL ? name : inputs_base_name(path), input, err);
    free(bytes);
    return st;
}

/* ---- folders ---- */

static int inputs_compare(const FTSENT **a, const FTSENT **b) { return strcmp((*a)->fts_name, (*b)->fts_name); }

/* Writes a line about a file: its kind, whether it is executable, the hash of its contents, its path in the folder. */
static enum status inputs_list_entry(FILE *out, const FTSENT *e, size_t skip, struct errmsg *err)
{
    char hash[SHA1_TEXT] = "-", link[PATH_MAX];
    const char *kind = "d";
    if (e->fts_info == FTS_F) {
        enum status st = inputs_hash_file(e->fts_accpath, hash, err);
        if (st != ST_OK)
            return fail(err, st, "%s: cannot be read", e->fts_path);
        kind = (e->fts_statp->st_mode & S_IXUSR) != 0 ? "x" : "f";
    } else if (e->fts_info == FTS_SL || e->fts_info == FTS_SLNONE) {
        const ssize_t n = readlink(e->fts_accpath, link, sizeof link);
        if (n < 0)
            return fail(err, ST_IO, "%s: %s", e->fts_path, strerror(errno));
        sha1_text(link, (size_t)n, hash);
        kind = "l";
    } else if (e->fts_info != FTS_D)
        return fail(err, ST_INPUT, "%s: expected a file, a folder or a symbolic link that can be read", e->fts_path);
    fprintf(out, "%s %s %s", kind, hash, e->fts_path + skip);
    fputc('\0', out);
    return ST_OK;
}

static enum status inputs_list(FILE *out, const char *path, struct errmsg *err)
{
    char *copy = xstrdup(path), *paths[] = {copy, NULL};
    FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, inputs_compare);
    enum status st = ST_OK;
    FTSENT *e;
    if (tree == NULL)
        BUG("fts_open: %s", strerror(errno));
    while (st == ST_OK && (e = fts_read(tree)) != NULL)
        if (e->fts_info != FTS_DP)
            st = inputs_list_entry(out, e, strlen(path), err);
    fts_close(tree);
    free(copy);
    return st;
}

/* The real path of a folder, without a link at its end; the caller frees it. */
static enum status inputs_find_folder(const char *path, char **real, struct errmsg *err)
{
    struct stat s;
    *real = realpath(path, NULL);
    if (*real == NULL)
        return fail(err, ST_INPUT, "%s: %s", path, strerror(errno));
    if (stat(*real, &s) != 0 || !S_ISDIR(s.st_mode)) {
        free(*real);
        return fail(err, ST_INPUT, "%s: expected a folder", path);
    }
    return ST_OK;
}

static enum status inputs_hash_folder(const char *path, char hash[SHA1_TEXT], struct errmsg *err)
{
    char *text;
    size_t size_bytes;
    FILE *out = xopen_text(&text, &size_bytes);
    enum status st = inputs_list(out, path, err);
    xclose_text(out);
    sha1_text(text, size_bytes, hash);
    free(text);
    return st;
}

static enum status inputs_copy_folder(const char *from, const char *to, struct errmsg *err)
{
    if (access(to, F_OK) == 0)
        return ST_OK;
    char cp[] = "cp", archive[] = "-a", end[] = "--", *part = xasprintf("%s.%ld", to, (long)getpid());
    char *argv[] = {cp, archive, end, (char *)(uintptr_t)from, part, NULL};
    enum status st = child_run(&(struct child){.argv = argv, .output = -1, .error = -1}, err);
    if (st == ST_OK && rename(part, to) != 0)
        st = fail(err, ST_IO, "%s: %s", to, strerror(errno));
    free(part);
    return st;
}

/* A link from before may lead elsewhere. */
static enum status inputs_link_folder(const char *from, const char *to, struct errmsg *err)
{
    char *part = xasprintf("%s.%ld", to, (long)getpid());
    enum status st = ST_OK;
    if (symlink(from, part) != 0 || rename(part, to) != 0)
        st = fail(err, ST_IO, "%s: cannot be made: %s", to, strerror(errno));
    free(part);
    return st;
}

static enum status inputs_add_tree(const char *folder, const char *path, bool is_linked, char **input,
                                   struct errmsg *err)
{
    char hash[SHA1_TEXT], *real, *whole;
    *input = NULL;
    enum status st = inputs_find_folder(path, &real, err);
    if (st != ST_OK)
        return st;
    st = inputs_hash_folder(real, hash, err);
    if (st == ST_OK) {
        st = inputs_place(folder, hash, is_linked ? "root" : "folder", input, &whole, err);
        if (st == ST_OK)
            st = is_linked ? inputs_link_folder(real, whole, err) : inputs_copy_folder(real, whole, err);
        free(whole);
    }
    free(real);
    return st;
}

enum status inputs_add_folder(const char *folder, const char *path, char **input, struct errmsg *err)
{
    return inputs_add_tree(folder, path, false, input, err);
}

enum status inputs_add_sysroot(const char *folder, const char *path, char **input, struct errmsg *err)
{
    return inputs_add_tree(folder, path, true, input, err);
}
