/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ELF loader against damaged files, and a guest process from its start to its end. The programs are made here. */
#include "core-model/linux/elf.h"
#include "core-model/linux/guest.h"
#include "core-model/riscv/extension.h"

#include "tests/unit/suite.h" /* after ours: Check has a macro `fail` */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <unistd.h>

enum { REG_SP = 2, LOAD_ADDR = 0x10000, CODE_OFFSET = 0x1000, FILE_MAX = 0x2000, MUTATIONS = 3000 };

struct file {
    uint8_t bytes[FILE_MAX];
    size_t size_bytes;
    char path[64];
};

static Elf64_Ehdr *ehdr(struct file *f) { return (Elf64_Ehdr *)(void *)f->bytes; }
static Elf64_Phdr *phdr(struct file *f, int i) { return (Elf64_Phdr *)(void *)(f->bytes + sizeof(Elf64_Ehdr)) + i; }

/* One executable segment with `words`, and one writable without bytes in the file. */
static void make(struct file *f, const uint32_t *words, size_t count)
{
    memset(f, 0, sizeof *f);
    f->size_bytes = CODE_OFFSET + count * sizeof *words;
    *ehdr(f) = (Elf64_Ehdr){
        .e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
        .e_type = ET_EXEC,
        .e_machine = EM_RISCV,
        .e_version = EV_CURRENT,
        .e_entry = LOAD_ADDR,
        .e_phoff = sizeof(Elf64_Ehdr),
        .e_flags = 5,
        .e_ehsize = sizeof(Elf64_Ehdr),
        .e_phentsize = sizeof(Elf64_Phdr),
        .e_phnum = 2,
    };
    *phdr(f, 0) = (Elf64_Phdr){.p_type = PT_LOAD,
                               .p_flags = PF_R | PF_X,
                               .p_offset = CODE_OFFSET,
                               .p_vaddr = LOAD_ADDR,
                               .p_filesz = count * sizeof *words,
                               .p_memsz = count * sizeof *words,
                               .p_align = 0x1000};
    *phdr(f, 1) = (Elf64_Phdr){
        .p_type = PT_LOAD, .p_flags = PF_R | PF_W, .p_vaddr = 0x20000, .p_memsz = 0x1000, .p_align = 0x1000};
    memcpy(f->bytes + CODE_OFFSET, words, count * sizeof *words);
    strcpy(f->path, "/tmp/pcemu-test-XXXXXX");
}

static enum status start(struct file *f, struct guest *g, struct errmsg *err)
{
    int fd = mkstemp(f->path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, f->bytes, f->size_bytes), (ssize_t)f->size_bytes);
    close(fd);
    char *argv[] = {f->path, NULL}, *envp[] = {NULL};
    const struct guest_config config = {.path = f->path, .argv = argv, .envp = envp, .seed = 1, .clock_hz = 1000000000};
    enum status st = guest_init(g, &config, err);
    unlink(f->path);
    strcpy(f->path, "/tmp/pcemu-test-XXXXXX");
    return st;
}

static const uint32_t exit_42[] = {0x02a00513, 0x05d00893, 0x00000073}; /* li a0,42; li a7,93; ecall */

static void run_code(const uint32_t *words, size_t count, int want_status, int want_signal)
{
    struct file f;
    struct guest g;
    struct errmsg err;
    make(&f, words, count);
    ck_assert_msg(start(&f, &g, &err) == ST_OK, "%s", err.text);
    ck_assert_int_eq(guest_run(&g, 1000000), RV_TRAP_NONE);
    ck_assert(g.process->exited);
    ck_assert_int_eq(g.process->exit_status, want_status);
    ck_assert_int_eq(g.process->fatal_signal, want_signal);
    guest_fini(&g);
}

START_TEST(exit_status_is_the_guests) { run_code(exit_42, 3, 42, 0); }
END_TEST

START_TEST(faults_end_the_guest)
{
    static const uint32_t load_0[] = {0x00003503}, illegal[] = {0x00000000}, breakpoint[] = {0x00100073},
                          misaligned[] = {0x00100593, 0x1005b52f}, jump_0[] = {0x00000067},
                          store_code[] = {0x00000597, 0x00a5a023};
    run_code(load_0, 1, 128 + 11, 11);
    run_code(illegal, 1, 128 + 4, 4);
    run_code(breakpoint, 1, 128 + 5, 5);
    run_code(misaligned, 2, 128 + 7, 7);
    run_code(jump_0, 1, 128 + 11, 11);
    run_code(store_code, 2, 128 + 11, 11);
}
END_TEST

START_TEST(budget_counts_system_calls)
{
    struct file f;
    struct guest g;
    struct errmsg err;
    make(&f, exit_42, 3);
    ck_assert_int_eq(start(&f, &g, &err), ST_OK);
    ck_assert_int_eq(guest_run(&g, 2), RV_TRAP_LIMIT);
    ck_assert_uint_eq(g.hart.instret, 2);
    ck_assert_int_eq(guest_run(&g, 10), RV_TRAP_NONE);
    ck_assert_uint_eq(g.hart.instret, 3);
    guest_fini(&g);
}
END_TEST

/* System calls with pointers to nowhere return EFAULT: li a0,1; li a1,-1; li a2,8; li a7,N; ecall; neg a0,a0; li a7,93;
 * ecall */
START_TEST(wild_pointers_are_refused)
{
    static const uint16_t numbers[] = {63, 64, 65, 66, 67, 68, 80, 113, 160, 179, 278, 59, 134, 79, 56};
    uint32_t code[] = {0x00100513, 0xfff00593, 0x00800613, 0, 0x00000073, 0x40a00533, 0x05d00893, 0x00000073};
    uint16_t number = numbers[_i];
    bool first_is_pointer = number == 160 || number == 179 || number == 278 || number == 59;
    code[0] = first_is_pointer ? 0xfff00513 : 0x00100513;
    code[3] = 0x00000893 | (uint32_t)number << 20;
    if (number == 134)
        code[2] = 0x00800693; /* the size of the mask is the fourth argument */
    if (number == 278)
        code[2] = 0x00000613; /* flags */
    run_code(code, sizeof code / sizeof code[0], 14, 0);
}
END_TEST

static void refuse(struct file *f, const char *found)
{
    struct guest g;
    struct errmsg err = {""};
    enum status st = start(f, &g, &err);
    ck_assert_msg(st == ST_FORMAT || st == ST_IO, "status %d", st);
    ck_assert_msg(strstr(err.text, found) != NULL, "%s lacks \"%s\"", err.text, found);
    ck_assert_msg(strstr(err.text, "/tmp/pcemu-test-") != NULL, "%s does not name the file", err.text);
}

START_TEST(damaged_headers_are_named)
{
    struct file f;
#define DAMAGE(change, text)  \
    do {                      \
        make(&f, exit_42, 3); \
        change;               \
        refuse(&f, text);     \
    } while (0)
    DAMAGE(f.size_bytes = 0, "empty");
    DAMAGE(f.bytes[0] = '#', "found a file of another format, which begins with 23 45 4c 46");
    DAMAGE(f.size_bytes = 20, "found an ELF file that ends in its header");
    DAMAGE(f.size_bytes = 60, "found an ELF file that ends in its header");
    DAMAGE(f.bytes[EI_CLASS] = ELFCLASS32, "found a 32-bit RISC-V program");
    DAMAGE(f.bytes[EI_DATA] = ELFDATA2MSB, "found a big-endian");
    DAMAGE(ehdr(&f)->e_machine = EM_X86_64, "expected a riscv64 program, found an x86-64 program");
    DAMAGE(ehdr(&f)->e_type = ET_REL, "found a RISC-V object file");
    DAMAGE(ehdr(&f)->e_flags = 8, "offset 0x30: flags");
    DAMAGE(ehdr(&f)->e_phentsize = 32, "offset 0x36");
    DAMAGE(ehdr(&f)->e_phnum = 0, "offset 0x38");
    DAMAGE(ehdr(&f)->e_phnum = 600, "offset 0x38");
    DAMAGE(ehdr(&f)->e_phoff = 0x100000, "offset 0x20");
    DAMAGE(ehdr(&f)->e_phoff = UINT64_MAX - 8, "offset 0x20");
    DAMAGE(phdr(&f, 0)->p_type = phdr(&f, 1)->p_type = PT_NULL, "loadable segment, found none");
    DAMAGE(phdr(&f, 0)->p_filesz = 0x10000, "offset 0x60: segment: expected it to end within the file");
    DAMAGE(phdr(&f, 0)->p_filesz = UINT64_MAX, "offset 0x60");
    DAMAGE(phdr(&f, 0)->p_offset = UINT64_MAX - 4, "segment: expected it to end within the file");
    DAMAGE(phdr(&f, 0)->p_memsz = 4, "offset 0x68: segment's size in memory");
    DAMAGE(phdr(&f, 0)->p_memsz = UINT64_MAX, "offset 0x50");
    DAMAGE(phdr(&f, 0)->p_vaddr = UINT64_MAX - 0xfff, "offset 0x50");
    DAMAGE(phdr(&f, 1)->p_vaddr = 0x3ffffff000;
           phdr(&f, 1)->p_memsz = 0x2000, "offset 0x88: segment's address and size");
    DAMAGE(phdr(&f, 0)->p_vaddr = 0x10004, "modulo 0x1000");
    DAMAGE(phdr(&f, 1)->p_vaddr = LOAD_ADDR, "an address after the previous segment");
    DAMAGE(phdr(&f, 0)->p_vaddr = 0, "lowest address");
    DAMAGE(phdr(&f, 1)->p_vaddr = 0x3f00000000, "image size");
    DAMAGE(phdr(&f, 0)->p_vaddr = 0x3ffffff000; phdr(&f, 1)->p_type = PT_NULL, "addresses to be free");
    DAMAGE(phdr(&f, 1)->p_type = PT_INTERP, "interpreter's name");
    DAMAGE(*phdr(&f, 1) = ((Elf64_Phdr){.p_type = PT_INTERP, .p_offset = CODE_OFFSET, .p_filesz = 4}), "a final NUL");
    DAMAGE(*phdr(&f, 1) = ((Elf64_Phdr){.p_type = PT_INTERP, .p_offset = CODE_OFFSET, .p_filesz = 4097}),
           "1 to 0x1000 bytes");
    DAMAGE(*phdr(&f, 1) = ((Elf64_Phdr){.p_type = PT_INTERP, .p_offset = 0x100000, .p_filesz = 4}),
           "it to be within the file");
#undef DAMAGE
}
END_TEST

/* A segment that begins in the last page of the one before it, with and without pages of its own; one of no bytes. */
START_TEST(segments_that_share_a_page)
{
    static const uint64_t sizes[] = {0x10, 0x1800, 0};
    struct file f;
    struct guest g;
    struct errmsg err;
    make(&f, exit_42, 3);
    phdr(&f, 1)->p_vaddr = LOAD_ADDR + 0x100;
    phdr(&f, 1)->p_offset = 0x100;
    phdr(&f, 1)->p_memsz = sizes[_i];
    ck_assert_msg(start(&f, &g, &err) == ST_OK, "%s", err.text);
    ck_assert_int_eq(memory_allows(&g.hart.mem, LOAD_ADDR, 1, MEM_X), 1);
    ck_assert_int_eq(memory_allows(&g.hart.mem, LOAD_ADDR, 1, MEM_W), sizes[_i] != 0);
    ck_assert_int_eq(memory_allows(&g.hart.mem, LOAD_ADDR + 0x1000, 1, MEM_W), sizes[_i] > 0x1000);
    ck_assert_int_eq(guest_run(&g, 1000), RV_TRAP_NONE);
    ck_assert_int_eq(g.process->exit_status, 42);
    guest_fini(&g);
}
END_TEST

/* A file that is placed where it does not end below the end of the address space. */
START_TEST(placed_too_high)
{
    struct file f;
    struct guest g;
    struct errmsg err;
    struct elf_image image;
    make(&f, exit_42, 3);
    ehdr(&f)->e_type = ET_DYN;
    int fd = mkstemp(f.path);
    ck_assert_int_eq(write(fd, f.bytes, f.size_bytes), (ssize_t)f.size_bytes);
    close(fd);
    ck_assert_msg(guest_init_empty(&g, &err) == ST_OK, "%s", err.text);
    ck_assert_int_eq(elf_load(&g.hart.mem, f.path, 0x3ffffff000, &image, &err), ST_FORMAT);
    ck_assert_msg(strstr(err.text, "image size: expected at most 0x1000000000, found 0x11000") != NULL, "%s", err.text);
    unlink(f.path);
    guest_fini(&g);
}
END_TEST

START_TEST(unreadable_files)
{
    static const char *const paths[] = {"/nonexistent/file", "/tmp", "/dev/null"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        struct guest g;
        struct errmsg err = {""};
        char *none[] = {NULL};
        const struct guest_config config = {.path = paths[i], .argv = none, .envp = none};
        enum status st = guest_init(&g, &config, &err);
        ck_assert(st == ST_IO || st == ST_FORMAT);
        ck_assert_msg(strncmp(err.text, paths[i], strlen(paths[i])) == 0, "%s", err.text);
    }
}
END_TEST

/* Random damage to the headers: the loader may accept or refuse, and what it accepts may do what it likes for a while.
 */
START_TEST(random_damage_is_survived)
{
    static struct file f;
    uint64_t state = 7;
    for (int i = 0; i < MUTATIONS; i++) {
        struct guest g;
        struct errmsg err;
        make(&f, exit_42, 3);
        for (int k = 0; k < 1 + i % 4; k++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            f.bytes[(state >> 33) % (sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr))] = (uint8_t)(state >> 56);
        }
        if (i % 8 == 0)
            f.size_bytes = (size_t)(state >> 20) % f.size_bytes;
        enum status st = start(&f, &g, &err);
        ck_assert(st == ST_OK || st == ST_FORMAT || st == ST_IO);
        if (st == ST_OK) {
            guest_run(&g, 1000);
            guest_fini(&g);
        }
    }
}
END_TEST

/* The value of a key of the auxiliary vector, above the pointers to arguments and environment. */
static uint64_t auxiliary(struct guest *g, uint64_t key)
{
    const uint64_t *p = (const uint64_t *)(const void *)memory_at(&g->hart.mem, g->hart.reg[REG_SP]);
    p += 1 + p[0] + 1; /* argc, argv, NULL */
    while (*p++ != 0)
        continue;
    for (; p[0] != AT_NULL; p += 2)
        if (p[0] == key)
            return p[1];
    ck_abort_msg("no key %d", (int)key);
}

START_TEST(start_up_does_not_depend_on_the_user)
{
    static const uint64_t keys[] = {AT_UID, AT_EUID, AT_GID, AT_EGID, AT_SECURE};
    struct file f;
    struct guest g;
    struct errmsg err;
    make(&f, exit_42, 3);
    if (geteuid() == 0) /* its numbers are those that the guest is to see; the test has a process of its own */
        ck_assert(setregid(65534, 65534) == 0 && setreuid(65534, 65534) == 0);
    ck_assert_msg(start(&f, &g, &err) == ST_OK, "%s", err.text);
    for (size_t n = 0; n < sizeof keys / sizeof keys[0]; n++)
        ck_assert_uint_eq(auxiliary(&g, keys[n]), 0);
    guest_fini(&g);
}
END_TEST

/* Source: ISA manual, chapter "ISA Extension Naming Conventions"; Linux arch/riscv/include/uapi/asm/hwcap.h. */
START_TEST(the_isa_has_its_names)
{
    char *text;
    size_t size_bytes;
    FILE *f = open_memstream(&text, &size_bytes);
    rv_extensions_print(f);
    fclose(f);
    ck_assert_str_eq(text, "rv64imafdc_zicntr_zicsr_zifencei_zba_zbb_zbs");
    free(text);
    ck_assert_uint_eq(rv_extensions_hwcap(), 1u << ('I' - 'A') | 1u << ('M' - 'A') | 1u << ('A' - 'A') |
                                                 1u << ('F' - 'A') | 1u << ('D' - 'A') | 1u << ('C' - 'A'));
}
END_TEST

static Suite *make_suite(void)
{
    Suite *s = suite_create("riscv guest");
    TCase *t = tcase_create("loader");
    tcase_add_loop_test(t, segments_that_share_a_page, 0, 3);
    tcase_add_test(t, damaged_headers_are_named);
    tcase_add_test(t, placed_too_high);
    tcase_add_test(t, unreadable_files);
    tcase_add_test(t, random_damage_is_survived);
    tcase_set_timeout(t, 60);
    suite_add_tcase(s, t);
    t = tcase_create("process");
    tcase_add_test(t, exit_status_is_the_guests);
    tcase_add_test(t, faults_end_the_guest);
    tcase_add_test(t, budget_counts_system_calls);
    tcase_add_test(t, the_isa_has_its_names);
    tcase_add_test(t, start_up_does_not_depend_on_the_user);
    tcase_add_loop_test(t, wild_pointers_are_refused, 0, 15);
    suite_add_tcase(s, t);
    return s;
}

int main(void) { return run_suite(make_suite()); }
