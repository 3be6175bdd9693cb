/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Visits the statements of a source in order. Conditions, inclusions, labels and words are handled here, declarations
 * in declare.c. Entry point: program_walk. */
#include <stdlib.h>

#include "asm/program.h"

enum { MAX_DEPTH = 16, MAX_BYTES = 4 << 20 };

/* An open .if. */
struct condition {
    struct diag_loc loc;
    bool outer_live; /* the enclosing lines are assembled */
    bool taken;      /* one of its branches was assembled, so the others are not */
    bool had_else;
    struct condition *up;
};

struct walk {
    struct program *p;
    const struct diag_source *source;
    struct condition *condition;
    bool live;
    enum { AFTER_OTHER, AFTER_WORD, AFTER_BAD } after; /* line that a continuation line would continue */
};

static void open_condition(struct walk *w, const struct stmt *s, bool holds)
{
    struct condition *c = arena_alloc(w->p->arena, sizeof *c);
    *c = (struct condition){s->loc, w->live, holds, false, w->condition};
    w->condition = c;
    w->live = w->live && holds;
}

/* If a condition cannot be evaluated, none of its branches is assembled, which avoids consequential errors. */
static bool asm_walk_test(struct walk *w, const struct expr *e, bool *bad)
{
    struct integer v;
    if (!w->live)
        return false;
    if (expr_eval(w->p, e, &v))
        return v.bits != 0;
    *bad = true;
    return false;
}

static bool test_name(struct walk *w, const struct stmt *s, bool *bad)
{
    const char *why_not = name_why_not(NAME_SYMBOL, s->name.text);
    if (!w->live)
        return false;
    if (why_not == NULL)
        return (symtab_find(&w->p->equs, s->name.text) != NULL) == (s->kind == STMT_IFDEF);
    diag_error(w->p->diag, s->name.loc, "a symbol cannot be called '%.64s': %s", s->name.text, why_not);
    *bad = true;
    return false;
}

static void walk_if(struct walk *w, const struct stmt *s)
{
    bool bad = false;
    bool holds = s->kind == STMT_IF ? asm_walk_test(w, s->expr, &bad) : test_name(w, s, &bad);
    open_condition(w, s, holds);
    w->condition->taken = w->condition->taken || bad;
}

static void walk_else(struct walk *w, const struct stmt *s)
{
    struct condition *c = w->condition;
    if (c == NULL) {
        diag_error(w->p->diag, s->loc, "there is no .if before this");
        return;
    }
    if (s->kind == STMT_ENDIF) {
        w->live = c->outer_live;
        w->condition = c->up;
        return;
    }
    if (c->had_else) {
        diag_error(w->p->diag, s->loc, "this .if already has its .else");
        diag_note(w->p->diag, c->loc, "the .if is here");
    }
    c->had_else = s->kind == STMT_ELSE || c->had_else;
    w->live = c->outer_live && !c->taken;
    if (s->kind == STMT_ELIF) {
        bool bad = false;
        w->live = asm_walk_test(w, s->expr, &bad);
        c->taken = c->taken || bad;
    }
    c->taken = c->taken || w->live;
}

static void walk_label(struct program *p, const struct stmt *s)
{
    const char *why_not = name_why_not(NAME_LABEL, s->name.text);
    const struct symbol *known = symtab_find(&p->labels, s->name.text);
    if (why_not != NULL) {
        diag_error(p->diag, s->loc, "a label cannot be called '%.64s': %s", s->name.text, why_not);
    } else if (known != NULL) {
        diag_error(p->diag, s->loc, "label '%.64s' is already defined", s->name.text);
        diag_note(p->diag, known->name.loc, "the first definition is here");
    } else {
        symtab_add(&p->labels, s->name, integer_of(p->words));
        if (p->pending_label == NULL)
            p->pending_label = s->name.text;
    }
}

static void walk_word(struct program *p, const struct stmt *s)
{
    if (p->words == ISA_WORDS)
        diag_error(p->diag, s->loc, "the program has more than %d words", ISA_WORDS);
    if (p->words < ISA_WORDS) {
        struct word *word = &p->word[p->words];
        *word = (struct word){.loc = s->loc, .last_line = s->loc.line, .first = s->ops, .label = p->pending_label};
        for (word->last = s->ops; word->last->next != NULL;)
            word->last = word->last->next;
    }
    p->pending_label = NULL;
    p->words++;
}

static void walk_continuation(struct walk *w, const struct stmt *s)
{
    struct program *p = w->p;
    if (w->after == AFTER_BAD)
        return;
    if (w->after != AFTER_WORD) {
        diag_error(p->diag, s->loc, "a line that begins with '|' continues the word above, and there is none");
        return;
    }
    if (p->words > ISA_WORDS)
        return;
    struct word *word = &p->word[p->words - 1];
    word->last->next = s->ops;
    word->last_line = s->loc.line;
    while (word->last->next != NULL)
        word->last = word->last->next;
}

/* Length of the file's folder including the slash; 0: none. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

static bool read_included(struct walk *w, const struct stmt *s, char **path, char **text, size_t *size_bytes)
{
    struct program *p = w->p;
    const struct pasm_options *o = p->opts;
    const char *name = s->name.text;
    struct errmsg err, ignored;
    if (o->read_file == NULL) {
        diag_error(p->diag, s->loc, "there are no files to include here");
        return false;
    }
    *path = name[0] == '/'
                ? arena_strndup(p->arena, name, strlen(name))
                : arena_printf(p->arena, "%.*s%s", (int)folder_length(w->source->name), w->source->name, name);
    if (o->read_file(o->ctx, *path, text, size_bytes, &err) == ST_OK)
        return true;
    for (size_t i = 0; name[0] != '/' && i < o->include_dir_count; i++) {
        *path = arena_printf(p->arena, "%s/%s", o->include_dirs[i], name);
        if (o->read_file(o->ctx, *path, text, size_bytes, &ignored) == ST_OK)
            return true;
    }
    diag_error(p->diag, s->name.loc, "cannot include %s%s", err.text,
               o->include_dir_count > 0 ? ", nor from the -I directories" : "");
    return false;
}

static bool may_nest(struct walk *w, const struct stmt *s, const char *path)
{
    int depth = 0;
    for (const struct diag_source *up = w->source; up != NULL; up = up->included_from) {
        if (strcmp(up->name, path) == 0) {
            diag_error(w->p->diag, s->loc, "'%s' includes itself", path);
            for (const struct diag_source *at = w->source; at != up; at = at->included_from)
                diag_note(w->p->diag, (struct diag_loc){at->included_from, at->included_line, 1, 2},
                          "by way of this inclusion of '%s'", at->name);
            return false;
        }
        if (++depth == MAX_DEPTH) {
            diag_error(w->p->diag, s->loc, "inclusions nested more than %d deep", MAX_DEPTH);
            return false;
        }
    }
    if (w->p->text_count < sizeof w->p->texts / sizeof w->p->texts[0])
        return true;
    diag_error(w->p->diag, s->loc, "more than %u inclusions", w->p->text_count);
    return false;
}

/* All sources stay in memory, as statements too, which take fifty times as much. */
static bool asm_walk_has_room(struct walk *w, const struct stmt *s, size_t size_bytes)
{
    w->p->source_bytes += size_bytes;
    if (w->p->source_bytes <= MAX_BYTES)
        return true;
    diag_error(w->p->diag, s->name.loc, "cannot include '%s': the included files have more than %d MiB in all",
               s->name.text, MAX_BYTES >> 20);
    return false;
}

static void walk_include(struct walk *w, const struct stmt *s)
{
    struct program *p = w->p;
    char *path = NULL, *text = NULL;
    size_t size_bytes = 0;
    if (!read_included(w, s, &path, &text, &size_bytes))
        return;
    if (!may_nest(w, s, path) || !asm_walk_has_room(w, s, size_bytes)) {
        free(text);
        return;
    }
    p->texts[p->text_count++] = text;
    struct diag_source *source = arena_alloc(p->arena, sizeof *source);
    *source = (struct diag_source){path, text, size_bytes, w->source, s->loc.line};
    program_walk(p, source);
}

static void walk_live(struct walk *w, const struct stmt *s)
{
    switch (s->kind) {
    case STMT_BAD:
        diag_error(w->p->diag, s->loc, "%s", s->name.text);
        w->after = AFTER_BAD;
        return;
    case STMT_WORD:
        walk_word(w->p, s);
        w->after = AFTER_WORD;
        return;
    case STMT_CONTINUATION:
        walk_continuation(w, s);
        return;
    case STMT_LABEL:
        walk_label(w->p, s);
        break;
    case STMT_INCLUDE:
        walk_include(w, s);
        break;
    case STMT_ERROR:
        diag_error(w->p->diag, s->loc, "%s", s->name.text);
        break;
    default:
        program_declare(w->p, s);
    }
    w->after = AFTER_OTHER;
}

void program_walk(struct program *p, const struct diag_source *source)
{
    struct walk w = {.p = p, .source = source, .live = true};
    const struct stmt *s = pasm_parse(p->arena, source, &p->mentioned);
    for (; s != NULL && !diag_has_ended(p->diag); s = s->next) {
        switch (s->kind) {
        case STMT_IF:
        case STMT_IFDEF:
        case STMT_IFNDEF:
            walk_if(&w, s);
            break;
        case STMT_ELIF:
        case STMT_ELSE:
        case STMT_ENDIF:
            walk_else(&w, s);
            break;
        default:
            if (w.live)
                walk_live(&w, s);
        }
    }
    for (const struct condition *c = w.condition; c != NULL && s == NULL; c = c->up)
        diag_error(p->diag, c->loc, "this condition is never closed: '.endif' is missing");
}
