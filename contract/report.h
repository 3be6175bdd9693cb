/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report as a tree of typed values, built first and rendered afterwards. Drivers and observers add sections, values,
 * notes and tables; host/report/ renders them. All texts are copied; in text that is not valid UTF-8, non-ASCII bytes
 * become '?'. The root owns all nodes, which are valid until report_free.
 *
 * A value has a key, the member name in JSON (NULL: text form only), and a label (NULL: not in the text form). Keys of
 * one JSON object are distinct. Units are names such as "cycles", which the text form prints after the number; NULL:
 * none. Shares are in [0, 1].
 *
 * Remarks, notes and titles are templates: {KEY} expands to the value of a key in the same section, {SECTION.KEY} to
 * one in a subsection. In the title of a table {shown} is the number of rows that the text form shows, {rows} the
 * number of all rows, {order} the sort order. */
#ifndef CONTRACT_REPORT_H
#define CONTRACT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A section of a report; the root is one. */
struct report;
struct report_table;

enum report_type {
#define REPORT_TYPE(sym, name, json) REPORT_##sym,
#include "contract/report.def"
    REPORT_TYPES
};

struct report *report_new(void);
/* Frees the whole tree; r may be NULL. */
void report_free(struct report *r);

/* Adds a section, an object in JSON; with a NULL key its members belong to the enclosing section's object. */
struct report *report_section(struct report *r, const char *key);
/* Adds a section without a key that the text form shows only with --verbose. */
struct report *report_details(struct report *r);
/* Adds a list, an array of objects in JSON, or returns the existing list of that key. Its elements are sections; `name`
 * names the element in CSV. */
struct report *report_list(struct report *r, const char *key);
struct report *report_element(struct report *list, const char *name);

/* A NULL text is an absent value, also in cells. */
void report_text(struct report *r, const char *key, const char *label, const char *text);
void report_count(struct report *r, const char *key, const char *label, uint64_t n, const char *unit);
/* `decimals`: decimal places in the text form. A number that is not finite is absent. */
void report_real(struct report *r, const char *key, const char *label, double x, unsigned decimals, const char *unit);
/* The text form shows per cent with `decimals` decimal places. */
void report_share(struct report *r, const char *key, const char *label, double share, unsigned decimals);
void report_flag(struct report *r, const char *key, const char *label, bool flag);
void report_hex(struct report *r, const char *key, const char *label, uint64_t n);
/* A guest address; report_resolve adds function, offset, file and line. */
void report_address(struct report *r, const char *key, const char *label, uint64_t pc);
/* An unknown value: null in JSON. */
void report_absent(struct report *r, const char *key, const char *label);

/* Sets the unit of the last value added to the section, without printing it in the text form, because the label implies
 * it; a count with such a unit. */
void report_unit(struct report *r, const char *unit);
void report_tally(struct report *r, const char *key, const char *label, uint64_t n, const char *unit);
/* Appends a remark, a template, to the last value in the text form. A remark that begins with ':' follows without a
 * blank. */
void report_remark(struct report *r, const char *words);
/* For the last value added, an estimate: set the ground truth and the 95 % confidence interval, in the value's unit. */
void report_exact(struct report *r, double exact);
void report_interval(struct report *r, double low, double high);

/* Adds a paragraph of the text form, preceded by a blank line; and a further line of it. Both are templates. */
void report_note(struct report *r, const char *words);
void report_note_line(struct report *r, const char *words);
/* Adds a further line of a paragraph: a command, which is indented and not folded, so that it can be copied. Not a
 * template. */
void report_note_command(struct report *r, const char *words);

/* Adds a table, an array of objects in JSON, one per row. The title is a template; NULL: none. */
struct report_table *report_table(struct report *r, const char *key, const char *title);
/* Names the sort order, {order} in the title. The caller sorts the rows. */
void report_order(struct report_table *t, const char *words);
/* The text form shows all rows of this table, regardless of --top. */
void report_whole(struct report_table *t);
/* If the text form cannot show all rows, it shows those with the largest values of this member, a count, in table
 * order: the peaks of a histogram. Sorting the table resets this. NULL: the first rows are shown. */
void report_peaks(struct report_table *t, const char *member);

struct report_column {
    enum report_type type;
#define FIELD_TEXT const char *
#define FIELD_NUMBER unsigned
#define FIELD_COUNT uint64_t
#define FIELD_FLAG bool
#define FIELD(kind, name) FIELD_##kind name;
#include "contract/report_column.def"
};

/* Adds a column; to be called before the first row. The order is that of members in JSON. REPORT_COLUMN below calls
 * this and the functions of cells. */
void report_column(struct report_table *t, const struct report_column *c);
/* Adds a nested table under `member` in each row. The text form shows at most `limit` nested rows per row (0: no
 * limit), and after the first only while their member `least_of` is at least `least`. */
struct report_table *report_nested(struct report_table *t, const char *member, unsigned limit, const char *least_of,
                                   double least);
/* The text form shows the rows of this nested table above the row around them, instead of beside it and below. */
void report_above(struct report_table *nested);

/* Begins a row; in a nested table, a row of the last row of the enclosing table. Cells follow in column order and have
 * their column's type; columns of types ROWS, LARGEST and LETTERS have no cells; missing cells are absent. */
void report_row(struct report_table *t);
void report_cell_absent(struct report_table *t);
void report_cell_text(struct report_table *t, const char *text);
void report_cell_count(struct report_table *t, uint64_t n);
/* A number that is not finite is absent, also for shares. */
void report_cell_real(struct report_table *t, double x);
void report_cell_share(struct report_table *t, double share);
void report_cell_flag(struct report_table *t, bool flag);
void report_cell_hex(struct report_table *t, uint64_t n);
void report_cell_address(struct report_table *t, uint64_t pc);
void report_cell_data_address(struct report_table *t, uint64_t address);
void report_cell_interval(struct report_table *t, double low, double high);

/* Declares a column, and adds its cell: each is the only statement of a column, in a function that is called once
 * before the first row, with any values, and then once after each report_row. The properties after the value are
 * members of struct report_column. With _IF the cell is absent where `known` is false. */
#define REPORT_COLUMN_IF(table, known, TYPE, value, ...)                                       \
    do {                                                                                       \
        if (report_declares(table))                                                            \
            report_column(table, &(struct report_column){.type = REPORT_##TYPE, __VA_ARGS__}); \
        else if (known)                                                                        \
            REPORT_CELL_##TYPE(table, value);                                                  \
        else                                                                                   \
            report_cell_absent(table);                                                         \
    } while (0)
#define REPORT_COLUMN(table, TYPE, value, ...) REPORT_COLUMN_IF(table, true, TYPE, value, __VA_ARGS__)
#define REPORT_CELL_TEXT report_cell_text
#define REPORT_CELL_COUNT report_cell_count
#define REPORT_CELL_REAL report_cell_real
#define REPORT_CELL_SHARE report_cell_share
#define REPORT_CELL_FLAG report_cell_flag
#define REPORT_CELL_HEX report_cell_hex
#define REPORT_CELL_ADDRESS report_cell_address
/* The value is a structure with the members `low` and `high`. */
#define REPORT_CELL_INTERVAL(table, value) report_cell_interval(table, (value).low, (value).high)
/* Columns that have no cells: LETTERS, LARGEST. */
#define REPORT_COLUMN_ONLY(table, TYPE, ...)                                                   \
    do {                                                                                       \
        if (report_declares(table))                                                            \
            report_column(table, &(struct report_column){.type = REPORT_##TYPE, __VA_ARGS__}); \
    } while (0)
/* Whether the table has no rows yet. */
bool report_declares(const struct report_table *t);

/* Source position of a guest address. */
struct report_place {
    uint64_t pc;
    bool is_data;         /* the address is one of data rather than of an instruction */
    uint64_t address;     /* link-time address in its file; the pc itself if the file is unknown */
    const char *function; /* or variable; NULL: unknown, like `library` and `file` */
    uint64_t offset;      /* from the function's start, in bytes */
    const char *library;  /* the file, if it is not the program or the function is unknown */
    const char *file;     /* source file */
    int line;
};

/* Calls `find` for each address in the report to fill in its place. The place's texts are copied. */
void report_resolve(struct report *r, void (*find)(void *ctx, struct report_place *p), void *ctx);

#endif
