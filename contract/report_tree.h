/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nodes of the report tree, for code that renders, sorts and reads reports. Reports are built with report.h. */
#ifndef CONTRACT_REPORT_TREE_H
#define CONTRACT_REPORT_TREE_H

#include "contract/report.h"

/* A cell of a table or the content of a value. */
struct report_cell {
    enum report_type type; /* ABSENT or the declared type */
    union {
        char *text;
        uint64_t count; /* also of HEX */
        double real;    /* also of SHARE */
        bool flag;
        struct report_place *place; /* the cell owns its texts */
        double *interval;           /* lower and upper bound */
        struct {
            uint32_t first, count; /* range of rows in the nested table */
        } rows;
    };
};

struct report_value {
    char *key, *label, *unit, *remark; /* may be NULL */
    enum report_type type;             /* as declared */
    struct report_cell cell;
    unsigned decimals;
    bool implied; /* the text form does not print the unit */
    bool has_exact, has_interval;
    double exact, low, high;
};

struct report_note {
    char *words;
    bool joined;     /* continues the preceding paragraph */
    bool is_command; /* text as it stands, on a line of its own; `joined` is set */
};

struct report_table {
    char *key;   /* nested table: its member */
    char *title; /* may be NULL */
    char *order; /* sort order; may be NULL */
    char *peaks; /* member whose largest values the text form shows; may be NULL */
    bool whole;
    struct report_column *column; /* the table owns their texts */
    struct report_table **nested; /* for a column of type ROWS, its table */
    unsigned columns;
    struct report_table *parent; /* NULL: not nested */
    unsigned parent_column, limit;
    bool above;     /* nested: the text form has the rows above that of the parent */
    char *least_of; /* may be NULL */
    double least;
    struct report_rows *store; /* the rows' cells */
    size_t rows;
    unsigned cursor; /* the next cell of the last row */
};

enum report_kind { REPORT_VALUE, REPORT_NOTE, REPORT_SECTION, REPORT_TABLE };

struct report_node {
    enum report_kind kind;
    struct report_node *next;
    union {
        struct report_value value;
        struct report_note note;
        struct report *section; /* or list */
        struct report_table *table;
    };
};

struct report {
    char *key; /* NULL: root, or section without a key; list element: its name */
    bool list, details;
    struct report *parent; /* NULL: root */
    struct report_node *first, *last;
};

enum { REPORT_ROWS_HELD = 16 };
/* A cell. The cell, its place and its interval are valid until a cell is read of another row whose number is the same
 * modulo REPORT_ROWS_HELD; its text and the names of its place do not depend on what is read. Nothing of it is valid
 * after a row is added or the table is sorted, resolved or freed. */
const struct report_cell *report_cell_at(const struct report_table *t, size_t row, unsigned column);
/* Returns whether a row has no cell in a column. */
bool report_has_absent(const struct report_table *t, unsigned column);
/* Sorts the rows of a table that is complete: row N is then what was row order[N]. */
void report_rows_order(struct report_table *t, const size_t *order);

/* Returns whether the section's members belong to the enclosing section's object. */
static inline bool report_is_transparent(const struct report *r) { return r->key == NULL && !r->list; }

/* Returns whether a column of this type has cells. */
static inline bool report_type_has_cells(enum report_type t)
{
    return t != REPORT_ROWS && t != REPORT_LARGEST && t != REPORT_LETTERS;
}

const char *report_type_name(enum report_type t);
/* Description of the JSON type, e.g. "a string". */
const char *report_type_json(enum report_type t);
/* The type of this name; REPORT_TYPES: none. */
enum report_type report_type_of_name(const char *name);

/* Index of a member's column, or -1. `group` NULL: the row itself. */
int report_find_column(const struct report_table *t, const char *group, const char *member);
/* The next cell of the last row, to be filled with the column's type or absent. */
struct report_cell *report_next_cell(struct report_table *t, enum report_type type);
/* Adds a value whose cell is to be filled with the type or absent. */
struct report_value *report_add_value(struct report *r, const char *key, const char *label, enum report_type type);
/* Copies a text and makes it printable (base/text.h); the caller frees the copy. NULL yields NULL. */
char *report_copy_text(const char *text);
/* Fills a cell with a copy of the text. */
void report_set_text(struct report_cell *c, const char *text);
void report_set_place(struct report_cell *c, const struct report_place *p);
void report_set_interval(struct report_cell *c, double low, double high);

#endif
