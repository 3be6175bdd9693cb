/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tools/pcsweep/pcemu_words.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/shipped.h"
#include "tools/pcsweep/child.h"
#include "tools/pcsweep/inputs.h"

char *pcemu_path(void) { return shipped_file("bin/pcemu"); }

enum status pcemu_hash(char hash[SHA1_TEXT], struct errmsg *err)
{
    char *path = pcemu_path();
    const enum status st = inputs_hash_file(path, hash, err);
    free(path);
    return st;
}

#define MESSAGES_BYTES ((size_t)1 << 24)

char *pcemu_last_message(const char *path)
{
    static const char beginning[] = "pcemu: ";
    char *text, *message = NULL;
    size_t size_bytes;
    if (file_read(path, MESSAGES_BYTES, &text, &size_bytes, NULL) != ST_OK)
        return NULL;
    char *rest = text, *line;
    const char *last = NULL;
    while ((line = strsep(&rest, "\n")) != NULL)
        if (strncmp(line, beginning, sizeof beginning - 1) == 0)
            last = line;
    if (last != NULL)
        message = xstrdup(last);
    free(text);
    return message;
}

/* option LONG SHORT ARGUMENT PROPERTIES HELP */
static void pcemu_words_add_option(struct pcemu_words *w, char *fields)
{
    char *rest = fields;
    const char *name = strsep(&rest, "\t");
    (void)strsep(&rest, "\t");
    const char *argument = strsep(&rest, "\t"), *properties = strsep(&rest, "\t");
    if (properties == NULL)
        return;
    w->option = xgrow(w->option, w->options, sizeof *w->option);
    w->option[w->options++] = (struct pcemu_option){.name = xstrdup(name),
                                                    .has_argument = strcmp(argument, "-") != 0,
                                                    .may_lack_argument = strstr(properties, "optional") != NULL,
                                                    .names_files = strstr(properties, "files") != NULL ||
                                                                   strstr(properties, "folders") != NULL};
}

static void pcemu_words_add_word(struct pcemu_words *w, const char *word)
{
    if (w->options == 0)
        return;
    struct pcemu_option *o = &w->option[w->options - 1];
    o->word = xgrow(o->word, o->words, sizeof *o->word);
    o->word[o->words++] = xstrdup(word);
}

static void pcemu_words_read_line(struct pcemu_words *w, char *line)
{
    char *rest = line;
    const char *keyword = strsep(&rest, "\t");
    if (rest == NULL)
        return;
    if (strcmp(keyword, "option") == 0)
        pcemu_words_add_option(w, rest);
    else if (strcmp(keyword, "word") == 0)
        pcemu_words_add_word(w, strsep(&rest, "\t"));
}

enum status pcemu_words_load(struct pcemu_words *w, struct errmsg *err)
{
    char *path = pcemu_path(), describe[] = "--describe", *argv[] = {path, describe, NULL}, *text;
    *w = (struct pcemu_words){0};
    enum status st = child_text(argv, &text, err);
    if (st == ST_OK) {
        char *rest = text, *line;
        while ((line = strsep(&rest, "\n")) != NULL)
            pcemu_words_read_line(w, line);
        free(text);
    }
    free(path);
    return st;
}

void pcemu_words_release(struct pcemu_words *w)
{
    for (size_t i = 0; i < w->options; i++) {
        for (size_t n = 0; n < w->option[i].words; n++)
            free(w->option[i].word[n]);
        free(w->option[i].word);
        free(w->option[i].name);
    }
    free(w->option);
}

const struct pcemu_option *pcemu_words_find(const struct pcemu_words *w, const char *name)
{
    for (size_t i = 0; i < w->options; i++)
        if (strcmp(w->option[i].name, name) == 0)
            return &w->option[i];
    return NULL;
}
