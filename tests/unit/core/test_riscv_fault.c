/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of a fatal fault: the fault in words, registers by name. */
#include "core-model/linux/fault.h"

#include "tests/unit/suite.h" /* after ours: Check has a macro `fail` */
#include <stdlib.h>
#include <string.h>

enum { CODE = 0x10000, A0 = 10, FA0 = 42 };

static bool has(const char *text, const char *part) { return strstr(text, part) != NULL; }

START_TEST(a_report_names_the_fault_and_the_registers)
{
    struct guest_process process = {.fault = "SIGSEGV at pc 0x10020"};
    struct guest g = {.process = &process};
    char *text;
    size_t size_bytes;
    g.hart.pc = CODE + 32;
    g.hart.reg[A0] = 0xabcdef;
    g.hart.reg[FA0] = 0x1234;
    g.hart.instret = 77;
    FILE *file = open_memstream(&text, &size_bytes);
    ck_assert_ptr_nonnull(file);
    guest_print_fault(&g, file);
    fclose(file);
    ck_assert(has(text, "SIGSEGV at pc 0x10020, after 77 instructions\n"));
    ck_assert(has(text, "pc   0000000000010020"));
    ck_assert(has(text, "a0   0000000000abcdef"));
    ck_assert(has(text, "fa0  0000000000001234"));
    ck_assert(!has(text, "fa1"));
    free(text);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *s = suite_create("riscv fault");
    TCase *t = tcase_create("report");
    tcase_add_test(t, a_report_names_the_fault_and_the_registers);
    suite_add_tcase(s, t);
    return s;
}

int main(void) { return run_suite(make_suite()); }
