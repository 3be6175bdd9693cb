/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the ELF loader: whatever it takes is a guest that can be run for a while and taken down again. Nothing of the
 * host is reached: system calls are not performed, and programs that name an interpreter are only loaded. */
#include "core-model/linux/elf.h"
#include "core-model/linux/guest.h"

#include "tests/fuzz/fuzzed_file.h"
#include "tests/fuzz/fuzzed_input.h"

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

/* Is it a program on its own? The address space is kept for the next file. */
static bool load_alone(const char *path)
{
    enum { BIAS = 0x10000000 };
    static struct memory m;
    struct elf_image image = {0};
    struct errmsg err = {{0}};
    if (m.base == NULL && memory_init(&m, &err) != ST_OK)
        BUG("%s", err.text);
    enum status st = elf_load(&m, path, BIAS, &image, &err);
    if (st != ST_OK)
        check_refusal(&err);
    if (!memory_unmap(&m, image.start, image.end - image.start))
        BUG("the image cannot be unmapped");
    return st == ST_OK && !image.has_interp;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char name[] = "fuzzed", *argv[] = {name, NULL}, *envp[] = {NULL};
    struct guest g;
    struct errmsg err;
    write_fuzzed_file(data, size);
    const struct guest_config config = {.path = fuzzed_path, .argv = argv, .envp = envp, .seed = 1};
    if (load_alone(fuzzed_path) && is_one_in_16(data, size) && guest_init(&g, &config, &err) == ST_OK) {
        run_guest(&g);
        guest_fini(&g);
    }
    return 0;
}
