/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bench of the cores' tests: a program's words as a guest, a core as configured, and both together. */
#ifndef TESTS_UNIT_GUEST_CORE_H
#define TESTS_UNIT_GUEST_CORE_H

#include "core-model/core.h"
#include "tests/unit/plain_memory.h"

#include <elf.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/unit/guest_code.h"

/* Invariants of every cycle. */
#define MUST(condition) ck_assert(condition)

enum { OOO, INORDER };

/* The default configuration, of that core. */
static inline struct core_config config_of(int core)
{
    struct core_config cfg;
    core_config_default(&cfg);
    cfg.core = (uint32_t)core;
    return cfg;
}

/* A core with a memory whose latencies are plain sums. */
static inline struct core_config plain_config(int core)
{
    struct core_config cfg = config_of(core);
    plain_memory(&cfg);
    return cfg;
}

/* An ELF file of the words at CODE_START, with empty writable memory at DATA_START; loaded as a guest. */
static inline void guest_of(struct guest *g, const struct program *p)
{
    struct {
        Elf64_Ehdr e;
        Elf64_Phdr ph[2];
    } h = {0};
    uint64_t bytes = p->count * 4;
    memcpy(h.e.e_ident, ELFMAG, SELFMAG);
    h.e.e_ident[EI_CLASS] = ELFCLASS64;
    h.e.e_ident[EI_DATA] = ELFDATA2LSB;
    h.e.e_ident[EI_VERSION] = EV_CURRENT;
    h.e.e_type = ET_EXEC;
    h.e.e_machine = 243; /* EM_RISCV */
    h.e.e_version = EV_CURRENT;
    h.e.e_entry = CODE_START;
    h.e.e_phoff = sizeof h.e;
    h.e.e_ehsize = sizeof h.e;
    h.e.e_phentsize = sizeof h.ph[0];
    h.e.e_phnum = 2;
    h.e.e_flags = 5; /* RVC, double-float ABI */
    h.ph[0] = (Elf64_Phdr){.p_type = PT_LOAD,
                           .p_flags = PF_R | PF_X,
                           .p_offset = 0x1000,
                           .p_vaddr = CODE_START,
                           .p_paddr = CODE_START,
                           .p_filesz = bytes,
                           .p_memsz = bytes,
                           .p_align = 0x1000};
    h.ph[1] = (Elf64_Phdr){.p_type = PT_LOAD,
                           .p_flags = PF_R | PF_W,
                           .p_offset = 0,
                           .p_vaddr = DATA_START,
                           .p_paddr = DATA_START,
                           .p_filesz = 0,
                           .p_memsz = DATA_BYTES,
                           .p_align = 0x1000};
    char path[] = "/tmp/test_pipe_XXXXXX";
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(pwrite(fd, &h, sizeof h, 0), sizeof h);
    ck_assert_int_eq(pwrite(fd, p->word, bytes, 0x1000), (ssize_t)bytes);
    close(fd);
    char *argv[] = {path, NULL}, *envp[] = {NULL};
    struct guest_config gc = {.path = path, .argv = argv, .envp = envp, .seed = 1, .clock_hz = 1000000000};
    struct errmsg err = {{0}};
    enum status st = guest_init(g, &gc, &err);
    unlink(path);
    ck_assert_msg(st == ST_OK, "%s", err.text);
}

/* A guest on a core, which the test may watch before it runs. */
struct bench {
    struct guest guest;
    struct core *core;
};

static inline void bench_open(struct bench *b, const struct program *p, const struct core_config *cfg)
{
    guest_of(&b->guest, p);
    b->core = core_new(cfg, &b->guest);
}
static inline void bench_finish(struct bench *b) { ck_assert_int_eq(core_run(b->core, UINT64_MAX), RV_TRAP_NONE); }
static inline void bench_close(struct bench *b)
{
    core_free(b->core);
    guest_fini(&b->guest);
}

/* A statistic as the JSON output has it. */
static inline double stat_of(const struct core *c, const char *name)
{
    char *text = NULL, key[64];
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(f);
    core_write_stats_json(c, NULL, &(struct json_stream){.out = f});
    fclose(f);
    snprintf(key, sizeof key, "\"%s\": ", name);
    const char *at = strstr(text, key);
    ck_assert_msg(at != NULL, "no statistic %s", name);
    double value = strtod(at + strlen(key), NULL);
    free(text);
    return value;
}

#endif
