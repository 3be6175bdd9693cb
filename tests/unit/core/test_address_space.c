/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random system calls that change the guest's address space. After each the host's mappings fill the guest's
 * reservation without a hole, in which the host could place memory of the emulator, and the pages have the permissions
 * and contents that a model of the calls expects. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>

#include "base/random.h"
#include "core-model/linux/guest.h"
#include "tests/unit/guest_core.h"
#include "tests/unit/suite.h"

enum {
    ZONE = 0x3fff4000, /* guest address of the pages that the calls change: in two of memory.c's groups of pages */
    PAGES = 24,
    CALLS = 3000,
    SEEDS = 4,
    FILE_PAGES = 3,
    UNKNOWN = -1,
};

enum { OPENAT = 56, BRK = 214, MUNMAP = 215, MREMAP = 216, MMAP = 222, MPROTECT = 226, MSYNC = 227, MADVISE = 233 };

struct page {
    bool mapped, own; /* own: anonymous and private */
    uint8_t prot;     /* of mmap */
    int stamp;        /* the first byte of an own page, or UNKNOWN */
};

struct world {
    struct guest guest;
    struct random random;
    struct page page[PAGES];
    int host_file;      /* the host's descriptor of the mapped file */
    uint64_t file, odd; /* the guest's descriptors of it, and of a file that cannot be mapped */
};

/* Fails unless the host's mappings are contiguous from the first to the last byte of the reservation. */
static void check_reservation(const struct memory *m)
{
    uint64_t base = (uint64_t)(uintptr_t)m->base, at = base, end = base + (UINT64_C(1) << MEM_ADDRESS_BITS), from, to;
    char line[512];
    FILE *f = fopen("/proc/self/maps", "re");
    ck_assert_ptr_nonnull(f);
    while (at < end && fgets(line, sizeof line, f) != NULL) {
        ck_assert_int_eq(sscanf(line, "%" SCNx64 "-%" SCNx64, &from, &to), 2);
        ck_assert_msg(to <= at || from <= at, "a hole at guest address 0x%" PRIx64, at - base);
        at = to > at ? to : at;
    }
    fclose(f);
    ck_assert_uint_ge(at, end);
}

static int64_t call(struct world *w, uint64_t number, const uint64_t a[6])
{
    uint64_t *reg = w->guest.hart.reg;
    memcpy(reg + A0, a, 6 * sizeof *a);
    reg[A7] = number;
    guest_syscall(&w->guest);
    check_reservation(&w->guest.hart.mem);
    return (int64_t)reg[A0];
}
#define CALL(w, number, ...) call((w), (number), (const uint64_t[6]){__VA_ARGS__})

static uint64_t open_file(struct world *w, const char *path)
{
    ck_assert(memory_write(&w->guest.hart.mem, DATA_START, path, strlen(path) + 1));
    int64_t fd = CALL(w, OPENAT, (uint64_t)AT_FDCWD, DATA_START, strncmp(path, "/proc", 5) == 0 ? O_RDONLY : O_RDWR);
    ck_assert_int_ge(fd, 0);
    return (uint64_t)fd;
}

static void begin(struct world *w, uint64_t seed)
{
    char path[] = "/tmp/test_space_XXXXXX";
    struct program *p = program_begin();
    *w = (struct world){.random.state = seed};
    addi(p, A0, ZERO, 0);
    guest_of(&w->guest, p);
    w->host_file = mkstemp(path);
    ck_assert_int_eq(ftruncate(w->host_file, FILE_PAGES * MEM_PAGE_BYTES), 0);
    w->file = open_file(w, path);
    w->odd = open_file(w, "/proc/filesystems");
    unlink(path);
}

static void end(struct world *w)
{
    close(w->host_file);
    guest_fini(&w->guest);
}

static uint64_t address(uint64_t page) { return ZONE + page * MEM_PAGE_BYTES; }

/* A random range of pages of the zone. */
static uint64_t choose(struct world *w, uint64_t *count)
{
    uint64_t first = random_below(&w->random, PAGES), most = PAGES - first < 6 ? PAGES - first : 6;
    *count = 1 + random_below(&w->random, (unsigned)most);
    return first;
}

static void try_mmap(struct world *w)
{
    uint64_t count, first = choose(w, &count), prot = random_below(&w->random, 8);
    uint64_t flags = MAP_FIXED | (random_chance(&w->random, 50) ? MAP_SHARED : MAP_PRIVATE), fd = 0;
    unsigned what = random_below(&w->random, 3); /* anonymous, the file, the file that cannot be mapped */
    if (what == 0)
        flags |= MAP_ANONYMOUS;
    else
        fd = what == 1 ? w->file : w->odd;
    int64_t r = CALL(w, MMAP, address(first), count * MEM_PAGE_BYTES, prot, flags, fd,
                     (what != 0) * random_below(&w->random, FILE_PAGES) * MEM_PAGE_BYTES);
    ck_assert_int_eq(r < 0, what == 2);
    for (uint64_t i = first; r >= 0 && i < first + count; i++)
        w->page[i] = (struct page){true, what == 0 && (flags & MAP_PRIVATE), (uint8_t)prot,
                                   what == 0 && (flags & MAP_PRIVATE) ? 0 : UNKNOWN};
}

static void try_munmap(struct world *w)
{
    uint64_t count, first = choose(w, &count);
    ck_assert_int_eq(CALL(w, MUNMAP, address(first), count * MEM_PAGE_BYTES), 0);
    memset(&w->page[first], 0, count * sizeof *w->page);
}

static void try_mprotect(struct world *w)
{
    uint64_t count, first = choose(w, &count), prot = random_below(&w->random, 8);
    int64_t r = CALL(w, MPROTECT, address(first), count * MEM_PAGE_BYTES, prot);
    for (uint64_t i = first; r == 0 && i < first + count; i++)
        w->page[i].prot = (uint8_t)prot;
}

static void try_madvise(struct world *w)
{
    static const uint64_t advice[] = {MADV_DONTNEED, MADV_REMOVE, MADV_WIPEONFORK, MADV_KEEPONFORK, MADV_WILLNEED};
    uint64_t count, first = choose(w, &count), what = random_below(&w->random, 5);
    (void)CALL(w, MADVISE, address(first), count * MEM_PAGE_BYTES, advice[what]);
    for (uint64_t i = first; what < 2 && i < first + count; i++)
        w->page[i].stamp = UNKNOWN;
    (void)CALL(w, MSYNC, address(first), count * MEM_PAGE_BYTES, MS_ASYNC);
}

static void try_mremap(struct world *w)
{
    uint64_t old_count, new_count, from = choose(w, &old_count), to = choose(w, &new_count);
    uint64_t flags = random_chance(&w->random, 70) ? MREMAP_MAYMOVE | MREMAP_FIXED : random_below(&w->random, 2);
    struct page before[PAGES];
    memcpy(before, w->page, sizeof before);
    int64_t r = CALL(w, MREMAP, address(from), old_count * MEM_PAGE_BYTES, new_count * MEM_PAGE_BYTES, flags,
                     address(to));
    bool moved = r >= 0 && (uint64_t)r != address(from);
    if (moved || (r >= 0 && new_count < old_count)) {
        uint64_t kept = moved ? 0 : new_count;
        memset(&w->page[from + kept], 0, (old_count - kept) * sizeof *w->page);
    }
    for (uint64_t i = 0; i < new_count; i++) {
        uint64_t at = r >= 0 && !(flags & MREMAP_FIXED) ? from + i : to + i;
        if (at >= PAGES || (moved && !(flags & MREMAP_FIXED)))
            continue;
        if (r < 0) { /* what was at the destination may be lost, as in Linux */
            unsigned perm = w->guest.hart.mem.perm[address(at) >> MEM_PAGE_BITS];
            if ((flags & MREMAP_FIXED) && !(perm & MEM_MAPPED))
                w->page[at] = (struct page){0};
            continue;
        }
        w->page[at] = i < old_count ? before[from + i] : before[from];
        if (i >= old_count)
            w->page[at].stamp = before[from].own ? 0 : UNKNOWN;
    }
}

static void try_brk(struct world *w)
{
    uint64_t now = (uint64_t)CALL(w, BRK, 0), by = random_below(&w->random, 9 * MEM_PAGE_BYTES);
    (void)CALL(w, BRK, random_chance(&w->random, 50) ? now + by : now - by);
}

static void change_file(struct world *w)
{
    ck_assert_int_eq(ftruncate(w->host_file, random_below(&w->random, (FILE_PAGES + 1) * MEM_PAGE_BYTES)), 0);
}

/* Compares the page with the model; writes to it and reads it, which succeeds unless it is behind the file's end. */
static void check_page(struct world *w, uint64_t i)
{
    struct memory *m = &w->guest.hart.mem;
    struct page *p = &w->page[i];
    unsigned perm = m->perm[address(i) >> MEM_PAGE_BITS];
    uint8_t byte, stamp = (uint8_t)random_bits(&w->random);
    ck_assert_int_eq((perm & MEM_MAPPED) != 0, p->mapped);
    if (!p->mapped)
        return;
    ck_assert_int_eq((perm & MEM_W) != 0, (p->prot & PROT_WRITE) != 0);
    ck_assert_int_eq((perm & MEM_R) != 0, (p->prot & (PROT_READ | PROT_WRITE)) != 0);
    ck_assert_int_eq((perm & MEM_X) != 0, (p->prot & PROT_EXEC) != 0);
    ck_assert_int_eq((perm & MEM_DIRECT_R) != 0, (perm & MEM_R) && (perm & MEM_PLAIN));
    ck_assert_int_eq((perm & MEM_DIRECT_W) != 0, (perm & MEM_W) && (perm & MEM_PLAIN) && !(perm & MEM_SHARED));
    bool present = memory_read(m, address(i), &byte, 1);
    ck_assert(present || !(perm & MEM_PLAIN));
    if (present && p->stamp != UNKNOWN)
        ck_assert_int_eq(byte, p->stamp);
    if (p->own && (perm & MEM_W) && random_chance(&w->random, 50)) {
        ck_assert(memory_write(m, address(i), &stamp, 1));
        p->stamp = stamp;
    }
}

START_TEST(reservation_stays_whole)
{
    static void (*const steps[])(struct world * w) = {try_mmap,    try_mmap,   try_mmap, try_munmap, try_mprotect,
                                                      try_madvise, try_mremap, try_brk,  change_file};
    struct world w;
    begin(&w, 1 + (uint64_t)_i);
    for (int n = 0; n < CALLS; n++) {
        steps[random_below(&w.random, sizeof steps / sizeof steps[0])](&w);
        for (uint64_t i = 0; i < PAGES; i++)
            check_page(&w, i);
    }
    end(&w);
}
END_TEST

/* A file that cannot be mapped leaves what was mapped at the address. */
START_TEST(failed_mapping_changes_nothing)
{
    struct world w;
    uint8_t byte = 7, found = 0;
    begin(&w, 1);
    ck_assert_int_ge(CALL(&w, MMAP, ZONE, 2 * MEM_PAGE_BYTES, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED), 0);
    ck_assert(memory_write(&w.guest.hart.mem, ZONE, &byte, 1));
    ck_assert_int_lt(CALL(&w, MMAP, ZONE, MEM_PAGE_BYTES, 1, MAP_PRIVATE | MAP_FIXED, w.odd), 0);
    ck_assert(memory_read(&w.guest.hart.mem, ZONE, &found, 1));
    ck_assert_int_eq(found, byte);
    end(&w);
}
END_TEST

START_TEST(page_behind_the_end_of_a_file)
{
    struct world w;
    struct memory *m = &w.guest.hart.mem;
    uint64_t word = 5, second = ZONE + MEM_PAGE_BYTES;
    begin(&w, 1);
    ck_assert_int_ge(CALL(&w, MMAP, ZONE, 2 * MEM_PAGE_BYTES, 3, MAP_SHARED | MAP_FIXED, w.file), 0);
    ck_assert(memory_write(m, second, &word, sizeof word));
    ck_assert_int_eq(ftruncate(w.host_file, MEM_PAGE_BYTES), 0);
    ck_assert(memory_read(m, second - sizeof word, &word, sizeof word));
    ck_assert(!memory_read(m, second + 8, &word, sizeof word));
    ck_assert_uint_eq(memory_missing(m, second + 8), second + 8);
    ck_assert(!memory_write(m, second - 4, &word, sizeof word));
    ck_assert_uint_eq(memory_missing(m, second - 4), second);
    ck_assert_int_eq(ftruncate(w.host_file, 2 * MEM_PAGE_BYTES), 0);
    ck_assert(memory_read(m, second + 8, &word, sizeof word));
    ck_assert_uint_eq(word, 0);
    end(&w);
}
END_TEST

/* ---- large ranges ---- */

enum { UNITS = 40, STEPS = 60 };
static const uint64_t unit_bytes = UINT64_C(300) << 20, units_start = UINT64_C(5) << 28;

/* Expected state of the units: permissions of mmap and mprotect, 0: not mapped. */
struct units {
    struct memory mem;
    struct random random;
    unsigned perm[UNITS];
};

static uint64_t unit_address(uint64_t unit) { return units_start + unit * unit_bytes; }

static void change_units(struct units *u)
{
    const unsigned first = random_below(&u->random, UNITS), count = 1 + random_below(&u->random, UNITS - first);
    const uint64_t start = unit_address(first), size_bytes = count * unit_bytes;
    const unsigned perm = MEM_MAPPED | MEM_R | (random_chance(&u->random, 50) ? MEM_W : MEM_X);
    const unsigned what = count < UNITS / 4 ? random_below(&u->random, 4) : random_below(&u->random, 2) * 2;
    bool mapped = true;
    for (unsigned i = first; i < first + count; i++)
        mapped = mapped && u->perm[i] != 0;
    if (what == 0) {
        ck_assert(memory_unmap(&u->mem, start, size_bytes));
    } else if (what == 1) {
        ck_assert_int_eq(memory_protect(&u->mem, start, size_bytes, perm), mapped);
    } else {
        ck_assert_int_eq(memory_map(&u->mem, start, size_bytes, perm), ST_OK);
    }
    for (unsigned i = first; i < first + count; i++)
        if (what != 1 || mapped)
            u->perm[i] = what == 0 ? 0 : perm;
}

static void check_units(const struct units *u)
{
    uint64_t first_mapped = UNITS, gap = 0, need = 0, run = 0;
    for (uint64_t i = 0; i < UNITS; i++) {
        const uint64_t page = unit_address(i) >> MEM_PAGE_BITS, last = (unit_address(i + 1) >> MEM_PAGE_BITS) - 1;
        const unsigned all = MEM_MAPPED | MEM_R | MEM_W | MEM_X;
        ck_assert_uint_eq(u->mem.perm[page] & all, u->perm[i]);
        ck_assert_uint_eq(u->mem.perm[last] & all, u->perm[i]);
        ck_assert_int_eq(memory_is_free(&u->mem, unit_address(i), unit_bytes), u->perm[i] == 0);
        if (u->perm[i] != 0 && first_mapped == UNITS)
            first_mapped = i;
    }
    ck_assert_uint_eq(memory_mapped_in(&u->mem, units_start, UNITS * unit_bytes), unit_address(first_mapped));
    for (need = 1; need <= 5; need += 2) {
        gap = run = 0;
        for (uint64_t i = UNITS; i-- > 0 && gap == 0;) {
            run = u->perm[i] == 0 ? run + 1 : 0;
            gap = run == need ? unit_address(i) : 0;
        }
        ck_assert_uint_eq(memory_find_gap(&u->mem, units_start, unit_address(UNITS), need * unit_bytes), gap);
    }
}

START_TEST(large_ranges)
{
    struct errmsg err;
    struct units u = {.random.state = 1 + (uint64_t)_i};
    ck_assert_int_eq(memory_init(&u.mem, &err), ST_OK);
    for (int n = 0; n < STEPS; n++) {
        change_units(&u);
        check_units(&u);
    }
    memory_fini(&u.mem);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *s = suite_create("address space");
    TCase *t = tcase_create("reservation");
    tcase_add_loop_test(t, reservation_stays_whole, 0, SEEDS);
    tcase_add_test(t, failed_mapping_changes_nothing);
    tcase_add_test(t, page_behind_the_end_of_a_file);
    tcase_add_loop_test(t, large_ranges, 0, 2);
    suite_add_tcase(s, t);
    return s;
}

int main(void) { return run_suite(make_suite()); }
