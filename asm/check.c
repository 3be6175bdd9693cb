/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The static checker over a program image: reachability, loops, registers read before they are written, sub-arrays,
 * fields. Entry point: pasm_check. */
#include "asm/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "asm/flow.h"
#include "base/order.h"

const char *const check_kind_names[CHECK_COUNT] = {
#define X(sym, name, about) [CHECK_##sym] = name,
    CHECK_KINDS(X)
#undef X
};

struct checker {
    const struct image *im;
    struct flow flow;
    struct check_finding *out;
    size_t found, room;
    uint8_t index_written, value_written; /* bit masks of registers written by any reachable word */
};

struct asm_check_part {
    enum check_part part;
    unsigned number;
};

static void asm_check_find(struct checker *k, enum check_kind kind, unsigned word, struct asm_check_part part,
                           const char *fmt, ...) PRINTF_LIKE(5, 6);

static void asm_check_find(struct checker *k, enum check_kind kind, unsigned word, struct asm_check_part part,
                           const char *fmt, ...)
{
    va_list ap;
    if (k->found == k->room)
        return;
    struct check_finding *f = &k->out[k->found++];
    *f = (struct check_finding){.kind = kind, .word = word, .part = part.part, .number = part.number};
    va_start(ap, fmt);
    vsnprintf(f->text, sizeof f->text, fmt, ap);
    va_end(ap);
}

/* A register's declared name, else its architectural name. */
static const char *register_name(char letter, unsigned n, const char *declared, char plain[8])
{
    if (declared[0] != '\0')
        return declared;
    snprintf(plain, 8, "%c%u", letter, n);
    return plain;
}

/* Reports unreachable words, unless the program has no entries, which is a separate warning. */
static void check_reachable(struct checker *k)
{
    const struct flow *f = &k->flow;
    for (unsigned i = 0; f->reached != 0 && i < k->im->words; i++) {
        unsigned first = i;
        while (i < k->im->words && (f->reached & word_bit(i)) == 0)
            i++;
        if (i - first == 1)
            asm_check_find(k, CHECK_UNREACHABLE, first, (struct asm_check_part){PART_WORD, 0},
                           "no entry leads to this word");
        else if (i > first)
            asm_check_find(k, CHECK_UNREACHABLE, first, (struct asm_check_part){PART_WORD, 0},
                           "no entry leads to these %u words", i - first);
    }
}

/* "3 words: head, head+1, head+2" */
static const char *list_words(const struct flow *f, word_set s, char text[160])
{
    char name[FLOW_NAME];
    int n = snprintf(text, 160, "%u word%s", word_count(s), word_count(s) == 1 ? "" : "s");
    for (word_set rest = s; rest != 0 && n < 100; rest &= rest - 1)
        n += snprintf(text + n, 160 - (size_t)n, "%s%s", rest == s ? ": " : ", ",
                      flow_name(f, word_lowest(rest), name));
    return text;
}

/* The last word of a loop with a backward branch, where a reader expects the exit condition. */
static unsigned loop_end(const struct flow *f, word_set loop)
{
    unsigned end = word_lowest(loop);
    for (word_set rest = loop; rest != 0; rest &= rest - 1) {
        unsigned w = word_lowest(rest);
        if (f->to[w] >= 0 && (unsigned)f->to[w] <= w && (loop & word_bit((unsigned)f->to[w])) != 0)
            end = w;
    }
    return end;
}

static void check_loops(struct checker *k, word_set within);

static void check_loop(struct checker *k, word_set loop, word_set endless)
{
    const struct flow *f = &k->flow;
    struct flow_bound bound;
    char words[160];
    unsigned end = loop_end(f, loop);
    if (flow_find_bound(f, loop, &bound)) {
        check_loops(k, loop & ~word_bit(bound.word));
    } else if ((loop & endless) == 0) {
        asm_check_find(k, CHECK_UNBOUNDED, end, (struct asm_check_part){PART_BRANCH, 0},
                       "no bound is known for this loop of %s", list_words(f, loop, words));
    } else {
        bool left = false;
        for (word_set rest = loop; rest != 0; rest &= rest - 1)
            left = left || (f->next[word_lowest(rest)] & ~loop) != 0;
        if (!left)
            asm_check_find(k, CHECK_ENDLESS, end, (struct asm_check_part){PART_BRANCH, 0},
                           "this loop never reaches done or interrupt; it has %s", list_words(f, loop, words));
    }
}

static void check_loops(struct checker *k, word_set within)
{
    const struct flow *f = &k->flow;
    word_set endless = f->reached & ~flow_backward(f, f->exits, ~(word_set)0);
    for (word_set rest = within; rest != 0;) {
        unsigned w = word_lowest(rest);
        word_set loop = flow_cycle(f, w, within);
        if (loop != 0)
            check_loop(k, loop, endless);
        rest &= ~(loop | word_bit(w));
    }
}

static void find_written(struct checker *k)
{
    const struct flow *f = &k->flow;
    for (word_set rest = f->reached; rest != 0; rest &= rest - 1) {
        struct flow_registers r = flow_registers(f, word_lowest(rest));
        k->value_written |= (uint8_t)r.values_written;
        k->index_written |= (uint8_t)r.indexes_written;
    }
}

/* Explains early reads that only samples started by the host reach: an unneeded .target makes its label an entry of the
 * host. "": samples of a class reach one of them, too. */
static const char *explain_early(const struct checker *k, word_set writers, word_set early, char text[160])
{
    struct flow f = k->flow;
    char name[FLOW_NAME];
    text[0] = '\0';
    f.entries = k->flow.entries & ~k->flow.phases;
    if ((flow_before(&f, writers) & early) != 0)
        return text;
    for (word_set rest = k->flow.phases; rest != 0; rest &= rest - 1) {
        f.entries = word_bit(word_lowest(rest));
        if ((flow_before(&f, writers) & early) != 0)
            snprintf(text, 160, "; only from '%s', where the host may start samples, as no branch uses its '.target'",
                     flow_name(&f, word_lowest(rest), name));
    }
    return text;
}

/* A read is stale if the register has been written for this sample on some paths to it but not on all. If no path
 * writes it, the register carries a value between samples; only the source shows whether that is intended. */
static void asm_check_value(struct checker *k, unsigned r)
{
    const struct flow *f = &k->flow;
    word_set writers = 0, readers = 0, after = 0;
    for (word_set rest = f->reached; rest != 0; rest &= rest - 1) {
        struct flow_registers of = flow_registers(f, word_lowest(rest));
        writers |= of.values_written >> r & 1 ? word_bit(word_lowest(rest)) : 0;
        readers |= of.values_read >> r & 1 ? word_bit(word_lowest(rest)) : 0;
    }
    for (word_set rest = writers; rest != 0; rest &= rest - 1)
        after |= f->next[word_lowest(rest)];
    word_set maybe = flow_forward(f, after, f->reached), early = readers & flow_before(f, writers);
    struct asm_check_part part = {PART_VALUE, r};
    char plain[8], numbered[8], host[160];
    const char *name = register_name('v', r, k->im->value_name[r], plain);
    register_name('v', r, "", numbered);
    if (readers != 0 && writers == 0)
        asm_check_find(k, CHECK_UNWRITTEN, word_lowest(readers), part,
                       "value register '%s' is read and no word writes it: it stays 0", name);
    else if ((early & maybe) != 0)
        asm_check_find(k, CHECK_STALE, word_lowest(early & maybe), part,
                       "some paths to this word have not written '%s': it then holds what an earlier sample left%s",
                       name, explain_early(k, writers, early & maybe, host));
    else if (early != 0)
        asm_check_find(
            k, CHECK_KEPT, word_lowest(early), part,
            "no path to this word has written '%s': it holds what an earlier sample left, and 0 for the first; "
            "if that is meant, '.value %s%s%s, keep' says so%s",
            name, name, name != plain ? " = " : "", name != plain ? numbered : "",
            explain_early(k, writers, early, host));
}

/* An undeclared index register that is only used in addresses is the idiom for row 0 of a sub-array. */
static void check_index(struct checker *k, unsigned r)
{
    const struct flow *f = &k->flow;
    for (word_set rest = f->reached; rest != 0 && (k->index_written >> r & 1) == 0; rest &= rest - 1) {
        unsigned i = word_lowest(rest);
        bool counted = f->u[i].b == BSRC_INDEX || f->u[i].idx != IDX_NONE;
        char plain[8];
        if (!f->use[i].index_read || f->u[i].ir != r || (!counted && k->im->index_name[r][0] == '\0'))
            continue;
        asm_check_find(k, CHECK_UNWRITTEN, i, (struct asm_check_part){PART_INDEX, r},
                       "index register '%s' is read and no word writes it: it stays 0",
                       register_name('i', r, k->im->index_name[r], plain));
        return;
    }
}

/* Constant and base registers hold the image's values. An unnamed register of value 0 may be declared; only the source
 * has the declaration. */
static void check_undeclared(struct checker *k)
{
    const struct image *im = k->im;
    unsigned consts = 0, bases = 0;
    for (word_set rest = k->flow.reached; rest != 0; rest &= rest - 1) {
        unsigned i = word_lowest(rest);
        const struct uop *u = &k->flow.u[i];
        bool is_const = u->b >= BSRC_CONST && u->b < BSRC_CONST + ISA_CONSTS;
        unsigned c = is_const ? u->b - BSRC_CONST : 0;
        if (is_const && im->constant[c] == 0 && im->const_name[c][0] == '\0' && (consts >> c & 1) == 0) {
            asm_check_find(k, CHECK_UNWRITTEN, i, (struct asm_check_part){PART_CONST, c},
                           "constant register 'c%u' is read and no .const sets it: it is 0", c);
            consts |= 1u << c;
        }
        bool undeclared = u->base != 0 && im->base[u->base] == 0 && im->base_name[u->base][0] == '\0';
        if (k->flow.use[i].base && undeclared && (bases >> u->base & 1) == 0) {
            asm_check_find(k, CHECK_UNWRITTEN, i, (struct asm_check_part){PART_BASE, u->base},
                           "base register 'b%u' is used and no .base sets it: it is 0", u->base);
            bases |= 1u << u->base;
        }
    }
}

static const struct image_layout *layout_of(const struct image *im, unsigned base)
{
    for (unsigned i = 0; i < im->layouts; i++)
        if (im->layout[i].base == base)
            return &im->layout[i];
    return NULL;
}

/* An address is base OR index, so the sub-array must start at a multiple of the index's range and end within its slots
 * and the array. */
static void check_range(struct checker *k, unsigned i)
{
    const struct image *im = k->im;
    const struct uop *u = &k->flow.u[i];
    unsigned base = im->base[u->base], reach = k->index_written >> u->ir & 1 ? 1u << im->index_width[u->ir] : 1;
    unsigned size = u->data != DATA_NONE ? im->data_rows : im->cam_entries;
    if (k->flow.use[i].entry_write && im->cam_entries < size)
        size = im->cam_entries;
    char plain_base[8], plain_index[8];
    const char *name = register_name('b', u->base, im->base_name[u->base], plain_base);
    const char *index = register_name('i', u->ir, im->index_name[u->ir], plain_index);
    const struct image_layout *l = layout_of(im, u->base);
    struct asm_check_part part = {PART_INDEX, u->ir};
    if (l != NULL && reach > l->count)
        asm_check_find(k, CHECK_RANGE, i, part, "index '%s' has %u values, and '%s' has %u slots", index, reach, name,
                       l->count);
    else if ((base & (reach - 1)) != 0)
        asm_check_find(k, CHECK_RANGE, i, part,
                       "base '%s' is %u, no multiple of the %u values of index '%s': addresses are formed by OR", name,
                       base, reach, index);
    else if (base + reach > size)
        asm_check_find(k, CHECK_RANGE, i, part,
                       "'%s[%s]' reaches address %u, and the program asks for %s of %u: see .slot and .geometry", name,
                       index, base + reach - 1,
                       u->data != DATA_NONE && size == im->data_rows ? "a data array" : "an associative array", size);
}

static void check_match(struct checker *k, unsigned i)
{
    const struct image *im = k->im;
    const struct uop *u = &k->flow.u[i];
    unsigned base = im->base[u->base], reach = 1u << im->index_width[u->iw];
    char plain_base[8], plain_index[8];
    const char *name = register_name('b', u->base, im->base_name[u->base], plain_base);
    const char *index = register_name('i', u->iw, im->index_name[u->iw], plain_index);
    const struct image_layout *l = layout_of(im, u->base);
    struct asm_check_part part = {PART_INDEX, u->iw};
    if (l != NULL && l->count != reach)
        asm_check_find(k, CHECK_MATCH, i, part, "match searches the %u entries of index '%s', and '%s' has %u slots",
                       reach, index, name, l->count);
    else if ((base & (reach - 1)) != 0)
        asm_check_find(k, CHECK_MATCH, i, part,
                       "match searches the %u entries of index '%s', and base '%s' is %u, no multiple of that", reach,
                       index, name, base);
    else if (base + reach > im->cam_entries)
        asm_check_find(
            k, CHECK_MATCH, i, part,
            "match searches entries %u to %u, and the program asks for an associative array of %u: see .geometry", base,
            base + reach - 1, im->cam_entries);
}

/* Rows or entries from `first` on. */
struct area {
    unsigned first, count;
};

static bool overlap(struct area x, struct area y) { return x.first < y.first + y.count && y.first < x.first + x.count; }

/* The rows or entries that the word can address: the host can set the index, also one that no word writes. */
static struct area reached_by(const struct image *im, const struct uop *u, unsigned index)
{
    return (struct area){im->base[u->base], 1u << im->index_width[index]};
}

static bool writes_entries(const struct checker *k, struct area entries)
{
    for (word_set rest = k->flow.reached; rest != 0; rest &= rest - 1) {
        const unsigned i = word_lowest(rest);
        const struct uop *u = &k->flow.u[i];
        if (k->flow.use[i].key_write && overlap(reached_by(k->im, u, u->ir), entries))
            return true;
    }
    return false;
}

static bool writes_lane(const struct checker *k, struct area rows, struct isa_lane_row lane)
{
    for (word_set rest = k->flow.reached; rest != 0; rest &= rest - 1) {
        const unsigned i = word_lowest(rest);
        const struct uop *u = &k->flow.u[i];
        const struct isa_lane_row written = isa_lanes[u->lane];
        if (k->flow.use[i].row_write && overlap(reached_by(k->im, u, u->ir), rows) &&
            overlap((struct area){written.low, written.width}, (struct area){lane.low, lane.width}))
            return true;
    }
    return false;
}

/* Bit mask of the members of a slot that no word fills; bit IMAGE_MEMBERS: its key. */
static unsigned unwritten_members(const struct checker *k, const struct image_layout *l)
{
    const struct area rows = {k->im->base[l->base], l->count};
    unsigned unwritten = l->key != FORMAT_NONE && !writes_entries(k, rows) ? 1u << IMAGE_MEMBERS : 0;
    for (unsigned m = 0; m < l->members; m++)
        unwritten |= (unsigned)!writes_lane(k, rows, isa_lanes[l->member[m].lane]) << m;
    return unwritten;
}

static void check_members(struct checker *k)
{
    const struct image *im = k->im;
    for (unsigned n = 0; n < im->layouts && k->flow.reached != 0; n++) {
        const struct image_layout *l = &im->layout[n];
        const unsigned key = l->key != FORMAT_NONE ? 1u << IMAGE_MEMBERS : 0, all = key | ((1u << l->members) - 1);
        const unsigned unwritten = unwritten_members(k, l);
        const unsigned first = key != 0 ? IMAGE_MEMBERS : 0;
        if (all == 0)
            continue; /* a slot without members */
        if (unwritten == all)
            asm_check_find(k, CHECK_UNWRITTEN, im->words,
                           (struct asm_check_part){PART_MEMBER, n * CHECK_MEMBERS + first},
                           "no word writes the slots of '%s'", l->name);
        else if ((unwritten & key) != 0)
            asm_check_find(k, CHECK_UNWRITTEN, im->words,
                           (struct asm_check_part){PART_MEMBER, n * CHECK_MEMBERS + IMAGE_MEMBERS},
                           "no word writes the key of '%s', so no slot is valid", l->name);
        for (unsigned m = 0; m < l->members && unwritten != all; m++)
            if ((unwritten >> m & 1) != 0)
                asm_check_find(k, CHECK_UNWRITTEN, im->words,
                               (struct asm_check_part){PART_MEMBER, n * CHECK_MEMBERS + m},
                               "no word writes the member '%s' of '%s': it stays 0", l->member[m].name, l->name);
    }
}

/* A match among entries that no word writes misses always. */
static void check_entries(struct checker *k, unsigned i)
{
    const struct uop *u = &k->flow.u[i];
    char plain[8];
    if (!writes_entries(k, reached_by(k->im, u, u->iw)))
        asm_check_find(k, CHECK_MATCH, i, (struct asm_check_part){PART_BASE, u->base},
                       "no word writes the entries of '%s' that match searches: it misses always",
                       register_name('b', u->base, k->im->base_name[u->base], plain));
}

/* Checks each pair of base and index once, at the first word that uses it. */
static void check_addresses(struct checker *k)
{
    uint8_t seen[ISA_BASES] = {0}, seen_match[ISA_BASES] = {0};
    for (word_set rest = k->flow.reached; rest != 0; rest &= rest - 1) {
        unsigned i = word_lowest(rest);
        const struct uop *u = &k->flow.u[i];
        bool addressed = k->flow.use[i].address;
        if (addressed && (seen[u->base] >> u->ir & 1) == 0)
            check_range(k, i);
        if (addressed)
            seen[u->base] |= (uint8_t)(1u << u->ir);
        if (u->cam == CAM_MATCH && (seen_match[u->base] >> u->iw & 1) == 0)
            check_match(k, i);
        if (u->cam == CAM_MATCH && (seen_match[u->base] >> u->iw & 1) == 0)
            check_entries(k, i);
        if (u->cam == CAM_MATCH)
            seen_match[u->base] |= (uint8_t)(1u << u->iw);
    }
}

/* A condition that compares A and B in a word whose operation does not use A reads value register 0: legal, but hardly
 * intended. */
static void check_compare(struct checker *k)
{
    const struct flow *f = &k->flow;
    for (word_set rest = f->reached & f->conditional; rest != 0; rest &= rest - 1) {
        unsigned i = word_lowest(rest);
        const struct uop *u = &f->u[i];
        const struct isa_cond_row *c = isa_find_cond(u->cond);
        if (c->need == NEED_OPERANDS && !f->use[i].a)
            asm_check_find(k, CHECK_COMPARE, i, (struct asm_check_part){PART_BRANCH, 0},
                           "'%s' compares v0 here: '%s' has no first operand", u->invert ? c->inverse : c->name,
                           isa_find_op(UNIT_ALU, u->alu)->mnemonic);
    }
}

/* The classes whose samples can reach a word. For a phase the host chooses the classes, so all of the program's are
 * possible. */
static uint32_t classes_at(const struct flow *f, unsigned word, bool *by_host)
{
    uint32_t at = 0, all = 0;
    for (unsigned c = 0; c < OPCLASS_COUNT; c++) {
        at |= (f->from_class[c] & word_bit(word)) != 0 ? 1u << c : 0;
        all |= f->from_class[c] != 0 ? 1u << c : 0;
    }
    *by_host = at == 0;
    return at != 0 ? at : all;
}

/* "class load", "classes load, fload" */
static const char *asm_check_list_classes(uint32_t classes, char text[220])
{
    int n = snprintf(text, 220, "class%s", (classes & (classes - 1)) != 0 ? "es" : "");
    for (uint32_t rest = classes; rest != 0; rest &= rest - 1)
        n += snprintf(text + n, 220 - (size_t)n, "%s %s", rest == classes ? "" : ",",
                      opclass_name((enum opclass)__builtin_ctz(rest)));
    return text;
}

/* Returns whether the field is an event of the access to the cache. A store makes its access after its retirement. */
static bool is_of_access(enum sample_field f)
{
    return f == FIELD_L1MISS || f == FIELD_L2MISS || f == FIELD_LLMISS || f == FIELD_HITM;
}

/* Reports reads of fields that are not meaningful for a class whose samples can reach the word; after an entry chosen
 * by the host, for any class of the program. */
static void check_fields(struct checker *k)
{
    const uint32_t stores = 1u << OPCLASS_STORE | 1u << OPCLASS_FSTORE;
    const struct flow *f = &k->flow;
    for (word_set rest = f->reached; rest != 0; rest &= rest - 1) {
        unsigned i = word_lowest(rest), position = f->u[i].b - BSRC_FIELD;
        char names[220];
        bool by_host;
        if (f->u[i].b < BSRC_FIELD)
            continue;
        enum sample_field field = (enum sample_field)k->im->field[position];
        uint32_t classes = classes_at(f, i, &by_host), without = classes & ~sample_field_classes(field);
        struct asm_check_part part = {PART_FIELD, position};
        if (without != 0 && (!by_host || without == classes))
            asm_check_find(k, CHECK_FIELD, i, part, "samples of %s come here and carry no '%s'",
                           asm_check_list_classes(without, names), sample_fields[field].name);
        else if ((classes & stores) != 0 && k->im->sampler.sampler == SAMPLER_RETIRE && is_of_access(field))
            asm_check_find(
                k, CHECK_FIELD, i, part,
                "'%s' is 0 in samples of %s: the sampler retire delivers a store before its access; the sampler "
                "profileme delivers it behind its access",
                sample_fields[field].name, asm_check_list_classes(classes & stores, names));
    }
}

ORDER(by_word, struct check_finding, RISING(word) RISING(kind))

size_t pasm_check(const struct image *im, struct check_finding *out, size_t room)
{
    struct checker k = {.im = im, .out = out, .room = room};
    flow_init(&k.flow, im);
    find_written(&k);
    check_reachable(&k);
    check_loops(&k, k.flow.reached);
    for (unsigned r = 0; r < ISA_VALUES; r++)
        asm_check_value(&k, r);
    for (unsigned r = 0; r < ISA_INDEXES; r++)
        check_index(&k, r);
    check_undeclared(&k);
    check_addresses(&k);
    check_members(&k);
    check_compare(&k);
    check_fields(&k);
    qsort(out, k.found, sizeof *out, by_word);
    return k.found;
}
