/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Life cycle of a guest process: guest_init, guest_run, guest_fault. */
#include "core-model/linux/event_fd.h"
#include "core-model/linux/linux.h"
#include "core-model/linux/path.h"
#include "core-model/linux/posix_timer.h"
#include "core-model/linux/process_table.h"
#include "core-model/linux/program.h"
#include "core-model/linux/socket.h"
#include "core-model/riscv/unmodelled.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    DEFAULT_UMASK = 022,
    LOOK_INTERVAL = 1 << 23 /* interval between polls for external signals, in instructions */
};

static void init_os(struct guest *g, const struct guest_config *config)
{
    struct linux_state *os = xcalloc(1, sizeof *os);
    g->os = os;
    for (int fd = 0; fd < LINUX_FD_MAX; fd++)
        os->fd[fd] = -1;
    os->change_ruleset = -1;
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        linux_set_fd(g, (uint32_t)fd, fd, false);
    os->random.state = g->process->seed = config->seed;
    os->clock_hz = config->clock_hz != 0 ? config->clock_hz : 1000000000;
    os->strace = config->strace;
    os->follower = config->follower != NULL ? *config->follower : (struct guest_follower){0};
    os->processors = config->processors != 0 ? config->processors : 1;
    os->quantum = config->quantum != 0 ? config->quantum : LINUX_QUANTUM;
    os->turn_random.state = config->seed;
    os->host_kept = linux_signal_bit(SIGVTALRM) | linux_signal_bit(LINUX_SIGBUS) |
                    (config->keeps_interrupt ? linux_signal_bit(SIGINT) : 0);
    linux_sysroot_init(os, config->sysroot, config->names);
    if (config->names != GUEST_NAMES_HOST)
        linux_alias_init(os, config->path);
    os->start_ns = linux_monotonic_ns(g);
    os->umask = DEFAULT_UMASK;
    linux_limits_init(os);
    linux_processes_init(g);
    linux_shm_init(g);
    linux_threads_init(g);
    linux_signals_inherit(g);
}

/* The guest's name of the program: of the first one, or another in its folder, by that folder's fixed name. */
static char *name_inside(const struct guest *g)
{
    const struct linux_alias *a = &g->os->alias;
    char name[PATH_MAX];
    const char *exe = g->os->exe, *base = strrchr(exe, '/') + 1;
    const size_t length = (size_t)(base - 1 - exe);
    bool is_beside = a->folder != NULL && strlen(a->folder) == length && strncmp(a->folder, exe, length) == 0;
    if (is_beside)
        return xasprintf("%s/%s", LINUX_ALIAS_FOLDER, base);
    snprintf(name, sizeof name, "%s", exe);
    linux_name_guest(g, name);
    return xstrdup(name);
}

static char *absolute_name(const char *path)
{
    char folder[PATH_MAX];
    if (path[0] == '/' || getcwd(folder, sizeof folder) == NULL)
        return xasprintf("%s%s", path[0] == '/' ? "" : "/", path);
    return xasprintf("%s/%s", folder, strncmp(path, "./", 2) == 0 ? path + 2 : path);
}

void linux_name_program(struct guest *g, const struct guest_config *config)
{
    struct linux_state *os = g->os;
    os->exe = realpath(config->path, NULL);
    if (os->exe == NULL) /* below a folder that the user may not search */
        os->exe = absolute_name(config->path);
    os->exe_inside = name_inside(g);
    const bool by_number = config->name == NULL || strncmp(config->name, "/dev/fd/", 8) == 0;
    const char *name = by_number ? config->path : config->name, *base = strrchr(name, '/');
    snprintf(g->thread->name, sizeof g->thread->name, "%s", base != NULL ? base + 1 : name);
}

/* The `time` CSR ticks at 10 MHz, independent of the core's frequency. */
static uint64_t ticks_per_1000_cycles(uint64_t clock_hz)
{
    const uint64_t timebase_hz = 10000000;
    uint64_t ticks = timebase_hz * 1000 / clock_hz;
    return ticks != 0 ? ticks : 1;
}

void linux_note_image(struct guest *g, const char *path, uint64_t start, uint64_t size_bytes, uint64_t offset)
{
    for (size_t i = 0; i < g->process->images; i++)
        if (g->process->image[i].start == start && g->process->image[i].offset == offset &&
            strcmp(g->process->image[i].path, path) == 0)
            return;
    g->process->image = xrealloc(g->process->image, (g->process->images + 1) * sizeof *g->process->image);
    g->process->image[g->process->images++] = (struct guest_image){
        .path = xstrdup(path), .start = start, .end = start + size_bytes, .offset = offset};
}

const struct guest_image *linux_other_image(const struct guest *g, const char *path, uint64_t start,
                                            uint64_t size_bytes)
{
    for (size_t i = 0; i < g->process->images; i++) {
        const struct guest_image *image = &g->process->image[i];
        if (image->start < start + size_bytes && start < image->end && strcmp(image->path, path) != 0)
            return image;
    }
    return NULL;
}

void linux_free_images(struct guest_process *p)
{
    for (size_t i = 0; i < p->images; i++)
        free(p->image[i].path);
    free(p->image);
}

/* Loads the dynamic linker above the code that it maps, or elsewhere if the program extends to that address. */
static enum status load_interpreter(struct guest *g, const struct elf_image *program, uint64_t *entry, uint64_t *base,
                                    struct errmsg *err)
{
    struct elf_image interp;
    struct linux_place place = {.dir = AT_FDCWD};
    const char *path = place.path;
    snprintf(place.path, sizeof place.path, "%s", program->interp);
    (void)linux_find_place(g, true, &place); /* the loader reports what is missing */
    struct errmsg why;
    enum status st = elf_load(&g->hart.mem, path, program->end <= LINUX_CODE_TOP ? LINUX_CODE_TOP : LINUX_MMAP_TOP,
                              &interp, &why);
    if (st != ST_OK)
        return fail(err, st, "program interpreter %.400s%s", why.text,
                    g->os->sysroot == NULL ? " (is -L SYSROOT missing?)" : "");
    *entry = interp.entry;
    *base = interp.bias;
    linux_note_image(g, path, interp.start, interp.end - interp.start, 0);
    return ST_OK;
}

/* Maps the stack, and the trampoline page to which signal handlers return, which the kernel has in its vDSO: li a7,139
 * (rt_sigreturn); ecall. Both are mapped before the program, so that a program at their addresses is rejected. */
static enum status map_fixed(struct guest *g, struct errmsg *err)
{
    static const uint32_t code[] = {0x08b00893, 0x00000073};
    struct memory *m = &g->hart.mem;
    if (memory_map(m, LINUX_STACK_TOP - LINUX_STACK_BYTES, LINUX_STACK_BYTES, MEM_R | MEM_W) != ST_OK ||
        memory_map(m, LINUX_TRAMPOLINE, MEM_PAGE_BYTES, MEM_R | MEM_X) != ST_OK)
        return fail(err, ST_IO, "cannot map the guest's stack");
    memcpy(memory_at(m, LINUX_TRAMPOLINE), code, sizeof code);
    return ST_OK;
}

enum status linux_load(struct guest *g, const struct guest_config *config, struct errmsg *err)
{
    struct elf_image program;
    enum status st = map_fixed(g, err);
    if (st == ST_OK)
        st = elf_load(&g->hart.mem, config->path, LINUX_PIE_START, &program, err);
    if (st != ST_OK)
        return st;
    g->process->bias = program.bias;
    uint64_t entry = program.entry, base = 0;
    if (program.has_interp)
        st = load_interpreter(g, &program, &entry, &base, err);
    if (st == ST_OK)
        st = linux_build_stack(g, config, &program, base, err);
    g->hart.pc = entry;
    g->os->image_start = program.start;
    g->os->brk_start = g->os->brk = program.end;
    return st;
}

const char *guest_program(const struct guest *g) { return g->os->exe; }

void guest_confine(struct guest *g, int change_ruleset) { g->os->change_ruleset = change_ruleset; }

enum status guest_init_empty(struct guest *g, struct errmsg *err)
{
    *g = (struct guest){.alarm_cycle = UINT64_MAX};
    enum status st = hart_init(&g->hart, err);
    if (st == ST_OK)
        g->process = xcalloc(1, sizeof *g->process);
    return st;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static enum status fail_script(const struct guest *g, const char *script, const struct linux_program *p, int64_t r,
                               struct errmsg *err)
{
    return fail(err, ST_INPUT, "%s: the script's interpreter %s: %s%s", script, p->place.path, strerror((int)-r),
                g->os->sysroot == NULL ? " (is -L SYSROOT missing?)" : "");
}

/* Loads the program that the user has given, or the interpreter of that script. A file is named as the user named it,
 * for messages, unless a link of the sysroot leads to another. */
static enum status load_first(struct guest *g, const struct guest_config *config, struct errmsg *err)
{
    struct linux_program *p = xcalloc(1, sizeof *p);
    const int64_t r = linux_program_begin(g, config, p);
    struct guest_config found = *config;
    found.name = p->called;
    found.argv = p->argv;
    if (r <= 0 || (p->head_bytes > 0 && !is_same_file(p->place.path, config->path)))
        found.path = p->place.path;
    linux_name_program(g, &found);
    enum status st = r < 0 ? fail_script(g, config->path, p, r, err) : linux_load(g, &found, err);
    linux_program_free_strings(p->argv);
    free(p);
    linux_enter_root(g->os); /* after the file, whose name may be relative to the host's root */
    return st;
}

enum status guest_find_program(const struct guest_config *config, char **program, struct errmsg *err)
{
    struct guest g;
    *program = NULL;
    enum status st = guest_init_empty(&g, err);
    if (st != ST_OK)
        return st;
    init_os(&g, config);
    struct linux_program *p = xcalloc(1, sizeof *p);
    const int64_t r = linux_program_begin(&g, config, p);
    if (r < 0)
        st = fail_script(&g, config->path, p, r, err);
    if (r == 0 || (r > 0 && p->head_bytes > 0 && !is_same_file(p->place.path, config->path)))
        *program = xstrdup(p->place.path);
    linux_program_free_strings(p->argv);
    free(p);
    guest_fini(&g);
    return st;
}

enum status guest_init(struct guest *g, const struct guest_config *config, struct errmsg *err)
{
    enum status st = guest_init_empty(g, err);
    if (st != ST_OK)
        return st;
    init_os(g, config);
    if (config->compiler != NULL)
        rv_compile(&g->hart, config->compiler, config->compile_insts);
    g->hart.time_per_1000_cycles = ticks_per_1000_cycles(g->os->clock_hz);
    st = load_first(g, config, err);
    if (st != ST_OK)
        guest_fini(g);
    return st;
}

void guest_fini(struct guest *g)
{
    if (g->os != NULL) {
        for (int fd = 0; fd < LINUX_FD_MAX; fd++) {
            linux_dir_drop(g, (uint32_t)fd);
            linux_event_drop(g, (uint32_t)fd);
            if (g->os->fd[fd] <= STDERR_FILENO)
                continue;
            linux_socket_end(g->os->fd[fd]);
            close(g->os->fd[fd]);
        }
        if (g->os->change_ruleset >= 0)
            close(g->os->change_ruleset);
        linux_signals_fini(g);
        linux_shm_fini(g);
        linux_processes_fini(g);
        linux_posix_timers_drop(g);
        linux_threads_fini(g);
        pending_fini(&g->os->pending);
        free(g->os->exe_inside);
        linux_alias_free(&g->os->alias);
        free(g->os->start_folder);
        free(g->os->sysroot);
        free(g->os->exe);
        free(g->os);
        g->os = NULL;
    }
    linux_free_images(g->process);
    free(g->process);
    g->process = NULL;
    hart_fini(&g->hart);
}

static int fault_signal(enum rv_trap trap)
{
    switch (trap) {
    case RV_TRAP_ILLEGAL:
        return LINUX_SIGILL;
    case RV_TRAP_BREAKPOINT:
        return LINUX_SIGTRAP;
    case RV_TRAP_MISALIGNED:
    case RV_TRAP_BUS:
    case RV_TRAP_FETCH_BUS:
        return LINUX_SIGBUS;
    default:
        return LINUX_SIGSEGV;
    }
}

static bool has_address(enum rv_trap trap)
{
    return trap == RV_TRAP_LOAD || trap == RV_TRAP_STORE || trap == RV_TRAP_MISALIGNED || trap == RV_TRAP_BUS;
}

/* Kind of the instruction's access to the address. */
static const char *access_words(enum rv_trap trap)
{
    switch (trap) {
    case RV_TRAP_LOAD:
        return "load from";
    case RV_TRAP_STORE:
        return "store to";
    case RV_TRAP_BUS:
        return "access behind the end of a mapped file, to";
    default:
        return "misaligned atomic access to";
    }
}

/* Names the extension of an illegal instruction; without a known one, nothing. */
static void append_extension(char *text, size_t size_bytes, uint32_t word)
{
    const char *extension = rv_unmodelled(word);
    const size_t n = strlen(text);
    if (extension != NULL)
        snprintf(text + n, size_bytes - n, ", of %s, which is not modelled", extension);
}

/* Formats the fault in one line. */
static void describe_fault(const struct guest *g, enum rv_trap trap, char *buf, size_t size_bytes)
{
    const struct hart *h = &g->hart;
    const char *signal = linux_signal_name(fault_signal(trap));
    char text[160] = "not mapped as code";
    if (trap == RV_TRAP_FETCH_BUS)
        strcpy(text, "behind the end of a mapped file");
    uint32_t word = 0;
    struct rv_insn in;
    bool whole = memory_allows(&h->mem, h->pc, 4, MEM_MAPPED);
    if ((whole || memory_allows(&h->mem, h->pc, 2, MEM_MAPPED)) && memory_read(&h->mem, h->pc, &word, whole ? 4 : 2)) {
        if (rv_decode(word, &in))
            rv_print_flat(text, sizeof text, &in, h->pc);
        else
            snprintf(text, sizeof text, ".word 0x%08" PRIx32, word);
        if (trap == RV_TRAP_ILLEGAL)
            append_extension(text, sizeof text, word);
    }
    if (has_address(trap))
        snprintf(buf, size_bytes, "%s at pc 0x%" PRIx64 ": %s 0x%" PRIx64 " (%s)", signal, h->pc, access_words(trap),
                 h->fault_addr, text);
    else
        snprintf(buf, size_bytes, "%s at pc 0x%" PRIx64 " (%s)", signal, h->pc, text);
}

/* The address that siginfo tells: of an access that extends into the next page and only fails there, that page's. */
static uint64_t fault_address(const struct guest *g, enum rv_trap trap)
{
    uint64_t addr = has_address(trap) ? g->hart.fault_addr : g->hart.pc, page = MEM_PAGE_BYTES;
    uint16_t low;
    if (trap == RV_TRAP_FETCH_BUS && memory_read(&g->hart.mem, addr, &low, sizeof low))
        return addr + sizeof low; /* the instruction's second half is missing */
    unsigned need = trap == RV_TRAP_LOAD ? MEM_R : trap == RV_TRAP_STORE ? MEM_W : MEM_X;
    bool in_second = fault_signal(trap) == LINUX_SIGSEGV && memory_allows(&g->hart.mem, addr, 1, need);
    return in_second ? (addr + page) & ~(page - 1) : addr;
}

/* siginfo's code: SEGV_MAPERR or SEGV_ACCERR, ILL_ILLOPC, TRAP_BRKPT, BUS_ADRALN or BUS_ADRERR. */
static int fault_code(const struct guest *g, enum rv_trap trap, uint64_t addr)
{
    enum { FIRST = 1, SEGV_ACCERR = 2, BUS_ADRERR = 2 };
    if (trap == RV_TRAP_BUS || trap == RV_TRAP_FETCH_BUS)
        return BUS_ADRERR;
    return fault_signal(trap) == LINUX_SIGSEGV && memory_allows(&g->hart.mem, addr, 1, MEM_MAPPED) ? SEGV_ACCERR
                                                                                                   : FIRST;
}

void guest_fault(struct guest *g, enum rv_trap trap)
{
    uint64_t addr = fault_address(g, trap);
    describe_fault(g, trap, g->process->fault, sizeof g->process->fault);
    linux_fault(g, fault_signal(trap), fault_code(g, trap, addr), addr);
    if (!g->process->exited)
        g->process->fault[0] = '\0'; /* a handler of the guest handles it */
}

static enum rv_trap leave_or_fault(struct guest *g, enum rv_trap trap)
{
    if (trap == RV_TRAP_LIMIT || trap == RV_TRAP_STOP)
        return trap;
    guest_fault(g, trap);
    return RV_TRAP_NONE;
}

enum rv_trap guest_run(struct guest *g, uint64_t max_insts) { return guest_run_to(g, max_insts, UINT64_MAX); }

enum rv_trap guest_run_to(struct guest *g, uint64_t max_insts, uint64_t stop_pc)
{
    struct hart *h = &g->hart;
    rv_stop_at(h, stop_pc);
    uint64_t end = max_insts > UINT64_MAX - h->instret ? UINT64_MAX : h->instret + max_insts;
    while (!g->process->exited) {
        if (h->pc == stop_pc)
            return RV_TRAP_LIMIT;
        uint64_t budget = end - h->instret, until_alarm = g->alarm_cycle > h->cycle ? g->alarm_cycle - h->cycle : 0;
        bool looks = budget > LOOK_INTERVAL && linux_signals_caught(g);
        uint64_t slice = looks ? LOOK_INTERVAL : budget;
        enum rv_trap trap = RV_TRAP_LIMIT;
        if (until_alarm > 0 && slice > RV_RUN_PAST && until_alarm < slice - RV_RUN_PAST)
            trap = rv_run_past(h, until_alarm); /* a turn may end late, the budget not */
        else if (until_alarm > 0)
            trap = rv_run(h, slice < until_alarm ? slice : until_alarm);
        if (trap == RV_TRAP_ECALL) {
            guest_syscall(g);
            h->instret++;
            h->cycle++;
        } else if (trap == RV_TRAP_LIMIT && (h->cycle >= g->alarm_cycle || looks)) {
            guest_alarm(g);
        } else {
            trap = leave_or_fault(g, trap);
            if (trap != RV_TRAP_NONE)
                return trap;
        }
    }
    return RV_TRAP_NONE;
}
