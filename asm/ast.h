/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the grammar makes of a source: a flat list of statements in source order, syntax errors among them, so that a
 * condition can skip any of them. Everything lives in an arena. */
#ifndef ASM_AST_H
#define ASM_AST_H

#include "isa/support/diag.h"

#include <stdint.h>

/* Memory that is freed all at once. */
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
enum expr_op {
    OP_PLUS,
    OP_MINUS,
    OP_INVERT,
    OP_NOT,
    OP_MUL,
    OP_DIV,
    OP_REM,
    OP_ADD,
    OP_SUB,
    OP_SHL,
    OP_SHR,
    OP_LT,
    OP_LE,
    OP_GT,
    OP_GE,
    OP_EQ,
    OP_NE,
    OP_AND,
    OP_XOR,
    OP_OR,
    OP_BOTH,
    OP_EITHER,
};
/* Deeper expressions are refused: the evaluator recurses. */
enum { EXPR_MAX_DEPTH = 200 };

struct expr {
    enum expr_kind kind;
    enum expr_op op;
    struct diag_loc loc;
    int depth;
    uint64_t value;   /* NUMBER */
    const char *name; /* SYMBOL, CALL */
    const struct expr *arg[3];
};

enum operand_kind { OPERAND_NAME, OPERAND_MEMORY, OPERAND_ADDRESS, OPERAND_NUMBER };

struct operand {
    enum operand_kind kind;
    struct diag_loc loc;
    struct name modifier; /* a destination's first word of two */
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

/* NAME EXPRESSION, the expression optional, as .base, .index, .value, .filter and .geometry take them, and .sampler
 * with `=`. */
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
    struct name name, format, exact; /* texts are NULL where there is none */
    bool is_last;                    /* `last` is in front of the format */
    const struct expr *width;
    struct member *next;
};

enum stmt_kind {
    STMT_BAD, /* name.text is the complaint */
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
    struct name name;                /* what is declared or referred to; the text of a string */
    struct name other;               /* .value NAME = other; the help of .param; the exact reference of .slot */
    const struct expr *expr, *parts; /* parts: of .slot; NULL: 1 */
    struct setting *settings;
    struct name_item *names;
    struct member *members;
    struct operation *ops;
    bool is_bad; /* a .slot in error: not all of its members are here, and where its head is, not even its name */
    struct stmt *next;
};

/* A parse under way: shared by the scanner and the grammar. */
struct parse {
    struct arena *arena;
    const struct diag_source *source;
    struct stmt *first, **end;
    int line, column;      /* of the scanner */
    const char *next;      /* in the source's text: what the scanner has not read */
    bool colon_is_missing; /* behind the label just scanned: the next token stands for it */
    enum {
        LINE_START,
        LINE_NAME,
        LINE_MIDDLE
    } at;                      /* START: a directive may follow; NAME: a ':' would make it a label */
    const char *last_name;     /* the text of the last name scanned, for messages */
    int bad_line;              /* the line of the last complaint: one is enough for a line */
    struct diag_loc open_slot; /* of the .slot whose '}' has not come, while there is one */
    bool slot_is_bad;
};

/* The statements of a source. */
struct stmt *pasm_parse(struct arena *arena, const struct diag_source *source);

/* Directive i with its dot, from 0; NULL behind the last one. Static text. */
const char *pasm_directive(size_t i);
/* Is it the name of an operation? */
bool words_is_mnemonic(const char *text, size_t length);

struct stmt *parse_add(struct parse *p, enum stmt_kind kind, struct diag_loc loc);
void parse_complain(struct parse *p, struct diag_loc loc, const char *fmt, ...) PRINTF_LIKE(3, 4);
struct expr *expr_new(struct arena *a, enum expr_kind kind, struct diag_loc loc, const struct expr *x,
                      const struct expr *y, const struct expr *z);

#endif
