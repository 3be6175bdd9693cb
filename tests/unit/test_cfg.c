/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The control-flow graph: blocks and edges of code made by hand, and the direct branches of a compiled guest as binutils'
 * objdump sees them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core-model/linux/guest.h"
#include "core-model/riscv/describe.h"
#include "host/symbols.h"
#include "tests/unit/fake_code.h"
#include "tests/unit/suite.h"

static bool has_edge(const struct cfg *g, uint64_t last, uint64_t start, enum cfg_edge_kind kind)
{
    size_t blocks, edges, in;
    const struct cfg_block *block = cfg_blocks(g, &blocks);
    const struct cfg_edge *edge = cfg_edges(g, &edges);
    uint32_t to = cfg_find(g, start);
    if (to == CFG_NONE || block[to].start != start)
        return false;
    const uint32_t *list = cfg_in(g, to, &in);
    for (size_t i = 0; i < in; i++)
        if (block[edge[list[i]].from].last == last && edge[list[i]].kind == kind)
            return true;
    return false;
}

static bool has(const struct cfg *g, int from, int to, enum cfg_edge_kind kind)
{
    return has_edge(g, fake_pc(from), fake_pc(to), kind);
}

/* A function that calls two others, one of them through a pointer, and a loop in the callee. The second callee leaves by
 * a jump to the first. */
static const struct fake_insn calls[] = {
    [0] = {CODE_PLAIN, 0},  [1] = {CODE_CALL, 6},           [2] = {CODE_INDIRECT_CALL, 0}, [3] = {CODE_BRANCH, 1},
    [4] = {CODE_TRAP, 0},   [5] = {CODE_CALL, 9},           [6] = {CODE_PLAIN, 0},         [7] = {CODE_BRANCH, 6},
    [8] = {CODE_RETURN, 0}, [9] = {CODE_INDIRECT_JUMP, 0}, [10] = {CODE_PLAIN, 0},        [11] = {CODE_JUMP, 6},
};

START_TEST(blocks_and_edges)
{
    struct fake_code f = {calls, sizeof calls / sizeof calls[0]};
    struct cfg *g = fake_cfg(&f);
    size_t blocks, edges, count;
    cfg_add_transfer(g, fake_pc(2), fake_pc(9));
    cfg_add_transfer(g, fake_pc(2), fake_pc(9)); /* again: one edge */
    cfg_add_transfer(g, fake_pc(9), fake_pc(10));
    cfg_add_transfer(g, fake_pc(9), 0x9999);
    cfg_build(g);
    const struct cfg_block *b = cfg_blocks(g, &blocks);
    (void)cfg_edges(g, &edges);
    ck_assert_uint_eq(blocks, 10); /* 0 | 1 | 2 | 3 | 4 | 5 | 6 7 | 8 | 9 | 10 11 */
    ck_assert(has(g, 0, 1, CFG_FALL));
    ck_assert(has(g, 1, 6, CFG_CALL) && has(g, 1, 2, CFG_PAST_CALL));
    ck_assert(has(g, 2, 9, CFG_CALL) && has(g, 2, 3, CFG_PAST_CALL));
    ck_assert(has(g, 3, 1, CFG_TAKEN) && has(g, 3, 4, CFG_NOT_TAKEN));
    ck_assert(has(g, 4, 5, CFG_FALL));
    ck_assert(has(g, 5, 9, CFG_CALL)); /* a function begins behind it: it does not come back */
    ck_assert(has(g, 7, 6, CFG_TAKEN) && has(g, 7, 8, CFG_NOT_TAKEN));
    ck_assert(has(g, 9, 10, CFG_INDIRECT) && has(g, 11, 6, CFG_JUMP));
    ck_assert_uint_eq(edges, 13);
    uint32_t loop = cfg_find(g, fake_pc(7));
    ck_assert_uint_eq(b[loop].start, fake_pc(6));
    ck_assert(b[loop].entry && !b[cfg_find(g, fake_pc(8))].entry && b[cfg_find(g, fake_pc(9))].entry);
    ck_assert_uint_eq(b[cfg_find(g, fake_pc(8))].function, loop);
    ck_assert_uint_eq(cfg_pc(g, cfg_insn(g, loop, fake_pc(7))), fake_pc(7));
    ck_assert_uint_eq(cfg_find(g, fake_pc(7) + 2), CFG_NONE);
    ck_assert_uint_eq(cfg_find(g, fake_pc(12)), CFG_NONE);
    const uint32_t *list = cfg_returns(g, cfg_find(g, fake_pc(2)), &count); /* by the tail call */
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(b[list[0]].last, fake_pc(8));
    cfg_free(g);
}
END_TEST

START_TEST(nothing_is_known)
{
    size_t blocks;
    struct cfg *g = cfg_new(&(struct code){0});
    cfg_add_range(g, 0, 100);
    cfg_build(g);
    (void)cfg_blocks(g, &blocks);
    ck_assert_uint_eq(blocks, 0);
    ck_assert_uint_eq(cfg_find(g, 0), CFG_NONE);
    cfg_free(g);
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

static void see_range(void *g, uint64_t start, uint64_t end) { cfg_add_range(g, start, end); }

static void see_entry(void *g, uint64_t start) { cfg_add_entry(g, start); }

/* Finds the direct branch, jump or call of a line of objdump's: "   10156:\t00b50463\tbeq\ta0,a1,1015e <main+0x8>". */
static bool is_direct(const char *line, uint64_t *pc, uint64_t *target, enum cfg_edge_kind *kind)
{
    char mnemonic[32], operands[128], *end;
    if (strchr(line, '#') != NULL || sscanf(line, " %lx:\t%*s\t%31s\t%127[^\n]", pc, mnemonic, operands) != 3)
        return false;
    char *symbol = strstr(operands, " <");
    if (symbol == NULL || (mnemonic[0] != 'b' && mnemonic[0] != 'j'))
        return false;
    const char *comma = strrchr(operands, ',') != NULL && strrchr(operands, ',') < symbol ? strrchr(operands, ',') + 1 : operands;
    *target = strtoul(comma, &end, 16);
    ck_assert_msg(end == symbol, "%s", line);
    bool links = strcmp(mnemonic, "jal") == 0 && (comma == operands || strncmp(operands, "t0,", 3) == 0);
    *kind = mnemonic[0] == 'b' ? CFG_TAKEN : links ? CFG_CALL : CFG_JUMP;
    return true;
}

START_TEST(as_objdump)
{
    char path[] = "/tmp/test_cfg_XXXXXX", command[128], line[512];
    compile(path);
    char *argv[] = {path, NULL}, *envp[] = {NULL};
    struct guest_config gc = {.path = path, .argv = argv, .envp = envp, .seed = 1, .clock_hz = 1000000000};
    struct guest guest;
    struct symbols *symbols;
    struct errmsg err;
    ck_assert_int_eq(guest_init(&guest, &gc, &err), ST_OK);
    ck_assert_int_eq(symbols_new(&symbols, path, &err), ST_OK);
    struct code code = rv_code(&guest.hart);
    struct cfg *g = cfg_new(&code);
    symbols_each_range(symbols, see_range, g);
    symbols_each_entry(symbols, see_entry, g);
    cfg_build(g);
    snprintf(command, sizeof command, "riscv64-linux-gnu-objdump -d %s", path);
    FILE *p = popen(command, "r");
    unsigned found = 0;
    uint64_t pc, target;
    enum cfg_edge_kind kind;
    while (fgets(line, sizeof line, p) != NULL) {
        if (!is_direct(line, &pc, &target, &kind))
            continue;
        found++;
        ck_assert_msg(has_edge(g, pc, target, kind), "no edge: %s", line);
    }
    ck_assert_int_eq(pclose(p), 0);
    ck_assert_uint_gt(found, 10000);
    unlink(path);
    cfg_free(g);
    symbols_free(symbols);
    guest_fini(&guest);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("cfg");
    TCase *t = tcase_create("cfg");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, blocks_and_edges);
    tcase_add_test(t, nothing_is_known);
    tcase_add_test(t, as_objdump);
    suite_add_tcase(s, t);
    return run_suite(s);
}
