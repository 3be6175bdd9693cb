/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs of source lines. The lines of a function are a sequence, in the order of file and line. A line's text is the
 * sequence of its instructions' mnemonics, because registers change with what is around. The pairs of a function are
 * the common subsequence with the most instructions; between two pairs, equally many lines are pairs too, in their
 * order. Each function votes, with its instructions, for the pairs of its lines; a line has the partner with the most
 * votes. What no function pairs, such as the lines of a function that was inlined since, moves with the lines before
 * and after it in its file if these have moved equally far, and there is code. */
#include "tools/pcprof/line_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/hash.h"
#include "base/order.h"
#include "tools/pcprof/listing.h"

/* A common subsequence is computed of at most this many pairs of lines. */
enum { LARGEST_TABLE = 1 << 22 };

/* A name of a file, without folders: an image's file can be compiled elsewhere. */
struct line_file {
    char *name;
    uint32_t number;
    UT_hash_handle hh;
};

struct line_partner {
    char *name;  /* IMAGE '\n' FILE:LINE */
    char *after; /* FILE:LINE; NULL: gone */
    UT_hash_handle hh;
};

struct line_pairs {
    struct line_partner *partner;
    struct line_file *file;
    const char **file_name; /* by number */
    uint32_t files;
};

/* A line as one number: its file's, then its own. */
static uint64_t line_key(struct line_pairs *p, const struct profile *profile, const struct profile_line *l)
{
    const char *name = basename(profile_file(profile, l->file));
    struct line_file *f;
    HASH_FIND_STR(p->file, name, f);
    if (f == NULL) {
        f = xcalloc(1, sizeof *f);
        f->name = xstrdup(name);
        f->number = p->files++;
        HASH_ADD_KEYPTR(hh, p->file, f->name, strlen(f->name), f);
        p->file_name = xrealloc(p->file_name, p->files * sizeof *p->file_name);
        p->file_name[f->number] = f->name;
    }
    return (uint64_t)f->number << 32 | l->line;
}

static int line_key_order(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static uint32_t line_of_key(uint64_t key) { return (uint32_t)key; }

static bool in_one_file(uint64_t a, uint64_t b) { return a >> 32 == b >> 32; }

/* ---- the lines of a function ---- */

struct code_line {
    uint64_t key;
    uint64_t text;         /* hash of its mnemonics */
    uint32_t instructions; /* 1 before lines are joined */
    uint32_t order;        /* of its first instruction */
};

struct code_lines {
    struct code_line *line;
    size_t count, room;
};

ORDER(code_line_by_key, struct code_line, RISING(key) RISING(order))

/* Extends a hash by a mnemonic and a blank. */
static uint64_t hash_mnemonic(uint64_t hash, const char *text)
{
    return fnv_extend(fnv_extend(hash, text, strcspn(text, " ")), " ", 1);
}

static void code_lines_push(struct code_lines *l, struct code_line line)
{
    if (l->count == l->room) {
        l->room = 2 * l->room + 64;
        l->line = xrealloc(l->line, l->room * sizeof *l->line);
    }
    l->line[l->count++] = line;
}

/* Joins the instructions of each line. */
static void code_lines_join(struct code_lines *l)
{
    size_t kept = 0;
    if (l->count > 0)
        qsort(l->line, l->count, sizeof *l->line, code_line_by_key);
    for (size_t n = 0; n < l->count; n++) {
        if (kept == 0 || l->line[kept - 1].key != l->line[n].key) {
            l->line[kept++] = l->line[n];
            continue;
        }
        l->line[kept - 1].text = l->line[kept - 1].text * 31 + l->line[n].text;
        l->line[kept - 1].instructions++;
    }
    l->count = kept;
}

static struct code_lines code_lines_of(struct line_pairs *p, const struct profile *profile,
                                       const struct profile_image *i, const struct profile_symbol *s)
{
    struct code_lines lines = {0};
    struct code_insn in;
    uint32_t order = 0;
    for (uint64_t address = s->start; address < s->start + s->size_bytes && listing_decode(i, address, &in);
         address += in.length_bytes, order++) {
        const struct profile_line *l = profile_find_line(i, address);
        if (l != NULL && l->file != PROFILE_NO_FILE)
            code_lines_push(&lines, (struct code_line){.key = line_key(p, profile, l),
                                                       .text = hash_mnemonic(FNV_NONE, in.text),
                                                       .instructions = 1,
                                                       .order = order});
    }
    code_lines_join(&lines);
    return lines;
}

/* ---- votes ---- */

struct line_vote {
    uint64_t before, after;
    uint64_t weight;
};

/* The lines of an image: votes for their partners, and all of `before`. */
struct line_votes {
    struct line_vote *vote;
    size_t count, room;
    struct code_lines all;
    uint64_t *after; /* the lines with code in the version after, in ascending order */
    size_t afters;
};

ORDER(line_vote_by_pair, struct line_vote, RISING(before) RISING(after))
ORDER(line_vote_by_weight, struct line_vote, FALLING(weight) RISING(before) RISING(after))

static void vote_for(struct line_votes *v, uint64_t before, uint64_t after, uint64_t weight)
{
    if (v->count == v->room) {
        v->room = 2 * v->room + 64;
        v->vote = xrealloc(v->vote, v->room * sizeof *v->vote);
    }
    v->vote[v->count++] = (struct line_vote){before, after, weight};
}

/* Two sequences of lines that are aligned. */
struct line_alignment {
    const struct code_line *a, *b;
    size_t as, bs;
    bool has_before, has_behind; /* the lines before the first ones are a pair; those behind the last ones */
    struct line_votes *votes;
};

static bool has_same_text(const struct code_line *a, const struct code_line *b)
{
    return a->text == b->text && a->instructions == b->instructions;
}

/* What a pair is worth: its instructions, and a little if both lines are equally far from the first one. */
static uint32_t line_alignment_worth(const struct line_alignment *l, size_t a, size_t b)
{
    if (!has_same_text(&l->a[a], &l->b[b]))
        return 0;
    return 2 * l->a[a].instructions + (l->a[a].key - l->a[0].key == l->b[b].key - l->b[0].key);
}

/* Lines between two pairs. If both pairs have moved equally far, a line is the one that has moved as far, too. */
static void line_alignment_fill(const struct line_alignment *l, size_t a, size_t a_end, size_t b, size_t b_end)
{
    bool has_low = a > 0 || l->has_before, has_high = a_end < l->as || l->has_behind;
    if (a_end - a != b_end - b || a == a_end)
        return;
    const struct code_line *low_a = l->a + a - has_low, *low_b = l->b + b - has_low;
    uint64_t moved = low_b->key - low_a->key;
    bool is_rigid = has_low && has_high && moved == l->b[b_end].key - l->a[a_end].key;
    for (; a < a_end; a++, b++)
        if (!is_rigid || l->b[b].key - l->a[a].key == moved)
            vote_for(l->votes, l->a[a].key, l->b[b].key, 1);
}

/* The common subsequence with the largest worth: best[a][b] is that of the lines from a and b on. */
static void line_alignment_follow(const struct line_alignment *l, const uint32_t *best)
{
    size_t a = 0, b = 0, a_paired = 0, b_paired = 0, row = l->bs + 1;
    while (a < l->as && b < l->bs) {
        uint32_t worth = line_alignment_worth(l, a, b);
        if (worth > 0 && best[a * row + b] == worth + best[(a + 1) * row + b + 1]) {
            line_alignment_fill(l, a_paired, a, b_paired, b);
            vote_for(l->votes, l->a[a].key, l->b[b].key, 2 * l->a[a].instructions);
            a_paired = ++a;
            b_paired = ++b;
        } else if (best[a * row + b] == best[(a + 1) * row + b]) {
            a++;
        } else {
            b++;
        }
    }
    line_alignment_fill(l, a_paired, l->as, b_paired, l->bs);
}

static void line_alignment_find(const struct line_alignment *l)
{
    size_t row = l->bs + 1;
    if ((l->as + 1) * row > LARGEST_TABLE) {
        line_alignment_fill(l, 0, l->as, 0, l->bs);
        return;
    }
    uint32_t *best = xcalloc((l->as + 1) * row, sizeof *best);
    for (size_t a = l->as; a-- > 0;)
        for (size_t b = l->bs; b-- > 0;) {
            uint32_t worth = line_alignment_worth(l, a, b), without = best[(a + 1) * row + b];
            uint32_t with = worth > 0 ? worth + best[(a + 1) * row + b + 1] : 0;
            without = best[a * row + b + 1] > without ? best[a * row + b + 1] : without;
            best[a * row + b] = with > without ? with : without;
        }
    line_alignment_follow(l, best);
    free(best);
}

/* Most lines at the beginning and at the end of a function are as they were. */
static void line_alignment_vote(struct line_alignment l)
{
    while (l.as > 0 && l.bs > 0 && has_same_text(l.a, l.b)) {
        vote_for(l.votes, l.a->key, l.b->key, 2 * l.a->instructions);
        l = (struct line_alignment){l.a + 1, l.b + 1, l.as - 1, l.bs - 1, true, false, l.votes};
    }
    while (l.as > 0 && l.bs > 0 && has_same_text(&l.a[l.as - 1], &l.b[l.bs - 1])) {
        l.as--;
        l.bs--;
        l.has_behind = true;
        vote_for(l.votes, l.a[l.as].key, l.b[l.bs].key, 2 * l.a[l.as].instructions);
    }
    line_alignment_find(&l);
}

/* ---- functions ---- */

/* The functions of an image by name; several of one name are in the order of their addresses. */
struct function_name {
    const char *name;
    const struct profile_symbol **symbol;
    size_t count, used;
    UT_hash_handle hh;
};

static struct function_name *function_names_of(const struct profile_image *i)
{
    struct function_name *names = NULL, *f;
    for (size_t n = 0; n < i->symbols; n++) {
        const char *name = i->symbol[n].shown;
        HASH_FIND_STR(names, name, f);
        if (f == NULL) {
            f = xcalloc(1, sizeof *f);
            f->name = name;
            HASH_ADD_KEYPTR(hh, names, f->name, strlen(f->name), f);
        }
        f->symbol = xrealloc(f->symbol, (f->count + 1) * sizeof(struct profile_symbol *));
        f->symbol[f->count++] = &i->symbol[n];
    }
    return names;
}

static void function_names_free(struct function_name *names)
{
    struct function_name *f, *next;
    HASH_ITER (hh, names, f, next) {
        HASH_DEL(names, f);
        free(f->symbol);
        free(f);
    }
}

static bool function_has_values(const struct profile *p, uint32_t image, const struct profile_symbol *s)
{
    for (uint32_t e = 0; e < profile_events(p); e++) {
        uint64_t end = s->start + s->size_bytes;
        if (profile_next_address(p, e, image, s->start, end) < end)
            return true;
    }
    return false;
}

/* An image in both versions. */
struct image_versions {
    const struct profile *before, *after;
    uint32_t before_image, after_image;
};

/* Pairs the lines of a function with those of the function after it, NULL: none. */
static void vote_function(struct line_pairs *p, const struct image_versions *v, const struct profile_symbol *s,
                          const struct profile_symbol *after, struct line_votes *votes)
{
    struct code_lines a = code_lines_of(p, v->before, profile_image(v->before, v->before_image), s), b = {0};
    if (after != NULL)
        b = code_lines_of(p, v->after, profile_image(v->after, v->after_image), after);
    line_alignment_vote((struct line_alignment){a.line, b.line, a.count, b.count, false, false, votes});
    for (size_t n = 0; n < a.count; n++)
        code_lines_push(&votes->all, a.line[n]);
    free(a.line);
    free(b.line);
}

static void vote_image(struct line_pairs *p, const struct image_versions *v, struct line_votes *votes)
{
    const struct profile_image *before = profile_image(v->before, v->before_image);
    struct function_name *names = function_names_of(profile_image(v->after, v->after_image)), *f;
    for (size_t n = 0; n < before->symbols; n++) {
        const struct profile_symbol *s = &before->symbol[n], *after = NULL;
        HASH_FIND_STR(names, s->shown, f);
        if (f != NULL && f->used < f->count)
            after = f->symbol[f->used++];
        if (function_has_values(v->before, v->before_image, s))
            vote_function(p, v, s, after, votes);
    }
    function_names_free(names);
}

/* The lines with code of an image. */
static void list_lines_after(struct line_pairs *p, const struct profile *profile, const struct profile_image *i,
                             struct line_votes *v)
{
    v->after = xcalloc(i->lines + 1, sizeof *v->after);
    for (size_t n = 0; n < i->lines; n++)
        if (i->line[n].file != PROFILE_NO_FILE)
            v->after[v->afters++] = line_key(p, profile, &i->line[n]);
    qsort(v->after, v->afters, sizeof *v->after, line_key_order);
}

static bool has_code_after(const struct line_votes *v, uint64_t key)
{
    return bsearch(&key, v->after, v->afters, sizeof key, line_key_order) != NULL;
}

/* ---- partners ---- */

/* A set of lines, or a map of lines to lines. */
struct line_map {
    uint64_t key, value;
    UT_hash_handle hh;
};

static struct line_map *line_map_find(struct line_map *m, uint64_t key)
{
    struct line_map *found;
    HASH_FIND(hh, m, &key, sizeof key, found);
    return found;
}

static void line_map_set(struct line_map **m, uint64_t key, uint64_t value)
{
    struct line_map *added = xcalloc(1, sizeof *added);
    added->key = key;
    added->value = value;
    HASH_ADD(hh, *m, key, sizeof added->key, added);
}

static void line_map_free(struct line_map *m)
{
    struct line_map *x, *next;
    HASH_ITER (hh, m, x, next) {
        HASH_DEL(m, x);
        free(x);
    }
}

/* Sums the votes for each pair; then those with the most come first. */
static void line_votes_sort(struct line_votes *v)
{
    size_t kept = 0;
    if (v->count == 0)
        return;
    qsort(v->vote, v->count, sizeof *v->vote, line_vote_by_pair);
    for (size_t n = 1; n < v->count; n++) {
        if (v->vote[n].before == v->vote[kept].before && v->vote[n].after == v->vote[kept].after)
            v->vote[kept].weight += v->vote[n].weight;
        else
            v->vote[++kept] = v->vote[n];
    }
    v->count = kept + 1;
    qsort(v->vote, v->count, sizeof *v->vote, line_vote_by_weight);
}

static char *line_pairs_show(const struct line_pairs *p, uint64_t key)
{
    return xasprintf("%s:%u", p->file_name[key >> 32], line_of_key(key));
}

static void line_pairs_add(struct line_pairs *p, const char *image, uint64_t before, const struct line_map *after)
{
    struct line_partner *added, *same;
    char *line = line_pairs_show(p, before), *name = xasprintf("%s\n%s", image, line);
    free(line);
    HASH_FIND_STR(p->partner, name, same);
    if (same != NULL) { /* another image of the name has it */
        free(name);
        return;
    }
    added = xcalloc(1, sizeof *added);
    added->name = name;
    added->after = after != NULL ? line_pairs_show(p, after->value) : NULL;
    HASH_ADD_KEYPTR(hh, p->partner, added->name, strlen(added->name), added);
}

/* The neighbours of the line n, in its file, that functions have paired: the last one before it and the first one
 * after it. Returns whether they have moved equally far, or only one is there; sets the line that n has become. */
static bool moves_with_neighbours(const struct code_lines *all, size_t n, struct line_map *pairs, uint64_t *after)
{
    const struct line_map *low = NULL, *high = NULL;
    uint64_t key = all->line[n].key;
    for (size_t k = n; k-- > 0 && low == NULL && in_one_file(all->line[k].key, key);)
        low = line_map_find(pairs, all->line[k].key);
    for (size_t k = n + 1; k < all->count && high == NULL && in_one_file(all->line[k].key, key); k++)
        high = line_map_find(pairs, all->line[k].key);
    uint64_t down = low != NULL ? low->value - low->key : 0, up = high != NULL ? high->value - high->key : down;
    *after = key + (low != NULL ? down : up);
    return low == NULL || high == NULL || down == up;
}

/* Chooses the partners of an image's lines. */
static void line_pairs_choose(struct line_pairs *p, const char *image, struct line_votes *v)
{
    struct line_map *pairs = NULL, *taken = NULL;
    line_votes_sort(v);
    code_lines_join(&v->all);
    for (size_t n = 0; n < v->count; n++) {
        if (line_map_find(pairs, v->vote[n].before) != NULL || line_map_find(taken, v->vote[n].after) != NULL)
            continue;
        line_map_set(&pairs, v->vote[n].before, v->vote[n].after);
        line_map_set(&taken, v->vote[n].after, 0);
    }
    for (size_t n = 0; n < v->all.count; n++) {
        uint64_t after;
        struct line_map *found = line_map_find(pairs, v->all.line[n].key), moved = {0};
        if (found == NULL && moves_with_neighbours(&v->all, n, pairs, &after) && has_code_after(v, after) &&
            line_map_find(taken, after) == NULL) {
            moved.value = after;
            line_map_set(&taken, after, 0);
            found = &moved;
        }
        line_pairs_add(p, image, v->all.line[n].key, found);
    }
    line_map_free(pairs);
    line_map_free(taken);
}

/* ---- the pairs ---- */

static void line_pairs_add_image(struct line_pairs *p, const struct image_versions *v)
{
    struct line_votes votes = {0};
    list_lines_after(p, v->after, profile_image(v->after, v->after_image), &votes);
    vote_image(p, v, &votes);
    line_pairs_choose(p, profile_image(v->before, v->before_image)->name, &votes);
    free(votes.vote);
    free(votes.all.line);
    free(votes.after);
}

/* The first image of the name, if no image of `after` has the same contents. */
static uint32_t find_other_version(const struct profile *after, const struct profile_image *i)
{
    uint32_t found = UINT32_MAX;
    for (uint32_t n = (uint32_t)profile_images(after); n-- > 0;) {
        const struct profile_image *other = profile_image(after, n);
        if (strcmp(other->name, i->name) != 0)
            continue;
        if (strcmp(other->build_id, i->build_id) == 0)
            return UINT32_MAX;
        found = n;
    }
    return found;
}

struct line_pairs *line_pairs_of(const struct profile *before, const struct profile *after)
{
    struct line_pairs *p = xcalloc(1, sizeof *p);
    for (uint32_t n = 0; n < profile_images(before); n++) {
        uint32_t other = find_other_version(after, profile_image(before, n));
        if (other != UINT32_MAX)
            line_pairs_add_image(p, &(struct image_versions){before, after, n, other});
    }
    return p;
}

void line_pairs_free(struct line_pairs *p)
{
    struct line_partner *x, *next;
    struct line_file *f, *next_file;
    if (p == NULL)
        return;
    HASH_ITER (hh, p->partner, x, next) {
        HASH_DEL(p->partner, x);
        free(x->name);
        free(x->after);
        free(x);
    }
    HASH_ITER (hh, p->file, f, next_file) {
        HASH_DEL(p->file, f);
        free(f->name);
        free(f);
    }
    free(p->file_name);
    free(p);
}

char *line_pairs_name(const struct line_pairs *p, const char *image, const char *line)
{
    struct line_partner *found;
    char *name = xasprintf("%s\n%s", image, line);
    HASH_FIND_STR(p->partner, name, found);
    free(name);
    if (found == NULL)
        return xstrdup(line);
    return found->after != NULL ? xstrdup(found->after) : xasprintf("%s" LINE_PAIRS_GONE, line);
}

enum status line_pairs_load(struct line_pairs **p, const struct pcprof_input *before, const struct pcprof_input *after,
                            const char *event, struct errmsg *err)
{
    const struct option_list asked = {.count = event != NULL, .text = {event}};
    const struct pcprof_input *const in[] = {before, after};
    struct profile *profile[2] = {NULL, NULL};
    enum status st = ST_OK;
    for (unsigned s = 0; s < 2 && st == ST_OK; s++) {
        struct pcprof_events e = pcprof_events_of(&asked);
        st = pcprof_load(in[s], &in[s]->selection, &e, LINE_PAIRS_PARTS, &profile[s], err);
        pcprof_events_release(&e);
    }
    if (st == ST_OK)
        *p = line_pairs_of(profile[0], profile[1]);
    profile_free(profile[0]);
    profile_free(profile[1]);
    return st;
}
