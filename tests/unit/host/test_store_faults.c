/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The profile store on a full disk, with writers that are killed at any moment, with two writers, and created by two
 * processes. */
#include <stdarg.h>

#include "tests/unit/store_fixture.h"

/* The system calls by which SQLite writes: the next-but-`left` one fails, or ends the process after half of its
 * bytes. */
static enum { NO_FAULT, NO_SPACE, KILL } fault;
static long left = -1;

static ssize_t faulty_pwrite(int fd, const void *from, size_t size, off_t at)
{
    if (fault != NO_FAULT && left-- == 0) {
        if (fault == NO_SPACE) {
            left = 0; /* the disk stays full */
            errno = ENOSPC;
            return -1;
        }
        ssize_t half = pwrite(fd, from, size / 2, at);
        (void)half;
        raise(SIGKILL);
    }
    return pwrite(fd, from, size, at);
}

static void inject_faults(void)
{
    static const char *const names[] = {"pwrite", "pwrite64"};
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    sqlite3_initialize();
    vfs = sqlite3_vfs_find(NULL);
    for (int i = 0; i < 2; i++)
        vfs->xSetSystemCall(vfs, names[i], (sqlite3_syscall_ptr)faulty_pwrite);
}

/* A store that cannot be made for want of space leaves no file. */
START_TEST(a_full_disk_has_no_empty_store)
{
    struct stat sb;
    inject_faults();
    unsigned failures = 0;
    for (long k = 0;; k++) {
        left = k;
        fault = NO_SPACE;
        enum status st = try_open(STORE_CREATE);
        fault = NO_FAULT;
        if (st == ST_OK)
            break;
        failures++;
        ck_assert_msg(stat(path, &sb) != 0 || sb.st_size > 0, "write %ld: an empty file", k);
        unlink(path);
    }
    ck_assert_uint_gt(failures, 1);
}
END_TEST

/* The file of another process, which is empty before the store is made in it, is not removed. */
START_TEST(a_full_disk_leaves_a_file_that_was_there)
{
    inject_faults();
    close(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    left = 0;
    fault = NO_SPACE;
    enum status st = try_open(STORE_CREATE);
    fault = NO_FAULT;
    ck_assert_int_ne(st, ST_OK);
    ck_assert_int_eq(access(path, F_OK), 0);
    ck_assert_int_eq(try_open(STORE_CREATE), ST_OK);
}
END_TEST

/* A disk that is full from the k-th write on, for each k until a run fits. */
START_TEST(a_full_disk_loses_nothing)
{
    inject_faults();
    struct profile_store *s = open_store(STORE_CREATE);
    struct profile *p = random_profile(10);
    add(s, p);
    store_close(s);
    unsigned failures = 0;
    for (long k = 0;; k++) {
        int64_t number;
        const struct store_run run = run_of(p);
        s = open_store(STORE_CREATE);
        left = k;
        fault = NO_SPACE;
        enum status st = store_add_run(s, &run, &number, &err);
        fault = NO_FAULT;
        store_close(s);
        check_sound();
        if (st == ST_OK)
            break;
        failures++;
        ck_assert_msg(strstr(err.text, "the run is not stored: no space is left") != NULL, "%s", err.text);
        ck_assert_str_eq(ask("SELECT count(*) FROM run"), "1");
    }
    ck_assert_uint_gt(failures, 5);
    ck_assert_str_eq(ask("SELECT count(*) FROM run"), "2");
    profile_free(p);
}
END_TEST

/* The child adds runs and acknowledges each by a byte in the pipe, until it is killed in its k-th write. */
static void write_until_killed(int acknowledge, long k)
{
    left = k;
    fault = KILL;
    for (int n = 0; n < 3; n++) {
        struct profile_store *s;
        int64_t number;
        struct profile *p = random_profile(10);
        const struct store_run run = run_of(p);
        if (store_open(&s, path, STORE_CREATE, 60000, NULL) != ST_OK ||
            store_add_run(s, &run, &number, NULL) != ST_OK || write(acknowledge, "", 1) != 1)
            _exit(1);
        store_close(s);
        profile_free(p);
    }
    _exit(0);
}

/* Every run that was acknowledged is there, at most one more is, and no part of a run. The creation of the store is
 * among what is killed. */
START_TEST(a_killed_writer_loses_no_acknowledged_run)
{
    enum { WRITERS = REPETITIONS(300) };
    inject_faults();
    unsigned killed = 0;
    int runs = 0;
    for (unsigned n = 0; n < WRITERS; n++) {
        int ends[2], status;
        char byte;
        ck_assert_int_eq(pipe(ends), 0);
        pid_t child = fork();
        if (child == 0)
            write_until_killed(ends[1], n % 3 == 0 ? n / 3 : 1 + n * 7 % 89);
        close(ends[1]);
        while (read(ends[0], &byte, 1) == 1)
            runs++;
        close(ends[0]);
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert(WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
        killed += WIFSIGNALED(status);
        if (access(path, F_OK) != 0)
            continue;
        store_close(open_store(STORE_CREATE));
        int found = atoi(ask("SELECT count(*) FROM run"));
        ck_assert_msg(found == runs || (found == runs + 1 && WIFSIGNALED(status)), "%d runs, %d acknowledged", found,
                      runs);
        runs = found;
        if (n % 10 == 0)
            check_sound();
    }
    check_sound();
    ck_assert_uint_gt(killed, WRITERS / 2);
    ck_assert_int_gt(runs, 10);
}
END_TEST

/* Adds runs and ends the process, with status 0 if all of them were added. */
static void write_runs(int runs)
{
    for (int n = 0; n < runs; n++) {
        struct profile_store *s;
        int64_t number;
        struct profile *p = random_profile(10);
        const struct store_run run = run_of(p);
        if (store_open(&s, path, STORE_CREATE, 60000, &err) != ST_OK ||
            store_add_run(s, &run, &number, &err) != ST_OK) {
            fprintf(stderr, "%s\n", err.text);
            _exit(1);
        }
        store_close(s);
        profile_free(p);
    }
    _exit(0);
}

static void wait_for_writer(pid_t child)
{
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

/* A writer that is killed as it holds the lock, as another one waits for it, costs that one nothing. */
START_TEST(a_killed_writer_stops_no_other)
{
    enum { ROUNDS = REPETITIONS(20), RUNS = 2 };
    inject_faults();
    int runs = 0;
    for (unsigned n = 0; n < ROUNDS; n++) {
        int ends[2], status, acknowledged = 0;
        char byte;
        ck_assert_int_eq(pipe(ends), 0);
        pid_t killed = fork();
        if (killed == 0)
            write_until_killed(ends[1], 1 + n * 7 % 89);
        pid_t other = fork();
        if (other == 0)
            write_runs(RUNS);
        close(ends[1]);
        while (read(ends[0], &byte, 1) == 1)
            acknowledged++;
        close(ends[0]);
        ck_assert_int_eq(waitpid(killed, &status, 0), killed);
        wait_for_writer(other);
        int found = atoi(ask("SELECT count(*) FROM run")), least = runs + RUNS + acknowledged;
        ck_assert_msg(found == least || (found == least + 1 && WIFSIGNALED(status)), "%d runs, at least %d expected",
                      found, least);
        runs = found;
    }
    check_sound();
}
END_TEST

/* Another process, which creates the store on request, or cannot, because its disk is full. */
static struct {
    int request, done; /* pipes */
    long locks;        /* locks of this process before the request */
} creator;

static int fcntl_with_creator(int fd, int command, ...)
{
    va_list list;
    char byte;
    va_start(list, command);
    void *of = va_arg(list, void *);
    va_end(list);
    if (command == F_SETLK && creator.locks-- == 0)
        ck_assert(write(creator.request, "", 1) == 1 && read(creator.done, &byte, 1) == 1);
    return fcntl(fd, command, of);
}

static pid_t start_creator(bool fails)
{
    int request[2], done[2];
    ck_assert(pipe(request) == 0 && pipe(done) == 0);
    pid_t child = fork();
    if (child == 0) {
        char byte;
        struct profile_store *s = NULL;
        close(request[1]);
        if (read(request[0], &byte, 1) != 1)
            _exit(0); /* there have been fewer locks */
        if (fails)
            inject_faults();
        left = 0;
        fault = fails ? NO_SPACE : NO_FAULT;
        if (store_open(&s, path, STORE_CREATE, 0, &err) == ST_OK)
            store_close(s);
        _exit(write(done[1], "", 1) != 1);
    }
    close(request[0]);
    close(done[1]);
    creator.request = request[1];
    creator.done = done[0];
    return child;
}

/* Opens stores that another process opens, too, at each lock of the opening. */
static void open_beside_creator(bool fails)
{
    bool requested = true;
    long n = 0;
    sqlite3_initialize();
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    for (; requested; n++) {
        pid_t child = start_creator(fails);
        creator.locks = n;
        vfs->xSetSystemCall(vfs, "fcntl", (sqlite3_syscall_ptr)fcntl_with_creator);
        store_close(open_store(STORE_CREATE));
        vfs->xSetSystemCall(vfs, "fcntl", NULL);
        requested = creator.locks < 0;
        close(creator.request);
        close(creator.done);
        wait_for_writer(child);
        ck_assert_int_eq(atoi(ask("PRAGMA application_id")), STORE_APPLICATION);
        teardown();
        setup();
    }
    ck_assert_int_gt(n, 5);
}

START_TEST(a_store_is_created_meanwhile) { open_beside_creator(false); }
END_TEST

/* The other process removes the file that it cannot use only where it is still empty. */
START_TEST(a_store_cannot_be_created_meanwhile) { open_beside_creator(true); }
END_TEST

/* Two processes that add runs at the same time, from the creation of the store on. */
START_TEST(two_writers_wait_for_each_other)
{
    pid_t child[2];
    for (int c = 0; c < 2; c++) {
        child[c] = fork();
        if (child[c] == 0)
            write_runs(25);
    }
    for (int c = 0; c < 2; c++)
        wait_for_writer(child[c]);
    ck_assert_str_eq(ask("SELECT count(*) FROM run"), "50");
    ck_assert_str_eq(ask("SELECT count(*) FROM image"), "2");
    ck_assert_str_eq(ask("SELECT runs FROM epoch_event"), "50");
    check_sound();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("store faults");
    TCase *t = tcase_create("faults");
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, a_full_disk_has_no_empty_store);
    tcase_add_test(t, a_full_disk_leaves_a_file_that_was_there);
    tcase_add_test(t, a_full_disk_loses_nothing);
    tcase_add_test(t, a_killed_writer_loses_no_acknowledged_run);
    tcase_add_test(t, a_killed_writer_stops_no_other);
    tcase_add_test(t, a_store_is_created_meanwhile);
    tcase_add_test(t, a_store_cannot_be_created_meanwhile);
    tcase_add_test(t, two_writers_wait_for_each_other);
    suite_add_tcase(s, t);
    return run_suite(s);
}
