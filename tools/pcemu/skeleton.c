/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --plugin-skeleton: the sources of plug-ins, which are shipped. */
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/shipped.h"
#include "tools/pcemu/fatal.h"
#include "tools/pcemu/plugins.h"

enum { SKELETONS_MOST = 32 };

/* The names of the shipped sources. */
struct skeletons {
    char *name[SKELETONS_MOST];
    size_t count;
};

static void skeletons_find(struct skeletons *s)
{
    char *pattern = shipped_file("share/pcemu/plugins/*.c");
    glob_t found = {0};
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc && s->count < SKELETONS_MOST; i++) {
            const char *file = strrchr(found.gl_pathv[i], '/') + 1;
            s->name[s->count++] = xasprintf("%.*s", (int)strcspn(file, "."), file);
        }
    globfree(&found);
    free(pattern);
}

static void skeletons_free(struct skeletons *s)
{
    while (s->count > 0)
        free(s->name[--s->count]);
}

void plugins_print_words(FILE *out)
{
    struct skeletons s = {.count = 0};
    skeletons_find(&s);
    for (size_t i = 0; i < s.count; i++)
        fprintf(out, "%s\t\n", s.name[i]);
    skeletons_free(&s);
}

/* Exits with the names. */
static _Noreturn void die_of_skeleton(const char *name, const struct skeletons *s)
{
    char *list = xstrdup("");
    for (size_t i = 0; i < s->count; i++) {
        char *longer = xasprintf("%s%s%s", list, i > 0 ? ", " : "", s->name[i]);
        free(list);
        list = longer;
    }
    die("--plugin-skeleton: expected one of %s, found '%s'%s",
        s->count > 0 ? list : "the shipped ones (there are none)", name,
        diag_aside(diag_nearest(name, (const char *const *)s->name, s->count)).text);
}

void plugins_print_skeleton(const char *name, FILE *out)
{
    struct skeletons s = {.count = 0};
    bool is_known = false;
    char line[1024];
    skeletons_find(&s);
    for (size_t i = 0; i < s.count; i++)
        is_known |= strcmp(s.name[i], name) == 0;
    if (!is_known)
        die_of_skeleton(name, &s);
    char *shipped = xasprintf("share/pcemu/plugins/%s.c", name), *path = shipped_file(shipped),
         *include = shipped_file("include"), *folder = realpath(include, NULL);
    FILE *in = fopen(path, "re");
    if (in == NULL)
        die("--plugin-skeleton: cannot open %s", path);
    fprintf(out, "/* cc -O2 -Wall -shared -fPIC -I%s %s.c -o %s.so */\n", folder != NULL ? folder : include, name,
            name);
    while (fgets(line, sizeof line, in) != NULL)
        fputs(line, out);
    fclose(in);
    free(shipped);
    free(path);
    free(include);
    free(folder);
    skeletons_free(&s);
}
