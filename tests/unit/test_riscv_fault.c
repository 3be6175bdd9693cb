/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of a fatal fault: registers by name, and a caller only where there was a call. */
#include "core-model/riscv/fault.h"

#include <check.h> /* last: it has a macro named fail */
#include <stdlib.h>

enum { CODE = 0x10000, RA = 1, A0 = 10, FA0 = 42 };

static bool symbolise(void *context, uint64_t addr, char *buf, size_t size_bytes)
{
    if (addr < CODE || addr >= CODE + MEM_PAGE_BYTES)
        return false;
    snprintf(buf, size_bytes, "%s+0x%x", (const char *)context, (unsigned)(addr - CODE));
    return true;
}

/* The report of a guest that has the given words at CODE and its return address at CODE + offset. Taken by the caller. */
static char *report(const uint32_t *words, size_t count, uint64_t return_addr)
{
    struct guest g = {.fault = "SIGSEGV at pc 0x10020"};
    struct errmsg err;
    char *text, name[] = "f";
    size_t size_bytes;
    ck_assert_int_eq(hart_init(&g.hart, &err), ST_OK);
    ck_assert_int_eq(memory_map(&g.hart.mem, CODE, MEM_PAGE_BYTES, MEM_R | MEM_X), ST_OK);
    memcpy(memory_at(&g.hart.mem, CODE), words, count * sizeof *words);
    g.hart.pc = CODE + 32;
    g.hart.reg[RA] = return_addr;
    g.hart.reg[A0] = 0xabcdef;
    g.hart.reg[FA0] = 0x1234;
    FILE *file = open_memstream(&text, &size_bytes);
    ck_assert_ptr_nonnull(file);
    guest_print_fault(&g, file, symbolise, name);
    fclose(file);
    hart_fini(&g.hart);
    return text;
}

static bool has(const char *text, const char *part) { return strstr(text, part) != NULL; }

START_TEST(a_report_names_registers_and_caller)
{
    static const uint32_t words[] = {0x00000013, 0x01c000ef}; /* nop; jal f+0x20 */
    char *text = report(words, 2, CODE + 8);
    ck_assert(has(text, "SIGSEGV at pc 0x10020\n"));
    ck_assert(has(text, "at          0x0000000000010020  f+0x20\n"));
    ck_assert(has(text, "called from 0x0000000000010004  f+0x4\n"));
    ck_assert(has(text, "a0   0000000000abcdef"));
    ck_assert(has(text, "fa0  0000000000001234"));
    ck_assert(!has(text, "fa1"));
    free(text);
}
END_TEST

START_TEST(no_caller_where_there_was_no_call)
{
    static const uint32_t words[] = {0x00000013, 0x0180006f}; /* nop; j f+0x1c */
    static const uint64_t wild[] = {0, 1, 2, CODE, CODE + 2, CODE + 5, CODE + 8, UINT64_MAX, UINT64_C(1) << 38, UINT64_C(1) << 63};
    for (size_t i = 0; i < sizeof wild / sizeof wild[0]; i++) {
        char *text = report(words, 2, wild[i]);
        ck_assert_msg(!has(text, "called from"), "ra 0x%llx", (unsigned long long)wild[i]);
        free(text);
    }
}
END_TEST

static Suite *make_suite(void)
{
    Suite *s = suite_create("riscv fault");
    TCase *t = tcase_create("report");
    tcase_add_test(t, a_report_names_registers_and_caller);
    tcase_add_test(t, no_caller_where_there_was_no_call);
    suite_add_tcase(s, t);
    return s;
}

int main(void)
{
    SRunner *runner = srunner_create(make_suite());
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
