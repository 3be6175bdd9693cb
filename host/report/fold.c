/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines broken between words. Entry point: fold.h. */
#include "host/report/fold.h"

#include <stdbool.h>
#include <string.h>

#include "base/text_width.h"

/* Least number of columns that an indentation leaves for words. */
enum { MIN_COLUMNS = 24, SMALL_INDENT = 2 };

static unsigned fitting_indent(unsigned indent, unsigned width)
{
    if (width == 0 || indent + MIN_COLUMNS <= width)
        return indent;
    return width > SMALL_INDENT ? SMALL_INDENT : 0;
}

/* Bytes of a word of `bytes` that fit into `columns`, in whole characters; at least one. */
static size_t fitting_bytes(const char *word, size_t bytes, size_t columns)
{
    size_t n = text_beginning(word, bytes, columns);
    while (n == 0)
        n = text_beginning(word, bytes, ++columns);
    return n;
}

/* A line being printed. */
struct report_fold_folded_line {
    FILE *out;
    size_t width, indent;
    size_t begin, column; /* where its words begin, and where it ends so far */
};

static void report_fold_end_line(struct report_fold_folded_line *l, size_t indent)
{
    fprintf(l->out, "\n%*s", (int)indent, "");
    l->begin = l->column = indent;
}

/* Does breaking the line before a word of so many columns, with so many blanks in front, give it more room? */
static bool is_break_useful(const struct report_fold_folded_line *l, size_t blanks, size_t word)
{
    return l->column > l->begin ||
           (l->begin > l->indent && (l->column + blanks >= l->width || l->indent + word <= l->width));
}

static void report_fold_print_word(struct report_fold_folded_line *l, const char *text, size_t bytes)
{
    fwrite(text, 1, bytes, l->out);
    l->column += text_columns(text, bytes);
}

/* The bytes of the next word, of at most `limit` columns if it has several parts. What belongs together is one word: a
 * number and its "%", "exact:" and the number. */
static size_t word_bytes(const char *text, size_t limit)
{
    size_t n = strcspn(text, " \n");
    while (n != 0 && text[n] == ' ' && (text[n - 1] == ':' || text[n + 1] == '%')) {
        size_t more = n + 1 + strcspn(text + n + 1, " \n");
        if (text_columns(text, more) > limit)
            break;
        n = more;
    }
    return n;
}

void fold_print(const char *text, unsigned width, unsigned at, unsigned indent, FILE *out)
{
    struct report_fold_folded_line l = {
        .out = out, .width = width, .indent = fitting_indent(indent, width), .begin = at, .column = at};
    while (*text != '\0') {
        size_t blanks = strspn(text, " "), word = word_bytes(text + blanks, width - l.indent);
        size_t columns = text_columns(text + blanks, word);
        bool fits = width == 0 || l.column + blanks + columns <= width;
        if (word == 0) { /* the end of a line */
            text += blanks;
            if (*text++ == '\0')
                return;
            report_fold_end_line(&l, 0);
        } else if (fits) {
            report_fold_print_word(&l, text, blanks + word);
            text += blanks + word;
        } else if (is_break_useful(&l, blanks, columns)) {
            report_fold_end_line(&l, l.indent);
            text += blanks;
        } else { /* a part of the word; of blanks that fill the line, nothing */
            size_t kept = l.column + blanks < width ? blanks : 0, used = l.column + kept;
            size_t bytes = fitting_bytes(text + blanks, word, used < width ? width - used : 0);
            report_fold_print_word(&l, text + blanks - kept, kept + bytes);
            text += blanks + bytes;
        }
    }
}
