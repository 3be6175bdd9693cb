/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Descriptors of processes, which are the host's. Source: pidfd_open(2), pidfd_send_signal(2). */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core-model/linux/files.h"
#include "core-model/linux/path.h"
#include "core-model/linux/pending.h"
#include "core-model/linux/process_table.h"
#include "core-model/linux/space.h"
#include "core-model/linux/syscall.h"
#include "core-model/linux/task.h"

int64_t sys_pidfd_open(struct guest *g, const uint64_t *a)
{
    enum { NONBLOCK = 04000 };
    if (((uint32_t)a[1] & ~(uint32_t)NONBLOCK) || (int32_t)a[0] <= 0)
        return -EINVAL;
    const struct linux_process *p = linux_process_entry(g, (uint32_t)a[0]);
    int fd = p == NULL ? -ESRCH : p->is_thread ? -EINVAL : linux_open_process(g, (uint32_t)a[0], (unsigned)a[1]);
    return fd < 0 ? fd : linux_new_fd(g, fd, 0, true);
}

/* The process of a descriptor of a folder /proc/PID: 0 if it has ended; -EBADF. The host adds " (deleted)" to the name
 * of the folder of one that has been waited for. */
static int64_t process_of_folder(const struct guest *g, int host_fd)
{
    char path[PATH_MAX], rest;
    uint32_t pid;
    if (fcntl(host_fd, F_GETFL) & O_PATH)
        return -EBADF;
    if (linux_descriptor_name(host_fd, path) < 0 || strncmp(path, "/proc/", 6) != 0)
        return -EBADF;
    if (strcmp(path + 6 + strspn(path + 6, "0123456789"), " (deleted)") == 0)
        return 0;
    linux_name_guest(g, path);
    /* NOLINTNEXTLINE(cert-err34-c): the number is the emulator's */
    return sscanf(path, "/proc/%" SCNu32 "%c", &pid, &rest) == 1 ? (int64_t)pid : -EBADF;
}

/* The guest's number of the descriptor's process: 0 if it has ended; -EBADF. */
static int64_t pidfd_process_of(const struct guest *g, int host_fd)
{
    static const char label[] = "Pid:";
    char path[64], line[64];
    long pid = LONG_MIN;
    snprintf(path, sizeof path, "/proc/self/fdinfo/%d", host_fd);
    FILE *f = fopen(path, "re");
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (strncmp(line, label, strlen(label)) == 0)
            pid = strtol(line + strlen(label), NULL, 10);
    if (f != NULL)
        fclose(f);
    if (pid == LONG_MIN)
        return process_of_folder(g, host_fd);
    return pid > 0 ? (int64_t)linux_guest_pid(g, (int)pid) : 0;
}

int64_t sys_pidfd_send_signal(struct guest *g, const uint64_t *a)
{
    struct linux_siginfo info;
    int fd = linux_fd(g, a[0]);
    if ((uint32_t)a[3] != 0)
        return -EINVAL;
    int64_t pid = fd < 0 ? fd : pidfd_process_of(g, fd);
    if (pid < 0)
        return pid;
    if (a[2] != 0) {
        if (linux_get(g, a[2], &info, sizeof info) != 0)
            return -EFAULT;
        if ((uint32_t)info.signal != (uint32_t)a[1])
            return -EINVAL;
    }
    const uint64_t args[3] = {(uint64_t)pid, a[1], a[2]};
    return pid == 0 ? -ESRCH : a[2] != 0 ? sys_rt_sigqueueinfo(g, args) : sys_kill(g, args);
}

/* Numbers of descriptors are known of the process itself alone. */
int64_t sys_pidfd_getfd(struct guest *g, const uint64_t *a)
{
    int fd = linux_fd(g, a[0]);
    if ((uint32_t)a[2] != 0)
        return -EINVAL;
    int64_t pid = fd < 0 ? fd : pidfd_process_of(g, fd);
    if (pid <= 0)
        return pid < 0 ? pid : -ESRCH;
    if ((uint32_t)pid != g->task->pid)
        return -EPERM;
    int64_t copy = sys_dup(g, a + 1);
    if (copy >= 0)
        g->files->fd_cloexec[copy] = 1;
    return copy;
}

/* Compares two processes, or two descriptors of the process itself. */
int64_t sys_kcmp(struct guest *g, const uint64_t *a)
{
    enum { FILES = 0, TYPES = 8 };
    int host[2], fd[2];
    for (int i = 0; i < 2; i++) {
        bool is_own = (uint32_t)a[i] == g->task->pid;
        host[i] = linux_host_pid(g, (uint32_t)a[i]);
        fd[i] = linux_fd(g, a[3 + i]);
        if (host[i] < 0)
            return host[i];
        if (a[2] == FILES && !is_own)
            return -EPERM;
    }
    if (a[2] >= TYPES)
        return -EINVAL;
    if (a[2] == FILES && (fd[0] < 0 || fd[1] < 0))
        return -EBADF;
    if (a[2] != FILES && host[0] == host[1])
        return 0;
    return linux_result(syscall(SYS_kcmp, host[0], host[1], (int)a[2], fd[0], fd[1]));
}
