/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symbols: of this very program, and of files that are damaged, empty of symbols, or no ELF files. */
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/symbols.h"

/* Last: it defines the word fail. */
#include "tests/unit/suite.h"

static const char self[] = "/proc/self/exe";

__attribute__((noinline)) int symbols_test_landmark(int x);
enum { LANDMARK_LINE = __LINE__ + 1 };
int symbols_test_landmark(int x) { return x * 3 + 1; }

static int first_bias(struct dl_phdr_info *info, size_t size, void *bias)
{
    (void)size;
    *(uint64_t *)bias = info->dlpi_addr;
    return 1; /* the program itself comes first */
}

/* The landmark's address as the linker gave it. */
static uint64_t landmark(void)
{
    uint64_t bias = 0;
    dl_iterate_phdr(first_bias, &bias);
    return (uint64_t)(uintptr_t)symbols_test_landmark - bias;
}

START_TEST(finds_functions_and_lines)
{
    struct symbols *s;
    ck_assert_int_eq(symbols_new(&s, self, "", NULL), ST_OK);
    for (unsigned again = 0; again < 2; again++) { /* the second time from the cache */
        struct place p = symbols_find(s, landmark());
        ck_assert_ptr_nonnull(p.function);
        ck_assert_str_eq(p.function, "symbols_test_landmark");
        ck_assert_uint_eq(p.offset, 0);
        if (p.file != NULL) { /* built with -g */
            ck_assert_str_eq(p.file, "test_host_symbols.c");
            ck_assert_int_eq(p.line, LANDMARK_LINE);
        }
    }
    ck_assert_uint_eq(symbols_find(s, landmark() + 1).offset, 1);
    symbols_free(s);
}
END_TEST

START_TEST(loaded_elsewhere)
{
    const uint64_t bias = 0x2aaaaaa000;
    struct symbols *s;
    ck_assert_int_eq(symbols_new(&s, self, "", NULL), ST_OK);
    symbols_set_bias(s, bias);
    ck_assert_str_eq(symbols_find(s, landmark() + bias).function, "symbols_test_landmark");
    symbols_free(s);
}
END_TEST

extern const char __executable_start[]; /* the linker's: where the first segment begins */

START_TEST(libraries)
{
    const uint64_t start = 0x150000000, size = 0x10000000, other = 0x170000000;
    const uint64_t within = (uint64_t)(uintptr_t)symbols_test_landmark - (uint64_t)(uintptr_t)__executable_start;
    struct symbols *s;
    ck_assert_int_eq(symbols_new(&s, self, "", NULL), ST_OK);
    symbols_add_library(s, self, start, start + size, 0);
    symbols_add_library(s, "/nonexistent/lib.so", other, other + 0x1000, 0);
    struct place p = symbols_find(s, start + within + 1);
    ck_assert_str_eq(p.function, "symbols_test_landmark");
    ck_assert_uint_eq(p.offset, 1);
    ck_assert_str_eq(p.library, "exe");
    ck_assert_ptr_null(symbols_find(s, landmark()).library);
    ck_assert_ptr_null(symbols_find(s, start + size).library);
    p = symbols_find(s, other + 8);
    ck_assert_ptr_null(p.function);
    ck_assert_uint_eq(p.address, other + 8);
    ck_assert_str_eq(p.library, "lib.so");
    /* What is mapped over it later counts. */
    symbols_add_library(s, "/nonexistent/new.so", start, start + 0x1000, 0);
    ck_assert_str_eq(symbols_find(s, start + 8).library, "new.so");
    symbols_free(s);
}
END_TEST

START_TEST(unknown_places)
{
    static const uint64_t nowhere[] = {0, 1, 0x7fffffff0000, UINT64_MAX};
    struct symbols *s;
    ck_assert_int_eq(symbols_new(&s, self, "", NULL), ST_OK);
    for (unsigned i = 0; i < sizeof nowhere / sizeof nowhere[0]; i++) {
        struct place p = symbols_find(s, nowhere[i]);
        ck_assert_ptr_null(p.function);
        ck_assert_ptr_null(p.file);
    }
    symbols_free(s);
}
END_TEST

START_TEST(no_such_file)
{
    struct symbols *s;
    struct errmsg err;
    ck_assert_int_eq(symbols_new(&s, "/nonexistent/a.out", "", &err), ST_IO);
    ck_assert_ptr_nonnull(strstr(err.text, "/nonexistent/a.out"));
}
END_TEST

/* Writes the bytes to a file, opens it, looks around in it. */
static enum status try_bytes(const void *bytes, size_t size)
{
    char path[] = "/tmp/test_host_symbolsXXXXXX";
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, bytes, size), (ssize_t)size);
    close(fd);
    struct symbols *s = NULL;
    enum status st = symbols_new(&s, path, "", NULL);
    for (uint64_t pc = 0; st == ST_OK && pc < 0x20000; pc += 0x3fe)
        symbols_find(s, pc);
    if (st == ST_OK)
        symbols_free(s);
    unlink(path);
    return st;
}

START_TEST(odd_files)
{
    Elf64_Ehdr bare = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                       .e_type = ET_EXEC,
                       .e_machine = EM_RISCV,
                       .e_version = EV_CURRENT,
                       .e_ehsize = sizeof bare};
    ck_assert_int_eq(try_bytes("", 0), ST_FORMAT);
    ck_assert_int_eq(try_bytes("#!/bin/sh\n", 10), ST_FORMAT);
    try_bytes(&bare, sizeof bare); /* no segments, no sections: either answer will do */
    bare.e_shoff = 0x7000;
    bare.e_shnum = 9;
    bare.e_phoff = UINT64_MAX - 3;
    bare.e_phnum = 500;
    try_bytes(&bare, sizeof bare);
}
END_TEST

/* This program with one stretch of bytes overwritten, or cut short. */
START_TEST(damaged_files)
{
    FILE *in = fopen(self, "rb");
    ck_assert_ptr_nonnull(in);
    enum { MOST = 1 << 20 };
    char *bytes = malloc(MOST);
    size_t size = fread(bytes, 1, MOST, in);
    fclose(in);
    unsigned seed = 1;
    for (unsigned i = 0; i < 20; i++) {
        seed = seed * 1103515245 + 12345;
        size_t at = seed % size, n = size - at < 64 ? size - at : 64;
        char kept[64];
        memcpy(kept, bytes + at, n);
        memset(bytes + at, (int)(seed >> 24), n);
        try_bytes(bytes, size);
        memcpy(bytes + at, kept, n);
        try_bytes(bytes, at);
    }
    free(bytes);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("host symbols");
    TCase *t = tcase_create("symbols");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, finds_functions_and_lines);
    tcase_add_test(t, loaded_elsewhere);
    tcase_add_test(t, libraries);
    tcase_add_test(t, unknown_places);
    tcase_add_test(t, no_such_file);
    tcase_add_test(t, odd_files);
    tcase_add_test(t, damaged_files);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
