/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Control flow found in the code of a program alone, compared with runs: every transfer within a procedure
 * is an edge, no call that is said not to return is executed twice by a procedure that goes on, and blocks and edges of
 * a frequency class are executed equally often. The guests are compiled with several options. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/analysis/procedure.h"
#include "tests/eval/experiments/dcpi_run.h"
#include "tests/unit/suite.h"

static const char source[] =
    "#include <stdio.h>\n#include <stdlib.h>\n"
    "static volatile unsigned seed = 7;\n"
    "static unsigned next(void) { seed = seed * 1103515245u + 12345u; return seed >> 16; }\n"
    "__attribute__((noinline)) static int dense(unsigned n) { switch (n) {\n"
    "case 0: return 7; case 1: return seed * 3; case 2: return seed ^ 9; case 3: return 4 - seed;\n"
    "case 4: return seed >> 3; case 5: return seed / 3; case 6: return -seed; case 7: return seed % 11; }\n"
    "return 0; }\n"
    "__attribute__((noinline)) static int letters(const char *s) { int n = 0; for (; *s; s++) switch (*s) {\n"
    "case 'a': n += 3; break; case 'b': n ^= 5; break; case 'c': n *= 7; break; case 'd': n -= 2; break;\n"
    "case 'e': n <<= 1; break; case 'f': n |= 64; break; case 'g': if (n > 100) n = seed; break; default: n++; }\n"
    "return n; }\n"
    "__attribute__((noinline)) static int machine(const unsigned char *code) {\n"
    "static void *const label[] = {&&push, &&add, &&twice, &&loop, &&stop}; int stack = 0, rounds = 0;\n"
    "const unsigned char *p = code; goto *label[*p];\n"
    "push: stack += 3; goto *label[*++p]; add: stack += rounds; goto *label[*++p];\n"
    "twice: stack *= 2; goto *label[*++p]; loop: if (++rounds < 9) p = code; else p++; goto *label[*p];\n"
    "stop: return stack; }\n"
    "__attribute__((noinline)) static int even(int n);\n"
    "__attribute__((noinline)) static int odd(int n) { return n == 0 ? 0 : even(n - 1); }\n"
    "static int even(int n) { return n == 0 ? 1 : odd(n - 1); }\n"
    "__attribute__((noinline)) static void fail(int code) { printf(\"bad\\n\"); exit(code); }\n"
    "static int (*volatile chosen)(int) = odd;\n"
    "__attribute__((noinline)) static int through(int n) { return chosen(n); }\n"
    "int main(void) { int sum = 0; char s[9] = {0};\n"
    "static const unsigned char code[] = {0, 2, 1, 3, 0, 4};\n"
    "for (int i = 0; i < 300; i++) { sum += dense(next() % 9); for (int k = 0; k < 8; k++) s[k] = 'a' + next() % 8;\n"
    "sum += letters(s) + machine(code) + even(i & 15) + through(i & 7);\n"
    "if (sum == 0x7fffffff) fail(3); }\n"
    "printf(\"%d\\n\", sum); return 0; }\n";

static const char *const options[] = {
    "-O2", "-Os", "-O1 -mcmodel=medany", "-O3 -fPIE -static-pie", "-O0", "-O2 -march=rv64gc_zba_zbb"};
enum { VARIANTS = sizeof options / sizeof options[0] };

static bool compile(const char *option, char path[])
{
    char command[256];
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
    const char *cc = getenv("RVCC");
    snprintf(command, sizeof command, "%s -w -static %s -o %s -x c - 2> /dev/null",
             cc != NULL ? cc : "riscv64-linux-gnu-gcc", option, path);
    FILE *p = popen(command, "w");
    fputs(source, p);
    return pclose(p) == 0;
}

static const struct code_graph_edge *edge_to(const struct code_graph *g, uint32_t from, uint64_t to)
{
    size_t blocks, edges, count;
    const struct code_graph_block *b = code_graph_blocks(g, &blocks);
    const struct code_graph_edge *edge = code_graph_edges(g, &edges);
    const uint32_t *out = code_graph_out(g, from, &count);
    for (size_t i = 0; i < count; i++)
        if (edge[out[i]].kind != CODE_GRAPH_CALL && b[edge[out[i]].to].start == to)
            return &edge[out[i]];
    return NULL;
}

/* Every transfer that is neither a call nor a return, within a procedure. Returns the number of indirect ones. */
static uint64_t check_transfers(const struct dcpi_run *r, const struct code_graph *g)
{
    size_t blocks;
    const struct code_graph_block *b = code_graph_blocks(g, &blocks);
    uint64_t indirect = 0;
    for (size_t i = 0; i < r->transfer.rows; i++) {
        const struct dcpi_count *t = &r->transfer.row[i];
        uint32_t from = t->count != 0 ? code_graph_find(g, t->pc) : CODE_GRAPH_NONE;
        uint32_t to = from != CODE_GRAPH_NONE ? code_graph_find(g, t->next) : CODE_GRAPH_NONE;
        if (to == CODE_GRAPH_NONE || b[from].function != b[to].function || b[from].ends == CODE_CALL ||
            b[from].ends == CODE_INDIRECT_CALL || b[from].ends == CODE_RETURN)
            continue;
        ck_assert_msg(code_graph_lost(g, from) || edge_to(g, from, t->next) != NULL, "no edge %lx -> %lx",
                      (unsigned long)t->pc, (unsigned long)t->next);
        indirect += b[from].ends == CODE_INDIRECT_JUMP && !code_graph_lost(g, from) ? t->count : 0;
    }
    return indirect;
}

/* The instruction behind a call that does not return is not executed in its place: all its executions are those of
 * branches and jumps to it. */
static unsigned check_no_return(const struct dcpi_run *r, const struct code_graph *g)
{
    size_t blocks;
    unsigned calls = 0;
    const struct code_graph_block *b = code_graph_blocks(g, &blocks);
    for (uint32_t k = 0; k + 1 < blocks; k++) {
        if (!code_graph_no_return(g, k))
            continue;
        calls++;
        ck_assert_uint_le(dcpi_counts_get(&r->insn, b[k].last, 0), 1); /* only once, at the end of the run */
    }
    return calls;
}

static uint64_t executions(const struct dcpi_run *r, const struct procedure *p, uint32_t edge)
{
    size_t edges;
    const struct procedure_edge *e = &p->edge[edge];
    const struct code_graph_block *from = procedure_block(p, e->from);
    enum code_graph_edge_kind kind = code_graph_edges(p->graph, &edges)[e->edge].kind;
    if (kind == CODE_GRAPH_FALL || kind == CODE_GRAPH_PAST_CALL)
        return dcpi_counts_get(&r->insn, from->last, 0);
    return dcpi_counts_get(&r->transfer, from->last, procedure_block(p, e->to)->start);
}

/* Members of a class are executed equally often, but for the chain of calls in which the program ends. */
static unsigned check_classes(const struct dcpi_run *r, const struct code_graph *g)
{
    size_t blocks;
    unsigned compared = 0;
    const struct code_graph_block *b = code_graph_blocks(g, &blocks);
    for (uint32_t k = 0; k < blocks; k++) {
        if (b[k].function != k || dcpi_counts_get(&r->insn, b[k].start, 0) == 0)
            continue;
        struct procedure *p = procedure_new(g, k);
        uint64_t *count = xcalloc((size_t)p->classes + 1, sizeof *count);
        for (uint32_t n = 0; n < p->blocks; n++)
            count[p->block_class[n]] = dcpi_counts_get(&r->insn, procedure_block(p, n)->start, 0);
        for (uint32_t n = 0; n < p->blocks; n++, compared++)
            ck_assert_msg(count[p->block_class[n]] == dcpi_counts_get(&r->insn, procedure_block(p, n)->start, 0),
                          "block %lx", (unsigned long)procedure_block(p, n)->start);
        for (uint32_t e = 0; e < p->edges; e++) {
            if (p->edge[e].kind != PROCEDURE_INSIDE)
                continue;
            for (uint32_t n = 0; n < p->blocks; n++)
                if (p->block_class[n] == p->edge_class[e])
                    ck_assert_msg(executions(r, p, e) == count[p->edge_class[e]], "edge from %lx",
                                  (unsigned long)procedure_block(p, p->edge[e].from)->last);
        }
        free(count);
        procedure_free(p);
    }
    return compared;
}

START_TEST(as_executed)
{
    char path[] = "/tmp/test_code_resolve_XXXXXX";
    char *argv[] = {path, NULL};
    struct core_config cfg;
    core_config_default(&cfg);
    cfg.core = 1;
    if (!compile(options[_i], path)) { /* this compiler lacks the option */
        unlink(path);
        ck_assert_msg(_i != 0, "no compiler for the guest");
        return;
    }
    fflush(stdout);
    int out = dup(STDOUT_FILENO);
    ck_assert_ptr_nonnull(freopen("/dev/null", "w", stdout));
    struct dcpi_run *r = dcpi_run(argv, &cfg, "", UINT64_MAX);
    dup2(out, STDOUT_FILENO);
    close(out);
    symbols_set_bias(r->symbols, r->guest.process->bias);
    struct code_graph *g = dcpi_graph(r);
    ck_assert_uint_gt(check_transfers(r, g), strstr(options[_i], "-O0") != NULL ? 1000 : 10000);
    ck_assert_uint_gt(check_no_return(r, g), 100);
    ck_assert_uint_gt(check_classes(r, g), 500);
    code_graph_free(g);
    dcpi_run_free(r);
    unlink(path);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("code_resolve");
    TCase *t = tcase_create("code_resolve");
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, as_executed, 0, VARIANTS);
    suite_add_tcase(s, t);
    return run_suite(s);
}
