/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files by which a checkpoint is refused: their digests are those of sha1sum, a file that has been read is not read
 * again, and one that cannot be read is a refusal. */
#include "core-model/linux/checkpoint_parts.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/suite.h" /* after ours: Check has a macro `fail` */

enum { FILE_BYTES = 1000003 /* several blocks of reading, the last one not whole */ };

static char path[64];
static struct linux_digests *digests;

/* The contents are a function of `seed`. */
static void write_contents(unsigned seed)
{
    FILE *f = fopen(path, "w");
    ck_assert_ptr_nonnull(f);
    for (unsigned i = 0; i < FILE_BYTES; i++)
        putc((int)((i * 31 + i / 4099 + seed) & 0xff), f);
    ck_assert_int_eq(fclose(f), 0);
}

static void set_time(time_t seconds)
{
    const struct timespec both[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};
    ck_assert_int_eq(utimensat(AT_FDCWD, path, both, 0), 0);
}

static void begin(void)
{
    strcpy(path, "/tmp/identityXXXXXX");
    const int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
    digests = linux_digests_new();
}

static void end(void)
{
    unlink(path);
    linux_digests_free(digests);
}

static void sha1sum(char text[SHA1_TEXT])
{
    char *command = xasprintf("sha1sum < %s", path);
    FILE *in = popen(command, "r");
    ck_assert_ptr_nonnull(in);
    ck_assert_ptr_nonnull(fgets(text, SHA1_TEXT, in));
    pclose(in);
    free(command);
}

static void expect_digest(const char *expected)
{
    struct file_identity id;
    struct errmsg err;
    ck_assert_msg(linux_identify_file(path, digests, &id, &err) == ST_OK, "%s", err.text);
    ck_assert_uint_eq(id.size_bytes, FILE_BYTES);
    ck_assert_str_eq(id.digest, expected);
    linux_drop_identity(&id);
}

START_TEST(digests_are_those_of_sha1sum)
{
    char text[SHA1_TEXT];
    begin();
    write_contents(1);
    sha1sum(text);
    expect_digest(text);
    end();
}
END_TEST

/* With the same size and time the file counts as the same, so it is not read; with another time it is. */
START_TEST(a_file_is_read_once)
{
    char first[SHA1_TEXT], second[SHA1_TEXT];
    begin();
    write_contents(1);
    set_time(1000);
    sha1sum(first);
    expect_digest(first);
    write_contents(2);
    set_time(1000);
    expect_digest(first);
    set_time(1001);
    sha1sum(second);
    ck_assert_str_ne(first, second);
    expect_digest(second);
    end();
}
END_TEST

START_TEST(a_file_that_cannot_be_read_is_refused)
{
    struct file_identity id;
    struct errmsg err;
    begin();
    ck_assert_int_eq(linux_identify_file("/", digests, &id, &err), ST_UNMET);
    ck_assert_str_eq(err.text, "/: Is a directory");
    linux_drop_identity(&id);
    ck_assert_int_eq(linux_identify_file("/absent", digests, &id, &err), ST_UNMET);
    linux_drop_identity(&id);
    end();
}
END_TEST

static Suite *make_suite(void)
{
    Suite *s = suite_create("checkpoint_identity");
    TCase *t = tcase_create("checkpoint_identity");
    tcase_add_test(t, digests_are_those_of_sha1sum);
    tcase_add_test(t, a_file_is_read_once);
    tcase_add_test(t, a_file_that_cannot_be_read_is_refused);
    suite_add_tcase(s, t);
    return s;
}

int main(void) { return run_suite(make_suite()); }
