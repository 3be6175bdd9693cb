/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compressed sections of small ELF files: those of zstd are decompressed; damaged and too large ones have no content.
 */
#include "host/symbols/debug_sections.h"

#include <elf.h>
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/status.h"
#include "tests/unit/suite.h"

enum { ZLIB = 1, ZSTD = 2, BODY_AT = 0x40, SECTION = 1 };
static const char plain[] = "a text that repeats a text that repeats a text that repeats a text that repeats";

/* A file with a null section and one more, whose body is behind the head and whose header is behind the body. */
struct file {
    uint8_t byte[1024];
    size_t size_bytes, headers;
};

static Elf64_Shdr *section_of(struct file *f) { return (Elf64_Shdr *)(void *)(f->byte + f->headers) + SECTION; }

static struct file file_of(const void *body, size_t size_bytes, uint64_t flags)
{
    struct file f = {.headers = (BODY_AT + size_bytes + 7) / 8 * 8};
    Elf64_Ehdr h = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB},
                    .e_shoff = f.headers,
                    .e_shentsize = sizeof(Elf64_Shdr),
                    .e_shnum = 2};
    const Elf64_Shdr s[2] = {{0},
                             {.sh_type = SHT_PROGBITS, .sh_flags = flags, .sh_offset = BODY_AT, .sh_size = size_bytes}};
    memcpy(f.byte, &h, sizeof h);
    memcpy(f.byte + BODY_AT, body, size_bytes);
    memcpy(f.byte + f.headers, s, sizeof s);
    f.size_bytes = f.headers + sizeof s;
    return f;
}

/* A compressed section that says of itself that it is of a method and size. */
static struct file compressed_file(uint32_t method, uint64_t says_bytes)
{
    uint8_t body[512];
    Elf64_Chdr h = {.ch_type = method, .ch_size = says_bytes, .ch_addralign = 1};
    memcpy(body, &h, sizeof h);
    size_t packed = ZSTD_compress(body + sizeof h, sizeof body - sizeof h, plain, sizeof plain, 3);
    ck_assert(!ZSTD_isError(packed));
    return file_of(body, sizeof h + packed, SHF_COMPRESSED);
}

static int written(const struct file *f)
{
    FILE *out = tmpfile();
    ck_assert_ptr_nonnull(out);
    ck_assert_uint_eq(fwrite(f->byte, 1, f->size_bytes, out), f->size_bytes);
    fflush(out);
    int fd = dup(fileno(out));
    fclose(out);
    return fd;
}

/* Opens the file; returns it as libdw gets it. *same: it is the file itself. */
static struct file opened(const struct file *f, char **remark, bool *same)
{
    struct file got = {.headers = f->headers};
    int fd = written(f), result = debug_sections_open(fd, remark);
    *same = fd == result;
    ck_assert_int_ge(result, 0);
    ssize_t bytes = pread(result, got.byte, sizeof got.byte, 0);
    ck_assert_int_gt(bytes, 0);
    got.size_bytes = (size_t)bytes;
    close(result);
    return got;
}

START_TEST(zstd_is_decompressed)
{
    struct file f = compressed_file(ZSTD, sizeof plain);
    char *remark;
    bool same;
    struct file got = opened(&f, &remark, &same);
    Elf64_Shdr *s = section_of(&got);
    ck_assert_ptr_null(remark);
    ck_assert(!same);
    ck_assert_uint_eq(s->sh_flags, 0);
    ck_assert_uint_eq(s->sh_size, sizeof plain);
    ck_assert_uint_le(s->sh_offset + s->sh_size, got.size_bytes);
    ck_assert_mem_eq(got.byte + s->sh_offset, plain, sizeof plain);
    ck_assert_mem_eq(got.byte, f.byte, f.headers);
}
END_TEST

START_TEST(others_are_left_to_libdw)
{
    struct file zlib = compressed_file(ZLIB, sizeof plain), none = file_of(plain, sizeof plain, 0);
    char *remark;
    bool same;
    opened(&zlib, &remark, &same);
    ck_assert(same && remark == NULL);
    opened(&none, &remark, &same);
    ck_assert(same && remark == NULL);
    none.byte[0] = 'x';
    opened(&none, &remark, &same);
    ck_assert(same && remark == NULL);
}
END_TEST

static void expect_empty(const struct file *f, const char *words)
{
    char *remark;
    bool same;
    struct file got = opened(f, &remark, &same);
    ck_assert(!same);
    ck_assert_uint_eq(section_of(&got)->sh_type, SHT_NOBITS);
    ck_assert_uint_eq(section_of(&got)->sh_size, 0);
    ck_assert_uint_eq(section_of(&got)->sh_flags, 0);
    ck_assert_msg(remark != NULL && strstr(remark, words) != NULL, "%s", remark);
    free(remark);
}

START_TEST(damage_is_named)
{
    struct file longer = compressed_file(ZSTD, sizeof plain + 1), shorter = compressed_file(ZSTD, sizeof plain - 1),
                damaged = compressed_file(ZSTD, sizeof plain), unknown = compressed_file(7, sizeof plain);
    damaged.byte[BODY_AT + sizeof(Elf64_Chdr)] ^= 1;
    expect_empty(&longer, "its size is another than its header says");
    expect_empty(&shorter, "section 1 cannot be decompressed by zstd");
    expect_empty(&damaged, "section 1 cannot be decompressed by zstd");
    expect_empty(&unknown, "section 1 is compressed by method 7");
}
END_TEST

START_TEST(sections_have_a_limit)
{
    const uint64_t limit = (uint64_t)DEBUG_SECTIONS_FREE_MIB << 20;
    struct file at_limit = compressed_file(ZLIB, limit), zlib = compressed_file(ZLIB, limit + 1),
                zstd = compressed_file(ZSTD, UINT64_MAX);
    struct {
        char magic[4];
        uint8_t size[8];
    } gnu = {.magic = "ZLIB", .size = {0, 0, 0, 0, 0x7f}};
    struct file old = file_of(&gnu, sizeof gnu, 0);
    char *remark;
    bool same;
    opened(&at_limit, &remark, &same);
    ck_assert(same && remark == NULL);
    expect_empty(&zlib, "expected at most 16777216 bytes when decompressed");
    expect_empty(&zstd, "expected at most 16777216 bytes when decompressed");
    expect_empty(&old, "found 2130706432");
}
END_TEST

/* A file that cannot be copied is not left to libdw. */
START_TEST(the_limit_holds_without_a_copy)
{
    struct file f = compressed_file(ZLIB, ((uint64_t)DEBUG_SECTIONS_FREE_MIB << 20) + 1);
    struct rlimit files;
    char *remark;
    int fd = written(&f);
    ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &files), 0);
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &(struct rlimit){0, files.rlim_max}), 0);
    int result = debug_sections_open(fd, &remark);
    ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &files), 0);
    ck_assert_int_eq(result, -1);
    ck_assert_msg(remark != NULL && strstr(remark, "cannot be made: Too many open files") != NULL, "%s", remark);
    free(remark);
}
END_TEST

/* Headers behind the end, a section behind the end, a section smaller than its own head. */
START_TEST(damaged_headers)
{
    for (int n = 0; n < 4; n++) {
        struct file f = compressed_file(ZSTD, sizeof plain);
        Elf64_Ehdr *h = (Elf64_Ehdr *)(void *)f.byte;
        char *remark;
        bool same;
        if (n == 0)
            h->e_shoff = UINT64_MAX - 8;
        else if (n == 1)
            h->e_shnum = 60000;
        else if (n == 2)
            section_of(&f)->sh_offset = UINT64_MAX - 8;
        else
            section_of(&f)->sh_size = sizeof(Elf64_Chdr) - 1;
        opened(&f, &remark, &same);
        ck_assert(same && remark == NULL);
    }
}
END_TEST

START_TEST(files_that_libdw_opens_itself)
{
    char path[] = "/tmp/sections.XXXXXX";
    struct file zstd = compressed_file(ZSTD, sizeof plain), none = file_of(plain, sizeof plain, 0);
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert(write(fd, none.byte, none.size_bytes) == (ssize_t)none.size_bytes);
    ck_assert(debug_sections_are_plain(path));
    ck_assert(pwrite(fd, zstd.byte, zstd.size_bytes, 0) == (ssize_t)zstd.size_bytes);
    ck_assert(!debug_sections_are_plain(path));
    close(fd);
    unlink(path);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("debug_sections");
    TCase *t = tcase_create("debug_sections");
    tcase_add_test(t, zstd_is_decompressed);
    tcase_add_test(t, others_are_left_to_libdw);
    tcase_add_test(t, damage_is_named);
    tcase_add_test(t, sections_have_a_limit);
    tcase_add_test(t, the_limit_holds_without_a_copy);
    tcase_add_test(t, damaged_headers);
    tcase_add_test(t, files_that_libdw_opens_itself);
    suite_add_tcase(s, t);
    return run_suite(s);
}
