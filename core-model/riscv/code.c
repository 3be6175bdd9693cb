/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cache of decoded instructions: rv_fetch, rv_discard_code. Lookup is by page number, without hashing. */
#include "core-model/riscv/code.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "core-model/riscv/compile/region.h"

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

static void free_page(struct rv_page *page)
{
    free(page->entry);
    free(page);
}

static void free_dead(struct rv_code *code)
{
    for (uint32_t i = 0; i < code->dead_count; i++)
        free_page(code->dead[i]);
    code->dead_count = 0;
}

void code_fini(struct hart *h)
{
    struct rv_code *code = h->code;
    if (code == NULL)
        return;
    if (code->regions != NULL)
        regions_fini(code);
    free_dead(code);
    for (uint32_t i = 0; i < code->live_count; i++)
        free_page(code->live[i]);
    free(code->live);
    free(code->dead);
    munmap(code->page, table_bytes);
    free(code);
    h->code = NULL;
}

static void append(struct rv_page ***list, uint32_t *count, uint32_t *capacity, struct rv_page *page)
{
    if (*count == *capacity) {
        *capacity = *capacity ? *capacity * 2 : 64;
        *list = xrealloc(*list, *capacity * sizeof **list);
    }
    (*list)[(*count)++] = page;
}

struct rv_page *code_page_slow(struct hart *h, uint64_t pc)
{
    struct rv_code *code = h->code;
    if (!memory_allows(&h->mem, pc & ~UINT64_C(1), 2, MEM_X))
        return NULL;
    struct rv_page *page = xcalloc(1, sizeof *page);
    page->start = pc & ~(uint64_t)(MEM_PAGE_BYTES - 1);
    page->index = code->live_count;
    append(&code->live, &code->live_count, &code->live_capacity, page);
    code->page[pc >> MEM_PAGE_BITS] = page;
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
    struct rv_insn *in = &page->insn[pc >> 1 & (CODE_SLOTS - 1)], decoded;
    *trap = code_decode(h, pc, &decoded);
    if (*trap != RV_TRAP_NONE)
        return NULL;
    *in = decoded;
    return in;
}

const struct rv_insn *rv_fetch(struct hart *h, uint64_t pc, enum rv_trap *trap) { return code_fetch(h, pc, trap); }

static void drop_page(struct rv_code *code, struct rv_page *page)
{
    if (code->regions != NULL)
        regions_forget_page(code, page->start >> MEM_PAGE_BITS);
    struct rv_page *last = code->live[--code->live_count];
    code->live[page->index] = last;
    last->index = page->index;
    code->page[page->start >> MEM_PAGE_BITS] = NULL;
    append(&code->dead, &code->dead_count, &code->dead_capacity, page);
    code->discards++;
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
    for (uint32_t i = code->live_count; i-- > 0;) {
        struct rv_page *page = code->live[i];
        if (page->start >= from && page->start < end)
            drop_page(code, page);
    }
}
