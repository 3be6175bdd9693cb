/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The control-flow graph: blocks and edges of code made by hand, and the direct branches of a compiled guest as
 * binutils' objdump sees them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core-model/linux/guest.h"
#include "core-model/riscv/describe.h"
#include "host/symbols/symbols.h"
#include "tests/unit/fake_code.h"
#include "tests/unit/suite.h"

static bool has_edge(const struct code_graph *g, uint64_t last, uint64_t start, enum code_graph_edge_kind kind)
{
    size_t blocks, edges, in;
    const struct code_graph_block *block = code_graph_blocks(g, &blocks);
    const struct code_graph_edge *edge = code_graph_edges(g, &edges);
    uint32_t to = code_graph_find(g, start);
    if (to == CODE_GRAPH_NONE || block[to].start != start)
        return false;
    const uint32_t *list = code_graph_in(g, to, &in);
    for (size_t i = 0; i < in; i++)
        if (block[edge[list[i]].from].last == last && edge[list[i]].kind == kind)
            return true;
    return false;
}

static bool has(const struct code_graph *g, int from, int to, enum code_graph_edge_kind kind)
{
    return has_edge(g, fake_pc(from), fake_pc(to), kind);
}

/* A function that calls two others, one of them through a pointer, and a loop in the callee. The second callee leaves
 * by a jump to the first. */
static const struct fake_insn calls[] = {
    [0] = {CODE_PLAIN, 0},  [1] = {CODE_CALL, 6},          [2] = {CODE_INDIRECT_CALL, 0}, [3] = {CODE_BRANCH, 1},
    [4] = {CODE_TRAP, 0},   [5] = {CODE_CALL, 9},          [6] = {CODE_PLAIN, 0},         [7] = {CODE_BRANCH, 6},
    [8] = {CODE_RETURN, 0}, [9] = {CODE_INDIRECT_JUMP, 0}, [10] = {CODE_PLAIN, 0},        [11] = {CODE_JUMP, 6},
};

START_TEST(blocks_and_edges)
{
    struct fake_code f = {calls, sizeof calls / sizeof calls[0]};
    struct code_graph *g = fake_graph(&f);
    size_t blocks, edges, count;
    code_graph_add_transfer(g, fake_pc(2), fake_pc(9));
    code_graph_add_transfer(g, fake_pc(2), fake_pc(9)); /* again: one edge */
    code_graph_add_transfer(g, fake_pc(9), fake_pc(10));
    code_graph_add_transfer(g, fake_pc(9), 0x9999);
    code_graph_build(g);
    const struct code_graph_block *b = code_graph_blocks(g, &blocks);
    (void)code_graph_edges(g, &edges);
    ck_assert_uint_eq(blocks, 10); /* 0 | 1 | 2 | 3 | 4 | 5 | 6 7 | 8 | 9 | 10 11 */
    ck_assert(has(g, 0, 1, CODE_GRAPH_FALL));
    ck_assert(has(g, 1, 6, CODE_GRAPH_CALL) && has(g, 1, 2, CODE_GRAPH_PAST_CALL));
    ck_assert(has(g, 2, 9, CODE_GRAPH_CALL) && has(g, 2, 3, CODE_GRAPH_PAST_CALL));
    ck_assert(has(g, 3, 1, CODE_GRAPH_TAKEN) && has(g, 3, 4, CODE_GRAPH_NOT_TAKEN));
    ck_assert(has(g, 4, 5, CODE_GRAPH_FALL));
    ck_assert(has(g, 5, 9, CODE_GRAPH_CALL)); /* a function begins behind it: it does not come back */
    ck_assert(has(g, 7, 6, CODE_GRAPH_TAKEN) && has(g, 7, 8, CODE_GRAPH_NOT_TAKEN));
    ck_assert(has(g, 9, 10, CODE_GRAPH_INDIRECT) && has(g, 11, 6, CODE_GRAPH_JUMP));
    ck_assert_uint_eq(edges, 13);
    uint32_t loop = code_graph_find(g, fake_pc(7));
    ck_assert_uint_eq(b[loop].start, fake_pc(6));
    ck_assert(b[loop].entry && !b[code_graph_find(g, fake_pc(8))].entry && b[code_graph_find(g, fake_pc(9))].entry);
    ck_assert_uint_eq(b[code_graph_find(g, fake_pc(8))].function, loop);
    ck_assert_uint_eq(code_graph_pc(g, code_graph_insn(g, loop, fake_pc(7))), fake_pc(7));
    ck_assert_uint_eq(code_graph_find(g, fake_pc(7) + 2), CODE_GRAPH_NONE);
    ck_assert_uint_eq(code_graph_find(g, fake_pc(12)), CODE_GRAPH_NONE);
    const uint32_t *list = code_graph_returns(g, code_graph_find(g, fake_pc(2)), &count); /* by the tail call */
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(b[list[0]].last, fake_pc(8));
    code_graph_free(g);
}
END_TEST

START_TEST(nothing_is_known)
{
    size_t blocks;
    struct code_graph *g = code_graph_new(&(struct code){0});
    code_graph_add_range(g, 0, 100);
    code_graph_build(g);
    (void)code_graph_blocks(g, &blocks);
    ck_assert_uint_eq(blocks, 0);
    ck_assert_uint_eq(code_graph_find(g, 0), CODE_GRAPH_NONE);
    code_graph_free(g);
}
END_TEST

/* Compiled guests. */

static const char source[] = "#include <stdio.h>\n#include <stdlib.h>\n"
                             "int main(void) { int s = 0; for (int i = 0; i < 9; i++) s += rand() % 7 ? i : -1;\n"
                             "    printf(\"%d\\n\", s); return 0; }\n";

static void compile(char *path)
{
    char command[256];
    const char *cc = getenv("RVCC");
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
    snprintf(command, sizeof command, "%s -O2 -static -x c -o %s -", cc != NULL ? cc : "riscv64-linux-gnu-gcc", path);
    FILE *p = popen(command, "w");
    ck_assert_ptr_nonnull(p);
    fputs(source, p);
    ck_assert_int_eq(pclose(p), 0);
}

static void see_range(void *g, uint64_t start, uint64_t end) { code_graph_add_range(g, start, end); }

static void see_entry(void *g, uint64_t start) { code_graph_add_entry(g, start); }

/* Finds the direct branch, jump or call of a line of objdump's: "   10156:\t00b50463\tbeq\ta0,a1,1015e <main+0x8>". */
static bool is_direct(const char *line, uint64_t *pc, uint64_t *target, enum code_graph_edge_kind *kind)
{
    char mnemonic[32], operands[128], *end;
    if (strchr(line, '#') != NULL || sscanf(line, " %lx:\t%*s\t%31s\t%127[^\n]", pc, mnemonic, operands) != 3)
        return false;
    char *symbol = strstr(operands, " <");
    if (symbol == NULL || (mnemonic[0] != 'b' && mnemonic[0] != 'j'))
        return false;
    const char *last = strrchr(operands, ',');
    const char *comma = last != NULL && last < symbol ? last + 1 : operands;
    *target = strtoul(comma, &end, 16);
    ck_assert_msg(end == symbol, "%s", line);
    bool links = strcmp(mnemonic, "jal") == 0 && (comma == operands || strncmp(operands, "t0,", 3) == 0);
    *kind = mnemonic[0] == 'b' ? CODE_GRAPH_TAKEN : links ? CODE_GRAPH_CALL : CODE_GRAPH_JUMP;
    return true;
}

START_TEST(as_objdump)
{
    char path[] = "/tmp/test_code_graph_XXXXXX", command[128], line[512];
    compile(path);
    char *argv[] = {path, NULL}, *envp[] = {NULL};
    struct guest_config gc = {.path = path, .argv = argv, .envp = envp, .seed = 1, .clock_hz = 1000000000};
    struct guest guest;
    struct symbols *symbols;
    struct errmsg err;
    ck_assert_int_eq(guest_init(&guest, &gc, &err), ST_OK);
    ck_assert_int_eq(symbols_new(&symbols, path, "", &err), ST_OK);
    struct code code = rv_code(&guest.hart);
    struct code_graph *g = code_graph_new(&code);
    symbols_each_range(symbols, see_range, g);
    symbols_each_entry(symbols, see_entry, g);
    code_graph_build(g);
    snprintf(command, sizeof command, "riscv64-linux-gnu-objdump -d %s", path);
    FILE *p = popen(command, "r");
    unsigned found = 0;
    uint64_t pc, target;
    enum code_graph_edge_kind kind;
    while (fgets(line, sizeof line, p) != NULL) {
        if (!is_direct(line, &pc, &target, &kind))
            continue;
        found++;
        ck_assert_msg(has_edge(g, pc, target, kind), "no edge: %s", line);
    }
    ck_assert_int_eq(pclose(p), 0);
    ck_assert_uint_gt(found, 10000);
    unlink(path);
    code_graph_free(g);
    symbols_free(symbols);
    guest_fini(&guest);
}
END_TEST

/* mul before and add at the end of a loop write register 5, which the loop's first instruction reads; register 6 comes
 * from the caller. */
static bool describe_registers(void *ctx, uint64_t pc, struct code_insn *out)
{
    static const struct {
        enum code_kind kind;
        uint8_t dst, src[2];
    } code[] = {{CODE_PLAIN, 5, {6, 7}}, {CODE_PLAIN, 8, {5, 6}}, {CODE_PLAIN, 5, {8, 0}}, {CODE_BRANCH, 0, {5, 0}}};
    const uint64_t n = (pc - fake_pc(0)) / 4;
    (void)ctx;
    if (n >= sizeof code / sizeof code[0])
        return false;
    *out = (struct code_insn){.length_bytes = 4,
                              .kind = code[n].kind,
                              .target = n == 3 ? fake_pc(0) + 4 : 0,
                              .dst = code[n].dst,
                              .src = {code[n].src[0], code[n].src[1]}};
    return true;
}

START_TEST(writers_on_all_paths)
{
    const struct code code = {.describe = describe_registers};
    struct code_graph *g = code_graph_new(&code);
    const uint64_t start = fake_pc(0);
    uint64_t writer[4];
    code_graph_add_range(g, start, start + 16);
    code_graph_build(g);
    ck_assert_uint_eq(code_graph_writers(g, start + 4, writer, 4), 2);
    ck_assert_uint_eq(writer[0] + writer[1], start + start + 8);
    ck_assert_uint_ne(writer[0], writer[1]);
    ck_assert_uint_eq(code_graph_writers(g, start + 4, writer, 1), 1);
    ck_assert_uint_eq(code_graph_writers(g, start + 8, writer, 4), 1);
    ck_assert_uint_eq(writer[0], start + 4);
    ck_assert_uint_eq(code_graph_writers(g, start + 12, writer, 4), 1);
    ck_assert_uint_eq(writer[0], start + 8);
    ck_assert_uint_eq(code_graph_writers(g, start, writer, 4), 0);
    ck_assert_uint_eq(code_graph_writers(g, start + 16, writer, 4), 0);
    code_graph_free(g);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("code_graph");
    TCase *t = tcase_create("code_graph");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, blocks_and_edges);
    tcase_add_test(t, nothing_is_known);
    tcase_add_test(t, as_objdump);
    tcase_add_test(t, writers_on_all_paths);
    suite_add_tcase(s, t);
    return run_suite(s);
}
