/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report as a tree of typed values, built first and rendered afterwards. Drivers and observers add sections, values,
 * notes and tables; what formats there are is not known here (host/report/). All texts are copied; bytes of a text that
 * is not valid UTF-8 become '?'. Everything belongs to the root and is good until report_free.
 *
 * A value has a key, its member in JSON (NULL: the text form alone has it), and a label (NULL: the text form does not
 * have it). Keys of one JSON object differ. Units are names such as "cycles", which the text form prints behind the
 * number; NULL: none. Shares are from 0 to 1.
 *
 * Remarks, notes and titles are templates: {KEY} stands for the value of that key in the same section, {SECTION.KEY}
 * for one in a section of it. In the title of a table {shown} stands for the number of rows that the text form shows,
 * {rows} for the number of all rows, {order} for what the rows are sorted by. */
#ifndef ISA_CONTRACT_REPORT_H
#define ISA_CONTRACT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A section of a report; the root is one. */
struct report;
struct report_table;

enum report_type {
#define REPORT_TYPE(sym, name, json) REPORT_##sym,
#include "isa/contract/report.def"
#undef REPORT_TYPE
    REPORT_TYPES
};

struct report *report_new(void);
/* Frees the root and all below; r may be NULL. */
void report_free(struct report *r);

/* A section that is an object in JSON; with the key NULL its members are those of the section around it. */
struct report *report_section(struct report *r, const char *key);
/* A section without a key that the text form has with --verbose alone. */
struct report *report_details(struct report *r);
/* An array of objects in JSON. Its elements are sections; `name` is the element's in CSV. If the section has a list of
 * that key already, it is that list. */
struct report *report_list(struct report *r, const char *key);
struct report *report_element(struct report *list, const char *name);

/* NULL: absent, as in a cell. */
void report_text(struct report *r, const char *key, const char *label, const char *text);
void report_count(struct report *r, const char *key, const char *label, uint64_t n, const char *unit);
/* With so many digits behind the point in the text form. A number that is not finite is absent. */
void report_real(struct report *r, const char *key, const char *label, double x, unsigned decimals, const char *unit);
/* The text form has per cent with so many digits behind the point. */
void report_share(struct report *r, const char *key, const char *label, double share, unsigned decimals);
void report_flag(struct report *r, const char *key, const char *label, bool flag);
void report_hex(struct report *r, const char *key, const char *label, uint64_t n);
/* A program counter of the guest's, whose function, offset, file and line report_resolve adds. */
void report_address(struct report *r, const char *key, const char *label, uint64_t pc);
/* What is not known: null in JSON. */
void report_absent(struct report *r, const char *key, const char *label);

/* Of the value added to the section last: its unit, where the text form does not print that because the label implies
 * it. */
void report_unit(struct report *r, const char *unit);
/* Of the same: words behind it in the text form, a template. One that begins with ':' follows without a blank. */
void report_remark(struct report *r, const char *words);
/* Of the value added last, an estimate: the exact answer, and its 95 % confidence interval, both in the value's unit.
 */
void report_exact(struct report *r, double exact);
void report_interval(struct report *r, double low, double high);

/* A paragraph of the text form, with a blank line in front; and a further line of it. Templates. */
void report_note(struct report *r, const char *words);
void report_note_line(struct report *r, const char *words);

/* A table: an array of objects in JSON, one for each row. The title is a template; NULL: none. */
struct report_table *report_table(struct report *r, const char *key, const char *title);
/* Says what the rows are sorted by: {order} of the title. The caller has sorted the rows. */
void report_order(struct report_table *t, const char *words);
/* The text form shows all rows of this table, however many were asked for of others. */
void report_whole(struct report_table *t);
/* Where the text form does not show all rows it shows those with the largest numbers of this member, a count, in their
 * order: the peaks of a histogram. Sorting the table ends that. NULL: it shows the first rows. */
void report_peaks(struct report_table *t, const char *member);

struct report_column {
    enum report_type type;
#define FIELD_TEXT const char *
#define FIELD_NUMBER unsigned
#define FIELD_COUNT uint64_t
#define FIELD_FLAG bool
#define FIELD(kind, name) FIELD_##kind name;
#include "isa/contract/report_column.def"
#undef FIELD
#undef FIELD_FLAG
#undef FIELD_COUNT
#undef FIELD_NUMBER
#undef FIELD_TEXT
};

/* Adds a column, or several, before the first row. The order is that of members in JSON. */
void report_column(struct report_table *t, const struct report_column *c);
void report_columns(struct report_table *t, const struct report_column *columns, size_t count);
/* Adds a column of rows: a table within each row, under `member`. In the text form a row has a line for each of the
 * first `limit` nested rows, of those after the first only while their member `least_of` is at least `least`; 0: no
 * limit. */
struct report_table *report_nested(struct report_table *t, const char *member, unsigned limit, const char *least_of,
                                   double least);

/* Begins a row; in a nested table it is one of the row last begun in the table around it. Cells follow in the order of
 * the columns, without those of types ROWS, LARGEST and LETTERS; cells that are not given are absent. A cell is of its
 * column's type. */
void report_row(struct report_table *t);
void report_cell_absent(struct report_table *t);
void report_cell_text(struct report_table *t, const char *text);
void report_cell_count(struct report_table *t, uint64_t n);
/* Not finite: absent, as with shares. */
void report_cell_real(struct report_table *t, double x);
void report_cell_share(struct report_table *t, double share);
void report_cell_flag(struct report_table *t, bool flag);
void report_cell_hex(struct report_table *t, uint64_t n);
void report_cell_address(struct report_table *t, uint64_t pc);
void report_cell_interval(struct report_table *t, double low, double high);

/* What is known of a program counter. */
struct report_place {
    uint64_t pc;
    uint64_t address;     /* in the file that holds it, as the linker gave it; the pc itself where that is not known */
    const char *function; /* NULL where unknown, as the next two */
    uint64_t offset;      /* from the function's start, in bytes */
    const char *library;  /* the file, where that is not the program or no function is known */
    const char *file;     /* of the source */
    int line;
};

/* Has `find` fill a place for the pc of each address in the report. Its texts are copied. */
void report_resolve(struct report *r, void (*find)(void *ctx, struct report_place *p), void *ctx);

#endif
