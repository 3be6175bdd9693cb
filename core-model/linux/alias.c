/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/linux/alias.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core-model/linux/linux.h"
#include "core-model/linux/path.h"

static const struct {
    const char *parent, *folder;
} names[LINUX_ALIASES] = {[LINUX_ALIAS_START] = {LINUX_START_PARENT, LINUX_START_FOLDER},
                          [LINUX_ALIAS_PROGRAM] = {LINUX_PROGRAM_PARENT, LINUX_PROGRAM_FOLDER}};

/* The rest of a name behind that of a folder, "" or "/..."; NULL: the name is not below the folder. */
static const char *below(const char *name, const char *folder)
{
    const size_t length = strlen(folder);
    return strncmp(name, folder, length) == 0 && (name[length] == '/' || name[length] == '\0') ? name + length : NULL;
}

/* Whether the folder needs another name. The root has one, a folder of the sysroot is named without that, and the
 * kernel's file systems are the same everywhere. */
static bool is_named(const struct linux_state *os, const char *folder)
{
    static const char *const fixed[] = {"/proc", "/sys", "/dev"};
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        if (below(folder, fixed[i]) != NULL)
            return false;
    return strcmp(folder, "/") != 0 && (os->sysroot == NULL || below(folder, os->sysroot) == NULL);
}

static void cut_last(char *path) { path[strrchr(path, '/') == path ? 1 : strrchr(path, '/') - path] = '\0'; }

/* The folder of a file on the host, without links; NULL: there is none. */
static char *folder_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    char *name = slash == NULL ? xstrdup(".") : xasprintf("%.*s/", (int)(slash - file), file);
    char *real = realpath(name, NULL);
    free(name);
    return real;
}

/* A link in the sysroot leads where the guest's links lead. Another is called by its own name, but its folder is that
 * of the file: what belongs to a program is beside it. */
static void name_program(struct linux_state *os, const char *program)
{
    struct linux_aliases *a = &os->alias;
    char *given = folder_of(program), *real = realpath(program, NULL), *folder = real != NULL ? folder_of(real) : NULL;
    const char *slash = strrchr(program, '/'), *called = slash != NULL ? slash + 1 : program;
    if (given != NULL && folder != NULL && is_named(os, given)) {
        const bool has_own = is_named(os, folder);
        a->folder[LINUX_ALIAS_PROGRAM] = xstrdup(has_own ? folder : given);
        if (has_own && strcmp(strrchr(real, '/') + 1, called) != 0)
            a->called = xstrdup(called), a->program = xstrdup(real);
    }
    free(given);
    free(real);
    free(folder);
}

void linux_aliases_init(struct linux_state *os, const char *program)
{
    char start[PATH_MAX];
    if (getcwd(start, sizeof start) != NULL && start[0] == '/' && is_named(os, start))
        os->alias.folder[LINUX_ALIAS_START] = xstrdup(start);
    name_program(os, program);
}

void linux_aliases_free(struct linux_aliases *a)
{
    for (int i = 0; i < LINUX_ALIASES; i++)
        free(a->folder[i]);
    free(a->called);
    free(a->program);
}

static bool join(char *path, const char *folder, const char *rest)
{
    const char *end = strcmp(folder, "/") == 0 && rest[0] == '/' ? "" : folder;
    return snprintf(path, PATH_MAX, "%s%s", end, rest) < PATH_MAX;
}

bool linux_alias_find(const struct linux_aliases *a, const char *name, char *host)
{
    for (int i = 0; i < LINUX_ALIASES; i++) {
        const char *rest = a->folder[i] != NULL ? below(name, names[i].folder) : NULL;
        if (rest != NULL && i == LINUX_ALIAS_PROGRAM && a->called != NULL && rest[0] == '/' &&
            strcmp(rest + 1, a->called) == 0)
            return join(host, a->program, "");
        if (rest != NULL)
            return join(host, a->folder[i], rest);
        rest = a->folder[i] != NULL ? below(name, names[i].parent) : NULL;
        if (rest == NULL || strlen(a->folder[i]) >= PATH_MAX)
            continue;
        char parent[PATH_MAX];
        strcpy(parent, a->folder[i]);
        cut_last(parent);
        return join(host, parent, rest);
    }
    return false;
}

const char *linux_alias_parent(const struct linux_aliases *a, const char *name, char *parent)
{
    for (int i = 0; i < LINUX_ALIASES; i++) {
        if (a->folder[i] == NULL || strlen(a->folder[i]) >= PATH_MAX)
            continue;
        const bool is_parent = strcmp(name, names[i].parent) == 0;
        if (!is_parent && strcmp(name, names[i].folder) != 0)
            continue;
        strcpy(parent, a->folder[i]);
        cut_last(parent);
        if (is_parent)
            cut_last(parent);
        return parent;
    }
    return NULL;
}

bool linux_alias_leaves(const struct linux_aliases *a, const char *name, const char *component, char *host)
{
    for (int i = 0; i < LINUX_ALIASES; i++)
        if (strcmp(name, names[i].parent) == 0 && strcmp(strrchr(names[i].folder, '/') + 1, component) != 0)
            return linux_alias_find(a, name, host);
    return false;
}

static bool name_by(const struct linux_aliases *a, int i, char *path)
{
    char text[PATH_MAX];
    const char *rest = a->folder[i] != NULL ? below(path, a->folder[i]) : NULL;
    if (rest == NULL || !join(text, names[i].folder, rest))
        return false;
    strcpy(path, text);
    return true;
}

bool linux_alias_name(const struct linux_aliases *a, char *path)
{
    return name_by(a, LINUX_ALIAS_START, path) || name_by(a, LINUX_ALIAS_PROGRAM, path);
}

bool linux_alias_name_program(const struct linux_aliases *a, char *path)
{
    return name_by(a, LINUX_ALIAS_PROGRAM, path);
}
