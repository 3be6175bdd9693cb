/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System V shared memory: identifiers, attachments over fork and execve, removal. */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE_BYTES = 4096, KEY = 0x50434d55 };

static void show(const char *what, long result)
{
    printf("%s = %ld", what, result < 0 ? -1 : result);
    printf(result < 0 ? " (%s)\n" : "\n", strerror(errno));
}
#define SHOW(expression) (errno = 0, show(#expression, (long)(expression)))

static void status_of(int id)
{
    struct shmid_ds s;
    if (shmctl(id, IPC_STAT, &s) != 0) {
        printf("no status: %s\n", strerror(errno));
        return;
    }
    printf("%d bytes, mode %o, %d attached, made here: %d, times %d %d %d\n", (int)s.shm_segsz,
           (unsigned)s.shm_perm.mode, (int)s.shm_nattch, s.shm_cpid == getpid(), s.shm_atime != 0, s.shm_dtime != 0,
           s.shm_ctime != 0);
}

static void identifiers(void)
{
    int id = shmget(KEY + getpid(), 3 * PAGE_BYTES - 1, IPC_CREAT | IPC_EXCL | 0600);
    SHOW(id >= 0);
    SHOW(shmget(KEY + getpid(), 1, IPC_CREAT | IPC_EXCL | 0600));
    SHOW(shmget(KEY + getpid(), 1, IPC_CREAT | 0600) == id);
    SHOW(shmget(KEY + getpid(), 0, 0) == id);
    SHOW(shmget(KEY + getpid(), 4 * PAGE_BYTES, 0));
    status_of(id);
    struct shmid_ds s = {0};
    shmctl(id, IPC_STAT, &s);
    s.shm_perm.mode = 0640;
    SHOW(shmctl(id, IPC_SET, &s));
    SHOW(shmctl(id, 99, &s));
    status_of(id);
    SHOW(shmctl(id, IPC_RMID, NULL));
    status_of(id);
    SHOW(shmget(KEY + getpid(), 1, 0600));
    SHOW(shmget(IPC_PRIVATE, 0, 0600));
    SHOW(shmctl(-1, IPC_RMID, NULL));
    SHOW(shmdt((void *)PAGE_BYTES));
    SHOW(shmat(12345678, NULL, 0) == (void *)-1);
}

static void attachments(void)
{
    int id = shmget(IPC_PRIVATE, 2 * PAGE_BYTES, 0600);
    char *a = shmat(id, NULL, 0), *b = shmat(id, NULL, SHM_RDONLY);
    strcpy(a + PAGE_BYTES, "written");
    SHOW(strcmp(b + PAGE_BYTES, "written"));
    status_of(id);
    SHOW(shmat(id, a, 0) == (void *)-1);
    SHOW(shmat(id, a + 1, 0) == (void *)-1);
    SHOW(shmdt(a));
    SHOW(shmdt(a));
    SHOW(shmat(id, a + 5, SHM_RND) == a);
    int pid = fork();
    if (pid == 0) {
        status_of(id);
        strcpy(a, "from the child");
        fflush(stdout);
        raise(SIGKILL);
    }
    int how;
    waitpid(pid, &how, 0);
    SHOW(WTERMSIG(how));
    printf("%s\n", a);
    status_of(id);
    SHOW(shmctl(id, IPC_RMID, NULL));
    status_of(id);
    SHOW(shmdt(b));
    SHOW(shmdt(a));
    status_of(id);
}

/* SHM_REMAP replaces attachments, which count no more: of another segment, of the same, and of one marked for removal.
 * What reaches beyond the new attachment remains. */
static void replaced(void)
{
    int id = shmget(IPC_PRIVATE, 2 * PAGE_BYTES, 0600), other = shmget(IPC_PRIVATE, PAGE_BYTES, 0600),
        large = shmget(IPC_PRIVATE, 4 * PAGE_BYTES, 0600);
    char *room = mmap(NULL, 16 * PAGE_BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(room, 16 * PAGE_BYTES);
    char *a = shmat(id, room + 4 * PAGE_BYTES, 0), *b = shmat(large, room + 8 * PAGE_BYTES, 0);
    strcpy(a, "of the first");
    SHOW(shmat(other, a, 0) == (void *)-1);
    SHOW(shmat(id, a, SHM_REMAP) == a);
    printf("%s\n", a);
    status_of(id);
    SHOW(shmat(id, b, SHM_REMAP) == b);
    status_of(large);
    SHOW(shmat(large, a - 2 * PAGE_BYTES, SHM_REMAP) == a - 2 * PAGE_BYTES);
    status_of(id);
    SHOW(shmctl(id, IPC_RMID, NULL));
    SHOW(shmat(id, b, SHM_REMAP) == b);
    status_of(id);
    SHOW(shmat(other, b, SHM_REMAP) == b);
    status_of(id);
    SHOW(shmat(large, b, SHM_REMAP) == b);
    status_of(id);
    status_of(other);
    shmctl(other, IPC_RMID, NULL);
    shmctl(large, IPC_RMID, NULL);
}

/* A new segment has zeros, also where an old one was. */
static void zeros(void)
{
    for (int round = 0; round < 2; round++) {
        int id = shmget(IPC_PRIVATE, PAGE_BYTES, 0600);
        char *p = shmat(id, NULL, 0);
        SHOW(p[100]);
        p[100] = 1;
        shmctl(id, IPC_RMID, NULL);
        shmdt(p);
    }
}

int main(void)
{
    setvbuf(stdout, NULL, _IONBF, 0);
    identifiers();
    attachments();
    replaced();
    zeros();
    return 0;
}
