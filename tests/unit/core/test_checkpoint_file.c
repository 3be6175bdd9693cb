/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of checkpoints: what is read is what was written, pages are stored once, and a damaged or missing file is
 * refused with a message that names it. */
#include "core-model/checkpoint/reader.h"
#include "core-model/checkpoint/stream.h"
#include "core-model/checkpoint/writer.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/little_endian.h"
#include "tests/unit/suite.h" /* after ours: Check has a macro `fail` */

enum { PAGES = 150, STRIDE = 3, CHANGED = 10 };

static char folder[64], first_path[96], second_path[96];
static const uint8_t state[] = "a state", warmed[] = "a state of caches";

/* The contents of a page in the first or second checkpoint; no two pages of one are equal. */
static void fill_page(uint8_t page[CHECKPOINT_PAGE_BYTES], unsigned n, unsigned checkpoint)
{
    const unsigned seed = n % CHANGED == 0 ? n * 2 + checkpoint : n * 2;
    for (unsigned i = 0; i < CHECKPOINT_PAGE_BYTES; i++)
        page[i] = (uint8_t)(seed * 31 + i * (seed % 7 + 1) + (i == 0 ? seed >> 3 : 0));
    memcpy(page, &seed, sizeof seed);
}

static uint64_t page_number(unsigned n) { return 16 + n + n / 40 * STRIDE; }

static void write_one(struct checkpoint_writer *w, unsigned checkpoint)
{
    uint8_t page[CHECKPOINT_PAGE_BYTES];
    struct errmsg err;
    ck_assert_int_eq(checkpoint_begin(w, checkpoint == 0 ? "1.ckpt" : "2.ckpt", state, sizeof state, &err), ST_OK);
    if (checkpoint != 0)
        checkpoint_put_warmed(w, warmed, sizeof warmed);
    for (unsigned n = 0; n < PAGES; n++) {
        fill_page(page, n, checkpoint);
        checkpoint_put_page(w, page_number(n), page);
    }
    ck_assert_int_eq(checkpoint_end(w, &err), ST_OK);
}

static void write_both(void)
{
    struct checkpoint_writer *w;
    struct errmsg err;
    strcpy(folder, "/tmp/checkpointsXXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(first_path, sizeof first_path, "%s/1.ckpt", folder);
    snprintf(second_path, sizeof second_path, "%s/2.ckpt", folder);
    ck_assert_int_eq(checkpoint_writer_new(&w, folder, &err), ST_OK);
    write_one(w, 0);
    write_one(w, 1);
    checkpoint_writer_free(w);
}

static void remove_both(void)
{
    unlink(first_path);
    unlink(second_path);
    ck_assert_int_eq(rmdir(folder), 0); /* nothing else was left in it */
}

/* The pages that a checkpoint is read with. */
struct found_pages {
    unsigned checkpoint, count;
    bool seen[PAGES], differs;
};

static bool find_page(struct found_pages *f, uint64_t number, const uint8_t *bytes)
{
    uint8_t page[CHECKPOINT_PAGE_BYTES];
    unsigned n = 0;
    while (n < PAGES && page_number(n) != number)
        n++;
    if (n == PAGES || f->seen[n])
        return false;
    fill_page(page, n, f->checkpoint);
    f->seen[n] = true;
    f->count++;
    f->differs |= memcmp(page, bytes, sizeof page) != 0;
    return true;
}

static bool find_pages(void *ctx, uint64_t page, unsigned pages, const uint8_t *bytes)
{
    for (unsigned i = 0; i < pages; i++)
        if (!find_page(ctx, page + i, bytes + (size_t)i * CHECKPOINT_PAGE_BYTES))
            return false;
    return true;
}

/* The second checkpoint has a warmed state. */
static enum status read_warmed(struct checkpoint_reader *r, unsigned checkpoint, struct errmsg *err)
{
    size_t size_bytes;
    uint64_t offset;
    const uint8_t *bytes;
    enum status st = checkpoint_reader_warmed(r, &bytes, &size_bytes, &offset, err);
    if (st != ST_OK)
        return st;
    ck_assert((bytes != NULL) == (checkpoint != 0));
    if (bytes == NULL)
        return ST_OK;
    ck_assert_uint_gt(offset, CHECKPOINT_FILE_HEADER + CHECKPOINT_PART_HEADER);
    ck_assert_uint_eq(size_bytes, sizeof warmed);
    ck_assert_mem_eq(bytes, warmed, sizeof warmed);
    return ST_OK;
}

/* Reads the checkpoint; ST_OK: all of it is as written. */
static enum status read_checkpoint(unsigned checkpoint, struct errmsg *err)
{
    struct checkpoint_reader *r;
    struct found_pages found = {.checkpoint = checkpoint};
    size_t size_bytes;
    uint64_t offset;
    enum status st = checkpoint_reader_new(&r, checkpoint == 0 ? first_path : second_path, err);
    if (st != ST_OK)
        return st;
    const uint8_t *bytes = checkpoint_reader_state(r, &size_bytes, &offset);
    ck_assert_uint_eq(offset, CHECKPOINT_FILE_HEADER);
    ck_assert_uint_eq(size_bytes, sizeof state);
    ck_assert_mem_eq(bytes, state, sizeof state);
    st = read_warmed(r, checkpoint, err);
    if (st == ST_OK)
        st = checkpoint_reader_pages(r, find_pages, &found, err);
    ck_assert(st != ST_OK || (found.count == PAGES && !found.differs));
    checkpoint_reader_free(r);
    return st;
}

static void expect_refused(unsigned checkpoint, const char *words)
{
    struct errmsg err = {{0}};
    ck_assert_msg(read_checkpoint(checkpoint, &err) != ST_OK, "not refused: %s", words);
    ck_assert_msg(strstr(err.text, words) != NULL, "expected '%s', found '%s'", words, err.text);
    ck_assert_msg(strncmp(err.text, folder, strlen(folder)) == 0 || strstr(err.text, ".ckpt") != NULL, "%s", err.text);
}

static char *load_file(const char *path, size_t *size_bytes)
{
    struct stat sb;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    ck_assert(fd >= 0 && fstat(fd, &sb) == 0);
    char *data = malloc((size_t)sb.st_size + 1);
    ck_assert(data != NULL && read(fd, data, (size_t)sb.st_size) == sb.st_size);
    close(fd);
    *size_bytes = (size_t)sb.st_size;
    return data;
}

static void store_file(const char *path, const char *data, size_t size_bytes)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ck_assert(fd >= 0 && write(fd, data, size_bytes) == (ssize_t)size_bytes);
    close(fd);
}

START_TEST(what_is_read_is_what_was_written)
{
    struct errmsg err;
    struct stat first, second;
    write_both();
    ck_assert_msg(read_checkpoint(0, &err) == ST_OK, "%s", err.text);
    ck_assert_msg(read_checkpoint(1, &err) == ST_OK, "%s", err.text);
    ck_assert(stat(first_path, &first) == 0 && stat(second_path, &second) == 0);
    ck_assert_int_lt(second.st_size * 3, first.st_size); /* of ten pages one is stored */
    remove_both();
}
END_TEST

START_TEST(a_folder_with_checkpoints_is_refused)
{
    struct checkpoint_writer *w;
    struct errmsg err;
    write_both();
    ck_assert_int_eq(checkpoint_writer_new(&w, folder, &err), ST_INPUT);
    ck_assert_ptr_nonnull(strstr(err.text, "expected a folder without checkpoints"));
    remove_both();
}
END_TEST

START_TEST(a_file_is_no_folder)
{
    struct checkpoint_writer *w;
    struct errmsg err;
    write_both();
    ck_assert_int_eq(checkpoint_writer_new(&w, first_path, &err), ST_IO);
    ck_assert_ptr_nonnull(strstr(err.text, "expected a folder for checkpoints: Not a directory"));
    remove_both();
}
END_TEST

START_TEST(a_checkpoint_that_is_dropped_does_not_appear)
{
    struct checkpoint_writer *w;
    uint8_t page[CHECKPOINT_PAGE_BYTES];
    struct errmsg err;
    strcpy(folder, "/tmp/checkpointsXXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(checkpoint_writer_new(&w, folder, &err), ST_OK);
    ck_assert_int_eq(checkpoint_begin(w, "1.ckpt", state, sizeof state, &err), ST_OK);
    fill_page(page, 5, 0);
    checkpoint_put_page(w, page_number(5), page);
    checkpoint_drop(w);
    snprintf(first_path, sizeof first_path, "%s/1.ckpt", folder);
    snprintf(second_path, sizeof second_path, "%s/2.ckpt", folder);
    ck_assert_int_ne(access(first_path, F_OK), 0);
    write_one(w, 1); /* the page that was dropped is stored again */
    checkpoint_writer_free(w);
    ck_assert_msg(read_checkpoint(1, &err) == ST_OK, "%s", err.text);
    remove_both();
}
END_TEST

START_TEST(truncated_files_are_refused)
{
    size_t size_bytes;
    struct errmsg err;
    write_both();
    char *data = load_file(second_path, &size_bytes);
    for (size_t n = 0; n < size_bytes; n += n < 100 || n + 100 > size_bytes ? 1 : 37) {
        store_file(second_path, data, n);
        expect_refused(1, n < CHECKPOINT_MAGIC_BYTES ? "expected a checkpoint, which pcemu --checkpoint-at makes"
                                                     : "the checkpoint is truncated");
    }
    data[size_bytes] = 0;
    store_file(second_path, data, size_bytes + 1);
    expect_refused(1, "expected the end of the checkpoint, found 1 more bytes");
    store_file(second_path, data, size_bytes);
    ck_assert_int_eq(read_checkpoint(1, &err), ST_OK);
    free(data);
    remove_both();
}
END_TEST

/* A byte that the frames of zstd do not use may be another: then the contents are as they were. */
START_TEST(damaged_files_are_refused)
{
    size_t size_bytes, accepted = 0;
    write_both();
    char *data = load_file(second_path, &size_bytes);
    for (size_t n = 0; n < size_bytes; n += n < 300 ? 1 : 11) {
        struct errmsg err = {{0}};
        data[n] ^= 0x11;
        store_file(second_path, data, size_bytes);
        if (read_checkpoint(1, &err) == ST_OK)
            accepted++;
        else
            ck_assert_ptr_nonnull(strstr(err.text, ".ckpt"));
        data[n] ^= 0x11;
    }
    ck_assert_uint_lt(accepted, 8);
    free(data);
    remove_both();
}
END_TEST

START_TEST(other_versions_are_refused)
{
    size_t size_bytes;
    write_both();
    char *data = load_file(first_path, &size_bytes);
    data[CHECKPOINT_MAGIC_BYTES] = CHECKPOINT_VERSION + 1;
    store_file(first_path, data, size_bytes);
    expect_refused(0, "offset 8: expected version 2 of the format, found 3");
    data[1] = 'Q';
    store_file(first_path, data, size_bytes);
    expect_refused(0, "expected a checkpoint");
    free(data);
    remove_both();
}
END_TEST

/* The second checkpoint has pages in the first one. */
START_TEST(another_first_checkpoint_is_refused)
{
    size_t size_bytes;
    write_both();
    char *second = load_file(second_path, &size_bytes);
    unlink(first_path);
    expect_refused(1, "1.ckpt has pages of");
    rename(second_path, first_path);
    store_file(second_path, second, size_bytes);
    expect_refused(1, "found that of another run");
    free(second);
    remove_both();
}
END_TEST

/* Adds to the count of the last run of pages, which the part TABL ends with: the part is stored again. */
static void enlarge_last_run(const char *path, unsigned pages)
{
    enum { RUN_END = 16, ROOM = 1 << 16 };
    size_t size_bytes;
    char *data = load_file(path, &size_bytes);
    uint8_t *header = memmem(data, size_bytes, "TABL", 4), *bytes = xmalloc(ROOM), *file = xmalloc(size_bytes + ROOM);
    ck_assert_ptr_nonnull(header);
    const size_t raw = little_endian_get(header + 4, 4), stored = little_endian_get(header + 8, 4);
    const size_t before = (size_t)((char *)header - data), behind = before + CHECKPOINT_PART_HEADER + stored;
    ck_assert_uint_eq(ZSTD_decompress(bytes, ROOM, header + CHECKPOINT_PART_HEADER, stored), raw);
    bytes[raw - RUN_END] = (uint8_t)(bytes[raw - RUN_END] + pages);
    memcpy(file, data, before + CHECKPOINT_PART_HEADER);
    const size_t now = ZSTD_compress(file + before + CHECKPOINT_PART_HEADER, ROOM, bytes, raw, 1);
    ck_assert(!ZSTD_isError(now));
    little_endian_put(file + before + 8, now, 4);
    memcpy(file + before + CHECKPOINT_PART_HEADER + now, data + behind, size_bytes - behind);
    store_file(path, (char *)file, before + CHECKPOINT_PART_HEADER + now + size_bytes - behind);
    free(file);
    free(bytes);
    free(data);
}

START_TEST(a_run_of_more_pages_than_there_are_is_refused)
{
    write_both();
    enlarge_last_run(first_path, 5);
    expect_refused(0, "1.ckpt: expected 35 pages from position 120 on, found 150 pages in all");
    remove_both();
}
END_TEST

/* The descriptor that the reader has of the file can no longer be read. */
static void make_unreadable(const char *path)
{
    struct stat of_file, sb;
    const int other = open(path, O_WRONLY | O_CLOEXEC);
    ck_assert(other >= 0 && stat(path, &of_file) == 0);
    for (int fd = 0; fd < other; fd++)
        if (fstat(fd, &sb) == 0 && sb.st_ino == of_file.st_ino && sb.st_dev == of_file.st_dev)
            ck_assert_int_eq(dup2(other, fd), fd);
    close(other);
}

START_TEST(an_error_of_the_system_is_none_of_the_format)
{
    struct checkpoint_reader *r;
    struct found_pages found = {.checkpoint = 0};
    struct errmsg err;
    write_both();
    ck_assert_int_eq(checkpoint_reader_new(&r, first_path, &err), ST_OK);
    make_unreadable(first_path);
    ck_assert_int_eq(checkpoint_reader_pages(r, find_pages, &found, &err), ST_IO);
    ck_assert_ptr_nonnull(strstr(err.text, "Bad file descriptor"));
    checkpoint_reader_free(r);
    remove_both();
}
END_TEST

START_TEST(streams_have_limits)
{
    struct checkpoint_stream w = {0};
    char text[] = "text", *moved = text;
    checkpoint_section(&w, "numbers");
    checkpoint_move(&w, 7, 0, 9);
    checkpoint_move_signed(&w, -5, -9, 9);
    checkpoint_move_text(&w, &moved);
    struct checkpoint_stream r = checkpoint_stream_of(w.byte, w.size);
    checkpoint_section(&r, "numbers");
    ck_assert_uint_eq(checkpoint_move(&r, 0, 0, 9), 7);
    ck_assert_int_eq(checkpoint_move_signed(&r, 0, -9, 9), -5);
    moved = NULL;
    checkpoint_move_text(&r, &moved);
    ck_assert_str_eq(moved, "text");
    ck_assert(!r.failed && r.at == r.size);
    free(moved);
    ck_assert_uint_eq(checkpoint_move(&r, 1, 3, 9), 3);
    ck_assert(r.failed);
    ck_assert_ptr_nonnull(strstr(r.why.text, "numbers: expected 8 bytes, found 0"));
    r = checkpoint_stream_of(w.byte, w.size);
    checkpoint_section(&r, "numbers");
    ck_assert_uint_eq(checkpoint_move(&r, 0, 0, 6), 0);
    ck_assert_ptr_nonnull(strstr(r.why.text, "expected a number from 0 to 6, found 7"));
    r = checkpoint_stream_of(w.byte, w.size);
    checkpoint_section(&r, "texts");
    ck_assert_ptr_nonnull(strstr(r.why.text, "expected the begin of texts"));
    checkpoint_stream_free(&w);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *s = suite_create("checkpoint_file");
    TCase *t = tcase_create("checkpoint_file");
    tcase_set_timeout(t, 120);
    tcase_add_test(t, what_is_read_is_what_was_written);
    tcase_add_test(t, a_folder_with_checkpoints_is_refused);
    tcase_add_test(t, a_checkpoint_that_is_dropped_does_not_appear);
    tcase_add_test(t, truncated_files_are_refused);
    tcase_add_test(t, damaged_files_are_refused);
    tcase_add_test(t, other_versions_are_refused);
    tcase_add_test(t, another_first_checkpoint_is_refused);
    tcase_add_test(t, a_file_is_no_folder);
    tcase_add_test(t, a_run_of_more_pages_than_there_are_is_refused);
    tcase_add_test(t, an_error_of_the_system_is_none_of_the_format);
    tcase_add_test(t, streams_have_limits);
    suite_add_tcase(s, t);
    return s;
}

int main(void) { return run_suite(make_suite()); }
