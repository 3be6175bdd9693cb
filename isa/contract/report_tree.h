/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The nodes of a report's tree, for what renders, sorts and reads reports. Reports are built with report.h. */
#ifndef ISA_CONTRACT_REPORT_TREE_H
#define ISA_CONTRACT_REPORT_TREE_H

#include "isa/contract/report.h"

/* A cell of a table or the content of a value. */
struct report_cell {
    enum report_type type; /* ABSENT, or what is declared */
    union {
        char *text;
        uint64_t count; /* also of HEX */
        double real;    /* also of SHARE */
        bool flag;
        struct report_place *place; /* its texts belong to the cell */
        double *interval;           /* low, high */
        struct {
            uint32_t first, count; /* of the nested table's rows */
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
    bool joined; /* a further line of the paragraph before it */
};

struct report_table {
    char *key;   /* of a nested table its member */
    char *title; /* may be NULL */
    char *order; /* what the rows are sorted by; may be NULL */
    char *peaks; /* the member whose largest numbers the text form shows; may be NULL */
    bool whole;
    struct report_column *column; /* their texts belong to the table */
    struct report_table **nested; /* of a column of type ROWS its table */
    unsigned columns;
    struct report_table *parent; /* NULL of one that is not nested */
    unsigned parent_column, limit;
    char *least_of; /* may be NULL */
    double least;
    struct report_cell *cells; /* row by row */
    size_t rows, room;
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
    char *key; /* NULL of the root and of sections without; of an element its name */
    bool list, details;
    struct report *parent; /* NULL of the root */
    struct report_node *first, *last;
};

static inline const struct report_cell *report_cell_at(const struct report_table *t, size_t row, unsigned column)
{
    return &t->cells[row * t->columns + column];
}

/* Its members are those of the section around it. */
static inline bool report_is_transparent(const struct report *r) { return r->key == NULL && !r->list; }

/* Has a column of this type cells of its own? */
static inline bool report_type_has_cells(enum report_type t)
{
    return t != REPORT_ROWS && t != REPORT_LARGEST && t != REPORT_LETTERS;
}

const char *report_type_name(enum report_type t);
/* What JSON has for it: "a string". */
const char *report_type_json(enum report_type t);
/* REPORT_TYPES: there is none of that name. */
enum report_type report_type_of_name(const char *name);

/* The column of a member; a group of NULL is the row itself. -1: there is none. */
int report_find_column(const struct report_table *t, const char *group, const char *member);
/* The next cell of the last row, to be filled: of the column's type, or absent. */
struct report_cell *report_next_cell(struct report_table *t, enum report_type type);
/* Adds a value whose cell is to be filled: of the type, or absent. */
struct report_value *report_add_value(struct report *r, const char *key, const char *label, enum report_type type);
/* A copy, the caller's to free; of a text that is not valid UTF-8 bytes from 0x80 on become '?'. NULL of NULL. */
char *report_copy_text(const char *text);
/* Fills a cell with a copy. */
void report_set_text(struct report_cell *c, const char *text);
void report_set_place(struct report_cell *c, const struct report_place *p);
void report_set_interval(struct report_cell *c, double low, double high);

#endif
