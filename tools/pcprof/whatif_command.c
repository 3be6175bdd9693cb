/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line of a run, as the store keeps it: words as for a shell. */
#include <stdlib.h>
#include <string.h>

#include "host/export/program.h"
#include "tools/pcprof/whatif.h"
#include "tools/pcprof/why.h"

/* Whether a word is an option of this name, and whether the next word is its argument. */
static bool whatif_is_option(const char *word, const char *option, bool *takes_next)
{
    const size_t length = strlen(option);
    *takes_next = word[strncmp(word, option, length) == 0 ? length : 0] == '\0';
    return *takes_next || (strncmp(word, option, length) == 0 && word[length] == '=');
}

/* Calls `see` with each word up to the guest's name, as it is written and without quotes. Returns the rest. */
static const char *whatif_each_word(const struct store_run_info *run,
                                    void (*see)(void *ctx, const char *written, size_t length, const char *word),
                                    void *ctx)
{
    const char *at = run->command;
    for (const char *end; *at != '\0'; at = end) {
        char *word;
        end = export_program_word(at, &word);
        const bool is_guest = strcmp(word, run->guest) == 0;
        if (!is_guest)
            see(ctx, at, (size_t)(end - at) - (end > at && end[-1] == ' '), word);
        free(word);
        if (is_guest)
            break;
    }
    return at;
}

struct whatif_line {
    FILE *out;
    bool skips; /* the next word is an argument that is left out */
};

static void whatif_copy_word(void *ctx, const char *written, size_t length, const char *word)
{
    struct whatif_line *line = ctx;
    bool takes_next;
    if (line->skips) {
        line->skips = false;
        return;
    }
    if (whatif_is_option(word, "--gain", &takes_next)) {
        line->skips = takes_next;
        return;
    }
    fprintf(line->out, "%.*s ", (int)length, written);
}

char *whatif_command_line(const struct store_run_info *run, const char *file)
{
    char *text;
    size_t size;
    struct whatif_line line = {.out = xopen_text(&text, &size)};
    const char *guest = whatif_each_word(run, whatif_copy_word, &line);
    fputs("--gain ", line.out);
    why_add_word(line.out, file);
    fprintf(line.out, " %s", guest);
    xclose_text(line.out);
    return text;
}

static void whatif_see_skipped(void *ctx, const char *written, size_t length, const char *word)
{
    bool *skips = ctx, takes_next;
    (void)written;
    (void)length;
    *skips |= whatif_is_option(word, "--skip-insts", &takes_next) || whatif_is_option(word, "--start-at", &takes_next);
}

bool whatif_knows_libraries(const struct store_run_info *run)
{
    bool skips = false;
    (void)whatif_each_word(run, whatif_see_skipped, &skips);
    return skips;
}
