/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Abstract syntax: a flat list of statements in source order. It includes syntax errors, so that conditional assembly
 * can skip them. All nodes are allocated in an arena. */
#ifndef ASM_AST_H
#define ASM_AST_H

#include "base/diag.h"
#include "base/integer.h"

#include <stdint.h>

/* Memory that is freed as a whole. */
struct arena {
    struct arena_chunk *chunks;
};
void *arena_alloc(struct arena *a, size_t size_bytes); /* zeroed */
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_printf(struct arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);
void arena_fini(struct arena *a);

struct name {
    const char *text; /* NULL: absent */
    struct diag_loc loc;
};

enum expr_kind { EXPR_NUMBER, EXPR_SYMBOL, EXPR_CALL, EXPR_UNARY, EXPR_BINARY, EXPR_CHOICE };
/* Deeper expressions are rejected, because the evaluator is recursive. */
enum { EXPR_MAX_DEPTH = 1000 };

struct expr {
    enum expr_kind kind;
    enum integer_op op;
    struct diag_loc loc;
    int depth;
    struct integer value; /* NUMBER */
    const char *name;     /* SYMBOL, CALL */
    const struct expr *arg[3];
};

enum operand_kind { OPERAND_NAME, OPERAND_MEMORY, OPERAND_ADDRESS, OPERAND_NUMBER };

struct operand {
    enum operand_kind kind;
    struct diag_loc loc;
    struct name modifier; /* first word of a two-word destination */
    struct name name;     /* NAME; the base of MEMORY */
    struct name index, lane;
    const struct expr *address;
    struct operand *next;
};

struct operation {
    struct diag_loc loc;
    struct name cond; /* of `if COND ...` */
    struct name mnemonic, suffix;
    struct operand *operands, *dests;
    struct operation *next;
};

/* NAME [EXPRESSION], an argument of .base, .index, .value, .filter and .geometry; with `=`, of .sampler. */
struct setting {
    struct name name;
    const struct expr *expr;
    struct setting *next;
};

struct name_item {
    struct name name;
    struct name_item *next;
};

struct member {
    struct name name, format, exact; /* text NULL: absent */
    bool is_last;                    /* `last` precedes the format */
    const struct expr *width;
    struct member *next;
};

enum stmt_kind {
    STMT_BAD, /* name.text is the error message */
    STMT_LABEL,
    STMT_WORD,
    STMT_CONTINUATION,
    STMT_PROGRAM,
    STMT_EQU,
    STMT_PARAM,
    STMT_CONST,
    STMT_BASE,
    STMT_INDEX,
    STMT_VALUE,
    STMT_TARGET,
    STMT_FILTER,
    STMT_ENTRY,
    STMT_RECORD,
    STMT_SAMPLER,
    STMT_SLOT,
    STMT_GEOMETRY,
    STMT_INCLUDE,
    STMT_ERROR,
    STMT_IF,
    STMT_IFDEF,
    STMT_IFNDEF,
    STMT_ELIF,
    STMT_ELSE,
    STMT_ENDIF,
};

struct stmt {
    enum stmt_kind kind;
    struct diag_loc loc;
    struct name name;                /* name declared or referred to; text of a string */
    struct name other;               /* .value NAME = other; help of .param; exact reference of .slot */
    const struct expr *expr, *parts; /* parts: counts per sample of .slot; NULL: 1 */
    struct setting *settings;
    struct name_item *names;
    struct member *members;
    struct operation *ops;
    bool is_bad; /* a .slot with errors: members, or with an error in its head also its name, are missing */
    struct stmt *next;
};

/* State of a parse, shared by scanner and grammar. */
struct parse {
    struct arena *arena;
    const struct diag_source *source;
    struct symtab *mentioned; /* borrowed: names that expressions and conditions have used so far */
    struct stmt *first, **end;
    int line, column;      /* position of the scanner */
    const char *next;      /* first character not yet scanned */
    bool colon_is_missing; /* after the label just scanned: the next token reports the missing colon */
    enum {
        LINE_START,
        LINE_NAME,
        LINE_MIDDLE
    } at;                      /* START: a directive may follow; NAME: a ':' would make it a label */
    const char *last_name;     /* text of the last name scanned, for messages */
    int bad_line;              /* line of the last error: at most one is reported per line */
    struct diag_loc open_slot; /* location of the .slot whose '}' is still missing */
    bool slot_is_bad;
};

/* Parses a source into its list of statements. Adds the names that its expressions and conditions use to
 * `mentioned`. */
struct stmt *pasm_parse(struct arena *arena, const struct diag_source *source, struct symtab *mentioned);

/* Directive i, from 0, with its dot; NULL after the last one. Static text. */
const char *pasm_directive(size_t i);
/* Returns whether the text is a mnemonic. */
bool words_is_mnemonic(const char *text, size_t length);

struct stmt *parse_add(struct parse *p, enum stmt_kind kind, struct diag_loc loc);
void parse_complain(struct parse *p, struct diag_loc loc, const char *fmt, ...) PRINTF_LIKE(3, 4);
struct expr *expr_new(struct arena *a, enum expr_kind kind, struct diag_loc loc, const struct expr *x,
                      const struct expr *y, const struct expr *z);

#endif
