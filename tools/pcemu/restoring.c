/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcemu/restoring.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "tools/pcemu/fatal.h"

/* The words with spaces between them; the caller frees the text. */
static char *join_words(char *const *words)
{
    char *text = xstrdup("");
    for (; *words != NULL; words++) {
        char *longer = xasprintf("%s%s%s", text, text[0] != '\0' ? " " : "", *words);
        free(text);
        text = longer;
    }
    return text;
}

static bool is_same_list(char *const *a, char *const *b)
{
    for (; *a != NULL && *b != NULL; a++, b++)
        if (strcmp(*a, *b) != 0)
            return false;
    return *a == *b;
}

static void require_list(const char *name, const char *what, char *const *expected, char *const *found)
{
    if (is_same_list(expected, found))
        return;
    die("%s: expected the %s of its run, '%.150s', or none, found '%.150s'", name, what, join_words(expected),
        join_words(found));
}

static void complete_guest(struct options *o, const struct guest_checkpoint *c, const struct guest_origin *run)
{
    char *path = restoring_path(c);
    if (o->guest != NULL && !file_is_same(o->guest[0], path))
        die("%s: expected the program of its run, %s, or none, found %s", o->restore, path, o->guest[0]);
    if (o->guest != NULL)
        require_list(o->restore, "arguments", run->argv + 1, o->guest + 1);
    o->guest = run->argv;
    free(path);
}

static void complete_environment(struct options *o, const struct guest_origin *run)
{
    if (o->environment.count != 0)
        require_list(o->restore, "environment (--env)", run->envp, (char *const *)o->environment.text);
    o->environment.count = 0;
    for (char **v = run->envp; *v != NULL && o->environment.count < OPTION_LIST_MAX; v++)
        o->environment.text[o->environment.count++] = *v;
    o->environment.text[o->environment.count] = NULL;
}

static void complete_names(struct options *o, const struct guest_origin *run)
{
    const uint64_t given = o->host_files ? GUEST_NAMES_HOST : o->sysroot_only ? GUEST_NAMES_SYSROOT : GUEST_NAMES_USER;
    char *real = o->sysroot != NULL ? realpath(o->sysroot, NULL) : NULL;
    if (o->sysroot != NULL && (real == NULL || run->sysroot == NULL || strcmp(real, run->sysroot) != 0))
        die("%s: expected -L of its run, %s, or none, found %s", o->restore,
            run->sysroot != NULL ? run->sysroot : "which had none", o->sysroot);
    if (given != GUEST_NAMES_USER && given != run->names)
        die("%s: expected the files of its run: found %s, without which it was started", o->restore,
            o->host_files ? "--host-files" : "--sysroot-only");
    free(real);
    o->sysroot = run->sysroot;
    o->host_files = run->names == GUEST_NAMES_HOST;
    o->sysroot_only = run->names == GUEST_NAMES_SYSROOT;
}

struct guest_checkpoint *restoring_open(struct options *o)
{
    struct guest_checkpoint *c;
    struct errmsg err;
    if (o->restore == NULL)
        return NULL;
    must(guest_checkpoint_open(&c, o->restore, &err), &err);
    const struct guest_origin *run = guest_checkpoint_origin(c);
    complete_guest(o, c, run);
    complete_environment(o, run);
    complete_names(o, run);
    return c;
}

char *restoring_path(const struct guest_checkpoint *c)
{
    const struct guest_origin *run = guest_checkpoint_origin(c);
    char *here = getcwd(NULL, 0);
    const bool is_here = here != NULL && strcmp(here, run->folder) == 0;
    free(here);
    return run->path[0] == '/' || is_here ? xstrdup(run->path) : xasprintf("%s/%s", run->folder, run->path);
}

void restoring_enter(const struct guest_checkpoint *c, const char *name)
{
    const char *folder = guest_checkpoint_origin(c)->folder;
    if (chdir(folder) != 0)
        die("%s: expected the folder %s of its run: %s", name, folder, strerror(errno));
}
