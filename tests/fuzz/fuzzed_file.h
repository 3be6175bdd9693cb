/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An input of a fuzzer as a file. It is in a folder of its own, because an ELF file can name any other file there as
 * its debug file, and in memory where the machine has a file system for it. */
#ifndef TESTS_FUZZ_FUZZED_FILE_H
#define TESTS_FUZZ_FUZZED_FILE_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/status.h"

static char fuzzed_folder[32], fuzzed_path[sizeof fuzzed_folder + 8];

static void remove_fuzzed_folder(void)
{
    unlink(fuzzed_path);
    rmdir(fuzzed_folder);
}

static void make_fuzzed_folder(void)
{
    snprintf(fuzzed_folder, sizeof fuzzed_folder, "%s/fuzzedXXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (mkdtemp(fuzzed_folder) == NULL)
        BUG("no folder %s", fuzzed_folder);
}

/* Creates an empty fuzzed_path, which is removed at exit. Returns its descriptor. */
static int make_fuzzed_file(void)
{
    make_fuzzed_folder();
    snprintf(fuzzed_path, sizeof fuzzed_path, "%s/fuzzed", fuzzed_folder);
    atexit(remove_fuzzed_folder);
    return open(fuzzed_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

/* Makes the input the contents of fuzzed_path. The file stays open and keeps its pages from input to input. */
static void write_fuzzed_file(const uint8_t *data, size_t size)
{
    static int fd = -1;
    if (fd < 0)
        fd = make_fuzzed_file();
    if (fd < 0 || pwrite(fd, data, size, 0) != (ssize_t)size || ftruncate(fd, (off_t)size) != 0)
        BUG("%s: cannot be written", fuzzed_path);
}

#endif
