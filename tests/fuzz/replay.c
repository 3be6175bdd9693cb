/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a fuzz harness over files and folders of them, without a fuzzer: every corpus is part of the normal test run.
 * replay PATH... ; exit status 0, or 2 where a path cannot be read or holds nothing. A fault found by the harness
 * aborts. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_INPUT_BYTES = 1 << 24 };

static int replay_file(const char *path)
{
    struct errmsg err;
    char *data;
    size_t size_bytes;
    if (file_read(path, MAX_INPUT_BYTES, &data, &size_bytes, &err) != ST_OK) {
        fprintf(stderr, "replay: %s\n", err.text);
        return -1;
    }
    /* A copy of the exact size, for the address sanitizer. */
    uint8_t *exact = xmalloc(size_bytes);
    memcpy(exact, data, size_bytes);
    free(data);
    LLVMFuzzerTestOneInput(exact, size_bytes);
    free(exact);
    return 1;
}

/* The number of inputs run, or -1. */
static int replay_path(const char *path)
{
    struct stat sb;
    struct dirent **entries;
    int runs = 0, n = -1;
    if (stat(path, &sb) == 0 && S_ISDIR(sb.st_mode))
        n = scandir(path, &entries, NULL, alphasort);
    if (n < 0)
        return replay_file(path);
    for (int i = 0; i < n; i++) {
        char *file = xasprintf("%s/%s", path, entries[i]->d_name);
        if (runs >= 0 && entries[i]->d_name[0] != '.')
            runs = replay_file(file) < 0 ? -1 : runs + 1;
        free(file);
        free(entries[i]);
    }
    free(entries);
    return runs;
}

int main(int argc, char **argv)
{
    int runs = 0;
    for (int i = 1; i < argc; i++) {
        int n = replay_path(argv[i]);
        if (n <= 0) {
            fprintf(stderr, "replay: %s: nothing was run\n", argv[i]);
            return EXIT_BAD_INPUT;
        }
        runs += n;
    }
    printf("%s: %d inputs\n", argv[0], runs);
    return runs > 0 ? 0 : EXIT_BAD_INPUT;
}
