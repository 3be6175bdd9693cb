/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parser of the arguments of commands. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/place_text.h"
#include "emu/debug/debugger.h"

enum status arg_value(struct debugger *d, const char *text, const char **rest, uint64_t *value, struct errmsg *err)
{
    struct formula_scope scope = machine_scope(d->shown);
    struct formula *f = formula_parse(text, rest, &scope, err);
    if (f == NULL)
        return ST_INPUT;
    struct integer v;
    enum status st = formula_value(f, &scope, &v, err);
    formula_free(f);
    if (st == ST_OK)
        *value = v.bits;
    return st;
}

enum status arg_count(struct debugger *d, const char *args, uint64_t otherwise, uint64_t *value, struct errmsg *err)
{
    uint64_t n = otherwise;
    enum status st = *args == '\0' ? ST_OK : arg_value(d, args, NULL, &n, err);
    if (st == ST_OK && n > INT64_MAX)
        st = fail(err, ST_RANGE, "expected a count, found '%.40s'", args);
    if (st == ST_OK)
        *value = n;
    return st;
}

enum status arg_times(struct debugger *d, const char *args, uint64_t *value, struct errmsg *err)
{
    enum status st = arg_count(d, args, 1, value, err);
    return st == ST_OK && *value == 0 ? fail(err, ST_RANGE, "expected a count of 1 or more, found '%.40s'", args) : st;
}

/* Parses [FILE]:LINE; false if the text has another form. */
bool arg_is_line(const char *text, const char **rest, char file[IMAGE_PATH], unsigned *line)
{
    const size_t length = strcspn(text, " ");
    size_t n;
    if (!place_text_line(text, length, &n, line) || n >= IMAGE_PATH)
        return false;
    memcpy(file, text, n);
    file[n] = '\0';
    *rest = text + length + strspn(text + length, " ");
    return true;
}

static const char *argument_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* First word generated from the line, or from the next line that generates a word. */
static enum status word_at_line(const struct image *im, const char *file, unsigned line, unsigned *word,
                                struct errmsg *err)
{
    unsigned best = UINT32_MAX;
    for (unsigned i = 0; i < im->words; i++) {
        if (im->word_file[i] == IMAGE_NO_FILE)
            continue;
        const char *path = im->file[im->word_file[i]];
        bool fits = file[0] == '\0' ? im->word_file[i] == 0
                                    : strcmp(file, path) == 0 || strcmp(file, argument_base_name(path)) == 0;
        if (fits && im->word_line[i] >= line && im->word_line[i] < best) {
            best = im->word_line[i];
            *word = i;
        }
    }
    if (best == UINT32_MAX)
        return fail(err, ST_INPUT, "no word comes from %s%s%u or a later line", file[0] != '\0' ? file : "line ",
                    file[0] != '\0' ? ":" : "", line);
    return ST_OK;
}

/* Parses LABEL or LABEL+N, where a label comes before a register or another name of expressions; false if the text has
 * another form. */
static bool argument_is_label(const struct image *im, const char *args, const char **rest, uint64_t *word)
{
    const size_t n = strcspn(args, "+ ");
    char *name = xasprintf("%.*s", (int)n, args), *end = (char *)args + n;
    const int label = image_find_label(im, name);
    free(name);
    if (label < 0 || (*end == '+' && !isdigit((unsigned char)end[1])))
        return false;
    *word = (uint64_t)label + (*end == '+' ? (uint64_t)strtoull(end + 1, &end, 10) : 0);
    *rest = end + strspn(end, " ");
    return *end == '\0' || *end == ' ';
}

bool arg_take_word(const char *text, const char *word, const char **rest)
{
    size_t n = strlen(word);
    if (strncmp(text, word, n) != 0 || (text[n] != '\0' && text[n] != ' '))
        return false;
    *rest = text + n + strspn(text + n, " ");
    return true;
}

enum status arg_word(struct debugger *d, const char *args, const char **rest, unsigned *word, struct errmsg *err)
{
    char file[IMAGE_PATH];
    unsigned line;
    uint64_t value;
    *word = cop_pc(d->shown->cop);
    *rest = args;
    if (*args == '\0' || strncmp(args, "if ", 3) == 0)
        return ST_OK;
    if (arg_is_line(args, rest, file, &line))
        return word_at_line(d->image, file, line, word, err);
    enum status st = argument_is_label(d->image, args, rest, &value) ? ST_OK : arg_value(d, args, rest, &value, err);
    if (st != ST_OK)
        return st;
    if (value >= ISA_WORDS)
        return fail(err, ST_RANGE, "there are words 0 to %d, no %lld", ISA_WORDS - 1, (long long)value);
    *word = (unsigned)value;
    return ST_OK;
}
