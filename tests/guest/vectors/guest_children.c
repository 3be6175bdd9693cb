/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that wait for children of their own: a child's end must not be lost to another thread's wait. The expected
 * output is that of the same file compiled for the host, because qemu-riscv64 7.2 does not always end with threads. */
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 4, CHILDREN = 20 };

static void *wait_for_children(void *unused)
{
    long wrong = 0;
    for (int i = 0; i < CHILDREN; i++) {
        int status = 0;
        pid_t pid = fork();
        if (pid == 0)
            _exit(i);
        wrong += waitpid(pid, &status, 0) != pid || WEXITSTATUS(status) != i;
    }
    return (char *)unused + wrong;
}

/* The parent of a vfork waits for its child alone: a child of that lives on. */
static int waits_for_its_child(void)
{
    int ends[2], status = 0;
    (void)!pipe(ends);
    pid_t child = vfork();
    if (child == 0) {
        char byte;
        if (fork() == 0) {
            close(ends[1]);
            _exit((int)read(ends[0], &byte, 1));
        }
        _exit(7);
    }
    waitpid(child, &status, 0);
    close(ends[1]);
    close(ends[0]);
    return WEXITSTATUS(status);
}

int main(void)
{
    pthread_t waiting[THREADS];
    long wrong = 0;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&waiting[i], NULL, wait_for_children, NULL);
    for (int i = 0; i < THREADS; i++) {
        void *r;
        pthread_join(waiting[i], &r);
        wrong += (long)r;
    }
    printf("%d threads with %d children: %ld wrong\n", THREADS, CHILDREN, wrong);
    printf("the child of a vfork ends with %d\n", waits_for_its_child());
    return 0;
}
