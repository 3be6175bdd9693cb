/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes checkpoints: whatever the file holds, it is refused with a message, or is a guest that can be run for a while
 * and taken down again. No system call is performed. The input is a file; and once more the number of bytes of a state
 * (4 bytes), that state behind the facts of its run, and a table of pages, whose file is sound: it has these facts, and
 * 70 pages; and once more a predictor (1 byte) and the warmed state of a core with it, whose caches and tables are used
 * then. */
#include "core-model/linux/checkpoint.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zstd.h>

#include "base/little_endian.h"
#include "base/version.h"
#include "core-model/checkpoint/stream.h"
#include "core-model/warm_state.h"
#include "tests/fuzz/fuzzed_file.h"
#include "tests/fuzz/fuzzed_input.h"
#include "tests/unit/small_structures.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { RUN_INSTRUCTIONS = 1000, PAGES = 70, CLOCK_HZ = 1000000000, QUANTUM = 100000 };

static void restore_file(void)
{
    struct guest_checkpoint *c;
    struct guest g;
    struct errmsg err = {{0}};
    if (guest_checkpoint_open(&c, fuzzed_path, &err) != ST_OK) {
        check_refusal(&err);
        return;
    }
    const struct guest_origin *run = guest_checkpoint_origin(c);
    const struct guest_config config = {.path = run->path,
                                        .argv = run->argv,
                                        .envp = run->envp,
                                        .clock_hz = CLOCK_HZ,
                                        .quantum = QUANTUM,
                                        .checkpoint = c};
    if (guest_init(&g, &config, &err) != ST_OK) {
        check_refusal(&err);
    } else {
        (void)rv_run(&g.hart, RUN_INSTRUCTIONS);
        guest_fini(&g);
    }
    guest_checkpoint_close(c);
}

/* A file that is being made. */
struct made_file {
    uint8_t byte[1 << 20];
    size_t size;
};

static void put_part(struct made_file *f, enum checkpoint_part kind, const void *bytes, size_t size_bytes)
{
    uint8_t *header = f->byte + f->size;
    const size_t room = sizeof f->byte - f->size - CHECKPOINT_PART_HEADER;
    const size_t stored = ZSTD_compress(header + CHECKPOINT_PART_HEADER, room, bytes, size_bytes, 1);
    if (ZSTD_isError(stored))
        BUG("%s", ZSTD_getErrorName(stored));
    memcpy(header, checkpoint_kinds[kind], 4);
    little_endian_put(header + 4, size_bytes, 4);
    little_endian_put(header + 8, stored, 4);
    f->size += CHECKPOINT_PART_HEADER + stored;
}

/* The facts of the run, as the state begins with them. */
static void put_run_facts(struct checkpoint_stream *s)
{
    char version[] = TOOLS_VERSION, path[] = "/program", folder[] = "/", *text[] = {version, path, NULL, folder};
    char *argv[] = {path, NULL}, *envp[] = {NULL}, **lists[] = {argv, envp};
    const uint64_t facts[] = {CLOCK_HZ, QUANTUM, 1, 0};
    checkpoint_section(s, "the run");
    checkpoint_move_text(s, &text[0]);
    checkpoint_move_text(s, &text[1]);
    checkpoint_move_texts(s, &lists[0]);
    checkpoint_move_texts(s, &lists[1]);
    checkpoint_move_text(s, &text[2]);
    checkpoint_move(s, GUEST_NAMES_USER, 0, GUEST_NAMES_HOST);
    checkpoint_move_text(s, &text[3]);
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        checkpoint_move(s, facts[i], 0, UINT64_MAX);
}

static void put_pages(struct made_file *f)
{
    static uint8_t page[PAGES][CHECKPOINT_PAGE_BYTES];
    for (unsigned n = 0; n < PAGES; n++)
        memset(page[n], (int)n, sizeof page[n]);
    put_part(f, CHECKPOINT_PAGES, page, (size_t)CHECKPOINT_PART_PAGES * CHECKPOINT_PAGE_BYTES);
    put_part(f, CHECKPOINT_PAGES, page[CHECKPOINT_PART_PAGES],
             (size_t)(PAGES - CHECKPOINT_PART_PAGES) * CHECKPOINT_PAGE_BYTES);
}

static void restore_state(const uint8_t *data, size_t size)
{
    enum { LENGTH_BYTES = 4, INPUT_MOST = 1 << 18 };
    static struct made_file f;
    struct checkpoint_stream state = {0}, end = {0};
    uint8_t digest[SHA1_BYTES] = {0};
    if (size < LENGTH_BYTES || size > INPUT_MOST)
        return;
    const size_t length = (size_t)little_endian_get(data, LENGTH_BYTES) % (size - LENGTH_BYTES + 1);
    put_run_facts(&state);
    checkpoint_move_bytes(&state, (void *)(uintptr_t)(data + LENGTH_BYTES), length); /* are only read */
    memcpy(f.byte, checkpoint_magic, sizeof checkpoint_magic);
    little_endian_put(f.byte + sizeof checkpoint_magic, CHECKPOINT_VERSION, 4);
    f.size = CHECKPOINT_FILE_HEADER;
    put_part(&f, CHECKPOINT_STATE, state.byte, state.size);
    put_pages(&f);
    put_part(&f, CHECKPOINT_TABLE, data + LENGTH_BYTES + length, size - LENGTH_BYTES - length);
    checkpoint_move(&end, PAGES, 0, PAGES);
    checkpoint_move_bytes(&end, digest, sizeof digest);
    put_part(&f, CHECKPOINT_END, end.byte, end.size);
    checkpoint_stream_free(&state);
    checkpoint_stream_free(&end);
    write_fuzzed_file(f.byte, f.size);
    restore_file();
}

/* Accesses and branches, by which what is in the structures is found and replaced. */
static void use_structures(struct hierarchy *mem, struct bpred *b, struct bpred_history *history)
{
    enum { USES = 64, STEP = 0x1234 };
    for (uint64_t i = 0, addr = 0x10000; i < USES; i++, addr += STEP) {
        struct bpred_info info;
        enum tlb_miss miss;
        (void)tlb_access(&mem->itlb, addr, i, &miss);
        (void)tlb_access(&mem->dtlb, addr, i, &miss);
        (void)hierarchy_fetch(mem, addr, i);
        (void)hierarchy_data(mem, addr, 8, i, i % 2 != 0);
        bpred_warm_direction(b, addr, history->branches, i % 3 == 0);
        bpred_history_branch(history, i % 3 == 0);
        (void)bpred_indirect(b, addr, history->path, &info);
        bpred_train_indirect(b, &info, addr);
        bpred_train_target(b, addr, bpred_ras_pop(b, &info));
    }
}

static void read_warmed(const uint8_t *data, size_t size)
{
    struct core_config config;
    struct hierarchy mem;
    struct bpred b;
    struct bpred_history history = {0};
    char *cold;
    if (size == 0)
        return;
    core_config_default(&config);
    config.predictor = data[0] % 3;
    make_structures_small(&config);
    hierarchy_init(&mem, &config);
    bpred_init(&b, &config);
    const struct engine_parts parts = {.mem = &mem, .bpred = &b, .history = &history, .config = &config};
    struct checkpoint_stream s = checkpoint_stream_of(data + 1, size - 1);
    warm_state_move(&parts, &s, &cold);
    if (s.failed)
        check_refusal(&s.why);
    else
        use_structures(&mem, &b, &history);
    free(cold);
    hierarchy_fini(&mem);
    bpred_fini(&b);
}

/* A guest that is restored has changed to its folder. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const int folder = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    const mode_t mask = umask(0);
    (void)umask(mask);
    write_fuzzed_file(data, size);
    restore_file();
    restore_state(data, size);
    read_warmed(data, size);
    (void)umask(mask);
    if (folder < 0 || fchdir(folder) != 0)
        BUG("the folder of the fuzzer cannot be entered again");
    close(folder);
    return 0;
}
