/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of the guest's processes, and a host number that another process has got: nothing reaches that process, and
 * nothing shows it. Here the table is given another start time for the number, as if its process had ended. */
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core-model/linux/files.h"
#include "core-model/linux/process_table.h"
#include "tests/unit/guest_core.h"
#include "tests/unit/suite.h"

enum { KILL = 129, SETPGID = 154, GETPGID = 155, GETSID = 156, PIDFD_OPEN = 434, OPENAT = 56, CLOSE = 57 };

struct table {
    struct guest guest;
    uint32_t pid; /* the guest's number of `host` */
    int host;
};

static int64_t call(struct table *t, uint64_t number, uint64_t a0, uint64_t a1, uint64_t a2)
{
    uint64_t *reg = t->guest.hart.reg;
    reg[A0] = a0, reg[A1] = a1, reg[A2] = a2, reg[A7] = number;
    guest_syscall(&t->guest);
    return (int64_t)reg[A0];
}

/* A process of the host that waits to be killed, entered as one of the guest's. */
static void setup(struct table *t)
{
    struct program *p = program_begin();
    addi(p, A0, ZERO, 0);
    guest_of(&t->guest, p);
    t->pid = linux_claim_pid(&t->guest);
    linux_inherit_process(&t->guest, t->pid);
    t->host = fork();
    ck_assert_int_ge(t->host, 0);
    if (t->host == 0)
        for (;;)
            pause();
    linux_enter_process(&t->guest, t->pid, t->host);
}

static void teardown(struct table *t)
{
    kill(t->host, SIGKILL);
    waitpid(t->host, NULL, 0);
    guest_fini(&t->guest);
}

/* Whether the calls that take a number reach the process. */
static void check_reached(struct table *t, bool is_reached)
{
    const int64_t none = -ESRCH;
    struct linux_facts facts;
    uint32_t pid = 0;
    int host;
    ck_assert_int_eq(linux_host_pid(&t->guest, t->pid), is_reached ? t->host : none);
    ck_assert_uint_eq(linux_guest_pid(&t->guest, t->host), is_reached ? t->pid : 0);
    ck_assert_int_eq(call(t, KILL, t->pid, 0, 0), is_reached ? 0 : none);
    ck_assert_int_eq(call(t, GETPGID, t->pid, 0, 0), is_reached ? LINUX_PID : none);
    ck_assert_int_eq(call(t, GETSID, t->pid, 0, 0), is_reached ? LINUX_PPID : none);
    ck_assert_int_eq(call(t, PIDFD_OPEN, t->pid, 0, 0) >= 0, is_reached);
    ck_assert_int_eq(linux_read_facts(&t->guest, t->pid, &facts), is_reached);
    while (linux_next_process(&t->guest, &pid, &host))
        ck_assert(is_reached || host != t->host);
}

START_TEST(reaches_its_processes)
{
    struct table t;
    setup(&t);
    check_reached(&t, true);
    ck_assert_int_eq(call(&t, KILL, t.pid, SIGKILL, 0), 0);
    int status;
    ck_assert_int_eq(waitpid(t.host, &status, 0), t.host);
    ck_assert_int_eq(WTERMSIG(status), SIGKILL);
    check_reached(&t, false);
    guest_fini(&t.guest);
}
END_TEST

START_TEST(reaches_no_process_with_the_number)
{
    struct table t;
    setup(&t);
    linux_process_entry(&t.guest, t.pid)->host_start--;
    check_reached(&t, false);
    ck_assert_int_eq(call(&t, KILL, t.pid, SIGKILL, 0), -ESRCH);
    (void)call(&t, KILL, (uint64_t)-1, SIGKILL, 0);
    (void)call(&t, SETPGID, t.pid, t.pid, 0);
    ck_assert_int_eq(waitpid(t.host, NULL, WNOHANG), 0);
    ck_assert_int_eq(getpgid(t.host), getpgrp());
    teardown(&t);
}
END_TEST

/* A new process of the guest has the number: the entry of the old one is free. */
START_TEST(gives_up_an_entry_with_the_same_number)
{
    struct table t;
    setup(&t);
    linux_process_entry(&t.guest, t.pid)->host_start--;
    const uint32_t next = linux_claim_pid(&t.guest);
    linux_inherit_process(&t.guest, next);
    linux_enter_process(&t.guest, next, t.host);
    ck_assert_ptr_null(linux_process_entry(&t.guest, t.pid));
    ck_assert_uint_eq(linux_guest_pid(&t.guest, t.host), next);
    teardown(&t);
}
END_TEST

/* A group is known by those that are in it, also when the process that made it has ended. */
START_TEST(keeps_a_group_without_its_leader)
{
    struct table t;
    setup(&t);
    const uint32_t leader = linux_claim_pid(&t.guest);
    linux_process_entry(&t.guest, t.pid)->group = leader;
    linux_release_number(&t.guest, leader);
    ck_assert_int_eq(linux_host_group(&t.guest, leader), getpgrp());
    ck_assert_int_eq(call(&t, KILL, (uint64_t)(-(int64_t)leader), 0, 0), 0);
    ck_assert_int_eq(call(&t, KILL, (uint64_t)(-(int64_t)leader - 1), 0, 0), -ESRCH);
    teardown(&t);
}
END_TEST

/* Signals about a file go to a group. In the group where pcemu was started are other processes of the user. */
START_TEST(owns_no_file_with_the_start_group)
{
    enum { FCNTL = 25, SETOWN = 8 };
    struct table t;
    struct f_owner_ex owner;
    setup(&t);
    int host = open("/dev/null", O_RDWR | O_CLOEXEC);
    int64_t fd = linux_new_fd(&t.guest, host, 0, false);
    ck_assert_int_eq(call(&t, FCNTL, (uint64_t)fd, SETOWN, (uint64_t)-LINUX_PID), 0);
    ck_assert_int_eq(fcntl(host, F_GETOWN_EX, &owner), 0);
    ck_assert_int_eq(owner.type, F_OWNER_PID);
    ck_assert_int_eq(owner.pid, getpid());
    ck_assert_int_eq(setpgid(t.host, t.host), 0);
    linux_process_entry(&t.guest, t.pid)->group = t.pid;
    ck_assert_int_eq(call(&t, FCNTL, (uint64_t)fd, SETOWN, (uint64_t) - (int64_t)t.pid), 0);
    ck_assert_int_eq(fcntl(host, F_GETOWN_EX, &owner), 0);
    ck_assert_int_eq(owner.type, F_OWNER_PGRP);
    ck_assert_int_eq(owner.pid, t.host);
    teardown(&t);
}
END_TEST

/* Whether /proc/PID/task/TID has a file, by the guest's numbers. */
static bool has_task(struct table *t, uint32_t pid, uint32_t tid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%u/task/%u/stat", pid, tid);
    ck_assert(memory_write(&t->guest.hart.mem, DATA_START, path, strlen(path) + 1));
    int64_t fd = call(t, OPENAT, (uint64_t)AT_FDCWD, DATA_START, O_RDONLY);
    ck_assert_msg(fd >= 0 || fd == -ENOENT, "%s: %d", path, (int)fd);
    if (fd >= 0)
        call(t, CLOSE, (uint64_t)fd, 0, 0);
    return fd >= 0;
}

/* The only number in the folder `task` of a process with one thread is its own: not that of another process of the
 * guest or of the host, nor a free one. */
START_TEST(names_a_task_by_its_own_number)
{
    struct table t;
    setup(&t);
    for (uint32_t tid = 1; tid < LINUX_PID + LINUX_PROCESSES_MAX; tid++) {
        ck_assert_int_eq(has_task(&t, t.pid, tid), tid == t.pid);
        ck_assert_int_eq(has_task(&t, LINUX_PID, tid), tid == LINUX_PID);
    }
    ck_assert_int_eq(has_task(&t, t.pid, (uint32_t)t.host), t.host == (int)t.pid);
    ck_assert_int_eq(has_task(&t, LINUX_PID, (uint32_t)getpid()), getpid() == LINUX_PID);
    teardown(&t);
}
END_TEST

/* A thread's number is in the folder of its process, and in no other one. */
START_TEST(names_a_thread_in_its_process)
{
    struct table t;
    setup(&t);
    const uint32_t tid = linux_claim_tid(&t.guest);
    linux_process_entry(&t.guest, tid)->parent = t.pid;
    ck_assert(has_task(&t, t.pid, tid));
    ck_assert(!has_task(&t, LINUX_PID, tid));
    linux_process_entry(&t.guest, tid)->parent = LINUX_PID;
    ck_assert(!has_task(&t, t.pid, tid));
    teardown(&t);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *s = suite_create("process table");
    TCase *t = tcase_create("numbers");
    tcase_add_test(t, reaches_its_processes);
    tcase_add_test(t, reaches_no_process_with_the_number);
    tcase_add_test(t, gives_up_an_entry_with_the_same_number);
    tcase_add_test(t, keeps_a_group_without_its_leader);
    tcase_add_test(t, owns_no_file_with_the_start_group);
    tcase_add_test(t, names_a_task_by_its_own_number);
    tcase_add_test(t, names_a_thread_in_its_process);
    suite_add_tcase(s, t);
    return s;
}

int main(void) { return run_suite(make_suite()); }
