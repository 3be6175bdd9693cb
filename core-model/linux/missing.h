/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Programs that the guest could not execute because the sysroot has no such file. Under an emulator without a sysroot
 * the host's file would be executed; here the guest alone learns of it, and often ends with status 127. Private to
 * core-model/linux. */
#ifndef CORE_MODEL_LINUX_MISSING_H
#define CORE_MODEL_LINUX_MISSING_H

#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>

struct guest;

enum { LINUX_MISSING_MAX = 16 };

/* In memory that all processes of the guest share. */
struct linux_missing {
    struct {
        _Atomic uint64_t hash; /* of the path; 0: free */
        _Atomic uint64_t times;
        char path[PATH_MAX];
    } program[LINUX_MISSING_MAX];
};

/* Counts a program with an absolute name that execve has not found, if there is a sysroot. */
void linux_missing_count(struct guest *g, const char *path);
/* The process has found a program: those that it has tried before were other places of that. */
void linux_missing_forget(struct guest *g);

#endif
