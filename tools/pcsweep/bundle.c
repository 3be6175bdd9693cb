/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcsweep bundle: a study with its inputs and tools, for another machine. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/options.h"
#include "base/shipped.h"
#include "host/study/manifest.h"
#include "tools/command/output.h"
#include "tools/pcsweep/child.h"
#include "tools/pcsweep/pcsweep.h"

static const char doc[] =
    "Writes a study with all its inputs, the contents of sysroots among them, and with pcemu and pcsweep in its folder "
    "bin, as an archive of tar, for another machine."
    "\vThere, `tar xf FILE.tar` and `FOLDER/bin/pcsweep run FOLDER --all` make results, of which FOLDER/results can be "
    "copied back. The machine needs the libraries of the tools.";
static const char examples[] = "pcsweep bundle study -o study.tar\n";

#define TOOL pcsweep
#define NAME bundle
#define OPTIONS "tools/pcsweep/bundle_options.def"
#define ARGUMENTS "FOLDER"
#define CHECK bundle_check
#include "tools/command/command.inc"

static enum status bundle_check(const struct option_syntax *syntax, const void *options, struct errmsg *err)
{
    const struct bundle_arguments *o = options;
    (void)syntax;
    return o->output != NULL ? ST_OK : fail(err, ST_INPUT, "expected -o FILE.tar");
}

/* Adds members below `from` to an archive, with `to` before their names. The words end with NULL. */
static enum status bundle_add(const char *archive, const char *from, const char *to, struct errmsg *err, ...)
{
    enum { BUNDLE_WORDS = 16 };
    char *file = xasprintf("--file=%s", archive), *folder = xasprintf("--directory=%s", from);
    char *transform = xasprintf("--transform=s,^\\.,%s,S", to);
    const char *argv[BUNDLE_WORDS] = {"tar",       "--append",   "--sort=name",     "--owner=0",
                                      "--group=0", "--mtime=@0", "--numeric-owner", "--format=gnu",
                                      file,        folder,       transform};
    size_t n = 11;
    va_list words;
    va_start(words, err);
    do {
        argv[n] = va_arg(words, const char *);
    } while (argv[n++] != NULL && n < BUNDLE_WORDS);
    va_end(words);
    const enum status st = child_run(&(struct child){.argv = (char **)(uintptr_t)argv, .output = -1, .error = -1}, err);
    free(file);
    free(folder);
    free(transform);
    return st;
}

/* The value of --sysroot of a job's command, "../../../inputs/HASH/root", from inputs/ on; NULL: none. */
static const char *bundle_sysroot(const struct job *j)
{
    for (size_t i = 0; i + 1 < json_array_size(j->command); i++)
        if (strcmp(json_string_value(json_array_get(j->command, i)), "--sysroot") == 0)
            return strstr(json_string_value(json_array_get(j->command, i + 1)), "inputs/");
    return NULL;
}

static enum status bundle_add_sysroots(const struct manifest *m, const char *archive, const char *name,
                                       struct errmsg *err)
{
    json_t *added = json_object();
    enum status st = ST_OK;
    for (size_t i = 0; i < m->jobs && st == ST_OK; i++) {
        const char *sysroot = bundle_sysroot(&m->job[i]);
        if (sysroot == NULL || json_object_get(added, sysroot) != NULL)
            continue;
        json_object_set_new(added, sysroot, json_true());
        char *from = xasprintf("%s/%s", m->folder, sysroot), *to = xasprintf("%s/%s", name, sysroot);
        st = bundle_add(archive, from, to, err, ".", NULL);
        free(from);
        free(to);
    }
    json_decref(added);
    return st;
}

static enum status bundle_write(const struct manifest *m, const char *archive, const char *name, struct errmsg *err)
{
    char *bin = shipped_file("bin"), *to = xasprintf("%s/bin", name);
    enum status st = bundle_add(archive, m->folder, name, err, "--exclude=./inputs/*/root", "./manifest.jsonl",
                                "./inputs", NULL);
    if (st == ST_OK)
        st = bundle_add_sysroots(m, archive, name, err);
    if (st == ST_OK)
        st = bundle_add(archive, bin, to, err, "./pcemu", "./pcsweep", NULL);
    free(bin);
    free(to);
    return st;
}

static enum status bundle_command(const struct bundle_arguments *o, struct errmsg *err)
{
    struct manifest m;
    enum status st = manifest_load(o->folder, &m, err);
    if (st == ST_OK) {
        char *part = xasprintf("%s.bundling.%ld", o->output, (long)getpid()), *real = realpath(o->folder, NULL);
        const char *name = real != NULL && strrchr(real, '/')[1] != '\0' ? strrchr(real, '/') + 1 : "study";
        st = bundle_write(&m, part, name, err);
        if (st == ST_OK && rename(part, o->output) != 0)
            st = fail(err, ST_IO, "%s: cannot be made: %s", o->output, strerror(errno));
        if (st != ST_OK)
            unlink(part);
        free(part);
        free(real);
    }
    manifest_release(&m);
    return st;
}
