/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What no checkpoint holds, one kind for each number: then a loop, in which a checkpoint is refused.
 * usage: refused KIND */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

static int pipe_end[2];

static void *wait_for_pipe(void *p)
{
    char byte;
    return read(pipe_end[0], &byte, 1) == 1 ? p : NULL;
}

static int open_new(void) { return open("file", O_RDWR | O_CREAT | O_TRUNC, 0600); }

static void make(const char *kind)
{
    struct flock whole_file = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    pthread_t t;
    int ends[2];
    if (strcmp(kind, "pipe") == 0)
        (void)!pipe(ends);
    else if (strcmp(kind, "socket") == 0)
        socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    else if (strcmp(kind, "eventfd") == 0)
        eventfd(1, 0);
    else if (strcmp(kind, "timerfd") == 0)
        timerfd_create(CLOCK_MONOTONIC, 0);
    else if (strcmp(kind, "epoll") == 0)
        epoll_create1(0);
    else if (strcmp(kind, "inotify") == 0)
        inotify_init();
    else if (strcmp(kind, "memfd") == 0)
        memfd_create("memory", 0);
    else if (strcmp(kind, "child") == 0 && fork() == 0)
        _exit(0);
    else if (strcmp(kind, "child") == 0)
        wait(NULL);
    else if (strcmp(kind, "shm") == 0)
        shmget(IPC_PRIVATE, 4096, 0600);
    else if (strcmp(kind, "lock") == 0)
        flock(open_new(), LOCK_EX);
    else if (strcmp(kind, "poslock") == 0)
        fcntl(open_new(), F_SETLK, &whole_file);
    else if (strcmp(kind, "ofdlock") == 0)
        fcntl(open_new(), F_OFD_SETLK, &whole_file);
    else if (strcmp(kind, "removed") == 0)
        open_new(), unlink("file");
    else if (strcmp(kind, "listing") == 0)
        readdir(opendir("."));
    else if (strcmp(kind, "proc") == 0)
        open("/proc/self/maps", O_RDONLY);
    else if (strcmp(kind, "session") == 0)
        setsid();
    else if (strcmp(kind, "mapping") == 0 && write(open_new(), "text", 4) == 4)
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 3, 0);
    else if (strcmp(kind, "waiting") == 0 && pipe(pipe_end) == 0)
        pthread_create(&t, NULL, wait_for_pipe, NULL);
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    make(argv[1]);
    for (volatile long i = 0; i < 400000; i++)
        continue;
    return 0;
}
