/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The grammar of .pasm: syntax only. It accepts any mnemonic with any operands; words.c validates them against the
 * tables. A syntax error becomes a statement, and parsing resumes at the next line. */
%define api.pure full
%define api.location.type {struct diag_loc}
%define parse.error custom
%define parse.lac full
%param {struct parse *p}
%param {void *scanner}
%expect 0

%code requires {
#include "asm/ast.h"
}

%code {
#include <ctype.h>
#include <string.h>

#include "asm/symtab.h"

#define YYLLOC_DEFAULT(here, rhs, n) \
    do { \
        (here) = YYRHSLOC(rhs, (n) > 0 ? 1 : 0); \
        if ((n) > 0 && YYRHSLOC(rhs, n).line == (here).line) \
            (here).end_column = YYRHSLOC(rhs, n).end_column; \
    } while (0)

#define LIST_ADD(list, item) \
    ((list).last = (list).first == NULL ? ((list).first = (item)) : ((list).last->next = (item)))
/* LIST_ADD for a list that is not empty. */
#define LIST_APPEND(list, item) ((list).last = (list).last->next = (item))
}

%union {
    struct name name;
    struct integer number;
    const struct expr *expr;
    struct operation *op;
    struct operand *operand;
    struct setting *setting;
    struct member *member;
    struct { struct operation *first, *last; } ops;
    struct { struct operand *first, *last; } operands;
    struct { struct setting *first, *last; } settings;
    struct { struct name_item *first, *last; } names;
    struct { struct member *first, *last; } members;
    struct { struct name name; const struct expr *parts; } reference;
}

%code {
int yylex(YYSTYPE *value, YYLTYPE *loc, void *scanner);
static int scan(YYSTYPE *value, YYLTYPE *loc, struct parse *p, void *scanner);
#define yylex scan
static void yyerror(const YYLTYPE *loc, struct parse *p, void *scanner, const char *message);

static struct stmt *declare(struct parse *p, enum stmt_kind kind, struct diag_loc loc, struct name name,
                            const struct expr *e);
static const struct expr *binary(struct parse *p, enum integer_op op, struct diag_loc loc, const struct expr *x,
                                 const struct expr *y);
static const struct expr *unary(struct parse *p, enum integer_op op, struct diag_loc loc, const struct expr *x);
static struct operand *operand(struct parse *p, enum operand_kind kind, struct diag_loc loc, struct name name);
static void mention(struct parse *p, struct name name);
static struct name_item *name_item(struct parse *p, struct name name);
static struct setting *setting(struct parse *p, struct name name, const struct expr *e);
static struct member *member(struct parse *p, struct name name, const struct expr *width, struct name format,
                             struct name exact);
static struct member *member_with(struct parse *p, struct name name, const struct expr *width, struct name word,
                                  struct name behind_it);
static struct name behind(struct parse *p, struct name word, const char *expected, struct name name);
static struct name behind_format(struct parse *p, struct name format, struct name word, struct name name);
}

%token TOK_END 0 "end of file"
%token TOK_NEWLINE "end of line"
%token <name> TOK_NAME "name"
%token <name> TOK_STRING "string"
%token <number> TOK_NUMBER "number"
%token TOK_IF "'if'" TOK_ARROW "'->'"
%token TOK_SHL "'<<'" TOK_SHR "'>>'" TOK_LE "'<='" TOK_GE "'>='"
%token TOK_EQ "'=='" TOK_NE "'!='" TOK_BOTH "'&&'" TOK_EITHER "'||'"
%token TOK_PROGRAM "'.program'" TOK_EQU "'.equ'" TOK_CONST "'.const'"
%token TOK_BASE "'.base'" TOK_INDEX "'.index'" TOK_VALUE "'.value'"
%token TOK_TARGET "'.target'" TOK_FILTER "'.filter'" TOK_ENTRY "'.entry'" TOK_RECORD "'.record'" TOK_SLOT "'.slot'"
%token TOK_PARAM "'.param'" TOK_SAMPLER "'.sampler'"
%token TOK_GEOMETRY "'.geometry'" TOK_INCLUDE "'.include'" TOK_ERROR "'.error'"
%token TOK_DOT_IF "'.if'" TOK_IFDEF "'.ifdef'" TOK_IFNDEF "'.ifndef'"
%token TOK_ELIF "'.elif'" TOK_ELSE "'.else'" TOK_ENDIF "'.endif'"

%type <expr> expr primary
%type <op> operation action
%type <ops> operations
%type <operand> operand dest
%type <operands> operands operand_list dests dest_list
%type <setting> setting pair option
%type <settings> settings pairs comma_pairs options
%type <names> names
%type <member> member last_member
%type <members> members
%type <reference> reference
%type <name> suffix

%right '?' ':'
%left TOK_EITHER
%left TOK_BOTH
%left '|'
%left '^'
%left '&'
%left TOK_EQ TOK_NE
%left '<' '>' TOK_LE TOK_GE
%left TOK_SHL TOK_SHR
%left '+' '-'
%left '*' '/' '%'
%precedence UNARY

%%

file: %empty | file line;

line: TOK_NEWLINE
    | labels TOK_NEWLINE
    | labels word TOK_NEWLINE
    | word TOK_NEWLINE
    | '|' operations TOK_NEWLINE    { parse_add(p, STMT_CONTINUATION, @2)->ops = $2.first; }
    | directive TOK_NEWLINE
    | slot TOK_NEWLINE
    | error TOK_NEWLINE             { yyerrok; }
    ;

labels: label | labels label;
label: TOK_NAME ':'                 { declare(p, STMT_LABEL, @1, $1, NULL); };
word: operations                    { parse_add(p, STMT_WORD, @1)->ops = $1.first; };

operations: operation               { $$.first = $$.last = $1; }
    | operations '|' operation      { $$ = $1; LIST_APPEND($$, $3); }
    ;
operation: action
    | TOK_IF TOK_NAME action        { $$ = $3; $$->cond = $2; $$->loc = @$; }
    | TOK_IF TOK_NAME
        {
            $$ = arena_alloc(p->arena, sizeof *$$);
            *$$ = (struct operation){.loc = @$, .mnemonic = {"", @$}, .cond = $2};
        }
    ;
action: TOK_NAME suffix operands dests
        {
            $$ = arena_alloc(p->arena, sizeof *$$);
            *$$ = (struct operation){.loc = @1, .mnemonic = $1, .suffix = $2, .operands = $3.first, .dests = $4.first};
            /* Absent operands have no location: the operation ends at its last present part. */
            $$->loc.end_column = $4.first ? @4.end_column : $3.first ? @3.end_column
                                 : $2.text ? @2.end_column : @1.end_column;
        }
    ;
suffix: %empty                      { $$ = (struct name){0}; }
    | '.' TOK_NUMBER
        {
            $$ = (struct name){arena_printf(p->arena, "%llu", (unsigned long long)$2.bits), @2};
        }
    | '.' TOK_NAME                  { $$ = $2; }
    ;
operands: %empty                    { $$.first = $$.last = NULL; }
    | operand_list
    ;
operand_list: operand               { $$.first = $$.last = $1; }
    | operand_list ',' operand      { $$ = $1; LIST_APPEND($$, $3); }
    ;
dests: %empty                       { $$.first = $$.last = NULL; }
    | TOK_ARROW dest_list           { $$ = $2; }
    ;
dest_list: dest                     { $$.first = $$.last = $1; }
    | dest_list ',' dest            { $$ = $1; LIST_APPEND($$, $3); }
    ;
dest: operand
    | TOK_NAME operand              { $$ = $2; $$->modifier = $1; }
    ;
operand: TOK_NAME                   { $$ = operand(p, OPERAND_NAME, @$, $1); }
    | TOK_NAME '[' TOK_NAME ']'     { $$ = operand(p, OPERAND_MEMORY, @$, $1); $$->index = $3; }
    | TOK_NAME '[' TOK_NAME ']' '.' TOK_NAME
                                    { $$ = operand(p, OPERAND_MEMORY, @$, $1); $$->index = $3; $$->lane = $6; }
    | TOK_NUMBER                    { $$ = operand(p, OPERAND_NUMBER, @$, (struct name){0}); }
    | '@' primary                   { $$ = operand(p, OPERAND_ADDRESS, @$, (struct name){0}); $$->address = $2; }
    ;

directive: TOK_PROGRAM TOK_NAME     { declare(p, STMT_PROGRAM, @1, $2, NULL); }
    | TOK_EQU TOK_NAME '=' expr     { declare(p, STMT_EQU, @1, $2, $4); }
    | TOK_CONST TOK_NAME '=' expr   { declare(p, STMT_CONST, @1, $2, $4); }
    | TOK_PARAM TOK_NAME '=' expr   { declare(p, STMT_PARAM, @1, $2, $4); }
    | TOK_PARAM TOK_NAME '=' expr ',' TOK_STRING
                                    { declare(p, STMT_PARAM, @1, $2, $4)->other = $6; }
    | TOK_BASE TOK_NAME '=' expr settings
                                    { declare(p, STMT_BASE, @1, $2, $4)->settings = $5.first; }
    | TOK_INDEX TOK_NAME settings   { declare(p, STMT_INDEX, @1, $2, NULL)->settings = $3.first; }
    | TOK_VALUE TOK_NAME settings   { declare(p, STMT_VALUE, @1, $2, NULL)->settings = $3.first; }
    | TOK_VALUE TOK_NAME '=' TOK_NAME settings {
            struct stmt *s = declare(p, STMT_VALUE, @1, $2, NULL);
            s->other = $4;
            s->settings = $5.first;
        }
    | TOK_TARGET TOK_NAME           { declare(p, STMT_TARGET, @1, $2, NULL); }
    | TOK_TARGET '@' primary        { declare(p, STMT_TARGET, @1, (struct name){NULL, @2}, $3); }
    | TOK_FILTER TOK_NAME names     { declare(p, STMT_FILTER, @1, $2, NULL)->names = $3.first; }
    | TOK_FILTER TOK_NAME pairs     { declare(p, STMT_FILTER, @1, $2, NULL)->settings = $3.first; }
    | TOK_ENTRY names TOK_NAME      { declare(p, STMT_ENTRY, @1, $3, NULL)->names = $2.first; }
    | TOK_RECORD names              { parse_add(p, STMT_RECORD, @1)->names = $2.first; }
    | TOK_SAMPLER TOK_NAME options  { declare(p, STMT_SAMPLER, @1, $2, NULL)->settings = $3.first; }
    | TOK_GEOMETRY comma_pairs      { parse_add(p, STMT_GEOMETRY, @1)->settings = $2.first; }
    | TOK_INCLUDE TOK_STRING        { declare(p, STMT_INCLUDE, @1, $2, NULL); }
    | TOK_ERROR TOK_STRING          { declare(p, STMT_ERROR, @1, $2, NULL); }
    | TOK_DOT_IF expr               { parse_add(p, STMT_IF, @1)->expr = $2; }
    | TOK_IFDEF TOK_NAME            { mention(p, $2); declare(p, STMT_IFDEF, @1, $2, NULL); }
    | TOK_IFNDEF TOK_NAME           { mention(p, $2); declare(p, STMT_IFNDEF, @1, $2, NULL); }
    | TOK_ELIF expr                 { parse_add(p, STMT_ELIF, @1)->expr = $2; }
    | TOK_ELSE                      { parse_add(p, STMT_ELSE, @1); }
    | TOK_ENDIF                     { parse_add(p, STMT_ENDIF, @1); }
    ;

settings: %empty                    { $$.first = $$.last = NULL; }
    | settings ',' setting          { $$ = $1; LIST_ADD($$, $3); }
    ;
setting: TOK_NAME                   { $$ = setting(p, $1, NULL); }
    | pair
    ;
pairs: pair                         { $$.first = $$.last = $1; }
    | pairs pair                    { $$ = $1; LIST_APPEND($$, $2); }
    ;
comma_pairs: pair                   { $$.first = $$.last = $1; }
    | comma_pairs ',' pair          { $$ = $1; LIST_APPEND($$, $3); }
    ;
options: %empty                     { $$.first = $$.last = NULL; }
    | options ',' option            { $$ = $1; LIST_ADD($$, $3); }
    ;
option: TOK_NAME                    { $$ = setting(p, $1, NULL); }
    | TOK_NAME '=' expr             { $$ = setting(p, $1, $3); }
    ;
pair: TOK_NAME expr                 { $$ = setting(p, $1, $2); };
names: TOK_NAME                     { $$.first = $$.last = name_item(p, $1); }
    | names ',' TOK_NAME            { $$ = $1; LIST_APPEND($$, name_item(p, $3)); }
    ;

slot: TOK_SLOT TOK_NAME '[' expr ']' reference '{' { p->open_slot = @1; p->slot_is_bad = false; }
        members last_member '}'
        {
            struct stmt *s = declare(p, STMT_SLOT, @1, $2, $4);
            if ($10 != NULL)
                LIST_ADD($9, $10);
            s->other = $6.name;
            s->parts = $6.parts;
            s->members = $9.first;
            s->is_bad = p->slot_is_bad;
            p->open_slot = (struct diag_loc){0};
        }
    | TOK_SLOT error '{' { p->open_slot = @1; p->slot_is_bad = true; } members last_member '}'
        {
            declare(p, STMT_SLOT, @1, (struct name){0}, NULL)->is_bad = true;
            p->open_slot = (struct diag_loc){0};
            yyerrok;
        }
    ;
reference: %empty                   { $$.name = (struct name){0}; $$.parts = NULL; }
    | TOK_NAME TOK_NAME             { $$.name = behind(p, $1, "exact", $2); $$.parts = NULL; }
    | TOK_NAME TOK_NAME ',' TOK_NAME expr
        {
            $$.name = behind(p, $1, "exact", $2);
            (void)behind(p, $4, "parts", $4);
            $$.parts = $5;
        }
    ;
members: %empty                     { $$.first = $$.last = NULL; }
    | members TOK_NEWLINE
    | members member TOK_NEWLINE    { $$ = $1; LIST_ADD($$, $2); }
    | members member ','            { $$ = $1; LIST_ADD($$, $2); }
    | members error TOK_NEWLINE     { $$ = $1; yyerrok; }
    ;
last_member: %empty                 { $$ = NULL; }
    | member
    | error                         { $$ = NULL; }
    ;
member: TOK_NAME ':' expr           { $$ = member(p, $1, $3, (struct name){0}, (struct name){0}); }
    | TOK_NAME ':' expr TOK_NAME    { $$ = member(p, $1, $3, $4, (struct name){0}); }
    | TOK_NAME ':' expr TOK_NAME TOK_NAME { $$ = member_with(p, $1, $3, $4, $5); }
    | TOK_NAME ':' expr TOK_NAME TOK_NAME TOK_NAME { $$ = member(p, $1, $3, $4, behind_format(p, $4, $5, $6)); }
    ;

expr: primary
    | '+' expr %prec UNARY          { $$ = unary(p, INTEGER_PLUS, @$, $2); }
    | '-' expr %prec UNARY          { $$ = unary(p, INTEGER_MINUS, @$, $2); }
    | '~' expr %prec UNARY          { $$ = unary(p, INTEGER_INVERT, @$, $2); }
    | '!' expr %prec UNARY          { $$ = unary(p, INTEGER_NOT, @$, $2); }
    | expr '*' expr                 { $$ = binary(p, INTEGER_MUL, @$, $1, $3); }
    | expr '/' expr                 { $$ = binary(p, INTEGER_DIV, @$, $1, $3); }
    | expr '%' expr                 { $$ = binary(p, INTEGER_REM, @$, $1, $3); }
    | expr '+' expr                 { $$ = binary(p, INTEGER_ADD, @$, $1, $3); }
    | expr '-' expr                 { $$ = binary(p, INTEGER_SUB, @$, $1, $3); }
    | expr TOK_SHL expr             { $$ = binary(p, INTEGER_SHL, @$, $1, $3); }
    | expr TOK_SHR expr             { $$ = binary(p, INTEGER_SHR, @$, $1, $3); }
    | expr '<' expr                 { $$ = binary(p, INTEGER_LT, @$, $1, $3); }
    | expr TOK_LE expr              { $$ = binary(p, INTEGER_LE, @$, $1, $3); }
    | expr '>' expr                 { $$ = binary(p, INTEGER_GT, @$, $1, $3); }
    | expr TOK_GE expr              { $$ = binary(p, INTEGER_GE, @$, $1, $3); }
    | expr TOK_EQ expr              { $$ = binary(p, INTEGER_EQ, @$, $1, $3); }
    | expr TOK_NE expr              { $$ = binary(p, INTEGER_NE, @$, $1, $3); }
    | expr '&' expr                 { $$ = binary(p, INTEGER_AND, @$, $1, $3); }
    | expr '^' expr                 { $$ = binary(p, INTEGER_XOR, @$, $1, $3); }
    | expr '|' expr                 { $$ = binary(p, INTEGER_OR, @$, $1, $3); }
    | expr TOK_BOTH expr            { $$ = binary(p, INTEGER_BOTH, @$, $1, $3); }
    | expr TOK_EITHER expr          { $$ = binary(p, INTEGER_EITHER, @$, $1, $3); }
    | expr '?' expr ':' expr        { $$ = expr_new(p->arena, EXPR_CHOICE, @$, $1, $3, $5); }
    ;
primary: TOK_NUMBER
        {
            struct expr *e = expr_new(p->arena, EXPR_NUMBER, @$, NULL, NULL, NULL);
            e->value = $1;
            $$ = e;
        }
    | TOK_NAME
        {
            struct expr *e = expr_new(p->arena, EXPR_SYMBOL, @$, NULL, NULL, NULL);
            e->name = $1.text;
            mention(p, $1);
            $$ = e;
        }
    | TOK_NAME '(' expr ')'
        {
            struct expr *e = expr_new(p->arena, EXPR_CALL, @$, $3, NULL, NULL);
            e->name = $1.text;
            $$ = e;
        }
    | '(' expr ')'                  { $$ = $2; }
    ;

%%

static const char *behind_name(const char *at, const char *end)
{
    while (at < end && (isalnum((unsigned char)*at) || *at == '_'))
        at++;
    return at;
}

static const char *behind_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return at;
}

/* Whether the name that begins the line is a label without its colon: an operation follows, that is a mnemonic and an
 * operand or the end of the line. */
static bool lacks_colon(const struct parse *p, const char *name)
{
    const char *end = p->source->text + p->source->size_bytes;
    const char *word = behind_blanks(p->next, end), *word_end = behind_name(word, end);
    const char *behind = behind_blanks(word_end, end);
    if (p->open_slot.source != NULL || word == p->next || words_is_mnemonic(name, strlen(name)) ||
        !words_is_mnemonic(word, (size_t)(word_end - word)))
        return false;
    bool ends = behind == end || *behind == '\0' || strchr("\r\n;|", *behind) != NULL;
    return ends || (behind > word_end && behind_name(behind, end) > behind);
}

#undef yylex
/* Calls the scanner with the context that distinguishes the dot of a directive from that of a lane: a directive is
 * the first token on its line, after any labels. */
static int scan(YYSTYPE *value, YYLTYPE *loc, struct parse *p, void *scanner)
{
    if (p->colon_is_missing) {
        p->colon_is_missing = false;
        p->at = LINE_START;
        return ':';
    }
    int token = yylex(value, loc, scanner);
    if (token == TOK_NAME && p->at == LINE_START && lacks_colon(p, value->name.text)) {
        parse_complain(p, *loc, "a label is followed by a colon: expected '%.64s:'", value->name.text);
        p->colon_is_missing = true;
    }
    if (token == TOK_NEWLINE || (token == ':' && p->at == LINE_NAME))
        p->at = LINE_START;
    else
        p->at = token == TOK_NAME && p->at == LINE_START ? LINE_NAME : LINE_MIDDLE;
    return token;
}

/* Called only for memory exhaustion; syntax errors are reported by the function below. */
static void yyerror(const YYLTYPE *loc, struct parse *p, void *scanner, const char *message)
{
    (void)scanner;
    (void)message;
    parse_complain(p, *loc, "nested too deeply; the rest of the file is not read");
}

static int yyreport_syntax_error(const yypcontext_t *ctx, struct parse *p, void *scanner)
{
    enum { SHOWN = 5 };
    yysymbol_kind_t expected[SHOWN + 1], found = yypcontext_token(ctx);
    const YYLTYPE *loc = yypcontext_location(ctx);
    (void)scanner;
    if (p->open_slot.source != NULL && found == YYSYMBOL_YYEOF) {
        parse_complain(p, p->open_slot, "the '.slot' is never closed: '}' is missing");
        return 0;
    }
    if (p->open_slot.source != NULL && p->slot_is_bad)
        return 0;
    p->slot_is_bad = true;
    int n = yypcontext_expected_tokens(ctx, expected, SHOWN + 1);
    char list[256] = "";
    for (int i = 0; n <= SHOWN && i < n; i++) {
        const char *lead = i == 0 ? ", expected " : i == n - 1 ? " or " : ", ";
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", lead, yysymbol_name(expected[i]));
    }
    if (found == YYSYMBOL_TOK_NAME)
        parse_complain(p, *loc, "unexpected '%.64s'%s", p->last_name, list);
    else
        parse_complain(p, *loc, "unexpected %s%s", yysymbol_name(found), list);
    return 0;
}

static struct stmt *declare(struct parse *p, enum stmt_kind kind, struct diag_loc loc, struct name name,
                            const struct expr *e)
{
    struct stmt *s = parse_add(p, kind, loc);
    s->name = name;
    s->expr = e;
    return s;
}

static const struct expr *binary(struct parse *p, enum integer_op op, struct diag_loc loc, const struct expr *x,
                                 const struct expr *y)
{
    struct expr *e = expr_new(p->arena, EXPR_BINARY, loc, x, y, NULL);
    e->op = op;
    return e;
}

static const struct expr *unary(struct parse *p, enum integer_op op, struct diag_loc loc, const struct expr *x)
{
    struct expr *e = expr_new(p->arena, EXPR_UNARY, loc, x, NULL, NULL);
    e->op = op;
    return e;
}

static struct operand *operand(struct parse *p, enum operand_kind kind, struct diag_loc loc, struct name name)
{
    struct operand *o = arena_alloc(p->arena, sizeof *o);
    o->kind = kind;
    o->loc = loc;
    o->name = name;
    return o;
}

static void mention(struct parse *p, struct name name)
{
    if (symtab_find(p->mentioned, name.text) == NULL)
        symtab_add(p->mentioned, name, integer_of(0));
}

static struct name_item *name_item(struct parse *p, struct name name)
{
    struct name_item *item = arena_alloc(p->arena, sizeof *item);
    item->name = name;
    return item;
}

static struct setting *setting(struct parse *p, struct name name, const struct expr *e)
{
    struct setting *s = arena_alloc(p->arena, sizeof *s);
    s->name = name;
    s->expr = e;
    return s;
}

static struct member *member(struct parse *p, struct name name, const struct expr *width, struct name format,
                             struct name exact)
{
    struct member *m = arena_alloc(p->arena, sizeof *m);
    m->name = name;
    m->width = width;
    m->format = format;
    m->exact = exact;
    return m;
}

/* A member with `last FORMAT` or `exact NAME` after the width. */
static struct member *member_with(struct parse *p, struct name name, const struct expr *width, struct name word,
                                  struct name behind_it)
{
    bool is_last = strcmp(word.text, "last") == 0, is_exact = strcmp(word.text, "exact") == 0;
    if (!is_last && !is_exact)
        parse_complain(p, word.loc, "found '%.64s', expected 'last FORMAT', 'FORMAT exact NAME' or 'exact NAME'",
                       word.text);
    struct name none = {0};
    struct member *m = member(p, name, width, is_last ? behind_it : none, is_exact ? behind_it : none);
    m->is_last = is_last;
    return m;
}

/* Returns the name that follows the expected word; an empty name if another word is found. */
static struct name behind(struct parse *p, struct name word, const char *expected, struct name name)
{
    if (strcmp(word.text, expected) == 0)
        return name;
    parse_complain(p, word.loc, "found '%.64s', expected '%s'", word.text, expected);
    return (struct name){0};
}

/* Returns the name of a member behind FORMAT `exact`; an empty name behind `exact NAME`, which ends a member. */
static struct name behind_format(struct parse *p, struct name format, struct name word, struct name name)
{
    if (strcmp(format.text, "exact") != 0)
        return behind(p, word, "exact", name);
    parse_complain(p, name.loc, "found '%.64s', expected the end of the member: it names one key or count of the exact "
                                "reference", name.text);
    return (struct name){0};
}
