/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the cores: random code on the out-of-order or the in-order core, of a random configuration, in lock-step with
 * the functional core (core-model/prof/log/lockstep.h). An input is:
 *
 *     0   flags: 1: in-order core, 2: more code follows the input's, from a generator whose seed is the input's hash,
 *         4: queues of the default sizes, 8: loads, stores and atomics access the code, which is writable
 *     1   number of assignments of the configuration
 *     2   assignments, of two bytes each: the parameter, and a choice of its value
 *     ..  instructions, of five bytes each: the row of rv.def or rvc.def, and the bits that the row leaves open
 *
 * x3 and x4 point to data and are not written. Most loads, stores and atomics use them; some use another register.
 * Most branches lead to an instruction nearby. A handler of all signals goes on behind the instruction that has failed.
 * System calls of the code are all getpid, and the handler's return. At exit the number of instructions compared is
 * written to standard error.
 *
 * Meanwhile all recorded cycles are compared with what is memoised (core_memoise). If there was no system call, two
 * runs without observers follow, one with memoised states, and must end in the same way. */
#include "base/fnv.h"
#include "base/random.h"
#include "core-model/core.h"
#include "core-model/linux/guest.h"
#include "core-model/prof/log/lockstep.h"
#include "core-model/riscv/format.h"
#include "core-model/stats.h"

#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { IN_ORDER = 1, GENERATED = 2, LARGE = 4, WRITES_CODE = 8 };

enum {
    CODE_START = 0x10000,
    CODE_BYTES = 0x1000,
    CODE_WORDS = CODE_BYTES / 4,
    RANDOM_START = 64, /* word of the code at which the random part begins */
    DATA_START = 0x100000,
    DATA_BYTES = 0x10000,
    STACK_BYTES = 0x4000, /* of the handler, at the end of the data */
    GP = 3,
    TP = 4,
    A0 = 10,
    A7 = 17,
    INSTRUCTIONS = 4000, /* executed for an input */
    CALL_SIGALTSTACK = 132,
    CALL_SIGACTION = 134,
    CALL_SIGRETURN = 139,
    CALL_GETPID = 172,
};

static uint64_t compared, replayed;

static void print_compared(void)
{
    fprintf(stderr, "lockstep: %" PRIu64 " instructions compared, %" PRIu64 " cycles replayed\n", compared, replayed);
}

/* ---- the input ---- */

struct input {
    const uint8_t *at, *end;
    struct random more;
    bool has_more;
};

static uint8_t take(struct input *in)
{
    if (in->at < in->end)
        return *in->at++;
    return in->has_more ? (uint8_t)random_bits(&in->more) : 0;
}

static uint32_t take_word(struct input *in)
{
    uint32_t word = 0;
    for (int i = 0; i < 4; i++)
        word = word << 8 | take(in);
    return word;
}

/* ---- the configuration ---- */

static const struct {
    const char *key;
    uint64_t least, most;
} params[] = {
#define PARAM(key, otherwise, low, high, unit, help) {#key, low, high},
#define UNIT(key, ...) {#key "_units", 1, 8}, {#key "_cycles", 1, 256}, {#key "_pipelined", 0, 1},
#include "core-model/config/config.def"
};
enum { PARAMS = sizeof params / sizeof params[0], LARGEST = 1 << 16 };

/* Assigns the least value or one a little above it, or a power of two. Larger values take too long here. */
static void assign(struct core_config *cfg, uint8_t which, uint8_t choice)
{
    char text[64];
    struct errmsg err;
    struct core_config changed = *cfg;
    uint64_t value = choice & 1 ? params[which % PARAMS].least + (choice >> 1) % 16 : UINT64_C(1) << choice / 2 % 17;
    if (value > params[which % PARAMS].most)
        value = params[which % PARAMS].most < LARGEST ? params[which % PARAMS].most : params[which % PARAMS].least;
    snprintf(text, sizeof text, "%s=%" PRIu64, params[which % PARAMS].key, value);
    if (core_config_set(&changed, text, &err) == ST_OK && core_config_check(&changed, &err) == ST_OK)
        *cfg = changed;
}

/* The tables that take longest to make are small; without LARGE in the flags the queues are too. */
static void take_config(struct input *in, uint8_t flags, struct core_config *cfg)
{
    static const char *const start[] = {
        "l2_bytes=32768",        "llc_bytes=65536", "tage_entries=64",  "btb_entries=64",  "tage_base_entries=256",
        "store_wait_entries=64", "rob_entries=24",  "int_registers=56", "fp_registers=56", "fetch_buffer=12",
        "store_queue=8",         "load_queue=8",    "max_branches=6",   "dtlb_entries=4"};
    enum { TABLES = 6, STARTS = sizeof start / sizeof start[0] };
    struct errmsg err;
    core_config_default(cfg);
    for (size_t i = 0; i < (flags & LARGE ? TABLES : STARTS); i++)
        if (core_config_set(cfg, start[i], &err) != ST_OK)
            BUG("%s", err.text);
    for (unsigned n = take(in) % 16; n > 0; n--) {
        uint8_t which = take(in);
        assign(cfg, which, take(in));
    }
    cfg->core = flags & IN_ORDER;
}

/* ---- the code ---- */

static const struct {
    uint16_t match, mask;
} short_rows[] = {
#define RVC(sym, name, match, mask, ...) {match, mask},
#include "core-model/riscv/rvc.def"
#undef RVC
};
enum { SHORT_ROWS = sizeof short_rows / sizeof short_rows[0] };

static uint32_t with_field(uint32_t word, unsigned low, unsigned count, uint32_t value)
{
    uint32_t mask = ((1u << count) - 1) << low;
    return (word & ~mask) | (value << low & mask);
}

/* A branch or jump by up to 31 words in either direction, now and then to the middle of a word. */
static uint32_t with_offset(uint32_t word, uint8_t kind, uint32_t bits)
{
    int32_t offset = ((int32_t)(bits % 63) - 31) * 4 + (bits >> 8 & 31 ? 0 : 2);
    uint32_t o = (uint32_t)(offset == 0 ? 4 : offset);
    if (kind == RV_KIND_BR)
        return with_field(with_field(with_field(with_field(word, 7, 1, o >> 11), 8, 4, o >> 1), 25, 6, o >> 5), 31, 1,
                          o >> 12);
    return with_field(with_field(with_field(with_field(word, 12, 8, o >> 12), 20, 1, o >> 11), 21, 10, o >> 1), 31, 1,
                      o >> 20);
}

static uint32_t long_word(const struct rv_row *row, uint32_t bits)
{
    uint32_t word = row->match | (bits & ~row->mask);
    bool is_wild = bits % 16 == 0;
    switch (row->kind) {
    case RV_KIND_LOAD:
    case RV_KIND_STORE:
        return is_wild ? word : with_field(word, 15, 5, GP);
    case RV_KIND_LR:
    case RV_KIND_SC:
    case RV_KIND_AMO:
        return is_wild ? word : with_field(word, 15, 5, TP);
    case RV_KIND_BR:
    case RV_KIND_JAL:
        return with_offset(word, row->kind, bits >> 7);
    case RV_KIND_CSR:
        return is_wild ? word : with_field(word, 20, 12, 1 + bits / 16 % 3);
    default:
        return word;
    }
}

/* Whether the word writes x3 or x4. */
static bool writes_pointer(uint32_t word)
{
    struct rv_insn in;
    return rv_decode(word, &in) && (in.dst == GP || in.dst == TP);
}

static uint32_t take_instruction(struct input *in)
{
    static const uint32_t nop = 0x13, short_nop = 1;
    uint8_t which = take(in);
    uint32_t bits = take_word(in);
    if (which >= RV_OP_COUNT) {
        uint32_t half[2];
        for (unsigned i = 0; i < 2; i++) {
            unsigned row = (which + 13u * i * (bits & 3)) % SHORT_ROWS;
            half[i] = short_rows[row].match | (bits >> 16 * i & 0xffff & ~(uint32_t)short_rows[row].mask);
            if (writes_pointer(half[i]))
                half[i] = short_nop;
        }
        return half[0] | half[1] << 16;
    }
    uint32_t word = long_word(&rv_rows[which], bits);
    return writes_pointer(word) ? nop : word;
}

/* The handler adds 4 to the pc of the machine context, at 176 of the third argument. Where that is not in the code, it
 * goes on at the start of the random part. */
static const uint32_t handler[] = {
    0x0b063283, /* ld t0, 176(a2) */
    0x00428293, /* addi t0, t0, 4 */
    0x00010337, /* lui t1, CODE_START */
    0x406283b3, /* sub t2, t0, t1 */
    0x00001e37, /* lui t3, CODE_BYTES */
    0x01c3e463, /* bltu t2, t3, 8 */
    0x10030293, /* addi t0, t1, 4 * RANDOM_START */
    0x0a563823, /* sd t0, 176(a2) */
    0x00008067, /* ret */
};

static void make_code(struct input *in, uint32_t code[CODE_WORDS])
{
    unsigned n = RANDOM_START, most = in->has_more ? RANDOM_START + take(in) : CODE_WORDS - 1;
    memcpy(code, handler, sizeof handler);
    while (n < most && (in->has_more || in->at < in->end))
        code[n++] = take_instruction(in);
    uint32_t back = (RANDOM_START - n) * 4; /* jal x0 to the start of the random part */
    code[n] = 0x6f | (back >> 12 & 255) << 12 | (back >> 11 & 1) << 20 | (back >> 1 & 1023) << 21 |
              (back >> 20 & 1) << 31;
}

/* ---- the guest ---- */

/* An ELF file of empty code and data. */
static int make_file(void)
{
    struct {
        Elf64_Ehdr e;
        Elf64_Phdr ph[2];
    } h = {.e = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                 .e_type = ET_EXEC,
                 .e_machine = EM_RISCV,
                 .e_version = EV_CURRENT,
                 .e_entry = CODE_START + 4 * RANDOM_START,
                 .e_phoff = sizeof h.e,
                 .e_ehsize = sizeof h.e,
                 .e_phentsize = sizeof h.ph[0],
                 .e_phnum = 2,
                 .e_flags = 5 /* RVC, double-float ABI */},
           .ph = {{.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = CODE_START, .p_memsz = CODE_BYTES},
                  {.p_type = PT_LOAD, .p_flags = PF_R | PF_W, .p_vaddr = DATA_START, .p_memsz = DATA_BYTES}}};
    int fd = memfd_create("fuzz_lockstep", MFD_CLOEXEC);
    if (fd < 0 || write(fd, &h, sizeof h) != (ssize_t)sizeof h)
        BUG("no file in memory");
    atexit(print_compared);
    return fd;
}

static void call(struct guest *g, uint64_t number, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    const uint64_t argument[] = {a, b, c, d};
    memcpy(&g->hart.reg[A0], argument, sizeof argument);
    g->hart.reg[A7] = number;
    guest_syscall(g);
    if (g->hart.reg[A0] != 0)
        BUG("call %" PRIu64 " returns 0x%" PRIx64, number, (uint64_t)g->hart.reg[A0]);
}

/* Handles all signals that instructions raise, on a stack of their own. */
static void install_handler(struct guest *g)
{
    enum { SA_ONSTACK_SA_NODEFER = 0x48000000, SIGNAL_SET_BYTES = 8 };
    static const uint64_t signals[] = {4, 5, 7, 8, 11};
    const uint64_t action[] = {CODE_START, SA_ONSTACK_SA_NODEFER, 0},
                   stack[] = {DATA_START + DATA_BYTES - STACK_BYTES, 0, STACK_BYTES};
    uint8_t *at = memory_at(&g->hart.mem, DATA_START);
    memcpy(at, action, sizeof action);
    memcpy(at + sizeof action, stack, sizeof stack);
    call(g, CALL_SIGALTSTACK, DATA_START + sizeof action, 0, 0, 0);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        call(g, CALL_SIGACTION, signals[i], DATA_START, 0, SIGNAL_SET_BYTES);
}

static void make_guest(struct guest *g, struct input *in, uint8_t flags)
{
    static int file;
    char path[64], name[] = "fuzzed", *argv[] = {name, NULL}, *envp[] = {NULL};
    struct errmsg err;
    uint32_t code[CODE_WORDS] = {0};
    if (file == 0)
        file = make_file();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    const struct guest_config config = {.path = path, .argv = argv, .envp = envp, .seed = 1, .clock_hz = 1000000000};
    if (guest_init(g, &config, &err) != ST_OK)
        BUG("%s", err.text);
    make_code(in, code);
    memcpy(memory_at(&g->hart.mem, CODE_START), code, sizeof code);
    install_handler(g);
    struct random r = {.state = fnv_extend(FNV_NONE, code, sizeof code)};
    for (unsigned n = 1; n < 64; n++)
        g->hart.reg[n] = random_number(&r);
    for (unsigned n = 0; n < 512; n++) {
        uint64_t number = random_number(&r);
        memcpy(memory_at(&g->hart.mem, DATA_START + 8 * n), &number, sizeof number);
    }
    g->hart.reg[2] = DATA_START + 0x1000;
    g->hart.reg[GP] = DATA_START + 0x800;
    g->hart.reg[TP] = DATA_START + 0x808;
    if (!(flags & WRITES_CODE))
        return;
    if (!memory_protect(&g->hart.mem, CODE_START, CODE_BYTES, MEM_R | MEM_W | MEM_X))
        BUG("code is not mapped");
    g->hart.reg[GP] = CODE_START + 4 * RANDOM_START + 0x800; /* the handler is out of reach of an offset */
    g->hart.reg[TP] = CODE_START + 4 * RANDOM_START + 0x20;
}

/* ---- the runs ---- */

/* A guest with its calls other than sigreturn. */
struct caller {
    struct guest guest;
    unsigned calls;
};

/* Before each system call, after the comparison. */
static void restrict_call(void *ctx, const struct probe_insn *in, uint64_t cycle)
{
    struct caller *r = ctx;
    (void)cycle;
    if (!(in->insn->flags & RV_ECALL) || r->guest.hart.reg[A7] == CALL_SIGRETURN)
        return;
    r->guest.hart.reg[A7] = CALL_GETPID;
    r->calls++;
}

static void begin(const uint8_t *data, size_t size, struct guest *g, struct core **core)
{
    struct core_config cfg;
    struct input in = {.at = data + 1,
                       .end = data + size,
                       .has_more = (data[0] & GENERATED) != 0,
                       .more = {fnv_extend(FNV_NONE, data, size)}};
    take_config(&in, data[0], &cfg);
    make_guest(g, &in, data[0]);
    *core = core_new(&cfg, g);
}

/* Returns whether the guest has made no system call but sigreturn. */
static bool run_in_lockstep(const uint8_t *data, size_t size)
{
    struct caller r = {.calls = 0};
    struct core *core;
    begin(data, size, &r.guest, &core);
    core_memoise(core, 1 << 22, true);
    struct lockstep *k = lockstep_new(core, &r.guest);
    struct probe_listener calls = {.ctx = &r, .stage = {[PROBE_READY_TO_RETIRE] = restrict_call}};
    observer_attach(lockstep_observer(k), core);
    core_subscribe(core, &calls);
    (void)core_run(core, INSTRUCTIONS);
    compared += lockstep_compared(k);
    observer_release(lockstep_observer(k));
    core_free(core);
    guest_fini(&r.guest);
    return r.calls == 0;
}

struct end {
    struct core_stats stats;
    uint64_t clock, pc, reg[65], data;
};

/* A run without observers, with this memory for memoised states. */
static void run_alone(const uint8_t *data, size_t size, uint64_t memo_bytes, struct end *e)
{
    struct guest g;
    struct core *core;
    begin(data, size, &g, &core);
    core_memoise(core, memo_bytes, false);
    (void)core_run(core, INSTRUCTIONS);
    *e = (struct end){.stats = core_statistics(core), .clock = core_clock(core), .pc = g.hart.pc};
    memcpy(e->reg, g.hart.reg, sizeof e->reg);
    e->data = fnv_extend(FNV_NONE, memory_at(&g.hart.mem, DATA_START), DATA_BYTES);
    replayed += core_memo_counts(core).replayed;
    core_check(core);
    core_free(core);
    guest_fini(&g);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct end simulated, memoised;
    if (size < 4 || !run_in_lockstep(data, size))
        return 0;
    run_alone(data, size, 0, &simulated);
    run_alone(data, size, 1 << 22, &memoised);
    if (memcmp(&simulated, &memoised, sizeof simulated) != 0)
        BUG("a run with memoised states ends in another way");
    return 0;
}
