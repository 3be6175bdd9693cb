/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory of translated code, the blocks in it, and the ways out. */
#include "core-model/riscv/translate/translation.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/order.h"
#include "core-model/riscv/translate/host.h"
#include "core-model/riscv/translate/stencil.h"

enum {
    ROOM_CODE = 1 << 18, /* of a translation from one address, at most */
    ROOM_WAYS = 1 << 11,
    ROOM_SITES = 1 << 9,
};

static const size_t jumps_bytes = RV_JUMPS * sizeof(struct rv_jump);

static uint8_t *writable_at(const struct code_translation *t, uint32_t offset)
{
    return t->code + t->writable + offset;
}

/* ---- ways out ---- */

static uint32_t stub_of(const struct code_translation *t, uint32_t way) { return t->stubs + way * HOST_STUB_BYTES; }

uint32_t translation_add_way(struct code_translation *t, struct way_out w)
{
    const uint32_t number = t->ways++;
    t->way[number] = w;
    host_write_stub(writable_at(t, stub_of(t, number)), number, (int64_t)t->leave - stub_of(t, number));
    return stub_of(t, number);
}

void translation_link(struct code_translation *t, const struct way_out *w, const uint8_t *code)
{
    host_write_distance(writable_at(t, w->link), code - (t->code + w->link));
}

/* The ways are in the order of the code. The last one before the instruction is that of the access. */
const uint8_t *translation_way_from(const struct code_translation *t, const uint8_t *pc)
{
    if (pc < t->code || pc >= t->code + t->code_used)
        return NULL;
    const uint32_t at = (uint32_t)(pc - t->code);
    uint32_t low = 0, high = t->ways;
    SEARCH(low, high, middle, t->way[middle].at <= at);
    return low > 0 && t->way[low - 1].kind == WAY_INSN ? t->code + stub_of(t, low - 1) : NULL;
}

uint32_t translation_add_site(struct hart *h, const struct rv_insn *in, uint64_t pc)
{
    struct code_translation *t = h->code->translation;
    h->watch->describe(h->watch, in, pc, t->site + (size_t)t->sites * WATCH_SITE_BYTES);
    return t->sites++;
}

/* ---- blocks ---- */

static uint32_t *block_place(struct rv_page *page, uint64_t pc) { return &page->block[pc >> 1 & (CODE_SLOTS - 1)]; }

const uint8_t *translation_find(const struct hart *h, uint64_t pc)
{
    struct rv_page *page = pc >> MEM_ADDRESS_BITS == 0 ? h->code->page[pc >> MEM_PAGE_BITS] : NULL;
    const uint32_t place = page != NULL ? *block_place(page, pc) : 0;
    return place > COLD_TIMES ? h->code->translation->code + place : NULL;
}

bool translation_is_cold(const struct hart *h, uint64_t pc)
{
    struct rv_page *page = pc >> MEM_ADDRESS_BITS == 0 ? h->code->page[pc >> MEM_PAGE_BITS] : NULL;
    return page != NULL && *block_place(page, pc) != 0 && *block_place(page, pc) <= COLD_TIMES;
}

static bool translation_is_full(const struct code_translation *t)
{
    return t->code_used + ROOM_CODE > t->code_bytes || t->ways + ROOM_WAYS > t->ways_most ||
           t->sites + ROOM_SITES > t->sites_most;
}

const uint8_t *translation_block(struct hart *h, uint64_t pc)
{
    struct code_translation *t = h->code->translation;
    struct rv_page *page = (pc & 1) == 0 ? code_page(h, pc) : NULL;
    if (page == NULL)
        return NULL;
    uint32_t *place = block_place(page, pc);
    if (t->is_stale || (*place == COLD_TIMES && translation_is_full(t)))
        translation_empty(h);
    if (*place < COLD_TIMES) {
        ++*place;
        return NULL;
    }
    if (*place == COLD_TIMES)
        translate_from(h, pc);
    return t->code + *place;
}

void translation_drop_page(struct code_translation *t, struct rv_page *page)
{
    for (uint32_t slot = 0; slot < CODE_SLOTS; slot++) {
        const uint32_t head = page->block[slot];
        if (head <= COLD_TIMES || t->is_stale)
            continue;
        if (t->ways == t->ways_most) {
            t->is_stale = true;
            return;
        }
        const uint32_t link = head + HOST_JUMP_DISTANCE;
        const uint32_t stub = translation_add_way(
            t, (struct way_out){.pc = page->start + 2 * slot, .at = t->code_used, .link = link, .kind = WAY_LINK});
        host_write_jump(writable_at(t, head), (int64_t)stub - head);
    }
}

void translation_watch(struct hart *h, struct rv_watch *watch)
{
    struct code_translation *t = h->code->translation;
    const uint32_t line_bits = watch != NULL ? watch->lines.line_bits : 0;
    const void *model = watch != NULL ? watch->model : NULL;
    h->watch = watch;
    t->is_stale |= t->line_bits != line_bits || t->model != model;
    t->line_bits = line_bits;
    t->model = model;
}

/* The ends of a run: a jump to translated_leave; and what an indirect jump goes to if its target is not in the table,
 * with a stub behind it. Then the routines for an observer. */
static void write_ends(struct code_translation *t)
{
    const struct stencil *s = &stencils[stencil_special[SPECIAL_FOUND]];
    t->leave = 0;
    t->indirect = HOST_LEAVE_BYTES;
    host_write_leave(writable_at(t, t->leave), t->line_bits != 0);
    uint8_t *at = writable_at(t, t->indirect);
    memcpy(at, &stencil_code[s->code], s->bytes);
    const uint32_t stub = t->indirect + s->bytes;
    for (unsigned i = 0; i < s->places; i++) {
        const struct stencil_place *p = &stencil_places[s->place + i];
        host_write_distance(at + p->offset, s->bytes - p->offset);
    }
    host_write_stub(writable_at(t, stub), WAY_INDIRECT, (int64_t)t->leave - stub);
    t->checks = (stub + HOST_STUB_BYTES + HOST_ROUTINE_BYTES - 1) & -(uint32_t)HOST_ROUTINE_BYTES;
    const size_t checks = (size_t)(watched_routines_end - watched_routines);
    memcpy(writable_at(t, t->checks), watched_routines, checks);
    t->code_used = t->checks + (uint32_t)checks;
}

void translation_empty(struct hart *h)
{
    struct code_translation *t = h->code->translation;
    for (uint32_t i = 0; i < h->code->live_count; i++)
        memset(h->code->live[i]->block, 0, sizeof h->code->live[i]->block);
    for (size_t i = 0; i < RV_JUMPS; i++)
        t->jumps[i].pc = UINT64_MAX;
    t->ways = t->sites = 0;
    t->is_stale = false;
    t->emptied++;
    write_ends(t);
}

/* ---- memory ---- */

enum { ANONYMOUS = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE };

static void *map_data(size_t bytes) { return mmap(NULL, bytes, PROT_READ | PROT_WRITE, ANONYMOUS, -1, 0); }

/* Two mappings of a file in memory: none is both writable and executable. */
static bool map_apart(struct code_translation *t, size_t bytes)
{
    const int fd = memfd_create("translated code", MFD_CLOEXEC);
    if (fd < 0)
        return false;
    void *written = MAP_FAILED, *executed = MAP_FAILED;
    if (ftruncate(fd, (off_t)bytes) == 0) {
        written = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
        executed = mmap(NULL, bytes, PROT_READ | PROT_EXEC, MAP_SHARED | MAP_NORESERVE, fd, 0);
    }
    close(fd);
    t->code = executed;
    t->writable = (ptrdiff_t)((uintptr_t)written - (uintptr_t)executed);
    return written != MAP_FAILED && executed != MAP_FAILED;
}

static bool map_code(struct code_translation *t, size_t bytes, bool apart)
{
    if (apart)
        return map_apart(t, bytes);
    t->code = mmap(NULL, bytes, PROT_READ | PROT_WRITE | PROT_EXEC, ANONYMOUS, -1, 0);
    return t->code != MAP_FAILED || map_apart(t, bytes); /* a host can refuse it */
}

/* Bytes of code, ways out, stubs and sites that an instruction of a compiled program needs on average. */
enum { SHARE_CODE = 40, SHARE_WAYS = 18, SHARE_SITES = 12, SHARES = SHARE_CODE + SHARE_WAYS + 8 + SHARE_SITES };

static bool translation_create(struct hart *h, size_t bytes, bool apart)
{
    if (!HOST_TRANSLATES)
        return false;
    struct code_translation *t = xcalloc(1, sizeof *t);
    t->bytes = bytes;
    const size_t share = (bytes - jumps_bytes) / SHARES;
    t->ways_most = (uint32_t)(share * SHARE_WAYS / sizeof *t->way);
    t->code_bytes = t->stubs = (uint32_t)(share * SHARE_CODE);
    t->sites_most = (uint32_t)(share * SHARE_SITES / WATCH_SITE_BYTES);
    t->way = map_data(t->ways_most * sizeof *t->way);
    t->site = map_data((size_t)t->sites_most * WATCH_SITE_BYTES);
    t->jumps = map_data(jumps_bytes);
    if (!map_code(t, t->stubs + t->ways_most * HOST_STUB_BYTES, apart) || (void *)t->way == MAP_FAILED ||
        (void *)t->site == MAP_FAILED || (void *)t->jumps == MAP_FAILED) {
        translation_release(t);
        return false;
    }
    t->is_stale = true; /* memory is not touched before the first run */
    h->code->translation = t;
    h->jumps = t->jumps;
    return true;
}

void rv_forked(struct hart *h)
{
    struct code_translation *t = h->code->translation;
    if (t == NULL || t->writable == 0)
        return;
    const size_t bytes = t->bytes;
    for (uint32_t i = 0; i < h->code->live_count; i++)
        memset(h->code->live[i]->block, 0, sizeof h->code->live[i]->block);
    translation_release(t);
    h->code->translation = NULL;
    h->jumps = NULL;
    rv_translate(h, bytes, true);
}

void rv_translate(struct hart *h, size_t bytes, bool apart)
{
    if (bytes != 0 && h->code->translation == NULL)
        (void)translation_create(h, bytes, apart);
}

void translation_release(struct code_translation *t)
{
    const size_t bytes = t->stubs + t->ways_most * HOST_STUB_BYTES;
    if (t->writable != 0)
        munmap(t->code + t->writable, bytes);
    if ((void *)t->code != MAP_FAILED)
        munmap(t->code, bytes);
    if ((void *)t->way != MAP_FAILED)
        munmap(t->way, t->ways_most * sizeof *t->way);
    if ((void *)t->site != MAP_FAILED)
        munmap(t->site, (size_t)t->sites_most * WATCH_SITE_BYTES);
    if ((void *)t->jumps != MAP_FAILED)
        munmap(t->jumps, jumps_bytes);
    free(t);
}
