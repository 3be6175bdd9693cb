/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "host/export/program.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

/* The quotes are those that pcemu writes: '...', and \' outside them. */
const char *export_program_word(const char *at, char **word)
{
    bool is_quoted = false;
    size_t length = 0;
    *word = xmalloc(strlen(at) + 1);
    for (; *at != '\0' && (is_quoted || *at != ' '); at++) {
        if (*at == '\'') {
            is_quoted = !is_quoted;
            continue;
        }
        if (*at == '\\' && !is_quoted && at[1] != '\0')
            at++;
        (*word)[length++] = *at;
    }
    (*word)[length] = '\0';
    return at + (*at == ' ');
}

char *export_program_name(const struct profile *p, const char *command)
{
    char *word;
    if (command == NULL || *command == '\0')
        return xstrdup(profile_images(p) > 0 ? profile_image(p, 0)->name : "guest");
    export_program_word(command, &word);
    const char *slash = strrchr(word, '/');
    char *name = xstrdup(slash == NULL ? word : slash + 1);
    free(word);
    return name;
}

uint32_t export_program_image(const struct profile *p, const char *command)
{
    char *name = export_program_name(p, command);
    uint32_t n = 0;
    while (n < profile_images(p) && strcmp(profile_image(p, n)->name, name) != 0)
        n++;
    free(name);
    return n < profile_images(p) ? n : 0;
}

char *export_guest_command(const char *command, const char *guest)
{
    char *word;
    for (const char *at = command, *end; *at != '\0'; at = end) {
        end = export_program_word(at, &word);
        const bool is_guest = strcmp(word, guest) == 0;
        free(word);
        if (is_guest)
            return xstrdup(at);
    }
    return xstrdup(guest);
}
