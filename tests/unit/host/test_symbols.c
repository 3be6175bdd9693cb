/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Symbols: of this very program, of programs for the guest and what binutils makes of them, and of files that are
 * damaged, empty of symbols, or no ELF files. */
#include <elf.h>
#include <limits.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/status.h"
#include "host/symbols/demangle.h"
#include "host/symbols/image_identity.h"
#include "host/symbols/source_lines.h"
#include "host/symbols/symbols.h"

/* Last: it defines the word fail. */
#include "tests/unit/compiled_folder.h"
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

extern const char __executable_start[]; /* the linker's: where the first segment begins */

START_TEST(finds_functions_and_lines)
{
    struct symbols *s;
    ck_assert_int_eq(symbols_new(&s, self, "", NULL), ST_OK);
    for (unsigned again = 0; again < 2; again++) { /* the second time from the cache */
        struct symbols_place p = symbols_find(s, landmark());
        ck_assert_ptr_nonnull(p.function);
        ck_assert_str_eq(p.function, "symbols_test_landmark");
        ck_assert_uint_eq(p.offset, 0);
        if (p.file != NULL) { /* built with -g */
            ck_assert_str_eq(p.file, "test_symbols.c");
            ck_assert_int_eq(p.line, LANDMARK_LINE);
        }
    }
    ck_assert_uint_eq(symbols_find(s, landmark() + 1).offset, 1);
    symbols_free(s);
}
END_TEST

static int symbols_test_variable[4] __asm__("_ZN4test8variableE") = {1, 2, 3, 4};

START_TEST(finds_variables)
{
    struct symbols *s;
    uint64_t at = (uint64_t)(uintptr_t)symbols_test_variable -
                  ((uint64_t)(uintptr_t)symbols_test_landmark - landmark());
    ck_assert_int_eq(symbols_new(&s, self, "", NULL), ST_OK);
    struct symbols_place found[] = {symbols_find(s, at + 4), symbols_find_data(s, at + 4)};
    for (unsigned i = 0; i < 2; i++) {
        ck_assert_ptr_nonnull(found[i].function);
        ck_assert_str_eq(found[i].function, "test::variable");
        ck_assert_uint_eq(found[i].offset, 4);
        ck_assert_uint_eq(found[i].start, at);
        ck_assert_ptr_null(found[i].library);
    }
    struct symbols_place p = symbols_find(s, at + sizeof symbols_test_variable);
    ck_assert(p.function == NULL || strcmp(p.function, "test::variable") != 0);
    uint64_t by_name;
    ck_assert(symbols_variable(s, "_ZN4test8variableE", &by_name) && by_name == at);
    ck_assert(symbols_variable(s, "test::variable", &by_name) && by_name == at);
    ck_assert(!symbols_address(s, "test::variable", &by_name)); /* it is no function */
    ck_assert(!symbols_variable(s, "main", &by_name));
    symbols_free(s);
}
END_TEST

static void expect_bare(const struct symbols *s, uint64_t address)
{
    struct symbols_place p = symbols_find_data(s, address);
    ck_assert_uint_eq(p.address, address);
    ck_assert_ptr_null(p.function);
    ck_assert_ptr_null(p.library);
    ck_assert_ptr_null(p.file);
}

/* Data without a symbol: in the file's headers, in a library, and where no file is mapped. */
START_TEST(data_without_symbol)
{
    const uint64_t bias = 0x2aaaaaa000, other = 0x170000000;
    struct symbols *s;
    ck_assert_int_eq(symbols_new(&s, self, "", NULL), ST_OK);
    symbols_set_bias(s, bias);
    symbols_add_library(s, "/nonexistent/lib.so", other, other + 0x1000, 0);
    static const uint64_t offsets[] = {0, 16, 64};
    uint64_t header = landmark() + bias -
                      ((uint64_t)(uintptr_t)symbols_test_landmark - (uint64_t)(uintptr_t)__executable_start);
    for (unsigned i = 0; i < 3; i++) {
        expect_bare(s, header + offsets[i]);
        ck_assert_str_eq(symbols_find(s, header + offsets[i]).library, "exe");
        expect_bare(s, other + offsets[i]);
        expect_bare(s, 0x7fffffff0000 + offsets[i]);
    }
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

static void see_entry(void *ctx, uint64_t start)
{
    (void)start;
    ++*(unsigned *)ctx;
}

static void see_code(void *ctx, uint64_t start, uint64_t end)
{
    ck_assert(start < end);
    see_entry(ctx, start);
}

START_TEST(libraries)
{
    unsigned entries = 0;
    const uint64_t start = 0x150000000, size = 0x10000000, other = 0x170000000;
    const uint64_t within = (uint64_t)(uintptr_t)symbols_test_landmark - (uint64_t)(uintptr_t)__executable_start;
    struct symbols *s;
    ck_assert_int_eq(symbols_new(&s, self, "", NULL), ST_OK);
    symbols_add_library(s, self, start, start + size, 0);
    symbols_add_library(s, "/nonexistent/lib.so", other, other + 0x1000, 0);
    struct symbols_place p = symbols_find(s, start + within + 1);
    ck_assert_str_eq(p.function, "symbols_test_landmark");
    ck_assert_uint_eq(p.offset, 1);
    ck_assert_str_eq(p.library, "exe");
    ck_assert_ptr_null(symbols_find(s, landmark()).library);
    ck_assert_str_eq(symbols_find(s, start + size).library, "anonymous");
    p = symbols_find(s, other + 8); /* in a file that is not there: by its offset */
    ck_assert_ptr_null(p.function);
    ck_assert_uint_eq(p.address, 8);
    ck_assert_str_eq(p.library, "lib.so");
    ck_assert_uint_eq(p.start, symbols_find(s, other + 0x100).start);
    symbols_each_entry(s, see_entry, &entries);
    symbols_each_range(s, see_code, &entries);
    ck_assert_uint_gt(entries, 0);
    ck_assert_ptr_null(symbols_frame(s, other + 8));
    /* A part of the file that no segment has. */
    symbols_add_library(s, self, start + size, start + size + 0x1000, 0x70000000);
    ck_assert_ptr_null(symbols_find(s, start + size + 8).function);
    /* A later mapping over it counts. */
    symbols_add_library(s, "/nonexistent/new.so", start, start + 0x1000, 0);
    ck_assert_str_eq(symbols_find(s, start + 8).library, "new.so");
    symbols_free(s);
}
END_TEST

static void expect_function(const struct symbols *s, uint64_t start, const char *expected)
{
    const char *library;
    char *name = symbols_function(s, start, &library);
    ck_assert_str_eq(name, expected);
    ck_assert_ptr_null(library);
    free(name);
}

START_TEST(unknown_places)
{
    static const uint64_t nowhere[] = {0x7fffffff0000, UINT64_MAX - 1, UINT64_MAX};
    struct symbols *s;
    ck_assert_int_eq(symbols_new(&s, self, "", NULL), ST_OK);
    for (unsigned i = 0; i < sizeof nowhere / sizeof nowhere[0]; i++) {
        struct symbols_place p = symbols_find(s, nowhere[i]);
        ck_assert_ptr_null(p.function);
        ck_assert_ptr_null(p.file);
        ck_assert_str_eq(p.library, "anonymous");
        ck_assert_uint_eq(p.address, nowhere[i]);
        ck_assert_uint_eq(p.start, SYMBOLS_ANONYMOUS);
    }
    ck_assert_ptr_null(symbols_find(s, 0).library);
    expect_function(s, 0, "(unknown)");
    expect_function(s, SYMBOLS_ANONYMOUS, "[anonymous]");
    expect_function(NULL, 1, "(unknown)");
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

/* ---- names of languages ---- */

static void expect_demangled(const char *symbol, const char *full, const char *brief)
{
    char *names[] = {demangle(symbol, DEMANGLE_FULL), demangle(symbol, DEMANGLE_SHORT)};
    const char *expected[] = {full, brief};
    for (unsigned i = 0; i < 2; i++) {
        if (expected[i] == NULL)
            ck_assert_ptr_null(names[i]);
        else
            ck_assert_msg(names[i] != NULL && strcmp(names[i], expected[i]) == 0, "%s: '%s', not '%s'", symbol,
                          names[i] != NULL ? names[i] : "", expected[i]);
        free(names[i]);
    }
}

START_TEST(languages)
{
    expect_demangled("_ZNK5shape3box5scaleEPKc", "shape::box::scale(char const*) const", "shape::box::scale");
    expect_demangled("_Z7largestIlET_S0_S0_", "long largest<long>(long, long)", "largest<long>");
    expect_demangled("_Z3addii.part.0", "add(int, int) [clone .part.0]", "add");
    expect_demangled("_ZNSolsEi@@GLIBCXX_3.4", "std::ostream::operator<<(int)@@GLIBCXX_3.4",
                     "std::ostream::operator<<@@GLIBCXX_3.4");
    expect_demangled("_Znwm@plt", "operator new(unsigned long)@plt", "operator new@plt");
    /* Rust: legacy, with its hash, and v0. */
    expect_demangled("_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write", "core::fmt::write");
    expect_demangled("_RNvCs1234_7mycrate3foo", "mycrate::foo", "mycrate::foo");
    static const char *const plain[] = {"main", "_start", "__libc_start_main", "_Z", "_R", "_ZN", "", "@", "_@plt"};
    for (unsigned i = 0; i < sizeof plain / sizeof plain[0]; i++)
        expect_demangled(plain[i], NULL, NULL);
}
END_TEST

/* Of few bytes, and would be demangled to terabytes or by a recursion that the stack has no room for. */
START_TEST(hostile_names)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    char large[1000] = "_Z1f1AIiiE";
    for (unsigned i = 0; i + 1 < sizeof digits; i++)
        snprintf(large + strlen(large), sizeof large - strlen(large), "S_IS%c_S%c_E", digits[i], digits[i]);
    expect_demangled(large, NULL, "f"); /* the parameters are what is large */
    enum { DEEP = 60000 };
    char *deep = xmalloc(DEEP + 10);
    memcpy(deep, "_Z1f", 4);
    memset(deep + 4, 'P', DEEP);
    memcpy(deep + 4 + DEEP, "i", 2);
    ck_assert_ptr_null(demangle(deep, DEMANGLE_FULL));
    memset(deep + 1, 'Z', DEEP);
    ck_assert_ptr_null(demangle(deep, DEMANGLE_FULL));
    free(deep);
}
END_TEST

/* ---- programs for the guest ---- */

static const char names_source[] = "    .text\n"
                                   "    .globl strong, __strong, a_size, quiet\n"
                                   "    .weak weak, a_weak\n"
                                   "    .type weak, @function\n    .type a_weak, @function\n"
                                   "    .type strong, @function\n    .type __strong, @function\n"
                                   "    .type local, @function\n    .type quiet, @function\n"
                                   "    .size a_size, 4\n    .size weak, 4\n    .size a_weak, 4\n    .size strong, 4\n"
                                   "    .size __strong, 4\n    .size local, 4\n    .size quiet, 4\n"
                                   "_start:\n    nop\n"
                                   "a_weak:\nweak:\n__strong:\nstrong:\nlocal:\na:\n    .word 0x13\n"
                                   "l:\nlocal2:\nquiet:\n    .word 0x13\n"
                                   "    .globl _start, without\n    .set without, weak\n"
                                   "    .globl \"_ZN4core3fmt5write17h0123456789abcdefE\"\n"
                                   "\"_ZN4core3fmt5write17h0123456789abcdefE\":\n    ret\n"
                                   "    .section .text.other,\"ax\"\n    .skip 4096\n";

static const char *function_at(const struct symbols *s, uint64_t pc)
{
    const char *function = symbols_find(s, pc).function;
    return function != NULL ? function : "none";
}

START_TEST(choice)
{
    uint64_t start, strong, weak, hash;
    make_folder();
    write_source("names.s", names_source);
    shell("riscv64-linux-gnu-gcc -nostdlib -static -o names names.s");
    struct symbols *s = open_symbols("names", "");
    ck_assert(symbols_address(s, "_start", &start) && symbols_address(s, "strong", &strong));
    ck_assert(symbols_address(s, "weak", &weak) && weak == strong); /* an alias is not shown, and is found */
    ck_assert_str_eq(function_at(s, strong), "strong");
    ck_assert_str_eq(function_at(s, strong + 4), "quiet");
    ck_assert_str_eq(function_at(s, start), "_start");
    ck_assert(symbols_address(s, "core::fmt::write", &hash));
    ck_assert_str_eq(function_at(s, hash), "core::fmt::write");
    symbols_free(s);
    remove_folder();
}
END_TEST

/* Absolute symbols are none; labels and functions within others; constructors, which have one name; code without a
 * symbol. */
static const char odd_source[] = "    .text\n    .globl _start, abs_f, abs_v\n    .cfi_sections .debug_frame\n"
                                 "    .set abs_f, 0x10010\n    .type abs_f, @function\n"
                                 "    .set abs_v, 0x10018\n    .type abs_v, @object\n    .size abs_v, 8\n"
                                 "    .type _start, @function\n    .size _start, 16\n"
                                 "    .type inner, @function\n    .size inner, 4\n"
                                 "    .type beyond, @function\n    .size beyond, 16\n"
                                 "_start:\n    .cfi_startproc\n    .word 0x13\nlabel:\n    .word 0x13\n"
                                 "inner:\n    .word 0x13\n"
                                 "beyond:\n    .word 0x13, 0x13, 0x13, 0x13\n    .cfi_endproc\n"
                                 "_ZN1AC1Ev:\n_ZN1AC2Ev:\n    .word 0x13\n"
                                 "    .section .other,\"ax\"\n    .skip 64\n"
                                 "    .section .notes,\"\"\nnote:\n    .word 0\n";

struct seen {
    uint64_t start[8], end[8];
    unsigned count;
};

static void see_range(void *ctx, uint64_t start, uint64_t end)
{
    struct seen *seen = ctx;
    ck_assert_uint_lt(seen->count, 8);
    seen->start[seen->count] = start;
    seen->end[seen->count++] = end;
}

static void see_function(void *ctx, const struct symbols_function *f) { see_range(ctx, f->start, f->end); }

START_TEST(odd_symbols)
{
    uint64_t start, ctor;
    struct seen functions = {.count = 0}, ranges = {.count = 0};
    make_folder();
    write_source("odd.s", odd_source);
    shell("riscv64-linux-gnu-gcc -nostdlib -static -Wl,-N,--build-id=none,--no-warn-rwx-segments -o odd odd.s");
    struct symbols *s = open_symbols("odd", "");
    ck_assert(symbols_address(s, "_start", &start) && symbols_address(s, "A::A", &ctor) && ctor == start + 28);
    ck_assert(!symbols_address(s, "abs_f", &ctor) && !symbols_variable(s, "abs_v", &ctor));
    symbols_each_function(s, see_function, &functions);
    ck_assert(functions.count >= 2 && functions.start[0] == start && functions.end[0] == start + 12);
    ck_assert(functions.start[1] == start + 12 && functions.end[1] == start + 28);
    /* The places of addresses are in the same functions. */
    for (unsigned n = 0; n < 2; n++)
        for (uint64_t pc = functions.start[n]; pc < functions.end[n]; pc += 4) {
            struct symbols_place at = symbols_find(s, pc);
            ck_assert_str_eq(at.function, n == 0 ? "_start" : "beyond");
            ck_assert_uint_eq(at.offset, pc - functions.start[n]);
        }
    symbols_each_range(s, see_range, &ranges);
    ck_assert_uint_eq(ranges.count, 2);
    /* The file begins with a function, so the place of code without a symbol is behind it. */
    struct symbols_place p = symbols_find(s, ranges.start[1] + 8);
    ck_assert_ptr_null(p.function);
    ck_assert_uint_eq(p.start, ranges.end[0]);
    Dwarf_Frame *frame = symbols_frame(s, start);
    ck_assert_ptr_nonnull(frame);
    free(frame);
    ck_assert_ptr_null(symbols_frame(s, ranges.start[1] + 8));
    symbols_free(s);
    remove_folder();
}
END_TEST

/* Of several symbols of a name the strongest is found. */
START_TEST(symbols_of_one_name)
{
    uint64_t start, twin;
    make_folder();
    write_source("a.s", "    .globl _start\n_start:\n    .word 0x13\ntwin:\n    .word 0x13\n");
    write_source("b.s", "    .globl twin\ntwin:\n    .word 0x13\n");
    write_source("c.s", "twin:\n    .word 0x13\n");
    shell("riscv64-linux-gnu-gcc -nostdlib -static -o twins a.s b.s c.s");
    write_source("d.s", "    .comm shared, 8\n");
    shell("riscv64-linux-gnu-as -o common.o d.s");
    struct symbols *common = open_symbols("common.o", "");
    ck_assert(!symbols_variable(common, "shared", &start)); /* it has no address yet */
    symbols_free(common);
    struct symbols *s = open_symbols("twins", "");
    ck_assert(symbols_address(s, "_start", &start) && symbols_address(s, "twin", &twin));
    ck_assert_uint_eq(twin, start + 8);
    ck_assert_ptr_null(symbols_frame(s, start)); /* there are no rules */
    /* Places tell them apart. */
    for (uint64_t at = start + 4; at <= start + 12; at += 4) {
        uint64_t found;
        char *name = xasprintf("twin@0x%lx", at);
        ck_assert_str_eq(function_at(s, at), name);
        ck_assert(symbols_address(s, name, &found) && found == at);
        free(name);
    }
    ck_assert(!symbols_address(s, "twin@0x1", &start));
    symbols_free(s);
    remove_folder();
}
END_TEST

static const char stubs_source[] = "#include <iostream>\n#include <cstdio>\n#include <vector>\n"
                                   "static int one(int x) { return x + 1; }\n"
                                   "extern \"C\" { static int (*pick())(int) { return one; }\n"
                                   "int chosen(int) __attribute__((ifunc(\"pick\"))); }\n"
                                   "int main(int c, char **v) { std::vector<int> x; for (int i = 0; i < c; i++)\n"
                                   "    x.push_back(i); puts(v[0]); std::cout << x.size() << std::endl;\n"
                                   "    return chosen(c); }\n";

/* Each stub that objdump names must have the same name here. Returns how many. */
static unsigned compare_stubs(const struct symbols *s, const char *file, bool demangled)
{
    char line[4096], name[4000],
        *command = xasprintf("riscv64-linux-gnu-objdump -d %s%s", demangled ? "-C " : "", file);
    uint64_t address;
    unsigned found = 0;
    FILE *p = popen(command, "r");
    ck_assert_ptr_nonnull(p);
    while (fgets(line, sizeof line, p) != NULL) {
        char *end = strstr(line, ">:\n");
        if (end == NULL || end - line < 8 || strncmp(end - 4, "@plt", 4) != 0 ||
            sscanf(line, "%lx <%3999[^\n]", &address, name) != 2)
            continue;
        name[strlen(name) - 2] = '\0';
        struct symbols_place place = symbols_find(s, address);
        ck_assert_ptr_nonnull(place.function);
        if (demangled)
            ck_assert_str_eq(place.function, name);
        ck_assert_uint_eq(place.offset, 0);
        ck_assert_str_eq(symbols_find(s, address + 12).function, place.function);
        uint64_t by_name;
        ck_assert_msg(symbols_address(s, name, &by_name) && by_name == address, "%s", name);
        found++;
    }
    ck_assert_int_eq(pclose(p), 0);
    free(command);
    return found;
}

START_TEST(stubs_as_objdump)
{
    static const char *const flags[] = {"", "-Wl,-z,now", "-no-pie", "-Wl,-z,now,--strip-all", "-shared -fPIC"};
    make_folder();
    write_source("stubs.cc", stubs_source);
    for (unsigned i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        shell("riscv64-linux-gnu-g++ -O1 %s -o stubs stubs.cc", flags[i]);
        struct symbols *s = open_symbols("stubs", "");
        char *path = xasprintf("%s/stubs", folder);
        unsigned found = compare_stubs(s, path, true);
        ck_assert_uint_ge(found, 5);
        ck_assert_uint_eq(compare_stubs(s, path, false), found);
        free(path);
        symbols_free(s);
    }
    remove_folder();
}
END_TEST

/* Of a static program, whose stubs objdump does not name. */
START_TEST(stubs_of_static_program)
{
    uint64_t resolver, plt = 0;
    make_folder();
    write_source("static.c",
                 "static int one(int x) { return x + 1; }\nstatic void *pick(void) { return one; }\n"
                 "int chosen(int) __attribute__((ifunc(\"pick\")));\nint main(int c) { return chosen(c); }\n");
    shell("riscv64-linux-gnu-gcc -O1 -c static.c && riscv64-linux-gnu-gcc -static -o static static.o");
    struct symbols *s = open_symbols("static", "");
    ck_assert(symbols_address(s, "pick", &resolver));
    char *name = xasprintf("*ABS*+0x%lx@plt", resolver);
    ck_assert(symbols_address(s, name, &plt));
    ck_assert_str_eq(function_at(s, plt + 12), name);
    free(name);
    symbols_free(s);
    remove_folder();
}
END_TEST

/* ---- debug files ---- */

static const char lines_source[] = "static int a(int x) { return x + 1; }\n"
                                   "__attribute__((noinline)) static int b(int x) { return a(x) * 2; }\n"
                                   "int main(int c)\n{ return b(c); }\n";

/* The file's code has the same places as that of `whole`. */
static bool is_same(const struct symbols *whole, const char *file, const char *debug_path)
{
    struct symbols *s = open_symbols(file, debug_path);
    uint64_t start;
    bool same = true;
    ck_assert(symbols_address(whole, "main", &start));
    for (uint64_t pc = start - 64; pc < start + 64; pc += 2) {
        struct symbols_place want = symbols_find(whole, pc), have = symbols_find(s, pc);
        same = same && have.function != NULL && strcmp(have.function, want.function) == 0 &&
               have.offset == want.offset && have.line == want.line && (have.file == NULL) == (want.file == NULL);
    }
    symbols_free(s);
    return same;
}

/* A table of Go's runtime for a program whose code begins at `text`: two functions, of which the first has 16 bytes and
 * the second 32. */
static void write_go_table(uint64_t text, uint32_t second_name)
{
    enum { HEADER = 72, NAMES = 16, PAIRS = 20, DESCRIPTIONS = 24 };
    uint8_t table[HEADER + NAMES + PAIRS + DESCRIPTIONS] = {0xf1, 0xff, 0xff, 0xff, 0, 0, 4, 8, 2};
    const uint64_t names = HEADER, functions = HEADER + NAMES;
    const uint32_t pair[] = {0, PAIRS, 16, PAIRS + 8, 48}, description[] = {0, 0, 16, second_name};
    memcpy(table + 24, &text, 8);
    memcpy(table + 32, &names, 8);
    memcpy(table + 64, &functions, 8);
    memcpy(table + names, "main.main\0a.(*T)", NAMES);
    memcpy(table + functions, pair, sizeof pair);
    memcpy(table + functions + PAIRS, description, sizeof description);
    char *path = xasprintf("%s/table", folder);
    FILE *f = fopen(path, "wb");
    ck_assert(f != NULL && fwrite(table, sizeof table, 1, f) == 1 && fclose(f) == 0);
    free(path);
}

static struct symbols *open_go_program(uint64_t text, uint32_t second_name)
{
    write_go_table(text, second_name);
    shell("riscv64-linux-gnu-objcopy --add-section .gopclntab=table go.stripped go");
    return open_symbols("go", "");
}

START_TEST(programs_in_go)
{
    make_folder();
    write_source("go.s", ".text\n.globl _start\n_start: .zero 64\n");
    shell("riscv64-linux-gnu-gcc -nostdlib -static -Wl,-Ttext=0x10100,--build-id=none -o go.whole go.s && "
          "riscv64-linux-gnu-strip -o go.stripped go.whole");
    struct symbols *s = open_go_program(0x10100, 10);
    const struct symbols_place first = symbols_find(s, 0x1010e), second = symbols_find(s, 0x10110);
    ck_assert_str_eq(first.function, "main.main");
    ck_assert_uint_eq(first.start, 0x10100);
    ck_assert_str_eq(second.function, "a.(*T)");
    ck_assert_str_eq(symbols_find(s, 0x1012f).function, "a.(*T)");
    ck_assert_ptr_null(symbols_find(s, 0x10130).function); /* behind the last one */
    symbols_free(s);
    s = open_go_program(0x10100, 1000); /* its name is behind the table */
    ck_assert_str_eq(symbols_find(s, 0x10100).function, "main.main");
    ck_assert_ptr_null(symbols_find(s, 0x10110).function);
    symbols_free(s);
    s = open_go_program(0, 5); /* position-independent: its addresses are known when it is loaded */
    ck_assert_ptr_null(symbols_find(s, 0x10100).function);
    symbols_free(s);
    /* A symbol table has all of them. */
    shell("riscv64-linux-gnu-objcopy --add-section .gopclntab=table go.whole go");
    s = open_symbols("go", "");
    ck_assert_str_eq(symbols_find(s, 0x10100).function, "_start");
    symbols_free(s);
    remove_folder();
}
END_TEST

START_TEST(debug_files)
{
    make_folder();
    char *tree = xasprintf(":.debug:%s/tree", folder), *all = xasprintf(":.debug:%s/all", folder),
         *cache = xasprintf(":%s/cache", folder);
    write_source("lines.c", lines_source);
    shell(
        "riscv64-linux-gnu-gcc -O1 -g -static -Wl,--build-id=0x0123456789abcdef -o lines lines.c && mkdir .debug tree");
    struct symbols *whole = open_symbols("lines", "");
    uint64_t start;
    ck_assert(symbols_address(whole, "main", &start) && symbols_find(whole, start).line == 4);
    shell("riscv64-linux-gnu-objcopy --only-keep-debug lines lines.debug && riscv64-linux-gnu-strip -o bare lines");
    shell("riscv64-linux-gnu-objcopy --add-gnu-debuglink=lines.debug bare linked");
    /* By the link: beside the file, in .debug, in a folder of debug files. */
    ck_assert(is_same(whole, "linked", ""));
    ck_assert(!is_same(whole, "bare", tree));
    shell("mv lines.debug .debug");
    ck_assert(!is_same(whole, "linked", ""));
    ck_assert(is_same(whole, "linked", ":.debug"));
    shell("mv .debug/lines.debug tree");
    ck_assert(!is_same(whole, "linked", ":.debug"));
    ck_assert(is_same(whole, "linked", tree));
    /* By the build ID. */
    shell("mkdir -p all/.build-id/01 && mv tree/lines.debug all/.build-id/01/23456789abcdef.debug");
    ck_assert(is_same(whole, "bare", all));
    ck_assert(is_same(whole, "linked", all));
    /* In the cache of debuginfod clients. */
    ck_assert(!is_same(whole, "bare", cache));
    shell("mkdir -p cache/0123456789abcdef && cp all/.build-id/01/23456789abcdef.debug "
          "cache/0123456789abcdef/debuginfo");
    ck_assert(is_same(whole, "bare", cache));
    shell("truncate -s 0 cache/0123456789abcdef/debuginfo"); /* a file that the servers did not have */
    ck_assert(!is_same(whole, "bare", cache));
    /* Files of others: of another build ID, and of another checksum. */
    shell("sed s/2/3/ lines.c > other.c && "
          "riscv64-linux-gnu-gcc -O1 -g -static -Wl,--build-id=0x0123456789abcdee -o other other.c && "
          "cp other all/.build-id/01/23456789abcdef.debug && cp other lines.debug");
    ck_assert(!is_same(whole, "bare", all));
    ck_assert(!is_same(whole, "linked", ""));
    symbols_free(whole);
    free(tree);
    free(all);
    free(cache);
    remove_folder();
}
END_TEST

/* Without build IDs the checksum decides. */
START_TEST(debug_file_of_another_checksum)
{
    make_folder();
    write_source("lines.c", lines_source);
    shell("riscv64-linux-gnu-gcc -O1 -g -static -Wl,--build-id=none -o lines lines.c");
    shell("riscv64-linux-gnu-objcopy --only-keep-debug lines lines.debug && riscv64-linux-gnu-strip -o bare lines && "
          "riscv64-linux-gnu-objcopy --add-gnu-debuglink=lines.debug bare linked");
    struct symbols *whole = open_symbols("lines", "");
    ck_assert(is_same(whole, "linked", ""));
    shell("printf x >> lines.debug");
    ck_assert(!is_same(whole, "linked", ""));
    shell("cp lines.debug bare.debug"); /* which no link names */
    ck_assert(!is_same(whole, "bare", ""));
    symbols_free(whole);
    remove_folder();
}
END_TEST

/* A debug file beyond the limit of host/symbols/debug_sections.h is not decompressed, wherever it is found. */
START_TEST(debug_file_beyond_the_limit)
{
    struct rusage before, after;
    const char *path, *remark;
    make_folder();
    char *all = xasprintf(":.debug:%s/all", folder);
    write_source("lines.c", lines_source);
    shell("riscv64-linux-gnu-gcc -O1 -g -static -Wl,--build-id=0x0123456789abcdef -o lines lines.c && "
          "riscv64-linux-gnu-strip -o bare lines && truncate -s 256M zeros && mkdir -p all/.build-id/01 && "
          "riscv64-linux-gnu-objcopy --only-keep-debug lines lines.debug && "
          "riscv64-linux-gnu-objcopy --update-section .debug_str=zeros lines.debug && "
          "riscv64-linux-gnu-objcopy --compress-debug-sections=zlib lines.debug "
          "all/.build-id/01/23456789abcdef.debug && rm zeros lines.debug");
    getrusage(RUSAGE_SELF, &before);
    struct symbols *s = open_symbols("bare", all);
    uint64_t start;
    ck_assert(symbols_address(s, "main", &start) && symbols_find(s, start).line == 0);
    getrusage(RUSAGE_SELF, &after);
    ck_assert(symbols_next_remark(s, &path, &remark) && strstr(remark, "expected at most 16777216") != NULL);
    ck_assert_int_lt(after.ru_maxrss - before.ru_maxrss, 64 << 10);
    symbols_free(s);
    free(all);
    remove_folder();
}
END_TEST

/* A line whose file is none of the table's, and a link with a path. */
START_TEST(damaged_debug_information)
{
    static const char set_file[] = {4, 2}; /* DW_LNS_set_file */
    char bytes[1024];
    uint64_t start;
    make_folder();
    write_source("lines.s", "    .file 1 \"one.c\"\n    .file 2 \"two.c\"\n    .globl _start\n_start:\n"
                            "    .loc 1 3\n    addi a0, a1, 100\n    .loc 2 7\n    addi a0, a1, 100\n");
    shell("riscv64-linux-gnu-gcc -g -nostdlib -static -o lines lines.s && "
          "riscv64-linux-gnu-objcopy --dump-section .debug_line=rows lines && printf 'a/b\\0\\1\\2\\3\\4' > link && "
          "riscv64-linux-gnu-objcopy -g --add-section .gnu_debuglink=link lines linked");
    char *path = xasprintf("%s/rows", folder);
    FILE *rows = fopen(path, "r+");
    ck_assert_ptr_nonnull(rows);
    size_t n = fread(bytes, 1, sizeof bytes, rows);
    char *at = memmem(bytes, n, set_file, sizeof set_file);
    ck_assert_ptr_nonnull(at);
    fseek(rows, at + 1 - bytes, SEEK_SET);
    fputc(77, rows);
    fclose(rows);
    free(path);
    shell("riscv64-linux-gnu-objcopy --update-section .debug_line=rows lines damaged");
    struct symbols *s = open_symbols("damaged", ""), *linked = open_symbols("linked", "");
    ck_assert(symbols_address(s, "_start", &start));
    ck_assert_str_eq(symbols_find(s, start).file, "one.c");
    ck_assert_ptr_null(symbols_find(s, start + 4).file);
    ck_assert_ptr_null(symbols_find(linked, start).file);
    symbols_free(s);
    symbols_free(linked);
    remove_folder();
}
END_TEST

/* Code that no symbol and no call frame information names is one place. */
START_TEST(stripped_programs)
{
    uint64_t start;
    make_folder();
    write_source("lines.c", lines_source);
    shell("riscv64-linux-gnu-gcc -O1 -pie -o lines lines.c && "
          "riscv64-linux-gnu-objcopy -S -R .eh_frame -R .eh_frame_hdr lines bare");
    struct symbols *whole = open_symbols("lines", ""), *s = open_symbols("bare", "");
    ck_assert(symbols_address(whole, "b", &start));
    const uint64_t bias = 0x2aaaaaa000;
    symbols_set_bias(s, bias);
    struct symbols_place p = symbols_find(s, start + bias);
    ck_assert_ptr_null(p.function);
    ck_assert_str_eq(p.library, "bare");
    ck_assert_uint_eq(p.address, start);
    ck_assert_uint_eq(p.start, symbols_find(s, start + bias + 2).start);
    expect_function(s, p.start, "[bare]");
    symbols_free(s);
    symbols_free(whole);
    remove_folder();
}
END_TEST

/* ---- damaged files ---- */

/* Writes the bytes to a file, opens it, looks around in it. */
static enum status try_bytes(const void *bytes, size_t size)
{
    char path[] = "/tmp/test_symbolsXXXXXX";
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

static void expect_identity(char *found, const char *expected)
{
    ck_assert_str_eq(found, expected);
    free(found);
}

/* Identity of a file: the build ID, else the hash of its bytes, else nothing. */
START_TEST(identities)
{
    static const uint8_t build_id[] = {0x01, 0xab};
    struct rlimit limit, none;
    make_folder();
    write_source("text", "abc");
    char *text = xasprintf("%s/text", folder);
    expect_identity(image_identity(build_id, sizeof build_id, "/none"), "01ab");
    expect_identity(image_identity(NULL, 0, "/none"), "");
    expect_identity(image_identity_of_file("/none"), "");
    expect_identity(image_identity_of_file(folder), "");
    expect_identity(image_identity_of_file(text), "sha1:a9993e364706816aba3e25717850c26c9cd0d89d");
    getrlimit(RLIMIT_NOFILE, &limit);
    none = (struct rlimit){0, limit.rlim_max};
    setrlimit(RLIMIT_NOFILE, &none);
    char *found = image_identity_of_file(text);
    setrlimit(RLIMIT_NOFILE, &limit);
    expect_identity(found, "");
    free(text);
    remove_folder();
}
END_TEST

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

static const char *const steps[] = {
    "/",         "/usr//share/", "/usr/./share/.", "/usr/share/..", "/usr/share/../share/../..",
    "/..//usr/", "/../../usr",   "/usr/.",         "/./usr/share"};

START_TEST(paths_are_simplified_as_by_the_system)
{
    char path[PATH_MAX], expected[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s", steps[_i]);
    source_path_simplify(path);
    ck_assert_ptr_nonnull(realpath(steps[_i], expected));
    ck_assert_str_eq(path, expected);
}
END_TEST

static const char *const relative_steps[][2] = {
    {"a/b/../c.h", "a/c.h"}, {"../../c.h", "../../c.h"}, {"a/../../c.h", "../c.h"}, {"..a/../c.h", "c.h"},
    {"a../../c.h", "c.h"},   {"./c.h", "c.h"},           {"../a/../c.h", "../c.h"}, {"a/..b/c.h", "a/..b/c.h"}};

START_TEST(relative_paths_keep_their_steps_up)
{
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s", relative_steps[_i][0]);
    source_path_simplify(path);
    ck_assert_str_eq(path, relative_steps[_i][1]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("host symbols");
    TCase *t = tcase_create("symbols");
    tcase_set_timeout(t, 60);
    tcase_add_test(t, finds_functions_and_lines);
    tcase_add_test(t, finds_variables);
    tcase_add_test(t, data_without_symbol);
    tcase_add_test(t, loaded_elsewhere);
    tcase_add_test(t, libraries);
    tcase_add_test(t, unknown_places);
    tcase_add_test(t, no_such_file);
    tcase_add_test(t, languages);
    tcase_add_test(t, hostile_names);
    tcase_add_test(t, choice);
    tcase_add_test(t, odd_symbols);
    tcase_add_test(t, symbols_of_one_name);
    tcase_add_test(t, stubs_as_objdump);
    tcase_add_test(t, stubs_of_static_program);
    tcase_add_test(t, debug_files);
    tcase_add_test(t, debug_file_of_another_checksum);
    tcase_add_test(t, debug_file_beyond_the_limit);
    tcase_add_test(t, damaged_debug_information);
    tcase_add_test(t, stripped_programs);
    tcase_add_test(t, programs_in_go);
    tcase_add_test(t, identities);
    tcase_add_test(t, odd_files);
    tcase_add_test(t, damaged_files);
    tcase_add_loop_test(t, paths_are_simplified_as_by_the_system, 0, sizeof steps / sizeof steps[0]);
    tcase_add_loop_test(t, relative_paths_keep_their_steps_up, 0, sizeof relative_steps / sizeof relative_steps[0]);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
