/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core-model/riscv/compile/region.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_TURN = 16,     /* the run is long enough to load the compiler */
    CREDIT_PER_TURN = 2, /* instructions that may be compiled: about a third of the turn's time */
    FIRST_CREDIT = 64,
    MOST_CREDIT = 4 * REGION_INSNS, /* limit of the credit that a run without new regions accumulates */
    TRIED = 1 << 10,                /* a region is judged after this number of entries */
    TOO_FEW = 64,     /* executed instructions for each entry; with fewer, a larger region is worth trying */
    FAR_TOO_FEW = 24, /* interpreting is as fast */
    MOST_GROWTH = 6,
    MOST_JOINED = 32, /* regions */
    WATCH_COST = 8,   /* instructions of the functional loop that take as long as one with an observer */
    FREQUENT = 64,    /* an exit is frequent if it is one of so many */
};

/* Whether the instruction's rounding mode counts, and is to nearest even at least if the dynamic one is. */
static bool rounds(const struct rv_insn *in)
{
    enum rv_kind kind = (enum rv_kind)rv_rows[in->op].kind;
    return kind == RV_KIND_F1R || kind == RV_KIND_F2R || kind == RV_KIND_F3R || kind == RV_KIND_FCI;
}

/* Whether the instruction is compiled. Atomics, system instructions and other static rounding modes are not;
 * conversions to integers are, in every mode. */
static bool is_compilable(const struct rv_insn *in)
{
    switch ((enum rv_kind)rv_rows[in->op].kind) {
    case RV_KIND_LR:
    case RV_KIND_SC:
    case RV_KIND_AMO:
    case RV_KIND_FENCE_I:
    case RV_KIND_ECALL:
    case RV_KIND_EBREAK:
    case RV_KIND_CSR:
        return false;
    case RV_KIND_F1R:
    case RV_KIND_F2R:
    case RV_KIND_F3R:
        return in->rm == FP_RNE || in->rm == FP_DYN;
    case RV_KIND_FCI:
        return in->rm < FP_MODES || in->rm == FP_DYN;
    default:
        return true;
    }
}

/* A region while it is found; `insn` is in the order of the search at first. `number` is a table of hashed addresses:
 * the number of the instruction, from 1; 0: none. */
enum { SEARCH_NUMBERS = 2 * REGION_INSNS };
struct region_search {
    const struct rv_code *code;
    struct region_insn insn[REGION_INSNS];
    size_t count;
    uint16_t number[SEARCH_NUMBERS];
    struct compiled_region *joined[MOST_JOINED]; /* regions that it replaces */
    size_t joined_count;
};

static size_t slot_of(uint64_t pc) { return pc >> 1 & (CODE_SLOTS - 1); }

static struct rv_page *page_of(const struct rv_code *code, uint64_t pc)
{
    return pc >> MEM_ADDRESS_BITS == 0 ? code->page[pc >> MEM_PAGE_BITS] : NULL;
}

static void search_begin(struct region_search *s, const struct rv_code *code)
{
    s->code = code;
    s->count = s->joined_count = 0;
    memset(s->number, 0, sizeof s->number);
}

/* The place in `number` of the instruction at pc, or the one for it. */
static uint16_t *search_number(struct region_search *s, uint64_t pc)
{
    size_t i = (pc >> 1 ^ pc >> 10) % SEARCH_NUMBERS;
    while (s->number[i] != 0 && s->insn[s->number[i] - 1].pc != pc)
        i = (i + 1) % SEARCH_NUMBERS;
    return &s->number[i];
}

/* Adds the instruction at pc if it has been executed. */
static void region_add(struct region_search *s, uint64_t pc, bool entry)
{
    uint16_t *number = search_number(s, pc);
    const struct rv_page *page = page_of(s->code, pc);
    if (*number != 0) {
        s->insn[*number - 1].entry |= entry;
    } else if (s->count < REGION_INSNS && pc != s->code->regions->outside && page != NULL &&
               page->insn[slot_of(pc)].length_bytes != 0) {
        s->insn[s->count++] = (struct region_insn){pc, page->insn[slot_of(pc)], entry};
        *number = (uint16_t)s->count;
    }
}

/* Adds what may be executed after the instruction. Entries are where the loop may come from outside: targets of calls
 * and of backward transfers, and instructions behind calls and behind those that are not compiled. */
static void region_add_successors(struct region_search *s, const struct region_insn *i)
{
    const uint64_t next = i->pc + i->in.length_bytes, target = i->pc + (uint64_t)(int64_t)i->in.imm;
    switch ((enum rv_kind)rv_rows[i->in.op].kind) {
    case RV_KIND_BR:
        region_add(s, target, target <= i->pc);
        region_add(s, next, false);
        break;
    case RV_KIND_JAL:
        region_add(s, target, i->in.dst != 0 || target <= i->pc);
        if (i->in.dst != 0)
            region_add(s, next, true);
        break;
    case RV_KIND_JALR:
        if (i->in.dst != 0)
            region_add(s, next, true);
        break;
    default:
        region_add(s, next, !is_compilable(&i->in));
    }
}

static int region_by_address(const void *a, const void *b)
{
    const struct region_insn *x = a, *y = b;
    return (x->pc > y->pc) - (x->pc < y->pc);
}

/* Finds the executed instructions that can be reached from those found first, the nearest first. Those that are not
 * compiled are left out in the end. */
static void search_on(struct region_search *s)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct region_insn from = s->insn[i];
        region_add_successors(s, &from);
    }
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++)
        if (is_compilable(&s->insn[i].in))
            s->insn[kept++] = s->insn[i];
    s->count = kept;
    qsort(s->insn, s->count, sizeof *s->insn, region_by_address);
}

static void search_from(struct region_search *s, const struct rv_code *code, uint64_t pc)
{
    search_begin(s, code);
    region_add(s, pc, true);
    search_on(s);
}

/* The region that is entered at pc; NULL: none. */
static struct compiled_region *entered_at(const struct rv_code *code, uint64_t pc)
{
    const struct rv_page *page = page_of(code, pc);
    const struct region_entry *entry = page != NULL && page->entry != NULL ? page->entry[slot_of(pc)] : NULL;
    return entry != NULL ? entry->region : NULL;
}

static void region_join(struct region_search *s, struct compiled_region *r)
{
    for (size_t i = 0; i < s->joined_count; i++)
        if (s->joined[i] == r)
            return;
    if (r != NULL && s->joined_count < MOST_JOINED)
        s->joined[s->joined_count++] = r;
}

/* Searches again for a region that is left too soon: from its entries and its frequent exits, and from those of the
 * regions that are entered there. */
static void search_around(struct region_search *s, const struct rv_code *code, struct compiled_region *first)
{
    search_begin(s, code);
    region_join(s, first);
    for (size_t k = 0; k < s->joined_count; k++) {
        const struct compiled_region *r = s->joined[k];
        for (size_t i = 0; i < r->entries; i++)
            region_add(s, r->entry[i].pc, true);
        for (size_t i = 0; i < REGION_EXITS; i++) {
            if (r->exit[i].times * FREQUENT <= r->entered)
                continue;
            region_add(s, r->exit[i].pc, true);
            region_join(s, entered_at(code, r->exit[i].pc));
        }
    }
    search_on(s);
}

/* Has the loop enter the region there, unless it enters another one. The functional loop, which enters by a handler,
 * may go past the instruction because it is the second of a pair. */
static void install(struct rv_code *code, struct region_entry *entry)
{
    struct rv_page *page = page_of(code, entry->pc);
    struct rv_hot *slot = &page->hot[slot_of(entry->pc)];
    const bool by_handler = code->regions->watch == NULL;
    if (page->entry == NULL)
        page->entry = xcalloc(CODE_SLOTS, sizeof(struct region_entry *));
    if (page->entry[slot_of(entry->pc)] != NULL || (by_handler && slot->handler == 0))
        return;
    page->entry[slot_of(entry->pc)] = entry;
    entry->handler = slot->handler;
    if (by_handler)
        slot->handler = code->regions->handler;
}

static void uninstall(struct rv_code *code, const struct region_entry *entry)
{
    struct rv_page *page = page_of(code, entry->pc);
    if (page == NULL || page->entry == NULL || page->entry[slot_of(entry->pc)] != entry)
        return;
    page->entry[slot_of(entry->pc)] = NULL;
    page->hot[slot_of(entry->pc)].handler = entry->handler;
}

/* Marks an instruction so that it is not tried again. */
static void mark_tried(struct rv_code *code, uint64_t pc)
{
    page_of(code, pc)->tried[slot_of(pc) / 64] |= UINT64_C(1) << slot_of(pc) % 64;
}

static void note_pages(struct compiled_region *r, const struct region_search *s)
{
    for (size_t i = 0; i < s->count; i++) {
        const uint64_t number = s->insn[i].pc >> MEM_PAGE_BITS;
        if (r->pages == 0 || r->page[r->pages - 1] != number) {
            r->page = xrealloc(r->page, (r->pages + 1) * sizeof *r->page);
            r->page[r->pages++] = number;
        }
    }
}

static void add_region(struct rv_code *code, const struct region_search *s, unsigned growth, void *made,
                       region_function *function)
{
    struct regions *all = code->regions;
    struct compiled_region *r = xcalloc(1, sizeof *r);
    *r = (struct compiled_region){.function = function, .code = made, .longest = (uint32_t)s->count, .growth = growth};
    all->region = xrealloc(all->region, (all->count + 1) * sizeof(struct compiled_region *));
    all->region[all->count++] = r;
    note_pages(r, s);
    for (size_t i = 0; i < s->count; i++)
        r->rounds |= rounds(&s->insn[i].in);
    r->entry = xcalloc(s->count, sizeof *r->entry);
    for (size_t i = 0; i < s->count; i++) {
        if (!s->insn[i].entry)
            continue;
        r->entry[r->entries] = (struct region_entry){.region = r, .pc = s->insn[i].pc};
        install(code, &r->entry[r->entries++]);
    }
}

/* Its instructions stay marked as tried, so that they are not compiled again. */
static void remove_region(struct rv_code *code, struct compiled_region *r)
{
    struct regions *all = code->regions;
    size_t number = 0;
    while (all->region[number] != r)
        number++;
    all->region[number] = all->region[--all->count];
    for (size_t i = 0; i < r->entries; i++)
        uninstall(code, &r->entry[i]);
    all->executed += r->executed;
    all->compiler->release(r->code);
    free(r->entry);
    free(r->page);
    free(r);
}

static void compile(struct rv_code *code, const struct region_search *s, unsigned growth)
{
    region_function *function;
    void *made = code->regions->compiler->compile(s->insn, s->count, code->regions->watch, &function);
    code->regions->credit -= s->count;
    for (size_t i = 0; i < s->count; i++)
        mark_tried(code, s->insn[i].pc);
    if (made != NULL)
        add_region(code, s, growth, made, function);
}

/* A region that is left too soon is replaced by one with the instructions that follow, or given up. Returns whether the
 * regions have changed. */
static bool region_judge(struct rv_code *code, struct compiled_region *r)
{
    if (r->settled || r->entered < TRIED || r->executed / r->entered >= TOO_FEW || code->regions->credit < r->needed)
        return false;
    struct region_search s;
    search_around(&s, code, r);
    const unsigned growth = r->growth + 1;
    const bool grows = growth <= MOST_GROWTH && s.count > r->longest;
    if (grows && s.count > code->regions->credit) {
        r->needed = s.count;
        return false; /* later */
    }
    if (grows) {
        for (size_t i = 0; i < s.joined_count; i++)
            remove_region(code, s.joined[i]);
        compile(code, &s, growth);
    } else if (r->executed / r->entered < FAR_TOO_FEW) {
        remove_region(code, r);
    } else {
        r->settled = true;
        return false;
    }
    return true;
}

static bool is_tried(const struct rv_page *page, uint64_t pc)
{
    return (page->tried[slot_of(pc) / 64] >> slot_of(pc) % 64 & 1) != 0;
}

/* Compiles the region around the instruction at pc, which may itself be none that is compiled. */
static void consider(struct rv_code *code, uint64_t pc)
{
    const struct rv_page *page = page_of(code, pc);
    struct region_search s;
    if (page == NULL || is_tried(page, pc))
        return;
    search_from(&s, code, pc);
    if (s.count > code->regions->credit)
        return; /* later */
    mark_tried(code, pc);
    if (s.count > 0)
        compile(code, &s, 0);
}

static bool load_compiler(struct regions *all)
{
    void *object = dlopen(all->path, RTLD_NOW | RTLD_LOCAL);
    void *symbol = object != NULL ? dlsym(object, REGION_COMPILER_SYMBOL) : NULL;
    const struct region_compiler *(*open)(void);
    memcpy(&open, &symbol, sizeof open);
    all->compiler = symbol != NULL ? open() : NULL;
    return all->compiler != NULL;
}

static void region_turn(struct hart *h)
{
    struct regions *all = h->code->regions;
    if (++all->turns < FIRST_TURN)
        return;
    if (all->compiler == NULL && !load_compiler(all)) {
        regions_fini(h->code);
        return;
    }
    if (all->credit < MOST_CREDIT)
        all->credit += CREDIT_PER_TURN;
    for (size_t i = 0; i < all->count; i++)
        if (region_judge(h->code, all->region[i]))
            return;
    consider(h->code, h->pc);
}

void regions_executed(struct hart *h, uint64_t insts)
{
    struct regions *all = h->code->regions;
    all->since_turn += all->watch != NULL ? insts * WATCH_COST : insts;
    if (all->since_turn < all->turn_insts)
        return;
    all->since_turn = 0;
    region_turn(h);
}

void rv_compile(struct hart *h, const char *path, uint64_t turn_insts)
{
    struct regions *all = xcalloc(1, sizeof *all);
    *all = (struct regions){.path = path, .turn_insts = turn_insts, .credit = FIRST_CREDIT, .outside = UINT64_MAX};
    h->code->regions = all;
}

void regions_forget_page(struct rv_code *code, uint64_t page_number)
{
    for (size_t i = code->regions->count; i-- > 0;) {
        struct compiled_region *r = code->regions->region[i];
        bool is_in = false;
        for (size_t k = 0; k < r->pages; k++)
            is_in |= r->page[k] == page_number;
        if (is_in)
            remove_region(code, r);
    }
}

void regions_watch(struct rv_code *code, struct region_watch *watch, uint64_t outside)
{
    struct regions *all = code->regions;
    if (all == NULL)
        return;
    if ((all->watch != NULL) != (watch != NULL) || all->outside != outside) {
        while (all->count > 0)
            remove_region(code, all->region[all->count - 1]);
        for (uint32_t i = 0; i < code->live_count; i++)
            memset(code->live[i]->tried, 0, sizeof code->live[i]->tried);
    }
    all->watch = watch;
    all->outside = outside;
}

/* The shared object stays loaded: another hart may use it. */
void regions_fini(struct rv_code *code)
{
    while (code->regions->count > 0)
        remove_region(code, code->regions->region[code->regions->count - 1]);
    free(code->regions->region);
    free(code->regions);
    code->regions = NULL;
}

static void note_exit(struct compiled_region *r, uint64_t pc)
{
    struct region_exit *exit = &r->exit[(pc >> 1 ^ pc >> 7) % REGION_EXITS];
    if (exit->pc != pc)
        *exit = (struct region_exit){.pc = pc};
    exit->times++;
}

uint64_t region_execute(struct hart *h, const struct region_entry *entry, uint64_t budget)
{
    struct compiled_region *r = entry->region;
    if (budget <= r->longest || (r->rounds && (h->fcsr >> FCSR_FRM_SHIFT & 7) != FP_RNE))
        return 0;
    const uint64_t executed = r->function(h->reg, h->mem.base, h->mem.perm, &h->pc, &h->fcsr, budget - r->longest,
                                          h->code->regions->watch);
    note_exit(r, h->pc);
    r->entered++;
    r->executed += executed;
    return executed;
}
