/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scopes: inlined calls of this very program, and look-ups in a profile. */
#include "host/symbols/scopes.h"

#include "tests/unit/elf_profile.h"
#include "tests/unit/suite.h"

static volatile int sink;

__attribute__((always_inline)) static inline void inlined_twice(int x) { sink = x; }
enum { INLINED_LINE = __LINE__ - 1 };

__attribute__((noinline)) static void calls_inlined(void)
{
    inlined_twice(1);
    enum { CALL_LINE = __LINE__ - 1 };
    inlined_twice(CALL_LINE);
}

/* Every inlined call is within the ranges of its caller's function; the calls here are found, with their lines. */
START_TEST(scopes_of_a_program)
{
    struct profile *p = profile_new();
    calls_inlined();
    const struct profile_image *i = profile_image(p, elf_profile_add(p, "/proc/self/exe"));
    unsigned found = 0;
    for (size_t n = 0; n < i->scopes; n++) {
        const struct profile_scope *s = &i->scope[n];
        ck_assert(s->caller == PROFILE_NO_SCOPE || s->caller < n);
        if (strcmp(s->name, "inlined_twice") != 0 || s->caller == PROFILE_NO_SCOPE)
            continue;
        ck_assert_str_eq(i->scope[s->caller].name, "calls_inlined");
        ck_assert_uint_eq(s->line, INLINED_LINE);
        ck_assert_uint_eq(s->call_line, (uint32_t)sink + (found == 0 ? 0 : 2));
        found++;
    }
    if (i->lines > 0) /* built with -g */
        ck_assert_uint_eq(found, 2);
    for (size_t n = 1; n < i->scope_ranges; n++)
        ck_assert_uint_lt(i->scope_range[n - 1].start, i->scope_range[n].start);
    profile_free(p);
}
END_TEST

/* A call inlined twice over, and code without a scope. */
START_TEST(scopes_are_found_by_address)
{
    static const struct profile_scope scopes[] = {
        {.name = "main", .shown = "main", .caller = PROFILE_NO_SCOPE},
        {.name = "_Z1fv", .shown = "f()", .caller = 0, .call_line = 3},
        {.name = "g", .shown = "g", .caller = 1, .call_line = 7},
    };
    static const struct profile_scope_range ranges[] = {{0x100, 0}, {0x108, 2}, {0x10c, PROFILE_NO_SCOPE}};
    const struct profile_image image = {.build_id = "aa",
                                        .path = "/bin/x",
                                        .name = "x",
                                        .scope = scopes,
                                        .scopes = 3,
                                        .scope_range = ranges,
                                        .scope_ranges = 3};
    struct profile *p = profile_new();
    const struct profile_image *i = profile_image(p, profile_add_image(p, &image));
    ck_assert_ptr_ne(i->scope, scopes);
    ck_assert_ptr_null(profile_find_scope(i, 0xff));
    ck_assert_str_eq(profile_find_scope(i, 0x107)->name, "main");
    const struct profile_scope *g = profile_find_scope(i, 0x108);
    ck_assert_str_eq(g->shown, "g");
    ck_assert_str_eq(i->scope[g->caller].shown, "f()");
    ck_assert_ptr_null(profile_find_scope(i, 0x10c));
    profile_free(p);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("scopes");
    TCase *t = tcase_create("scopes");
    tcase_add_test(t, scopes_of_a_program);
    tcase_add_test(t, scopes_are_found_by_address);
    suite_add_tcase(s, t);
    return run_suite(s);
}
