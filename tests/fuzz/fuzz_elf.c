/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the ELF loader: whatever it takes is a guest that can be run for a while and taken down again. Nothing of the
 * host is reached: system calls are not performed, and programs that name an interpreter are only loaded. */
#include "core-model/linux/elf.h"
#include "core-model/linux/guest.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { RUN_INSTRUCTIONS = 10000 };

static void run_guest(struct guest *g)
{
    for (int calls = 0; calls < 10; calls++) {
        if (rv_run(&g->hart, RUN_INSTRUCTIONS) != RV_TRAP_ECALL)
            return;
        g->hart.pc += 4;
        g->hart.reg[10] = 0;
    }
}

/* Is it a program on its own? */
static bool load_alone(const char *path)
{
    enum { BIAS = 0x10000000 };
    static struct memory m; /* kept for the next file while nothing is mapped there */
    struct elf_image image = {0};
    struct errmsg err = {{0}};
    if (m.base == NULL && memory_init(&m, &err) != ST_OK)
        BUG("%s", err.text);
    enum status st = elf_load(&m, path, BIAS, &image, &err);
    if (st != ST_OK && err.text[0] == '\0')
        BUG("refused without a word");
    if (image.end != 0)
        memory_fini(&m);
    return st == ST_OK && !image.has_interp;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64], name[] = "fuzzed", *argv[] = {name, NULL}, *envp[] = {NULL};
    struct guest g;
    struct errmsg err;
    int fd = memfd_create("fuzz_elf", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        BUG("no file in memory for %zu bytes", size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const struct guest_config config = {.path = path, .argv = argv, .envp = envp, .seed = 1};
    if (load_alone(path) && guest_init(&g, &config, &err) == ST_OK) {
        run_guest(&g);
        guest_fini(&g);
    }
    close(fd);
    return 0;
}
