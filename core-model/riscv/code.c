/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cache of decoded instructions: rv_fetch, rv_discard_code. Lookup is by page number, without hashing. */
#include "core-model/riscv/code.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "core-model/riscv/translate/translation.h"

static const size_t table_bytes = sizeof(struct rv_page *) * MEM_PAGES;

enum status code_init(struct hart *h, struct errmsg *err)
{
    struct rv_code *code = xcalloc(1, sizeof *code);
    void *table = mmap(NULL, table_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (table == MAP_FAILED) {
        free(code);
        return fail(err, ST_IO, "cannot reserve 512 MiB of address space for decoded code: %s", strerror(errno));
    }
    code->page = table;
    h->code = code;
    return ST_OK;
}

static void free_dead(struct rv_code *code)
{
    for (uint32_t i = 0; i < code->dead_count; i++)
        free(code->dead[i]);
    code->dead_count = 0;
}

void code_fini(struct hart *h)
{
    struct rv_code *code = h->code;
    if (code == NULL)
        return;
    if (code->translation != NULL)
        translation_release(code->translation);
    free_dead(code);
    for (uint32_t i = 0; i < code->live_count; i++)
        free(code->live[i]);
    free(code->live);
    free(code->dead);
    munmap(code->page, table_bytes);
    free(code);
    h->code = NULL;
}

static void code_append(struct rv_page ***list, uint32_t *count, uint32_t *capacity, struct rv_page *page)
{
    if (*count == *capacity) {
        *capacity = *capacity ? *capacity * 2 : 64;
        *list = xrealloc(*list, *capacity * sizeof **list);
    }
    (*list)[(*count)++] = page;
}

static struct rv_page *add_page(struct rv_code *code, uint64_t pc, uint64_t serial)
{
    struct rv_page *page = xcalloc(1, sizeof *page);
    page->start = pc & ~(uint64_t)(MEM_PAGE_BYTES - 1);
    page->serial = serial;
    page->index = code->live_count;
    code_append(&code->live, &code->live_count, &code->live_capacity, page);
    code->page[pc >> MEM_PAGE_BITS] = page;
    return page;
}

struct rv_page *code_page_slow(struct hart *h, uint64_t pc)
{
    if (!memory_allows(&h->mem, pc & ~UINT64_C(1), 2, MEM_X))
        return NULL;
    struct rv_page *page = add_page(h->code, pc, ++h->code->serials);
    (void)memory_read(&h->mem, page->start, page->bytes, sizeof page->bytes); /* missing: nothing is decoded */
    return page;
}

enum rv_trap code_decode(const struct hart *h, uint64_t pc, struct rv_insn *out)
{
    uint16_t low, high = 0;
    if ((pc & 1) != 0 || !memory_allows(&h->mem, pc, sizeof low, MEM_X))
        return RV_TRAP_FETCH;
    if (!memory_read(&h->mem, pc, &low, sizeof low))
        return RV_TRAP_FETCH_BUS;
    if ((low & 3) == 3) {
        if (!memory_allows(&h->mem, pc + 2, sizeof high, MEM_X))
            return RV_TRAP_FETCH;
        if (!memory_read(&h->mem, pc + 2, &high, sizeof high))
            return RV_TRAP_FETCH_BUS;
    }
    return rv_decode(low | (uint32_t)high << 16, out) ? RV_TRAP_NONE : RV_TRAP_ILLEGAL;
}

const struct rv_insn *code_fetch_slow(struct hart *h, uint64_t pc, enum rv_trap *trap)
{
    struct rv_page *page = code_page(h, pc);
    if (page == NULL || (pc & 1) != 0) {
        *trap = RV_TRAP_FETCH;
        return NULL;
    }
    struct rv_insn decoded;
    *trap = code_decode(h, pc, &decoded);
    return *trap == RV_TRAP_NONE ? code_enter(page, pc >> 1 & (CODE_SLOTS - 1), &decoded) : NULL;
}

const struct rv_insn *rv_fetch(struct hart *h, uint64_t pc, enum rv_trap *trap) { return code_fetch(h, pc, trap); }

static void drop_page(struct rv_code *code, struct rv_page *page)
{
    if (code->translation != NULL)
        translation_drop_page(code->translation, page);
    struct rv_page *last = code->live[--code->live_count];
    code->live[page->index] = last;
    last->index = page->index;
    code->page[page->start >> MEM_PAGE_BITS] = NULL;
    code_append(&code->dead, &code->dead_count, &code->dead_capacity, page);
    code->discards++;
}

/* ---- a flush: pages are dropped of which memory no longer holds an instruction ---- */

/* Whether memory holds what the slot was decoded from, if it was. */
static bool is_slot_current(const struct hart *h, const struct rv_page *page, size_t slot)
{
    struct rv_insn now;
    const struct rv_insn *in = &page->insn[slot];
    return in->length_bytes == 0 ||
           (code_decode(h, page->start + 2 * slot, &now) == RV_TRAP_NONE && now.word == in->word);
}

/* Whether the page has the contents that it had when it was decoded. Private anonymous memory that is not writable has
 * not changed: a change of its permissions would have discarded the page. */
static bool is_unchanged(const struct hart *h, const struct rv_page *page)
{
    enum { CHANGES = MEM_PLAIN | MEM_W | MEM_SHARED };
    uint8_t contents[MEM_PAGE_BYTES];
    const unsigned perm = h->mem.perm[page->start >> MEM_PAGE_BITS];
    const uint8_t *now = memory_at(&h->mem, page->start);
    if (page->differs)
        return false;
    if ((perm & CHANGES) == MEM_PLAIN)
        return true;
    if (!memory_is_plain(&h->mem, page->start, MEM_PAGE_BYTES)) {
        if (!memory_read(&h->mem, page->start, contents, sizeof contents))
            return false;
        now = contents;
    }
    return memcmp(now, page->bytes, sizeof page->bytes) == 0;
}

static bool is_current(const struct hart *h, struct rv_page *page)
{
    if (is_unchanged(h, page))
        return is_slot_current(h, page, CODE_SLOTS - 1); /* it may extend into the next page */
    for (size_t slot = 0; slot < CODE_SLOTS; slot++)
        if (!is_slot_current(h, page, slot))
            return false;
    page->differs = !memory_read(&h->mem, page->start, page->bytes, sizeof page->bytes);
    return true;
}

void rv_drop_stale_code(struct hart *h)
{
    struct rv_code *code = h->code;
    for (uint32_t i = code->live_count; i-- > 0;)
        if (!is_current(h, code->live[i]))
            drop_page(code, code->live[i]);
}

/* Whether an instruction of the page cannot be read: the file that is mapped there has been cut. */
static bool is_missing(const struct hart *h, const struct rv_page *page)
{
    const uint64_t behind = page->start + MEM_PAGE_BYTES;
    uint16_t half;
    return !memory_read(&h->mem, page->start, &half, sizeof half) ||
           (page->insn[CODE_SLOTS - 1].length_bytes == 4 && !memory_read(&h->mem, behind, &half, sizeof half));
}

void rv_drop_missing_code(struct hart *h)
{
    struct rv_code *code = h->code;
    for (uint32_t i = code->live_count; i-- > 0;)
        if (is_missing(h, code->live[i]))
            drop_page(code, code->live[i]);
}

/* ---- a second decode cache, which follows another one ---- */

static struct rv_page *page_at(const struct rv_code *code, uint64_t pc)
{
    return pc >> MEM_ADDRESS_BITS == 0 ? code->page[pc >> MEM_PAGE_BITS] : NULL;
}

uint64_t rv_code_serial(const struct hart *h, uint64_t pc)
{
    const struct rv_page *page = page_at(h->code, pc);
    return page != NULL ? page->serial : 0;
}

uint64_t rv_last_code_serial(const struct hart *h) { return h->code->serials; }

void rv_follow_code(struct hart *h, uint64_t pc, uint64_t serial)
{
    struct rv_page *page = page_at(h->code, pc);
    if (page != NULL && page->serial != serial) {
        free_dead(h->code);
        drop_page(h->code, page);
        page = NULL;
    }
    if (page == NULL && serial != 0)
        (void)add_page(h->code, pc, serial);
}

const struct rv_insn *rv_decoded(const struct hart *h, uint64_t pc)
{
    const struct rv_insn *in = &h->code->page[pc >> MEM_PAGE_BITS]->insn[pc >> 1 & (CODE_SLOTS - 1)];
    return in->length_bytes != 0 ? in : NULL;
}

const struct rv_insn *rv_enter_code(struct hart *h, uint64_t pc, uint32_t word)
{
    struct rv_insn *in = &h->code->page[pc >> MEM_PAGE_BITS]->insn[pc >> 1 & (CODE_SLOTS - 1)];
    return rv_decode(word, in) ? in : NULL;
}

void rv_free_code(struct hart *h) { free_dead(h->code); }

void rv_discard_code(struct hart *h, uint64_t start, uint64_t size_bytes)
{
    free_dead(h->code);
    rv_drop_code(h, start, size_bytes);
}

void rv_drop_code(struct hart *h, uint64_t start, uint64_t size_bytes)
{
    struct rv_code *code = h->code;
    uint64_t end = size_bytes > UINT64_MAX - start ? UINT64_MAX : start + size_bytes;
    /* An instruction at the end of the previous page may extend into the range. */
    uint64_t from = start & ~(uint64_t)(MEM_PAGE_BYTES - 1);
    from = from >= MEM_PAGE_BYTES ? from - MEM_PAGE_BYTES : 0;
    if (code->translation != NULL && from == 0 && end == UINT64_MAX)
        code->translation->is_stale = true; /* instead of each block */
    for (uint32_t i = code->live_count; i-- > 0;) {
        struct rv_page *page = code->live[i];
        if (page->start >= from && page->start < end)
            drop_page(code, page);
    }
}
