/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exports of a small profile, whose contents in each format are known, and of profiles that lack something. */
#include <jansson.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/exported.h"

/* main at 0x100, with a call of inner inlined at 0x108; leaf at 0x120; f of a library at 0x100. */
static const struct profile_symbol symbols[] = {
    {.start = 0x100, .size_bytes = 0x20, .name = "main", .shown = "main"},
    {.start = 0x120, .size_bytes = 0x20, .name = "leaf", .shown = "leaf"},
};
static const struct profile_symbol library_symbols[] = {
    {.start = 0x100, .size_bytes = 0x20, .name = "_Z1fi", .shown = "f;g(int)"}};
static const struct profile_line lines[] = {
    {.start = 0x100, .file = 0, .line = 11},
    {.start = 0x108, .file = 1, .line = 4},
    {.start = 0x110, .file = 0, .line = 13},
    {.start = 0x118, .file = 0, .line = 13, .discriminator = 4},   /* base 2 */
    {.start = 0x11c, .file = 0, .line = 14, .discriminator = 770}, /* base 1, 3 copies */
    {.start = 0x120, .file = 0, .line = 21},
    {.start = 0x130, .file = 0, .line = 22},
    {.start = 0x140, .file = PROFILE_NO_FILE},
};
static const struct profile_scope scopes[] = {
    {.name = "main", .shown = "main", .file = 0, .line = 10, .caller = PROFILE_NO_SCOPE},
    {.name = "_Z5innerv",
     .shown = "inner()",
     .file = 1,
     .line = 3,
     .caller = 0,
     .call_file = 0,
     .call_line = 12,
     .call_discriminator = 2}, /* base 1 */
    {.name = "leaf", .shown = "leaf", .file = 0, .line = 20, .caller = PROFILE_NO_SCOPE},
};
static const struct profile_scope_range ranges[] = {
    {0x100, 0}, {0x108, 1}, {0x110, 0}, {0x120, 2}, {0x140, PROFILE_NO_SCOPE}};

static struct profile *p;

static void setup(void) { p = profile_new(); }
static void teardown(void) { profile_free(p); }

static void add_images(void)
{
    const struct profile_image program = {.build_id = "0123456789abcdef0123456789abcdef01234567",
                                          .path = "/bin/prog",
                                          .name = "prog",
                                          .symbol = symbols,
                                          .symbols = 2,
                                          .line = lines,
                                          .lines = sizeof lines / sizeof lines[0],
                                          .code = code,
                                          .codes = 1,
                                          .scope = scopes,
                                          .scopes = 3,
                                          .scope_range = ranges,
                                          .scope_ranges = 5},
                               library = {.build_id = "sha1:00",
                                          .path = "/lib/libf.so",
                                          .name = "libf.so",
                                          .symbol = library_symbols,
                                          .symbols = 1,
                                          .code = code,
                                          .codes = 1};
    profile_add_file(p, "main.c");
    profile_add_file(p, "inner.h");
    profile_add_image(p, &program);
    profile_add_image(p, &library);
}

static uint32_t add_event(const char *name, enum profile_source source, double scale)
{
    const struct profile_event e = {
        .name = name, .by = "counts", .unit = "events", .source = source, .scale = scale, .period = 100, .total = NAN};
    return profile_add_event(p, &e);
}

static void add_counts(void)
{
    uint32_t e = add_event("retired", PROFILE_EXACT, 1);
    const struct profile_sample s[] = {{0, 0x100, 5}, {0, 0x108, 50}, {0, 0x110, 5}, {0, 0x118, 3},
                                       {0, 0x11c, 2}, {0, 0x120, 7},  {0, 0x122, 7}, {1, 0x104, 1}};
    for (size_t n = 0; n < sizeof s / sizeof s[0]; n++)
        profile_add_sample(p, e, s[n]);
}

/* Estimates: values times 10. */
static void add_cycles(void)
{
    uint32_t e = add_event("dcache-miss", PROFILE_COUNTER, 10);
    const struct profile_place inner[] = {{0, 0x108}}, leaf[] = {{0, 0x120}, {0, 0x110}},
                               library[] = {{1, 0x104}, {0, 0x122}, {0, 0x110}};
    profile_add_sample(p, e, (struct profile_sample){0, 0x110, 0.52});
    profile_add_stack(p, e, (struct profile_stack){profile_add_path(p, inner, 1), 3});
    profile_add_stack(p, e, (struct profile_stack){profile_add_path(p, leaf, 2), 2});
    profile_add_stack(p, e, (struct profile_stack){profile_add_path(p, library, 3), 1});
    profile_add_stack(p, e, (struct profile_stack){0, 1});
}

static void add_edges(void)
{
    uint32_t e = add_event("transfers", PROFILE_EXACT, 1);
    profile_add_edge(p, e, (struct profile_edge){0, 0, 0x110, 0x120, 7});
    profile_add_edge(p, e, (struct profile_edge){0, 0, 0x11c, 0x100, 4}); /* within main */
    profile_add_edge(p, e, (struct profile_edge){0, 1, 0x122, 0x100, 6});
}

static void add_all(void)
{
    add_images();
    add_counts();
    add_cycles();
    add_edges();
}

static void expect_refusal(enum export_form form, const char *event, const char *want)
{
    const struct errmsg err = refusal(p, form, event);
    ck_assert_str_eq(err.text, want);
}

START_TEST(folded)
{
    add_all();
    expect_text(p, EXPORT_folded, NULL,
                "[unknown] 10\n"
                "main;inner 30\n"
                "main;leaf 20\n"
                "main;leaf;f:g 10\n");
}
END_TEST

START_TEST(callgrind)
{
    add_all();
    expect_text(p, EXPORT_callgrind, "all",
                "# callgrind format\nversion: 1\ncreator: pcprof\ncmd: /bin/prog\npositions: instr line\n"
                "events: retired dcache_miss\nsummary: 80 5\n"
                "\nob=(1) prog\nfl=(1) main.c\nfn=(1) main\n"
                "0x100 11 5 0\n"
                "fi=(2) inner.h\n0x108 4 50 0\n"
                "fi=(1)\n0x110 13 5 5\n"
                "cob=(1)\ncfi=(1)\ncfn=(2) leaf\ncalls=7 0x120 21\n0x110 13 0 30\n"
                "0x118 13 3 0\n0x11c 14 2 0\n"
                "\nfl=(1)\nfn=(2)\n"
                "0x120 21 7 0\n0x122 21 7 0\n"
                "cob=(2) libf.so\ncfi=(3) ???\ncfn=(3) f;g\ncalls=6 0x100 0\n0x122 21 0 10\n"
                "\nob=(2)\nfl=(3)\nfn=(3)\n0x104 0 1 0\n");
}
END_TEST

/* A call of a function that is active already costs nothing: the outer call has its cost. */
START_TEST(recursive_calls_in_callgrind)
{
    add_images();
    uint32_t e = add_event("cycles", PROFILE_EXACT, 1);
    const struct profile_place frame[] = {{0, 0x120}, {0, 0x122}, {0, 0x122}, {0, 0x122}, {0, 0x110}};
    profile_add_sample(p, e, (struct profile_sample){0, 0x120, 9});
    profile_add_stack(p, e, (struct profile_stack){profile_add_path(p, frame, 5), 3});
    profile_add_stack(p, e, (struct profile_stack){profile_add_path(p, frame, 3), 4});
    size_t size_bytes;
    char *text = exported(p, EXPORT_callgrind, NULL, &size_bytes);
    ck_assert_msg(strstr(text, "\ncalls=1 0x120 21\n0x110 13 3\n") != NULL, "%s", text);
    ck_assert_msg(strstr(text, "\ncalls=1 0x120 21\n0x122 21 0\n") != NULL, "%s", text);
    ck_assert_ptr_null(strstr(strstr(text, "0x122 21 0\n") + 1, "0x122 21"));
    free(text);
}
END_TEST

/* The call paths of a program have no samples: their innermost frames are where the cost is. */
START_TEST(call_stacks_alone_in_callgrind)
{
    add_images();
    uint32_t e = add_event("call_paths.events", PROFILE_PROGRAM, 1);
    const struct profile_place leaf[] = {{0, 0x120}, {0, 0x110}}, same[] = {{0, 0x120}, {0, 0x118}};
    profile_add_stack(p, e, (struct profile_stack){profile_add_path(p, leaf, 2), 5});
    profile_add_stack(p, e, (struct profile_stack){profile_add_path(p, same, 2), 6});
    profile_add_stack(p, e, (struct profile_stack){0, 7});
    expect_text(p, EXPORT_callgrind, NULL,
                "# callgrind format\nversion: 1\ncreator: pcprof\ncmd: /bin/prog\npositions: instr line\n"
                "events: call_paths_events\nsummary: 18\n"
                "\nob=(1) prog\nfl=(1) main.c\nfn=(1) main\n"
                "cob=(1)\ncfi=(1)\ncfn=(2) leaf\ncalls=1 0x120 21\n0x110 13 5\n"
                "cob=(1)\ncfi=(1)\ncfn=(2)\ncalls=1 0x120 21\n0x118 13 6\n"
                "\nfl=(1)\nfn=(2)\n0x120 21 11\n"
                "\nob=(2) unknown\nfl=(2) ???\nfn=(3) [unknown]\n0x0 0 7\n");
}
END_TEST

/* Call stacks of function entries, as callstack.pc has them: calls are counted from all of the caller's function, and
 * through the stub that jumps to the callee, but not the calls of others, nor the branch to the callee's own start. */
START_TEST(calls_of_entries_in_callgrind)
{
    static const uint8_t words[0x80] = {[0x10] = 0xef, [0x11] = 0xf0, [0x18] = 0x82, [0x19] = 0x97};
    static const struct profile_code text = {0x120, sizeof words, words, 0};
    static const struct profile_symbol functions[] = {
        {.start = 0x100, .size_bytes = 0x20, .name = "main", .shown = "main"},
        {.start = 0x120, .size_bytes = 0x20, .name = "leaf", .shown = "leaf"},
        {.start = 0x140, .size_bytes = 0x10, .name = "far@plt", .shown = "far@plt"},
        {.start = 0x150, .size_bytes = 0x10, .name = "far", .shown = "far"}};
    static const struct profile_edge edges[] = {
        {0, 0, 0x104, 0x120, 7},   {0, 0, 0x11c, 0x120, 4},  /* main to leaf */
        {0, 0, 0x11c, 0x124, 100},                           /* not to the start */
        {0, 0, 0x130, 0x120, 20},  {0, 0, 0x138, 0x120, 30}, /* `jal` and `c.jalr a5` in leaf */
        {0, 0, 0x13c, 0x120, 50},                            /* a loop of leaf */
        {0, 0, 0x118, 0x140, 9},   {0, 0, 0x128, 0x140, 3},  /* main and leaf to the stub */
        {0, 0, 0x148, 0x150, 11},                            /* the stub, behind a jump to the dynamic linker */
    };
    profile_add_image(p, &(struct profile_image){.build_id = "aa",
                                                 .path = "/bin/x",
                                                 .name = "x",
                                                 .symbol = functions,
                                                 .symbols = 4,
                                                 .code = &text,
                                                 .codes = 1});
    uint32_t transfers = add_event("transfers", PROFILE_EXACT, 1), e = add_event("events", PROFILE_PROGRAM, 1);
    for (size_t n = 0; n < sizeof edges / sizeof edges[0]; n++)
        profile_add_edge(p, transfers, edges[n]);
    const struct profile_place frame[] = {{0, 0x120}, {0, 0x120}, {0, 0x100}}, far[] = {{0, 0x150}, {0, 0x100}},
                               unknown[] = {{0, 0x100}, {0, 0x150}};
    profile_add_stack(p, e, (struct profile_stack){profile_add_path(p, frame, 3), 5});
    profile_add_stack(p, e, (struct profile_stack){profile_add_path(p, far, 2), 6});
    profile_add_stack(p, e, (struct profile_stack){profile_add_path(p, unknown, 2), 8});
    expect_text(p, EXPORT_callgrind, NULL,
                "# callgrind format\nversion: 1\ncreator: pcprof\ncmd: /bin/x\npositions: instr line\n"
                "events: events\nsummary: 19\n"
                "\nob=(1) x\nfl=(1) ???\nfn=(1) main\n0x100 0 8\n"
                "cob=(1)\ncfi=(1)\ncfn=(2) leaf\ncalls=11 0x120 0\n0x100 0 5\n"
                "cob=(1)\ncfi=(1)\ncfn=(3) far\ncalls=9 0x150 0\n0x100 0 6\n"
                "\nfl=(1)\nfn=(2)\n0x120 0 5\n"
                "cob=(1)\ncfi=(1)\ncfn=(2)\ncalls=50 0x120 0\n0x120 0 0\n"
                "\nfl=(1)\nfn=(3)\n0x150 0 6\n"
                "cob=(1)\ncfi=(1)\ncfn=(1)\ncalls=1 0x100 0\n0x150 0 8\n");
}
END_TEST

START_TEST(events_of_callgrind_have_names_of_their_own)
{
    static const char *const names[] = {"a.b", "a-b", "a b", "\xc3\xa9", "?"};
    add_images();
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++)
        profile_add_sample(p, add_event(names[n], PROFILE_EXACT, 1), (struct profile_sample){0, 0x120, 1});
    size_t size_bytes;
    char *text = exported(p, EXPORT_callgrind, "all", &size_bytes);
    ck_assert_msg(strstr(text, "\nevents: a_b a_b_2 a_b_3 event event_2\n") != NULL, "%s", text);
    free(text);
}
END_TEST

/* An inlined call is a part of its line, and the branch at 0x118, of 3 executions, is taken once. */
START_TEST(lcov)
{
    static const uint8_t words[0x40] = {[0x18] = 0x63, [0x1a] = 0x01, [0x20] = 0x01, [0x22] = 0x01};
    static const struct profile_code text = {0x100, sizeof words, words, 0};
    expect_refusal(EXPORT_lcov, NULL,
                   "lcov: the profile has no exact numbers of executions: collect them with pcemu --profile counts");
    profile_add_file(p, "main.c");
    profile_add_file(p, "inner.h");
    profile_add_image(p, &(struct profile_image){.build_id = "aa",
                                                 .path = "/bin/prog",
                                                 .name = "prog",
                                                 .symbol = symbols,
                                                 .symbols = 2,
                                                 .line = lines,
                                                 .lines = sizeof lines / sizeof lines[0],
                                                 .code = &text,
                                                 .codes = 1,
                                                 .scope = scopes,
                                                 .scopes = 3,
                                                 .scope_range = ranges,
                                                 .scope_ranges = 5});
    profile_add_image(p, &(struct profile_image){.build_id = "", .path = "/lib/libf.so", .name = "libf.so"});
    add_counts();
    profile_add_sample(p, add_event("taken", PROFILE_EXACT, 1), (struct profile_sample){0, 0x118, 1});
    expect_text(p, EXPORT_lcov, NULL,
                "TN:\nSF:inner.h\nFNF:0\nFNH:0\nDA:4,50\nLF:1\nLH:1\nend_of_record\n"
                "TN:\nSF:main.c\nFN:10,main\nFN:20,leaf\nFNDA:5,main\nFNDA:7,leaf\nFNF:2\nFNH:2\n"
                "BRDA:13,0,0,1\nBRDA:13,0,1,2\nBRF:2\nBRH:2\n"
                "DA:11,5\nDA:13,5\nDA:14,2\nDA:21,7\nDA:22,0\nLF:5\nLH:4\nend_of_record\n");
    expect_refusal(EXPORT_lcov, "taken",
                   "lcov: --event: the format has the numbers of executions, of pcemu --profile counts, alone");
}
END_TEST

START_TEST(autofdo_of_clang)
{
    add_all();
    expect_text(p, EXPORT_autofdo_clang, NULL,
                "main:69:5\n"
                " 1: 5\n"
                " 3: 5 leaf:7\n"
                " 3.2: 3\n"
                " 4.1: 6\n"
                " 2.1: _Z5innerv:50\n"
                "  1: 50\n"
                "leaf:7:7\n"
                " 1: 7 _Z1fi:6\n"
                " 2: 0\n");
}
END_TEST

/* Lines of a loop that the compiler has copied 3 times: the sum of the copies, whose instructions have one count each;
 * all 3 where they are in one block; the largest 3 of more stretches; and what was not copied. */
START_TEST(autofdo_of_copies)
{
    enum { COPIED = 770, NOT_COPIED = 2 }; /* base 1 */
    static const struct {
        uint32_t line, discriminator;
        double count; /* 0: not executed */
    } insn[] = {
        {11, COPIED, 5}, {11, COPIED, 5}, {13, COPIED, 2}, {11, COPIED, 3}, {11, COPIED, 0}, {12, COPIED, 4},
        {13, COPIED, 9}, {13, COPIED, 7}, {14, COPIED, 6}, {13, COPIED, 8}, {14, COPIED, 0}, {13, NOT_COPIED, 1},
    };
    enum { INSNS = sizeof insn / sizeof insn[0] };
    struct profile_line line[INSNS];
    static const struct profile_symbol loop = {
        .start = 0x100, .size_bytes = 4 * INSNS, .name = "main", .shown = "main"};
    for (uint64_t n = 0; n < INSNS; n++)
        line[n] = (struct profile_line){
            .start = 0x100 + 4 * n, .line = insn[n].line, .discriminator = insn[n].discriminator};
    profile_add_file(p, "a.c");
    profile_add_image(p, &(struct profile_image){.build_id = "aa",
                                                 .path = "/bin/x",
                                                 .name = "x",
                                                 .symbol = &loop,
                                                 .symbols = 1,
                                                 .line = line,
                                                 .lines = INSNS,
                                                 .scope = scopes,
                                                 .scopes = 1,
                                                 .scope_range = ranges,
                                                 .scope_ranges = 1});
    uint32_t retired = profile_add_event(
        p,
        &(struct profile_event){.name = "retired", .by = "counts", .source = PROFILE_EXACT, .scale = 1, .total = NAN});
    for (uint64_t n = 0; n < INSNS; n++)
        if (insn[n].count > 0)
            profile_add_sample(p, retired, (struct profile_sample){0, 0x100 + 4 * n, insn[n].count});
    expect_text(p, EXPORT_autofdo_clang, NULL,
                "main:51:5\n"
                " 1.1: 8\n"
                " 2.1: 12\n"
                " 3.1: 25\n"
                " 4.1: 6\n");
}
END_TEST

static char warned[512];
static void keep_warning(const char *text) { snprintf(warned, sizeof warned, "%s", text); }

/* Static functions of two files with one name: the head and the lines are those of one, the other is named. A clone is
 * the same function. */
START_TEST(autofdo_of_twins)
{
    static const struct profile_symbol twins[] = {
        {.start = 0x100, .size_bytes = 8, .name = "work", .shown = "work"},
        {.start = 0x108, .size_bytes = 8, .name = "work.constprop.0", .shown = "work.constprop.0"},
        {.start = 0x110, .size_bytes = 8, .name = "work", .shown = "work"}};
    static const struct profile_scope declared[] = {
        {.name = "work", .shown = "work", .file = 0, .line = 10, .caller = PROFILE_NO_SCOPE},
        {.name = "work", .shown = "work", .file = 1, .line = 20, .caller = PROFILE_NO_SCOPE}};
    static const struct profile_line line[] = {{.start = 0x100, .file = 0, .line = 11},
                                               {.start = 0x108, .file = 0, .line = 12},
                                               {.start = 0x110, .file = 1, .line = 21},
                                               {.start = 0x114, .file = 1, .line = 23}};
    static const struct profile_scope_range range[] = {{0x100, 0}, {0x110, 1}};
    profile_add_file(p, "a.c");
    profile_add_file(p, "b.c");
    profile_add_image(p, &(struct profile_image){.build_id = "aa",
                                                 .path = "/bin/x",
                                                 .name = "x",
                                                 .symbol = twins,
                                                 .symbols = 3,
                                                 .line = line,
                                                 .lines = 4,
                                                 .scope = declared,
                                                 .scopes = 2,
                                                 .scope_range = range,
                                                 .scope_ranges = 2});
    uint32_t retired = add_event("retired", PROFILE_EXACT, 1);
    const double count[] = {5, 3, 2, 90};
    for (size_t n = 0; n < 4; n++)
        profile_add_sample(p, retired, (struct profile_sample){0, line[n].start, count[n]});
    char *text;
    size_t size_bytes;
    struct errmsg err = {""};
    FILE *out = open_memstream(&text, &size_bytes);
    ck_assert_int_eq(export_write(EXPORT_autofdo_clang, p, &(struct export_options){.warn = keep_warning}, out, &err),
                     ST_OK);
    fclose(out);
    ck_assert_str_eq(text, "work:92:2\n 1: 2\n 3: 90\n");
    ck_assert_ptr_nonnull(strstr(warned, "work is declared in b.c:20 and in a.c:10"));
    free(text);
}
END_TEST

/* The words that gcc 12 reads: gcc/auto-profile.cc. */
START_TEST(autofdo_of_gcc)
{
    add_all();
    size_t size_bytes;
    char *text = exported(p, EXPORT_autofdo_gcc, NULL, &size_bytes);
    static const char names[] = "\5\0\0\0main\0\5\0\0\0leaf\0\12\0\0\0_Z5innerv\0\5\0\0\0leaf\0\6\0\0\0_Z1fi";
    const uint32_t head[] = {0x67636461, 2, 0, 0xaa000000};
    ck_assert_mem_eq(text, head, sizeof head);
    ck_assert_mem_eq(text + 24, names, 9 + 9); /* behind the length and the number of names */
    /* main: head 5, name 0, 3 lines, 1 call; line 1, no targets, 5 times. */
    const uint32_t body[] = {2, 5, 0, 0, 3, 1, 1U << 16, 0, 5, 0, 3U << 16, 1, 5, 0, 7, 1, 0, 7, 0, 4U << 16, 0, 2, 0};
    const char *tag = memmem(text, size_bytes, &(uint32_t){0xac000000}, 4);
    ck_assert_ptr_nonnull(tag);
    ck_assert_mem_eq(tag + 8, body, sizeof body);
    const uint32_t end[] = {0xae000000, 1, 0};
    ck_assert_mem_eq(text + size_bytes - sizeof end, end, sizeof end);
    free(text);
}
END_TEST

/* A loop of 10 executions whose branch is taken 6 times, and mispredicted 5 times: runs of instructions, and the share
 * of the mispredictions in the taken ones. The return leaves the program. */
START_TEST(transfers_and_runs)
{
    /* c.nop, c.nop, c.beqz, c.jr ra */
    static const uint8_t words[] = {0x01, 0x00, 0x01, 0x00, 0x01, 0xc0, 0x82, 0x80};
    static const struct profile_code text = {0x100, sizeof words, words, 0x80};
    static const struct profile_symbol loop = {.start = 0x100, .size_bytes = 8, .name = "main", .shown = "main"};
    static const struct profile_sample executed[] = {{0, 0x100, 10}, {0, 0x102, 10}, {0, 0x104, 10}, {0, 0x106, 4}};
    profile_add_image(
        p,
        &(struct profile_image){
            .build_id = "aa", .path = "/bin/x", .name = "x", .symbol = &loop, .symbols = 1, .code = &text, .codes = 1});
    profile_add_image(p, &(struct profile_image){.build_id = "bb", .path = "/lib/y", .name = "y"});
    const uint32_t transfers = add_event("transfers", PROFILE_EXACT, 1);
    profile_add_edge(p, transfers, (struct profile_edge){0, 0, 0x104, 0x100, 6});
    profile_add_edge(p, transfers, (struct profile_edge){0, 1, 0x106, 0x100, 4});
    expect_refusal(EXPORT_bolt, NULL,
                   "bolt: the profile has no exact numbers of executions: collect them with pcemu --profile counts");
    const uint32_t retired = add_event("retired", PROFILE_EXACT, 1);
    for (size_t n = 0; n < sizeof executed / sizeof executed[0]; n++)
        profile_add_sample(p, retired, executed[n]);
    profile_add_sample(p, add_event("retired-mispredicted", PROFILE_EXACT, 1), (struct profile_sample){0, 0x104, 5});
    expect_text(p, EXPORT_bolt, NULL, "B 104 100 6 3\nF 100 104 10\nF 104 106 4\n");
    expect_text(p, EXPORT_autofdo_text, NULL, "2\n80-84:10\n84-86:4\n0\n1\n84->80:6\n");
}
END_TEST

START_TEST(speedscope)
{
    add_all();
    size_t size_bytes;
    char *text = exported(p, EXPORT_speedscope, NULL, &size_bytes);
    json_t *file = json_loads(text, 0, NULL), *frames, *samples, *weights;
    const char *name, *frame;
    int end;
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(json_unpack(file, "{s{so}s[{sssisoso}]}", "shared", "frames", &frames, "profiles", "name", &name,
                                 "endValue", &end, "samples", &samples, "weights", &weights),
                     0);
    ck_assert_str_eq(name, "dcache-miss");
    ck_assert_int_eq(end, 70);
    ck_assert_uint_eq(json_array_size(samples), json_array_size(weights));
    /* The last one: main, leaf, f. */
    const json_t *last = json_array_get(samples, json_array_size(samples) - 1);
    ck_assert_uint_eq(json_array_size(last), 3);
    ck_assert_int_eq(json_integer_value(json_array_get(weights, json_array_size(weights) - 1)), 10);
    json_t *innermost = json_array_get(frames, (size_t)json_integer_value(json_array_get(last, 2)));
    ck_assert_int_eq(json_unpack(innermost, "{ss}", "name", &frame), 0);
    ck_assert_str_eq(frame, "f;g");
    json_decref(file);
    free(text);
}
END_TEST

START_TEST(pprof)
{
    add_all();
    size_t size_bytes;
    char *text = exported(p, EXPORT_pprof, NULL, &size_bytes);
    Pprof__Profile *m = unpacked(text, size_bytes);
    ck_assert_ptr_nonnull(m);
    ck_assert_uint_eq(m->n_sample_type, 2);
    ck_assert_str_eq(m->string_table[0], "");
    ck_assert_str_eq(m->string_table[m->sample_type[1]->type], "dcache-miss");
    ck_assert_int_eq(m->period, 100);
    ck_assert_uint_eq(m->n_mapping, 3); /* the last one of stacks without frames */
    ck_assert_str_eq(m->string_table[m->mapping[0]->filename], "/bin/prog");
    int64_t sum[2] = {0};
    for (size_t n = 0; n < m->n_sample; n++)
        for (int k = 0; k < 2; k++)
            sum[k] += m->sample[n]->value[k];
    ck_assert_int_eq(sum[0], 80);
    ck_assert_int_eq(sum[1], 70);
    for (size_t n = 0; n < m->n_location; n++) {
        const Pprof__Location *l = m->location[n];
        ck_assert_uint_eq(l->id, n + 1);
        if (l->address == 0x108) { /* inlined: inner in main */
            ck_assert_uint_eq(l->n_line, 2);
            ck_assert_int_eq(l->line[0]->line, 4);
            ck_assert_int_eq(l->line[1]->line, 12);
            const Pprof__Function *f = m->function[l->line[0]->function_id - 1];
            ck_assert_str_eq(m->string_table[f->name], "inner");
            ck_assert_str_eq(m->string_table[f->system_name], "_Z5innerv");
            ck_assert_int_eq(f->start_line, 3);
        }
    }
    pprof__profile__free_unpacked(m, NULL);
    free(text);
}
END_TEST

static uint64_t word(const char *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

START_TEST(perf)
{
    add_all();
    size_t size_bytes;
    char *text = exported(p, EXPORT_perf, "all", &size_bytes);
    ck_assert_mem_eq(text, "PERFILE2", 8);
    uint64_t attrs = word(text + 32), at = word(text + 40), end = at + word(text + 48), period[3] = {0};
    ck_assert_uint_eq(attrs, 3 * (112 + 16)); /* retired, stacks of dcache-miss, transfers */
    unsigned mappings = 0;
    uint64_t library = 0;
    while (at < end) {
        struct perf_event_header h;
        memcpy(&h, text + at, sizeof h);
        ck_assert_uint_gt(h.size, 0);
        const char *body = text + at + sizeof h;
        if (h.type == PERF_RECORD_MMAP2 && mappings++ == 1)
            library = word(body + 8);
        if (h.type == PERF_RECORD_SAMPLE)
            period[word(body) - 1] += word(body + 32);
        at += h.size;
    }
    ck_assert_uint_eq(at, end);
    ck_assert_uint_eq(mappings, 3);    /* the last one of the stack without frames */
    ck_assert_uint_gt(library, 0x140); /* above the program */
    ck_assert_uint_eq(period[0], 80);
    ck_assert_uint_eq(period[1], 70);
    ck_assert_uint_eq(period[2], 17);
    free(text);
}
END_TEST

START_TEST(the_same_bytes_again)
{
    add_all();
    for (int form = 0; form < EXPORT_FORMS; form++) {
        size_t size_bytes, again_bytes;
        char *text = exported(p, (enum export_form)form, NULL, &size_bytes);
        char *again = exported(p, (enum export_form)form, NULL, &again_bytes);
        ck_assert_uint_eq(size_bytes, again_bytes);
        ck_assert_mem_eq(text, again, size_bytes);
        ck_assert_uint_gt(size_bytes, 0);
        free(text);
        free(again);
    }
}
END_TEST

START_TEST(an_event_is_selected)
{
    add_all();
    size_t size_bytes;
    char *text = exported(p, EXPORT_callgrind, "retired", &size_bytes);
    ck_assert_ptr_nonnull(strstr(text, "\nevents: retired\nsummary: 80\n"));
    free(text);
    expect_refusal(EXPORT_pprof, "cycles",
                   "pprof: the profile has no event 'cycles'; pcprof list names the store's events");
    expect_refusal(EXPORT_callgrind, "transfers",
                   "callgrind: the profile has no samples of event transfers: collect some with pcemu --profile, as "
                   "--profile tip,counts");
}
END_TEST

START_TEST(what_is_missing_is_named)
{
    expect_refusal(EXPORT_perf, NULL,
                   "perf: the profile has no samples: collect some with pcemu --profile, as --profile tip,counts");
    add_images();
    add_edges();
    expect_refusal(
        EXPORT_autofdo_gcc, NULL,
        "autofdo-gcc: the profile has no samples: collect some with pcemu --profile, as --profile tip,counts");
    uint32_t e = add_event("cycles", PROFILE_TIME, 1);
    profile_add_sample(p, e, (struct profile_sample){0, 0x100, 1});
    expect_refusal(EXPORT_autofdo_clang, NULL,
                   "autofdo-clang: the profile has no numbers of executions (event 'retired'): collect them with pcemu "
                   "--profile counts, or estimates with --profile profileme");
    expect_refusal(EXPORT_folded, NULL,
                   "folded: the profile has no call stacks: collect some with pcemu --program callstack.pc");
    expect_refusal(EXPORT_speedscope, "cycles",
                   "speedscope: the profile has no call stacks of event cycles: collect some with pcemu --program "
                   "callstack.pc");
}
END_TEST

START_TEST(images_without_code_or_lines)
{
    const struct profile_image bare = {.build_id = "", .path = "/bin/bare", .name = "bare"};
    profile_add_image(p, &bare);
    uint32_t e = add_event("retired", PROFILE_EXACT, 1);
    profile_add_sample(p, e, (struct profile_sample){0, 0x100, 1});
    expect_refusal(EXPORT_perf, NULL,
                   "perf: no image of the profile has code, which places it in memory: collect the profile again while "
                   "pcemu can read the program's file");
    expect_refusal(EXPORT_autofdo_clang, NULL,
                   "autofdo-clang: no function with samples has source lines: compile the program with -g, or for "
                   "clang with -gmlt -fdebug-info-for-profiling, and collect its profile again");
    expect_text(p, EXPORT_callgrind, NULL,
                "# callgrind format\nversion: 1\ncreator: pcprof\ncmd: /bin/bare\npositions: instr line\n"
                "events: retired\nsummary: 1\n\nob=(1) bare\nfl=(1) ???\nfn=(1) bare\n0x100 0 1\n");
}
END_TEST

/* Lines without functions: the rest of the debugging information is in a .dwo file that was not there. */
START_TEST(split_debugging_information)
{
    profile_add_file(p, "main.c");
    profile_add_image(p, &(struct profile_image){.build_id = "aa",
                                                 .path = "/bin/x",
                                                 .name = "x",
                                                 .symbol = symbols,
                                                 .symbols = 2,
                                                 .line = lines,
                                                 .lines = 1});
    uint32_t e = add_event("retired", PROFILE_EXACT, 1);
    profile_add_sample(p, e, (struct profile_sample){0, 0x100, 1});
    expect_refusal(EXPORT_autofdo_clang, NULL,
                   "autofdo-clang: no function with samples has a declaration, from which its lines are counted: if "
                   "the program was compiled with -gsplit-dwarf, put its .dwo files where they were or beside it, and "
                   "collect its profile again");
}
END_TEST

START_TEST(a_failed_write_is_an_error)
{
    add_all();
    for (int form = 0; form < EXPORT_FORMS; form++) {
        struct errmsg err = {""};
        FILE *full = fopen("/dev/full", "w");
        ck_assert_ptr_nonnull(full);
        ck_assert_int_eq(export_write((enum export_form)form, p, &(struct export_options){0}, full, &err), ST_IO);
        ck_assert_ptr_nonnull(strstr(err.text, "cannot write the profile"));
        fclose(full);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("export");
    TCase *t = tcase_create("export");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, folded);
    tcase_add_test(t, callgrind);
    tcase_add_test(t, recursive_calls_in_callgrind);
    tcase_add_test(t, call_stacks_alone_in_callgrind);
    tcase_add_test(t, calls_of_entries_in_callgrind);
    tcase_add_test(t, events_of_callgrind_have_names_of_their_own);
    tcase_add_test(t, lcov);
    tcase_add_test(t, autofdo_of_clang);
    tcase_add_test(t, autofdo_of_copies);
    tcase_add_test(t, autofdo_of_twins);
    tcase_add_test(t, autofdo_of_gcc);
    tcase_add_test(t, transfers_and_runs);
    tcase_add_test(t, speedscope);
    tcase_add_test(t, pprof);
    tcase_add_test(t, perf);
    tcase_add_test(t, the_same_bytes_again);
    tcase_add_test(t, an_event_is_selected);
    tcase_add_test(t, what_is_missing_is_named);
    tcase_add_test(t, images_without_code_or_lines);
    tcase_add_test(t, split_debugging_information);
    tcase_add_test(t, a_failed_write_is_an_error);
    suite_add_tcase(s, t);
    return run_suite(s);
}
