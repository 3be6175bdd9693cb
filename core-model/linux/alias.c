/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/linux/alias.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core-model/linux/path.h"

/* The rest of a name behind that of a folder, "" or "/..."; NULL: the name is not below the folder. */
static const char *below(const char *name, const char *folder)
{
    const size_t length = strlen(folder);
    return strncmp(name, folder, length) == 0 && (name[length] == '/' || name[length] == '\0') ? name + length : NULL;
}

/* Whether the folder needs another name. The root has one, a folder of the sysroot is named without that, and the
 * kernel's file systems are the same everywhere. */
static bool alias_is_named(const struct linux_names *names, const char *folder)
{
    static const char *const fixed[] = {"/proc", "/sys", "/dev"};
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        if (below(folder, fixed[i]) != NULL)
            return false;
    return strcmp(folder, "/") != 0 && (names->sysroot == NULL || below(folder, names->sysroot) == NULL);
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
void linux_alias_init(struct linux_names *names, const char *program)
{
    struct linux_alias *a = &names->alias;
    char *given = folder_of(program), *real = realpath(program, NULL), *folder = real != NULL ? folder_of(real) : NULL;
    const char *slash = strrchr(program, '/'), *called = slash != NULL ? slash + 1 : program;
    if (given != NULL && folder != NULL && alias_is_named(names, given)) {
        const bool has_own = alias_is_named(names, folder);
        a->folder = xstrdup(has_own ? folder : given);
        if (has_own && strcmp(strrchr(real, '/') + 1, called) != 0)
            a->called = xstrdup(called), a->program = xstrdup(real);
    }
    free(given);
    free(real);
    free(folder);
}

void linux_alias_free(struct linux_alias *a)
{
    free(a->folder);
    free(a->called);
    free(a->program);
}

static bool alias_join(char *path, const char *folder, const char *rest)
{
    const char *end = strcmp(folder, "/") == 0 && rest[0] == '/' ? "" : folder;
    return snprintf(path, PATH_MAX, "%s%s", end, rest) < PATH_MAX;
}

bool linux_alias_find(const struct linux_alias *a, const char *name, char *host)
{
    char parent[PATH_MAX];
    if (a->folder == NULL || strlen(a->folder) >= PATH_MAX)
        return false;
    const char *rest = below(name, LINUX_ALIAS_FOLDER);
    if (rest != NULL && a->called != NULL && rest[0] == '/' && strcmp(rest + 1, a->called) == 0)
        return alias_join(host, a->program, "");
    if (rest != NULL)
        return alias_join(host, a->folder, rest);
    rest = below(name, LINUX_ALIAS_PARENT);
    strcpy(parent, a->folder);
    cut_last(parent);
    return rest != NULL && alias_join(host, parent, rest);
}

const char *linux_alias_parent(const struct linux_alias *a, const char *name, char *parent)
{
    const bool is_parent = strcmp(name, LINUX_ALIAS_PARENT) == 0;
    if (a->folder == NULL || strlen(a->folder) >= PATH_MAX || (!is_parent && strcmp(name, LINUX_ALIAS_FOLDER) != 0))
        return NULL;
    strcpy(parent, a->folder);
    cut_last(parent);
    if (is_parent)
        cut_last(parent);
    return parent;
}

bool linux_alias_leaves(const struct linux_alias *a, const char *name, const char *component, char *host)
{
    const char *own = strrchr(LINUX_ALIAS_FOLDER, '/') + 1;
    return strcmp(name, LINUX_ALIAS_PARENT) == 0 && strcmp(component, own) != 0 && linux_alias_find(a, name, host);
}
