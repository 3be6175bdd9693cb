// SPDX-License-Identifier: GPL-3.0-or-later
// Code that is changed after it has run, where it is not written: in its file, through another mapping, by another
// process; and code that is removed. The expected results are those of Linux: qemu-riscv64 sees changes of code only
// where it is written.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ipc.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include "changed_code.h"

static void prepare_file(struct place *p)
{
    p->fd = make_file();
    p->at = map(PROT_READ | PROT_EXEC, MAP_SHARED, p->fd);
}

static void prepare_private_file(struct place *p)
{
    p->fd = make_file();
    p->at = map(PROT_READ | PROT_EXEC, MAP_PRIVATE, p->fd);
}

static void prepare_two(struct place *p)
{
    prepare_file(p);
    p->to = map(PROT_READ | PROT_WRITE, MAP_SHARED, p->fd);
}

static void prepare_common(struct place *p) { p->at = p->to = map(RWX, MAP_SHARED | MAP_ANONYMOUS, -1); }

static void prepare_source(struct place *p)
{
    prepare_file(p);
    p->other[0] = make_file();
}

static void prepare_segment(struct place *p)
{
    int id = shmget(IPC_PRIVATE, PAGE, IPC_CREAT | 0600);
    p->to = shmat(id, NULL, 0);
    p->at = shmat(id, NULL, SHM_EXEC);
    shmctl(id, IPC_RMID, NULL);
}

// ---- system calls that write a mapped file ----

static void file_pwritev(struct place *p, const struct code *c)
{
    struct iovec part[] = {{(void *)&c->add, 4}, {(void *)&c->ret, 4}};
    if (pwritev(p->fd, part, 2, 0) != sizeof *c)
        fail();
}

static void file_write(struct place *p, const struct code *c)
{
    lseek(p->fd, 0, SEEK_SET);
    if (write(p->fd, c, sizeof *c) != sizeof *c)
        fail();
}

static void file_copy(struct place *p, const struct code *c)
{
    loff_t from = 0, to = 0;
    if (pwrite(p->other[0], c, sizeof *c, 0) != sizeof *c ||
        copy_file_range(p->other[0], &from, p->fd, &to, sizeof *c, 0) != sizeof *c)
        fail();
}

static void file_send(struct place *p, const struct code *c)
{
    off_t from = 0;
    lseek(p->fd, 0, SEEK_SET);
    if (pwrite(p->other[0], c, sizeof *c, 0) != sizeof *c ||
        sendfile(p->fd, p->other[0], &from, sizeof *c) != sizeof *c)
        fail();
}

// Cuts the file to nothing first.
static void file_cut(struct place *p, const struct code *c)
{
    if (ftruncate(p->fd, 0) != 0 || ftruncate(p->fd, PAGE) != 0)
        fail();
    file_pwrite(p, c);
}

static void by_child(struct place *p, const struct code *c)
{
    pid_t child = fork();
    if (child == 0) {
        store(p, c);
        _exit(0);
    }
    if (waitpid(child, NULL, 0) != child)
        fail();
}

static const struct way ways[] = {
    {"pwrite", prepare_file, file_pwrite, 1},
    {"pwritev", prepare_file, file_pwritev, 1},
    {"write", prepare_file, file_write, 1},
    {"copy_file_range", prepare_source, file_copy, 1},
    {"sendfile", prepare_source, file_send, 1},
    {"pwrite below a private mapping", prepare_private_file, file_pwrite, 1},
    {"ftruncate, pwrite", prepare_file, file_cut, 0},
    {"second mapping", prepare_two, store, 1},
    {"second mapping, call 259", prepare_two, store_and_flush, 0},
    {"shmat", prepare_segment, store, 1},
    {"process", prepare_common, by_child, 1},
};

// ---- code that is removed ----

static sigjmp_buf ended;
static void on_signal(int signal) { siglongjmp(ended, signal); }

static void cut(struct place *p, const struct code *c)
{
    if (ftruncate(p->fd, 0) != 0)
        fail();
}

static void cut_by_name(struct place *p, const struct code *c)
{
    char name[32];
    snprintf(name, sizeof name, "/proc/self/fd/%d", p->fd);
    if (truncate(name, 0) != 0)
        fail();
}

static void cut_by_open(struct place *p, const struct code *c)
{
    char name[32];
    snprintf(name, sizeof name, "/proc/self/fd/%d", p->fd);
    if (open(name, O_RDWR | O_TRUNC) < 0)
        fail();
}

static void punch(struct place *p, const struct code *c)
{
    if (fallocate(p->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, PAGE) != 0)
        fail();
}

static void advise_removal(struct place *p, const struct code *c)
{
    if (madvise(p->to, PAGE, MADV_REMOVE) != 0)
        fail();
}

static void advise_need(struct place *p, const struct code *c)
{
    if (madvise(p->at, PAGE, MADV_DONTNEED) != 0)
        fail();
}

static void unmap(struct place *p, const struct code *c) { munmap(p->at, PAGE); }
static void detach(struct place *p, const struct code *c) { shmdt(p->at); }
static void protect(struct place *p, const struct code *c) { mprotect(p->at, PAGE, PROT_READ | PROT_WRITE); }

static void move_away(struct place *p, const struct code *c)
{
    void *to = map(PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1);
    if (mremap(p->at, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, to) != to)
        fail();
}

static const struct way removals[] = {
    {"ftruncate", prepare_two, cut},
    {"truncate", prepare_two, cut_by_name},
    {"open with O_TRUNC", prepare_two, cut_by_open},
    {"fallocate", prepare_two, punch},
    {"MADV_REMOVE", prepare_two, advise_removal},
    {"MADV_DONTNEED", prepare_own, advise_need},
    {"munmap", prepare_own, unmap},
    {"shmdt", prepare_segment, detach},
    {"mprotect", prepare_own, protect},
    {"mremap", prepare_own, move_away},
};

static void remove_code(const struct way *w)
{
    static struct place p;
    const struct code c = version_of(1);
    p = (struct place){0};
    if (setjmp(failed) != 0) {
        printf("%s: %m\n", w->name);
        return;
    }
    w->prepare(&p);
    store(&p, &c);
    fence_i();
    run(p.at);
    w->change(&p, &c);
    const int signal = sigsetjmp(ended, 1);
    if (signal != 0)
        printf("%s: SIG%s\n", w->name, sigabbrev_np(signal));
    else
        printf("%s: %ld\n", w->name, run(p.at));
}

int main(void)
{
    const int all[] = {SIGILL, SIGBUS, SIGSEGV};
    for (size_t n = 0; n < 3; n++)
        signal(all[n], on_signal);
    for (size_t n = 0; n < sizeof ways / sizeof *ways; n++) {
        change_often(&ways[n]);
        fflush(stdout);
    }
    for (size_t n = 0; n < sizeof removals / sizeof *removals; n++)
        remove_code(&removals[n]);
    printf("flags: %s\n", flush(NULL, NULL, 2) == -1 ? strerrorname_np(errno) : "accepted");
    return 0;
}
