/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions of stripped files: of call frame information, as readelf prints it, of .gnu_debugdata, and of several
 * symbol tables together. */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/status.h"
#include "host/symbols/symbols.h"

/* Last: it defines the word fail. */
#include "tests/unit/compiled_folder.h"
#include "tests/unit/suite.h"

/* Of several functions, one with a part that the compiler puts elsewhere. */
static const char parts_source[] =
    "#include <stdio.h>\n#include <stdlib.h>\n"
    "__attribute__((noinline)) static int one(int x) { return x * 3 + getchar(); }\n"
    "__attribute__((noinline)) static int two(int x) { if (__builtin_expect(x == 77, 0)) { puts(\"x\"); abort(); }\n"
    "    return one(x) + one(x + 1); }\n"
    "__attribute__((noinline)) int exported(int x) { return two(x) * 5; }\n"
    "int main(int c, char **v) { (void)v; return exported(c) + two(c); }\n";

static const char *name_at(const struct symbols *s, uint64_t address)
{
    const char *name = symbols_find(s, address).function;
    return name != NULL ? name : "none";
}

/* Each FDE that readelf prints begins a function, and each address in it is in one. Returns their number. */
static unsigned compare_frames(const struct symbols *s, const char *file)
{
    char line[4096], *command = xasprintf("riscv64-linux-gnu-readelf --debug-dump=frames %s/%s", folder, file);
    FILE *p = popen(command, "r");
    unsigned found = 0;
    uint64_t start, end;
    ck_assert_ptr_nonnull(p);
    while (fgets(line, sizeof line, p) != NULL) {
        const char *range = strstr(line, "FDE ") != NULL ? strstr(line, "pc=") : NULL;
        if (range == NULL || sscanf(range, "pc=%lx..%lx", &start, &end) != 2)
            continue;
        struct symbols_place first = symbols_find(s, start);
        ck_assert_msg(first.function != NULL && first.offset == 0, "0x%lx", start);
        for (uint64_t at = start; at < end; at += 2)
            ck_assert_msg(symbols_find(s, at).function != NULL, "0x%lx", at);
        found++;
    }
    ck_assert_int_eq(pclose(p), 0);
    free(command);
    return found;
}

START_TEST(functions_of_frames)
{
    static const char *const flags[] = {"-pie", "-no-pie", "-shared -fPIC", "-static"};
    for (unsigned i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        uint64_t one;
        make_folder();
        write_source("parts.c", parts_source);
        shell("riscv64-linux-gnu-gcc -O2 -fasynchronous-unwind-tables %s -o parts parts.c && riscv64-linux-gnu-strip "
              "-o bare parts",
              flags[i]);
        struct symbols *whole = open_symbols("parts", ""), *s = open_symbols("bare", "");
        ck_assert_uint_gt(compare_frames(whole, "parts"), 3);
        ck_assert_uint_gt(compare_frames(s, "bare"), 3);
        ck_assert(symbols_address(whole, "one", &one));
        ck_assert_str_eq(name_at(whole, one), "one");
        char *name = xasprintf("[bare]@0x%lx", one);
        uint64_t found;
        ck_assert_str_eq(name_at(s, one + 2), name);
        ck_assert(symbols_address(s, name, &found) && found == one);
        ck_assert(!symbols_address(s, "[bare]@0x1", &found));
        free(name);
        symbols_free(whole);
        symbols_free(s);
        remove_folder();
    }
}
END_TEST

/* A function without a symbol has its file in its name, also in a library. */
START_TEST(library_without_names)
{
    uint64_t one;
    make_folder();
    write_source("parts.c", parts_source);
    shell("riscv64-linux-gnu-gcc -O2 -fasynchronous-unwind-tables -shared -fPIC -o parts.so parts.c && "
          "riscv64-linux-gnu-strip -o bare.so parts.so");
    struct symbols *whole = open_symbols("parts.so", ""), *s = open_symbols("parts.so", "");
    ck_assert(symbols_address(whole, "one", &one));
    char *path = xasprintf("%s/bare.so", folder), *name = xasprintf("[bare.so]@0x%lx", one);
    const uint64_t start = 0x3f00000000;
    symbols_add_library(s, path, start, start + 0x100000, 0);
    struct symbols_place p = symbols_find(s, start + one + 4);
    ck_assert_str_eq(p.function, name);
    ck_assert(p.is_unnamed && p.library == NULL && p.offset == 4 && p.start == start + one);
    uint64_t exported;
    ck_assert(symbols_address(whole, "exported", &exported));
    p = symbols_find(s, start + exported);
    ck_assert_str_eq(p.function, "exported"); /* of .dynsym */
    ck_assert(!p.is_unnamed && strcmp(p.library, "bare.so") == 0);
    free(path);
    free(name);
    symbols_free(whole);
    symbols_free(s);
    remove_folder();
}
END_TEST

/* Labels without a size, functions that are shorter than their frames, frames that overlap, that have no code, that
 * reach beyond it, and a CIE with a personality routine. */
static const char frames_source[] = "    .text\n    .globl _start, sized, label\n"
                                    "    .type _start, @function\n    .type sized, @function\n    .size sized, 4\n"
                                    "_start:\n    .skip 16\n"          /* 0: no frame, no size */
                                    ".Lfree:\n    .skip 16\n"          /* 16: a frame alone */
                                    "sized:\n    .skip 16\n"           /* 32: 4 of the 16 bytes of its frame */
                                    ".Louter:\n    .skip 8\n"          /* 48: two frames */
                                    ".Linner:\n    .skip 24\n"         /* 56 */
                                    "label:\n    .skip 8\n"            /* 80: a frame begins in it */
                                    ".Lbehind:\n    .skip 8\n.Lend:\n" /* 88 */
                                    "    .section .eh_frame,\"a\",@progbits\n"
                                    ".Lcie:\n    .4byte 1f - 0f\n0:  .4byte 0\n    .byte 1\n    .string \"zPLR\"\n"
                                    "    .uleb128 1\n    .sleb128 -8\n    .uleb128 1\n"
                                    "    .uleb128 7\n    .byte 3\n    .4byte 0x1234\n    .byte 0x1b\n    .byte 0x1b\n"
                                    "    .byte 0\n1:\n"
                                    "    .macro fde begin, bytes\n"
                                    "    .4byte 12f - 11f\n11: .4byte 11b - .Lcie\n10: .4byte \\begin - 10b\n"
                                    "    .4byte \\bytes\n    .uleb128 4\n    .4byte 0\n    .byte 0, 0, 0\n12:\n"
                                    "    .endm\n"
                                    "    fde .Lbehind, 0x7fffffff\n    fde .Lfree, 16\n    fde sized, 16\n"
                                    "    fde .Louter, 32\n    fde .Linner, 8\n    fde .Linner, 4\n"
                                    "    fde .Lend + 64, 8\n    fde .Lfree, 0\n    .4byte 0\n";

START_TEST(odd_frames)
{
    static const struct {
        uint64_t from, to;
        const char *name;
        uint64_t start;
    } expected[] = {{0, 16, "_start", 0}, {16, 32, NULL, 16}, {32, 36, "sized", 32}, {36, 48, NULL, 36},
                    {48, 56, NULL, 48},   {56, 80, NULL, 56}, {80, 88, "label", 80}, {88, 96, NULL, 88}};
    uint64_t start;
    make_folder();
    write_source("frames.s", frames_source);
    shell("riscv64-linux-gnu-gcc -nostdlib -static -Wl,--no-eh-frame-hdr -o frames frames.s 2> ld.log");
    struct symbols *s = open_symbols("frames", "");
    ck_assert(symbols_address(s, "_start", &start));
    for (unsigned i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        char *unnamed = xasprintf("[frames]@0x%lx", start + expected[i].start);
        for (uint64_t at = expected[i].from; at < expected[i].to; at += 2)
            ck_assert_str_eq(name_at(s, start + at), expected[i].name != NULL ? expected[i].name : unnamed);
        free(unnamed);
    }
    ck_assert_str_eq(name_at(s, start + 96), "none");
    symbols_free(s);
    remove_folder();
}
END_TEST

/* Overwrites bytes of a file. */
static void patch(const char *name, off_t at, const void *bytes, size_t count)
{
    char *path = xasprintf("%s/%s", folder, name);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(pwrite(fd, bytes, count, at), (ssize_t)count);
    close(fd);
    free(path);
}

/* Without section headers, by the program headers. */
START_TEST(no_section_headers)
{
    static const uint8_t zeros[8] = {0};
    uint64_t one, exported;
    make_folder();
    write_source("parts.c", parts_source);
    shell("riscv64-linux-gnu-gcc -O2 -fasynchronous-unwind-tables -shared -fPIC -o parts parts.c && "
          "riscv64-linux-gnu-strip -o bare parts");
    patch("bare", offsetof(Elf64_Ehdr, e_shoff), zeros, 8);
    patch("bare", offsetof(Elf64_Ehdr, e_shnum), zeros, 4);
    struct symbols *whole = open_symbols("parts", ""), *s = open_symbols("bare", "");
    ck_assert(symbols_address(whole, "one", &one) && symbols_address(whole, "exported", &exported));
    char *name = xasprintf("[bare]@0x%lx", one);
    ck_assert_str_eq(name_at(s, one), name);
    ck_assert_str_eq(name_at(s, exported), "exported");
    free(name);
    symbols_free(whole);
    symbols_free(s);
    remove_folder();
}
END_TEST

/* ---- .gnu_debugdata ---- */

/* Makes `bare`, stripped, with the symbol table of `parts` in .gnu_debugdata, as Fedora's packages have it. */
static void make_mini(void)
{
    write_source("parts.c", parts_source);
    shell("riscv64-linux-gnu-gcc -O2 -fasynchronous-unwind-tables -o parts parts.c && riscv64-linux-gnu-objcopy "
          "--only-keep-debug parts debug && "
          "riscv64-linux-gnu-objcopy -S --keep-symbol=one --keep-symbol=main debug mini && xz mini && "
          "riscv64-linux-gnu-strip -o stripped parts && "
          "riscv64-linux-gnu-objcopy --add-section .gnu_debugdata=mini.xz stripped bare");
}

START_TEST(mini_debug_information)
{
    uint64_t one, two, address;
    const char *path, *remark;
    make_folder();
    make_mini();
    struct symbols *whole = open_symbols("parts", ""), *s = open_symbols("bare", "");
    ck_assert(symbols_address(whole, "one", &one) && symbols_address(whole, "two", &two));
    ck_assert(symbols_address(s, "one", &address) && address == one);
    ck_assert_str_eq(name_at(s, one + 2), "one");
    char *name = xasprintf("[bare]@0x%lx", two); /* which it lacks */
    ck_assert_str_eq(name_at(s, two), name);
    ck_assert(!symbols_next_remark(s, &path, &remark));
    free(name);
    symbols_free(whole);
    symbols_free(s);
    remove_folder();
}
END_TEST

/* The file has a .gnu_debugdata that is not read for this reason, and functions of its frames nevertheless. */
static void expect_mini_remark(const char *file, const char *reason)
{
    const char *path, *remark = "none";
    struct symbols *s = open_symbols(file, "");
    ck_assert_msg(symbols_next_remark(s, &path, &remark) && strstr(remark, reason) != NULL, "%s", remark);
    ck_assert(!symbols_next_remark(s, &path, &remark));
    ck_assert_uint_gt(compare_frames(s, file), 3);
    symbols_free(s);
}

START_TEST(damaged_mini_debug_information)
{
    struct rusage before, after;
    make_folder();
    make_mini();
    shell("seq 100 > text && riscv64-linux-gnu-objcopy --add-section .gnu_debugdata=text stripped text.elf");
    expect_mini_remark("text.elf", "it is no xz file");
    shell("head -c 200 mini.xz > cut && riscv64-linux-gnu-objcopy --add-section .gnu_debugdata=cut stripped cut.elf");
    expect_mini_remark("cut.elf", "it is cut short");
    shell("xz text && riscv64-linux-gnu-objcopy --add-section .gnu_debugdata=text.xz stripped other.elf");
    expect_mini_remark("other.elf", "expected an ELF file");
    patch("mini.xz", 100, "x\0x\0x\0", 6);
    shell("riscv64-linux-gnu-objcopy --add-section .gnu_debugdata=mini.xz stripped damaged.elf");
    expect_mini_remark("damaged.elf", "cannot be decompressed");
    /* 512 MiB in some 80 KB. */
    shell("head -c 512M /dev/zero | xz -0 > zeros.xz && "
          "riscv64-linux-gnu-objcopy --add-section .gnu_debugdata=zeros.xz stripped zeros.elf");
    getrusage(RUSAGE_SELF, &before);
    expect_mini_remark("zeros.elf", "expected at most 16777216 bytes");
    getrusage(RUSAGE_SELF, &after);
    ck_assert_int_lt(after.ru_maxrss - before.ru_maxrss, 64 << 10);
    remove_folder();
}
END_TEST

/* ---- several symbol tables ---- */

/* A file with some of its symbols has the others from its debug file. */
START_TEST(tables_together)
{
    uint64_t one, two;
    make_folder();
    write_source("parts.c", parts_source);
    shell("riscv64-linux-gnu-gcc -O2 -fasynchronous-unwind-tables -o parts parts.c && riscv64-linux-gnu-objcopy "
          "--only-keep-debug parts debug && "
          "riscv64-linux-gnu-objcopy -S --keep-symbol=two parts some && "
          "riscv64-linux-gnu-objcopy --add-gnu-debuglink=debug some linked");
    struct symbols *whole = open_symbols("parts", ""), *some = open_symbols("some", ""),
                   *linked = open_symbols("linked", "");
    ck_assert(symbols_address(whole, "one", &one) && symbols_address(whole, "two", &two));
    ck_assert_str_eq(name_at(some, two), "two");
    char *name = xasprintf("[some]@0x%lx", one);
    ck_assert_str_eq(name_at(some, one), name);
    ck_assert_str_eq(name_at(linked, two), "two");
    ck_assert_str_eq(name_at(linked, one), "one");
    free(name);
    symbols_free(whole);
    symbols_free(some);
    symbols_free(linked);
    remove_folder();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("functions of ELF files");
    TCase *t = tcase_create("functions");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, functions_of_frames);
    tcase_add_test(t, library_without_names);
    tcase_add_test(t, odd_frames);
    tcase_add_test(t, no_section_headers);
    tcase_add_test(t, mini_debug_information);
    tcase_add_test(t, damaged_mini_debug_information);
    tcase_add_test(t, tables_together);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
