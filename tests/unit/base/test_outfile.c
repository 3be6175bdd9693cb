/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output files: what a test of the tools cannot arrange. */
#include "base/outfile.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/ending.h"
#include "base/file.h"
#include "tests/unit/suite.h"

static char folder[] = "/tmp/outfile.XXXXXX";
static struct errmsg err;

static void set_up(void)
{
    strcpy(folder + sizeof folder - 7, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(chdir(folder), 0);
}

static void tear_down(void)
{
    char command[sizeof folder + 16];
    snprintf(command, sizeof command, "rm -r %s", folder);
    ck_assert_int_eq(system(command), 0);
}

static void check_contents(const char *path, const char *expected)
{
    char *text;
    size_t size_bytes;
    ck_assert_msg(file_read(path, 1 << 24, &text, &size_bytes, &err) == ST_OK, "%s", err.text);
    ck_assert_str_eq(text, expected);
    free(text);
}

static void write_file(const char *path, const char *text)
{
    struct outfile f;
    ck_assert_msg(outfile_open(&f, path, &err) == ST_OK, "%s", err.text);
    fputs(text, f.stream);
    ck_assert_msg(outfile_commit(&f, &err) == ST_OK, "%s", err.text);
}

/* Buffered bytes of a process that forks are not written twice. */
START_TEST(a_forked_process_does_not_write)
{
    struct outfile f;
    int status;
    ck_assert_int_eq(outfile_open(&f, "file", &err), ST_OK);
    fputs("once\n", f.stream);
    pid_t child = fork();
    if (child == 0) {
        fputs("twice\n", f.stream);
        fflush(f.stream);
        exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(access(".file.partial", F_OK), 0);
    ck_assert_int_eq(outfile_commit(&f, &err), ST_OK);
    check_contents("file", "once\n");
}
END_TEST

START_TEST(an_exit_removes_the_partial_file)
{
    int status;
    write_file("file", "before\n");
    pid_t child = fork();
    if (child == 0) {
        struct outfile f;
        if (outfile_open(&f, "file", &err) == ST_OK)
            fputs("beginning\n", f.stream);
        exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_ne(access(".file.partial", F_OK), 0);
    check_contents("file", "before\n");
}
END_TEST

/* Whether a signal ends a process by default and can be caught: what it does to a process that sends it to itself. */
static bool is_end(int signal_number)
{
    int status;
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        (void)signal(signal_number, SIG_DFL);
        (void)kill(getpid(), signal_number);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, WUNTRACED), child);
    if (WIFSTOPPED(status)) {
        ck_assert_int_eq(kill(child, SIGKILL), 0);
        ck_assert_int_eq(waitpid(child, NULL, 0), child);
        return false;
    }
    return WIFSIGNALED(status) && signal_number != SIGKILL;
}

/* In a process with two outputs. */
static bool open_outputs(void)
{
    static struct outfile first, second;
    for (int n = 1; n < NSIG; n++)
        (void)signal(n, SIG_DFL); /* not as whoever runs the tests has left it */
    if (freopen("said", "w", stderr) == NULL)
        exit(1);
    ending_begin("test");
    return outfile_open(&first, "file", &err) == ST_OK && outfile_open(&second, "other", &err) == ST_OK;
}

/* A process with two outputs, which waits for its end. */
static _Noreturn void wait_with_outputs(int ready)
{
    if (open_outputs())
        (void)!write(ready, "", 1);
    for (;;)
        pause();
}

/* The outputs are what they were, and have no partial files. The message is `expected`. */
static void check_end(pid_t child, int signal, const char *expected)
{
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == signal, "signal %d: status 0x%x", signal, status);
    check_contents("said", expected);
    ck_assert_int_ne(access(".file.partial", F_OK), 0);
    ck_assert_int_ne(access(".other.partial", F_OK), 0);
    check_contents("file", "before\n");
}

/* A signal that another process sends ends the process as if there were no output, and leaves none. */
START_TEST(a_signal_removes_the_partial_file)
{
    int ready[2];
    char byte, name[ENDING_NAME], expected[64];
    if (!is_end(_i))
        return;
    write_file("file", "before\n");
    ck_assert_int_eq(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0)
        wait_with_outputs(ready[1]);
    close(ready[1]);
    ck_assert_int_eq(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    ck_assert_int_eq(kill(child, _i), 0);
    snprintf(expected, sizeof expected, "test: ended by %s\n", ending_signal_name(_i, name));
    check_end(child, _i, _i == SIGINT ? "test: interrupted\n" : expected);
}
END_TEST

static const int not_repeated[] = {SIGTRAP, SIGSYS};

/* A fault of the process itself whose instruction is not executed again ends the process all the same. */
START_TEST(a_fault_removes_the_partial_file)
{
    char name[ENDING_NAME], expected[64];
    const int signal = not_repeated[_i];
    write_file("file", "before\n");
    pid_t child = fork();
    if (child == 0) {
        siginfo_t info = {.si_signo = signal, .si_code = 1}; /* a process may send itself what the kernel would */
        if (open_outputs())
            (void)syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), signal, &info);
        _exit(1); /* which leaves partial files */
    }
    snprintf(expected, sizeof expected, "test: internal fault: %s\n", ending_signal_name(signal, name));
    check_end(child, signal, expected);
}
END_TEST

START_TEST(an_ignored_signal_removes_nothing)
{
    struct outfile f;
    ck_assert(signal(SIGHUP, SIG_IGN) != SIG_ERR);
    ck_assert_int_eq(outfile_open(&f, "file", &err), ST_OK);
    ck_assert_int_eq(raise(SIGHUP), 0);
    fputs("whole\n", f.stream);
    ck_assert_int_eq(outfile_commit(&f, &err), ST_OK);
    check_contents("file", "whole\n");
}
END_TEST

/* The descriptor of the open output's folder. */
static int folder_of_output(const struct outfile *f)
{
    struct stat folder_now, sb;
    ck_assert_int_eq(stat(".", &folder_now), 0);
    for (int fd = STDERR_FILENO + 1; fd < f->fd + 8; fd++)
        if (fstat(fd, &sb) == 0 && sb.st_dev == folder_now.st_dev && sb.st_ino == folder_now.st_ino)
            return fd;
    ck_abort_msg("the output has no folder");
}

/* A folder that cannot be read at the end does not mean that another process has changed the output. */
START_TEST(an_unreadable_folder_is_named_so)
{
    struct outfile f;
    ck_assert_int_eq(outfile_open(&f, "file", &err), ST_OK);
    fputs("text\n", f.stream);
    ck_assert_int_eq(close(folder_of_output(&f)), 0);
    ck_assert_int_eq(outfile_commit(&f, &err), ST_IO);
    ck_assert_str_eq(err.text, "file: cannot write: Bad file descriptor");
}
END_TEST

/* A file with two names that cannot be written at the end: the output is not lost. */
START_TEST(an_output_that_cannot_be_copied_is_kept)
{
    struct outfile f;
    write_file("file", "before\n");
    ck_assert_int_eq(link("file", "other"), 0);
    ck_assert_int_eq(outfile_open(&f, "file", &err), ST_OK);
    fputs("after\n", f.stream);
    ck_assert_int_eq(unlink("file"), 0);
    ck_assert_int_eq(outfile_commit(&f, &err), ST_IO);
    ck_assert_str_eq(err.text, "file: cannot write: No such file or directory; the complete output is beside it, in "
                               ".file.partial");
    check_contents(".file.partial", "after\n");
    check_contents("other", "before\n");
}
END_TEST

/* Changes of a partial file by another process. */
static const struct {
    const char *name;
    const char *command;
} changes[] = {
    {"removed", "rm .file.partial"},
    {"replaced", "rm .file.partial && echo other > .file.partial"},
    {"exchanged", "mv .file.partial away && echo other > .file.partial"},
    {"linked", "mv .file.partial away && ln -s away .file.partial"},
    {"a folder", "rm .file.partial && mkdir .file.partial"},
    {"longer", "echo other >> .file.partial"},
    {"cut", ": > .file.partial"},
};
enum { CHANGES = sizeof changes / sizeof changes[0] };

/* `delegates`: the keeper completes the output. */
static void change_partial(int n, bool delegates)
{
    struct outfile f;
    write_file("file", "before\n");
    ck_assert_int_eq(outfile_open(&f, "file", &err), ST_OK);
    if (delegates)
        ck_assert_int_eq(outfile_delegate(&err), ST_OK);
    fputs("after\n", f.stream);
    fflush(f.stream);
    ck_assert_int_eq(system(changes[n].command), 0);
    ck_assert_msg(outfile_commit(&f, &err) == ST_IO, "%s", changes[n].name);
    ck_assert_str_eq(err.text, "file: cannot write: another process has removed, replaced or changed .file.partial");
    check_contents("file", "before\n");
}

/* The file of the output's name is the one that was written, or as it was before. */
START_TEST(a_changed_partial_file_is_an_error)
{
    change_partial(_i, false);
    ck_assert_msg(access(".file.partial", F_OK) != 0 || strcmp(changes[_i].name, "a folder") == 0 ||
                      strcmp(changes[_i].name, "linked") == 0,
                  "%s", changes[_i].name);
}
END_TEST

START_TEST(a_keeper_renames_no_changed_file) { change_partial(_i, true); }
END_TEST

/* The keeper's outputs are those of outfile_commit and outfile_abort, and waiting does not find the keeper. */
START_TEST(a_keeper_completes_outputs)
{
    struct outfile file, other, dropped, linked;
    int status;
    pid_t child = fork();
    if (child > 0) {
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_int_eq(status, 0);
        check_contents("file", "one\n");
        check_contents("second", "two\n");
        check_contents("name", "four\n");
        ck_assert_int_ne(access("dropped", F_OK), 0);
        ck_assert_int_ne(access(".dropped.partial", F_OK), 0);
        ck_assert_int_ne(access(".name.partial", F_OK), 0);
        return;
    }
    write_file("linked", "before\n");
    bool good = link("linked", "name") == 0 && outfile_open(&file, "file", &err) == ST_OK &&
                outfile_open(&other, "other", &err) == ST_OK && outfile_open(&dropped, "dropped", &err) == ST_OK &&
                outfile_open(&linked, "linked", &err) == ST_OK && outfile_delegate(&err) == ST_OK;
    fputs("one\n", file.stream);
    fputs("two\n", other.stream);
    fputs("four\n", linked.stream);
    good = good && waitpid(-1, &status, 0) < 0 && outfile_commit(&file, &err) == ST_OK &&
           outfile_commit(&other, &err) == ST_OK && outfile_commit(&linked, &err) == ST_OK;
    outfile_abort(&dropped);
    exit(good && rename("other", "second") == 0 ? 0 : 1);
}
END_TEST

/* An output that the keeper cannot complete is removed, as by the process itself. */
START_TEST(a_keeper_reports_errors)
{
    struct outfile f;
    ck_assert_int_eq(outfile_open(&f, "file", &err), ST_OK);
    ck_assert_int_eq(outfile_delegate(&err), ST_OK);
    ck_assert_int_eq(mkdir("file", 0700), 0);
    ck_assert_int_eq(outfile_commit(&f, &err), ST_IO);
    ck_assert_str_eq(err.text, "file: cannot write: Is a directory");
    ck_assert_int_ne(access(".file.partial", F_OK), 0);
}
END_TEST

/* A shorter output leaves nothing of the one before. */
START_TEST(a_copied_output_has_its_own_length)
{
    write_file("file", "before, and longer\n");
    ck_assert_int_eq(link("file", "other"), 0);
    write_file("file", "after\n");
    check_contents("other", "after\n");
    ck_assert_int_ne(access(".file.partial", F_OK), 0);
}
END_TEST

START_TEST(an_output_arrives_in_its_folder)
{
    struct outfile f;
    ck_assert_int_eq(mkdir("a", 0777), 0);
    ck_assert_int_eq(outfile_open(&f, "a/file", &err), ST_OK);
    fputs("text\n", f.stream);
    ck_assert_int_eq(rename("a", "b"), 0);
    ck_assert_int_eq(chdir("/"), 0);
    ck_assert_int_eq(outfile_commit(&f, &err), ST_OK);
    ck_assert_int_eq(chdir(folder), 0);
    check_contents("b/file", "text\n");
}
END_TEST

enum { PIPE_TEXT = 1 << 20 };

static void *read_pipe(void *fd)
{
    static char part[1 << 12];
    size_t total = 0;
    for (ssize_t n; (n = read(*(int *)fd, part, sizeof part)) > 0;)
        total += (size_t)n;
    return (void *)total;
}

/* A pipe of one page whose other end is read while the stream waits. */
START_TEST(a_write_waits_for_the_reader)
{
    int ends[2];
    struct outfile f;
    pthread_t reader;
    void *total;
    char path[32];
    ck_assert_int_eq(pipe2(ends, O_NONBLOCK), 0);
    ck_assert_int_eq(fcntl(ends[0], F_SETFL, 0), 0);
    ck_assert_int_gt(fcntl(ends[1], F_SETPIPE_SZ, 4096), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    ck_assert_msg(outfile_open(&f, path, &err) == ST_OK, "%s", err.text);
    close(ends[1]);
    ck_assert_int_eq(pthread_create(&reader, NULL, read_pipe, &ends[0]), 0);
    for (int n = 0; n < PIPE_TEXT; n++)
        fputc('x', f.stream);
    ck_assert_msg(outfile_commit(&f, &err) == ST_OK, "%s", err.text);
    ck_assert_int_eq(pthread_join(reader, &total), 0);
    ck_assert_uint_eq((size_t)total, PIPE_TEXT);
    close(ends[0]);
}
END_TEST

static bool waits_until_stuck(int signal, const siginfo_t *info)
{
    (void)signal;
    (void)info;
    return !outfile_is_stuck();
}

/* A process that writes to a pipe that no process reads, and ends by a signal only then. */
static _Noreturn void write_to(int fd, int ready)
{
    struct outfile f;
    char path[32];
    (void)signal(SIGTERM, SIG_DFL);
    if (freopen("said", "w", stderr) == NULL)
        exit(1);
    ending_begin("test");
    ending_divert(waits_until_stuck);
    snprintf(path, sizeof path, "/dev/fd/%d", fd);
    if (outfile_open(&f, path, &err) == ST_OK)
        (void)!write(ready, "", 1);
    for (int n = 0; n < PIPE_TEXT; n++)
        fputc('x', f.stream);
    exit(0);
}

START_TEST(a_write_that_waits_is_known)
{
    int status, ends[2], ready[2];
    char byte;
    ck_assert(pipe(ends) == 0 && pipe(ready) == 0);
    pid_t child = fork();
    if (child == 0)
        write_to(ends[1], ready[1]);
    ck_assert_int_eq(read(ready[0], &byte, 1), 1);
    while (waitpid(child, &status, WNOHANG) == 0) {
        (void)kill(child, SIGTERM);
        sched_yield();
    }
    ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM, "status 0x%x", status);
}
END_TEST

/* The error reported is that of the first write that failed. */
START_TEST(the_first_error_is_told)
{
    struct outfile f;
    int fd = open("/dev/full", O_WRONLY);
    char path[32];
    snprintf(path, sizeof path, "/dev/fd/%d", fd);
    ck_assert_int_eq(outfile_open(&f, path, &err), ST_OK);
    fputs("text", f.stream);
    fflush(f.stream);
    int nothing = open("/dev/null", O_WRONLY);
    ck_assert_int_ge(dup2(nothing, f.fd), 0);
    fputs("text", f.stream);
    ck_assert_int_eq(outfile_commit(&f, &err), ST_IO);
    ck_assert_msg(strstr(err.text, "cannot write: No space left on device") != NULL, "%s", err.text);
    close(nothing);
    close(fd);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("outfile");
    TCase *t = tcase_create("outputs");
    tcase_add_checked_fixture(t, set_up, tear_down);
    tcase_add_test(t, a_forked_process_does_not_write);
    tcase_add_test(t, an_exit_removes_the_partial_file);
    tcase_add_loop_test(t, a_signal_removes_the_partial_file, 1, 65);
    tcase_add_loop_test(t, a_fault_removes_the_partial_file, 0, sizeof not_repeated / sizeof not_repeated[0]);
    tcase_add_test(t, an_ignored_signal_removes_nothing);
    tcase_add_test(t, an_unreadable_folder_is_named_so);
    tcase_add_test(t, an_output_that_cannot_be_copied_is_kept);
    tcase_add_loop_test(t, a_changed_partial_file_is_an_error, 0, CHANGES);
    tcase_add_loop_test(t, a_keeper_renames_no_changed_file, 0, CHANGES);
    tcase_add_test(t, a_keeper_completes_outputs);
    tcase_add_test(t, a_keeper_reports_errors);
    tcase_add_test(t, a_copied_output_has_its_own_length);
    tcase_add_test(t, an_output_arrives_in_its_folder);
    tcase_add_test(t, a_write_waits_for_the_reader);
    tcase_add_test(t, a_write_that_waits_is_known);
    tcase_add_test(t, the_first_error_is_told);
    suite_add_tcase(s, t);
    return run_suite(s);
}
