/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report of random sections, values and tables, of all types and with texts that formats have to quote. */
#ifndef TESTS_UNIT_RANDOM_REPORT_H
#define TESTS_UNIT_RANDOM_REPORT_H

#include <stdio.h>

#include "base/random.h"
#include "contract/report_tree.h"

struct report_dice {
    struct random random;
    unsigned keys; /* given so far: each is another */
    bool commands; /* with notes that are commands, which no width folds */
};

static inline unsigned dice_roll(struct report_dice *d, unsigned sides) { return random_below(&d->random, sides); }

static inline const char *dice_text(struct report_dice *d)
{
    static const char *const texts[] = {"",
                                        "plain",
                                        "with, comma",
                                        "\"quoted\"",
                                        "two\nlines",
                                        "tab\tand \\",
                                        "\xc3\xa4\xe2\x82\xac",
                                        "{k0}",
                                        "{nothing",
                                        "not\xffutf8",
                                        ": colon",
                                        "a longer text that the width of a table can shorten"};
    return texts[dice_roll(d, sizeof texts / sizeof texts[0])];
}

static inline const char *dice_text_or_none(struct report_dice *d)
{
    return dice_roll(d, 3) != 0 ? dice_text(d) : NULL;
}

static inline uint64_t dice_number(struct report_dice *d)
{
    static const uint64_t numbers[] = {0, 1, 999, 1000, 1234567, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX};
    return numbers[dice_roll(d, sizeof numbers / sizeof numbers[0])];
}

static inline double dice_real(struct report_dice *d)
{
    static const double reals[] = {0, -0.0, 0.1, 1.0 / 3, 1, 99.5, -7.25, 1e300, 5e-324, 1e18, 18446744073709551615.0};
    return reals[dice_roll(d, sizeof reals / sizeof reals[0])];
}

static inline void dice_key(struct report_dice *d, char key[16]) { snprintf(key, 16, "k%u", d->keys++); }

static inline struct report_place dice_place(struct report_dice *d)
{
    struct report_place p = {.pc = dice_number(d),
                             .function = dice_text_or_none(d),
                             .library = dice_text_or_none(d),
                             .file = dice_text_or_none(d)};
    p.address = dice_roll(d, 2) != 0 ? dice_number(d) : p.pc;
    p.offset = p.function != NULL ? dice_roll(d, 100) : 0;
    p.line = p.file != NULL ? (int)dice_roll(d, 100) : 0;
    return p;
}

/* Of the type, or absent. */
static inline void dice_cell(struct report_dice *d, struct report_cell *c, enum report_type type)
{
    struct report_place p;
    if (dice_roll(d, 5) == 0)
        return;
    *c = (struct report_cell){.type = type};
    switch (type) {
    case REPORT_TEXT:
        report_set_text(c, dice_text(d));
        break;
    case REPORT_COUNT:
    case REPORT_HEX:
        c->count = dice_number(d);
        break;
    case REPORT_REAL:
    case REPORT_SHARE:
        c->real = dice_real(d);
        break;
    case REPORT_FLAG:
        c->flag = dice_roll(d, 2) != 0;
        break;
    case REPORT_ADDRESS:
        p = dice_place(d);
        report_set_place(c, &p);
        break;
    case REPORT_INTERVAL:
        report_set_interval(c, dice_real(d), dice_real(d));
        break;
    default:
        c->type = REPORT_ABSENT;
    }
}

static inline void dice_value(struct report_dice *d, struct report *r)
{
    char key[16];
    dice_key(d, key);
    enum report_type type = (enum report_type)dice_roll(d, REPORT_INTERVAL);
    bool has_key = dice_roll(d, 5) != 0;
    struct report_value *v = report_add_value(r, has_key ? key : NULL, dice_text_or_none(d), type);
    dice_cell(d, &v->cell, type);
    v->decimals = dice_roll(d, 4);
    if (dice_roll(d, 3) == 0)
        report_unit(r, dice_text(d));
    if (dice_roll(d, 2) != 0)
        report_remark(r, dice_text(d));
    if (dice_roll(d, 4) == 0 && has_key)
        report_exact(r, dice_real(d));
    if (dice_roll(d, 4) == 0 && has_key)
        report_interval(r, dice_real(d), dice_real(d));
}

static inline void dice_columns(struct report_dice *d, struct report_table *t)
{
    unsigned columns = dice_roll(d, 7);
    for (unsigned i = 0; i < columns; i++) {
        char member[16], flag[16];
        dice_key(d, member);
        snprintf(flag, sizeof flag, "k%u", d->keys - 1 - dice_roll(d, 2));
        enum report_type type = (enum report_type)(1 + dice_roll(d, REPORT_TYPES - 1));
        if (type == REPORT_ROWS)
            type = REPORT_COUNT;
        report_column(
            t, &(struct report_column){.type = type,
                                       .member = type == REPORT_LARGEST || type == REPORT_LETTERS ? NULL : member,
                                       .group = dice_roll(d, 3) == 0 ? "group" : NULL,
                                       .title = dice_text_or_none(d),
                                       .at = dice_roll(d, 3),
                                       .unit = dice_text_or_none(d),
                                       .decimals = dice_roll(d, 3),
                                       .plain = dice_roll(d, 2) != 0,
                                       .sign = dice_roll(d, 2) != 0,
                                       .heat = dice_roll(d, 4) == 0,
                                       .of_total = dice_roll(d, 4) == 0,
                                       .total = dice_number(d),
                                       .absent = dice_text_or_none(d),
                                       .zero = dice_roll(d, 4) == 0 ? "none" : NULL,
                                       .flag = dice_roll(d, 4) == 0 ? flag : NULL,
                                       .flag_text = dice_text_or_none(d),
                                       .letter = dice_text_or_none(d),
                                       .suffix = dice_text_or_none(d),
                                       .suffix_of = flag});
    }
}

static inline void dice_row(struct report_dice *d, struct report_table *t)
{
    report_row(t);
    for (unsigned c = 0; c < t->columns; c++) {
        if (t->nested[c] != NULL)
            for (unsigned n = dice_roll(d, 5); n > 0; n--)
                dice_row(d, t->nested[c]);
        else if (report_type_has_cells(t->column[c].type))
            dice_cell(d, report_next_cell(t, t->column[c].type), t->column[c].type);
    }
}

static inline void dice_table(struct report_dice *d, struct report *r)
{
    char key[16];
    dice_key(d, key);
    const char *title = dice_roll(d, 2) ? "{shown} of {rows} rows by {order}" : dice_text_or_none(d);
    struct report_table *t = report_table(r, key, title), *n = t;
    report_order(t, dice_text_or_none(d));
    if (dice_roll(d, 3) == 0)
        report_peaks(t, "n");
    dice_columns(d, t);
    for (unsigned depth = dice_roll(d, 3); depth > 0; depth--) {
        dice_key(d, key);
        n = report_nested(n, key, dice_roll(d, 3), NULL, 0);
        dice_columns(d, n);
    }
    dice_columns(d, t);
    for (unsigned rows = dice_roll(d, 8); rows > 0; rows--)
        dice_row(d, t);
}

static inline void dice_section(struct report_dice *d, struct report *r, unsigned depth);

static inline void dice_part(struct report_dice *d, struct report *r, unsigned depth)
{
    char key[16];
    dice_key(d, key);
    switch (dice_roll(d, depth > 0 ? 8 : 5)) {
    case 0:
        report_note(r, dice_text(d));
        report_note_line(r, dice_text(d));
        if (d->commands)
            report_note_command(r, dice_text(d));
        break;
    case 1:
        dice_table(d, r);
        break;
    case 5:
        dice_section(d, report_section(r, dice_roll(d, 2) ? key : NULL), depth - 1);
        break;
    case 6:
        dice_section(d, report_details(r), depth - 1);
        break;
    case 7: {
        struct report *list = report_list(r, key);
        for (unsigned n = dice_roll(d, 3); n > 0; n--)
            dice_section(d, report_element(list, dice_text(d)), depth - 1);
        break;
    }
    default:
        dice_value(d, r);
    }
}

static inline void dice_section(struct report_dice *d, struct report *r, unsigned depth)
{
    for (unsigned parts = dice_roll(d, 8); parts > 0; parts--)
        dice_part(d, r, depth);
}

/* The caller's to free. */
static inline struct report *random_report(uint64_t seed, bool commands)
{
    struct report_dice d = {.random = {seed}, .commands = commands};
    struct report *r = report_new();
    dice_section(&d, r, 4);
    return r;
}

#endif
